import { type ReactNode, useId, useState } from "react";
import { toast } from "../../../lib/toast";
import type { Failure } from "../../auth/auth-errors";
import styles from "../profile.module.css";

type Props = { title: string; text?: ReactNode; children: ReactNode };

// A section of the profile page: title and explanation, with its controls beside them.
export function ProfileSection({ title, text, children }: Props) {
  const id = useId();
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div className={styles.about}>
        <h2 id={id}>{title}</h2>
        {text && <p>{text}</p>}
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}

export function ErrorText({ failed }: { failed: Failure | null }) {
  return (
    failed && (
      <p className={styles.error} role="alert">
        {failed.message}
      </p>
    )
  );
}

type Action = {
  busy: boolean;
  failed: Failure | null;
  // One at a time. Shows `done` as a toast on success.
  run: (work: () => Promise<Failure | null>, done?: string) => Promise<boolean>;
};

// The state of a button's asynchronous action.
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Failure | null>(null);

  async function run(work: () => Promise<Failure | null>, done?: string): Promise<boolean> {
    if (busy) return false;
    setBusy(true);
    setFailed(null);
    const error = await work();
    setFailed(error);
    setBusy(false);
    if (error === null && done !== undefined) toast.success(done);
    return error === null;
  }

  return { busy, failed, run };
}

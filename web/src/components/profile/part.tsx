import { type ReactNode, useId, useState } from "react";
import type { Failure } from "../../lib/auth-errors";
import { toast } from "../../lib/toast";
import styles from "./profile.module.css";

type Props = { title: string; words?: ReactNode; children: ReactNode };

// One matter of the profile: what it is about, and beside it what can be done.
export function Part({ title, words, children }: Props) {
  const id = useId();
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div className={styles.about}>
        <h2 id={id}>{title}</h2>
        {words && <p>{words}</p>}
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}

export function Fault({ failed }: { failed: Failure | null }) {
  return (
    failed && (
      <p className={styles.fault} role="alert">
        {failed.message}
      </p>
    )
  );
}

type Deed = {
  busy: boolean;
  failed: Failure | null;
  // One at a time; says `done` when it is.
  run: (work: () => Promise<Failure | null>, done?: string) => Promise<boolean>;
};

// What a press of a button does, and what came of it.
export function useDeed(): Deed {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Failure | null>(null);

  async function run(work: () => Promise<Failure | null>, done?: string): Promise<boolean> {
    if (busy) return false;
    setBusy(true);
    setFailed(null);
    const trouble = await work();
    setFailed(trouble);
    setBusy(false);
    if (trouble === null && done !== undefined) toast.success(done);
    return trouble === null;
  }

  return { busy, failed, run };
}

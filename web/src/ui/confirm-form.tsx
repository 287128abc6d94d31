import { type ReactNode, useState } from "react";
import { errorMessage } from "../lib/api";
import { Button, SubmitButton } from "./button";
import styles from "./confirm-form.module.css";

type Props = {
  text: string;
  yes: string;
  no: string;
  // What has to be filled in first.
  missing?: string | null;
  send: () => Promise<void>;
  onClose: () => void;
  children?: ReactNode;
};

// The content of a narrow dialog that asks for a decision: an explanation, fields, and two buttons.
export function ConfirmForm({ text, yes, no, missing = null, send, onClose, children }: Props) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function submit() {
    setError(missing);
    if (missing !== null) return;
    setBusy(true);
    try {
      await send();
    } catch (why) {
      setError(errorMessage(why));
      setBusy(false);
    }
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void submit();
      }}
    >
      <p className={styles.text}>{text}</p>
      {children}
      {error !== null && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <div className={styles.buttons}>
        <Button quiet onClick={onClose}>
          {no}
        </Button>
        <SubmitButton busy={busy}>{yes}</SubmitButton>
      </div>
    </form>
  );
}

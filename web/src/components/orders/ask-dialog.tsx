import { useState } from "react";
import type { ErrorDetail, OrderNow } from "../../lib/api.gen";
import { askFor, type Wish } from "../../lib/orders/book";
import { Button, SubmitButton } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { TextArea } from "../../ui/text-area";
import styles from "./ask-dialog.module.css";

const LONGEST_NOTE = 500;

const WORDS: Record<Wish, { title: string; text: string; yes: string; no: string }> = {
  cancel: {
    title: "Cancel this order?",
    text: "Nothing will be sent and nothing charged. This cannot be taken back.",
    yes: "Yes, cancel it",
    no: "No, keep it",
  },
  return: {
    title: "Ask to return this order?",
    text: "We read your request and answer by letter. Please keep tags, manuals and packaging.",
    yes: "Ask to return",
    no: "Not now",
  },
};

type Props = {
  // Null: nobody is asked.
  wish: Wish | null;
  number: string;
  onClose: () => void;
  onDone: (now: OrderNow) => void;
};

export function AskDialog({ wish, number, onClose, onDone }: Props) {
  return (
    <Dialog
      open={wish !== null}
      onClose={onClose}
      title={wish === null ? "" : WORDS[wish].title}
      narrow
    >
      {wish !== null && <Question wish={wish} number={number} onClose={onClose} onDone={onDone} />}
    </Dialog>
  );
}

function Question({ wish, number, onClose, onDone }: Props & { wish: Wish }) {
  const [note, setNote] = useState("");
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { title, text, yes, no } = WORDS[wish];

  async function send() {
    setBusy(true);
    setFault(null);
    try {
      onDone(await askFor(wish, number, note));
    } catch (why) {
      const { message } = why as Partial<ErrorDetail>;
      const refused = typeof (why as ErrorDetail).code === "string" && message !== undefined;
      setFault(refused ? message : "The shop cannot be reached. Please try again.");
      setBusy(false);
    }
  }

  return (
    <form
      className={styles.question}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void send();
      }}
    >
      <p className={styles.title} aria-hidden>
        {title}
      </p>
      <p>{text}</p>
      <TextArea
        label="Why? (optional)"
        rows={2}
        maxLength={LONGEST_NOTE}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {fault !== null && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      <div className={styles.answers}>
        <Button quiet onClick={onClose}>
          {no}
        </Button>
        <SubmitButton busy={busy}>{yes}</SubmitButton>
      </div>
    </form>
  );
}

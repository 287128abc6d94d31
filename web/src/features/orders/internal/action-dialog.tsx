import { useState } from "react";
import type { ErrorDetail, OrderNow, ReturnLine } from "../../../lib/api.gen";
import { Button, SubmitButton } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { TextArea } from "../../../ui/text-area";
import { type CustomerAction, cancelOrder, requestReturn } from "../orders-api";
import styles from "./action-dialog.module.css";
import { ReturnLines } from "./return-lines";

const LONGEST_NOTE = 500;

const TEXTS: Record<CustomerAction, { title: string; text: string; yes: string; no: string }> = {
  cancel: {
    title: "Cancel this order?",
    text: "Nothing will be sent and nothing charged. This cannot be taken back.",
    yes: "Yes, cancel it",
    no: "No, keep it",
  },
  return: {
    title: "What do you want to return?",
    text: "We read your request, and the order shows our answer. You get back what you paid for it, with its share of the Vat; delivery is not paid back.",
    yes: "Ask to return",
    no: "Not now",
  },
};

type Props = {
  // Null: closed.
  action: CustomerAction | null;
  order: OrderNow;
  onClose: () => void;
  onDone: (now: OrderNow) => void;
};

export function ActionDialog({ action, order, onClose, onDone }: Props) {
  return (
    <Dialog
      open={action !== null}
      onClose={onClose}
      title={action === null ? "" : TEXTS[action].title}
      narrow
    >
      {action !== null && (
        <Question action={action} order={order} onClose={onClose} onDone={onDone} />
      )}
    </Dialog>
  );
}

function Question({ action, order, onClose, onDone }: Props & { action: CustomerAction }) {
  const [lines, setLines] = useState<ReturnLine[]>(() =>
    order.returnable.length === 1 ? order.returnable : [],
  );
  const [note, setNote] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { title, text, yes, no } = TEXTS[action];

  async function send() {
    if (action === "return" && lines.length === 0) {
      setError("Choose what you want to return.");
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const { number } = order;
      const asked =
        action === "cancel" ? cancelOrder(number, note) : requestReturn(number, note, lines);
      onDone(await asked);
    } catch (why) {
      const { message } = why as Partial<ErrorDetail>;
      const refused = typeof (why as ErrorDetail).code === "string" && message !== undefined;
      setError(refused ? message : "The shop cannot be reached. Please try again.");
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
      {action === "return" && <ReturnLines order={order} chosen={lines} onChange={setLines} />}
      <TextArea
        label="Why? (optional)"
        rows={2}
        maxLength={LONGEST_NOTE}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {error !== null && (
        <p className={styles.error} role="alert">
          {error}
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

import { useState } from "react";
import type { ErrorDetail, OrderNow, ReturnLine } from "../../lib/api.gen";
import { askToReturn, cancelOrder, type Wish } from "../../lib/orders/book";
import { Button, SubmitButton } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { TextArea } from "../../ui/text-area";
import styles from "./ask-dialog.module.css";
import { ReturnLines } from "./return-lines";

const LONGEST_NOTE = 500;

const WORDS: Record<Wish, { title: string; text: string; yes: string; no: string }> = {
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
  // Null: nobody is asked.
  wish: Wish | null;
  order: OrderNow;
  onClose: () => void;
  onDone: (now: OrderNow) => void;
};

export function AskDialog({ wish, order, onClose, onDone }: Props) {
  return (
    <Dialog
      open={wish !== null}
      onClose={onClose}
      title={wish === null ? "" : WORDS[wish].title}
      narrow
    >
      {wish !== null && <Question wish={wish} order={order} onClose={onClose} onDone={onDone} />}
    </Dialog>
  );
}

function Question({ wish, order, onClose, onDone }: Props & { wish: Wish }) {
  const [lines, setLines] = useState<ReturnLine[]>(() =>
    order.returnable.length === 1 ? order.returnable : [],
  );
  const [note, setNote] = useState("");
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { title, text, yes, no } = WORDS[wish];

  async function send() {
    if (wish === "return" && lines.length === 0) {
      setFault("Choose what you want to return.");
      return;
    }
    setBusy(true);
    setFault(null);
    try {
      const { number } = order;
      const asked =
        wish === "cancel" ? cancelOrder(number, note) : askToReturn(number, note, lines);
      onDone(await asked);
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
      {wish === "return" && <ReturnLines order={order} chosen={lines} onChange={setLines} />}
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

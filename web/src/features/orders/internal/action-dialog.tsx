import * as m from "messages/orders";
import { useState } from "react";
import type { OrderNow, ReturnLine } from "../../../lib/api.gen";
import { ConfirmForm } from "../../../ui/confirm-form";
import { Dialog } from "../../../ui/dialog";
import { TextArea } from "../../../ui/text-area";
import { type CustomerAction, cancelOrder, requestReturn } from "../orders-api";
import { ReturnLines } from "./return-lines";

const LONGEST_NOTE = 500;

type Texts = Record<"title" | "text" | "yes" | "no", () => string>;

const TEXTS: Record<CustomerAction, Texts> = {
  cancel: { title: m.cancelTitle, text: m.cancelText, yes: m.cancelYes, no: m.cancelNo },
  return: { title: m.returnTitle, text: m.returnText, yes: m.returnYes, no: m.returnNo },
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
      title={action === null ? "" : TEXTS[action].title()}
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
  const { text, yes, no } = TEXTS[action];
  const isPaidBack = action === "cancel" && order.paymentStatus === "paid";
  const nothing = action === "return" && lines.length === 0;

  async function send() {
    const { number } = order;
    const changed =
      action === "cancel" ? cancelOrder(number, note) : requestReturn(number, note, lines);
    onDone(await changed);
  }

  return (
    <ConfirmForm
      text={isPaidBack ? m.cancelPaidText() : text()}
      yes={yes()}
      no={no()}
      missing={nothing ? m.chooseReturn() : null}
      send={send}
      onClose={onClose}
    >
      {action === "return" && <ReturnLines order={order} chosen={lines} onChange={setLines} />}
      <TextArea
        label={m.why()}
        rows={2}
        maxLength={LONGEST_NOTE}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </ConfirmForm>
  );
}

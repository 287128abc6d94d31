import Download from "lucide-react/icons/download";
import Printer from "lucide-react/icons/printer";
import { useCallback, useState } from "react";
import type { OrderLine, OrderNow } from "../../lib/api.gen";
import { serverNow } from "../../lib/clock";
import { longDate } from "../../lib/dates";
import { useLoaded } from "../../lib/loaded";
import { getOrder, invoiceFile, type Wish } from "../../lib/orders/book";
import { canReview, REVIEWS } from "../../lib/reviews";
import { save } from "../../lib/save";
import { toast } from "../../lib/toast";
import { productUrl } from "../../lib/urls";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Failed } from "../../ui/empty";
import { Skeleton } from "../../ui/skeleton";
import { AskDialog } from "./ask-dialog";
import { Course } from "./course";
import { Invoice } from "./invoice";
import styles from "./invoice-dialog.module.css";

type Props = {
  number: string;
  open: boolean;
  onClose: () => void;
  onChange: (now: OrderNow) => void;
};

export function InvoiceDialog({ number, open, onClose, onChange }: Props) {
  const load = useCallback(() => getOrder(number), [number]);
  const { value: order, failed, retry, replace } = useLoaded(load);
  return (
    <Dialog open={open} onClose={onClose} title={`Invoice of order ${number}`}>
      <div className={styles.sheet} data-printed>
        {failed && <Failed what="The invoice" retry={retry} />}
        {!failed && order === null && <Skeleton height="32rem" />}
        {order !== null && (
          <>
            <Invoice order={order} />
            <Beside
              order={order}
              changed={(now) => {
                replace(now);
                onChange(now);
              }}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}

type BesideProps = { order: OrderNow; changed: (now: OrderNow) => void };

function Beside({ order, changed }: BesideProps) {
  const [wish, setWish] = useState<Wish | null>(null);
  const [busy, setBusy] = useState(false);
  const now = serverNow() ?? Date.now();
  const until = order.returnUntil;
  const returnable = until !== null && Date.parse(until) > now;

  async function download() {
    if (busy) return;
    setBusy(true);
    try {
      save(await invoiceFile(order.number), `invoice-${order.number}.pdf`);
    } catch {
      toast.error("The invoice could not be downloaded. Please try again.");
    }
    setBusy(false);
  }

  return (
    <aside className={styles.beside} aria-label="What can be done">
      <Course history={order.history} />
      <div className={styles.actions}>
        <Button onClick={() => print()}>
          <Printer size={18} strokeWidth={1.5} aria-hidden />
          Print
        </Button>
        <Button quiet aria-busy={busy} onClick={() => void download()}>
          <Download size={18} strokeWidth={1.5} aria-hidden />
          Download
        </Button>
        {order.canCancel && (
          <Button quiet onClick={() => setWish("cancel")}>
            Cancel order
          </Button>
        )}
        {returnable && (
          <>
            <Button quiet onClick={() => setWish("return")}>
              Ask to return
            </Button>
            <p className={styles.until}>Until {longDate(until)}.</p>
          </>
        )}
      </div>
      {canReview(order) && <ToReview lines={order.lines} />}
      <AskDialog
        wish={wish}
        number={order.number}
        onClose={() => setWish(null)}
        onDone={(next) => {
          setWish(null);
          changed(next);
        }}
      />
    </aside>
  );
}

function ToReview({ lines }: { lines: OrderLine[] }) {
  return (
    <ul className={styles.toReview}>
      {lines.map((line) => (
        <li key={line._id}>
          <a href={`${productUrl(line._id)}#${REVIEWS}`}>Review {line.name}</a>
        </li>
      ))}
    </ul>
  );
}

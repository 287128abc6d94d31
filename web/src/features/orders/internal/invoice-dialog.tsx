import Download from "lucide-react/icons/download";
import Printer from "lucide-react/icons/printer";
import * as m from "messages/orders";
import { useCallback, useState } from "react";
import { download } from "../../../lib/download";
import { toast } from "../../../lib/toast";
import { useAsync } from "../../../lib/use-async";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { LoadError } from "../../../ui/empty-state";
import { Skeleton } from "../../../ui/skeleton";
import { downloadInvoice, getInvoice } from "../orders-api";
import { Invoice } from "./invoice";
import styles from "./invoice-dialog.module.css";

type Props = { number: string; open: boolean; onClose: () => void };

export function InvoiceDialog({ number, open, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={m.invoiceOf({ number })}>
      <div className={styles.sheet} data-printed>
        <Sheet number={number} />
      </div>
    </Dialog>
  );
}

// Loaded when the dialog opens, so that it is up to date.
function Sheet({ number }: { number: string }) {
  const load = useCallback(() => getInvoice(number), [number]);
  const { value: invoice, failed, retry } = useAsync(load);
  if (failed) return <LoadError title={m.invoiceNotLoaded()} retry={retry} />;
  if (invoice === null) return <Skeleton height="32rem" />;
  return (
    <>
      <Invoice invoice={invoice} />
      <Actions number={number} />
    </>
  );
}

function Actions({ number }: { number: string }) {
  const [busy, setBusy] = useState(false);

  async function save() {
    if (busy) return;
    setBusy(true);
    try {
      download(await downloadInvoice(number), `invoice-${number}.pdf`);
    } catch {
      toast.error(m.invoiceNotDownloaded());
    }
    setBusy(false);
  }

  return (
    <div className={styles.actions}>
      <Button onClick={() => print()}>
        <Printer size={18} strokeWidth={1.5} aria-hidden />
        {m.print()}
      </Button>
      <Button quiet aria-busy={busy} onClick={() => void save()}>
        <Download size={18} strokeWidth={1.5} aria-hidden />
        {m.download()}
      </Button>
    </div>
  );
}

import Wallet from "lucide-react/icons/wallet";
import * as common from "messages/common";
import * as m from "messages/credit";
import type { CreditEntry, Currency } from "../../lib/api.gen";
import { longDate } from "../../lib/dates";
import { localUrl } from "../../lib/language";
import { format } from "../../lib/money";
import { orderUrl } from "../../lib/urls";
import { useAsync } from "../../lib/use-async";
import { ButtonLink } from "../../ui/button";
import { EmptyState, LoadError } from "../../ui/empty-state";
import { LoadMore } from "../../ui/load-more";
import { Table } from "../../ui/table";
import { OrdersSkeleton } from "../orders/dashboard";
import { type CreditPage, entryText, fetchCredit } from "./credit";
import styles from "./store-credit.module.css";

const AT_ONCE = 20;
const COLUMNS = [m.date, m.whatFor, m.amount, m.balance];
const first = () => fetchCredit(AT_ONCE);

export function StoreCreditPanel() {
  const { value: page, failed, retry, replace } = useAsync(first);

  async function more({ entries, next }: CreditPage) {
    const following = await fetchCredit(AT_ONCE, next);
    replace({ ...following, entries: [...entries, ...following.entries] });
  }

  if (failed) return <LoadError title={m.notLoaded()} retry={retry} />;
  if (page === null) return <OrdersSkeleton />;
  if (page.entries.length === 0) return <NoCredit />;
  return (
    <>
      <div className={styles.balance}>
        <dl>
          <dt>{m.yourBalance()}</dt>
          <dd>{format(page.balance, page.currency)}</dd>
        </dl>
        <p>{m.spendIt()}</p>
      </div>
      <Entries entries={page.entries} currency={page.currency} />
      {page.next !== null && <LoadMore failure={m.moreNotLoaded()} load={() => more(page)} />}
    </>
  );
}

type EntriesProps = { entries: CreditEntry[]; currency: Currency };

function Entries({ entries, currency }: EntriesProps) {
  return (
    <Table columns={COLUMNS.map((name) => name())} className={styles.table}>
      {entries.map((entry) => (
        <tr key={entry._id} className={styles.row}>
          <td className={styles.date}>{longDate(entry.createdAt)}</td>
          <th className={styles.what} scope="row">
            {entryText(
              entry,
              () => entry.order !== null && <a href={orderUrl(entry.order)}>{entry.order}</a>,
            )}
          </th>
          <td className={styles.amount} data-in={entry.amount > 0}>
            {signed(entry.amount, currency)}
          </td>
          <td className={styles.then}>{format(entry.balance, currency)}</td>
        </tr>
      ))}
    </Table>
  );
}

function signed(amount: number, currency: Currency): string {
  return `${amount < 0 ? "−" : "+"}${format(Math.abs(amount), currency)}`;
}

function NoCredit() {
  return (
    <EmptyState icon={<Wallet size={48} strokeWidth={1} aria-hidden />} title={m.none()}>
      <p>{m.noneText()}</p>
      <ButtonLink href={localUrl("/")}>{common.browseProducts()}</ButtonLink>
    </EmptyState>
  );
}

import * as m from "messages/orders";
import type {
  Invoice as InvoiceData,
  InvoiceDocument,
  InvoiceFact,
  InvoiceSum,
} from "../../../lib/api.gen";
import { formatNumber } from "../../../lib/numbers";
import styles from "./invoice.module.css";

// Every text and amount comes from the server, the same as in the PDF.
export function Invoice({ invoice }: { invoice: InvoiceData }) {
  return invoice.documents.map((document) => (
    <Document key={document.number} invoice={invoice} document={document} />
  ));
}

type Props = { invoice: InvoiceData; document: InvoiceDocument };

function Document({ invoice: { seller, billedTo }, document }: Props) {
  const billed = `billed-to-${document.number}`;
  return (
    <article className={styles.invoice} aria-label={`${document.title} ${document.number}`}>
      <div className={styles.head}>
        <div>
          <p className={styles.shop}>{seller.name}</p>
          <address>
            {[seller.address, seller.email, seller.phone].filter(Boolean).map((line) => (
              <div key={line}>{line}</div>
            ))}
          </address>
        </div>
        <h2>{document.title}</h2>
      </div>
      {document.cancelled !== null && <p className={styles.cancelled}>{document.cancelled}</p>}
      <div className={styles.parties}>
        <section aria-labelledby={billed}>
          <h3 id={billed}>{m.billedTo()}</h3>
          <p className={styles.name}>{billedTo.name}</p>
          <p className={styles.address}>{billedTo.address}</p>
          <p>{billedTo.phone}</p>
          <p className={styles.email}>{billedTo.email}</p>
        </section>
        <dl className={styles.facts}>
          {document.facts.map((fact) => (
            <Fact key={fact.name} {...fact} />
          ))}
        </dl>
      </div>
      <Items document={document} />
      <dl className={styles.totals}>
        {document.sums.map((sum) => (
          <Sum key={`${sum.name} ${sum.amount}`} {...sum} />
        ))}
      </dl>
    </article>
  );
}

function Items({ document }: Pick<Props, "document">) {
  return (
    <table className={styles.items}>
      <thead>
        <tr>
          <th scope="col">{m.item()}</th>
          <th scope="col">{m.qty()}</th>
          <th scope="col">{m.price()}</th>
          <th scope="col">{m.amount()}</th>
        </tr>
      </thead>
      <tbody>
        {document.items.map(({ name, options, sku, quantity, price, amount }) => (
          <tr key={`${sku} ${options}`}>
            <th scope="row">
              {name}
              <small>{options === "" ? sku : `${options} · ${sku}`}</small>
            </th>
            <td>{formatNumber(quantity)}</td>
            <td>
              <span className={styles.times}>{formatNumber(quantity)} × </span>
              {price}
            </td>
            <td>{amount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Fact({ name, value }: InvoiceFact) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Sum({ name, amount, total }: InvoiceSum) {
  return (
    <div data-total={total || undefined}>
      <dt>{name}</dt>
      <dd>{amount}</dd>
    </div>
  );
}

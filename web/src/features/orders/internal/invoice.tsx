import * as m from "messages/orders";
import type {
  Invoice as InvoiceData,
  InvoiceDocument,
  InvoiceFact,
  InvoiceSum,
  InvoiceTax,
} from "../../../lib/api.gen";
import { formatNumber } from "../../../lib/numbers";
import styles from "./invoice.module.css";
import { MushakForm } from "./mushak-form";

// Every text and amount comes from the server, the same as in the PDF.
export function Invoice({ invoice }: { invoice: InvoiceData }) {
  return invoice.documents.map((document) =>
    document.mushak === null ? (
      <Document key={document.number} invoice={invoice} document={document} />
    ) : (
      <article
        key={document.number}
        className={styles.invoice}
        aria-label={`${document.title} ${document.number}`}
      >
        <MushakForm form={document.mushak} />
      </article>
    ),
  );
}

type Props = { invoice: InvoiceData; document: InvoiceDocument };

function Document({ invoice: { billedTo }, document }: Props) {
  const { seller } = document;
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
            {seller.taxNumber !== "" && <div>{m.taxNumber({ number: seller.taxNumber })}</div>}
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
          {billedTo.taxNumber !== "" && <p>{m.taxNumber({ number: billedTo.taxNumber })}</p>}
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
      {document.taxes.length > 0 && <Taxes taxes={document.taxes} />}
      {document.notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </article>
  );
}

function Items({ document }: Pick<Props, "document">) {
  const hasRates = document.items.some(({ taxRate }) => taxRate !== "");
  return (
    <table className={styles.items}>
      <thead>
        <tr>
          <th scope="col">{m.item()}</th>
          <th scope="col">{m.qty()}</th>
          {hasRates && <th scope="col">{m.tax()}</th>}
          <th scope="col">{m.price()}</th>
          <th scope="col">{m.amount()}</th>
        </tr>
      </thead>
      <tbody>
        {document.items.map(({ name, options, sku, quantity, taxRate, price, amount }) => (
          <tr key={`${sku} ${options}`}>
            <th scope="row">
              {name}
              <small>{options === "" ? sku : `${options} · ${sku}`}</small>
            </th>
            <td>{formatNumber(quantity)}</td>
            {hasRates && <td>{taxRate}</td>}
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

function Taxes({ taxes }: { taxes: InvoiceTax[] }) {
  return (
    <table className={styles.taxes}>
      <thead>
        <tr>
          <th scope="col">{m.taxTable()}</th>
          <th scope="col">{m.net()}</th>
          <th scope="col">{m.tax()}</th>
          <th scope="col">{m.gross()}</th>
        </tr>
      </thead>
      <tbody>
        {taxes.map(({ name, net, tax, gross }) => (
          <tr key={`${name} ${net}`}>
            <th scope="row">{name}</th>
            <td>{net}</td>
            <td>{tax}</td>
            <td>{gross}</td>
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

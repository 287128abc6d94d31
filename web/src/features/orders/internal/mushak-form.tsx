import type { MushakForm as Form, InvoiceFact } from "../../../lib/api.gen";
import styles from "./mushak-form.module.css";

// The form of the tax authority of Bangladesh: its texts are prescribed, in Bangla.
export function MushakForm({ form }: { form: Form }) {
  return (
    <div className={styles.form} lang="bn">
      <header className={styles.head}>
        <p className={styles.number}>{form.number}</p>
        <p>{form.government}</p>
        <h2>{form.title}</h2>
        <p className={styles.rule}>{form.rule}</p>
      </header>
      <Facts facts={form.seller} />
      <div className={styles.parties}>
        <Facts facts={form.buyer} />
        <Facts facts={form.issue} />
      </div>
      <Table form={form} />
      <Facts facts={form.signatory} />
      {form.notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </div>
  );
}

// Wider than a phone: it scrolls by itself, also by the keyboard.
function Table({ form: { title, columns, rows, totals } }: { form: Form }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
    <section className={styles.scroll} aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr key={cells[0]}>
              {columns.map(({ name, numeric }, place) => (
                <td key={name} data-numeric={numeric || undefined}>
                  {cells[place]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            {columns.map(({ name, numeric }, place) => (
              <td key={name} data-numeric={numeric || undefined}>
                {totals[place]}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function Facts({ facts }: { facts: InvoiceFact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}:</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

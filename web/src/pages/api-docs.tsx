import type { ReactNode } from "react";
import {
  type ApiDoc,
  type DocField,
  type Operation,
  readOpenApi,
} from "../features/api-docs/openapi";
import { PageHead } from "../features/layout/page-head";
import type { PageOf } from "../lib/page";
import { paragraphs } from "../lib/text";
import styles from "./api-docs.module.css";

export default function ApiDocs(page: PageOf<"api-docs">) {
  const doc = readOpenApi(page.props.openapi);
  return (
    <div className={`wrap ${styles.docs}`}>
      <PageHead
        page={page}
        title={`${doc.title} · ${page.shop.name} for developers`}
        description={`What programs can ask of ${page.shop.name}: every call, its parameters and its answers.`}
      />
      <div className={styles.intro}>
        <p className={styles.version}>Version {doc.version}</p>
        <h1>{doc.title}</h1>
        <Text text={doc.description} />
        <p>
          For machines: <a href="/api/openapi.json">openapi.json</a>
        </p>
      </div>
      <nav className={styles.contents} aria-label="Contents">
        <ul>
          {doc.groups.map(({ tag }) => (
            <li key={tag}>
              <a href={`#${anchor(tag)}`}>{tag}</a>
            </li>
          ))}
          {doc.schemas.length > 0 && (
            <li>
              <a href="#schemas">Schemas</a>
            </li>
          )}
        </ul>
      </nav>
      <div className={styles.body}>
        {doc.groups.map(({ tag, operations }) => (
          <section key={tag} id={anchor(tag)} aria-label={tag}>
            <h2>{tag}</h2>
            {operations.map((operation) => (
              <Call key={operation.method + operation.path} operation={operation} />
            ))}
          </section>
        ))}
        {doc.schemas.length > 0 && <Schemas schemas={doc.schemas} />}
      </div>
    </div>
  );
}

function Call({ operation }: { operation: Operation }) {
  return (
    <article className={styles.call}>
      <h3>
        <span className={styles.method}>{operation.method}</span> <code>{operation.path}</code>
      </h3>
      <p className={styles.summary}>{operation.summary}</p>
      <Text text={operation.description} />
      {operation.security !== null && (
        <p>
          Bearer token{!operation.security.required && ", optional"}:{" "}
          <code>{operation.security.scheme}</code>. {withCode(operation.security.description)}
        </p>
      )}
      {operation.parameters.length > 0 && (
        <FieldTable caption="Parameters" fields={operation.parameters} />
      )}
      {operation.body !== null && (
        <p>
          Body: <code>{operation.body}</code>
        </p>
      )}
      <table>
        <caption>Responses</caption>
        <tbody>
          {operation.responses.map((response) => (
            <tr key={response.status}>
              <th scope="row">{response.status}</th>
              <td>{response.type !== null && <code>{response.type}</code>}</td>
              <td>{withCode(response.description)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}

function Schemas({ schemas }: { schemas: ApiDoc["schemas"] }) {
  return (
    <section id="schemas" aria-label="Schemas">
      <h2>Schemas</h2>
      {schemas.map((schema) => (
        <article key={schema.name} className={styles.call} id={`schema-${schema.name}`}>
          <h3>
            <code>{schema.name}</code>
          </h3>
          <Text text={schema.description} />
          {schema.fields.length > 0 ? (
            <FieldTable caption="Fields" fields={schema.fields} />
          ) : (
            <p>
              <code>{schema.type}</code>
            </p>
          )}
        </article>
      ))}
    </section>
  );
}

function FieldTable({ caption, fields }: { caption: string; fields: DocField[] }) {
  return (
    <table>
      <caption>{caption}</caption>
      <tbody>
        {fields.map((field) => (
          <tr key={field.place + field.name}>
            <th scope="row">
              <code>{field.name}</code>
              {field.required && <span className={styles.required}>required</span>}
            </th>
            <td>
              <code>{field.type}</code>
              {field.place && <span className={styles.place}>in {field.place}</span>}
            </td>
            <td>{withCode(field.description)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Text({ text }: { text: string }) {
  return paragraphs(text).map(({ text, place }) => <p key={place}>{withCode(text)}</p>);
}

// Text with `code` in backticks, as in Markdown. No component: the page has thousands of them, and little time to be
// rendered.
function withCode(text: string): ReactNode {
  if (!text.includes("`")) return text;
  return text.split("`").map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part has only its position.
      <code key={at}>{part}</code>
    ),
  );
}

function anchor(tag: string): string {
  return `tag-${tag.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
}

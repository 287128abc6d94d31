// Puts messages where they are used: `m.empty()` becomes "Your cart is empty", `m.remove({ name: x })`
// becomes `Remove ${x}`. What a bundle says then takes no more room than if it stood in the component.
import { parseSync } from "vite";
import { ABOUT_LANGUAGES, type Catalogue } from "./catalogue.ts";
import { compileFor, imports } from "./module.ts";
import { type Node, namespaceOf, namespacesOf, walk } from "./syntax.ts";

type Edit = { start: number; end: number; text: string };
type Use = { node: Node; call: Node | null; namespace: string; key: string };

// `code` is JavaScript. A namespace's name stands for nothing else in the file: check-source.ts.
export function inlineMessages(catalogue: Catalogue, language: string, code: string): string {
  const program = parseSync("module.js", code).program as unknown as Node;
  let edits: Edit[] = [];
  // Inner ones first: a message may be an argument of another.
  for (const { node, call, namespace, key } of usesIn(program).reverse()) {
    if (namespace === ABOUT_LANGUAGES) continue;
    const values = valuesOf(call, (value) => edited(code, edits, value));
    const text = compileWith(catalogue, language, namespace, key, values);
    if (text === null) continue;
    const { start, end } = call ?? node;
    edits = edits.filter((edit) => edit.end <= start || edit.start >= end);
    edits.push({ start, end, text: call === null ? `(() => ${text})` : text });
  }
  const needed = imports(catalogue, edits.map(({ text }) => text).join("\n"));
  edits.push(...unusedImports(program, edits));
  return needed + edited(code, edits, { start: 0, end: code.length });
}

// An import that is left over would draw the namespace into the chunk of the file.
function unusedImports(program: Node, edits: Edit[]): Edit[] {
  const names = namespacesOf(program);
  const left = new Set<string | undefined>();
  walk(program, ({ type, name, start }, parents) => {
    const imported = parents.at(-1)?.type === "ImportNamespaceSpecifier";
    const replaced = edits.some((edit) => start >= edit.start && start < edit.end);
    if (type === "Identifier" && !imported && !replaced) left.add(names.get(String(name)));
  });
  return (program.body as Node[])
    .filter(({ type }) => type === "ImportDeclaration")
    .filter(
      (statement) => namespaceOf(statement) !== null && !left.has(namespaceOf(statement) ?? ""),
    )
    .map(({ start, end }) => ({ start, end, text: "" }));
}

// What is used of imported namespaces, each with the call, if it is called. An outer use comes before
// one that stands in it.
function usesIn(program: Node): Use[] {
  const namespaces = namespacesOf(program);
  const uses: Use[] = [];
  walk(program, (node, parents) => {
    const { object, property, computed } = node as Node & { object?: Node; property?: Node };
    if (node.type !== "MemberExpression" || object?.type !== "Identifier" || computed) return;
    const namespace = namespaces.get(String(object.name));
    const parent = parents.at(-1);
    const called = parent?.type === "CallExpression" && parent.callee === node;
    const call = called ? parent : null;
    if (namespace !== undefined) uses.push({ node, call, namespace, key: String(property?.name) });
  });
  return uses.sort((one, other) => one.node.start - other.node.start);
}

// The code of each argument. Null where it cannot be seen: `m.remove(product)`.
function valuesOf(call: Node | null, codeOf: (value: Node) => string): Map<string, string> | null {
  const [only] = (call?.arguments ?? []) as Node[];
  if (only === undefined) return new Map();
  const properties = (only.properties ?? []) as (Node & { key: Node; value: Node })[];
  const plain = properties.every(({ type, computed }) => type === "Property" && !computed);
  if (only.type !== "ObjectExpression" || !plain) return null;
  return new Map(properties.map(({ key, value }) => [String(key.name), codeOf(value)]));
}

// Null where the message has to stay a function.
function compileWith(
  catalogue: Catalogue,
  language: string,
  namespace: string,
  key: string,
  values: Map<string, string> | null,
): string | null {
  const mark = (name: string) => `\0${name}\0`;
  const message = compileFor(catalogue, language, namespace, key, mark);
  if (values === null || message.rich) return null;
  let { code } = message;
  for (const name of message.arguments.keys()) {
    const value = values.get(name);
    const parts = code.split(mark(name));
    // Said several times, it would also be computed several times.
    if (value === undefined || (parts.length > 2 && !/^[\w$.]+$/.test(value))) return null;
    code = parts.join(/^[\w$.]+$/.test(value) ? value : `(${value})`);
  }
  return code;
}

function edited(code: string, edits: Edit[], { start, end }: Pick<Node, "start" | "end">): string {
  return edits
    .filter((edit) => edit.start >= start && edit.end <= end)
    .sort((one, other) => other.start - one.start)
    .reduce(
      (text, edit) => text.slice(0, edit.start - start) + edit.text + text.slice(edit.end - start),
      code.slice(start, end),
    );
}

// Reads a source file of the storefront: which messages it uses, and which sentences it has that
// should be messages.
import { parseSync } from "vite";
import { type Node, namespaceOf, namespacesOf, walk } from "./syntax.ts";

// "layout.home"
export type MessageName = string;

export type SourceReport = {
  used: MessageName[];
  // Namespaces whose messages are chosen at run time.
  whole: string[];
  problems: string[];
};

// What a person reads or hears, whatever is in it.
const SPOKEN = /^(aria-(label|description|roledescription|valuetext)|title|placeholder|alt|label)$/;
// "Two words" or more: an English sentence, a heading, or a name.
const SENTENCE = /^\s*["“‘(]?[A-Z][a-z’']*[,:]? [A-Za-z(]/;
// A property that holds words, if they begin like ones.
const LABEL = /^(label|name|title|text|message|description)$/;
const CAPITAL = /^[A-Z]/;
const LETTERS = /\p{L}{2}/u;

// `allowed`: names that are the same in every language.
export function readSource(file: string, code: string, allowed: ReadonlySet<string>): SourceReport {
  const { program, errors } = parseSync(file, code);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  const report: SourceReport = { used: [], whole: [], problems: [] };
  const namespaces = namespacesOf(program as unknown as Node);

  const problem = ({ start }: Node, text: string) =>
    report.problems.push(`${file}:${code.slice(0, start).split("\n").length}: ${text}`);

  function sentence(node: Node, text: string): void {
    const words = text.replace(/\s+/g, " ").trim();
    if (!allowed.has(words)) problem(node, `"${words}" should be a message`);
  }

  walk(program as unknown as Node, (node, parents) => {
    const parent = parents.at(-1);
    switch (node.type) {
      case "ImportDeclaration":
        importOf(node);
        break;
      case "ImportExpression":
        if (namespaceOf(node) !== null) problem(node, "messages are imported statically");
        break;
      case "MemberExpression":
        messageOf(node, parents);
        break;
      case "JSXText":
        if (LETTERS.test(String(node.value))) sentence(node, String(node.value));
        break;
      case "Literal":
        if (typeof node.value === "string") text(node, node.value, parents);
        break;
      case "TemplateLiteral": {
        const parts = node.quasis as { value: { cooked: string } }[];
        text(node, parts.map(({ value }) => value.cooked).join("…"), parents);
        break;
      }
      case "Identifier":
        // The namespace itself, handed on: what is used of it cannot be seen.
        if (
          namespaces.has(String(node.name)) &&
          parent?.type !== "ImportNamespaceSpecifier" &&
          !(parent?.type === "MemberExpression" || isPropertyName(node, parent)) &&
          !parents.some(({ type }) => type === "TSTypeQuery")
        )
          problem(node, `${node.name} is used as a value; write ${node.name}.key`);
        break;
    }
  });
  return report;

  function importOf(node: Node): void {
    const namespace = namespaceOf(node);
    if (namespace === null) return;
    for (const specifier of node.specifiers as Node[])
      if (specifier.type !== "ImportNamespaceSpecifier")
        problem(node, `write import * as m from "messages/${namespace}"`);
  }

  function messageOf(node: Node, parents: Node[]): void {
    const object = node.object as Node;
    const namespace = object.type === "Identifier" && namespaces.get(String(object.name));
    if (!namespace) return;
    if (node.computed) {
      if (CHOSEN_BY_SERVER.has(namespace)) report.whole.push(namespace);
      else problem(node, "a message's key must be written out");
      return;
    }
    const key = (node.property as { name: string }).name;
    report.used.push(`${namespace}.${key}`);
    const parent = parents.at(-1);
    const called = parent?.type === "CallExpression" && parent.callee === node;
    if (called && !parents.some(({ type }) => DEFERRED.test(type)))
      problem(node, `${key}() is called when the module is loaded, before the language is known`);
  }

  function text(node: Node, value: string, parents: Node[]): void {
    const shown = SENTENCE.test(value) || (LETTERS.test(value) && isShown(node, parents));
    if (shown && !isForPrograms(parents)) sentence(node, value);
  }
}

// The API's codes are keys, and the server's tests check that each has a message.
const CHOSEN_BY_SERVER = new Set(["errors"]);

const DEFERRED = /Function|^PropertyDefinition$/;

function isPropertyName(node: Node, parent: Node | undefined): boolean {
  return parent?.type === "Property" && parent.key === node && parent.shorthand !== true;
}

// Whether a literal is an element's text, or a property that is shown.
function isShown(node: Node, parents: Node[]): boolean {
  let inner = node;
  for (const parent of parents.toReversed()) {
    switch (parent.type) {
      case "ConditionalExpression":
        if (parent.test === inner) return false;
        break;
      case "LogicalExpression":
        if (parent.left === inner && parent.operator === "&&") return false;
        break;
      case "TemplateLiteral":
      case "JSXExpressionContainer":
        break;
      case "JSXElement":
      case "JSXFragment":
        return true;
      case "JSXAttribute":
        return SPOKEN.test(nameOf(parent.name));
      case "AssignmentExpression":
        return /^(textContent|innerText|title)$/.test(nameOf((parent.left as Node).property));
      case "Property":
        return LABEL.test(nameOf(parent.key)) && CAPITAL.test(textOf(node));
      default:
        return false;
    }
    inner = parent;
  }
  return false;
}

function textOf({ value, quasis }: Node): string {
  const [first] = (quasis ?? []) as { value: { cooked: string } }[];
  return first?.value.cooked ?? String(value);
}

// An error for the console, a type, an import.
function isForPrograms(parents: Node[]): boolean {
  return parents.some((parent) => {
    if (parent.type.startsWith("TS")) return !/^TS(As|Satisfies|NonNull)/.test(parent.type);
    if (parent.type === "NewExpression") return /Error$/.test(nameOf(parent.callee));
    if (parent.type === "CallExpression") {
      const { object } = parent.callee as { object?: unknown };
      return nameOf(object) === "console";
    }
    return parent.type.startsWith("Import") || parent.type.startsWith("Export")
      ? parent.type !== "ExportNamedDeclaration" && parent.type !== "ExportDefaultDeclaration"
      : false;
  });
}

function nameOf(node: unknown): string {
  return String((node as { name?: unknown } | undefined)?.name ?? "");
}

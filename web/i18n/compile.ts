// Compiles an ICU message to a JavaScript expression, so that the browser needs no parser.
// Supported: {text}, {count, number}, {count, plural, …} with #, {kind, select, …}, <tag>…</tag>.
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import * as cardinals from "make-plural/cardinals";
import * as categories from "make-plural/pluralCategories";
import { SOURCE } from "./catalogue.ts";

export type Argument = { kind: "text" | "number" | "tag" } | { kind: "select"; cases: string[] };

export type Compiled = {
  // An expression.
  code: string;
  arguments: Map<string, Argument>;
  // Whether it has tags: then it is a ReactNode, not a string.
  rich: boolean;
};

// What the expressions use; module.ts imports it where it stands in the code.
export const NUMBER = "$number";
export const ELEMENT = "$element";
export const FRAGMENT = "$fragment";
export const pluralName = (language: string) => `$plural_${language.replace(/\W/g, "_")}`;

type Scope = {
  language: string;
  arguments: Map<string, Argument>;
  codeOf: (argument: string) => string;
  pound: string | null;
};

// `codeOf`: the expression of an argument.
export function compile(
  language: string,
  message: string,
  codeOf = (argument: string) => `a.${argument}`,
): Compiled {
  const scope: Scope = { language, arguments: new Map(), codeOf, pound: null };
  const elements = parse(message, { captureLocation: false });
  const rich = hasTags(elements);
  const code = rich ? nodeOf(elements, scope) : textOf(elements, scope);
  return { code, arguments: scope.arguments, rich };
}

// The source of the function from a number to its plural category.
export function pluralRule(language: string): string {
  return String(forLanguage(cardinals, language));
}

// A code for private use is that of a pseudo-locale (pseudo.ts).
const PRIVATE = /^q[a-t][a-z]$/;

function forLanguage<T>(table: Record<string, T>, language: string): T {
  const [base = ""] = PRIVATE.test(language) ? [SOURCE] : language.split("-");
  const found = table[language.replace("-", "_")] ?? table[base];
  if (found === undefined) throw new Error(`no plural rules for the language ${language}`);
  return found;
}

function hasTags(elements: MessageFormatElement[]): boolean {
  return elements.some((element) => {
    if (element.type === TYPE.tag) return true;
    const branches = element.type === TYPE.select || element.type === TYPE.plural;
    return branches && Object.values(element.options).some(({ value }) => hasTags(value));
  });
}

// A template literal, or a string where nothing is inserted.
function textOf(elements: MessageFormatElement[], scope: Scope): string {
  const [only] = elements;
  if (elements.length === 1 && only !== undefined && only.type !== TYPE.literal) {
    const code = expressionOf(only, scope, textOf);
    return only.type === TYPE.argument ? `\`\${${code}}\`` : code;
  }
  if (elements.every(({ type }) => type === TYPE.literal))
    return JSON.stringify(elements.map((element) => "value" in element && element.value).join(""));
  const parts = elements.map((element) =>
    element.type === TYPE.literal
      ? element.value.replace(/[`\\]|\$(?=\{)|\$$/g, "\\$&")
      : `\${${expressionOf(element, scope, textOf)}}`,
  );
  return `\`${parts.join("")}\``;
}

// An expression of a ReactNode. Neighbours without tags become one string.
function nodeOf(elements: MessageFormatElement[], scope: Scope): string {
  if (!hasTags(elements)) return textOf(elements, scope);
  const children: string[] = [];
  let text: MessageFormatElement[] = [];
  const endText = () => {
    if (text.length > 0) children.push(textOf(text, scope));
    text = [];
  };
  for (const element of elements) {
    if (!hasTags([element])) {
      text.push(element);
      continue;
    }
    endText();
    children.push(expressionOf(element, scope, nodeOf));
  }
  endText();
  return children.length === 1
    ? (children[0] ?? "")
    : `${ELEMENT}(${FRAGMENT}, null, ${children.join(", ")})`;
}

type Compile = (elements: MessageFormatElement[], scope: Scope) => string;

function expressionOf(element: MessageFormatElement, scope: Scope, inner: Compile): string {
  switch (element.type) {
    case TYPE.literal:
      return JSON.stringify(element.value);
    case TYPE.argument:
      return argument(scope, element.value, { kind: "text" });
    case TYPE.number:
      if (element.style != null) throw new Error("a number can have no style");
      return `${NUMBER}(${argument(scope, element.value, { kind: "number" })})`;
    case TYPE.pound:
      if (scope.pound === null) throw new Error("# stands outside of a plural");
      return `${NUMBER}(${scope.pound})`;
    case TYPE.tag:
      return `${argument(scope, element.value, { kind: "tag" })}(${nodeOf(element.children, scope)})`;
    case TYPE.select: {
      const cases = Object.keys(element.options);
      const value = argument(scope, element.value, { kind: "select", cases });
      const branch = (of: string) => inner(element.options[of]?.value ?? [], scope);
      return choose(
        cases
          .filter((of) => of !== "other")
          .map((of) => [`${value} === ${JSON.stringify(of)}`, branch(of)]),
        branch("other"),
      );
    }
    case TYPE.plural:
      return pluralOf(element, scope, inner);
    default:
      throw new Error("dates and times are formatted by lib/dates.ts and inserted as text");
  }
}

type Plural = Extract<MessageFormatElement, { type: typeof TYPE.plural }>;

function pluralOf(element: Plural, outer: Scope, inner: Compile): string {
  if (element.pluralType === "ordinal") throw new Error("selectordinal is not supported");
  const value = argument(outer, element.value, { kind: "number" });
  const pound = element.offset === 0 ? value : `${value} - ${element.offset}`;
  const scope = { ...outer, pound };
  const known = forLanguage(categories, outer.language).cardinal;
  const branches = Object.entries(element.options).map(([of, { value: elements }]) => {
    if (!of.startsWith("=") && !known.some((category) => category === of))
      throw new Error(`${outer.language} has no plural category ${of}`);
    return [of, inner(elements, scope)] as const;
  });
  const exact = branches.filter(([of]) => of.startsWith("="));
  const rules = branches.filter(([of]) => !of.startsWith("=") && of !== "other");
  const [, other = '""'] = branches.find(([of]) => of === "other") ?? [];
  return choose(
    [
      ...exact.map(([of, code]) => [`${value} === ${Number(of.slice(1))}`, code] as const),
      ...rules.map(
        ([of, code]) =>
          [`${pluralName(outer.language)}(${pound}) === ${JSON.stringify(of)}`, code] as const,
      ),
    ],
    other,
  );
}

// A chain of conditions.
export function choose(
  cases: (readonly [condition: string, code: string])[],
  last: string,
): string {
  if (cases.length === 0) return last;
  return `(${cases.map(([condition, code]) => `${condition} ? ${code} : `).join("")}${last})`;
}

function argument(scope: Scope, name: string, wanted: Argument): string {
  const known = scope.arguments.get(name);
  if (known !== undefined && known.kind !== wanted.kind)
    throw new Error(
      `{${name}} is used as ${known.kind} and as ${wanted.kind}; a number is written {${name}, number}`,
    );
  if (known?.kind === "select" && wanted.kind === "select")
    known.cases = [...new Set([...known.cases, ...wanted.cases])];
  else scope.arguments.set(name, wanted);
  if (!/^[a-zA-Z_]\w*$/.test(name)) throw new Error(`{${name}} is no name of an argument`);
  return scope.codeOf(name);
}

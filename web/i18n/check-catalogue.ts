// Problems of the message catalogues: what a translation lacks, has too much, or says with other
// arguments.
import { type Catalogue, SERVER_NAMESPACES, SOURCE } from "./catalogue.ts";
import { type Argument, type Compiled, compile } from "./compile.ts";

export function catalogueProblems(catalogue: Catalogue): string[] {
  const source = browserNamespaces(catalogue, SOURCE);
  return [...catalogue.keys()].flatMap((language) => {
    const own = browserNamespaces(catalogue, language);
    const namespaces = new Set([...source.keys(), ...own.keys()]);
    return [...namespaces].flatMap((namespace) => {
      const file = `messages/${language}/${namespace}.json`;
      const texts = source.get(namespace) ?? {};
      const translations = own.get(namespace) ?? {};
      const keys = new Set([...Object.keys(texts), ...Object.keys(translations)]);
      return [...keys].flatMap((key) => {
        const found = messageProblem(language, texts[key], translations[key]);
        return found === null ? [] : [`${file}: ${key} ${found}`];
      });
    });
  });
}

function browserNamespaces(catalogue: Catalogue, language: string) {
  const all = [...(catalogue.get(language) ?? [])];
  return new Map(all.filter(([namespace]) => !SERVER_NAMESPACES.has(namespace)));
}

function messageProblem(
  language: string,
  text: string | undefined,
  translation: string | undefined,
): string | null {
  if (translation === undefined) return "is missing";
  if (text === undefined) return `is not in ${SOURCE}`;
  if (translation.trim() === "" && text.trim() !== "") return "is empty";
  try {
    const wanted = signature(compile(SOURCE, text));
    const found = signature(compile(language, translation));
    return found === wanted
      ? null
      : `takes ${found || "nothing"} in place of ${wanted || "nothing"}`;
  } catch (why) {
    return `cannot be compiled: ${(why as Error).message}`;
  }
}

// The names and kinds of the arguments, and the cases of a select.
function signature({ arguments: taken }: Compiled): string {
  return [...taken].map(describe).sort().join(" ");
}

function describe([name, argument]: [string, Argument]): string {
  if (argument.kind === "tag") return `<${name}>`;
  const cases = argument.kind === "select" ? `, ${argument.cases.toSorted().join(" ")}` : "";
  return `{${name}, ${argument.kind}${cases}}`;
}

/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** Values captured from earlier answers, by name. */
export type Names = Record<string, string>;

const placeholders: Record<string, (value: Json) => boolean> = {
  "{any}": () => true,
  "{optional}": () => true,
  "{string}": (value) => typeof value === "string" && value !== "",
  "{number}": (value) => typeof value === "number",
  "{jwt}": (value) => typeof value === "string" && claims(value) !== undefined,
  "{ms}": (value) => typeof value === "string" && /^\d{13}$/.test(value),
  "{seconds}": (value) => typeof value === "string" && /^\d{10}$/.test(value),
  "{iso}": (value) =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value),
};

/** Patterns of the form {"name": inner}, which look inside a string or at the end of an array. */
const lenses: Record<string, (inner: Json, value: Json, names: Names, at: string) => string[]> = {
  jwt(inner, value, names, at) {
    const found = typeof value === "string" ? claims(value) : undefined;
    if (!found) return [`${at}: ${show(value)} is not a JWT`];
    const { jti: _, ...rest } = found;
    return match(inner, rest, names, `${at}<jwt>`);
  },
  json(inner, value, names, at) {
    const found = typeof value === "string" ? parse(value) : undefined;
    if (found === undefined) return [`${at}: ${show(value)} is not a string of JSON`];
    return match(inner, found, names, `${at}<json>`);
  },
  url(inner, value, names, at) {
    if (typeof value !== "string" || !URL.canParse(value)) {
      return [`${at}: ${show(value)} is not a URL`];
    }
    const url = new URL(value);
    const found = { at: url.origin + url.pathname, query: Object.fromEntries(url.searchParams) };
    return match(inner, found, names, `${at}<url>`);
  },
  last(inner, value, names, at) {
    if (!Array.isArray(inner)) throw new Error('"last" takes a list of patterns');
    if (!Array.isArray(value) || value.length < inner.length) {
      return [`${at}: ${show(value)} is not a list of at least ${inner.length}`];
    }
    return match(inner, value.slice(value.length - inner.length), names, `${at}<last>`);
  },
};

/** Compares a value with a pattern; every difference is one line, none means that it matches. */
export function match(pattern: Json, value: Json, names: Names = {}, at = "$"): string[] {
  if (typeof pattern === "string") {
    const accepts = placeholders[pattern];
    if (accepts) return accepts(value) ? [] : [`${at}: ${show(value)} is no ${pattern}`];
    const expected = fill(pattern, names);
    if (!expected.endsWith("{string}")) return same(expected, value, at);
    const start = expected.slice(0, -"{string}".length);
    const fits = typeof value === "string" && value.startsWith(start) && value !== start;
    return fits ? [] : [`${at}: ${show(value)} does not go on from ${show(start)}`];
  }
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value)) return [`${at}: ${show(value)} is not a list`];
    if (value.length !== pattern.length) {
      return [`${at}: ${value.length} elements instead of ${pattern.length}: ${show(value)}`];
    }
    return pattern.flatMap((part, index) =>
      match(part, value[index] ?? null, names, `${at}[${index}]`),
    );
  }
  if (!isObject(pattern)) return same(pattern, value, at);

  const [only, ...others] = Object.entries(pattern);
  const lens = only && others.length === 0 ? lenses[only[0]] : undefined;
  if (only && lens) return lens(only[1], value, names, at);

  if (!isObject(value)) return [`${at}: ${show(value)} is not an object`];
  const differences: string[] = [];
  for (const [key, part] of Object.entries(pattern)) {
    if (key === "...") continue;
    const found = value[key];
    if (found === undefined) {
      if (part !== "{absent}" && part !== "{optional}") differences.push(`${at}.${key}: missing`);
    } else if (part === "{absent}") {
      differences.push(`${at}.${key}: present: ${show(found)}`);
    } else {
      differences.push(...match(part, found, names, `${at}.${key}`));
    }
  }
  if (pattern["..."] !== true) {
    for (const key of Object.keys(value)) {
      if (!(key in pattern))
        differences.push(`${at}.${key}: unexpected: ${show(value[key] ?? null)}`);
    }
  }
  return differences;
}

/** Substitutes captured values for "${name}" in a text. */
export function fill(text: string, names: Names): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = names[name];
    if (value === undefined) throw new Error(`nothing was kept as ${name}`);
    return value;
  });
}

/**
 * A request body with captured values substituted. {"json": x} becomes the text of x, {"form": {…}} a query string and
 * {"jwt": claims} an unsigned token.
 */
export function build(template: Json, names: Names): Json {
  if (typeof template === "string") return fill(template, names);
  if (Array.isArray(template)) return template.map((part) => build(part, names));
  if (!isObject(template)) return template;
  const built = Object.fromEntries(
    Object.entries(template).map(([key, part]) => [key, build(part, names)]),
  );
  const [only, ...others] = Object.entries(built);
  if (!only || others.length > 0) return built;
  const [kind, inner] = only;
  if (kind === "json") return JSON.stringify(inner);
  if (kind === "form" && isObject(inner)) return form(inner);
  if (kind === "jwt") return `${base64url({ alg: "none", typ: "JWT" })}.${base64url(inner)}.`;
  return built;
}

/** An object as application/x-www-form-urlencoded text. */
export function form(fields: JsonObject): string {
  return new URLSearchParams(
    Object.entries(fields).map(([key, value]) => [key, String(value)]),
  ).toString();
}

/** The value at a path such as $.users[0].email or $.codes[-1].code (negative counts from the end). */
export function pick(value: Json, path: string): Json | undefined {
  let found: Json | undefined = value;
  for (const [, key, index] of path.matchAll(/\.(\w+)|\[(-?\d+)\]/g)) {
    if (key !== undefined && isObject(found)) found = found[key];
    else if (index !== undefined && Array.isArray(found)) found = found.at(Number(index));
    else return undefined;
  }
  return found;
}

function same(expected: Json, value: Json, at: string): string[] {
  return Object.is(expected, value) ? [] : [`${at}: ${show(value)} instead of ${show(expected)}`];
}

function claims(token: string): JsonObject | undefined {
  const parts = token.split(".");
  if (parts.length !== 3) return undefined;
  const found = parse(Buffer.from(parts[1] ?? "", "base64url").toString());
  return isObject(found) ? found : undefined;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function base64url(value: Json | undefined): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

import { build, fill, form, type Json, type JsonObject, match, type Names, pick } from "./match";

/** One request and its expected answer. */
export interface Step {
  /** "POST /v1/accounts:signUp"; " (form)" behind it sends the body as a form. */
  do: string;
  note?: string;
  /** The bearer token; without one, calls of the API carry the key. */
  auth?: string;
  /** Further parameters; null removes one ({"key": null}). */
  query?: Record<string, string | null>;
  headers?: Record<string, string>;
  body?: Json;
  /** A body that is sent unchanged, where it is not JSON. */
  raw?: string;
  /** Milliseconds to wait before the request. */
  wait?: number;
  status: number;
  answer?: Json;
  /** Pattern of the Location header. */
  location?: Json;
  /** Paths of values to capture for later steps and for this answer's pattern. */
  keep?: Record<string, string>;
}

export interface Scenario {
  name: string;
  note?: string;
  steps: Step[];
}

export interface Answer {
  status: number;
  body: Json;
  location: string | null;
}

const key = "fake-api-key";
const project = "/emulator/v1/projects/demo-haat";

/** Resets the server to the start of every scenario: no accounts, default settings. */
export async function reset(base: string): Promise<void> {
  await send(base, { do: `DELETE ${project}/accounts`, auth: "owner", status: 200 }, {});
  const body = {
    signIn: { allowDuplicateEmails: false },
    emailPrivacyConfig: { enableImprovedEmailPrivacy: false },
  };
  await send(base, { do: `PATCH ${project}/config`, auth: "owner", body, status: 200 }, {});
}

/** Runs a step; returns its differences and adds captured values to the names. */
export async function play(base: string, step: Step, names: Names): Promise<string[]> {
  const answer = await send(base, step, names);
  for (const [name, path] of Object.entries(step.keep ?? {})) {
    const value = pick(answer.body, path);
    delete names[name];
    if (typeof value === "string") names[name] = value;
  }
  const differences: string[] = [];
  if (answer.status !== step.status) {
    differences.push(`status: ${answer.status} instead of ${step.status}`);
  }
  if (step.answer !== undefined) differences.push(...match(step.answer, answer.body, names));
  if (step.location !== undefined) {
    differences.push(...match(step.location, answer.location, names, "location"));
  }
  for (const [name, path] of Object.entries(step.keep ?? {})) {
    if (names[name] === undefined) differences.push(`nothing at ${path} to keep as ${name}`);
  }
  if (differences.length > 0) differences.push(`the answer: ${JSON.stringify(answer.body)}`);
  return differences;
}

/** Sends a step's request. */
export async function send(base: string, step: Step, names: Names): Promise<Answer> {
  if (step.wait) await new Promise((resolve) => setTimeout(resolve, step.wait));
  const [method = "", path = "", isForm] = step.do.split(" ");
  const url = new URL(base + prefix(path) + fill(path, names));
  if (step.auth === undefined && prefix(path) !== "") url.searchParams.set("key", key);
  for (const [name, value] of Object.entries(step.query ?? {})) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, fill(value, names));
  }

  const headers: Record<string, string> = { ...step.headers };
  if (step.auth !== undefined) headers.authorization = `Bearer ${fill(step.auth, names)}`;
  let body: string | undefined = step.raw;
  if (body === undefined && step.body !== undefined) {
    const built = build(step.body, names);
    body = isForm ? form(built as JsonObject) : JSON.stringify(built);
  }
  if (body !== undefined) {
    headers["content-type"] ??= isForm ? "application/x-www-form-urlencoded" : "application/json";
  }

  const init: RequestInit = { method, headers, redirect: "manual" };
  if (body !== undefined) init.body = body;
  const response = await fetch(url, init);
  const text = await response.text();
  let parsed: Json = text;
  try {
    parsed = JSON.parse(text) as Json;
  } catch {
    // Not every answer is JSON; a text pattern then has to match it.
  }
  return { status: response.status, body: parsed, location: response.headers.get("location") };
}

function prefix(path: string): string {
  if (path.startsWith("/v1/token")) return "/securetoken.googleapis.com";
  return /^\/v[12]\//.test(path) ? "/identitytoolkit.googleapis.com" : "";
}

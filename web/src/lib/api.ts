// API client: fetches JSON, and throws on any status that is not 2xx.
import * as m from "messages/errors";
import type { ErrorBody, ErrorDetail } from "./api.gen";
import { shownCurrency } from "./currency";
import { language } from "./language";

// A page that has just been loaded is not loaded again.
const RELOAD_AFTER = 10_000;

export async function fetchJson<T>(address: string, init: RequestInit = {}): Promise<T> {
  return (await fetchJsonWithHeaders<T>(address, init)).body;
}

// The same, with the response headers.
export async function fetchJsonWithHeaders<T>(
  address: string,
  init: RequestInit = {},
): Promise<{ body: T; headers: Headers }> {
  const response = await apiFetch(address, init);
  if (!response.ok) throw new Error(`Request failed with status code ${response.status}`);
  return { body: (await response.json()) as T, headers: response.headers };
}

// Asks for JSON with texts in the language of the page, and amounts in its currency.
export async function apiFetch(address: string, init: RequestInit = {}): Promise<Response> {
  const headers = {
    accept: "application/json",
    "accept-language": language(),
    "x-currency": shownCurrency(),
    ...init.headers,
  };
  const response = await fetch(address, { ...init, headers });
  if (response.status === 400) await reloadWithoutCurrency(response.clone());
  return response;
}

// The shop may have withdrawn the currency of the page since: then a new one has another.
async function reloadWithoutCurrency(answer: Response): Promise<void> {
  const withdrawn = (await answer.text()).includes('"unknown_currency"');
  if (withdrawn && performance.now() > RELOAD_AFTER) location.reload();
}

// The error in a response, whatever its body is, with sentences in the language of the page.
export async function readError(answer: Response): Promise<ErrorDetail> {
  const body = (await answer.json().catch(() => null)) as Partial<ErrorBody> | null;
  const error = body?.error ?? { code: `status_${answer.status}`, message: "" };
  // Where the sentences cannot be loaded, all that can be said is that it did not work.
  const loaded = await import("./error-sentences").catch(() => null);
  return loaded?.withSentences(error) ?? { ...error, message: m.unknown() };
}

// The message of a failed request: the API's own, or that there was no answer.
export function errorMessage(why: unknown): string {
  const { code, message } = why as Partial<ErrorDetail>;
  const refused = typeof code === "string" && message !== undefined;
  return refused ? message : m.unreachable();
}

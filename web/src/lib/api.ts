// API client: fetches JSON, and throws on any status that is not 2xx.
import type { ErrorDetail } from "./api.gen";

export async function fetchJson<T>(address: string, init: RequestInit = {}): Promise<T> {
  return (await fetchJsonWithHeaders<T>(address, init)).body;
}

// The same, with the response headers.
export async function fetchJsonWithHeaders<T>(
  address: string,
  init: RequestInit = {},
): Promise<{ body: T; headers: Headers }> {
  const headers = { accept: "application/json", ...init.headers };
  const response = await fetch(address, { ...init, headers });
  if (!response.ok) throw new Error(`Request failed with status code ${response.status}`);
  return { body: (await response.json()) as T, headers: response.headers };
}

// The message of a failed request: the API's own, or that there was no answer.
export function errorMessage(why: unknown): string {
  const { code, message } = why as Partial<ErrorDetail>;
  const refused = typeof code === "string" && message !== undefined;
  return refused ? message : "The shop cannot be reached. Please try again.";
}

// API client: fetches JSON, and throws on any status that is not 2xx.
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

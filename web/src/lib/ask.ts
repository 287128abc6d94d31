// A question to the shop's API. Whatever is not a good answer is thrown.
export async function ask<T>(address: string, init: RequestInit = {}): Promise<T> {
  return (await answered<T>(address, init)).body;
}

// The same, for whoever wants to know what the answer says about itself.
export async function answered<T>(
  address: string,
  init: RequestInit = {},
): Promise<{ body: T; headers: Headers }> {
  const headers = { accept: "application/json", ...init.headers };
  const response = await fetch(address, { ...init, headers });
  if (!response.ok) throw new Error(`Request failed with status code ${response.status}`);
  return { body: (await response.json()) as T, headers: response.headers };
}

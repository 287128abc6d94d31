// Authenticated requests with the shop's access token. An expired token is refreshed once.
import { apiFetch, readError } from "../../lib/api";
import { refreshAccessToken } from "./auth";
import { readAuthItem } from "./token-storage";

export const LONGEST_WAIT = 20_000;

// Rejects on network errors. Answers 401 also where there is no session.
export async function authFetch(address: string, init: RequestInit = {}): Promise<Response> {
  const token = readAuthItem("accessToken") ?? null;
  const answer = token === null ? null : await send(address, init, token);
  if (answer !== null && answer.status !== 401) return answer;
  await refreshAccessToken();
  const renewed = readAuthItem("accessToken") ?? null;
  if (renewed === null || renewed === token) return answer ?? new Response(null, { status: 401 });
  return send(address, init, renewed);
}

// The JSON body; throws an ErrorDetail on any status that is not 2xx.
export async function authJson<T>(address: string, init: RequestInit = {}): Promise<T> {
  const answer = await authFetch(address, init);
  if (!answer.ok) throw await readError(answer);
  return (await answer.json()) as T;
}

export function jsonBody(body: unknown): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

function send(address: string, init: RequestInit, token: string): Promise<Response> {
  return apiFetch(address, {
    signal: AbortSignal.timeout(LONGEST_WAIT),
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${token}` },
  });
}

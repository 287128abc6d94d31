// Questions about what is somebody's own. They go with the shop's access token; where it has expired
// it is renewed, once.
import type { ErrorBody, ErrorDetail } from "./api.gen";
import { renewToken } from "./auth";
import { held } from "./held";

const LONGEST_WAIT = 20_000;

// Rejects where there is no answer. 401 is also what somebody without a session gets.
export async function askOwn(address: string, init: RequestInit = {}): Promise<Response> {
  const token = held("accessToken") ?? null;
  const answer = token === null ? null : await send(address, init, token);
  if (answer !== null && answer.status !== 401) return answer;
  await renewToken();
  const renewed = held("accessToken") ?? null;
  if (renewed === null || renewed === token) return answer ?? new Response(null, { status: 401 });
  return send(address, init, renewed);
}

// The same, for whoever wants the good answer alone.
export async function own<T>(address: string, init: RequestInit = {}): Promise<T> {
  const answer = await askOwn(address, init);
  if (!answer.ok) throw await refusalOf(answer);
  return (await answer.json()) as T;
}

// What a refusal says, whatever has become of its words on the way.
export async function refusalOf(answer: Response): Promise<ErrorDetail> {
  const said = (await answer.json().catch(() => null)) as Partial<ErrorBody> | null;
  const message = "Something went wrong. Please try again in a moment.";
  return said?.error ?? { code: `status_${answer.status}`, message };
}

export function jsonOf(body: unknown): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

function send(address: string, init: RequestInit, token: string): Promise<Response> {
  return fetch(address, {
    signal: AbortSignal.timeout(LONGEST_WAIT),
    ...init,
    headers: { accept: "application/json", ...init.headers, authorization: `Bearer ${token}` },
  });
}

// Sends an attempt until there is an answer, and reads the answer.
import type { ChangedCart, Field, Order } from "../api.gen";
import { refreshToken } from "../auth";
import { askOwn, jsonOf, own, refusalOf } from "../own";
import type { Attempt } from "./attempt";

export type Outcome =
  | { kind: "placed"; order: Order }
  // Nothing was placed: the cart is not what it was.
  | { kind: "changed"; cart: ChangedCart }
  | { kind: "invalid"; fields: Field[]; message: string }
  // The e-mail address has to be confirmed first.
  | { kind: "unproven"; message: string }
  | { kind: "signedOut" }
  | { kind: "refused"; message: string }
  // No answer. It may have been placed; asking again with the same key tells, and places it once.
  | { kind: "unknown" };

const WAITS = [500, 1_500, 4_000];

export async function place(attempt: Attempt, waits: number[] = WAITS): Promise<Outcome> {
  for (const wait of [...waits, null]) {
    const outcome = await send(attempt)
      .then((first) => afterProof(attempt, first))
      .catch(() => null);
    if (outcome !== null) return outcome;
    if (wait !== null) await new Promise((done) => setTimeout(done, wait));
  }
  return { kind: "unknown" };
}

// What became of an attempt, without sending it again.
export async function find({ key }: Attempt): Promise<Outcome> {
  const found = own<Order[]>(`/api/orders?key=${encodeURIComponent(key)}`);
  const [order] = await found.catch(() => []);
  return order === undefined ? { kind: "unknown" } : { kind: "placed", order };
}

// The address may have been confirmed since the token was made, in another tab or on a phone.
async function afterProof(attempt: Attempt, first: Outcome | null): Promise<Outcome | null> {
  if (first?.kind !== "unproven") return first;
  await refreshToken();
  return send(attempt);
}

// Null: the shop is there, and could not answer.
async function send({ key, order }: Attempt): Promise<Outcome | null> {
  const init = jsonOf(order);
  const headers = { ...init.headers, "idempotency-key": key };
  const answer = await askOwn("/api/orders", { ...init, headers });
  if (answer.status >= 500) return null;
  if (answer.ok) return { kind: "placed", order: (await answer.json()) as Order };
  if (answer.status === 401) return { kind: "signedOut" };
  if (answer.status === 409) return { kind: "changed", cart: (await answer.json()) as ChangedCart };
  const { code, fields = [], message } = await refusalOf(answer);
  if (code === "unproven") return { kind: "unproven", message };
  return [400, 422].includes(answer.status) && fields.length > 0
    ? { kind: "invalid", fields, message }
    : { kind: "refused", message };
}

// Places an order: sends an attempt until there is an answer.
import { apiFetch, readError } from "../../../lib/api";
import type {
  ChangedCart,
  Field,
  ListedOrder,
  NewOrder,
  Order,
  PaymentProvider,
  PlacedOrder,
} from "../../../lib/api.gen";
import { authFetch, authJson, jsonBody, LONGEST_WAIT } from "../../auth/api-auth";
import { refreshUserAndToken } from "../../auth/auth";
import { payPageUrl, startPayment } from "../../payment/payment-api";
import type { Attempt } from "./order-attempt";

// An order that waits for its payment, and the path of its payment page.
export type Waiting = { number: string; lines: NewOrder["lines"]; payUrl: string };

export type PlaceOrderResult =
  | { kind: "placed"; order: Order }
  // It is placed once it is paid. `redirect`: where it is paid; null where the shopper has not just asked for that.
  | ({ kind: "awaitsPayment"; redirect: string | null } & Waiting)
  // Nothing was placed: prices or stock have changed.
  | { kind: "changed"; cart: ChangedCart }
  | { kind: "invalid"; fields: Field[]; message: string }
  // The e-mail address has to be verified first.
  | { kind: "unproven"; message: string }
  // A guest's phone number has to be confirmed by a code, or the code was wrong.
  | { kind: "codeRequired"; message: string; tried: boolean }
  | { kind: "signedOut" }
  | { kind: "refused"; message: string }
  // No answer. It may have been placed; sending it again with the same key is safe.
  | { kind: "unknown" };

const RETRY_DELAYS = [500, 1_500, 4_000];

export async function placeOrder(
  attempt: Attempt,
  waits: number[] = RETRY_DELAYS,
): Promise<PlaceOrderResult> {
  for (const wait of [...waits, null]) {
    const outcome = await send(attempt)
      .then((first) => retryIfUnverified(attempt, first))
      .catch(() => null);
    if (outcome !== null) return outcome;
    if (wait !== null) await new Promise((done) => setTimeout(done, wait));
  }
  return { kind: "unknown" };
}

// Looks an attempt's order up without sending it again. A guest's can only be sent again.
export async function findOrder({ uid, key }: Attempt): Promise<PlaceOrderResult> {
  if (uid === "") return { kind: "unknown" };
  const found = authJson<ListedOrder[]>(`/api/orders?key=${encodeURIComponent(key)}`);
  const [order] = await found.catch(() => []);
  if (order === undefined) return { kind: "unknown" };
  const { payUrl } = order;
  return payUrl
    ? { kind: "awaitsPayment", ...waiting(order, payUrl), redirect: null }
    : { kind: "placed", order };
}

function waiting({ number, lines }: Order, payUrl: string): Waiting {
  return { number, lines: lines.map(({ _id, qtn }) => ({ _id, qtn })), payUrl };
}

// Pays for an order that waits already in another way. Where that fails, its own page tells what can be done.
export async function payOtherwise(
  order: Waiting,
  payment: PaymentProvider,
): Promise<PlaceOrderResult> {
  const { number, lines, payUrl } = order;
  const redirect = await startPayment(payUrl, payment).catch(() => payPageUrl(payUrl));
  return { kind: "awaitsPayment", number, lines, payUrl, redirect };
}

// The address may have been verified since the token was issued, in another tab or on a phone.
async function retryIfUnverified(
  attempt: Attempt,
  first: PlaceOrderResult | null,
): Promise<PlaceOrderResult | null> {
  if (first?.kind !== "unproven") return first;
  await refreshUserAndToken();
  return send(attempt);
}

// Null: a server error, to be retried.
async function send({ uid, key, order }: Attempt): Promise<PlaceOrderResult | null> {
  const init = jsonBody(order);
  const headers = { ...init.headers, "idempotency-key": key };
  const answer = await (uid === ""
    ? apiFetch("/api/orders", { ...init, headers, signal: AbortSignal.timeout(LONGEST_WAIT) })
    : authFetch("/api/orders", { ...init, headers }));
  if (answer.status >= 500) return null;
  if (answer.ok) {
    const { next, ...placed } = (await answer.json()) as PlacedOrder;
    if (!next) return { kind: "placed", order: placed };
    const { payUrl, redirect } = next;
    return { kind: "awaitsPayment", ...waiting(placed, payUrl), redirect };
  }
  if (answer.status === 401 && uid !== "") return { kind: "signedOut" };
  const cart = answer.status === 409 ? ((await answer.clone().json()) as ChangedCart) : null;
  const error = await readError(answer);
  if (cart !== null) return { kind: "changed", cart: { ...cart, error } };
  const { code, fields = [], message } = error;
  if (code === "unproven") return { kind: "unproven", message };
  if (code === "phone_code_required") return { kind: "codeRequired", message, tried: false };
  if (code === "wrong_phone_code") return { kind: "codeRequired", message, tried: true };
  return [400, 422].includes(answer.status) && fields.length > 0
    ? { kind: "invalid", fields, message }
    : { kind: "refused", message };
}

// What the payment page of an order says.
import type { PaymentView } from "../../lib/api.gen";

export type PayState =
  // It is to be paid. Failed: an attempt was in vain.
  | "awaiting"
  | "failed"
  // The shopper has come back, and the provider does not say yet whether it is paid.
  | "asking"
  // It is paid by a way that takes days.
  | "processing"
  // The goods are not held any more, and it is not cancelled yet.
  | "expired"
  | "cancelled"
  | "authorised"
  | "paid"
  // In cash, on delivery.
  | "unpaid"
  | "partlyRefunded"
  | "refunded"
  | "disputed";

type Known = Pick<PaymentView, "status" | "paymentStatus" | "payment" | "canPay" | "returned">;

export function payState({ status, paymentStatus, payment, canPay, returned }: Known): PayState {
  if (status === "cancelled") return "cancelled";
  switch (paymentStatus) {
    case "paid":
    case "authorised":
    case "refunded":
    case "disputed":
    case "processing":
    case "cancelled":
      return paymentStatus;
    case "partly_refunded":
      return "partlyRefunded";
    case "unpaid":
      return "unpaid";
    default:
      break;
  }
  if (status !== "awaiting_payment") return "paid";
  if (payment?.state === "processing") return "processing";
  if (payment?.state === "pending" && returned) return "asking";
  if (!canPay) return "expired";
  // A declined attempt leaves the payment pending: it can be tried again on the provider's page.
  const failed = payment?.state === "failed" || (payment?.code ?? "") !== "";
  return failed ? "failed" : "awaiting";
}

// What becomes of the money of a cancelled order.
export function moneyOfCancelled({
  paymentStatus,
  payment,
}: Pick<PaymentView, "paymentStatus" | "payment">): "none" | "released" | "paidBack" {
  const state = payment?.state ?? "pending";
  if (/^(paid|(partly_)?refunded)$/.test(paymentStatus)) return "paidBack";
  if (/^(captured|(partly_)?refunded)$/.test(state)) return "paidBack";
  return state === "authorised" || paymentStatus === "authorised" ? "released" : "none";
}

const FIRST_DELAY = 2_000;
const LONGEST_DELAY = 60_000;
// Tries after which waiting is longer than usual.
const USUAL_TRIES = 6;

export function isPolled(state: PayState): boolean {
  return state === "asking" || state === "processing";
}

// Milliseconds until the provider is asked again.
export function pollDelay(tries: number): number {
  return Math.min(FIRST_DELAY * 1.5 ** tries, LONGEST_DELAY);
}

export function takesLong(tries: number): boolean {
  return tries >= USUAL_TRIES;
}

// Whole minutes for which the goods are still held, rounded up; 0 when that is over.
export function minutesLeft(expiresAt: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 60_000));
}

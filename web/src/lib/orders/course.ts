// The course of an order: what has become of it, in the order in which it happened, and what is ahead.
import type { ListedOrder, OrderNow, OrderStatus, PaymentState } from "../api.gen";
import { type Cents, cents } from "../money";

const WAY: OrderStatus[] = ["placed", "confirmed", "packed", "shipped", "delivered"];

export const STATUS_NAMES: Record<OrderStatus, string> = {
  placed: "Placed",
  confirmed: "Confirmed",
  packed: "Packed",
  shipped: "Shipped",
  delivered: "Delivered",
  cancelled: "Cancelled",
  return_requested: "Return asked for",
  returned: "Returned",
  refunded: "Refunded",
  partly_refunded: "Partly refunded",
};

export const STATUS_WORDS: Record<OrderStatus, string> = {
  placed: "We have your order.",
  confirmed: "We have looked through it, and it will be packed.",
  packed: "It waits for the courier.",
  shipped: "It is on its way to you.",
  delivered: "It is with you.",
  cancelled: "It was called off, and nothing will be charged.",
  return_requested: "You asked to send it back. We are reading your request.",
  returned: "It is back with us.",
  refunded: "Your money was given back.",
  partly_refunded: "What you sent back was refunded. The rest is with you.",
};

export type Stage = {
  status: OrderStatus;
  // Null: not yet.
  at: string | null;
  here: boolean;
  // What was said with it; empty where nothing was.
  note: string;
};

export type Happened = { status: OrderStatus; at: string; note?: string };

export function course(history: Happened[]): Stage[] {
  const last = history.length - 1;
  const been = history.map(({ status, at, note = "" }, place) => ({
    status,
    at,
    here: place === last,
    note,
  }));
  const now = history[last]?.status;
  const ahead = now === undefined ? WAY : isOnTheWay(now) ? WAY.slice(WAY.indexOf(now) + 1) : [];
  return [...been, ...ahead.map((status) => ({ status, at: null, here: false, note: "" }))];
}

// Bought, and not there yet.
export function isOnTheWay(status: OrderStatus): boolean {
  return WAY.includes(status) && status !== "delivered";
}

// How a status looks.
export function mood(status: OrderStatus): "open" | "good" | "off" {
  if (isOnTheWay(status)) return "open";
  return status === "delivered" || status === "partly_refunded" ? "good" : "off";
}

// A note in parts: a courier's tracking address in it becomes a link.
export function noteParts(note: string): { text: string; url: string | null }[] {
  return note
    .split(/(https:\/\/[^\s<>"]+[^\s<>".,;:!?)])/)
    .map((text, place) => ({ text, url: place % 2 === 1 ? text : null }))
    .filter(({ text }) => text !== "");
}

// Whether the customer has had what was ordered, or has paid for it.
export function canReview({ status, payment }: Pick<OrderNow, "status" | "payment">): boolean {
  return status !== "cancelled" && (!isOnTheWay(status) || payment.state === "captured");
}

export type Figures = { orders: number; spent: Cents; onTheWay: number };

export function figures(orders: Pick<ListedOrder, "status" | "spent">[]): Figures {
  return {
    orders: orders.length,
    spent: orders.reduce((sum, { spent }) => sum + cents(spent), 0) as Cents,
    onTheWay: orders.filter(({ status }) => isOnTheWay(status)).length,
  };
}

export const PAYMENT_WORDS: Record<PaymentState, string> = {
  pending: "Unpaid",
  authorised: "Unpaid",
  captured: "Paid",
  voided: "Nothing to pay",
  refunded: "Paid back",
  failed: "Unpaid",
};

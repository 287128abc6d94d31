// Order status: names, texts and the timeline of past and coming statuses.
import * as m from "messages/orders";
import type {
  Currency,
  ListedOrder,
  OrderNow,
  OrderStatus,
  PaymentStatus,
} from "../../lib/api.gen";
import { sum } from "../../lib/money";

const FULFILMENT: OrderStatus[] = ["placed", "confirmed", "packed", "shipped", "delivered"];

export const STATUS_NAMES: Record<OrderStatus, () => string> = {
  awaiting_payment: m.awaitingPayment,
  placed: m.placed,
  confirmed: m.confirmed,
  packed: m.packed,
  shipped: m.shipped,
  delivered: m.delivered,
  cancelled: m.cancelled,
  return_requested: m.returnRequested,
  returned: m.returned,
  refunded: m.refunded,
  partly_refunded: m.partlyRefunded,
};

export const STATUS_TEXTS: Record<OrderStatus, () => string> = {
  awaiting_payment: m.awaitingPaymentText,
  placed: m.placedText,
  confirmed: m.confirmedText,
  packed: m.packedText,
  shipped: m.shippedText,
  delivered: m.deliveredText,
  cancelled: m.cancelledText,
  return_requested: m.returnRequestedText,
  returned: m.returnedText,
  refunded: m.refundedText,
  partly_refunded: m.partlyRefundedText,
};

// Of a cancelled order it depends on whether it was paid.
export function statusText({ status, paymentStatus }: Standing): string {
  const wasPaid = /^(paid|(partly_)?refunded)$/.test(paymentStatus);
  return status === "cancelled" && wasPaid ? m.cancelledPaidText() : STATUS_TEXTS[status]();
}

type Standing = Pick<OrderNow, "status" | "paymentStatus">;

export type TimelineStep = {
  status: OrderStatus;
  // Null: not reached yet.
  at: string | null;
  here: boolean;
  // The note with it; empty where there is none.
  note: string;
};

export type StatusChange = { status: OrderStatus; at: string; note?: string };

export function timeline(history: StatusChange[]): TimelineStep[] {
  const last = history.length - 1;
  const been = history.map(({ status, at, note = "" }, place) => ({
    status,
    at,
    here: place === last,
    note,
  }));
  const now = history[last]?.status;
  const isBefore = now === undefined || now === "awaiting_payment";
  const rest = isBefore ? FULFILMENT : FULFILMENT.slice(FULFILMENT.indexOf(now) + 1);
  const ahead = isBefore || isInProgress(now) ? rest : [];
  return [...been, ...ahead.map((status) => ({ status, at: null, here: false, note: "" }))];
}

// Placed, and not delivered yet.
function isInProgress(status: OrderStatus): boolean {
  return FULFILMENT.includes(status) && status !== "delivered";
}

// The colour of a status.
export function statusTone(status: OrderStatus): "open" | "good" | "off" {
  if (isInProgress(status) || status === "awaiting_payment") return "open";
  return status === "delivered" || status === "partly_refunded" ? "good" : "off";
}

// Splits a note into text and links, such as a courier's tracking URL.
export function noteParts(note: string): { text: string; url: string | null }[] {
  return note
    .split(/(https:\/\/[^\s<>"]+[^\s<>".,;:!?)])/)
    .map((text, place) => ({ text, url: place % 2 === 1 ? text : null }))
    .filter(({ text }) => text !== "");
}

// Whether the customer has received or paid for the order.
export function canReview({ status, paymentStatus }: Standing): boolean {
  if (status === "cancelled" || status === "awaiting_payment") return false;
  return !isInProgress(status) || paymentStatus === "paid";
}

export type OrderStats = {
  orders: number;
  // One amount for each currency, that of the newest order first.
  spent: { amount: number; currency: Currency }[];
  onTheWay: number;
};

type Listed = Pick<ListedOrder, "status" | "spent" | "currency">;

export function orderStats(orders: Listed[]): OrderStats {
  const currencies = [...new Set(orders.map(({ currency }) => currency))];
  const spentIn = (currency: Currency) => {
    const own = orders.filter((order) => order.currency === currency);
    return {
      amount: sum(
        own.map(({ spent }) => spent),
        currency,
      ),
      currency,
    };
  };
  return {
    orders: orders.length,
    spent: currencies.map(spentIn),
    onTheWay: orders.filter(({ status }) => isInProgress(status)).length,
  };
}

type PaymentText = { text: () => string; tone: "due" | "good" | "off" };

export const PAYMENT_TEXTS: Record<PaymentStatus, PaymentText> = {
  unpaid: { text: m.unpaid, tone: "due" },
  awaiting_payment: { text: m.awaitingPayment, tone: "due" },
  processing: { text: m.processing, tone: "due" },
  authorised: { text: m.reserved, tone: "good" },
  partly_paid: { text: m.partlyPaid, tone: "due" },
  paid: { text: m.paid, tone: "good" },
  partly_refunded: { text: m.partlyRefunded, tone: "good" },
  refunded: { text: m.paidBack, tone: "off" },
  disputed: { text: m.disputed, tone: "due" },
  cancelled: { text: m.nothingToPay, tone: "off" },
};

// Orders API: the customer's orders, returns, invoices and tracking.
import * as m from "messages/orders";
import { apiFetch, errorMessage, readError } from "../../lib/api";
import type {
  Claim,
  ErrorDetail,
  Invoice,
  ListedOrder,
  Order,
  OrderNow,
  Reason,
  ReturnLine,
  ReturnRequest,
  Track,
  Tracking,
} from "../../lib/api.gen";
import { minus, sum } from "../../lib/money";
import { asciiDigits } from "../../lib/numbers";
import { authFetch, authJson, jsonBody } from "../auth/api-auth";

export type OrderList = { orders: ListedOrder[]; next: string | null };

const PAGE_SIZE = 200;

export async function listOrders(limit: number, cursor: string | null = null): Promise<OrderList> {
  const query = new URLSearchParams({ limit: String(limit), ...(cursor !== null && { cursor }) });
  const answer = await authFetch(`/api/orders?${query}`);
  if (!answer.ok) throw await readError(answer);
  const orders = (await answer.json()) as ListedOrder[];
  return { orders, next: answer.headers.get("x-next-cursor") };
}

export async function allOrders(): Promise<ListedOrder[]> {
  const all: ListedOrder[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { orders, next } = await listOrders(PAGE_SIZE, cursor);
    all.push(...orders);
    cursor = next;
  }
  return all;
}

// What is left of the total after gift cards and store credit.
export function leftToPay({ total, giftCards, credit, currency }: Order): number {
  const paid = sum([...giftCards.map(({ amount }) => amount), credit], currency);
  return minus(total, paid, currency);
}

export function getOrder(number: string): Promise<OrderNow> {
  return authJson<OrderNow>(orderUrl(number));
}

export function getInvoice(number: string): Promise<Invoice> {
  return authJson<Invoice>(`${orderUrl(number)}/invoice`);
}

export type CustomerAction = "cancel" | "return";

export function cancelOrder(number: string, note: string): Promise<OrderNow> {
  const reason: Reason = { note: inOneLine(note) };
  return authJson<OrderNow>(`${orderUrl(number)}/cancel`, jsonBody(reason));
}

export function requestReturn(
  number: string,
  note: string,
  lines: ReturnLine[],
): Promise<OrderNow> {
  const request: ReturnRequest = { note: inOneLine(note), lines };
  return authJson<OrderNow>(`${orderUrl(number)}/return`, jsonBody(request));
}

// Order notes are single lines.
function inOneLine(note: string): string {
  return note.replace(/\s+/g, " ").trim();
}

export async function downloadInvoice(number: string): Promise<Blob> {
  const headers = { accept: "application/pdf" };
  const answer = await authFetch(`${orderUrl(number)}/invoice.pdf`, { headers });
  if (!answer.ok) throw await readError(answer);
  return answer.blob();
}

// By an e-mail address or a phone number. Resolves to a message on failure.
export async function trackOrder(number: string, contact: string): Promise<Track | string> {
  const by = isEmail(contact) ? { email: contact.trim() } : { phone: asciiDigits(contact.trim()) };
  const tracking: Tracking = { number: asciiDigits(number.trim()), ...by };
  try {
    const answer = await apiFetch("/api/track", jsonBody(tracking));
    if (answer.ok) return (await answer.json()) as Track;
    if (answer.status === 404) return m.trackNotFound();
    if (answer.status === 429) return m.trackTooOften();
    return (await readError(answer)).message;
  } catch {
    return m.trackUnreachable();
  }
}

export function isEmail(contact: string): boolean {
  return contact.includes("@");
}

// Adds an order without an account to the customer's own. Null: it was added.
export async function claimOrder(
  number: string,
  phoneCode: string | null,
): Promise<ErrorDetail | null> {
  const claim: Claim = { number, ...(phoneCode !== null && { phoneCode }) };
  try {
    await authJson<OrderNow>("/api/orders/claim", jsonBody(claim));
    return null;
  } catch (why) {
    return { ...(why as ErrorDetail), message: errorMessage(why) };
  }
}

function orderUrl(number: string): string {
  return `/api/orders/${encodeURIComponent(number)}`;
}

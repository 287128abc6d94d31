// The customer's own orders, by the shop's word.
import type {
  Invoice,
  ListedOrder,
  OrderNow,
  Reason,
  ReturnLine,
  ReturnRequest,
  Track,
  Tracking,
} from "../api.gen";
import { askOwn, jsonOf, own, refusalOf } from "../own";

export type OrderPage = { orders: ListedOrder[]; next: string | null };

const MOST = 200;

export async function listOrders(limit: number, cursor: string | null = null): Promise<OrderPage> {
  const query = new URLSearchParams({ limit: String(limit), ...(cursor !== null && { cursor }) });
  const answer = await askOwn(`/api/orders?${query}`);
  if (!answer.ok) throw await refusalOf(answer);
  const orders = (await answer.json()) as ListedOrder[];
  return { orders, next: answer.headers.get("x-next-cursor") };
}

export async function allOrders(): Promise<ListedOrder[]> {
  const all: ListedOrder[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { orders, next } = await listOrders(MOST, cursor);
    all.push(...orders);
    cursor = next;
  }
  return all;
}

export function getOrder(number: string): Promise<OrderNow> {
  return own<OrderNow>(orderUrl(number));
}

export function getInvoice(number: string): Promise<Invoice> {
  return own<Invoice>(`${orderUrl(number)}/invoice`);
}

export type Wish = "cancel" | "return";

export function cancelOrder(number: string, note: string): Promise<OrderNow> {
  const reason: Reason = { note: inOneLine(note) };
  return own<OrderNow>(`${orderUrl(number)}/cancel`, jsonOf(reason));
}

export function askToReturn(number: string, note: string, lines: ReturnLine[]): Promise<OrderNow> {
  const request: ReturnRequest = { note: inOneLine(note), lines };
  return own<OrderNow>(`${orderUrl(number)}/return`, jsonOf(request));
}

// As the order's history has it.
function inOneLine(note: string): string {
  return note.replace(/\s+/g, " ").trim();
}

export async function invoiceFile(number: string): Promise<Blob> {
  const headers = { accept: "application/pdf" };
  const answer = await askOwn(`${orderUrl(number)}/invoice.pdf`, { headers });
  if (!answer.ok) throw await refusalOf(answer);
  return answer.blob();
}

// What went wrong is said in words.
export async function trackOrder(tracking: Tracking): Promise<Track | string> {
  try {
    const answer = await fetch("/api/track", jsonOf(tracking));
    if (answer.ok) return (await answer.json()) as Track;
    if (answer.status === 404) return NO_SUCH_ORDER;
    if (answer.status === 429) return TOO_OFTEN;
    return (await refusalOf(answer)).message;
  } catch {
    return "The shop cannot be reached. Check your connection and try again.";
  }
}

const NO_SUCH_ORDER =
  "There is no order with this number and e-mail address. Please compare both with what you were told when you ordered.";
const TOO_OFTEN = "That was asked too often. Please try again in an hour.";

function orderUrl(number: string): string {
  return `/api/orders/${encodeURIComponent(number)}`;
}

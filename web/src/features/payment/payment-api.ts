// The payment of an order that waits for it, by the address of its page, which holds the key.
import * as m from "messages/payment";
import { apiFetch, errorMessage, readError } from "../../lib/api";
import type { PaymentProvider, PaymentView } from "../../lib/api.gen";
import { localUrl, splitLanguage } from "../../lib/language";
import { jsonBody } from "../auth/api-auth";

// The provider is asked first.
const LONGEST_WAIT = 40_000;

// The page in the language that is shown.
export function payPageUrl(payUrl: string): string {
  const [, path] = splitLanguage(payUrl);
  return localUrl(path);
}

export function payUrlOf({ number, key }: Pick<PaymentView, "number" | "key">): string {
  return `/pay/${encodeURIComponent(number)}?key=${encodeURIComponent(key)}`;
}

// Rejects with the status of an answer that is not 2xx.
export class PaymentError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function fetchPayment(payUrl: string): Promise<PaymentView> {
  return request(apiUrl(payUrl), { cache: "no-store" });
}

// Answers where the shopper pays.
export async function startPayment(payUrl: string, payment: PaymentProvider): Promise<string> {
  const { redirect } = await request<{ redirect: string }>(apiUrl(payUrl), jsonBody({ payment }));
  return redirect;
}

export function cancelOrder(payUrl: string): Promise<PaymentView> {
  return request(apiUrl(payUrl).replace("?", "/cancel?"), { method: "POST" });
}

export function failureText(why: unknown): string {
  const unreachable = why instanceof PaymentError && why.status === 503;
  if (unreachable) return m.providerUnreachable();
  return why instanceof PaymentError ? why.message : errorMessage(why);
}

function apiUrl(payUrl: string): string {
  const [, path] = splitLanguage(payUrl);
  return `/api${path}`;
}

async function request<T>(address: string, init: RequestInit): Promise<T> {
  const answer = await apiFetch(address, { ...init, signal: AbortSignal.timeout(LONGEST_WAIT) });
  if (!answer.ok) throw new PaymentError(answer.status, (await readError(answer)).message);
  return (await answer.json()) as T;
}

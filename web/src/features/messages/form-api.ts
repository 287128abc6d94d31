// Form API: contact messages, newsletter subscriptions and stock alerts.
import * as m from "messages/forms";
import { apiFetch, readError } from "../../lib/api";
import type { FormToken, NewMessage, NewStockAlert, NewSubscriber } from "../../lib/api.gen";
import { authFetch, jsonBody } from "../auth/api-auth";
import { readAuthItem } from "../auth/token-storage";

// The error, and its field if it has one.
export type FormError = { field: string | null; message: string; status?: number };

export function sendMessage(message: NewMessage): Promise<FormError | null> {
  return sendWithToken("/api/contact", message);
}

export function subscribeToNewsletter(subscriber: NewSubscriber): Promise<FormError | null> {
  return sendWithToken("/api/newsletter", subscriber);
}

// A form token proves that a form was open for a while; it is valid some time after it was issued.
// The API calls it `pass`.
const TOKEN_VALID_AFTER = 2_200;
const TOKEN_MAX_AGE = 11 * 3600_000;

type RequestedToken = { since: number; text: string; loaded: Promise<void> };

let token: RequestedToken | null = null;

// Called when a form is first focused.
export function prepareFormToken(): RequestedToken {
  const now = performance.now();
  if (token !== null && now - token.since < TOKEN_MAX_AGE) return token;
  const requested: RequestedToken = { since: now, text: "", loaded: Promise.resolve() };
  requested.loaded = fetch("/api/pass")
    .then(async (answer) => {
      requested.text = ((await answer.json()) as FormToken).pass;
    })
    .catch(() => {
      token = null; // Then the form is sent without one.
    });
  token = requested;
  return requested;
}

// Sends at once, so that leaving the page loses nothing. A token that has not loaded or is not
// valid yet counts as none, which the server accepts at a low rate: only after a 429 the form waits
// for it.
async function sendWithToken(address: string, form: object): Promise<FormError | null> {
  const prepared = prepareFormToken();
  const left = prepared.since + TOKEN_VALID_AFTER - performance.now();
  const error = await send(address, { ...form, pass: prepared.text });
  if (error?.status !== 429 || left <= 0) return error;
  await prepared.loaded;
  await new Promise((resolve) => setTimeout(resolve, left));
  return send(address, { ...form, pass: prepared.text });
}

// A signed-in customer's alert is linked to the account, and deleted with it.
export function requestStockAlert(alert: NewStockAlert): Promise<FormError | null> {
  return send(
    "/api/stock-alerts",
    alert,
    readAuthItem("signedIn") ? authFetchIfPossible : apiFetch,
  );
}

async function authFetchIfPossible(address: string, init: RequestInit): Promise<Response> {
  const answer = await authFetch(address, init);
  return answer.status === 401 ? apiFetch(address, init) : answer;
}

type Send = (address: string, init: RequestInit) => Promise<Response>;

async function send(
  address: string,
  body: object,
  request: Send = apiFetch,
): Promise<FormError | null> {
  try {
    // Continues when the page is left.
    const answer = await request(address, { ...jsonBody(body), keepalive: true });
    if (answer.ok) return null;
    const { message, fields = [] } = await readError(answer);
    const [field] = fields;
    return field
      ? { field: field.name, message: field.message }
      : { field: null, message, status: answer.status };
  } catch {
    return { field: null, message: m.unreachable() };
  }
}

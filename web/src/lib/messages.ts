// What visitors send to the shop by its forms.
import type { ErrorBody, NewMessage, NewStockAlert, NewSubscriber } from "./api.gen";
import { held } from "./held";
import { askOwn, jsonOf } from "./own";

// What went wrong, and in which field where it was one.
export type Trouble = { field: string | null; message: string };

export async function sendMessage(message: NewMessage): Promise<Trouble | null> {
  return send("/api/contact", { ...message, pass: await ripePass() });
}

export async function askForLetter(subscriber: NewSubscriber): Promise<Trouble | null> {
  return send("/api/newsletter", { ...subscriber, pass: await ripePass() });
}

// The shop wants to see that a form was open for a moment, and gives a pass that is good from then on.
const RIPE_AFTER = 2_200;
const LIVES = 11 * 3600_000;

let pass: { text: Promise<string>; since: number } | null = null;

// When a form is first touched.
export function preparePass(): void {
  const now = performance.now();
  if (pass !== null && now - pass.since < LIVES) return;
  const text = fetch("/api/pass")
    .then(async (answer) => ((await answer.json()) as { pass: string }).pass)
    .catch(() => {
      pass = null;
      return ""; // Then the form is sent without one.
    });
  pass = { text, since: now };
}

async function ripePass(): Promise<string> {
  preparePass();
  if (pass === null) return "";
  const { text, since } = pass;
  const sent = await text;
  const left = sent === "" ? 0 : since + RIPE_AFTER - performance.now();
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  return sent;
}

// Somebody who is signed in asks by name, so that it can be found and ended with the account.
export function askForGoods(alert: NewStockAlert): Promise<Trouble | null> {
  return send("/api/stock-alerts", alert, held("signedIn") ? askAsOneself : fetch);
}

async function askAsOneself(address: string, init: RequestInit): Promise<Response> {
  const answer = await askOwn(address, init);
  return answer.status === 401 ? fetch(address, init) : answer;
}

type Ask = (address: string, init: RequestInit) => Promise<Response>;

async function send(address: string, body: object, ask: Ask = fetch): Promise<Trouble | null> {
  try {
    const answer = await ask(address, jsonOf(body));
    if (answer.ok) return null;
    const { error } = (await answer.json()) as ErrorBody;
    const [field] = error.fields ?? [];
    return field
      ? { field: field.name, message: field.message }
      : { field: null, message: error.message };
  } catch {
    return { field: null, message: "The shop cannot be reached. Please try again in a moment." };
  }
}

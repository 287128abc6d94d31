// What visitors send to the shop by its forms.
import type { ErrorBody, NewMessage, NewStockAlert, NewSubscriber } from "./api.gen";
import { held } from "./held";
import { askOwn, jsonOf } from "./own";

// What went wrong, and in which field where it was one.
export type Trouble = { field: string | null; message: string; status?: number };

export function sendMessage(message: NewMessage): Promise<Trouble | null> {
  return sendWithPass("/api/contact", message);
}

export function askForLetter(subscriber: NewSubscriber): Promise<Trouble | null> {
  return sendWithPass("/api/newsletter", subscriber);
}

// The shop wants to see that a form was open for a moment, and gives a pass that is good from then on.
const RIPE_AFTER = 2_200;
const LIVES = 11 * 3600_000;

type Pass = { since: number; text: string; come: Promise<void> };

let pass: Pass | null = null;

// When a form is first touched.
export function preparePass(): Pass {
  const now = performance.now();
  if (pass !== null && now - pass.since < LIVES) return pass;
  const asked: Pass = { since: now, text: "", come: Promise.resolve() };
  asked.come = fetch("/api/pass")
    .then(async (answer) => {
      asked.text = ((await answer.json()) as { pass: string }).pass;
    })
    .catch(() => {
      pass = null; // Then the form is sent without one.
    });
  pass = asked;
  return asked;
}

// At once, so that whoever leaves the page has sent it. A pass that has not come or is not good yet counts
// as none, with which few forms are taken from one network: only where that was too many, it is waited for.
async function sendWithPass(address: string, form: object): Promise<Trouble | null> {
  const prepared = preparePass();
  const left = prepared.since + RIPE_AFTER - performance.now();
  const trouble = await send(address, { ...form, pass: prepared.text });
  if (trouble?.status !== 429 || left <= 0) return trouble;
  await prepared.come;
  await new Promise((resolve) => setTimeout(resolve, left));
  return send(address, { ...form, pass: prepared.text });
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
    // It goes on when the page is left.
    const answer = await ask(address, { ...jsonOf(body), keepalive: true });
    if (answer.ok) return null;
    const { error } = (await answer.json()) as ErrorBody;
    const [field] = error.fields ?? [];
    return field
      ? { field: field.name, message: field.message }
      : { field: null, message: error.message, status: answer.status };
  } catch {
    return { field: null, message: "The shop cannot be reached. Please try again in a moment." };
  }
}

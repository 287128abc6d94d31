// What the identity service says behind the pages: its calls, its letters and its text messages.
import { createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import type { Page as Envelope } from "../src/lib/api.gen";
import { expect } from "./shop";

export const accessToken = (page: Page) => page.evaluate(() => localStorage.getItem("accessToken"));

// What no page of the shop asks for yet is asked for as the SDK would do it.
export async function ask<Answer = Record<string, string>>(
  page: Page,
  call: string,
  data: object,
): Promise<Answer> {
  const login = await page.request.get("/login", { headers: { accept: "application/json" } });
  const { shop } = (await login.json()) as Envelope;
  const path = `/identitytoolkit.googleapis.com/${call}?key=${shop.identity.apiKey}`;
  const answer = await page.request.post(path, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as Answer;
}

// The addresses of the letters to somebody, the newest first.
export async function lettersTo(page: Page, to: string, subject: string): Promise<string[]> {
  const list = await (await page.request.get("/dev/mail")).text();
  const items = list.split("<li>").filter((item) => item.includes(`to ${to},`));
  return items
    .filter((item) => item.includes(`>${subject}</a>`))
    .map((item) => /href="([^"]+)"/.exec(item)?.[1] ?? "");
}

// The newest letter to somebody, once that many have come.
export async function letter(page: Page, to: string, subject: string, least = 1): Promise<string> {
  await expect
    .poll(async () => (await lettersTo(page, to, subject)).length)
    .toBeGreaterThanOrEqual(least);
  const [newest = ""] = await lettersTo(page, to, subject);
  return (await page.request.get(newest)).text();
}

export async function link(page: Page, email: string, subject: string): Promise<string> {
  const html = await letter(page, email, subject);
  const href = /href="([^"]*\/auth\/action\?[^"]*)"/.exec(html)?.[1] ?? "";
  return href.replaceAll("&amp;", "&");
}

// The code in the newest text message to a number, once that many have come.
export async function textedCode(page: Page, phone: string, least: number): Promise<string> {
  const html = await letter(page, phone, "Text message", least);
  const words = html.replace(/<style.*?<\/style>|<[^>]+>/gs, " ");
  return /\b\d{6}\b/.exec(words)?.[0] ?? "";
}

const STEP = 30_000;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

// As RFC 6238 has it: SHA-1, six digits, a new one every thirty seconds.
export function appCode(secret: string, at: number = Date.now()): string {
  const bits = [...secret]
    .map((sign) => BASE32.indexOf(sign).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / STEP)));
  const hash = createHmac("sha1", key).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  const number = (hash.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000;
  return String(number).padStart(6, "0");
}

let people = 0;

// A customer whose address is confirmed, as a second factor wants it. Answers an ID token.
export async function confirmedCustomer(page: Page, email: string, password: string) {
  const credentials = { email, password, returnSecureToken: true };
  const { idToken } = await ask(page, "v1/accounts:signUp", credentials);
  await ask(page, "v1/accounts:sendOobCode", { requestType: "VERIFY_EMAIL", idToken });
  const { searchParams } = new URL(await link(page, email, "Confirm your e-mail address"));
  await ask(page, "v1/accounts:update", { oobCode: searchParams.get("oobCode") });
  return (await ask(page, "v1/accounts:signInWithPassword", credentials)).idToken ?? "";
}

// Each of the two answers the ID token that is good from then on.

export async function enrolApp(page: Page, idToken: string) {
  type Started = { totpSessionInfo: { sharedSecretKey: string; sessionInfo: string } };
  const start = { idToken, totpEnrollmentInfo: {} };
  const started = await ask<Started>(page, "v2/accounts/mfaEnrollment:start", start);
  const { sharedSecretKey: secret, sessionInfo } = started.totpSessionInfo;
  // A code is good once, and for a while after its time: so the current one is left for signing in.
  const verificationCode = appCode(secret, Date.now() - STEP);
  const finalized = await ask(page, "v2/accounts/mfaEnrollment:finalize", {
    idToken,
    displayName: "Tablet",
    totpVerificationInfo: { sessionInfo, verificationCode },
  });
  return { secret, idToken: finalized.idToken ?? "" };
}

export async function enrolPhone(page: Page, idToken: string) {
  type Started = { phoneSessionInfo: { sessionInfo: string } };
  const phone = `+8801${String(Date.now() + ++people).slice(-9)}`;
  const started = await ask<Started>(page, "v2/accounts/mfaEnrollment:start", {
    idToken,
    phoneEnrollmentInfo: { phoneNumber: phone, clientType: "CLIENT_TYPE_WEB" },
  });
  const { sessionInfo } = started.phoneSessionInfo;
  const finalized = await ask(page, "v2/accounts/mfaEnrollment:finalize", {
    idToken,
    displayName: "Pocket",
    phoneVerificationInfo: { sessionInfo, code: await textedCode(page, phone, 1) },
  });
  return { phone, idToken: finalized.idToken ?? "" };
}

// What the identity service says behind the pages: its calls, its letters and its text messages.
import type { Page } from "@playwright/test";
import { totp } from "../sdk/totp";
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
  const finalized = await ask(page, "v2/accounts/mfaEnrollment:finalize", {
    idToken,
    displayName: "Tablet",
    totpVerificationInfo: { sessionInfo, verificationCode: totp(secret) },
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

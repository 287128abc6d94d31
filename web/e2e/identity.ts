// The identity service behind the pages: its calls, e-mails and text messages.
import type { Page } from "@playwright/test";
import { totp } from "../sdk/totp";
import type { Page as Envelope } from "../src/lib/api.gen";
import { expect } from "./shop";

export const accessToken = (page: Page) => page.evaluate(() => localStorage.getItem("accessToken"));

// Calls the identity service as the SDK does, where no page does it.
export async function callIdentity<Answer = Record<string, string>>(
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

// URLs of the e-mails to an address, newest first.
export async function emailsTo(page: Page, to: string, subject: string): Promise<string[]> {
  const list = await (await page.request.get("/dev/mail")).text();
  const items = list.split("<li>").filter((item) => item.includes(`to ${to},`));
  return items
    .filter((item) => item.includes(`>${subject}</a>`))
    .map((item) => /href="([^"]+)"/.exec(item)?.[1] ?? "");
}

// The newest e-mail to an address, once there are `least`.
export async function newestEmail(
  page: Page,
  to: string,
  subject: string,
  least = 1,
): Promise<string> {
  await expect
    .poll(async () => (await emailsTo(page, to, subject)).length)
    .toBeGreaterThanOrEqual(least);
  const [newest = ""] = await emailsTo(page, to, subject);
  return (await page.request.get(newest)).text();
}

export async function actionLink(page: Page, email: string, subject: string): Promise<string> {
  const html = await newestEmail(page, email, subject);
  const href = /href="([^"]*\/auth\/action\?[^"]*)"/.exec(html)?.[1] ?? "";
  return href.replaceAll("&amp;", "&");
}

// The code in the newest text message to a number, once there are `least`.
export async function textedCode(page: Page, phone: string, least: number): Promise<string> {
  const html = await newestEmail(page, phone, "Text message", least);
  const words = html.replace(/<style.*?<\/style>|<[^>]+>/gs, " ");
  return /\b\d{6}\b/.exec(words)?.[0] ?? "";
}

let people = 0;

// A customer with a verified address, as second factors require. Returns an ID token.
export async function verifiedCustomer(page: Page, email: string, password: string) {
  const credentials = { email, password, returnSecureToken: true };
  const { idToken } = await callIdentity(page, "v1/accounts:signUp", credentials);
  await callIdentity(page, "v1/accounts:sendOobCode", { requestType: "VERIFY_EMAIL", idToken });
  const { searchParams } = new URL(await actionLink(page, email, "Confirm your e-mail address"));
  await callIdentity(page, "v1/accounts:update", { oobCode: searchParams.get("oobCode") });
  return (await callIdentity(page, "v1/accounts:signInWithPassword", credentials)).idToken ?? "";
}

// Both return the new ID token.

export async function enrolApp(page: Page, idToken: string) {
  type Started = { totpSessionInfo: { sharedSecretKey: string; sessionInfo: string } };
  const start = { idToken, totpEnrollmentInfo: {} };
  const started = await callIdentity<Started>(page, "v2/accounts/mfaEnrollment:start", start);
  const { sharedSecretKey: secret, sessionInfo } = started.totpSessionInfo;
  const finalized = await callIdentity(page, "v2/accounts/mfaEnrollment:finalize", {
    idToken,
    displayName: "Tablet",
    totpVerificationInfo: { sessionInfo, verificationCode: totp(secret) },
  });
  return { secret, idToken: finalized.idToken ?? "" };
}

export async function enrolPhone(page: Page, idToken: string) {
  type Started = { phoneSessionInfo: { sessionInfo: string } };
  const phone = `+8801${String(Date.now() + ++people).slice(-9)}`;
  const started = await callIdentity<Started>(page, "v2/accounts/mfaEnrollment:start", {
    idToken,
    phoneEnrollmentInfo: { phoneNumber: phone, clientType: "CLIENT_TYPE_WEB" },
  });
  const { sessionInfo } = started.phoneSessionInfo;
  const finalized = await callIdentity(page, "v2/accounts/mfaEnrollment:finalize", {
    idToken,
    displayName: "Pocket",
    phoneVerificationInfo: { sessionInfo, code: await textedCode(page, phone, 1) },
  });
  return { phone, idToken: finalized.idToken ?? "" };
}

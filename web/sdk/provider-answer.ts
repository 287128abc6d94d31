// Google's or Facebook's answer about a user. An emulator accepts any; a demo server has a fake
// provider for both, which is called as a browser would.
import { createHash, randomBytes } from "node:crypto";
import type { Person, Provider, ServerInfo } from "./environment";

export async function providerAnswer(
  place: ServerInfo,
  provider: Provider,
  person: Person,
): Promise<string> {
  if (place.mode === "hardened") return await oneTimeCode(place, provider, person);
  const sub = createHash("sha1").update(`${provider} ${person.email}`).digest("hex");
  return JSON.stringify({ sub, ...person, email_verified: provider === "google.com" });
}

async function oneTimeCode(place: ServerInfo, provider: Provider, person: Person): Promise<string> {
  const query = new URLSearchParams({ provider, state: randomBytes(16).toString("hex") });
  const start = await fetch(`${place.url}/auth/start?${query}`, { redirect: "manual" });
  const cookie = start.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  const asked = new URL(start.headers.get("location") ?? "", place.url);

  const body = new URLSearchParams([...asked.searchParams, ...Object.entries(person)]);
  const chosen = await fetch(asked.origin + asked.pathname, {
    method: "POST",
    body,
    redirect: "manual",
  });
  const back = new URL(chosen.headers.get("location") ?? "", place.url);
  const told = await fetch(back, { headers: { cookie: cookie.join("; ") } });
  const html = await told.text();
  const code = /data-code="([^"]+)"/.exec(html)?.[1];
  if (code === undefined) throw new Error(`no code from ${provider}: ${told.status} ${html}`);
  return code;
}

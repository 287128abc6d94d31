// The project's admin: makes custom tokens, and calls what clients may not.
import { createSign } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerInfo } from "./environment";
import { bearer, type Server, type ServiceAccount, serviceAccount } from "./server";

export const AUDIENCE =
  "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit";

type Json = Record<string, unknown>;
export type Answer = { status: number; body: Json };

export interface ProjectAdmin {
  bearer: string;
  customToken(uid: string, claims?: Json): string;
  /** A call below `v1/projects/{project}`. */
  call(path: string, body?: Json): Promise<Answer>;
}

export async function projectAdmin(server: Server): Promise<ProjectAdmin> {
  if (server.mode === "emulator") {
    return {
      bearer: "owner",
      customToken: (uid, claims) => unsigned(customClaims("owner@haat.test", uid, claims)),
      call: (path, body) => call(server, "owner", path, body),
    };
  }
  const text = await serviceAccount(server, "suite");
  const file = join(server.folder, "suite.json");
  writeFileSync(file, text);
  const account = JSON.parse(text) as ServiceAccount;
  const token = await bearer(file);
  return {
    bearer: token,
    customToken: (uid, claims) => signed(account, customClaims(account.client_email, uid, claims)),
    call: (path, body) => call(server, token, path, body),
  };
}

export function customClaims(from: string, uid: string, claims?: Json): Json {
  const iat = Math.floor(Date.now() / 1000);
  return { iss: from, sub: from, aud: AUDIENCE, iat, exp: iat + 3600, uid, claims };
}

export function unsigned(claims: Json): string {
  return `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`;
}

export function signed(
  { private_key, private_key_id }: Pick<ServiceAccount, "private_key" | "private_key_id">,
  claims: Json,
): string {
  const input = `${part({ alg: "RS256", typ: "JWT", kid: private_key_id })}.${part(claims)}`;
  return `${input}.${createSign("RSA-SHA256").update(input).sign(private_key, "base64url")}`;
}

const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** An admin call, with any bearer or none; a GET without a body. */
export async function call(
  place: ServerInfo,
  bearer: string | null,
  path: string,
  body?: Json,
): Promise<Answer> {
  const url = `${place.url}/identitytoolkit.googleapis.com/v1/projects/${place.projectId}${path}`;
  const init: RequestInit = { headers: { "content-type": "application/json" } };
  if (bearer !== null) init.headers = { ...init.headers, authorization: `Bearer ${bearer}` };
  if (body !== undefined) Object.assign(init, { method: "POST", body: JSON.stringify(body) });
  return await answered(await fetch(url, init));
}

/** A client call, as the SDK would make it. */
export async function clientCall(
  place: ServerInfo,
  path: string,
  body: Json,
  key = place.apiKey,
): Promise<Answer> {
  const url = `${place.url}/identitytoolkit.googleapis.com/${path}?key=${key}`;
  const headers = { "content-type": "application/json" };
  return await answered(await fetch(url, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function answered(response: Response): Promise<Answer> {
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) as Json };
  } catch {
    return { status: response.status, body: { text } };
  }
}

/** The protocol's error message, or "". */
export function refusal({ body }: Answer): string {
  return (body.error as { message?: string } | undefined)?.message ?? "";
}

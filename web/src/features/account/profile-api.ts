// Profile API: changes to the customer's account at the identity service, at the shop or at both.
// Each function resolves to an error or null.
import { errorMessage, readError } from "../../lib/api";
import type { Customer, ErrorDetail, Photo, Provider } from "../../lib/api.gen";
import { authFetch, authJson, jsonBody } from "../auth/api-auth";
import { type AuthFailure, changeAccount, currentAuth, runWithIdentity } from "../auth/auth";
import type { Failure } from "../auth/auth-errors";
import type { Device, TotpSecret } from "../auth/identity-profile";
import { openProviderPopup } from "../auth/provider-popup";
import { scaledToFit } from "./internal/photo";

// The server's own limit for uploads is shorter.
const UPLOADED_WITHIN = 60_000;

export function updateDisplayName(name: string): Promise<Failure | null> {
  return runWithIdentity(async (identity) => {
    await identity.updateName(name);
    const { email } = currentAuth().user ?? {};
    const init = { ...jsonBody({ displayName: name }), method: "PUT" };
    await authJson<Customer>(`/api/user/${encodeURIComponent(email ?? "")}`, init);
  });
}

export function changeEmail(email: string): Promise<AuthFailure | null> {
  return runWithIdentity((identity) => identity.profile.changeEmail(email));
}

export function setPassword(password: string): Promise<AuthFailure | null> {
  return runWithIdentity((identity) => identity.profile.setPassword(password));
}

export function reauthenticate(password: string): Promise<AuthFailure | null> {
  return runWithIdentity((identity) => identity.profile.reauthenticate(password));
}

export function reauthenticateWith(provider: Provider): Promise<AuthFailure | null> {
  const popupCode = openProviderPopup(provider);
  popupCode.catch(() => {});
  return runWithIdentity(async (identity) =>
    identity.profile.reauthenticateWith(provider, await popupCode),
  );
}

export function requireRecentSignIn(): Promise<AuthFailure | null> {
  return runWithIdentity((identity) => identity.profile.requireRecentSignIn());
}

export function linkProvider(provider: Provider): Promise<AuthFailure | null> {
  const popupCode = openProviderPopup(provider);
  popupCode.catch(() => {});
  return runWithIdentity(async (identity) => identity.profile.link(provider, await popupCode));
}

export function unlinkProvider(provider: Provider): Promise<AuthFailure | null> {
  return runWithIdentity((identity) => identity.profile.unlink(provider));
}

export async function startTotpEnrolment(shop: string): Promise<TotpSecret | AuthFailure> {
  const made: TotpSecret[] = [];
  const failed = await runWithIdentity(async (identity) => {
    made.push(await identity.profile.startTotpEnrolment(shop));
  });
  return failed ?? (made[0] as TotpSecret);
}

export function enrolTotp(app: TotpSecret, code: string): Promise<AuthFailure | null> {
  return runWithIdentity(() => app.enrol(code));
}

export function removeFactor(id: string): Promise<AuthFailure | null> {
  return runWithIdentity((identity) => identity.profile.removeFactor(id));
}

// Rejects where they cannot be loaded.
export async function listDevices(): Promise<Device[]> {
  const found: Device[] = [];
  const failed = await runWithIdentity(async (identity) => {
    found.push(...(await identity.profile.devices()));
  });
  if (failed !== null) throw failed;
  return found;
}

export function signOutEverywhere(): Promise<Failure | null> {
  return changeAccount(async (identity) => {
    await identity.profile.signOutEverywhere();
    identity.tokens.clear();
  });
}

// The shop crops the photo and removes its metadata; the identity service gets its URL.
export async function uploadPhoto(file: File): Promise<Failure | null> {
  const init = {
    method: "PUT",
    headers: { "content-type": "application/octet-stream" },
    body: await scaledToFit(file),
    signal: AbortSignal.timeout(UPLOADED_WITHIN),
  };
  return catchShopErrors(async () => {
    const { photoURL } = await authJson<Photo>("/api/account/photo", init);
    return runWithIdentity((identity) => identity.profile.setPhoto(photoURL));
  });
}

export function removePhoto(): Promise<Failure | null> {
  return catchShopErrors(async () => {
    const answer = await authFetch("/api/account/photo", { method: "DELETE" });
    if (!answer.ok) throw await readError(answer);
    return runWithIdentity((identity) => identity.profile.setPhoto(null));
  });
}

export async function downloadMyData(): Promise<Blob | AuthFailure> {
  const files: Blob[] = [];
  const failed = await runWithIdentity(async (identity) => {
    files.push(
      await (await fetchWithIdToken(await identity.profile.idToken(), "GET", "/data")).blob(),
    );
  });
  return failed ?? (files[0] as Blob);
}

// Once the shop has accepted, the deletion happens even if this page is closed.
export function deleteAccount(): Promise<AuthFailure | null> {
  return changeAccount(async (identity) => {
    await fetchWithIdToken(await identity.profile.idToken(), "DELETE", "");
    await identity.profile.deleteAccount().catch(() => identity.signOut());
    identity.tokens.clear();
  });
}

async function fetchWithIdToken(idToken: string, method: string, path: string): Promise<Response> {
  const headers = { accept: "application/json", authorization: `Bearer ${idToken}` };
  const answer = await fetch(`/api/account${path}`, { method, headers }).catch(() => {
    throw { code: "auth/network-request-failed" };
  });
  if (answer.ok) return answer;
  const stale = (await readError(answer)).code === "stale_sign_in";
  throw { code: stale ? "auth/requires-recent-login" : "auth/internal-error" };
}

// Turns the shop's errors into the identity service's form.
async function catchShopErrors(work: () => Promise<Failure | null>): Promise<Failure | null> {
  try {
    return await work();
  } catch (why) {
    return shopFailure(why);
  }
}

export function shopFailure(why: unknown): Failure {
  const { code, fields } = why as Partial<ErrorDetail>;
  return {
    code: typeof code === "string" ? code : "shop/unreachable",
    message: fields?.[0]?.message ?? errorMessage(why),
    field: null,
  };
}

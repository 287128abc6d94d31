// What somebody changes about their own account: at the identity service, at the shop, or at both.
// Each answers what went wrong, or null.
import type { Address, Customer, ErrorDetail, NewAddress, Photo, Provider } from "./api.gen";
import { attempt, change, currentAccount, type Refusal } from "./auth";
import type { Failure } from "./auth-errors";
import type { Device } from "./devices";
import type { AppKey } from "./identity-profile";
import { askOwn, jsonOf, own, refusalOf } from "./own";
import { scaledToFit } from "./photo";
import { askProvider } from "./popup";

// Uploading takes as long as it takes; the shop itself gives up before.
const UPLOADED_WITHIN = 60_000;

export function rename(name: string): Promise<Failure | null> {
  return attempt(async (identity) => {
    await identity.updateName(name);
    const { email } = currentAccount().user ?? {};
    const init = { ...jsonOf({ displayName: name }), method: "PUT" };
    await own<Customer>(`/api/user/${encodeURIComponent(email ?? "")}`, init);
  });
}

export function changeEmail(email: string): Promise<Refusal | null> {
  return attempt((identity) => identity.profile.changeEmail(email));
}

export function setPassword(password: string): Promise<Refusal | null> {
  return attempt((identity) => identity.profile.setPassword(password));
}

export function prove(password: string): Promise<Refusal | null> {
  return attempt((identity) => identity.profile.prove(password));
}

export function proveWith(provider: Provider): Promise<Refusal | null> {
  const asked = askProvider(provider);
  asked.catch(() => {});
  return attempt(async (identity) => identity.profile.proveWith(provider, await asked));
}

export function expectFresh(): Promise<Refusal | null> {
  return attempt((identity) => identity.profile.expectFresh());
}

export function link(provider: Provider): Promise<Refusal | null> {
  const asked = askProvider(provider);
  asked.catch(() => {});
  return attempt(async (identity) => identity.profile.link(provider, await asked));
}

export function unlink(provider: Provider): Promise<Refusal | null> {
  return attempt((identity) => identity.profile.unlink(provider));
}

export async function newApp(shop: string): Promise<AppKey | Refusal> {
  const made: AppKey[] = [];
  const failed = await attempt(async (identity) => {
    made.push(await identity.profile.newApp(shop));
  });
  return failed ?? (made[0] as AppKey);
}

export function enrolApp(app: AppKey, code: string): Promise<Refusal | null> {
  return attempt(() => app.enrol(code));
}

export function removeFactor(id: string): Promise<Refusal | null> {
  return attempt((identity) => identity.profile.removeFactor(id));
}

// Rejects where they cannot be had.
export async function devices(): Promise<Device[]> {
  const found: Device[] = [];
  const failed = await attempt(async (identity) => {
    found.push(...(await identity.profile.devices()));
  });
  if (failed !== null) throw failed;
  return found;
}

export function signOutEverywhere(): Promise<Failure | null> {
  return change(async (identity) => {
    await identity.profile.signOutEverywhere();
    identity.tokens.drop();
  });
}

// The shop cuts it square and forgets what the camera noted; the identity service is told where it is.
export async function givePhoto(file: File): Promise<Failure | null> {
  const init = {
    method: "PUT",
    headers: { "content-type": "application/octet-stream" },
    body: await scaledToFit(file),
    signal: AbortSignal.timeout(UPLOADED_WITHIN),
  };
  return reaching(async () => {
    const { photoURL } = await own<Photo>("/api/account/photo", init);
    return attempt((identity) => identity.profile.setPhoto(photoURL));
  });
}

export function takePhotoAway(): Promise<Failure | null> {
  return reaching(async () => {
    const answer = await askOwn("/api/account/photo", { method: "DELETE" });
    if (!answer.ok) throw await refusalOf(answer);
    return attempt((identity) => identity.profile.setPhoto(null));
  });
}

export function listAddresses(): Promise<Address[]> {
  return own<Address[]>("/api/addresses");
}

export function saveAddress(address: NewAddress, id: string | null): Promise<Address[]> {
  const init = jsonOf(address);
  return id === null
    ? own<Address[]>("/api/addresses", init)
    : own<Address[]>(`/api/addresses/${id}`, { ...init, method: "PUT" });
}

export function removeAddress(id: string): Promise<Address[]> {
  return own<Address[]>(`/api/addresses/${id}`, { method: "DELETE" });
}

export async function myData(): Promise<Blob | Refusal> {
  const files: Blob[] = [];
  const failed = await attempt(async (identity) => {
    files.push(await (await asProven(await identity.profile.idToken(), "GET", "/data")).blob());
  });
  return failed ?? (files[0] as Blob);
}

// From the shop's word on it happens, whatever becomes of this page.
export function deleteAccount(): Promise<Refusal | null> {
  return change(async (identity) => {
    await asProven(await identity.profile.idToken(), "DELETE", "");
    await identity.profile.deleteAccount().catch(() => identity.signOut());
    identity.tokens.drop();
  });
}

async function asProven(idToken: string, method: string, path: string): Promise<Response> {
  const headers = { accept: "application/json", authorization: `Bearer ${idToken}` };
  const answer = await fetch(`/api/account${path}`, { method, headers }).catch(() => {
    throw { code: "auth/network-request-failed" };
  });
  if (answer.ok) return answer;
  const stale = (await refusalOf(answer)).code === "stale_sign_in";
  throw { code: stale ? "auth/requires-recent-login" : "auth/internal-error" };
}

// The shop's refusals in the same form as the identity service's.
async function reaching(work: () => Promise<Failure | null>): Promise<Failure | null> {
  try {
    return await work();
  } catch (why) {
    return shopFailure(why);
  }
}

export function shopFailure(why: unknown): Failure {
  const { code, message, fields } = why as Partial<ErrorDetail>;
  if (typeof code !== "string" || message === undefined) {
    return {
      code: "shop/unreachable",
      message: "The shop cannot be reached. Please try again.",
      field: null,
    };
  }
  return { code, message: fields?.[0]?.message ?? message, field: null };
}

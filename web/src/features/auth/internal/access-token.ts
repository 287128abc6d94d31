// The shop's access token: exchanged for the identity service's ID token, kept in localStorage, and
// refreshed before it expires.
import { serverNow } from "../../../lib/server-clock";
import { localPart } from "../../../lib/text";
import { tokenClaims } from "../token-claims";
import { writeAuthItem } from "../token-storage";

// Refresh margins and retry delays as in the specification.
const REFRESH_MARGIN = 300_000;
const FIRST_RETRY = 30_000;
const LAST_RETRY = 960_000;
const MIN_DELAY = 10_000;
const MAX_DELAY = 86_400_000;

export type Owner = { email: string | null; displayName: string | null; idToken: string };

export type AccessTokens = {
  // Registers the customer at the shop under this name or the account's own, then fetches the
  // token.
  register: (name?: string) => Promise<void>;
  // Fetches a token, and another before it expires. Failures are retried.
  refresh: () => Promise<void>;
  clear: () => void;
};

// `freshIdToken` forces a new ID token; rejects where nobody is signed in.
type FindOwner = (freshIdToken?: boolean) => Promise<Owner>;

// `onChange` is called with each new token, and when it is cleared.
export function accessTokens(
  owner: FindOwner,
  onChange: (hasToken: boolean) => void = () => {},
): AccessTokens {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retry = FIRST_RETRY;
  let session = {};

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    const startedIn = session;
    const token = await requestToken(owner).catch(() => null);
    // Signed out meanwhile: a late response must not sign anybody in.
    if (startedIn !== session) return;
    clearTimeout(timer);
    retry = token === null ? Math.min(retry * 2, LAST_RETRY) : FIRST_RETRY;
    const wait = token === null ? retry / 2 : lifetime(token);
    if (token !== null) {
      writeAuthItem("accessToken", token);
      onChange(true);
    }
    timer = setTimeout(refresh, wait);
  }

  return {
    refresh,
    async register(name) {
      await saveCustomer(await owner(), name);
      await refresh();
    },
    clear() {
      clearTimeout(timer);
      session = {};
      retry = FIRST_RETRY;
      writeAuthItem("accessToken", null);
      onChange(false);
    },
  };
}

// How long to use a token: a little less than its lifetime. `exp` is compared with `iat`, not with
// the visitor's clock.
export function lifetime(token: string): number {
  const { exp, iat } = tokenClaims(token);
  if (exp === undefined) return MIN_DELAY;
  const issued = iat === undefined ? (serverNow() ?? Date.now()) : iat * 1000;
  const lifetimeMs = exp * 1000 - issued;
  const delay = lifetimeMs > 2 * REFRESH_MARGIN ? lifetimeMs - REFRESH_MARGIN : lifetimeMs / 2;
  return Math.min(Math.max(MIN_DELAY, delay), MAX_DELAY);
}

async function requestToken(findOwner: FindOwner): Promise<string | null> {
  let owner = await findOwner();
  // Without an e-mail address (a social account may have none) there is no customer.
  if (owner.email === null) return null;
  let answer = await exchange(owner);
  if (answer.status === 401) {
    // Revoked: either the session has a newer ID token, or it was ended elsewhere, and then the SDK
    // signs out when asked for one.
    owner = await findOwner(true);
    answer = await exchange(owner);
  }
  if (answer.status === 404) {
    // An account that was not made by our form.
    await saveCustomer(owner);
    answer = await exchange(owner);
  }
  if (!answer.ok) return null;
  const { accessToken } = (await answer.json()) as { accessToken?: unknown };
  return typeof accessToken === "string" ? accessToken : null;
}

function exchange({ email, idToken }: Owner): Promise<Response> {
  return call(`/api/user/jwt?email=${encodeURIComponent(email ?? "")}`, idToken);
}

async function saveCustomer({ email, displayName, idToken }: Owner, name?: string): Promise<void> {
  if (email === null) return;
  const answer = await call("/api/user", idToken, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: name ?? displayName ?? localPart(email), email }),
  });
  if (!answer.ok) throw { code: "shop/not-saved" };
}

async function call(path: string, idToken: string, init: RequestInit = {}): Promise<Response> {
  const headers = {
    accept: "application/json",
    ...init.headers,
    authorization: `Bearer ${idToken}`,
  };
  try {
    return await fetch(path, { ...init, headers });
  } catch {
    throw { code: "auth/network-request-failed" };
  }
}

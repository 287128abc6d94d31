// The shop's own access token: fetched for the identity service's ID token, kept in the browser's
// storage, and fetched again before it expires.
import { serverNow } from "./clock";
import { hold } from "./held";
import { localPart } from "./text";

// As the specification has the identity service's own refresh.
const EARLY = 300_000;
const FIRST_RETRY = 30_000;
const LAST_RETRY = 960_000;
const SOONEST = 10_000;
const LONGEST = 86_400_000;

export type Owner = { email: string | null; displayName: string | null; idToken: string };

export type AccessTokens = {
  // Makes the customer known to the shop, by this name or the account's own, then fetches the
  // token.
  register: (name?: string) => Promise<void>;
  // Fetches it, and again whenever it is about to expire. A failure is tried again later.
  keep: () => Promise<void>;
  drop: () => void;
};

// With a fresh ID token where that is asked for; it rejects where nobody is signed in any more.
type FindOwner = (freshIdToken?: boolean) => Promise<Owner>;

// `onHeld` hears whenever there is a new token, and when there is none any more.
export function accessTokens(
  owner: FindOwner,
  onHeld: (held: boolean) => void = () => {},
): AccessTokens {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retry = FIRST_RETRY;
  let holder = {};

  async function keep(): Promise<void> {
    clearTimeout(timer);
    const asking = holder;
    const token = await fetchToken(owner).catch(() => null);
    // Signed out meanwhile: an answer that comes late must not sign anybody in.
    if (asking !== holder) return;
    clearTimeout(timer);
    retry = token === null ? Math.min(retry * 2, LAST_RETRY) : FIRST_RETRY;
    const wait = token === null ? retry / 2 : lifetime(token);
    if (token !== null) {
      hold("accessToken", token);
      onHeld(true);
    }
    timer = setTimeout(keep, wait);
  }

  return {
    keep,
    async register(name) {
      await saveCustomer(await owner(), name);
      await keep();
    },
    drop() {
      clearTimeout(timer);
      holder = {};
      retry = FIRST_RETRY;
      hold("accessToken", null);
      onHeld(false);
    },
  };
}

// How long to use a token: a little less than it lives. Its own times are compared with each
// other, not with the visitor's clock.
export function lifetime(token: string): number {
  const { exp, iat } = claims(token);
  if (exp === undefined) return SOONEST;
  const born = iat === undefined ? (serverNow() ?? Date.now()) : iat * 1000;
  const lives = exp * 1000 - born;
  const used = lives > 2 * EARLY ? lives - EARLY : lives / 2;
  return Math.min(Math.max(SOONEST, used), LONGEST);
}

function claims(token: string): { exp?: number; iat?: number } {
  try {
    const part = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    const read = JSON.parse(atob(part)) as Record<string, unknown>;
    return {
      ...(typeof read.exp === "number" && { exp: read.exp }),
      ...(typeof read.iat === "number" && { iat: read.iat }),
    };
  } catch {
    return {};
  }
}

async function fetchToken(findOwner: FindOwner): Promise<string | null> {
  let owner = await findOwner();
  // Without an e-mail (a social account may have none) the shop knows nobody.
  if (owner.email === null) return null;
  let answer = await exchange(owner);
  if (answer.status === 401) {
    // Revoked: the session has a newer ID token, or it was ended elsewhere, and then the SDK signs
    // out when it asks for one.
    owner = await findOwner(true);
    answer = await exchange(owner);
  }
  if (answer.status === 404) {
    // An account that came by another way than our form.
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

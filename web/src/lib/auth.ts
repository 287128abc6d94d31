// Who is signed in. What is personal is filled in by the browser, so the server's snapshot is
// nobody yet; and the SDK is large, so it comes where somebody is signed in, after the first paint,
// or when a form needs it.
import { useSyncExternalStore } from "react";
import type { IdentitySettings, Provider } from "./api.gen";
import type { Failure } from "./auth-errors";
import type { Challenge, Factor } from "./challenge";
import { held, hold, onHeldElsewhere } from "./held";
import type { Identity, openIdentity, User } from "./identity";
import type { Mode, Purpose } from "./letter";
import { askProvider } from "./popup";

export type Account = {
  // Until the first word on who is signed in, and while that is being changed.
  loading: boolean;
  user: User | null;
};

// The first step of a sign-in was right, and the account asks for a second.
export type SecondStep = {
  factors: Factor[];
  sendCode: (factor: Factor) => Promise<Failure | null>;
  finish: (factor: Factor, code: string) => Promise<Failure | null>;
};

export type Refusal = Failure & { second?: SecondStep };

type Load = () => Promise<{ openIdentity: typeof openIdentity }>;

const NOBODY_YET: Account = { loading: true, user: null };
const NOBODY: Account = { loading: false, user: null };
const UNREACHABLE: Failure = {
  code: "auth/network-request-failed",
  message: "The shop could not be reached. Check your connection and try again.",
  field: null,
};

let account = NOBODY_YET;
let changes = 0;
let open: (() => Promise<Identity>) | null = null;
const listeners = new Set<() => void>();

export function useAccount(): Account {
  return useSyncExternalStore(subscribe, currentAccount, () => NOBODY_YET);
}

// For what shows the same while nobody is known yet and when nobody is there.
export function useUser(): User | null {
  return useSyncExternalStore(
    subscribe,
    () => account.user,
    () => null,
  );
}

export function currentAccount(): Account {
  return account;
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function startAuth(
  settings: IdentitySettings,
  load: Load = () => import("./identity"),
  when: (begin: () => void) => void = afterFirstPaint,
): void {
  let opening: Promise<Identity> | null = null;
  open = () => {
    opening ??= load().then(({ openIdentity }) => {
      const identity = openIdentity(settings, (user) => onUser(identity, user));
      return identity;
    });
    // A chunk that did not come is asked for again.
    opening.catch(() => {
      opening = null;
    });
    return opening;
  };
  if (held("signedIn") === null) {
    show(NOBODY);
    onHeldElsewhere("signedIn", prepareAuth);
  } else {
    when(prepareAuth);
  }
}

// For pages on which somebody is about to sign in.
export function prepareAuth(): void {
  void open?.().catch(() => show(NOBODY));
}

// Each answers what went wrong, or null. What signs in may be refused for want of a second step,
// and then brings it along.

export function signUp(email: string, password: string): Promise<Failure | null> {
  return change((identity) => identity.signUp(email, password));
}

export function signIn(email: string, password: string): Promise<Refusal | null> {
  return change(async (identity) => {
    await identity.signIn(email, password);
    await identity.tokens.keep();
  });
}

export function socialSignIn(provider: Provider): Promise<Refusal | null> {
  const asked = askProvider(provider);
  // The window may fail while the SDK is still on its way.
  asked.catch(() => {});
  return change(async (identity) => {
    await identity.signInWith(provider, await asked);
    // It may be the first time.
    await identity.tokens.register();
  });
}

export function signOut(): Promise<Failure | null> {
  return change(async (identity) => {
    await identity.signOut();
    identity.tokens.drop();
  });
}

export function updateName(name: string): Promise<Failure | null> {
  return attempt((identity) => identity.updateName(name));
}

// Makes the new customer known to the shop, and fetches the access token.
export function saveCustomer(name: string): Promise<Failure | null> {
  return attempt((identity) => identity.tokens.register(name));
}

// The shop's access token anew, where one that was kept is refused.
export function renewToken(): Promise<Failure | null> {
  return attempt((identity) => identity.tokens.keep());
}

// The same with all that the identity service knows by now: an address may have been confirmed elsewhere.
export function refreshToken(): Promise<Failure | null> {
  return attempt(async (identity) => {
    await identity.refreshUser();
    await identity.tokens.keep();
  });
}

export function sendVerification(): Promise<Failure | null> {
  return attempt((identity) => identity.sendVerification());
}

export function sendReset(email: string): Promise<Failure | null> {
  return attempt((identity) => identity.sendReset(email));
}

// What a letter's code is for, or what is wrong with it. Looking does not use it up.
export async function readCode(mode: Mode, code: string): Promise<Purpose | Failure> {
  const found: Purpose[] = [];
  const failed = await attempt(async (identity) => {
    found.push(await identity.readCode(mode, code));
  });
  return failed ?? (found[0] as Purpose);
}

// Looks first: the letter's link acts without a click, which no other code may.
export function confirmAddress(code: string): Promise<Failure | null> {
  return attempt(async (identity) => {
    try {
      await identity.readCode("verifyEmail", code);
      await identity.applyCode(code);
    } finally {
      // If it was used before, it may be confirmed since.
      await identity.refreshUser();
    }
  });
}

// A new address or password ends the account's sessions, and so the one here.

export function applyCode(code: string): Promise<Failure | null> {
  return attempt(async (identity) => {
    await identity.applyCode(code);
    await identity.refreshUser();
  });
}

export function resetPassword(code: string, password: string): Promise<Failure | null> {
  return attempt(async (identity) => {
    await identity.resetPassword(code, password);
    await identity.refreshUser();
  });
}

export function signInWithLink(email: string, link: string): Promise<Refusal | null> {
  return change(async (identity) => {
    await identity.signInWithLink(email, link);
    await identity.tokens.keep();
  });
}

// For lib/profile.ts too, which has what somebody changes about their own account.
export async function attempt(
  work: (identity: Identity) => Promise<void>,
): Promise<Refusal | null> {
  const identity = await open?.().catch(() => null);
  if (!identity) return UNREACHABLE;
  try {
    await work(identity);
    return null;
  } catch (error) {
    const failed = identity.explain(error);
    const challenge = identity.challenge(error);
    return challenge === null ? failed : { ...failed, second: secondStep(challenge) };
  }
}

function secondStep({ factors, sendCode, answer }: Challenge): SecondStep {
  return {
    factors,
    sendCode: (factor) => attempt(() => sendCode(factor)),
    finish: (factor, code) =>
      change(async (identity) => {
        await answer(factor, code);
        await identity.tokens.keep();
      }),
  };
}

export async function change(work: (identity: Identity) => Promise<void>): Promise<Refusal | null> {
  changes += 1;
  show({ ...account, loading: true });
  try {
    return await attempt(work);
  } finally {
    changes -= 1;
    show({ ...account, loading: changes > 0 });
  }
}

function onUser(identity: Identity, user: User | null): void {
  const before = account.user;
  hold("signedIn", user && "yes");
  show({ user, loading: changes > 0 });
  // What is changed here looks after its own token; this is a session restored, or one that
  // began or ended in another tab or by the service's word.
  if (changes > 0) return;
  if (user === null) identity.tokens.drop();
  else if (user.uid !== before?.uid) void identity.tokens.keep();
}

function show(next: Account): void {
  account = next;
  for (const listener of listeners) listener();
}

function afterFirstPaint(begin: () => void): void {
  // Safari has no idle callbacks.
  const idle = "requestIdleCallback" in globalThis;
  const whenIdle = () =>
    idle ? requestIdleCallback(begin, { timeout: 2_000 }) : setTimeout(begin, 200);
  if (document.readyState === "complete") whenIdle();
  else addEventListener("load", whenIdle, { once: true });
}

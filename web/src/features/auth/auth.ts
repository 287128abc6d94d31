// Auth state: who is signed in. Server-rendered pages are the same for everyone, so the server
// snapshot is "unknown". The identity SDK is large, so it is loaded after the first paint where
// somebody is signed in, or when a form needs it.
import * as m from "messages/auth";
import type { IdentitySettings, Provider } from "../../lib/api.gen";
import { createStore, useSelected, useStore } from "../../lib/store";
import type { ActionCodeInfo, Mode } from "./action-link";
import type { Failure } from "./auth-errors";
import type { Challenge, Factor } from "./challenge";
import type { Identity, User } from "./identity";
import { openProviderPopup } from "./provider-popup";
import { onAuthItemAdded, readAuthItem, writeAuthItem } from "./token-storage";

export type AuthState = {
  // Until the state is known, and while it pendingChanges.
  loading: boolean;
  user: User | null;
};

// The first factor was right, and the account requires a second.
export type SecondStep = {
  factors: Factor[];
  sendCode: (factor: Factor) => Promise<Failure | null>;
  finish: (factor: Factor, code: string) => Promise<Failure | null>;
};

export type AuthFailure = Failure & { second?: SecondStep };

type OnUser = (user: User | null) => void;
type Load = () => Promise<{
  createIdentity: (settings: IdentitySettings, onUser: OnUser) => Identity;
}>;

const UNKNOWN: AuthState = { loading: true, user: null };
const SIGNED_OUT: AuthState = { loading: false, user: null };
const store = createStore(UNKNOWN);
let pendingChanges = 0;
let open: (() => Promise<Identity>) | null = null;

export const { get: currentAuth, subscribe } = store;

export function useAuth(): AuthState {
  return useStore(store);
}

// For what looks the same while the state is unknown and when nobody is signed in.
export function useUser(): User | null {
  return useSelected(store, ({ user }) => user);
}

export function startAuth(
  settings: IdentitySettings,
  load: Load,
  when: (begin: () => void) => void = afterFirstPaint,
): void {
  let opening: Promise<Identity> | null = null;
  open = () => {
    opening ??= load().then(({ createIdentity }) => {
      const identity = createIdentity(settings, (user) => onUser(identity, user));
      return identity;
    });
    // A chunk that failed to load is requested again.
    opening.catch(() => {
      opening = null;
    });
    return opening;
  };
  if (readAuthItem("signedIn") === null) {
    store.set(SIGNED_OUT);
    onAuthItemAdded("signedIn", loadIdentity);
  } else {
    when(loadIdentity);
  }
}

// Called on pages where somebody is about to sign in.
export function loadIdentity(): void {
  void open?.().catch(() => store.set(SIGNED_OUT));
}

// Each function resolves to an error or null. An error of a sign-in holds the second step where one
// is required.

export function signUp(email: string, password: string): Promise<Failure | null> {
  return changeAccount((identity) => identity.signUp(email, password));
}

export function signIn(email: string, password: string): Promise<AuthFailure | null> {
  return changeAccount(async (identity) => {
    await identity.signIn(email, password);
    await identity.tokens.refresh();
  });
}

export function socialSignIn(provider: Provider): Promise<AuthFailure | null> {
  const popupCode = openProviderPopup(provider);
  // The popup may fail while the SDK is loading.
  popupCode.catch(() => {});
  return changeAccount(async (identity) => {
    await identity.signInWith(provider, await popupCode);
    // It may be the first sign-in.
    await identity.tokens.register();
  });
}

export function signOut(): Promise<Failure | null> {
  return changeAccount(async (identity) => {
    await identity.signOut();
    identity.tokens.clear();
  });
}

export function updateName(name: string): Promise<Failure | null> {
  return runWithIdentity((identity) => identity.updateName(name));
}

// Registers the new customer at the shop, and fetches the access token.
export function saveCustomer(name: string): Promise<Failure | null> {
  return runWithIdentity((identity) => identity.tokens.register(name));
}

// Replaces an access token that was refused.
export function refreshAccessToken(): Promise<Failure | null> {
  return runWithIdentity((identity) => identity.tokens.refresh());
}

// The same, and reloads the user first: the address may have been verified elsewhere.
export function refreshUserAndToken(): Promise<Failure | null> {
  return runWithIdentity(async (identity) => {
    await identity.refreshUser();
    await identity.tokens.refresh();
  });
}

export function sendVerification(): Promise<Failure | null> {
  return runWithIdentity((identity) => identity.sendVerification());
}

export function sendReset(email: string): Promise<Failure | null> {
  return runWithIdentity((identity) => identity.sendReset(email));
}

// Checks an action code without using it up.
export async function readCode(mode: Mode, code: string): Promise<ActionCodeInfo | Failure> {
  const found: ActionCodeInfo[] = [];
  const failed = await runWithIdentity(async (identity) => {
    found.push(await identity.readCode(mode, code));
  });
  return failed ?? (found[0] as ActionCodeInfo);
}

// Checks the code first: this link acts without a click, which no other kind of code may.
export function verifyEmail(code: string): Promise<Failure | null> {
  return runWithIdentity(async (identity) => {
    try {
      await identity.readCode("verifyEmail", code);
      await identity.applyCode(code);
    } finally {
      // If the code was used before, the address may be verified since.
      await identity.refreshUser();
    }
  });
}

// A new address or password ends all sessions of the account, including this one.

export function applyCode(code: string): Promise<Failure | null> {
  return runWithIdentity(async (identity) => {
    await identity.applyCode(code);
    await identity.refreshUser();
  });
}

export function resetPassword(code: string, password: string): Promise<Failure | null> {
  return runWithIdentity(async (identity) => {
    await identity.resetPassword(code, password);
    await identity.refreshUser();
  });
}

export function signInWithLink(email: string, link: string): Promise<AuthFailure | null> {
  return changeAccount(async (identity) => {
    await identity.signInWithLink(email, link);
    await identity.tokens.refresh();
  });
}

// Also used by features/account/profile-api.ts.
export async function runWithIdentity(
  work: (identity: Identity) => Promise<void>,
): Promise<AuthFailure | null> {
  const identity = await open?.().catch(() => null);
  if (!identity) return unreachable();
  try {
    await work(identity);
    return null;
  } catch (error) {
    const failed = identity.explain(error);
    const challenge = identity.challenge(error);
    return challenge === null ? failed : { ...failed, second: secondStep(challenge) };
  }
}

function unreachable(): Failure {
  return { code: "auth/network-request-failed", message: m.unreachable(), field: null };
}

function secondStep({ factors, sendCode, answer }: Challenge): SecondStep {
  return {
    factors,
    sendCode: (factor) => runWithIdentity(() => sendCode(factor)),
    finish: (factor, code) =>
      changeAccount(async (identity) => {
        await answer(factor, code);
        await identity.tokens.refresh();
      }),
  };
}

export async function changeAccount(
  work: (identity: Identity) => Promise<void>,
): Promise<AuthFailure | null> {
  pendingChanges += 1;
  store.set({ ...store.get(), loading: true });
  try {
    return await runWithIdentity(work);
  } finally {
    pendingChanges -= 1;
    store.set({ ...store.get(), loading: pendingChanges > 0 });
  }
}

function onUser(identity: Identity, user: User | null): void {
  const before = store.get().user;
  writeAuthItem("signedIn", user && "yes");
  store.set({ user, loading: pendingChanges > 0 });
  // Changes made here handle their own token; this is a restored session, or one that began or
  // ended in another tab or at the service.
  if (pendingChanges > 0) return;
  if (user === null) identity.tokens.clear();
  else if (user.uid !== before?.uid) void identity.tokens.refresh();
}

function afterFirstPaint(begin: () => void): void {
  // Safari has no requestIdleCallback.
  const idle = "requestIdleCallback" in globalThis;
  const whenIdle = () =>
    idle ? requestIdleCallback(begin, { timeout: 2_000 }) : setTimeout(begin, 200);
  if (document.readyState === "complete") whenIdle();
  else addEventListener("load", whenIdle, { once: true });
}

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { IdentitySettings } from "../../lib/api.gen";
import type { AuthState } from "./auth";
import { explain } from "./auth-errors";
import type { Challenge, Factor } from "./challenge";
import type { Identity, User } from "./identity";
import type { ProfileApi } from "./identity-profile";

const settings: IdentitySettings = {
  apiKey: "k",
  projectId: "p",
  authDomain: "shop.example",
  hosted: false,
  providers: [],
  serviceUrl: null,
};
const nila: User = {
  uid: "1",
  email: "nila@example.com",
  emailVerified: false,
  displayName: null,
  photoURL: null,
  signInMethods: ["password"],
  factors: [],
};

const MORE = "auth/multi-factor-auth-required";
// The default of one second is too short for a busy machine.
const patience = { timeout: 30_000 };
const phone: Factor = { id: "f", name: null, phone: "+*******0100" };

// A fake of the SDK: records every call, and answers as the test wants.
function imitation() {
  const calls: string[] = [];
  const refuse = new Map<string, string>();
  const called = (name: string, then?: () => void) => async () => {
    calls.push(name);
    const code = refuse.get(name);
    if (code !== undefined) throw { code };
    then?.();
  };
  let say: (user: User | null) => void = () => {};
  const challenge: Challenge = {
    factors: [phone],
    sendCode: called("sendCode"),
    answer: called("answer", () => say(nila)),
  };
  const identity: Identity = {
    tokens: {
      refresh: called("refresh"),
      register: called("register"),
      clear: () => calls.push("clear"),
    },
    signUp: called("signUp", () => say(nila)),
    signIn: called("signIn", () => say(nila)),
    signInWith: called("signInWith", () => say(nila)),
    signOut: called("signOut", () => say(null)),
    updateName: called("updateName", () => say({ ...nila, displayName: "Nila" })),
    sendVerification: called("sendVerification"),
    sendReset: called("sendReset"),
    readCode: async () => {
      await called("readCode")();
      return { email: "nila@example.com", previousEmail: null };
    },
    applyCode: called("applyCode"),
    resetPassword: called("resetPassword"),
    signInWithLink: called("signInWithLink", () => say(nila)),
    profile: {} as ProfileApi,
    refreshUser: called("refreshUser"),
    challenge: (error) => (explain(error).code === MORE ? challenge : null),
    explain,
  };
  const load = async () => ({
    createIdentity: (_: IdentitySettings, onUser: typeof say) => {
      calls.push("open");
      say = onUser;
      return identity;
    },
  });
  return { calls, refuse, load, say: (user: User | null) => say(user) };
}

let auth: typeof import("./auth");
let history: AuthState[];
const now = (begin: () => void) => begin();
const later = () => {};

beforeEach(async () => {
  vi.resetModules();
  auth = await import("./auth");
  history = [];
  auth.subscribe(() => history.push(auth.currentAuth()));
});

afterEach(() => vi.unstubAllGlobals());

async function started(sdk: ReturnType<typeof imitation>, user: User | null) {
  auth.startAuth(settings, sdk.load, now);
  await vi.waitFor(() => expect(sdk.calls).toContain("open"), patience);
  sdk.say(user);
  sdk.calls.length = 0;
  history.length = 0;
}

test("the state is unknown until the SDK reports a user or none", async () => {
  const sdk = imitation();
  expect(auth.currentAuth()).toEqual({ loading: true, user: null });
  auth.startAuth(settings, sdk.load, now);
  await vi.waitFor(() => expect(sdk.calls).toEqual(["open"]), patience);
  expect(auth.currentAuth()).toEqual({ loading: true, user: null });
  sdk.say(null);
  expect(auth.currentAuth()).toEqual({ loading: false, user: null });
});

test("a restored session gets a fresh access token", async () => {
  const sdk = imitation();
  auth.startAuth(settings, sdk.load, now);
  await vi.waitFor(() => expect(sdk.calls).toEqual(["open"]), patience);
  sdk.say(nila);
  expect(auth.currentAuth()).toEqual({ loading: false, user: nila });
  expect(sdk.calls).toEqual(["open", "refresh"]);
});

test("signing in is loading until the access token is there", async () => {
  const sdk = imitation();
  await started(sdk, null);
  expect(await auth.signIn("nila@example.com", "Market#1")).toBeNull();
  expect(sdk.calls).toEqual(["signIn", "refresh"]);
  expect(history).toEqual([
    { loading: true, user: null },
    { loading: true, user: nila },
    { loading: false, user: nila },
  ]);
});

test("a refused sign-in returns the error and changes nothing", async () => {
  const sdk = imitation();
  await started(sdk, null);
  sdk.refuse.set("signIn", "auth/invalid-credential");
  const failed = await auth.signIn("nila@example.com", "Wrong#1");
  expect(failed).toMatchObject({ code: "auth/invalid-credential", field: "password" });
  expect(history).toEqual([
    { loading: true, user: null },
    { loading: false, user: null },
  ]);
});

test("a new account has an access token only after it is registered at the shop", async () => {
  const sdk = imitation();
  await started(sdk, null);
  expect(await auth.signUp("nila@example.com", "Market#1")).toBeNull();
  expect(await auth.updateName("Nila")).toBeNull();
  expect(await auth.saveCustomer("Nila")).toBeNull();
  expect(await auth.sendVerification()).toBeNull();
  expect(sdk.calls).toEqual(["signUp", "updateName", "register", "sendVerification"]);
  expect(auth.currentAuth()).toEqual({
    loading: false,
    user: { ...nila, displayName: "Nila" },
  });
});

test("a social account is registered at the shop with its first sign-in", async () => {
  const sdk = imitation();
  vi.doMock("./provider-popup", () => ({ openProviderPopup: async () => "once" }));
  vi.resetModules();
  auth = await import("./auth");
  await started(sdk, null);
  expect(await auth.socialSignIn("google.com")).toBeNull();
  expect(sdk.calls).toEqual(["signInWith", "register"]);
  expect(auth.currentAuth()).toEqual({ loading: false, user: nila });
  vi.doUnmock("./provider-popup");
});

test("an e-mail link signs in like a password", async () => {
  const sdk = imitation();
  await started(sdk, null);
  expect(await auth.signInWithLink("nila@example.com", "https://shop.example/x")).toBeNull();
  expect(sdk.calls).toEqual(["signInWithLink", "refresh"]);
  expect(auth.currentAuth()).toEqual({ loading: false, user: nila });
});

test("a second step is returned, and finishes like the first", async () => {
  const sdk = imitation();
  await started(sdk, null);
  sdk.refuse.set("signIn", MORE);
  const second = (await auth.signIn("nila@example.com", "Market#1"))?.second;
  expect(second?.factors).toEqual([phone]);
  expect(auth.currentAuth()).toEqual({ loading: false, user: null });

  sdk.calls.length = 0;
  history.length = 0;
  expect(await second?.sendCode(phone)).toBeNull();
  expect(history).toEqual([]);
  sdk.refuse.set("answer", "auth/invalid-verification-code");
  expect(await second?.finish(phone, "000000")).toMatchObject({ field: "code" });
  expect(auth.currentAuth()).toEqual({ loading: false, user: null });
  sdk.refuse.delete("answer");
  expect(await second?.finish(phone, "123456")).toBeNull();
  expect(sdk.calls).toEqual(["sendCode", "answer", "answer", "refresh"]);
  expect(auth.currentAuth()).toEqual({ loading: false, user: nila });
});

test("links and providers can require a second step too, and other errors do not", async () => {
  const sdk = imitation();
  vi.doMock("./provider-popup", () => ({ openProviderPopup: async () => "once" }));
  vi.resetModules();
  auth = await import("./auth");
  await started(sdk, null);
  for (const call of ["signInWith", "signInWithLink"]) sdk.refuse.set(call, MORE);
  expect(await auth.socialSignIn("google.com")).toHaveProperty("second");
  expect(await auth.signInWithLink("a@example.com", "link")).toHaveProperty("second");
  sdk.refuse.set("signInWithLink", "auth/invalid-action-code");
  expect(await auth.signInWithLink("a@example.com", "link")).not.toHaveProperty("second");
  vi.doUnmock("./provider-popup");
});

test("a code that cannot be sent returns the error", async () => {
  const sdk = imitation();
  await started(sdk, null);
  sdk.refuse.set("signIn", MORE);
  sdk.refuse.set("sendCode", "auth/too-many-requests");
  const second = (await auth.signIn("nila@example.com", "Market#1"))?.second;
  expect(await second?.sendCode(phone)).toMatchObject({ code: "auth/too-many-requests" });
});

test("an action code is checked without being used up", async () => {
  const sdk = imitation();
  await started(sdk, null);
  expect(await auth.readCode("resetPassword", "c")).toMatchObject({ email: "nila@example.com" });
  expect(sdk.calls).toEqual(["readCode"]);
  sdk.refuse.set("readCode", "auth/expired-action-code");
  expect(await auth.readCode("resetPassword", "c")).toMatchObject({
    code: "auth/expired-action-code",
  });
});

test("an address is verified only by a code for that, and the user is refreshed", async () => {
  const sdk = imitation();
  await started(sdk, nila);
  expect(await auth.verifyEmail("c")).toBeNull();
  expect(sdk.calls).toEqual(["readCode", "applyCode", "refreshUser"]);
  sdk.calls.length = 0;
  sdk.refuse.set("readCode", "auth/invalid-action-code");
  expect(await auth.verifyEmail("c")).toMatchObject({ code: "auth/invalid-action-code" });
  expect(sdk.calls).toEqual(["readCode", "refreshUser"]);
});

test("a code that ends sessions signs out here", async () => {
  const sdk = imitation();
  await started(sdk, nila);
  expect(await auth.applyCode("c")).toBeNull();
  expect(await auth.resetPassword("c", "Market#2")).toBeNull();
  expect(sdk.calls).toEqual(["applyCode", "refreshUser", "resetPassword", "refreshUser"]);
});

test("signing out clears the access token", async () => {
  const sdk = imitation();
  await started(sdk, nila);
  expect(await auth.signOut()).toBeNull();
  expect(sdk.calls).toEqual(["signOut", "clear"]);
  expect(auth.currentAuth()).toEqual({ loading: false, user: null });
});

test("a session that ends elsewhere ends here", async () => {
  const sdk = imitation();
  await started(sdk, nila);
  sdk.say(null);
  expect(sdk.calls).toEqual(["clear"]);
  sdk.say(nila);
  expect(sdk.calls).toEqual(["clear", "refresh"]);
});

test("a form loads the SDK if it is not loaded, and only once", async () => {
  const sdk = imitation();
  auth.startAuth(settings, sdk.load, later);
  await Promise.all([auth.sendReset("a@example.com"), auth.sendReset("b@example.com")]);
  expect(sdk.calls).toEqual(["open", "sendReset", "sendReset"]);
});

test("a failed load of the SDK is reported and retried", async () => {
  const sdk = imitation();
  let offline = true;
  const load = () => (offline ? Promise.reject(new Error("offline")) : sdk.load());
  auth.startAuth(settings, load, now);
  await vi.waitFor(() => expect(auth.currentAuth().loading).toBe(false), patience);
  expect(await auth.signIn("a@example.com", "Market#1")).toMatchObject({
    code: "auth/network-request-failed",
  });
  expect(auth.currentAuth()).toEqual({ loading: false, user: null });
  offline = false;
  expect(await auth.signIn("a@example.com", "Market#1")).toBeNull();
});

test("without a signed-in user the SDK is loaded only for another tab's sign-in or a form", async () => {
  const storage = new Map<string, string>();
  let onStorage: (event: Partial<StorageEvent>) => void = () => {};
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  });
  vi.stubGlobal("addEventListener", (_: string, listener: typeof onStorage) => {
    onStorage = listener;
  });
  const sdk = imitation();
  auth.startAuth(settings, sdk.load, now);
  expect(auth.currentAuth()).toEqual({ loading: false, user: null });
  onStorage({ key: "cart", newValue: "1" });
  onStorage({ key: "signedIn", newValue: null });
  expect(sdk.calls).toEqual([]);
  onStorage({ key: "signedIn", newValue: "yes" });
  await vi.waitFor(() => expect(sdk.calls).toEqual(["open"]), patience);
  sdk.say(nila);
  expect(auth.currentAuth()).toEqual({ loading: false, user: nila });
  expect(storage.get("signedIn")).toBe("yes");
  sdk.say(null);
  expect(storage.has("signedIn")).toBe(false);
});

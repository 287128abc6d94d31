import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { IdentitySettings } from "./api.gen";
import type { Account } from "./auth";
import { explain } from "./auth-errors";
import type { Challenge, Factor } from "./challenge";
import type { Identity, User } from "./identity";
import type { ProfileCalls } from "./identity-profile";

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
  ways: ["password"],
  factors: [],
};

const MORE = "auth/multi-factor-auth-required";
const phone: Factor = { id: "f", name: null, phone: "+*******0100" };

// The SDK as the shop knows it: every call is written down, and says what the test wants.
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
    tokens: { keep: called("keep"), register: called("register"), drop: () => calls.push("drop") },
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
    profile: {} as ProfileCalls,
    refreshUser: called("refreshUser"),
    challenge: (error) => (explain(error).code === MORE ? challenge : null),
    explain,
  };
  const load = async () => ({
    openIdentity: (_: IdentitySettings, onUser: typeof say) => {
      calls.push("open");
      say = onUser;
      return identity;
    },
  });
  return { calls, refuse, load, say: (user: User | null) => say(user) };
}

let auth: typeof import("./auth");
let history: Account[];
const now = (begin: () => void) => begin();
const later = () => {};

beforeEach(async () => {
  vi.resetModules();
  auth = await import("./auth");
  history = [];
  auth.subscribe(() => history.push(auth.currentAccount()));
});

afterEach(() => vi.unstubAllGlobals());

async function started(sdk: ReturnType<typeof imitation>, user: User | null) {
  auth.startAuth(settings, sdk.load, now);
  await vi.waitFor(() => expect(sdk.calls).toContain("open"));
  sdk.say(user);
  sdk.calls.length = 0;
  history.length = 0;
}

test("nobody is known until the first word, and then somebody or nobody is", async () => {
  const sdk = imitation();
  expect(auth.currentAccount()).toEqual({ loading: true, user: null });
  auth.startAuth(settings, sdk.load, now);
  await vi.waitFor(() => expect(sdk.calls).toEqual(["open"]));
  expect(auth.currentAccount()).toEqual({ loading: true, user: null });
  sdk.say(null);
  expect(auth.currentAccount()).toEqual({ loading: false, user: null });
});

test("a restored session gets a fresh access token", async () => {
  const sdk = imitation();
  auth.startAuth(settings, sdk.load, now);
  await vi.waitFor(() => expect(sdk.calls).toEqual(["open"]));
  sdk.say(nila);
  expect(auth.currentAccount()).toEqual({ loading: false, user: nila });
  expect(sdk.calls).toEqual(["open", "keep"]);
});

test("signing in is loading until the access token is there", async () => {
  const sdk = imitation();
  await started(sdk, null);
  expect(await auth.signIn("nila@example.com", "Market#1")).toBeNull();
  expect(sdk.calls).toEqual(["signIn", "keep"]);
  expect(history).toEqual([
    { loading: true, user: null },
    { loading: true, user: nila },
    { loading: false, user: nila },
  ]);
});

test("a refused sign-in says why and leaves things as they were", async () => {
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

test("an account is made before the shop knows it, and only then has an access token", async () => {
  const sdk = imitation();
  await started(sdk, null);
  expect(await auth.signUp("nila@example.com", "Market#1")).toBeNull();
  expect(await auth.updateName("Nila")).toBeNull();
  expect(await auth.saveCustomer("Nila")).toBeNull();
  expect(await auth.sendVerification()).toBeNull();
  expect(sdk.calls).toEqual(["signUp", "updateName", "register", "sendVerification"]);
  expect(auth.currentAccount()).toEqual({
    loading: false,
    user: { ...nila, displayName: "Nila" },
  });
});

test("a social account is made known to the shop with its first sign-in", async () => {
  const sdk = imitation();
  vi.doMock("./popup", () => ({ askProvider: async () => "once" }));
  vi.resetModules();
  auth = await import("./auth");
  await started(sdk, null);
  expect(await auth.socialSignIn("google.com")).toBeNull();
  expect(sdk.calls).toEqual(["signInWith", "register"]);
  expect(auth.currentAccount()).toEqual({ loading: false, user: nila });
  vi.doUnmock("./popup");
});

test("a link from a letter signs in like a password", async () => {
  const sdk = imitation();
  await started(sdk, null);
  expect(await auth.signInWithLink("nila@example.com", "https://shop.example/x")).toBeNull();
  expect(sdk.calls).toEqual(["signInWithLink", "keep"]);
  expect(auth.currentAccount()).toEqual({ loading: false, user: nila });
});

test("a second step is brought along, and ends like the first", async () => {
  const sdk = imitation();
  await started(sdk, null);
  sdk.refuse.set("signIn", MORE);
  const second = (await auth.signIn("nila@example.com", "Market#1"))?.second;
  expect(second?.factors).toEqual([phone]);
  expect(auth.currentAccount()).toEqual({ loading: false, user: null });

  sdk.calls.length = 0;
  history.length = 0;
  expect(await second?.sendCode(phone)).toBeNull();
  expect(history).toEqual([]);
  sdk.refuse.set("answer", "auth/invalid-verification-code");
  expect(await second?.finish(phone, "000000")).toMatchObject({ field: "code" });
  expect(auth.currentAccount()).toEqual({ loading: false, user: null });
  sdk.refuse.delete("answer");
  expect(await second?.finish(phone, "123456")).toBeNull();
  expect(sdk.calls).toEqual(["sendCode", "answer", "answer", "keep"]);
  expect(auth.currentAccount()).toEqual({ loading: false, user: nila });
});

test("a link and a provider may want a second step too, and other refusals do not", async () => {
  const sdk = imitation();
  vi.doMock("./popup", () => ({ askProvider: async () => "once" }));
  vi.resetModules();
  auth = await import("./auth");
  await started(sdk, null);
  for (const call of ["signInWith", "signInWithLink"]) sdk.refuse.set(call, MORE);
  expect(await auth.socialSignIn("google.com")).toHaveProperty("second");
  expect(await auth.signInWithLink("a@example.com", "link")).toHaveProperty("second");
  sdk.refuse.set("signInWithLink", "auth/invalid-action-code");
  expect(await auth.signInWithLink("a@example.com", "link")).not.toHaveProperty("second");
  vi.doUnmock("./popup");
});

test("a code that cannot be sent says why", async () => {
  const sdk = imitation();
  await started(sdk, null);
  sdk.refuse.set("signIn", MORE);
  sdk.refuse.set("sendCode", "auth/too-many-requests");
  const second = (await auth.signIn("nila@example.com", "Market#1"))?.second;
  expect(await second?.sendCode(phone)).toMatchObject({ code: "auth/too-many-requests" });
});

test("a letter's code is looked at without being used", async () => {
  const sdk = imitation();
  await started(sdk, null);
  expect(await auth.readCode("resetPassword", "c")).toMatchObject({ email: "nila@example.com" });
  expect(sdk.calls).toEqual(["readCode"]);
  sdk.refuse.set("readCode", "auth/expired-action-code");
  expect(await auth.readCode("resetPassword", "c")).toMatchObject({
    code: "auth/expired-action-code",
  });
});

test("an address is confirmed by a code for that alone, and the user knows it", async () => {
  const sdk = imitation();
  await started(sdk, nila);
  expect(await auth.confirmAddress("c")).toBeNull();
  expect(sdk.calls).toEqual(["readCode", "applyCode", "refreshUser"]);
  sdk.calls.length = 0;
  sdk.refuse.set("readCode", "auth/invalid-action-code");
  expect(await auth.confirmAddress("c")).toMatchObject({ code: "auth/invalid-action-code" });
  expect(sdk.calls).toEqual(["readCode", "refreshUser"]);
});

test("whom a letter's code signs out is signed out here", async () => {
  const sdk = imitation();
  await started(sdk, nila);
  expect(await auth.applyCode("c")).toBeNull();
  expect(await auth.resetPassword("c", "Market#2")).toBeNull();
  expect(sdk.calls).toEqual(["applyCode", "refreshUser", "resetPassword", "refreshUser"]);
});

test("leaving drops the access token", async () => {
  const sdk = imitation();
  await started(sdk, nila);
  expect(await auth.signOut()).toBeNull();
  expect(sdk.calls).toEqual(["signOut", "drop"]);
  expect(auth.currentAccount()).toEqual({ loading: false, user: null });
});

test("a session that ends elsewhere ends here", async () => {
  const sdk = imitation();
  await started(sdk, nila);
  sdk.say(null);
  expect(sdk.calls).toEqual(["drop"]);
  sdk.say(nila);
  expect(sdk.calls).toEqual(["drop", "keep"]);
});

test("a form brings the SDK when it has not come by itself, and only once", async () => {
  const sdk = imitation();
  auth.startAuth(settings, sdk.load, later);
  await Promise.all([auth.sendReset("a@example.com"), auth.sendReset("b@example.com")]);
  expect(sdk.calls).toEqual(["open", "sendReset", "sendReset"]);
});

test("when the SDK does not come, that is told, and it is asked for again", async () => {
  const sdk = imitation();
  let offline = true;
  const load = () => (offline ? Promise.reject(new Error("offline")) : sdk.load());
  auth.startAuth(settings, load, now);
  await vi.waitFor(() => expect(auth.currentAccount().loading).toBe(false));
  expect(await auth.signIn("a@example.com", "Market#1")).toMatchObject({
    code: "auth/network-request-failed",
  });
  expect(auth.currentAccount()).toEqual({ loading: false, user: null });
  offline = false;
  expect(await auth.signIn("a@example.com", "Market#1")).toBeNull();
});

test("where nobody has signed in the SDK is not fetched, until another tab or a form wants it", async () => {
  const shelf = new Map<string, string>();
  let onStorage: (event: Partial<StorageEvent>) => void = () => {};
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => shelf.get(key) ?? null,
    setItem: (key: string, value: string) => void shelf.set(key, value),
    removeItem: (key: string) => void shelf.delete(key),
  });
  vi.stubGlobal("addEventListener", (_: string, listener: typeof onStorage) => {
    onStorage = listener;
  });
  const sdk = imitation();
  auth.startAuth(settings, sdk.load, now);
  expect(auth.currentAccount()).toEqual({ loading: false, user: null });
  onStorage({ key: "cart", newValue: "1" });
  onStorage({ key: "signedIn", newValue: null });
  expect(sdk.calls).toEqual([]);
  onStorage({ key: "signedIn", newValue: "yes" });
  await vi.waitFor(() => expect(sdk.calls).toEqual(["open"]));
  sdk.say(nila);
  expect(auth.currentAccount()).toEqual({ loading: false, user: nila });
  expect(shelf.get("signedIn")).toBe("yes");
  sdk.say(null);
  expect(shelf.has("signedIn")).toBe(false);
});

// With a fake of the SDK; the browser tests cover the real one.
import type { Auth } from "firebase/auth";
import { beforeEach, expect, test, vi } from "vitest";
import { challengeFromError } from "./challenge";

const sdk = vi.hoisted(() => ({ resolveSignIn: vi.fn(), verifyPhoneNumber: vi.fn() }));

vi.mock("firebase/auth", () => ({
  getMultiFactorResolver: (_: Auth, error: { hints?: object[] }) => {
    if (error.hints === undefined) throw new Error("argument-error");
    return { session: "session", hints: error.hints, resolveSignIn: sdk.resolveSignIn };
  },
  PhoneAuthProvider: class {
    static credential = (id: string, code: string) => `${id} ${code}`;
    verifyPhoneNumber = sdk.verifyPhoneNumber;
  },
  PhoneMultiFactorGenerator: { assertion: (credential: string) => `phone ${credential}` },
  TotpMultiFactorGenerator: {
    assertionForSignIn: (id: string, code: string) => `app ${id} ${code}`,
  },
}));

const auth = {} as Auth;
const hints = [
  { uid: "p", factorId: "phone", displayName: "Work", phoneNumber: "+*******0100" },
  { uid: "a", factorId: "totp", displayName: undefined },
];
const phone = { id: "p", name: "Work", phone: "+*******0100" };
const app = { id: "a", name: null, phone: null };

beforeEach(() => vi.resetAllMocks());

test("other errors are no challenge", () => {
  expect(challengeFromError(auth, { code: "auth/invalid-credential" })).toBeNull();
  expect(challengeFromError(auth, null)).toBeNull();
});

test("lists the account's factors", () => {
  expect(challengeFromError(auth, { hints })?.factors).toEqual([phone, app]);
});

test("sends an app's code unchanged", async () => {
  await challengeFromError(auth, { hints })?.answer(app, "123456");
  expect(sdk.resolveSignIn).toHaveBeenCalledWith("app a 123456");
});

test("answers with the newest phone code, without a captcha", async () => {
  const challenge = challengeFromError(auth, { hints });
  sdk.verifyPhoneNumber.mockResolvedValueOnce("first").mockResolvedValueOnce("second");
  await challenge?.sendCode(phone);
  await challenge?.sendCode(phone);
  await challenge?.answer(phone, "123456");
  expect(sdk.resolveSignIn).toHaveBeenCalledWith("phone second 123456");
  const [asked, verifier] = sdk.verifyPhoneNumber.mock.calls[0] ?? [];
  expect(asked).toEqual({ multiFactorUid: "p", session: "session" });
  expect(verifier.type).toBe("recaptcha");
  expect(await verifier.verify()).toBe("none");
  expect(verifier._reset()).toBeUndefined();
});

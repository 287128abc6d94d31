import { expect, test } from "vitest";
import { explain, failure } from "./auth-errors";

// SPEC.md section 8.
const CODES =
  "email-already-in-use wrong-password user-not-found too-many-requests expired-action-code invalid-action-code requires-recent-login user-disabled network-request-failed internal-error user-token-expired login-blocked popup-blocked popup-closed-by-user cancelled-popup-request unauthorized-domain user-mismatch invalid-api-key argument-error tenant-id-mismatch multi-factor-auth-required web-storage-unsupported account-exists-with-different-credential invalid-auth-event no-auth-event invalid-continue-uri".split(
    " ",
  );

test.each(CODES)("%s has a one-sentence message", (code) => {
  const { message } = failure(`auth/${code}`);
  expect(message).toMatch(/^[A-Z].+[.?]$/);
  expect(message).not.toMatch(/auth|firebase|[/_]|code/i);
});

// Errors of a second step. The word "code" is allowed here.
const SECOND =
  "invalid-verification-code code-expired missing-verification-code invalid-verification-id invalid-multi-factor-session multi-factor-info-not-found captcha-check-failed invalid-app-credential quota-exceeded second-factor-already-in-use maximum-second-factor-count-exceeded unsupported-first-factor unverified-email".split(
    " ",
  );

test.each(SECOND)("%s has a message", (code) => {
  const { message } = failure(`auth/${code}`);
  expect(message).toMatch(/^[A-Z].+\.$/);
  expect(message).not.toMatch(/auth|firebase|factor|[/_]/i);
});

test("no known code has the generic message", () => {
  for (const code of [...CODES, ...SECOND]) {
    if (code === "internal-error") continue;
    expect(failure(`auth/${code}`).message, code).not.toMatch(/^Something went wrong/);
  }
});

test("errors that end a second step say what to do next", () => {
  expect(failure("auth/code-expired").message).toContain("ask for a new one");
  expect(failure("auth/too-many-requests").message).toContain("wait a few minutes");
  for (const code of ["invalid-multi-factor-session", "multi-factor-info-not-found"]) {
    expect(failure(`auth/${code}`)).toMatchObject({
      field: null,
      message: expect.stringContaining("go back"),
    });
  }
});

test("a different credential says how to sign in", () => {
  expect(failure("auth/account-exists-with-different-credential").message).toContain(
    "sign in the way you did before",
  );
});

test("field errors name their field", () => {
  expect(failure("auth/email-already-in-use").field).toBe("email");
  expect(failure("auth/invalid-credential").field).toBe("password");
  expect(failure("auth/invalid-verification-code").field).toBe("code");
  expect(failure("auth/network-request-failed").field).toBeNull();
});

test("a wrong password and an unknown account have the same message", () => {
  const { message } = failure("auth/wrong-password");
  expect(failure("auth/user-not-found").message).toBe(message);
  expect(failure("auth/invalid-credential").message).toBe(message);
});

test("anything thrown has a message", () => {
  for (const thrown of [
    new Error("secret detail"),
    null,
    "text",
    { code: 7 },
    { code: "auth/new" },
  ]) {
    expect(explain(thrown)).toMatchObject({
      field: null,
      message: expect.stringMatching(/^Something went wrong/),
    });
  }
  expect(explain({ code: "auth/user-disabled" }).code).toBe("auth/user-disabled");
});

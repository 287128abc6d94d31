import { expect, test } from "vitest";
import { explain, failure } from "./auth-errors";

// SPEC.md section 8.
const CODES =
  "email-already-in-use wrong-password user-not-found too-many-requests expired-action-code invalid-action-code requires-recent-login user-disabled network-request-failed internal-error user-token-expired login-blocked popup-blocked popup-closed-by-user cancelled-popup-request unauthorized-domain user-mismatch invalid-api-key argument-error tenant-id-mismatch multi-factor-auth-required web-storage-unsupported account-exists-with-different-credential invalid-auth-event no-auth-event invalid-continue-uri".split(
    " ",
  );

test.each(CODES)("%s is one sentence for people", (code) => {
  const { message } = failure(`auth/${code}`);
  expect(message).toMatch(/^[A-Z].+[.?]$/);
  expect(message).not.toMatch(/auth|firebase|[/_]|code/i);
});

test("what belongs to a field says which", () => {
  expect(failure("auth/email-already-in-use").field).toBe("email");
  expect(failure("auth/invalid-credential").field).toBe("password");
  expect(failure("auth/network-request-failed").field).toBeNull();
});

test("a wrong password and a stranger read the same", () => {
  const { message } = failure("auth/wrong-password");
  expect(failure("auth/user-not-found").message).toBe(message);
  expect(failure("auth/invalid-credential").message).toBe(message);
});

test("whatever is thrown gets words", () => {
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

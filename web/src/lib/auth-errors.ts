// The identity service's codes in words for people: one calm sentence each, and the field that it
// belongs to. Nothing here tells whether an address has an account, unless the service did.

export type Failure = {
  code: string;
  message: string;
  field: "email" | "password" | null;
};

type Words = [message: string, field?: "email" | "password"];

const GENERAL: Words = ["Something went wrong on our side. Please try again in a moment."];
const NO_MATCH: Words = ["That email and password do not match.", "password"];
const OVER: Words = ["Your session is over. Please sign in again."];
const STALE_LINK: Words = ["This link was used before or is too old. Please ask for a new one."];
const NOT_ALLOWED: Words = ["This way of signing in is not set up in this shop yet."];
const BAD_EMAIL: Words = ["That does not look like an email address.", "email"];

const WORDS: Record<string, Words> = {
  "email-already-in-use": [
    "There is already an account with this email. Sign in instead?",
    "email",
  ],
  "invalid-email": BAD_EMAIL,
  "missing-email": BAD_EMAIL,
  "invalid-credential": NO_MATCH,
  "invalid-login-credentials": NO_MATCH,
  "wrong-password": NO_MATCH,
  "user-not-found": NO_MATCH,
  "user-mismatch": ["That is another account than the one that is signed in.", "email"],
  "missing-password": ["Password is required", "password"],
  "weak-password": ["This password is too easy to guess.", "password"],
  "password-does-not-meet-requirements": [
    "Password must have uppercase, number and special characters",
    "password",
  ],
  "user-disabled": ["This account is closed. Write to us if you think that is a mistake.", "email"],
  "login-blocked": ["This sign-in was refused. Write to us if you think that is a mistake."],
  "too-many-requests": ["Too many attempts. Please wait a few minutes and try again."],
  "network-request-failed": ["The shop could not be reached. Check your connection and try again."],
  timeout: ["The shop took too long to answer. Please try again."],
  "requires-recent-login": ["For this, please sign in once more."],
  "user-token-expired": OVER,
  "invalid-user-token": OVER,
  "user-signed-out": OVER,
  "popup-blocked": ["Your browser kept the sign-in window closed. Please allow it and try again."],
  "popup-closed-by-user": ["The sign-in window was closed before it was done."],
  "user-cancelled": ["The sign-in was cancelled."],
  "account-exists-with-different-credential": [
    "There is already an account with this email. Sign in with the password first.",
    "email",
  ],
  "credential-already-in-use": ["That sign-in already belongs to another account."],
  "multi-factor-auth-required": ["This account asks for a second step, which this page cannot do."],
  "expired-action-code": STALE_LINK,
  "invalid-action-code": STALE_LINK,
  "operation-not-allowed": NOT_ALLOWED,
  "admin-restricted-operation": NOT_ALLOWED,
  "unauthorized-domain": NOT_ALLOWED,
  "web-storage-unsupported": [
    "Your browser keeps nothing for this shop, so you cannot stay signed in.",
  ],
};

export function failure(code: string): Failure {
  const [message, field = null] = WORDS[code.replace(/^auth\//, "")] ?? GENERAL;
  return { code, message, field };
}

// Whatever was thrown. The SDK's errors, and our own, carry a code.
export function explain(error: unknown): Failure {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  return failure(typeof code === "string" ? code : "auth/internal-error");
}

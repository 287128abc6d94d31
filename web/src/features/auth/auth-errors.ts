// Messages for the identity service's error codes, and the form field each belongs to. No message
// reveals whether an address has an account, unless the service did.

export type Failure = {
  code: string;
  message: string;
  field: AuthField | null;
};

type AuthField = "email" | "password" | "current" | "code";
type ErrorMessage = [message: string, field?: AuthField];

const UNKNOWN_ERROR: ErrorMessage = [
  "Something went wrong on our side. Please try again in a moment.",
];
const NO_MATCH: ErrorMessage = ["That email and password do not match.", "password"];
const SESSION_ENDED: ErrorMessage = ["Your session is over. Please sign in again."];
const STALE_LINK: ErrorMessage = [
  "This link was used before or is too old. Please ask for a new one.",
];
const NOT_ALLOWED: ErrorMessage = ["This way of signing in is not set up in this shop yet."];
const NOT_SET_UP: ErrorMessage = [
  "Signing in does not work in this shop at the moment. Please write to us.",
];
const NO_ANSWER: ErrorMessage = ["The sign-in window gave no answer. Please try again."];
const NO_EMAIL_LINK: ErrorMessage = [
  "We could not make the link for that e-mail. Please write to us.",
];
const STALE_CODE: ErrorMessage = ["That code is too old. Please ask for a new one.", "code"];
const TOO_LATE: ErrorMessage = ["This sign-in took too long. Please go back and begin again."];
const FACTOR_REMOVED: ErrorMessage = [
  "The account has that second step no more. Please go back and begin again.",
];
// A hosted project requires a captcha for text messages, which this shop does not show.
const NO_CODE: ErrorMessage = ["We could not send a code. Please use another way, or write to us."];
const BAD_EMAIL: ErrorMessage = ["That does not look like an email address.", "email"];

const MESSAGES: Record<string, ErrorMessage> = {
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
  "weak-password": ["This password is too easy to guess. Please choose another.", "password"],
  "password-does-not-meet-requirements": [
    "Password must have 8 characters, with uppercase, number and special characters",
    "password",
  ],
  "user-disabled": ["This account is closed. Write to us if you think that is a mistake.", "email"],
  "login-blocked": ["This sign-in was refused. Write to us if you think that is a mistake."],
  "too-many-requests": ["Too many attempts. Please wait a few minutes and try again."],
  "network-request-failed": ["The shop could not be reached. Check your connection and try again."],
  timeout: ["The shop took too long to answer. Please try again."],
  "requires-recent-login": ["For this, please sign in once more."],
  "user-token-expired": SESSION_ENDED,
  "invalid-user-token": SESSION_ENDED,
  "user-signed-out": SESSION_ENDED,
  "popup-blocked": ["Your browser kept the sign-in window closed. Please allow it and try again."],
  "popup-closed-by-user": ["The sign-in window was closed before it was done."],
  "user-cancelled": ["The sign-in was cancelled."],
  "cancelled-popup-request": ["Another sign-in window took its place."],
  "provider-unreachable": ["The other service could not be reached. Please try again in a moment."],
  "invalid-auth-event": NO_ANSWER,
  "no-auth-event": NO_ANSWER,
  "account-exists-with-different-credential": [
    "There is already an account with this email. Please sign in the way you did before, with your password or another button.",
  ],
  "credential-already-in-use": ["That sign-in already belongs to another account."],
  "multi-factor-auth-required": ["This account asks for a second step."],
  "invalid-verification-code": ["That code is not right. Try the newest one.", "code"],
  "missing-verification-code": ["Please type the six digits.", "code"],
  "code-expired": STALE_CODE,
  "invalid-verification-id": STALE_CODE,
  "missing-verification-id": STALE_CODE,
  "invalid-multi-factor-session": TOO_LATE,
  "missing-multi-factor-session": TOO_LATE,
  "multi-factor-info-not-found": FACTOR_REMOVED,
  "missing-multi-factor-info": FACTOR_REMOVED,
  "captcha-check-failed": NO_CODE,
  "invalid-app-credential": NO_CODE,
  "quota-exceeded": ["We cannot send more messages at the moment. Please try again later."],
  "second-factor-already-in-use": ["The account has this second step already."],
  "maximum-second-factor-count-exceeded": [
    "The account has as many second steps as it can have. Take one away first.",
  ],
  "unsupported-first-factor": ["This kind of account cannot have a second step."],
  "unverified-email": ["Please confirm your address first: the link is in our e-mail.", "email"],
  "expired-action-code": STALE_LINK,
  "invalid-action-code": STALE_LINK,
  "operation-not-allowed": NOT_ALLOWED,
  "admin-restricted-operation": NOT_ALLOWED,
  "unauthorized-domain": NOT_ALLOWED,
  "invalid-api-key": NOT_SET_UP,
  "argument-error": NOT_SET_UP,
  "tenant-id-mismatch": NOT_SET_UP,
  "invalid-continue-uri": NO_EMAIL_LINK,
  "unauthorized-continue-uri": NO_EMAIL_LINK,
  "web-storage-unsupported": [
    "Your browser keeps nothing for this shop, so you cannot stay signed in.",
  ],
};

export function failure(code: string): Failure {
  const [message, field = null] = MESSAGES[code.replace(/^auth\//, "")] ?? UNKNOWN_ERROR;
  return { code, message, field };
}

// Anything thrown. The SDK's errors and ours have a code.
export function explain(error: unknown): Failure {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  return failure(typeof code === "string" ? code : "auth/internal-error");
}

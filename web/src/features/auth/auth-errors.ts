// Messages for the identity service's error codes, and the form field each belongs to. No message
// reveals whether an address has an account, unless the service did.
import * as m from "messages/auth";

export type Failure = {
  code: string;
  message: string;
  field: AuthField | null;
};

type AuthField = "email" | "password" | "current" | "code";
type ErrorMessage = [message: () => string, field?: AuthField];

const UNKNOWN_ERROR: ErrorMessage = [m.unknownError];
const NO_MATCH: ErrorMessage = [m.noMatch, "password"];
const SESSION_ENDED: ErrorMessage = [m.sessionEnded];
const STALE_LINK: ErrorMessage = [m.staleLink];
const NOT_ALLOWED: ErrorMessage = [m.wayNotAllowed];
const NOT_SET_UP: ErrorMessage = [m.notSetUp];
const NO_ANSWER: ErrorMessage = [m.noPopupAnswer];
const NO_EMAIL_LINK: ErrorMessage = [m.noEmailLink];
const STALE_CODE: ErrorMessage = [m.staleCode, "code"];
const TOO_LATE: ErrorMessage = [m.tooLate];
const FACTOR_REMOVED: ErrorMessage = [m.factorRemoved];
// A hosted project requires a captcha for text messages, which this shop does not show.
const NO_CODE: ErrorMessage = [m.noCode];
const BAD_EMAIL: ErrorMessage = [m.badEmail, "email"];

const MESSAGES: Record<string, ErrorMessage> = {
  "email-already-in-use": [m.emailInUse, "email"],
  "invalid-email": BAD_EMAIL,
  "missing-email": BAD_EMAIL,
  "invalid-credential": NO_MATCH,
  "invalid-login-credentials": NO_MATCH,
  "wrong-password": NO_MATCH,
  "user-not-found": NO_MATCH,
  "user-mismatch": [m.anotherAccount, "email"],
  "missing-password": [m.passwordRequired, "password"],
  "weak-password": [m.weakPassword, "password"],
  "password-does-not-meet-requirements": [m.passwordRequirements, "password"],
  "user-disabled": [m.accountClosed, "email"],
  "login-blocked": [m.signInRefused],
  "too-many-requests": [m.tooManyRequests],
  "network-request-failed": [m.unreachable],
  timeout: [m.timedOut],
  "requires-recent-login": [m.requiresRecentLogin],
  "user-token-expired": SESSION_ENDED,
  "invalid-user-token": SESSION_ENDED,
  "user-signed-out": SESSION_ENDED,
  "popup-blocked": [m.popupBlocked],
  "popup-closed-by-user": [m.popupClosed],
  "user-cancelled": [m.signInCancelled],
  "cancelled-popup-request": [m.popupReplaced],
  "provider-unreachable": [m.providerUnreachable],
  "invalid-auth-event": NO_ANSWER,
  "no-auth-event": NO_ANSWER,
  "account-exists-with-different-credential": [m.differentCredential],
  "credential-already-in-use": [m.credentialInUse],
  "multi-factor-auth-required": [m.secondStepRequired],
  "invalid-verification-code": [m.wrongCode, "code"],
  "missing-verification-code": [m.codeInvalid, "code"],
  "code-expired": STALE_CODE,
  "invalid-verification-id": STALE_CODE,
  "missing-verification-id": STALE_CODE,
  "invalid-multi-factor-session": TOO_LATE,
  "missing-multi-factor-session": TOO_LATE,
  "multi-factor-info-not-found": FACTOR_REMOVED,
  "missing-multi-factor-info": FACTOR_REMOVED,
  "captcha-check-failed": NO_CODE,
  "invalid-app-credential": NO_CODE,
  "quota-exceeded": [m.quotaExceeded],
  "second-factor-already-in-use": [m.factorInUse],
  "maximum-second-factor-count-exceeded": [m.tooManyFactors],
  "unsupported-first-factor": [m.unsupportedFirstFactor],
  "unverified-email": [m.unverifiedEmail, "email"],
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
  "web-storage-unsupported": [m.noStorage],
};

export function failure(code: string): Failure {
  const [message, field = null] = MESSAGES[code.replace(/^auth\//, "")] ?? UNKNOWN_ERROR;
  return { code, message: message(), field };
}

// Anything thrown. The SDK's errors and ours have a code.
export function explain(error: unknown): Failure {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  return failure(typeof code === "string" ? code : "auth/internal-error");
}

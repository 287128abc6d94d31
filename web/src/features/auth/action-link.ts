// E-mail action links, as in verification and password reset e-mails. Only the browser reads the
// URL: the page is the same for everyone, and the code is secret.

const MODES = [
  "verifyEmail",
  "resetPassword",
  "verifyAndChangeEmail",
  "recoverEmail",
  "signIn",
] as const;

export type Mode = (typeof MODES)[number];

export type ActionLink = {
  mode: Mode | null;
  // Null: there is none in the URL.
  code: string | null;
  // The path to continue at, within this shop.
  next: string;
};

// What the identity service says about a code.
export type ActionCodeInfo = { email: string; previousEmail: string | null };

const CODE = /^[\w-]{1,512}$/;
const EMAIL_FOR_SIGN_IN = "emailForSignIn";

export function parseActionLink(href: string): ActionLink {
  const { searchParams, origin } = new URL(href);
  const mode = searchParams.get("mode");
  const code = searchParams.get("oobCode") ?? "";
  return {
    mode: MODES.find((known) => known === mode) ?? null,
    code: CODE.test(code) ? code : null,
    next: pageOf(origin, searchParams.get("continueUrl")),
  };
}

// A URL elsewhere becomes "/": anybody may have made the link.
function pageOf(origin: string, address: string | null): string {
  try {
    const url = new URL(address ?? "/", origin);
    return url.origin === origin ? url.pathname + url.search + url.hash : "/";
  } catch {
    return "/";
  }
}

// The address that requested a sign-in link in this browser, as the SDK's examples store it.
export function emailForSignIn(): string | null {
  try {
    return localStorage.getItem(EMAIL_FOR_SIGN_IN);
  } catch {
    return null;
  }
}

export function clearEmailForSignIn(): void {
  try {
    localStorage.removeItem(EMAIL_FOR_SIGN_IN);
  } catch {
    // Storage is blocked: there is nothing to remove.
  }
}

// E-mail action links, as in verification and password reset e-mails. Only the browser reads the
// URL: the page is the same for everyone, and the code is secret.
import { localUrl, shopLanguages, splitLanguage } from "../../lib/language";

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

// A hosted identity service has one address for all its e-mails, and names their language in `lang`.
// Null: the page is in that language, or the link says none.
export function addressInItsLanguage(href: string): string | null {
  const { pathname, search, searchParams } = new URL(href);
  const named = searchParams.get("lang");
  const [shown, path] = splitLanguage(pathname);
  const [main, ...others] = shopLanguages();
  const wanted = others.find((other) => other === named);
  return wanted === undefined || shown !== main ? null : localUrl(path, wanted) + search;
}

// A URL elsewhere becomes the home page's: anybody may have made the link.
function pageOf(origin: string, address: string | null): string {
  const home = localUrl("/");
  try {
    const url = new URL(address ?? home, origin);
    return url.origin === origin ? url.pathname + url.search + url.hash : home;
  } catch {
    return home;
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

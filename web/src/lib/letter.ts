// The link that somebody followed from one of the shop's letters, as its address has it. Only the
// browser reads it: the page is the same for all, and the code is nobody else's business.

const MODES = [
  "verifyEmail",
  "resetPassword",
  "verifyAndChangeEmail",
  "recoverEmail",
  "signIn",
] as const;

export type Mode = (typeof MODES)[number];

export type Letter = {
  mode: Mode | null;
  // Null: the address does not hold one.
  code: string | null;
  // Where to go when all is done: a page of this shop.
  next: string;
};

// What the identity service says a code is for.
export type Purpose = { email: string; previousEmail: string | null };

const CODE = /^[\w-]{1,512}$/;
const EMAIL_FOR_SIGN_IN = "emailForSignIn";

export function readLetter(href: string): Letter {
  const { searchParams, origin } = new URL(href);
  const mode = searchParams.get("mode");
  const code = searchParams.get("oobCode") ?? "";
  return {
    mode: MODES.find((known) => known === mode) ?? null,
    code: CODE.test(code) ? code : null,
    next: pageOf(origin, searchParams.get("continueUrl")),
  };
}

// An address elsewhere leads home: the link may have been made by anybody.
function pageOf(origin: string, address: string | null): string {
  try {
    const url = new URL(address ?? "/", origin);
    return url.origin === origin ? url.pathname + url.search + url.hash : "/";
  } catch {
    return "/";
  }
}

// The address that asked for a link to sign in, where it was this browser that asked.
export function emailForSignIn(): string | null {
  try {
    return localStorage.getItem(EMAIL_FOR_SIGN_IN);
  } catch {
    return null;
  }
}

export function forgetEmailForSignIn(): void {
  try {
    localStorage.removeItem(EMAIL_FOR_SIGN_IN);
  } catch {
    // Storage is blocked: then nothing is in it.
  }
}

// The environment that a flow runs in. It is the same in Node and in a browser, so what only one of
// them can do, like reading e-mails, is passed in.
import type { Auth } from "firebase/auth";

/** Hardened is the production mode; the emulator is permissive, for tests of other apps. */
export type Mode = "hardened" | "emulator";

/** What a client needs to know about a running server. */
export interface ServerInfo {
  url: string;
  mode: Mode;
  apiKey: string;
  projectId: string;
}

/** The `mode` of an e-mail action link. */
export type Purpose =
  | "verifyEmail"
  | "resetPassword"
  | "signIn"
  | "verifyAndChangeEmail"
  | "recoverEmail";

export type Provider = "google.com" | "facebook.com";

/** A provider's user. Google has verified the address, Facebook has not. */
export type Person = { email: string; name: string };

export interface Environment {
  mode: Mode;
  /** The server's URL; e-mail links may continue there. */
  url: string;
  /** A new app without a signed-in user. */
  client(): Auth;
  /** The link of the next unread e-mail; waits for it. */
  link(to: string, purpose: Purpose): Promise<string>;
  /** The code of the next unread text message; waits for it. */
  text(to: string): Promise<string>;
  /** An authenticator's code; -1 is the previous one, 1 the next. */
  totp(secret: string, step: number): Promise<string>;
  /** A custom token made by the project's admin. */
  customToken(uid: string, claims?: Record<string, unknown>): Promise<string>;
  /** A provider's answer about a person; works for one sign-in. */
  providerAnswer(provider: Provider, person: Person): Promise<string>;
}

export interface Flow {
  name: string;
  /** The only mode it applies to, if not both. */
  mode?: Mode;
  /** Why Google's own emulator cannot do it, if so. */
  notGoogle?: string;
  /** The SDK's build for Node has no phone numbers. */
  phone?: true;
  run(env: Environment): Promise<void>;
}

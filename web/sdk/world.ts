// What a flow may ask for. It runs in Node and in a browser alike, so all that only one of them
// has, like reading the letters, is handed to it.
import type { Auth } from "firebase/auth";

/** Hardened is what a shop runs; the emulator is the lax one for other people's tests. */
export type Mode = "hardened" | "emulator";

/** A running server, as a client knows it. */
export interface Place {
  url: string;
  mode: Mode;
  apiKey: string;
  projectId: string;
}

/** What a letter's link is for, as its `mode` says. */
export type Purpose =
  | "verifyEmail"
  | "resetPassword"
  | "signIn"
  | "verifyAndChangeEmail"
  | "recoverEmail";

export type Provider = "google.com" | "facebook.com";

/** Somebody as a provider knows them. Google has verified their address, Facebook has not. */
export type Person = { email: string; name: string };

export interface World {
  mode: Mode;
  /** Where the server is; letters may lead back to there. */
  url: string;
  /** A fresh app in which nobody is signed in. */
  client(): Auth;
  /** The link of a letter that was not read before, once it has come. */
  link(to: string, purpose: Purpose): Promise<string>;
  /** The code of a text message that was not read before, once it has come. */
  text(to: string): Promise<string>;
  /** What an authenticator shows; -1 is the code before the present one, 1 the next. */
  totp(secret: string, step: number): Promise<string>;
  /** A token as an owner of the project makes it. */
  customToken(uid: string, claims?: Record<string, unknown>): Promise<string>;
  /** What a provider says of somebody; good for one sign-in. */
  said(provider: Provider, person: Person): Promise<string>;
}

export interface Flow {
  name: string;
  /** Where it holds, when not in both. */
  mode?: Mode;
  /** Why Google's own emulator cannot do it, if so. */
  notGoogle?: string;
  /** The SDK's build for Node has no phone numbers. */
  phone?: true;
  run(world: World): Promise<void>;
}

// The flows inside a browser. The tests outside provide what a page cannot do.
import { deleteApp, getApps } from "firebase/app";
import {
  type Auth,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  browserSessionPersistence,
  FacebookAuthProvider,
  GoogleAuthProvider,
  getRedirectResult,
  indexedDBLocalPersistence,
  linkWithPopup,
  signInWithEmailAndPassword,
  signInWithPopup,
  signInWithRedirect,
  type UserCredential,
} from "firebase/auth";
import { client } from "./client";
import type { Environment, ServerInfo } from "./environment";
import { flows } from "./flows";

const PERSISTENCE = {
  indexedDB: indexedDBLocalPersistence,
  local: browserLocalPersistence,
  session: browserSessionPersistence,
};

export type Lasting = keyof typeof PERSISTENCE;

/** The user after a provider's sign-in. */
export interface Entered {
  uid: string;
  email: string | null;
  name: string | null;
  providers: string[];
}

/** Calls answered by Playwright. */
export type Asked = "link" | "text" | "totp" | "customToken" | "providerAnswer";
declare function outside(what: Asked, ...args: unknown[]): Promise<string>;

export const page = {
  async run(place: ServerInfo, topic: string, name: string): Promise<void> {
    const flow = flows[topic]?.find((flow) => flow.name === name);
    if (flow === undefined) throw new Error(`no flow ${topic}: ${name}`);
    const env: Environment = {
      mode: place.mode,
      url: place.url,
      client: () => client(place, Object.values(PERSISTENCE)),
      link: (to, purpose) => outside("link", to, purpose),
      text: (to) => outside("text", to),
      totp: (secret, step) => outside("totp", secret, step),
      customToken: (uid, claims) => outside("customToken", uid, claims),
      providerAnswer: (provider, person) => outside("providerAnswer", provider, person),
    };
    try {
      await flow.run(env);
    } finally {
      await Promise.all(getApps().map(deleteApp));
    }
  },

  /** Signs in with a session that a later page can restore. */
  async enter(
    place: ServerInfo,
    lasting: Lasting,
    email: string,
    password: string,
  ): Promise<string> {
    const { user } = await signInWithEmailAndPassword(open(place, lasting), email, password);
    return user.uid;
  },

  /** The signed-in user, once the SDK has restored the session. */
  async who(place: ServerInfo, lasting: Lasting): Promise<string | null> {
    const auth = open(place, lasting);
    await auth.authStateReady();
    return auth.currentUser?.uid ?? null;
  },

  /** The error of the SDK's own popup. */
  async popup(place: ServerInfo): Promise<string> {
    const auth = open(place, "indexedDB");
    await auth.authStateReady();
    const google = new GoogleAuthProvider();
    return await signInWithPopup(auth, google, browserPopupRedirectResolver).then(
      () => "no error",
      (error: { code?: string }) => error.code ?? String(error),
    );
  },

  /** Signs in by the SDK's own popup. */
  async enterByPopup(place: ServerInfo): Promise<Entered | null> {
    const auth = open(place, "indexedDB");
    const google = new GoogleAuthProvider();
    return entered(await signInWithPopup(auth, google, browserPopupRedirectResolver));
  },

  /** Links another provider to the signed-in user by popup. */
  async linkByPopup(place: ServerInfo): Promise<Entered | null> {
    const auth = open(place, "indexedDB");
    await auth.authStateReady();
    if (auth.currentUser === null) throw new Error("nobody is signed in");
    const facebook = new FacebookAuthProvider();
    return entered(await linkWithPopup(auth.currentUser, facebook, browserPopupRedirectResolver));
  },

  /** Redirects to the provider; a later page reads the result. */
  leaveForProvider(place: ServerInfo): void {
    const auth = open(place, "indexedDB");
    void signInWithRedirect(auth, new GoogleAuthProvider(), browserPopupRedirectResolver);
  },

  async backFromProvider(place: ServerInfo): Promise<Entered | null> {
    return entered(await getRedirectResult(open(place, "indexedDB"), browserPopupRedirectResolver));
  },
};

function entered(credential: UserCredential | null): Entered | null {
  if (credential === null) return null;
  const { uid, email, displayName: name, providerData } = credential.user;
  return { uid, email, name, providers: providerData.map(({ providerId }) => providerId) };
}

// The same name each time: sessions are stored under it.
const open = (place: ServerInfo, lasting: Lasting): Auth =>
  client(place, PERSISTENCE[lasting], "lasting");

Object.assign(globalThis, { page });

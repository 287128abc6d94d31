// The flows as they run inside a browser. The tests outside hand in what a page cannot do.
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
import { flows } from "./flows";
import type { Place, World } from "./world";

const PERSISTENCE = {
  indexedDB: indexedDBLocalPersistence,
  local: browserLocalPersistence,
  session: browserSessionPersistence,
};

export type Lasting = keyof typeof PERSISTENCE;

/** Who came back from a provider. */
export interface Entered {
  uid: string;
  email: string | null;
  name: string | null;
  providers: string[];
}

/** What Playwright's side answers. */
export type Asked = "link" | "text" | "totp" | "customToken" | "said";
declare function outside(what: Asked, ...args: unknown[]): Promise<string>;

export const page = {
  async run(place: Place, topic: string, name: string): Promise<void> {
    const flow = flows[topic]?.find((flow) => flow.name === name);
    if (flow === undefined) throw new Error(`no flow ${topic}: ${name}`);
    const world: World = {
      mode: place.mode,
      url: place.url,
      client: () => client(place, Object.values(PERSISTENCE)),
      link: (to, purpose) => outside("link", to, purpose),
      text: (to) => outside("text", to),
      totp: (secret, step) => outside("totp", secret, step),
      customToken: (uid, claims) => outside("customToken", uid, claims),
      said: (provider, person) => outside("said", provider, person),
    };
    try {
      await flow.run(world);
    } finally {
      await Promise.all(getApps().map(deleteApp));
    }
  },

  /** Signs in so that a later page can find it. */
  async enter(place: Place, lasting: Lasting, email: string, password: string): Promise<string> {
    const { user } = await signInWithEmailAndPassword(open(place, lasting), email, password);
    return user.uid;
  },

  /** Who is signed in, once the SDK has looked. */
  async who(place: Place, lasting: Lasting): Promise<string | null> {
    const auth = open(place, lasting);
    await auth.authStateReady();
    return auth.currentUser?.uid ?? null;
  },

  /** The error of the SDK's own popup. */
  async popup(place: Place): Promise<string> {
    const auth = open(place, "indexedDB");
    await auth.authStateReady();
    const google = new GoogleAuthProvider();
    return await signInWithPopup(auth, google, browserPopupRedirectResolver).then(
      () => "no error",
      (error: { code?: string }) => error.code ?? String(error),
    );
  },

  /** Signs in by the SDK's own popup. */
  async enterByPopup(place: Place): Promise<Entered | null> {
    const auth = open(place, "indexedDB");
    const google = new GoogleAuthProvider();
    return entered(await signInWithPopup(auth, google, browserPopupRedirectResolver));
  },

  /** Links another provider by it, to whoever is signed in. */
  async linkByPopup(place: Place): Promise<Entered | null> {
    const auth = open(place, "indexedDB");
    await auth.authStateReady();
    if (auth.currentUser === null) throw new Error("nobody is signed in");
    const facebook = new FacebookAuthProvider();
    return entered(await linkWithPopup(auth.currentUser, facebook, browserPopupRedirectResolver));
  },

  /** Leaves for the provider; a later page finds what came of it. */
  leaveForProvider(place: Place): void {
    const auth = open(place, "indexedDB");
    void signInWithRedirect(auth, new GoogleAuthProvider(), browserPopupRedirectResolver);
  },

  async backFromProvider(place: Place): Promise<Entered | null> {
    return entered(await getRedirectResult(open(place, "indexedDB"), browserPopupRedirectResolver));
  },
};

function entered(credential: UserCredential | null): Entered | null {
  if (credential === null) return null;
  const { uid, email, displayName: name, providerData } = credential.user;
  return { uid, email, name, providers: providerData.map(({ providerId }) => providerId) };
}

// The same name each time: that is what a session is kept by.
const open = (place: Place, lasting: Lasting): Auth =>
  client(place, PERSISTENCE[lasting], "lasting");

Object.assign(globalThis, { page });

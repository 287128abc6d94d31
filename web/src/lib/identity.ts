// The official SDK, turned to our own identity service. Only lib/auth.ts loads this, after the
// first paint: it is larger than the shop's own code.
import { initializeApp } from "firebase/app";
import {
  browserLocalPersistence,
  browserSessionPersistence,
  createUserWithEmailAndPassword,
  FacebookAuthProvider,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
  type User as SdkUser,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signOut,
  updateProfile,
} from "firebase/auth";
import { type AccessTokens, accessTokens } from "./access-token";
import type { IdentitySettings, Provider } from "./api.gen";
import { explain, type Failure } from "./auth-errors";

export type User = {
  uid: string;
  email: string | null;
  emailVerified: boolean;
  displayName: string | null;
  photoURL: string | null;
};

// What the shop asks of the SDK, and all that a test has to imitate.
export type Identity = {
  tokens: AccessTokens;
  signUp: (email: string, password: string) => Promise<void>;
  signIn: (email: string, password: string) => Promise<void>;
  // `code` is the one-time code that our own popup brought.
  signInWith: (provider: Provider, code: string) => Promise<void>;
  signOut: () => Promise<void>;
  updateName: (name: string) => Promise<void>;
  sendVerification: () => Promise<void>;
  sendReset: (email: string) => Promise<void>;
  explain: (error: unknown) => Failure;
};

export function openIdentity(
  settings: IdentitySettings,
  onUser: (user: User | null) => void,
): Identity {
  const { apiKey, projectId, authDomain } = settings;
  const auth = initializeAuth(initializeApp({ apiKey, projectId, authDomain }), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence, browserSessionPersistence],
  });
  // Nothing has been sent yet, so the SDK never talks to another host.
  if (!settings.hosted) {
    auth.config.apiScheme = location.protocol.slice(0, -1);
    auth.config.apiHost = `${location.host}/identitytoolkit.googleapis.com`;
    auth.config.tokenApiHost = `${location.host}/securetoken.googleapis.com`;
  }
  const publish = (user: SdkUser | null) => onUser(user && plain(user));
  onAuthStateChanged(auth, publish);

  const signedIn = (): SdkUser => {
    if (auth.currentUser === null) throw { code: "auth/user-signed-out" };
    return auth.currentUser;
  };

  return {
    tokens: accessTokens(async () => {
      const { email, displayName } = signedIn();
      return { email, displayName, idToken: await signedIn().getIdToken() };
    }),
    async signUp(email, password) {
      await createUserWithEmailAndPassword(auth, email, password);
    },
    async signIn(email, password) {
      await signInWithEmailAndPassword(auth, email, password);
    },
    async signInWith(provider, code) {
      const { credential } = provider === "google.com" ? GoogleAuthProvider : FacebookAuthProvider;
      await signInWithCredential(auth, credential(code));
    },
    signOut: () => signOut(auth),
    async updateName(name) {
      await updateProfile(signedIn(), { displayName: name });
      // The SDK does not count this as a change of state.
      publish(signedIn());
    },
    sendVerification: () => sendEmailVerification(signedIn()),
    sendReset: (email) => sendPasswordResetEmail(auth, email),
    explain,
  };
}

function plain({ uid, email, emailVerified, displayName, photoURL }: SdkUser): User {
  return { uid, email, emailVerified, displayName, photoURL };
}

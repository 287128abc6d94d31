// The official SDK, turned to the shop's identity service. Only lib/auth.ts loads this, after the
// first paint: it is larger than the shop's own code.
import { initializeApp } from "firebase/app";
import {
  applyActionCode,
  browserLocalPersistence,
  browserSessionPersistence,
  checkActionCode,
  confirmPasswordReset,
  createUserWithEmailAndPassword,
  FacebookAuthProvider,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  multiFactor,
  onAuthStateChanged,
  type PhoneMultiFactorInfo,
  reload,
  type User as SdkUser,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithEmailLink,
  signOut,
  updateProfile,
} from "firebase/auth";
import { type AccessTokens, accessTokens } from "./access-token";
import type { IdentitySettings, Provider } from "./api.gen";
import { explain, type Failure } from "./auth-errors";
import { cartSync } from "./cart-sync";
import { type Challenge, challengeIn, type Factor } from "./challenge";
import { leaveSession, type ProfileCalls, profileCalls } from "./identity-profile";
import type { Mode, Purpose } from "./letter";
import { wishlistSync } from "./wishlist-sync";

export type User = {
  uid: string;
  email: string | null;
  emailVerified: boolean;
  displayName: string | null;
  photoURL: string | null;
  // How the account can be entered: "password", "google.com", …
  ways: string[];
  // What is asked for after that.
  factors: Factor[];
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
  // Looks at a letter's code, which does not use it up. One that is for something else than its
  // link says is refused.
  readCode: (mode: Mode, code: string) => Promise<Purpose>;
  applyCode: (code: string) => Promise<void>;
  resetPassword: (code: string, password: string) => Promise<void>;
  // `link` is the letter's whole link.
  signInWithLink: (email: string, link: string) => Promise<void>;
  profile: ProfileCalls;
  // Asks the service what it knows of the user by now: whoever it has signed out is nobody here.
  refreshUser: () => Promise<void>;
  // The second factor that a sign-in which failed with `error` still wants, if it is that.
  challenge: (error: unknown) => Challenge | null;
  explain: (error: unknown) => Failure;
};

const OPERATIONS: Record<Mode, string> = {
  verifyEmail: "VERIFY_EMAIL",
  resetPassword: "PASSWORD_RESET",
  verifyAndChangeEmail: "VERIFY_AND_CHANGE_EMAIL",
  recoverEmail: "RECOVER_EMAIL",
  signIn: "EMAIL_SIGNIN",
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
  Object.assign(auth.config, serviceHosts(settings, location.origin));
  const publish = (user: SdkUser | null) => onUser(user && plain(user));
  onAuthStateChanged(auth, publish);

  const signedIn = (): SdkUser => {
    if (auth.currentUser === null) throw { code: "auth/user-signed-out" };
    return auth.currentUser;
  };

  const kept = [cartSync(), wishlistSync()];
  const tokens = accessTokens(
    async (freshIdToken = false) => {
      const idToken = await signedIn().getIdToken(freshIdToken);
      const { email, displayName } = signedIn();
      return { email, displayName, idToken };
    },
    (held) => {
      const uid = held ? auth.currentUser?.uid : undefined;
      for (const one of kept) {
        if (uid !== undefined) one.start(uid);
        else one.stop();
      }
    },
  );

  return {
    tokens,
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
    async signOut() {
      const { refreshToken } = auth.currentUser ?? {};
      if (refreshToken !== undefined && !settings.hosted) void leaveSession(refreshToken);
      await signOut(auth);
    },
    async updateName(name) {
      await updateProfile(signedIn(), { displayName: name });
      // The SDK does not count this as a change of state.
      publish(signedIn());
    },
    sendVerification: () => sendEmailVerification(signedIn()),
    sendReset: (email) => sendPasswordResetEmail(auth, email),
    async readCode(mode, code) {
      const { operation, data } = await checkActionCode(auth, code);
      if (OPERATIONS[mode] !== operation) throw { code: "auth/invalid-action-code" };
      return { email: data.email ?? "", previousEmail: data.previousEmail ?? null };
    },
    applyCode: (code) => applyActionCode(auth, code),
    resetPassword: (code, password) => confirmPasswordReset(auth, code, password),
    async signInWithLink(email, link) {
      await signInWithEmailLink(auth, email, link);
    },
    profile: profileCalls(auth, !settings.hosted, signedIn, publish),
    async refreshUser() {
      await auth.authStateReady();
      const user = auth.currentUser;
      if (user === null) return;
      // A new token carries what has changed. Where it is refused because the service has ended the
      // session, the SDK signs out by itself.
      await user
        .getIdToken(true)
        .then(() => reload(user))
        .catch(() => {});
      publish(auth.currentUser);
    },
    challenge: (error) => challengeIn(auth, error),
    explain,
  };
}

// Where the service is, in the SDK's terms. Nothing for a hosted project at Google's own hosts,
// which are the SDK's defaults.
export function serviceHosts(
  { hosted, serviceUrl }: Pick<IdentitySettings, "hosted" | "serviceUrl">,
  origin: string,
) {
  const service = hosted ? serviceUrl : origin;
  if (service === null) return {};
  const { protocol, host, pathname } = new URL(service);
  const base = host + pathname.replace(/\/$/, "");
  return {
    apiScheme: protocol.slice(0, -1),
    apiHost: `${base}/identitytoolkit.googleapis.com`,
    tokenApiHost: `${base}/securetoken.googleapis.com`,
  };
}

function plain(user: SdkUser): User {
  const { uid, email, emailVerified, displayName, photoURL, providerData } = user;
  const factors = multiFactor(user).enrolledFactors.map((factor) => ({
    id: factor.uid,
    name: factor.displayName || null,
    phone: (factor as Partial<PhoneMultiFactorInfo>).phoneNumber ?? null,
  }));
  const ways = providerData.map(({ providerId }) => providerId);
  return { uid, email, emailVerified, displayName, photoURL: photoURL || null, ways, factors };
}

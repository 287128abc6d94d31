// The official Firebase SDK, configured for the shop's identity service. Loaded only after the
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
import type { IdentitySettings, Provider } from "../../lib/api.gen";
import { language } from "../../lib/language";
import type { ActionCodeInfo, Mode } from "./action-link";
import { explain, type Failure } from "./auth-errors";
import { type Challenge, challengeFromError, type Factor } from "./challenge";
import { endSession, type ProfileApi, profileApi } from "./identity-profile";
import { type AccessTokens, accessTokens } from "./internal/access-token";
import type { Sync } from "./server-sync";

export type User = {
  uid: string;
  email: string | null;
  emailVerified: boolean;
  displayName: string | null;
  photoURL: string | null;
  // "password", "google.com", …
  signInMethods: string[];
  // Enrolled second factors.
  factors: Factor[];
};

// What the shop uses of the SDK, and all that a test has to fake.
export type Identity = {
  tokens: AccessTokens;
  signUp: (email: string, password: string) => Promise<void>;
  signIn: (email: string, password: string) => Promise<void>;
  // `code` is the one-time code from our popup.
  signInWith: (provider: Provider, code: string) => Promise<void>;
  signOut: () => Promise<void>;
  updateName: (name: string) => Promise<void>;
  sendVerification: () => Promise<void>;
  sendReset: (email: string) => Promise<void>;
  // Checks an action code without using it up. A code for another purpose than `mode` is refused.
  readCode: (mode: Mode, code: string) => Promise<ActionCodeInfo>;
  applyCode: (code: string) => Promise<void>;
  resetPassword: (code: string, password: string) => Promise<void>;
  // `link` is the whole URL from the e-mail.
  signInWithLink: (email: string, link: string) => Promise<void>;
  profile: ProfileApi;
  // Reloads the user: a session that the service has ended is signed out here.
  refreshUser: () => Promise<void>;
  // The second factor that a failed sign-in still requires; null for other errors.
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

// `syncs` run while somebody is signed in.
export function createIdentity(
  settings: IdentitySettings,
  onUser: (user: User | null) => void,
  syncs: Sync[],
): Identity {
  const { apiKey, projectId, authDomain } = settings;
  const auth = initializeAuth(initializeApp({ apiKey, projectId, authDomain }), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence, browserSessionPersistence],
  });
  // The service writes its e-mails and text messages in this language.
  auth.languageCode = language();
  // Nothing has been sent yet, so the SDK never contacts another host.
  Object.assign(auth.config, serviceHosts(settings, location.origin));
  const publish = (user: SdkUser | null) => onUser(user && toUser(user));
  onAuthStateChanged(auth, publish);

  const signedIn = (): SdkUser => {
    if (auth.currentUser === null) throw { code: "auth/user-signed-out" };
    return auth.currentUser;
  };

  const tokens = accessTokens(
    async (freshIdToken = false) => {
      const idToken = await signedIn().getIdToken(freshIdToken);
      const { email, displayName } = signedIn();
      return { email, displayName, idToken };
    },
    (hasToken) => {
      const uid = hasToken ? auth.currentUser?.uid : undefined;
      for (const sync of syncs) {
        if (uid !== undefined) sync.start(uid);
        else sync.stop();
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
      if (refreshToken !== undefined && !settings.hosted) void endSession(refreshToken);
      await signOut(auth);
    },
    async updateName(name) {
      await updateProfile(signedIn(), { displayName: name });
      // The SDK does not report this as a state change.
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
    profile: profileApi(auth, !settings.hosted, signedIn, publish),
    async refreshUser() {
      await auth.authStateReady();
      const user = auth.currentUser;
      if (user === null) return;
      // A new token has the changes. Where the service refuses it because the session ended, the
      // SDK signs out by itself.
      await user
        .getIdToken(true)
        .then(() => reload(user))
        .catch(() => {});
      publish(auth.currentUser);
    },
    challenge: (error) => challengeFromError(auth, error),
    explain,
  };
}

// The service's hosts in the SDK's configuration. Empty for a hosted project at Google, which are
// the SDK's defaults.
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

function toUser(user: SdkUser): User {
  const { uid, email, emailVerified, displayName, photoURL, providerData } = user;
  const factors = multiFactor(user).enrolledFactors.map((factor) => ({
    id: factor.uid,
    name: factor.displayName || null,
    phone: (factor as Partial<PhoneMultiFactorInfo>).phoneNumber ?? null,
  }));
  const signInMethods = providerData.map(({ providerId }) => providerId);
  return {
    uid,
    email,
    emailVerified,
    displayName,
    photoURL: photoURL || null,
    signInMethods,
    factors,
  };
}

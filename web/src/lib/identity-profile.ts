// What somebody does to their own account, in the SDK's terms. Part of the SDK's chunk.
import {
  type Auth,
  deleteUser,
  EmailAuthProvider,
  FacebookAuthProvider,
  GoogleAuthProvider,
  linkWithCredential,
  multiFactor,
  reauthenticateWithCredential,
  type User as SdkUser,
  signOut,
  TotpMultiFactorGenerator,
  unlink,
  updatePassword,
  updateProfile,
  verifyBeforeUpdateEmail,
} from "firebase/auth";
import type { Provider } from "./api.gen";
import type { Device } from "./devices";

// A key for an authenticator app, until its first code has come.
export type AppKey = {
  // To be typed, where no camera is at hand.
  key: string;
  // To be shown as a QR code.
  url: string;
  enrol: (code: string) => Promise<void>;
};

export type ProfileCalls = {
  setPhoto: (url: string | null) => Promise<void>;
  // The new address is asked by a letter; until it has answered nothing changes.
  changeEmail: (email: string) => Promise<void>;
  setPassword: (password: string) => Promise<void>;
  // Shows once more who it is, as dangerous things want it. `code` is the one of our own popup.
  prove: (password: string) => Promise<void>;
  proveWith: (provider: Provider, code: string) => Promise<void>;
  // Fails where the sign-in is too long ago for what is dangerous.
  expectFresh: () => Promise<void>;
  link: (provider: Provider, code: string) => Promise<void>;
  unlink: (provider: Provider) => Promise<void>;
  newApp: (shop: string) => Promise<AppKey>;
  removeFactor: (id: string) => Promise<void>;
  devices: () => Promise<Device[]>;
  signOutEverywhere: () => Promise<void>;
  idToken: () => Promise<string>;
  deleteAccount: () => Promise<void>;
};

// The service's own measure, with a little to spare for the way.
const FRESH = 4.5 * 60_000;

// `own`: whether the service is the shop's, which knows devices; a hosted one does not.
export function profileCalls(
  auth: Auth,
  own: boolean,
  signedIn: () => SdkUser,
  publish: (user: SdkUser | null) => void,
): ProfileCalls {
  // What gives new tokens leaves a session behind that nobody uses any more.
  async function renewing(work: (user: SdkUser) => Promise<unknown>): Promise<void> {
    const user = signedIn();
    const before = user.refreshToken;
    await work(user);
    if (own && user.refreshToken !== before) void leaveSession(before);
    publish(auth.currentUser);
  }

  return {
    setPhoto: (url) => renewing((user) => updateProfile(user, { photoURL: url ?? "" })),
    changeEmail: (email) => verifyBeforeUpdateEmail(signedIn(), email),
    setPassword: (password) => renewing((user) => updatePassword(user, password)),
    prove: (password) =>
      renewing((user) =>
        reauthenticateWithCredential(
          user,
          EmailAuthProvider.credential(user.email ?? "", password),
        ),
      ),
    proveWith: (provider, code) =>
      renewing((user) => reauthenticateWithCredential(user, credential(provider, code))),
    async expectFresh() {
      const { authTime } = await signedIn().getIdTokenResult();
      if (Date.now() - Date.parse(authTime) > FRESH) throw { code: "auth/requires-recent-login" };
    },
    link: (provider, code) =>
      renewing((user) => linkWithCredential(user, credential(provider, code))),
    unlink: (provider) => renewing((user) => unlink(user, provider)),
    async newApp(shop) {
      const user = multiFactor(signedIn());
      const secret = await TotpMultiFactorGenerator.generateSecret(await user.getSession());
      return {
        key: secret.secretKey,
        url: secret.generateQrCodeUrl(signedIn().email ?? "", shop),
        async enrol(code) {
          const first = TotpMultiFactorGenerator.assertionForEnrollment(secret, code);
          await user.enroll(first, "Authenticator app");
          publish(auth.currentUser);
        },
      };
    },
    async removeFactor(id) {
      await multiFactor(signedIn()).unenroll(id);
      publish(auth.currentUser);
    },
    async devices() {
      const user = signedIn();
      const { refreshToken } = user;
      const answer = await ask("/auth/devices", { refreshToken }, await user.getIdToken());
      return ((await answer.json()) as { devices: Device[] }).devices;
    },
    async signOutEverywhere() {
      await ask("/auth/devices/end", {}, await signedIn().getIdToken());
      await signOut(auth);
    },
    idToken: () => signedIn().getIdToken(),
    deleteAccount: () => deleteUser(signedIn()),
  };
}

// Whoever signs out is not a device any more. Should it not arrive, the session is one that nobody
// uses, and ends by itself some day.
export async function leaveSession(refreshToken: string): Promise<void> {
  await ask("/auth/devices/leave", { refreshToken }).catch(() => {});
}

function credential(provider: Provider, code: string) {
  const { credential } = provider === "google.com" ? GoogleAuthProvider : FacebookAuthProvider;
  return credential(code);
}

async function ask(address: string, body: object, idToken?: string): Promise<Response> {
  const answer = await fetch(address, {
    method: "POST",
    keepalive: true,
    headers: {
      "content-type": "application/json",
      ...(idToken !== undefined && { authorization: `Bearer ${idToken}` }),
    },
    body: JSON.stringify(body),
  }).catch(() => {
    throw { code: "auth/network-request-failed" };
  });
  if (answer.ok) return answer;
  // What the session is worth is for the SDK to say, at its next question.
  throw { code: answer.status === 400 ? "auth/user-token-expired" : "auth/internal-error" };
}

// Account changes by the SDK. Part of the SDK's chunk.
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
import type { Provider } from "../../lib/api.gen";

export type Device = {
  // The User-Agent header; null where there was none.
  agent: string | null;
  signedInAt: string;
  usedAt: string;
  here: boolean;
};

// A TOTP secret for an authenticator app that is not enrolled yet.
export type TotpSecret = {
  // To type, where there is no camera.
  key: string;
  // To show as a QR code.
  url: string;
  enrol: (code: string) => Promise<void>;
};

export type ProfileApi = {
  setPhoto: (url: string | null) => Promise<void>;
  // Sends an e-mail to the new address; nothing changes until its link is followed.
  changeEmail: (email: string) => Promise<void>;
  setPassword: (password: string) => Promise<void>;
  // Reauthentication for sensitive actions. `code` comes from our popup.
  reauthenticate: (password: string) => Promise<void>;
  reauthenticateWith: (provider: Provider, code: string) => Promise<void>;
  // Fails where the last sign-in is too long ago for sensitive actions.
  requireRecentSignIn: () => Promise<void>;
  link: (provider: Provider, code: string) => Promise<void>;
  unlink: (provider: Provider) => Promise<void>;
  startTotpEnrolment: (shop: string) => Promise<TotpSecret>;
  removeFactor: (id: string) => Promise<void>;
  devices: () => Promise<Device[]>;
  signOutEverywhere: () => Promise<void>;
  idToken: () => Promise<string>;
  deleteAccount: () => Promise<void>;
};

// The service's limit, less a margin for latency.
const RECENT_SIGN_IN = 4.5 * 60_000;

// `own`: whether the service is the shop's, which lists devices; a hosted one does not.
export function profileApi(
  auth: Auth,
  own: boolean,
  signedIn: () => SdkUser,
  publish: (user: SdkUser | null) => void,
): ProfileApi {
  // What issues new tokens leaves the old session unused, so it is ended.
  async function updateUser(work: (user: SdkUser) => Promise<unknown>): Promise<void> {
    const user = signedIn();
    const before = user.refreshToken;
    await work(user);
    if (own && user.refreshToken !== before) void endSession(before);
    publish(auth.currentUser);
  }

  return {
    setPhoto: (url) => updateUser((user) => updateProfile(user, { photoURL: url ?? "" })),
    changeEmail: (email) => verifyBeforeUpdateEmail(signedIn(), email),
    setPassword: (password) => updateUser((user) => updatePassword(user, password)),
    reauthenticate: (password) =>
      updateUser((user) =>
        reauthenticateWithCredential(
          user,
          EmailAuthProvider.credential(user.email ?? "", password),
        ),
      ),
    reauthenticateWith: (provider, code) =>
      updateUser((user) => reauthenticateWithCredential(user, credential(provider, code))),
    async requireRecentSignIn() {
      const { authTime } = await signedIn().getIdTokenResult();
      if (Date.now() - Date.parse(authTime) > RECENT_SIGN_IN)
        throw { code: "auth/requires-recent-login" };
    },
    link: (provider, code) =>
      updateUser((user) => linkWithCredential(user, credential(provider, code))),
    unlink: (provider) => updateUser((user) => unlink(user, provider)),
    async startTotpEnrolment(shop) {
      const user = multiFactor(signedIn());
      const secret = await TotpMultiFactorGenerator.generateSecret(await user.getSession());
      return {
        key: secret.secretKey,
        url: secret.generateQrCodeUrl(signedIn().email ?? "", shop),
        async enrol(code) {
          const first = TotpMultiFactorGenerator.assertionForEnrollment(secret, code);
          await user.enroll(first);
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
      const answer = await postJson("/auth/devices", { refreshToken }, await user.getIdToken());
      return ((await answer.json()) as { devices: Device[] }).devices;
    },
    async signOutEverywhere() {
      await postJson("/auth/devices/end", {}, await signedIn().getIdToken());
      await signOut(auth);
    },
    idToken: () => signedIn().getIdToken(),
    deleteAccount: () => deleteUser(signedIn()),
  };
}

// Removes the session from the list of devices. If the request fails, the unused session expires by
// itself.
export async function endSession(refreshToken: string): Promise<void> {
  await postJson("/auth/devices/leave", { refreshToken }).catch(() => {});
}

function credential(provider: Provider, code: string) {
  const { credential } = provider === "google.com" ? GoogleAuthProvider : FacebookAuthProvider;
  return credential(code);
}

async function postJson(address: string, body: object, idToken?: string): Promise<Response> {
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
  // Whether the session is still valid is left to the SDK's next request.
  throw { code: answer.status === 400 ? "auth/user-token-expired" : "auth/internal-error" };
}

// Errors with passwords, sessions and providers.
import {
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  GoogleAuthProvider,
  inMemoryPersistence,
  linkWithCredential,
  reauthenticateWithCredential,
  reload,
  sendEmailVerification,
  signInWithCredential,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  signInWithPhoneNumber,
  type User,
  updateEmail,
  updatePassword,
} from "firebase/auth";
import { equal, refused } from "../assert";
import { client } from "../client";
import { facebook, google, signUp, tokenAgesBy } from "../flows/steps";
import { verifier } from "../flows/verifier";
import { newEmail, newPerson, newPhone, OTHER_PASSWORD, PASSWORD } from "../users";
import type { Cause, Setup } from "./setup";
import { HOUR, MINUTE } from "./setup";

// The SDK hides its tokens; a test has to corrupt them somehow.
type Tokens = { stsTokenManager: { accessToken: string; refreshToken: string } };
const tokensOf = (user: User) => (user as unknown as Tokens).stsTokenManager;

async function disable({ admin }: Setup, uid: string): Promise<void> {
  const { status } = await admin.call("/accounts:update", { localId: uid, disableUser: true });
  equal(status, 200, "the admin disables an account");
}

export const sessions: Cause[] = [
  {
    code: "email-already-in-use",
    how: "signing up twice",
    async provoke({ env }) {
      const { email } = await signUp(env);
      await createUserWithEmailAndPassword(env.client(), email, PASSWORD);
    },
  },
  {
    code: "wrong-password",
    how: "a wrong password",
    mode: "emulator",
    async provoke({ env }) {
      const { email } = await signUp(env);
      await signInWithEmailAndPassword(env.client(), email, OTHER_PASSWORD);
    },
  },
  {
    code: "user-not-found",
    how: "an unknown address",
    mode: "emulator",
    provoke: ({ env }) => signInWithEmailAndPassword(env.client(), newEmail(), PASSWORD),
  },
  {
    code: "invalid-credential",
    how: "a wrong password",
    mode: "hardened",
    async provoke({ env }) {
      const { email } = await signUp(env);
      await signInWithEmailAndPassword(env.client(), email, OTHER_PASSWORD);
    },
  },
  {
    code: "invalid-credential",
    how: "an unknown address",
    mode: "hardened",
    provoke: ({ env }) => signInWithEmailAndPassword(env.client(), newEmail(), PASSWORD),
  },
  {
    code: "too-many-requests",
    how: "too many wrong passwords, after which the right one is refused too",
    mode: "hardened",
    async provoke({ env }) {
      const { email } = await signUp(env);
      const auth = env.client();
      for (let guess = 1; guess <= 10; guess++) {
        await refused(
          signInWithEmailAndPassword(auth, email, `${OTHER_PASSWORD}${guess}`),
          "auth/invalid-credential",
        );
      }
      await signInWithEmailAndPassword(auth, email, PASSWORD);
    },
  },
  {
    code: "requires-recent-login",
    how: "a new password after an hour",
    mode: "clock",
    async provoke({ env, advance }) {
      const { user } = await signUp(env);
      await advance(HOUR - MINUTE);
      await updatePassword(user, OTHER_PASSWORD);
    },
  },
  {
    code: "requires-recent-login",
    how: "deleting the account after an hour",
    mode: "clock",
    async provoke({ env, advance }) {
      const { user } = await signUp(env);
      await advance(HOUR - MINUTE);
      await deleteUser(user);
    },
  },
  {
    code: "user-disabled",
    how: "signing in to a disabled account",
    async provoke(setup) {
      const { user, email } = await signUp(setup.env);
      await disable(setup, user.uid);
      await signInWithEmailAndPassword(setup.env.client(), email, PASSWORD);
    },
  },
  {
    code: "user-disabled",
    how: "an account disabled meanwhile, which signs out",
    async provoke(setup) {
      const { auth, user } = await signUp(setup.env);
      await disable(setup, user.uid);
      const error = await refused(user.getIdToken(true), "auth/user-disabled");
      equal(auth.currentUser, null, "who is signed in");
      throw error;
    },
  },
  {
    code: "user-token-expired",
    how: "a password changed elsewhere, which signs out",
    async provoke({ env }) {
      const { auth, user, email } = await signUp(env);
      await tokenAgesBy(user, 1);
      const there = await signInWithEmailAndPassword(env.client(), email, PASSWORD);
      await updatePassword(there.user, OTHER_PASSWORD);
      const error = await refused(reload(user), "auth/user-token-expired");
      equal(auth.currentUser, null, "who is signed in");
      throw error;
    },
  },
  {
    code: "user-token-expired",
    how: "an account deleted elsewhere, which signs out",
    async provoke({ env }) {
      const { auth, user, email } = await signUp(env);
      const there = await signInWithEmailAndPassword(env.client(), email, PASSWORD);
      await deleteUser(there.user);
      const error = await refused(reload(user), "auth/user-token-expired");
      equal(auth.currentUser, null, "who is signed in");
      throw error;
    },
  },
  {
    code: "user-token-expired",
    how: "a token older than an hour",
    mode: "clock",
    async provoke({ env, advance }) {
      const { user } = await signUp(env);
      await advance(HOUR + MINUTE);
      await reload(user);
    },
  },
  {
    code: "network-request-failed",
    how: "a server that is down, which signs nobody out",
    notGoogle: "no test can stop it",
    async provoke({ another }) {
      const server = await another();
      const auth = client(server, inMemoryPersistence);
      const { user } = await createUserWithEmailAndPassword(auth, newEmail(), PASSWORD);
      await server.stop();
      const error = await refused(user.getIdToken(true), "auth/network-request-failed");
      equal(auth.currentUser?.uid, user.uid, "who is signed in");
      throw error;
    },
  },
  {
    code: "internal-error",
    how: "an empty custom token",
    provoke: ({ env }) => signInWithCustomToken(env.client(), ""),
  },
  {
    code: "user-mismatch",
    how: "reauthentication as another user",
    async provoke({ env }) {
      const [{ user }, stranger] = [await signUp(env), await signUp(env)];
      const credential = EmailAuthProvider.credential(stranger.email, PASSWORD);
      await reauthenticateWithCredential(user, credential);
    },
  },
  {
    // Google's service answers in this form, from which the SDK derives its error code.
    code: "api-key-not-valid.-please-pass-a-valid-api-key.",
    how: "another project's key",
    mode: "hardened",
    provoke: ({ env }) => {
      const auth = env.client();
      auth.config.apiKey = "another-key";
      return createUserWithEmailAndPassword(auth, newEmail(), PASSWORD);
    },
  },
  {
    code: "unsupported-tenant-operation",
    how: "a tenant that does not exist",
    mode: "hardened",
    async provoke({ env }) {
      const { auth, user } = await signUp(env);
      auth.tenantId = "somewhere";
      await sendEmailVerification(user);
    },
  },
  {
    code: "account-exists-with-different-credential",
    how: "a provider that has not verified the address",
    async provoke({ env }) {
      const person = newPerson();
      await signInWithCredential(env.client(), await google(env, person));
      await signInWithCredential(env.client(), await facebook(env, person));
    },
  },
  {
    code: "credential-already-in-use",
    how: "linking a provider's account that is linked",
    async provoke({ env }) {
      const person = newPerson();
      await signInWithCredential(env.client(), await google(env, person));
      const { user } = await signUp(env);
      await linkWithCredential(user, await google(env, person));
    },
  },
  {
    code: "invalid-credential",
    how: "a forged provider answer",
    provoke: ({ env }) =>
      signInWithCredential(env.client(), GoogleAuthProvider.credential("never")),
  },
  {
    code: "invalid-custom-token",
    how: "an invalid token",
    provoke: ({ env }) => signInWithCustomToken(env.client(), "never.made.this"),
  },
  {
    code: "invalid-user-token",
    how: "an invalid ID token",
    async provoke({ env }) {
      const { user } = await signUp(env);
      tokensOf(user).accessToken = "never.made.this";
      await reload(user);
    },
  },
  {
    code: "invalid-refresh-token",
    how: "an invalid refresh token",
    async provoke({ env }) {
      const { user } = await signUp(env);
      tokensOf(user).refreshToken = "never-made-this";
      await user.getIdToken(true);
    },
  },
  {
    code: "invalid-email",
    how: "an invalid address",
    provoke: ({ env }) => createUserWithEmailAndPassword(env.client(), "ann", PASSWORD),
  },
  {
    code: "missing-email",
    how: "no address",
    provoke: ({ env }) => createUserWithEmailAndPassword(env.client(), "", PASSWORD),
  },
  {
    code: "missing-password",
    how: "no password",
    provoke: ({ env }) => createUserWithEmailAndPassword(env.client(), newEmail(), ""),
  },
  {
    code: "weak-password",
    how: "a short password",
    provoke: ({ env }) => createUserWithEmailAndPassword(env.client(), newEmail(), "Aa1!x"),
  },
  {
    code: "password-does-not-meet-requirements",
    how: "a password without a special character",
    mode: "hardened",
    provoke: ({ env }) => createUserWithEmailAndPassword(env.client(), newEmail(), "Market11"),
  },
  {
    code: "operation-not-allowed",
    how: "an immediate change of address",
    mode: "hardened",
    async provoke({ env }) {
      await updateEmail((await signUp(env)).user, newEmail());
    },
  },
  {
    code: "invalid-phone-number",
    how: "an invalid number",
    provoke: ({ env }) => signInWithPhoneNumber(env.client(), "12345", verifier()),
  },
  {
    code: "code-expired",
    how: "the code of a text message after an hour",
    mode: "clock",
    async provoke({ env, advance }) {
      const number = newPhone();
      const asked = await signInWithPhoneNumber(env.client(), number, verifier());
      const code = await env.text(number);
      await advance(HOUR);
      await asked.confirm(code);
    },
  },
];

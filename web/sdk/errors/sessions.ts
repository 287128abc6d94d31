// What goes wrong with passwords, sessions and providers.
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
import { equal, refused } from "../check";
import { client } from "../client";
import { facebook, google, signUp, tokenAgesBy } from "../flows/steps";
import { verifier } from "../flows/verifier";
import { newEmail, newPerson, newPhone, OTHER_PASSWORD, PASSWORD } from "../people";
import type { Cause, Ground } from "./ground";
import { HOUR, MINUTE } from "./ground";

// The SDK keeps its tokens to itself; a test has to spoil them somehow.
type Tokens = { stsTokenManager: { accessToken: string; refreshToken: string } };
const tokensOf = (user: User) => (user as unknown as Tokens).stsTokenManager;

async function disable({ owner }: Ground, uid: string): Promise<void> {
  const { status } = await owner.call("/accounts:update", { localId: uid, disableUser: true });
  equal(status, 200, "the owner closes an account");
}

export const sessions: Cause[] = [
  {
    code: "email-already-in-use",
    how: "signing up twice",
    async provoke({ world }) {
      const { email } = await signUp(world);
      await createUserWithEmailAndPassword(world.client(), email, PASSWORD);
    },
  },
  {
    code: "wrong-password",
    how: "another password",
    mode: "emulator",
    async provoke({ world }) {
      const { email } = await signUp(world);
      await signInWithEmailAndPassword(world.client(), email, OTHER_PASSWORD);
    },
  },
  {
    code: "user-not-found",
    how: "an unknown address",
    mode: "emulator",
    provoke: ({ world }) => signInWithEmailAndPassword(world.client(), newEmail(), PASSWORD),
  },
  {
    code: "invalid-credential",
    how: "another password",
    mode: "hardened",
    async provoke({ world }) {
      const { email } = await signUp(world);
      await signInWithEmailAndPassword(world.client(), email, OTHER_PASSWORD);
    },
  },
  {
    code: "invalid-credential",
    how: "an unknown address",
    mode: "hardened",
    provoke: ({ world }) => signInWithEmailAndPassword(world.client(), newEmail(), PASSWORD),
  },
  {
    code: "too-many-requests",
    how: "guessing, after which the right password does not help either",
    mode: "hardened",
    async provoke({ world }) {
      const { email } = await signUp(world);
      const auth = world.client();
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
    async provoke({ world, advance }) {
      const { user } = await signUp(world);
      await advance(HOUR - MINUTE);
      await updatePassword(user, OTHER_PASSWORD);
    },
  },
  {
    code: "requires-recent-login",
    how: "deleting the account after an hour",
    mode: "clock",
    async provoke({ world, advance }) {
      const { user } = await signUp(world);
      await advance(HOUR - MINUTE);
      await deleteUser(user);
    },
  },
  {
    code: "user-disabled",
    how: "signing in to a closed account",
    async provoke(ground) {
      const { user, email } = await signUp(ground.world);
      await disable(ground, user.uid);
      await signInWithEmailAndPassword(ground.world.client(), email, PASSWORD);
    },
  },
  {
    code: "user-disabled",
    how: "an account closed meanwhile, which signs out",
    async provoke(ground) {
      const { auth, user } = await signUp(ground.world);
      await disable(ground, user.uid);
      const error = await refused(user.getIdToken(true), "auth/user-disabled");
      equal(auth.currentUser, null, "who is signed in");
      throw error;
    },
  },
  {
    code: "user-token-expired",
    how: "a password changed elsewhere, which signs out",
    async provoke({ world }) {
      const { auth, user, email } = await signUp(world);
      await tokenAgesBy(user, 1);
      const there = await signInWithEmailAndPassword(world.client(), email, PASSWORD);
      await updatePassword(there.user, OTHER_PASSWORD);
      const error = await refused(reload(user), "auth/user-token-expired");
      equal(auth.currentUser, null, "who is signed in");
      throw error;
    },
  },
  {
    code: "user-token-expired",
    how: "an account deleted elsewhere, which signs out",
    async provoke({ world }) {
      const { auth, user, email } = await signUp(world);
      const there = await signInWithEmailAndPassword(world.client(), email, PASSWORD);
      await deleteUser(there.user);
      const error = await refused(reload(user), "auth/user-token-expired");
      equal(auth.currentUser, null, "who is signed in");
      throw error;
    },
  },
  {
    code: "user-token-expired",
    how: "a token of more than an hour",
    mode: "clock",
    async provoke({ world, advance }) {
      const { user } = await signUp(world);
      await advance(HOUR + MINUTE);
      await reload(user);
    },
  },
  {
    code: "network-request-failed",
    how: "a server that has gone, which signs nobody out",
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
    provoke: ({ world }) => signInWithCustomToken(world.client(), ""),
  },
  {
    code: "user-mismatch",
    how: "once more as somebody else",
    async provoke({ world }) {
      const [{ user }, stranger] = [await signUp(world), await signUp(world)];
      const credential = EmailAuthProvider.credential(stranger.email, PASSWORD);
      await reauthenticateWithCredential(user, credential);
    },
  },
  {
    // Google's service answers in these words, and the SDK makes its name out of them.
    code: "api-key-not-valid.-please-pass-a-valid-api-key.",
    how: "the key of another project",
    mode: "hardened",
    provoke: ({ world }) => {
      const auth = world.client();
      auth.config.apiKey = "another-key";
      return createUserWithEmailAndPassword(auth, newEmail(), PASSWORD);
    },
  },
  {
    code: "unsupported-tenant-operation",
    how: "in the name of a tenant, of which there are none",
    mode: "hardened",
    async provoke({ world }) {
      const { auth, user } = await signUp(world);
      auth.tenantId = "somewhere";
      await sendEmailVerification(user);
    },
  },
  {
    code: "account-exists-with-different-credential",
    how: "a provider that has not verified the address",
    async provoke({ world }) {
      const person = newPerson();
      await signInWithCredential(world.client(), await google(world, person));
      await signInWithCredential(world.client(), await facebook(world, person));
    },
  },
  {
    code: "credential-already-in-use",
    how: "linking a provider's account that is linked",
    async provoke({ world }) {
      const person = newPerson();
      await signInWithCredential(world.client(), await google(world, person));
      const { user } = await signUp(world);
      await linkWithCredential(user, await google(world, person));
    },
  },
  {
    code: "invalid-credential",
    how: "what a provider never said",
    provoke: ({ world }) =>
      signInWithCredential(world.client(), GoogleAuthProvider.credential("never")),
  },
  {
    code: "invalid-custom-token",
    how: "a token that is none",
    provoke: ({ world }) => signInWithCustomToken(world.client(), "never.made.this"),
  },
  {
    code: "invalid-user-token",
    how: "an ID token that is none",
    async provoke({ world }) {
      const { user } = await signUp(world);
      tokensOf(user).accessToken = "never.made.this";
      await reload(user);
    },
  },
  {
    code: "invalid-refresh-token",
    how: "a refresh token that is none",
    async provoke({ world }) {
      const { user } = await signUp(world);
      tokensOf(user).refreshToken = "never-made-this";
      await user.getIdToken(true);
    },
  },
  {
    code: "invalid-email",
    how: "what is no address",
    provoke: ({ world }) => createUserWithEmailAndPassword(world.client(), "ann", PASSWORD),
  },
  {
    code: "missing-email",
    how: "no address",
    provoke: ({ world }) => createUserWithEmailAndPassword(world.client(), "", PASSWORD),
  },
  {
    code: "missing-password",
    how: "no password",
    provoke: ({ world }) => createUserWithEmailAndPassword(world.client(), newEmail(), ""),
  },
  {
    code: "weak-password",
    how: "a short password",
    provoke: ({ world }) => createUserWithEmailAndPassword(world.client(), newEmail(), "Aa1!x"),
  },
  {
    code: "password-does-not-meet-requirements",
    how: "a password without a special character",
    mode: "hardened",
    provoke: ({ world }) => createUserWithEmailAndPassword(world.client(), newEmail(), "Market11"),
  },
  {
    code: "operation-not-allowed",
    how: "a change of address at once",
    mode: "hardened",
    async provoke({ world }) {
      await updateEmail((await signUp(world)).user, newEmail());
    },
  },
  {
    code: "invalid-phone-number",
    how: "what is no number",
    provoke: ({ world }) => signInWithPhoneNumber(world.client(), "12345", verifier()),
  },
  {
    code: "code-expired",
    how: "the code of a text message after an hour",
    mode: "clock",
    async provoke({ world, advance }) {
      const number = newPhone();
      const asked = await signInWithPhoneNumber(world.client(), number, verifier());
      const code = await world.text(number);
      await advance(HOUR);
      await asked.confirm(code);
    },
  },
];

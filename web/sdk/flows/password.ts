// Accounts with a password: creation, changes, deletion.
import {
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  getAdditionalUserInfo,
  linkWithCredential,
  reauthenticateWithCredential,
  reload,
  signInAnonymously,
  signInWithEmailAndPassword,
  signOut,
  updatePassword,
  updateProfile,
} from "firebase/auth";
import { equal, holds, refused } from "../assert";
import type { Flow } from "../environment";
import { newEmail, OTHER_PASSWORD, PASSWORD } from "../users";
import { noMatch, signUp, tokenAgesBy } from "./steps";

export const password: Flow[] = [
  {
    name: "sign up",
    async run(env) {
      const auth = env.client();
      const email = newEmail("Ann.Upper");
      const made = await createUserWithEmailAndPassword(auth, email, PASSWORD);
      const { user } = made;
      equal(auth.currentUser?.uid, user.uid, "who is signed in");
      equal(user.email, email.toLowerCase(), "address");
      equal([user.emailVerified, user.isAnonymous], [false, false], "verified, anonymous");
      equal(
        user.providerData.map(({ providerId, uid }) => [providerId, uid]),
        [["password", email.toLowerCase()]],
        "providers",
      );
      equal([made.operationType, made.providerId], ["signIn", null], "operation");
      equal(getAdditionalUserInfo(made)?.isNewUser, true, "new");
      const age = Date.now() - Date.parse(user.metadata.creationTime ?? "");
      holds(age > -5_000 && age < 60_000, `made just now: ${user.metadata.creationTime}`);
    },
  },
  {
    name: "sign in and out",
    async run(env) {
      const { auth, user, email } = await signUp(env);
      await signOut(auth);
      equal(auth.currentUser, null, "who is signed in");
      const back = await signInWithEmailAndPassword(auth, email, PASSWORD);
      equal(back.user.uid, user.uid, "who came back");
      equal(getAdditionalUserInfo(back)?.isNewUser, false, "new");
      const elsewhere = await signInWithEmailAndPassword(
        env.client(),
        email.toUpperCase(),
        PASSWORD,
      );
      equal(elsewhere.user.uid, user.uid, "who came by the address in capitals");
    },
  },
  {
    name: "an address has one account",
    async run(env) {
      const { email } = await signUp(env);
      const auth = env.client();
      await refused(
        createUserWithEmailAndPassword(auth, email, OTHER_PASSWORD),
        "auth/email-already-in-use",
      );
      equal(auth.currentUser, null, "who is signed in");
    },
  },
  {
    name: "a wrong password and an unknown address",
    async run(env) {
      const { email } = await signUp(env);
      const auth = env.client();
      const [wrong, unknown] = noMatch(env.mode);
      await refused(signInWithEmailAndPassword(auth, email, OTHER_PASSWORD), wrong);
      await refused(signInWithEmailAndPassword(auth, newEmail(), PASSWORD), unknown);
      equal(auth.currentUser, null, "who is signed in");
    },
  },
  {
    name: "an invalid address or password",
    async run(env) {
      const auth = env.client();
      await refused(createUserWithEmailAndPassword(auth, "ann", PASSWORD), "auth/invalid-email");
      await refused(createUserWithEmailAndPassword(auth, "", PASSWORD), "auth/missing-email");
      await refused(createUserWithEmailAndPassword(auth, newEmail(), ""), "auth/missing-password");
      await refused(createUserWithEmailAndPassword(auth, newEmail(), "abc"), "auth/weak-password");
    },
  },
  {
    name: "an anonymous account gets a password",
    async run(env) {
      const auth = env.client();
      const { user } = await signInAnonymously(auth);
      const { uid } = user;
      equal([user.isAnonymous, user.email, user.providerData.length], [true, null, 0], "before");
      const before = await user.getIdTokenResult();
      equal(before.signInProvider, "anonymous", "signed in by");

      const taken = await signUp(env);
      await refused(
        linkWithCredential(user, EmailAuthProvider.credential(taken.email, PASSWORD)),
        "auth/email-already-in-use",
      );
      const email = newEmail();
      const linked = await linkWithCredential(user, EmailAuthProvider.credential(email, PASSWORD));
      equal(linked.operationType, "link", "operation");
      equal([linked.user.uid, linked.user.email], [uid, email], "who it is now");
      equal(linked.user.isAnonymous, false, "anonymous");
      const back = await signInWithEmailAndPassword(env.client(), email, PASSWORD);
      equal([back.user.uid, back.user.isAnonymous], [uid, false], "who comes back");
      await refused(
        linkWithCredential(user, EmailAuthProvider.credential(newEmail(), PASSWORD)),
        "auth/provider-already-linked",
      );
    },
  },
  {
    name: "a name and a picture",
    async run(env) {
      const { user, email } = await signUp(env);
      await updateProfile(user, { displayName: "Ann", photoURL: "https://example.com/ann.png" });
      equal([user.displayName, user.photoURL], ["Ann", "https://example.com/ann.png"], "here");
      const there = (await signInWithEmailAndPassword(env.client(), email, PASSWORD)).user;
      equal([there.displayName, there.photoURL], ["Ann", "https://example.com/ann.png"], "there");
      const { claims } = await there.getIdTokenResult();
      equal([claims.name, claims.picture], ["Ann", "https://example.com/ann.png"], "in the token");
      await updateProfile(there, { displayName: "Ann Das" });
      await reload(user);
      equal(user.displayName, "Ann Das", "here, after a reload");
      equal(user.photoURL, "https://example.com/ann.png", "the picture that was not named");
    },
  },
  {
    name: "a new password",
    async run(env) {
      const { auth, user, email } = await signUp(env);
      const elsewhere = env.client();
      const other = (await signInWithEmailAndPassword(elsewhere, email, PASSWORD)).user;
      await tokenAgesBy(other, 1);
      await updatePassword(user, OTHER_PASSWORD);
      // The session that changed it stays.
      await reload(user);
      equal(auth.currentUser?.uid, user.uid, "who is signed in");
      // All others are ended.
      await refused(reload(other), "auth/user-token-expired");
      equal(elsewhere.currentUser, null, "who is signed in elsewhere");
      const [wrong] = noMatch(env.mode);
      await refused(signInWithEmailAndPassword(elsewhere, email, PASSWORD), wrong);
      const back = await signInWithEmailAndPassword(elsewhere, email, OTHER_PASSWORD);
      equal(back.user.uid, user.uid, "who comes back");
    },
  },
  {
    name: "a new password revokes earlier refresh tokens, in the same second too",
    mode: "hardened",
    async run(env) {
      const { user, email } = await signUp(env);
      const elsewhere = env.client();
      const other = (await signInWithEmailAndPassword(elsewhere, email, PASSWORD)).user;
      await updatePassword(user, OTHER_PASSWORD);
      await refused(other.getIdToken(true), "auth/user-token-expired");
      equal(elsewhere.currentUser, null, "who is signed in elsewhere");
      await user.getIdToken(true);
    },
  },
  {
    name: "reauthentication with the password",
    async run(env) {
      const { user, email } = await signUp(env);
      const stranger = await signUp(env);
      const [wrong] = noMatch(env.mode);
      const again = await reauthenticateWithCredential(
        user,
        EmailAuthProvider.credential(email, PASSWORD),
      );
      equal([again.operationType, again.user.uid], ["reauthenticate", user.uid], "who it is");
      await refused(
        reauthenticateWithCredential(user, EmailAuthProvider.credential(email, OTHER_PASSWORD)),
        wrong,
      );
      await refused(
        reauthenticateWithCredential(user, EmailAuthProvider.credential(stranger.email, PASSWORD)),
        "auth/user-mismatch",
      );
    },
  },
  {
    name: "an account is deleted",
    async run(env) {
      const { auth, user, email } = await signUp(env);
      const elsewhere = env.client();
      const other = (await signInWithEmailAndPassword(elsewhere, email, PASSWORD)).user;
      await deleteUser(user);
      equal(auth.currentUser, null, "who is signed in");
      const [, unknown] = noMatch(env.mode);
      await refused(signInWithEmailAndPassword(auth, email, PASSWORD), unknown);
      await refused(reload(other), "auth/user-token-expired");
      equal(elsewhere.currentUser, null, "who is signed in elsewhere");
      const again = await createUserWithEmailAndPassword(auth, email, PASSWORD);
      holds(again.user.uid !== user.uid, "the address is free for somebody new");
    },
  },
];

// Accounts with a password: coming, changing, going.
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
import { equal, holds, refused } from "../check";
import { newEmail, OTHER_PASSWORD, PASSWORD } from "../people";
import type { Flow } from "../world";
import { noMatch, signUp, tokenAgesBy } from "./steps";

export const password: Flow[] = [
  {
    name: "sign up",
    async run(world) {
      const auth = world.client();
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
    async run(world) {
      const { auth, user, email } = await signUp(world);
      await signOut(auth);
      equal(auth.currentUser, null, "who is signed in");
      const back = await signInWithEmailAndPassword(auth, email, PASSWORD);
      equal(back.user.uid, user.uid, "who came back");
      equal(getAdditionalUserInfo(back)?.isNewUser, false, "new");
      const elsewhere = await signInWithEmailAndPassword(
        world.client(),
        email.toUpperCase(),
        PASSWORD,
      );
      equal(elsewhere.user.uid, user.uid, "who came by the address in capitals");
    },
  },
  {
    name: "an address has one account",
    async run(world) {
      const { email } = await signUp(world);
      const auth = world.client();
      await refused(
        createUserWithEmailAndPassword(auth, email, OTHER_PASSWORD),
        "auth/email-already-in-use",
      );
      equal(auth.currentUser, null, "who is signed in");
    },
  },
  {
    name: "a wrong password and an unknown address",
    async run(world) {
      const { email } = await signUp(world);
      const auth = world.client();
      const [wrong, unknown] = noMatch(world.mode);
      await refused(signInWithEmailAndPassword(auth, email, OTHER_PASSWORD), wrong);
      await refused(signInWithEmailAndPassword(auth, newEmail(), PASSWORD), unknown);
      equal(auth.currentUser, null, "who is signed in");
    },
  },
  {
    name: "what is no address or no password",
    async run(world) {
      const auth = world.client();
      await refused(createUserWithEmailAndPassword(auth, "ann", PASSWORD), "auth/invalid-email");
      await refused(createUserWithEmailAndPassword(auth, "", PASSWORD), "auth/missing-email");
      await refused(createUserWithEmailAndPassword(auth, newEmail(), ""), "auth/missing-password");
      await refused(createUserWithEmailAndPassword(auth, newEmail(), "abc"), "auth/weak-password");
    },
  },
  {
    name: "anonymous first, then with a password",
    async run(world) {
      const auth = world.client();
      const { user } = await signInAnonymously(auth);
      const { uid } = user;
      equal([user.isAnonymous, user.email, user.providerData.length], [true, null, 0], "before");
      const before = await user.getIdTokenResult();
      equal(before.signInProvider, "anonymous", "signed in by");

      const taken = await signUp(world);
      await refused(
        linkWithCredential(user, EmailAuthProvider.credential(taken.email, PASSWORD)),
        "auth/email-already-in-use",
      );
      const email = newEmail();
      const linked = await linkWithCredential(user, EmailAuthProvider.credential(email, PASSWORD));
      equal(linked.operationType, "link", "operation");
      equal([linked.user.uid, linked.user.email], [uid, email], "who it is now");
      equal(linked.user.isAnonymous, false, "anonymous");
      const back = await signInWithEmailAndPassword(world.client(), email, PASSWORD);
      equal([back.user.uid, back.user.isAnonymous], [uid, false], "who comes back");
      await refused(
        linkWithCredential(user, EmailAuthProvider.credential(newEmail(), PASSWORD)),
        "auth/provider-already-linked",
      );
    },
  },
  {
    name: "a name and a picture",
    async run(world) {
      const { user, email } = await signUp(world);
      await updateProfile(user, { displayName: "Ann", photoURL: "https://example.com/ann.png" });
      equal([user.displayName, user.photoURL], ["Ann", "https://example.com/ann.png"], "here");
      const there = (await signInWithEmailAndPassword(world.client(), email, PASSWORD)).user;
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
    async run(world) {
      const { auth, user, email } = await signUp(world);
      const elsewhere = world.client();
      const other = (await signInWithEmailAndPassword(elsewhere, email, PASSWORD)).user;
      await tokenAgesBy(other, 1);
      await updatePassword(user, OTHER_PASSWORD);
      // Whoever changed it goes on.
      await reload(user);
      equal(auth.currentUser?.uid, user.uid, "who is signed in");
      // All others are out.
      await refused(reload(other), "auth/user-token-expired");
      equal(elsewhere.currentUser, null, "who is signed in elsewhere");
      const [wrong] = noMatch(world.mode);
      await refused(signInWithEmailAndPassword(elsewhere, email, PASSWORD), wrong);
      const back = await signInWithEmailAndPassword(elsewhere, email, OTHER_PASSWORD);
      equal(back.user.uid, user.uid, "who comes back");
    },
  },
  {
    name: "a new password ends the refresh tokens of before, in the same second too",
    mode: "hardened",
    async run(world) {
      const { user, email } = await signUp(world);
      const elsewhere = world.client();
      const other = (await signInWithEmailAndPassword(elsewhere, email, PASSWORD)).user;
      await updatePassword(user, OTHER_PASSWORD);
      await refused(other.getIdToken(true), "auth/user-token-expired");
      equal(elsewhere.currentUser, null, "who is signed in elsewhere");
      await user.getIdToken(true);
    },
  },
  {
    name: "once more with the password",
    async run(world) {
      const { user, email } = await signUp(world);
      const stranger = await signUp(world);
      const [wrong] = noMatch(world.mode);
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
    name: "an account deleted",
    async run(world) {
      const { auth, user, email } = await signUp(world);
      const elsewhere = world.client();
      const other = (await signInWithEmailAndPassword(elsewhere, email, PASSWORD)).user;
      await deleteUser(user);
      equal(auth.currentUser, null, "who is signed in");
      const [, unknown] = noMatch(world.mode);
      await refused(signInWithEmailAndPassword(auth, email, PASSWORD), unknown);
      await refused(reload(other), "auth/user-token-expired");
      equal(elsewhere.currentUser, null, "who is signed in elsewhere");
      const again = await createUserWithEmailAndPassword(auth, email, PASSWORD);
      holds(again.user.uid !== user.uid, "the address is free for somebody new");
    },
  },
];

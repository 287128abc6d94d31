// What the links in letters do.
import {
  ActionCodeURL,
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  EmailAuthProvider,
  getAdditionalUserInfo,
  isSignInWithEmailLink,
  linkWithCredential,
  reload,
  sendEmailVerification,
  sendPasswordResetEmail,
  sendSignInLinkToEmail,
  signInAnonymously,
  signInWithEmailAndPassword,
  signInWithEmailLink,
  updateEmail,
  verifyBeforeUpdateEmail,
  verifyPasswordResetCode,
} from "firebase/auth";
import { equal, holds, refused } from "../check";
import { newEmail, OTHER_PASSWORD, PASSWORD } from "../people";
import type { Flow, World } from "../world";
import { codeOf, noMatch, signUp, signUpVerified, tokenAgesBy } from "./steps";

const next = (world: World) => ({ url: `${world.url}/next?from=letter`, handleCodeInApp: true });

export const letters: Flow[] = [
  {
    name: "an address is confirmed, once",
    async run(world) {
      const { auth, user, email } = await signUp(world);
      await sendEmailVerification(user, next(world));
      const link = await world.link(email, "verifyEmail");
      const parsed = ActionCodeURL.parseLink(link);
      equal(
        [parsed?.operation, parsed?.continueUrl],
        ["VERIFY_EMAIL", next(world).url],
        "the link",
      );
      const code = codeOf(link);
      const seen = await checkActionCode(auth, code);
      equal([seen.operation, seen.data.email], ["VERIFY_EMAIL", email], "a look at it");
      equal(user.emailVerified, false, "confirmed, before");
      await applyActionCode(auth, code);
      await reload(user);
      equal(user.emailVerified, true, "confirmed, after");
      await user.getIdToken(true);
      equal((await user.getIdTokenResult()).claims.email_verified, true, "in the token");
      await refused(applyActionCode(auth, code), "auth/invalid-action-code");
      await refused(checkActionCode(auth, code), "auth/invalid-action-code");
    },
  },
  {
    name: "a forgotten password",
    async run(world) {
      const { auth, user, email } = await signUp(world);
      const other = world.client();
      await sendPasswordResetEmail(other, email, next(world));
      const link = await world.link(email, "resetPassword");
      equal(ActionCodeURL.parseLink(link)?.continueUrl, next(world).url, "where it goes on");
      const code = codeOf(link);
      equal(await verifyPasswordResetCode(other, code), email, "whose it is");
      equal((await checkActionCode(other, code)).operation, "PASSWORD_RESET", "what it is for");
      // An emulator names the code's purpose instead, in no words of the protocol.
      if (world.mode === "hardened") {
        await refused(applyActionCode(other, code), "auth/invalid-action-code");
      }
      await refused(confirmPasswordReset(other, code, "abc"), "auth/weak-password");
      await tokenAgesBy(user, 1);
      await confirmPasswordReset(other, code, OTHER_PASSWORD);
      await refused(confirmPasswordReset(other, code, PASSWORD), "auth/invalid-action-code");
      const [wrong] = noMatch(world.mode);
      await refused(signInWithEmailAndPassword(other, email, PASSWORD), wrong);
      const back = (await signInWithEmailAndPassword(other, email, OTHER_PASSWORD)).user;
      equal([back.uid, back.emailVerified], [user.uid, true], "who comes back");
      // The session of before is over.
      await refused(reload(user), "auth/user-token-expired");
      equal(auth.currentUser, null, "who is signed in");
    },
  },
  {
    name: "a forgotten password of nobody",
    async run(world) {
      const [auth, email] = [world.client(), newEmail()];
      const asked = sendPasswordResetEmail(auth, email);
      // Saying so would tell who has an account.
      await (world.mode === "hardened" ? asked : refused(asked, "auth/user-not-found"));
    },
  },
  {
    name: "a link signs in whoever knows its address, once",
    async run(world) {
      const [auth, email] = [world.client(), newEmail()];
      await sendSignInLinkToEmail(auth, email, next(world));
      const link = await world.link(email, "signIn");
      equal(isSignInWithEmailLink(auth, link), true, "a link to sign in");
      equal(isSignInWithEmailLink(auth, "http://localhost/"), false, "another link");
      await refused(signInWithEmailLink(auth, newEmail(), link), "auth/invalid-email");
      const made = await signInWithEmailLink(auth, email, link);
      equal([made.user.email, made.user.emailVerified], [email, true], "who it is");
      equal(getAdditionalUserInfo(made)?.isNewUser, true, "new");
      await refused(signInWithEmailLink(world.client(), email, link), "auth/invalid-action-code");
      const again = await byLink(world, email);
      equal([again.uid, again.isAnonymous], [made.user.uid, false], "who comes back");
    },
  },
  {
    name: "anonymous first, then with a link",
    async run(world) {
      const [auth, email] = [world.client(), newEmail()];
      const { user } = await signInAnonymously(auth);
      const { uid } = user;
      await sendSignInLinkToEmail(auth, email, next(world));
      const credential = EmailAuthProvider.credentialWithLink(
        email,
        await world.link(email, "signIn"),
      );
      const linked = await linkWithCredential(user, credential);
      equal(
        [linked.user.uid, linked.user.email, linked.user.emailVerified],
        [uid, email, true],
        "who it is now",
      );
      equal((await byLink(world, email)).uid, uid, "who comes back");
    },
  },
  {
    name: "a new address is confirmed before it counts, and the change can be undone",
    async run(world) {
      const { auth, user, email } = await signUpVerified(world);
      const wanted = newEmail("new");
      const taken = await signUp(world);
      // Whether an address is taken is told to nobody who is careful.
      const asked = verifyBeforeUpdateEmail(user, taken.email);
      await (world.mode === "hardened"
        ? asked.catch((error: { code: string }) =>
            equal(error.code, "auth/email-already-in-use", "an address that is taken"),
          )
        : refused(asked, "auth/email-already-in-use"));

      await verifyBeforeUpdateEmail(user, wanted);
      const code = codeOf(await world.link(wanted, "verifyAndChangeEmail"));
      const { operation, data } = await checkActionCode(auth, code);
      equal(operation, "VERIFY_AND_CHANGE_EMAIL", "what it is for");
      equal([data.email, data.previousEmail], [wanted, email], "to and from");
      equal(user.email, email, "the address, before");
      await applyActionCode(auth, code);
      const changed = (await signInWithEmailAndPassword(auth, wanted, PASSWORD)).user;
      equal([changed.uid, changed.emailVerified], [user.uid, true], "who comes by the new one");
      const [, unknown] = noMatch(world.mode);
      await refused(signInWithEmailAndPassword(world.client(), email, PASSWORD), unknown);

      // An emulator writes to the old address only when the change was made at once.
      if (world.mode === "emulator") return;
      const undo = codeOf(await world.link(email, "recoverEmail"));
      const look = await checkActionCode(auth, undo);
      equal([look.operation, look.data.email], ["RECOVER_EMAIL", email], "a look at the undoing");
      await applyActionCode(auth, undo);
      // Whoever changed it knew the password, so it opens nothing any more; a letter offers a new one.
      await refused(signInWithEmailAndPassword(world.client(), email, PASSWORD), unknown);
      const reset = codeOf(await world.link(email, "resetPassword"));
      await confirmPasswordReset(auth, reset, "Another1!");
      const back = (await signInWithEmailAndPassword(auth, email, "Another1!")).user;
      equal(back.uid, user.uid, "who comes by the old one");
      await refused(applyActionCode(auth, undo), "auth/invalid-action-code");
    },
  },
  {
    name: "an address is changed at once, and the change can be undone",
    mode: "emulator",
    async run(world) {
      const { auth, user, email } = await signUpVerified(world);
      const wanted = newEmail("new");
      await updateEmail(user, wanted);
      equal([user.email, user.emailVerified], [wanted, false], "the address now");
      await applyActionCode(auth, codeOf(await world.link(email, "recoverEmail")));
      const back = (await signInWithEmailAndPassword(auth, email, PASSWORD)).user;
      equal([back.uid, back.emailVerified], [user.uid, true], "who comes by the old one");
    },
  },
  {
    name: "an address is not changed without its letter",
    mode: "hardened",
    async run(world) {
      const { user, email } = await signUpVerified(world);
      await refused(updateEmail(user, newEmail("new")), "auth/operation-not-allowed");
      await reload(user);
      equal(user.email, email, "the address");
    },
  },
  {
    name: "codes that are none",
    async run(world) {
      const auth = world.client();
      await refused(applyActionCode(auth, "none"), "auth/invalid-action-code");
      await refused(checkActionCode(auth, "none"), "auth/invalid-action-code");
      await refused(verifyPasswordResetCode(auth, "none"), "auth/invalid-action-code");
      await refused(confirmPasswordReset(auth, "none", PASSWORD), "auth/invalid-action-code");
      const link = "http://localhost/?mode=signIn&oobCode=none&apiKey=any";
      await refused(signInWithEmailLink(auth, newEmail(), link), "auth/invalid-action-code");
      holds(auth.currentUser === null, "nobody is signed in");
    },
  },
];

async function byLink(world: World, email: string) {
  const auth = world.client();
  await sendSignInLinkToEmail(auth, email, next(world));
  return (await signInWithEmailLink(auth, email, await world.link(email, "signIn"))).user;
}

// E-mail action links.
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
import { equal, holds, refused } from "../assert";
import type { Environment, Flow } from "../environment";
import { newEmail, OTHER_PASSWORD, PASSWORD } from "../users";
import { codeOf, noMatch, signUp, signUpVerified, tokenAgesBy } from "./steps";

const next = (env: Environment) => ({ url: `${env.url}/next?from=email`, handleCodeInApp: true });

export const emailLinks: Flow[] = [
  {
    name: "an address is verified, once",
    async run(env) {
      const { auth, user, email } = await signUp(env);
      await sendEmailVerification(user, next(env));
      const link = await env.link(email, "verifyEmail");
      const parsed = ActionCodeURL.parseLink(link);
      equal([parsed?.operation, parsed?.continueUrl], ["VERIFY_EMAIL", next(env).url], "the link");
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
    name: "a password reset",
    async run(env) {
      const { auth, user, email } = await signUp(env);
      const other = env.client();
      await sendPasswordResetEmail(other, email, next(env));
      const link = await env.link(email, "resetPassword");
      equal(ActionCodeURL.parseLink(link)?.continueUrl, next(env).url, "where it goes on");
      const code = codeOf(link);
      equal(await verifyPasswordResetCode(other, code), email, "whose it is");
      equal((await checkActionCode(other, code)).operation, "PASSWORD_RESET", "what it is for");
      // An emulator names the code's purpose in words of its own.
      if (env.mode === "hardened") {
        await refused(applyActionCode(other, code), "auth/invalid-action-code");
      }
      await refused(confirmPasswordReset(other, code, "abc"), "auth/weak-password");
      await tokenAgesBy(user, 1);
      await confirmPasswordReset(other, code, OTHER_PASSWORD);
      await refused(confirmPasswordReset(other, code, PASSWORD), "auth/invalid-action-code");
      const [wrong] = noMatch(env.mode);
      await refused(signInWithEmailAndPassword(other, email, PASSWORD), wrong);
      const back = (await signInWithEmailAndPassword(other, email, OTHER_PASSWORD)).user;
      equal([back.uid, back.emailVerified], [user.uid, true], "who comes back");
      // The earlier session has ended.
      await refused(reload(user), "auth/user-token-expired");
      equal(auth.currentUser, null, "who is signed in");
    },
  },
  {
    name: "a password reset for an unknown address",
    async run(env) {
      const [auth, email] = [env.client(), newEmail()];
      const asked = sendPasswordResetEmail(auth, email);
      // A different answer would reveal who has an account.
      await (env.mode === "hardened" ? asked : refused(asked, "auth/user-not-found"));
    },
  },
  {
    name: "a link signs in whoever knows its address, once",
    async run(env) {
      const [auth, email] = [env.client(), newEmail()];
      await sendSignInLinkToEmail(auth, email, next(env));
      const link = await env.link(email, "signIn");
      equal(isSignInWithEmailLink(auth, link), true, "a link to sign in");
      equal(isSignInWithEmailLink(auth, "http://localhost/"), false, "another link");
      await refused(signInWithEmailLink(auth, newEmail(), link), "auth/invalid-email");
      const made = await signInWithEmailLink(auth, email, link);
      equal([made.user.email, made.user.emailVerified], [email, true], "who it is");
      equal(getAdditionalUserInfo(made)?.isNewUser, true, "new");
      await refused(signInWithEmailLink(env.client(), email, link), "auth/invalid-action-code");
      const again = await byLink(env, email);
      equal([again.uid, again.isAnonymous], [made.user.uid, false], "who comes back");
    },
  },
  {
    name: "an anonymous account is linked by an e-mail link",
    async run(env) {
      const [auth, email] = [env.client(), newEmail()];
      const { user } = await signInAnonymously(auth);
      const { uid } = user;
      await sendSignInLinkToEmail(auth, email, next(env));
      const credential = EmailAuthProvider.credentialWithLink(
        email,
        await env.link(email, "signIn"),
      );
      const linked = await linkWithCredential(user, credential);
      equal(
        [linked.user.uid, linked.user.email, linked.user.emailVerified],
        [uid, email, true],
        "who it is now",
      );
      equal((await byLink(env, email)).uid, uid, "who comes back");
    },
  },
  {
    name: "a new address is verified before it is used, and the change can be undone",
    async run(env) {
      const { auth, user, email } = await signUpVerified(env);
      const wanted = newEmail("new");
      const taken = await signUp(env);
      // A hardened server does not reveal whether an address is taken.
      const asked = verifyBeforeUpdateEmail(user, taken.email);
      await (env.mode === "hardened"
        ? asked.catch((error: { code: string }) =>
            equal(error.code, "auth/email-already-in-use", "an address that is taken"),
          )
        : refused(asked, "auth/email-already-in-use"));

      await verifyBeforeUpdateEmail(user, wanted);
      const code = codeOf(await env.link(wanted, "verifyAndChangeEmail"));
      const { operation, data } = await checkActionCode(auth, code);
      equal(operation, "VERIFY_AND_CHANGE_EMAIL", "what it is for");
      equal([data.email, data.previousEmail], [wanted, email], "to and from");
      equal(user.email, email, "the address, before");
      await applyActionCode(auth, code);
      const changed = (await signInWithEmailAndPassword(auth, wanted, PASSWORD)).user;
      equal([changed.uid, changed.emailVerified], [user.uid, true], "who comes by the new one");
      const [, unknown] = noMatch(env.mode);
      await refused(signInWithEmailAndPassword(env.client(), email, PASSWORD), unknown);

      // An emulator writes to the old address only for an immediate change.
      if (env.mode === "emulator") return;
      const undo = codeOf(await env.link(email, "recoverEmail"));
      const look = await checkActionCode(auth, undo);
      equal([look.operation, look.data.email], ["RECOVER_EMAIL", email], "a look at the undoing");
      await applyActionCode(auth, undo);
      // Whoever changed it knew the password, so it is removed; an e-mail offers a new one.
      await refused(signInWithEmailAndPassword(env.client(), email, PASSWORD), unknown);
      const reset = codeOf(await env.link(email, "resetPassword"));
      await confirmPasswordReset(auth, reset, "Another1!");
      const back = (await signInWithEmailAndPassword(auth, email, "Another1!")).user;
      equal(back.uid, user.uid, "who comes by the old one");
      await refused(applyActionCode(auth, undo), "auth/invalid-action-code");
    },
  },
  {
    name: "an address is changed at once, and the change can be undone",
    mode: "emulator",
    async run(env) {
      const { auth, user, email } = await signUpVerified(env);
      const wanted = newEmail("new");
      await updateEmail(user, wanted);
      equal([user.email, user.emailVerified], [wanted, false], "the address now");
      await applyActionCode(auth, codeOf(await env.link(email, "recoverEmail")));
      const back = (await signInWithEmailAndPassword(auth, email, PASSWORD)).user;
      equal([back.uid, back.emailVerified], [user.uid, true], "who comes by the old one");
    },
  },
  {
    name: "an address is not changed without an e-mail",
    mode: "hardened",
    async run(env) {
      const { user, email } = await signUpVerified(env);
      await refused(updateEmail(user, newEmail("new")), "auth/operation-not-allowed");
      await reload(user);
      equal(user.email, email, "the address");
    },
  },
  {
    name: "invalid codes",
    async run(env) {
      const auth = env.client();
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

async function byLink(env: Environment, email: string) {
  const auth = env.client();
  await sendSignInLinkToEmail(auth, email, next(env));
  return (await signInWithEmailLink(auth, email, await env.link(email, "signIn"))).user;
}

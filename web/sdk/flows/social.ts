// Sign-in with Google or Facebook.
import {
  EmailAuthProvider,
  FacebookAuthProvider,
  fetchSignInMethodsForEmail,
  GoogleAuthProvider,
  getAdditionalUserInfo,
  linkWithCredential,
  reauthenticateWithCredential,
  signInAnonymously,
  signInWithCredential,
  signInWithEmailAndPassword,
  type User,
  unlink,
} from "firebase/auth";
import { equal, holds, refused } from "../assert";
import type { Flow } from "../environment";
import { newEmail, newPerson, PASSWORD } from "../users";
import { facebook, google, noMatch, signUp, signUpVerified } from "./steps";

const providers = (user: User) => user.providerData.map(({ providerId }) => providerId).sort();

export const social: Flow[] = [
  {
    name: "with Google",
    async run(env) {
      const person = newPerson();
      const made = await signInWithCredential(env.client(), await google(env, person));
      const { user } = made;
      equal([user.email, user.emailVerified], [person.email, true], "who it is");
      equal([user.displayName, user.isAnonymous], [person.name, false], "by what name");
      equal(providers(user), ["google.com"], "providers");
      holds(Boolean(user.providerData[0]?.uid), "Google's own name for them is kept");
      const more = getAdditionalUserInfo(made);
      equal([more?.isNewUser, more?.providerId], [true, "google.com"], "more");
      equal(more?.profile?.email, person.email, "what Google says");
      const { claims, signInProvider } = await user.getIdTokenResult();
      equal([signInProvider, claims.name], ["google.com", person.name], "the token");
      const again = await signInWithCredential(env.client(), await google(env, person));
      equal(again.user.uid, user.uid, "who comes back");
      equal(getAdditionalUserInfo(again)?.isNewUser, false, "new, the second time");
    },
  },
  {
    name: "with Facebook, which verifies no address",
    async run(env) {
      const person = newPerson();
      const { user } = await signInWithCredential(env.client(), await facebook(env, person));
      equal([user.email, user.emailVerified], [person.email, false], "who it is");
      equal(providers(user), ["facebook.com"], "providers");
      const again = await signInWithCredential(env.client(), await facebook(env, person));
      equal(again.user.uid, user.uid, "who comes back");
    },
  },
  {
    name: "reauthentication with Google",
    async run(env) {
      const person = newPerson();
      const { user } = await signInWithCredential(env.client(), await google(env, person));
      const again = await reauthenticateWithCredential(user, await google(env, person));
      equal([again.operationType, again.user.uid], ["reauthenticate", user.uid], "who it is");
      await refused(
        reauthenticateWithCredential(user, await google(env, newPerson())),
        "auth/user-mismatch",
      );
    },
  },
  {
    name: "linked to an account with a password, and unlinked",
    async run(env) {
      const { user } = await signUp(env);
      const person = newPerson();
      const linked = await linkWithCredential(user, await google(env, person));
      equal(providers(linked.user), ["google.com", "password"], "providers");
      const back = await signInWithCredential(env.client(), await google(env, person));
      equal(back.user.uid, user.uid, "who comes by Google");
      const stranger = await signUp(env);
      await refused(
        linkWithCredential(stranger.user, await google(env, person)),
        "auth/credential-already-in-use",
      );
      equal(providers(await unlink(user, "google.com")), ["password"], "providers, after");
      await refused(unlink(user, "google.com"), "auth/no-such-provider");
      const other = await signInWithCredential(env.client(), await google(env, person));
      holds(other.user.uid !== user.uid, "Google's word leads to somebody new");
    },
  },
  {
    name: "a password is unlinked where there is another sign-in method",
    async run(env) {
      const person = newPerson();
      const { user } = await signInWithCredential(env.client(), await google(env, person));
      const taken = (await signUp(env)).email;
      await refused(
        linkWithCredential(user, EmailAuthProvider.credential(taken, PASSWORD)),
        "auth/email-already-in-use",
      );
      const { email } = person;
      // Google's emulator treats the user's own address as somebody else's.
      const own = env.mode === "hardened" ? email : newEmail();
      await linkWithCredential(user, EmailAuthProvider.credential(own, PASSWORD));
      equal(providers(user), ["google.com", "password"], "providers");
      await signInWithEmailAndPassword(env.client(), own, PASSWORD);
      await unlink(user, "password");
      await refused(signInWithEmailAndPassword(env.client(), own, PASSWORD), ...noMatch(env.mode));
      const back = await signInWithCredential(env.client(), await google(env, person));
      equal(back.user.uid, user.uid, "who comes by Google");
    },
  },
  {
    name: "an anonymous account is linked to Google",
    async run(env) {
      const { user } = await signInAnonymously(env.client());
      const { uid } = user;
      const person = newPerson();
      const linked = await linkWithCredential(user, await google(env, person));
      equal(
        [linked.user.uid, linked.user.isAnonymous, linked.user.email],
        [uid, false, person.email],
        "who it is now",
      );
    },
  },
  {
    name: "an address that has an account, and a provider that has not verified it",
    async run(env) {
      const person = newPerson();
      await signInWithCredential(env.client(), await google(env, person));
      const auth = env.client();
      const error = await refused(
        signInWithCredential(auth, await facebook(env, person)),
        "auth/account-exists-with-different-credential",
      );
      const { customData } = error as unknown as { customData?: { email?: string } };
      equal(customData?.email, person.email, "whose");
      equal(auth.currentUser, null, "who is signed in");
    },
  },
  {
    name: "an address that only the provider has verified",
    async run(env) {
      const { user, email } = await signUp(env);
      const merged = await signInWithCredential(
        env.client(),
        await google(env, { email, name: "Ann" }),
      );
      equal([merged.user.uid, merged.user.emailVerified], [user.uid, true], "the same account");
      // Whoever chose the password had not verified the address.
      equal(providers(merged.user), ["google.com"], "providers");
      const [wrong] = noMatch(env.mode);
      await refused(signInWithEmailAndPassword(env.client(), email, PASSWORD), wrong);
    },
  },
  {
    name: "an address that both have verified",
    async run(env) {
      const { user, email } = await signUpVerified(env);
      const merged = await signInWithCredential(
        env.client(),
        await google(env, { email, name: "Ann" }),
      );
      equal(merged.user.uid, user.uid, "the same account");
      equal(providers(merged.user), ["google.com", "password"], "providers");
      await signInWithEmailAndPassword(env.client(), email, PASSWORD);
    },
  },
  {
    name: "a provider's answer works once",
    mode: "hardened",
    async run(env) {
      const word = await google(env, newPerson());
      await signInWithCredential(env.client(), word);
      await refused(signInWithCredential(env.client(), word), "auth/invalid-credential");
      const other = await env.providerAnswer("google.com", newPerson());
      await refused(
        signInWithCredential(env.client(), FacebookAuthProvider.credential(other)),
        "auth/invalid-credential",
      );
    },
  },
  {
    name: "a forged provider answer",
    async run(env) {
      const auth = env.client();
      const said = GoogleAuthProvider.credential("no-such-code");
      await refused(signInWithCredential(auth, said), "auth/invalid-credential");
      equal(auth.currentUser, null, "who is signed in");
    },
  },
  {
    name: "a forged Facebook answer",
    mode: "hardened",
    async run(env) {
      const said = FacebookAuthProvider.credential("no-such-code");
      await refused(signInWithCredential(env.client(), said), "auth/invalid-credential");
    },
  },
  {
    name: "sign-in methods of an address",
    async run(env) {
      const { auth, email } = await signUp(env);
      const methods = await fetchSignInMethodsForEmail(auth, email);
      // A different answer would reveal who has an account.
      equal(methods, env.mode === "hardened" ? [] : ["password"], "of a member");
      equal(await fetchSignInMethodsForEmail(auth, newEmail()), [], "of nobody");
    },
  },
];

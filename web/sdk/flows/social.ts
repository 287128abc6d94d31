// Signing in with what Google or Facebook say.
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
import { equal, holds, refused } from "../check";
import { newEmail, newPerson, PASSWORD } from "../people";
import type { Flow } from "../world";
import { facebook, google, noMatch, signUp, signUpVerified } from "./steps";

const providers = (user: User) => user.providerData.map(({ providerId }) => providerId).sort();

export const social: Flow[] = [
  {
    name: "with Google",
    async run(world) {
      const person = newPerson();
      const made = await signInWithCredential(world.client(), await google(world, person));
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
      const again = await signInWithCredential(world.client(), await google(world, person));
      equal(again.user.uid, user.uid, "who comes back");
      equal(getAdditionalUserInfo(again)?.isNewUser, false, "new, the second time");
    },
  },
  {
    name: "with Facebook, which verifies no address",
    async run(world) {
      const person = newPerson();
      const { user } = await signInWithCredential(world.client(), await facebook(world, person));
      equal([user.email, user.emailVerified], [person.email, false], "who it is");
      equal(providers(user), ["facebook.com"], "providers");
      const again = await signInWithCredential(world.client(), await facebook(world, person));
      equal(again.user.uid, user.uid, "who comes back");
    },
  },
  {
    name: "once more with Google",
    async run(world) {
      const person = newPerson();
      const { user } = await signInWithCredential(world.client(), await google(world, person));
      const again = await reauthenticateWithCredential(user, await google(world, person));
      equal([again.operationType, again.user.uid], ["reauthenticate", user.uid], "who it is");
      await refused(
        reauthenticateWithCredential(user, await google(world, newPerson())),
        "auth/user-mismatch",
      );
    },
  },
  {
    name: "linked to an account with a password, and taken away",
    async run(world) {
      const { user } = await signUp(world);
      const person = newPerson();
      const linked = await linkWithCredential(user, await google(world, person));
      equal(providers(linked.user), ["google.com", "password"], "providers");
      const back = await signInWithCredential(world.client(), await google(world, person));
      equal(back.user.uid, user.uid, "who comes by Google");
      const stranger = await signUp(world);
      await refused(
        linkWithCredential(stranger.user, await google(world, person)),
        "auth/credential-already-in-use",
      );
      equal(providers(await unlink(user, "google.com")), ["password"], "providers, after");
      await refused(unlink(user, "google.com"), "auth/no-such-provider");
      const other = await signInWithCredential(world.client(), await google(world, person));
      holds(other.user.uid !== user.uid, "Google's word leads to somebody new");
    },
  },
  {
    name: "a password taken away, when there is another way in",
    async run(world) {
      const person = newPerson();
      const { user } = await signInWithCredential(world.client(), await google(world, person));
      const taken = (await signUp(world)).email;
      await refused(
        linkWithCredential(user, EmailAuthProvider.credential(taken, PASSWORD)),
        "auth/email-already-in-use",
      );
      const { email } = person;
      // Google's emulator takes one's own address for somebody else's.
      const own = world.mode === "hardened" ? email : newEmail();
      await linkWithCredential(user, EmailAuthProvider.credential(own, PASSWORD));
      equal(providers(user), ["google.com", "password"], "providers");
      await signInWithEmailAndPassword(world.client(), own, PASSWORD);
      await unlink(user, "password");
      await refused(
        signInWithEmailAndPassword(world.client(), own, PASSWORD),
        ...noMatch(world.mode),
      );
      const back = await signInWithCredential(world.client(), await google(world, person));
      equal(back.user.uid, user.uid, "who comes by Google");
    },
  },
  {
    name: "anonymous first, then with Google",
    async run(world) {
      const { user } = await signInAnonymously(world.client());
      const { uid } = user;
      const person = newPerson();
      const linked = await linkWithCredential(user, await google(world, person));
      equal(
        [linked.user.uid, linked.user.isAnonymous, linked.user.email],
        [uid, false, person.email],
        "who it is now",
      );
    },
  },
  {
    name: "an address that has an account, and a provider that has not verified it",
    async run(world) {
      const person = newPerson();
      await signInWithCredential(world.client(), await google(world, person));
      const auth = world.client();
      const error = await refused(
        signInWithCredential(auth, await facebook(world, person)),
        "auth/account-exists-with-different-credential",
      );
      const { customData } = error as unknown as { customData?: { email?: string } };
      equal(customData?.email, person.email, "whose");
      equal(auth.currentUser, null, "who is signed in");
    },
  },
  {
    name: "an address that nobody has confirmed, and a provider that has",
    async run(world) {
      const { user, email } = await signUp(world);
      const merged = await signInWithCredential(
        world.client(),
        await google(world, { email, name: "Ann" }),
      );
      equal([merged.user.uid, merged.user.emailVerified], [user.uid, true], "the same account");
      // Whoever chose the password had not shown that the address is theirs.
      equal(providers(merged.user), ["google.com"], "providers");
      const [wrong] = noMatch(world.mode);
      await refused(signInWithEmailAndPassword(world.client(), email, PASSWORD), wrong);
    },
  },
  {
    name: "an address that both have confirmed",
    async run(world) {
      const { user, email } = await signUpVerified(world);
      const merged = await signInWithCredential(
        world.client(),
        await google(world, { email, name: "Ann" }),
      );
      equal(merged.user.uid, user.uid, "the same account");
      equal(providers(merged.user), ["google.com", "password"], "providers");
      await signInWithEmailAndPassword(world.client(), email, PASSWORD);
    },
  },
  {
    name: "a provider's word is good for one time",
    mode: "hardened",
    async run(world) {
      const word = await google(world, newPerson());
      await signInWithCredential(world.client(), word);
      await refused(signInWithCredential(world.client(), word), "auth/invalid-credential");
      const other = await world.said("google.com", newPerson());
      await refused(
        signInWithCredential(world.client(), FacebookAuthProvider.credential(other)),
        "auth/invalid-credential",
      );
    },
  },
  {
    name: "what a provider never said",
    async run(world) {
      const auth = world.client();
      const said = GoogleAuthProvider.credential("no-such-code");
      await refused(signInWithCredential(auth, said), "auth/invalid-credential");
      equal(auth.currentUser, null, "who is signed in");
    },
  },
  {
    name: "what no provider said, told as Facebook's word",
    mode: "hardened",
    async run(world) {
      const said = FacebookAuthProvider.credential("no-such-code");
      await refused(signInWithCredential(world.client(), said), "auth/invalid-credential");
    },
  },
  {
    name: "how somebody can sign in",
    async run(world) {
      const { auth, email } = await signUp(world);
      const methods = await fetchSignInMethodsForEmail(auth, email);
      // Saying so would tell who has an account.
      equal(methods, world.mode === "hardened" ? [] : ["password"], "of a member");
      equal(await fetchSignInMethodsForEmail(auth, newEmail()), [], "of nobody");
    },
  },
];

// Phone numbers, and the codes sent to them.
import {
  EmailAuthProvider,
  getAdditionalUserInfo,
  linkWithCredential,
  linkWithPhoneNumber,
  PhoneAuthProvider,
  reauthenticateWithPhoneNumber,
  signInWithCredential,
  signInWithPhoneNumber,
  unlink,
  updatePhoneNumber,
} from "firebase/auth";
import { equal, refused } from "../assert";
import type { Environment, Flow } from "../environment";
import { newEmail, newPhone, PASSWORD } from "../users";
import { signUp } from "./steps";
import { verifier } from "./verifier";

export const phone: Flow[] = [
  {
    name: "sign in with a phone number",
    phone: true,
    async run(env) {
      const [auth, number] = [env.client(), newPhone()];
      const asked = await signInWithPhoneNumber(auth, number, verifier());
      const code = await env.text(number);
      await refused(asked.confirm(other(code)), "auth/invalid-verification-code");
      const made = await asked.confirm(code);
      equal([made.user.phoneNumber, made.user.isAnonymous], [number, false], "who it is");
      equal(getAdditionalUserInfo(made)?.isNewUser, true, "new");
      equal(
        made.user.providerData.map(({ providerId }) => providerId),
        ["phone"],
        "providers",
      );
      const { claims, signInProvider } = await made.user.getIdTokenResult();
      equal([claims.phone_number, signInProvider], [number, "phone"], "the token");
      // A code works once.
      await refused(
        asked.confirm(code),
        "auth/code-expired",
        "auth/invalid-verification-id",
        "auth/invalid-verification-code",
      );
      const again = await byPhone(env, number);
      equal(again.user.uid, made.user.uid, "who comes back");
      equal(getAdditionalUserInfo(again)?.isNewUser, false, "new, the second time");
    },
  },
  {
    name: "a phone number is added, changed and removed",
    phone: true,
    async run(env) {
      const { auth, user } = await signUp(env);
      const [number, next] = [newPhone(), newPhone()];
      const asked = await linkWithPhoneNumber(user, number, verifier());
      const linked = await asked.confirm(await env.text(number));
      equal([linked.operationType, linked.user.phoneNumber], ["link", number], "added");
      equal((await byPhone(env, number)).user.uid, user.uid, "who comes by it");

      const provider = new PhoneAuthProvider(auth);
      const id = await provider.verifyPhoneNumber(next, verifier());
      await updatePhoneNumber(user, PhoneAuthProvider.credential(id, await env.text(next)));
      equal(user.phoneNumber, next, "changed");
      equal((await byPhone(env, next)).user.uid, user.uid, "who comes by the new one");

      const without = await unlink(user, "phone");
      equal(without.phoneNumber, null, "taken away");
      equal(
        without.providerData.map(({ providerId }) => providerId),
        ["password"],
        "providers",
      );
      const stranger = await byPhone(env, next);
      equal(getAdditionalUserInfo(stranger)?.isNewUser, true, "the number is free");
    },
  },
  {
    name: "a phone number of another user",
    phone: true,
    async run(env) {
      const number = newPhone();
      const first = (await byPhone(env, number)).user;
      const { auth, user } = await signUp(env);
      const asked = await linkWithPhoneNumber(user, number, verifier());
      const error = await refused(
        asked.confirm(await env.text(number)),
        "auth/account-exists-with-different-credential",
        "auth/credential-already-in-use",
      );
      // The error carries a proof of the number, valid for signing in as its owner.
      const credential = PhoneAuthProvider.credentialFromError(
        error as Parameters<typeof PhoneAuthProvider.credentialFromError>[0],
      );
      if (credential === null) throw new Error("no credential on the error");
      const back = await signInWithCredential(auth, credential);
      equal(back.user.uid, first.uid, "whose it is");
    },
  },
  {
    name: "reauthentication with a phone number, and with a password",
    phone: true,
    async run(env) {
      const number = newPhone();
      const { user } = await byPhone(env, number);
      const asked = await reauthenticateWithPhoneNumber(user, number, verifier());
      const again = await asked.confirm(await env.text(number));
      equal(again.operationType, "reauthenticate", "operation");
      const email = newEmail();
      const linked = await linkWithCredential(user, EmailAuthProvider.credential(email, PASSWORD));
      equal([linked.user.email, linked.user.phoneNumber], [email, number], "both");
    },
  },
  {
    name: "reauthentication with another user's number",
    phone: true,
    async run(env) {
      const [mine, theirs] = [newPhone(), newPhone()];
      await byPhone(env, theirs);
      const { user } = await byPhone(env, mine);
      const asked = await reauthenticateWithPhoneNumber(user, theirs, verifier());
      await refused(asked.confirm(await env.text(theirs)), "auth/user-mismatch");
    },
  },
  {
    name: "an invalid number, and an invalid session",
    phone: true,
    async run(env) {
      const auth = env.client();
      await refused(signInWithPhoneNumber(auth, "12345", verifier()), "auth/invalid-phone-number");
      await refused(
        signInWithCredential(auth, PhoneAuthProvider.credential("none", "123456")),
        "auth/invalid-verification-id",
      );
    },
  },
];

async function byPhone(env: Environment, number: string) {
  const asked = await signInWithPhoneNumber(env.client(), number, verifier());
  return await asked.confirm(await env.text(number));
}

/** Another code of six digits. */
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

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
import { equal, refused } from "../check";
import { newEmail, newPhone, PASSWORD } from "../people";
import type { Flow, World } from "../world";
import { signUp } from "./steps";
import { verifier } from "./verifier";

export const phone: Flow[] = [
  {
    name: "sign in with a number",
    phone: true,
    async run(world) {
      const [auth, number] = [world.client(), newPhone()];
      const asked = await signInWithPhoneNumber(auth, number, verifier());
      const code = await world.text(number);
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
      // A code is good for one time.
      await refused(
        asked.confirm(code),
        "auth/code-expired",
        "auth/invalid-verification-id",
        "auth/invalid-verification-code",
      );
      const again = await byPhone(world, number);
      equal(again.user.uid, made.user.uid, "who comes back");
      equal(getAdditionalUserInfo(again)?.isNewUser, false, "new, the second time");
    },
  },
  {
    name: "a number added to an account, changed and taken away",
    phone: true,
    async run(world) {
      const { auth, user } = await signUp(world);
      const [number, next] = [newPhone(), newPhone()];
      const asked = await linkWithPhoneNumber(user, number, verifier());
      const linked = await asked.confirm(await world.text(number));
      equal([linked.operationType, linked.user.phoneNumber], ["link", number], "added");
      equal((await byPhone(world, number)).user.uid, user.uid, "who comes by it");

      const provider = new PhoneAuthProvider(auth);
      const id = await provider.verifyPhoneNumber(next, verifier());
      await updatePhoneNumber(user, PhoneAuthProvider.credential(id, await world.text(next)));
      equal(user.phoneNumber, next, "changed");
      equal((await byPhone(world, next)).user.uid, user.uid, "who comes by the new one");

      const without = await unlink(user, "phone");
      equal(without.phoneNumber, null, "taken away");
      equal(
        without.providerData.map(({ providerId }) => providerId),
        ["password"],
        "providers",
      );
      const stranger = await byPhone(world, next);
      equal(getAdditionalUserInfo(stranger)?.isNewUser, true, "the number is free");
    },
  },
  {
    name: "a number of somebody else",
    phone: true,
    async run(world) {
      const number = newPhone();
      const first = (await byPhone(world, number)).user;
      const { auth, user } = await signUp(world);
      const asked = await linkWithPhoneNumber(user, number, verifier());
      const error = await refused(
        asked.confirm(await world.text(number)),
        "auth/account-exists-with-different-credential",
        "auth/credential-already-in-use",
      );
      // The error carries a proof of the number, good for signing in as its owner.
      const credential = PhoneAuthProvider.credentialFromError(
        error as Parameters<typeof PhoneAuthProvider.credentialFromError>[0],
      );
      if (credential === null) throw new Error("no credential on the error");
      const back = await signInWithCredential(auth, credential);
      equal(back.user.uid, first.uid, "whose it is");
    },
  },
  {
    name: "once more with the number, and a password beside it",
    phone: true,
    async run(world) {
      const number = newPhone();
      const { user } = await byPhone(world, number);
      const asked = await reauthenticateWithPhoneNumber(user, number, verifier());
      const again = await asked.confirm(await world.text(number));
      equal(again.operationType, "reauthenticate", "operation");
      const email = newEmail();
      const linked = await linkWithCredential(user, EmailAuthProvider.credential(email, PASSWORD));
      equal([linked.user.email, linked.user.phoneNumber], [email, number], "both");
    },
  },
  {
    name: "once more with the number of somebody else",
    phone: true,
    async run(world) {
      const [mine, theirs] = [newPhone(), newPhone()];
      await byPhone(world, theirs);
      const { user } = await byPhone(world, mine);
      const asked = await reauthenticateWithPhoneNumber(user, theirs, verifier());
      await refused(asked.confirm(await world.text(theirs)), "auth/user-mismatch");
    },
  },
  {
    name: "what is no number, and what is no session",
    phone: true,
    async run(world) {
      const auth = world.client();
      await refused(signInWithPhoneNumber(auth, "12345", verifier()), "auth/invalid-phone-number");
      await refused(
        signInWithCredential(auth, PhoneAuthProvider.credential("none", "123456")),
        "auth/invalid-verification-id",
      );
    },
  },
];

async function byPhone(world: World, number: string) {
  const asked = await signInWithPhoneNumber(world.client(), number, verifier());
  return await asked.confirm(await world.text(number));
}

/** Another code of six digits. */
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

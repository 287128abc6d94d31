// What goes wrong with text messages and second factors.
import {
  getMultiFactorResolver,
  type MultiFactorError,
  multiFactor,
  PhoneAuthProvider,
  PhoneMultiFactorGenerator,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithPhoneNumber,
} from "firebase/auth";
import { equal, refused } from "../check";
import { signUp, signUpVerified } from "../flows/steps";
import { verifier } from "../flows/verifier";
import { newPhone, newUid, PASSWORD } from "../people";
import type { Cause, Ground } from "./ground";

/** A member with a second factor that the owner has entered. */
async function protectedMember({ world, owner }: Ground) {
  const { user, email } = await signUpVerified(world);
  const number = newPhone();
  const { status } = await owner.call("/accounts:update", {
    localId: user.uid,
    mfa: { enrollments: [{ mfaEnrollmentId: newUid(), phoneInfo: number }] },
  });
  equal(status, 200, "the owner enters a factor");
  return { email, number };
}

async function challenge(ground: Ground) {
  const { email, number } = await protectedMember(ground);
  const auth = ground.world.client();
  const error = await refused(
    signInWithEmailAndPassword(auth, email, PASSWORD),
    "auth/multi-factor-auth-required",
  );
  const resolver = getMultiFactorResolver(auth, error as unknown as MultiFactorError);
  return { auth, number, resolver };
}

export const factors: Cause[] = [
  {
    code: "multi-factor-auth-required",
    how: "a password alone where a second factor is set up",
    async provoke(ground) {
      const { email } = await protectedMember(ground);
      await signInWithEmailAndPassword(ground.world.client(), email, PASSWORD);
    },
  },
  {
    code: "multi-factor-info-not-found",
    how: "a factor that is none",
    async provoke(ground) {
      const { auth, resolver } = await challenge(ground);
      await new PhoneAuthProvider(auth).verifyPhoneNumber(
        { multiFactorUid: "none", session: resolver.session },
        verifier(),
      );
    },
  },
  {
    code: "invalid-verification-code",
    how: "another code for the second factor",
    async provoke(ground) {
      const { auth, number, resolver } = await challenge(ground);
      const id = await new PhoneAuthProvider(auth).verifyPhoneNumber(
        { multiFactorUid: resolver.hints[0]?.uid ?? "", session: resolver.session },
        verifier(),
      );
      const wrong = String((Number(await ground.world.text(number)) + 1) % 1_000_000);
      const credential = PhoneAuthProvider.credential(id, wrong.padStart(6, "0"));
      await resolver.resolveSignIn(PhoneMultiFactorGenerator.assertion(credential));
    },
  },
  {
    code: "invalid-verification-code",
    how: "another code for a number",
    async provoke({ world }) {
      const number = newPhone();
      const asked = await signInWithPhoneNumber(world.client(), number, verifier());
      const wrong = String((Number(await world.text(number)) + 1) % 1_000_000);
      await asked.confirm(wrong.padStart(6, "0"));
    },
  },
  {
    code: "too-many-requests",
    how: "asking for text messages again and again",
    mode: "hardened",
    async provoke({ world }) {
      const number = newPhone();
      for (let text = 1; text <= 20; text++) {
        await signInWithPhoneNumber(world.client(), number, verifier());
      }
    },
  },
  {
    code: "code-expired",
    how: "guessing a code, after which the right one does not help either",
    mode: "hardened",
    async provoke({ world }) {
      const number = newPhone();
      const asked = await signInWithPhoneNumber(world.client(), number, verifier());
      const code = await world.text(number);
      for (let guess = 1; guess <= 5; guess++) {
        const wrong = String((Number(code) + guess) % 1_000_000).padStart(6, "0");
        await refused(asked.confirm(wrong), "auth/invalid-verification-code");
      }
      await asked.confirm(code);
    },
  },
  {
    code: "invalid-multi-factor-session",
    how: "a first factor that is none",
    notGoogle: "it answers in words of its own",
    async provoke(ground) {
      const { auth, resolver } = await challenge(ground);
      Object.assign(resolver.session, { credential: "none" });
      await new PhoneAuthProvider(auth).verifyPhoneNumber(
        { multiFactorUid: resolver.hints[0]?.uid ?? "", session: resolver.session },
        verifier(),
      );
    },
  },
  {
    code: "invalid-verification-id",
    how: "a session that is none",
    provoke: ({ world }) =>
      signInWithCredential(world.client(), PhoneAuthProvider.credential("none", "123456")),
  },
  {
    code: "unverified-email",
    how: "a second factor before the address is confirmed",
    async provoke({ world }) {
      const { auth, user } = await signUp(world);
      const session = await multiFactor(user).getSession();
      const phoneNumber = newPhone();
      await new PhoneAuthProvider(auth).verifyPhoneNumber({ phoneNumber, session }, verifier());
    },
  },
  {
    code: "second-factor-already-in-use",
    how: "the same number twice",
    async provoke(ground) {
      const { auth, number, resolver } = await challenge(ground);
      const provider = new PhoneAuthProvider(auth);
      const id = await provider.verifyPhoneNumber(
        { multiFactorUid: resolver.hints[0]?.uid ?? "", session: resolver.session },
        verifier(),
      );
      const credential = PhoneAuthProvider.credential(id, await ground.world.text(number));
      const { user } = await resolver.resolveSignIn(
        PhoneMultiFactorGenerator.assertion(credential),
      );
      const session = await multiFactor(user).getSession();
      const again = await provider.verifyPhoneNumber({ phoneNumber: number, session }, verifier());
      const second = PhoneAuthProvider.credential(again, await ground.world.text(number));
      await multiFactor(user).enroll(PhoneMultiFactorGenerator.assertion(second), "Again");
    },
  },
  {
    code: "multi-factor-info-not-found",
    how: "taking away a factor that is none",
    async provoke({ world }) {
      const { user } = await signUpVerified(world);
      await multiFactor(user).unenroll("none");
    },
  },
];

// Errors with text messages and second factors.
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
import { equal, refused } from "../assert";
import { signUp, signUpVerified } from "../flows/steps";
import { verifier } from "../flows/verifier";
import { newPhone, newUid, PASSWORD } from "../users";
import type { Cause, Setup } from "./setup";

/** A member with a second factor that the admin has added. */
async function protectedMember({ env, admin }: Setup) {
  const { user, email } = await signUpVerified(env);
  const number = newPhone();
  const { status } = await admin.call("/accounts:update", {
    localId: user.uid,
    mfa: { enrollments: [{ mfaEnrollmentId: newUid(), phoneInfo: number }] },
  });
  equal(status, 200, "the admin adds a factor");
  return { email, number };
}

async function challenge(setup: Setup) {
  const { email, number } = await protectedMember(setup);
  const auth = setup.env.client();
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
    async provoke(setup) {
      const { email } = await protectedMember(setup);
      await signInWithEmailAndPassword(setup.env.client(), email, PASSWORD);
    },
  },
  {
    code: "multi-factor-info-not-found",
    how: "an unknown factor",
    async provoke(setup) {
      const { auth, resolver } = await challenge(setup);
      await new PhoneAuthProvider(auth).verifyPhoneNumber(
        { multiFactorUid: "none", session: resolver.session },
        verifier(),
      );
    },
  },
  {
    code: "invalid-verification-code",
    how: "a wrong code for the second factor",
    async provoke(setup) {
      const { auth, number, resolver } = await challenge(setup);
      const id = await new PhoneAuthProvider(auth).verifyPhoneNumber(
        { multiFactorUid: resolver.hints[0]?.uid ?? "", session: resolver.session },
        verifier(),
      );
      const wrong = String((Number(await setup.env.text(number)) + 1) % 1_000_000);
      const credential = PhoneAuthProvider.credential(id, wrong.padStart(6, "0"));
      await resolver.resolveSignIn(PhoneMultiFactorGenerator.assertion(credential));
    },
  },
  {
    code: "invalid-verification-code",
    how: "a wrong code for a number",
    async provoke({ env }) {
      const number = newPhone();
      const asked = await signInWithPhoneNumber(env.client(), number, verifier());
      const wrong = String((Number(await env.text(number)) + 1) % 1_000_000);
      await asked.confirm(wrong.padStart(6, "0"));
    },
  },
  {
    code: "too-many-requests",
    how: "requesting too many text messages",
    mode: "hardened",
    async provoke({ env }) {
      const number = newPhone();
      for (let text = 1; text <= 20; text++) {
        await signInWithPhoneNumber(env.client(), number, verifier());
      }
    },
  },
  {
    code: "code-expired",
    how: "too many wrong codes, after which the right one is refused too",
    mode: "hardened",
    async provoke({ env }) {
      const number = newPhone();
      const asked = await signInWithPhoneNumber(env.client(), number, verifier());
      const code = await env.text(number);
      for (let guess = 1; guess <= 5; guess++) {
        const wrong = String((Number(code) + guess) % 1_000_000).padStart(6, "0");
        await refused(asked.confirm(wrong), "auth/invalid-verification-code");
      }
      await asked.confirm(code);
    },
  },
  {
    code: "invalid-multi-factor-session",
    how: "an invalid first factor",
    notGoogle: "it answers with a message of its own",
    async provoke(setup) {
      const { auth, resolver } = await challenge(setup);
      Object.assign(resolver.session, { credential: "none" });
      await new PhoneAuthProvider(auth).verifyPhoneNumber(
        { multiFactorUid: resolver.hints[0]?.uid ?? "", session: resolver.session },
        verifier(),
      );
    },
  },
  {
    code: "invalid-verification-id",
    how: "an invalid session",
    provoke: ({ env }) =>
      signInWithCredential(env.client(), PhoneAuthProvider.credential("none", "123456")),
  },
  {
    code: "unverified-email",
    how: "a second factor before the address is verified",
    async provoke({ env }) {
      const { auth, user } = await signUp(env);
      const session = await multiFactor(user).getSession();
      const phoneNumber = newPhone();
      await new PhoneAuthProvider(auth).verifyPhoneNumber({ phoneNumber, session }, verifier());
    },
  },
  {
    code: "second-factor-already-in-use",
    how: "the same number twice",
    async provoke(setup) {
      const { auth, number, resolver } = await challenge(setup);
      const provider = new PhoneAuthProvider(auth);
      const id = await provider.verifyPhoneNumber(
        { multiFactorUid: resolver.hints[0]?.uid ?? "", session: resolver.session },
        verifier(),
      );
      const credential = PhoneAuthProvider.credential(id, await setup.env.text(number));
      const { user } = await resolver.resolveSignIn(
        PhoneMultiFactorGenerator.assertion(credential),
      );
      const session = await multiFactor(user).getSession();
      const again = await provider.verifyPhoneNumber({ phoneNumber: number, session }, verifier());
      const second = PhoneAuthProvider.credential(again, await setup.env.text(number));
      await multiFactor(user).enroll(PhoneMultiFactorGenerator.assertion(second), "Again");
    },
  },
  {
    code: "multi-factor-info-not-found",
    how: "removing an unknown factor",
    async provoke({ env }) {
      const { user } = await signUpVerified(env);
      await multiFactor(user).unenroll("none");
    },
  },
];

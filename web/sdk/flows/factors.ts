// Second factors: a text message, or an authenticator app.
import {
  type Auth,
  EmailAuthProvider,
  getMultiFactorResolver,
  type MultiFactorError,
  type MultiFactorResolver,
  multiFactor,
  PhoneAuthProvider,
  PhoneMultiFactorGenerator,
  reauthenticateWithCredential,
  signInAnonymously,
  signInWithEmailAndPassword,
  TotpMultiFactorGenerator,
  type User,
} from "firebase/auth";
import { equal, holds, refused } from "../assert";
import type { Environment, Flow } from "../environment";
import { newPhone, PASSWORD } from "../users";
import { signUp, signUpVerified } from "./steps";
import { verifier } from "./verifier";

const NO_TOTP = "it has no authenticators";

export const factors: Flow[] = [
  {
    name: "a text message as the second factor",
    phone: true,
    async run(env) {
      const { auth, user, email } = await signUpVerified(env);
      const number = newPhone();
      await enrolPhone(env, auth, user, number);
      const [factor] = multiFactor(user).enrolledFactors;
      equal([factor?.factorId, factor?.displayName], ["phone", "My phone"], "the factor");

      const resolver = await challenged(env.client(), email);
      equal(resolver.hints.length, 1, "hints");
      const [hint] = resolver.hints;
      const shown = (hint as unknown as { phoneNumber?: string } | undefined)?.phoneNumber ?? "";
      holds(
        shown !== number && shown.endsWith(number.slice(-4)),
        `only its end is shown: ${shown}`,
      );
      const done = await byPhone(env, resolver, number);
      equal(done.user.uid, user.uid, "who it is");
      const { claims, signInSecondFactor } = await done.user.getIdTokenResult();
      equal(signInSecondFactor, "phone", "second factor");
      const { second_factor_identifier } = claims.firebase as Record<string, unknown>;
      equal(second_factor_identifier, factor?.uid, "which one");

      await multiFactor(done.user).unenroll(factor?.uid ?? "");
      equal(multiFactor(done.user).enrolledFactors.length, 0, "factors, after");
      const plain = await signInWithEmailAndPassword(env.client(), email, PASSWORD);
      equal((await plain.user.getIdTokenResult()).signInSecondFactor, null, "second factor, after");
    },
  },
  {
    name: "wrong codes of a second factor",
    phone: true,
    async run(env) {
      const { auth, user, email } = await signUpVerified(env);
      const number = newPhone();
      await enrolPhone(env, auth, user, number);
      const resolver = await challenged(env.client(), email);
      const id = await new PhoneAuthProvider(auth).verifyPhoneNumber(
        { multiFactorHint: hintOf(resolver, "phone"), session: resolver.session },
        verifier(),
      );
      const code = await env.text(number);
      const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
      const attempt = (code: string) =>
        resolver.resolveSignIn(
          PhoneMultiFactorGenerator.assertion(PhoneAuthProvider.credential(id, code)),
        );
      await refused(attempt(wrong), "auth/invalid-verification-code");
      equal((await attempt(code)).user.uid, user.uid, "who comes with the right one");
    },
  },
  {
    name: "the same number twice as a second factor",
    phone: true,
    async run(env) {
      const { auth, user } = await signUpVerified(env);
      const number = newPhone();
      await enrolPhone(env, auth, user, number);
      await refused(enrolPhone(env, auth, user, number), "auth/second-factor-already-in-use");
    },
  },
  {
    name: "reauthentication with a second factor",
    phone: true,
    async run(env) {
      const { auth, user, email } = await signUpVerified(env);
      const number = newPhone();
      await enrolPhone(env, auth, user, number);
      const error = await refused(
        reauthenticateWithCredential(user, EmailAuthProvider.credential(email, PASSWORD)),
        "auth/multi-factor-auth-required",
      );
      const resolver = getMultiFactorResolver(auth, error as unknown as MultiFactorError);
      const done = await byPhone(env, resolver, number);
      equal([done.operationType, done.user.uid], ["reauthenticate", user.uid], "who it is");
    },
  },
  {
    name: "accounts that may not have a second factor",
    phone: true,
    async run(env) {
      const unverified = await signUp(env);
      await refused(
        enrolPhone(env, unverified.auth, unverified.user, newPhone()),
        "auth/unverified-email",
      );
      const auth = env.client();
      const { user } = await signInAnonymously(auth);
      await refused(
        enrolPhone(env, auth, user, newPhone()),
        "auth/unsupported-first-factor",
        "auth/unverified-email",
      );
    },
  },
  {
    name: "an authenticator app as the second factor",
    notGoogle: NO_TOTP,
    async run(env) {
      const { user, email } = await signUpVerified(env);
      const session = await multiFactor(user).getSession();
      const secret = await TotpMultiFactorGenerator.generateSecret(session);
      equal(
        [secret.hashingAlgorithm, secret.codeLength, secret.codeIntervalSeconds],
        ["SHA1", 6, 30],
        "how codes are made",
      );
      holds(/^[A-Z2-7]{32,}$/.test(secret.secretKey), "a secret of 20 bytes or more in base32");
      holds(Date.parse(secret.enrollmentCompletionDeadline) > Date.now(), "there is time left");
      const picture = new URL(secret.generateQrCodeUrl(email, "Haat"));
      equal(picture.searchParams.get("secret"), secret.secretKey, "the secret in the picture");

      const enrol = (code: string) =>
        multiFactor(user).enroll(
          TotpMultiFactorGenerator.assertionForEnrollment(secret, code),
          "My app",
        );
      const far = await env.totp(secret.secretKey, -40);
      await refused(enrol(far), "auth/invalid-verification-code");
      await enrol(await env.totp(secret.secretKey, 0));
      const [factor] = multiFactor(user).enrolledFactors;
      equal([factor?.factorId, factor?.displayName], ["totp", "My app"], "the factor");

      const resolver = await challenged(env.client(), email);
      const attempt = (resolver: MultiFactorResolver, code: string) =>
        resolver.resolveSignIn(
          TotpMultiFactorGenerator.assertionForSignIn(hintOf(resolver, "totp").uid, code),
        );
      await refused(attempt(resolver, far), "auth/invalid-verification-code");
      const code = await env.totp(secret.secretKey, 1);
      const done = await attempt(resolver, code);
      equal(done.user.uid, user.uid, "who it is");
      equal((await done.user.getIdTokenResult()).signInSecondFactor, "totp", "second factor");
      // A code that somebody saw cannot be used again.
      const second = await challenged(env.client(), email);
      await refused(attempt(second, code), "auth/invalid-verification-code");

      await multiFactor(done.user).unenroll(factor?.uid ?? "");
      await signInWithEmailAndPassword(env.client(), email, PASSWORD);
    },
  },
  {
    name: "either of two second factors",
    phone: true,
    notGoogle: NO_TOTP,
    async run(env) {
      const { auth, user, email } = await signUpVerified(env);
      const number = newPhone();
      await enrolPhone(env, auth, user, number);
      const session = await multiFactor(user).getSession();
      const secret = await TotpMultiFactorGenerator.generateSecret(session);
      const code = await env.totp(secret.secretKey, 0);
      await multiFactor(user).enroll(
        TotpMultiFactorGenerator.assertionForEnrollment(secret, code),
        "My app",
      );
      const resolver = await challenged(env.client(), email);
      equal(resolver.hints.map(({ factorId }) => factorId).sort(), ["phone", "totp"], "hints");
      equal((await byPhone(env, resolver, number)).user.uid, user.uid, "by the phone");
      const again = await challenged(env.client(), email);
      const done = await again.resolveSignIn(
        TotpMultiFactorGenerator.assertionForSignIn(
          hintOf(again, "totp").uid,
          await env.totp(secret.secretKey, 1),
        ),
      );
      equal(done.user.uid, user.uid, "by the app");
    },
  },
];

async function enrolPhone(env: Environment, auth: Auth, user: User, number: string): Promise<void> {
  const session = await multiFactor(user).getSession();
  const id = await new PhoneAuthProvider(auth).verifyPhoneNumber(
    { phoneNumber: number, session },
    verifier(),
  );
  const credential = PhoneAuthProvider.credential(id, await env.text(number));
  await multiFactor(user).enroll(PhoneMultiFactorGenerator.assertion(credential), "My phone");
}

/** A sign-in that stops at the second factor. */
async function challenged(auth: Auth, email: string): Promise<MultiFactorResolver> {
  const error = await refused(
    signInWithEmailAndPassword(auth, email, PASSWORD),
    "auth/multi-factor-auth-required",
  );
  equal(auth.currentUser, null, "who is signed in halfway");
  return getMultiFactorResolver(auth, error as unknown as MultiFactorError);
}

async function byPhone(env: Environment, resolver: MultiFactorResolver, number: string) {
  const id = await new PhoneAuthProvider(env.client()).verifyPhoneNumber(
    { multiFactorHint: hintOf(resolver, "phone"), session: resolver.session },
    verifier(),
  );
  const credential = PhoneAuthProvider.credential(id, await env.text(number));
  return await resolver.resolveSignIn(PhoneMultiFactorGenerator.assertion(credential));
}

function hintOf(resolver: MultiFactorResolver, kind: "phone" | "totp") {
  const hint = resolver.hints.find(({ factorId }) => factorId === kind);
  if (hint === undefined) throw new Error(`no hint of ${kind}`);
  return hint;
}

// Multi-factor challenge: the second factor that an account requires after a password, link or
// provider. Part of the SDK's chunk; auth.ts wraps it for the forms.
import {
  type Auth,
  getMultiFactorResolver,
  type MultiFactorError,
  type MultiFactorResolver,
  PhoneAuthProvider,
  PhoneMultiFactorGenerator,
  type PhoneMultiFactorInfo,
  TotpMultiFactorGenerator,
} from "firebase/auth";

export type Factor = {
  id: string;
  // The display name that its owner gave it.
  name: string | null;
  // Mostly masked with asterisks. Null: an authenticator app.
  phone: string | null;
};

export type Challenge = {
  factors: Factor[];
  // For a phone. Only the newest code is valid.
  sendCode: (factor: Factor) => Promise<void>;
  answer: (factor: Factor, code: string) => Promise<void>;
};

// The SDK requires a verifier. Our service uses no captcha and has its own rate limits; the SDK
// also calls _reset.
const NO_CAPTCHA = { type: "recaptcha", verify: async () => "none", _reset() {} };

// Null where `error` is not a request for a second factor.
export function challengeFromError(auth: Auth, error: unknown): Challenge | null {
  let resolver: MultiFactorResolver;
  try {
    resolver = getMultiFactorResolver(auth, error as MultiFactorError);
  } catch {
    return null;
  }
  const { session, hints } = resolver;
  const sent = new Map<string, string>();
  return {
    factors: hints.map((hint) => ({
      id: hint.uid,
      name: hint.displayName || null,
      phone: (hint as Partial<PhoneMultiFactorInfo>).phoneNumber ?? null,
    })),
    async sendCode({ id }) {
      const phone = new PhoneAuthProvider(auth);
      sent.set(id, await phone.verifyPhoneNumber({ multiFactorUid: id, session }, NO_CAPTCHA));
    },
    async answer({ id, phone }, code) {
      const assertion =
        phone === null
          ? TotpMultiFactorGenerator.assertionForSignIn(id, code)
          : PhoneMultiFactorGenerator.assertion(
              PhoneAuthProvider.credential(sent.get(id) ?? "", code),
            );
      await resolver.resolveSignIn(assertion);
    },
  };
}

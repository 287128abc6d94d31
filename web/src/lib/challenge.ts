// What an account asks for after a right password, link or provider: a code from one of its second
// factors. Part of the SDK's chunk; lib/auth.ts turns it into answers for the forms.
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
  // What its owner calls it.
  name: string | null;
  // Mostly stars. Null: an authenticator app.
  phone: string | null;
};

export type Challenge = {
  factors: Factor[];
  // For a phone. The newest code is the one that counts.
  sendCode: (factor: Factor) => Promise<void>;
  answer: (factor: Factor, code: string) => Promise<void>;
};

// The SDK insists on one. Our service asks for no captcha and keeps its own limits; it is never a
// widget, so there is nothing to reset, but the SDK does so without looking.
const NO_CAPTCHA = { type: "recaptcha", verify: async () => "none", _reset() {} };

// Null where `error` is anything else than the call for a second factor.
export function challengeIn(auth: Auth, error: unknown): Challenge | null {
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

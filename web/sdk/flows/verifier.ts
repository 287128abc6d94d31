// Our servers ask for no proof of being human, but the SDK wants to fetch one. Its own interface
// leaves `_reset` out, which it calls nonetheless.
import type { ApplicationVerifier } from "firebase/auth";

export function verifier(): ApplicationVerifier & { _reset(): void } {
  return { type: "recaptcha", verify: async () => "none", _reset() {} };
}

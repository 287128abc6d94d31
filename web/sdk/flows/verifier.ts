// Our servers use no captcha, but the SDK requires a verifier. Its public interface lacks `_reset`,
// which it calls nonetheless.
import type { ApplicationVerifier } from "firebase/auth";

export function verifier(): ApplicationVerifier & { _reset(): void } {
  return { type: "recaptcha", verify: async () => "none", _reset() {} };
}

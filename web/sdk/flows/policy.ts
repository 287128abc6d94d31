// The password policy, as announced and as enforced.
import { createUserWithEmailAndPassword, updatePassword, validatePassword } from "firebase/auth";
import { equal, refused } from "../assert";
import type { Flow } from "../environment";
import { newEmail } from "../users";
import { signUp } from "./steps";

type Lack = "length" | "uppercase" | "number" | "special";
const LACKING: [password: string, lacks: Lack | null][] = [
  ["Aa1!x", "length"],
  ["Aa1!xxx", "length"],
  ["market#1", "uppercase"],
  ["Market#x", "number"],
  ["Market11", "special"],
  ["Aa1!xxxx", null],
];

export const policy: Flow[] = [
  {
    name: "passwords are validated against the policy",
    mode: "hardened",
    async run(env) {
      for (const [password, lack] of LACKING) {
        const status = await validatePassword(env.client(), password);
        equal(status.isValid, lack === null, `${password} is good`);
        const met: Record<Lack, boolean | undefined> = {
          length: status.meetsMinPasswordLength,
          uppercase: status.containsUppercaseLetter,
          number: status.containsNumericCharacter,
          special: status.containsNonAlphanumericCharacter,
        };
        for (const [what, is] of Object.entries(met))
          equal(is, what !== lack, `${password}: ${what}`);
      }
    },
  },
  {
    name: "the service enforces its policy",
    mode: "hardened",
    async run(env) {
      const auth = env.client();
      for (const [password, lack] of LACKING) {
        const attempt = createUserWithEmailAndPassword(auth, newEmail(), password);
        if (lack === null) await attempt;
        else if (password.length < 6) await refused(attempt, "auth/weak-password");
        else await refused(attempt, "auth/password-does-not-meet-requirements");
      }
      // Meets the policy, but is a very common password.
      const common = createUserWithEmailAndPassword(auth, newEmail(), "Password1!");
      await refused(common, "auth/weak-password");
      const { user } = await signUp(env);
      await refused(updatePassword(user, "Market11"), "auth/password-does-not-meet-requirements");
    },
  },
  {
    name: "an emulator requires six characters",
    mode: "emulator",
    async run(env) {
      const auth = env.client();
      await refused(
        createUserWithEmailAndPassword(auth, newEmail(), "12345"),
        "auth/weak-password",
      );
      await createUserWithEmailAndPassword(auth, newEmail(), "123456");
    },
  },
];

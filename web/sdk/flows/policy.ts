// The rule for passwords, as the service tells it and as it keeps it.
import { createUserWithEmailAndPassword, updatePassword, validatePassword } from "firebase/auth";
import { equal, refused } from "../check";
import { newEmail } from "../people";
import type { Flow } from "../world";
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
    name: "a password is judged by the rule",
    mode: "hardened",
    async run(world) {
      for (const [password, lack] of LACKING) {
        const status = await validatePassword(world.client(), password);
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
    name: "the service keeps its rule",
    mode: "hardened",
    async run(world) {
      const auth = world.client();
      for (const [password, lack] of LACKING) {
        const attempt = createUserWithEmailAndPassword(auth, newEmail(), password);
        if (lack === null) await attempt;
        else if (password.length < 6) await refused(attempt, "auth/weak-password");
        else await refused(attempt, "auth/password-does-not-meet-requirements");
      }
      // Meets the rule, and is the first that anybody would try.
      const common = createUserWithEmailAndPassword(auth, newEmail(), "Password1!");
      await refused(common, "auth/weak-password");
      const { user } = await signUp(world);
      await refused(updatePassword(user, "Market11"), "auth/password-does-not-meet-requirements");
    },
  },
  {
    name: "an emulator asks for six characters",
    mode: "emulator",
    async run(world) {
      const auth = world.client();
      await refused(
        createUserWithEmailAndPassword(auth, newEmail(), "12345"),
        "auth/weak-password",
      );
      await createUserWithEmailAndPassword(auth, newEmail(), "123456");
    },
  },
];

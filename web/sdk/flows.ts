// All that an app does with the real SDK, by topic. Node and browser run the same.
import { custom } from "./flows/custom";
import { factors } from "./flows/factors";
import { letters } from "./flows/letters";
import { password } from "./flows/password";
import { phone } from "./flows/phone";
import { policy } from "./flows/policy";
import { session } from "./flows/session";
import { social } from "./flows/social";
import type { Flow, Mode } from "./world";

export const flows: Record<string, Flow[]> = {
  password,
  session,
  letters,
  custom,
  phone,
  factors,
  social,
  policy,
};

export const MODES: Mode[] = ["emulator", "hardened"];

export const holdsIn = (flow: Flow, mode: Mode) => flow.mode === undefined || flow.mode === mode;

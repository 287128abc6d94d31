// All flows of an app with the official SDK, by topic. Node and browser run the same.

import type { Flow, Mode } from "./environment";
import { custom } from "./flows/custom";
import { emailLinks } from "./flows/email-links";
import { factors } from "./flows/factors";
import { password } from "./flows/password";
import { phone } from "./flows/phone";
import { policy } from "./flows/policy";
import { session } from "./flows/session";
import { social } from "./flows/social";

export const flows: Record<string, Flow[]> = {
  password,
  session,
  emailLinks,
  custom,
  phone,
  factors,
  social,
  policy,
};

export const MODES: Mode[] = ["emulator", "hardened"];

export const holdsIn = (flow: Flow, mode: Mode) => flow.mode === undefined || flow.mode === mode;

// Validation of the auth forms, the same rules as the identity service's, checked before anything
// is sent.
import * as m from "messages/auth";
import { asciiDigits } from "../../lib/numbers";

export type Credentials = { email: string; password: string };
export type Registration = Credentials & { name: string };

const SHORTEST_PASSWORD = 8;
// The former minimum: such passwords can still sign in.
const SHORTEST_OLD_PASSWORD = 6;
// As for <input type="email">, plus a domain with a dot: no e-mail goes to "localhost".
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

const PASSWORD_REQUIREMENTS: [label: () => string, met: (password: string) => boolean][] = [
  [
    () => m.requiredLength({ length: SHORTEST_PASSWORD }),
    (password) => password.length >= SHORTEST_PASSWORD,
  ],
  [m.requiredUppercase, (password) => /[A-Z]/.test(password)],
  [m.requiredNumber, (password) => /\d/.test(password)],
  [m.requiredSymbol, (password) => /[!@#$&*]/.test(password)],
];

type PasswordRequirement = { label: string; met: boolean };

export function passwordRequirements(password: string): PasswordRequirement[] {
  return PASSWORD_REQUIREMENTS.map(([label, met]) => ({ label: label(), met: met(password) }));
}

// Each returns true or a message, as react-hook-form expects.
export function checkName(name: string): true | string {
  return name.trim() !== "" || m.nameRequired();
}

export function checkEmail(email: string): true | string {
  if (email.trim() === "") return m.emailRequired();
  return EMAIL.test(email.trim()) || m.emailInvalid();
}

// Codes are also typed as "123 456", and in Bangla digits.
export function normalizeCode(code: string): string {
  return asciiDigits(code).replace(/[\s-]/g, "");
}

export function checkCode(code: string): true | string {
  return /^\d{6}$/.test(normalizeCode(code)) || m.codeInvalid();
}

export function checkPassword(password: string): true | string {
  return checkRequirements(password, SHORTEST_PASSWORD);
}

// For an account that exists already.
export function checkExistingPassword(password: string): true | string {
  return checkRequirements(password, SHORTEST_OLD_PASSWORD);
}

function checkRequirements(password: string, shortest: number): true | string {
  if (password === "") return m.passwordRequired();
  if (password.length < shortest) return m.passwordTooShort({ length: shortest });
  return PASSWORD_REQUIREMENTS.slice(1).every(([, met]) => met(password)) || m.passwordTooSimple();
}

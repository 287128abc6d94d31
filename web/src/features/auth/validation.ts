// Validation of the auth forms, the same rules as the identity service's, checked before anything
// is sent.

export type Credentials = { email: string; password: string };
export type Registration = Credentials & { name: string };

const SHORTEST_PASSWORD = 8;
// The former minimum: such passwords can still sign in.
const SHORTEST_OLD_PASSWORD = 6;
// As for <input type="email">, plus a domain with a dot: no e-mail goes to "localhost".
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

const PASSWORD_REQUIREMENTS: [label: string, met: (password: string) => boolean][] = [
  ["8 characters", (password) => password.length >= SHORTEST_PASSWORD],
  ["An uppercase letter", (password) => /[A-Z]/.test(password)],
  ["A number", (password) => /\d/.test(password)],
  ["One of ! @ # $ & *", (password) => /[!@#$&*]/.test(password)],
];

type PasswordRequirement = { label: string; met: boolean };

export function passwordRequirements(password: string): PasswordRequirement[] {
  return PASSWORD_REQUIREMENTS.map(([label, met]) => ({ label, met: met(password) }));
}

// Each returns true or a message, as react-hook-form expects.
export function checkName(name: string): true | string {
  return name.trim() !== "" || "Name is Required";
}

export function checkEmail(email: string): true | string {
  if (email.trim() === "") return "Email is required";
  return EMAIL.test(email.trim()) || "Please write the whole address, like name@example.com";
}

// Codes are also typed as "123 456".
export function digits(code: string): string {
  return code.replace(/[\s-]/g, "");
}

export function checkCode(code: string): true | string {
  return /^\d{6}$/.test(digits(code)) || "Please type the six digits.";
}

export function checkPassword(password: string): true | string {
  return checkRequirements(password, SHORTEST_PASSWORD);
}

// For an account that exists already.
export function checkExistingPassword(password: string): true | string {
  return checkRequirements(password, SHORTEST_OLD_PASSWORD);
}

function checkRequirements(password: string, shortest: number): true | string {
  if (password === "") return "Password is required";
  if (password.length < shortest) return `Password must be ${shortest} characters long`;
  return (
    PASSWORD_REQUIREMENTS.slice(1).every(([, met]) => met(password)) ||
    "Password must have uppercase, number and special characters"
  );
}

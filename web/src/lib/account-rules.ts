// What may be typed into the sign-in forms, and what is said when it may not. The identity service
// holds the same rules; here they are told before anything is sent.

export type Credentials = { email: string; password: string };
export type Registration = Credentials & { name: string };

const SHORTEST_PASSWORD = 8;
// What the rule asked for before: such passwords still sign in.
const SHORTEST_OLD_PASSWORD = 6;
// As <input type="email"> has it, plus a domain of two parts: nobody's letters go to "localhost".
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

const PASSWORD_PARTS: [label: string, met: (password: string) => boolean][] = [
  ["8 characters", (password) => password.length >= SHORTEST_PASSWORD],
  ["An uppercase letter", (password) => /[A-Z]/.test(password)],
  ["A number", (password) => /\d/.test(password)],
  ["One of ! @ # $ & *", (password) => /[!@#$&*]/.test(password)],
];

export type PasswordPart = { label: string; met: boolean };

export function passwordParts(password: string): PasswordPart[] {
  return PASSWORD_PARTS.map(([label, met]) => ({ label, met: met(password) }));
}

// Each answers true, or what is wrong: the form of answer that react-hook-form asks for.
export function checkName(name: string): true | string {
  return name.trim() !== "" || "Name is Required";
}

export function checkEmail(email: string): true | string {
  if (email.trim() === "") return "Email is required";
  return EMAIL.test(email.trim()) || "Please write the whole address, like name@example.com";
}

// As it is read out or pasted: "123 456" is a code too.
export function digits(code: string): string {
  return code.replace(/[\s-]/g, "");
}

export function checkCode(code: string): true | string {
  return /^\d{6}$/.test(digits(code)) || "Please type the six digits.";
}

export function checkPassword(password: string): true | string {
  return checkParts(password, SHORTEST_PASSWORD);
}

// The password of an account that exists already.
export function checkOwnPassword(password: string): true | string {
  return checkParts(password, SHORTEST_OLD_PASSWORD);
}

function checkParts(password: string, shortest: number): true | string {
  if (password === "") return "Password is required";
  if (password.length < shortest) return `Password must be ${shortest} characters long`;
  return (
    PASSWORD_PARTS.slice(1).every(([, met]) => met(password)) ||
    "Password must have uppercase, number and special characters"
  );
}

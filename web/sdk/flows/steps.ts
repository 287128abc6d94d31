// Steps that many flows share.
import {
  type Auth,
  applyActionCode,
  createUserWithEmailAndPassword,
  FacebookAuthProvider,
  GoogleAuthProvider,
  reload,
  sendEmailVerification,
  type User,
} from "firebase/auth";
import { holds } from "../assert";
import type { Environment, Mode, Person } from "../environment";
import { newEmail, PASSWORD } from "../users";

export type Member = { auth: Auth; user: User; email: string };

export async function signUp(env: Environment, auth = env.client()): Promise<Member> {
  const email = newEmail();
  const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
  return { auth, user, email };
}

/** A user with a verified address. */
export async function signUpVerified(env: Environment, auth = env.client()): Promise<Member> {
  const member = await signUp(env, auth);
  await sendEmailVerification(member.user);
  await applyActionCode(auth, codeOf(await env.link(member.email, "verifyEmail")));
  await reload(member.user);
  holds(member.user.emailVerified, "the address is confirmed");
  return member;
}

export const google = async (env: Environment, person: Person) =>
  GoogleAuthProvider.credential(await env.providerAnswer("google.com", person));

export const facebook = async (env: Environment, person: Person) =>
  FacebookAuthProvider.credential(await env.providerAnswer("facebook.com", person));

export function codeOf(link: string): string {
  return new URL(link).searchParams.get("oobCode") ?? "";
}

/** Errors for a wrong password and an unknown address: the same in hardened mode. */
export function noMatch(mode: Mode): [wrong: string, unknown: string] {
  return mode === "hardened"
    ? ["auth/invalid-credential", "auth/invalid-credential"]
    : ["auth/wrong-password", "auth/user-not-found"];
}

/** Tokens count in seconds: waits until a user's token is this old. */
export async function tokenAgesBy(user: User, seconds: number): Promise<void> {
  const { issuedAtTime } = await user.getIdTokenResult();
  const until = Date.parse(issuedAtTime) + seconds * 1000;
  while (Date.now() < until) await new Promise((done) => setTimeout(done, until - Date.now()));
}

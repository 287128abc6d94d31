// What many flows begin with.
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
import { holds } from "../check";
import { newEmail, PASSWORD } from "../people";
import type { Mode, Person, World } from "../world";

export type Member = { auth: Auth; user: User; email: string };

export async function signUp(world: World, auth = world.client()): Promise<Member> {
  const email = newEmail();
  const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
  return { auth, user, email };
}

/** Somebody whose address is confirmed. */
export async function signUpVerified(world: World, auth = world.client()): Promise<Member> {
  const member = await signUp(world, auth);
  await sendEmailVerification(member.user);
  await applyActionCode(auth, codeOf(await world.link(member.email, "verifyEmail")));
  await reload(member.user);
  holds(member.user.emailVerified, "the address is confirmed");
  return member;
}

export const google = async (world: World, person: Person) =>
  GoogleAuthProvider.credential(await world.said("google.com", person));

export const facebook = async (world: World, person: Person) =>
  FacebookAuthProvider.credential(await world.said("facebook.com", person));

export function codeOf(link: string): string {
  return new URL(link).searchParams.get("oobCode") ?? "";
}

/** A wrong password, an unknown address: whoever is careful says the same to both. */
export function noMatch(mode: Mode): [wrong: string, unknown: string] {
  return mode === "hardened"
    ? ["auth/invalid-credential", "auth/invalid-credential"]
    : ["auth/wrong-password", "auth/user-not-found"];
}

/** Tokens count in seconds: waits until a user's token is of a second that has passed. */
export async function tokenAgesBy(user: User, seconds: number): Promise<void> {
  const { issuedAtTime } = await user.getIdTokenResult();
  const until = Date.parse(issuedAtTime) + seconds * 1000;
  while (Date.now() < until) await new Promise((done) => setTimeout(done, until - Date.now()));
}

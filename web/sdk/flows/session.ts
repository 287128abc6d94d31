// Tokens and auth state listeners.
import {
  createUserWithEmailAndPassword,
  onAuthStateChanged,
  onIdTokenChanged,
  signInWithEmailAndPassword,
  signOut,
  updateCurrentUser,
} from "firebase/auth";
import { equal, holds } from "../assert";
import type { Flow } from "../environment";
import { newEmail, PASSWORD } from "../users";
import { signUp, tokenAgesBy } from "./steps";

export const session: Flow[] = [
  {
    name: "claims of a token",
    async run(env) {
      const { user, email } = await signUp(env);
      const result = await user.getIdTokenResult();
      const { claims } = result;
      equal([claims.sub, claims.user_id], [user.uid, user.uid], "sub, user_id");
      equal([claims.email, claims.email_verified], [email, false], "address, verified");
      equal(
        claims.firebase,
        { identities: { email: [email] }, sign_in_provider: "password" },
        "firebase",
      );
      equal(claims.iss, `https://securetoken.google.com/${claims.aud}`, "iss");
      equal([result.signInProvider, result.signInSecondFactor], ["password", null], "signed in by");
      const life = Date.parse(result.expirationTime) - Date.parse(result.issuedAtTime);
      equal(life, 3_600_000, "lifetime");
      equal(result.authTime, result.issuedAtTime, "signed in at");
    },
  },
  {
    name: "a token is cached until a refresh is forced",
    async run(env) {
      const { user } = await signUp(env);
      const [first, before] = [await user.getIdToken(), await user.getIdTokenResult()];
      equal(await user.getIdToken(), first, "asked again");
      await tokenAgesBy(user, 1);
      const next = await user.getIdToken(true);
      holds(next !== first, "asked anew, it is another");
      const after = await user.getIdTokenResult();
      equal(after.authTime, before.authTime, "the time of the sign-in");
      equal(after.claims.firebase, before.claims.firebase, "the rest");
      holds(after.issuedAtTime !== before.issuedAtTime, "it is younger");
    },
  },
  {
    name: "tokens of the same second differ",
    mode: "hardened",
    async run(env) {
      const { user } = await signUp(env);
      const tokens = [await user.getIdToken(true), await user.getIdToken(true)];
      holds(tokens[0] !== tokens[1], "two tokens are two");
    },
  },
  {
    name: "auth state listeners are called",
    async run(env) {
      const auth = env.client();
      const [states, tokens]: [string[], string[]] = [[], []];
      const who = (user: { email: string | null } | null) => user?.email ?? "nobody";
      const stops = [
        onAuthStateChanged(auth, (user) => void states.push(who(user))),
        onIdTokenChanged(auth, (user) => void tokens.push(who(user))),
      ];
      await auth.authStateReady();
      const email = newEmail();
      const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
      await tokenAgesBy(user, 1);
      await user.getIdToken(true);
      await signOut(auth);
      equal(states, ["nobody", email, "nobody"], "states");
      equal(tokens, ["nobody", email, email, "nobody"], "tokens");
      for (const stop of stops) stop();
      await signInWithEmailAndPassword(auth, email, PASSWORD);
      equal([states.length, tokens.length], [3, 4], "told after the stop");
    },
  },
  {
    name: "a user is moved to another app",
    async run(env) {
      const { user } = await signUp(env);
      const other = env.client();
      await updateCurrentUser(other, user);
      equal(other.currentUser?.uid, user.uid, "who is signed in there");
      await other.currentUser?.getIdToken(true);
    },
  },
];

// Custom tokens, made by the project's admin.
import {
  createUserWithEmailAndPassword,
  getAdditionalUserInfo,
  signInWithCustomToken,
} from "firebase/auth";
import { equal, refused } from "../assert";
import type { Flow } from "../environment";
import { newEmail, newUid, PASSWORD } from "../users";

export const custom: Flow[] = [
  {
    name: "a custom token signs in, with claims that persist",
    async run(env) {
      const [auth, uid] = [env.client(), newUid()];
      const token = await env.customToken(uid, { role: "clerk", shops: [1, 2] });
      const made = await signInWithCustomToken(auth, token);
      equal([made.user.uid, made.user.isAnonymous], [uid, false], "who it is");
      equal(getAdditionalUserInfo(made)?.isNewUser, true, "new");
      await made.user.getIdToken(true);
      const { claims, signInProvider } = await made.user.getIdTokenResult();
      equal([claims.role, claims.shops, signInProvider], ["clerk", [1, 2], "custom"], "the token");
      const again = await signInWithCustomToken(env.client(), await env.customToken(uid));
      equal(getAdditionalUserInfo(again)?.isNewUser, false, "new, the second time");
      equal((await again.user.getIdTokenResult()).claims.role, undefined, "the claim of another");
    },
  },
  {
    name: "a custom token for a user with a password",
    async run(env) {
      const email = newEmail();
      const { user } = await createUserWithEmailAndPassword(env.client(), email, PASSWORD);
      const same = await signInWithCustomToken(env.client(), await env.customToken(user.uid));
      equal([same.user.uid, same.user.email], [user.uid, email], "who it is");
    },
  },
  {
    name: "an invalid token",
    async run(env) {
      await refused(
        signInWithCustomToken(env.client(), "no.such.token"),
        "auth/invalid-custom-token",
      );
    },
  },
];

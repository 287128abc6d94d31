// Tokens that the project's owner makes.
import {
  createUserWithEmailAndPassword,
  getAdditionalUserInfo,
  signInWithCustomToken,
} from "firebase/auth";
import { equal, refused } from "../check";
import { newEmail, newUid, PASSWORD } from "../people";
import type { Flow } from "../world";

export const custom: Flow[] = [
  {
    name: "the owner's word signs in, with claims that last",
    async run(world) {
      const [auth, uid] = [world.client(), newUid()];
      const token = await world.customToken(uid, { role: "clerk", shops: [1, 2] });
      const made = await signInWithCustomToken(auth, token);
      equal([made.user.uid, made.user.isAnonymous], [uid, false], "who it is");
      equal(getAdditionalUserInfo(made)?.isNewUser, true, "new");
      await made.user.getIdToken(true);
      const { claims, signInProvider } = await made.user.getIdTokenResult();
      equal([claims.role, claims.shops, signInProvider], ["clerk", [1, 2], "custom"], "the token");
      const again = await signInWithCustomToken(world.client(), await world.customToken(uid));
      equal(getAdditionalUserInfo(again)?.isNewUser, false, "new, the second time");
      equal((await again.user.getIdTokenResult()).claims.role, undefined, "the claim of another");
    },
  },
  {
    name: "the owner's word for somebody with a password",
    async run(world) {
      const email = newEmail();
      const { user } = await createUserWithEmailAndPassword(world.client(), email, PASSWORD);
      const same = await signInWithCustomToken(world.client(), await world.customToken(user.uid));
      equal([same.user.uid, same.user.email], [user.uid, email], "who it is");
    },
  },
  {
    name: "a token that is none",
    async run(world) {
      await refused(
        signInWithCustomToken(world.client(), "no.such.token"),
        "auth/invalid-custom-token",
      );
    },
  },
];

// What goes wrong with letters and their codes.
import {
  applyActionCode,
  confirmPasswordReset,
  sendEmailVerification,
  sendPasswordResetEmail,
  sendSignInLinkToEmail,
  signInWithEmailLink,
  verifyBeforeUpdateEmail,
} from "firebase/auth";
import { codeOf, signUp } from "../flows/steps";
import { newEmail, OTHER_PASSWORD } from "../people";
import type { Cause } from "./ground";
import { HOUR } from "./ground";

export const codes: Cause[] = [
  {
    code: "invalid-action-code",
    how: "a code that is none",
    provoke: ({ world }) => applyActionCode(world.client(), "none"),
  },
  {
    code: "invalid-action-code",
    how: "a code that was used",
    async provoke({ world }) {
      const { auth, user, email } = await signUp(world);
      await sendEmailVerification(user);
      const code = codeOf(await world.link(email, "verifyEmail"));
      await applyActionCode(auth, code);
      await applyActionCode(auth, code);
    },
  },
  {
    code: "expired-action-code",
    how: "a code for a new password after a month",
    mode: "clock",
    async provoke({ world, advance }) {
      const { auth, email } = await signUp(world);
      await sendPasswordResetEmail(auth, email);
      const code = codeOf(await world.link(email, "resetPassword"));
      await advance(30 * 24 * HOUR);
      await confirmPasswordReset(auth, code, OTHER_PASSWORD);
    },
  },
  {
    code: "expired-action-code",
    how: "a link to sign in after a month",
    mode: "clock",
    async provoke({ world, advance }) {
      const [auth, email] = [world.client(), newEmail()];
      await sendSignInLinkToEmail(auth, email, { url: world.url, handleCodeInApp: true });
      const link = await world.link(email, "signIn");
      await advance(30 * 24 * HOUR);
      await signInWithEmailLink(auth, email, link);
    },
  },
  {
    code: "too-many-requests",
    how: "asking for letters again and again",
    mode: "hardened",
    async provoke({ world }) {
      const { user } = await signUp(world);
      for (let letter = 1; letter <= 20; letter++) await sendEmailVerification(user);
    },
  },
  {
    code: "invalid-continue-uri",
    how: "a letter that goes on to what is no address",
    async provoke({ world }) {
      const { auth, email } = await signUp(world);
      await sendPasswordResetEmail(auth, email, { url: "no address" });
    },
  },
  {
    code: "unauthorized-continue-uri",
    how: "a letter that goes on to a stranger's site",
    mode: "hardened",
    async provoke({ world }) {
      const { auth, email } = await signUp(world);
      await sendPasswordResetEmail(auth, email, { url: "https://elsewhere.test/" });
    },
  },
  {
    code: "user-not-found",
    how: "a new password for nobody",
    mode: "emulator",
    provoke: ({ world }) => sendPasswordResetEmail(world.client(), newEmail()),
  },
  {
    code: "email-already-in-use",
    how: "a change to an address that is taken",
    mode: "emulator",
    async provoke({ world }) {
      const [{ user }, other] = [await signUp(world), await signUp(world)];
      await verifyBeforeUpdateEmail(user, other.email);
    },
  },
  {
    code: "invalid-email",
    how: "a sign-in link sent to another",
    async provoke({ world }) {
      const [auth, email] = [world.client(), newEmail()];
      await sendSignInLinkToEmail(auth, email, { url: world.url, handleCodeInApp: true });
      await signInWithEmailLink(auth, newEmail(), await world.link(email, "signIn"));
    },
  },
];

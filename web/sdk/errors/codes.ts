// Errors with e-mails and their codes.
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
import { newEmail, OTHER_PASSWORD } from "../users";
import type { Cause } from "./setup";
import { HOUR } from "./setup";

export const codes: Cause[] = [
  {
    code: "invalid-action-code",
    how: "an invalid code",
    provoke: ({ env }) => applyActionCode(env.client(), "none"),
  },
  {
    code: "invalid-action-code",
    how: "a used code",
    async provoke({ env }) {
      const { auth, user, email } = await signUp(env);
      await sendEmailVerification(user);
      const code = codeOf(await env.link(email, "verifyEmail"));
      await applyActionCode(auth, code);
      await applyActionCode(auth, code);
    },
  },
  {
    code: "expired-action-code",
    how: "a code for a new password after a month",
    mode: "clock",
    async provoke({ env, advance }) {
      const { auth, email } = await signUp(env);
      await sendPasswordResetEmail(auth, email);
      const code = codeOf(await env.link(email, "resetPassword"));
      await advance(30 * 24 * HOUR);
      await confirmPasswordReset(auth, code, OTHER_PASSWORD);
    },
  },
  {
    code: "expired-action-code",
    how: "a link to sign in after a month",
    mode: "clock",
    async provoke({ env, advance }) {
      const [auth, email] = [env.client(), newEmail()];
      await sendSignInLinkToEmail(auth, email, { url: env.url, handleCodeInApp: true });
      const link = await env.link(email, "signIn");
      await advance(30 * 24 * HOUR);
      await signInWithEmailLink(auth, email, link);
    },
  },
  {
    code: "too-many-requests",
    how: "requesting too many e-mails",
    mode: "hardened",
    async provoke({ env }) {
      const { user } = await signUp(env);
      for (let sent = 1; sent <= 20; sent++) await sendEmailVerification(user);
    },
  },
  {
    code: "invalid-continue-uri",
    how: "an e-mail with an invalid continue URL",
    async provoke({ env }) {
      const { auth, email } = await signUp(env);
      await sendPasswordResetEmail(auth, email, { url: "no address" });
    },
  },
  {
    code: "unauthorized-continue-uri",
    how: "an e-mail with a continue URL of another site",
    mode: "hardened",
    async provoke({ env }) {
      const { auth, email } = await signUp(env);
      await sendPasswordResetEmail(auth, email, { url: "https://elsewhere.test/" });
    },
  },
  {
    code: "user-not-found",
    how: "a password reset for an unknown address",
    mode: "emulator",
    provoke: ({ env }) => sendPasswordResetEmail(env.client(), newEmail()),
  },
  {
    code: "email-already-in-use",
    how: "a change to an address that is taken",
    mode: "emulator",
    async provoke({ env }) {
      const [{ user }, other] = [await signUp(env), await signUp(env)];
      await verifyBeforeUpdateEmail(user, other.email);
    },
  },
  {
    code: "invalid-email",
    how: "a sign-in link sent to another address",
    async provoke({ env }) {
      const [auth, email] = [env.client(), newEmail()];
      await sendSignInLinkToEmail(auth, email, { url: env.url, handleCodeInApp: true });
      await signInWithEmailLink(auth, newEmail(), await env.link(email, "signIn"));
    },
  },
];

import { useState } from "react";
import { useForm } from "react-hook-form";
import { NO_EMAIL, useAccountEmail, useShop } from "../../../lib/shop-context";
import { loginUrl } from "../../../lib/urls";
import { Button, ButtonLink } from "../../../ui/button";
import { AccountForm } from "../../auth/account-form";
import type { Mode } from "../../auth/action-link";
import { sendVerification, useAuth } from "../../auth/auth";
import type { Failure } from "../../auth/auth-errors";
import { ResetForm } from "../../auth/forgotten-password";
import styles from "../email-action.module.css";
import { ContinueShopping, SignInLink, Step } from "./step";

// Texts of our own: the identity service's messages come with the SDK.
export const MISSING_CODE: Failure = { code: "auth/missing-code", message: "", field: null };

type LinkErrorText = [title: string, text: string];

const TEXTS: Record<string, LinkErrorText> = {
  [MISSING_CODE.code]: [
    "This link is not complete.",
    "Part of it got lost on the way. Please open it from the e-mail once more.",
  ],
  "auth/expired-action-code": [
    "This link is too old.",
    "To be safe, a link from our e-mails works for a limited time.",
  ],
  "auth/invalid-action-code": [
    "This link does not work any more.",
    "It was used before, or part of it got lost on the way.",
  ],
};
// For customers who sign in to get a new e-mail.
const NO_LINK: LinkErrorText = [
  "Confirm your address",
  "The link for it is in our e-mail. Is it gone, or does it not work?",
];

type Props = { mode: Mode | null; failed: Failure; next: string };

// An action link that failed, and what to do next.
export function LinkError({ mode, failed, next }: Props) {
  const sends = useAccountEmail();
  const error = TEXTS[failed.code];
  if (error === undefined) {
    return (
      <Step title="That did not work." text={failed.message}>
        <p className={styles.ways}>
          <Button onClick={() => location.reload()}>Try again</Button>
        </p>
      </Step>
    );
  }
  const [title, text] = error;
  switch (mode) {
    case "verifyEmail":
      return <Unconfirmed error={failed === MISSING_CODE ? NO_LINK : error} next={next} />;
    case "resetPassword":
      return (
        <Step title={title} text={sends ? `${text} We can send you a new one.` : text}>
          <ResetForm email="" />
        </Step>
      );
    case "signIn":
      return (
        <Step title={title} text={text}>
          <SignInLink />
        </Step>
      );
    case "recoverEmail":
      return <Unrecovered error={error} />;
    default:
      return (
        <Step title={title} text={text}>
          <ContinueShopping next={next} />
        </Step>
      );
  }
}

function Unconfirmed({ error: [title, text], next }: { error: LinkErrorText; next: string }) {
  const { loading, user } = useAuth();
  const sends = useAccountEmail();
  const [sent, setSent] = useState(false);
  const form = useForm();

  async function send() {
    const failed = await sendVerification();
    setSent(failed === null);
    return failed;
  }

  if (!sends && !user?.emailVerified) {
    return (
      <Step title={title} text={`${NO_EMAIL} So your address cannot be confirmed for now.`}>
        <ContinueShopping next={next} />
      </Step>
    );
  }
  if (loading) return <Step title={title} text={text} />;
  if (user === null) {
    return (
      <Step title={title} text={`${text} Once you are signed in, we can send you a new one.`}>
        <p className={styles.ways}>
          <ButtonLink href={loginUrl("/auth/action?mode=verifyEmail")}>Sign in</ButtonLink>
        </p>
      </Step>
    );
  }
  if (user.emailVerified) {
    return (
      <Step
        title={title}
        text={`${text} But ${user.email} is confirmed: there is nothing left to do.`}
      >
        <ContinueShopping next={next} />
      </Step>
    );
  }
  return (
    <Step title={title} text={text}>
      {sent ? (
        <>
          <p className={styles.sent} role="status">
            A new e-mail is on its way to {user.email}.
          </p>
          <ContinueShopping next={next} />
        </>
      ) : (
        <AccountForm form={form} send={send} submit="Send me a new e-mail" />
      )}
    </Step>
  );
}

function Unrecovered({ error: [title, text] }: { error: LinkErrorText }) {
  const { shop } = useShop();
  return (
    <Step
      title={title}
      text={`${text} If somebody else changed your address, write to us: we will help.`}
    >
      <p className={styles.ways}>
        {shop.email ? (
          <ButtonLink href={`mailto:${shop.email}`}>Write to {shop.email}</ButtonLink>
        ) : (
          <ButtonLink href="/contact">Write to us</ButtonLink>
        )}
      </p>
    </Step>
  );
}

import { useState } from "react";
import { useForm } from "react-hook-form";
import { sendVerification, useAccount } from "../../lib/auth";
import type { Failure } from "../../lib/auth-errors";
import type { Mode } from "../../lib/letter";
import { NO_EMAIL, useAccountEmail, useShop } from "../../lib/shop";
import { loginUrl } from "../../lib/urls";
import { Button, ButtonLink } from "../../ui/button";
import { AccountForm } from "../entrance/account-form";
import { ResetForm } from "../entrance/forgotten-password";
import styles from "./letter.module.css";
import { Step, ToSignIn, ToTheShop } from "./step";

// Said here: the identity service's words come with the SDK.
export const MISSING: Failure = { code: "auth/missing-code", message: "", field: null };

type Said = [title: string, words: string];

const SAID: Record<string, Said> = {
  [MISSING.code]: [
    "This link is not complete.",
    "Part of it got lost on the way. Please open it from the letter once more.",
  ],
  "auth/expired-action-code": [
    "This link is too old.",
    "To be safe, a link from our letters works for a limited time.",
  ],
  "auth/invalid-action-code": [
    "This link does not work any more.",
    "It was used before, or part of it got lost on the way.",
  ],
};
// Where one comes who signs in for a new letter.
const NO_LINK: Said = [
  "Confirm your address",
  "The link for it is in our letter. Is it gone, or does it not work?",
];

type Props = { mode: Mode | null; failed: Failure; next: string };

// A link that did not do what it was for, and the way on from there.
export function Trouble({ mode, failed, next }: Props) {
  const sends = useAccountEmail();
  const said = SAID[failed.code];
  if (said === undefined) {
    return (
      <Step title="That did not work." words={failed.message}>
        <p className={styles.ways}>
          <Button onClick={() => location.reload()}>Try again</Button>
        </p>
      </Step>
    );
  }
  const [title, words] = said;
  switch (mode) {
    case "verifyEmail":
      return <Unconfirmed said={failed === MISSING ? NO_LINK : said} next={next} />;
    case "resetPassword":
      return (
        <Step title={title} words={sends ? `${words} We can send you a new one.` : words}>
          <ResetForm email="" />
        </Step>
      );
    case "signIn":
      return (
        <Step title={title} words={words}>
          <ToSignIn />
        </Step>
      );
    case "recoverEmail":
      return <Unrecovered said={said} />;
    default:
      return (
        <Step title={title} words={words}>
          <ToTheShop next={next} />
        </Step>
      );
  }
}

function Unconfirmed({ said: [title, words], next }: { said: Said; next: string }) {
  const { loading, user } = useAccount();
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
      <Step title={title} words={`${NO_EMAIL} So your address cannot be confirmed for now.`}>
        <ToTheShop next={next} />
      </Step>
    );
  }
  if (loading) return <Step title={title} words={words} />;
  if (user === null) {
    return (
      <Step title={title} words={`${words} Once you are signed in, we can send you a new one.`}>
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
        words={`${words} But ${user.email} is confirmed: there is nothing left to do.`}
      >
        <ToTheShop next={next} />
      </Step>
    );
  }
  return (
    <Step title={title} words={words}>
      {sent ? (
        <>
          <p className={styles.sent} role="status">
            A new letter is on its way to {user.email}.
          </p>
          <ToTheShop next={next} />
        </>
      ) : (
        <AccountForm form={form} send={send} submit="Send me a new letter" />
      )}
    </Step>
  );
}

function Unrecovered({ said: [title, words] }: { said: Said }) {
  const { shop } = useShop();
  return (
    <Step
      title={title}
      words={`${words} If somebody else changed your address, write to us: we will help.`}
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

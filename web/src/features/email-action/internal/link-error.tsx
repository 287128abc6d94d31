import * as auth from "messages/auth";
import * as common from "messages/common";
import * as m from "messages/emailAction";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { localUrl } from "../../../lib/language";
import { useAccountEmail, useShop } from "../../../lib/shop-context";
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

type LinkErrorText = [title: () => string, text: () => string];

const TEXTS: Record<string, LinkErrorText> = {
  [MISSING_CODE.code]: [m.incomplete, m.incompleteText],
  "auth/expired-action-code": [m.expired, m.expiredText],
  "auth/invalid-action-code": [m.invalid, m.invalidText],
};
// For customers who sign in to get a new e-mail.
const NO_LINK: LinkErrorText = [m.confirmYours, m.confirmYoursText];

type Props = { mode: Mode | null; failed: Failure; next: string };

// An action link that failed, and what to do next.
export function LinkError({ mode, failed, next }: Props) {
  const sends = useAccountEmail();
  const error = TEXTS[failed.code];
  if (error === undefined) {
    return (
      <Step title={m.failed()} text={failed.message}>
        <p className={styles.ways}>
          <Button onClick={() => location.reload()}>{common.tryAgain()}</Button>
        </p>
      </Step>
    );
  }
  const [title, text] = texts(error);
  switch (mode) {
    case "verifyEmail":
      return <Unconfirmed error={failed === MISSING_CODE ? NO_LINK : error} next={next} />;
    case "resetPassword":
      return (
        <Step title={title} text={sends ? m.canSendNew({ text }) : text}>
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

function texts([title, text]: LinkErrorText): [title: string, text: string] {
  return [title(), text()];
}

function Unconfirmed({ error, next }: { error: LinkErrorText; next: string }) {
  const [title, text] = texts(error);
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
      <Step title={title} text={m.cannotConfirm()}>
        <ContinueShopping next={next} />
      </Step>
    );
  }
  if (loading) return <Step title={title} text={text} />;
  if (user === null) {
    return (
      <Step title={title} text={m.signInForNew({ text })}>
        <p className={styles.ways}>
          <ButtonLink href={loginUrl("/auth/action?mode=verifyEmail")}>{auth.signIn()}</ButtonLink>
        </p>
      </Step>
    );
  }
  if (user.emailVerified) {
    return (
      <Step title={title} text={m.alreadyConfirmed({ text, email: user.email ?? "" })}>
        <ContinueShopping next={next} />
      </Step>
    );
  }
  return (
    <Step title={title} text={text}>
      {sent ? (
        <>
          <p className={styles.sent} role="status">
            {m.newEmailSent({ email: user.email ?? "" })}
          </p>
          <ContinueShopping next={next} />
        </>
      ) : (
        <AccountForm form={form} send={send} submit={m.sendNewEmail()} />
      )}
    </Step>
  );
}

function Unrecovered({ error }: { error: LinkErrorText }) {
  const [title, text] = texts(error);
  const shop = useShop();
  return (
    <Step title={title} text={m.writeForHelp({ text })}>
      <p className={styles.ways}>
        {shop.email ? (
          <ButtonLink href={`mailto:${shop.email}`}>{m.writeTo({ email: shop.email })}</ButtonLink>
        ) : (
          <ButtonLink href={localUrl("/contact")}>{m.writeToUs()}</ButtonLink>
        )}
      </p>
    </Step>
  );
}

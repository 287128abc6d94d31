import { useForm } from "react-hook-form";
import { AccountForm } from "../../auth/account-form";
import { applyCode } from "../../auth/auth";
import styles from "../email-action.module.css";
import { LinkError } from "./link-error";
import { CheckingLink, SignInLink, Step } from "./step";
import { useActionCode } from "./use-action-code";

type Props = { code: string; next: string };

export function ChangeEmail({ code, next }: Props) {
  const { purpose, failed, done, finish } = useActionCode("verifyAndChangeEmail", code);
  const form = useForm();

  if (failed) return <LinkError mode="verifyAndChangeEmail" failed={failed} next={next} />;
  if (purpose === null) return <CheckingLink />;
  if (done) {
    return (
      <Step
        title="Your address is changed."
        text={`From now on, sign in with ${purpose.email}. You are signed out everywhere until then.`}
      >
        <SignInLink />
      </Step>
    );
  }
  return (
    <Step title="Confirm your new address" text="You sign in with it, and our e-mails go there.">
      <dl className={styles.addresses}>
        {purpose.previousEmail && (
          <div>
            <dt>Until now</dt>
            <dd>{purpose.previousEmail}</dd>
          </div>
        )}
        <div>
          <dt>From now on</dt>
          <dd>{purpose.email}</dd>
        </div>
      </dl>
      <AccountForm
        form={form}
        send={async () => finish(await applyCode(code))}
        submit="Confirm the change"
      />
    </Step>
  );
}

import * as m from "messages/emailAction";
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
      <Step title={m.addressChanged()} text={m.addressChangedText({ email: purpose.email })}>
        <SignInLink />
      </Step>
    );
  }
  return (
    <Step title={m.confirmAddress()} text={m.confirmAddressText()}>
      <dl className={styles.addresses}>
        {purpose.previousEmail && (
          <div>
            <dt>{m.untilNow()}</dt>
            <dd>{purpose.previousEmail}</dd>
          </div>
        )}
        <div>
          <dt>{m.fromNowOn()}</dt>
          <dd>{purpose.email}</dd>
        </div>
      </dl>
      <AccountForm
        form={form}
        send={async () => finish(await applyCode(code))}
        submit={m.confirmChange()}
      />
    </Step>
  );
}

import * as m from "messages/emailAction";
import { useForm } from "react-hook-form";
import { useAccountEmail } from "../../../lib/shop-context";
import { AccountForm } from "../../auth/account-form";
import { applyCode } from "../../auth/auth";
import { ResetForm } from "../../auth/forgotten-password";
import styles from "../email-action.module.css";
import { LinkError } from "./link-error";
import { CheckingLink, ContinueShopping, Step } from "./step";
import { useActionCode } from "./use-action-code";

type Props = { code: string; next: string };

export function RecoverEmail({ code, next }: Props) {
  const { purpose, failed, done, finish } = useActionCode("recoverEmail", code);
  const form = useForm();

  if (failed) return <LinkError mode="recoverEmail" failed={failed} next={next} />;
  if (purpose === null) return <CheckingLink />;
  if (done) return <Undone email={purpose.email} next={next} />;
  return (
    <Step title={m.wasNotYou()} text={m.wasNotYouText()}>
      <dl className={styles.addresses}>
        <div>
          <dt>{m.addressAgain()}</dt>
          <dd>{purpose.email}</dd>
        </div>
      </dl>
      <AccountForm
        form={form}
        send={async () => finish(await applyCode(code))}
        submit={m.undoChange()}
      />
    </Step>
  );
}

// Whoever changed the address may know the password, so the service has removed it and sent an
// e-mail for a new one.
function Undone({ email, next }: { email: string; next: string }) {
  const sends = useAccountEmail();
  return (
    <Step
      title={m.changeUndone()}
      text={sends ? m.changeUndoneEmail({ email }) : m.changeUndoneText({ email })}
    >
      {/* Says how to get a new password where no e-mail can be sent. */}
      {!sends && <ResetForm email={email} />}
      <ContinueShopping next={next} />
    </Step>
  );
}

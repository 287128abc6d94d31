import { useState } from "react";
import { useForm } from "react-hook-form";
import { applyCode, sendReset } from "../../lib/auth";
import { AccountForm } from "../entrance/account-form";
import styles from "./letter.module.css";
import { Moment, Step, ToTheShop } from "./step";
import { Trouble } from "./trouble";
import { usePurpose } from "./use-purpose";

type Props = { code: string; next: string };

export function UndoChange({ code, next }: Props) {
  const { purpose, failed, done, finish } = usePurpose("recoverEmail", code);
  const form = useForm();

  if (failed) return <Trouble mode="recoverEmail" failed={failed} next={next} />;
  if (purpose === null) return <Moment />;
  if (done) return <Undone email={purpose.email} next={next} />;
  return (
    <Step
      title="Was that not you?"
      words="The address of your account was changed. You can have the old one back."
    >
      <dl className={styles.addresses}>
        <div>
          <dt>Your address again</dt>
          <dd>{purpose.email}</dd>
        </div>
      </dl>
      <AccountForm
        form={form}
        send={async () => finish(await applyCode(code))}
        submit="Undo the change"
      />
    </Step>
  );
}

// Whoever changed the address may know the password too.
function Undone({ email, next }: { email: string; next: string }) {
  const [sent, setSent] = useState(false);
  const form = useForm();

  async function send() {
    const failed = await sendReset(email);
    setSent(failed === null);
    return failed;
  }

  return (
    <Step
      title="The change is undone."
      words={`Your account is back at ${email}, and signed out everywhere. Did somebody else change it? Then choose a new password too.`}
    >
      {sent ? (
        <>
          <p className={styles.sent} role="status">
            A letter with a link for a new password is on its way.
          </p>
          <ToTheShop next={next} />
        </>
      ) : (
        <AccountForm form={form} send={send} submit="Send me a link for a new password" />
      )}
    </Step>
  );
}

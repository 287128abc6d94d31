import { useForm } from "react-hook-form";
import { applyCode } from "../../lib/auth";
import { useAccountEmail } from "../../lib/shop";
import { AccountForm } from "../entrance/account-form";
import { ResetForm } from "../entrance/forgotten-password";
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

// Whoever changed the address may know the password, so the service has thrown it away and posted a
// letter for a new one.
function Undone({ email, next }: { email: string; next: string }) {
  const sends = useAccountEmail();
  const done = `Your account is back at ${email}, and signed out everywhere. The old password opens nothing any more`;
  return (
    <Step
      title="The change is undone."
      words={
        sends
          ? `${done}: choose a new one with the link in the letter that is on its way to you.`
          : `${done}.`
      }
    >
      {/* Says how to get a new one where no letter can be sent. */}
      {!sends && <ResetForm email={email} />}
      <ToTheShop next={next} />
    </Step>
  );
}

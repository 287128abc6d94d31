import { useForm } from "react-hook-form";
import { applyCode } from "../../lib/auth";
import { AccountForm } from "../entrance/account-form";
import styles from "./letter.module.css";
import { Moment, Step, ToSignIn } from "./step";
import { Trouble } from "./trouble";
import { usePurpose } from "./use-purpose";

type Props = { code: string; next: string };

export function ChangeAddress({ code, next }: Props) {
  const { purpose, failed, done, finish } = usePurpose("verifyAndChangeEmail", code);
  const form = useForm();

  if (failed) return <Trouble mode="verifyAndChangeEmail" failed={failed} next={next} />;
  if (purpose === null) return <Moment />;
  if (done) {
    return (
      <Step
        title="Your address is changed."
        words={`From now on, sign in with ${purpose.email}. You are signed out everywhere until then.`}
      >
        <ToSignIn />
      </Step>
    );
  }
  return (
    <Step title="Confirm your new address" words="You sign in with it, and our letters go there.">
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

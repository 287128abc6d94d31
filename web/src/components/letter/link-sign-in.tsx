import { useState } from "react";
import { useForm } from "react-hook-form";
import { checkEmail } from "../../lib/account-rules";
import { type SecondStep, signInWithLink } from "../../lib/auth";
import type { Failure } from "../../lib/auth-errors";
import { emailForSignIn, forgetEmailForSignIn } from "../../lib/letter";
import { goOn } from "../../lib/navigation";
import { Field } from "../../ui/field";
import { AccountForm } from "../entrance/account-form";
import { SecondStepForm } from "../entrance/second-step";
import { Step } from "./step";
import { Trouble } from "./trouble";

// A link that went astray must not let its finder in, nor let anybody in as its sender: so whoever
// did not ask for it in this browser says for which address it is.
export function LinkSignIn({ next }: { next: string }) {
  const [known, setKnown] = useState(emailForSignIn);
  const [spent, setSpent] = useState<Failure | null>(null);
  const [second, setSecond] = useState<SecondStep | null>(null);
  const form = useForm({ defaultValues: { email: known ?? "" } });

  function enter() {
    forgetEmailForSignIn();
    goOn(next);
  }

  async function send({ email }: { email: string }) {
    const failed = await signInWithLink(email.trim(), location.href);
    if (failed === null) {
      enter();
      return null;
    }
    if (failed.second) {
      setSecond(failed.second);
      return null;
    }
    if (/-action-code$/.test(failed.code)) {
      setSpent(failed);
      return null;
    }
    if (failed.code !== "auth/invalid-email") return failed;
    setKnown(null);
    return { ...failed, message: "This link was sent to another address." };
  }

  if (second) return <SecondStepForm step={second} back={() => setSecond(null)} done={enter} />;
  if (spent) return <Trouble mode="signIn" failed={spent} next={next} />;
  return (
    <Step
      title="Sign in"
      words={known === null ? "To which address did we send this link?" : `As ${known}`}
    >
      <AccountForm form={form} send={send} submit="Continue">
        {known === null && (
          <Field
            label="Email"
            type="email"
            autoComplete="username"
            fault={form.formState.errors.email?.message}
            {...form.register("email", { validate: checkEmail })}
          />
        )}
      </AccountForm>
    </Step>
  );
}

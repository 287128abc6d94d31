import * as auth from "messages/auth";
import * as m from "messages/emailAction";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { redirect } from "../../../lib/navigation";
import { Field } from "../../../ui/field";
import { AccountForm } from "../../auth/account-form";
import { clearEmailForSignIn, emailForSignIn } from "../../auth/action-link";
import { type SecondStep, signInWithLink } from "../../auth/auth";
import type { Failure } from "../../auth/auth-errors";
import { SecondStepForm } from "../../auth/second-step";
import { checkEmail } from "../../auth/validation";
import { LinkError } from "./link-error";
import { Step } from "./step";

// A sign-in link works only for the address it was sent to: a browser that did not request it has
// to ask for the address, so that a leaked link is useless and nobody is signed in as its sender.
export function EmailLinkSignIn({ next }: { next: string }) {
  const [known, setKnown] = useState(emailForSignIn);
  const [spent, setSpent] = useState<Failure | null>(null);
  const [second, setSecond] = useState<SecondStep | null>(null);
  const form = useForm({ defaultValues: { email: known ?? "" } });

  function enter() {
    clearEmailForSignIn();
    redirect(next);
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
    return { ...failed, message: m.otherAddress() };
  }

  if (second) return <SecondStepForm step={second} back={() => setSecond(null)} done={enter} />;
  if (spent) return <LinkError mode="signIn" failed={spent} next={next} />;
  return (
    <Step
      title={auth.signIn()}
      text={known === null ? m.whichAddress() : m.asAddress({ email: known })}
    >
      <AccountForm form={form} send={send} submit={auth.continue()}>
        {known === null && (
          <Field
            label={auth.email()}
            type="email"
            autoComplete="username"
            error={form.formState.errors.email?.message}
            {...form.register("email", { validate: checkEmail })}
          />
        )}
      </AccountForm>
    </Step>
  );
}

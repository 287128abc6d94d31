import { useForm } from "react-hook-form";
import { checkPassword } from "../../lib/account-rules";
import { resetPassword } from "../../lib/auth";
import { AccountForm } from "../entrance/account-form";
import { PasswordField } from "../entrance/password-field";
import { Moment, Step, ToSignIn } from "./step";
import { Trouble } from "./trouble";
import { usePurpose } from "./use-purpose";

type Props = { code: string; next: string };

export function NewPassword({ code, next }: Props) {
  const { purpose, failed, done, finish } = usePurpose("resetPassword", code);
  const form = useForm<{ password: string }>();

  if (failed) return <Trouble mode="resetPassword" failed={failed} next={next} />;
  if (purpose === null) return <Moment />;
  if (done) {
    return (
      <Step
        title="Your password is changed."
        words="You are signed out everywhere. The new password lets you in again."
      >
        <ToSignIn />
      </Step>
    );
  }
  return (
    <Step title="Choose a new password" words={`For ${purpose.email}`}>
      <AccountForm
        form={form}
        send={async ({ password }) => finish(await resetPassword(code, password))}
        submit="Change my password"
      >
        {/* For the browser's own keeper of passwords, which asks whose it is. */}
        <input type="email" autoComplete="username" value={purpose.email} readOnly hidden />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          rule={form.watch("password") ?? ""}
          fault={form.formState.errors.password?.message}
          {...form.register("password", { validate: checkPassword })}
        />
      </AccountForm>
    </Step>
  );
}

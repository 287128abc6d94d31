import * as m from "messages/emailAction";
import { useForm } from "react-hook-form";
import { AccountForm } from "../../auth/account-form";
import { resetPassword } from "../../auth/auth";
import { PasswordField } from "../../auth/password-field";
import { checkPassword } from "../../auth/validation";
import { LinkError } from "./link-error";
import { CheckingLink, SignInLink, Step } from "./step";
import { useActionCode } from "./use-action-code";

type Props = { code: string; next: string };

export function ResetPassword({ code, next }: Props) {
  const { purpose, failed, done, finish } = useActionCode("resetPassword", code);
  const form = useForm<{ password: string }>();

  if (failed) return <LinkError mode="resetPassword" failed={failed} next={next} />;
  if (purpose === null) return <CheckingLink />;
  if (done) {
    return (
      <Step title={m.passwordChanged()} text={m.passwordChangedText()}>
        <SignInLink />
      </Step>
    );
  }
  return (
    <Step title={m.choosePassword()} text={m.forAddress({ email: purpose.email })}>
      <AccountForm
        form={form}
        send={async ({ password }) => finish(await resetPassword(code, password))}
        submit={m.changePassword()}
      >
        {/* Password managers need the user name. */}
        <input type="email" autoComplete="username" value={purpose.email} readOnly hidden />
        <PasswordField
          label={m.newPassword()}
          autoComplete="new-password"
          rule={form.watch("password") ?? ""}
          error={form.formState.errors.password?.message}
          {...form.register("password", { validate: checkPassword })}
        />
      </AccountForm>
    </Step>
  );
}

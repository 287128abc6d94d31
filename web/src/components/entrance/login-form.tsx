import { useForm } from "react-hook-form";
import { type Credentials, checkEmail, checkOwnPassword } from "../../lib/account-rules";
import { signIn } from "../../lib/auth";
import { cameFrom, useGoOnSignedIn } from "../../lib/go-on";
import { Field } from "../../ui/field";
import { AccountForm } from "./account-form";
import { ForgottenPassword } from "./forgotten-password";
import { PasswordField } from "./password-field";
import { useSecondStep } from "./second-step";

export function LoginForm() {
  const form = useForm<Credentials>();
  const { errors, isSubmitting } = form.formState;
  const orSecondStep = useSecondStep();
  useGoOnSignedIn(cameFrom, isSubmitting);
  return (
    <>
      <AccountForm
        form={form}
        send={async ({ email, password }) => orSecondStep(await signIn(email.trim(), password))}
        submit="Continue"
      >
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          fault={errors.email?.message}
          {...form.register("email", { validate: checkEmail })}
        />
        <PasswordField
          autoComplete="current-password"
          fault={errors.password?.message}
          {...form.register("password", { validate: checkOwnPassword })}
        />
      </AccountForm>
      <ForgottenPassword typed={() => form.getValues("email")} />
    </>
  );
}

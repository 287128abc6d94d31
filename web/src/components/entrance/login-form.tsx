import { useForm } from "react-hook-form";
import { type Credentials, checkEmail, checkPassword } from "../../lib/account-rules";
import { signIn } from "../../lib/auth";
import { cameFrom, useGoOnSignedIn } from "../../lib/go-on";
import { Field } from "../../ui/field";
import { AccountForm } from "./account-form";
import { ForgottenPassword } from "./forgotten-password";
import { PasswordField } from "./password-field";

export function LoginForm() {
  const form = useForm<Credentials>();
  const { errors, isSubmitting } = form.formState;
  useGoOnSignedIn(cameFrom, isSubmitting);
  return (
    <>
      <AccountForm
        form={form}
        send={({ email, password }) => signIn(email.trim(), password)}
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
          {...form.register("password", { validate: checkPassword })}
        />
      </AccountForm>
      <ForgottenPassword typed={() => form.getValues("email")} />
    </>
  );
}

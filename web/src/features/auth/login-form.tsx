import * as m from "messages/auth";
import { useForm } from "react-hook-form";
import { Field } from "../../ui/field";
import { AccountForm } from "./account-form";
import { signIn } from "./auth";
import { ForgottenPassword } from "./forgotten-password";
import { returnPath, useRedirectSignedIn } from "./internal/redirect";
import { PasswordField } from "./password-field";
import { useSecondStep } from "./second-step";
import { type Credentials, checkEmail, checkExistingPassword } from "./validation";

export function LoginForm() {
  const form = useForm<Credentials>();
  const { errors, isSubmitting } = form.formState;
  const unlessSecondStep = useSecondStep();
  useRedirectSignedIn(returnPath, isSubmitting);
  return (
    <>
      <AccountForm
        form={form}
        send={async ({ email, password }) => unlessSecondStep(await signIn(email.trim(), password))}
        submit={m.continue()}
      >
        <Field
          label={m.email()}
          type="email"
          autoComplete="username"
          error={errors.email?.message}
          {...form.register("email", { validate: checkEmail })}
        />
        <PasswordField
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register("password", { validate: checkExistingPassword })}
        />
      </AccountForm>
      <ForgottenPassword typed={() => form.getValues("email")} />
    </>
  );
}

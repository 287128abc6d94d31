import * as m from "messages/auth";
import { useForm } from "react-hook-form";
import { toast } from "../../lib/toast";
import { Field } from "../../ui/field";
import { AccountForm } from "./account-form";
import { saveCustomer, sendVerification, signUp, updateName } from "./auth";
import type { Failure } from "./auth-errors";
import { returnPath, useRedirectSignedIn } from "./internal/redirect";
import { PasswordField } from "./password-field";
import { checkEmail, checkName, checkPassword, type Registration } from "./validation";

// Redirects to where the visitor came from.
export function RegisterForm({ submit }: { submit: string }) {
  const form = useForm<Registration>();
  const { errors, isSubmitting } = form.formState;
  useRedirectSignedIn(returnPath, isSubmitting);
  return (
    <AccountForm form={form} send={register} submit={submit}>
      <Field
        label={m.name()}
        autoComplete="name"
        error={errors.name?.message}
        {...form.register("name", { validate: checkName })}
      />
      <Field
        label={m.email()}
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...form.register("email", { validate: checkEmail })}
      />
      <PasswordField
        autoComplete="new-password"
        rule={form.watch("password") ?? ""}
        error={errors.password?.message}
        {...form.register("password", { validate: checkPassword })}
      />
    </AccountForm>
  );
}

async function register(registration: Registration): Promise<Failure | null> {
  const name = registration.name.trim();
  const failed = await signUp(registration.email.trim(), registration.password);
  if (failed) return failed;
  toast.success(m.userCreated());
  // The account exists; a later step that fails is reported and does not undo it.
  for (const step of [() => updateName(name), () => saveCustomer(name), sendVerification]) {
    const error = await step();
    if (error) toast.error(error.message);
  }
  return null;
}

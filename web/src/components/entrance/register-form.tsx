import { useForm } from "react-hook-form";
import { checkEmail, checkName, checkPassword, type Registration } from "../../lib/account-rules";
import { saveCustomer, sendVerification, signUp, updateName } from "../../lib/auth";
import type { Failure } from "../../lib/auth-errors";
import { cameFrom, useGoOnSignedIn } from "../../lib/go-on";
import { toast } from "../../lib/toast";
import { Field } from "../../ui/field";
import { AccountForm } from "./account-form";
import { PasswordField } from "./password-field";

// Goes on to where one came from when all is done.
export function RegisterForm({ submit }: { submit: string }) {
  const form = useForm<Registration>();
  const { errors, isSubmitting } = form.formState;
  useGoOnSignedIn(cameFrom, isSubmitting);
  return (
    <AccountForm form={form} send={register} submit={submit}>
      <Field
        label="Name"
        autoComplete="name"
        fault={errors.name?.message}
        {...form.register("name", { validate: checkName })}
      />
      <Field
        label="Email"
        type="email"
        autoComplete="email"
        fault={errors.email?.message}
        {...form.register("email", { validate: checkEmail })}
      />
      <PasswordField
        autoComplete="new-password"
        rule={form.watch("password") ?? ""}
        fault={errors.password?.message}
        {...form.register("password", { validate: checkPassword })}
      />
    </AccountForm>
  );
}

async function register(registration: Registration): Promise<Failure | null> {
  const name = registration.name.trim();
  const failed = await signUp(registration.email.trim(), registration.password);
  if (failed) return failed;
  toast.success("User Created Successfully.");
  // The account stands; a later step that fails is told, and does not take it back.
  for (const step of [() => updateName(name), () => saveCustomer(name), sendVerification]) {
    const trouble = await step();
    if (trouble) toast.error(trouble.message);
  }
  return null;
}

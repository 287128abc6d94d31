import * as m from "messages/auth";
import type { ReactNode } from "react";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { useHydrated } from "../../lib/use-hydrated";
import { SubmitButton } from "../../ui/button";
import styles from "./account-form.module.css";
import type { Failure } from "./auth-errors";

type Props<Values extends FieldValues> = {
  form: UseFormReturn<Values>;
  // Resolves to an error or null.
  send: (values: Values) => Promise<Failure | null>;
  submit: string;
  children?: ReactNode;
};

// A form that sends to the identity service: one submission at a time, errors at their fields.
export function AccountForm<Values extends FieldValues>(props: Props<Values>) {
  const { form, send, submit, children } = props;
  const { errors, isSubmitting } = form.formState;
  const hydrated = useHydrated();

  const onSubmit = form.handleSubmit(async (values) => {
    const failed = await send(values);
    if (failed === null) return;
    const field = failed.field as Path<Values> | null;
    if (field !== null && field in values) {
      form.setError(field, { message: failed.message }, { shouldFocus: true });
    } else {
      form.setError("root", { message: failed.message });
    }
  });

  return (
    <form
      className={styles.form}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSubmitting) void onSubmit(event);
      }}
    >
      <p className={`without-js ${styles.note}`}>{m.needsJavaScript()}</p>
      {children}
      <div className={styles.end}>
        <SubmitButton busy={isSubmitting} disabled={!hydrated}>
          {submit}
        </SubmitButton>
        {errors.root?.message !== undefined && (
          <p className={styles.error} role="alert">
            {errors.root.message}
          </p>
        )}
      </div>
    </form>
  );
}

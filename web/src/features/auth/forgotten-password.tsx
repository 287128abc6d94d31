import { useState } from "react";
import { useForm } from "react-hook-form";
import { NO_EMAIL, useAccountEmail, useShop } from "../../lib/shop-context";
import { Field } from "../../ui/field";
import { AccountForm } from "./account-form";
import { sendReset } from "./auth";
import styles from "./forgotten-password.module.css";
import { checkEmail } from "./validation";

type Props = {
  // The address already typed in the form above.
  typed: () => string | undefined;
};

export function ForgottenPassword({ typed }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.forgotten}>
      <button
        className={styles.opener}
        type="button"
        aria-expanded={open}
        aria-controls="forgotten"
        onClick={() => setOpen(!open)}
      >
        Forgot your password?
      </button>
      <div id="forgotten">{open && <ResetForm email={typed() ?? ""} />}</div>
    </div>
  );
}

export function ResetForm({ email }: { email: string }) {
  const sends = useAccountEmail();
  const { shop } = useShop();
  const [sent, setSent] = useState(false);
  const form = useForm({ defaultValues: { email } });

  // The same answer whether or not there is an account. A network error may be shown.
  async function send(values: { email: string }) {
    const failed = await sendReset(values.email.trim());
    if (failed?.code === "auth/network-request-failed") return failed;
    setSent(true);
    return null;
  }

  if (!sends) {
    return (
      <p className={styles.sent}>
        {NO_EMAIL} Please{" "}
        {shop.email ? (
          <>
            write to <a href={`mailto:${shop.email}`}>{shop.email}</a>
          </>
        ) : (
          <a href="/contact">write to us</a>
        )}
        , and we will help you in.
      </p>
    );
  }
  if (sent) {
    return (
      <p className={styles.sent} role="status">
        If there is an account for that address, an e-mail is on its way.
      </p>
    );
  }
  return (
    <div className={styles.panel}>
      <AccountForm form={form} send={send} submit="Send me a link">
        <Field
          label="Email for the link"
          type="email"
          autoComplete="username"
          error={form.formState.errors.email?.message}
          {...form.register("email", { validate: checkEmail })}
        />
      </AccountForm>
    </div>
  );
}

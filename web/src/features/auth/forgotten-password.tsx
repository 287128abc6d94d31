import * as m from "messages/auth";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { localUrl } from "../../lib/language";
import { useAccountEmail, useShop } from "../../lib/shop-context";
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
        {m.forgotPassword()}
      </button>
      <div id="forgotten">{open && <ResetForm email={typed() ?? ""} />}</div>
    </div>
  );
}

export function ResetForm({ email }: { email: string }) {
  const sends = useAccountEmail();
  const shop = useShop();
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
        {shop.email
          ? m.noResetEmail({
              email: shop.email,
              link: (text) => <a href={`mailto:${shop.email}`}>{text}</a>,
            })
          : m.noResetEmailContact({ link: (text) => <a href={localUrl("/contact")}>{text}</a> })}
      </p>
    );
  }
  if (sent) {
    return (
      <p className={styles.sent} role="status">
        {m.resetSent()}
      </p>
    );
  }
  return (
    <div className={styles.panel}>
      <AccountForm form={form} send={send} submit={m.sendLink()}>
        <Field
          label={m.emailForLink()}
          type="email"
          autoComplete="username"
          error={form.formState.errors.email?.message}
          {...form.register("email", { validate: checkEmail })}
        />
      </AccountForm>
    </div>
  );
}

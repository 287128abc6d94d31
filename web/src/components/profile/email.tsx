import { useState } from "react";
import { useForm } from "react-hook-form";
import { checkEmail } from "../../lib/account-rules";
import { sendVerification } from "../../lib/auth";
import type { User } from "../../lib/identity";
import { changeEmail } from "../../lib/profile";
import { NO_EMAIL, useAccountEmail } from "../../lib/shop";
import { Field } from "../../ui/field";
import { AccountForm } from "../entrance/account-form";
import { Fault, Part, useDeed } from "./part";
import styles from "./profile.module.css";
import { useProof } from "./proof";

export function Email({ user }: { user: User }) {
  const withProof = useProof();
  const form = useForm({ defaultValues: { email: "" } });
  const [asked, setAsked] = useState<string | null>(null);
  const sends = useAccountEmail();
  const now = (user.email ?? "").toLowerCase();

  async function send({ email }: { email: string }) {
    const address = email.trim();
    const failed = await withProof(() => changeEmail(address));
    if (failed !== null) return failed;
    setAsked(address);
    form.reset();
    return null;
  }

  return (
    <Part
      title="E-mail address"
      words="You sign in with it, and our letters go there. A new one counts once you have followed the link in the letter that we send to it."
    >
      <p className={styles.value}>
        <span>{user.email}</span>
        <Confirmed user={user} sends={sends} />
      </p>
      {!sends && <p className={styles.note}>{NO_EMAIL} So the address cannot be changed.</p>}
      {asked !== null && (
        <p className={styles.note} role="status">
          A letter is on its way to <strong>{asked}</strong>. Follow its link, and then sign in with
          the new address. Until then nothing changes.
        </p>
      )}
      {sends && (
        <div className={styles.form}>
          <AccountForm form={form} send={send} submit="Send the letter">
            <Field
              label="New e-mail address"
              type="email"
              autoComplete="email"
              fault={form.formState.errors.email?.message}
              {...form.register("email", {
                validate: (email) =>
                  email.trim().toLowerCase() === now
                    ? "That is your address already."
                    : checkEmail(email),
              })}
            />
          </AccountForm>
        </div>
      )}
    </Part>
  );
}

function Confirmed({ user, sends }: { user: User; sends: boolean }) {
  const { failed, run } = useDeed();
  if (user.emailVerified) {
    return (
      <span className={styles.mark} data-mood="good">
        Confirmed
      </span>
    );
  }
  return (
    <>
      <span className={styles.mark} data-mood="wait">
        Not confirmed
      </span>
      {sends && (
        <button
          type="button"
          className={styles.plain}
          onClick={() => void run(sendVerification, "A letter is on its way.")}
        >
          Send the letter again
        </button>
      )}
      <Fault failed={failed} />
    </>
  );
}

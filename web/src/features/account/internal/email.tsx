import { useState } from "react";
import { useForm } from "react-hook-form";
import { NO_EMAIL, useAccountEmail } from "../../../lib/shop-context";
import { Field } from "../../../ui/field";
import { AccountForm } from "../../auth/account-form";
import { sendVerification } from "../../auth/auth";
import type { User } from "../../auth/identity";
import { checkEmail } from "../../auth/validation";
import styles from "../profile.module.css";
import { changeEmail } from "../profile-api";
import { ErrorText, ProfileSection, useAction } from "./profile-section";
import { useReauthentication } from "./reauthenticate";

export function Email({ user }: { user: User }) {
  const withReauthentication = useReauthentication();
  const form = useForm({ defaultValues: { email: "" } });
  const [sentTo, setSentTo] = useState<string | null>(null);
  const sends = useAccountEmail();
  const now = (user.email ?? "").toLowerCase();

  async function send({ email }: { email: string }) {
    const address = email.trim();
    const failed = await withReauthentication(() => changeEmail(address));
    if (failed !== null) return failed;
    setSentTo(address);
    form.reset();
    return null;
  }

  return (
    <ProfileSection
      title="E-mail address"
      text="You sign in with it, and our e-mails go there. A new one counts once you have followed the link in the e-mail that we send to it."
    >
      <p className={styles.value}>
        <span>{user.email}</span>
        <Confirmed user={user} sends={sends} />
      </p>
      {!sends && <p className={styles.note}>{NO_EMAIL} So the address cannot be changed.</p>}
      {sentTo !== null && (
        <p className={styles.note} role="status">
          An e-mail is on its way to <strong>{sentTo}</strong>. Follow its link, and then sign in
          with the new address. Until then nothing changes.
        </p>
      )}
      {sends && (
        <div className={styles.form}>
          <AccountForm form={form} send={send} submit="Send the e-mail">
            <Field
              label="New e-mail address"
              type="email"
              autoComplete="email"
              error={form.formState.errors.email?.message}
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
    </ProfileSection>
  );
}

function Confirmed({ user, sends }: { user: User; sends: boolean }) {
  const { failed, run } = useAction();
  if (user.emailVerified) {
    return (
      <span className={styles.mark} data-tone="good">
        Confirmed
      </span>
    );
  }
  return (
    <>
      <span className={styles.mark} data-tone="wait">
        Not confirmed
      </span>
      {sends && (
        <button
          type="button"
          className={styles.plain}
          onClick={() => void run(sendVerification, "An e-mail is on its way.")}
        >
          Send the e-mail again
        </button>
      )}
      <ErrorText failed={failed} />
    </>
  );
}

import * as m from "messages/account";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAccountEmail } from "../../../lib/shop-context";
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
    <ProfileSection title={m.emailAddress()} text={m.emailAddressText()}>
      <p className={styles.value}>
        <span>{user.email}</span>
        <Confirmed user={user} sends={sends} />
      </p>
      {!sends && <p className={styles.note}>{m.noEmailChange()}</p>}
      {sentTo !== null && (
        <p className={styles.note} role="status">
          {m.emailSentTo({ email: sentTo, b: (text) => <strong>{text}</strong> })}
        </p>
      )}
      {sends && (
        <div className={styles.form}>
          <AccountForm form={form} send={send} submit={m.sendEmail()}>
            <Field
              label={m.newEmailAddress()}
              type="email"
              autoComplete="email"
              error={form.formState.errors.email?.message}
              {...form.register("email", {
                validate: (email) =>
                  email.trim().toLowerCase() === now ? m.sameEmail() : checkEmail(email),
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
        {m.confirmed()}
      </span>
    );
  }
  return (
    <>
      <span className={styles.mark} data-tone="wait">
        {m.notConfirmed()}
      </span>
      {sends && (
        <button
          type="button"
          className={styles.plain}
          onClick={() => void run(sendVerification, m.emailSent())}
        >
          {m.sendEmailAgain()}
        </button>
      )}
      <ErrorText failed={failed} />
    </>
  );
}

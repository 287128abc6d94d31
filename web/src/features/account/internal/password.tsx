import * as m from "messages/account";
import * as auth from "messages/auth";
import { useForm } from "react-hook-form";
import { toast } from "../../../lib/toast";
import { AccountForm } from "../../auth/account-form";
import type { User } from "../../auth/identity";
import { PasswordField } from "../../auth/password-field";
import { checkPassword } from "../../auth/validation";
import styles from "../profile.module.css";
import { reauthenticate, setPassword } from "../profile-api";
import { ProfileSection } from "./profile-section";
import { useReauthentication, wrongPassword } from "./reauthenticate";

type Values = { current: string; password: string; confirm: string };

export function Password({ user }: { user: User }) {
  const withReauthentication = useReauthentication();
  const form = useForm<Values>({ defaultValues: { current: "", password: "", confirm: "" } });
  const { errors } = form.formState;
  const has = user.signInMethods.includes("password");

  async function send({ current, password }: Values) {
    if (has) {
      const wrong = wrongPassword(await reauthenticate(current), "current");
      // The account may require a second step too.
      const second = wrong?.second;
      const shown =
        second === undefined ? wrong : await withReauthentication(async () => null, { second });
      if (shown !== null) return shown;
    }
    const failed = await withReauthentication(() => setPassword(password));
    if (failed !== null) return failed;
    form.reset();
    toast.success(has ? m.passwordChanged() : m.passwordSet());
    return null;
  }

  return (
    <ProfileSection title={m.password()} text={has ? m.changePasswordText() : m.setPasswordText()}>
      <div className={styles.form}>
        <AccountForm form={form} send={send} submit={has ? m.changePassword() : m.setPassword()}>
          {/* Password managers need the user name. */}
          <input
            className="visually-hidden"
            type="email"
            autoComplete="username"
            readOnly
            tabIndex={-1}
            aria-hidden
            value={user.email ?? ""}
          />
          {has && (
            <PasswordField
              label={m.currentPassword()}
              autoComplete="current-password"
              error={errors.current?.message}
              {...form.register("current", {
                validate: (password) => password !== "" || auth.passwordRequired(),
              })}
            />
          )}
          <PasswordField
            label={m.newPassword()}
            autoComplete="new-password"
            rule={form.watch("password")}
            error={errors.password?.message}
            {...form.register("password", { validate: checkPassword })}
          />
          <PasswordField
            label={m.confirmPassword()}
            autoComplete="new-password"
            error={errors.confirm?.message}
            {...form.register("confirm", {
              validate: (confirm, { password }) => confirm === password || m.passwordsDiffer(),
            })}
          />
        </AccountForm>
      </div>
    </ProfileSection>
  );
}

import { useForm } from "react-hook-form";
import { checkPassword } from "../../lib/account-rules";
import type { User } from "../../lib/identity";
import { prove, setPassword } from "../../lib/profile";
import { toast } from "../../lib/toast";
import { AccountForm } from "../entrance/account-form";
import { PasswordField } from "../entrance/password-field";
import { Part } from "./part";
import styles from "./profile.module.css";
import { useProof, wrongPassword } from "./proof";

type Values = { current: string; password: string; confirm: string };

export function Password({ user }: { user: User }) {
  const withProof = useProof();
  const form = useForm<Values>({ defaultValues: { current: "", password: "", confirm: "" } });
  const { errors } = form.formState;
  const has = user.ways.includes("password");

  async function send({ current, password }: Values) {
    if (has) {
      const wrong = wrongPassword(await prove(current), "current");
      // The account may ask for a second step too.
      const second = wrong?.second;
      const shown = second === undefined ? wrong : await withProof(async () => null, { second });
      if (shown !== null) return shown;
    }
    const failed = await withProof(() => setPassword(password));
    if (failed !== null) return failed;
    form.reset();
    toast.success(has ? "Your password is changed." : "Your password is set.");
    return null;
  }

  return (
    <Part
      title="Password"
      words={
        has
          ? "A new one ends your sign-in on every other device."
          : "You have none yet. With one you can sign in without Google or Facebook."
      }
    >
      <div className={styles.form}>
        <AccountForm
          form={form}
          send={send}
          submit={has ? "Change the password" : "Set the password"}
        >
          {/* Who keeps passwords for people wants to know whose it is. */}
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
              label="Current password"
              autoComplete="current-password"
              fault={errors.current?.message}
              {...form.register("current", {
                validate: (password) => password !== "" || "Password is required",
              })}
            />
          )}
          <PasswordField
            label="New password"
            autoComplete="new-password"
            rule={form.watch("password")}
            fault={errors.password?.message}
            {...form.register("password", { validate: checkPassword })}
          />
          <PasswordField
            label="Confirm the new password"
            autoComplete="new-password"
            fault={errors.confirm?.message}
            {...form.register("confirm", {
              validate: (confirm, { password }) =>
                confirm === password || "The two passwords differ.",
            })}
          />
        </AccountForm>
      </div>
    </Part>
  );
}

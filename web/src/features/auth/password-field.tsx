import Check from "lucide-react/icons/check";
import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import * as m from "messages/auth";
import { type ComponentProps, useState } from "react";
import { Field } from "../../ui/field";
import { hidden } from "../../ui/visually-hidden";
import styles from "./password-field.module.css";
import { passwordRequirements } from "./validation";

type Props = ComponentProps<"input"> & {
  label?: string;
  error?: string | undefined;
  // The current value, to show which requirements it meets.
  rule?: string;
};

export function PasswordField({ rule, label = m.password(), ...field }: Props) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      {...field}
      label={label}
      type={shown ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button className={styles.show} type="button" onClick={() => setShown(!shown)}>
          <Icon size={18} strokeWidth={1.5} aria-hidden />
          <span className="visually-hidden">{shown ? m.hidePassword() : m.showPassword()}</span>
        </button>
      }
    >
      {rule !== undefined && (
        <ul className={styles.rule}>
          {passwordRequirements(rule).map(({ label, met }) => (
            <li key={label} data-met={met}>
              {met ? <Check size={14} strokeWidth={2} aria-hidden /> : <i className={styles.dot} />}
              {met ? m.requirementMet({ requirement: label, hidden }) : label}
            </li>
          ))}
        </ul>
      )}
    </Field>
  );
}

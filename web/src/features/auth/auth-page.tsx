import { type ReactNode, useState } from "react";
import type { SecondStep } from "./auth";
import { AuthLayout, AuthText, type AuthTextProps } from "./auth-layout";
import styles from "./auth-layout.module.css";
import { useLinkWithReturn } from "./internal/redirect";
import { SecondStepContext, SecondStepForm } from "./second-step";

type Props = AuthTextProps & { quiet?: boolean };

// A sign-in or registration page. A second step replaces the form, which stays mounted so that
// going back keeps its values.
export function AuthPage({ quiet = false, ...text }: Props) {
  const [step, setStep] = useState<SecondStep | null>(null);
  return (
    <AuthLayout quiet={quiet}>
      {step && <SecondStepForm step={step} back={() => setStep(null)} />}
      <SecondStepContext value={setStep}>
        <AuthText {...text} hidden={step !== null} />
      </SecondStepContext>
    </AuthLayout>
  );
}

// The divider between the form and the social buttons.
export function OrDivider({ children }: { children: ReactNode }) {
  return <p className={styles.or}>{children}</p>;
}

type SwitchLinkProps = {
  // A message: a question, and a link as its answer.
  message: (of: { link: (text: ReactNode) => ReactNode }) => ReactNode;
  to: string;
};

export function SwitchLink({ message, to }: SwitchLinkProps) {
  const address = useLinkWithReturn(to);
  return (
    <p className={styles.instead}>{message({ link: (text) => <a href={address}>{text}</a> })}</p>
  );
}

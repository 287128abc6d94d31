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

type SwitchLinkProps = { question: string; to: string; children: ReactNode };

export function SwitchLink({ question, to, children }: SwitchLinkProps) {
  const address = useLinkWithReturn(to);
  return (
    <p className={styles.instead}>
      {question} <a href={address}>{children}</a>
    </p>
  );
}

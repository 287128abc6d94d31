import { type ReactNode, useState } from "react";
import type { SecondStep } from "../../lib/auth";
import { useKeepsFrom } from "../../lib/go-on";
import styles from "./entrance.module.css";
import { Hall, Words, type WordsProps } from "./hall";
import { SecondStepContext, SecondStepForm } from "./second-step";

type Props = WordsProps & { quiet?: boolean };

// Where one signs in or registers: the form, and beside it, where there is room, a thing to come
// in for. A second step takes the form's place; what was typed stays for whoever comes back.
export function Entrance({ quiet = false, ...words }: Props) {
  const [step, setStep] = useState<SecondStep | null>(null);
  return (
    <Hall quiet={quiet}>
      {step && <SecondStepForm step={step} back={() => setStep(null)} />}
      <SecondStepContext value={setStep}>
        <Words {...words} hidden={step !== null} />
      </SecondStepContext>
    </Hall>
  );
}

// Between the form and the other ways in.
export function Or({ children }: { children: ReactNode }) {
  return <p className={styles.or}>{children}</p>;
}

type InsteadProps = { question: string; to: string; children: ReactNode };

export function Instead({ question, to, children }: InsteadProps) {
  const address = useKeepsFrom(to);
  return (
    <p className={styles.instead}>
      {question} <a href={address}>{children}</a>
    </p>
  );
}

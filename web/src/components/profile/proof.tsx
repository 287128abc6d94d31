// What is dangerous wants a sign-in of the last minutes. Where it is longer ago, who it is is asked for
// once more, and then the work goes on.
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { checkCode, digits } from "../../lib/account-rules";
import type { Provider } from "../../lib/api.gen";
import type { Refusal, SecondStep } from "../../lib/auth";
import type { Failure } from "../../lib/auth-errors";
import type { User } from "../../lib/identity";
import { prove, proveWith } from "../../lib/profile";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { AccountForm } from "../entrance/account-form";
import { PasswordField } from "../entrance/password-field";
import { Fault, useDeed } from "./part";
import styles from "./profile.module.css";

// What is said where the question is more than who it is.
export type Question = { title: string; words: ReactNode; submit: string };

type Ask = {
  question?: Question;
  // The first step is shown already.
  second?: SecondStep | undefined;
};

// Does the work, and asks before it where it has to, or where there is a question.
type WithProof = (work: () => Promise<Refusal | null>, ask?: Ask) => Promise<Failure | null>;

const ProofContext = createContext<WithProof>((work) => work());

export const useProof = () => useContext(ProofContext);

const PLAIN: Question = {
  title: "Is it you?",
  words: "For this, please show once more that it is you.",
  submit: "Continue",
};
const UNCHANGED: Failure = { code: "unchanged", message: "Nothing was changed.", field: null };

type Asked = Ask & { answer: (shown: boolean) => void };

export function Proof({ user, children }: { user: User; children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  // Whatever is still asked when this goes is answered with no.
  const open = useRef<Asked | null>(null);
  useEffect(() => () => open.current?.answer(false), []);

  function show(ask: Ask): Promise<boolean> {
    return new Promise((resolve) => {
      const answer = (shown: boolean) => {
        open.current = null;
        setAsked(null);
        resolve(shown);
      };
      open.current = { ...ask, answer };
      setAsked(open.current);
    });
  }

  const withProof: WithProof = async (work, ask) => {
    let wanted: Ask | null = ask ?? null;
    for (;;) {
      if (wanted !== null && !(await show(wanted))) return UNCHANGED;
      const failed = await work();
      const stale = failed?.code === "auth/requires-recent-login";
      if (!stale && failed?.second === undefined) return failed;
      wanted = { second: failed?.second };
    }
  };

  const question = asked?.question ?? PLAIN;
  return (
    <ProofContext.Provider value={withProof}>
      {children}
      <Dialog
        open={asked !== null}
        onClose={() => asked?.answer(false)}
        title={question.title}
        narrow
      >
        {asked !== null && (
          <div className={styles.question}>
            <p className={styles.title} aria-hidden>
              {question.title}
            </p>
            <div className={styles.words}>{question.words}</div>
            <Steps
              user={user}
              submit={question.submit}
              second={asked.second}
              done={() => asked.answer(true)}
            />
          </div>
        )}
      </Dialog>
    </ProofContext.Provider>
  );
}

type StepsProps = {
  user: User;
  submit: string;
  second: SecondStep | undefined;
  done: () => void;
};

function Steps({ user, submit, second, done }: StepsProps) {
  const [next, setNext] = useState(second);

  function goOn(failed: Refusal | null): Failure | null {
    if (failed?.second !== undefined) setNext(failed.second);
    else if (failed === null) done();
    else return failed;
    return null;
  }

  if (next !== undefined) return <Code step={next} submit={submit} done={done} />;
  const social = user.ways.filter(isProvider);
  if (user.ways.includes("password")) return <Password submit={submit} goOn={goOn} />;
  if (social.length > 0) return <Social providers={social} goOn={goOn} />;
  return <p>Please log out, sign in again, and come back here within five minutes.</p>;
}

type PasswordProps = { submit: string; goOn: (failed: Refusal | null) => Failure | null };

function Password({ submit, goOn }: PasswordProps) {
  const form = useForm({ defaultValues: { password: "" } });
  return (
    <AccountForm
      form={form}
      send={async ({ password }) => goOn(wrongPassword(await prove(password), "password"))}
      submit={submit}
    >
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        fault={form.formState.errors.password?.message}
        {...form.register("password", {
          validate: (password) => password !== "" || "Password is required",
        })}
      />
    </AccountForm>
  );
}

// The service's words are those of a sign-in, where an address is typed too.
export function wrongPassword<Answer extends Failure>(
  failed: Answer | null,
  field: "password" | "current",
): Answer | null {
  if (failed?.field !== "password") return failed;
  return { ...failed, field, message: "That is not your password." };
}

const NAMES: Record<Provider, string> = { "google.com": "Google", "facebook.com": "Facebook" };

function isProvider(way: string): way is Provider {
  return way in NAMES;
}

type SocialProps = {
  providers: Provider[];
  goOn: (failed: Refusal | null) => Failure | null;
};

function Social({ providers, goOn }: SocialProps) {
  const { failed, run } = useDeed();
  return (
    <div className={styles.stack}>
      {providers.map((provider) => (
        <Button
          key={provider}
          quiet
          onClick={() => void run(async () => goOn(await proveWith(provider)))}
        >
          Continue with {NAMES[provider]}
        </Button>
      ))}
      <Fault failed={failed} />
    </div>
  );
}

type CodeProps = { step: SecondStep; submit: string; done: () => void };

function Code({ step, submit, done }: CodeProps) {
  const form = useForm({ defaultValues: { code: "" } });
  // An app needs no message.
  const factor = step.factors.find(({ phone }) => phone === null) ?? step.factors[0];
  const { failed, run } = useDeed();
  if (factor === undefined) return null;

  async function send({ code }: { code: string }) {
    const wrong = factor === undefined ? null : await step.finish(factor, digits(code));
    if (wrong === null) done();
    return wrong;
  }

  return (
    <AccountForm form={form} send={send} submit={submit}>
      {factor.phone !== null && (
        <div className={styles.stack}>
          <Button quiet onClick={() => void run(() => step.sendCode(factor), "Sent.")}>
            Send me a code
          </Button>
          <Fault failed={failed} />
        </div>
      )}
      <Field
        label={factor.phone === null ? "Code of your authenticator app" : "Code of the message"}
        inputMode="numeric"
        autoComplete="one-time-code"
        fault={form.formState.errors.code?.message}
        {...form.register("code", { validate: checkCode })}
      />
    </AccountForm>
  );
}

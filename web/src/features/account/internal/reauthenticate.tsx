// Reauthentication: sensitive actions need a recent sign-in. Where it is too old, a dialog asks for
// the password or provider, and then the action continues.
import * as m from "messages/account";
import * as auth from "messages/auth";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import type { Provider } from "../../../lib/api.gen";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { Field } from "../../../ui/field";
import { AccountForm } from "../../auth/account-form";
import type { AuthFailure, SecondStep } from "../../auth/auth";
import type { Failure } from "../../auth/auth-errors";
import type { User } from "../../auth/identity";
import { PasswordField } from "../../auth/password-field";
import { checkCode, normalizeCode } from "../../auth/validation";
import styles from "../profile.module.css";
import { reauthenticate, reauthenticateWith } from "../profile-api";
import { ErrorText, useAction } from "./profile-section";

// The dialog's text where it asks for more than reauthentication.
export type Question = { title: string; text: ReactNode; submit: string };

type ReauthRequest = {
  question?: Question;
  // The first factor has been given already.
  second?: SecondStep | undefined;
};

// Runs an action, and asks for reauthentication where needed, or first where there is a question.
type WithReauthentication = (
  work: () => Promise<AuthFailure | null>,
  request?: ReauthRequest,
) => Promise<Failure | null>;

const ReauthenticationContext = createContext<WithReauthentication>((work) => work());

export const useReauthentication = () => useContext(ReauthenticationContext);

type OpenQuestion = ReauthRequest & { answer: (shown: boolean) => void };

export function Reauthentication({ user, children }: { user: User; children: ReactNode }) {
  const [openQuestion, setOpenQuestion] = useState<OpenQuestion | null>(null);
  // A question that is open on unmount is answered with no.
  const open = useRef<OpenQuestion | null>(null);
  useEffect(() => () => open.current?.answer(false), []);

  function show(request: ReauthRequest): Promise<boolean> {
    return new Promise((resolve) => {
      const answer = (shown: boolean) => {
        open.current = null;
        setOpenQuestion(null);
        resolve(shown);
      };
      open.current = { ...request, answer };
      setOpenQuestion(open.current);
    });
  }

  const withReauthentication: WithReauthentication = async (work, request) => {
    let next: ReauthRequest | null = request ?? null;
    for (;;) {
      if (next !== null && !(await show(next))) return unchanged();
      const failed = await work();
      const stale = failed?.code === "auth/requires-recent-login";
      if (!stale && failed?.second === undefined) return failed;
      next = { second: failed?.second };
    }
  };

  const question = openQuestion?.question ?? defaultQuestion();
  return (
    <ReauthenticationContext.Provider value={withReauthentication}>
      {children}
      <Dialog
        open={openQuestion !== null}
        onClose={() => openQuestion?.answer(false)}
        title={openQuestion === null ? "" : question.title}
        narrow
      >
        {openQuestion !== null && (
          <>
            <div className={styles.words}>{question.text}</div>
            <Steps
              user={user}
              submit={question.submit}
              second={openQuestion.second}
              done={() => openQuestion.answer(true)}
            />
          </>
        )}
      </Dialog>
    </ReauthenticationContext.Provider>
  );
}

function defaultQuestion(): Question {
  return { title: m.isItYou(), text: m.isItYouText(), submit: auth.continue() };
}

function unchanged(): Failure {
  return { code: "unchanged", message: m.nothingChanged(), field: null };
}

type StepsProps = {
  user: User;
  submit: string;
  second: SecondStep | undefined;
  done: () => void;
};

function Steps({ user, submit, second, done }: StepsProps) {
  const [next, setNext] = useState(second);

  function onResult(failed: AuthFailure | null): Failure | null {
    if (failed?.second !== undefined) setNext(failed.second);
    else if (failed === null) done();
    else return failed;
    return null;
  }

  if (next !== undefined) return <Code step={next} submit={submit} done={done} />;
  const social = user.signInMethods.filter(isProvider);
  if (user.signInMethods.includes("password"))
    return <Password submit={submit} onResult={onResult} />;
  if (social.length > 0) return <Social providers={social} onResult={onResult} />;
  return <p>{m.signInAgain()}</p>;
}

type PasswordProps = { submit: string; onResult: (failed: AuthFailure | null) => Failure | null };

function Password({ submit, onResult }: PasswordProps) {
  const form = useForm({ defaultValues: { password: "" } });
  return (
    <AccountForm
      form={form}
      send={async ({ password }) =>
        onResult(wrongPassword(await reauthenticate(password), "password"))
      }
      submit={submit}
    >
      <PasswordField
        label={m.yourPassword()}
        autoComplete="current-password"
        error={form.formState.errors.password?.message}
        {...form.register("password", {
          validate: (password) => password !== "" || auth.passwordRequired(),
        })}
      />
    </AccountForm>
  );
}

// The identity service's message is about a sign-in form with an e-mail address.
export function wrongPassword<Answer extends Failure>(
  failed: Answer | null,
  field: "password" | "current",
): Answer | null {
  if (failed?.field !== "password") return failed;
  return { ...failed, field, message: m.wrongPassword() };
}

const NAMES: Record<Provider, string> = { "google.com": "Google", "facebook.com": "Facebook" };

function isProvider(way: string): way is Provider {
  return way in NAMES;
}

type SocialProps = {
  providers: Provider[];
  onResult: (failed: AuthFailure | null) => Failure | null;
};

function Social({ providers, onResult }: SocialProps) {
  const { failed, run } = useAction();
  return (
    <div className={styles.stack}>
      {providers.map((provider) => (
        <Button
          key={provider}
          quiet
          onClick={() => void run(async () => onResult(await reauthenticateWith(provider)))}
        >
          {m.continueWith({ provider: NAMES[provider] })}
        </Button>
      ))}
      <ErrorText failed={failed} />
    </div>
  );
}

type CodeProps = { step: SecondStep; submit: string; done: () => void };

function Code({ step, submit, done }: CodeProps) {
  const form = useForm({ defaultValues: { code: "" } });
  // Prefer an app, which needs no text message.
  const factor = step.factors.find(({ phone }) => phone === null) ?? step.factors[0];
  const { failed, run } = useAction();
  if (factor === undefined) return null;

  async function send({ code }: { code: string }) {
    const wrong = factor === undefined ? null : await step.finish(factor, normalizeCode(code));
    if (wrong === null) done();
    return wrong;
  }

  return (
    <AccountForm form={form} send={send} submit={submit}>
      {factor.phone !== null && (
        <div className={styles.stack}>
          <Button quiet onClick={() => void run(() => step.sendCode(factor), m.codeSent())}>
            {auth.sendCode()}
          </Button>
          <ErrorText failed={failed} />
        </div>
      )}
      <Field
        label={factor.phone === null ? m.appCode() : m.messageCode()}
        inputMode="numeric"
        autoComplete="one-time-code"
        error={form.formState.errors.code?.message}
        {...form.register("code", { validate: checkCode })}
      />
    </AccountForm>
  );
}

import ArrowLeft from "lucide-react/icons/arrow-left";
import KeyRound from "lucide-react/icons/key-round";
import MessageSquareText from "lucide-react/icons/message-square-text";
import * as m from "messages/auth";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { announce, focusHeading } from "../../lib/navigation";
import { useShop } from "../../lib/shop-context";
import { Field } from "../../ui/field";
import { AccountForm } from "./account-form";
import type { AuthFailure, SecondStep } from "./auth";
import type { Failure } from "./auth-errors";
import { AuthText } from "./auth-layout";
import type { Factor } from "./challenge";
import styles from "./second-step.module.css";
import { checkCode, normalizeCode } from "./validation";

// The first message may still be on its way, and each one costs money.
const PAUSE = 30_000;

// Lets a form replace its page with the second step.
export const SecondStepContext = createContext<(step: SecondStep) => void>(() => {});

// Handles a sign-in's result: shows a second step, or returns the error for the form.
export function useSecondStep(): (answer: AuthFailure | null) => Failure | null {
  const show = useContext(SecondStepContext);
  return (answer) => {
    if (answer?.second === undefined) return answer;
    show(answer.second);
    return null;
  };
}

type Props = {
  step: SecondStep;
  back: () => void;
  done?: () => void;
};

export function SecondStepForm({ step, back, done = () => {} }: Props) {
  const { factors } = step;
  const [chosen, choose] = useState(factors.length === 1 ? factors[0] : undefined);

  // After going back, focus is on the heading there.
  useEffect(() => focusHeading, []);

  async function finish(factor: Factor, code: string) {
    const failed = await step.finish(factor, code);
    if (failed === null) done();
    return failed;
  }

  const links = (
    <p className={styles.links}>
      <button type="button" onClick={back}>
        <ArrowLeft size={18} strokeWidth={1.5} aria-hidden />
        {m.back()}
      </button>
      {chosen && factors.length > 1 && (
        <button type="button" onClick={() => choose(undefined)}>
          {m.anotherWay()}
        </button>
      )}
    </p>
  );

  if (chosen === undefined) {
    return (
      <AnnouncedStep text={m.chooseFactor()} links={links}>
        <Factors factors={factors} choose={choose} />
      </AnnouncedStep>
    );
  }
  return chosen.phone === null ? (
    <AppCode finish={(code) => finish(chosen, code)} links={links} />
  ) : (
    <PhoneCode
      phone={chosen.phone}
      send={() => step.sendCode(chosen)}
      finish={(code) => finish(chosen, code)}
      links={links}
    />
  );
}

type AnnouncedStepProps = { text: string; links: ReactNode; children: ReactNode };

// Announces the new content to screen readers. Each of the views below sets the focus.
function AnnouncedStep({ text, links, children }: AnnouncedStepProps) {
  useEffect(() => announce(m.stepAnnouncement({ text })), [text]);
  return (
    <AuthText title={m.oneMoreStep()} text={text}>
      {children}
      {links}
    </AuthText>
  );
}

type FactorsProps = { factors: Factor[]; choose: (factor: Factor) => void };

function Factors({ factors, choose }: FactorsProps) {
  useEffect(focusHeading, []);
  return (
    <ul className={styles.factors}>
      {factors.map((factor) => {
        const Icon = factor.phone === null ? KeyRound : MessageSquareText;
        return (
          <li key={factor.id}>
            <button type="button" onClick={() => choose(factor)}>
              <Icon size={20} strokeWidth={1.5} aria-hidden />
              <span>
                {factor.phone === null
                  ? m.authenticatorApp()
                  : m.textMessageTo({ phone: factor.phone })}
                {factor.name && <small>{factor.name}</small>}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

type CodeProps = {
  finish: (code: string) => Promise<Failure | null>;
  links: ReactNode;
};

function AppCode({ finish, links }: CodeProps) {
  const shop = useShop();
  return (
    <AnnouncedStep text={m.typeAppCode({ shop: shop.name })} links={links}>
      <CodeForm finish={finish} />
    </AnnouncedStep>
  );
}

type PhoneProps = CodeProps & { phone: string; send: () => Promise<Failure | null> };

function PhoneCode({ phone, send, finish, links }: PhoneProps) {
  const [sent, setSent] = useState(0);
  const form = useForm();

  useEffect(() => {
    if (sent === 0) focusHeading();
  }, [sent]);

  async function sendOnce() {
    const failed = await send();
    if (failed === null) setSent((times) => times + 1);
    return failed;
  }

  if (sent === 0) {
    return (
      <AnnouncedStep text={m.codeWillGoTo({ phone })} links={links}>
        <AccountForm form={form} send={sendOnce} submit={m.sendCode()} />
      </AnnouncedStep>
    );
  }
  return (
    <AnnouncedStep
      text={sent > 1 ? m.newCodeSentTo({ phone }) : m.codeSentTo({ phone })}
      links={links}
    >
      {/* A new code resets the field and its error. */}
      <CodeForm key={`code ${sent}`} finish={finish} />
      <ResendCode key={`again ${sent}`} send={sendOnce} />
    </AnnouncedStep>
  );
}

function CodeForm({ finish }: Pick<CodeProps, "finish">) {
  const form = useForm({ defaultValues: { code: "" } });
  useEffect(() => form.setFocus("code"), [form.setFocus]);

  async function send({ code }: { code: string }) {
    const failed = await finish(normalizeCode(code));
    if (failed?.field === "code") {
      form.setFocus("code", { shouldSelect: true });
      announce(failed.message);
    }
    return failed;
  }

  return (
    <div className={styles.code}>
      <AccountForm form={form} send={send} submit={m.signIn()}>
        <Field
          label={m.sixDigitCode()}
          inputMode="numeric"
          autoComplete="one-time-code"
          size={6}
          spellCheck={false}
          error={form.formState.errors.code?.message}
          {...form.register("code", { validate: checkCode })}
        />
      </AccountForm>
    </div>
  );
}

function ResendCode({ send }: { send: () => Promise<Failure | null> }) {
  const [state, setState] = useState<"waiting" | "ready" | "busy">("waiting");
  const [failed, setFailed] = useState<Failure | null>(null);

  useEffect(() => {
    const pause = setTimeout(() => setState("ready"), PAUSE);
    return () => clearTimeout(pause);
  }, []);

  async function press() {
    if (state === "busy") return;
    setState("busy");
    setFailed(await send());
    setState("ready");
  }

  return (
    <div className={styles.again}>
      {state === "waiting" ? (
        <p>{m.askAgainSoon()}</p>
      ) : (
        <button type="button" aria-busy={state === "busy"} onClick={press}>
          {m.sendNewCode()}
        </button>
      )}
      {failed && (
        <p className={styles.error} role="alert">
          {failed.message}
        </p>
      )}
    </div>
  );
}

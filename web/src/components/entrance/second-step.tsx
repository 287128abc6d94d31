import ArrowLeft from "lucide-react/icons/arrow-left";
import KeyRound from "lucide-react/icons/key-round";
import MessageSquareText from "lucide-react/icons/message-square-text";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { checkCode, digits } from "../../lib/account-rules";
import type { Refusal, SecondStep } from "../../lib/auth";
import type { Failure } from "../../lib/auth-errors";
import type { Factor } from "../../lib/challenge";
import { announce, focusHeading } from "../../lib/navigation";
import { useShop } from "../../lib/shop";
import { Field } from "../../ui/field";
import { AccountForm } from "./account-form";
import { Words } from "./hall";
import styles from "./second-step.module.css";

const TITLE = "One more step";
// The first message may still be on its way, and each one costs.
const PAUSE = 30_000;

// How a form gives its page over to the second step.
export const SecondStepContext = createContext<(step: SecondStep) => void>(() => {});

// Takes a sign-in's answer, and leaves for the form to show what a second step cannot mend.
export function useSecondStep(): (answer: Refusal | null) => Failure | null {
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

  // Whoever goes back goes on from the heading there.
  useEffect(() => focusHeading, []);

  async function finish(factor: Factor, code: string) {
    const failed = await step.finish(factor, code);
    if (failed === null) done();
    return failed;
  }

  const ways = (
    <p className={styles.ways}>
      <button type="button" onClick={back}>
        <ArrowLeft size={18} strokeWidth={1.5} aria-hidden />
        Back
      </button>
      {chosen && factors.length > 1 && (
        <button type="button" onClick={() => choose(undefined)}>
          Use another way
        </button>
      )}
    </p>
  );

  if (chosen === undefined) {
    return (
      <Told words="Your account asks for a code too. Where should it come from?" ways={ways}>
        <Factors factors={factors} choose={choose} />
      </Told>
    );
  }
  return chosen.phone === null ? (
    <AppCode finish={(code) => finish(chosen, code)} ways={ways} />
  ) : (
    <PhoneCode
      phone={chosen.phone}
      send={() => step.sendCode(chosen)}
      finish={(code) => finish(chosen, code)}
      ways={ways}
    />
  );
}

type ToldProps = { words: string; ways: ReactNode; children: ReactNode };

// Something else stands where one just was, and whoever does not see that is told. The focus went
// too: each of the views below says where to.
function Told({ words, ways, children }: ToldProps) {
  useEffect(() => announce(`${TITLE}. ${words}`), [words]);
  return (
    <Words title={TITLE} words={words}>
      {children}
      {ways}
    </Words>
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
                {factor.phone === null ? "Authenticator app" : `Text message to ${factor.phone}`}
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
  ways: ReactNode;
};

function AppCode({ finish, ways }: CodeProps) {
  const { shop } = useShop();
  return (
    <Told words={`Type the code that your authenticator app shows for ${shop.name}.`} ways={ways}>
      <CodeForm finish={finish} />
    </Told>
  );
}

type PhoneProps = CodeProps & { phone: string; send: () => Promise<Failure | null> };

function PhoneCode({ phone, send, finish, ways }: PhoneProps) {
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
      <Told words={`We send a code to ${phone}.`} ways={ways}>
        <AccountForm form={form} send={sendOnce} submit="Send me a code" />
      </Told>
    );
  }
  return (
    <Told words={`A ${sent > 1 ? "new " : ""}code is on its way to ${phone}.`} ways={ways}>
      {/* The old code and what was said of it do not concern the new one. */}
      <CodeForm key={`code ${sent}`} finish={finish} />
      <Again key={`again ${sent}`} send={sendOnce} />
    </Told>
  );
}

function CodeForm({ finish }: Pick<CodeProps, "finish">) {
  const form = useForm({ defaultValues: { code: "" } });
  useEffect(() => form.setFocus("code"), [form.setFocus]);

  async function send({ code }: { code: string }) {
    const failed = await finish(digits(code));
    if (failed?.field === "code") {
      form.setFocus("code", { shouldSelect: true });
      announce(failed.message);
    }
    return failed;
  }

  return (
    <div className={styles.code}>
      <AccountForm form={form} send={send} submit="Sign in">
        <Field
          label="Six-digit code"
          inputMode="numeric"
          autoComplete="one-time-code"
          size={6}
          spellCheck={false}
          fault={form.formState.errors.code?.message}
          {...form.register("code", { validate: checkCode })}
        />
      </AccountForm>
    </div>
  );
}

function Again({ send }: { send: () => Promise<Failure | null> }) {
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
        <p>Nothing there? Ask again in half a minute.</p>
      ) : (
        <button type="button" aria-busy={state === "busy"} onClick={press}>
          Send me a new code
        </button>
      )}
      {failed && (
        <p className={styles.fault} role="alert">
          {failed.message}
        </p>
      )}
    </div>
  );
}

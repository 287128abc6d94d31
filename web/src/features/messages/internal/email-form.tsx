import Check from "lucide-react/icons/check";
import * as m from "messages/forms";
import { type ReactNode, type SubmitEvent, useId, useState } from "react";
import { useHydrated } from "../../../lib/use-hydrated";
import { Button } from "../../../ui/button";
import { Honeypot } from "../../../ui/honeypot";
import { checkEmail } from "../../auth/validation";
import type { FormError } from "../form-api";
import styles from "./email-form.module.css";

type State = { step: "open" | "busy" | "done"; error: string | null };

type Props = {
  // The URL for browsers without JavaScript.
  action: string;
  send: (typed: { email: string; website: string }) => Promise<FormError | null>;
  // The button's text.
  children: ReactNode;
  // Called on first focus.
  onTouch?: () => void;
  // Shown after sending.
  done: string;
  // Prefilled for signed-in customers.
  known?: string;
  // Hidden fields.
  hidden?: ReactNode;
};

// An e-mail address and a button. Without JavaScript the browser submits the form, and a page
// answers.
export function EmailForm({ action, send, onTouch, children, done, known = "", hidden }: Props) {
  const [state, setState] = useState<State>({ step: "open", error: null });
  const hydrated = useHydrated();
  const id = useId();

  async function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state.step === "busy") return;
    const sent = new FormData(event.currentTarget);
    const email = String(sent.get("email") ?? "").trim();
    const good = checkEmail(email);
    if (good !== true) return setState({ step: "open", error: good });
    setState({ step: "busy", error: null });
    const error = await send({ email, website: String(sent.get("website") ?? "") });
    setState(error ? { step: "open", error: error.message } : { step: "done", error: null });
  }

  function onType(email: string) {
    // After a first error, validates on every change.
    if (state.error === null) return;
    const good = checkEmail(email);
    setState({ step: "open", error: good === true ? null : good });
  }

  return (
    <form
      className={styles.form}
      method="post"
      action={action}
      noValidate={hydrated}
      onFocus={onTouch}
      onSubmit={onSubmit}
    >
      <div aria-live="polite">
        {state.step === "done" && (
          <p className={styles.done}>
            <Check size={20} strokeWidth={1.5} aria-hidden />
            {done}
          </p>
        )}
      </div>
      {state.step !== "done" && (
        <>
          <label className={styles.label} htmlFor={id}>
            {m.emailAddress()}
          </label>
          <div className={styles.row}>
            <input
              className={styles.input}
              id={id}
              name="email"
              type="email"
              required
              maxLength={254}
              autoComplete="email"
              placeholder={m.emailExample()}
              // Uncontrolled: what was typed before hydration stays.
              defaultValue={known}
              aria-invalid={state.error !== null}
              aria-describedby={state.error === null ? undefined : `${id}-error`}
              onChange={(event) => onType(event.currentTarget.value)}
            />
            <Button type="submit" aria-busy={state.step === "busy"}>
              {state.step === "busy" ? m.sending() : children}
            </Button>
          </div>
          {hidden}
          <Honeypot />
          {state.error !== null && (
            <p className={styles.error} id={`${id}-error`} role="alert">
              {state.error}
            </p>
          )}
        </>
      )}
    </form>
  );
}

import Check from "lucide-react/icons/check";
import { type ReactNode, type SubmitEvent, useId, useState } from "react";
import { checkEmail } from "../lib/account-rules";
import { useAlive } from "../lib/alive";
import type { Trouble } from "../lib/messages";
import { Button } from "../ui/button";
import { Trap } from "../ui/trap";
import styles from "./address-form.module.css";

type State = { step: "open" | "busy" | "done"; fault: string | null };

type Props = {
  // Where a browser without JavaScript sends it.
  action: string;
  send: (typed: { email: string; website: string }) => Promise<Trouble | null>;
  // What the button says.
  children: ReactNode;
  // When it is first gone into.
  onTouch?: () => void;
  // What is said once it is sent.
  done: string;
  // Whoever is signed in need not type it.
  known?: string;
  // Fields that nobody types.
  hidden?: ReactNode;
};

// One address and a button. Without JavaScript the form is sent as it is, and a page answers.
export function AddressForm({ action, send, onTouch, children, done, known = "", hidden }: Props) {
  const [state, setState] = useState<State>({ step: "open", fault: null });
  const alive = useAlive();
  const id = useId();

  async function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state.step === "busy") return;
    const sent = new FormData(event.currentTarget);
    const email = String(sent.get("email") ?? "").trim();
    const good = checkEmail(email);
    if (good !== true) return setState({ step: "open", fault: good });
    setState({ step: "busy", fault: null });
    const trouble = await send({ email, website: String(sent.get("website") ?? "") });
    setState(trouble ? { step: "open", fault: trouble.message } : { step: "done", fault: null });
  }

  function onType(email: string) {
    // Wrong once, it is looked at again with every letter.
    if (state.fault === null) return;
    const good = checkEmail(email);
    setState({ step: "open", fault: good === true ? null : good });
  }

  return (
    <form
      className={styles.form}
      method="post"
      action={action}
      noValidate={alive}
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
            E-mail address
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
              placeholder="you@example.com"
              // Not its value: what was typed before the page came to life stays.
              defaultValue={known}
              aria-invalid={state.fault !== null}
              aria-describedby={state.fault === null ? undefined : `${id}-fault`}
              onChange={(event) => onType(event.currentTarget.value)}
            />
            <Button type="submit" aria-busy={state.step === "busy"}>
              {state.step === "busy" ? "Sending…" : children}
            </Button>
          </div>
          {hidden}
          <Trap />
          {state.fault !== null && (
            <p className={styles.fault} id={`${id}-fault`} role="alert">
              {state.fault}
            </p>
          )}
        </>
      )}
    </form>
  );
}

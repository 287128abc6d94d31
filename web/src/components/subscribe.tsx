import Check from "lucide-react/icons/check";
import { type SubmitEvent, useId, useState } from "react";
import { checkEmail } from "../lib/account-rules";
import { useAlive } from "../lib/alive";
import { askForLetter } from "../lib/messages";
import { Button } from "../ui/button";
import { Trap } from "../ui/trap";
import styles from "./subscribe.module.css";

type State = { step: "open" | "busy" | "done"; fault: string | null };

// One address and a button. Without JavaScript the form is sent as it is, and a page answers.
export function Subscribe() {
  const [state, setState] = useState<State>({ step: "open", fault: null });
  const alive = useAlive();
  const id = useId();

  async function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state.step === "busy") return;
    const typed = new FormData(event.currentTarget);
    const email = String(typed.get("email") ?? "").trim();
    const good = checkEmail(email);
    if (good !== true) return setState({ step: "open", fault: good });
    setState({ step: "busy", fault: null });
    const trouble = await askForLetter({ email, website: String(typed.get("website") ?? "") });
    setState(trouble ? { step: "open", fault: trouble.message } : { step: "done", fault: null });
  }

  return (
    <form
      className={styles.form}
      method="post"
      action="/newsletter"
      noValidate={alive}
      onSubmit={onSubmit}
    >
      <div aria-live="polite">
        {state.step === "done" && (
          <p className={styles.done}>
            <Check size={20} strokeWidth={1.5} aria-hidden />
            Almost there: open the letter we have just sent you and confirm the address.
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
              aria-invalid={state.fault !== null}
              aria-describedby={state.fault === null ? undefined : `${id}-fault`}
              onChange={(event) => {
                // Wrong once, it is looked at again with every letter.
                if (state.fault === null) return;
                const good = checkEmail(event.currentTarget.value);
                setState({ step: "open", fault: good === true ? null : good });
              }}
            />
            <Button type="submit" aria-busy={state.step === "busy"}>
              Subscribe
            </Button>
          </div>
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

import TicketPercent from "lucide-react/icons/ticket-percent";
import * as m from "messages/cart";
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { CodeOutcome } from "../../../lib/api.gen";
import { CodeField } from "../../../ui/code-field";
import { LONGEST_CODE, parseCode } from "../../cart/discount-codes";
import { applyCode, removeCode, UNKNOWN_CODE } from "../../cart/quote";
import styles from "../code-section.module.css";

type Props = {
  outcomes: CodeOutcome[];
  busy: boolean;
  // The field, or the button that opens the form.
  focusable: RefObject<HTMLElement | null>;
};

// A button until it is needed.
export function CodeForm({ outcomes, busy, focusable }: Props) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string>();
  // What was sent, until there is an answer.
  const [sent, setSent] = useState<string | null>(null);
  const form = useRef<HTMLDivElement>(null);
  const movesFocus = useRef(false);
  const outcome = outcomes.find(({ code }) => code === sent);

  const onShown = useCallback(
    (element: HTMLElement | null) => {
      focusable.current = element;
      if (element !== null && movesFocus.current) element.focus();
    },
    [focusable],
  );

  const close = useCallback(() => {
    movesFocus.current = form.current?.contains(document.activeElement) ?? false;
    setOpen(false);
    setTyped("");
    setError(undefined);
    setSent(null);
  }, []);

  // Before it is painted: an unknown code is reported at the field, not in the list.
  useLayoutEffect(() => {
    if (outcome === undefined) return;
    if (outcome.reason?.code !== UNKNOWN_CODE) return close();
    setSent(null);
    setError(m.codeUnknown());
    removeCode(outcome.code);
  }, [outcome, close]);

  function apply() {
    const code = parseCode(typed);
    if (code === null) {
      setError(typed.trim() === "" ? m.codeMissing() : m.codeUnknown());
      focusable.current?.focus();
      return;
    }
    setError(undefined);
    setSent(code);
    applyCode(code);
  }

  if (!open) {
    return (
      <button
        ref={onShown}
        className={styles.opener}
        type="button"
        onClick={() => {
          movesFocus.current = true;
          setOpen(true);
        }}
      >
        <TicketPercent size={18} strokeWidth={1.5} aria-hidden />
        {m.addCode()}
      </button>
    );
  }
  return (
    <div ref={form} aria-live="polite">
      <CodeField
        ref={onShown}
        label={m.discountCode()}
        maxLength={LONGEST_CODE}
        value={typed}
        error={error}
        onChange={(event) => {
          setTyped(event.target.value);
          setError(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
        }}
        applyLabel={m.applyCode()}
        apply={apply}
        busy={sent !== null && busy}
      />
    </div>
  );
}

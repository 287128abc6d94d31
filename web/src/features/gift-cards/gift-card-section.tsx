import X from "lucide-react/icons/x";
import * as common from "messages/common";
import * as m from "messages/giftCards";
import { useRef, useState } from "react";
import type { Currency } from "../../lib/api.gen";
import { format } from "../../lib/money";
import { CodeField } from "../../ui/code-field";
import { IconButton } from "../../ui/icon-button";
import styles from "./gift-card-section.module.css";
import { LONGEST_CODE, MAX_CARDS } from "./gift-cards";
import type { GiftCards } from "./use-gift-cards";

type Props = {
  giftCards: GiftCards;
  currency: Currency;
  // What is left to pay after the cards; null while unknown.
  left: number | null;
  // Nothing can be changed: the order is being placed.
  fixed: boolean;
};

// The gift cards that pay, and a field for another one.
export function GiftCardSection({ giftCards, currency, left, fixed }: Props) {
  const { parts, failure } = giftCards;
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const section = useRef<HTMLFieldSetElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const covered = parts.length > 0 && left === 0;
  const offersMore = parts.length < MAX_CARDS && !covered;

  async function apply() {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    const refused = await giftCards.add(typed);
    setBusy(false);
    setError(refused);
    if (refused === undefined) setTyped("");
    // The field goes when nothing is left to pay.
    (input.current ?? section.current)?.focus();
  }

  function remove(code: string) {
    giftCards.remove(code);
    setError(undefined);
    section.current?.focus();
  }

  return (
    <fieldset
      ref={section}
      className={styles.section}
      inert={fixed}
      aria-label={m.giftCard()}
      tabIndex={-1}
    >
      {parts.length > 0 && (
        <ul className={styles.cards} aria-label={m.applied()}>
          {parts.map(({ code, lastFour, amount }) => (
            <li key={code} className={styles.chip}>
              <span className={styles.digits}>•••• {lastFour}</span>
              <span className={styles.amount}>−{format(amount, currency)}</span>
              <IconButton label={m.remove({ lastFour })} onClick={() => remove(code)}>
                <X size={14} strokeWidth={1.5} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div aria-live="polite">
        {parts.map(({ code, lastFour, amount }) => (
          <p key={code} className="visually-hidden">
            {m.pays({ lastFour, amount: format(amount, currency) })}
          </p>
        ))}
        {failure !== null && (
          <p className={styles.failure}>
            {failure}{" "}
            <button type="button" onClick={giftCards.refresh}>
              {common.tryAgain()}
            </button>
          </p>
        )}
        {covered && <p className={styles.covered}>{m.paysAll()}</p>}
        {offersMore && (
          <CodeField
            ref={input}
            label={common.giftCard()}
            maxLength={LONGEST_CODE}
            value={typed}
            error={error}
            onChange={(event) => {
              setTyped(event.target.value);
              setError(undefined);
            }}
            applyLabel={m.apply()}
            apply={() => void apply()}
            busy={busy}
          />
        )}
      </div>
    </fieldset>
  );
}

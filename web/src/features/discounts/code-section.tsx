import X from "lucide-react/icons/x";
import * as m from "messages/cart";
import { useRef } from "react";
import type { CodeOutcome } from "../../lib/api.gen";
import { useShop } from "../../lib/shop-context";
import { IconButton } from "../../ui/icon-button";
import { type Quoted, removeCode, UNKNOWN_CODE } from "../cart/quote";
import styles from "./code-section.module.css";
import { CodeForm } from "./internal/code-form";
import { RefusalReason } from "./internal/refusal-reason";

type Props = {
  quoted: Quoted;
  // Nothing can be changed: the order is being placed.
  fixed?: boolean;
};

// The shopper's discount codes below a total: those that are applied, those that are not, and a form for
// another one.
export function CodeSection({ quoted, fixed = false }: Props) {
  const shop = useShop();
  const { currency } = quoted.quote ?? shop;
  const outcomes = codeOutcomes(quoted);
  const applied = outcomes.filter((one) => one.applied);
  // What has the focus when a code that had it is removed.
  const form = useRef<HTMLElement>(null);

  function remove(code: string) {
    removeCode(code);
    form.current?.focus();
  }

  return (
    <div className={styles.section} inert={fixed}>
      {applied.length > 0 && (
        <ul className={styles.chips} aria-label={m.discountCodes()}>
          {applied.map(({ code }) => (
            <li key={code}>
              <button
                className={styles.chip}
                type="button"
                aria-label={m.removeCode({ code })}
                title={m.removeCode({ code })}
                onClick={() => remove(code)}
              >
                {code}
                <X size={14} strokeWidth={1.5} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.outcomes} aria-live="polite">
        {applied.map(({ code }) => (
          <p key={code} className="visually-hidden">
            {m.codeApplied({ code })}
          </p>
        ))}
        {outcomes.map(
          ({ code, reason }) =>
            reason && (
              <div key={code} className={styles.refused}>
                <p>
                  <strong>{code}</strong> <RefusalReason reason={reason} currency={currency} />
                </p>
                <IconButton label={m.removeCode({ code })} onClick={() => remove(code)}>
                  <X size={14} strokeWidth={1.5} aria-hidden />
                </IconButton>
              </div>
            ),
        )}
      </div>
      <CodeForm outcomes={outcomes} busy={quoted.busy} focusable={form} />
    </div>
  );
}

// Without those that have been removed since the quote, and with those that the shop does not know.
function codeOutcomes({ quote, codes, unknownCodes }: Quoted): CodeOutcome[] {
  const judged = quote?.codes.filter(({ code }) => codes.includes(code)) ?? [];
  const unknown = unknownCodes.filter((code) => !codes.includes(code));
  const reason = { code: UNKNOWN_CODE, message: "" };
  return [...judged, ...unknown.map((code) => ({ code, applied: false, reason }))];
}

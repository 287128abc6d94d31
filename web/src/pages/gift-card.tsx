import * as common from "messages/common";
import * as m from "messages/giftCards";
import { type FormEvent, useEffect, useRef, useState } from "react";
import {
  checkGiftCard,
  hasBalance,
  LONGEST_CODE,
  whyUseless,
} from "../features/gift-cards/gift-cards";
import { PageHead } from "../features/layout/page-head";
import type { GiftCardBalance } from "../lib/api.gen";
import { longDate } from "../lib/dates";
import { format } from "../lib/money";
import type { PageOf } from "../lib/page";
import { useShop } from "../lib/shop-context";
import { useHydrated } from "../lib/use-hydrated";
import { SubmitButton } from "../ui/button";
import { Field } from "../ui/field";
import styles from "./gift-card.module.css";

export default function GiftCardPage(page: PageOf<"gift-card">) {
  const [card, setCard] = useState<GiftCardBalance | null>(null);
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead
        page={page}
        title={`${m.title()} · ${page.shop.name}`}
        description={m.description({ shop: page.shop.name })}
        path="/gift-card"
      />
      <div className={styles.ask}>
        <h1>{m.title()}</h1>
        <p className={styles.lead}>{m.lead()}</p>
        <BalanceForm found={setCard} />
      </div>
      {card && <Found card={card} />}
    </div>
  );
}

// The code stays in this form: it is no part of an address, and nothing stores it.
function BalanceForm({ found }: { found: (card: GiftCardBalance | null) => void }) {
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const hydrated = useHydrated();

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const answer = code.trim() === "" ? { message: m.codeMissing() } : await checkGiftCard(code);
    setBusy(false);
    setError(hasBalance(answer) ? undefined : answer.message);
    found(hasBalance(answer) ? answer : null);
    if (!hasBalance(answer)) input.current?.focus();
  }

  return (
    <form
      className={styles.form}
      method="post"
      noValidate
      onSubmit={(event) => void onSubmit(event)}
    >
      <p className="without-js">{m.needsJavaScript()}</p>
      <div className={styles.code} aria-live="polite">
        <Field
          ref={input}
          label={m.code()}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          required
          maxLength={LONGEST_CODE}
          value={code}
          error={error}
          onChange={(event) => {
            setCode(event.target.value);
            setError(undefined);
          }}
        />
      </div>
      <SubmitButton busy={busy} disabled={!hydrated}>
        {m.show()}
      </SubmitButton>
    </form>
  );
}

function Found({ card }: { card: GiftCardBalance }) {
  const { lastFour, balance, spendable, currency, expiresAt } = card;
  const shop = useShop();
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: focuses on every new result.
  useEffect(() => heading.current?.focus(), [card]);
  const useless = whyUseless(card);
  const until = expiresAt === null ? m.always() : m.until({ date: longDate(expiresAt) });
  return (
    <section className={styles.found} aria-labelledby="found">
      <h2 ref={heading} id="found" className={styles.name} tabIndex={-1}>
        {common.giftCardEnding({ lastFour })}
      </h2>
      <dl>
        <dt>{m.balance()}</dt>
        <dd className={styles.balance}>{format(balance, currency)}</dd>
      </dl>
      {useless === undefined ? (
        <>
          {shop.currency !== currency && (
            <p>{m.paysFor({ amount: format(spendable, shop.currency) })}</p>
          )}
          <p>{until}</p>
          <p className={styles.quiet}>{m.spendIt()}</p>
        </>
      ) : (
        <p className={styles.useless}>{useless}</p>
      )}
    </section>
  );
}

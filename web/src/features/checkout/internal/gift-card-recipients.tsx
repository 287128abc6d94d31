import * as m from "messages/checkout";
import type { UseFormReturn } from "react-hook-form";
import type { Field as FieldError, GiftCardRecipient, QuotedLine } from "../../../lib/api.gen";
import { Field } from "../../../ui/field";
import { checkEmail } from "../../auth/validation";
import { variantName } from "../../catalog/variant-options";
import styles from "../checkout.module.css";
import type { Billing } from "./billing-fields";
import own from "./gift-card-recipients.module.css";
import { recipientKey, sendingDays } from "./recipients";

const LONGEST_EMAIL = 254;

type Props = {
  form: UseFormReturn<Billing>;
  lines: QuotedLine[];
  // Whether the shopper has an e-mail address, which gets the cards by default.
  hasEmail: boolean;
};

// To whom the gift cards in the cart are sent, and when.
export function GiftCardRecipients({ form, lines, hasEmail }: Props) {
  if (lines.length === 0) return null;
  return (
    <section className={styles.billing} aria-labelledby="gift-card-recipients">
      <h2 id="gift-card-recipients">{m.giftCards()}</h2>
      <p className={own.help}>{m.giftCardsHelp()}</p>
      {lines.map((line) => (
        <Recipient key={line._id} form={form} line={line} hasEmail={hasEmail} />
      ))}
    </section>
  );
}

type RecipientProps = Omit<Props, "lines"> & { line: QuotedLine };

function Recipient({ form, line, hasEmail }: RecipientProps) {
  const key = recipientKey(line._id);
  const errors = form.formState.errors.recipients?.[key];
  const { first, last } = sendingDays(new Date());
  const required = (email: string) => hasEmail || email.trim() !== "" || m.giftCardEmailRequired();
  return (
    <fieldset className={own.recipient}>
      <legend className={own.line}>
        {m.giftCardLine({ count: line.qtn, name: variantName(line) })}
      </legend>
      <div className={own.fields}>
        <Field
          label={m.giftCardEmail()}
          type="email"
          autoComplete="off"
          maxLength={LONGEST_EMAIL}
          error={errors?.email?.message}
          {...form.register(`recipients.${key}.email`, {
            validate: (email = "") =>
              email.trim() === "" ? required(email) : checkEmail(email.trim()),
          })}
        >
          {hasEmail && <p className={styles.help}>{m.giftCardEmailHelp()}</p>}
        </Field>
        <Field
          label={m.giftCardDay()}
          type="date"
          min={first}
          max={last}
          error={errors?.sendOn?.message}
          {...form.register(`recipients.${key}.sendOn`)}
        >
          <p className={styles.help}>{m.giftCardDayHelp()}</p>
        </Field>
      </div>
    </fieldset>
  );
}

// Shows the server's errors at the fields. Returns those that are no recipient's.
export function showRecipientErrors(
  form: UseFormReturn<Billing>,
  sent: GiftCardRecipient[],
  errors: FieldError[],
): FieldError[] {
  return errors.filter(({ name, message }) => {
    const [, place = "", field = ""] =
      /^giftCardRecipients\.(\d+)\.(email|sendOn)$/.exec(name) ?? [];
    const recipient = sent[Number(place)];
    if (place === "" || recipient === undefined) return true;
    const path =
      `recipients.${recipientKey(recipient.line)}.${field as "email" | "sendOn"}` as const;
    form.setError(path, { message }, { shouldFocus: true });
    return false;
  });
}

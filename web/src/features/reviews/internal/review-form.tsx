import * as common from "messages/common";
import * as m from "messages/reviews";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { errorMessage } from "../../../lib/api";
import type { ErrorDetail, OwnReview, Standing } from "../../../lib/api.gen";
import { toast } from "../../../lib/toast";
import { Button, SubmitButton } from "../../../ui/button";
import { Field } from "../../../ui/field";
import { StarInput } from "../../../ui/star-input";
import { TextArea } from "../../../ui/text-area";
import { LONGEST_BODY, LONGEST_TITLE, writeReview } from "../review-api";
import styles from "./review-form.module.css";

type Props = {
  product: { _id: string; name: string };
  // Null: a new review.
  old: OwnReview | null;
  onDone: (standing: Standing) => void;
  onCancel: () => void;
};

type FormErrors = { rating?: string; title?: string; body?: string; root?: string };

export function ReviewForm({ product, old, onDone, onCancel }: Props) {
  const [rating, setRating] = useState(old?.rating ?? 0);
  const [title, setTitle] = useState(old?.title ?? "");
  const [body, setBody] = useState(old?.body ?? "");
  const [errors, setErrors] = useState<FormErrors>({});
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  // The button that opened the form is gone, so focus moves here.
  useEffect(() => {
    const stars = form.current?.querySelectorAll<HTMLElement>("input[type='radio']");
    stars?.[Math.max(0, (old?.rating ?? 1) - 1)]?.focus();
  }, [old]);

  function showErrors(found: FormErrors) {
    setErrors(found);
    // Once the errors are rendered, focuses the first field with one.
    requestAnimationFrame(() => {
      form.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
    });
  }

  async function send(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const missing: FormErrors = {
      ...(rating === 0 && { rating: m.chooseStars() }),
      ...(title.trim() === "" && { title: m.titleRequired() }),
      ...(body.trim() === "" && { body: m.bodyRequired() }),
    };
    if (Object.keys(missing).length > 0) return showErrors(missing);
    setBusy(true);
    setErrors({});
    try {
      const standing = await writeReview(product._id, { rating, title, body });
      const shown = standing.review?.state === "shown";
      toast.success(shown ? m.thanks() : m.thanksQueued());
      onDone(standing);
    } catch (why) {
      setBusy(false);
      showErrors(toFormErrors(why));
    }
  }

  return (
    <form ref={form} className={styles.form} aria-label={m.yours()} noValidate onSubmit={send}>
      <StarInput
        label={m.question({ name: product.name })}
        labels={[m.poor(), m.fair(), m.good(), m.great(), m.superb()]}
        value={rating}
        onChange={setRating}
        error={errors.rating}
      />
      <Field
        label={m.title()}
        required
        maxLength={LONGEST_TITLE}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        error={errors.title}
      />
      <TextArea
        label={m.body()}
        required
        rows={6}
        maxLength={LONGEST_BODY}
        value={body}
        onChange={(event) => setBody(event.target.value)}
        error={errors.body}
      >
        <p className={styles.left}>{m.charactersLeft({ count: LONGEST_BODY - body.length })}</p>
      </TextArea>
      <p className={styles.help}>{m.help()}</p>
      {errors.root !== undefined && (
        <p className={styles.error} role="alert">
          {errors.root}
        </p>
      )}
      <div className={styles.answers}>
        <Button quiet onClick={onCancel}>
          {common.cancel()}
        </Button>
        <SubmitButton busy={busy}>{old === null ? m.send() : m.saveChanges()}</SubmitButton>
      </div>
    </form>
  );
}

// Errors at their fields where the API names them.
function toFormErrors(why: unknown): FormErrors {
  const { fields = [] } = why as Partial<ErrorDetail>;
  const known = fields.filter(({ name }) => ["rating", "title", "body"].includes(name));
  if (known.length > 0) {
    return Object.fromEntries(known.map((field) => [field.name, field.message]));
  }
  return { root: errorMessage(why) };
}

import { type FormEvent, useEffect, useRef, useState } from "react";
import type { ErrorDetail, OwnReview, Standing } from "../../lib/api.gen";
import { LONGEST_BODY, LONGEST_TITLE, writeReview } from "../../lib/reviews";
import { toast } from "../../lib/toast";
import { Button, SubmitButton } from "../../ui/button";
import { Field } from "../../ui/field";
import { StarInput } from "../../ui/star-input";
import { TextArea } from "../../ui/text-area";
import styles from "./review-form.module.css";

type Props = {
  product: { _id: string; name: string };
  // Null: the first one.
  old: OwnReview | null;
  onDone: (standing: Standing) => void;
  onCancel: () => void;
};

type Faults = { rating?: string; title?: string; body?: string; root?: string };

export function ReviewForm({ product, old, onDone, onCancel }: Props) {
  const [rating, setRating] = useState(old?.rating ?? 0);
  const [title, setTitle] = useState(old?.title ?? "");
  const [body, setBody] = useState(old?.body ?? "");
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  // What was pressed to come here is gone.
  useEffect(() => {
    const stars = form.current?.querySelectorAll<HTMLElement>("input[type='radio']");
    stars?.[Math.max(0, (old?.rating ?? 1) - 1)]?.focus();
  }, [old]);

  function blame(found: Faults) {
    setFaults(found);
    // Once the fields wear their faults, the first one gets the focus.
    requestAnimationFrame(() => {
      form.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
    });
  }

  async function send(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const missing: Faults = {
      ...(rating === 0 && { rating: "Choose from one to five stars" }),
      ...(title.trim() === "" && { title: "Title is required" }),
      ...(body.trim() === "" && { body: "Review is required" }),
    };
    if (Object.keys(missing).length > 0) return blame(missing);
    setBusy(true);
    setFaults({});
    try {
      const standing = await writeReview(product._id, { rating, title, body });
      const shown = standing.review?.state === "shown";
      toast.success(shown ? "Thank you for your review." : "Thank you. We look at it first.");
      onDone(standing);
    } catch (why) {
      setBusy(false);
      blame(faultsOf(why as Partial<ErrorDetail>));
    }
  }

  return (
    <form ref={form} className={styles.form} aria-label="Your review" noValidate onSubmit={send}>
      <StarInput
        label={`How do you like ${product.name}?`}
        words={["Poor", "Fair", "Good", "Great", "Superb"]}
        value={rating}
        onChange={setRating}
        fault={faults.rating}
      />
      <Field
        label="Title"
        required
        maxLength={LONGEST_TITLE}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        fault={faults.title}
      />
      <TextArea
        label="Review"
        required
        rows={6}
        maxLength={LONGEST_BODY}
        value={body}
        onChange={(event) => setBody(event.target.value)}
        fault={faults.body}
      >
        <p className={styles.left}>{LONGEST_BODY - body.length} characters left</p>
      </TextArea>
      <p className={styles.help}>
        It is shown under your display name. One that holds a link waits until we have looked at it.
      </p>
      {faults.root !== undefined && (
        <p className={styles.fault} role="alert">
          {faults.root}
        </p>
      )}
      <div className={styles.answers}>
        <Button quiet onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton busy={busy}>{old === null ? "Send review" : "Save changes"}</SubmitButton>
      </div>
    </form>
  );
}

// Beside its field where the shop named one.
function faultsOf({ code, message, fields = [] }: Partial<ErrorDetail>): Faults {
  const known = fields.filter(({ name }) => ["rating", "title", "body"].includes(name));
  if (known.length > 0) {
    return Object.fromEntries(known.map((field) => [field.name, field.message]));
  }
  const refused = code !== undefined && message !== undefined;
  return { root: refused ? message : "The shop cannot be reached. Please try again." };
}

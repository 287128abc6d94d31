import { useRef, useState } from "react";
import type { ErrorDetail, OwnReview as Own, ReviewState, Standing } from "../../../lib/api.gen";
import { toast } from "../../../lib/toast";
import { Button, SubmitButton } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { deleteReview } from "../review-api";
import styles from "./own-review.module.css";
import { ReviewText } from "./review-item";

type Props = {
  product: { _id: string; name: string };
  review: Own;
  onEdit: () => void;
  onDeleted: (standing: Standing) => void;
};

const NOTES: Record<ReviewState, string | null> = {
  shown: null,
  queued: "Only you see this yet. We look at it before it is shown.",
  refused: "Only you see this. We do not show it:",
};

export function OwnReview({ product, review, onEdit, onDeleted }: Props) {
  const [asked, setAsked] = useState(false);
  const deleted = useRef(false);
  const note = NOTES[review.state];
  return (
    <article className={styles.own} aria-label="Your review">
      <p className={styles.head}>Your review</p>
      {note !== null && (
        <p className={styles.note}>
          {note} {review.state === "refused" && review.note}
        </p>
      )}
      <ReviewText review={review}>
        <Button quiet onClick={onEdit}>
          Edit
        </Button>
        <Button quiet aria-haspopup="dialog" onClick={() => setAsked(true)}>
          Delete
        </Button>
      </ReviewText>
      <Dialog
        open={asked}
        onClose={() => setAsked(false)}
        title="Delete your review?"
        returnsFocus={() => !deleted.current}
        narrow
      >
        <Question
          product={product._id}
          onClose={() => setAsked(false)}
          onDeleted={(standing) => {
            deleted.current = true;
            onDeleted(standing);
          }}
        />
      </Dialog>
    </article>
  );
}

type QuestionProps = {
  product: string;
  onClose: () => void;
  onDeleted: (standing: Standing) => void;
};

function Question({ product, onClose, onDeleted }: QuestionProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function send() {
    setBusy(true);
    setError(null);
    try {
      const standing = await deleteReview(product);
      toast.success("Your review is deleted.");
      onDeleted(standing);
    } catch (why) {
      const { code, message } = why as Partial<ErrorDetail>;
      setError(code && message ? message : "The shop cannot be reached. Please try again.");
      setBusy(false);
    }
  }

  return (
    <form
      className={styles.question}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void send();
      }}
    >
      <p className={styles.title} aria-hidden>
        Delete your review?
      </p>
      <p>Its stars no longer count, and its words are gone for good. You may write another.</p>
      {error !== null && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <div className={styles.answers}>
        <Button quiet onClick={onClose}>
          No, keep it
        </Button>
        <SubmitButton busy={busy}>Yes, delete it</SubmitButton>
      </div>
    </form>
  );
}

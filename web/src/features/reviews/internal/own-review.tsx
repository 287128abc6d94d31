import { useRef, useState } from "react";
import type { OwnReview as OwnReviewData, ReviewState, Standing } from "../../../lib/api.gen";
import { toast } from "../../../lib/toast";
import { Button } from "../../../ui/button";
import { ConfirmForm } from "../../../ui/confirm-form";
import { Dialog } from "../../../ui/dialog";
import { deleteReview } from "../review-api";
import styles from "./own-review.module.css";
import { ReviewText } from "./review-item";

type Props = {
  product: { _id: string; name: string };
  review: OwnReviewData;
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
        <ConfirmForm
          text="Its stars no longer count, and its words are gone for good. You may write another."
          yes="Yes, delete it"
          no="No, keep it"
          send={async () => {
            const standing = await deleteReview(product._id);
            toast.success("Your review is deleted.");
            deleted.current = true;
            onDeleted(standing);
          }}
          onClose={() => setAsked(false)}
        />
      </Dialog>
    </article>
  );
}

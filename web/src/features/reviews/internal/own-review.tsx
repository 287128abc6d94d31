import * as m from "messages/reviews";
import { useRef, useState } from "react";
import type { OwnReview as OwnReviewData, Standing } from "../../../lib/api.gen";
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

export function OwnReview({ product, review, onEdit, onDeleted }: Props) {
  const [asked, setAsked] = useState(false);
  const deleted = useRef(false);
  return (
    <article className={styles.own} aria-label={m.yours()}>
      <p className={styles.head}>{m.yours()}</p>
      {review.state === "queued" && <p className={styles.note}>{m.queued()}</p>}
      {review.state === "refused" && (
        <p className={styles.note}>{m.refused({ note: review.note })}</p>
      )}
      <ReviewText review={review}>
        <Button quiet onClick={onEdit}>
          {m.edit()}
        </Button>
        <Button quiet aria-haspopup="dialog" onClick={() => setAsked(true)}>
          {m.delete()}
        </Button>
      </ReviewText>
      <Dialog
        open={asked}
        onClose={() => setAsked(false)}
        title={m.deleteQuestion()}
        returnsFocus={() => !deleted.current}
        narrow
      >
        <ConfirmForm
          text={m.deleteText()}
          yes={m.deleteYes()}
          no={m.deleteNo()}
          send={async () => {
            const standing = await deleteReview(product._id);
            toast.success(m.deleted());
            deleted.current = true;
            onDeleted(standing);
          }}
          onClose={() => setAsked(false)}
        />
      </Dialog>
    </article>
  );
}

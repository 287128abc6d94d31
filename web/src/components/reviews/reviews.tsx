import { useRef, useState } from "react";
import type { ReviewPage, ReviewSort, ReviewSummary, Standing } from "../../lib/api.gen";
import { useChoice } from "../../lib/finding/use-choice";
import { FIRST_REVIEW, REVIEWS, reviewsUrl, SORTS, useStanding } from "../../lib/reviews";
import { Button } from "../../ui/button";
import { Empty } from "../../ui/empty";
import { Select } from "../../ui/select";
import { Pagination } from "../pagination";
import { Invitation } from "./invitation";
import { OwnReview } from "./own-review";
import { ReviewForm } from "./review-form";
import { ReviewItem } from "./review-item";
import styles from "./reviews.module.css";
import { Summary } from "./summary";

type Props = {
  product: { _id: string; name: string };
  page: ReviewPage;
  // Whether they are looked at.
  open: boolean;
  // One's own has changed what all of them come to.
  changed: (summary: ReviewSummary) => void;
};

// The kept page has what everybody sees; one's own review stands above it, and not in it again.
export function Reviews({ product, page, open, changed }: Props) {
  const { summary, reviews, sort, pageNumber, pages } = page;
  const standing = useStanding(product._id, open);
  const [writing, setWriting] = useState(false);
  const head = useRef<HTMLHeadingElement>(null);
  const own = standing.value?.review ?? null;
  const others = reviews.filter((review) => review._id !== own?._id);

  function done(now: Standing) {
    standing.replace(now);
    changed(now.summary);
    setWriting(false);
    // What had the focus is gone.
    head.current?.focus();
  }

  return (
    <div id={REVIEWS} className={styles.reviews}>
      <div className={styles.beside}>
        <h2 ref={head} className="visually-hidden" tabIndex={-1}>
          What buyers say about {product.name}
        </h2>
        {summary.count > 0 && <Summary summary={summary} />}
        <Invitation
          product={product._id}
          standing={standing}
          writing={writing}
          onWrite={() => setWriting(true)}
        />
      </div>
      <div className={styles.said}>
        {writing && (
          <ReviewForm
            product={product}
            old={own}
            onDone={done}
            onCancel={() => {
              setWriting(false);
              head.current?.focus();
            }}
          />
        )}
        {!writing && own !== null && (
          <OwnReview
            product={product}
            review={own}
            onEdit={() => setWriting(true)}
            onDeleted={done}
          />
        )}
        {summary.count === 0 && own === null && !writing && (
          <Empty title="No one has written yet" />
        )}
        <div id={FIRST_REVIEW} className={styles.all}>
          {summary.count > 1 && <Order product={product._id} sort={sort} />}
          <ul>
            {others.map((review) => (
              <ReviewItem
                key={review._id}
                review={review}
                voted={standing.value?.helpful.includes(review._id) ?? false}
              />
            ))}
          </ul>
          {pages > 1 && (
            <Pagination
              current={pageNumber}
              pages={pages}
              urlOf={(number) => reviewsUrl(product._id, sort, number)}
            />
          )}
        </div>
      </div>
    </div>
  );
}

function Order({ product, sort }: { product: string; sort: ReviewSort }) {
  const [chosen, choose] = useChoice<string>(sort);
  return (
    <form className={styles.order} method="get" action={reviewsUrl(product, "newest", 1)} data-live>
      <Select
        label="Sort by"
        name="sort"
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value)}
        options={SORTS}
      />
      <span className="without-js">
        <Button type="submit" quiet>
          Apply
        </Button>
      </span>
    </form>
  );
}

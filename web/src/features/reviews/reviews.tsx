import * as common from "messages/common";
import * as m from "messages/reviews";
import { useRef, useState } from "react";
import type { ReviewPage, ReviewSort, ReviewSummary, Standing } from "../../lib/api.gen";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Pagination } from "../../ui/pagination";
import { Select } from "../../ui/select";
import { usePendingValue } from "../../ui/use-pending-value";
import { OwnReview } from "./internal/own-review";
import { RatingSummary } from "./internal/rating-summary";
import { ReviewForm } from "./internal/review-form";
import { ReviewItem } from "./internal/review-item";
import { WritePrompt } from "./internal/write-prompt";
import { FIRST_REVIEW, REVIEWS, reviewsUrl, SORTS, useStanding } from "./review-api";
import styles from "./reviews.module.css";

type Props = {
  product: { _id: string; name: string };
  // The parameters of the address that name the chosen variant, which stays chosen.
  choice: string[];
  page: ReviewPage;
  // Whether the tab is open.
  open: boolean;
  // The customer's review has changed the summary.
  changed: (summary: ReviewSummary) => void;
};

// The cached page has what everybody sees; the customer's own review is shown above, and left out
// below.
export function Reviews({ product, choice, page, open, changed }: Props) {
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
    // The element that had the focus is gone.
    head.current?.focus();
  }

  return (
    <div id={REVIEWS} className={styles.reviews}>
      <div className={styles.beside}>
        <h2 ref={head} className="visually-hidden" tabIndex={-1}>
          {m.heading({ name: product.name })}
        </h2>
        {summary.count > 0 && <RatingSummary summary={summary} />}
        <WritePrompt
          product={product._id}
          standing={standing}
          writing={writing}
          onWrite={() => setWriting(true)}
        />
      </div>
      <div className={styles.list}>
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
        {summary.count === 0 && own === null && !writing && <EmptyState title={m.none()} />}
        <div id={FIRST_REVIEW} className={styles.all}>
          {summary.count > 1 && <SortForm product={product._id} choice={choice} sort={sort} />}
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
              urlOf={(number) => reviewsUrl(product._id, sort, number, choice)}
            />
          )}
        </div>
      </div>
    </div>
  );
}

type SortFormProps = { product: string; choice: string[]; sort: ReviewSort };

function SortForm({ product, choice, sort }: SortFormProps) {
  const [chosen, choose] = usePendingValue<string>(sort);
  return (
    <form className={styles.order} method="get" action={reviewsUrl(product, "newest", 1)} data-live>
      {choice.map((param) => (
        <HiddenParam key={param} param={param} />
      ))}
      <Select
        label={common.sortBy()}
        name="sort"
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value)}
        options={SORTS.map(({ value, label }) => ({ value, label: label() }))}
      />
      <span className="without-js">
        <Button type="submit" quiet>
          {common.apply()}
        </Button>
      </span>
    </form>
  );
}

// A form's own fields replace the parameters of its address.
function HiddenParam({ param }: { param: string }) {
  const [name = "", value = ""] = param.split("=").map(decodeURIComponent);
  return <input type="hidden" name={name} value={value} />;
}

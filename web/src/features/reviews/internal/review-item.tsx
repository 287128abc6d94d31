import ThumbsUp from "lucide-react/icons/thumbs-up";
import * as m from "messages/reviews";
import { type ReactNode, useState } from "react";
import type { Review } from "../../../lib/api.gen";
import { longDate } from "../../../lib/dates";
import { langOf } from "../../../lib/language";
import { redirect } from "../../../lib/navigation";
import { paragraphs } from "../../../lib/text";
import { toast } from "../../../lib/toast";
import { loginUrl } from "../../../lib/urls";
import { Stars } from "../../../ui/stars";
import { useUser } from "../../auth/auth";
import { FIRST_REVIEW, vote, writer } from "../review-api";
import styles from "./review-item.module.css";

export function ReviewItem({ review, voted }: { review: Review; voted: boolean }) {
  return (
    <li className={styles.item}>
      <article aria-label={m.titleAndAuthor({ title: review.title, name: writer(review) })}>
        <ReviewText review={review}>
          <Helpful review={review} voted={voted} />
        </ReviewText>
      </article>
    </li>
  );
}

// A review's text, with its actions below.
export function ReviewText({ review, children }: { review: Review; children: ReactNode }) {
  const lang = langOf(review.language);
  return (
    <>
      <Stars rating={review.rating} />
      <h3 className={styles.title} lang={lang}>
        {review.title}
      </h3>
      <p className={styles.by}>
        <bdi lang={review.name === "" ? undefined : lang}>{writer(review)}</bdi> ·{" "}
        <time dateTime={review.createdAt}>{longDate(review.createdAt)}</time>
        {review.editedAt !== null && ` · ${m.edited()}`}
      </p>
      <Bought options={review.options} />
      <div className={styles.body} lang={lang}>
        {paragraphs(review.body).map(({ text, place }) => (
          <p key={place} dir="auto">
            {text}
          </p>
        ))}
      </div>
      <div className={styles.below}>{children}</div>
    </>
  );
}

function Bought({ options }: Pick<Review, "options">) {
  const values = Object.values(options);
  if (values.length === 0) return null;
  return <p className={styles.by}>{m.bought({ options: values.join(", ") })}</p>;
}

// `voted` is the server's value; clicks since then override it.
function Helpful({ review, voted }: { review: Review; voted: boolean }) {
  const user = useUser();
  const [since, setSince] = useState<{ voted: boolean; helpful: number } | null>(null);
  const [busy, setBusy] = useState(false);
  const pressed = since?.voted ?? voted;
  const helpful = since?.helpful ?? review.helpful;

  async function press() {
    if (busy) return;
    if (user === null) {
      redirect(loginUrl(`${location.pathname}${location.search}#${FIRST_REVIEW}`));
      return;
    }
    setBusy(true);
    try {
      setSince({ voted: !pressed, ...(await vote(review._id, !pressed)) });
    } catch {
      toast.error(m.voteFailed());
    }
    setBusy(false);
  }

  return (
    <>
      <button
        type="button"
        className={`with-js ${styles.helpful}`}
        aria-pressed={pressed}
        aria-busy={busy}
        aria-label={m.helpfulNamed({ title: review.title })}
        onClick={() => void press()}
      >
        <ThumbsUp size={16} strokeWidth={1.5} aria-hidden />
        {m.helpful()}
      </button>
      {helpful > 0 && <p className={styles.count}>{m.foundHelpful({ count: helpful })}</p>}
    </>
  );
}

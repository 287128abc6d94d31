import * as common from "messages/common";
import * as m from "messages/content";
import type { PostCard } from "../../lib/api.gen";
import { longDate } from "../../lib/dates";
import styles from "./post-meta.module.css";

// Author, date and reading time.
export function PostMeta({ post }: { post: PostCard }) {
  return (
    <p className={styles.meta}>
      <span>{post.author}</span>
      <time dateTime={post.date}>{longDate(post.date)}</time>
      <span>{m.minutesToRead({ minutes: post.minutes })}</span>
    </p>
  );
}

// `lang`: their language, where it is not the page's.
export function PostTags({ tags, lang }: { tags: string[]; lang: string | undefined }) {
  if (tags.length === 0) return null;
  return (
    <ul className={styles.tags} aria-label={common.tags()}>
      {tags.map((tag) => (
        <li key={tag} lang={lang}>
          {tag}
        </li>
      ))}
    </ul>
  );
}

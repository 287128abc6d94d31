import type { PostCard } from "../../lib/api.gen";
import { longDate } from "../../lib/dates";
import styles from "./post-meta.module.css";

// Author, date and reading time.
export function PostMeta({ post }: { post: PostCard }) {
  return (
    <p className={styles.meta}>
      <span>{post.author}</span>
      <time dateTime={post.date}>{longDate(post.date)}</time>
      <span>{post.minutes} min read</span>
    </p>
  );
}

export function PostTags({ tags }: { tags: string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul className={styles.tags} aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  );
}

import type { PostCard } from "../../lib/api.gen";
import { postUrl } from "../../lib/urls";
import { Picture } from "../../ui/picture";
import { PostMeta, PostTags } from "./post-meta";
import styles from "./post-teaser.module.css";

type Props = { post: PostCard; large?: boolean; heading?: "h2" | "h3" };

// A post in a list. The large one is the first on the page.
export function PostTeaser({ post, large = false, heading: Heading = "h2" }: Props) {
  const sizes = large
    ? "(min-width: 64rem) 58vw, 100vw"
    : "(min-width: 64rem) 30vw, (min-width: 48rem) 50vw, 100vw";
  return (
    <article
      className={large ? styles.large : styles.teaser}
      data-bare={large && post.picture === null}
    >
      {!post.picture && !large && (
        <div className={styles.initial} lang={post.lang} aria-hidden>
          {Array.from(post.title)[0]}
        </div>
      )}
      {post.picture && (
        <div className={styles.picture}>
          <Picture
            picture={post.picture}
            name=""
            sizes={sizes}
            loading={large ? "first" : "lazy"}
          />
        </div>
      )}
      <div className={styles.words}>
        <PostTags tags={post.tags} lang={post.lang} />
        <Heading className={styles.title} lang={post.lang}>
          <a href={postUrl(post.slug)}>{post.title}</a>
        </Heading>
        <p className={styles.summary} lang={post.lang}>
          {post.summary}
        </p>
        <PostMeta post={post} />
      </div>
    </article>
  );
}

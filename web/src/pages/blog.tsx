import { PageHead } from "../components/page-head";
import { PostTeaser } from "../components/post-teaser";
import type { PageOf } from "../lib/page";
import { ButtonLink } from "../ui/button";
import styles from "./blog.module.css";

export default function BlogPage(page: PageOf<"blog">) {
  const { shop, props } = page;
  const [newest, ...others] = props.posts;
  return (
    <div className={`wrap ${styles.blog}`}>
      <PageHead
        page={page}
        title={`Blog · ${shop.name}`}
        description={`Notes from ${shop.name}: how to choose things, use them and make them last.`}
        image={newest?.picture?.src}
      />
      <link
        rel="alternate"
        type="application/rss+xml"
        title={`${shop.name}: the blog`}
        href="/blog/feed.xml"
      />
      <header className={styles.head}>
        <p className={styles.label}>Blog</p>
        <h1>Notes from the stall</h1>
        <p className={styles.lead}>How to choose things, use them and make them last.</p>
      </header>
      {newest === undefined ? (
        <div className={styles.empty}>
          <p>Nothing has been written yet. The goods speak for themselves meanwhile.</p>
          <ButtonLink href="/">Have a look at them</ButtonLink>
        </div>
      ) : (
        <>
          <PostTeaser post={newest} large />
          {others.length > 0 && (
            <ul className={styles.others}>
              {others.map((post) => (
                <li key={post.slug}>
                  <PostTeaser post={post} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  );
}

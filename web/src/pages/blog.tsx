import { PostTeaser } from "../features/content/post-teaser";
import { PageHead } from "../features/layout/page-head";
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
        description={
          shop.demo
            ? `Notes from ${shop.name}: how to choose things, use them and make them last.`
            : `Notes from ${shop.name}.`
        }
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
        <h1>{shop.demo ? "Notes from the stall" : `Notes from ${shop.name}`}</h1>
        {shop.demo && (
          <p className={styles.lead}>How to choose things, use them and make them last.</p>
        )}
      </header>
      {newest === undefined ? (
        <div className={styles.empty}>
          <p>Nothing has been written yet.</p>
          <ButtonLink href="/">See the products</ButtonLink>
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

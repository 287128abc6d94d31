import * as common from "messages/common";
import * as m from "messages/content";
import { PostTeaser } from "../features/content/post-teaser";
import { PageHead } from "../features/layout/page-head";
import { localUrl } from "../lib/language";
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
        title={`${common.blog()} · ${shop.name}`}
        description={
          shop.demo
            ? m.blogDescriptionDemo({ shop: shop.name })
            : m.blogDescription({ shop: shop.name })
        }
        image={newest?.picture?.src}
      />
      <link
        rel="alternate"
        type="application/rss+xml"
        title={m.feed({ shop: shop.name })}
        href={localUrl("/blog/feed.xml")}
      />
      <header className={styles.head}>
        <p className={styles.label}>{common.blog()}</p>
        <h1>{shop.demo ? m.notesFromStall() : m.notesFrom({ shop: shop.name })}</h1>
        {shop.demo && <p className={styles.lead}>{m.blogLead()}</p>}
      </header>
      {newest === undefined ? (
        <div className={styles.empty}>
          <p>{m.nothingWritten()}</p>
          <ButtonLink href={localUrl("/")}>{m.seeProducts()}</ButtonLink>
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

import * as common from "messages/common";
import * as m from "messages/content";
import { Fragment } from "react";
import { ProductGrid } from "../features/catalog/product-grid";
import { PostMeta, PostTags } from "../features/content/post-meta";
import { ProseText } from "../features/content/prose";
import { TableOfContents } from "../features/content/table-of-contents";
import { Breadcrumbs } from "../features/layout/breadcrumbs";
import { JsonLd } from "../features/layout/json-ld";
import { absolute, PageHead } from "../features/layout/page-head";
import type { PostLink } from "../lib/api.gen";
import { localUrl } from "../lib/language";
import type { PageOf } from "../lib/page";
import { postUrl } from "../lib/urls";
import { Picture } from "../ui/picture";
import { Section } from "../ui/section";
import styles from "./post.module.css";

// The number of sections from which a text has a table of contents.
const LONG = 4;

export default function PostPage(page: PageOf<"post">) {
  const { shop, props } = page;
  const { post, text, previous, next, products } = props;
  const long = text.sections.length >= LONG;
  return (
    <Fragment key={post.slug}>
      <PageHead
        page={page}
        title={`${post.title} · ${shop.name}`}
        description={post.summary}
        image={post.picture?.src}
        kind="article"
      />
      <link
        rel="alternate"
        type="application/rss+xml"
        title={m.feed({ shop: shop.name })}
        href={localUrl("/blog/feed.xml")}
      />
      <JsonLd data={postData(page)} />
      <article className="wrap">
        <Breadcrumbs
          origin={page.origin}
          trail={[
            { name: common.blog(), url: localUrl("/blog") },
            { name: post.title, url: postUrl(post.slug) },
          ]}
        />
        <header className={styles.head}>
          <PostTags tags={post.tags} lang={post.lang} />
          <h1 lang={post.lang}>{post.title}</h1>
          <p className={styles.summary} lang={post.lang}>
            {post.summary}
          </p>
          <PostMeta post={post} />
        </header>
        {post.picture && (
          <div className={styles.picture}>
            <Picture
              picture={post.picture}
              name={post.alt}
              sizes="(min-width: 80rem) 80rem, 100vw"
              loading="first"
            />
          </div>
        )}
        <div className={styles.body} data-long={long}>
          {long && (
            <div>
              <TableOfContents title={m.inThisArticle()} sections={text.sections} />
            </div>
          )}
          <div className={styles.text} lang={post.lang}>
            <ProseText text={text} />
          </div>
        </div>
      </article>
      {products.length > 0 && (
        <Section id="products" title={m.mentioned()}>
          <ProductGrid products={products} />
        </Section>
      )}
      {(previous || next) && (
        <nav className={`wrap ${styles.around}`} aria-label={m.morePosts()}>
          {previous && <Neighbour label={m.previous()} post={previous} rel="prev" />}
          {next && <Neighbour label={m.next()} post={next} rel="next" />}
        </nav>
      )}
    </Fragment>
  );
}

type NeighbourProps = { label: string; post: PostLink; rel: "prev" | "next" };

function Neighbour({ label, post, rel }: NeighbourProps) {
  return (
    <a className={styles.neighbour} href={postUrl(post.slug)} rel={rel} data-side={rel}>
      <span className={styles.label}>{label}</span>
      <span className={styles.title} lang={post.lang}>
        {post.title}
      </span>
    </a>
  );
}

function postData({ origin, shop, props: { post, text } }: PageOf<"post">) {
  const address = origin + postUrl(post.slug);
  const html = [text.lead, ...text.sections.map((section) => section.html)].join(" ");
  return {
    "@type": "BlogPosting",
    headline: post.title,
    description: post.summary,
    datePublished: post.date,
    author: { "@type": "Person", name: post.author },
    publisher: { "@type": "Organization", name: shop.name, url: origin },
    mainEntityOfPage: address,
    url: address,
    keywords: post.tags.join(", "),
    wordCount: html.replace(/<[^>]+>/g, " ").split(/\s+/).length,
    ...(post.picture && { image: absolute(origin, post.picture.src) }),
  };
}

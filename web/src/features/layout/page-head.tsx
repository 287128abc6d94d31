import * as m from "messages/language";
import type { Page } from "../../lib/api.gen";
import { language, localUrl, shopLanguages, splitLanguage } from "../../lib/language";

type Props = {
  page: Page;
  title: string;
  description: string;
  image?: string | undefined;
  kind?: "website" | "product" | "article";
  // The canonical path, with or without the language's prefix, where it differs from `page.url`.
  path?: string;
  // Excludes the page from search engines.
  unlisted?: boolean;
};

// Pages without content, personal pages, and search results, whose products are on other pages.
const UNLISTED: Page["page"][] = [
  "not-found",
  "error",
  "auth-action",
  "newsletter",
  "search",
  "cart",
  "checkout",
  "pay",
  "account",
  "wishlist",
  "shared-wishlist",
  "back-in-stock",
  "gift-card",
  "offline",
  "dev-ui",
];

// The document head: title, description, canonical URL, Open Graph. React moves it into <head>.
export function PageHead({ page, title, description, image, kind = "website", ...more }: Props) {
  const { path } = more;
  const [, plain] = splitLanguage(path ?? page.url);
  const address = page.origin + localUrl(plain);
  const unlisted = more.unlisted === true || UNLISTED.includes(page.page);
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      <meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf8f4" />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#141311" />
      {unlisted && <meta name="robots" content="noindex" />}
      {!unlisted && <link rel="canonical" href={address} />}
      {!unlisted && <Alternates origin={page.origin} path={plain} />}
      <meta property="og:site_name" content={page.shop.name} />
      <meta property="og:type" content={kind} />
      <meta property="og:locale" content={m.openGraph(language())} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {!unlisted && <meta property="og:url" content={address} />}
      {image && <meta property="og:image" content={absolute(page.origin, image)} />}
    </>
  );
}

// The page in every language of the shop, for search engines.
function Alternates({ origin, path }: { origin: string; path: string }) {
  const languages = shopLanguages();
  if (languages.length < 2) return null;
  return (
    <>
      {languages.map((code) => (
        <link key={code} rel="alternate" hrefLang={code} href={origin + localUrl(path, code)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={origin + localUrl(path, languages[0])} />
    </>
  );
}

export function absolute(origin: string, path: string): string {
  return path.startsWith("/") ? origin + path : path;
}

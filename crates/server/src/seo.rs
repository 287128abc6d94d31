//! SEO: the sitemap and robots.txt for search engines, and the web app manifest of each language.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use platform::html::escape;
use platform::{Error, Language, Result};
use response_cache::NewCacheEntry;
use serde_json::json;
use shop::catalog::{self, ProductFilter};
use shop::content::Post;
use strum::VariantArray;

use crate::app::App;
use crate::props::Policy;

/// Search engines allow 50,000; with fewer a part is quick to build and small to cache.
pub const URLS_PER_SITEMAP: i64 = 10_000;
const MAX_AGE: (HeaderName, &str) = (CACHE_CONTROL, "public, max-age=300");
const XMLNS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const XMLNS_XHTML: &str = " xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";

/// Paths of pages that search engines skip.
const DISALLOWED: [&str; 7] =
    ["/account", "/auth/", "/cart", "/checkout", "/newsletter/", "/back-in-stock/", "/search"];

pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/sitemap.xml", get(sitemap))
        .route("/sitemap/{part}", get(sitemap_part))
        .route("/robots.txt", get(robots))
}

pub fn manifest_router() -> Router<Arc<App>> {
    Router::new().route("/manifest.webmanifest", get(manifest))
}

/// A path, and the day of its last change where it is known.
type SitemapUrl = (String, Option<String>);

/// All URLs where they fit in one file, otherwise the index of the parts.
async fn sitemap(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response> {
    let state = app.clone();
    let build = async move || {
        let fixed = state.fixed_urls().await?;
        let all = fixed.len() as i64
            + catalog::count_products(&state.context.db, &ProductFilter::default()).await?;
        let size = state.paths_per_sitemap();
        if all <= size {
            let urls = state.sitemap_urls(0).await?;
            return Ok(cache_entry(state.urlset(&urls)));
        }
        let parts = (all + size - 1) / size;
        let mut xml = format!("{XML_HEAD}<sitemapindex xmlns=\"{XMLNS}\">\n");
        for part in 1..=parts {
            xml.push_str(&format!(
                "<sitemap><loc>{}/sitemap/{part}.xml</loc></sitemap>\n",
                escape(&state.context.origin)
            ));
        }
        xml.push_str("</sitemapindex>\n");
        Ok(cache_entry(xml))
    };
    Ok(app.cache.get("/sitemap.xml", build).await?.respond(&headers))
}

async fn sitemap_part(
    State(app): State<Arc<App>>,
    Path(part): Path<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let number = part.strip_suffix(".xml").and_then(|number| number.parse::<u32>().ok());
    let number = number.filter(|number| *number > 0 && part == format!("{number}.xml"));
    let number = number.ok_or(Error::NotFound("part"))?;
    let state = app.clone();
    let build = async move || {
        let urls = state.sitemap_urls(i64::from(number) - 1).await?;
        if urls.is_empty() {
            return Err(Error::NotFound("part"));
        }
        Ok(cache_entry(state.urlset(&urls)))
    };
    Ok(app.cache.get(&format!("/sitemap/{number}.xml"), build).await?.respond(&headers))
}

const XML_HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn cache_entry(xml: String) -> NewCacheEntry {
    NewCacheEntry {
        status: StatusCode::OK,
        content_type: "application/xml; charset=utf-8",
        body: xml.into_bytes(),
        headers: vec![],
        depends_on: vec![catalog::catalog_tag(), catalog::categories_tag()],
        expires_at: None,
    }
}

impl App {
    fn paths_per_sitemap(&self) -> i64 {
        (self.urls_per_sitemap / self.context.languages.iter().count() as i64).max(1)
    }

    /// Every URL in every language, each with all of them as alternates.
    fn urlset(&self, urls: &[SitemapUrl]) -> String {
        let languages = &self.context.languages;
        let multilingual = languages.iter().nth(1).is_some();
        let xhtml = if multilingual { XMLNS_XHTML } else { "" };
        let mut xml = format!("{XML_HEAD}<urlset xmlns=\"{XMLNS}\"{xhtml}>\n");
        for (path, changed) in urls {
            let changed = changed.as_deref().map(|day| format!("<lastmod>{day}</lastmod>"));
            let changed = changed.unwrap_or_default();
            let alternates = if multilingual { self.alternates(path) } else { String::new() };
            for language in languages.iter() {
                let url = escape(&self.url(language, path));
                xml.push_str(&format!("<url><loc>{url}</loc>{changed}{alternates}</url>\n"));
            }
        }
        xml.push_str("</urlset>\n");
        xml
    }

    /// Links to a page in all languages; in the default one for readers of any other.
    fn alternates(&self, path: &str) -> String {
        let languages = &self.context.languages;
        let link = |code: &str, language: Language| {
            let url = escape(&self.url(language, path));
            format!("<xhtml:link rel=\"alternate\" hreflang=\"{code}\" href=\"{url}\"/>")
        };
        let each = languages.iter().map(|language| link(language.as_str(), language));
        each.chain([link("x-default", languages.default_language())]).collect()
    }

    /// The absolute URL of a page in a language.
    pub fn url(&self, language: Language, path: &str) -> String {
        format!("{}{}", self.context.origin, self.context.languages.localize(language, path))
    }

    /// All URLs but those of products.
    async fn fixed_urls(&self) -> Result<Vec<SitemapUrl>> {
        let content = &self.pages.content;
        let mut urls: Vec<SitemapUrl> = vec![("/".into(), None)];
        let categories = catalog::categories(&self.context.db, None).await?;
        urls.extend(categories.iter().map(|one| (format!("/category/{}", one.id), None)));
        let date = |post: &Post| Some(post.card.date.clone());
        urls.extend(content.posts.first().map(|newest| ("/blog".to_owned(), date(newest))));
        let post_url = |post: &Post| (format!("/blog/{}", post.card.slug), date(post));
        urls.extend(content.posts.iter().map(post_url));
        urls.push(("/about".into(), content.about.updated.clone()));
        urls.push(("/contact".into(), content.contact.updated.clone()));
        urls.extend(Policy::VARIANTS.iter().map(|policy| {
            (format!("/{}", <&str>::from(policy)), policy.article(content).updated.clone())
        }));
        Ok(urls)
    }

    /// One part of all URLs: first the fixed ones, then the products.
    async fn sitemap_urls(&self, part: i64) -> Result<Vec<SitemapUrl>> {
        let (size, fixed) = (self.paths_per_sitemap(), self.fixed_urls().await?);
        let (from, count) = (part * size, fixed.len() as i64);
        let skipped = usize::try_from(from).unwrap_or(usize::MAX);
        let mut urls: Vec<SitemapUrl> =
            fixed.into_iter().skip(skipped).take(size as usize).collect();
        let left = size - urls.len() as i64;
        if left > 0 {
            let products =
                catalog::sitemap_items(&self.context.db, (from - count).max(0), left).await?;
            urls.extend(products.into_iter().map(|(id, created_at)| {
                let day: String = created_at.to_string().chars().take(10).collect();
                (format!("/product/{id}"), Some(day))
            }));
        }
        Ok(urls)
    }
}

async fn robots(State(app): State<Arc<App>>) -> Response {
    let languages = &app.context.languages;
    let mut text = String::from("User-agent: *\nDisallow: /api/\nAllow: /api/docs\n");
    for language in languages.iter() {
        let paths = DISALLOWED.map(|path| languages.localize(language, path));
        text.extend(paths.map(|path| format!("Disallow: {path}\n")));
    }
    text.push_str(&format!("\nSitemap: {}/sitemap.xml\n", app.context.origin));
    ([(CONTENT_TYPE, "text/plain; charset=utf-8"), MAX_AGE], text).into_response()
}

async fn manifest(State(app): State<Arc<App>>, language: Language) -> Response {
    let front = &app.pages_in(language).front;
    let icon = |src: &str, sizes: &str, kind: &str, purpose: &str| json!({ "src": src, "sizes": sizes, "type": kind, "purpose": purpose });
    let manifest = json!({
        "name": front.shop_name,
        "short_name": front.shop_name,
        "description": front.description(),
        "id": "/",
        "start_url": app.context.languages.localize(language, "/"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#faf8f4",
        "theme_color": "#faf8f4",
        "lang": language,
        "dir": language.direction(),
        "categories": ["shopping"],
        "icons": [
            icon("/favicon.svg", "any", "image/svg+xml", "any"),
            icon("/icons/192.png", "192x192", "image/png", "any"),
            icon("/icons/512.png", "512x512", "image/png", "any"),
            icon("/icons/maskable-192.png", "192x192", "image/png", "maskable"),
            icon("/icons/maskable-512.png", "512x512", "image/png", "maskable"),
        ],
    });
    ([(CONTENT_TYPE, "application/manifest+json"), MAX_AGE], Json(manifest)).into_response()
}

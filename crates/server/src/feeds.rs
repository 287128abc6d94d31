//! Feeds of each language: products for Google Merchant Center, and the blog as RSS. The product feed is streamed in batches, so
//! that its size does not matter.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream;
use messages::Messages;
use platform::html::escape;
use platform::{Cursor, Error, Language, Money, PageRequest, Result, Timestamp};
use response_cache::NewCacheEntry;
use shop::catalog::{self, CatalogView, Product, ProductFilter, Variant};
use shop::content::{PostCard, Text};

use crate::app::App;

/// A product has up to 2,048 variants.
const BATCH_PRODUCTS: i64 = 50;
const MAX_PICTURES: usize = 10;
const MAX_TITLE_CHARS: usize = 150;
const MAX_DESCRIPTION_CHARS: usize = 5_000;
const RSS: &str = "application/rss+xml; charset=utf-8";

pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/feeds/google.xml", get(product_feed))
        .route("/blog/feed.xml", get(blog_feed))
}

enum FeedPart {
    Head,
    Products(Option<Cursor<Product>>),
    Done,
}

async fn product_feed(State(app): State<Arc<App>>, language: Language) -> Response {
    let body = stream::try_unfold((app, FeedPart::Head), move |(app, next)| async move {
        let (text, next) = match next {
            FeedPart::Head => (app.feed_head(language), FeedPart::Products(None)),
            FeedPart::Products(after) => app.feed_batch(language, after).await?,
            FeedPart::Done => return Ok::<_, Error>(None),
        };
        Ok(Some((Bytes::from(text), (app, next))))
    });
    ([(CONTENT_TYPE, "application/xml; charset=utf-8")], Body::from_stream(body)).into_response()
}

impl App {
    fn feed_head(&self, language: Language) -> String {
        let front = &self.pages_in(language).front;
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <rss version=\"2.0\" xmlns:g=\"http://base.google.com/ns/1.0\"><channel>\n\
             <title>{}</title><link>{}</link><description>{}</description>\n",
            xml(&front.shop_name),
            xml(&self.url(language, "/")),
            xml(front.description())
        )
    }

    async fn feed_batch(
        &self,
        language: Language,
        after: Option<Cursor<Product>>,
    ) -> Result<(String, FeedPart)> {
        let (db, view) = (&self.context.db, CatalogView::in_base(&self.context, language));
        let filter = ProductFilter::default();
        let request = PageRequest { after, limit: BATCH_PRODUCTS };
        let batch = catalog::newest(db, view, &filter, &request).await?;
        let mut variants = catalog::variants_of(db, view, &batch.items).await?;
        let mut text = String::new();
        for product in &batch.items {
            for variant in variants.remove(&product.id).unwrap_or_default() {
                text.push_str(&self.feed_item(language, product, &variant, view.now));
            }
        }
        let next = match batch.next {
            Some(next) => FeedPart::Products(Some(next)),
            None => {
                text.push_str("</channel></rss>\n");
                FeedPart::Done
            }
        };
        Ok((text, next))
    }

    /// One variant with the fields of Google's product data specification.
    fn feed_item(
        &self,
        language: Language,
        product: &Product,
        variant: &Variant,
        now: Timestamp,
    ) -> String {
        let origin = &*self.context.origin;
        let mut text = String::from("<item>");
        let mut push = |name: &str, value: &str| {
            text.push_str(&format!("<{name}>{}</{name}>", xml(value)));
        };
        push("g:id", variant.id.as_str());
        push("title", &truncate(&variant.chosen.title(&product.name), MAX_TITLE_CHARS));
        push("description", &truncate(&product.full_description, MAX_DESCRIPTION_CHARS));
        let path = match product.totals.variant_count {
            1 => format!("/product/{}", product.id),
            _ => format!("/product/{}?variant={}", product.id, variant.id),
        };
        push("link", &self.url(language, &path));
        let others = product.img.iter().map(|photo| &photo.src).filter(|src| **src != variant.img);
        for (place, src) in [&variant.img].into_iter().chain(others).take(MAX_PICTURES).enumerate()
        {
            let name = if place == 0 { "g:image_link" } else { "g:additional_image_link" };
            let origin = if src.starts_with('/') { origin } else { "" };
            push(name, &format!("{origin}{src}"));
        }
        let (availability, date) = match (variant.qtn > 0, variant.back_order) {
            (true, _) => ("in_stock", None),
            (false, Some(date)) => ("backorder", Some(date)),
            (false, None) => ("out_of_stock", None),
        };
        push("g:availability", availability);
        if let Some(date) = date {
            push("g:availability_date", &date.to_string());
        }
        let price = &variant.price;
        push("g:price", &feed_price(price.real_price));
        if price.offer_price < price.real_price && price.sale_end.is_none_or(|end| end > now) {
            push("g:sale_price", &feed_price(price.offer_price));
            // Google requires both dates, or none.
            if let Some(end) = price.sale_end {
                let start = price.sale_start.unwrap_or(product.created_at.min(now));
                push("g:sale_price_effective_date", &format!("{start}/{end}"));
            }
        }
        if !product.brand.is_empty() {
            push("g:brand", &product.brand);
        }
        push("g:mpn", &variant.sku);
        if !variant.barcode.is_empty() {
            push("g:gtin", &variant.barcode);
        }
        if product.totals.variant_count > 1 {
            push("g:item_group_id", product.id.as_str());
        }
        for (option, (_, value)) in product.options.iter().zip(&variant.chosen.0) {
            match option.param().as_str() {
                _ if option.is_colour() => push("g:color", value),
                "size" => push("g:size", value),
                "material" => push("g:material", value),
                "pattern" => push("g:pattern", value),
                _ => {}
            }
        }
        if let Some(weight) = variant.weight {
            push("g:shipping_weight", &format!("{weight} g"));
        }
        push("g:condition", "new");
        text.push_str("</item>\n");
        text
    }
}

async fn blog_feed(
    State(app): State<Arc<App>>,
    language: Language,
    headers: HeaderMap,
) -> Result<Response> {
    let state = app.clone();
    let build = async move || {
        Ok(NewCacheEntry {
            status: StatusCode::OK,
            content_type: RSS,
            body: state.blog_rss(language).into_bytes(),
            headers: vec![],
            depends_on: vec![],
            expires_at: None,
        })
    };
    let key = app.context.languages.localize(language, "/blog/feed.xml");
    Ok(app.cache.get(&key, build).await?.respond(&headers))
}

impl App {
    fn blog_rss(&self, language: Language) -> String {
        let front = &self.pages_in(language).front;
        let posts = &self.pages_in(language).content.posts;
        let built = posts.first().map_or_else(String::new, |post| {
            format!("<lastBuildDate>{}</lastBuildDate>", rfc2822_date(&post.card.date))
        });
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\" \
             xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" \
             xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel>\n\
             <title>{name}</title><link>{blog}</link><description>{tagline}</description>\
             <language>{language}</language>{built}\n\
             <atom:link href=\"{feed}\" rel=\"self\" type=\"application/rss+xml\"/>\n",
            name = xml(&Messages::text(language, "server.blog", &[("shop", &front.shop_name)])),
            blog = xml(&self.url(language, "/blog")),
            feed = xml(&self.url(language, "/blog/feed.xml")),
            tagline = xml(front.description()),
        );
        for post in posts {
            text.push_str(&self.rss_item(language, &post.card, &post.text));
        }
        text.push_str("</channel></rss>\n");
        text
    }

    fn rss_item(&self, language: Language, card: &PostCard, text: &Text) -> String {
        let address = xml(&self.url(language, &format!("/blog/{}", card.slug)));
        let tags: String =
            card.tags.iter().map(|tag| format!("<category>{}</category>", xml(tag))).collect();
        format!(
            "<item><title>{}</title><link>{address}</link><guid>{address}</guid>\
             <pubDate>{}</pubDate><dc:creator>{}</dc:creator>{tags}<description>{}</description>\
             <content:encoded>{}</content:encoded></item>\n",
            xml(&card.title),
            rfc2822_date(&card.date),
            xml(&card.author),
            xml(&card.summary),
            xml(&full_html(&self.context.origin, text)),
        )
    }
}

/// The whole text as HTML with absolute URLs.
fn full_html(origin: &str, text: &Text) -> String {
    let mut html = text.lead.clone();
    for section in &text.sections {
        html.push_str(&format!("<h2>{}</h2>\n{}", escape(&section.title), section.html));
    }
    // A literal `<` is escaped, so these can only be links and pictures.
    html.replace("<a href=\"/", &format!("<a href=\"{origin}/"))
        .replace("<img src=\"/", &format!("<img src=\"{origin}/"))
}

fn rfc2822_date(day: &str) -> String {
    Timestamp::parse(&format!("{day}T00:00:00Z")).map(Timestamp::rfc2822).unwrap_or_default()
}

fn feed_price(price: Money) -> String {
    format!("{} {}", price.plain(), price.currency())
}

fn truncate(text: &str, max_chars: usize) -> String {
    text.chars().take(max_chars).collect()
}

/// Escapes text for XML, and drops the control characters that XML does not allow.
fn xml(text: &str) -> String {
    let allowed = |letter: &char| {
        matches!(letter, '\t' | '\n' | '\r')
            || (*letter >= ' ' && !matches!(letter, '\u{fffe}' | '\u{ffff}'))
    };
    escape(&text.chars().filter(allowed).collect::<String>())
}

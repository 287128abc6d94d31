//! What others read from the shop in their own form: its products for Google's merchants, its posts
//! for feed readers. The products are sent as they are read, a few at a time, however many there are.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base::cache::Fresh;
use base::html::escape;
use base::{Cursor, Error, Money, Result, Timestamp};
use futures_util::stream;
use shop::catalog::{self, Filter, Product};
use shop::content::{PostCard, Text};

use crate::app::App;

const READ_AT_ONCE: i64 = 200;
const MOST_PICTURES: usize = 10;
const LONGEST_TITLE: usize = 150;
const LONGEST_DESCRIPTION: usize = 5_000;
const RSS: &str = "application/rss+xml; charset=utf-8";

pub fn router() -> Router<App> {
    Router::new().route("/feeds/google.xml", get(goods)).route("/blog/feed.xml", get(posts))
}

/// Where the sending stands.
enum Next {
    Head,
    Goods(Option<Cursor<Product>>),
    Done,
}

async fn goods(State(app): State<App>) -> Response {
    let body = stream::try_unfold((app, Next::Head), async |(app, next)| {
        let (text, next) = match next {
            Next::Head => (app.head_of_goods(), Next::Goods(None)),
            Next::Goods(after) => app.some_goods(after).await?,
            Next::Done => return Ok::<_, Error>(None),
        };
        Ok(Some((Bytes::from(text), (app, next))))
    });
    ([(CONTENT_TYPE, "application/xml; charset=utf-8")], Body::from_stream(body)).into_response()
}

impl App {
    fn head_of_goods(&self) -> String {
        let front = &self.pages.front;
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <rss version=\"2.0\" xmlns:g=\"http://base.google.com/ns/1.0\"><channel>\n\
             <title>{}</title><link>{}/</link><description>{}</description>\n",
            xml(&front.shop_name),
            xml(&self.origin),
            xml(front.description())
        )
    }

    async fn some_goods(&self, after: Option<Cursor<Product>>) -> Result<(String, Next)> {
        let now = self.clock.now();
        let filter = Filter::default();
        let some = catalog::newest(&self.db, now, &filter, after.as_ref(), READ_AT_ONCE).await?;
        let mut text: String =
            some.iter().map(|product| item(&self.origin, product, now)).collect();
        let last = some.last().filter(|_| some.len() as i64 == READ_AT_ONCE);
        let next = match last {
            Some(Product { created_at, id, .. }) => {
                Next::Goods(Some(Cursor { created_at: *created_at, id: id.clone() }))
            }
            None => {
                text.push_str("</channel></rss>\n");
                Next::Done
            }
        };
        Ok((text, next))
    }
}

/// One product in the words of Google's specification.
fn item(origin: &str, product: &Product, now: Timestamp) -> String {
    let mut text = String::from("<item>");
    let mut say = |name: &str, value: &str| {
        text.push_str(&format!("<{name}>{}</{name}>", xml(value)));
    };
    say("g:id", product.id.as_str());
    say("title", &cut(&product.name, LONGEST_TITLE));
    say("description", &cut(&product.full_description, LONGEST_DESCRIPTION));
    say("link", &format!("{origin}/product/{}", product.id));
    for (place, photo) in product.img.iter().take(MOST_PICTURES).enumerate() {
        let name = if place == 0 { "g:image_link" } else { "g:additional_image_link" };
        say(name, &absolute(origin, &photo.src));
    }
    say("g:availability", if product.qtn > 0 { "in_stock" } else { "out_of_stock" });
    let price = &product.price;
    say("g:price", &dollars(price.real_price));
    if price.offer_price < price.real_price && price.sale_end.is_none_or(|end| end > now) {
        say("g:sale_price", &dollars(price.offer_price));
        // Google wants both ends, or neither.
        if let Some(end) = price.sale_end {
            let start = price.sale_start.unwrap_or(product.created_at.min(now));
            say("g:sale_price_effective_date", &format!("{start}/{end}"));
        }
    }
    if !product.brand.is_empty() {
        say("g:brand", &product.brand);
    }
    say("g:mpn", &product.sku);
    say("g:condition", "new");
    text.push_str("</item>\n");
    text
}

async fn posts(State(app): State<App>, headers: HeaderMap) -> Result<Response> {
    let made = app.clone();
    let make = async move || {
        Ok(Fresh {
            status: StatusCode::OK,
            content_type: RSS,
            body: made.posts_as_rss().into_bytes(),
            headers: vec![],
            shows: vec![],
            until: None,
        })
    };
    Ok(app.cache.get("/blog/feed.xml", make).await?.respond(&headers))
}

impl App {
    fn posts_as_rss(&self) -> String {
        let (origin, front) = (&self.origin, &self.pages.front);
        let posts = &self.pages.content.posts;
        let built = posts.first().map_or_else(String::new, |post| {
            format!("<lastBuildDate>{}</lastBuildDate>", moment(&post.card.date))
        });
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\" \
             xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" \
             xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel>\n\
             <title>{name}</title><link>{origin}/blog</link><description>{tagline}</description>\
             <language>en</language>{built}\n\
             <atom:link href=\"{origin}/blog/feed.xml\" rel=\"self\" type=\"application/rss+xml\"/>\n",
            name = xml(&format!("{}: the blog", front.shop_name)),
            origin = xml(origin),
            tagline = xml(front.description()),
        );
        for post in posts {
            text.push_str(&entry(origin, &post.card, &post.text));
        }
        text.push_str("</channel></rss>\n");
        text
    }
}

fn entry(origin: &str, card: &PostCard, text: &Text) -> String {
    let address = xml(&format!("{origin}/blog/{}", card.slug));
    let tags: String =
        card.tags.iter().map(|tag| format!("<category>{}</category>", xml(tag))).collect();
    format!(
        "<item><title>{}</title><link>{address}</link><guid>{address}</guid>\
         <pubDate>{}</pubDate><dc:creator>{}</dc:creator>{tags}<description>{}</description>\
         <content:encoded>{}</content:encoded></item>\n",
        xml(&card.title),
        moment(&card.date),
        xml(&card.author),
        xml(&card.summary),
        xml(&whole(origin, text)),
    )
}

/// A text in one piece, for whoever reads it elsewhere.
fn whole(origin: &str, text: &Text) -> String {
    let mut html = text.lead.clone();
    for section in &text.sections {
        html.push_str(&format!("<h2>{}</h2>\n{}", escape(&section.title), section.html));
    }
    // A `<` that stands for itself is escaped, so these are links and nothing else.
    html.replace("<a href=\"/", &format!("<a href=\"{origin}/"))
        .replace("<img src=\"/", &format!("<img src=\"{origin}/"))
}

fn moment(day: &str) -> String {
    Timestamp::parse(&format!("{day}T00:00:00Z")).map(Timestamp::rfc2822).unwrap_or_default()
}

fn dollars(money: Money) -> String {
    format!("{}.{:02} USD", money.as_cents() / 100, money.as_cents() % 100)
}

fn absolute(origin: &str, src: &str) -> String {
    if src.starts_with('/') { format!("{origin}{src}") } else { src.to_owned() }
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// Text in XML, which has no words at all for most control characters.
fn xml(text: &str) -> String {
    let speakable = |letter: &char| {
        matches!(letter, '\t' | '\n' | '\r')
            || (*letter >= ' ' && !matches!(letter, '\u{fffe}' | '\u{ffff}'))
    };
    escape(&text.chars().filter(speakable).collect::<String>())
}

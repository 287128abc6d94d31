//! How the shop is found: the map of its addresses for search engines, what they are not to read, and
//! what a telephone needs to put the shop among its programs.

use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use base::cache::Fresh;
use base::html::escape;
use base::{Error, Result};
use serde_json::json;
use shop::catalog::{self, Filter};

use crate::app::App;
use crate::pages::Policy;

/// Search engines take up to 50,000 addresses in one file; fewer make a part that is quick to build
/// and small to keep.
pub const ADDRESSES_IN_A_PART: i64 = 10_000;
pub const XML: &str = "application/xml; charset=utf-8";
const XMLNS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

pub fn router() -> Router<App> {
    Router::new()
        .route("/sitemap.xml", get(map))
        .route("/sitemap/{part}", get(part_of_map))
        .route("/robots.txt", get(robots))
        .route("/manifest.webmanifest", get(manifest))
}

/// An address and the day of its last change, where that is known.
struct Place {
    path: String,
    changed: Option<String>,
}

impl Place {
    fn new(path: impl Into<String>, changed: Option<String>) -> Self {
        Self { path: path.into(), changed }
    }
}

/// Every address while one file holds them, else the list of the parts.
async fn map(State(app): State<App>, headers: HeaderMap) -> Result<Response> {
    let made = app.clone();
    let make = async move || {
        let fixed = made.fixed_places().await?;
        let all = fixed.len() as i64 + catalog::total(&made.db, &Filter::default()).await?;
        if all <= made.addresses_in_a_part {
            let places = made.places(0).await?;
            return Ok(fresh(addresses(&made.origin, &places)));
        }
        let parts = (all + made.addresses_in_a_part - 1) / made.addresses_in_a_part;
        let mut xml = format!("{HEAD}<sitemapindex xmlns=\"{XMLNS}\">\n");
        for part in 1..=parts {
            xml.push_str(&format!(
                "<sitemap><loc>{}/sitemap/{part}.xml</loc></sitemap>\n",
                escape(&made.origin)
            ));
        }
        xml.push_str("</sitemapindex>\n");
        Ok(fresh(xml))
    };
    Ok(app.cache.get("/sitemap.xml", make).await?.respond(&headers))
}

async fn part_of_map(
    State(app): State<App>,
    Path(part): Path<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let number = part.strip_suffix(".xml").and_then(|number| number.parse::<u32>().ok());
    let number = number.filter(|number| *number > 0 && part == format!("{number}.xml"));
    let number = number.ok_or(Error::NotFound("part"))?;
    let made = app.clone();
    let make = async move || {
        let places = made.places(i64::from(number) - 1).await?;
        if places.is_empty() {
            return Err(Error::NotFound("part"));
        }
        Ok(fresh(addresses(&made.origin, &places)))
    };
    Ok(app.cache.get(&format!("/sitemap/{number}.xml"), make).await?.respond(&headers))
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn addresses(origin: &str, places: &[Place]) -> String {
    let mut xml = format!("{HEAD}<urlset xmlns=\"{XMLNS}\">\n");
    for Place { path, changed } in places {
        let (origin, path) = (escape(origin), escape(path));
        let changed = changed.as_deref().map(|day| format!("<lastmod>{day}</lastmod>"));
        let changed = changed.unwrap_or_default();
        xml.push_str(&format!("<url><loc>{origin}{path}</loc>{changed}</url>\n"));
    }
    xml.push_str("</urlset>\n");
    xml
}

fn fresh(xml: String) -> Fresh {
    Fresh {
        status: StatusCode::OK,
        content_type: XML,
        body: xml.into_bytes(),
        headers: vec![],
        shows: vec![catalog::whole(), catalog::shelves()],
        until: None,
    }
}

impl App {
    /// Everything but the products.
    async fn fixed_places(&self) -> Result<Vec<Place>> {
        let content = &self.pages.content;
        let mut places = vec![Place::new("/", None)];
        let categories = catalog::categories(&self.db).await?;
        places.extend(
            categories
                .iter()
                .map(|category| Place::new(format!("/category/{}", category.id), None)),
        );
        if let Some(newest) = content.posts.first() {
            places.push(Place::new("/blog", Some(newest.card.date.clone())));
        }
        places.extend(content.posts.iter().map(|post| {
            Place::new(format!("/blog/{}", post.card.slug), Some(post.card.date.clone()))
        }));
        places.push(Place::new("/about", content.about.updated.clone()));
        places.push(Place::new("/contact", content.contact.updated.clone()));
        for policy in Policy::ALL {
            let article = match policy {
                Policy::Privacy => &content.privacy,
                Policy::Terms => &content.terms,
                Policy::Refund => &content.refund,
                Policy::Return => &content.returns,
            };
            places.push(Place::new(format!("/{}", policy.name()), article.updated.clone()));
        }
        Ok(places)
    }

    /// One part of all addresses, which are the fixed ones and then the products.
    async fn places(&self, part: i64) -> Result<Vec<Place>> {
        let (most, fixed) = (self.addresses_in_a_part, self.fixed_places().await?);
        let (from, count) = (part * most, fixed.len() as i64);
        let skipped = usize::try_from(from).unwrap_or(usize::MAX);
        let mut places: Vec<Place> = fixed.into_iter().skip(skipped).take(most as usize).collect();
        let left = most - places.len() as i64;
        if left > 0 {
            let products = catalog::listed(&self.db, (from - count).max(0), left).await?;
            places.extend(products.into_iter().map(|(id, came)| {
                let day = came.to_string().chars().take(10).collect();
                Place::new(format!("/product/{id}"), Some(day))
            }));
        }
        Ok(places)
    }
}

async fn robots(State(app): State<App>) -> Response {
    let text = format!(
        "User-agent: *\n\
         Disallow: /api/\n\
         Allow: /api/docs\n\
         Disallow: /account\n\
         Disallow: /auth/\n\
         Disallow: /cart\n\
         Disallow: /checkout\n\
         Disallow: /newsletter/\n\
         Disallow: /back-in-stock/\n\
         Disallow: /search\n\
         \n\
         Sitemap: {}/sitemap.xml\n",
        app.origin
    );
    kept("text/plain; charset=utf-8", text.into_response())
}

async fn manifest(State(app): State<App>) -> Response {
    let front = &app.pages.front;
    let icon = |src: &str, sizes: &str, kind: &str, purpose: &str| json!({ "src": src, "sizes": sizes, "type": kind, "purpose": purpose });
    let manifest = json!({
        "name": front.shop_name,
        "short_name": front.shop_name,
        "description": front.description(),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#faf8f4",
        "theme_color": "#faf8f4",
        "lang": "en",
        "categories": ["shopping"],
        "icons": [
            icon("/favicon.svg", "any", "image/svg+xml", "any"),
            icon("/icons/192.png", "192x192", "image/png", "any"),
            icon("/icons/512.png", "512x512", "image/png", "any"),
            icon("/icons/maskable-192.png", "192x192", "image/png", "maskable"),
            icon("/icons/maskable-512.png", "512x512", "image/png", "maskable"),
        ],
    });
    kept("application/manifest+json", Json(manifest).into_response())
}

fn kept(content_type: &'static str, mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, axum::http::HeaderValue::from_static(content_type));
    headers.insert(CACHE_CONTROL, axum::http::HeaderValue::from_static("public, max-age=300"));
    response
}

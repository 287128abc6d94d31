//! Answering pages: from the cache where it can, made anew where it must, and an error page where
//! neither is possible. The same address answers a document or, for client navigation, its data.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, REFERRER_POLICY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use base::cache::{Fresh, Kept};
use base::error::{RequestId, Result};
use base::{Currency, Error};
use shop::catalog;

use crate::app::App;
use crate::document::document;
use crate::door::Counted;
use crate::pages::{Content, ErrorProps, Loaded, NoProps, Page, Shop};
use crate::route::Route;

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
/// How long a page that could not be rendered is left to the browser before it is tried again.
const FALLBACK_FOR: Duration = Duration::from_secs(5);

/// How a visitor wants a page; all that tells one answer to an address from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    form: Form,
    currency: Currency,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Document,
    Data,
}

impl Wish {
    pub fn of(headers: &HeaderMap) -> Self {
        let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or("");
        let data = accept.contains(JSON) && !accept.contains("text/html");
        let cookies = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';'));
        let chosen = pairs.find_map(|pair| pair.trim().strip_prefix("currency=")?.parse().ok());
        Self {
            form: if data { Form::Data } else { Form::Document },
            currency: chosen.unwrap_or_default(),
        }
    }
}

/// What is neither a page nor the API: a file of the storefront, or the page that says there is none.
pub async fn file(State(app): State<App>, request: Request) -> Response {
    let (path, headers) = (request.uri().path(), request.headers());
    let file = path.strip_prefix('/').and_then(|path| app.assets.respond(path, headers));
    match file {
        Some(mut file) => {
            file.extensions_mut().insert(Counted("file"));
            file
        }
        None if is_api(path) => Error::NotFound("address").into_response(),
        None => app.page(None, headers).await,
    }
}

fn is_api(path: &str) -> bool {
    path.starts_with("/api/") || path == "/api"
}

impl App {
    /// Answers a page; without a route, the one page for all addresses that lead nowhere.
    pub async fn page(&self, route: Option<Route>, headers: &HeaderMap) -> Response {
        let wish = Wish::of(headers);
        let name = route.as_ref().map_or("not-found", Route::name);
        let url = route.as_ref().map(Route::to_string).unwrap_or_default();
        let kept = match self.kept(route, &url, wish).await {
            Err(Error::NotFound(_)) => self.kept(None, "", wish).await,
            kept => kept,
        };
        let mut response = match kept {
            Ok(kept) => kept.respond(headers),
            Err(why) => self.error_page(&url, wish, why),
        };
        response.extensions_mut().insert(Counted(name));
        // The page may have been kept for hours; its countdowns go by this.
        if let Ok(now) = HeaderValue::try_from(format!("now;dur={}", self.clock.now().0)) {
            response.headers_mut().insert(SERVER_TIMING, now);
        }
        response
    }

    async fn kept(&self, route: Option<Route>, url: &str, wish: Wish) -> Result<Arc<Kept>> {
        let key = format!("{:?} {:?} {url}", wish.form, wish.currency);
        let (app, url) = (self.clone(), url.to_owned());
        self.cache.get(&key, async move || app.make(route, url, wish).await).await
    }

    async fn make(&self, route: Option<Route>, url: String, wish: Wish) -> Result<Fresh> {
        let Loaded { content, mut shows, mut until } = match &route {
            Some(route) => self.pages.load(route).await?,
            None => Loaded::plain(Content::NotFound(NoProps {})),
        };
        // The header names the categories on every page.
        shows.push(catalog::shelves());
        let status = if route.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
        let shop = self.pages.shop(wish.currency).await?;
        let (name, title) = (content.name(), shop.name.clone());
        let json = self.data(content, url, shop)?;
        let (content_type, body) = match wish.form {
            Form::Data => (JSON, json.into_bytes()),
            Form::Document => {
                let json: Arc<str> = json.into();
                let markup = self.renderer.render(name, json.clone()).await.ok();
                if markup.is_none() {
                    let again = self.clock.now().plus(FALLBACK_FOR);
                    until = Some(until.map_or(again, |until| until.min(again)));
                }
                let html = document(&self.assets, name, &title, &json, markup.as_ref());
                (HTML, html.into_bytes())
            }
        };
        // The address of a letter's link, or of a list for friends, is nobody else's to see.
        let headers = match &route {
            Some(
                Route::AuthAction
                | Route::Newsletter(_)
                | Route::BackInStock(_)
                | Route::SharedWishlist { .. },
            ) => {
                vec![(REFERRER_POLICY, HeaderValue::from_static("no-referrer"))]
            }
            Some(Route::Contact { .. }) => {
                vec![(CONTENT_SECURITY_POLICY, self.policy_with_map.clone())]
            }
            _ => vec![],
        };
        Ok(Fresh { status, content_type, body, headers, shows, until })
    }

    fn data(&self, content: Content, url: String, shop: Shop) -> Result<String> {
        let (origin, build) = (self.origin.clone(), self.assets.build.clone());
        Ok(serde_json::to_string(&Page { content, url, origin, build, shop })?)
    }

    /// An error in the form that the request wants: the API's JSON, or a page.
    pub fn error(&self, address: &Uri, wish: Wish, why: Error) -> Response {
        if is_api(address.path()) {
            return why.into_response();
        }
        let url = address.path_and_query().map_or("", |address| address.as_str());
        self.error_page(url, wish, why)
    }

    /// A page that the browser renders, so that it needs neither the database nor a render thread.
    fn error_page(&self, url: &str, wish: Wish, why: Error) -> Response {
        why.log();
        let status = why.status();
        let title = match status.is_server_error() {
            true => "Unexpected Application Error!".to_owned(),
            false => why.message(),
        };
        let content = Content::Error(ErrorProps {
            status: status.as_u16(),
            title: title.clone(),
            message: why.message(),
            request_id: RequestId::current().map(|id| id.to_string()).unwrap_or_default(),
        });
        let shop = self.pages.shop_without_categories(wish.currency);
        let Ok(json) = self.data(content, url.to_owned(), shop) else { return why.into_response() };
        let (content_type, body) = match wish.form {
            Form::Data => (JSON, json),
            Form::Document => (HTML, document(&self.assets, "error", &title, &json, None)),
        };
        let headers = [(CACHE_CONTROL, "no-store"), (CONTENT_TYPE, content_type)];
        (status, headers, body).into_response()
    }
}

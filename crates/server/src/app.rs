//! The program's state and its routes.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, COOKIE, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Router, middleware};
use base::cache::{Cache, Fresh, Kept};
use base::config::Shopfront;
use base::error::{Result, request_id};
use base::jobs::Tally;
use base::revisions::Revisions;
use base::{Clock, Currency, Db, Error, Random};
use serde::Deserialize;
use shop::catalog::Catalog;

use crate::api;
use crate::assets::Assets;
use crate::document::document;
use crate::guard::{Asked, Counted, guard};
use crate::metrics::Metrics;
use crate::pages::{Content, ErrorProps, Loaded, NotFoundProps, Page, Pages, Shop};
use crate::route::Route;
use crate::ssr::Renderer;

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";
/// How long a page that could not be rendered is left to the browser before it is tried again.
const FALLBACK_FOR: std::time::Duration = std::time::Duration::from_secs(5);

/// What the program is made of.
pub struct Parts {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub revisions: Revisions,
    pub cache: Cache,
    pub renderer: Renderer,
    pub assets: Assets,
    pub front: Shopfront,
    /// Where the shop stands, for addresses that must be whole.
    pub origin: String,
    pub jobs: Arc<Tally>,
}

#[derive(Clone)]
pub struct App(Arc<Inner>);

pub struct Inner {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub cache: Cache,
    pub renderer: Renderer,
    pub assets: Assets,
    pub metrics: Metrics,
    pub pages: Pages,
    pub origin: String,
    pub over_tls: bool,
    jobs: Arc<Tally>,
    /// The paths of the API, to count requests by.
    route_names: Vec<&'static str>,
}

impl std::ops::Deref for App {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.0
    }
}

/// The whole program as one router.
pub fn router(parts: Parts) -> Router {
    let (app, routes) = build(parts);
    guarded(app, routes)
}

/// The program's state and its bare routes.
pub fn build(parts: Parts) -> (App, Router) {
    let Parts { db, clock, random, revisions, cache, renderer, assets, front, origin, jobs } =
        parts;
    let catalog = Catalog { db: db.clone(), clock: clock.clone(), cache: cache.clone() };
    let (api, openapi) = api::router(catalog);
    // Leaked once, at the start, so that counting a request needs no copy of its route's name.
    let route_names =
        openapi.paths.paths.keys().map(|path| &*Box::leak(path.clone().into_boxed_str())).collect();
    let description: Bytes = openapi.to_json().unwrap_or_default().into();
    let openapi = Arc::new(serde_json::to_value(&openapi).unwrap_or_default());
    let app = App(Arc::new(Inner {
        pages: Pages {
            db: db.clone(),
            clock: clock.clone(),
            revisions,
            front: Arc::new(front),
            openapi,
            categories: Arc::default(),
        },
        over_tls: origin.starts_with("https://"),
        metrics: Metrics::default(),
        db,
        clock,
        random,
        cache,
        renderer,
        assets,
        origin,
        jobs,
        route_names,
    }));
    let routes = Router::new()
        .route("/healthz", get("alive\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/currency", post(choose_currency))
        .route("/api/openapi.json", get(|| async { ([("content-type", JSON)], description) }))
        .with_state(app.clone())
        .merge(api)
        .method_not_allowed_fallback(method_not_allowed)
        .fallback_service(
            get(page_or_file)
                .head(page_or_file)
                .fallback(method_not_allowed)
                .with_state(app.clone()),
        );
    (app, routes)
}

pub fn guarded(app: App, routes: Router) -> Router {
    routes.layer(middleware::from_fn_with_state(app, guard))
}

async fn ready(State(app): State<App>) -> Result<Response> {
    let (_,): (i64,) = app.db.query("select cast(1 as bigint)").one().await?;
    Ok(([("x-haat-build", app.assets.build.clone())], "ready\n").into_response())
}

async fn metrics(State(app): State<App>) -> Result<Response> {
    let text = app.metrics.text(&app.db, &app.cache, &app.renderer, &app.jobs).await?;
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([("content-type", content_type)], text).into_response())
}

async fn method_not_allowed(method: Method) -> Error {
    Error::Refused {
        status: StatusCode::METHOD_NOT_ALLOWED,
        code: "method_not_allowed",
        message: format!("{method} is not for this address.").into(),
    }
}

#[derive(Deserialize)]
struct CurrencyChoice {
    currency: String,
    #[serde(default)]
    back: String,
}

/// The header's currency select, for browsers without JavaScript.
async fn choose_currency(
    form: std::result::Result<Form<CurrencyChoice>, axum::extract::rejection::FormRejection>,
) -> Result<Response> {
    let Form(CurrencyChoice { currency, back }) =
        form.map_err(|why| Error::invalid("currency", why.body_text()))?;
    if currency.parse::<Currency>().is_err() {
        return Err(Error::invalid("currency", "USD or BDT"));
    }
    let cookie = format!("currency={currency}; Path=/; Max-Age=31536000; SameSite=Lax");
    let headers = [
        (SET_COOKIE, HeaderValue::try_from(cookie).map_err(Error::internal)?),
        (LOCATION, HeaderValue::try_from(own_address(&back)).map_err(Error::internal)?),
    ];
    Ok((StatusCode::SEE_OTHER, headers, Body::empty()).into_response())
}

/// An address of this shop, whatever was asked for: nobody is sent elsewhere from here.
fn own_address(asked: &str) -> &str {
    let local = asked.starts_with('/') && !asked.starts_with("//") && !asked.contains('\\');
    if local && asked.bytes().all(|byte| byte.is_ascii_graphic()) { asked } else { "/" }
}

/// The form in which a page is wanted: for a reader, or as data for client navigation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Document,
    Data,
}

impl View {
    fn wanted(headers: &HeaderMap) -> Self {
        let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or("");
        if accept.contains(JSON) && !accept.contains("text/html") {
            Self::Data
        } else {
            Self::Document
        }
    }
}

fn currency_of(headers: &HeaderMap) -> Currency {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';'));
    let chosen = pairs.find_map(|pair| pair.trim().strip_prefix("currency=")?.parse().ok());
    chosen.unwrap_or_default()
}

/// Everything that is not the API: a page, a file of the storefront, or the page that says there is
/// neither.
async fn page_or_file(State(app): State<App>, request: Request) -> Response {
    let (path, query) = (request.uri().path(), request.uri().query().unwrap_or(""));
    let headers = request.headers();
    if let Some(route) = Route::parse(path, query) {
        return app.page(Some(route), headers).await;
    }
    if let Some(mut file) =
        path.strip_prefix('/').and_then(|path| app.assets.respond(path, headers))
    {
        file.extensions_mut().insert(Counted("file"));
        return file;
    }
    if is_api(path) {
        return Error::NotFound("address").into_response();
    }
    app.page(None, headers).await
}

fn is_api(path: &str) -> bool {
    path.starts_with("/api/") || path == "/api"
}

impl App {
    pub fn route_name(&self, path: &str) -> &'static str {
        self.route_names.iter().find(|name| **name == path).copied().unwrap_or("service")
    }

    /// Answers a page from the cache, making it when it is not there; without a route, the one page
    /// for all addresses that lead nowhere.
    async fn page(&self, route: Option<Route>, headers: &HeaderMap) -> Response {
        let (form, currency) = (View::wanted(headers), currency_of(headers));
        let kept = match self.kept(route, form, currency).await {
            Err(Error::NotFound(_)) => self.kept(None, form, currency).await,
            kept => kept,
        };
        match kept {
            Ok(kept) => {
                let mut response = kept.respond(headers);
                response.extensions_mut().insert(Counted("page"));
                // The page may have been kept for hours; its countdowns go by this.
                let now = format!("now;dur={}", self.clock.now().0);
                if let Ok(now) = HeaderValue::try_from(now) {
                    response.headers_mut().insert(HeaderName::from_static("server-timing"), now);
                }
                response
            }
            Err(why) => {
                let asked = Asked { path: String::new(), headers: headers.clone() };
                self.error(&asked, why).await
            }
        }
    }

    async fn kept(
        &self,
        route: Option<Route>,
        form: View,
        currency: Currency,
    ) -> Result<Arc<Kept>> {
        let url = route.as_ref().map(Route::to_string).unwrap_or_default();
        let key = match form {
            View::Document => format!("{currency:?} {url}"),
            View::Data => format!("{currency:?} data {url}"),
        };
        let app = self.clone();
        self.cache.get(&key, async move || app.make(route, url, form, currency).await).await
    }

    async fn make(
        &self,
        route: Option<Route>,
        url: String,
        form: View,
        currency: Currency,
    ) -> Result<Fresh> {
        let Loaded { content, mut shows, mut until } = match &route {
            Some(route) => self.pages.load(route).await?,
            None => {
                Loaded { content: Content::NotFound(NotFoundProps {}), shows: vec![], until: None }
            }
        };
        shows.push(shop::catalog::whole());
        let status = if route.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
        let shop = self.pages.shop(currency).await?;
        let (name, title) = (content.name(), shop.name.clone());
        let json = self.data(content, url, shop)?;
        let (content_type, body) = match form {
            View::Data => (JSON, json.as_bytes().to_vec()),
            View::Document => {
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
        Ok(Fresh { status, content_type, body, headers: vec![], shows, until })
    }

    fn data(&self, content: Content, url: String, shop: Shop) -> Result<String> {
        let (origin, build) = (self.origin.clone(), self.assets.build.clone());
        Ok(serde_json::to_string(&Page { content, url, origin, build, shop })?)
    }

    /// An error in the form that the request wants: the API's JSON, or a page that the browser
    /// renders, so that it needs neither the database nor a render thread.
    pub async fn error(&self, asked: &Asked, why: Error) -> Response {
        let form = View::wanted(&asked.headers);
        if is_api(&asked.path) {
            return why.into_response();
        }
        why.log();
        let status = why.status();
        let title = if status.is_server_error() {
            "Unexpected Application Error!".into()
        } else {
            why.message()
        };
        let content = Content::Error(ErrorProps {
            status: status.as_u16(),
            title: title.clone(),
            message: why.message(),
            request_id: request_id().unwrap_or_default(),
        });
        let shop = self.pages.shop_without_categories(currency_of(&asked.headers));
        let Ok(json) = self.data(content, String::new(), shop) else { return why.into_response() };
        let no_store =
            (HeaderName::from_static("cache-control"), HeaderValue::from_static("no-store"));
        match form {
            View::Data => (status, [no_store, content_type(JSON)], json).into_response(),
            View::Document => {
                let html = document(&self.assets, "error", &title, &json, None);
                (status, [no_store, content_type(HTML)], html).into_response()
            }
        }
    }
}

fn content_type(value: &'static str) -> (HeaderName, HeaderValue) {
    (axum::http::header::CONTENT_TYPE, HeaderValue::from_static(value))
}

//! Renders pages: from the page cache, or with data from the page loaders and server-side rendering; an error
//! page where both fail. By content negotiation the same URL returns an HTML document or, for client-side
//! navigation, its JSON data.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http_server::{
    AllowedHosts, Application, HttpService, KnownRequests, MAX_BODY_BYTES, Negotiated, PageFormat,
    ResponseFuture, RouteLabel, ServiceSettings, set_server_time,
};
use media::MAX_PICTURE_BYTES;
use platform::error::{RequestId, Result};
use platform::{Error, Random};
use response_cache::{CacheEntry, NewCacheEntry};
use shop::catalog;
use tower::ServiceExt;

use crate::app::App;
use crate::document::document;
use crate::pages::Loaded;
use crate::props::{ErrorProps, NoProps, PageName, PageProps, PageResponse, Shop};
use crate::route::Route;

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";
/// How long a page without server-side markup is cached.
const FALLBACK_MAX_AGE: Duration = Duration::from_secs(5);

/// The only path that accepts a file upload; it requires a token.
const PHOTO_PATH: &str = "/api/account/photo";

/// The whole shop: pages and the router.
struct Storefront {
    app: Arc<App>,
    routes: Router,
}

/// The HTTP service of the whole shop.
pub fn storefront_service(
    app: Arc<App>,
    routes: Router,
    hosts: Option<AllowedHosts>,
    random: &Random,
) -> HttpService {
    let settings = ServiceSettings {
        policy: app.policy.clone(),
        over_tls: app.over_tls,
        metrics: app.metrics.requests.clone(),
        known_requests: Some(KnownRequests::new(app.cache.clone(), app.context.clock.clone())),
        hosts,
    };
    HttpService::new(Storefront { app, routes }, settings, random)
}

impl Application for Storefront {
    /// Pages skip the router: most requests are for pages.
    fn respond(&self, request: Request) -> ResponseFuture<'_> {
        let address = request.uri();
        if matches!(*request.method(), Method::GET | Method::HEAD)
            && let Some(route) = Route::parse(address.path(), address.query().unwrap_or(""))
        {
            return Box::pin(async move { self.app.page(Some(route), request.headers()).await });
        }
        Box::pin(self.routes.clone().oneshot(request).map(|Ok(response)| response))
    }

    fn error(&self, url: &Uri, negotiated: Negotiated, why: Error) -> Response {
        self.app.error(url, negotiated, why)
    }

    fn max_body_bytes(&self, path: &str) -> usize {
        if path == PHOTO_PATH { MAX_PICTURE_BYTES } else { MAX_BODY_BYTES }
    }
}

/// The fallback of the router: a static file, or the page "not found".
pub async fn file(State(app): State<Arc<App>>, request: Request) -> Response {
    let (path, headers) = (request.uri().path(), request.headers());
    let file = path.strip_prefix('/').and_then(|path| app.assets.respond(path, headers));
    match file {
        Some(mut file) => {
            file.extensions_mut().insert(RouteLabel("file"));
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
    /// Responds with a page; without a route, with the page "not found".
    pub async fn page(self: &Arc<Self>, route: Option<Route>, headers: &HeaderMap) -> Response {
        let variant = Negotiated::from_headers(headers);
        let (page, url) = match &route {
            Some(route) => (route.page, route.url.clone()),
            None => (PageName::NotFound, String::new()),
        };
        let entry = match self.cached_page(route, &url, variant).await {
            Err(Error::NotFound(_)) => self.cached_page(None, "", variant).await,
            entry => entry,
        };
        let mut response = match entry {
            Ok(entry) => entry.respond(headers),
            Err(why) => self.error_page(&url, variant, why),
        };
        response.extensions_mut().insert(RouteLabel(page.into()));
        set_server_time(&mut response, &self.context.clock);
        response
    }

    async fn cached_page(
        self: &Arc<Self>,
        route: Option<Route>,
        url: &str,
        variant: Negotiated,
    ) -> Result<Arc<CacheEntry>> {
        let key = variant.cache_key(url);
        let (app, url) = (self.clone(), url.to_owned());
        self.cache.get(&key, async move || app.render_page(route, url, variant).await).await
    }

    async fn render_page(
        &self,
        route: Option<Route>,
        url: String,
        variant: Negotiated,
    ) -> Result<NewCacheEntry> {
        let Loaded { props, mut depends_on, mut expires_at } = match route {
            Some(route) => route.load(&self.pages).await?,
            None => Loaded::constant(PageProps::NotFound(NoProps {})),
        };
        // The header names the categories on every page.
        depends_on.push(catalog::categories_tag());
        let page = PageName::from(&props);
        let not_found = page == PageName::NotFound;
        let status = if not_found { StatusCode::NOT_FOUND } else { StatusCode::OK };
        let shop = self.pages.shop(variant.currency, self.pages.categories().await?);
        let (name, title) = (page.into(), shop.name.clone());
        let json = self.page_json(props, url, shop)?;
        let (content_type, body) = match variant.format {
            PageFormat::Json => (JSON, json.into_bytes()),
            PageFormat::Html => {
                let json: Arc<str> = json.into();
                let markup = self.renderer.render(name, json.clone()).await.ok();
                if markup.is_none() {
                    let retry = self.context.clock.now().plus(FALLBACK_MAX_AGE);
                    expires_at = Some(expires_at.map_or(retry, |expires_at| expires_at.min(retry)));
                }
                let html = document(&self.assets, name, &title, &json, markup.as_ref());
                (HTML, html.into_bytes())
            }
        };
        // These URLs contain secret tokens, which must not leak in the Referer header.
        let headers = match page {
            PageName::AuthAction
            | PageName::Newsletter
            | PageName::BackInStock
            | PageName::SharedWishlist => {
                vec![(REFERRER_POLICY, HeaderValue::from_static("no-referrer"))]
            }
            PageName::Contact => vec![(CONTENT_SECURITY_POLICY, self.policy_with_map.clone())],
            _ => vec![],
        };
        Ok(NewCacheEntry { status, content_type, body, headers, depends_on, expires_at })
    }

    fn page_json(&self, props: PageProps, url: String, shop: Shop) -> Result<String> {
        let (origin, build) = (self.context.origin.to_string(), self.assets.build.clone());
        Ok(serde_json::to_string(&PageResponse { props, url, origin, build, shop })?)
    }

    /// An error as JSON for the API, otherwise as a page.
    pub fn error(&self, address: &Uri, variant: Negotiated, why: Error) -> Response {
        if is_api(address.path()) {
            return why.into_response();
        }
        let url = address.path_and_query().map_or("", |address| address.as_str());
        self.error_page(url, variant, why)
    }

    /// An error page. The browser renders it, so that it needs neither the database nor a render thread.
    fn error_page(&self, url: &str, variant: Negotiated, why: Error) -> Response {
        why.log();
        let status = why.status();
        let title = match status.is_server_error() {
            true => "Unexpected Application Error!".to_owned(),
            false => why.message(),
        };
        let props = PageProps::Error(ErrorProps {
            status: status.as_u16(),
            title: title.clone(),
            message: why.message(),
            request_id: RequestId::current().map(|id| id.to_string()).unwrap_or_default(),
        });
        let shop = self.pages.shop(variant.currency, Arc::default());
        let Ok(json) = self.page_json(props, url.to_owned(), shop) else {
            return why.into_response();
        };
        let (content_type, body) = match variant.format {
            PageFormat::Json => (JSON, json),
            PageFormat::Html => (HTML, document(&self.assets, "error", &title, &json, None)),
        };
        let headers = [(CACHE_CONTROL, "no-store"), (CONTENT_TYPE, content_type)];
        (status, headers, body).into_response()
    }
}

//! Renders pages: from the page cache, or with data from the page loaders and server-side rendering; an error
//! page where both fail. By content negotiation the same URL returns an HTML document or, for client-side
//! navigation, its JSON data.

use std::fmt::Display;
use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::FutureExt;
use http_server::{
    AllowedHosts, Application, HttpService, KnownRequests, MAX_BODY_BYTES, Negotiated, PageFormat,
    ResponseFuture, RouteLabel, ServiceSettings, set_server_time,
};
use media::MAX_PICTURE_BYTES;
use messages::Messages;
use messages::format::amount;
use platform::error::{ErrorParams, RequestId, Result};
use platform::{Error, Language, Random};
use response_cache::{CacheEntry, NewCacheEntry};
use shop::catalog;
use tower::ServiceExt;

use crate::app::App;
use crate::document::{Document, document};
use crate::forms::is_local;
use crate::pages::Loaded;
use crate::props::{ErrorProps, NoProps, PageName, PageProps, PageResponse, Shop};
use crate::route::Route;
use crate::routes::{is_api, localized_router};
use crate::ssr::Markup;

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";
/// How long a page without server-side markup is cached.
const FALLBACK_MAX_AGE: Duration = Duration::from_secs(5);

/// The only path that accepts a file upload; it requires a token.
const PHOTO_PATH: &str = "/api/account/photo";

/// The whole shop: pages and the routers.
struct Storefront {
    app: Arc<App>,
    routes: Router,
    /// What there is in each language, without the prefix of the language.
    localized: Router,
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
        languages: app.context.languages.clone(),
        currencies: app.context.currencies.clone(),
        metrics: app.metrics.requests.clone(),
        known_requests: Some(KnownRequests::new(app.cache.clone(), app.context.clock.clone())),
        hosts,
    };
    let localized = localized_router(&app);
    HttpService::new(Storefront { app, routes, localized }, settings, random)
}

impl Application for Storefront {
    /// Pages skip the router: most requests are for pages.
    fn respond(&self, mut request: Request) -> ResponseFuture<'_> {
        let (address, languages) = (request.uri(), &self.app.context.languages);
        let (prefix, path) = languages.split_path(address.path());
        if prefix == Some(languages.default_language()) {
            return Box::pin(ready(self.redirect_to_unprefixed(request)));
        }
        if matches!(*request.method(), Method::GET | Method::HEAD)
            && let Some(route) = Route::parse(path, address.query().unwrap_or(""))
        {
            // Not that of an API call: `/api/docs` is a page.
            let language = prefix.unwrap_or(languages.default_language());
            let variant = Negotiated { language, ..negotiated(&request) };
            return Box::pin(async move {
                self.app.page(Some(route), variant, request.headers()).await
            });
        }
        let router = if prefix.is_some() { &self.localized } else { &self.routes };
        if prefix.is_some() {
            *request.uri_mut() = self.app.without_prefix(address);
        }
        Box::pin(router.clone().oneshot(request).map(|Ok(response)| response))
    }

    fn error(&self, url: &Uri, negotiated: Negotiated, why: Error) -> Response {
        self.app.error(url, negotiated, why)
    }

    fn max_body_bytes(&self, path: &str) -> usize {
        if path == PHOTO_PATH { MAX_PICTURE_BYTES } else { MAX_BODY_BYTES }
    }
}

fn negotiated(request: &Request) -> Negotiated {
    request.extensions().get().copied().unwrap_or_default()
}

impl Storefront {
    /// The default language has one address only.
    fn redirect_to_unprefixed(&self, request: Request) -> Response {
        let address = self.app.without_prefix(request.uri()).to_string();
        match is_local(&address) {
            true => Redirect::permanent(&address).into_response(),
            false => self.error(request.uri(), negotiated(&request), Error::NotFound("address")),
        }
    }
}

/// The sentence of an error, as the browser makes it.
fn sentence(language: Language, (code, params): (&str, &ErrorParams)) -> Option<String> {
    let shown: Vec<(&str, String)> =
        params.iter().map(|(name, value)| (*name, amount(language, value))).collect();
    let args: Vec<(&str, &dyn Display)> =
        shown.iter().map(|(name, value)| (*name, value as &dyn Display)).collect();
    Messages::find(language, &format!("errors.{}", camel_case(code)), &args)
}

fn camel_case(snake_case: &str) -> String {
    let mut words = snake_case.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| text + &word[..1].to_ascii_uppercase() + &word[1..])
}

impl App {
    /// Responds with a page; without a route, with the page "not found".
    pub async fn page(
        self: &Arc<Self>,
        route: Option<Route>,
        variant: Negotiated,
        headers: &HeaderMap,
    ) -> Response {
        let route = match route {
            Some(route) => match route.resolve(self.pages_in(variant.language)).await {
                Ok(route) => Some(route),
                Err(why) => return self.error_page("", variant, why),
            },
            None => None,
        };
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
        let pages = self.pages_of(variant);
        let Loaded { props, mut depends_on, mut expires_at } = match route {
            Some(route) => route.load(&pages).await?,
            None => Loaded::constant(PageProps::NotFound(NoProps {})),
        };
        // The header names the categories on every page.
        depends_on.push(catalog::categories_tag());
        let page = PageName::from(&props);
        let not_found = page == PageName::NotFound;
        let status = if not_found { StatusCode::NOT_FOUND } else { StatusCode::OK };
        let shop = pages.shop(pages.categories().await?);
        let (name, title) = (page.into(), shop.name.clone());
        let json = self.page_json(props, url, shop, variant.language)?;
        let (content_type, body) = match variant.format {
            PageFormat::Json => (JSON, json.into_bytes()),
            PageFormat::Html => {
                let json: Arc<str> = json.into();
                let markup = self.renderer.render(name, json.clone()).await.ok();
                if markup.is_none() {
                    let retry = self.context.clock.now().plus(FALLBACK_MAX_AGE);
                    expires_at = Some(expires_at.map_or(retry, |expires_at| expires_at.min(retry)));
                }
                let html = self.document(variant.language, name, &title, &json, markup.as_ref());
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
            PageName::Pay => vec![
                // It changes with the payment, and its address is a secret.
                (CACHE_CONTROL, HeaderValue::from_static("no-store")),
                (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
                (CONTENT_SECURITY_POLICY, self.policy_with_payment.clone()),
            ],
            PageName::Contact => vec![(CONTENT_SECURITY_POLICY, self.policy_with_map.clone())],
            _ => vec![],
        };
        Ok(NewCacheEntry { status, content_type, body, headers, depends_on, expires_at })
    }

    fn page_json(
        &self,
        props: PageProps,
        url: String,
        shop: Shop,
        language: Language,
    ) -> Result<String> {
        let (origin, build) = (self.context.origin.to_string(), self.assets.build.clone());
        Ok(serde_json::to_string(&PageResponse { props, url, language, origin, build, shop })?)
    }

    fn document(
        &self,
        language: Language,
        page: &str,
        title: &str,
        json: &str,
        markup: Option<&Markup>,
    ) -> String {
        let languages = &self.context.languages;
        document(&self.assets, &Document { language, languages, page, title, json, markup })
    }

    /// An address without the prefix of its language.
    fn without_prefix(&self, address: &Uri) -> Uri {
        let (_, path) = self.context.languages.split_path(address.path());
        let query = address.query().map_or_else(String::new, |query| format!("?{query}"));
        format!("{path}{query}").parse().unwrap_or_default()
    }

    /// An error as JSON for the API, otherwise as a page.
    pub fn error(&self, address: &Uri, variant: Negotiated, why: Error) -> Response {
        if is_api(address.path()) {
            return why.into_response();
        }
        let url = self.without_prefix(address).to_string();
        self.error_page(&url, variant, why)
    }

    /// An error page. The browser renders it, so that it needs neither the database nor a render thread.
    fn error_page(&self, url: &str, variant: Negotiated, why: Error) -> Response {
        why.log();
        let status = why.status();
        let (code, params) = why.reason();
        let title = match status.is_server_error() {
            true => Messages::text(variant.language, "server.applicationError", &[]),
            false => {
                let sentence = sentence(variant.language, (code, &params));
                sentence.unwrap_or_else(|| why.message())
            }
        };
        let props = PageProps::Error(ErrorProps {
            status: status.as_u16(),
            code,
            params,
            title: title.clone(),
            message: why.message(),
            request_id: RequestId::current().map(|id| id.to_string()).unwrap_or_default(),
        });
        let shop = self.pages_of(variant).shop(Arc::default());
        let Ok(json) = self.page_json(props, url.to_owned(), shop, variant.language) else {
            return why.into_response();
        };
        let (content_type, body) = match variant.format {
            PageFormat::Json => (JSON, json),
            PageFormat::Html => {
                (HTML, self.document(variant.language, "error", &title, &json, None))
            }
        };
        let headers = [(CACHE_CONTROL, "no-store"), (CONTENT_TYPE, content_type)];
        (status, headers, body).into_response()
    }
}

//! Middleware around every request: request id, limits, timeout, security headers, logging, metrics and
//! catching of panics.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, EXPECT, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::{FutureExt, StreamExt};
use http_body_util::Limited;
use hyper::body::Body as _;
use platform::error::{REQUEST_ID, RequestId};
use platform::{Currencies, Error, Exchange, Languages, Random};
use tower::ServiceExt;

use crate::known_requests::KnownRequests;
use crate::{AllowedHosts, Negotiated, RequestMetrics, RouteLabel};

const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
const SLOW_REQUEST: Duration = Duration::from_secs(1);
const MAX_HEADER_BYTES: usize = 32 << 10;
pub const MAX_BODY_BYTES: usize = 1 << 20;
const MAX_URL_BYTES: usize = 8 << 10;

pub type ResponseFuture<'a> = Pin<Box<dyn Future<Output = Response> + Send + 'a>>;

/// What the middleware surrounds.
pub trait Application: Send + Sync + 'static {
    fn respond(&self, request: Request) -> ResponseFuture<'_>;

    /// The response to a request that the middleware refused or that failed.
    fn error(&self, _url: &Uri, _negotiated: Negotiated, why: Error) -> Response {
        why.into_response()
    }

    fn max_body_bytes(&self, _path: &str) -> usize {
        MAX_BODY_BYTES
    }
}

/// An application without pages.
impl Application for Router {
    fn respond(&self, request: Request) -> ResponseFuture<'_> {
        let response = self.clone().oneshot(request);
        Box::pin(response.map(|Ok(response)| response))
    }
}

/// An application with its middleware. Cheap to clone.
#[derive(Clone)]
pub struct HttpService(Arc<HttpServiceInner>);

struct HttpServiceInner {
    app: Box<dyn Application>,
    request_ids: RequestIds,
    settings: ServiceSettings,
}

pub struct ServiceSettings {
    /// The content security policy of responses without their own.
    pub policy: HeaderValue,
    pub over_tls: bool,
    pub languages: Languages,
    pub currencies: Currencies,
    /// Serve only these hosts.
    pub hosts: Option<AllowedHosts>,
    pub known_requests: Option<KnownRequests>,
    pub metrics: RequestMetrics,
}

/// For an application without pages.
impl Default for ServiceSettings {
    fn default() -> Self {
        Self {
            policy: HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
            over_tls: false,
            languages: Languages::default(),
            currencies: Currencies::default(),
            hosts: None,
            known_requests: None,
            metrics: RequestMetrics::default(),
        }
    }
}

impl HttpService {
    pub fn new(app: impl Application, settings: ServiceSettings, random: &Random) -> Self {
        let (app, request_ids) = (Box::new(app), RequestIds::new(random));
        Self(Arc::new(HttpServiceInner { app, request_ids, settings }))
    }

    pub async fn handle(self, request: Request) -> Response {
        self.0.handle(request).await
    }
}

impl HttpServiceInner {
    async fn handle(&self, request: Request) -> Response {
        let began = Instant::now();
        let id = self.request_ids.next();
        let to = self.settings.currencies.of_request(request.uri(), request.headers());
        let shown = to.as_ref().copied().unwrap_or(self.settings.currencies.in_base());
        let summary = RequestSummary::new(&request, &self.settings.languages, shown);
        let mut response = match self.check_head(&request).and(to) {
            Ok(_) => self.respond(id, &summary, request).await,
            Err(why) => REQUEST_ID.sync_scope(id, || self.error(&summary, why)),
        };
        let (status, duration) = (response.status().as_u16(), began.elapsed());
        let route = response.extensions().get::<RouteLabel>().map_or("other", |label| label.0);
        self.settings.metrics.record(route, status, duration);
        summary.log(id, status, duration);
        summary.prevent_caching(&mut response);
        let headers = response.headers_mut();
        set_security_headers(headers, &self.settings.policy, self.settings.over_tls);
        headers.insert(X_REQUEST_ID, id.header());
        response
    }

    async fn respond(&self, id: RequestId, summary: &RequestSummary, request: Request) -> Response {
        let known = self.settings.known_requests.as_ref().filter(|_| summary.is_plain_get());
        let key = known.map(|_| summary.negotiated.cache_key(summary.path_and_query()));
        if let Some((known, key)) = known.zip(key.as_deref())
            && let Some(response) = known.respond(key, request.headers())
        {
            return response;
        }
        let response = Box::pin(REQUEST_ID.scope(id, self.run(summary, request))).await;
        if let Some((known, key)) = known.zip(key) {
            known.remember(key, &response);
        }
        response
    }

    /// Runs the application within the time limit.
    async fn run(&self, summary: &RequestSummary, request: Request) -> Response {
        let work = async {
            let mut request = limit_body(request, &*self.app).await?;
            let extensions = request.extensions_mut();
            extensions.insert(summary.negotiated);
            extensions.insert(summary.negotiated.language);
            extensions.insert(summary.exchange);
            Ok(self.app.respond(request).await)
        };
        let work = AssertUnwindSafe(work).catch_unwind();
        match tokio::time::timeout(REQUEST_TIMEOUT, work).await {
            Ok(Ok(Ok(response))) => response,
            Ok(Ok(Err(refused))) => self.error(summary, refused),
            Ok(Err(_)) => {
                self.settings.metrics.record_panic();
                self.error(summary, Error::internal("a panic, logged above"))
            }
            Err(_) => self.error(summary, summary.timeout_error()),
        }
    }

    fn error(&self, summary: &RequestSummary, why: Error) -> Response {
        self.app.error(&summary.address, summary.negotiated, why)
    }

    /// Refuses requests for other hosts, and requests that are too large, before anything reads them.
    fn check_head(&self, request: &Request) -> Result<(), Error> {
        if let Some(hosts) = &self.settings.hosts {
            hosts.check(request.headers())?;
        }
        let refused =
            |status, code, message: &'static str| Err(Error::refused(status, code, message));
        let address = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
        if address > MAX_URL_BYTES {
            return refused(StatusCode::URI_TOO_LONG, "uri_too_long", "The address is too long.");
        }
        let headers = request.headers().iter();
        if headers.map(|(name, value)| name.as_str().len() + value.len()).sum::<usize>()
            > MAX_HEADER_BYTES
        {
            let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
            return refused(status, "headers_too_large", "The headers are too large.");
        }
        Ok(())
    }
}

/// Refuses a body that is too large.
async fn limit_body(request: Request, app: &dyn Application) -> Result<Request, Error> {
    let most = app.max_body_bytes(request.uri().path());
    let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    if length.and_then(|length| length.parse::<usize>().ok()).is_some_and(|length| length > most) {
        // With `Expect: 100-continue` the client has not sent the body yet.
        if !request.headers().contains_key(EXPECT) {
            drain_body(request.into_body()).await;
        }
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        let most = most >> 20;
        let message = format!("At most {most} MiB can be sent.");
        return Err(Error::refused(status, "too_large", message).with("most", most));
    }
    // A body without Content-Length is cut off at the limit.
    let limit = |body| Body::new(Limited::new(body, most));
    Ok(request.map(limit))
}

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Generates request ids that do not repeat between runs and cannot be guessed from one another.
struct RequestIds {
    key: [u64; 2],
    count: AtomicU64,
}

impl RequestIds {
    fn new(random: &Random) -> Self {
        let key = [u64::from_le_bytes(random.bytes()), u64::from_le_bytes(random.bytes())];
        Self { key, count: AtomicU64::new(0) }
    }

    fn next(&self) -> RequestId {
        let mut bits = self.count.fetch_add(1, Ordering::Relaxed) ^ self.key[0];
        // A keyed mix of a counter: cheaper than system randomness for every request.
        for _ in 0..2 {
            bits = (bits ^ (bits >> 31)).wrapping_mul(0x7fb5_d329_728e_a185) ^ self.key[1];
        }
        RequestId(bits)
    }
}

/// What the log and an error response need of a request after it is consumed.
struct RequestSummary {
    has_body: bool,
    has_token: bool,
    method: Method,
    address: Uri,
    negotiated: Negotiated,
    exchange: Exchange,
}

impl RequestSummary {
    fn new(request: &Request, languages: &Languages, exchange: Exchange) -> Self {
        Self {
            has_body: !request.body().is_end_stream(),
            has_token: request.headers().contains_key(AUTHORIZATION),
            method: request.method().clone(),
            address: request.uri().clone(),
            negotiated: Negotiated::new(
                request.uri(),
                request.headers(),
                languages,
                exchange.currency,
            ),
            exchange,
        }
    }

    fn path_and_query(&self) -> &str {
        self.address.path_and_query().map_or("/", |address| address.as_str())
    }

    /// Without a token and a body: the response depends on the URL and what was negotiated.
    fn is_plain_get(&self) -> bool {
        self.method == Method::GET && !self.has_token && !self.has_body
    }

    /// Responses to requests with a token, and to writes to the API, are personal, also when refused.
    fn prevent_caching(&self, response: &mut Response) {
        let reads = matches!(self.method, Method::GET | Method::HEAD);
        let api_write = !reads && self.address.path().starts_with("/api/");
        if self.has_token || api_write || response.status() == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
    }

    /// The error of a timeout. With a body, most often the request itself did not arrive in time.
    fn timeout_error(&self) -> Error {
        if self.has_body {
            let (status, code) = (StatusCode::REQUEST_TIMEOUT, "too_slow");
            return Error::refused(status, code, "The request took too long to arrive.");
        }
        Error::Unavailable(format!("not answered within {} s", REQUEST_TIMEOUT.as_secs()).into())
    }

    fn log(&self, request: RequestId, status: u16, duration: Duration) {
        let (method, ms) = (&self.method, duration.as_secs_f64() * 1000.0);
        // Lazy: most responses are not logged.
        let path = || redact_path(self.address.path());
        if is_server_fault(status) {
            tracing::error!(%request, %method, path = path(), status, ms, "response");
        } else if status >= 400 || duration > SLOW_REQUEST {
            tracing::info!(%request, %method, path = path(), status, ms, "response");
        } else {
            tracing::debug!(%request, %method, path = path(), status, ms, "response");
        }
    }
}

/// 501 is no fault: those calls are not implemented on purpose.
fn is_server_fault(status: u16) -> bool {
    status >= 500 && status != StatusCode::NOT_IMPLEMENTED.as_u16()
}

/// A path without e-mail addresses and without the secret token of a shared wishlist, for the log.
fn redact_path(path: &str) -> String {
    if let Some((prefix, _)) = path.split_once("/wishlist/") {
        return format!("{prefix}/wishlist/…");
    }
    let is_email = |part: &str| part.contains('@') || part.to_ascii_lowercase().contains("%40");
    let parts = path.split('/').map(|part| if is_email(part) { "…" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// Reads the body for a while, because a browser that is still sending does not read the response.
async fn drain_body(body: Body) {
    let mut left = 64 << 20;
    let read = async {
        let mut stream = body.into_data_stream();
        while let Some(Ok(chunk)) = stream.next().await {
            left -= chunk.len() as i64;
            if left < 0 {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(Duration::from_secs(5), read).await;
}

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
/// Neither the shop's pages nor embedded ones use these.
const NO_SENSORS: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

fn set_security_headers(headers: &mut HeaderMap, policy: &HeaderValue, over_tls: bool) {
    headers.entry(CONTENT_SECURITY_POLICY).or_insert_with(|| policy.clone());
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(PERMISSIONS_POLICY, HeaderValue::from_static(NO_SENSORS));
    let same_origin = || HeaderValue::from_static("same-origin");
    headers.entry(CROSS_ORIGIN_RESOURCE_POLICY).or_insert_with(same_origin);
    let referrer = || HeaderValue::from_static("strict-origin-when-cross-origin");
    headers.entry(REFERRER_POLICY).or_insert_with(referrer);
    // The sign-in popup sets its own, to keep its opener.
    let opener = || HeaderValue::from_static("same-origin-allow-popups");
    let name = HeaderName::from_static("cross-origin-opener-policy");
    headers.entry(name).or_insert_with(opener);
    if over_tls {
        headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
}

#[cfg(test)]
mod tests {
    use super::{is_server_fault, redact_path};

    #[test]
    fn only_5xx_except_501_are_server_faults() {
        assert!(is_server_fault(500) && is_server_fault(503));
        assert!(!is_server_fault(501) && !is_server_fault(404));
    }

    #[test]
    fn logged_paths_have_no_personal_data() {
        assert_eq!(redact_path("/api/user/mina@haat.example"), "/api/user/…");
        assert_eq!(redact_path("/api/user/mina%40haat.example/x"), "/api/user/…/x");
        assert_eq!(redact_path("/wishlist/mJ4kq0Vt7a"), "/wishlist/…");
        assert_eq!(redact_path("/bn/wishlist/mJ4kq0Vt7a"), "/bn/wishlist/…");
        for path in ["/", "/product/oak-lamp", "/category/audio/", "/wishlist"] {
            assert_eq!(redact_path(path), path);
        }
    }
}

//! What stands around every request: its id, its limits, its time, the headers that keep a browser
//! safe, and the catching of panics.

use std::panic::AssertUnwindSafe;
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
use base::error::{REQUEST_ID, RequestId};
use base::{Error, Random};
use futures_util::{FutureExt, StreamExt};
use http_body_util::Limited;
use hyper::body::Body as _;
use media::MOST_BYTES;
use tower::ServiceExt;

use crate::app::App;
use crate::host::Hosts;
use crate::route::Route;
use crate::storefront::Wish;

const LONGEST: Duration = Duration::from_secs(30);
const SLOW: Duration = Duration::from_secs(1);
const MOST_HEADER_BYTES: usize = 32 << 10;
pub const MOST_BODY_BYTES: usize = 1 << 20;
/// The one address that takes a file, for the callers that it knows.
const PHOTO: &str = "/api/account/photo";
const LONGEST_ADDRESS: usize = 8 << 10;

/// Put into a response to say under which name it is counted.
#[derive(Clone, Copy)]
pub struct Counted(pub &'static str);

/// The one way into the program.
#[derive(Clone)]
pub struct Door {
    app: App,
    routes: Router,
    hosts: Option<Hosts>,
}

impl Door {
    pub fn new(app: App, routes: Router) -> Self {
        Self { app, routes, hosts: None }
    }

    /// Under these names alone.
    pub fn under(self, hosts: Option<Hosts>) -> Self {
        Self { hosts, ..self }
    }

    /// Answers a request, whatever happens.
    pub async fn answer(self, request: Request) -> Response {
        let app = &self.app;
        let began = Instant::now();
        let id = app.request_ids.next();
        let asked = Asked::of(&request);

        let answer = REQUEST_ID.scope(id, async {
            let work = async {
                check_host(self.hosts.as_ref(), &request)?;
                Ok(self.route(within_limits(request).await?).await)
            };
            let work = AssertUnwindSafe(work).catch_unwind();
            match tokio::time::timeout(LONGEST, work).await {
                Ok(Ok(Ok(response))) => response,
                Ok(Ok(Err(refused))) => app.error(&asked.address, asked.wish, refused),
                Ok(Err(_)) => {
                    app.metrics.panicked();
                    app.error(&asked.address, asked.wish, Error::internal("a panic, logged above"))
                }
                Err(_) => app.error(&asked.address, asked.wish, asked.late()),
            }
        });
        let mut response = answer.await;

        let (status, took) = (response.status().as_u16(), began.elapsed());
        let counted = response.extensions().get::<Counted>().map_or("other", |counted| counted.0);
        app.metrics.answered(counted, status, took);
        asked.log(id, status, took);
        asked.keep_out_of_caches(&mut response);
        let headers = response.headers_mut();
        protect(headers, &app.policy, app.over_tls);
        headers.insert(X_REQUEST_ID, id.header());
        response
    }

    /// Pages come first and straight: they are what most requests are for.
    async fn route(&self, request: Request) -> Response {
        let address = request.uri();
        if matches!(*request.method(), Method::GET | Method::HEAD)
            && let Some(route) = Route::parse(address.path(), address.query().unwrap_or(""))
        {
            return self.app.page(Some(route), request.headers()).await;
        }
        let Ok(response) = self.routes.clone().oneshot(request).await;
        response
    }
}

/// The way into a program without pages: the same limits and headers, and errors for programs.
#[derive(Clone)]
pub struct PlainDoor {
    routes: Router,
    request_ids: Arc<RequestIds>,
    over_tls: bool,
    hosts: Option<Hosts>,
}

impl PlainDoor {
    pub fn new(routes: Router, random: &Random, over_tls: bool) -> Self {
        Self { routes, request_ids: Arc::new(RequestIds::new(random)), over_tls, hosts: None }
    }

    /// Under these names alone.
    pub fn under(self, hosts: Option<Hosts>) -> Self {
        Self { hosts, ..self }
    }

    pub async fn answer(self, request: Request) -> Response {
        let (began, id, asked) = (Instant::now(), self.request_ids.next(), Asked::of(&request));
        let answer = REQUEST_ID.scope(id, async {
            let work = async {
                check_host(self.hosts.as_ref(), &request)?;
                let Ok(response) = self.routes.clone().oneshot(within_limits(request).await?).await;
                Ok(response)
            };
            let work = AssertUnwindSafe(work).catch_unwind();
            match tokio::time::timeout(LONGEST, work).await {
                Ok(Ok(Ok(response))) => response,
                Ok(Ok(Err(refused))) => Error::into_response(refused),
                Ok(Err(_)) => Error::internal("a panic, logged above").into_response(),
                Err(_) => asked.late().into_response(),
            }
        });
        let mut response = answer.await;
        asked.log(id, response.status().as_u16(), began.elapsed());
        asked.keep_out_of_caches(&mut response);
        let policy = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
        protect(response.headers_mut(), &policy, self.over_tls);
        response.headers_mut().insert(X_REQUEST_ID, id.header());
        response
    }
}

fn check_host(hosts: Option<&Hosts>, request: &Request) -> Result<(), Error> {
    hosts.map_or(Ok(()), |hosts| hosts.check(request.headers()))
}

/// Refuses what is too large before anything reads it.
async fn within_limits(request: Request) -> Result<Request, Error> {
    let refused = |status, code, message: &'static str| {
        Err(Error::Refused { status, code, message: message.into() })
    };
    let most = if request.uri().path() == PHOTO { MOST_BYTES } else { MOST_BODY_BYTES };
    let address = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
    if address > LONGEST_ADDRESS {
        return refused(StatusCode::URI_TOO_LONG, "uri_too_long", "The address is too long.");
    }
    let headers = request.headers().iter();
    if headers.map(|(name, value)| name.as_str().len() + value.len()).sum::<usize>()
        > MOST_HEADER_BYTES
    {
        let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        return refused(status, "headers_too_large", "The headers are too large.");
    }
    let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    if length.and_then(|length| length.parse::<usize>().ok()).is_some_and(|length| length > most) {
        // Whoever asks first whether to send does not need to.
        if !request.headers().contains_key(EXPECT) {
            swallow(request.into_body()).await;
        }
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        let message = format!("At most {} MiB can be sent.", most >> 20).into();
        return Err(Error::Refused { status, code: "too_large", message });
    }
    // What does not say how long it is, is cut off where it gets too long.
    let limit = |body| Body::new(Limited::new(body, most));
    Ok(request.map(limit))
}

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Numbers requests so that no two of this program's runs share a number and none can be guessed
/// from another.
pub struct RequestIds {
    key: [u64; 2],
    count: AtomicU64,
}

impl RequestIds {
    pub fn new(random: &Random) -> Self {
        let key = [u64::from_le_bytes(random.bytes()), u64::from_le_bytes(random.bytes())];
        Self { key, count: AtomicU64::new(0) }
    }

    fn next(&self) -> RequestId {
        let mut bits = self.count.fetch_add(1, Ordering::Relaxed) ^ self.key[0];
        // A keyed mix of the count: cheaper than asking the system for every request.
        for _ in 0..2 {
            bits = (bits ^ (bits >> 31)).wrapping_mul(0x7fb5_d329_728e_a185) ^ self.key[1];
        }
        RequestId(bits)
    }
}

/// What the log and an error answer need to know of a request that is gone by then.
struct Asked {
    /// Whether more was to come after the headers.
    sends: bool,
    /// Whether a token came with it.
    signed: bool,
    method: Method,
    address: Uri,
    wish: Wish,
}

impl Asked {
    fn of(request: &Request) -> Self {
        Self {
            sends: !request.body().is_end_stream(),
            signed: request.headers().contains_key(AUTHORIZATION),
            method: request.method().clone(),
            address: request.uri().clone(),
            wish: Wish::of(request.headers()),
        }
    }

    /// What somebody gets by a token, or by what they sent to the API, is theirs: no cache keeps it, nor
    /// the refusal of it.
    fn keep_out_of_caches(&self, response: &mut Response) {
        let reads = matches!(self.method, Method::GET | Method::HEAD);
        let sent = !reads && self.address.path().starts_with("/api/");
        if self.signed || sent || response.status() == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
    }

    /// Why there was no answer in time: most often because the request itself did not end.
    fn late(&self) -> Error {
        if self.sends {
            let (status, code) = (StatusCode::REQUEST_TIMEOUT, "too_slow");
            return Error::Refused {
                status,
                code,
                message: "The request took too long to arrive.".into(),
            };
        }
        Error::Unavailable(format!("not answered within {} s", LONGEST.as_secs()).into())
    }

    fn log(&self, request: RequestId, status: u16, took: Duration) {
        let (method, ms) = (&self.method, took.as_secs_f64() * 1000.0);
        // Made where it is wanted: most answers are not logged.
        let path = || without_people(self.address.path());
        if is_fault(status) {
            tracing::error!(%request, %method, path = path(), status, ms, "answered");
        } else if status >= 400 || took > SLOW {
            tracing::info!(%request, %method, path = path(), status, ms, "answered");
        } else {
            tracing::debug!(%request, %method, path = path(), status, ms, "answered");
        }
    }
}

/// Whether an answer tells of trouble of ours. What is not implemented on purpose (501) is none.
fn is_fault(status: u16) -> bool {
    status >= 500 && status != StatusCode::NOT_IMPLEMENTED.as_u16()
}

/// A path without the e-mail addresses that stand in some, and without the token of a shared wishlist,
/// which opens it: the log holds nobody's.
fn without_people(path: &str) -> String {
    if path.starts_with("/wishlist/") {
        return "/wishlist/…".into();
    }
    let known = |part: &str| part.contains('@') || part.to_ascii_lowercase().contains("%40");
    let parts = path.split('/').map(|part| if known(part) { "…" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// Reads on for a while, because a browser that is still sending does not read the answer.
async fn swallow(body: Body) {
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
/// No page of the shop's asks for any of these, nor may what is embedded in one.
const NO_SENSORS: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

fn protect(headers: &mut HeaderMap, policy: &HeaderValue, over_tls: bool) {
    headers.entry(CONTENT_SECURITY_POLICY).or_insert_with(|| policy.clone());
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(PERMISSIONS_POLICY, HeaderValue::from_static(NO_SENSORS));
    let same_origin = || HeaderValue::from_static("same-origin");
    headers.entry(CROSS_ORIGIN_RESOURCE_POLICY).or_insert_with(same_origin);
    let referrer = || HeaderValue::from_static("strict-origin-when-cross-origin");
    headers.entry(REFERRER_POLICY).or_insert_with(referrer);
    // The sign-in window has its own: it must not lose the page that opened it.
    let opener = || HeaderValue::from_static("same-origin-allow-popups");
    let name = HeaderName::from_static("cross-origin-opener-policy");
    headers.entry(name).or_insert_with(opener);
    if over_tls {
        headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
}

#[cfg(test)]
mod tests {
    use super::{is_fault, without_people};

    #[test]
    fn what_is_left_out_on_purpose_is_no_fault() {
        assert!(is_fault(500) && is_fault(503) && !is_fault(501) && !is_fault(404));
    }

    #[test]
    fn the_log_names_nobody() {
        assert_eq!(without_people("/api/user/mina@haat.example"), "/api/user/…");
        assert_eq!(without_people("/api/user/mina%40haat.example/x"), "/api/user/…/x");
        assert_eq!(without_people("/wishlist/mJ4kq0Vt7a"), "/wishlist/…");
        for path in ["/", "/product/oak-lamp", "/category/audio/", "/wishlist"] {
            assert_eq!(without_people(path), path);
        }
    }
}

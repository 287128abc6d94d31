//! What stands around every request: its id, its limits, its time, the headers that keep a browser
//! safe, and the catching of panics.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{
    CONTENT_LENGTH, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use base::Error;
use base::error::REQUEST_ID;
use futures_util::{FutureExt, StreamExt};
use tracing::Instrument;

use crate::app::App;
use crate::document;

const LONGEST: Duration = Duration::from_secs(30);
const MOST_HEADER_BYTES: usize = 32 << 10;
pub const MOST_BODY_BYTES: usize = 1 << 20;
const LONGEST_ADDRESS: usize = 8 << 10;

/// Put into a response by a page, to be counted under its name.
#[derive(Clone, Copy)]
pub struct Counted(pub &'static str);

pub async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = u64::from_le_bytes(app.random.bytes());
    let id = format!("{id:016x}");
    let (method, address) = (request.method().clone(), request.uri().clone());
    let route = request.extensions().get::<MatchedPath>().map(|path| app.route_name(path.as_str()));
    let asked = Asked::of(&request);

    let span = tracing::info_span!("request", id, %method, path = address.path());
    let answer = REQUEST_ID.scope(id.clone(), async {
        let work = AssertUnwindSafe(limited(request, next)).catch_unwind();
        match tokio::time::timeout(LONGEST, work).await {
            Ok(Ok(Ok(response))) => response,
            Ok(Ok(Err(refused))) => app.error(&asked, refused).await,
            Ok(Err(_)) => {
                app.metrics.panicked();
                app.error(&asked, Error::internal("a panic, logged above")).await
            }
            Err(_) => {
                let why = format!("not answered within {} s", LONGEST.as_secs());
                app.error(&asked, Error::Unavailable(why.into())).await
            }
        }
    });
    let mut response = answer.instrument(span.clone()).await;

    let status = response.status();
    let took = began.elapsed();
    let counted = response.extensions().get::<Counted>().map(|counted| counted.0);
    app.metrics.answered(route.or(counted).unwrap_or("other"), status.as_u16(), took);
    span.in_scope(|| {
        let took = took.as_secs_f64() * 1000.0;
        let status = status.as_u16();
        if status >= 500 {
            tracing::error!(status, took, "answered");
        } else if status >= 400 || took > 1000.0 {
            tracing::info!(status, took, "answered");
        } else {
            tracing::debug!(status, took, "answered");
        }
    });
    protect(response.headers_mut(), app.over_tls);
    if let Ok(id) = HeaderValue::try_from(id) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), id);
    }
    response
}

/// What an error answer needs to know of the request that caused it.
pub struct Asked {
    pub path: String,
    pub headers: HeaderMap,
}

impl Asked {
    fn of(request: &Request) -> Self {
        let kept = ["accept", "cookie"].into_iter().filter_map(|name| {
            Some((HeaderName::from_static(name), request.headers().get(name)?.clone()))
        });
        Self { path: request.uri().path().to_owned(), headers: kept.collect() }
    }
}

/// Refuses what is too large before anything reads it.
async fn limited(request: Request, next: Next) -> Result<Response, Error> {
    let refused = |status, code, message: &'static str| {
        Err(Error::Refused { status, code, message: message.into() })
    };
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
    if length
        .and_then(|length| length.parse::<usize>().ok())
        .is_some_and(|length| length > MOST_BODY_BYTES)
    {
        swallow(request.into_body()).await;
        return refused(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "At most 1 MiB can be sent.");
    }
    Ok(next.run(request).await)
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

fn protect(headers: &mut HeaderMap, over_tls: bool) {
    let policy = HeaderValue::from_static(document::CONTENT_SECURITY_POLICY);
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
    headers.insert(
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin-allow-popups"),
    );
    if over_tls {
        headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
}

//! Which cached response belongs to which request, by the URL as it was sent: most requests repeat an earlier
//! one, and are answered without parsing their URL and without the router.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use platform::Clock;
use quick_cache::sync::Cache as Index;
use response_cache::{Cache, ResponseSource};

use crate::RouteLabel;

/// Beyond this, the least used are forgotten.
const MAX_REQUESTS: usize = 20_000;
/// Longer URLs are rarely repeated.
const MAX_KEY_BYTES: usize = 512;
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

pub struct KnownRequests {
    cache: Cache,
    clock: Clock,
    index: Index<String, KnownRequest>,
}

#[derive(Clone)]
struct KnownRequest {
    source: ResponseSource,
    label: RouteLabel,
    /// Whether the response has the server's time.
    timed: bool,
}

impl KnownRequests {
    pub fn new(cache: Cache, clock: Clock) -> Self {
        Self { cache, clock, index: Index::new(MAX_REQUESTS) }
    }

    /// The response while its cache entry is current.
    pub fn respond(&self, key: &str, headers: &HeaderMap) -> Option<Response> {
        let KnownRequest { source, label, timed } = self.index.get(key)?;
        let mut response = self.cache.current(&source)?.respond(headers);
        response.extensions_mut().insert(label);
        if timed {
            set_server_time(&mut response, &self.clock);
        }
        Some(response)
    }

    pub fn remember(&self, key: String, response: &Response) {
        let extensions = response.extensions();
        if key.len() <= MAX_KEY_BYTES
            && let Some(source) = extensions.get::<ResponseSource>().cloned()
            && let Some(label) = extensions.get::<RouteLabel>().copied()
        {
            let timed = response.headers().contains_key(SERVER_TIMING);
            self.index.insert(key, KnownRequest { source, label, timed });
        }
    }
}

/// Adds the current time to a page, which may have been cached for hours: its countdowns need it.
pub fn set_server_time(response: &mut Response, clock: &Clock) {
    if let Ok(now) = HeaderValue::try_from(format!("now;dur={}", clock.now().0)) {
        response.headers_mut().insert(SERVER_TIMING, now);
    }
}

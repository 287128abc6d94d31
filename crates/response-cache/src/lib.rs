//! The response cache: responses that are the same for everyone, compressed. Concurrent requests for a
//! missing entry load it once. An entry is invalidated when a tag that it depends on is bumped (decision
//! 003). A crate of its own, because what answers most requests is optimised in every profile.

use std::future::Future;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use brotli::enc::BrotliEncoderParams;
use platform::revisions::{CacheTag, Revisions};
use platform::{Clock, Error, Result, ResultFuture, Timestamp};
use quick_cache::Weighter;
use tokio::sync::{Mutex, Semaphore};

/// An entry that was valid this long ago is served while it is refreshed: frequent changes, such as a
/// purchase every second, must not make every visitor wait for a render.
const SERVE_STALE_FOR: Duration = Duration::from_secs(1);
/// An entry that keeps changing is not refreshed more often than this.
const MIN_REFRESH_INTERVAL: Duration = Duration::from_millis(500);
const MAX_CONCURRENT_LOADS: usize = 16;
/// How long a request waits until it may load an entry; then it is answered with 503.
const LOAD_TIMEOUT: Duration = Duration::from_secs(5);

type Entry = Arc<CacheEntry>;
/// Starts when it is first polled.
type Loading = ResultFuture<'static, NewCacheEntry>;

#[derive(Clone)]
pub struct Cache(Arc<CacheInner>);

struct CacheInner {
    entries: quick_cache::sync::Cache<String, Entry, EntryWeighter>,
    revisions: Revisions,
    clock: Clock,
    started: Instant,
    /// Limits how many entries are loaded and compressed at a time: a flood of requests for uncached
    /// addresses must use up neither the database connections nor the memory.
    loading: Semaphore,
    compressing: Semaphore,
    hits: AtomicU64,
    misses: AtomicU64,
}

/// A response to be cached, and what it depends on.
pub struct NewCacheEntry {
    pub status: StatusCode,
    pub content_type: &'static str,
    pub body: Vec<u8>,
    pub headers: Vec<(HeaderName, HeaderValue)>,
    pub depends_on: Vec<CacheTag>,
    /// When it becomes wrong without a change: a sale ends.
    pub expires_at: Option<Timestamp>,
}

impl NewCacheEntry {
    /// The answer to an API call, in the language that it asks for.
    pub fn json(
        body: &impl serde::Serialize,
        mut headers: Vec<(HeaderName, HeaderValue)>,
        depends_on: Vec<CacheTag>,
        expires_at: Option<Timestamp>,
    ) -> Result<Self> {
        let body = serde_json::to_vec(body)?;
        headers
            .push((VARY, HeaderValue::from_static("accept-encoding, accept-language, x-currency")));
        let (status, content_type) = (StatusCode::OK, "application/json");
        Ok(Self { status, content_type, body, headers, depends_on, expires_at })
    }
}

pub struct CacheEntry {
    status: StatusCode,
    content_type: &'static str,
    plain: EncodedBody,
    gzip: Option<EncodedBody>,
    brotli: Option<EncodedBody>,
    headers: Vec<(HeaderName, HeaderValue)>,
    depends_on: Vec<CacheTag>,
    expires_at: Option<Timestamp>,
    loaded_at: Instant,
    /// The revision up to which nothing that it depends on has changed, and when that was checked.
    revision: AtomicI64,
    checked_at: AtomicU64,
    refreshing: Arc<Mutex<()>>,
}

/// A response extension: the entry that the response is from.
#[derive(Clone)]
pub struct ResponseSource(Weak<CacheEntry>);

struct EncodedBody {
    body: Bytes,
    etag: HeaderValue,
}

#[derive(Clone)]
struct EntryWeighter;

impl Weighter<String, Entry> for EntryWeighter {
    fn weight(&self, key: &String, entry: &Entry) -> u64 {
        let all = [Some(&entry.plain), entry.gzip.as_ref(), entry.brotli.as_ref()];
        let bodies: usize = all.into_iter().flatten().map(|encoded| encoded.body.len()).sum();
        (key.len() + bodies + entry.depends_on.len() * 48 + 512) as u64
    }
}

impl Cache {
    pub fn new(bytes: u64, revisions: Revisions, clock: Clock) -> Self {
        let typical = usize::try_from(bytes / 40_000).unwrap_or(usize::MAX).max(16);
        Self(Arc::new(CacheInner {
            entries: quick_cache::sync::Cache::with_weighter(typical, bytes, EntryWeighter),
            revisions,
            clock,
            started: Instant::now(),
            loading: Semaphore::new(MAX_CONCURRENT_LOADS),
            compressing: Semaphore::new(available_parallelism().map_or(1, usize::from)),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }))
    }

    /// The entry under `key`, loaded by `load` when it is missing or outdated.
    pub async fn get<F, Fut>(&self, key: &str, load: F) -> Result<Entry>
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<NewCacheEntry>> + Send + 'static,
    {
        let entry = self.0.entries.get(key);
        if let Some(entry) = &entry
            && self.freshness(entry) == Freshness::Current
        {
            self.0.hits.fetch_add(1, Ordering::Relaxed);
            return Ok(entry.clone());
        }
        // Boxed, so that the future of a cache hit stays small.
        Box::pin(self.reload(key, entry, Box::pin(async move { load().await }))).await
    }

    /// The entry that gave an earlier response, if it is still current.
    pub fn current(&self, source: &ResponseSource) -> Option<Entry> {
        let entry = source.0.upgrade()?;
        let current = self.freshness(&entry) == Freshness::Current;
        current.then(|| {
            self.0.hits.fetch_add(1, Ordering::Relaxed);
            entry
        })
    }

    async fn reload(&self, key: &str, old: Option<Entry>, load: Loading) -> Result<Entry> {
        if let Some(entry) = old {
            if self.freshness(&entry) == Freshness::Stale {
                self.0.hits.fetch_add(1, Ordering::Relaxed);
                self.refresh_in_background(key, &entry, load);
                return Ok(entry);
            }
            // Waits for a refresh in progress instead of loading the entry twice.
            drop(entry.refreshing.lock().await);
            self.0.entries.remove_if(key, |old| self.freshness(old) == Freshness::Expired);
        }
        match self.0.entries.get_value_or_guard_async(key).await {
            Ok(entry) => {
                self.0.hits.fetch_add(1, Ordering::Relaxed);
                Ok(entry)
            }
            Err(guard) => {
                self.0.misses.fetch_add(1, Ordering::Relaxed);
                let entry = self.load(load).await?;
                // An entry that has expired already is for this request only.
                if entry.expires_at.is_none_or(|expires_at| expires_at > self.0.clock.now()) {
                    let _ = guard.insert(entry.clone());
                }
                Ok(entry)
            }
        }
    }

    fn freshness(&self, entry: &CacheEntry) -> Freshness {
        if entry.expires_at.is_some_and(|expires_at| self.0.clock.now() >= expires_at) {
            return Freshness::Expired;
        }
        let latest = self.0.revisions.latest();
        let since_start = self.0.started.elapsed();
        let revision = entry.revision.load(Ordering::Acquire);
        if revision == latest || !self.0.revisions.changed_since(revision, &entry.depends_on) {
            entry.revision.store(latest, Ordering::Release);
            entry.checked_at.store(millis(since_start), Ordering::Relaxed);
            return Freshness::Current;
        }
        let checked_at = Duration::from_millis(entry.checked_at.load(Ordering::Relaxed));
        if since_start.saturating_sub(checked_at) < SERVE_STALE_FOR {
            Freshness::Stale
        } else {
            Freshness::Expired
        }
    }

    fn refresh_in_background(&self, key: &str, entry: &Entry, load: Loading) {
        if entry.loaded_at.elapsed() < MIN_REFRESH_INTERVAL {
            return;
        }
        let Ok(lock) = entry.refreshing.clone().try_lock_owned() else { return };
        let (cache, key) = (self.clone(), key.to_owned());
        tokio::spawn(async move {
            match cache.load(load).await {
                Ok(new) => cache.0.entries.insert(key, new),
                Err(why) => tracing::warn!(%why, key, "could not refresh a cache entry"),
            }
            drop(lock);
        });
    }

    async fn load(&self, load: Loading) -> Result<Entry> {
        let permit = tokio::time::timeout(LOAD_TIMEOUT, self.0.loading.acquire()).await;
        let permit = permit.map_err(|_| Error::Unavailable("too many cache misses".into()))?;
        // Read before the data: a change in between then counts as later than the entry.
        let as_of = self.0.revisions.latest();
        let checked_at = millis(self.0.started.elapsed());
        let new = load.await?;
        drop(permit);
        let _permit = self.0.compressing.acquire().await.map_err(Error::internal)?;
        let entry = tokio::task::spawn_blocking(move || CacheEntry::new(new, as_of, checked_at));
        Ok(Arc::new(entry.await?))
    }

    pub fn stats(&self) -> CacheStats {
        CacheStats {
            hits: self.0.hits.load(Ordering::Relaxed),
            misses: self.0.misses.load(Ordering::Relaxed),
            entries: self.0.entries.len() as u64,
            bytes: self.0.entries.weight(),
        }
    }
}

pub struct CacheStats {
    pub hits: u64,
    pub misses: u64,
    pub entries: u64,
    pub bytes: u64,
}

#[derive(PartialEq)]
enum Freshness {
    Current,
    /// Outdated, but still served while it is refreshed.
    Stale,
    Expired,
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

impl CacheEntry {
    fn new(new: NewCacheEntry, as_of: i64, checked_at: u64) -> Self {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&new.body);
        let encoded = |mut body: Vec<u8>, encoding: &str| {
            // Unused capacity would stay in the cache too.
            body.shrink_to_fit();
            let etag = HeaderValue::try_from(format!("\"{hash:016x}{encoding}\""));
            let etag = etag.unwrap_or(HeaderValue::from_static("\"\""));
            EncodedBody { body: body.into(), etag }
        };
        // Below this, compression saves no network packet.
        let compressible = new.body.len() > 860;
        Self {
            gzip: compressible.then(|| encoded(gzip(&new.body), "-gzip")),
            brotli: compressible.then(|| encoded(brotli(&new.body), "-br")),
            plain: encoded(new.body, ""),
            status: new.status,
            content_type: new.content_type,
            headers: new.headers,
            depends_on: new.depends_on,
            expires_at: new.expires_at,
            loaded_at: Instant::now(),
            revision: AtomicI64::new(as_of),
            checked_at: AtomicU64::new(checked_at),
            refreshing: Arc::default(),
        }
    }

    /// The response in the best encoding that the client accepts, or 304 when it has it already.
    pub fn respond(self: &Arc<Self>, request: &HeaderMap) -> Response {
        let accepted = AcceptedEncodings::parse(request);
        let (encoded, encoding) = match (&self.brotli, &self.gzip) {
            (Some(brotli), _) if accepted.brotli => (brotli, Some("br")),
            (_, Some(gzip)) if accepted.gzip => (gzip, Some("gzip")),
            _ => (&self.plain, None),
        };
        let mut response =
            conditional_response(request, self.status, &encoded.body, encoded.etag.clone());
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(VARY, HeaderValue::from_static("accept, accept-encoding, cookie"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if let Some(encoding) = encoding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        for (name, value) in &self.headers {
            headers.insert(name, value.clone());
        }
        if self.status == StatusCode::OK {
            response.extensions_mut().insert(ResponseSource(Arc::downgrade(self)));
        }
        response
    }
}

/// A response with an ETag, or 304 where the client has that body already.
pub fn conditional_response(
    request: &HeaderMap,
    status: StatusCode,
    body: &Bytes,
    etag: HeaderValue,
) -> Response {
    let not_modified = status == StatusCode::OK && etag_matches(request, &etag);
    let body = if not_modified { Body::empty() } else { Body::from(body.clone()) };
    let mut response = Response::new(body);
    *response.status_mut() = if not_modified { StatusCode::NOT_MODIFIED } else { status };
    response.headers_mut().reserve(16);
    response.headers_mut().insert(ETAG, etag);
    response
}

/// Whether `If-None-Match` contains this ETag. A proxy may have made it a weak one.
fn etag_matches(request: &HeaderMap, etag: &HeaderValue) -> bool {
    let tags = request.get(IF_NONE_MATCH).and_then(|tags| tags.to_str().ok()).unwrap_or_default();
    tags.split(',').map(str::trim).any(|tag| tag == "*" || *etag == tag.trim_start_matches("W/"))
}

/// `Accept-Encoding`, as far as we support it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct AcceptedEncodings {
    pub brotli: bool,
    pub gzip: bool,
}

impl AcceptedEncodings {
    pub fn parse(headers: &HeaderMap) -> Self {
        let mut accepted = Self::default();
        let Some(list) = headers.get(ACCEPT_ENCODING).and_then(|list| list.to_str().ok()) else {
            return accepted;
        };
        for item in list.split(',') {
            let (name, weight) = item.split_once(';').unwrap_or((item, ""));
            let wanted = !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000");
            match name.trim() {
                "br" => accepted.brotli = wanted,
                "gzip" => accepted.gzip = wanted,
                _ => {}
            }
        }
        accepted
    }
}

#[expect(clippy::expect_used, reason = "writing to memory does not fail")]
fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(body).expect("writes to memory");
    encoder.finish().expect("writes to memory")
}

#[expect(clippy::expect_used, reason = "writing to memory does not fail")]
fn brotli(body: &[u8]) -> Vec<u8> {
    let mut compressed = Vec::new();
    // A window no larger than the text: the default allocates 4 MiB for every small response.
    let lgwin = body.len().next_power_of_two().ilog2().clamp(10, 22) as i32;
    let (quality, size_hint) = (5, body.len());
    let params = BrotliEncoderParams { quality, lgwin, size_hint, ..Default::default() };
    brotli::BrotliCompress(&mut &*body, &mut compressed, &params).expect("writes to memory");
    compressed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_with_weight_zero_are_not_accepted() {
        let accepted = |list: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(list));
            AcceptedEncodings::parse(&headers)
        };
        assert_eq!(accepted("gzip, deflate, br"), AcceptedEncodings { brotli: true, gzip: true });
        assert_eq!(accepted("br;q=0, gzip;q=0.5"), AcceptedEncodings { brotli: false, gzip: true });
        assert_eq!(accepted("identity"), AcceptedEncodings::default());
    }
}

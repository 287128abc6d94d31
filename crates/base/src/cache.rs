//! Answers that look the same to everyone, kept compressed. A page is made once, however many ask
//! for it, and dropped when something that it shows changes (decision 003).

use std::future::Future;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use brotli::enc::BrotliEncoderParams;
use quick_cache::Weighter;
use tokio::sync::{Mutex, Semaphore};

use crate::revisions::{Revisions, Scope};
use crate::{Clock, Error, Result, Timestamp};

/// A page that was good this long ago may be served once more while the new one is made: a sale a
/// second must not mean a render a second for each visitor to wait on.
const STALE_FOR: Duration = Duration::from_secs(1);
/// A page that keeps changing is made again this often, not more.
const MADE_EVERY: Duration = Duration::from_millis(500);
const MADE_AT_A_TIME: usize = 16;
/// Whoever waits longer than this to have an answer made is told to come back.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

#[derive(Clone)]
pub struct Cache(Arc<Shelf>);

struct Shelf {
    kept: quick_cache::sync::Cache<String, Arc<Kept>, Bytesize>,
    revisions: Revisions,
    clock: Clock,
    started: Instant,
    /// How many answers are made at a time, and how many compressed: a flood of new addresses must
    /// take neither the database from the others nor the machine's memory.
    making: Semaphore,
    compressing: Semaphore,
    hits: AtomicU64,
    misses: AtomicU64,
}

/// An answer just made, and what it depends on.
pub struct Fresh {
    pub status: StatusCode,
    pub content_type: &'static str,
    pub body: Vec<u8>,
    pub headers: Vec<(HeaderName, HeaderValue)>,
    pub shows: Vec<Scope>,
    /// When it stops being true without anything having changed: a sale ends.
    pub until: Option<Timestamp>,
}

impl Fresh {
    pub fn json(
        body: &impl serde::Serialize,
        headers: Vec<(HeaderName, HeaderValue)>,
        shows: Vec<Scope>,
        until: Option<Timestamp>,
    ) -> Result<Self> {
        let body = serde_json::to_vec(body)?;
        let (status, content_type) = (StatusCode::OK, "application/json");
        Ok(Self { status, content_type, body, headers, shows, until })
    }
}

/// An answer on the shelf.
pub struct Kept {
    status: StatusCode,
    content_type: &'static str,
    plain: Variant,
    gzip: Option<Variant>,
    brotli: Option<Variant>,
    headers: Vec<(HeaderName, HeaderValue)>,
    shows: Vec<Scope>,
    until: Option<Timestamp>,
    made: Instant,
    /// The revision up to which nothing that it shows has changed, and when that was found.
    good_at: AtomicI64,
    good_when: AtomicU64,
    being_made_again: Arc<Mutex<()>>,
}

struct Variant {
    body: Bytes,
    etag: HeaderValue,
}

#[derive(Clone)]
struct Bytesize;

impl Weighter<String, Arc<Kept>> for Bytesize {
    fn weight(&self, key: &String, kept: &Arc<Kept>) -> u64 {
        let variants = [Some(&kept.plain), kept.gzip.as_ref(), kept.brotli.as_ref()];
        let bodies: usize = variants.into_iter().flatten().map(|variant| variant.body.len()).sum();
        (key.len() + bodies + kept.shows.len() * 48 + 512) as u64
    }
}

impl Cache {
    pub fn new(bytes: u64, revisions: Revisions, clock: Clock) -> Self {
        let typical = usize::try_from(bytes / 40_000).unwrap_or(usize::MAX).max(16);
        Self(Arc::new(Shelf {
            kept: quick_cache::sync::Cache::with_weighter(typical, bytes, Bytesize),
            revisions,
            clock,
            started: Instant::now(),
            making: Semaphore::new(MADE_AT_A_TIME),
            compressing: Semaphore::new(cores()),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }))
    }

    /// The answer under `key`, made by `make` when it is not there or not true any more.
    pub async fn get<F, Fut>(&self, key: &str, make: F) -> Result<Arc<Kept>>
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<Fresh>> + Send + 'static,
    {
        let kept = self.0.kept.get(key);
        if let Some(kept) = &kept
            && matches!(self.state(kept), State::Good)
        {
            self.0.hits.fetch_add(1, Ordering::Relaxed);
            return Ok(kept.clone());
        }
        // Boxed, so that the many answers from the shelf do not carry around the room for making one.
        Box::pin(self.renew(key, kept, make)).await
    }

    async fn renew<F, Fut>(&self, key: &str, old: Option<Arc<Kept>>, make: F) -> Result<Arc<Kept>>
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<Fresh>> + Send + 'static,
    {
        if let Some(kept) = old {
            if matches!(self.state(&kept), State::JustChanged) {
                self.0.hits.fetch_add(1, Ordering::Relaxed);
                self.make_again(key, &kept, make);
                return Ok(kept);
            }
            // Its successor may be in the making; to make it twice would not bring it sooner.
            drop(kept.being_made_again.lock().await);
            self.0.kept.remove_if(key, |current| matches!(self.state(current), State::Old));
        }
        match self.0.kept.get_value_or_guard_async(key).await {
            Ok(kept) => {
                self.0.hits.fetch_add(1, Ordering::Relaxed);
                Ok(kept)
            }
            Err(guard) => {
                self.0.misses.fetch_add(1, Ordering::Relaxed);
                let kept = self.make(make).await?;
                // One that has ended already was not made to be kept.
                if kept.until.is_none_or(|until| until > self.0.clock.now()) {
                    let _ = guard.insert(kept.clone());
                }
                Ok(kept)
            }
        }
    }

    fn state(&self, kept: &Kept) -> State {
        if kept.until.is_some_and(|until| self.0.clock.now() >= until) {
            return State::Old;
        }
        let latest = self.0.revisions.latest();
        let since_start = self.0.started.elapsed();
        let good_at = kept.good_at.load(Ordering::Acquire);
        if good_at == latest || !self.0.revisions.moved_since(good_at, &kept.shows) {
            kept.good_at.store(latest, Ordering::Release);
            kept.good_when.store(millis(since_start), Ordering::Relaxed);
            return State::Good;
        }
        let good_when = Duration::from_millis(kept.good_when.load(Ordering::Relaxed));
        if since_start.saturating_sub(good_when) < STALE_FOR {
            State::JustChanged
        } else {
            State::Old
        }
    }

    fn make_again<F, Fut>(&self, key: &str, kept: &Arc<Kept>, make: F)
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<Fresh>> + Send + 'static,
    {
        if kept.made.elapsed() < MADE_EVERY {
            return;
        }
        let Ok(turn) = kept.being_made_again.clone().try_lock_owned() else { return };
        let (cache, key) = (self.clone(), key.to_owned());
        tokio::spawn(async move {
            match cache.make(make).await {
                Ok(new) => cache.0.kept.insert(key, new),
                Err(why) => tracing::warn!(%why, key, "could not make a kept page again"),
            }
            drop(turn);
        });
    }

    async fn make<F, Fut>(&self, make: F) -> Result<Arc<Kept>>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<Fresh>>,
    {
        let turn = tokio::time::timeout(LONGEST_WAIT, self.0.making.acquire()).await;
        let turn = turn.map_err(|_| Error::Unavailable("too many answers to make".into()))?;
        // Before the data is read: a change in between is then seen as later than the page.
        let as_of = self.0.revisions.latest();
        let good_when = millis(self.0.started.elapsed());
        let fresh = make().await?;
        drop(turn);
        let _core = self.0.compressing.acquire().await.map_err(Error::internal)?;
        let kept = tokio::task::spawn_blocking(move || Kept::new(fresh, as_of, good_when));
        Ok(Arc::new(kept.await?))
    }

    pub fn counts(&self) -> Counts {
        Counts {
            hits: self.0.hits.load(Ordering::Relaxed),
            misses: self.0.misses.load(Ordering::Relaxed),
            entries: self.0.kept.len() as u64,
            bytes: self.0.kept.weight(),
        }
    }
}

pub struct Counts {
    pub hits: u64,
    pub misses: u64,
    pub entries: u64,
    pub bytes: u64,
}

enum State {
    Good,
    /// Not true any more, but it was a moment ago.
    JustChanged,
    Old,
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

impl Kept {
    fn new(fresh: Fresh, as_of: i64, good_when: u64) -> Self {
        let mut hasher = DefaultHasher::new();
        fresh.body.hash(&mut hasher);
        let hash = hasher.finish();
        let variant = |mut body: Vec<u8>, encoding: &str| Variant {
            // Room that a vector grew for but does not need would be kept too.
            body: {
                body.shrink_to_fit();
                body.into()
            },
            etag: HeaderValue::try_from(format!("\"{hash:016x}{encoding}\""))
                .unwrap_or(HeaderValue::from_static("\"\"")),
        };
        // Below this, a compressed answer saves nothing that a network packet would notice.
        let worth_it = fresh.body.len() > 860;
        Self {
            gzip: worth_it.then(|| variant(gzip(&fresh.body), "-gzip")),
            brotli: worth_it.then(|| variant(brotli(&fresh.body), "-br")),
            plain: variant(fresh.body, ""),
            status: fresh.status,
            content_type: fresh.content_type,
            headers: fresh.headers,
            shows: fresh.shows,
            until: fresh.until,
            made: Instant::now(),
            good_at: AtomicI64::new(as_of),
            good_when: AtomicU64::new(good_when),
            being_made_again: Arc::default(),
        }
    }

    /// The answer in the form that this browser takes, or 304 when it has it already.
    pub fn respond(&self, request: &HeaderMap) -> Response {
        let accepted = Accepted::of(request);
        let (variant, encoding) = match (&self.brotli, &self.gzip) {
            (Some(brotli), _) if accepted.brotli => (brotli, Some("br")),
            (_, Some(gzip)) if accepted.gzip => (gzip, Some("gzip")),
            _ => (&self.plain, None),
        };
        let has_it = self.status == StatusCode::OK && has(request, &variant.etag);
        let mut response =
            Response::new(if has_it { Body::empty() } else { Body::from(variant.body.clone()) });
        *response.status_mut() = if has_it { StatusCode::NOT_MODIFIED } else { self.status };
        let headers = response.headers_mut();
        headers.reserve(16);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(ETAG, variant.etag.clone());
        headers.insert(VARY, HeaderValue::from_static("accept, accept-encoding, cookie"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if let Some(encoding) = encoding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        for (name, value) in &self.headers {
            headers.insert(name, value.clone());
        }
        response
    }
}

/// Whether the browser says that it has the answer with this tag. A proxy may have weakened the tag.
pub fn has(request: &HeaderMap, etag: &HeaderValue) -> bool {
    let tags = request.get(IF_NONE_MATCH).and_then(|tags| tags.to_str().ok()).unwrap_or_default();
    tags.split(',').map(str::trim).any(|tag| tag == "*" || *etag == tag.trim_start_matches("W/"))
}

/// The encodings that a browser takes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    pub brotli: bool,
    pub gzip: bool,
}

impl Accepted {
    pub fn of(headers: &HeaderMap) -> Self {
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
    encoder.write_all(body).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

#[expect(clippy::expect_used, reason = "writing to memory does not fail")]
fn brotli(body: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    // A window no larger than the text: the usual 4 MiB would be taken for every small answer.
    let lgwin = body.len().next_power_of_two().ilog2().clamp(10, 22) as i32;
    let (quality, size_hint) = (5, body.len());
    let params = BrotliEncoderParams { quality, lgwin, size_hint, ..Default::default() };
    brotli::BrotliCompress(&mut &*body, &mut packed, &params).expect("memory takes it");
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_taken_as_the_browser_weighs_them() {
        let accepted = |list: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(list));
            Accepted::of(&headers)
        };
        assert_eq!(accepted("gzip, deflate, br"), Accepted { brotli: true, gzip: true });
        assert_eq!(accepted("br;q=0, gzip;q=0.5"), Accepted { brotli: false, gzip: true });
        assert_eq!(accepted("identity"), Accepted::default());
    }
}

//! Integration tests of the response cache on SQLite and PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, StatusCode};
use platform::revisions::{self, CacheTag, Revisions};
use platform::{Result, Timestamp};
use response_cache::{Cache, NewCacheEntry};
use test_support::{TestDb, eventually, on_both};
use tokio::sync::RwLock;

on_both!(TestDb:
    concurrent_requests_load_an_entry_once,
    only_a_bumped_tag_invalidates_an_entry,
    a_change_by_another_process_is_seen,
    a_stale_entry_is_served_while_it_is_refreshed,
    requests_for_an_expired_entry_wait_for_its_refresh,
    an_entry_expires,
    the_cache_is_limited_in_bytes,
    a_matching_etag_is_answered_with_304,
);

struct Fixture {
    given: TestDb,
    revisions: Revisions,
    cache: Cache,
    loads: Arc<AtomicU64>,
    /// While it is locked for writing, loads do not finish.
    pause: Arc<RwLock<()>>,
}

impl Fixture {
    async fn new(given: TestDb, bytes: u64) -> Self {
        let revisions = Revisions::load(&given.db).await.unwrap();
        let cache = Cache::new(bytes, revisions.clone(), given.clock.clone());
        Self { given, revisions, cache, loads: Arc::default(), pause: Arc::default() }
    }

    /// Gets an entry that depends on this product, and counts how often it is loaded.
    async fn get(&self, key: &str, product: &str, expires_at: Option<Timestamp>) -> Result<()> {
        let (loads, pause) = (self.loads.clone(), self.pause.clone());
        let depends_on = vec![CacheTag::with_id("product", product)];
        let load = async move || {
            loads.fetch_add(1, Ordering::SeqCst);
            drop(pause.read().await);
            let body = vec![b'x'; 10_000];
            let (status, content_type) = (StatusCode::OK, "text/plain");
            let headers = vec![];
            Ok(NewCacheEntry { status, content_type, body, headers, depends_on, expires_at })
        };
        self.cache.get(key, load).await.map(drop)
    }

    fn loads(&self) -> u64 {
        self.loads.load(Ordering::SeqCst)
    }

    async fn bump(&self, product: &str) {
        let mut tx = self.given.db.begin().await.unwrap();
        revisions::bump(&mut tx, [CacheTag::with_id("product", product)]).await.unwrap();
        tx.commit().await.unwrap();
    }
}

async fn concurrent_requests_load_an_entry_once(given: TestDb) {
    let fixture = Fixture::new(given, 1 << 20).await;
    let requests = (0..50).map(|_| fixture.get("/", "lamp", None));
    for answer in futures_util::future::join_all(requests).await {
        answer.unwrap();
    }
    assert_eq!(fixture.loads(), 1);
}

async fn only_a_bumped_tag_invalidates_an_entry(given: TestDb) {
    let fixture = Fixture::new(given, 1 << 20).await;
    fixture.get("/product/lamp", "lamp", None).await.unwrap();
    fixture.bump("chair").await;
    fixture.revisions.poll(&fixture.given.db).await.unwrap();
    fixture.get("/product/lamp", "lamp", None).await.unwrap();
    assert_eq!(fixture.loads(), 1);
    fixture.bump("lamp").await;
    fixture.revisions.poll(&fixture.given.db).await.unwrap();
    eventually("the entry is loaded again", async || {
        fixture.get("/product/lamp", "lamp", None).await.unwrap();
        fixture.loads() == 2
    })
    .await;
}

async fn a_change_by_another_process_is_seen(given: TestDb) {
    let fixture = Fixture::new(given, 1 << 20).await;
    let other = platform::Db::open(&fixture.given.url).await.unwrap();
    let polling = tokio::spawn(fixture.revisions.clone().poll_forever(fixture.given.db.clone()));
    let mut tx = other.begin().await.unwrap();
    revisions::bump(&mut tx, [CacheTag::new("catalog")]).await.unwrap();
    tx.commit().await.unwrap();
    let tags = [CacheTag::new("catalog")];
    eventually("the change is seen", async || fixture.revisions.changed_since(0, &tags)).await;
    polling.abort();
}

async fn a_stale_entry_is_served_while_it_is_refreshed(given: TestDb) {
    let fixture = Fixture::new(given, 1 << 20).await;
    // Repeated, because on a busy machine the entry may be too old when it is requested.
    eventually("the stale entry is served", async || {
        fixture.get("/", "lamp", None).await.unwrap();
        let pause = fixture.pause.write().await;
        fixture.bump("lamp").await;
        fixture.revisions.poll(&fixture.given.db).await.unwrap();
        let request = fixture.get("/", "lamp", None);
        let served = tokio::time::timeout(Duration::from_secs(1), request).await.is_ok();
        drop(pause);
        served
    })
    .await;
}

async fn requests_for_an_expired_entry_wait_for_its_refresh(given: TestDb) {
    let fixture = Arc::new(Fixture::new(given, 1 << 20).await);
    let expires_at = Some(fixture.given.clock.now().plus(Duration::from_secs(60)));
    fixture.get("/", "lamp", expires_at).await.unwrap();
    let pause = fixture.pause.write().await;
    fixture.bump("lamp").await;
    fixture.revisions.poll(&fixture.given.db).await.unwrap();
    eventually("the entry is being refreshed", async || {
        let other = fixture.clone();
        tokio::spawn(async move { other.get("/", "lamp", None).await });
        fixture.loads() > 1
    })
    .await;
    let loads = fixture.loads();
    // The old entry has expired.
    fixture.given.clock.advance(Duration::from_secs(60));
    let (answer, ()) = tokio::join!(fixture.get("/", "lamp", None), async { drop(pause) });
    answer.unwrap();
    assert_eq!(fixture.loads(), loads);
}

async fn an_entry_expires(given: TestDb) {
    let fixture = Fixture::new(given, 1 << 20).await;
    let expires_at = Some(fixture.given.clock.now().plus(Duration::from_secs(60)));
    fixture.get("/", "lamp", expires_at).await.unwrap();
    fixture.get("/", "lamp", expires_at).await.unwrap();
    assert_eq!(fixture.loads(), 1);
    fixture.given.clock.advance(Duration::from_secs(60));
    fixture.get("/", "lamp", None).await.unwrap();
    assert_eq!(fixture.loads(), 2);
}

async fn the_cache_is_limited_in_bytes(given: TestDb) {
    let fixture = Fixture::new(given, 100_000).await;
    for page in 0..100 {
        fixture.get(&format!("/{page}"), "lamp", None).await.unwrap();
    }
    let stats = fixture.cache.stats();
    assert!(stats.bytes <= 100_000, "{} bytes", stats.bytes);
    assert!(stats.entries > 0);
}

async fn a_matching_etag_is_answered_with_304(given: TestDb) {
    let fixture = Fixture::new(given, 1 << 20).await;
    let load = async || {
        let (status, content_type) = (StatusCode::OK, "text/plain");
        let body = "long enough to be worth it. ".repeat(100).into_bytes();
        let (headers, depends_on, expires_at) = (vec![], vec![], None);
        Ok(NewCacheEntry { status, content_type, body, headers, depends_on, expires_at })
    };
    let entry = fixture.cache.get("/", load).await.unwrap();
    let mut request = HeaderMap::new();
    request.insert("accept-encoding", HeaderValue::from_static("gzip, br"));
    let first = entry.respond(&request);
    assert_eq!(first.headers()["content-encoding"], "br");
    request.insert("if-none-match", first.headers()["etag"].clone());
    assert_eq!(entry.respond(&request).status(), StatusCode::NOT_MODIFIED);
    let weak = format!("\"other\", W/{}", first.headers()["etag"].to_str().unwrap());
    request.insert("if-none-match", HeaderValue::try_from(weak).unwrap());
    assert_eq!(entry.respond(&request).status(), StatusCode::NOT_MODIFIED);
    request.insert("accept-encoding", HeaderValue::from_static("gzip"));
    let other = entry.respond(&request);
    assert_eq!(other.status(), StatusCode::OK, "another encoding has another ETag");
    assert_ne!(other.headers()["etag"], first.headers()["etag"]);
}

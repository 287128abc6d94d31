use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, StatusCode};
use base::cache::{Cache, Fresh};
use base::revisions::{self, Revisions, Scope};
use base::{Result, Timestamp};
use test_support::on_both;
use test_support::{TestDb, eventually};
use tokio::sync::RwLock;

on_both!(TestDb:
    an_answer_is_made_once_however_many_ask,
    an_answer_is_dropped_by_what_it_shows_and_by_nothing_else,
    a_change_made_elsewhere_is_seen,
    an_answer_that_just_changed_is_served_while_the_next_is_made,
    an_answer_that_is_being_made_again_is_waited_for,
    an_answer_ends_with_its_time,
    the_shelf_is_bounded_in_bytes,
    a_browser_that_has_it_is_told_so,
);

struct Shelf {
    given: TestDb,
    revisions: Revisions,
    cache: Cache,
    made: Arc<AtomicU64>,
    /// Whoever writes here keeps the pages that are being made from being done.
    halt: Arc<RwLock<()>>,
}

impl Shelf {
    async fn new(given: TestDb, bytes: u64) -> Self {
        let revisions = Revisions::start(&given.db).await.unwrap();
        let cache = Cache::new(bytes, revisions.clone(), given.clock.clone());
        Self { given, revisions, cache, made: Arc::default(), halt: Arc::default() }
    }

    /// Asks for a page that shows the product `shows` and counts how often it is made.
    async fn ask(&self, key: &str, shows: &str, until: Option<Timestamp>) -> Result<()> {
        let (made, halt) = (self.made.clone(), self.halt.clone());
        let shows = vec![Scope::of("product", shows)];
        let make = async move || {
            made.fetch_add(1, Ordering::SeqCst);
            drop(halt.read().await);
            let body = vec![b'x'; 10_000];
            let (status, content_type) = (StatusCode::OK, "text/plain");
            Ok(Fresh { status, content_type, body, headers: vec![], shows, until })
        };
        self.cache.get(key, make).await.map(drop)
    }

    fn made(&self) -> u64 {
        self.made.load(Ordering::SeqCst)
    }

    async fn change(&self, product: &str) {
        let mut tx = self.given.db.begin().await.unwrap();
        revisions::changed(&mut tx, [Scope::of("product", product)]).await.unwrap();
        tx.commit().await.unwrap();
    }
}

async fn an_answer_is_made_once_however_many_ask(given: TestDb) {
    let shelf = Shelf::new(given, 1 << 20).await;
    let asked = (0..50).map(|_| shelf.ask("/", "lamp", None));
    for answer in futures_util::future::join_all(asked).await {
        answer.unwrap();
    }
    assert_eq!(shelf.made(), 1);
}

async fn an_answer_is_dropped_by_what_it_shows_and_by_nothing_else(given: TestDb) {
    let shelf = Shelf::new(given, 1 << 20).await;
    shelf.ask("/product/lamp", "lamp", None).await.unwrap();
    shelf.change("chair").await;
    shelf.revisions.look(&shelf.given.db).await.unwrap();
    shelf.ask("/product/lamp", "lamp", None).await.unwrap();
    assert_eq!(shelf.made(), 1);
    shelf.change("lamp").await;
    shelf.revisions.look(&shelf.given.db).await.unwrap();
    eventually("the page is made again", async || {
        shelf.ask("/product/lamp", "lamp", None).await.unwrap();
        shelf.made() == 2
    })
    .await;
}

async fn a_change_made_elsewhere_is_seen(given: TestDb) {
    let shelf = Shelf::new(given, 1 << 20).await;
    let other = base::Db::open(&shelf.given.url).await.unwrap();
    let following = tokio::spawn(shelf.revisions.clone().follow(shelf.given.db.clone()));
    let mut tx = other.begin().await.unwrap();
    revisions::changed(&mut tx, [Scope::whole("catalog")]).await.unwrap();
    tx.commit().await.unwrap();
    let whole = [Scope::whole("catalog")];
    eventually("the change is seen", async || shelf.revisions.moved_since(0, &whole)).await;
    following.abort();
}

async fn an_answer_that_just_changed_is_served_while_the_next_is_made(given: TestDb) {
    let shelf = Shelf::new(given, 1 << 20).await;
    shelf.ask("/", "lamp", None).await.unwrap();
    shelf.change("lamp").await;
    shelf.revisions.look(&shelf.given.db).await.unwrap();
    shelf.ask("/", "lamp", None).await.unwrap();
    assert_eq!(shelf.made(), 1, "the one that was good a moment ago is served");
}

async fn an_answer_that_is_being_made_again_is_waited_for(given: TestDb) {
    let shelf = Arc::new(Shelf::new(given, 1 << 20).await);
    let until = Some(shelf.given.clock.now().plus(Duration::from_secs(60)));
    shelf.ask("/", "lamp", until).await.unwrap();
    let halt = shelf.halt.write().await;
    shelf.change("lamp").await;
    shelf.revisions.look(&shelf.given.db).await.unwrap();
    eventually("the page is being made again", async || {
        let asking = shelf.clone();
        tokio::spawn(async move { asking.ask("/", "lamp", None).await });
        shelf.made() == 2
    })
    .await;
    // Nobody may be given the old one any more.
    shelf.given.clock.advance(Duration::from_secs(60));
    let (answer, ()) = tokio::join!(shelf.ask("/", "lamp", None), async { drop(halt) });
    answer.unwrap();
    assert_eq!(shelf.made(), 2);
}

async fn an_answer_ends_with_its_time(given: TestDb) {
    let shelf = Shelf::new(given, 1 << 20).await;
    let until = Some(shelf.given.clock.now().plus(Duration::from_secs(60)));
    shelf.ask("/", "lamp", until).await.unwrap();
    shelf.ask("/", "lamp", until).await.unwrap();
    assert_eq!(shelf.made(), 1);
    shelf.given.clock.advance(Duration::from_secs(60));
    shelf.ask("/", "lamp", None).await.unwrap();
    assert_eq!(shelf.made(), 2);
}

async fn the_shelf_is_bounded_in_bytes(given: TestDb) {
    let shelf = Shelf::new(given, 100_000).await;
    for page in 0..100 {
        shelf.ask(&format!("/{page}"), "lamp", None).await.unwrap();
    }
    let counts = shelf.cache.counts();
    assert!(counts.bytes <= 100_000, "{} bytes", counts.bytes);
    assert!(counts.entries > 0);
}

async fn a_browser_that_has_it_is_told_so(given: TestDb) {
    let shelf = Shelf::new(given, 1 << 20).await;
    let make = async || {
        let (status, content_type) = (StatusCode::OK, "text/plain");
        let body = "long enough to be worth it. ".repeat(100).into_bytes();
        Ok(Fresh { status, content_type, body, headers: vec![], shows: vec![], until: None })
    };
    let kept = shelf.cache.get("/", make).await.unwrap();
    let mut request = HeaderMap::new();
    request.insert("accept-encoding", HeaderValue::from_static("gzip, br"));
    let first = kept.respond(&request);
    assert_eq!(first.headers()["content-encoding"], "br");
    request.insert("if-none-match", first.headers()["etag"].clone());
    assert_eq!(kept.respond(&request).status(), StatusCode::NOT_MODIFIED);
    let weak = format!("\"other\", W/{}", first.headers()["etag"].to_str().unwrap());
    request.insert("if-none-match", HeaderValue::try_from(weak).unwrap());
    assert_eq!(kept.respond(&request).status(), StatusCode::NOT_MODIFIED);
    request.insert("accept-encoding", HeaderValue::from_static("gzip"));
    let other = kept.respond(&request);
    assert_eq!(other.status(), StatusCode::OK, "another form has another tag");
    assert_ne!(other.headers()["etag"], first.headers()["etag"]);
}

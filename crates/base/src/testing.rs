#![expect(clippy::expect_used, clippy::panic, reason = "this is test code, behind a feature")]

//! A database of its own for every test, on both engines. `make test` starts a throw-away PostgreSQL
//! and names it in `HAAT_TEST_POSTGRES`; `scripts/with-postgres COMMAND` does the same by hand.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::{Clock, Db, Random, Timestamp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// Runs each of the tests on both databases: a test is a plain `async fn name(given: Given)`, where
/// `Given::new(engine).await` sets its stage. One that is not listed is an unused function.
#[macro_export]
macro_rules! on_both {
    ($given:ty: $($test:ident),+ $(,)?) => {
        $crate::on_both!(@engine sqlite, Sqlite, $given, $($test)+);
        $crate::on_both!(@engine postgres, Postgres, $given, $($test)+);
    };
    (@engine $module:ident, $engine:ident, $given:ty, $($test:ident)+) => {
        mod $module {
            use super::*;
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    super::$test(<$given>::new($crate::testing::Engine::$engine).await).await;
                }
            )+
        }
    };
}

/// An empty shop's database, a clock that stands at a November morning, and dice that repeat.
pub struct TestDb {
    pub db: Db,
    pub url: String,
    pub clock: Clock,
    pub random: Random,
    _dir: TempDir,
}

impl TestDb {
    pub async fn new(engine: Engine) -> Self {
        let clock = Clock::standing_at(Timestamp::parse("2026-11-15T09:00:00Z").expect("a moment"));
        let dir = tempfile::tempdir().expect("a temporary folder");
        let url = match engine {
            Engine::Sqlite => format!("sqlite://{}", dir.path().join("haat.db").display()),
            Engine::Postgres => postgres_database(&clock).await,
        };
        let db = Db::open(&url).await.expect("the database opens");
        db.migrate(&clock).await.expect("the database migrates");
        Self { db, url, clock, random: Random::seeded(1), _dir: dir }
    }
}

/// Waits until `true_now` is, and fails when that takes too long.
pub async fn eventually(what: &str, mut true_now: impl AsyncFnMut() -> bool) {
    let wait = async {
        while !true_now().await {
            // Whatever is waited for needs the cores too.
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(20), wait).await;
    assert!(waited.is_ok(), "not within 20 s: {what}");
}

/// A fresh PostgreSQL database, copied from one that is migrated once per test program.
async fn postgres_database(clock: &Clock) -> String {
    static TEMPLATE: OnceCell<String> = OnceCell::const_new();
    static COUNT: AtomicU64 = AtomicU64::new(0);

    let server = std::env::var("HAAT_TEST_POSTGRES").unwrap_or_else(|_| {
        panic!("HAAT_TEST_POSTGRES is not set: use make test, or scripts/with-postgres cargo test")
    });
    let process = std::process::id();
    let create = async |name: String, template: &str| {
        let admin = Db::open(&format!("{server}/postgres")).await.expect("PostgreSQL answers");
        let sql = format!("create database {name} template {template}");
        admin.query(sql).execute().await.expect("PostgreSQL makes a database");
        admin.close().await;
        name
    };
    let template = TEMPLATE
        .get_or_init(async || {
            let name = create(format!("template_{process}"), "template0").await;
            let db = Db::open(&format!("{server}/{name}")).await.expect("the template opens");
            db.migrate(clock).await.expect("the template migrates");
            db.close().await;
            name
        })
        .await;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = create(format!("test_{process}_{count}"), template).await;
    format!("{server}/{name}")
}

#![expect(clippy::expect_used, clippy::panic, reason = "this is test code, behind a feature")]

//! A database of its own for every test, on both engines. `make test` starts a throw-away PostgreSQL
//! and names it in `HAAT_TEST_POSTGRES`; `scripts/with-postgres COMMAND` does the same by hand.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OnceCell, watch};

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

impl TestDb {
    /// For another server on the same database.
    pub async fn beside(&self) -> Self {
        let db = Db::open(&self.url).await.expect("the database opens");
        let (url, clock, random) = (self.url.clone(), self.clock.clone(), self.random.clone());
        Self { db, url, clock, random, _dir: tempfile::tempdir().expect("a temporary folder") }
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

/// A mail server on loopback that takes every letter, and can be told to be difficult.
pub struct PostOffice {
    pub port: u16,
    mood: watch::Sender<Mood>,
    taken: Arc<Mutex<Vec<String>>>,
    waiting: Arc<AtomicU64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    Open,
    /// Greets nobody.
    Closed,
    /// Takes letters and does not say so.
    Silent,
    /// Has taken in all of a letter, and then does not want it.
    Refusing,
    /// Breaks off when it has taken in all of a letter.
    Fainting,
}

impl PostOffice {
    pub async fn open(mood: Mood) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (mood, moods) = watch::channel(mood);
        let (taken, waiting) = (Arc::default(), Arc::default());
        let office = Self { port, mood, taken, waiting };
        let (taken, waiting) = (office.taken.clone(), office.waiting.clone());
        tokio::spawn(async move {
            while let Ok((line, _)) = listener.accept().await {
                let (moods, taken, waiting) = (moods.clone(), taken.clone(), waiting.clone());
                tokio::spawn(converse(line, moods, taken, waiting));
            }
        });
        office
    }

    pub fn is_now(&self, mood: Mood) {
        self.mood.send_replace(mood);
    }

    /// All letters, as often as they were taken.
    pub fn letters(&self) -> Vec<String> {
        self.taken.lock().expect("no panic").clone()
    }

    /// How many letters it has taken without saying so.
    pub fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::SeqCst)
    }
}

/// The value of a header in a letter.
pub fn header<'l>(letter: &'l str, name: &str) -> &'l str {
    let line = letter.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("no {name} in {letter}"))
}

async fn converse(
    line: TcpStream,
    mut mood: watch::Receiver<Mood>,
    taken: Arc<Mutex<Vec<String>>>,
    waiting: Arc<AtomicU64>,
) -> Option<()> {
    let mut line = BufReader::new(line);
    mood.wait_for(|mood| *mood != Mood::Closed).await.ok()?;
    line.write_all(b"220 post.example\r\n").await.ok()?;
    loop {
        let mut said = String::new();
        if line.read_line(&mut said).await.ok()? == 0 {
            return None;
        }
        let answer = match said.get(..4).unwrap_or_default() {
            "DATA" => {
                line.write_all(b"354 go on\r\n").await.ok()?;
                let mut letter = String::new();
                while !letter.ends_with("\r\n.\r\n") {
                    if line.read_line(&mut letter).await.ok()? == 0 {
                        return None; // Without its end it is no letter.
                    }
                }
                let now = *mood.borrow_and_update();
                if now == Mood::Fainting {
                    return None;
                }
                if now == Mood::Refusing {
                    "451 not now"
                } else {
                    taken.lock().expect("no panic").push(letter);
                    waiting.fetch_add(1, Ordering::SeqCst);
                    let go_on = mood.wait_for(|mood| *mood != Mood::Silent).await.map(drop);
                    waiting.fetch_sub(1, Ordering::SeqCst);
                    go_on.ok()?;
                    "250 taken"
                }
            }
            "QUIT" => return None,
            _ => "250 yes",
        };
        line.write_all(format!("{answer}\r\n").as_bytes()).await.ok()?;
    }
}

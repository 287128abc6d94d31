#![expect(clippy::expect_used, clippy::panic, reason = "this is test code")]

//! What tests share: a database of its own for every test, on both engines, a mail server, and waiting
//! for a condition. `make test` starts a throw-away PostgreSQL and names it in `HAAT_TEST_POSTGRES`;
//! `scripts/with-postgres COMMAND` does the same by hand.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OnceCell, watch};

use base::{Clock, Db, Random, Timestamp};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
                    super::$test(<$given>::new($crate::Engine::$engine).await).await;
                }
            )+
        }
    };
}

/// A shop's database, a clock that stands at a November morning, and dice that repeat.
pub struct TestDb {
    pub db: Db,
    pub url: String,
    pub clock: Clock,
    pub random: Random,
    _dir: TempDir,
}

impl TestDb {
    /// An empty shop's.
    pub async fn new(engine: Engine) -> Self {
        Self::filled(engine, "empty", async |_| {}).await
    }

    /// A copy of a template, which `fill` makes once per test program.
    pub async fn filled(
        engine: Engine,
        template: &'static str,
        fill: impl AsyncFnOnce(&Self),
    ) -> Self {
        static TEMPLATES: Mutex<Templates> = Mutex::new(BTreeMap::new());
        let made = {
            let mut templates = TEMPLATES.lock().expect("no panic");
            templates.entry((engine, template)).or_default().clone()
        };
        let template = made.get_or_init(|| Template::make(engine, template, fill)).await;
        let dir = tempfile::tempdir().expect("a temporary folder");
        Self::open(template.copy(dir.path()).await, dir, 1).await
    }

    /// For another server on the same database.
    pub async fn beside(&self) -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let other = Self::open(self.url.clone(), dir, 1).await;
        Self { clock: self.clock.clone(), random: self.random.clone(), ..other }
    }

    async fn open(url: String, dir: TempDir, seed: u64) -> Self {
        let clock = Clock::standing_at(Timestamp::parse("2026-11-15T09:00:00Z").expect("a moment"));
        let db = Db::open(&url).await.expect("the database opens");
        Self { db, url, clock, random: Random::seeded(seed), _dir: dir }
    }
}

type Templates = BTreeMap<(Engine, &'static str), Arc<OnceCell<Template>>>;

/// A migrated and filled database that copies are made from.
enum Template {
    Sqlite(Vec<u8>),
    Postgres(String),
}

impl Template {
    async fn make(engine: Engine, name: &str, fill: impl AsyncFnOnce(&TestDb)) -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let file = dir.path().join("template.db");
        let database = format!("template_{}_{name}", std::process::id());
        let url = match engine {
            Engine::Sqlite => sqlite_url(&file),
            Engine::Postgres => create_postgres_database(&database, "template0").await,
        };
        // Dice far from those of the tests, which would make the same ids again.
        let given = TestDb::open(url, dir, 1 << 40).await;
        given.db.migrate(&given.clock).await.expect("the database migrates");
        fill(&given).await;
        given.db.close().await;
        match engine {
            Engine::Sqlite => Self::Sqlite(std::fs::read(file).expect("the template is a file")),
            Engine::Postgres => Self::Postgres(database),
        }
    }

    /// Answers the copy's address.
    async fn copy(&self, dir: &Path) -> String {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        match self {
            Self::Sqlite(bytes) => {
                let file = dir.join("haat.db");
                std::fs::write(&file, bytes).expect("the template is copied");
                sqlite_url(&file)
            }
            Self::Postgres(template) => {
                let count = COUNT.fetch_add(1, Ordering::Relaxed);
                let name = format!("test_{}_{count}", std::process::id());
                create_postgres_database(&name, template).await
            }
        }
    }
}

fn sqlite_url(file: &Path) -> String {
    format!("sqlite://{}", file.display())
}

async fn create_postgres_database(name: &str, template: &str) -> String {
    let server = std::env::var("HAAT_TEST_POSTGRES").unwrap_or_else(|_| {
        panic!("HAAT_TEST_POSTGRES is not set: use make test, or scripts/with-postgres cargo test")
    });
    let admin = Db::open(&format!("{server}/postgres")).await.expect("PostgreSQL answers");
    let sql = format!("create database {name} template {template}");
    admin.query(sql).execute().await.expect("PostgreSQL makes a database");
    admin.close().await;
    format!("{server}/{name}")
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

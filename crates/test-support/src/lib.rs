#![expect(clippy::expect_used, clippy::panic, reason = "this is test code")]

//! Test helpers: a separate database for each test on SQLite and PostgreSQL, a fake mail server, and waiting
//! for a condition. `make test` starts a temporary PostgreSQL and sets `HAAT_TEST_POSTGRES`;
//! `scripts/with-postgres COMMAND` does the same for one command.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OnceCell, watch};

use platform::{Clock, Db, Random, Timestamp};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// Runs each of the tests on both databases. A test is an `async fn name(fixture: Fixture)`, and
/// `Fixture::new(engine).await` prepares it. A test that is not listed is an unused function.
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

/// A database with a fixed clock and reproducible randomness.
pub struct TestDb {
    pub db: Db,
    pub url: String,
    pub clock: Clock,
    pub random: Random,
    _dir: TempDir,
}

impl TestDb {
    /// With empty tables.
    pub async fn new(engine: Engine) -> Self {
        Self::from_template(engine, "empty", async |_| {}).await
    }

    /// A copy of a template, which `fill` creates once per test program.
    pub async fn from_template(
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

    /// A second connection to the same database, with the same clock.
    pub async fn second_connection(&self) -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let other = Self::open(self.url.clone(), dir, 1).await;
        Self { clock: self.clock.clone(), random: self.random.clone(), ..other }
    }

    async fn open(url: String, dir: TempDir, seed: u64) -> Self {
        let clock =
            Clock::fixed_at(Timestamp::parse("2026-11-15T09:00:00Z").expect("a valid timestamp"));
        let db = Db::open(&url).await.expect("the database opens");
        Self { db, url, clock, random: Random::seeded(seed), _dir: dir }
    }
}

type Templates = BTreeMap<(Engine, &'static str), Arc<OnceCell<Template>>>;

/// A migrated and filled database to copy.
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
        // Another seed than that of the tests, which would generate the same ids.
        let given = TestDb::open(url, dir, 1 << 40).await;
        given.db.migrate(&given.clock).await.expect("the database migrates");
        fill(&given).await;
        given.db.close().await;
        match engine {
            Engine::Sqlite => Self::Sqlite(std::fs::read(file).expect("the template is a file")),
            Engine::Postgres => Self::Postgres(database),
        }
    }

    /// Answers the copy's URL.
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

/// Long enough for a machine that is busy with something else, and for a job whose claim has to expire first.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// Waits until `condition` is true, and panics after `PATIENCE`.
pub async fn eventually(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let wait = async {
        while !condition().await {
            // Not a busy loop: the tested code needs the cores too.
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, wait).await;
    assert!(waited.is_ok(), "not within {PATIENCE:?}: {what}");
}

/// A fake SMTP server on loopback, which can be set to fail.
pub struct MailServer {
    pub port: u16,
    mode: watch::Sender<SmtpMode>,
    received: Arc<Mutex<Vec<String>>>,
    waiting: Arc<AtomicU64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmtpMode {
    Accept,
    /// Sends no greeting.
    NoGreeting,
    /// Accepts e-mails without replying.
    NoReply,
    /// Rejects an e-mail after it was received.
    Reject,
    /// Disconnects after an e-mail was received.
    Disconnect,
}

impl MailServer {
    pub async fn start(mode: SmtpMode) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (mode, modes) = watch::channel(mode);
        let (received, waiting) = (Arc::default(), Arc::default());
        let server = Self { port, mode, received, waiting };
        let (received, waiting) = (server.received.clone(), server.waiting.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (modes, received, waiting) = (modes.clone(), received.clone(), waiting.clone());
                tokio::spawn(serve_connection(stream, modes, received, waiting));
            }
        });
        server
    }

    pub fn set_mode(&self, mode: SmtpMode) {
        self.mode.send_replace(mode);
    }

    /// All received e-mails, including duplicates.
    pub fn emails(&self) -> Vec<String> {
        self.received.lock().expect("no panic").clone()
    }

    /// How many e-mails were received without a reply so far.
    pub fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::SeqCst)
    }
}

/// The value of a header of an e-mail.
pub fn email_header<'l>(email: &'l str, name: &str) -> &'l str {
    let line = email.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("no {name} in {email}"))
}

async fn serve_connection(
    stream: TcpStream,
    mut mode: watch::Receiver<SmtpMode>,
    received: Arc<Mutex<Vec<String>>>,
    waiting: Arc<AtomicU64>,
) -> Option<()> {
    let mut stream = BufReader::new(stream);
    mode.wait_for(|mode| *mode != SmtpMode::NoGreeting).await.ok()?;
    stream.write_all(b"220 post.example\r\n").await.ok()?;
    loop {
        let mut command = String::new();
        if stream.read_line(&mut command).await.ok()? == 0 {
            return None;
        }
        let answer = match command.get(..4).unwrap_or_default() {
            "DATA" => {
                stream.write_all(b"354 go on\r\n").await.ok()?;
                let mut email = String::new();
                while !email.ends_with("\r\n.\r\n") {
                    if stream.read_line(&mut email).await.ok()? == 0 {
                        return None; // The e-mail is incomplete.
                    }
                }
                let now = *mode.borrow_and_update();
                if now == SmtpMode::Disconnect {
                    return None;
                }
                if now == SmtpMode::Reject {
                    "451 rejected"
                } else {
                    received.lock().expect("no panic").push(email);
                    waiting.fetch_add(1, Ordering::SeqCst);
                    let proceed = mode.wait_for(|mode| *mode != SmtpMode::NoReply).await.map(drop);
                    waiting.fetch_sub(1, Ordering::SeqCst);
                    proceed.ok()?;
                    "250 accepted"
                }
            }
            "QUIT" => return None,
            _ => "250 ok",
        };
        stream.write_all(format!("{answer}\r\n").as_bytes()).await.ok()?;
    }
}

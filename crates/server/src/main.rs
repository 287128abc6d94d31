//! The command line: what a person types.

use std::error::Error;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use axum::body::Bytes;
use base::auth::Tokens;
use base::cache::Cache;
use base::config::{self, LogFormat, Settings, Shopfront};
use base::jobs::Worker;
use base::mail::{self, Mailer};
use base::revisions::Revisions;
use base::{Clock, Db, Random};
use clap::builder::BoolishValueParser;
use clap::{CommandFactory, Parser};
use identity::{Identity, Place};
use include_dir::{Dir, include_dir};
use server::app::{App, Parts};
use server::assets::Assets;
use server::dev;
use server::door::Door;
use server::listen;
use server::pages::IdentitySettings;
use server::ssr::{Limits, Renderer};
use shop::catalog::{self, Format, Import, demo};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;
use tracing_subscriber::EnvFilter;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

static STOREFRONT: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../web/dist");
static DEMO_PICTURES: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../demo/pictures");
const DEMO_CATALOG: &str = include_str!("../../../demo/catalog.json");

/// Haat: a whole online shop in one program.
#[derive(Parser)]
#[command(name = "haat", version)]
enum Command {
    /// Run the shop
    #[command(args_override_self = true)]
    Serve(Box<Serve>),
    /// Take in products and categories from a JSON or CSV file
    #[command(args_override_self = true)]
    Import {
        file: PathBuf,
        #[command(flatten)]
        settings: Settings,
    },
    /// Say whether the settings and the database are in order; changes nothing
    #[command(args_override_self = true)]
    Check(Box<Serve>),
}

#[derive(clap::Args)]
struct Serve {
    #[command(flatten)]
    settings: Settings,
    /// Where to listen; port 0 picks a free one
    #[arg(long, env = "HAAT_LISTEN", value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    listen: String,
    /// Where shoppers reach the shop, when that is not where it listens: https://shop.example
    #[arg(long, env = "HAAT_PUBLIC_URL", value_name = "URL", value_parser = origin)]
    public_url: Option<String>,
    /// Fill an empty shop with the demo catalogue
    #[arg(long, env = "HAAT_DEMO", value_parser = BoolishValueParser::new())]
    demo: bool,
    /// Memory for kept pages, in MiB
    #[arg(long, env = "HAAT_PAGE_CACHE", value_name = "MIB", default_value_t = 64)]
    page_cache: u64,
    /// Threads that render pages [default: one per core]
    #[arg(long, env = "HAAT_RENDER_THREADS", value_name = "N")]
    render_threads: Option<usize>,
    /// A built storefront to use instead of the one inside the program
    #[arg(long, env = "HAAT_WEB_DIR", value_name = "DIR")]
    web_dir: Option<PathBuf>,
    /// Behind a proxy: believe its X-Forwarded-For
    #[arg(long, env = "HAAT_TRUST_PROXY", value_parser = BoolishValueParser::new())]
    trust_proxy: bool,
    #[command(flatten)]
    front: Shopfront,
    #[command(flatten)]
    identity: identity::Settings,
    #[command(flatten)]
    mail: mail::Settings,
}

fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let plain = |host: &str| {
        !host.is_empty()
            && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte))
    };
    match host.map(|host| host.trim_end_matches('/')) {
        Some(host) if plain(host) => Ok(text.trim_end_matches('/').to_owned()),
        _ => Err("an address like https://shop.example, without a path".into()),
    }
}

fn main() -> ExitCode {
    let command = <Command as CommandFactory>::command();
    let args = match config::with_file(&command, std::env::args_os().collect(), std::env::vars_os())
    {
        Ok(args) => args,
        Err(why) => {
            eprintln!("haat: {why}");
            return ExitCode::from(2);
        }
    };
    let command = Command::parse_from(args);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(why) => {
            eprintln!("haat: {why}");
            return ExitCode::FAILURE;
        }
    };
    let outcome = runtime.block_on(async {
        match command {
            Command::Serve(options) => serve(*options).await,
            Command::Import { file, settings } => import(file, settings).await,
            Command::Check(options) => check(*options).await,
        }
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("haat: {why}");
            ExitCode::FAILURE
        }
    }
}

type Outcome = Result<(), Box<dyn Error>>;

fn log(settings: &Settings) -> Outcome {
    let filter = EnvFilter::try_new(&settings.log).map_err(|why| format!("log: {why}"))?;
    let logger = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    match settings.log_format {
        LogFormat::Text => logger.init(),
        LogFormat::Json => logger.json().flatten_event(true).init(),
    }
    Ok(())
}

/// The shop's database, made and brought up to date when need be.
async fn open(settings: &Settings, clock: &Clock) -> Result<Db, Box<dyn Error>> {
    if settings.on_sqlite() || settings.secret.is_none() {
        std::fs::create_dir_all(&settings.data_dir)
            .map_err(|why| format!("{}: {why}", settings.data_dir.display()))?;
    }
    let db = Db::open(&settings.database()).await.map_err(|why| format!("database: {why}"))?;
    db.migrate(clock).await.map_err(|why| format!("database: {why}"))?;
    Ok(db)
}

async fn serve(options: Serve) -> Outcome {
    log(&options.settings)?;
    let (clock, random) = (Clock::system(), Random::system());
    let db = open(&options.settings, &clock).await?;
    if options.demo
        && let Some(summary) = demo::open(&db, &clock, DEMO_CATALOG).await?
    {
        tracing::info!("the demo shop is filled: {}", summary.to_string().replace('\n', "; "));
    }
    let mut assets = match options.web_dir {
        Some(dir) => Assets::from_dir(&dir)?,
        None => Assets::new(files(&STOREFRONT))?,
    };
    for (name, bytes) in files(&DEMO_PICTURES) {
        assets.add(&format!("demo/{name}"), bytes);
    }
    let mut limits = Limits::default();
    limits.threads = options.render_threads.unwrap_or(limits.threads).max(1);
    let renderer = Renderer::start(std::mem::take(&mut assets.bundle), limits);

    let listen = &options.listen;
    let listener = TcpListener::bind(listen).await.map_err(|why| format!("{listen}: {why}"))?;
    let here = format!("http://{}", listener.local_addr()?);
    let origin = options.public_url.unwrap_or_else(|| here.clone());
    let secret = options.settings.secret(&random)?;
    let place = Place { origin: origin.clone(), shop_name: options.front.shop_name.clone() };
    let (id_db, id_clock, id_random) = (db.clone(), clock.clone(), random.clone());
    let identity =
        Identity::start(id_db, id_clock, id_random, &secret, options.identity, place).await?;
    let tokens = Tokens::new(
        clock.clone(),
        &secret,
        identity.issuer(),
        identity.audience(),
        identity.key_finder(),
    );

    let revisions = Revisions::start(&db).await?;
    let mailer = Mailer::new(&options.mail, options.demo, db.clone(), clock.clone())?;
    let letters_are_kept = matches!(mailer, Mailer::Keep(..));
    let worker = {
        let (db, clock) = (db.clone(), clock.clone());
        Worker::new(db.clone(), clock.clone(), random.clone())
            .on(catalog::SALE_TURNS, move |turn| {
                catalog::sale_turns(db.clone(), clock.clone(), turn)
            })
            .on(mail::SEND, move |posted| mailer.clone().send(posted))
    };
    let (app, routes) = App::build(Parts {
        db: db.clone(),
        random,
        revisions: revisions.clone(),
        cache: Cache::new(options.page_cache << 20, revisions.clone(), clock.clone()),
        clock,
        renderer,
        assets,
        front: options.front,
        sign_in: IdentitySettings::own(&identity, &origin),
        origin,
        jobs: worker.tally(),
        identity: identity.clone(),
        tokens,
    });
    let mut background = JoinSet::new();
    background.spawn(revisions.follow(db.clone()));
    background.spawn(worker.run());
    background.spawn(identity.keep_keys());

    let stop = stopped()?;
    println!("Haat is open at {here}");
    let routes = if letters_are_kept { routes.merge(dev::router(db.clone())) } else { routes };
    let door = Door::new(app, routes);
    let answer = move |request| door.clone().answer(request);
    listen::serve(listener, options.trust_proxy, answer, stop).await;
    background.shutdown().await;
    db.close().await;
    Ok(())
}

/// Listens for being asked to end from this call on, and resolves when that comes.
fn stopped() -> std::io::Result<impl Future<Output = ()>> {
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
    })
}

fn files(dir: &'static Dir) -> Vec<(String, Bytes)> {
    fn walk(dir: &'static Dir, found: &mut Vec<(String, Bytes)>) {
        for file in dir.files() {
            let path = file.path().to_string_lossy().into_owned();
            found.push((path, Bytes::from_static(file.contents())));
        }
        dir.dirs().for_each(|dir| walk(dir, found));
    }
    let mut found = Vec::new();
    walk(dir, &mut found);
    found
}

async fn import(file: PathBuf, settings: Settings) -> Outcome {
    log(&settings)?;
    let shown = file.display();
    let format = match file.extension().and_then(|ending| ending.to_str()) {
        Some("json") => Format::Json,
        Some("csv") => Format::Csv,
        _ => return Err(format!("{shown}: a file that ends in .json or .csv is wanted").into()),
    };
    let bytes = std::fs::read(&file).map_err(|why| format!("{shown}: {why}"))?;
    let text = String::from_utf8(bytes).map_err(|why| {
        let line =
            why.as_bytes()[..why.utf8_error().valid_up_to()].iter().filter(|byte| **byte == b'\n');
        format!("{shown}: line {}: not UTF-8", line.count() + 1)
    })?;
    let rows = Import::parse(&text, format).map_err(|why| format!("{shown}: {why}"))?;
    let clock = Clock::system();
    let db = open(&settings, &clock).await?;
    let done = catalog::import(&db, &clock, &rows).await;
    println!("{}", done.map_err(|why| format!("{shown}: {why}"))?);
    db.close().await;
    Ok(())
}

async fn check(options: Serve) -> Outcome {
    let settings = options.settings;
    log(&settings)?;
    println!("settings: good");
    if settings.on_sqlite() && !settings.file().exists() {
        println!("database: none yet; haat serve makes it");
        return Ok(());
    }
    let db = Db::open(&settings.database()).await.map_err(|why| format!("database: {why}"))?;
    match db.behind().await? {
        0 => {
            let products = catalog::total(&db, &catalog::Filter::default()).await?;
            println!("database: good, with {products} products");
        }
        behind => println!("database: {behind} migrations behind; haat serve brings it up to date"),
    }
    match &options.mail.smtp_host {
        Some(host) => println!("mail: by {host}"),
        None if options.demo => println!("mail: kept at /dev/mail"),
        None => println!("mail: no server is set up, so no letter goes out (smtp_host)"),
    }
    db.close().await;
    Ok(())
}

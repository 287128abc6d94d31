//! The command line: what a person types. Each command is a file; what several of them ask for is here.

#![warn(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what is printed may have been typed by strangers: cli::print escapes it"
)]

#[macro_use]
mod print;

mod check;
mod content;
mod credit;
mod demo_products;
mod export;
mod identity;
mod import;
mod orders;
mod reindex;
mod reviews;
mod serve;
mod service_account;

use std::error::Error;
use std::io::IsTerminal;
use std::process::ExitCode;

use ::identity::social;
use base::config::{self, LogFormat, Retention, Settings, Shopfront};
use base::{Clock, Db, data_dir, mail, sms};
use clap::builder::BoolishValueParser;
use clap::{CommandFactory, Parser};
use rustix::fs::Mode;
use server::host::Hosts;
use server::listen;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use print::print_error;

/// Haat: a whole online shop in one program.
#[derive(Parser)]
#[command(name = "haat", version)]
enum Command {
    /// Run the shop
    #[command(args_override_self = true)]
    Serve(Box<serve::Serve>),
    /// Run the identity service alone, or an emulator of Google's for tests
    #[command(args_override_self = true)]
    Identity(Box<identity::Alone>),
    /// Take in products and categories from a JSON or CSV file
    #[command(args_override_self = true)]
    Import(Box<import::Import>),
    /// Write the search index anew, on every server of the database
    #[command(args_override_self = true)]
    Reindex(Box<reindex::Reindex>),
    /// Fill the shop with very many products, to try its size
    #[command(args_override_self = true)]
    DemoProducts(Box<demo_products::DemoProducts>),
    /// Take out who wants the shop's letter
    #[command(args_override_self = true)]
    Subscribers(Box<export::Subscribers>),
    /// Take out what visitors wrote by the contact form
    #[command(args_override_self = true)]
    Messages(Box<export::Messages>),
    /// See what was bought, and go on with it
    #[command(args_override_self = true)]
    Orders(Box<orders::Orders>),
    /// See what buyers wrote, and say what is shown of it
    #[command(args_override_self = true)]
    Reviews(Box<reviews::Reviews>),
    /// See customers' store credit, and give some
    #[command(args_override_self = true)]
    Credit(Box<credit::Credit>),
    /// Let a program act as an admin of the identity service
    #[command(args_override_self = true)]
    ServiceAccount(Box<service_account::ServiceAccount>),
    /// Say whether the settings and the database are in order; changes nothing
    #[command(args_override_self = true)]
    Check(Box<serve::Serve>),
}

/// What everything that listens asks for.
#[derive(clap::Args)]
struct Place {
    #[command(flatten)]
    settings: Settings,
    /// Where to listen; port 0 picks a free one
    #[arg(long, env = "HAAT_LISTEN", value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    listen: String,
    /// Where shoppers reach the shop, when that is not where it listens: https://shop.example
    #[arg(long, env = "HAAT_PUBLIC_URL", value_name = "URL", value_parser = server::origin)]
    public_url: Option<String>,
    /// Further host names under which a demo or the emulator answers, such as a container's, separated by
    /// commas
    #[arg(long, env = "HAAT_ALLOWED_HOSTS", value_name = "HOST", value_delimiter = ',')]
    allowed_hosts: Vec<String>,
    /// Fill an empty shop with the demo catalogue
    #[arg(long, env = "HAAT_DEMO", value_parser = BoolishValueParser::new())]
    demo: bool,
    #[command(flatten)]
    listening: listen::Settings,
    #[command(flatten)]
    front: Shopfront,
    #[command(flatten)]
    identity: ::identity::Settings,
    #[command(flatten)]
    social: social::Settings,
    #[command(flatten)]
    mail: mail::Settings,
    #[command(flatten)]
    sms: sms::Settings,
    #[command(flatten)]
    media: media::settings::Settings,
    #[command(flatten)]
    retention: Retention,
}

impl Place {
    /// The names under which the program answers where it shows more than a shop does.
    fn hosts(&self, origin: &str) -> Hosts {
        Hosts::new(origin, &self.listen, &self.allowed_hosts)
    }

    /// With what follows from other settings, where nothing was set.
    fn completed(mut self) -> Result<Self, String> {
        if self.demo {
            self.front = self.front.of_demo();
        }
        let Shopfront { shop_name, email, .. } = &self.front;
        if self.mail.mail_from.is_none() && !email.is_empty() {
            self.mail.mail_from = Some(mail::mailbox(shop_name, email)?);
        }
        Ok(self)
    }
}

pub fn main() -> ExitCode {
    let command = <Command as CommandFactory>::command();
    let args = match config::with_file(&command, std::env::args_os().collect(), std::env::vars_os())
    {
        Ok(args) => args,
        Err(why) => {
            print_error(&format!("haat: {why}"));
            return ExitCode::from(2);
        }
    };
    let command = Command::parse_from(args);
    // Whatever a command writes is for the user who runs it.
    rustix::process::umask(Mode::from_raw_mode(0o077));
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(why) => {
            print_error(&format!("haat: {why}"));
            return ExitCode::FAILURE;
        }
    };
    let outcome = runtime.block_on(async {
        match command {
            Command::Serve(options) => serve::serve(*options).await,
            Command::Identity(options) => identity::alone(*options).await,
            Command::Import(options) => import::import(*options).await,
            Command::Reindex(options) => reindex::reindex(*options).await,
            Command::DemoProducts(options) => demo_products::fill(*options).await,
            Command::Subscribers(options) => export::subscribers(*options).await,
            Command::Messages(options) => export::messages(*options).await,
            Command::Orders(options) => orders::run(*options).await,
            Command::Reviews(options) => reviews::run(*options).await,
            Command::Credit(options) => credit::run(*options).await,
            Command::ServiceAccount(options) => service_account::run(*options).await,
            Command::Check(options) => check::check(*options).await,
        }
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            print_error(&format!("haat: {why}"));
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
    data_dir::make_private(&settings.data_dir);
    let db = Db::open(&settings.database()).await.map_err(|why| format!("database: {why}"))?;
    db.migrate(clock).await.map_err(|why| format!("database: {why}"))?;
    Ok(db)
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

//! The command line interface (CLI): each command is a file; options of several commands are here.

#![warn(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "printed text may come from visitors: cli::print escapes it"
)]

#[macro_use]
mod print;

mod check;
mod content;
mod credit;
mod delivery;
mod demo_payments;
mod demo_products;
mod export;
mod export_catalog;
mod gift_cards;
mod groups;
mod identity;
mod import;
mod invoices;
mod jobs;
mod orders;
mod payments;
mod promotions;
mod reindex;
mod reviews;
mod serve;
mod served_settings;
mod service_account;
mod stock;
mod taxes;

use std::error::Error;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use ::identity::{AccountRetention, SocialSettings};
use clap::builder::BoolishValueParser;
use clap::{CommandFactory, FromArgMatches, Parser};
use email::sms;
use http_server::AllowedHosts;
use platform::config::{self, LogFormat, Settings};
use platform::exchange::CurrencySettings;
use platform::language::LanguageSettings;
use platform::{Clock, Db, Languages, Random, data_dir};
use rustix::fs::Mode;
use serde::de::DeserializeOwned;
use shop::settings::{Retention, ShopProfile, duration_of_days};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use print::print_error;

/// Haat: an online shop in one program.
#[derive(Parser)]
#[command(name = "haat", version)]
enum Command {
    /// Run the shop
    Serve(Box<serve::Serve>),
    /// Run the identity service without the shop, or a replacement for Google's auth emulator
    Identity(Box<identity::IdentityServer>),
    /// Import products and categories from a JSON or CSV file
    Import(Box<import::ImportCommand>),
    /// Export products and categories to a JSON or CSV file, as haat import reads it
    Export(Box<export_catalog::ExportCommand>),
    /// Rebuild the search index, on every server of the database
    Reindex(Box<Settings>),
    /// Add many generated products, to test the shop's performance
    DemoProducts(Box<demo_products::DemoProductsCommand>),
    /// Export newsletter subscribers as CSV or JSON
    Subscribers(Box<export::SubscribersCommand>),
    /// Export messages from the contact form as CSV or JSON
    Messages(Box<export::ExportOptions>),
    /// List products of which few are left; show, set and adjust the stock of a product
    Stock(Box<stock::StockCommand>),
    /// List and process orders
    Orders(Box<orders::OrdersCommand>),
    /// List payments, ask their providers, refund, compare the books
    Payments(Box<payments::PaymentsCommand>),
    /// List the issued invoices and credit notes with their tax, for the accountant
    Invoices(Box<invoices::InvoicesCommand>),
    /// List and moderate reviews
    Reviews(Box<reviews::ReviewsCommand>),
    /// Create, list and end promotions: discounts, automatic or by a code
    Promotions(Box<promotions::PromotionsCommand>),
    /// List the groups of customers for whom there are promotions, and change who is in them
    Groups(Box<groups::GroupsCommand>),
    /// Show and change the delivery zones: places with their methods and prices
    Delivery(Box<delivery::DeliveryCommand>),
    /// Show and change the tax rates, and who is exempt from tax
    Taxes(Box<taxes::TaxesCommand>),
    /// Show and grant customers' store credit
    Credit(Box<credit::CreditCommand>),
    /// Issue, list and change gift cards, and import those of another shop system
    GiftCards(Box<gift_cards::GiftCardsCommand>),
    /// List background jobs, such as e-mails to send, and retry or discard those that failed
    Jobs(Box<jobs::JobsCommand>),
    /// Manage service accounts: programs that may use the identity service's admin API
    ServiceAccount(Box<service_account::ServiceAccountCommand>),
    /// Check the settings, the content and the database; changes nothing
    Check(Box<serve::Serve>),
}

/// The options of both servers: the shop and the identity service.
#[derive(clap::Args)]
struct ServerOptions {
    #[command(flatten)]
    settings: Settings,
    /// The address to listen on; port 0 picks a free one
    #[arg(long, env = "HAAT_LISTEN", value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    listen: String,
    /// The shop's public URL, if it differs from the listen address: https://shop.example
    #[arg(long, env = "HAAT_PUBLIC_URL", value_name = "URL", value_parser = server::origin)]
    public_url: Option<String>,
    /// Host names at which a demo or the emulator may be reached, such as a container's, separated by commas;
    /// besides localhost, IP addresses, and the hosts of listen and public_url
    #[arg(long, env = "HAAT_ALLOWED_HOSTS", value_name = "HOST", value_delimiter = ',')]
    allowed_hosts: Vec<String>,
    /// Run the demo shop: fill an empty shop with the demo catalogue and, without a mail server, show e-mails at
    /// /dev/mail
    #[arg(long, env = "HAAT_DEMO", value_parser = BoolishValueParser::new())]
    demo: bool,
    #[command(flatten)]
    http: http_server::HttpSettings,
    #[command(flatten)]
    languages: LanguageSettings,
    #[command(flatten)]
    currencies: CurrencySettings,
    #[command(flatten)]
    front: ShopProfile,
    #[command(flatten)]
    identity: ::identity::ProjectSettings,
    #[command(flatten)]
    social: SocialSettings,
    #[command(flatten)]
    mail: email::MailSettings,
    #[command(flatten)]
    sms: sms::SmsSettings,
    #[command(flatten)]
    media: media::settings::MediaSettings,
    #[command(flatten)]
    retention: Retention,
}

impl ServerOptions {
    fn allowed_hosts(&self, origin: &str) -> AllowedHosts {
        AllowedHosts::new(origin, &self.listen, &self.allowed_hosts)
    }

    fn languages(&self) -> Result<Languages, String> {
        self.languages.languages(self.demo)
    }

    fn account_retention(&self) -> AccountRetention {
        AccountRetention {
            security_events: duration_of_days(self.retention.keep_events),
            unused_sessions: duration_of_days(self.retention.keep_sign_ins),
        }
    }

    /// With defaults that depend on other settings.
    fn with_defaults(mut self) -> Result<Self, String> {
        if self.demo {
            self.front = self.front.with_demo_defaults();
        }
        let ShopProfile { shop_name, email, .. } = &self.front;
        if self.mail.mail_from.is_none() && !email.is_empty() {
            self.mail.mail_from = Some(email::mailbox(shop_name, email)?);
        }
        Ok(self)
    }
}

pub fn main() -> ExitCode {
    // Lines of the settings file come before the arguments, which override them.
    let command = <Command as CommandFactory>::command()
        .mut_subcommands(|command| command.args_override_self(true));
    let args = std::env::args_os().collect();
    let args = match config::merge_settings_file(&command, args, std::env::vars_os()) {
        Ok(args) => args,
        Err(why) => {
            print_error(&format!("haat: {why}"));
            return ExitCode::from(2);
        }
    };
    let command = Command::from_arg_matches(&command.get_matches_from(args));
    match run(command.unwrap_or_else(|why| why.exit())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            print_error(&format!("haat: {why}"));
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> CommandResult {
    // Files that a command writes are readable only by the user who runs it.
    rustix::process::umask(Mode::from_raw_mode(0o077));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match command {
            Command::Serve(options) => serve::serve(*options).await,
            Command::Identity(options) => identity::serve(*options).await,
            Command::Import(options) => import::import(*options).await,
            Command::Export(options) => export_catalog::export(*options).await,
            Command::Reindex(settings) => reindex::reindex(*settings).await,
            Command::DemoProducts(options) => demo_products::fill(*options).await,
            Command::Subscribers(options) => export::subscribers(*options).await,
            Command::Messages(options) => export::messages(*options).await,
            Command::Stock(options) => stock::run(*options).await,
            Command::Orders(options) => orders::run(*options).await,
            Command::Payments(options) => payments::run(*options).await,
            Command::Invoices(options) => invoices::run(*options).await,
            Command::Reviews(options) => reviews::run(*options).await,
            Command::Promotions(options) => promotions::run(*options).await,
            Command::Groups(options) => groups::run(*options).await,
            Command::Delivery(options) => delivery::run(*options).await,
            Command::Taxes(options) => taxes::run(*options).await,
            Command::Credit(options) => credit::run(*options).await,
            Command::GiftCards(options) => gift_cards::run(*options).await,
            Command::Jobs(options) => jobs::run(*options).await,
            Command::ServiceAccount(options) => service_account::run(*options).await,
            Command::Check(options) => check::check(*options).await,
        }
    })
}

type CommandResult = Result<(), Box<dyn Error>>;

fn init_logging(settings: &Settings) -> CommandResult {
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

const MAX_JSON_BYTES: u64 = 32 << 20;

/// Reads a file of an import; the error has its name.
fn read_json_file<T: DeserializeOwned>(file: &Path) -> Result<T, String> {
    let at = |why: String| format!("{}: {why}", file.display());
    let size = std::fs::metadata(file).map_err(|why| at(why.to_string()))?.len();
    if size > MAX_JSON_BYTES {
        return Err(at(format!("larger than {} MB", MAX_JSON_BYTES >> 20)));
    }
    let text = std::fs::read_to_string(file).map_err(|why| at(why.to_string()))?;
    serde_json::from_str(&text).map_err(|why| at(why.to_string()))
}

/// Starts logging, and opens the shop's database; creates and migrates it where necessary.
async fn open_db(settings: &Settings) -> Result<(Db, Clock, Random), Box<dyn Error>> {
    init_logging(settings)?;
    let (clock, random) = (Clock::system(), Random::system());
    if settings.uses_sqlite() || settings.secret.is_none() {
        std::fs::create_dir_all(&settings.data_dir)
            .map_err(|why| format!("{}: {why}", settings.data_dir.display()))?;
    }
    data_dir::make_private(&settings.data_dir);
    let db = Db::open(&settings.database()).await.map_err(|why| format!("database: {why}"))?;
    db.migrate(&clock).await.map_err(|why| format!("database: {why}"))?;
    Ok((db, clock, random))
}

/// The same for commands that need a shop: a wrong data directory is an error, and no new shop.
async fn open_existing_db(settings: &Settings) -> Result<(Db, Clock, Random), Box<dyn Error>> {
    if let Some(file) = settings.sqlite_file().filter(|file| !file.exists()) {
        let file = file.display();
        let why = format!(
            "there is no shop: {file} does not exist; set --data-dir to the shop's data directory"
        );
        return Err(why.into());
    }
    open_db(settings).await
}

/// Resolves on SIGTERM or SIGINT; signals count from this call on.
fn shutdown_signal() -> std::io::Result<impl Future<Output = ()>> {
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_a_help_text_and_every_setting_is_in_the_readme() {
        let readme = include_str!("../../../../README.md");
        for command in Command::command().get_subcommands() {
            for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
                let (command, name) = (command.get_name(), arg.get_id().as_str());
                let values = arg.get_possible_values();
                let explained = values.iter().any(|value| value.get_help().is_some());
                assert!(arg.get_help().is_some() || explained, "haat {command}: {name}");
                let listed = arg.get_env().is_none() || readme.contains(&format!("`{name}`"));
                assert!(listed, "{name} is not in the README");
            }
        }
    }
}

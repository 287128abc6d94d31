//! Configuration: every command-line option is also an environment variable `HAAT_…` and a key in
//! `haat.toml`. Flags override variables, which override the file, which overrides the defaults. The clap
//! structs are the only list of settings (decision 006).

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgAction, Command};

use crate::secret::Secret;
use crate::{EmailAddress, ExchangeRate, Random};

pub const FILE: &str = "haat.toml";
const PREFIX: &str = "HAAT_";
/// Variables with this prefix are for the test suite.
const TEST_PREFIX: &str = "HAAT_TEST_";

#[derive(Clone, Debug, clap::Args)]
#[group(id = "settings")]
pub struct Settings {
    /// The settings file [default: haat.toml, if it exists]
    #[arg(long, env = "HAAT_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The directory of the shop's files: database, pictures, search index, secret
    #[arg(long, env = "HAAT_DATA_DIR", value_name = "DIR", default_value = "./data")]
    pub data_dir: PathBuf,
    /// postgres://… instead of the SQLite file in the data directory
    #[arg(long, env = "HAAT_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// The secret that all keys are derived from, at least 32 characters; the same on every server of one
    /// database [default: generated at the first start and stored in the data directory]
    #[arg(long, env = "HAAT_SECRET", value_name = "TEXT", hide_env_values = true)]
    pub secret: Option<String>,
    /// The minimum log level: error, warn, info, debug, or a filter like info,sqlx=debug
    #[arg(long, env = "HAAT_LOG", default_value = "info")]
    pub log: String,
    /// text for people, json for programs
    #[arg(long, env = "HAAT_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

impl Settings {
    pub fn secret(&self, random: &Random) -> Result<Secret, String> {
        match &self.secret {
            Some(text) => Secret::new(text),
            None => Secret::load_or_create(&self.data_dir, random),
        }
    }

    pub fn database(&self) -> String {
        match &self.database_url {
            Some(url) if !url.is_empty() => url.clone(),
            _ => format!("sqlite://{}", self.sqlite_file().display()),
        }
    }

    pub fn uses_sqlite(&self) -> bool {
        self.database().starts_with("sqlite://")
    }

    pub fn sqlite_file(&self) -> PathBuf {
        self.data_dir.join("haat.db")
    }
}

/// How long personal data is stored. Older data is deleted automatically, and the privacy page states
/// these periods.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Data retention")]
#[group(id = "retention")]
pub struct Retention {
    /// Messages from the contact form
    #[arg(long, env = "HAAT_KEEP_MESSAGES", value_name = "DAYS", default_value_t = 365, value_parser = days())]
    pub keep_messages: u32,
    /// Unconfirmed newsletter subscriptions
    #[arg(long, env = "HAAT_KEEP_UNCONFIRMED", value_name = "DAYS", default_value_t = 7, value_parser = days())]
    pub keep_unconfirmed: u32,
    /// Personal data of orders: name, e-mail address, phone number, address
    #[arg(long, env = "HAAT_KEEP_ORDERS", value_name = "YEARS", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(1..=100))]
    pub keep_orders: u32,
    /// Security events of accounts
    #[arg(long, env = "HAAT_KEEP_EVENTS", value_name = "DAYS", default_value_t = 400, value_parser = days())]
    pub keep_events: u32,
    /// Unused sessions
    #[arg(long, env = "HAAT_KEEP_SIGN_INS", value_name = "DAYS", default_value_t = 400, value_parser = days())]
    pub keep_sign_ins: u32,
    /// E-mails that could not be sent, and those that a demo shop stores
    #[arg(long, env = "HAAT_KEEP_LETTERS", value_name = "DAYS", default_value_t = 30, value_parser = days())]
    pub keep_letters: u32,
}

fn days() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=36_500)
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            keep_messages: 365,
            keep_unconfirmed: 7,
            keep_orders: 6,
            keep_events: 400,
            keep_sign_ins: 400,
            keep_letters: 30,
        }
    }
}

impl Retention {
    pub const NAMES: [&str; 6] =
        ["messages", "unconfirmed", "orders", "events", "sign_ins", "letters"];

    fn days(&self, name: &str) -> Option<u32> {
        Some(match name {
            "messages" => self.keep_messages,
            "unconfirmed" => self.keep_unconfirmed,
            "orders" => self.keep_orders * 365,
            "events" => self.keep_events,
            "sign_ins" => self.keep_sign_ins,
            "letters" => self.keep_letters,
            _ => return None,
        })
    }

    /// A period in words: "12 months".
    pub fn describe(&self, name: &str) -> Option<String> {
        Some(match self.days(name)? {
            1 => "one day".into(),
            365 => "12 months".into(),
            days if days % 365 == 0 => format!("{} years", days / 365),
            days => format!("{days} days"),
        })
    }
}

pub fn duration_of_days(days: u32) -> Duration {
    Duration::from_secs(u64::from(days) * 24 * 3600)
}

/// The shop's name and contact details. Empty ones are left out of pages, e-mails and invoices.
#[derive(Clone, Debug, clap::Args)]
pub struct ShopProfile {
    /// The shop's name
    #[arg(long, env = "HAAT_SHOP_NAME", default_value = DEFAULT_NAME, help_heading = "The shop")]
    pub shop_name: String,
    /// A description of the shop in one sentence
    #[arg(
        long,
        env = "HAAT_TAGLINE",
        default_value = "",
        hide_default_value = true,
        help_heading = "The shop"
    )]
    pub tagline: String,
    /// The phone number for customers
    #[arg(
        long,
        env = "HAAT_PHONE",
        default_value = "",
        hide_default_value = true,
        help_heading = "The shop"
    )]
    pub phone: String,
    /// The e-mail address for customers, which also receives the contact form's messages
    #[arg(
        long,
        env = "HAAT_EMAIL",
        default_value = "",
        hide_default_value = true,
        value_parser = address_or_none,
        help_heading = "The shop"
    )]
    pub email: String,
    /// The shop's postal address, for invoices and pages
    #[arg(
        long,
        env = "HAAT_ADDRESS",
        default_value = "",
        hide_default_value = true,
        help_heading = "The shop"
    )]
    pub address: String,
    /// Taka per US dollar, for shoppers who choose BDT
    #[arg(long, env = "HAAT_BDT_RATE", default_value = "120.5", help_heading = "The shop")]
    pub bdt_rate: ExchangeRate,
}

const DEFAULT_NAME: &str = "My shop";

fn address_or_none(text: &str) -> Result<String, String> {
    match text {
        "" => Ok(String::new()),
        text => text.parse::<EmailAddress>().map(String::from).map_err(|why| why.to_string()),
    }
}

impl ShopProfile {
    /// Fills unset details with those of the demo shop.
    pub fn with_demo_defaults(mut self) -> Self {
        let fill = |setting: &mut String, unset: &str, demo: &str| {
            if setting == unset {
                *setting = demo.to_owned();
            }
        };
        fill(&mut self.shop_name, DEFAULT_NAME, "Haat");
        fill(&mut self.tagline, "", "Good things for the everyday, subcommand with care.");
        fill(&mut self.phone, "", "+880 1700 000 000");
        fill(&mut self.email, "", "hello@haat.example");
        fill(&mut self.address, "", "12 Market Lane, Dhaka 1207, Bangladesh");
        self
    }

    /// The tagline, or the name where there is none.
    pub fn description(&self) -> &str {
        if self.tagline.is_empty() { &self.shop_name } else { &self.tagline }
    }

    /// The names of the settings that are not set.
    pub fn unset(&self) -> Vec<&'static str> {
        let settings = [
            ("shop_name", self.shop_name == DEFAULT_NAME),
            ("tagline", self.tagline.is_empty()),
            ("phone", self.phone.is_empty()),
            ("email", self.email.is_empty()),
            ("address", self.address.is_empty()),
        ];
        settings.into_iter().filter(|(_, unset)| *unset).map(|(name, _)| name).collect()
    }
}

/// Inserts the settings file's lines before the arguments, so that clap parses both together. Unknown keys
/// and variables are errors.
pub fn merge_settings_file(
    command: &Command,
    args: Vec<OsString>,
    env: impl Iterator<Item = (OsString, OsString)>,
) -> Result<Vec<OsString>, String> {
    let env: Vec<(String, OsString)> = env
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .filter(|(name, _)| name.starts_with(PREFIX) && !name.starts_with(TEST_PREFIX))
        .collect();
    let known: Vec<&clap::Arg> =
        command.get_subcommands().flat_map(Command::get_arguments).collect();
    for (name, _) in &env {
        if !known.iter().any(|arg| arg.get_env() == Some(OsStr::new(name))) {
            return Err(format!("{name}: unknown setting; see haat serve --help"));
        }
    }
    let Some(subcommand) = args.get(1).and_then(|name| command.find_subcommand(name)) else {
        return Ok(args);
    };
    let Some(path) = settings_file(&args, &env) else { return Ok(args) };
    let lines = read_settings(&path, &known)?;

    let mut merged: Vec<OsString> = args[..2].to_vec();
    for (key, value) in lines {
        let Some(arg) = subcommand.get_arguments().find(|arg| arg.get_long() == Some(&key)) else {
            continue; // a setting of another command
        };
        let in_env = env.iter().any(|(name, _)| arg.get_env() == Some(OsStr::new(name)));
        if in_env {
            continue;
        }
        match (arg.get_action(), value.as_str()) {
            (ArgAction::SetTrue, "true") => merged.push(format!("--{key}").into()),
            (ArgAction::SetTrue, "false") => {}
            (ArgAction::SetTrue, _) => {
                return Err(format!("{}: {key} is true or false", path.display()));
            }
            _ => merged.push(format!("--{key}={value}").into()),
        }
    }
    merged.extend_from_slice(&args[2..]);
    Ok(merged)
}

fn settings_file(args: &[OsString], env: &[(String, OsString)]) -> Option<PathBuf> {
    let flag = args.iter().enumerate().find_map(|(index, arg)| {
        let arg = arg.to_str()?;
        match arg.strip_prefix("--config=") {
            Some(path) => Some(path.into()),
            None if arg == "--config" => args.get(index + 1).map(PathBuf::from),
            None => None,
        }
    });
    let variable =
        || env.iter().find(|(name, _)| name == "HAAT_CONFIG").map(|(_, path)| path.into());
    let default = || Path::new(FILE).exists().then(|| FILE.into());
    flag.or_else(variable).or_else(default)
}

fn read_settings(file: &Path, known: &[&clap::Arg]) -> Result<Vec<(String, String)>, String> {
    let path = file.display();
    let text = std::fs::read_to_string(file).map_err(|why| format!("{path}: {why}"))?;
    let table: toml::Table = text.parse().map_err(|why| format!("{path}: {why}"))?;
    let mut lines = Vec::new();
    for (key, value) in table {
        let long = key.replace('_', "-");
        if long == "config" || !known.iter().any(|arg| arg.get_long() == Some(&long)) {
            return Err(format!("{path}: {key}: unknown setting; see haat serve --help"));
        }
        let value = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Float(number) => number.to_string(),
            toml::Value::Boolean(choice) => choice.to_string(),
            _ => {
                return Err(format!("{path}: {key}: a text, a number, true or false is required"));
            }
        };
        lines.push((long, value));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    #[command(args_override_self = true)]
    enum Program {
        #[command(args_override_self = true)]
        Serve {
            #[command(flatten)]
            settings: Settings,
            #[arg(long, env = "HAAT_TEST_DEMO_OF_THIS_TEST")]
            demo: bool,
        },
    }

    fn parse(file: &str, args: &[&str], env: &[(&str, &str)]) -> Result<Settings, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("haat.toml");
        std::fs::write(&path, file).unwrap();
        let mut all: Vec<OsString> = vec!["haat".into(), "serve".into()];
        all.extend(["--config".into(), path.into_os_string()]);
        all.extend(args.iter().map(OsString::from));
        let env = env.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let command = <Program as clap::CommandFactory>::command();
        let merged = merge_settings_file(&command, all, env)?;
        let Program::Serve { settings, .. } =
            Program::try_parse_from(merged).map_err(|why| why.to_string())?;
        Ok(settings)
    }

    #[test]
    fn retention_defaults_are_described_in_words_and_match_the_command_line() {
        #[derive(clap::Parser)]
        struct Alone {
            #[command(flatten)]
            retention: Retention,
        }
        let parsed = Alone::try_parse_from(["haat"]).unwrap().retention;
        let described =
            |retention: &Retention| Retention::NAMES.map(|name| retention.describe(name).unwrap());
        assert_eq!(described(&parsed), described(&Retention::default()));
        let wanted = ["12 months", "7 days", "6 years", "400 days", "400 days", "30 days"];
        assert_eq!(described(&parsed), wanted);
        for bad in ["0", "-1", "36501", "x"] {
            assert!(Alone::try_parse_from(["haat", "--keep-messages", bad]).is_err(), "{bad}");
        }
    }

    #[test]
    fn flags_override_the_file() {
        let file = "log = \"warn\"\ndata_dir = \"/srv/haat\"\ndemo = true";
        assert_eq!(parse(file, &[], &[]).unwrap().log, "warn");
        assert_eq!(parse(file, &["--log", "debug"], &[]).unwrap().log, "debug");
        assert_eq!(parse(file, &["--log=debug"], &[]).unwrap().data_dir, Path::new("/srv/haat"));
    }

    #[test]
    fn environment_variables_override_the_file() {
        // clap reads the variable itself; here the file's line is only left out.
        assert_eq!(parse("log = \"warn\"", &[], &[("HAAT_LOG", "x")]).unwrap().log, "info");
    }

    #[test]
    fn errors_name_unknown_and_malformed_settings() {
        for (file, env, named) in [
            ("lisen = \"x\"", None, "lisen"),
            ("", Some(("HAAT_LISEN", "x")), "HAAT_LISEN"),
            ("log = [1]", None, "log"),
            ("demo = \"maybe\"", None, "demo"),
            ("log = ", None, "haat.toml"),
            ("log_format = \"xml\"", None, "xml"),
        ] {
            let why = parse(file, &[], env.as_slice()).unwrap_err();
            assert!(why.contains(named), "{why}");
        }
    }
}

//! Configuration: every command-line option is also an environment variable `HAAT_…` and a key in
//! `haat.toml`. Flags override variables, which override the file, which overrides the defaults. The clap
//! structs are the only list of settings (decision 006).

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{ArgAction, Command};

use crate::Random;
use crate::secret::Secret;

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
    /// A PostgreSQL database, postgres://user@host/name, instead of the SQLite file in the data directory
    #[arg(long, env = "HAAT_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// The secret that all keys are derived from, at least 32 characters; the same on every server of one
    /// database [default: generated at the first start and stored in the data directory]
    #[arg(long, env = "HAAT_SECRET", value_name = "TEXT", hide_env_values = true)]
    pub secret: Option<String>,
    /// The minimum log level: error, warn, info, debug, or a filter like info,sqlx=debug
    #[arg(long, env = "HAAT_LOG", default_value = "info")]
    pub log: String,
    /// The format of the log: text for people, json for programs
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
            _ => format!("sqlite://{}", self.data_dir.join("haat.db").display()),
        }
    }

    pub fn uses_sqlite(&self) -> bool {
        self.database().starts_with("sqlite://")
    }

    /// The file of an SQLite database.
    pub fn sqlite_file(&self) -> Option<PathBuf> {
        self.database().strip_prefix("sqlite://").map(PathBuf::from)
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
                return Err(format!("{}: {key}: true or false is required", path.display()));
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

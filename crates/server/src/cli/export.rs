//! `haat subscribers` and `haat messages`: export newsletter subscribers and contact messages.

use std::sync::Arc;

use platform::Timestamp;
use platform::config::Settings;
use serde::Serialize;
use serde_json::Value;
use shop::newsletter::Newsletter;
use shop::settings::duration_of_days;

use super::print::print_text;
use super::served_settings::{EmailOptions, EmailSender};
use super::{CommandResult, open_existing_db};

#[derive(clap::Args)]
pub struct SubscribersCommand {
    #[command(flatten)]
    export: ExportOptions,
    #[command(flatten)]
    email: EmailOptions,
}

#[derive(clap::Args)]
pub struct ExportOptions {
    /// The format of the output
    #[arg(long, value_enum, default_value_t = ExportFormat::Csv)]
    format: ExportFormat,
    /// Export only entries from this day on, such as 2026-11-01 (UTC)
    #[arg(long, value_name = "DAY", value_parser = day)]
    since: Option<Timestamp>,
    /// Export only entries up to the end of this day (UTC)
    #[arg(long, value_name = "DAY", value_parser = day)]
    until: Option<Timestamp>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ExportFormat {
    Csv,
    Json,
}

pub fn day(text: &str) -> Result<Timestamp, String> {
    let whole = text.len() == 10;
    let day = whole.then(|| Timestamp::parse(&format!("{text}T00:00:00Z"))).flatten();
    day.ok_or_else(|| "expected a day like 2026-11-30".into())
}

impl ExportOptions {
    /// The exported range, without its end.
    fn range(&self) -> (Timestamp, Timestamp) {
        let after = |day: Timestamp| day.plus(duration_of_days(1));
        (self.since.unwrap_or(Timestamp(0)), self.until.map_or(Timestamp(i64::MAX), after))
    }

    fn print<R: Serialize>(&self, names: &[&str], rows: &[R]) -> CommandResult {
        match self.format {
            ExportFormat::Json => print_line!("{}", serde_json::to_string_pretty(rows)?),
            ExportFormat::Csv => print_text(&csv(names, rows)?),
        }
        Ok(())
    }
}

/// CSV with a header. Visitors wrote the texts, so a cell that a spreadsheet would run as a formula is quoted with an
/// apostrophe (CSV injection).
pub fn csv<R: Serialize>(names: &[&str], rows: &[R]) -> Result<String, Box<dyn std::error::Error>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(names)?;
    for row in rows {
        let row = serde_json::to_value(row)?;
        let cells = names.iter().map(|name| match &row[*name] {
            Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t']) => {
                format!("'{text}")
            }
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        writer.write_record(cells)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

pub async fn subscribers(options: SubscribersCommand) -> CommandResult {
    let SubscribersCommand { export, email } = options;
    let (db, clock, random) = open_existing_db(&export.settings).await?;
    let EmailSender { profiles, origin, .. } = email.sender(&db).await?;
    let newsletter = Newsletter {
        db: db.clone(),
        secret: export.settings.secret(&random)?,
        clock,
        random,
        profiles,
        origin: origin.unwrap_or_default(),
        retention: Arc::default(),
    };
    let (from, to) = export.range();
    export.print(
        &["email", "confirmed", "language", "leave"],
        &newsletter.confirmed_subscribers(from, to).await?,
    )?;
    db.close().await;
    Ok(())
}

pub async fn messages(export: ExportOptions) -> CommandResult {
    let (db, ..) = open_existing_db(&export.settings).await?;
    let (from, to) = export.range();
    let found = shop::contact_messages::list(&db, from, to).await?;
    export.print(&["at", "name", "email", "message"], &found)?;
    db.close().await;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn formulas_are_escaped_in_csv() {
        let rows =
            [json!({ "a": "=1+1", "b": "two, \"three\"\nfour" }), json!({ "a": "x", "b": "" })];
        let text = csv(&["a", "b"], &rows).unwrap();
        assert_eq!(text, "a,b\n'=1+1,\"two, \"\"three\"\"\nfour\"\nx,\n");
    }

    #[test]
    fn only_whole_days_are_accepted() {
        assert_eq!(day("1970-01-02").unwrap(), Timestamp(86_400_000));
        for wrong in ["", "today", "2026-13-01", "2026-1-1", "2026-01-01T00:00:00Z"] {
            assert!(day(wrong).is_err(), "{wrong}");
        }
    }
}

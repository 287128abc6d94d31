//! `haat subscribers` and `haat messages`: what visitors sent by the shop's forms, for other programs.

use base::config::{Retention, Settings, Shopfront};
use base::{Clock, Random, Timestamp};
use serde::Serialize;
use serde_json::Value;
use shop::newsletter::Newsletter;

use super::print::print_text;
use super::{Outcome, log, open};

#[derive(clap::Args)]
pub struct Subscribers {
    #[command(flatten)]
    export: Export,
    /// Where shoppers reach the shop, for the link by which a reader leaves
    #[arg(long, env = "HAAT_PUBLIC_URL", value_name = "URL", value_parser = server::origin)]
    public_url: Option<String>,
    #[command(flatten)]
    front: Shopfront,
}

#[derive(clap::Args)]
pub struct Messages {
    #[command(flatten)]
    export: Export,
}

#[derive(clap::Args)]
struct Export {
    #[arg(long, value_enum, default_value_t = Form::Csv)]
    format: Form,
    /// From this day on (2026-11-30, by the clock of Greenwich)
    #[arg(long, value_name = "DAY", value_parser = day)]
    since: Option<Timestamp>,
    /// Until this day, which is the last
    #[arg(long, value_name = "DAY", value_parser = day)]
    until: Option<Timestamp>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Csv,
    Json,
}

fn day(text: &str) -> Result<Timestamp, String> {
    let whole = text.len() == 10;
    let day = whole.then(|| Timestamp::parse(&format!("{text}T00:00:00Z"))).flatten();
    day.ok_or_else(|| "a day like 2026-11-30".into())
}

impl Export {
    /// From a moment to another.
    fn span(&self) -> (Timestamp, Timestamp) {
        let after = |day: Timestamp| day.plus(base::config::in_days(1));
        (self.since.unwrap_or(Timestamp(0)), self.until.map_or(Timestamp(i64::MAX), after))
    }

    fn print<R: Serialize>(&self, names: &[&str], rows: &[R]) -> Outcome {
        match self.format {
            Form::Json => print_line!("{}", serde_json::to_string_pretty(rows)?),
            Form::Csv => print_text(&csv(names, rows)?),
        }
        Ok(())
    }
}

/// In lines, with the names first. What a spreadsheet would take for a formula gets a mark before it, which
/// makes it a text: strangers wrote this.
fn csv<R: Serialize>(names: &[&str], rows: &[R]) -> Result<String, Box<dyn std::error::Error>> {
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

pub async fn subscribers(options: Subscribers) -> Outcome {
    let Subscribers { export, public_url, front } = options;
    log(&export.settings)?;
    let (clock, random) = (Clock::system(), Random::system());
    let db = open(&export.settings, &clock).await?;
    let newsletter = Newsletter {
        db: db.clone(),
        secret: export.settings.secret(&random)?,
        clock,
        random,
        shop_name: front.shop_name,
        origin: public_url.unwrap_or_default(),
        kept: Retention::default(),
    };
    let (from, to) = export.span();
    export.print(&["email", "confirmed", "leave"], &newsletter.readers(from, to).await?)?;
    db.close().await;
    Ok(())
}

pub async fn messages(Messages { export }: Messages) -> Outcome {
    log(&export.settings)?;
    let db = open(&export.settings, &Clock::system()).await?;
    let (from, to) = export.span();
    let found = shop::messages::list(&db, from, to).await?;
    export.print(&["at", "name", "email", "message"], &found)?;
    db.close().await;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_spreadsheet_finds_texts_and_no_formulas() {
        let rows =
            [json!({ "a": "=1+1", "b": "two, \"three\"\nfour" }), json!({ "a": "x", "b": "" })];
        let text = csv(&["a", "b"], &rows).unwrap();
        assert_eq!(text, "a,b\n'=1+1,\"two, \"\"three\"\"\nfour\"\nx,\n");
    }

    #[test]
    fn a_day_is_a_day() {
        assert_eq!(day("1970-01-02").unwrap(), Timestamp(86_400_000));
        for wrong in ["", "today", "2026-13-01", "2026-1-1", "2026-01-01T00:00:00Z"] {
            assert!(day(wrong).is_err(), "{wrong}");
        }
    }
}

//! `haat stock`: shows and changes the stock of variants.

use platform::config::Settings;
use shop::catalog::{self, LowStock, StockEntry, StockTarget};

use super::print::{Align, format_table, print_value};
use super::{CommandResult, open_existing_db};

#[derive(clap::Args)]
pub struct StockCommand {
    action: StockAction,
    /// The id or the SKU of a variant; a product's id means its default variant
    variant: Option<String>,
    /// With set: the units that were counted; with adjust: the units that came in, or, below 0, are gone
    #[arg(allow_negative_numbers = true)]
    units: Option<i64>,
    /// With set and adjust: the reason, for the history
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    reason: String,
    /// With low: list what has at most this many units left, where it has no limit of its own
    #[arg(long, value_name = "UNITS", default_value_t = 5)]
    most: i64,
    /// The maximum number of lines to list
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum StockAction {
    /// List what is sold and has few units left
    Low,
    /// List the changes of a variant's stock, newest first
    History,
    /// Set the stock to what was counted
    Set,
    /// Add units that came in, or remove units that are gone
    Adjust,
}

const ACTOR: &str = "command line";
const MAX_REASON_CHARS: usize = 200;

pub async fn run(options: StockCommand) -> CommandResult {
    let StockCommand { action, variant, units, reason, most, limit, json, settings } = options;
    let required = || units.ok_or("the number of units is required: see haat stock --help");
    let target = match action {
        StockAction::Low | StockAction::History if units.is_some() => {
            return Err("units are only for haat stock set and haat stock adjust".into());
        }
        StockAction::Low | StockAction::History => None,
        StockAction::Set => Some(StockTarget::Set(required()?)),
        StockAction::Adjust => Some(StockTarget::Adjust(required()?)),
    };
    let reason = reason.trim();
    if reason.chars().count() > MAX_REASON_CHARS || reason.contains(char::is_control) {
        let why = format!("--reason takes at most {MAX_REASON_CHARS} characters in one line");
        return Err(why.into());
    }
    let (db, clock, random) = open_existing_db(&settings).await?;
    if let StockAction::Low = action {
        if variant.is_some() {
            return Err("haat stock low lists all variants; --most sets the limit".into());
        }
        let low = catalog::low_stock(&db, most, limit.into()).await?;
        print_value(&low, json, |low| format_low_stock(low))?;
        db.close().await;
        return Ok(());
    }
    let named = variant.ok_or("an id or an SKU is required: see haat stock --help")?;
    let variant = catalog::find_variant(&db, &named).await?;
    let variant = variant.ok_or_else(|| format!("there is no product or variant {named}"))?;
    if let Some(target) = target {
        let journal = (&clock, &random);
        catalog::change_stock(&db, journal, &variant, target, reason, ACTOR).await?;
    }
    let history = catalog::stock_history(&db, &variant, limit.into()).await?;
    let history = history.ok_or_else(|| format!("there is no variant {variant}"))?;
    print_value(&history, json, |history| format_history(history))?;
    db.close().await;
    Ok(())
}

fn format_low_stock(low: &[LowStock]) -> String {
    let row = |LowStock { id, sku, name, options, qtn }: &LowStock| {
        [qtn.to_string(), id.to_string(), sku.clone(), options.title(name)]
    };
    let columns = [Align::Right, Align::Left, Align::Left, Align::Left];
    format_table(columns, &low.iter().map(row).collect::<Vec<_>>())
}

fn format_history(history: &[StockEntry]) -> String {
    let row = |entry: &StockEntry| {
        let StockEntry { kind, change, stock, number, reason, actor, created_at, .. } = entry;
        let cause = [number.as_deref().unwrap_or_default(), actor, reason];
        let cause: Vec<&str> = cause.into_iter().filter(|text| !text.is_empty()).collect();
        let (at, kind) = (created_at.to_string(), kind.to_string());
        [at, kind, format!("{change:+}"), stock.to_string(), cause.join(", ")]
    };
    let columns = [Align::Left, Align::Left, Align::Right, Align::Right, Align::Left];
    format_table(columns, &history.iter().map(row).collect::<Vec<_>>())
}

//! `haat stock`: shows and changes the stock of a product.

use platform::config::Settings;
use shop::catalog::{self, ProductId, StockEntry, StockTarget};

use super::print::{Align, format_table, print_value};
use super::{CommandResult, open_existing_db};

#[derive(clap::Args)]
pub struct StockCommand {
    action: StockAction,
    /// The product's id
    product: ProductId,
    /// With set: the units that were counted; with adjust: the units that came in, or, below 0, are gone
    #[arg(allow_negative_numbers = true)]
    units: Option<i64>,
    /// With set and adjust: the reason, for the history
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    reason: String,
    /// The maximum number of changes to list, newest first
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
    /// List the changes of a product's stock
    History,
    /// Set the stock to what was counted
    Set,
    /// Add units that came in, or remove units that are gone
    Adjust,
}

const ACTOR: &str = "command line";
const MAX_REASON_CHARS: usize = 200;

pub async fn run(options: StockCommand) -> CommandResult {
    let StockCommand { action, product, units, reason, limit, json, settings } = options;
    let units = || units.ok_or("the number of units is required: see haat stock --help");
    let target = match action {
        StockAction::History => None,
        StockAction::Set => Some(StockTarget::Set(units()?)),
        StockAction::Adjust => Some(StockTarget::Adjust(units()?)),
    };
    let reason = reason.trim();
    if reason.chars().count() > MAX_REASON_CHARS || reason.contains(char::is_control) {
        let why = format!("--reason takes at most {MAX_REASON_CHARS} characters in one line");
        return Err(why.into());
    }
    let (db, clock, random) = open_existing_db(&settings).await?;
    if let Some(target) = target {
        let by = (reason, ACTOR);
        catalog::change_stock(&db, (&clock, &random), &product, target, by).await?;
    }
    let history = catalog::stock_history(&db, &product, limit.into()).await?;
    let history = history.ok_or_else(|| format!("there is no product {product}"))?;
    print_value(&history, json, |history| format_history(history))?;
    db.close().await;
    Ok(())
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

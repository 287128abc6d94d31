//! `haat invoices`: the journal of issued invoices and credit notes, for the accountant.

use std::collections::BTreeSet;

use platform::config::Settings;
use platform::{Money, Timestamp};
use serde_json::{Map, Value, json};
use shop::order_subscribers::order_store;
use shop::orders::{
    InvoiceSettings, JournalEntry, OrderEmailSender, OrderEmails, PayLinks, RateSum,
};
use shop::settings::duration_of_days;

use super::export::{csv, day};
use super::print::{Align, format_table, print_text, print_value};
use super::served_settings::{EmailOptions, EmailSender, time_zone};
use super::{CommandResult, open_existing_db};

#[derive(clap::Args)]
pub struct InvoicesCommand {
    action: InvoiceAction,
    /// List only documents issued from this day on, such as 2026-11-01, in the shop's time zone
    #[arg(long, value_name = "DAY", value_parser = day)]
    from: Option<Timestamp>,
    /// List only documents issued up to the end of this day
    #[arg(long, value_name = "DAY", value_parser = day)]
    until: Option<Timestamp>,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    email: EmailOptions,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum InvoiceAction {
    /// List invoices and credit notes, the oldest first: date, number, order, net amount, tax, total
    List,
}

pub async fn run(options: InvoicesCommand) -> CommandResult {
    let InvoicesCommand { action: InvoiceAction::List, from, until, json, .. } = options;
    if from.zip(until).is_some_and(|(from, until)| until < from) {
        return Err("--until is before --from".into());
    }
    let (db, clock, random) = open_existing_db(&options.settings).await?;
    let zone = time_zone(&db).await?;
    let EmailSender { profiles, origin, .. } = options.email.sender(&db).await?;
    let (order_emails, sms_limits) = (OrderEmails::None, None);
    let sender = OrderEmailSender { profiles, origin, order_emails, sms_limits };
    let pay_links = PayLinks::none();
    let invoices = InvoiceSettings::default();
    let orders = order_store(db.clone(), clock, random, sender, invoices, pay_links);
    let from = from.map_or(Timestamp(0), |day| zone.start_of(day));
    let after = |day: Timestamp| zone.start_of(day.plus(duration_of_days(1)));
    let journal = orders.journal(from, until.map_or(Timestamp(i64::MAX), after)).await?;
    match options.csv {
        true => print_text(&format_csv(&journal)?),
        false => print_value(&journal, json, |journal| format_journal(journal))?,
    }
    db.close().await;
    Ok(())
}

fn format_journal(journal: &[JournalEntry]) -> String {
    let row = |entry: &JournalEntry| {
        let rates = entry.rates.iter().map(|RateSum { tax_name, rate, net, tax }| {
            format!("{tax_name} {rate}: {tax} of {net}")
        });
        let notes: Vec<String> = match entry.invoice.as_str() {
            "" => rates.collect(),
            invoice => [format!("for {invoice}")].into_iter().chain(rates).collect(),
        };
        [
            entry.date.clone(),
            entry.number.clone(),
            entry.order.to_string(),
            entry.net.to_string(),
            entry.tax.to_string(),
            entry.total.to_string(),
            notes.join(", "),
        ]
    };
    let columns = [
        Align::Left,
        Align::Left,
        Align::Left,
        Align::Right,
        Align::Right,
        Align::Right,
        Align::Left,
    ];
    format_table(columns, &journal.iter().map(row).collect::<Vec<_>>())
}

/// A document in each row, and two columns for each rate of the journal.
fn format_csv(journal: &[JournalEntry]) -> Result<String, Box<dyn std::error::Error>> {
    let rates = journal.iter().flat_map(|entry| &entry.rates).map(|sum| sum.rate.as_str());
    let rates: BTreeSet<&str> = rates.collect();
    let of_rates = rates.iter().flat_map(|rate| [format!("net {rate}"), format!("tax {rate}")]);
    let of_rates: Vec<String> = of_rates.collect();
    let before = ["date", "kind", "number", "invoice", "order", "currency", "net", "tax", "total"];
    let after = ["baseCurrency", "baseNet", "baseTax", "baseTotal", "issuedAt"];
    let names = before.into_iter().chain(of_rates.iter().map(String::as_str)).chain(after);
    let names: Vec<&str> = names.collect();
    let row = |entry: &JournalEntry| -> Result<Map<String, Value>, serde_json::Error> {
        let Value::Object(mut row) = serde_json::to_value(entry)? else { return Ok(Map::new()) };
        for name in &of_rates {
            row.insert(name.clone(), json!(""));
        }
        for rate in &rates {
            let of_rate = entry.rates.iter().filter(|sum| sum.rate == **rate);
            let (nets, taxes) =
                of_rate.map(|sum| (sum.net, sum.tax)).unzip::<_, _, Vec<_>, Vec<_>>();
            if !nets.is_empty() {
                row.insert(
                    format!("net {rate}"),
                    json!(Money::sum(nets.into_iter(), entry.currency)),
                );
                row.insert(
                    format!("tax {rate}"),
                    json!(Money::sum(taxes.into_iter(), entry.currency)),
                );
            }
        }
        Ok(row)
    };
    let rows: Vec<_> = journal.iter().map(row).collect::<Result<_, _>>()?;
    csv(&names, &rows)
}

//! `haat payments`: lists payments, asks their providers, refunds, compares the books, and shows alerts.

use std::error::Error;
use std::time::Duration;

use payment_providers::PaymentSettings;
use platform::config::Settings;
use platform::{Amount, Id, PageRequest, Timestamp};
use serde_json::{Value, json};
use shop::order_subscribers::order_store;
use shop::orders::{InvoiceSettings, OrderEmailSender, OrderEmails, OrderNumber, PayLinks};
use shop::payments::alerts::{self, PaymentAlert};
use shop::payments::{
    EventSource, Gateways, Payment, PaymentEvent, PaymentFilter, PaymentProvider, PaymentState,
    PaymentStore, Recorder,
};
use shop::settings::duration_of_days;
use shop::settlement::{BookComparison, Settlement};

use super::export::day;
use super::print::{Align, format_table, print_value};
use super::served_settings::{EmailOptions, EmailSender, shop_secret};
use super::{CommandResult, open_existing_db};

#[derive(clap::Args)]
pub struct PaymentsCommand {
    action: PaymentAction,
    /// The id of a payment, or the number of an order; with resolve the id of an alert
    name: Option<String>,
    /// With list: only payments in this state, such as captured
    #[arg(long)]
    state: Option<PaymentState>,
    /// With list: only payments of this kind, such as card
    #[arg(long)]
    provider: Option<PaymentProvider>,
    /// With refund: the amount, in the currency of the order [default: all that is left]
    #[arg(long, value_name = "AMOUNT")]
    amount: Option<Amount>,
    /// With reconcile: the day to compare, such as 2026-11-18, in UTC [default: yesterday]
    #[arg(long, value_name = "DAY", value_parser = day)]
    day: Option<Timestamp>,
    /// With alerts: also those that are resolved
    #[arg(long)]
    all: bool,
    /// With list and alerts: the maximum number, newest first
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    payments: PaymentSettings,
    #[command(flatten)]
    email: EmailOptions,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum PaymentAction {
    /// List the newest payments
    List,
    /// Show a payment, or those of an order, with what has happened to it
    Show,
    /// Ask the provider about a payment, and record what is new
    Sync,
    /// Pay back what is captured, or a part of it; the running shop sends it to the provider
    Refund,
    /// Compare a day's payments with the books of the providers
    Reconcile,
    /// List what a person has to look at: refused refunds, disputes, differences
    Alerts,
    /// Mark an alert as dealt with
    Resolve,
}

type Outcome<T> = Result<T, Box<dyn Error>>;

pub async fn run(options: PaymentsCommand) -> CommandResult {
    check_options(&options)?;
    let PaymentsCommand { action, name, json, limit, email, .. } = &options;
    let (db, clock, random) = open_existing_db(&options.settings).await?;
    let secret = shop_secret(&options.settings, &db, &random).await?;
    let gateways = Gateways::new(options.payments.gateways(&db, &clock, &secret)?);
    let EmailSender { profiles, origin, invoices, .. } = email.clone().sender(&db).await?;
    let (order_emails, sms_limits) = (OrderEmails::None, None);
    let sender = OrderEmailSender {
        profiles: profiles.clone(),
        origin: origin.clone(),
        order_emails,
        sms_limits,
    };
    let invoices = InvoiceSettings::default().with_defaults(invoices);
    let (store_db, store_clock) = (db.clone(), clock.clone());
    let pay_links = PayLinks::none();
    let orders = order_store(store_db, store_clock, random.clone(), sender, invoices, pay_links);
    let store = PaymentStore { db: db.clone(), clock: clock.clone(), random };
    let settlement = Settlement {
        recorder: Recorder { store, gateways },
        // Commands open no payments, so they hold nothing.
        hold: Duration::ZERO,
        orders,
        profiles,
        origin: origin.unwrap_or_default(),
        reserve: false,
    };
    let named = || {
        let what = "an id or an order's number is required: see haat payments --help";
        name.as_deref().ok_or(what)
    };
    match action {
        PaymentAction::List => {
            let filter = PaymentFilter { state: options.state, provider: options.provider };
            let page = PageRequest::first((*limit).into());
            let found = settlement.recorder.store.list(filter, &page).await?.items;
            let values: Vec<Value> = found.iter().map(payment_json).collect();
            print_value(&values, *json, |_| format_payments(&found))?;
        }
        PaymentAction::Show => show(&settlement, named()?, *json).await?,
        PaymentAction::Sync => {
            for payment in find(&settlement, named()?).await? {
                if payment.provider.gateway().is_none() {
                    continue;
                }
                if settlement.recorder.gateways.of(payment.provider).is_none() {
                    return Err(not_configured(&payment).into());
                }
                let settled = settlement.settle(&payment.id, EventSource::Staff).await;
                settled.map_err(|why| why.message())?;
            }
            show(&settlement, named()?, *json).await?;
        }
        PaymentAction::Refund => {
            let payment = one(find(&settlement, named()?).await?)?;
            let currency = payment.amount.currency();
            let amount = options.amount.map(|amount| amount.named("--amount", currency));
            let amount = amount.transpose()?;
            let refunded = settlement.refund(&payment.id, amount).await;
            let refunded = refunded.map_err(|why| why.message())?;
            if !json {
                print_line!("{refunded} is paid back: the running shop tells the provider");
            }
            show(&settlement, payment.id.as_str(), *json).await?;
        }
        PaymentAction::Reconcile => {
            if settlement.recorder.gateways.iter().next().is_none() {
                return Err("no payment provider is set up: give the settings of haat serve".into());
            }
            let from = options.day.unwrap_or_else(|| yesterday(clock.now()));
            let until = from.plus(duration_of_days(1));
            let compared = settlement.compare_books(from, until).await;
            let compared = compared.map_err(|why| why.message())?;
            print_value(&compared, *json, format_comparison)?;
            if !compared.differences.is_empty() {
                return Err("the books differ: see haat payments alerts".into());
            }
        }
        PaymentAction::Alerts => {
            let found = alerts::list(&db, options.all, (*limit).into()).await?;
            print_value(&found, *json, |found| format_alerts(found))?;
        }
        PaymentAction::Resolve => {
            let id = named()?.parse().map_err(|_| "that is not the id of an alert")?;
            if !alerts::resolve(&db, &id, clock.now()).await? {
                return Err("there is no open alert with this id".into());
            }
            print_line!("resolved");
        }
    }
    db.close().await;
    Ok(())
}

fn yesterday(now: Timestamp) -> Timestamp {
    let day = duration_of_days(1);
    let millis = i64::try_from(day.as_millis()).unwrap_or(1);
    Timestamp(now.0 - now.0.rem_euclid(millis)).minus(day)
}

fn check_options(options: &PaymentsCommand) -> Result<(), &'static str> {
    let PaymentsCommand { action, state, provider, amount, day, all, .. } = options;
    if *action != PaymentAction::List && (state.is_some() || provider.is_some()) {
        return Err("--state and --provider are only for haat payments list");
    }
    if *action != PaymentAction::Refund && amount.is_some() {
        return Err("--amount is only for haat payments refund");
    }
    if *action != PaymentAction::Reconcile && day.is_some() {
        return Err("--day is only for haat payments reconcile");
    }
    if *action != PaymentAction::Alerts && *all {
        return Err("--all is only for haat payments alerts");
    }
    Ok(())
}

/// The payment with this id, or those of the order with this number.
async fn find(settlement: &Settlement, named: &str) -> Outcome<Vec<Payment>> {
    if let Ok(number) = named.parse::<OrderNumber>()
        && let Some((order, _)) = settlement.orders.by_number(&number).await?
    {
        return Ok(settlement.recorder.store.of_order(&order.id).await?);
    }
    let found = match named.parse::<Id<Payment>>() {
        Ok(id) => settlement.recorder.store.find(&id).await?,
        Err(_) => None,
    };
    Ok(vec![found.ok_or("there is no payment with this id, and no order with this number")?])
}

/// The payment of which something is left to refund, where an order has several.
fn one(mut payments: Vec<Payment>) -> Result<Payment, &'static str> {
    if payments.len() > 1 {
        payments.retain(|payment| payment.kept().is_positive());
    }
    match payments.len() {
        1 => payments.pop().ok_or("there is no payment"),
        0 => Err("nothing of this order is captured"),
        _ => Err("this order has several payments: name one by its id (haat payments show)"),
    }
}

fn not_configured(payment: &Payment) -> String {
    let title = payment.provider.gateway().map_or("its provider", |kind| kind.title());
    format!("{title} is not set up here: give the settings of haat serve")
}

async fn show(settlement: &Settlement, named: &str, json: bool) -> CommandResult {
    let payments = find(settlement, named).await?;
    let mut shown = Vec::with_capacity(payments.len());
    for payment in &payments {
        let events = settlement.recorder.store.events(payment).await?;
        let calls = settlement.recorder.calls(&payment.id).await?;
        let calls: Vec<Value> = calls
            .iter()
            .map(|call| {
                let amount = call.amount.of(payment.amount.currency());
                json!({ "verb": call.verb, "amount": amount, "state": call.state, "code": call.code,
                        "createdAt": call.created_at })
            })
            .collect();
        shown.push((payment, events, calls));
    }
    let values: Vec<Value> = shown
        .iter()
        .map(|(payment, events, calls)| {
            let mut value = payment_json(payment);
            value["events"] = json!(events);
            value["calls"] = json!(calls);
            value
        })
        .collect();
    print_value(&values, json, |_| {
        let texts = shown.iter().map(|(payment, events, calls)| {
            format!(
                "{}{}{}",
                format_payments(std::slice::from_ref(*payment)),
                format_events(events),
                format_calls(calls)
            )
        });
        texts.collect::<Vec<_>>().join("\n")
    })
}

fn payment_json(payment: &Payment) -> Value {
    json!({
        "_id": payment.id, "order": payment.order, "provider": payment.provider, "state": payment.state,
        "currency": payment.amount.currency(), "amount": payment.amount, "authorised": payment.authorised,
        "captured": payment.captured, "refunded": payment.refunded, "disputed": payment.disputed,
        "reference": payment.reference, "createdAt": payment.created_at, "changedAt": payment.changed_at,
    })
}

fn format_payments(payments: &[Payment]) -> String {
    let row = |payment: &Payment| {
        let disputed = if payment.disputed { " disputed" } else { "" };
        let back = match payment.refunded.is_zero() {
            true => String::new(),
            false => format!("−{}", payment.refunded),
        };
        [
            payment.id.to_string(),
            payment.provider.title().to_owned(),
            format!("{}{disputed}", payment.state),
            payment.amount.to_string(),
            back,
            payment.created_at.to_string(),
            payment.reference.clone(),
        ]
    };
    let [left, right] = [Align::Left, Align::Right];
    let rows: Vec<_> = payments.iter().map(row).collect();
    format_table([left, left, left, right, right, left, left], &rows)
}

fn format_events(events: &[PaymentEvent]) -> String {
    let row = |event: &PaymentEvent| {
        let PaymentEvent { kind, amount, reference, code, source, at } = event;
        let what = if code.is_empty() { kind.to_string() } else { format!("{kind} ({code})") };
        [format!("  {at}"), what, amount.to_string(), source.to_string(), reference.clone()]
    };
    let [left, right] = [Align::Left, Align::Right];
    format_table([left, left, right, left, left], &events.iter().map(row).collect::<Vec<_>>())
}

fn format_calls(calls: &[Value]) -> String {
    let text = |call: &Value, name: &str| call[name].as_str().unwrap_or_default().to_owned();
    let row = |call: &Value| {
        let what = format!("call: {}", text(call, "verb"));
        [
            format!("  {}", text(call, "createdAt")),
            what,
            call["amount"].to_string(),
            text(call, "state"),
            text(call, "code"),
        ]
    };
    let [left, right] = [Align::Left, Align::Right];
    format_table([left, left, right, left, left], &calls.iter().map(row).collect::<Vec<_>>())
}

fn format_comparison(compared: &BookComparison) -> String {
    let BookComparison { payments, charges, unanswered, differences } = compared;
    let count = differences.len();
    let mut text = format!(
        "{payments} payments and {charges} charges compared, {unanswered} without an answer, {count} differences\n"
    );
    for one in differences {
        text += &format!("{} {}: {}\n", one.gateway, one.payment, one.detail);
    }
    text
}

fn format_alerts(alerts: &[PaymentAlert]) -> String {
    let row = |alert: &PaymentAlert| {
        let payment = alert.payment_id.as_ref().map_or_else(String::new, ToString::to_string);
        let state = if alert.resolved_at.is_some() { "resolved" } else { "open" };
        let (id, kind) = (alert.id.to_string(), alert.kind.to_string());
        [
            id,
            state.to_owned(),
            alert.raised_at.to_string(),
            kind,
            alert.gateway.clone(),
            payment,
            alert.detail.clone(),
        ]
    };
    format_table([Align::Left; 7], &alerts.iter().map(row).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yesterday_is_the_whole_day_before() {
        let now = Timestamp::parse("2026-11-19T13:45:00Z").unwrap();
        assert_eq!(yesterday(now), Timestamp::parse("2026-11-18T00:00:00Z").unwrap());
    }
}

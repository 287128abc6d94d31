//! `haat credit`: the shopkeeper's hand on customers' store credit.

use base::config::Settings;
use base::{Clock, Db, Money, Random};
use shop::credit::{self, StoreCredit};
use shop::customers::Customer;

use super::print::print_text;
use super::{Outcome, log, open};

#[derive(clap::Args)]
pub struct Credit {
    action: Action,
    /// The customer's e-mail address, where it is confirmed, or the account's id
    customer: String,
    /// How much to give, in US dollars
    amount: Option<Money>,
    /// Why it is given, as the customer reads it
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// For programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Action {
    /// Show what a customer has, and how it came about
    List,
    /// Give a customer an amount, for a reason
    Grant,
}

const LONGEST_REASON: usize = 200;

pub async fn run(options: Credit) -> Outcome {
    let Credit { action, customer, amount, reason, json, settings } = options;
    log(&settings)?;
    let (clock, random) = (Clock::system(), Random::system());
    let db = open(&settings, &clock).await?;
    let Customer { id, email, .. } = whom(&db, &customer).await?;
    if let Action::Grant = action {
        let amount = amount.filter(|amount| *amount > Money::ZERO);
        let amount = amount.ok_or("an amount is wanted: see haat credit --help")?;
        let reason = reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
        let reason = reason.ok_or("a --reason is wanted, which the customer reads")?;
        if reason.chars().count() > LONGEST_REASON || reason.contains(char::is_control) {
            let wrong = format!("--reason: at most {LONGEST_REASON} characters in one line");
            return Err(wrong.into());
        }
        credit::grant(&db, &clock, &random, &id, amount, reason).await?;
    }
    let found = credit::of_customer(&db, &id).await?;
    match json {
        true => print_line!("{}", serde_json::to_string_pretty(&found)?),
        false => print_text(&words(&email, &found)),
    }
    db.close().await;
    Ok(())
}

/// The one whom the shopkeeper means.
async fn whom(db: &Db, who: &str) -> Result<Customer, Box<dyn std::error::Error>> {
    let mut found = credit::holders(db, who).await?;
    match found.len() {
        0 => {
            let unproven = credit::unproven_holders(db, who).await?;
            if unproven.is_empty() {
                return Err(format!("there is no customer {who}").into());
            }
            let why = format!(
                "nobody has confirmed that {who} is their address, so it may be somebody else's \
                 account; to mean it all the same, name it by its id: {}",
                ids(&unproven)
            );
            Err(why.into())
        }
        1 => Ok(found.remove(0)),
        _ => Err(format!("{who} has several accounts; name one: {}", ids(&found)).into()),
    }
}

fn ids(customers: &[Customer]) -> String {
    let ids: Vec<&str> = customers.iter().map(|customer| customer.id.as_str()).collect();
    ids.join(", ")
}

fn words(email: &str, StoreCredit { balance, entries }: &StoreCredit) -> String {
    let mut text = format!("{email}  {balance}\n");
    for entry in entries {
        let what = [entry.number.as_deref().unwrap_or_default(), &entry.note].join("  ");
        let line = format!(
            "{}  {:<8}  {:>12}  {:>12}  {}",
            entry.created_at,
            entry.kind,
            entry.amount.to_string(),
            entry.balance.to_string(),
            what.trim_start()
        );
        text += line.trim_end();
        text.push('\n');
    }
    text
}

//! `haat credit`: shows and grants store credit.

use platform::config::Settings;
use platform::{Amount, Db};
use shop::base_currency;
use shop::credit::{self, CreditEntry, StoreCredit};
use shop::customers::CustomerProfile;

use super::print::{Align, format_table, print_value};
use super::{CommandResult, open_existing_db};

#[derive(clap::Args)]
pub struct CreditCommand {
    action: CreditAction,
    /// The customer's verified e-mail address, or the account's id
    customer: String,
    /// With grant: the amount, in the shop's base currency
    amount: Option<Amount>,
    /// With grant: the reason, shown to the customer
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum CreditAction {
    /// Show a customer's balance and its history
    List,
    /// Grant an amount to a customer
    Grant,
}

const MAX_REASON_CHARS: usize = 200;

pub async fn run(options: CreditCommand) -> CommandResult {
    let CreditCommand { action, customer, amount, reason, json, settings } = options;
    let (db, clock, random) = open_existing_db(&settings).await?;
    let base = base_currency::find(&db).await?.unwrap_or_default();
    let CustomerProfile { id, email, .. } = find_customer(&db, &customer).await?;
    if let CreditAction::Grant = action {
        let amount = amount.filter(|amount| *amount > Amount::ZERO);
        let amount = amount.ok_or("an amount above 0 is required: see haat credit --help")?;
        let amount = amount.named("the amount", base)?;
        let reason = reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
        let reason = reason.ok_or("a --reason is required; it is shown to the customer")?;
        if reason.chars().count() > MAX_REASON_CHARS || reason.contains(char::is_control) {
            let why = format!("--reason takes at most {MAX_REASON_CHARS} characters in one line");
            return Err(why.into());
        }
        credit::grant(&db, &clock, &random, &id, amount, reason).await?;
    }
    let found = credit::account(&db, base, &id).await?;
    print_value(&found, json, |found| format_credit(&email, found))?;
    db.close().await;
    Ok(())
}

/// A customer by a verified e-mail address, or by the account's id.
pub(super) async fn find_customer(
    db: &Db,
    who: &str,
) -> Result<CustomerProfile, Box<dyn std::error::Error>> {
    let mut found = credit::find_customers(db, who).await?;
    match found.len() {
        0 => {
            let unverified = credit::find_unverified_customers(db, who).await?;
            if unverified.is_empty() {
                return Err(format!("there is no customer {who}").into());
            }
            let why = format!(
                "the address {who} is not verified, so the account may belong to somebody else; \
                 to use it anyway, give its id: {}",
                ids(&unverified)
            );
            Err(why.into())
        }
        1 => Ok(found.remove(0)),
        _ => Err(format!("{who} has several accounts; give the id of one: {}", ids(&found)).into()),
    }
}

fn ids(customers: &[CustomerProfile]) -> String {
    let ids: Vec<&str> = customers.iter().map(|customer| customer.id.as_str()).collect();
    ids.join(", ")
}

fn format_credit(email: &str, StoreCredit { balance, entries, .. }: &StoreCredit) -> String {
    let row = |entry: &CreditEntry| {
        let CreditEntry { created_at, kind, amount, balance, number, note, .. } = entry;
        let (at, kind, number) =
            (created_at.to_string(), kind.to_string(), number.clone().unwrap_or_default());
        [at, kind, amount.to_string(), balance.to_string(), number, note.clone()]
    };
    let rows: Vec<_> = entries.iter().map(row).collect();
    let columns = [Align::Left, Align::Left, Align::Right, Align::Right, Align::Left, Align::Left];
    format!("{email}  {balance}\n{}", format_table(columns, &rows))
}

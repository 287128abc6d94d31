//! Customers who pay no tax, such as companies with a tax number and embassies.

use platform::db::Json;
use platform::revisions::{self, CacheTag};
use platform::{Db, Error, Result, Timestamp, Tx};
use postal_address::Country;
use serde::Serialize;

use super::store::cache_tag;

const MAX_NUMBER_CHARS: usize = 40;

/// What exempts a customer.
#[derive(Clone, Debug, PartialEq, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct TaxExemption {
    #[serde(skip)]
    pub customer: String,
    /// In lower case; empty where the account is not known here yet.
    pub email: String,
    /// The customer's, as it is printed on invoices.
    pub tax_number: String,
    /// For orders to these countries; none for everywhere.
    pub countries: Json<Vec<Country>>,
    pub created_at: Timestamp,
}

impl TaxExemption {
    pub fn holds_in(&self, country: Option<Country>) -> bool {
        let Json(countries) = &self.countries;
        countries.is_empty() || country.is_some_and(|country| countries.contains(&country))
    }
}

const COLUMNS: &str =
    "e.customer, coalesce(c.email, '') as email, e.tax_number, e.countries, e.created_at
    from tax_exemptions e left join customers c on c.id = e.customer";

pub async fn list_exemptions(db: &Db) -> Result<Vec<TaxExemption>> {
    db.query(format!("select {COLUMNS} order by e.created_at, e.customer")).all().await
}

/// For the data export of an account.
pub async fn exemption_of(db: &Db, customer: &str) -> Result<Option<TaxExemption>> {
    db.query(format!("select {COLUMNS} where e.customer = $1")).bind(customer).optional().await
}

/// Exempts a customer from now on, or replaces the exemption.
pub async fn exempt(
    db: &Db,
    customer: &str,
    (tax_number, countries): (&str, &[Country]),
    now: Timestamp,
) -> Result<()> {
    let tax_number = tax_number.trim();
    let chars = tax_number.chars().count();
    if !(1..=MAX_NUMBER_CHARS).contains(&chars) || tax_number.contains(char::is_control) {
        let why = format!("a tax number has 1 to {MAX_NUMBER_CHARS} characters");
        return Err(Error::invalid("taxNumber", why));
    }
    let mut tx = db.begin().await?;
    tx.query(
        "insert into tax_exemptions (customer, tax_number, countries, created_at) values ($1, $2, $3, $4)
         on conflict (customer) do update set tax_number = excluded.tax_number,
           countries = excluded.countries",
    )
    .bind(customer)
    .bind(tax_number)
    .bind(&Json(countries.to_vec()))
    .bind(now)
    .execute()
    .await?;
    revisions::bump(&mut tx, [cache_tag()]).await?;
    tx.commit().await
}

/// False where the customer was not exempt.
pub async fn unexempt(db: &Db, customer: &str) -> Result<bool> {
    let mut tx = db.begin().await?;
    let sql = "delete from tax_exemptions where customer = $1";
    let removed = tx.query(sql).bind(customer).execute().await?;
    revisions::bump(&mut tx, [cache_tag()]).await?;
    tx.commit().await?;
    Ok(removed > 0)
}

/// Removes that of a deleted account, and returns the cache tags that the caller bumps last.
pub async fn erase(tx: &mut Tx, customer: &str) -> Result<Vec<CacheTag>> {
    let sql = "delete from tax_exemptions where customer = $1";
    let removed = tx.query(sql).bind(customer).execute().await?;
    Ok(if removed > 0 { vec![cache_tag()] } else { Vec::new() })
}

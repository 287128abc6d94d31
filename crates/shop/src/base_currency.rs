//! The shop's base currency, in which its prices, store credit and books are stored, without its name. It is chosen when
//! the shop is first served or filled, and cannot change once there is anything in the shop. The only module that writes
//! `base_currency`.

use platform::{Currency, Db, Error, Result, Tx};

const SELECT: &str = "select code from base_currency where id = 1";
const IS_EMPTY: &str = "not exists (select 1 from products) and not exists (select 1 from orders)
    and not exists (select 1 from credit_accounts) and not exists (select 1 from promotions)
    and not exists (select 1 from delivery_zones) and not exists (select 1 from gift_cards)";

fn parse(found: Option<(String,)>) -> Result<Option<Currency>> {
    found.map(|(code,)| code.parse().map_err(Error::internal)).transpose()
}

/// The base currency; `None` until it is chosen.
pub async fn find(db: &Db) -> Result<Option<Currency>> {
    parse(db.query(SELECT).optional().await?)
}

/// The base currency that the shop has or, while it is empty, is to have: the wanted one, or the US dollar. An error where
/// it has another one.
pub async fn agree(db: &Db, wanted: Option<Currency>) -> Result<Currency> {
    let chosen = find(db).await?;
    let sql = format!("{SELECT} and {IS_EMPTY}");
    let replaceable: Option<(String,)> = db.query(sql).optional().await?;
    match (chosen, wanted) {
        (Some(chosen), Some(wanted)) if chosen != wanted && replaceable.is_none() => {
            Err(conflict(chosen, wanted))
        }
        (chosen, wanted) => Ok(wanted.or(chosen).unwrap_or_default()),
    }
}

/// Stores the base currency. An error where the shop has another one by now.
pub async fn establish(tx: &mut Tx, base: Currency) -> Result<()> {
    let sql = format!(
        "insert into base_currency (id, code) values (1, $1)
         on conflict (id) do update set code = excluded.code where {IS_EMPTY}"
    );
    tx.query(sql).bind(base).execute().await?;
    match parse(tx.query(SELECT).optional().await?)?.filter(|chosen| *chosen != base) {
        Some(chosen) => Err(conflict(chosen, base)),
        None => Ok(()),
    }
}

fn conflict(chosen: Currency, wanted: Currency) -> Error {
    let message = format!(
        "currency: the prices and books of this shop are in {chosen}, which cannot be changed to {wanted}; offer \
         {wanted} with the setting currencies"
    );
    Error::conflict("other_base_currency", message)
}

//! Anonymizes orders: products, dates and amounts stay for accounting; the customer, the address and
//! the notes are cleared. Neither an account nor tracking finds such an order.

use platform::db::{SqlValue, in_list};
use platform::{Result, Timestamp, Tx};

use super::OrderStatus;
use crate::{gift_cards, promotions};

/// Anonymizes a customer's orders that are in a terminal status. Returns how many others are left.
pub async fn anonymize(tx: &mut Tx, customer: &str) -> Result<i64> {
    let terminal = in_list("status", 2, OrderStatus::TERMINAL.len());
    let values =
        [SqlValue::from(customer)].into_iter().chain(OrderStatus::TERMINAL.map(SqlValue::from));
    clear_personal_data(tx, &format!("customer = $1 and {terminal}"), values.collect()).await?;
    let (open,): (i64,) =
        tx.query("select count(*) from orders where customer = $1").bind(customer).one().await?;
    Ok(open)
}

/// Anonymizes all orders placed before a time.
pub(crate) async fn anonymize_expired(tx: &mut Tx, before: Timestamp) -> Result<()> {
    clear_personal_data(tx, "created_at < $1 and customer <> ''", vec![before.into()]).await
}

async fn clear_personal_data(tx: &mut Tx, which: &str, values: Vec<SqlValue>) -> Result<()> {
    tx.query(format!(
        "update order_events set note = '' where note <> '' and order_id in
           (select id from orders where {which})"
    ))
    .bind_all(values.clone())
    .execute()
    .await?;
    promotions::anonymize(tx, which, values.clone()).await?;
    gift_cards::anonymize(tx, which, values.clone()).await?;
    // The idempotency key has a hash of what was typed.
    tx.query(format!(
        "delete from placings where order_id in (select id from orders where {which})"
    ))
    .bind_all(values.clone())
    .execute()
    .await?;
    tx.query(format!(
        "update orders set customer = '', email = '', name = '', phone = '', address = '',
           postal_address = null, tax_number = ''
         where {which}"
    ))
    .bind_all(values)
    .execute()
    .await
    .map(drop)
}

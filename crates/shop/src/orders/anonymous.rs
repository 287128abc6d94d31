//! Orders without the people who placed them. What was sold, when and for how much stays in the books;
//! whose it was, and what they wrote about it, goes. They are found under no account and by no tracking any
//! more.

use base::db::{Value, one_of};
use base::{Result, Timestamp, Tx};

use super::Status;

/// Makes a customer's orders nobody's. Those for which somebody may still have to be reached stay as they
/// are for now; says how many they are.
pub async fn forget(tx: &mut Tx, customer: &str) -> Result<i64> {
    let settled = one_of("status", 2, Status::SETTLED.len());
    let values = [Value::from(customer)].into_iter().chain(Status::SETTLED.map(Value::from));
    make_nobodys(tx, &format!("customer = $1 and {settled}"), values.collect()).await?;
    let (open,): (i64,) =
        tx.query("select count(*) from orders where customer = $1").bind(customer).one().await?;
    Ok(open)
}

/// Makes everybody's from before a moment nobody's.
pub(crate) async fn forget_old(tx: &mut Tx, before: Timestamp) -> Result<()> {
    make_nobodys(tx, "created_at < $1 and customer <> ''", vec![before.into()]).await
}

async fn make_nobodys(tx: &mut Tx, which: &str, values: Vec<Value>) -> Result<()> {
    tx.query(format!(
        "update order_events set note = '' where note <> '' and order_id in
           (select id from orders where {which})"
    ))
    .bind_all(values.clone())
    .execute()
    .await?;
    tx.query(format!(
        "update orders set customer = '', email = '', name = '', phone = '', address = ''
         where {which}"
    ))
    .bind_all(values)
    .execute()
    .await
    .map(drop)
}

//! Groups of customers, such as `wholesale`, for whom there are promotions.

use platform::db::statement;
use platform::{Db, Error, Result, Tx};

use crate::customers::CustomerProfile;

const MAX_NAME_LEN: usize = 40;

/// A group's name in its one form: lower-case letters, digits and hyphens.
pub fn group_name(text: &str) -> Result<String, String> {
    let name = text.trim().to_ascii_lowercase();
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    match !name.is_empty() && name.len() <= MAX_NAME_LEN && name.bytes().all(allowed) {
        true => Ok(name),
        false => Err(format!("a group's name is 1 to {MAX_NAME_LEN} letters, digits and hyphens")),
    }
}

/// The groups of a customer.
pub async fn groups_of(db: &Db, customer: &str) -> Result<Vec<String>> {
    let sql = "select name from customer_groups where customer = $1 order by name";
    let rows: Vec<(String,)> = db.query(sql).bind(customer).all().await?;
    Ok(rows.into_iter().map(|(name,)| name).collect())
}

/// The groups, and how many customers each has.
pub async fn list_groups(db: &Db) -> Result<Vec<(String, i64)>> {
    db.query("select name, count(*) from customer_groups group by name order by name").all().await
}

/// The customers of a group, by their e-mail addresses.
pub async fn members(db: &Db, group: &str, most: i64) -> Result<Vec<CustomerProfile>> {
    db.query(
        "select c.id, c.name, c.email, c.language from customers c
         join customer_groups g on g.customer = c.id where g.name = $1 order by c.email limit $2",
    )
    .bind(group)
    .bind(most)
    .all()
    .await
}

/// Adds a customer to a group, or removes one from it. False where nothing changed.
pub async fn set_member(db: &Db, group: &str, customer: &str, belongs: bool) -> Result<bool> {
    let group = group_name(group).map_err(|why| Error::invalid("group", why))?;
    let sql = match belongs {
        true => {
            "insert into customer_groups (customer, name) values ($1, $2)
             on conflict (customer, name) do nothing"
        }
        false => "delete from customer_groups where customer = $1 and name = $2",
    };
    let changed = db.query(sql).bind(customer).bind(group).execute().await?;
    Ok(changed > 0)
}

/// Removes a deleted account from its groups.
pub fn erase(tx: &mut Tx, customer: &str) {
    tx.defer(statement("delete from customer_groups where customer = $1").bind(customer));
}

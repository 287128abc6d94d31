//! The ledger's SQL. Whoever makes an entry holds the account's row until the end of the transaction, and
//! takes it before any goods (decision 012).

use base::db::{Value, again, write};
use base::{Clock, Cursor, Db, Id, Money, Random, Result, Timestamp, Tx};

use super::{CreditEntry, EntryId, Kind, NewEntry, StoreCredit};
use crate::customers::Customer;

/// An account's row.
enum Account {}

#[derive(sqlx::FromRow)]
struct Moved {
    id: Id<Account>,
    balance: Money,
    changed_at: Timestamp,
}

/// Later than the entry before, so that the order of entries is the order of their balances.
macro_rules! after_the_last {
    () => {
        "changed_at = case when credit_accounts.changed_at < $3 then $3
           else credit_accounts.changed_at + 1 end"
    };
}

/// Where the customer has no account yet, this opens it.
const PUT: &str = concat!(
    "insert into credit_accounts (customer, balance, changed_at, id) values ($1, $2, $3, $4)
     on conflict (customer) do update set balance = credit_accounts.balance + $2, ",
    after_the_last!(),
    " returning id, balance, changed_at"
);

/// Never below nothing.
const MOVE: &str = concat!(
    "update credit_accounts set balance = balance + $2, ",
    after_the_last!(),
    " where customer = $1 and balance + $2 >= 0 returning id, balance, changed_at"
);

/// Makes an entry; says no where there is less than is to be spent, or where the account that something
/// is to be returned to has gone.
pub(crate) async fn enter(
    tx: &mut Tx,
    clock: &Clock,
    random: &Random,
    entry: &NewEntry<'_>,
) -> Result<bool> {
    let (sql, new_account) = match entry.kind {
        Kind::Refund | Kind::Granted => (PUT, Some(Id::<Account>::new(clock, random))),
        Kind::Spent | Kind::Returned | Kind::Ended => (MOVE, None),
    };
    let moving = tx.query(sql).bind(entry.customer).bind(entry.amount).bind(clock.now());
    let moving = moving.bind_all(new_account.as_ref().map(Value::from));
    let Some(Moved { id, balance, changed_at }) = moving.optional().await? else {
        return Ok(false);
    };
    tx.later(
        write(
            "insert into credit_entries
               (id, account, kind, amount, balance, order_id, note, created_at, return_place)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(&EntryId::new(clock, random))
        .bind(&id)
        .bind(entry.kind)
        .bind(entry.amount)
        .bind(balance)
        .bind(entry.order.map(|order| order.as_str()))
        .bind(entry.note)
        .bind(changed_at)
        .bind(entry.return_place),
    );
    Ok(true)
}

/// Gives a customer credit that no order is behind.
pub async fn grant(
    db: &Db,
    clock: &Clock,
    random: &Random,
    customer: &str,
    amount: Money,
    note: &str,
) -> Result<()> {
    let entry =
        NewEntry { customer, kind: Kind::Granted, amount, order: None, return_place: 0, note };
    again(|| async {
        let mut tx = db.begin().await?;
        enter(&mut tx, clock, random, &entry).await?;
        tx.commit().await
    })
    .await
}

/// A customer goes: what is left ends with an entry of its own, and from then on nothing leads from the
/// entries to anybody. Called after the customer's orders were seen to, because a step of an order takes
/// the order first and the account then.
pub async fn forget(tx: &mut Tx, clock: &Clock, random: &Random, customer: &str) -> Result<()> {
    let left: Option<(Money,)> = tx
        .query(
            "update credit_accounts set changed_at = changed_at + 1 where customer = $1
             returning balance",
        )
        .bind(customer)
        .optional()
        .await?;
    let Some((left,)) = left else { return Ok(()) };
    if left > Money::ZERO {
        let amount = Money::ZERO - left;
        let entry = NewEntry {
            customer,
            kind: Kind::Ended,
            amount,
            order: None,
            return_place: 0,
            note: "",
        };
        enter(tx, clock, random, &entry).await?;
    }
    tx.query("update credit_accounts set customer = null where customer = $1")
        .bind(customer)
        .execute()
        .await
        .map(drop)
}

/// All that a customer has and had.
pub async fn of_customer(db: &Db, customer: &str) -> Result<StoreCredit> {
    part_of(db, customer, None, i64::MAX).await
}

/// The newest entries from `after` on.
pub(super) async fn part_of(
    db: &Db,
    customer: &str,
    after: Option<&Cursor<CreditEntry>>,
    limit: i64,
) -> Result<StoreCredit> {
    let account: Option<(Id<Account>, Money)> = db
        .query("select id, balance from credit_accounts where customer = $1")
        .bind(customer)
        .optional()
        .await?;
    let Some((account, balance)) = account else {
        return Ok(StoreCredit { balance: Money::ZERO, entries: Vec::new() });
    };
    let before = if after.is_some() { "and (e.created_at, e.id) < ($3, $4)" } else { "" };
    let sql = format!(
        "select e.id, e.kind, e.amount, e.balance, o.number, e.note, e.created_at
         from credit_entries e left join orders o on o.id = e.order_id
         where e.account = $1 {before} order by e.created_at desc, e.id desc limit $2"
    );
    let mut query = db.query(sql).bind(&account).bind(limit);
    if let Some(after) = after {
        query = query.bind(after.created_at).bind(&after.id);
    }
    Ok(StoreCredit { balance, entries: query.all().await? })
}

/// The customers whom a shopkeeper means by an account's id, or by an e-mail address that was proven to be
/// theirs.
pub async fn holders(db: &Db, who: &str) -> Result<Vec<Customer>> {
    let sql = "select id, email, name from customers
               where id = $1 or (lower(email) = $2 and email_verified) order by id";
    db.query(sql).bind(who).bind(who.to_lowercase()).all().await
}

/// The customers who gave an e-mail address that nobody knows to be theirs.
pub async fn unproven_holders(db: &Db, email: &str) -> Result<Vec<Customer>> {
    let sql = "select id, email, name from customers
               where lower(email) = $1 and not email_verified order by id";
    db.query(sql).bind(email.to_lowercase()).all().await
}

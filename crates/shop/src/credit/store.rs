//! SQL of the credit ledger. An entry locks the account's row until the end of the transaction; lock it
//! before any product (decision 012).

use platform::db::{SqlValue, retry_on_conflict, statement};
use platform::{
    Clock, Currency, Cursor, Db, Exchange, Id, MinorUnits, Money, PageRequest, Random, Result,
    Timestamp, Tx,
};

use super::{CreditEntry, CreditKind, EntryId, NewEntry, StoreCredit};
use crate::customers::CustomerProfile;

enum CreditAccount {}

#[derive(sqlx::FromRow)]
struct AccountRow {
    id: Id<CreditAccount>,
    balance: MinorUnits,
    changed_at: Timestamp,
}

/// Strictly increasing, so that entries sort in the order of their balances.
macro_rules! monotonic_changed_at {
    () => {
        "changed_at = case when credit_accounts.changed_at < $3 then $3
           else credit_accounts.changed_at + 1 end"
    };
}

/// Credits an account, and creates it when there is none.
const UPSERT_BALANCE: &str = concat!(
    "insert into credit_accounts (customer, balance, changed_at, id) values ($1, $2, $3, $4)
     on conflict (customer) do update set balance = credit_accounts.balance + $2, ",
    monotonic_changed_at!(),
    " returning id, balance, changed_at"
);

/// Changes the balance of an existing account, never below zero.
const UPDATE_BALANCE: &str = concat!(
    "update credit_accounts set balance = balance + $2, ",
    monotonic_changed_at!(),
    " where customer = $1 and balance + $2 >= 0 returning id, balance, changed_at"
);

/// Adds an entry; false when the balance is too low or the account does not exist.
pub(crate) async fn add_entry(
    tx: &mut Tx,
    clock: &Clock,
    random: &Random,
    entry: &NewEntry<'_>,
) -> Result<bool> {
    let (sql, new_account) = match entry.kind {
        CreditKind::Refund | CreditKind::Granted => {
            (UPSERT_BALANCE, Some(Id::<CreditAccount>::new(clock, random)))
        }
        CreditKind::Spent | CreditKind::Returned | CreditKind::Ended => (UPDATE_BALANCE, None),
    };
    let query = tx.query(sql).bind(entry.customer).bind(entry.amount).bind(clock.now());
    let query = query.bind_all(new_account.as_ref().map(SqlValue::from));
    let Some(AccountRow { id, balance, changed_at }) = query.optional().await? else {
        return Ok(false);
    };
    tx.defer(
        statement(
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

/// Grants credit without an order.
pub async fn grant(
    db: &Db,
    clock: &Clock,
    random: &Random,
    customer: &str,
    amount: Money,
    note: &str,
) -> Result<()> {
    let entry = NewEntry { note, ..NewEntry::new(customer, CreditKind::Granted, amount) };
    retry_on_conflict(|| async {
        let mut tx = db.begin().await?;
        add_entry(&mut tx, clock, random, &entry).await?;
        tx.commit().await
    })
    .await
}

/// Erases a customer: debits the rest and unlinks the account. Call it after the customer's orders are
/// anonymized, because a step of an order locks the order first and the account second.
pub async fn erase(tx: &mut Tx, clock: &Clock, random: &Random, customer: &str) -> Result<()> {
    let left: Option<(MinorUnits,)> = tx
        .query(
            "update credit_accounts set changed_at = changed_at + 1 where customer = $1
             returning balance",
        )
        .bind(customer)
        .optional()
        .await?;
    let Some((left,)) = left else { return Ok(()) };
    if left > MinorUnits(0) {
        let entry = NewEntry::new(customer, CreditKind::Ended, MinorUnits(-left.0));
        add_entry(tx, clock, random, &entry).await?;
    }
    tx.query("update credit_accounts set customer = null where customer = $1")
        .bind(customer)
        .execute()
        .await
        .map(drop)
}

/// A customer's balance and full history.
pub async fn account(db: &Db, base: Currency, customer: &str) -> Result<StoreCredit> {
    let request = PageRequest::first(i64::MAX);
    Ok(page(db, Exchange::base(base), customer, &request).await?.0)
}

#[derive(sqlx::FromRow)]
struct EntryRow {
    id: EntryId,
    #[sqlx(try_from = "String")]
    kind: CreditKind,
    amount: MinorUnits,
    balance: MinorUnits,
    number: Option<String>,
    note: String,
    created_at: Timestamp,
}

impl EntryRow {
    fn of(self, base: Currency) -> CreditEntry {
        let Self { id, kind, number, note, created_at, .. } = self;
        let (amount, balance) = (self.amount.of(base), self.balance.of(base));
        CreditEntry { id, kind, amount, balance, number, note, created_at }
    }
}

/// A customer's balance with a page of the newest entries, and the cursor of the next page.
pub(super) async fn page(
    db: &Db,
    to: Exchange,
    customer: &str,
    request: &PageRequest<CreditEntry>,
) -> Result<(StoreCredit, Option<Cursor<CreditEntry>>)> {
    let account: Option<(Id<CreditAccount>, MinorUnits)> = db
        .query("select id, balance from credit_accounts where customer = $1")
        .bind(customer)
        .optional()
        .await?;
    let credit = |balance: Money, entries| StoreCredit {
        currency: to.base,
        balance,
        spendable: to.worth(balance),
        entries,
    };
    let Some((account, balance)) = account else {
        return Ok((credit(Money::zero(to.base), Vec::new()), None));
    };
    let mut values = vec![SqlValue::from(&account), request.rows().into()];
    let after = request.condition("e", &mut values).unwrap_or_else(|| "1 = 1".into());
    let sql = format!(
        "select e.id, e.kind, e.amount, e.balance, o.number, e.note, e.created_at
         from credit_entries e left join orders o on o.id = e.order_id
         where e.account = $1 and {after} order by e.created_at desc, e.id desc limit $2"
    );
    let rows: Vec<EntryRow> = db.query(sql).bind_all(values).all().await?;
    let entries = rows.into_iter().map(|row| row.of(to.base)).collect();
    let cursor = |last: &CreditEntry| Cursor::new(last.created_at, &last.id);
    let page = request.page(entries, cursor);
    Ok((credit(balance.of(to.base), page.items), page.next))
}

/// Finds customers by account id or verified e-mail address.
pub async fn find_customers(db: &Db, who: &str) -> Result<Vec<CustomerProfile>> {
    let sql = "select id, email, name, language from customers
               where id = $1 or (lower(email) = $2 and email_verified) order by id";
    db.query(sql).bind(who).bind(who.to_lowercase()).all().await
}

/// Finds customers by an e-mail address that they have not verified.
pub async fn find_unverified_customers(db: &Db, email: &str) -> Result<Vec<CustomerProfile>> {
    let sql = "select id, email, name, language from customers
               where lower(email) = $1 and not email_verified order by id";
    db.query(sql).bind(email.to_lowercase()).all().await
}

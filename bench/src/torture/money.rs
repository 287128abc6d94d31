//! Whether the money is where it belongs: by our tables, by our ledger, and by the providers' books.

use std::collections::BTreeMap;
use std::fmt;

use payment_stand_ins::BookEntry;
use platform::Db;

use super::check::check_equal;
use crate::BenchResult;

/// Ways to pay for which there is no provider.
const WITHOUT_PROVIDER: [&str; 3] = ["cash_on_delivery", "store_credit", "gift_card"];

/// What was paid by providers.
#[derive(Default)]
pub struct PaymentSums {
    payments: usize,
    captured: usize,
    refunded: usize,
    /// Orders of which more than one payment was captured.
    paid_twice: usize,
}

impl fmt::Display for PaymentSums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { payments, captured, refunded, paid_twice } = self;
        write!(
            f,
            "{payments} payments at providers, {captured} captured, {refunded} refunded, {paid_twice} orders paid twice"
        )
    }
}

/// A payment and its order.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
struct Row {
    id: String,
    number: String,
    status: String,
    to_pay: i64,
    provider: String,
    state: String,
    amount: i64,
    authorised: i64,
    captured: i64,
    refunded: i64,
}

impl Row {
    fn is_at_provider(&self) -> bool {
        !WITHOUT_PROVIDER.contains(&self.provider.as_str())
    }
}

pub async fn check_money(db: &Db, books: &[BookEntry]) -> BenchResult<PaymentSums> {
    let sql = "select p.id, o.number, o.status, o.total - o.gift_cards - o.credit as to_pay, p.provider, p.state,
                 p.amount, p.authorised, p.captured, p.refunded
               from payments p join orders o on o.id = p.order_id order by o.number, p.place";
    let rows: Vec<Row> = db.query(sql).all().await?;
    check_books(&rows, books)?;
    check_ledger(db, &rows).await?;
    check_orders(&rows)?;
    let count = async |sql: &'static str| -> BenchResult<i64> {
        let (count,): (i64,) = db.query(sql).one().await?;
        Ok(count)
    };
    let without = "select count(*) from orders o where not exists (select 1 from payments p where p.order_id = o.id)";
    check_equal("orders without a payment", count(without).await?, 0)?;
    let failed = "select count(*) from failed_jobs where kind like 'payments.%'";
    check_equal("failed jobs of payments", count(failed).await?, 0)?;
    let waiting = "select count(*) from payment_calls where state = 'waiting'";
    check_equal("calls of providers that wait", count(waiting).await?, 0)?;
    let alerts: Vec<(String, String)> =
        db.query("select kind, detail from payment_alerts").all().await?;
    check_equal("alerts", alerts, Vec::new())?;
    Ok(sums(&rows))
}

/// Each payment is captured and refunded as its provider says, and the provider knows of no other.
fn check_books(rows: &[Row], books: &[BookEntry]) -> BenchResult {
    let mut theirs: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for entry in books {
        let sums = theirs.entry(&entry.payment).or_default();
        *sums = (sums.0 + entry.captured, sums.1 + entry.refunded);
    }
    for row in rows.iter().filter(|row| row.is_at_provider()) {
        let theirs = theirs.remove(row.id.as_str()).unwrap_or_default();
        let what = format!("captured and refunded of {row:?}");
        check_equal(&what, (row.captured, row.refunded), theirs)?;
    }
    theirs.retain(|_, sums| *sums != (0, 0));
    check_equal("charges that the shop does not know", theirs, BTreeMap::new())
}

/// The sums of a payment follow from its events.
async fn check_ledger(db: &Db, rows: &[Row]) -> BenchResult {
    let sql = "select e.payment_id,
                 cast(coalesce(sum(case when e.kind = 'captured' then e.amount end), 0) as bigint),
                 cast(coalesce(sum(case when e.kind = 'refunded' and not exists (select 1 from payment_events f
                   where f.payment_id = e.payment_id and f.kind = 'refund_failed' and f.reference = e.reference)
                   then e.amount end), 0) as bigint)
               from payment_events e group by e.payment_id";
    let events: Vec<(String, i64, i64)> = db.query(sql).all().await?;
    let mut sums: BTreeMap<String, (i64, i64)> = events
        .into_iter()
        .map(|(payment, captured, refunded)| (payment, (captured, refunded)))
        .collect();
    for row in rows {
        let events = sums.remove(&row.id).unwrap_or_default();
        check_equal(&format!("the events of {row:?}"), events, (row.captured, row.refunded))?;
    }
    check_equal("events of no payment", sums, BTreeMap::new())
}

/// An order that stands has its money, once; one that is cancelled has nothing left.
fn check_orders(rows: &[Row]) -> BenchResult {
    for order in rows.chunk_by(|one, other| one.number == other.number) {
        let Some(Row { status, to_pay, .. }) = order.first() else { continue };
        let sum = |amount: fn(&Row) -> i64| order.iter().map(amount).sum::<i64>();
        let kept = sum(|row| row.captured - row.refunded);
        let authorised = sum(|row| row.authorised);
        let is_right = match status.as_str() {
            "placed" => match order.iter().any(Row::is_at_provider) {
                true => kept == *to_pay && authorised == 0,
                // Cash, gift cards or store credit.
                false => kept + authorised == *to_pay,
            },
            "cancelled" => kept == 0 && authorised == 0,
            _ => false,
        };
        let agreed = order.iter().all(|row| row.amount == *to_pay);
        if !is_right || !agreed {
            return Err(format!("the money of an order is not right: {order:?}").into());
        }
    }
    Ok(())
}

fn sums(rows: &[Row]) -> PaymentSums {
    let at_providers: Vec<&Row> = rows.iter().filter(|row| row.is_at_provider()).collect();
    let count = |is: fn(&Row) -> bool| at_providers.iter().filter(|row| is(row)).count();
    let orders = at_providers.chunk_by(|one, other| one.number == other.number);
    let is_twice = |order: &&[&Row]| order.iter().filter(|row| row.captured > 0).count() > 1;
    PaymentSums {
        payments: at_providers.len(),
        captured: count(|row| row.captured > 0),
        refunded: count(|row| row.refunded > 0),
        paid_twice: orders.filter(is_twice).count(),
    }
}

//! Whether the database is consistent after the crash test.

use std::collections::BTreeMap;

use platform::Db;
use serde_json::{Value, json};

use super::buyer::{Known, Placed};
use super::cart::{BuyerCart, Tender, order};
use super::money::{PaymentSums, check_money};
use super::payer::Payment;
use super::{ACCOUNTS, CARD, CARDS, CREDIT, PRODUCTS, Trial, UNITS};
use crate::BenchResult;

impl Trial {
    /// Answers what was ordered and paid, in words.
    pub fn check(
        &mut self,
        runtime: &tokio::runtime::Runtime,
    ) -> BenchResult<(String, PaymentSums)> {
        self.buy_the_rest()?;
        let (statuses, mut lines) = runtime.block_on(self.read_orders())?;
        let placed = self.placed();
        for one in placed.iter() {
            let found = statuses.get(&one.number).map(String::as_str);
            let is_right = match one.known {
                Known::Stands => found == Some("placed"),
                Known::Cancelled | Known::Unpaid => found == Some("cancelled"),
                Known::Unknown => matches!(found, Some("placed" | "cancelled")),
            };
            let Placed { number, known, payment, .. } = one;
            if !is_right {
                return Err(format!("{number}, {payment:?}: {known:?}, but {found:?}").into());
            }
            check_equal("the lines of an order", lines.remove(number), Some(one.cart.clone()))?;
        }
        let is_standing =
            |one: &&Placed| statuses.get(&one.number).is_some_and(|it| it == "placed");
        let standing: Vec<&Placed> = placed.iter().filter(is_standing).collect();
        self.repeat(&standing)?;
        self.shop.close();
        self.providers.kill();
        let books = self.providers.books()?;
        let sums = runtime.block_on(async {
            let db = Db::open(&self.shop.url).await?;
            check_orders(&db, &placed, &standing).await?;
            let sums = check_money(&db, &books).await?;
            db.close().await;
            BenchResult::Ok(sums)
        })?;
        let (all, stand) = (placed.len(), standing.len());
        Ok((format!("{stand} orders placed, {} cancelled", all - stand), sums))
    }

    /// So that everything is sold.
    fn buy_the_rest(&self) -> BenchResult {
        for product in 0..PRODUCTS {
            let (key, all) = (format!("rest-{product}"), BuyerCart::from([(product, UNITS)]));
            let tender = (Tender::default(), Payment::Cash);
            self.attempt(product, key, (all, ""), tender, true)?;
        }
        Ok(())
    }

    /// Each order again by its key, which places nothing.
    fn repeat(&self, standing: &[&Placed]) -> BenchResult {
        for Placed { account, key, cart, code, tender, payment, number, .. } in standing {
            let order = order(cart, code, tender, *payment);
            let (status, body) = self.send(*account, ("POST", "/api/orders"), key, &order)?;
            if status != 200 || body["number"] != json!(number) {
                return Err(format!("{key} gave {number}, and now {status} {body}").into());
            }
        }
        Ok(())
    }

    /// The orders in the database: their statuses, and their lines.
    async fn read_orders(
        &self,
    ) -> BenchResult<(BTreeMap<String, String>, BTreeMap<String, BuyerCart>)> {
        let db = Db::open(&self.shop.url).await?;
        let rows: Vec<(String, String, String, i64)> = db
            .query(
                "select o.number, o.status, l.variant, l.quantity from orders o
                 left join order_lines l on l.order_id = o.id",
            )
            .all()
            .await?;
        db.close().await;
        let mut statuses = BTreeMap::new();
        let mut lines: BTreeMap<String, BuyerCart> = BTreeMap::new();
        for (number, status, product, quantity) in rows {
            let product = product.strip_prefix("goods-").unwrap_or_default().parse()?;
            statuses.insert(number.clone(), status);
            lines.entry(number).or_default().insert(product, quantity);
        }
        Ok((statuses, lines))
    }
}

async fn check_orders(db: &Db, placed: &[Placed], standing: &[&Placed]) -> BenchResult {
    let count = async |sql: &'static str| -> BenchResult<i64> {
        let (count,): (i64,) = db.query(sql).one().await?;
        Ok(count)
    };
    let orders = count("select count(*) from orders").await?;
    check_equal("orders", orders, placed.len() as i64)?;
    check_equal("placings", count("select count(*) from placings").await?, orders)?;
    // A status once, and the order's last.
    let wrong = "select count(*) from orders o where o.status <>
          (select e.status from order_events e where e.order_id = o.id order by e.place desc limit 1)
        or (select count(*) from order_events e where e.order_id = o.id)
          <> (select count(distinct e.status) from order_events e where e.order_id = o.id)";
    check_equal("orders that do not follow from their events", count(wrong).await?, 0)?;
    check_emails(db).await?;
    let wrong = "select count(*) from variants where qtn <> 0 or units_sold <> 25";
    check_equal("variants not sold out exactly", count(wrong).await?, 0)?;
    let wrong = "select count(*) from variants v where v.qtn <>
        (select coalesce(sum(e.change), 0) from stock_entries e where e.variant = v.id)";
    check_equal("variants whose stock is not the sum of its journal", count(wrong).await?, 0)?;
    let spent = standing.iter().map(|one| one.tender.by_cards()).sum::<i64>();
    let left = "select cast(sum(balance) as bigint) from gift_cards";
    check_equal("left on gift cards", count(left).await?, CARD * CARDS as i64 - spent)?;
    let wrong = "select count(*) from gift_cards c where balance <>
        (select sum(amount) from gift_card_entries e where e.card = c.id)";
    check_equal("gift cards that do not add up", count(wrong).await?, 0)?;
    let wrong = "select count(*) from orders o where
        coalesce((select sum(amount) from gift_card_entries e where e.order_id = o.id), 0)
          <> case when o.status = 'cancelled' then 0 else -o.gift_cards end
        or o.gift_cards <> coalesce((select sum(amount) from order_gift_cards g where g.order_id = o.id), 0)";
    check_equal("orders not paid by their gift cards", count(wrong).await?, 0)?;
    let spent = standing.iter().map(|one| one.tender.credit).sum::<i64>();
    let left = "select cast(sum(balance) as bigint) from credit_accounts";
    check_equal("credit left", count(left).await?, CREDIT * ACCOUNTS as i64 - spent)?;
    let wrong = "select count(*) from credit_accounts a where balance <>
        (select sum(amount) from credit_entries e where e.account = a.id)";
    check_equal("accounts that do not add up", count(wrong).await?, 0)?;
    let wrong = "select count(*) from orders o where
        coalesce((select sum(amount) from credit_entries e where e.order_id = o.id), 0)
          <> case when o.status = 'cancelled' then 0 else -o.credit end";
    check_equal("orders not paid by their credit", count(wrong).await?, 0)?;
    let with_codes = standing.iter().filter(|one| !one.code.is_empty()).count() as i64;
    let uses = "select count(*) from promotion_uses";
    check_equal("orders with a code", count(uses).await?, with_codes)?;
    let wrong = "select count(*) from promotions p where max_uses is not null and (uses > max_uses or uses <>
        (select count(*) from promotion_uses u where u.promotion = p.id))";
    check_equal("promotions used too often", count(wrong).await?, 0)?;
    let wrong = "select count(*) from promotion_codes c where max_uses is not null and (uses > max_uses or uses <>
        (select count(*) from promotion_uses u where u.code = c.code))";
    check_equal("codes used too often", count(wrong).await?, 0)?;
    let wrong = "select count(*) from promotion_customers where uses > 1";
    check_equal("customers who used a promotion too often", count(wrong).await?, 0)?;
    let wrong = "select count(*) from orders o where o.discount <>
        -coalesce((select sum(a.amount) from order_adjustments a where a.order_id = o.id), 0)";
    check_equal("orders whose discount does not add up", count(wrong).await?, 0)
}

/// What an e-mail tells of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    Placed,
    Cancelled,
}

/// Each order is told of when it is placed and when it is cancelled, once, whether the e-mail is sent or waits.
async fn check_emails(db: &Db) -> BenchResult {
    let mut subjects: BTreeMap<String, String> = BTreeMap::new();
    let waiting: Vec<(String, String)> =
        db.query("select id, payload from jobs where kind = 'mail.send'").all().await?;
    for (id, payload) in waiting {
        let payload: Value = serde_json::from_str(&payload)?;
        subjects.insert(id, subject(&payload).unwrap_or_default().to_owned());
    }
    let sent: Vec<(String, String)> =
        db.query("select id, subject from stored_emails").all().await?;
    subjects.extend(sent);
    let mut told: BTreeMap<(String, Told), i64> = BTreeMap::new();
    for subject in subjects.values() {
        let Some(rest) = subject.strip_prefix("Your order ") else { continue };
        let (number, what) = rest.split_once([' ', ':']).unwrap_or((rest, ""));
        let what = match what {
            "is cancelled" => Told::Cancelled,
            "waits for payment" => continue,
            _ => Told::Placed,
        };
        *told.entry((number.to_owned(), what)).or_default() += 1;
    }
    let events: Vec<(String, String)> = db
        .query(
            "select o.number, e.status from order_events e join orders o on o.id = e.order_id
             where e.status in ('placed', 'cancelled')",
        )
        .all()
        .await?;
    let mut expected: BTreeMap<(String, Told), i64> = BTreeMap::new();
    for (number, status) in events {
        let what = if status == "placed" { Told::Placed } else { Told::Cancelled };
        *expected.entry((number, what)).or_default() += 1;
    }
    for (of, count) in &told {
        check_equal(&format!("e-mails {of:?}"), Some(count), expected.get(of))?;
    }
    check_equal("e-mails about orders", told.len(), expected.len())
}

/// The subject in the payload of a job, wherever it is.
fn subject(payload: &Value) -> Option<&str> {
    match payload {
        Value::Object(fields) => match fields.get("subject").and_then(Value::as_str) {
            Some(subject) => Some(subject),
            None => fields.values().find_map(subject),
        },
        _ => None,
    }
}

pub fn check_equal<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> BenchResult {
    if found == wanted { Ok(()) } else { Err(format!("{what}: {found:?}, not {wanted:?}").into()) }
}

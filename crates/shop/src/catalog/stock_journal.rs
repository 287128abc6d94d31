//! The stock journal: every change of stock is an entry that is never changed, written in the transaction of the
//! change. The sum of a variant's entries is its stock. The only module that writes `stock_entries`.

use platform::db::{Json, SqlValue, in_list, retry_on_conflict, statement, value_rows};
use platform::{Clock, Db, Error, Id, Random, Result, Timestamp, Tx, revisions};
use serde::Serialize;

use super::stock::{LOW_STOCK, tags_to_bump};
use super::{CategoryId, ChosenOptions, MAX_STOCK, ProductId, ProductOption, VariantId};
use crate::ids::OrderId;
use crate::string_enum::string_enum;

type EntryId = Id<StockEntry>;

string_enum! {
    /// The kind of a stock change.
    pub enum StockChangeKind {
        /// Goods came in.
        Received = "received",
        /// An order took them.
        Sold = "sold",
        /// They came back from an order.
        Returned = "returned",
        /// Counted, lost, broken.
        Corrected = "corrected",
    }
}

/// An entry of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct StockEntry {
    #[serde(rename = "_id")]
    pub id: EntryId,
    #[sqlx(try_from = "String")]
    pub kind: StockChangeKind,
    /// Units that were added; negative where they were taken.
    pub change: i64,
    /// The stock after this entry.
    pub stock: i64,
    /// The number of its order.
    #[serde(rename = "order")]
    pub number: Option<String>,
    pub reason: String,
    /// Who changed it; empty where an order did.
    pub actor: String,
    pub created_at: Timestamp,
}

/// Why stock changes, and by whom.
#[derive(Clone, Copy)]
pub(super) struct StockCause<'c> {
    pub kind: StockChangeKind,
    pub order: Option<&'c OrderId>,
    pub reason: &'c str,
    pub actor: &'c str,
}

impl<'c> StockCause<'c> {
    pub fn of_order(kind: StockChangeKind, order: &'c OrderId) -> Self {
        Self { kind, order: Some(order), reason: "", actor: "" }
    }
}

/// Writes an entry for each variant whose stock changes.
pub(super) fn add_entries<'p>(
    tx: &mut Tx,
    (clock, random): (&Clock, &Random),
    cause: &StockCause<'_>,
    changes: impl IntoIterator<Item = (&'p VariantId, i64)>,
) {
    const COLUMNS: usize = 8;
    let changes = changes.into_iter().filter(|(_, change)| *change != 0);
    let values: Vec<SqlValue> = changes
        .flat_map(|(variant, change)| -> [SqlValue; COLUMNS] {
            [
                variant.into(),
                (&EntryId::new(clock, random)).into(),
                cause.kind.into(),
                change.into(),
                cause.order.map(OrderId::as_str).into(),
                cause.reason.into(),
                cause.actor.into(),
                clock.now().into(),
            ]
        })
        .collect();
    if values.is_empty() {
        return;
    }
    let rows = value_rows(values.len() / COLUMNS, COLUMNS);
    let sql = format!(
        "insert into stock_entries
           (variant, id, kind, change, order_id, reason, actor, created_at) values {rows}"
    );
    tx.defer(statement(sql).bind_all(values));
}

/// Writes the first entry of each variant of these new products, whose id sorts before all others.
pub(super) async fn add_first_entries(tx: &mut Tx, ids: Vec<SqlValue>, actor: &str) -> Result<()> {
    let sql = format!(
        "insert into stock_entries (variant, id, kind, change, reason, actor, created_at)
         select variants.id, '0', 'received', qtn, '', $1, created_at
         from products join variants on variants.product = products.id
         where qtn <> 0 and {}",
        in_list("products.id", 2, ids.len())
    );
    tx.query(sql).bind(actor).bind_all(ids).execute().await.map(drop)
}

/// What somebody wants the stock to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StockTarget {
    /// Counted: what is there now.
    Set(i64),
    /// Units that came in, or are gone.
    Adjust(i64),
}

/// Changes a variant's stock outside of an order. A count also corrects a journal that lacks entries. Returns the stock
/// before and after; `None` where there is no such variant.
pub async fn change_stock(
    db: &Db,
    (clock, random): (&Clock, &Random),
    id: &VariantId,
    target: StockTarget,
    reason: &str,
    actor: &str,
) -> Result<Option<(i64, i64)>> {
    retry_on_conflict(|| async {
        let mut tx = db.begin().await?;
        let locked: Option<(i64, ProductId, CategoryId)> = tx
            .query(
                "update variants set qtn = qtn where id = $1 returning qtn, product,
                   (select category from products where products.id = variants.product)",
            )
            .bind(id)
            .optional()
            .await?;
        let Some((before, product, category)) = locked else { return Ok(None) };
        let after = match target {
            StockTarget::Set(units) => units,
            StockTarget::Adjust(by) => before.saturating_add(by),
        };
        // Below 0 are units that were sold before they came in.
        let least = before.min(0);
        if !(least..=MAX_STOCK).contains(&after) {
            let message = format!("there are {before}; the stock is from {least} to {MAX_STOCK}");
            return Err(Error::invalid("units", message));
        }
        let sql =
            "select cast(coalesce(sum(change), 0) as bigint) from stock_entries where variant = $1";
        let (recorded,): (i64,) = tx.query(sql).bind(id).one().await?;
        let change = match target {
            StockTarget::Set(units) => units - recorded,
            StockTarget::Adjust(by) => by,
        };
        if change == 0 && after == before {
            tx.rollback().await?;
            return Ok(Some((before, after)));
        }
        let kind = match target {
            StockTarget::Adjust(by) if by > 0 => StockChangeKind::Received,
            _ => StockChangeKind::Corrected,
        };
        let cause = StockCause { kind, order: None, reason, actor };
        add_entries(&mut tx, (clock, random), &cause, [(id, change)]);
        tx.defer(statement("update variants set qtn = $2 where id = $1").bind(id).bind(after));
        // The product's page has the stock, however large: it limits the quantity.
        let tags = tags_to_bump(&product, &category, before.min(after).min(LOW_STOCK));
        revisions::bump(&mut tx, tags).await?;
        tx.commit().await?;
        Ok(Some((before, after)))
    })
    .await
}

/// A variant of which few are left.
#[derive(Debug, PartialEq, Serialize)]
pub struct LowStock {
    #[serde(rename = "_id")]
    pub id: VariantId,
    pub sku: String,
    pub name: String,
    pub options: ChosenOptions,
    pub qtn: i64,
}

type LowStockRow = (VariantId, String, String, Json<Vec<ProductOption>>, Json<Vec<String>>, i64);

/// The variants of active products of which at most as many are left as their own limit or, without one, `most`; the
/// fewest first.
pub async fn low_stock(db: &Db, most: i64, limit: i64) -> Result<Vec<LowStock>> {
    let sql = "select variants.id, sku, name, products.options, variants.options, qtn
               from variants join products on products.id = product
               where variants.status = 'active' and products.status = 'active'
                 and qtn <= coalesce(low_stock, $1)
               order by qtn, variants.id limit $2";
    let rows: Vec<LowStockRow> = db.query(sql).bind(most).bind(limit).all().await?;
    let low = |(id, sku, name, options, values, qtn): LowStockRow| LowStock {
        id,
        sku,
        name,
        options: ChosenOptions::new(&options, &values),
        qtn,
    };
    Ok(rows.into_iter().map(low).collect())
}

/// The number of variants whose stock is not the sum of their entries: a program of an earlier version changed it.
pub async fn unexplained_stock(db: &Db) -> Result<i64> {
    let sql = "select count(*) from variants v left join
                 (select variant, sum(change) as stock from stock_entries group by variant) e
                 on e.variant = v.id
               where v.qtn <> coalesce(e.stock, 0)";
    let (variants,): (i64,) = db.query(sql).one().await?;
    Ok(variants)
}

/// The newest entries of a variant, the newest first; `None` where there is no such variant.
pub async fn stock_history(db: &Db, id: &VariantId, limit: i64) -> Result<Option<Vec<StockEntry>>> {
    let known: Option<(VariantId,)> =
        db.query("select id from variants where id = $1").bind(id).optional().await?;
    if known.is_none() {
        return Ok(None);
    }
    let entries = db
        .query(
            "select e.id, e.kind, e.change, e.stock, o.number, e.reason, e.actor, e.created_at
         from (select id, kind, change, cast(sum(change) over (order by id) as bigint) as stock,
                 order_id, reason, actor, created_at
               from stock_entries where variant = $1) e
         left join orders o on o.id = e.order_id order by e.id desc limit $2",
        )
        .bind(id)
        .bind(limit);
    entries.all().await.map(Some)
}

//! Stock: deducts and returns units in the caller's transaction. The guard against overselling is in
//! the update itself, so two buyers can never get the last unit.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use platform::db::{SqlValue, in_list, statement};
use platform::jobs::PeriodicTask;
use platform::revisions::{self, CacheTag};
use platform::{Clock, Db, Random, Result, Timestamp, Tx};

use super::stock_journal::{StockCause, StockChangeKind, add_entries};
use super::variants::{IS_SOLD, LINE_COLUMNS};
use super::{
    CategoryId, LineVariant, ProductId, VariantId, category_tag, popularity_tag, product_tag,
};
use crate::ids::OrderId;

/// At or below this, pages show how many are left.
pub(super) const LOW_STOCK: i64 = 10;

/// A variant with what an order line needs.
#[derive(Clone, sqlx::FromRow)]
pub struct StockedVariant {
    #[sqlx(flatten)]
    pub line: LineVariant,
    pub sku: String,
}

/// Besides those of a `LineVariant`. A variant without an SKU has that of the default variant.
const STOCKED_COLUMNS: &str = "case when sku <> '' then sku
      else (select main.sku from variants main where main.id = variants.product) end as sku";

/// In-memory cache of recently bought variants. Entries may be stale: checkout uses them as a first
/// guess only.
#[derive(Clone, Default)]
pub struct StockCache(Arc<Mutex<HashMap<VariantId, StockedVariant>>>);

impl StockCache {
    const MAX_ENTRIES: usize = 10_000;

    /// All of `ids`, or `None` when one of them is not cached.
    pub fn get_all(&self, ids: &[&VariantId]) -> Option<Vec<StockedVariant>> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ids.iter().map(|id| cached.get(*id).cloned()).collect()
    }

    /// Reads those of `ids` that are sold, and caches them.
    pub async fn load(&self, db: &Db, ids: &[&VariantId]) -> Result<Vec<StockedVariant>> {
        let sql = format!(
            "select {LINE_COLUMNS}, {STOCKED_COLUMNS} from variants where {IS_SOLD} and {}",
            in_list("id", 1, ids.len())
        );
        let values = ids.iter().map(|id| SqlValue::from(*id));
        let mut variants: Vec<StockedVariant> = db.query(sql).bind_all(values).all().await?;
        variants.iter_mut().for_each(|one| one.line.complete());
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.len() > Self::MAX_ENTRIES {
            cached.clear();
        }
        cached.extend(variants.iter().map(|one| (one.line.id.clone(), one.clone())));
        Ok(variants)
    }
}

/// Deducts the quantities of an order. Returns the variants as they were before, and the cache tags that
/// the caller bumps last; `None` when a variant is not sold or has too little stock: then the caller
/// rolls back. Updates in the order of ids, so that two transactions never deadlock.
pub async fn deduct_stock(
    tx: &mut Tx,
    journal: (&Clock, &Random),
    order: &OrderId,
    wanted: &[(VariantId, i64)],
) -> Result<Option<(Vec<StockedVariant>, Vec<CacheTag>)>> {
    let mut wanted: Vec<&(VariantId, i64)> = wanted.iter().collect();
    wanted.sort();
    // Deferred: sent with the updates, for which other orders wait.
    let sold = StockCause::of_order(StockChangeKind::Sold, order);
    add_entries(tx, journal, &sold, wanted.iter().map(|(id, quantity)| (id, -quantity)));
    let updates = wanted.iter().map(|(id, quantity)| {
        let sql = format!(
            "update variants set qtn = qtn - $2, units_sold = units_sold + $2
             where id = $1 and (qtn >= $2 or back_order is not null) and {IS_SOLD}
             returning {LINE_COLUMNS}, {STOCKED_COLUMNS}"
        );
        statement(sql).bind(id).bind(*quantity)
    });
    let mut updated: Vec<StockedVariant> = tx.query_batch(updates.collect()).await?;
    if updated.len() < wanted.len() {
        return Ok(None);
    }
    updated.sort_by(|one, other| one.line.id.cmp(&other.line.id));
    let mut tags = Vec::new();
    for (StockedVariant { line, .. }, (_, quantity)) in updated.iter_mut().zip(wanted) {
        tags.extend(tags_to_bump(&line.product, line.category(), line.qtn));
        line.qtn += quantity;
        line.complete();
    }
    Ok(Some((updated, tags)))
}

/// Adds `quantity` of an order back to a variant's stock, and returns the cache tags to bump.
pub async fn return_stock(
    tx: &mut Tx,
    journal: (&Clock, &Random),
    order: &OrderId,
    (id, quantity): (&VariantId, i64),
) -> Result<Vec<CacheTag>> {
    let left: Option<(i64, ProductId, CategoryId)> = tx
        .query(
            "update variants set qtn = qtn + $2,
               units_sold = case when units_sold > $2 then units_sold - $2 else 0 end
             where id = $1 returning qtn, product,
               (select category from products where products.id = variants.product)",
        )
        .bind(id)
        .bind(quantity)
        .optional()
        .await?;
    let Some((left, product, category)) = left else { return Ok(Vec::new()) };
    let returned = StockCause::of_order(StockChangeKind::Returned, order);
    add_entries(tx, journal, &returned, [(id, quantity)]);
    Ok(tags_to_bump(&product, &category, left - quantity))
}

/// Recounts the popularity of these products after returns. In the order of their ids, and after the stock of all
/// variants, so that two transactions never deadlock.
pub async fn recount_popularity(tx: &mut Tx, products: &BTreeSet<&ProductId>) -> Result<()> {
    let sql = format!("update products set popularity = {UNITS_SOLD} where id = $1");
    for id in products {
        tx.query(sql.clone()).bind(*id).execute().await?;
    }
    Ok(())
}

const UPDATE_BATCH: usize = 20;

/// Copies units sold to the popularity that lists are sorted by. The first run of a process updates all
/// products, later runs those ordered since.
pub struct PopularityUpdates {
    db: Db,
    clock: Clock,
    since: Mutex<Option<Timestamp>>,
}

impl PopularityUpdates {
    pub fn new(db: Db, clock: Clock) -> Self {
        Self { db, clock, since: Mutex::default() }
    }
}

impl PeriodicTask for PopularityUpdates {
    const NAME: &'static str = "catalog.popularity";
    const INTERVAL: Duration = Duration::from_secs(60);

    async fn run(&self) -> Result<()> {
        let now = self.clock.now();
        let since = *self.since.lock().unwrap_or_else(PoisonError::into_inner);
        update_popularity(&self.db, since).await?;
        // Overlaps with the next run, for orders that were not committed yet.
        let next = Some(now.minus(Self::INTERVAL));
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = next;
        Ok(())
    }
}

const UNITS_SOLD: &str = "(select cast(coalesce(sum(units_sold), 0) as bigint) from variants
    where variants.product = products.id)";

/// Updates a few products per transaction, in the order of their ids, so that no order waits for long.
pub async fn update_popularity(db: &Db, since: Option<Timestamp>) -> Result<()> {
    let behind = match since {
        None => db
            .query(format!("select id from products where popularity <> {UNITS_SOLD} order by id")),
        Some(since) => db
            .query(
                "select distinct l.product from orders o join order_lines l on l.order_id = o.id
                 where o.created_at > $1 order by l.product",
            )
            .bind(since),
    };
    let behind: Vec<(ProductId,)> = behind.all().await?;
    let sql = format!(
        "update products set popularity = {UNITS_SOLD} where id = $1 and popularity <> {UNITS_SOLD}"
    );
    for some in behind.chunks(UPDATE_BATCH) {
        let (mut tx, mut tags) = (db.begin().await?, Vec::new());
        for (id,) in some {
            let counted = tx.query(sql.clone()).bind(id).execute().await?;
            if counted > 0 {
                tags.push(popularity_tag(id));
            }
        }
        if !tags.is_empty() {
            revisions::bump(&mut tx, tags).await?;
        }
        tx.commit().await?;
    }
    Ok(())
}

/// `fewest`: the lower of the stock before and after.
pub(super) fn tags_to_bump(id: &ProductId, category: &CategoryId, fewest: i64) -> Vec<CacheTag> {
    match fewest {
        // The category's pages count the products in stock.
        ..=0 => vec![product_tag(id), category_tag(category)],
        1..=LOW_STOCK => vec![product_tag(id)],
        _ => vec![],
    }
}

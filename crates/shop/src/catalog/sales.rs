//! Schedules the start and end of sales as jobs.

use platform::jobs::{self, Completion, Job, JobId};
use platform::{Clock, Db, Id, Result, Timestamp, Tx, revisions};
use serde::{Deserialize, Serialize};

use super::changed_tags::ChangedTags;
use super::store::find_in_tx;
use super::variants::update_sort_price;
use super::{CategoryId, ProductId, StoredPrice, past_prices};

/// The job at the start and the end of a variant's offer: the price changes although nobody wrote the product.
#[derive(Debug, Serialize, Deserialize)]
pub struct SaleBoundary {
    product: ProductId,
}

impl Job for SaleBoundary {
    const NAME: &'static str = "catalog.sale_turns";
    type Context = (Db, Clock);

    /// Updates the product's sort price, and bumps its cache tags.
    async fn run(self, _: JobId, (db, clock): &(Db, Clock)) -> Result<Completion> {
        let (mut tx, id) = (db.begin().await?, self.product);
        let found: Option<(CategoryId,)> =
            tx.query("select category from products where id = $1").bind(&id).optional().await?;
        let Some((category,)) = found else { return Ok(Completion::Done) };
        update_sort_price(&mut tx, &id, clock.now()).await?;
        let mut changes = ChangedTags::default();
        changes.product(&id, &category);
        revisions::bump(&mut tx, changes.0).await?;
        tx.commit().await.map(Completion::from)
    }
}

/// Enqueues a job for the start and the end of the offer of a product's variant. The job's id makes repeated calls
/// harmless.
pub(super) async fn schedule_sale_boundaries(
    tx: &mut Tx,
    clock: &Clock,
    product: &ProductId,
    price: &StoredPrice,
) -> Result<()> {
    let (now, payload) = (clock.now(), SaleBoundary { product: product.clone() });
    for turn in [price.sale_start, price.sale_end].into_iter().flatten() {
        if turn > now {
            let id = Id::from_name(&format!("{} {product} {}", SaleBoundary::NAME, turn.0));
            jobs::enqueue(tx, id, &payload, turn, now)?;
        }
    }
    Ok(())
}

/// Moves the end of these products' sales to `end` where they are over.
pub(crate) async fn extend_sales(
    tx: &mut Tx,
    clock: &Clock,
    products: &[ProductId],
    end: Timestamp,
) -> Result<()> {
    let now = clock.now();
    let mut changes = ChangedTags::default();
    let mut products: Vec<&ProductId> = products.iter().collect();
    products.sort_unstable();
    for id in products {
        let Some((product, variants)) = find_in_tx(tx, id).await? else { continue };
        let mut extended = false;
        for mut variant in variants {
            if variant.stored.sale_end.is_none_or(|end| end > now) {
                continue;
            }
            variant.stored.sale_end = Some(end);
            tx.query("update variants set sale_end = $2 where id = $1")
                .bind(&variant.id)
                .bind(end)
                .execute()
                .await?;
            past_prices::record(tx, &variant.id, &variant.stored, now);
            schedule_sale_boundaries(tx, clock, id, &variant.stored).await?;
            extended = true;
        }
        if extended {
            update_sort_price(tx, id, now).await?;
            changes.product(id, &product.category);
        }
    }
    revisions::bump(tx, changes.0).await
}

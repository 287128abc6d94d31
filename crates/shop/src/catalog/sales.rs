//! Schedules the start and end of sales as jobs.

use platform::jobs::{self, Job};
use platform::{Clock, Db, Id, Result, Timestamp, Tx, revisions};
use serde::{Deserialize, Serialize};

use super::changed_tags::ChangedTags;
use super::store::find_in_tx;
use super::{Price, Product, ProductId};

/// The job that updates a product's sort price and bumps its cache tags when its offer starts or ends.
pub const SALE_BOUNDARY: &str = "catalog.sale_turns";

#[derive(Debug, Serialize, Deserialize)]
pub struct SaleBoundary {
    product: ProductId,
}

/// Enqueues a job for the start and the end of a product's offer. The job's id makes repeated calls
/// harmless.
pub(super) async fn schedule_sale_boundaries(
    tx: &mut Tx,
    clock: &Clock,
    product: &ProductId,
    price: &Price,
) -> Result<()> {
    let (now, payload) = (clock.now(), SaleBoundary { product: product.clone() });
    for turn in [price.sale_start, price.sale_end].into_iter().flatten() {
        if turn > now {
            let id = Id::<Job>::from_name(&format!("{SALE_BOUNDARY} {product} {}", turn.0));
            jobs::enqueue(tx, id, SALE_BOUNDARY, &payload, turn, now)?;
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
        let Some(Product { category, mut price, .. }) = find_in_tx(tx, id).await? else { continue };
        if price.sale_end.is_none_or(|end| end > now) {
            continue;
        }
        price.sale_end = Some(end);
        tx.query("update products set sale_end = $2, sort_price = $3 where id = $1")
            .bind(id)
            .bind(end)
            .bind(price.at(now))
            .execute()
            .await?;
        changes.product(id, &category);
        schedule_sale_boundaries(tx, clock, id, &price).await?;
    }
    revisions::bump(tx, changes.0).await
}

/// Runs at the start or end of a product's offer: the price changes although nobody wrote the product.
pub async fn sale_boundary(
    db: Db,
    clock: Clock,
    SaleBoundary { product: id }: SaleBoundary,
) -> Result<()> {
    let mut tx = db.begin().await?;
    let Some(product) = find_in_tx(&mut tx, &id).await? else { return Ok(()) };
    tx.query("update products set sort_price = $2 where id = $1")
        .bind(&id)
        .bind(product.price.at(clock.now()))
        .execute()
        .await?;
    let mut changes = ChangedTags::default();
    changes.product(&id, &product.category);
    revisions::bump(&mut tx, changes.0).await?;
    tx.commit().await
}

//! Offers that start and end by the clock.

use base::jobs::{self, Job};
use base::{Clock, Db, Id, Result, Timestamp, Tx, revisions};
use serde::{Deserialize, Serialize};

use super::changes::Changes;
use super::store::stored;
use super::{Price, Product, ProductId};

/// The job that moves a product's sort price and revisions when its offer starts or ends.
pub const SALE_TURNS: &str = "catalog.sale_turns";

#[derive(Debug, Serialize, Deserialize)]
pub struct SaleTurns {
    product: ProductId,
}

/// Writes the jobs for the moments at which a product's price turns, each moment once.
pub(super) async fn schedule_turns(
    tx: &mut Tx,
    clock: &Clock,
    product: &ProductId,
    price: &Price,
) -> Result<()> {
    let (now, payload) = (clock.now(), SaleTurns { product: product.clone() });
    for turn in [price.sale_start, price.sale_end].into_iter().flatten() {
        if turn > now {
            let id = Id::<Job>::named(&format!("{SALE_TURNS} {product} {}", turn.0));
            jobs::enqueue(tx, id, SALE_TURNS, &payload, turn, now)?;
        }
    }
    Ok(())
}

/// Gives these products' sales a new end where they have ended.
pub(super) async fn renew_sales(
    tx: &mut Tx,
    clock: &Clock,
    products: &[ProductId],
    end: Timestamp,
) -> Result<()> {
    let now = clock.now();
    let mut changes = Changes::default();
    let mut products: Vec<&ProductId> = products.iter().collect();
    products.sort_unstable();
    for id in products {
        let Some(Product { category, mut price, .. }) = stored(tx, id).await? else { continue };
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
        schedule_turns(tx, clock, id, &price).await?;
    }
    revisions::changed(tx, changes.0).await
}

/// The clock has reached the start or the end of a product's offer: nobody touched it, yet its price
/// is another one.
pub async fn sale_turns(db: Db, clock: Clock, SaleTurns { product: id }: SaleTurns) -> Result<()> {
    let mut tx = db.begin().await?;
    let Some(product) = stored(&mut tx, &id).await? else { return Ok(()) };
    tx.query("update products set sort_price = $2 where id = $1")
        .bind(&id)
        .bind(product.price.at(clock.now()))
        .execute()
        .await?;
    let mut changes = Changes::default();
    changes.product(&id, &product.category);
    revisions::changed(&mut tx, changes.0).await?;
    tx.commit().await
}

//! Writes a product's rating, in the transaction of the review that changes it.

use platform::revisions::CacheTag;
use platform::{Result, Tx};

use super::{CategoryId, ProductId, catalog_tag, category_tag, product_tag};

/// Locks a product until the end of the transaction, so that no two transactions count its reviews at
/// once. Returns its name; `None` when there is no such product. Lock several products in the order of
/// their ids, as orders do, or two transactions deadlock.
pub async fn lock_product(tx: &mut Tx, id: &ProductId) -> Result<Option<String>> {
    let locked: Option<(String,)> = tx
        .query("update products set reviews = reviews where id = $1 returning name")
        .bind(id)
        .optional()
        .await?;
    Ok(locked.map(|(name,)| name))
}

/// Writes the rating of a locked product, 0 without reviews. Returns the cache tags to bump.
pub async fn set_rating(
    tx: &mut Tx,
    id: &ProductId,
    reviews: i64,
    mean: f64,
) -> Result<Vec<CacheTag>> {
    let changed: Option<(CategoryId,)> = tx
        .query(
            "update products set reviews = $2, rating = $3
             where id = $1 and (reviews <> $2 or rating <> $3) returning category",
        )
        .bind(id)
        .bind(reviews)
        .bind(if reviews > 0 { mean } else { 0.0 })
        .optional()
        .await?;
    // Lists are filtered and sorted by the rating.
    let tags = |(category,)| vec![catalog_tag(), category_tag(&category), product_tag(id)];
    Ok(changed.map(tags).unwrap_or_default())
}

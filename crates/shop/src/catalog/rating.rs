//! What reviews make of a product's rating, in somebody else's transaction.

use base::revisions::Scope;
use base::{Result, Tx};

use super::{CategoryId, ProductId, scope_of_category, scope_of_product, whole};

/// Makes whoever does the same wait until this transaction ends, so that no two count the same reviews at
/// once; says what the product is called, nothing where there is none. Whoever holds several goes by the
/// order of their ids, as orders do.
pub async fn hold(tx: &mut Tx, id: &ProductId) -> Result<Option<String>> {
    let held: Option<(String,)> = tx
        .query("update products set reviews = reviews where id = $1 returning name")
        .bind(id)
        .optional()
        .await?;
    Ok(held.map(|(name,)| name))
}

/// Takes over what so many reviews say of a product that is held, and says what pages have to show anew.
/// Without a review there is no rating.
pub async fn rate(tx: &mut Tx, id: &ProductId, reviews: i64, mean: f64) -> Result<Vec<Scope>> {
    let moved: Option<(CategoryId,)> = tx
        .query(
            "update products set reviews = $2, rating = $3
             where id = $1 and (reviews <> $2 or rating <> $3) returning category",
        )
        .bind(id)
        .bind(reviews)
        .bind(if reviews > 0 { mean } else { 0.0 })
        .optional()
        .await?;
    // Lists are filtered and sorted by it.
    let scopes = |(category,)| vec![whole(), scope_of_category(&category), scope_of_product(id)];
    Ok(moved.map(scopes).unwrap_or_default())
}

//! Taking from the shelf and putting back, in somebody else's transaction. What is not there is never
//! taken: the guard is in the update itself, so that no two can have the last one.

use base::revisions::Scope;
use base::{Result, Timestamp, Tx};

use super::{ProductCard, ProductId, scope_of_product, store::CARD};

/// From here down pages say how few are left.
const FEW: i64 = 10;

/// What was taken from the shelf.
pub struct Sold {
    /// The product as it stood before, with its price settled.
    pub card: ProductCard,
    pub sku: String,
    /// What pages have to show anew: to be moved when all else is done.
    pub moved: Option<Scope>,
}

#[derive(sqlx::FromRow)]
struct Row {
    #[sqlx(flatten)]
    card: ProductCard,
    sku: String,
}

/// Takes `quantity` of a product; nothing where there is no such product, or fewer of it. Whoever takes
/// several goes by the order of their ids, so that no two wait for each other.
pub async fn take_stock(
    tx: &mut Tx,
    now: Timestamp,
    id: &ProductId,
    quantity: i64,
) -> Result<Option<Sold>> {
    let sql = format!(
        "update products set qtn = qtn - $2, units_sold = units_sold + $2
         where id = $1 and qtn >= $2 returning {CARD}, sku"
    );
    let taken: Option<Row> = tx.query(sql).bind(id).bind(quantity).optional().await?;
    Ok(taken.map(|Row { mut card, sku }| {
        let moved = shown_anew(id, card.qtn);
        card.qtn += quantity;
        card.price.settle(now);
        Sold { card, sku, moved }
    }))
}

/// Puts `quantity` of a product back, and says what pages have to show anew.
pub async fn return_stock(tx: &mut Tx, id: &ProductId, quantity: i64) -> Result<Option<Scope>> {
    let left: Option<(i64,)> = tx
        .query(
            "update products set qtn = qtn + $2,
               units_sold = case when units_sold > $2 then units_sold - $2 else 0 end
             where id = $1 returning qtn",
        )
        .bind(id)
        .bind(quantity)
        .optional()
        .await?;
    Ok(left.and_then(|(left,)| shown_anew(id, left - quantity)))
}

/// `fewest`: the smaller of how many there were and how many there are.
fn shown_anew(id: &ProductId, fewest: i64) -> Option<Scope> {
    (fewest <= FEW).then(|| scope_of_product(id))
}

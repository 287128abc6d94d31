//! Taking from the shelf and putting back, in somebody else's transaction. What is not there is never
//! taken: the guard is in the update itself, so that no two can have the last one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base::db::{Value, one_of, write};
use base::revisions::{self, Scope};
use base::{Clock, Db, Result, Timestamp, Tx};

use super::{
    CategoryId, ProductCard, ProductId, scope_of_category, scope_of_product, scope_of_rank,
    store::CARD,
};

/// From here down pages say how few are left.
const FEW: i64 = 10;

/// A product on the shelf.
#[derive(Clone, sqlx::FromRow)]
pub struct Shelved {
    #[sqlx(flatten)]
    pub card: ProductCard,
    pub sku: String,
    pub category: CategoryId,
}

/// What was last seen on the shelf of what is bought. It may be old, and is good for a guess alone.
#[derive(Clone, Default)]
pub struct Shelf(Arc<Mutex<HashMap<ProductId, Shelved>>>);

impl Shelf {
    const MOST_REMEMBERED: usize = 10_000;

    /// All of `ids` as they were last seen; nothing where one of them was not.
    pub fn remembered(&self, ids: &[&ProductId]) -> Option<Vec<Shelved>> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ids.iter().map(|id| seen.get(*id).cloned()).collect()
    }

    /// Those of `ids` that the shop knows, as they are now.
    pub async fn look(&self, db: &Db, ids: &[&ProductId]) -> Result<Vec<Shelved>> {
        let sql = format!(
            "select {CARD}, sku, category from products where {}",
            one_of("id", 1, ids.len())
        );
        let values = ids.iter().map(|id| Value::from(*id));
        let shelved: Vec<Shelved> = db.query(sql).bind_all(values).all().await?;
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() > Self::MOST_REMEMBERED {
            seen.clear();
        }
        seen.extend(shelved.iter().map(|one| (one.card.id.clone(), one.clone())));
        Ok(shelved)
    }
}

/// Takes as many of each product as is said, and gives back how each stood before, and what pages have to
/// show anew, which is to be moved when all else is done; nothing where there is no such product, or fewer
/// of it. They are taken by the order of their ids, so that no two who take wait for each other.
pub async fn take_stock(
    tx: &mut Tx,
    wanted: &[(ProductId, i64)],
) -> Result<Option<(Vec<Shelved>, Vec<Scope>)>> {
    let mut wanted: Vec<&(ProductId, i64)> = wanted.iter().collect();
    wanted.sort();
    let takes = wanted.iter().map(|(id, quantity)| {
        let sql = format!(
            "update products set qtn = qtn - $2, units_sold = units_sold + $2
             where id = $1 and qtn >= $2 returning {CARD}, sku, category"
        );
        write(sql).bind(id).bind(*quantity)
    });
    let mut taken: Vec<Shelved> = tx.all_of(takes.collect()).await?;
    if taken.len() < wanted.len() {
        return Ok(None);
    }
    taken.sort_by(|one, other| one.card.id.cmp(&other.card.id));
    let mut moved = Vec::new();
    for (Shelved { card, category, .. }, (id, quantity)) in taken.iter_mut().zip(wanted) {
        moved.extend(shown_anew(id, category, card.qtn));
        card.qtn += quantity;
    }
    Ok(Some((taken, moved)))
}

/// Puts `quantity` of a product back, and says what pages have to show anew.
pub async fn return_stock(tx: &mut Tx, id: &ProductId, quantity: i64) -> Result<Vec<Scope>> {
    let left: Option<(i64, CategoryId)> = tx
        .query(
            "update products set qtn = qtn + $2,
               units_sold = case when units_sold > $2 then units_sold - $2 else 0 end,
               popularity = case when units_sold > $2 then units_sold - $2 else 0 end
             where id = $1 returning qtn, category",
        )
        .bind(id)
        .bind(quantity)
        .optional()
        .await?;
    let moved = left.map(|(left, category)| shown_anew(id, &category, left - quantity));
    Ok(moved.unwrap_or_default())
}

const COUNT_EVERY: Duration = Duration::from_secs(60);
const COUNTED_TOGETHER: usize = 20;

/// Brings what lists are sorted by up to what was sold, for as long as the program runs. First whatever is
/// behind; later what was ordered since.
pub async fn keep_popularity(db: Db, clock: Clock) {
    let mut every = tokio::time::interval(COUNT_EVERY);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut since = None;
    loop {
        every.tick().await;
        let now = clock.now();
        match count_popularity(&db, since).await {
            // Orders that were under way then are among the next.
            Ok(()) => since = Some(now.minus(COUNT_EVERY)),
            Err(why) => tracing::warn!(%why, "could not count what is popular"),
        }
    }
}

/// A few products at a time, by the order of their ids, so that nobody who buys waits for long.
pub async fn count_popularity(db: &Db, since: Option<Timestamp>) -> Result<()> {
    let behind = match since {
        None => db.query("select id from products where popularity <> units_sold order by id"),
        Some(since) => db
            .query(
                "select distinct l.product from orders o join order_lines l on l.order_id = o.id
                 where o.created_at > $1 order by l.product",
            )
            .bind(since),
    };
    let behind: Vec<(ProductId,)> = behind.all().await?;
    for some in behind.chunks(COUNTED_TOGETHER) {
        let (mut tx, mut moved) = (db.begin().await?, Vec::new());
        for (id,) in some {
            let counted = tx
                .query("update products set popularity = units_sold where id = $1 and popularity <> units_sold")
                .bind(id)
                .execute()
                .await?;
            if counted > 0 {
                moved.push(scope_of_rank(id));
            }
        }
        if !moved.is_empty() {
            revisions::changed(&mut tx, moved).await?;
        }
        tx.commit().await?;
    }
    Ok(())
}

/// `fewest`: the smaller of how many there were and how many there are.
fn shown_anew(id: &ProductId, category: &CategoryId, fewest: i64) -> Vec<Scope> {
    match fewest {
        // Its category's pages count what is in stock.
        0 => vec![scope_of_product(id), scope_of_category(category)],
        1..=FEW => vec![scope_of_product(id)],
        _ => vec![],
    }
}

//! Taking an import in: all of its rows, or nothing of it.

use std::collections::HashSet;
use std::fmt;

use base::db::{again, is_taken};
use base::jobs::{self, Job};
use base::{Clock, Db, Id, Result, Timestamp, Tx, revisions};

use super::faults::Faults;
use super::stock::{SoldSince, Stated, Stock};
use super::{Import, NewCategory, NewProduct, Row, Wrong, settled};
use crate::catalog::changes::Changes;
use crate::catalog::sales::schedule_turns;
use crate::catalog::store::stored;
use crate::catalog::{CategoryId, Product};
use media::{self, MAKE_SIZES, MakeSizes};

/// What an import did.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub categories: Counts,
    pub products: Counts,
    /// Known products whose stock the file gives differently, without saying when it was counted.
    pub stock_kept: u64,
    /// Products of which more were sold since the count than were counted; none of them is left now.
    pub oversold: u64,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub added: u64,
    pub updated: u64,
    pub unchanged: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Added,
    Updated,
    Unchanged,
}

impl Counts {
    pub fn count(&mut self, change: Change) {
        match change {
            Change::Added => self.added += 1,
            Change::Updated => self.updated += 1,
            Change::Unchanged => self.unchanged += 1,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |counts: &Counts| {
            let Counts { added, updated, unchanged } = counts;
            format!("{added} added, {updated} updated, {unchanged} unchanged")
        };
        writeln!(f, "categories: {}", line(&self.categories))?;
        write!(f, "products: {}", line(&self.products))?;
        let products = |count: u64| match count {
            1 => "1 product".to_owned(),
            count => format!("{count} products"),
        };
        if self.stock_kept > 0 {
            let kept = products(self.stock_kept);
            write!(
                f,
                "\nstock: of {kept} left as it is, because the file does not say when qtn was "
            )?;
            write!(f, "counted; --stock-at now (or a moment, or a column stockAt) says so")?;
        }
        if self.oversold > 0 {
            let oversold = products(self.oversold);
            write!(
                f,
                "\nstock: of {oversold} more were sold since the count than were counted; now 0"
            )?;
        }
        Ok(())
    }
}

/// Takes in a whole import, or nothing of it.
pub async fn import(db: &Db, clock: &Clock, import: &Import) -> Result<Summary> {
    let summary = again(|| async {
        let mut tx = db.begin_long().await?;
        revisions::queue(&mut tx).await?;
        let summary = import_into(&mut tx, clock, import).await?;
        tx.commit().await?;
        Ok(summary)
    })
    .await?;
    if import.products.len() > 1000 {
        db.analyze().await?;
    }
    Ok(summary)
}

/// Takes in an import in a transaction that has queued.
pub(in crate::catalog) async fn import_into(
    tx: &mut Tx,
    clock: &Clock,
    import: &Import,
) -> Result<Summary> {
    let now = clock.now();
    let mut changes = Changes::default();
    let mut summary = Summary::default();
    let (mut position,): (i64,) =
        tx.query("select coalesce(max(position), 0) from categories").one().await?;
    for taken in &import.pictures {
        if media::put(tx, clock, taken).await? {
            let id = Id::<Job>::named(&format!("{MAKE_SIZES} {}", taken.id));
            let job = MakeSizes { picture: taken.id.clone() };
            jobs::enqueue(tx, id, MAKE_SIZES, &job, now, now)?;
        }
    }
    let mut faults = Faults::default();
    for row in &import.categories {
        if !settled(&row.value.img) {
            faults.push(import.fault(row, "img", "was not taken in"));
            continue;
        }
        position += 1;
        let change = put_category(tx, &row.value, position).await?;
        summary.categories.count(change);
        if change != Change::Unchanged {
            changes.shelf(&row.value.id);
        }
    }
    let known: Vec<(CategoryId,)> = tx.query("select id from categories").all().await?;
    let known: HashSet<CategoryId> = known.into_iter().map(|(id,)| id).collect();
    let rows = lock_changed(tx, import, &mut summary).await?;
    let mut sold = SoldSince::default();
    for (place, row, stands) in rows {
        let old = if stands { stored(tx, &row.value.id).await? } else { None };
        let new =
            match resolved(tx, import, row, old.as_ref(), (&mut sold, now), &mut summary).await? {
                Ok(new) => new,
                Err((field, why)) => {
                    faults.push(import.fault(row, field, &why));
                    continue;
                }
            };
        // What the file leaves as it is may not fit what it changes.
        let mut wrongs = new.wrongs();
        if !new.img.iter().all(|photo| settled(&photo.src)) {
            wrongs.push(("img", "was not taken in".into()));
        }
        if !known.contains(&new.category) {
            wrongs.push(("category", format!("there is no category {}", new.category)));
        }
        if !wrongs.is_empty() {
            for (field, why) in wrongs {
                faults.push(import.fault(row, field, &why));
            }
            continue;
        }
        let change = match &old {
            Some(old) if new.same_as(old) => Change::Unchanged,
            Some(_) => Change::Updated,
            None => Change::Added,
        };
        summary.products.count(change);
        if change == Change::Unchanged {
            continue;
        }
        // Later rows count as newer, so that a file's order is a list's order.
        let created_at = new.created_at.unwrap_or(Timestamp(now.0 + place as i64));
        match put_product(tx, &new, created_at, now).await {
            Err(why) if is_taken(&why, "sku") => {
                let message = format!("{} is the SKU of another product", new.sku);
                faults.push(import.fault(row, "sku", &message));
                // The database does nothing more in this transaction.
                return Err(faults.into());
            }
            put => put?,
        }
        changes.of_product(&new, old.as_ref());
        schedule_turns(tx, clock, &new.id, &new.price()).await?;
    }
    faults.check()?;
    revisions::changed(tx, changes.0).await?;
    Ok(summary)
}

/// A row as the product that it makes, with a stock; or why it makes none.
async fn resolved(
    tx: &mut Tx,
    import: &Import,
    row: &Row<NewProduct>,
    old: Option<&Product>,
    (sold, now): (&mut SoldSince, Timestamp),
    summary: &mut Summary,
) -> Result<std::result::Result<NewProduct, Wrong>> {
    let row = &row.value;
    let stated = row.stated_stock(import.stock_at);
    if let Stated::CountedAt(moment) = stated
        && moment > now
    {
        return Ok(Err(("stockAt", format!("{moment} lies ahead"))));
    }
    let Some(old) = old else {
        let none = "is missing: how many are there of this new product?";
        return Ok(match row.qtn {
            Some(_) => Ok(row.clone()),
            None => Err(("qtn", none.into())),
        });
    };
    let stock = match sold.stock(tx, row, stated, old).await? {
        Ok(stock) => stock,
        Err(wrong) => return Ok(Err(wrong)),
    };
    summary.oversold += u64::from(stock.oversold);
    Ok(Ok(row.over(old, stock)))
}

/// The rows that change something, each with its place and whether its product is known; and how many do
/// not. Products that will change are locked in the order of their ids, like those of an order: so an
/// import and an order never wait for each other.
async fn lock_changed<'i>(
    tx: &mut Tx,
    import: &'i Import,
    summary: &mut Summary,
) -> Result<Vec<(usize, &'i Row<NewProduct>, bool)>> {
    let (mut rows, mut known) = (Vec::new(), Vec::new());
    for (place, row) in import.products.iter().enumerate() {
        let old = stored(tx, &row.value.id).await?;
        if let Some(old) = &old {
            let stated = row.value.stated_stock(import.stock_at);
            let undated = stated == Stated::Undated;
            summary.stock_kept += u64::from(undated && row.value.qtn != Some(old.qtn));
            // What a count or a change comes to shows only when nobody can buy meanwhile.
            let moves_stock = !undated && stated != Stated::Nothing;
            if !moves_stock && row.value.over(old, Stock::of(old)).same_as(old) {
                summary.products.count(Change::Unchanged);
                continue;
            }
            known.push(&row.value.id);
        }
        rows.push((place, row, old.is_some()));
    }
    known.sort_unstable();
    for id in known {
        tx.query("update products set qtn = qtn where id = $1").bind(id).execute().await?;
    }
    Ok(rows)
}

async fn put_category(tx: &mut Tx, new: &NewCategory, position: i64) -> Result<Change> {
    let old: Option<(String, String)> =
        tx.query("select name, img from categories where id = $1").bind(&new.id).optional().await?;
    match old {
        Some((name, img)) if name == new.name && img == new.img => Ok(Change::Unchanged),
        Some(_) => {
            tx.query("update categories set name = $2, img = $3 where id = $1")
                .bind(&new.id)
                .bind(new.name.as_str())
                .bind(new.img.as_str())
                .execute()
                .await?;
            Ok(Change::Updated)
        }
        None => {
            tx.query("insert into categories (id, name, img, position) values ($1, $2, $3, $4)")
                .bind(&new.id)
                .bind(new.name.as_str())
                .bind(new.img.as_str())
                .bind(position)
                .execute()
                .await?;
            Ok(Change::Added)
        }
    }
}

async fn put_product(
    tx: &mut Tx,
    new: &NewProduct,
    created_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    let price = new.price();
    tx.query(
        "insert into products (id, category, name, sku, brand, img, real_price, offer_price,
           sale_start, sale_end, sort_price, rating, qtn, product_type, full_description, colours,
           tags, attributes, units_sold, popularity, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, $13, $14, $15, $16, $17,
           $18, $18, $19)
         on conflict (id) do update set category = excluded.category, name = excluded.name,
           sku = excluded.sku, brand = excluded.brand, img = excluded.img,
           real_price = excluded.real_price, offer_price = excluded.offer_price,
           sale_start = excluded.sale_start, sale_end = excluded.sale_end,
           sort_price = excluded.sort_price, qtn = excluded.qtn,
           product_type = excluded.product_type, full_description = excluded.full_description,
           colours = excluded.colours, tags = excluded.tags, attributes = excluded.attributes,
           units_sold = excluded.units_sold, popularity = excluded.popularity,
           created_at = excluded.created_at",
    )
    .bind(&new.id)
    .bind(&new.category)
    .bind(new.name.as_str())
    .bind(new.sku.as_str())
    .bind(new.brand.as_str())
    .bind(&new.img)
    .bind(price.real_price)
    .bind(price.offer_price)
    .bind(price.sale_start)
    .bind(price.sale_end)
    .bind(price.at(now))
    .bind(new.qtn.unwrap_or(0))
    .bind(new.product_type.as_str())
    .bind(new.full_description.as_str())
    .bind(&new.colours)
    .bind(&new.tags)
    .bind(&new.attributes)
    .bind(new.units_sold)
    .bind(created_at)
    .execute()
    .await
    .map(drop)
}

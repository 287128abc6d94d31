//! The demo shop's goods: a catalogue file with its dates set around today, its reviews, and pictures that
//! are part of the program.

use std::time::Duration;

use base::jobs::{self, Job};
use base::{Clock, Db, Id, Result, revisions};

use super::{FLASH_SALE, Format, Import, ProductId, Summary, import, sales};
use crate::reviews;
use media::{self, BuiltIn, KEEP_BUILT_IN, KeepBuiltIn, Taken};

const HOUR: Duration = Duration::from_secs(3600);
const SALE_LASTS: Duration = Duration::from_secs(3 * 24 * 3600);

/// The files that the demo shop is made from.
pub struct Files<'f> {
    pub catalog: &'f str,
    pub reviews: &'f str,
}

/// Fills an empty shop; in one that is filled (`None`), gives the demo's own goods a running flash sale
/// again. Of many servers that start at once, one does it.
pub async fn open(
    db: &Db,
    clock: &Clock,
    files: &Files<'_>,
    pictures: &BuiltIn,
) -> Result<Option<Summary>> {
    let now = clock.now();
    let mut import = Import::parse(files.catalog, Format::Json)?;
    let mut tx = db.begin_long().await?;
    revisions::queue(&mut tx).await?;
    let (filled,): (i64,) = tx.query("select count(*) from products").one().await?;
    if filled > 0 {
        let on_sale = import.products.iter().filter(|row| row.value.product_type == FLASH_SALE);
        let on_sale: Vec<ProductId> = on_sale.map(|row| row.value.id.clone()).collect();
        sales::renew_sales(&mut tx, clock, &on_sale, now.plus(SALE_LASTS)).await?;
        tx.commit().await?;
        return Ok(None);
    }
    let count = import.products.len();
    for (place, row) in import.products.iter_mut().enumerate() {
        // One new product every nine hours, the last of the file an hour ago.
        let age = Duration::from_secs(9 * 3600) * u32::try_from(count - place - 1).unwrap_or(0);
        row.value.created_at = Some(now.minus(age + HOUR));
        if row.value.product_type == FLASH_SALE {
            row.value.sale_end = Some(now.plus(SALE_LASTS));
        }
    }
    import.take_built_in(pictures);
    let listed: Vec<&Taken> = pictures.all().collect();
    media::put_all(&mut tx, clock, &listed).await?;
    jobs::enqueue(
        &mut tx,
        Id::<Job>::named(KEEP_BUILT_IN),
        KEEP_BUILT_IN,
        &KeepBuiltIn {},
        now,
        now,
    )?;
    let summary = import::import_into(&mut tx, clock, &import).await?;
    reviews::demo::seed(&mut tx, files.reviews, now).await?;
    tx.commit().await?;
    Ok(Some(summary))
}

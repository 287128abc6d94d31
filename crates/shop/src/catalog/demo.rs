//! The demo shop's goods: a catalogue file with its dates set around today.

use std::time::Duration;

use base::{Clock, Db, Random, Result};

use super::{FLASH_SALE, Format, Import, Summary, store};

const HOUR: Duration = Duration::from_secs(3600);
const SALE_LASTS: Duration = Duration::from_secs(3 * 24 * 3600);

/// Fills an empty shop, and gives a filled one a running flash sale again; `None` when it had goods.
pub async fn open(
    db: &Db,
    clock: &Clock,
    random: &Random,
    catalog: &str,
) -> Result<Option<Summary>> {
    let now = clock.now();
    if store::total(db, &store::Filter::default()).await? > 0 {
        store::renew_sales(db, clock, random, now.plus(SALE_LASTS)).await?;
        return Ok(None);
    }
    let mut import = Import::parse(catalog, Format::Json)?;
    let count = import.products.len();
    for (place, row) in import.products.iter_mut().enumerate() {
        // One new product every nine hours, the last of the file an hour ago.
        let age = Duration::from_secs(9 * 3600) * u32::try_from(count - place - 1).unwrap_or(0);
        row.value.created_at = Some(now.minus(age + HOUR));
        if row.value.product_type == FLASH_SALE {
            row.value.sale_end = Some(now.plus(SALE_LASTS));
        }
    }
    store::import(db, clock, random, &import).await.map(Some)
}

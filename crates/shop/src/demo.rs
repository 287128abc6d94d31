//! Seeds the demo shop: a catalogue file with dates relative to today, its reviews and promotions, and pictures that
//! are embedded in the binary.

use std::time::Duration;

use platform::jobs::{self, Job};
use platform::{Clock, Currency, Db, Id, Random, Result, revisions};

use crate::catalog::{self, FLASH_SALE, Import, ImportFormat, ImportSummary, ProductId};
use crate::promotions::{self, PromotionImport};
use crate::reviews;
use media::{self, BuiltIn, ImportedPicture, StoreBuiltIn};

const HOUR: Duration = Duration::from_secs(3600);
const SALE_LASTS: Duration = Duration::from_secs(3 * 24 * 3600);

/// The files that the demo shop is seeded from.
pub struct DemoFiles<'f> {
    pub catalog: &'f str,
    pub reviews: &'f str,
    pub promotions: &'f str,
}

/// Fills an empty database. In one that has products it only extends the demo products' flash sale, and
/// returns `None`. When several servers start at once, one of them does it.
pub async fn seed(
    db: &Db,
    clock: &Clock,
    random: &Random,
    base: Currency,
    files: &DemoFiles<'_>,
    pictures: &BuiltIn,
) -> Result<Option<ImportSummary>> {
    let now = clock.now();
    let mut import = Import::parse(files.catalog, ImportFormat::Json, base)?;
    let mut tx = db.begin().await?;
    revisions::lock_bulk_writes(&mut tx).await?;
    let (filled,): (i64,) = tx.query("select count(*) from products").one().await?;
    if filled > 0 {
        let on_sale = import.products.iter().filter(|row| row.value.product_type == FLASH_SALE);
        let on_sale: Vec<ProductId> = on_sale.map(|row| row.value.id.clone()).collect();
        catalog::extend_sales(&mut tx, clock, &on_sale, now.plus(SALE_LASTS)).await?;
        tx.commit().await?;
        return Ok(None);
    }
    let count = import.products.len();
    for (place, row) in import.products.iter_mut().enumerate() {
        // One new product every nine hours; the last one in the file is an hour old.
        let age = Duration::from_secs(9 * 3600) * u32::try_from(count - place - 1).unwrap_or(0);
        row.value.created_at = Some(now.minus(age + HOUR));
        if row.value.product_type == FLASH_SALE {
            row.value.sale_end = Some(now.plus(SALE_LASTS));
            let own_offers = row.value.variants.iter_mut().flatten();
            for variant in own_offers.filter(|variant| variant.offer_price.is_some()) {
                variant.sale_end = row.value.sale_end;
            }
        }
    }
    import.resolve_built_in(pictures);
    let listed: Vec<&ImportedPicture> = pictures.all().collect();
    media::insert_pictures(&mut tx, clock, &listed).await?;
    jobs::enqueue(&mut tx, Id::from_name(StoreBuiltIn::NAME), &StoreBuiltIn {}, now, now)?;
    let summary = catalog::import_into(&mut tx, clock, random, &import).await?;
    reviews::demo::seed(&mut tx, files.reviews, now).await?;
    let PromotionImport { promotions } = serde_json::from_str(files.promotions)?;
    promotions::import_into(&mut tx, (clock, random), base, &promotions).await?;
    tx.commit().await?;
    Ok(Some(summary))
}

//! Applies an import in one transaction: all rows or none.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use platform::db::{Json, SqlValue, in_list, retry_on_conflict};
use platform::{Clock, Db, Language, Random, Result, Timestamp, Tx, revisions};

use super::errors::ImportErrors;
use super::stock::{SoldSince, StockInput};
use super::variants::{PlannedProduct, PlannedVariant, VariantError, hashed_id};
use super::{Import, ImportRow, NewCategory, NewProduct, is_shop_path};
use crate::base_currency;
use crate::catalog::changed_tags::ChangedTags;
use crate::catalog::lifecycle::schedule_publishing;
use crate::catalog::sales::schedule_sale_boundaries;
use crate::catalog::stock::recount_popularity;
use crate::catalog::stock_journal::{StockCause, StockChangeKind, add_entries};
use crate::catalog::store::find_in_tx;
use crate::catalog::translations::ValueNameChanges;
use crate::catalog::variants::{VariantStatus, default_variant, update_sort_price};
use crate::catalog::{
    CategoryId, ProductId, ProductOption, ProductStatus, Translation, Variant, VariantId,
    option_values_tag, past_prices, translations,
};

/// In the stock journal.
const ACTOR: &str = "import";
/// How many products are read at a time.
const CHUNK: usize = 500;

/// What an import changed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ImportSummary {
    pub categories: RowCounts,
    pub products: RowCounts,
    /// Existing products of which a `qtn` differs but was ignored, because the file does not say when it was
    /// counted.
    pub stock_ignored: u64,
    /// Products that sold more units since the count than were counted; their stock is now 0.
    pub oversold: u64,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    pub added: u64,
    pub updated: u64,
    pub unchanged: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowChange {
    Added,
    Updated,
    Unchanged,
}

impl RowCounts {
    pub fn count(&mut self, change: RowChange) {
        match change {
            RowChange::Added => self.added += 1,
            RowChange::Updated => self.updated += 1,
            RowChange::Unchanged => self.unchanged += 1,
        }
    }
}

impl fmt::Display for ImportSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |counts: &RowCounts| {
            let RowCounts { added, updated, unchanged } = counts;
            format!("{added} added, {updated} updated, {unchanged} unchanged")
        };
        writeln!(f, "categories: {}", line(&self.categories))?;
        write!(f, "products: {}", line(&self.products))?;
        let products = |count: u64| match count {
            1 => "1 product".to_owned(),
            count => format!("{count} products"),
        };
        if self.stock_ignored > 0 {
            let ignored = products(self.stock_ignored);
            write!(
                f,
                "\nstock: of {ignored} unchanged, because the file does not say when qtn was "
            )?;
            write!(f, "counted; --stock-at now (or a time, or a column stockAt) says so")?;
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

pub async fn import(
    db: &Db,
    clock: &Clock,
    random: &Random,
    import: &Import,
) -> Result<ImportSummary> {
    let summary = retry_on_conflict(|| async {
        let mut tx = db.begin().await?;
        revisions::lock_bulk_writes(&mut tx).await?;
        let summary = import_into(&mut tx, clock, random, import).await?;
        tx.commit().await?;
        Ok(summary)
    })
    .await?;
    if import.products.len() > 1000 {
        db.analyze().await?;
    }
    Ok(summary)
}

/// Applies an import in a transaction that holds the revisions lock (`revisions::lock_bulk_writes`).
pub(crate) async fn import_into(
    tx: &mut Tx,
    clock: &Clock,
    random: &Random,
    import: &Import,
) -> Result<ImportSummary> {
    base_currency::establish(tx, import.base).await?;
    let now = clock.now();
    let mut changes = ChangedTags::default();
    let mut summary = ImportSummary::default();
    let (mut position,): (i64,) =
        tx.query("select coalesce(max(position), 0) from categories").one().await?;
    for picture in &import.pictures {
        media::insert_picture(tx, clock, picture).await?;
    }
    let mut errors = ImportErrors::default();
    for row in &import.categories {
        if !is_shop_path(&row.value.img) {
            errors.push(import.error(row, "img", "was not imported"));
            continue;
        }
        position += 1;
        let mut change = upsert_category(tx, &row.value, position).await?;
        if write_category_names(tx, &row.value).await? && change == RowChange::Unchanged {
            change = RowChange::Updated;
        }
        summary.categories.count(change);
        if change != RowChange::Unchanged {
            changes.category(&row.value.id);
        }
    }
    let known: Vec<(CategoryId,)> = tx.query("select id from categories").all().await?;
    let known: HashSet<CategoryId> = known.into_iter().map(|(id,)| id).collect();
    let mut value_names = ValueNameChanges::default();
    let related = existing_related(tx, import).await?;
    let rows = lock_changed(tx, import, &mut value_names, &mut summary).await?;
    let mut sold = SoldSince::default();
    for ChangedRow { place, row, exists, translations } in rows {
        let old = if exists { find_in_tx(tx, &row.value.id).await? } else { None };
        let planned = match row.value.plan(old.as_ref(), import.stock_at) {
            Ok(planned) => set_stock(tx, planned, (&mut sold, now), &mut summary).await?,
            Err(why) => Err(why),
        };
        let planned = match planned {
            Ok(planned) => planned,
            Err(why) => {
                errors.push(import.variant_error(row, why));
                continue;
            }
        };
        let PlannedProduct { product: mut new, options, mut variants, archived } = planned;
        let old_product = old.as_ref().map(|(old, _)| old);
        new.publish_if_due(old_product, now);
        // A field that the file does not change may contradict one that it does, so the result is
        // validated too.
        new.drop_unknown_colours(&row.value, &options);
        let mut problems = new.validate(Some(&options));
        if !new.img.iter().all(|photo| is_shop_path(&photo.src)) {
            problems.push(("img", "was not imported".into()));
        }
        if !known.contains(&new.category) {
            problems.push(("category", format!("there is no category {}", new.category)));
        }
        if let Some(unknown) = row.value.related.iter().find(|id| !related.contains(*id)) {
            problems.push(("related", format!("there is no product {unknown}")));
        }
        let named = row.value.named_options().ok().flatten();
        let translated = named.as_deref().unwrap_or(&options);
        let untranslatable = new.validate_translations(Some(translated), true);
        if !problems.is_empty() || !untranslatable.is_empty() {
            for (field, why) in problems {
                errors.push(import.error(row, field, &why));
            }
            for (field, why) in untranslatable {
                errors.push(import.error(row, &field, &why));
            }
            continue;
        }
        let same_product = old_product.is_some_and(|old| new.same_as(&options, old));
        let same_variants = archived.is_empty() && !variants.iter().any(PlannedVariant::is_changed);
        let change = match &old {
            Some(_) if same_product && same_variants && translations.is_empty() => {
                RowChange::Unchanged
            }
            Some(_) => RowChange::Updated,
            None => RowChange::Added,
        };
        summary.products.count(change);
        if change == RowChange::Unchanged {
            continue;
        }
        if let Some(why) = resolve_conflicts(tx, &new.id, &mut variants).await? {
            errors.push(import.variant_error(row, why));
            continue;
        }
        // Later rows are newer, so that lists show products in the order of the file.
        let created_at = new.created_at.unwrap_or(Timestamp(now.0 + place as i64));
        if !same_product {
            upsert_product(tx, &new, &options, created_at, now).await?;
        }
        write_variants(tx, (clock, random), &variants, &archived).await?;
        if old.is_none() {
            recount_popularity(tx, &BTreeSet::from([&new.id])).await?;
        }
        update_sort_price(tx, &new.id, now).await?;
        changes.product_written(
            &new,
            old_product,
            is_stock_only(same_product, &variants, &archived),
        );
        for (language, translation) in &translations {
            translations::write(tx, &new.id, *language, translation).await?;
            // Lists show names, and filters the names of values.
            changes.product(&new.id, &new.category);
        }
        for planned in variants.iter().filter(|planned| planned.is_rewritten()) {
            schedule_sale_boundaries(tx, clock, &new.id, &planned.variant.stored).await?;
        }
        if let (ProductStatus::Draft, Some(at)) = (new.status, new.publish_at) {
            schedule_publishing(tx, clock, &new.id, at)?;
        }
    }
    errors.check()?;
    if value_names.write(tx).await? {
        changes.0.insert(option_values_tag());
    }
    revisions::bump(tx, changes.0).await?;
    Ok(summary)
}

/// Whether nothing changes but stock, by which no list is sorted, and nothing is sold out or back in stock.
fn is_stock_only(same_product: bool, variants: &[PlannedVariant], archived: &[VariantId]) -> bool {
    let turns = |planned: &PlannedVariant| {
        let was = planned.old.as_ref().map(Variant::is_available);
        was != Some(planned.variant.is_available())
    };
    same_product
        && archived.is_empty()
        && !variants.iter().any(|planned| planned.is_rewritten() || turns(planned))
}

/// Those of the products that rows name as related that exist, or are in the file.
async fn existing_related<'i>(tx: &mut Tx, import: &'i Import) -> Result<HashSet<&'i ProductId>> {
    let mut found: HashSet<&ProductId> = import.products.iter().map(|row| &row.value.id).collect();
    let named = import.products.iter().flat_map(|row| row.value.related.iter());
    let others: HashSet<&ProductId> = named.filter(|id| !found.contains(*id)).collect();
    for chunk in others.into_iter().collect::<Vec<_>>().chunks(CHUNK) {
        let sql = format!("select id from products where {}", in_list("id", 1, chunk.len()));
        let ids = chunk.iter().map(|id| SqlValue::from(*id));
        let rows: Vec<(ProductId,)> = tx.query(sql).bind_all(ids).all().await?;
        let rows: HashSet<ProductId> = rows.into_iter().map(|(id,)| id).collect();
        found.extend(chunk.iter().filter(|id| rows.contains(**id)));
    }
    Ok(found)
}

/// Sets the stock of the variants of a product, or says which is invalid.
async fn set_stock(
    tx: &mut Tx,
    mut planned: PlannedProduct,
    (sold, now): (&mut SoldSince, Timestamp),
    summary: &mut ImportSummary,
) -> Result<std::result::Result<PlannedProduct, VariantError>> {
    let mut oversold = false;
    for variant in &mut planned.variants {
        if let StockInput::CountedAt(time) = variant.stock
            && time > now
        {
            let why = format!("{time} is in the future");
            return Ok(Err(variant.error(("stockAt", why))));
        }
        match variant.old.clone() {
            None => {
                let change = match variant.stock {
                    StockInput::Change(by) if by < 0 => {
                        let why = format!("{by} is too much: there are 0");
                        return Ok(Err(variant.error(("stockChange", why))));
                    }
                    StockInput::Change(by) => Some(by),
                    _ => None,
                };
                variant.variant.qtn = variant.counted.or(change).unwrap_or(0);
                variant.variant.units_sold = variant.units_sold.unwrap_or(0);
            }
            Some(old) => match sold.stock(tx, variant, &old).await? {
                Ok(stock) => {
                    oversold |= stock.oversold;
                    (variant.variant.qtn, variant.variant.units_sold) =
                        (stock.qtn, stock.units_sold);
                }
                Err(wrong) => return Ok(Err(variant.error(wrong))),
            },
        }
    }
    summary.oversold += u64::from(oversold);
    Ok(Ok(planned))
}

/// A row that changes something.
struct ChangedRow<'i> {
    /// Its index in the file.
    place: usize,
    row: &'i ImportRow<NewProduct>,
    /// Whether its product exists.
    exists: bool,
    /// The translations that it changes, as they are afterwards. Only imports write them, one at a time, so they stay
    /// right until the product is locked.
    translations: Vec<(Language, Translation)>,
}

/// The rows that change something, and what all rows say about the names of option values. The variants of existing
/// products are locked in the order of their ids, as orders do, so that an import and an order never deadlock; then the
/// products.
async fn lock_changed<'i>(
    tx: &mut Tx,
    import: &'i Import,
    value_names: &mut ValueNameChanges,
    summary: &mut ImportSummary,
) -> Result<Vec<ChangedRow<'i>>> {
    let (mut rows, mut products, mut variants) = (Vec::new(), Vec::new(), Vec::new());
    let mut stored = HashMap::new();
    for (place, row) in import.products.iter().enumerate() {
        if place % CHUNK == 0 {
            let chunk = import.products[place..].iter().take(CHUNK);
            let translated = chunk.filter(|row| !row.value.translations.is_empty());
            let ids = translated.map(|row| SqlValue::from(&row.value.id)).collect();
            stored = translations::find_all_in_tx(tx, ids).await?;
        }
        let stored = stored.remove(&row.value.id).unwrap_or_default();
        let old = find_in_tx(tx, &row.value.id).await?;
        // An invalid row is reported when it is applied.
        let planned = row.value.plan(old.as_ref(), import.stock_at).ok();
        let translations = match &planned {
            Some(planned) => changed_translations(planned, &stored, value_names),
            None => Vec::new(),
        };
        if let (Some((old, old_variants)), Some(planned)) = (&old, &planned) {
            let ignored = planned.variants.iter().any(|variant| {
                let counted = variant.old.as_ref().zip(variant.counted);
                variant.stock == StockInput::Undated
                    && counted.is_some_and(|(old, counted)| old.qtn != counted)
            });
            summary.stock_ignored += u64::from(ignored);
            // The result of a count or a change is known only once the variant is locked.
            let moves_stock = planned.variants.iter().any(|variant| {
                matches!(variant.stock, StockInput::CountedAt(_) | StockInput::Change(_))
            });
            let same = planned.product.same_as(&planned.options, old)
                && planned.archived.is_empty()
                && !planned.variants.iter().any(PlannedVariant::is_changed);
            if !moves_stock && same && translations.is_empty() {
                summary.products.count(RowChange::Unchanged);
                continue;
            }
            products.push(row.value.id.clone());
            variants.extend(old_variants.iter().map(|variant| variant.id.clone()));
        }
        rows.push(ChangedRow { place, row, exists: old.is_some(), translations });
    }
    variants.sort_unstable();
    for id in &variants {
        tx.query("update variants set qtn = qtn where id = $1").bind(id).execute().await?;
    }
    products.sort_unstable();
    for id in &products {
        tx.query("update products set reviews = reviews where id = $1").bind(id).execute().await?;
    }
    Ok(rows)
}

async fn upsert_category(tx: &mut Tx, new: &NewCategory, position: i64) -> Result<RowChange> {
    let old: Option<(String, String)> =
        tx.query("select name, img from categories where id = $1").bind(&new.id).optional().await?;
    let change = match old {
        Some((name, img)) if name == new.name && img == new.img => {
            return Ok(RowChange::Unchanged);
        }
        Some(_) => RowChange::Updated,
        None => RowChange::Added,
    };
    tx.query(
        "insert into categories (id, name, img, position) values ($1, $2, $3, $4)
         on conflict (id) do update set name = excluded.name, img = excluded.img",
    )
    .bind(&new.id)
    .bind(new.name.as_str())
    .bind(new.img.as_str())
    .bind(position)
    .execute()
    .await?;
    Ok(change)
}

/// Stores a category's translated names. Returns whether one of them changed.
async fn write_category_names(tx: &mut Tx, new: &NewCategory) -> Result<bool> {
    let mut changed = false;
    for (language, translation) in &new.translations {
        let name = translation.name.as_deref().unwrap_or_default();
        changed |= translations::write_category(tx, &new.id, *language, name).await?;
    }
    Ok(changed)
}

/// The translations that a row changes, as they are afterwards. Notes the names of its option values.
fn changed_translations(
    planned: &PlannedProduct,
    stored: &BTreeMap<Language, Translation>,
    value_names: &mut ValueNameChanges,
) -> Vec<(Language, Translation)> {
    let none = Translation::default();
    let new = &planned.product;
    // Lists of translations are in the order of the row's own options, also of values that no variant has.
    let named = new.named_options().ok().flatten();
    let translated = named.as_deref().unwrap_or(&planned.options);
    let changed = new.translations.iter().filter_map(|(language, input)| {
        let old = stored.get(language).unwrap_or(&none);
        let translation = input.apply(old, new, *language, translated, &planned.options);
        if input.names_values() {
            let values =
                |translation: &Translation| translation.card.options.option_values.0.clone();
            value_names.note(*language, &values(old), &values(&translation));
        }
        (translation != *old).then_some((*language, translation))
    });
    changed.collect()
}

async fn upsert_product(
    tx: &mut Tx,
    new: &NewProduct,
    options: &[ProductOption],
    created_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    tx.query(
        "insert into products (id, category, name, brand, img, options, sort_price, rating, product_type,
           full_description, tags, attributes, popularity, created_at, status, publish_at, related, tax_class,
           gift_card)
         values ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
         on conflict (id) do update set category = excluded.category, name = excluded.name,
           brand = excluded.brand, img = excluded.img, options = excluded.options,
           product_type = excluded.product_type, full_description = excluded.full_description,
           tags = excluded.tags, attributes = excluded.attributes,
           created_at = excluded.created_at, status = excluded.status,
           publish_at = excluded.publish_at, related = excluded.related, tax_class = excluded.tax_class,
           gift_card = excluded.gift_card",
    )
    .bind(&new.id)
    .bind(&new.category)
    .bind(new.name.as_str())
    .bind(new.brand.as_str())
    .bind(&new.img)
    .bind(&Json(options.to_vec()))
    .bind(new.price().in_base_at(now))
    .bind(new.product_type.as_str())
    .bind(new.full_description.as_str())
    .bind(&new.tags)
    .bind(&new.attributes)
    .bind(new.units_sold)
    .bind(created_at)
    .bind(new.status)
    .bind(new.publish_at)
    .bind(&new.related)
    .bind(new.tax_class.as_str())
    .bind(new.gift_card)
    .execute()
    .await
    .map(drop)
}

/// Refuses SKUs of other products' variants, and gives new variants ids that no other product's variant has.
async fn resolve_conflicts(
    tx: &mut Tx,
    product: &ProductId,
    variants: &mut [PlannedVariant],
) -> Result<Option<VariantError>> {
    let new_sku = |planned: &&PlannedVariant| {
        let variant = &planned.variant;
        let is_known =
            |old: &Variant| old.sku == variant.sku && old.status == VariantStatus::Active;
        let known = planned.old.as_ref().is_some_and(is_known);
        !variant.sku.is_empty() && !known
    };
    let skus = variants.iter().filter(new_sku).map(|one| SqlValue::from(one.variant.sku.as_str()));
    let taken = of_other_products(tx, product, "sku", skus.collect()).await?;
    if let Some(planned) = variants.iter().find(|one| taken.contains(&one.variant.sku)) {
        let why = format!("{} is the SKU of another product", planned.variant.sku);
        return Ok(Some(VariantError { line: planned.line, field: "sku".into(), why }));
    }
    let new = variants.iter().filter(|planned| planned.old.is_none());
    let ids = new.map(|planned| SqlValue::from(&planned.variant.id)).collect();
    let taken = of_other_products(tx, product, "id", ids).await?;
    for planned in variants.iter_mut().filter(|one| taken.contains(one.variant.id.as_str())) {
        if planned.variant.id == default_variant(product) {
            let why = format!("{product} is the id of another product's variant");
            return Ok(Some(VariantError { line: planned.line, field: "_id".into(), why }));
        }
        planned.variant.id = hashed_id(product, &planned.variant.options, 0);
    }
    Ok(None)
}

/// Those of the values that variants of other products have in this column.
async fn of_other_products(
    tx: &mut Tx,
    product: &ProductId,
    column: &str,
    values: Vec<SqlValue>,
) -> Result<HashSet<String>> {
    if values.is_empty() {
        return Ok(HashSet::new());
    }
    // Variants that are not sold any more keep their ids, but not their SKUs.
    let sold = if column == "sku" { "status = 'active' and sku <> '' and" } else { "" };
    let sql = format!(
        "select {column} from variants where product <> $1 and {sold} {}",
        in_list(column, 2, values.len())
    );
    let rows: Vec<(String,)> = tx.query(sql).bind(product).bind_all(values).all().await?;
    Ok(rows.into_iter().map(|(value,)| value).collect())
}

/// Writes the variants that change, with the journal of their stock.
async fn write_variants(
    tx: &mut Tx,
    (clock, random): (&Clock, &Random),
    variants: &[PlannedVariant],
    archived: &[VariantId],
) -> Result<()> {
    for id in archived {
        let sql = "update variants set status = $2 where id = $1";
        tx.query(sql).bind(id).bind(VariantStatus::Archived).execute().await?;
    }
    // First, so that two variants can exchange their values or their SKUs.
    let moved = variants.iter().filter(|planned| {
        let is_moved = |old: &Variant| {
            old.options != planned.variant.options || old.sku != planned.variant.sku
        };
        planned.old.as_ref().is_some_and(is_moved)
    });
    for planned in moved {
        let sql = "update variants set options = id, sku = '' where id = $1";
        tx.query(sql).bind(&planned.variant.id).execute().await?;
    }
    for planned in variants.iter().filter(|planned| planned.is_changed()) {
        let variant = &planned.variant;
        upsert_variant(tx, variant).await?;
        if planned.old.as_ref().is_none_or(|old| old.stored != variant.stored) {
            past_prices::record(tx, &variant.id, &variant.stored, clock.now());
        }
        let before = planned.old.as_ref().map_or(0, |old| old.qtn);
        let received =
            planned.old.is_none() || matches!(planned.stock, StockInput::Change(by) if by > 0);
        let kind = if received { StockChangeKind::Received } else { StockChangeKind::Corrected };
        let cause = StockCause { kind, order: None, reason: "", actor: ACTOR };
        add_entries(tx, (clock, random), &cause, [(&variant.id, variant.qtn - before)]);
    }
    Ok(())
}

async fn upsert_variant(tx: &mut Tx, variant: &Variant) -> Result<()> {
    tx.query(
        "insert into variants (id, product, position, options, sku, barcode, real_price, offer_price,
           sale_start, sale_end, qtn, back_order, low_stock, weight, img, status, units_sold, fixed_prices,
           needs_delivery)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
         on conflict (id) do update set position = excluded.position, options = excluded.options,
           sku = excluded.sku, barcode = excluded.barcode, real_price = excluded.real_price,
           offer_price = excluded.offer_price, sale_start = excluded.sale_start,
           sale_end = excluded.sale_end, qtn = excluded.qtn, back_order = excluded.back_order,
           low_stock = excluded.low_stock, weight = excluded.weight, img = excluded.img,
           status = excluded.status, units_sold = excluded.units_sold,
           fixed_prices = excluded.fixed_prices, needs_delivery = excluded.needs_delivery",
    )
    .bind(&variant.id)
    .bind(&variant.product)
    .bind(variant.position)
    .bind(&variant.options)
    .bind(variant.sku.as_str())
    .bind(variant.barcode.as_str())
    .bind(variant.stored.real_price)
    .bind(variant.stored.offer_price)
    .bind(variant.stored.sale_start)
    .bind(variant.stored.sale_end)
    .bind(variant.qtn)
    .bind(variant.back_order)
    .bind(variant.low_stock)
    .bind(variant.weight)
    .bind(variant.img.as_str())
    .bind(variant.status)
    .bind(variant.units_sold)
    .bind(&variant.stored.fixed_prices)
    .bind(variant.needs_delivery)
    .execute()
    .await
    .map(drop)
}

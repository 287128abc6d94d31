//! Applies an import in one transaction: all rows or none.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use platform::db::{SqlValue, in_list, is_unique_violation, retry_on_conflict};
use platform::{Clock, Db, Language, Random, Result, Timestamp, Tx, revisions};

use super::errors::ImportErrors;
use super::rows::FieldError;
use super::stock::{SoldSince, StockInput, StockLevel};
use super::{Import, ImportRow, NewCategory, NewProduct, is_shop_path};
use crate::catalog::changed_tags::ChangedTags;
use crate::catalog::lifecycle::schedule_publishing;
use crate::catalog::sales::schedule_sale_boundaries;
use crate::catalog::stock_journal::{StockCause, StockChangeKind, add_entries};
use crate::catalog::store::find_in_tx;
use crate::catalog::translations::ColourChanges;
use crate::catalog::{
    CategoryId, Product, ProductId, ProductStatus, Translation, colours_tag, translations,
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
    /// Existing products whose `qtn` differs but was ignored, because the file does not say when it was
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
    let mut colours = ColourChanges::default();
    let related = existing_related(tx, import).await?;
    let rows = lock_changed(tx, import, &mut colours, &mut summary).await?;
    let mut sold = SoldSince::default();
    for ChangedRow { place, row, exists, translations } in rows {
        let old = if exists { find_in_tx(tx, &row.value.id).await? } else { None };
        let mut new =
            match resolve_row(tx, import, row, old.as_ref(), (&mut sold, now), &mut summary).await?
            {
                Ok(new) => new,
                Err((field, why)) => {
                    errors.push(import.error(row, field, &why));
                    continue;
                }
            };
        new.publish_if_due(old.as_ref(), now);
        // A field that the file does not change may contradict one that it does, so the result is
        // validated too.
        let mut problems = new.validate();
        if !new.img.iter().all(|photo| is_shop_path(&photo.src)) {
            problems.push(("img", "was not imported".into()));
        }
        if !known.contains(&new.category) {
            problems.push(("category", format!("there is no category {}", new.category)));
        }
        if let Some(unknown) = row.value.related.iter().find(|id| !related.contains(*id)) {
            problems.push(("related", format!("there is no product {unknown}")));
        }
        let untranslatable = new.validate_translations(true);
        if !problems.is_empty() || !untranslatable.is_empty() {
            for (field, why) in problems {
                errors.push(import.error(row, field, &why));
            }
            for (field, why) in untranslatable {
                errors.push(import.error(row, &field, &why));
            }
            continue;
        }
        let change = match &old {
            Some(old) if new.same_as(old) && translations.is_empty() => RowChange::Unchanged,
            Some(_) => RowChange::Updated,
            None => RowChange::Added,
        };
        summary.products.count(change);
        if change == RowChange::Unchanged {
            continue;
        }
        // Later rows are newer, so that lists show products in the order of the file.
        let created_at = new.created_at.unwrap_or(Timestamp(now.0 + place as i64));
        match upsert_product(tx, &new, created_at, now).await {
            Err(why) if is_unique_violation(&why, "sku") => {
                let message = format!("{} is the SKU of another product", new.sku);
                errors.push(import.error(row, "sku", &message));
                // After a failed statement PostgreSQL refuses everything else in the transaction.
                return Err(errors.into());
            }
            put => put?,
        }
        let change = new.qtn.unwrap_or(0) - old.as_ref().map_or(0, |old| old.qtn);
        let kind = match old.is_none() || row.value.stock_change > Some(0) {
            true => StockChangeKind::Received,
            false => StockChangeKind::Corrected,
        };
        let cause = StockCause { kind, order: None, reason: "", actor: ACTOR };
        add_entries(tx, (clock, random), &cause, [(&new.id, change)]);
        changes.product_written(&new, old.as_ref());
        for (language, translation) in &translations {
            translations::write(tx, &new.id, *language, translation).await?;
            // Lists show names, and filters the names of colours.
            changes.product(&new.id, &new.category);
        }
        schedule_sale_boundaries(tx, clock, &new.id, &new.price()).await?;
        if let (ProductStatus::Draft, Some(at)) = (new.status, new.publish_at) {
            schedule_publishing(tx, clock, &new.id, at)?;
        }
    }
    errors.check()?;
    if colours.write(tx).await? {
        changes.0.insert(colours_tag());
    }
    revisions::bump(tx, changes.0).await?;
    Ok(summary)
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

/// The product that a row results in, with its stock, or why the row is invalid.
async fn resolve_row(
    tx: &mut Tx,
    import: &Import,
    row: &ImportRow<NewProduct>,
    old: Option<&Product>,
    (sold, now): (&mut SoldSince, Timestamp),
    summary: &mut ImportSummary,
) -> Result<std::result::Result<NewProduct, FieldError>> {
    let row = &row.value;
    let input = row.stock_input(import.stock_at);
    if let StockInput::CountedAt(time) = input
        && time > now
    {
        return Ok(Err(("stockAt", format!("{time} is in the future"))));
    }
    let Some(old) = old else {
        let none = "is missing: a new product needs its stock";
        return Ok(match row.qtn {
            Some(_) => Ok(row.clone()),
            None => Err(("qtn", none.into())),
        });
    };
    let stock = match sold.stock(tx, row, input, old).await? {
        Ok(stock) => stock,
        Err(wrong) => return Ok(Err(wrong)),
    };
    summary.oversold += u64::from(stock.oversold);
    Ok(Ok(row.merged_with(old, stock)))
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

/// The rows that change something, and what all rows say about the names of colours. Existing products are locked in
/// the order of their ids, as orders do, so that an import and an order never deadlock.
async fn lock_changed<'i>(
    tx: &mut Tx,
    import: &'i Import,
    colours: &mut ColourChanges,
    summary: &mut ImportSummary,
) -> Result<Vec<ChangedRow<'i>>> {
    let (mut rows, mut known) = (Vec::new(), Vec::new());
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
        let merged = old.as_ref().map(|old| row.value.merged_with(old, StockLevel::of(old)));
        let new = merged.as_ref().unwrap_or(&row.value);
        let translations = changed_translations(new, &stored, colours);
        if let Some(old) = &old {
            let input = row.value.stock_input(import.stock_at);
            let undated = input == StockInput::Undated;
            summary.stock_ignored += u64::from(undated && row.value.qtn != Some(old.qtn));
            // The result of a count or a change is known only once the product is locked.
            let moves_stock = !undated && input != StockInput::Nothing;
            if !moves_stock && new.same_as(old) && translations.is_empty() {
                summary.products.count(RowChange::Unchanged);
                continue;
            }
            known.push(&row.value.id);
        }
        rows.push(ChangedRow { place, row, exists: old.is_some(), translations });
    }
    known.sort_unstable();
    for id in known {
        tx.query("update products set qtn = qtn where id = $1").bind(id).execute().await?;
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

/// The translations that a row changes, as they are afterwards. Notes the names of its colours.
fn changed_translations(
    new: &NewProduct,
    stored: &BTreeMap<Language, Translation>,
    colours: &mut ColourChanges,
) -> Vec<(Language, Translation)> {
    let none = Translation::default();
    let changed = new.translations.iter().filter_map(|(language, input)| {
        let old = stored.get(language).unwrap_or(&none);
        let translation = input.apply(old, new);
        if input.names_colours() {
            colours.note(*language, &old.card.colours, &translation.card.colours);
        }
        (translation != *old).then_some((*language, translation))
    });
    changed.collect()
}

async fn upsert_product(
    tx: &mut Tx,
    new: &NewProduct,
    created_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    let price = new.price();
    tx.query(
        "insert into products (id, category, name, sku, brand, img, real_price, offer_price,
           sale_start, sale_end, sort_price, rating, qtn, product_type, full_description, colours,
           tags, attributes, units_sold, popularity, created_at, status, publish_at, related)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, $13, $14, $15, $16, $17,
           $18, $18, $19, $20, $21, $22)
         on conflict (id) do update set category = excluded.category, name = excluded.name,
           sku = excluded.sku, brand = excluded.brand, img = excluded.img,
           real_price = excluded.real_price, offer_price = excluded.offer_price,
           sale_start = excluded.sale_start, sale_end = excluded.sale_end,
           sort_price = excluded.sort_price, qtn = excluded.qtn,
           product_type = excluded.product_type, full_description = excluded.full_description,
           colours = excluded.colours, tags = excluded.tags, attributes = excluded.attributes,
           units_sold = excluded.units_sold, popularity = excluded.popularity,
           created_at = excluded.created_at, status = excluded.status,
           publish_at = excluded.publish_at, related = excluded.related",
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
    .bind(new.status)
    .bind(new.publish_at)
    .bind(&new.related)
    .execute()
    .await
    .map(drop)
}

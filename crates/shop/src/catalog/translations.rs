//! Translations of products and categories: their texts in languages other than the default one. A text that
//! is not translated stays in the default language, and is listed as untranslated, so that pages can mark it.
//!
//! Functions that return texts take the language to translate to; `None` is the default one, which needs no
//! translation and no query.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use platform::db::{Json, Query, SqlValue, in_list, like_containing};
use platform::{Db, Language, Result, Tx};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Attribute, Category, CategoryId, ChosenOptions, Photo, Product, ProductCard, ProductId,
    ProductOption,
};

/// A text that is shown in the default language, because it is not translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum TextField {
    Name,
    FullDescription,
    /// The name or a value of one option at least.
    Options,
    Tags,
    /// A name or a value of one attribute at least.
    Attributes,
    /// The alternative text of one picture at least.
    Alt,
}

/// A product's texts in one language. Those that are empty or missing are not translated.
#[derive(Clone, Debug, Default, PartialEq, sqlx::FromRow)]
pub struct Translation {
    #[sqlx(flatten)]
    pub card: CardTranslation,
    pub full_description: String,
    pub tags: Json<Vec<String>>,
    /// By the attribute's name in the default language.
    pub attributes: Json<BTreeMap<String, Attribute>>,
}

/// The texts of a product that lists show.
#[derive(Clone, Debug, Default, PartialEq, sqlx::FromRow)]
pub struct CardTranslation {
    pub name: String,
    #[sqlx(flatten)]
    pub options: OptionTexts,
    /// Alternative texts, by the picture's address.
    pub alts: Json<BTreeMap<String, String>>,
}

/// Translated names and values of options, by those in the default language.
#[derive(Clone, Debug, Default, PartialEq, sqlx::FromRow)]
pub struct OptionTexts {
    pub option_names: Json<BTreeMap<String, String>>,
    pub option_values: Json<BTreeMap<String, String>>,
}

const CARD_COLUMNS: &str = "name, option_names, option_values, alts";
const COLUMNS: &str = "name, option_names, option_values, alts, full_description, tags, attributes";

impl OptionTexts {
    /// Returns whether all names and values are translated.
    fn translate(&self, options: &mut [ProductOption]) -> bool {
        let mut whole = true;
        for option in options {
            let name = self.option_names.get(&option.name);
            whole &= replace(&mut option.name, name);
            let originals = option.values.clone();
            for value in &mut option.values {
                whole &= replace(value, self.option_values.get(&*value).cloned().as_ref());
            }
            if option.values != originals {
                option.originals = originals;
            }
        }
        whole
    }

    /// The chosen options of an order's line, which are stored in the default language.
    pub(crate) fn translate_chosen(&self, chosen: &mut ChosenOptions) {
        for (name, value) in &mut chosen.0 {
            replace(name, self.option_names.get(&*name).cloned().as_ref());
            replace(value, self.option_values.get(&*value).cloned().as_ref());
        }
    }
}

impl CardTranslation {
    fn translate_photos(&self, photos: &mut [Photo]) -> bool {
        let mut whole = true;
        for Photo { src, alt, colour, .. } in photos {
            whole &= replace(alt, self.alts.get(src.as_str()));
            if let Some(name) =
                colour.as_ref().and_then(|colour| self.options.option_values.get(colour))
            {
                *colour = Some(name.clone());
            }
        }
        whole
    }
}

impl ProductCard {
    fn translate(&mut self, to: &CardTranslation) {
        self.untranslated = missing([
            (TextField::Name, replace(&mut self.name, Some(&to.name))),
            (TextField::Alt, to.translate_photos(&mut self.img.0)),
        ]);
    }
}

impl Product {
    fn translate(&mut self, to: &Translation) {
        let options = to.card.options.translate(&mut self.options.0);
        let tags = self.tags.is_empty() || !to.tags.is_empty();
        if !self.tags.is_empty() && tags {
            self.tags.clone_from(&to.tags);
        }
        let mut attributes = true;
        for Attribute { name, value } in &mut self.attributes.0 {
            let translated = to.attributes.get(name.as_str());
            attributes &= replace(value, translated.map(|one| &one.value));
            attributes &= replace(name, translated.map(|one| &one.name));
        }
        self.untranslated = missing([
            (TextField::Name, replace(&mut self.name, Some(&to.card.name))),
            (
                TextField::FullDescription,
                replace(&mut self.full_description, Some(&to.full_description)),
            ),
            (TextField::Options, options),
            (TextField::Tags, tags),
            (TextField::Attributes, attributes),
            (TextField::Alt, to.card.translate_photos(&mut self.img.0)),
        ]);
    }
}

/// Replaces a text by its translation. Returns whether it is in the language now; an empty text is in all.
fn replace(text: &mut String, translation: Option<&String>) -> bool {
    match translation.filter(|translation| !translation.is_empty()) {
        _ if text.is_empty() => true,
        Some(translation) => {
            text.clone_from(translation);
            true
        }
        None => false,
    }
}

fn missing<const COUNT: usize>(fields: [(TextField, bool); COUNT]) -> Vec<TextField> {
    fields.into_iter().filter(|(_, translated)| !translated).map(|(field, _)| field).collect()
}

/// Translates products as stored, before their pictures are attached.
pub(super) async fn translate_products(
    db: &Db,
    language: Option<Language>,
    products: &mut [Product],
) -> Result<()> {
    let Some(language) = language else { return Ok(()) };
    let ids: Vec<&ProductId> = products.iter().map(|product| &product.id).collect();
    let rows = rows(db, COLUMNS, language, &ids).await?;
    let translations: HashMap<ProductId, Translation> = rows.into_iter().map(key).collect();
    let none = Translation::default();
    for product in products {
        product.translate(translations.get(&product.id).unwrap_or(&none));
    }
    Ok(())
}

/// The same for cards.
pub(super) async fn translate_cards(
    db: &Db,
    language: Option<Language>,
    cards: &mut [ProductCard],
) -> Result<()> {
    let Some(language) = language else { return Ok(()) };
    let ids: Vec<&ProductId> = cards.iter().map(|card| &card.id).collect();
    let rows = rows(db, CARD_COLUMNS, language, &ids).await?;
    let translations: HashMap<ProductId, CardTranslation> = rows.into_iter().map(key).collect();
    let none = CardTranslation::default();
    for card in cards {
        card.translate(translations.get(&card.id).unwrap_or(&none));
    }
    Ok(())
}

/// The texts of a line of a cart.
pub(super) struct LineTexts<'l> {
    pub product: &'l ProductId,
    pub name: &'l mut String,
    pub options: &'l mut [ProductOption],
    pub photos: &'l mut [Photo],
    pub untranslated: &'l mut Vec<TextField>,
}

/// The same for lines.
pub(super) async fn translate_lines(
    db: &Db,
    language: Option<Language>,
    lines: Vec<LineTexts<'_>>,
) -> Result<()> {
    let Some(language) = language else { return Ok(()) };
    let ids: Vec<&ProductId> = lines.iter().map(|line| line.product).collect();
    let rows = rows(db, CARD_COLUMNS, language, &ids).await?;
    let translations: HashMap<ProductId, CardTranslation> = rows.into_iter().map(key).collect();
    let none = CardTranslation::default();
    for LineTexts { product, name, options, photos, untranslated } in lines {
        let to = translations.get(product).unwrap_or(&none);
        *untranslated = missing([
            (TextField::Name, replace(name, Some(&to.name))),
            (TextField::Options, to.options.translate(options)),
            (TextField::Alt, to.translate_photos(photos)),
        ]);
    }
    Ok(())
}

#[derive(sqlx::FromRow)]
struct TranslationRow<T> {
    product: ProductId,
    #[sqlx(flatten)]
    translation: T,
}

fn key<T>(row: TranslationRow<T>) -> (ProductId, T) {
    (row.product, row.translation)
}

async fn rows<T>(
    db: &Db,
    columns: &str,
    language: Language,
    ids: &[&ProductId],
) -> Result<Vec<TranslationRow<T>>>
where
    TranslationRow<T>: platform::db::Record,
{
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "select product, {columns} from product_translations where language = $1 and {}",
        in_list("product", 2, ids.len())
    );
    db.query(sql).bind(language).bind_all(ids.iter().map(|id| SqlValue::from(*id))).all().await
}

/// Translates options of a product that were chosen at some time.
pub(crate) async fn translate_chosen(
    db: &Db,
    product: &ProductId,
    language: Option<Language>,
    chosen: Vec<&mut ChosenOptions>,
) -> Result<()> {
    let Some(language) = language.filter(|_| chosen.iter().any(|one| !one.0.is_empty())) else {
        return Ok(());
    };
    let sql = "select option_names, option_values from product_translations
               where product = $1 and language = $2";
    let texts: Option<OptionTexts> = db.query(sql).bind(product).bind(language).optional().await?;
    if let Some(texts) = texts {
        chosen.into_iter().for_each(|one| texts.translate_chosen(one));
    }
    Ok(())
}

/// The texts of those products that have some in the language.
pub(crate) async fn translated_texts<'p>(
    tx: &mut Tx,
    language: Language,
    products: impl IntoIterator<Item = &'p ProductId>,
) -> Result<HashMap<ProductId, CardTranslation>> {
    let products: Vec<SqlValue> = products.into_iter().map(SqlValue::from).collect();
    let sql = format!(
        "select product, {CARD_COLUMNS} from product_translations where language = $1 and {}",
        in_list("product", 2, products.len())
    );
    let rows: Vec<TranslationRow<CardTranslation>> =
        tx.query(sql).bind(language).bind_all(products).all().await?;
    Ok(rows.into_iter().map(key).collect())
}

/// The beginnings of descriptions in a language, of those products that have one.
pub(super) async fn translated_excerpts(
    db: &Db,
    language: Language,
    ids: &[ProductId],
    characters: usize,
) -> Result<Vec<(ProductId, String)>> {
    let sql = format!(
        "select product, substr(full_description, 1, {characters}) from product_translations
         where language = $1 and full_description <> '' and {}",
        in_list("product", 2, ids.len())
    );
    db.query(sql).bind(language).bind_all(ids.iter().map(SqlValue::from)).all().await
}

/// Translates categories.
pub(super) async fn translate_categories(
    db: &Db,
    language: Option<Language>,
    categories: &mut [Category],
) -> Result<()> {
    let Some(language) = language else { return Ok(()) };
    let names = category_names(db, language).await?;
    for category in categories {
        let translated = replace(&mut category.name, names.get(&category.id));
        category.untranslated = missing([(TextField::Name, translated)]);
    }
    Ok(())
}

/// The translated names of categories.
pub async fn category_names(db: &Db, language: Language) -> Result<HashMap<CategoryId, String>> {
    let sql = "select category, name from category_translations where language = $1";
    let rows: Vec<(CategoryId, String)> = db.query(sql).bind(language).all().await?;
    Ok(rows.into_iter().collect())
}

/// The translated names of these option values, for filters.
pub async fn option_value_names(
    db: &Db,
    language: Language,
    values: &[&str],
) -> Result<HashMap<String, String>> {
    if values.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "select value, name from option_value_translations where language = $1 and {}",
        in_list("value", 2, values.len())
    );
    let values = values.iter().map(|value| SqlValue::from(*value));
    let rows: Vec<(String, String)> = db.query(sql).bind(language).bind_all(values).all().await?;
    Ok(rows.into_iter().collect())
}

#[derive(sqlx::FromRow)]
struct LanguageRow {
    product: ProductId,
    language: Language,
    #[sqlx(flatten)]
    translation: Translation,
}

/// All translations of these products, by product and language.
pub(super) async fn find_all(db: &Db, ids: Vec<SqlValue>) -> Result<TranslationsByProduct> {
    by_product(db.query(translations_of(ids.len())).bind_all(ids)).await
}

pub(super) async fn find_all_in_tx(
    tx: &mut Tx,
    ids: Vec<SqlValue>,
) -> Result<TranslationsByProduct> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    by_product(tx.query(translations_of(ids.len())).bind_all(ids)).await
}

type TranslationsByProduct = HashMap<ProductId, BTreeMap<Language, Translation>>;

fn translations_of(products: usize) -> String {
    let products = in_list("product", 1, products);
    format!("select product, language, {COLUMNS} from product_translations where {products}")
}

async fn by_product(query: Query<'_>) -> Result<TranslationsByProduct> {
    let rows: Vec<LanguageRow> = query.all().await?;
    let mut found = TranslationsByProduct::new();
    for LanguageRow { product, language, translation } in rows {
        found.entry(product).or_default().insert(language, translation);
    }
    Ok(found)
}

/// Stores a product's texts in a language. One without any text is deleted.
pub(super) async fn write(
    tx: &mut Tx,
    id: &ProductId,
    language: Language,
    translation: &Translation,
) -> Result<()> {
    if *translation == Translation::default() {
        let sql = "delete from product_translations where product = $1 and language = $2";
        return tx.query(sql).bind(id).bind(language).execute().await.map(drop);
    }
    let Translation { card, full_description, tags, attributes } = translation;
    tx.query(
        "insert into product_translations
           (product, language, name, full_description, tags, option_names, option_values, attributes, alts)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (product, language) do update set name = excluded.name,
           full_description = excluded.full_description, tags = excluded.tags,
           option_names = excluded.option_names, option_values = excluded.option_values,
           attributes = excluded.attributes, alts = excluded.alts",
    )
    .bind(id)
    .bind(language)
    .bind(card.name.as_str())
    .bind(full_description.as_str())
    .bind(tags)
    .bind(&card.options.option_names)
    .bind(&card.options.option_values)
    .bind(attributes)
    .bind(&card.alts)
    .execute()
    .await?;
    Ok(())
}

/// The names of option values that an import changes. Filters have one name for a value, whatever its products say: that
/// of the last row that names it, also of a row that changes nothing else.
#[derive(Default)]
pub(super) struct ValueNameChanges {
    named: BTreeMap<(Language, String), String>,
    /// A product does not name these any more.
    gone: BTreeSet<(Language, String)>,
}

impl ValueNameChanges {
    /// A row names these values of a product.
    pub(super) fn note(
        &mut self,
        language: Language,
        old: &BTreeMap<String, String>,
        new: &BTreeMap<String, String>,
    ) {
        let gone = old.keys().filter(|value| !new.contains_key(*value));
        self.gone.extend(gone.map(|value| (language, value.clone())));
        let named = new.iter().map(|(value, name)| ((language, value.clone()), name.clone()));
        self.named.extend(named);
    }

    /// Stores the names, after the products. Returns whether one of them changed.
    pub(super) async fn write(mut self, tx: &mut Tx) -> Result<bool> {
        let mut changed = false;
        for (language, value) in self.gone {
            if self.named.contains_key(&(language, value.clone())) {
                continue;
            }
            match remaining_name(tx, language, &value).await? {
                Some(name) => drop(self.named.insert((language, value), name)),
                None => {
                    let sql =
                        "delete from option_value_translations where language = $1 and value = $2";
                    changed |= tx.query(sql).bind(language).bind(value).execute().await? > 0;
                }
            }
        }
        for ((language, value), name) in self.named {
            let upsert = tx.query(
                "insert into option_value_translations (language, value, name) values ($1, $2, $3)
                 on conflict (language, value) do update set name = excluded.name
                 where option_value_translations.name <> excluded.name",
            );
            changed |= upsert.bind(language).bind(value).bind(name).execute().await? > 0;
        }
        Ok(changed)
    }
}

/// The name of a value that a product does not name any more: the present one while another product has it, else the
/// first one that a product has.
async fn remaining_name(tx: &mut Tx, language: Language, value: &str) -> Result<Option<String>> {
    let sql = "select name from option_value_translations where language = $1 and value = $2";
    let present: Option<(String,)> = tx.query(sql).bind(language).bind(value).optional().await?;
    // A JSON object in a text column.
    let key = like_containing(&format!("{}:", serde_json::Value::from(value)));
    let sql = "select distinct option_values from product_translations
               where language = $1 and option_values like $2 escape '\\'";
    let rows: Vec<(Json<BTreeMap<String, String>>,)> =
        tx.query(sql).bind(language).bind(key).all().await?;
    let mut names: BTreeSet<String> =
        rows.into_iter().filter_map(|(Json(mut names),)| names.remove(value)).collect();
    let present = present.and_then(|(name,)| names.take(&name));
    Ok(present.or_else(|| names.pop_first()))
}

/// Stores a category's name in a language; an empty one is deleted. Returns whether it changed.
pub(super) async fn write_category(
    tx: &mut Tx,
    id: &CategoryId,
    language: Language,
    name: &str,
) -> Result<bool> {
    let query = if name.is_empty() {
        tx.query("delete from category_translations where category = $1 and language = $2")
    } else {
        tx.query(
            "insert into category_translations (category, language, name) values ($1, $2, $3)
             on conflict (category, language) do update set name = excluded.name
             where category_translations.name <> excluded.name",
        )
    };
    let name = (!name.is_empty()).then(|| SqlValue::from(name));
    let changed = query.bind(id).bind(language).bind_all(name).execute().await?;
    Ok(changed > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_text_needs_no_translation() {
        let mut text = String::new();
        assert!(replace(&mut text, None) && text.is_empty());
        let mut text = String::from("Lamp");
        assert!(!replace(&mut text, Some(&String::new())) && !replace(&mut text, None));
        assert!(replace(&mut text, Some(&String::from("বাতি"))));
        assert_eq!(text, "বাতি");
    }
}

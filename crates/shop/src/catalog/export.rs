//! Exports the catalogue with its translations, in the format that `import` reads.

use std::collections::{BTreeMap, BTreeSet};

use platform::db::SqlValue;
use platform::{Db, Language, Result};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::{
    Attribute, CategoryId, Photo, Product, ProductId, ProductStatus, Translation, translations,
};

const BATCH_PRODUCTS: i64 = 500;
const CATEGORY_COLUMNS: [&str; 3] = ["_id", "name", "img"];
const PRODUCT_COLUMNS: [&str; 21] = [
    "_id",
    "category",
    "name",
    "sku",
    "brand",
    "img",
    "realPrice",
    "offerPrice",
    "saleStart",
    "saleEnd",
    "qtn",
    "productType",
    "fullDescription",
    "colours",
    "tags",
    "attributes",
    "status",
    "publishAt",
    "related",
    "unitsSold",
    "createdAt",
];
const TRANSLATED_COLUMNS: [&str; 6] =
    ["name", "fullDescription", "colours", "tags", "attributes", "alt"];

/// A category or a product: its fields by their names in an import file, without those that are empty.
pub struct ExportRow(Vec<(String, Value)>);

impl Serialize for ExportRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
        map.end()
    }
}

impl ExportRow {
    fn new(fields: impl IntoIterator<Item = (String, Value)>) -> Self {
        let empty = |value: &Value| match value {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Array(items) => items.is_empty(),
            _ => false,
        };
        Self(fields.into_iter().filter(|(_, value)| !empty(value)).collect())
    }

    /// The cells of these columns of a CSV file. Fails where an entry of a list contains the separator.
    pub fn cells(&self, columns: &[String]) -> std::result::Result<Vec<String>, String> {
        let cell = |column: &String| {
            let alts = column.strip_prefix("alt").filter(|code| code.starts_with('@'));
            let value = match alts {
                Some(_) => self.alts(column),
                None => self.field(column).cloned().unwrap_or_default(),
            };
            csv_cell(&value).ok_or_else(|| {
                let id = self.field("_id").and_then(Value::as_str).unwrap_or_default();
                format!("{id}: {column} contains a | or a :, which CSV cannot; export JSON instead")
            })
        };
        columns.iter().map(cell).collect()
    }

    fn field(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// The alternative texts of all pictures in a language: `alt@bn`.
    fn alts(&self, name: &str) -> Value {
        let photos = self.field("img").and_then(Value::as_array).into_iter().flatten();
        let alts: Vec<&str> =
            photos.map(|photo| photo.get(name).and_then(Value::as_str).unwrap_or("")).collect();
        if alts.iter().all(|alt| alt.is_empty()) { Value::Null } else { json!(alts) }
    }
}

fn csv_cell(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(csv_item).collect::<Option<Vec<_>>>()?.join(" | "),
        other => other.to_string(),
    })
}

/// An entry of a list: a text, an attribute or a photo.
fn csv_item(item: &Value) -> Option<String> {
    let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
    let written = match item {
        Value::String(text) => text.clone(),
        _ if item.get("src").is_none() => match (text("name"), text("value")) {
            ("", "") => String::new(),
            (name, _) if name.contains(':') => return None,
            (name, value) => format!("{name}: {value}"),
        },
        _ if text("alt").is_empty() && text("colour").is_empty() => text("src").to_owned(),
        _ => format!("{} [{}] {}", text("src"), text("colour"), text("alt")),
    };
    (!written.contains('|')).then_some(written)
}

/// The columns of a CSV file of categories, with translations to these languages.
pub fn category_columns(languages: &BTreeSet<Language>) -> Vec<String> {
    columns(&CATEGORY_COLUMNS, &["name"], languages)
}

/// The same for products.
pub fn product_columns(languages: &BTreeSet<Language>) -> Vec<String> {
    columns(&PRODUCT_COLUMNS, &TRANSLATED_COLUMNS, languages)
}

fn columns(own: &[&str], translated: &[&str], languages: &BTreeSet<Language>) -> Vec<String> {
    let translated = languages
        .iter()
        .flat_map(|language| translated.iter().map(move |column| format!("{column}@{language}")));
    own.iter().map(|column| (*column).to_owned()).chain(translated).collect()
}

/// The languages that something is translated to.
pub async fn translated_languages(db: &Db) -> Result<BTreeSet<Language>> {
    let sql = "select language from product_translations
               union select language from category_translations";
    let rows: Vec<(Language,)> = db.query(sql).all().await?;
    Ok(rows.into_iter().map(|(language,)| language).collect())
}

/// All categories, in their order.
pub async fn export_categories(db: &Db) -> Result<Vec<ExportRow>> {
    let sql = "select category, language, name from category_translations order by language";
    let rows: Vec<(CategoryId, Language, String)> = db.query(sql).all().await?;
    let mut names: BTreeMap<CategoryId, Vec<(Language, String)>> = BTreeMap::new();
    for (category, language, name) in rows {
        names.entry(category).or_default().push((language, name));
    }
    let sql = "select id, name, img from categories order by position, id";
    let rows: Vec<(CategoryId, String, String)> = db.query(sql).all().await?;
    let row = |(id, name, img): (CategoryId, String, String)| {
        let own = [("_id", json!(id)), ("name", json!(name)), ("img", json!(img))];
        let own = own.map(|(field, value)| (field.to_owned(), value));
        let translated = names.remove(&id).unwrap_or_default().into_iter();
        let translated =
            translated.map(|(language, name)| (format!("name@{language}"), json!(name)));
        ExportRow::new(own.into_iter().chain(translated))
    };
    Ok(rows.into_iter().map(row).collect())
}

/// The products after this one, by their ids, and the id to continue with; `None` after the last.
pub async fn export_products(
    db: &Db,
    after: Option<&ProductId>,
) -> Result<(Vec<ExportRow>, Option<ProductId>)> {
    let products = super::store::products_after(db, after, BATCH_PRODUCTS).await?;
    let ids: Vec<SqlValue> = products.iter().map(|product| SqlValue::from(&product.id)).collect();
    let mut translations = translations::find_all(db, ids).await?;
    let full = i64::try_from(products.len()).is_ok_and(|count| count == BATCH_PRODUCTS);
    let last = products.last().filter(|_| full).map(|product| product.id.clone());
    let row = |product: Product| {
        let translations = translations.remove(&product.id).unwrap_or_default();
        product_row(&product, &translations)
    };
    Ok((products.into_iter().map(row).collect(), last))
}

fn product_row(product: &Product, translations: &BTreeMap<Language, Translation>) -> ExportRow {
    let price = &product.price;
    let offer = (price.offer_price < price.real_price).then_some(price.offer_price);
    let photos: Vec<Value> =
        product.img.iter().map(|photo| exported_photo(photo, translations)).collect();
    let is_draft = product.status == ProductStatus::Draft;
    let own = [
        ("_id", json!(product.id)),
        ("category", json!(product.category)),
        ("name", json!(product.name)),
        ("sku", json!(product.sku)),
        ("brand", json!(product.brand)),
        ("img", json!(photos)),
        ("realPrice", json!(price.real_price)),
        ("offerPrice", json!(offer)),
        ("saleStart", json!(price.sale_start)),
        ("saleEnd", json!(price.sale_end)),
        ("qtn", json!(product.qtn)),
        ("productType", json!(product.product_type)),
        ("fullDescription", json!(product.full_description)),
        ("colours", json!(*product.colours)),
        ("tags", json!(*product.tags)),
        ("attributes", json!(*product.attributes)),
        ("status", json!(product.status)),
        ("publishAt", json!(product.publish_at)),
        ("related", json!(*product.related)),
        ("unitsSold", json!(product.units_sold)),
        // A draft gets another when it is published, which the same file must not undo.
        ("createdAt", json!(Some(product.created_at).filter(|_| !is_draft))),
    ];
    let own = own.into_iter().map(|(field, value)| (field.to_owned(), value));
    let translated = translations.iter().flat_map(|(language, translation)| {
        let fields = translated_fields(product, translation);
        fields.into_iter().map(move |(field, value)| (format!("{field}@{language}"), value))
    });
    ExportRow::new(own.chain(translated))
}

/// Translated lists are in the order of the product's, with empty entries for what has no translation.
fn translated_fields(product: &Product, translation: &Translation) -> [(&'static str, Value); 5] {
    let Translation { card, full_description, tags, attributes } = translation;
    let colour = |colour: &String| card.colours.get(colour).cloned().unwrap_or_default();
    let colours: Vec<String> = product.colours.iter().map(colour).collect();
    let untranslated = || Attribute { name: String::new(), value: String::new() };
    let attribute = |Attribute { name, .. }: &Attribute| {
        attributes.get(name).cloned().unwrap_or_else(untranslated)
    };
    let attributes: Vec<Attribute> = product.attributes.iter().map(attribute).collect();
    let no_colour = colours.iter().all(String::is_empty);
    let no_attribute = attributes.iter().all(|one| *one == untranslated());
    [
        ("name", json!(card.name)),
        ("fullDescription", json!(full_description)),
        ("colours", if no_colour { Value::Null } else { json!(colours) }),
        ("tags", json!(**tags)),
        ("attributes", if no_attribute { Value::Null } else { json!(attributes) }),
    ]
}

fn exported_photo(photo: &Photo, translations: &BTreeMap<Language, Translation>) -> Value {
    let mut exported = json!({ "src": photo.src });
    if !photo.alt.is_empty() {
        exported["alt"] = json!(photo.alt);
    }
    if let Some(colour) = &photo.colour {
        exported["colour"] = json!(colour);
    }
    for (language, translation) in translations {
        if let Some(alt) = translation.card.alts.get(&photo.src) {
            exported[format!("alt@{language}")] = json!(alt);
        }
    }
    exported
}

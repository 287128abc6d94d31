//! Exports the catalogue with its translations, in the format that `import` reads.

use std::collections::{BTreeMap, BTreeSet};

use platform::db::{Json, SqlValue};
use platform::{Currency, Db, Language, Money, Result};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::import::OPTION_PREFIX;
use super::{
    Attribute, CategoryId, ChosenOptions, FixedPrice, FixedPrices, Photo, Product, ProductId,
    ProductOption, ProductStatus, StoredPrice, Translation, Variant, translations,
};

const BATCH_PRODUCTS: i64 = 500;
const CATEGORY_COLUMNS: [&str; 3] = ["_id", "name", "img"];
const PRODUCT_COLUMNS: [&str; 27] = [
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
    "tags",
    "attributes",
    "barcode",
    "weight",
    "needsDelivery",
    "backOrder",
    "lowStock",
    "taxClass",
    "status",
    "publishAt",
    "related",
    "giftCard",
    "unitsSold",
    "createdAt",
];
const TRANSLATED_COLUMNS: [&str; 6] =
    ["name", "fullDescription", "options", "tags", "attributes", "alt"];

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
            let of =
                |field: &str| column.strip_prefix(field).is_some_and(|code| code.starts_with('@'));
            let value = match column.strip_prefix(OPTION_PREFIX) {
                _ if of("alt") => self.alts(column),
                _ if of("options") => return self.option_texts(column),
                Some(option) => self.field("variantOptions").map_or(Value::Null, |options| {
                    options.get(option).cloned().unwrap_or_default()
                }),
                None => self.field(column).cloned().unwrap_or_default(),
            };
            csv_cell(&value).ok_or_else(|| {
                let id = self.field("_id").and_then(Value::as_str).unwrap_or_default();
                format!("{id}: {column} contains a | or a :, which CSV cannot; export JSON instead")
            })
        };
        columns.iter().map(cell).collect()
    }

    /// The rows of a CSV file: one for each variant. The first one has the product's fields.
    pub fn into_variant_rows(mut self) -> Vec<Self> {
        let Some(place) = self.0.iter().position(|(field, _)| field == "variants") else {
            return vec![self];
        };
        let (_, variants) = self.0.remove(place);
        let id = self.field("_id").cloned().unwrap_or_default();
        let option_list = plain_options(self.field("options"));
        let inherited: Vec<(String, Value)> =
            self.0.iter().filter(|(name, _)| is_price(name)).cloned().collect();
        let mut rows = Vec::new();
        for variant in variants.as_array().into_iter().flatten() {
            let mut fields: Vec<(String, Value)> = variant
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, value)| match name.as_str() {
                    "options" => ("variantOptions".to_owned(), value.clone()),
                    name => (name.to_owned(), value.clone()),
                })
                .filter(|(name, _)| name != "_id")
                .collect();
            if rows.is_empty() {
                let of_product = std::mem::take(&mut self.0).into_iter();
                let known = |name: &str, fields: &[(String, Value)]| {
                    fields.iter().any(|(field, _)| field == name)
                };
                // The pictures of the first row are the product's.
                fields.retain(|(name, _)| name != "img");
                // A variant with a price has none of the product's.
                let has_price = known("realPrice", &fields);
                let of_product: Vec<_> = of_product
                    .filter(|(name, _)| !known(name, &fields))
                    .filter(|(name, _)| !(has_price && is_price(name)))
                    .collect();
                fields.extend(of_product);
                fields.push(("optionList".to_owned(), option_list.clone()));
            } else {
                if !fields.iter().any(|(name, _)| name == "realPrice") {
                    fields.extend(inherited.clone());
                }
                if let Some((_, img)) = fields.iter_mut().find(|(name, _)| name == "img") {
                    *img = json!([{ "src": img.clone() }]);
                }
                fields.push(("_id".to_owned(), id.clone()));
            }
            rows.push(Self(fields));
        }
        rows
    }

    /// The texts of options in a CSV cell: `Colour=রং: Chalk=চক | Ink=কালি; Size=মাপ: S=এস`.
    fn option_texts(&self, name: &str) -> std::result::Result<String, String> {
        let list =
            |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
        let (translated, mut texts) = (list(self.field(name)), Vec::new());
        if translated.is_empty() {
            return Ok(String::new());
        }
        for (option, texts_of) in list(self.field("optionList")).iter().zip(&translated) {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let pair = |of: &Value, to: &Value| format!("{}={}", text(of), text(to));
            let (values, names) = (list(option.get("values")), list(texts_of.get("values")));
            let mut parts = vec![pair(&option["name"], &texts_of["name"])];
            parts.extend(
                values
                    .iter()
                    .zip(&names)
                    .filter(|(_, to)| !text(to).is_empty())
                    .map(|(of, to)| pair(of, to)),
            );
            let is_ambiguous =
                |part: &String| part.contains(['|', ';', ':']) || part.matches('=').count() > 1;
            if parts.iter().any(is_ambiguous) {
                let id = self.field("_id").and_then(Value::as_str).unwrap_or_default();
                return Err(format!(
                    "{id}: options contain a |, a ;, a : or a =, which CSV cannot; export JSON instead"
                ));
            }
            texts.push(format!("{}: {}", parts[0], parts[1..].join(" | ")));
        }
        Ok(texts.join("; "))
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

/// Whether a field is a part of the price.
fn is_price(field: &str) -> bool {
    let field = field.split(':').next().unwrap_or_default();
    ["realPrice", "offerPrice", "saleStart", "saleEnd"].contains(&field)
}

/// Options with the names of their values only, without swatches.
fn plain_options(options: Option<&Value>) -> Value {
    let plain = |value: &Value| value.get("name").unwrap_or(value).clone();
    let options = options.and_then(Value::as_array).into_iter().flatten();
    options
        .map(|option| {
            let values = option.get("values").and_then(Value::as_array).into_iter().flatten();
            json!({ "name": option["name"], "values": values.map(plain).collect::<Value>() })
        })
        .collect()
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

/// The same for products, with a column for each of these options.
pub fn product_columns(languages: &BTreeSet<Language>, options: &BTreeSet<String>) -> Vec<String> {
    let mut columns = columns(&PRODUCT_COLUMNS, &TRANSLATED_COLUMNS, languages);
    let options = options.iter().map(|name| format!("{OPTION_PREFIX}{name}"));
    columns.splice(4..4, options);
    columns
}

/// The columns of the fixed prices that variants have, such as `realPrice:BDT`.
pub async fn fixed_price_columns(db: &Db) -> Result<Vec<String>> {
    let sql = "select distinct fixed_prices from variants
               where status = 'active' and fixed_prices <> '{}'";
    let rows: Vec<(Json<FixedPrices>,)> = db.query(sql).all().await?;
    let currencies: BTreeSet<Currency> =
        rows.into_iter().flat_map(|(prices,)| prices.0.into_keys()).collect();
    let of_currency =
        |currency| [format!("realPrice:{currency}"), format!("offerPrice:{currency}")];
    Ok(currencies.into_iter().flat_map(of_currency).collect())
}

/// The names of the options of all products.
pub async fn option_names(db: &Db) -> Result<BTreeSet<String>> {
    let rows: Vec<(Json<Vec<ProductOption>>,)> =
        db.query("select distinct options from products").all().await?;
    Ok(rows.into_iter().flat_map(|(options,)| options.0).map(|option| option.name).collect())
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
    base: Currency,
    after: Option<&ProductId>,
) -> Result<(Vec<ExportRow>, Option<ProductId>)> {
    let (products, variants) = super::store::products_after(db, after, BATCH_PRODUCTS).await?;
    let mut by_product: BTreeMap<ProductId, Vec<Variant>> = BTreeMap::new();
    for variant in variants {
        by_product.entry(variant.product.clone()).or_default().push(variant);
    }
    let ids: Vec<SqlValue> = products.iter().map(|product| SqlValue::from(&product.id)).collect();
    let mut translations = translations::find_all(db, ids).await?;
    let full = i64::try_from(products.len()).is_ok_and(|count| count == BATCH_PRODUCTS);
    let last = products.last().filter(|_| full).map(|product| product.id.clone());
    let row = |product: Product| {
        let translations = translations.remove(&product.id).unwrap_or_default();
        let variants = by_product.remove(&product.id).unwrap_or_default();
        product_row(base, &product, &variants, &translations)
    };
    Ok((products.into_iter().map(row).collect(), last))
}

fn product_row(
    base: Currency,
    product: &Product,
    variants: &[Variant],
    translations: &BTreeMap<Language, Translation>,
) -> ExportRow {
    let price = &product.stored;
    // A product without options is its own only variant.
    let (listed, own) = match (product.options.is_empty(), variants) {
        (true, [own]) => (&[][..], Some(own)),
        _ => (variants, None),
    };
    let options: Vec<Value> = product.options.iter().map(exported_option).collect();
    let variants: Vec<Value> =
        listed.iter().map(|variant| exported_variant(base, product, variant)).collect();
    let offer = (price.offer_price < price.real_price).then(|| price.offer_price.of(base));
    let photos: Vec<Value> =
        product.img.iter().map(|photo| exported_photo(photo, translations)).collect();
    let is_draft = product.status == ProductStatus::Draft;
    let own = [
        ("_id", json!(product.id)),
        ("category", json!(product.category)),
        ("name", json!(product.name)),
        ("sku", json!(product.sku)),
        ("brand", json!(product.brand)),
        ("taxClass", json!(product.tax_class)),
        ("img", json!(photos)),
        ("realPrice", json!(price.real_price.of(base))),
        ("offerPrice", json!(offer)),
        ("saleStart", json!(price.sale_start)),
        ("saleEnd", json!(price.sale_end)),
        ("qtn", json!(own.map(|own| own.qtn))),
        ("barcode", json!(own.map(|own| &own.barcode))),
        ("weight", json!(own.and_then(|own| own.weight))),
        ("needsDelivery", json!(own.filter(|own| !own.needs_delivery).map(|_| false))),
        ("backOrder", json!(own.and_then(|own| own.back_order))),
        ("lowStock", json!(own.and_then(|own| own.low_stock))),
        ("productType", json!(product.product_type)),
        ("fullDescription", json!(product.full_description)),
        ("options", json!(options)),
        ("variants", json!(variants)),
        ("tags", json!(*product.tags)),
        ("attributes", json!(*product.attributes)),
        ("status", json!(product.status)),
        ("publishAt", json!(product.publish_at)),
        ("related", json!(*product.related)),
        ("giftCard", json!(product.gift_card.then_some(true))),
        ("unitsSold", json!(own.map(|own| own.units_sold))),
        // A draft gets another when it is published, which the same file must not undo.
        ("createdAt", json!(Some(product.created_at).filter(|_| !is_draft))),
    ];
    let own = own.into_iter().map(|(field, value)| (field.to_owned(), value));
    let own = own.chain(fixed_price_fields(&price.fixed_prices));
    let translated = translations.iter().flat_map(|(language, translation)| {
        let fields = translated_fields(product, translation);
        fields.into_iter().map(move |(field, value)| (format!("{field}@{language}"), value))
    });
    ExportRow::new(own.chain(translated))
}

/// `realPrice:BDT`, and `offerPrice:BDT` where there is an offer.
fn fixed_price_fields(prices: &FixedPrices) -> impl Iterator<Item = (String, Value)> {
    prices.iter().flat_map(|(currency, FixedPrice { real, offer })| {
        let field = |name: &str, minor: i64| {
            (format!("{name}:{currency}"), json!(Money::new(minor, *currency)))
        };
        let offer = (offer < real).then(|| field("offerPrice", *offer));
        [field("realPrice", *real)].into_iter().chain(offer)
    })
}

fn exported_option(option: &ProductOption) -> Value {
    let value = |(place, name): (usize, &String)| match option.swatches.get(place) {
        Some(Some(swatch)) => json!({ "name": name, "swatch": swatch }),
        _ => json!(name),
    };
    let values: Vec<Value> = option.values.iter().enumerate().map(value).collect();
    json!({ "name": option.name, "values": values })
}

/// A variant without the fields in which it is like its product.
fn exported_variant(base: Currency, product: &Product, variant: &Variant) -> Value {
    let mut fields = serde_json::Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("_id", json!(variant.id));
    put("options", json!(ChosenOptions::new(&product.options, &variant.options)));
    if !variant.sku.is_empty() {
        put("sku", json!(variant.sku));
    }
    let StoredPrice { real_price, offer_price, sale_start, sale_end, .. } = variant.stored;
    if variant.stored != product.stored {
        put("realPrice", json!(real_price.of(base)));
        if offer_price < real_price {
            put("offerPrice", json!(offer_price.of(base)));
        }
        sale_start.into_iter().for_each(|start| drop(put("saleStart", json!(start))));
        sale_end.into_iter().for_each(|end| drop(put("saleEnd", json!(end))));
        for (name, value) in fixed_price_fields(&variant.stored.fixed_prices) {
            put(&name, value);
        }
    }
    put("qtn", json!(variant.qtn));
    put("unitsSold", json!(variant.units_sold));
    if !variant.barcode.is_empty() {
        put("barcode", json!(variant.barcode));
    }
    if !variant.img.is_empty() {
        put("img", json!(variant.img));
    }
    variant.weight.into_iter().for_each(|weight| drop(put("weight", json!(weight))));
    if !variant.needs_delivery {
        put("needsDelivery", json!(false));
    }
    variant.back_order.into_iter().for_each(|time| drop(put("backOrder", json!(time))));
    variant.low_stock.into_iter().for_each(|low| drop(put("lowStock", json!(low))));
    Value::Object(fields)
}

/// Translated lists are in the order of the product's, with empty entries for what has no translation.
fn translated_fields(product: &Product, translation: &Translation) -> [(&'static str, Value); 5] {
    let Translation { card, full_description, tags, attributes } = translation;
    let text =
        |texts: &BTreeMap<String, String>, of: &String| texts.get(of).cloned().unwrap_or_default();
    let option = |option: &ProductOption| {
        let values = option.values.iter().map(|value| text(&card.options.option_values, value));
        let values: Vec<String> = values.collect();
        json!({ "name": text(&card.options.option_names, &option.name), "values": values })
    };
    let options: Vec<Value> = product.options.iter().map(option).collect();
    let untranslated = || Attribute { name: String::new(), value: String::new() };
    let attribute = |Attribute { name, .. }: &Attribute| {
        attributes.get(name).cloned().unwrap_or_else(untranslated)
    };
    let attributes: Vec<Attribute> = product.attributes.iter().map(attribute).collect();
    let no_option = card.options.option_names.is_empty() && card.options.option_values.is_empty();
    let no_attribute = attributes.iter().all(|one| *one == untranslated());
    [
        ("name", json!(card.name)),
        ("fullDescription", json!(full_description)),
        ("options", if no_option { Value::Null } else { json!(options) }),
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

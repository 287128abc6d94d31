//! Parses a JSON or CSV file into rows with their positions. Errors are collected and parsing goes on,
//! so that all of them are reported at once.

use std::collections::HashMap;

use platform::{Amount, Timestamp};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::columns::{FileKind, OPTION_PREFIX, VARIANT_COLUMNS, closest_column};
use super::errors::{ImportErrors, Position, quoted};
use super::fixed_prices::{self, closest_price};
use super::translations::{TranslationInputs, row_from_json};
use super::variants::VariantInput;
use super::{Import, ImportRow, NewCategory, NewProduct, RowSpan};
use crate::catalog::translated_fields::parse_name;
use crate::catalog::{ChosenOptions, Photo, ProductId};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonFile<'a> {
    #[serde(borrow, default)]
    categories: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    products: Vec<&'a RawValue>,
}

pub fn json(text: &str, errors: &mut ImportErrors) -> Import {
    let file: JsonFile = match serde_json::from_str(text) {
        Ok(file) => file,
        Err(why) => {
            errors.push_at(why.line().max(1), why.column().max(1), without_place(&why));
            return Import::default();
        }
    };
    Import {
        categories: json_rows(text, &file.categories, FileKind::Categories, errors)
            .into_iter()
            .map(|(mut row, _, translations): (ImportRow<NewCategory>, _, _)| {
                row.value.translations = translations;
                row
            })
            .collect(),
        products: json_rows(text, &file.products, FileKind::Products, errors)
            .into_iter()
            .map(|(mut row, raw, translations): (ImportRow<NewProduct>, _, _)| {
                let keys: HashMap<String, IgnoredAny> =
                    serde_json::from_str(raw).unwrap_or_default();
                row.value.named = keys.into_keys().collect();
                row.value.translations = translations;
                row.value.take_photo_translations();
                row.value.show_variant_pictures();
                row
            })
            .collect(),
        text: text.to_owned(),
        ..Import::default()
    }
}

/// The rows that can be parsed, each with its text and its translations.
fn json_rows<'t, T: DeserializeOwned>(
    text: &str,
    rows: &[&'t RawValue],
    kind: FileKind,
    errors: &mut ImportErrors,
) -> Vec<(ImportRow<T>, &'t str, TranslationInputs)> {
    let mut read = Vec::with_capacity(rows.len());
    for raw in rows {
        let from = raw.get().as_ptr() as usize - text.as_ptr() as usize;
        match row_from_json(raw.get(), kind) {
            Ok((value, translations)) => {
                let at = RowSpan::Json { from, to: from + raw.get().len() };
                read.push((ImportRow { value, at }, raw.get(), translations));
            }
            Err(why) => {
                let start = Position::of(text, from);
                let line = start.line + why.line().max(1) - 1;
                let before = if why.line() <= 1 { start.column - 1 } else { 0 };
                let message = suggesting(&without_place(&why), kind);
                errors.push_at(line, before + why.column().max(1), message);
            }
        }
    }
    read
}

/// Strips serde_json's own position, which counts from the start of the row.
fn without_place(why: &serde_json::Error) -> String {
    let text = why.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// Adds a "did you mean" to the error about an unknown field.
fn suggesting(message: &str, kind: FileKind) -> String {
    let unknown = message.strip_prefix("unknown field `").and_then(|rest| rest.split_once('`'));
    match unknown.and_then(|(name, _)| Some((name, closest(name, kind)?))) {
        Some((name, meant)) => format!("unknown field `{name}`; did you mean {meant}?"),
        None => message.to_owned(),
    }
}

/// The column that an unknown name means.
fn closest(name: &str, kind: FileKind) -> Option<String> {
    let fixed_price = (kind == FileKind::Products).then(|| closest_price(name)).flatten();
    fixed_price.or_else(|| closest_column(name, kind.columns()).map(str::to_owned))
}

/// Parses CSV separated by commas, semicolons or tabs, with a header of the JSON field names. Lists are
/// separated by `|`, attributes are written `Name: value | Name: value`, a photo with colour and
/// alternative text `pictures/lamp.jpg [Ink] The lamp in ink.` A column such as `name@bn` has translations; that of
/// all pictures' alternative texts is `alt@bn`. With columns such as `option:Colour` a product has a row for each of its
/// variants: the first one has the product's fields, and the others may have those of a variant only.
pub fn csv(text: &str, errors: &mut ImportErrors) -> Import {
    let separator = detect_separator(text);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let header: Vec<String> = match reader.headers() {
        Ok(header) => header.iter().map(str::to_owned).collect(),
        Err(why) => {
            push_csv_error(errors, &why);
            return Import::default();
        }
    };
    let kind = FileKind::detect(&header);
    let whole = header.is_empty() || check_header(&header, kind, errors);
    let mut import = Import { header, ..Import::default() };
    let has_options = import.header.iter().any(|name| name.starts_with(OPTION_PREFIX));
    let mut places: HashMap<String, usize> = HashMap::new();
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(why) => {
                push_csv_error(errors, &why);
                continue;
            }
        };
        let line = record.position().map_or(1, |position| position.line() as usize);
        let sheet = CsvRow { header: &import.header, kind, decimal_comma: separator != b',' };
        let id = sheet.header.iter().position(|name| name == "_id");
        let id = id.and_then(|place| record.get(place)).unwrap_or_default().to_owned();
        let product = places.get(&id).copied().filter(|_| has_options);
        let Some(object) = sheet.object(&record, line, product.is_some(), errors) else { continue };
        // A missing column was reported once; do not repeat it for every row.
        if !whole {
            continue;
        }
        let at = RowSpan::Csv { line };
        if let Some(place) = product {
            let variant = sheet.variant(&record, object, line, errors);
            if let Some((variant, photos)) = variant {
                import.products[place].value.add_variant(variant, photos);
            }
        } else if kind == FileKind::Products {
            let variant = has_options.then(|| sheet.first_variant(&record, &object, line, errors));
            if let Some(mut value) = csv_value::<NewProduct>(object, line, errors) {
                value.named = import.header.iter().cloned().collect();
                value.translations = sheet.translations(&record, &value.img, line, errors);
                value.variants = variant.flatten().map(|variant| vec![variant]);
                places.insert(id, import.products.len());
                import.products.push(ImportRow { value, at });
            }
        } else if let Some(mut value) = csv_value::<NewCategory>(object, line, errors) {
            value.translations = sheet.translations(&record, &[], line, errors);
            import.categories.push(ImportRow { value, at });
        }
    }
    import
}

/// The most frequent separator in the header. Spreadsheets in many countries write semicolons.
fn detect_separator(text: &str) -> u8 {
    let mut counts = [(b'\t', 0), (b';', 0), (b',', 0)];
    let mut quoted = false;
    for byte in text.bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => break,
            _ if !quoted => {
                let counted = counts.iter_mut().filter(|(separator, _)| *separator == byte);
                counted.for_each(|(_, count)| *count += 1);
            }
            _ => {}
        }
    }
    // `max_by_key` returns the last of equals: the comma.
    counts.into_iter().max_by_key(|(_, count)| *count).map_or(b',', |(separator, _)| separator)
}

/// Whether all columns are known and unique, and no required one is missing.
fn check_header(header: &[String], kind: FileKind, errors: &mut ImportErrors) -> bool {
    let (known, mut meant, mut good) = (kind.columns(), Vec::new(), true);
    let fixed_price = |name: &str| match kind {
        FileKind::Products => fixed_prices::parse_name(name),
        FileKind::Categories => None,
    };
    let mut error = |field: usize, message: String| {
        good = false;
        errors.push_at(1, field + 1, message);
    };
    for (number, name) in header.iter().enumerate() {
        if header[..number].contains(name) {
            error(number, format!("{name}: there are two columns of this name"));
        } else if let Some(translated) = parse_name(name, kind.translated_columns()) {
            if let Err(why) = translated {
                error(number, format!("{name}: {why}"));
            }
        } else if let Some(price) = fixed_price(name) {
            if let Err(why) = price {
                error(number, format!("{name}: {why}"));
            }
        } else if name.starts_with(OPTION_PREFIX) && kind == FileKind::Products {
            if name.trim_start_matches(OPTION_PREFIX).trim().is_empty() {
                error(number, format!("{name}: expected the name of an option behind the colon"));
            }
        } else if ["options", "variants"].contains(&name.as_str()) {
            let why = "a CSV file has a row for each variant, and columns such as option:Colour";
            error(number, format!("{name}: {why}"));
        } else if !known.contains(&name.as_str()) {
            let of = kind.noun();
            let closest = closest(name, kind);
            meant.extend(closest.clone());
            error(
                number,
                match closest {
                    Some(column) => format!("there is no column {name:?}; did you mean {column}?"),
                    None => format!(
                        "there is no column {name:?}; those of a {of} are {}",
                        known.join(", ")
                    ),
                },
            );
        }
    }
    for needed in kind.required() {
        if !header.iter().any(|name| name == needed) && !meant.iter().any(|name| name == needed) {
            error(0, format!("the column {needed} is missing; every {} has one", kind.noun()));
        }
    }
    good
}

/// Converts the cells of a row.
struct CsvRow<'s> {
    header: &'s [String],
    kind: FileKind,
    /// Whether a comma may be the decimal separator, because it does not separate cells.
    decimal_comma: bool,
}

impl CsvRow<'_> {
    /// The row as a JSON object, or `None` when a cell is invalid. `further`: whether it is another variant of a product,
    /// which does not repeat the product's fields.
    fn object(
        &self,
        record: &csv::StringRecord,
        line: usize,
        further: bool,
        errors: &mut ImportErrors,
    ) -> Option<Map<String, Value>> {
        let (cells, columns) = (record.len(), self.header.len());
        if cells != columns {
            let message = format!("has {cells} cells where the first line names {columns} columns");
            errors.push_at(line, cells.min(columns) + 1, message);
            return None;
        }
        let (mut object, mut good) = (Map::new(), true);
        for (number, (name, cell)) in self.header.iter().zip(record).enumerate() {
            let is_fixed_price = fixed_prices::parse_name(name).is_some();
            let of_variant =
                is_fixed_price || name == "_id" || VARIANT_COLUMNS.contains(&name.as_str());
            if name.contains('@') || name.starts_with(OPTION_PREFIX) || (further && !of_variant) {
                continue;
            }
            let needed = self.kind.required().contains(&name.as_str()) && !further;
            let value = match cell {
                "" if needed => Err("must not be empty".into()),
                // Removes the price.
                "" if is_fixed_price => Ok(Value::Null),
                "" => continue,
                cell => self.value(name, cell),
            };
            match value {
                Ok(value) => {
                    object.insert(name.clone(), value);
                }
                Err(why) => {
                    good = false;
                    errors.push_at(line, number + 1, format!("{name}: {why}"));
                }
            }
        }
        good.then_some(object)
    }

    /// The values of the options in this row.
    fn options(&self, record: &csv::StringRecord) -> ChosenOptions {
        let cells = self.header.iter().zip(record).filter(|(_, cell)| !cell.is_empty());
        let options = cells.filter_map(|(name, cell)| {
            Some((name.strip_prefix(OPTION_PREFIX)?.trim().to_owned(), cell.to_owned()))
        });
        ChosenOptions(options.collect())
    }

    /// The variant in the first row of a product, whose picture is one of the product's; `None` for a product without
    /// options.
    fn first_variant(
        &self,
        record: &csv::StringRecord,
        object: &Map<String, Value>,
        line: usize,
        errors: &mut ImportErrors,
    ) -> Option<VariantInput> {
        let options = self.options(record);
        if options.0.is_empty() {
            return None;
        }
        let mut fields = Map::new();
        for (name, value) in object {
            let of_variant = name != "img" && VARIANT_COLUMNS.contains(&name.as_str());
            if of_variant || fixed_prices::parse_name(name).is_some() {
                fields.insert(name.clone(), value.clone());
            }
        }
        let variant = csv_value::<VariantInput>(fields, line, errors)?;
        Some(VariantInput { options, line: Some(line), ..variant })
    }

    /// A further variant of a product, and its pictures.
    fn variant(
        &self,
        record: &csv::StringRecord,
        mut object: Map<String, Value>,
        line: usize,
        errors: &mut ImportErrors,
    ) -> Option<(VariantInput, Vec<Photo>)> {
        object.remove("_id");
        let photos: Vec<Photo> = match object.remove("img") {
            Some(photos) => serde_json::from_value(photos).unwrap_or_default(),
            None => Vec::new(),
        };
        let variant = csv_value::<VariantInput>(object, line, errors)?;
        let img = photos.first().map(|photo| photo.src.clone());
        let options = self.options(record);
        Some((VariantInput { options, img, line: Some(line), ..variant }, photos))
    }

    /// The cells of the columns with a language code.
    fn translations(
        &self,
        record: &csv::StringRecord,
        photos: &[Photo],
        line: usize,
        errors: &mut ImportErrors,
    ) -> TranslationInputs {
        let mut translations = TranslationInputs::new();
        for (number, (name, cell)) in self.header.iter().zip(record).enumerate() {
            if let Some(Ok((field, language))) = parse_name(name, self.kind.translated_columns()) {
                let translation = translations.entry(language).or_default();
                if let Err(why) = translation.read_cell(field, cell, photos) {
                    errors.push_at(line, number + 1, format!("{name}: {why}"));
                }
            }
        }
        translations
    }

    fn value(&self, name: &str, cell: &str) -> Result<Value, String> {
        let list = || cell.split('|').map(str::trim).filter(|item| !item.is_empty());
        let number = |text: &str| match self.decimal_comma && !text.contains('.') {
            true => text.replacen(',', ".", 1),
            false => text.to_owned(),
        };
        let not = |wanted: &str| format!("{cell:?} is not {wanted}");
        let fixed_price = fixed_prices::parse_name(name).and_then(Result::ok);
        Ok(match fixed_price.map_or(name, |(field, _)| field) {
            "_id" | "category" => match cell.parse::<ProductId>() {
                Ok(id) => id.as_str().into(),
                Err(why) => return Err(format!("{cell:?}: {why}")),
            },
            "realPrice" | "offerPrice" => {
                let amount: Amount = number(cell).parse().map_err(|_| not("a price like 12.50"))?;
                serde_json::to_value(amount).map_err(|why| why.to_string())?
            }
            "qtn" | "unitsSold" => cell.parse::<i64>().map_err(|_| not("a whole number"))?.into(),
            "stockChange" => cell.parse::<i64>().map_err(|_| not("a change like +5 or -2"))?.into(),
            "rating" => number(cell).parse::<f64>().map_err(|_| not("a number"))?.into(),
            "weight" | "lowStock" => cell.parse::<i64>().map_err(|_| not("a whole number"))?.into(),
            "needsDelivery" | "giftCard" => match cell.to_ascii_lowercase().as_str() {
                "true" | "yes" | "1" => true.into(),
                "false" | "no" | "0" => false.into(),
                _ => return Err(not("true or false")),
            },
            "saleStart" | "saleEnd" | "stockAt" | "publishAt" | "createdAt" | "backOrder" => {
                Timestamp::parse(cell).ok_or_else(|| not("a time like 2026-11-15T09:30:00Z"))?;
                cell.into()
            }
            "img" if self.kind == FileKind::Categories => cell.into(),
            "img" => list().map(photo).collect::<Result<Value, String>>()?,
            "colours" | "tags" | "related" => list().collect::<Value>(),
            "attributes" => list()
                .map(|item| {
                    let (name, value) = item
                        .split_once(':')
                        .ok_or_else(|| format!("{} is not written Name: value", quoted(item)))?;
                    Ok(json!({ "name": name.trim(), "value": value.trim() }))
                })
                .collect::<Result<Value, String>>()?,
            _ => cell.into(),
        })
    }
}

/// Parses a photo: URL, optional colour in brackets, optional alternative text: `lamp.jpg`, `lamp.jpg
/// [Ink]`, `lamp.jpg [Ink] The lamp in ink.`, `lamp.jpg [] The lamp.`
fn photo(item: &str) -> Result<Value, String> {
    let Some((src, rest)) = item.split_once(" [") else { return Ok(item.into()) };
    let (colour, alt) =
        rest.split_once(']').ok_or_else(|| format!("{item:?} has no ] behind its colour"))?;
    let (src, colour, alt) = (src.trim(), colour.trim(), alt.trim());
    Ok(match colour {
        "" => json!({ "src": src, "alt": alt }),
        colour => json!({ "src": src, "alt": alt, "colour": colour }),
    })
}

fn csv_value<T: DeserializeOwned>(
    object: Map<String, Value>,
    line: usize,
    errors: &mut ImportErrors,
) -> Option<T> {
    serde_json::from_value(Value::Object(object))
        .map_err(|why| errors.push_at(line, 1, why.to_string()))
        .ok()
}

fn push_csv_error(errors: &mut ImportErrors, why: &csv::Error) {
    let line = why.position().map_or(1, |position| position.line() as usize);
    errors.push_at(line, 1, why.to_string());
}

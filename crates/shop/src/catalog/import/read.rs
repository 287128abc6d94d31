//! Reading a JSON or CSV file into rows, each with the place where it stood. Whatever is wrong is pushed
//! to the faults, and reading goes on, so that a shopkeeper learns of all of it at once.

use std::collections::HashMap;

use base::{Money, Timestamp};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::columns::{Kind, nearest};
use super::faults::{Fault, Faults, Place};
use super::{At, Import, NewProduct, Row};
use crate::catalog::ProductId;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonFile<'a> {
    #[serde(borrow, default)]
    categories: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    products: Vec<&'a RawValue>,
}

pub fn json(text: &str, faults: &mut Faults) -> Import {
    let file: JsonFile = match serde_json::from_str(text) {
        Ok(file) => file,
        Err(why) => {
            let place = Place { line: why.line().max(1), column: why.column().max(1) };
            faults.push(Fault { place, message: without_place(&why) });
            return Import::default();
        }
    };
    Import {
        categories: json_rows(text, &file.categories, Kind::Categories, faults)
            .into_iter()
            .map(|(row, _)| row)
            .collect(),
        products: json_rows(text, &file.products, Kind::Products, faults)
            .into_iter()
            .map(|(row, raw): (Row<NewProduct>, _)| {
                let keys: HashMap<String, IgnoredAny> =
                    serde_json::from_str(raw).unwrap_or_default();
                let value = NewProduct { named: keys.into_keys().collect(), ..row.value };
                Row { value, at: row.at }
            })
            .collect(),
        text: text.to_owned(),
        ..Import::default()
    }
}

/// The rows that can be read, each with its text.
fn json_rows<'t, T: DeserializeOwned>(
    text: &str,
    rows: &[&'t RawValue],
    kind: Kind,
    faults: &mut Faults,
) -> Vec<(Row<T>, &'t str)> {
    let mut read = Vec::with_capacity(rows.len());
    for raw in rows {
        let from = raw.get().as_ptr() as usize - text.as_ptr() as usize;
        match serde_json::from_str(raw.get()) {
            Ok(value) => {
                let at = At::Json { from, to: from + raw.get().len() };
                read.push((Row { value, at }, raw.get()));
            }
            Err(why) => {
                let start = Place::of(text, from);
                let line = start.line + why.line().max(1) - 1;
                let before = if why.line() <= 1 { start.column - 1 } else { 0 };
                let place = Place { line, column: before + why.column().max(1) };
                faults.push(Fault { place, message: suggesting(&without_place(&why), kind) });
            }
        }
    }
    read
}

/// serde_json ends its messages with a place of its own, which counts from the row's start.
fn without_place(why: &serde_json::Error) -> String {
    let text = why.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// Says of an unknown field which one was most likely meant.
fn suggesting(message: &str, kind: Kind) -> String {
    let unknown = message.strip_prefix("unknown field `").and_then(|rest| rest.split_once('`'));
    match unknown.and_then(|(name, _)| Some((name, nearest(name, kind.columns())?))) {
        Some((name, meant)) => format!("unknown field `{name}`; did you mean {meant}?"),
        None => message.to_owned(),
    }
}

/// A CSV file has a header that names fields as in JSON, and cells between commas, semicolons or tabs.
/// Lists are separated by `|`, attributes are written `Name: value | Name: value`, a picture's colour and
/// words `pictures/lamp.jpg [Ink] The lamp in ink.`
pub fn csv(text: &str, faults: &mut Faults) -> Import {
    let separator = separator_of(text);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let header: Vec<String> = match reader.headers() {
        Ok(header) => header.iter().map(str::to_owned).collect(),
        Err(why) => {
            faults.push(csv_fault(&why));
            return Import::default();
        }
    };
    let kind = Kind::of(&header);
    let whole = header.is_empty() || check_header(&header, kind, faults);
    let mut import = Import { header, ..Import::default() };
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(why) => {
                faults.push(csv_fault(&why));
                continue;
            }
        };
        let line = record.position().map_or(1, |position| position.line() as usize);
        let sheet = Sheet { header: &import.header, kind, decimal_comma: separator != b',' };
        let Some(object) = sheet.object(&record, line, faults) else { continue };
        // A column that is missing was said once; its rows would all say it again.
        if !whole {
            continue;
        }
        let at = At::Csv { line };
        if kind == Kind::Products {
            if let Some(mut value) = csv_value::<NewProduct>(object, line, faults) {
                value.named = import.header.iter().cloned().collect();
                import.products.push(Row { value, at });
            }
        } else if let Some(value) = csv_value(object, line, faults) {
            import.categories.push(Row { value, at });
        }
    }
    import
}

/// What stands between the names of the first line most often. Spreadsheets of many countries write
/// semicolons.
fn separator_of(text: &str) -> u8 {
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
    // Of equals the last: a comma.
    counts.into_iter().max_by_key(|(_, count)| *count).map_or(b',', |(separator, _)| separator)
}

/// Whether every column is known, stands there once, and none that is needed is missing.
fn check_header(header: &[String], kind: Kind, faults: &mut Faults) -> bool {
    let (known, mut meant, mut good) = (kind.columns(), Vec::new(), true);
    let mut fault = |field: usize, message: String| {
        good = false;
        faults.push(Fault { place: Place { line: 1, column: field + 1 }, message });
    };
    for (number, name) in header.iter().enumerate() {
        if header[..number].contains(name) {
            fault(number, format!("{name}: there are two columns of this name"));
        } else if !known.contains(&name.as_str()) {
            let of = kind.of_what();
            meant.extend(nearest(name, known));
            fault(
                number,
                match nearest(name, known) {
                    Some(column) => format!("there is no column {name:?}; did you mean {column}?"),
                    None => format!(
                        "there is no column {name:?}; those of a {of} are {}",
                        known.join(", ")
                    ),
                },
            );
        }
    }
    for needed in kind.needed() {
        if !header.iter().any(|name| name == needed) && !meant.contains(needed) {
            fault(0, format!("the column {needed} is missing; every {} has one", kind.of_what()));
        }
    }
    good
}

/// What a row's cells are read by.
struct Sheet<'s> {
    header: &'s [String],
    kind: Kind,
    /// Where a comma does not part cells, it may part dollars and cents.
    decimal_comma: bool,
}

impl Sheet<'_> {
    /// A row as the JSON object that it stands for; nothing where one of its cells is not right.
    fn object(
        &self,
        record: &csv::StringRecord,
        line: usize,
        faults: &mut Faults,
    ) -> Option<Map<String, Value>> {
        let (cells, columns) = (record.len(), self.header.len());
        if cells != columns {
            let message = format!("has {cells} cells where the first line names {columns} columns");
            faults.push(Fault { place: Place { line, column: cells.min(columns) + 1 }, message });
            return None;
        }
        let (mut object, mut good) = (Map::new(), true);
        for (number, (name, cell)) in self.header.iter().zip(record).enumerate() {
            let needed = self.kind.needed().contains(&name.as_str());
            let value = match cell {
                "" if needed => Err("must not be empty".into()),
                "" => continue,
                cell => self.value(name, cell),
            };
            match value {
                Ok(value) => {
                    object.insert(name.clone(), value);
                }
                Err(why) => {
                    good = false;
                    let place = Place { line, column: number + 1 };
                    faults.push(Fault { place, message: format!("{name}: {why}") });
                }
            }
        }
        good.then_some(object)
    }

    fn value(&self, name: &str, cell: &str) -> Result<Value, String> {
        let list = || cell.split('|').map(str::trim).filter(|item| !item.is_empty());
        let number = |text: &str| match self.decimal_comma && !text.contains('.') {
            true => text.replacen(',', ".", 1),
            false => text.to_owned(),
        };
        let not = |wanted: &str| format!("{cell:?} is not {wanted}");
        Ok(match name {
            "_id" | "category" => match cell.parse::<ProductId>() {
                Ok(id) => id.as_str().into(),
                Err(why) => return Err(format!("{cell:?}: {why}")),
            },
            "realPrice" | "offerPrice" => {
                let money: Money = number(cell).parse().map_err(|_| not("a price like 12.50"))?;
                serde_json::to_value(money).map_err(|why| why.to_string())?
            }
            "qtn" | "unitsSold" => cell.parse::<i64>().map_err(|_| not("a whole number"))?.into(),
            "stockChange" => cell.parse::<i64>().map_err(|_| not("a change like +5 or -2"))?.into(),
            "rating" => number(cell).parse::<f64>().map_err(|_| not("a number"))?.into(),
            "saleStart" | "saleEnd" | "stockAt" | "createdAt" => {
                Timestamp::parse(cell).ok_or_else(|| not("a moment like 2026-11-15T09:30:00Z"))?;
                cell.into()
            }
            // A product has a list of pictures, a category one.
            "img" if self.kind == Kind::Categories => cell.into(),
            "img" => list().map(photo).collect::<Result<Value, String>>()?,
            "colours" | "tags" => list().collect::<Value>(),
            "attributes" => list()
                .map(|item| {
                    let (name, value) = item
                        .split_once(':')
                        .ok_or_else(|| format!("{item:?} is not written Name: value"))?;
                    Ok(json!({ "name": name.trim(), "value": value.trim() }))
                })
                .collect::<Result<Value, String>>()?,
            _ => cell.into(),
        })
    }
}

/// A picture of a product: its address, and in brackets behind it the colour that it shows, then what is
/// seen: `lamp.jpg`, `lamp.jpg [Ink]`, `lamp.jpg [Ink] The lamp in ink.`, `lamp.jpg [] The lamp.`
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
    faults: &mut Faults,
) -> Option<T> {
    serde_json::from_value(Value::Object(object))
        .map_err(|why| {
            faults.push(Fault { place: Place { line, column: 1 }, message: why.to_string() });
        })
        .ok()
}

fn csv_fault(why: &csv::Error) -> Fault {
    let line = why.position().map_or(1, |position| position.line() as usize);
    Fault { place: Place { line, column: 1 }, message: why.to_string() }
}

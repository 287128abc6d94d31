//! Reading a file into rows, each with the place where it stood.

use std::collections::HashMap;

use base::Money;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{At, Import, NewProduct, Place, Refusal, Row};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonFile<'a> {
    #[serde(borrow, default)]
    categories: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    products: Vec<&'a RawValue>,
}

pub fn json(text: &str) -> Result<Import, Refusal> {
    let file: JsonFile = serde_json::from_str(text).map_err(|why| Refusal {
        place: Place { line: why.line().max(1), column: why.column().max(1) },
        message: without_place(&why),
    })?;
    let mut products: Vec<Row<NewProduct>> = json_rows(text, &file.products)?;
    for (row, raw) in products.iter_mut().zip(&file.products) {
        let keys: HashMap<String, IgnoredAny> = serde_json::from_str(raw.get()).unwrap_or_default();
        row.value.named = keys.into_keys().collect();
    }
    Ok(Import {
        categories: json_rows(text, &file.categories)?,
        products,
        pictures: vec![],
        text: text.to_owned(),
        header: vec![],
    })
}

fn json_rows<T: DeserializeOwned>(text: &str, rows: &[&RawValue]) -> Result<Vec<Row<T>>, Refusal> {
    let row = |raw: &&RawValue| {
        let from = raw.get().as_ptr() as usize - text.as_ptr() as usize;
        match serde_json::from_str(raw.get()) {
            Ok(value) => Ok(Row { value, at: At::Json { from, to: from + raw.get().len() } }),
            Err(why) => {
                let start = Place::of(text, from);
                let line = start.line + why.line().max(1) - 1;
                let before = if why.line() <= 1 { start.column - 1 } else { 0 };
                let place = Place { line, column: before + why.column().max(1) };
                Err(Refusal { place, message: without_place(&why) })
            }
        }
    };
    rows.iter().map(row).collect()
}

/// serde_json ends its messages with a place of its own, which counts from the row's start.
fn without_place(why: &serde_json::Error) -> String {
    let text = why.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

impl Place {
    pub fn of(text: &str, offset: usize) -> Self {
        let before = &text[..offset];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Self { line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1 }
    }
}

/// A CSV file has a header that names fields as in JSON. Lists are separated by `|`, attributes are
/// written `Name: value | Name: value`. One with a `realPrice` column holds products, else categories.
pub fn csv(text: &str) -> Result<Import, Refusal> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|why| csv_refusal(&why))?;
    let header: Vec<String> = header.iter().map(str::to_owned).collect();
    let place = |line: usize, field: usize| Place { line, column: field + 1 };
    for (number, name) in header.iter().enumerate() {
        if header[..number].contains(name) {
            let message = format!("{name}: there are two columns of this name");
            return Err(Refusal { place: place(1, number), message });
        }
    }
    let mut import = Import { header, ..Import::default() };
    let products = import.header.iter().any(|name| name == "realPrice");
    for record in reader.records() {
        let record = record.map_err(|why| csv_refusal(&why))?;
        let line = record.position().map_or(1, |position| position.line() as usize);
        let mut object = Map::new();
        for (number, (name, cell)) in import.header.iter().zip(&record).enumerate() {
            if cell.is_empty() {
                continue;
            }
            let value = cell_value(name, cell, products).map_err(|why| Refusal {
                place: place(line, number),
                message: format!("{name}: {why}"),
            })?;
            object.insert(name.clone(), value);
        }
        let at = At::Csv { line };
        if products {
            let mut value: NewProduct = csv_value(object, line, &import.header)?;
            value.named = import.header.iter().cloned().collect();
            import.products.push(Row { value, at });
        } else {
            let value = csv_value(object, line, &import.header)?;
            import.categories.push(Row { value, at });
        }
    }
    Ok(import)
}

fn cell_value(name: &str, cell: &str, product: bool) -> Result<Value, String> {
    let list = || cell.split('|').map(str::trim).filter(|item| !item.is_empty());
    Ok(match name {
        "realPrice" | "offerPrice" => {
            let money: Money =
                cell.parse().map_err(|_| format!("{cell:?} is not a price like 12.50"))?;
            serde_json::to_value(money).map_err(|why| why.to_string())?
        }
        "qtn" | "unitsSold" => {
            cell.parse::<i64>().map_err(|_| format!("{cell:?} is not a whole number"))?.into()
        }
        "rating" => cell.parse::<f64>().map_err(|_| format!("{cell:?} is not a number"))?.into(),
        // A product has a list of pictures, a category one.
        "img" if !product => cell.into(),
        "img" | "colours" | "tags" => list().collect::<Value>(),
        "attributes" => list()
            .map(|item| {
                let (name, value) = item
                    .split_once(':')
                    .ok_or_else(|| format!("{item:?} is not written Name: value"))?;
                Ok(serde_json::json!({ "name": name.trim(), "value": value.trim() }))
            })
            .collect::<Result<Value, String>>()?,
        _ => cell.into(),
    })
}

fn csv_value<T: DeserializeOwned>(
    object: Map<String, Value>,
    line: usize,
    header: &[String],
) -> Result<T, Refusal> {
    serde_json::from_value(Value::Object(object)).map_err(|why| {
        let message = why.to_string();
        let named = header.iter().position(|name| message.contains(&format!("`{name}`")));
        Refusal { place: Place { line, column: named.map_or(1, |field| field + 1) }, message }
    })
}

fn csv_refusal(why: &csv::Error) -> Refusal {
    let line = why.position().map_or(1, |position| position.line() as usize);
    Refusal { place: Place { line, column: 1 }, message: why.to_string() }
}

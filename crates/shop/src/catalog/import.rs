//! Products and categories from a file. A bad row is refused by line and column, and then nothing of
//! the file is taken in.

use std::collections::HashSet;
use std::fmt;

use base::db::Json;
use base::{Error, Money, Timestamp};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{Attribute, CategoryId, Price, Product, ProductId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Json,
    Csv,
}

/// A file's worth of rows, each checked on its own and against the others.
#[derive(Debug, Default)]
pub struct Import {
    pub categories: Vec<Row<NewCategory>>,
    pub products: Vec<Row<NewProduct>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewCategory {
    #[serde(rename = "_id")]
    pub id: CategoryId,
    pub name: String,
    pub img: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct NewProduct {
    #[serde(rename = "_id")]
    pub id: ProductId,
    pub category: CategoryId,
    pub name: String,
    pub sku: String,
    #[serde(default)]
    pub brand: String,
    pub img: Json<Vec<String>>,
    pub real_price: Money,
    pub offer_price: Option<Money>,
    pub sale_start: Option<Timestamp>,
    pub sale_end: Option<Timestamp>,
    #[serde(default)]
    pub rating: f64,
    pub qtn: i64,
    #[serde(default = "standard")]
    pub product_type: String,
    #[serde(default)]
    pub full_description: String,
    #[serde(default)]
    pub colours: Json<Vec<String>>,
    #[serde(default)]
    pub tags: Json<Vec<String>>,
    #[serde(default)]
    pub attributes: Json<Vec<Attribute>>,
    #[serde(default)]
    pub units_sold: i64,
    pub created_at: Option<Timestamp>,
}

fn standard() -> String {
    "standard".into()
}

/// What an import did.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub categories: Counts,
    pub products: Counts,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub added: u64,
    pub updated: u64,
    pub unchanged: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Added,
    Updated,
    Unchanged,
}

impl Counts {
    pub fn count(&mut self, change: Change) {
        match change {
            Change::Added => self.added += 1,
            Change::Updated => self.updated += 1,
            Change::Unchanged => self.unchanged += 1,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |counts: &Counts| {
            let Counts { added, updated, unchanged } = counts;
            format!("{added} added, {updated} updated, {unchanged} unchanged")
        };
        writeln!(f, "categories: {}", line(&self.categories))?;
        write!(f, "products: {}", line(&self.products))
    }
}

/// Where something stands in a file, both counted from 1. In CSV a column is a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    line: usize,
    column: usize,
}

/// A row and where it stood.
#[derive(Clone, Debug)]
pub struct Row<T> {
    pub value: T,
    start: Place,
    fields: Vec<(String, Place)>,
}

impl<T> Row<T> {
    pub fn refused(&self, field: &str, message: &str) -> Refusal {
        let place = self.fields.iter().find(|(name, _)| name == field).map(|(_, place)| *place);
        Refusal { place: place.unwrap_or(self.start), message: format!("{field}: {message}") }
    }
}

/// Why a file was not taken in, and where.
#[derive(Debug)]
pub struct Refusal {
    place: Place,
    message: String,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        let Refusal { place: Place { line, column }, message } = refusal;
        Self::invalid(format!("line {line}, column {column}"), message)
    }
}

impl Import {
    pub fn parse(text: &str, format: Format) -> Result<Self, Error> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let import = match format {
            Format::Json => json(text),
            Format::Csv => csv(text),
        }?;
        import.check()?;
        Ok(import)
    }

    fn check(&self) -> Result<(), Refusal> {
        let mut seen = HashSet::new();
        for row in &self.categories {
            row.value.check().map_err(|(field, why)| row.refused(field, &why))?;
            if !seen.insert(row.value.id.as_str()) {
                return Err(row.refused("_id", "stands in this file twice"));
            }
        }
        let (mut ids, mut skus) = (HashSet::new(), HashSet::new());
        for row in &self.products {
            row.value.check().map_err(|(field, why)| row.refused(field, &why))?;
            if !ids.insert(row.value.id.as_str()) {
                return Err(row.refused("_id", "stands in this file twice"));
            }
            if !skus.insert(row.value.sku.as_str()) {
                return Err(row.refused("sku", "stands in this file twice"));
            }
        }
        Ok(())
    }
}

type Wrong = (&'static str, String);

fn text(field: &'static str, value: &str, shortest: usize, longest: usize) -> Result<(), Wrong> {
    let length = value.chars().count();
    if value.contains('\0') {
        return Err((field, "must not hold a NUL character".into()));
    }
    if length < shortest && value.trim().is_empty() {
        return Err((field, "must not be empty".into()));
    }
    if length > longest {
        return Err((field, format!("is {length} characters long, {longest} are allowed")));
    }
    Ok(())
}

fn texts(field: &'static str, values: &[String], most: usize, longest: usize) -> Result<(), Wrong> {
    if values.len() > most {
        return Err((field, format!("has {} entries, {most} are allowed", values.len())));
    }
    values.iter().try_for_each(|value| text(field, value, 1, longest))
}

fn picture(field: &'static str, address: &str) -> Result<(), Wrong> {
    text(field, address, 1, 500)?;
    let local = address.starts_with('/') && !address.starts_with("//");
    if local || address.starts_with("https://") {
        Ok(())
    } else {
        Err((field, format!("{address:?} is no picture: it starts with / or https://")))
    }
}

fn within(field: &'static str, value: i64, most: i64) -> Result<(), Wrong> {
    if (0..=most).contains(&value) {
        Ok(())
    } else {
        Err((field, format!("{value} is not between 0 and {most}")))
    }
}

impl NewCategory {
    fn check(&self) -> Result<(), Wrong> {
        text("name", &self.name, 1, 100)?;
        picture("img", &self.img)
    }
}

impl NewProduct {
    fn check(&self) -> Result<(), Wrong> {
        text("name", &self.name, 1, 200)?;
        text("sku", &self.sku, 1, 64)?;
        text("brand", &self.brand, 0, 100)?;
        text("productType", &self.product_type, 1, 40)?;
        text("fullDescription", &self.full_description, 0, 20_000)?;
        texts("colours", &self.colours, 24, 40)?;
        texts("tags", &self.tags, 24, 40)?;
        texts("img", &self.img, 12, 500)?;
        if self.img.is_empty() {
            return Err(("img", "wants at least one picture".into()));
        }
        self.img.iter().try_for_each(|address| picture("img", address))?;
        if self.attributes.len() > 50 {
            return Err(("attributes", "has more than 50 entries".into()));
        }
        for Attribute { name, value } in &*self.attributes {
            text("attributes", name, 1, 80)?;
            text("attributes", value, 1, 500)?;
        }
        within("qtn", self.qtn, 1_000_000_000)?;
        within("unitsSold", self.units_sold, 1_000_000_000_000)?;
        if !(0.0..=5.0).contains(&self.rating) {
            return Err(("rating", format!("{} is not between 0 and 5", self.rating)));
        }
        if self.real_price < Money::ZERO {
            return Err(("realPrice", "must not be negative".into()));
        }
        if self.offer_price.is_some_and(|offer| offer < Money::ZERO || offer > self.real_price) {
            return Err(("offerPrice", "is not between 0 and realPrice".into()));
        }
        if let (Some(start), Some(end)) = (self.sale_start, self.sale_end)
            && end <= start
        {
            return Err(("saleEnd", "is not after saleStart".into()));
        }
        Ok(())
    }

    pub fn price(&self) -> Price {
        Price::new(self.real_price, self.offer_price, self.sale_start, self.sale_end)
    }

    /// Whether taking this in would change nothing.
    pub fn same_as(&self, old: &Product) -> bool {
        let price = self.price();
        price.real_price == old.price.real_price
            && price.offer_price == old.price.offer_price
            && price.sale_start == old.price.sale_start
            && price.sale_end == old.price.sale_end
            && self.category == old.category
            && self.name == old.name
            && self.sku == old.sku
            && self.brand == old.brand
            && self.img == old.img
            && self.rating == old.rating
            && self.qtn == old.qtn
            && self.product_type == old.product_type
            && self.full_description == old.full_description
            && self.colours == old.colours
            && self.tags == old.tags
            && self.attributes == old.attributes
            && self.units_sold == old.units_sold
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonFile<'a> {
    #[serde(borrow, default)]
    categories: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    products: Vec<&'a RawValue>,
}

fn json(text: &str) -> Result<Import, Refusal> {
    let file: JsonFile = serde_json::from_str(text).map_err(|why| Refusal {
        place: Place { line: why.line().max(1), column: why.column().max(1) },
        message: without_place(&why),
    })?;
    let lines = Lines::of(text);
    Ok(Import {
        categories: file
            .categories
            .into_iter()
            .map(|raw| json_row(text, &lines, raw))
            .collect::<Result<_, _>>()?,
        products: file
            .products
            .into_iter()
            .map(|raw| json_row(text, &lines, raw))
            .collect::<Result<_, _>>()?,
    })
}

fn json_row<T: DeserializeOwned>(
    text: &str,
    lines: &Lines,
    raw: &RawValue,
) -> Result<Row<T>, Refusal> {
    let offset = raw.get().as_ptr() as usize - text.as_ptr() as usize;
    let start = lines.place(text, offset);
    let value = serde_json::from_str(raw.get()).map_err(|why| {
        let column = if why.line() <= 1 { start.column + why.column() } else { why.column() + 1 };
        Refusal {
            place: Place { line: start.line + why.line().max(1) - 1, column: column.max(2) - 1 },
            message: without_place(&why),
        }
    })?;
    // Keys of the row itself, to point at the one that breaks a rule.
    let keys: Map<String, Value> = serde_json::from_str(raw.get()).unwrap_or_default();
    let fields = keys
        .into_iter()
        .filter_map(|(key, _)| {
            let at = raw.get().find(&format!("\"{key}\""))?;
            Some((key, lines.place(text, offset + at)))
        })
        .collect();
    Ok(Row { value, start, fields })
}

/// serde_json ends its messages with a place of its own, which counts from the row's start.
fn without_place(why: &serde_json::Error) -> String {
    let text = why.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// The offsets at which lines start.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self(std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect())
    }

    fn place(&self, text: &str, offset: usize) -> Place {
        let line = self.0.partition_point(|start| *start <= offset);
        let start = self.0[line - 1];
        Place { line, column: text[start..offset].chars().count() + 1 }
    }
}

/// A CSV file has a header that names fields as in JSON. Lists are separated by `|`, attributes are
/// written `Name: value | Name: value`. One with a `realPrice` column holds products, else categories.
fn csv(text: &str) -> Result<Import, Refusal> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|why| csv_refusal(&why))?.clone();
    let header: Vec<&str> = header.iter().collect();
    let mut import = Import::default();
    let products = header.contains(&"realPrice");
    for record in reader.records() {
        let record = record.map_err(|why| csv_refusal(&why))?;
        let line = record.position().map_or(1, |position| position.line() as usize);
        let place = |field: usize| Place { line, column: field + 1 };
        let mut object = Map::new();
        for (number, (name, cell)) in header.iter().zip(&record).enumerate() {
            if cell.is_empty() {
                continue;
            }
            let value = cell_value(name, cell).map_err(|why| Refusal {
                place: place(number),
                message: format!("{name}: {why}"),
            })?;
            object.insert((*name).to_owned(), value);
        }
        let fields: Vec<(String, Place)> =
            header.iter().enumerate().map(|(n, name)| ((*name).to_owned(), place(n))).collect();
        if products {
            import.products.push(csv_row(object, place(0), fields)?);
        } else {
            import.categories.push(csv_row(object, place(0), fields)?);
        }
    }
    Ok(import)
}

fn cell_value(name: &str, cell: &str) -> Result<Value, String> {
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
        "img" if !cell.contains('|') => cell.into(),
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

fn csv_row<T: DeserializeOwned>(
    mut object: Map<String, Value>,
    start: Place,
    fields: Vec<(String, Place)>,
) -> Result<Row<T>, Refusal> {
    // A product has a list of pictures, a category one.
    if object.contains_key("realPrice")
        && let Some(Value::String(one)) = object.get("img")
    {
        let list = Value::from(vec![one.clone()]);
        object.insert("img".into(), list);
    }
    match serde_json::from_value(Value::Object(object)) {
        Ok(value) => Ok(Row { value, start, fields }),
        Err(why) => {
            let message = why.to_string();
            let named = fields.iter().find(|(name, _)| message.contains(&format!("`{name}`")));
            Err(Refusal { place: named.map_or(start, |(_, place)| *place), message })
        }
    }
}

fn csv_refusal(why: &csv::Error) -> Refusal {
    let line = why.position().map_or(1, |position| position.line() as usize);
    Refusal { place: Place { line, column: 1 }, message: why.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = r#"{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1",
        "img": ["/l.svg"], "realPrice": 30, "qtn": 3"#;

    fn refusal(text: &str, format: Format) -> String {
        Import::parse(text, format).unwrap_err().to_string()
    }

    #[test]
    fn a_good_file_in_either_format_says_the_same() {
        let json = format!(
            r#"{{"products": [{ROW}, "offerPrice": 25.5, "colours": ["Red", "Blue"],
               "attributes": [{{"name": "Size", "value": "2: 3 cm"}}]}}]}}"#
        );
        let csv = "_id,category,name,sku,img,realPrice,qtn,offerPrice,colours,attributes\n\
                   lamp,light,Lamp,L1,/l.svg,30.00,3,25.50,Red|Blue,Size: 2: 3 cm\n";
        let from_json = Import::parse(&json, Format::Json).unwrap();
        let from_csv = Import::parse(csv, Format::Csv).unwrap();
        assert_eq!(
            format!("{:?}", from_json.products[0].value),
            format!("{:?}", from_csv.products[0].value)
        );
    }

    #[test]
    fn a_bad_json_row_is_named_by_line_and_column() {
        let file = |extra: &str| format!("{{\"products\": [\n  {ROW}{extra}}}]}}");
        for (extra, place, why) in [
            (",\n  \"offerPrice\": 40", "line 4, column 3", "offerPrice"),
            (",\n  \"rating\": 7", "line 4, column 3", "rating"),
            (",\n  \"rating\": \"x\"", "line 4, column", "expected f64"),
            (",\n  \"colour\": \"x\"", "line 4, column", "unknown field `colour`"),
            (",\n  \"tags\": [\"a\u{0}b\"]", "line 4", ""),
        ] {
            let said = refusal(&file(extra), Format::Json);
            assert!(said.contains(place) && said.contains(why), "{extra}: {said}");
        }
        assert!(refusal("{\"products\": [}", Format::Json).contains("line 1, column 15"));
        assert!(refusal("", Format::Json).contains("line 1"));
    }

    #[test]
    fn a_bad_csv_row_is_named_by_line_and_column() {
        let file = |row: &str| {
            format!(
                "_id,category,name,sku,img,realPrice,qtn\n\"a\",c,\"two\nlines\",s,/i,1,1\n{row}\n"
            )
        };
        for (row, place, why) in [
            ("b,c,B,s2,/i,abc,1", "line 4, column 6", "realPrice"),
            ("b,c,B,s2,/i,1,1.5", "line 4, column 7", "whole number"),
            ("b,c,,s2,/i,1,1", "line 4, column 3", "name"),
            ("b b,c,B,s2,/i,1,1", "line 4", "b b"),
            ("b,c,B,s2,javascript:x,1,1", "line 4, column 5", "img"),
            ("b,c,B", "line 4", ""),
            ("a,c,B,s2,/i,1,1", "line 4, column 1", "twice"),
            ("b,c,B,s,/i,1,1", "line 4, column 4", "twice"),
        ] {
            let said = refusal(&file(row), Format::Csv);
            assert!(said.contains(place) && said.contains(why), "{row}: {said}");
        }
    }
}

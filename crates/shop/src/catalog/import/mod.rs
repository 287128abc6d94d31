//! Imports products and categories from a JSON or CSV file. Errors name line and column; with any error
//! nothing is imported.

mod apply;
mod columns;
mod errors;
mod parse;
mod pictures;
mod stock;

use std::collections::HashSet;

use errors::{ImportError, ImportErrors, Position};
use media::ImportedPicture;
use platform::db::Json;
use platform::{Error, Money, Timestamp};
use serde::Deserialize;
use stock::{StockInput, StockLevel};

use super::{Attribute, CategoryId, Photo, Price, Product, ProductId};

pub(crate) use apply::import_into;
pub use apply::{ImportSummary, import};
pub use pictures::{PictureSource, is_shop_path};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportFormat {
    Json,
    Csv,
}

/// The parsed rows of a file, validated one by one and against each other.
#[derive(Debug, Default)]
pub struct Import {
    pub categories: Vec<ImportRow<NewCategory>>,
    pub products: Vec<ImportRow<NewProduct>>,
    /// Stored pictures of these rows, whose database rows are inserted with them.
    pub pictures: Vec<ImportedPicture>,
    /// When the stock in the file was counted; a row's own `stockAt` overrides it.
    pub stock_at: Option<Timestamp>,
    /// The file's text, to compute the position of a row that has an error.
    text: String,
    /// The column names of a CSV file.
    header: Vec<String>,
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
    pub img: Json<Vec<Photo>>,
    pub real_price: Money,
    pub offer_price: Option<Money>,
    pub sale_start: Option<Timestamp>,
    pub sale_end: Option<Timestamp>,
    /// Accepted and ignored: ratings come from reviews.
    #[serde(default)]
    pub rating: f64,
    /// The stock of a new product; of an existing one, its stock at `stock_at`.
    pub qtn: Option<i64>,
    /// When `qtn` was counted.
    pub stock_at: Option<Timestamp>,
    /// Added to the stock of an existing product.
    pub stock_change: Option<i64>,
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
    /// The fields that the file contains; an update leaves the others unchanged.
    #[serde(skip)]
    named: HashSet<String>,
}

fn standard() -> String {
    "standard".into()
}

/// A row and its position.
#[derive(Clone, Debug)]
pub struct ImportRow<T> {
    pub value: T,
    at: RowSpan,
}

#[derive(Clone, Copy, Debug)]
enum RowSpan {
    /// Byte range in the file.
    Json {
        from: usize,
        to: usize,
    },
    Csv {
        line: usize,
    },
}

impl Import {
    pub fn parse(text: &str, format: ImportFormat) -> Result<Self, Error> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut errors = ImportErrors::default();
        let import = match format {
            ImportFormat::Json => parse::json(text, &mut errors),
            ImportFormat::Csv => parse::csv(text, &mut errors),
        };
        import.validate_rows(&mut errors);
        errors.check()?;
        Ok(import)
    }

    fn validate_rows(&self, errors: &mut ImportErrors) {
        if self.categories.is_empty() && self.products.is_empty() && errors.is_empty() {
            let place = Position { line: 1, column: 1 };
            errors.push(ImportError { place, message: "there is nothing in this file".into() });
        }
        let mut ids = HashSet::new();
        for row in &self.categories {
            for (field, why) in row.value.validate() {
                errors.push(self.error(row, field, &why));
            }
            if !ids.insert(row.value.id.as_str()) {
                errors.push(self.error(row, "_id", "appears twice in this file"));
            }
        }
        let (mut ids, mut skus) = (HashSet::new(), HashSet::new());
        for row in &self.products {
            for (field, why) in row.value.validate() {
                errors.push(self.error(row, field, &why));
            }
            if !ids.insert(row.value.id.as_str()) {
                errors.push(self.error(row, "_id", "appears twice in this file"));
            }
            if !skus.insert(row.value.sku.as_str()) {
                errors.push(self.error(row, "sku", "appears twice in this file"));
            }
        }
    }

    /// An error at a field of a row.
    fn error<T>(&self, row: &ImportRow<T>, field: &str, message: &str) -> ImportError {
        let place = match row.at {
            RowSpan::Json { from, to } => {
                let key = self.text[from..to].find(&format!("\"{field}\"")).unwrap_or(0);
                Position::of(&self.text, from + key)
            }
            RowSpan::Csv { line } => {
                let field = self.header.iter().position(|name| name == field).unwrap_or(0);
                Position { line, column: field + 1 }
            }
        };
        ImportError { place, message: format!("{field}: {message}") }
    }
}

/// A field and what is wrong with it.
type FieldError = (&'static str, String);

const MAX_STOCK: i64 = 1_000_000_000;

fn text(field: &'static str, value: &str, min: usize, max: usize) -> Result<(), FieldError> {
    let length = value.chars().count();
    if value.contains('\0') {
        return Err((field, "must not contain a NUL character".into()));
    }
    if value.trim().chars().count() < min {
        return Err((field, "must not be empty".into()));
    }
    if length > max {
        return Err((field, format!("is {length} characters long, {max} are allowed")));
    }
    Ok(())
}

fn texts(field: &'static str, list: &[String], count: usize, max: usize) -> Result<(), FieldError> {
    if list.len() > count {
        return Err((field, format!("has {} entries, {count} are allowed", list.len())));
    }
    let mut seen = HashSet::new();
    if let Some(twice) = list.iter().find(|value| !seen.insert(*value)) {
        return Err((field, format!("contains {twice:?} twice")));
    }
    list.iter().try_for_each(|value| text(field, value, 1, max))
}

fn picture(field: &'static str, address: &str) -> Result<(), FieldError> {
    text(field, address, 1, 500)?;
    if pictures::is_valid_source(address) {
        Ok(())
    } else {
        let expected = "a file beside this one, a URL (https://…), or a path of this shop (/…)";
        Err((field, format!("{address:?} is no picture: expected {expected}")))
    }
}

fn photos(photos: &[Photo], colours: &[String]) -> Result<(), FieldError> {
    let addresses: Vec<String> = photos.iter().map(|photo| photo.src.clone()).collect();
    texts("img", &addresses, 24, 500)?;
    if photos.is_empty() {
        return Err(("img", "needs at least one picture".into()));
    }
    for Photo { src, alt, colour } in photos {
        picture("img", src)?;
        text("img", alt, 0, 200)
            .map_err(|(field, why)| (field, format!("alt of {src:?} {why}")))?;
        if let Some(colour) = colour
            && !colours.contains(colour)
        {
            let why = format!("{src:?} shows the colour {colour:?}, which colours does not name");
            return Err(("img", why));
        }
    }
    Ok(())
}

fn within(field: &'static str, value: i64, most: i64) -> Result<(), FieldError> {
    if (0..=most).contains(&value) {
        Ok(())
    } else {
        Err((field, format!("{value} is not between 0 and {most}")))
    }
}

impl NewCategory {
    fn validate(&self) -> Vec<FieldError> {
        let checks = [text("name", &self.name, 1, 100), picture("img", &self.img)];
        checks.into_iter().filter_map(Result::err).collect()
    }
}

impl NewProduct {
    /// Its errors, at most one per field.
    fn validate(&self) -> Vec<FieldError> {
        let checks = [
            text("name", &self.name, 1, 200),
            text("sku", &self.sku, 1, 64),
            text("brand", &self.brand, 0, 100),
            text("productType", &self.product_type, 1, 40),
            text("fullDescription", &self.full_description, 0, 20_000),
            texts("colours", &self.colours, 24, 40),
            texts("tags", &self.tags, 24, 40),
            photos(&self.img, &self.colours),
            self.check_attributes(),
            self.check_stock(),
            within("unitsSold", self.units_sold, 1_000_000_000_000),
            self.check_rating(),
            self.check_price(),
            self.check_sale(),
        ];
        checks.into_iter().filter_map(Result::err).collect()
    }

    fn check_attributes(&self) -> Result<(), FieldError> {
        if self.attributes.len() > 50 {
            return Err(("attributes", "has more than 50 entries".into()));
        }
        let mut names = HashSet::new();
        for Attribute { name, value } in &*self.attributes {
            if !names.insert(name) {
                return Err(("attributes", format!("contains {name:?} twice")));
            }
            text("attributes", name, 1, 80)?;
            text("attributes", value, 1, 500)?;
        }
        Ok(())
    }

    fn check_stock(&self) -> Result<(), FieldError> {
        within("qtn", self.qtn.unwrap_or(0), MAX_STOCK)?;
        match (self.qtn, self.stock_at, self.stock_change) {
            (Some(_), _, Some(_)) => {
                Err(("stockChange", "a row has qtn or stockChange, not both".into()))
            }
            (None, Some(_), _) => {
                Err(("stockAt", "says when qtn was counted, and there is no qtn".into()))
            }
            (_, _, Some(by)) if by.abs() > MAX_STOCK => {
                Err(("stockChange", format!("{by} is not between -{MAX_STOCK} and {MAX_STOCK}")))
            }
            _ => Ok(()),
        }
    }

    fn check_rating(&self) -> Result<(), FieldError> {
        if (0.0..=5.0).contains(&self.rating) {
            return Ok(());
        }
        Err(("rating", format!("{} is not between 0 and 5", self.rating)))
    }

    fn check_price(&self) -> Result<(), FieldError> {
        if self.real_price < Money::ZERO {
            return Err(("realPrice", "must not be negative".into()));
        }
        if self.offer_price.is_some_and(|offer| offer < Money::ZERO || offer > self.real_price) {
            return Err(("offerPrice", "is not between 0 and realPrice".into()));
        }
        Ok(())
    }

    fn check_sale(&self) -> Result<(), FieldError> {
        match (self.sale_start, self.sale_end) {
            (Some(start), Some(end)) if end <= start => {
                Err(("saleEnd", "is not after saleStart".into()))
            }
            _ => Ok(()),
        }
    }

    /// Whether the file contains this field, even with a null value.
    fn has_field(&self, field: &str) -> bool {
        self.named.contains(field)
    }

    /// What the row says about the stock of an existing product.
    fn stock_input(&self, file_stock_at: Option<Timestamp>) -> StockInput {
        match (self.qtn, self.stock_change, self.stock_at.or(file_stock_at)) {
            (_, Some(by), _) => StockInput::Change(by),
            (Some(_), _, Some(time)) => StockInput::CountedAt(time),
            (Some(_), _, None) => StockInput::Undated,
            (None, None, _) => StockInput::Nothing,
        }
    }

    pub fn price(&self) -> Price {
        Price::new(self.real_price, self.offer_price, self.sale_start, self.sale_end)
    }

    /// The updated product: fields that the file contains, over the stored ones.
    fn merged_with(&self, old: &Product, stock: StockLevel) -> Self {
        let mut new = self.clone();
        new.qtn = Some(stock.qtn);
        (new.stock_at, new.stock_change) = (None, None);
        new.units_sold = stock.units_sold;
        let left_out = |field: &str| !self.has_field(field);
        if left_out("brand") {
            new.brand = old.brand.clone();
        }
        if left_out("offerPrice") && old.price.offer_price < old.price.real_price {
            new.offer_price = Some(old.price.offer_price);
        }
        if left_out("saleStart") {
            new.sale_start = old.price.sale_start;
        }
        if left_out("saleEnd") {
            new.sale_end = old.price.sale_end;
        }
        if left_out("productType") {
            new.product_type = old.product_type.clone();
        }
        if left_out("fullDescription") {
            new.full_description = old.full_description.clone();
        }
        if left_out("colours") {
            new.colours = old.colours.clone();
        }
        if left_out("tags") {
            new.tags = old.tags.clone();
        }
        if left_out("attributes") {
            new.attributes = old.attributes.clone();
        }
        if left_out("createdAt") {
            new.created_at = Some(old.created_at);
        }
        // A photo given by URL alone keeps its stored alternative text and colour.
        for photo in new.img.0.iter_mut().filter(|photo| photo.has_src_only()) {
            if let Some(known) = old.img.iter().find(|known| known.src == photo.src) {
                photo.alt.clone_from(&known.alt);
                photo.colour = known.colour.clone().filter(|colour| new.colours.contains(colour));
            }
        }
        new
    }

    /// Whether only the stock changes, by which no list is sorted.
    pub fn same_except_stock(&self, old: &Product) -> bool {
        self.same_as(&Product { qtn: self.qtn.unwrap_or(old.qtn), ..old.clone() })
    }

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
            && self.qtn == Some(old.qtn)
            && self.product_type == old.product_type
            && self.full_description == old.full_description
            && self.colours == old.colours
            && self.tags == old.tags
            && self.attributes == old.attributes
            && self.units_sold == old.units_sold
            && self.created_at == Some(old.created_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = r#"{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1",
        "img": ["/l.svg"], "realPrice": 30, "qtn": 3"#;

    fn parse_error(text: &str, format: ImportFormat) -> String {
        Import::parse(text, format).unwrap_err().to_string()
    }

    #[test]
    fn json_and_csv_parse_to_the_same_product() {
        let json = format!(
            r#"{{"products": [{ROW}, "offerPrice": 25.5, "colours": ["Red", "Blue"],
               "attributes": [{{"name": "Size", "value": "2: 3 cm"}}]}}]}}"#
        );
        let csv = "_id,category,name,sku,img,realPrice,qtn,offerPrice,colours,attributes\n\
                   lamp,light,Lamp,L1,/l.svg,30.00,3,25.50,Red|Blue,Size: 2: 3 cm\n";
        let from_json = Import::parse(&json, ImportFormat::Json).unwrap();
        let from_csv = Import::parse(csv, ImportFormat::Csv).unwrap();
        let without_names = |import: &Import| {
            let named = HashSet::new();
            format!("{:?}", NewProduct { named, ..import.products[0].value.clone() })
        };
        assert_eq!(without_names(&from_json), without_names(&from_csv));
    }

    #[test]
    fn json_errors_name_line_and_column() {
        let file = |extra: &str| format!("{{\"products\": [\n  {ROW}{extra}}}]}}");
        for (extra, place, why) in [
            (",\n  \"offerPrice\": 40", "line 4, column 3", "offerPrice"),
            (",\n  \"rating\": 7", "line 4, column 3", "rating"),
            (",\n  \"rating\": \"x\"", "line 4, column", "expected f64"),
            (",\n  \"colour\": \"x\"", "line 4, column", "unknown field `colour`"),
            (",\n  \"tags\": [\"a\u{0}b\"]", "line 4", ""),
        ] {
            let error = parse_error(&file(extra), ImportFormat::Json);
            assert!(error.contains(place) && error.contains(why), "{extra}: {error}");
        }
        assert!(parse_error("{\"products\": [}", ImportFormat::Json).contains("line 1, column 15"));
        assert!(parse_error("", ImportFormat::Json).contains("line 1"));
        assert!(parse_error("{}", ImportFormat::Json).contains("nothing"));
    }

    #[test]
    fn photos_have_optional_alt_text_and_colour() {
        let file = |img: &str| {
            let row = ROW.replace(r#""img": ["/l.svg"]"#, &format!("\n    \"img\": [{img}]"));
            format!("{{\"products\": [\n  {row}, \"colours\": [\"Sand\", \"Ink\"]}}]}}")
        };
        let good = r#""a.webp", {"src": "b.webp", "alt": "From behind", "colour": "Ink"}"#;
        let import = Import::parse(&file(good), ImportFormat::Json).unwrap();
        let photos = &import.products[0].value.img;
        assert_eq!((photos[0].alt.as_str(), photos[1].alt.as_str()), ("", "From behind"));
        assert_eq!(photos[1].colour.as_deref(), Some("Ink"));
        let long = format!(r#"{{"src": "a.webp", "alt": "{}"}}"#, "x".repeat(201));
        for (img, why) in [
            (r#""a.webp", {"src": "b.webp", "colour": "Moss"}"#, "shows the colour \"Moss\""),
            (r#""a.webp", {"src": "a.webp", "colour": "Ink"}"#, "twice"),
            (r#"{"src": "../a.webp"}"#, "is no picture"),
            (r#"{"alt": "From behind"}"#, "missing field `src`"),
            (r#"{"src": "a.webp", "color": "Ink"}"#, "unknown field `color`"),
            ("7", "a picture's address"),
            (long.as_str(), "201 characters"),
        ] {
            let error = parse_error(&file(img), ImportFormat::Json);
            assert!(error.contains("line 4, column ") && error.contains(why), "{img}: {error}");
        }
    }

    #[test]
    fn csv_errors_name_line_and_column() {
        let file = |row: &str| {
            format!(
                "_id,category,name,sku,img,realPrice,qtn\n\"a\",c,\"two\nlines\",s,/i,1,1\n{row}\n"
            )
        };
        for (row, place, why) in [
            ("b,c,B,s2,/i,abc,1", "line 4, column 6", "realPrice"),
            ("b,c,B,s2,/i,1,1.5", "line 4, column 7", "whole number"),
            ("b,c,,s2,/i,1,1", "line 4, column 3", "name"),
            ("b,c,\"   \",s2,/i,1,1", "line 4, column 3", "name"),
            ("b,c,B,s2,/i|/i,1,1", "line 4, column 5", "twice"),
            ("b b,c,B,s2,/i,1,1", "line 4", "b b"),
            ("b,c,B,s2,javascript:x,1,1", "line 4, column 5", "img"),
            ("b,c,B", "line 4", ""),
            ("a,c,B,s2,/i,1,1", "line 4, column 1", "twice"),
            ("b,c,B,s,/i,1,1", "line 4, column 4", "twice"),
        ] {
            let error = parse_error(&file(row), ImportFormat::Csv);
            assert!(error.contains(place) && error.contains(why), "{row}: {error}");
        }
        assert!(parse_error("_id,name,name\n", ImportFormat::Csv).contains("line 1, column 3"));
        assert!(parse_error("", ImportFormat::Csv).contains("nothing"));
    }

    #[test]
    fn up_to_fifty_errors_are_listed_with_suggestions() {
        let file = "_id,category,name,sku,img,realprice,qtn,shelf\nb b,c,,s2,/i,1,x,\na,c,A\n";
        let error = parse_error(file, ImportFormat::Csv);
        let lines: Vec<&str> = error.lines().map(str::trim).collect();
        assert_eq!(lines[0], "6 errors, and nothing was imported:");
        assert_eq!(
            lines[1],
            "line 1, column 6: there is no column \"realprice\"; did you mean realPrice?"
        );
        let start = "line 1, column 8: there is no column \"shelf\"; those of a product are _id, ";
        assert!(lines[2].starts_with(start), "{error}");
        assert!(lines[3].starts_with("line 2, column 1: _id: \"b b\": an id is"), "{error}");
        assert_eq!(lines[4], "line 2, column 3: name: must not be empty");
        assert_eq!(lines[5], "line 2, column 7: qtn: \"x\" is not a whole number");
        let short = "line 3, column 4: has 3 cells where the first line names 8 columns";
        assert_eq!((lines[6], lines.len()), (short, 7));

        let missing = parse_error("_id,category,name,img,qtn\na,c,A,/i,1\n", ImportFormat::Csv);
        assert!(missing.contains("the column sku is missing"), "{missing}");
        assert!(missing.contains("the column realPrice is missing"), "{missing}");
        let many: String = (0..60).map(|n| format!("a{n},c,A,s{n},/i,x,1\n")).collect();
        let error = parse_error(
            &format!("_id,category,name,sku,img,realPrice,qtn\n{many}"),
            ImportFormat::Csv,
        );
        assert!(error.starts_with("60 errors") && error.ends_with("and 10 more"), "{error}");
        assert_eq!(error.matches("is not a price").count(), 50);

        let row = |id: &str, more: &str| ROW.replace("lamp", id) + more + "}";
        let rows = [row("a", ", \"colour\": 1"), row("b", ", \"rating\": 9, \"tags\": [\"\"]")];
        let error =
            parse_error(&format!("{{\"products\": [{}]}}", rows.join(",\n")), ImportFormat::Json);
        for wanted in
            ["3 errors", "unknown field `colour`; did you mean colours?", "rating: 9", "tags"]
        {
            assert!(error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn csv_accepts_semicolons_and_tabs_and_photo_colours() {
        let cells =
            ["_id", "category", "name", "sku", "img", "realPrice", "qtn", "colours", "stockAt"];
        let row = [
            "lamp",
            "light",
            "Lamp, small",
            "L1",
            "/a.jpg [] The lamp. | /b.jpg [Ink] The lamp in ink, from the left. | /c.jpg [Ink]",
            "30,50",
            "3",
            "Sand|Ink",
            "2026-11-15T09:30:00Z",
        ];
        for separator in [";", "\t"] {
            let file = format!("{}\r\n{}\r\n", cells.join(separator), row.join(separator));
            let import = Import::parse(&file, ImportFormat::Csv).unwrap();
            let lamp = &import.products[0].value;
            assert_eq!((lamp.name.as_str(), lamp.real_price.as_cents()), ("Lamp, small", 3050));
            assert_eq!((lamp.qtn, lamp.stock_at.is_some()), (Some(3), true));
            let photos: Vec<_> = lamp
                .img
                .iter()
                .map(|photo| (photo.src.as_str(), photo.alt.as_str(), photo.colour.as_deref()))
                .collect();
            assert_eq!(
                photos,
                [
                    ("/a.jpg", "The lamp.", None),
                    ("/b.jpg", "The lamp in ink, from the left.", Some("Ink")),
                    ("/c.jpg", "", Some("Ink"))
                ]
            );
        }
        let categories =
            Import::parse("_id;name;img\nlight;Light;/l.jpg\n", ImportFormat::Csv).unwrap();
        assert_eq!((categories.categories.len(), categories.products.len()), (1, 0));
        let open = "_id,category,name,sku,img,realPrice,qtn\na,c,A,s,/i [Ink,1,1\n";
        assert!(
            parse_error(open, ImportFormat::Csv)
                .contains("line 2, column 5: img: \"/i [Ink\" has no ]")
        );
    }

    #[test]
    fn a_row_has_either_a_count_or_a_stock_change() {
        let file = |more: &str| format!("{{\"products\": [{ROW}{more}}}]}}");
        for (more, why) in [
            (", \"stockChange\": 2", "stockChange: a row has qtn or stockChange, not both"),
            (", \"qtn\": 3", "duplicate field"),
        ] {
            assert!(parse_error(&file(more), ImportFormat::Json).contains(why));
        }
        let without = file(", \"stockAt\": \"2026-11-15T09:30:00Z\"").replace(", \"qtn\": 3", "");
        assert!(parse_error(&without, ImportFormat::Json).contains("there is no qtn"));
    }
}

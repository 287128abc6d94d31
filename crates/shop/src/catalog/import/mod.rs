//! Imports products and categories from a JSON or CSV file. Errors name line and column; with any error
//! nothing is imported.

mod apply;
mod columns;
mod errors;
mod fixed_prices;
mod parse;
mod pictures;
mod rows;
mod split_fields;
mod stock;
mod translations;
mod variants;

use std::collections::{BTreeSet, HashSet};

use errors::{ImportError, ImportErrors, Position};
use media::ImportedPicture;
use platform::{Currency, Error, Language, Languages, Timestamp};

use super::variants::default_variant;

pub(crate) use apply::import_into;
pub use apply::{ImportSummary, import};
pub(super) use columns::OPTION_PREFIX;
pub use pictures::{PictureSource, is_shop_path};
pub use rows::{NewCategory, NewProduct};

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
    /// The base currency, of the prices in the file.
    pub(crate) base: Currency,
    /// The file's text, to compute the position of a row that has an error.
    text: String,
    /// The column names of a CSV file.
    header: Vec<String>,
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
    /// `base`: the shop's base currency, of the prices in the file.
    pub fn parse(text: &str, format: ImportFormat, base: Currency) -> Result<Self, Error> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut errors = ImportErrors::default();
        let mut import = match format {
            ImportFormat::Json => parse::json(text, &mut errors),
            ImportFormat::Csv => parse::csv(text, &mut errors),
        };
        import.base = base;
        import.products.iter_mut().for_each(|row| row.value.base = base);
        import.check_base_currency(base, &mut errors);
        import.validate_rows(&mut errors);
        errors.check()?;
        Ok(import)
    }

    /// Refuses prices that name the base currency, whose fields have no currency code.
    fn check_base_currency(&self, base: Currency, errors: &mut ImportErrors) {
        let expected = |field| format!("{base} is the shop's base currency; expected {field}");
        for (number, name) in self.header.iter().enumerate() {
            if let Some(Ok((field, currency))) = fixed_prices::parse_name(name)
                && currency == base
            {
                errors.push_at(1, number + 1, format!("{name}: {}", expected(field)));
            }
        }
        let json_rows = self.products.iter().filter(|row| matches!(row.at, RowSpan::Json { .. }));
        for row in json_rows {
            let of_variants = row.value.variants.iter().flatten().map(|one| &one.fixed_prices);
            let mut prices = [&row.value.fixed_prices].into_iter().chain(of_variants);
            if let Some(field) = prices.find_map(|prices| prices.field_in(base)) {
                errors.push(self.error(row, &format!("{field}:{base}"), &expected(field)));
            }
        }
    }

    fn validate_rows(&self, errors: &mut ImportErrors) {
        if self.categories.is_empty() && self.products.is_empty() && errors.is_empty() {
            errors.push_at(1, 1, "there is nothing in this file");
        }
        let mut ids = HashSet::new();
        for row in &self.categories {
            for (field, why) in row.value.validate() {
                errors.push(self.error(row, field, &why));
            }
            for (field, why) in row.value.validate_translations() {
                errors.push(self.error(row, &field, &why));
            }
            if !ids.insert(row.value.id.as_str()) {
                errors.push(self.error(row, "_id", "appears twice in this file"));
            }
        }
        let (mut ids, mut skus) = (HashSet::new(), HashSet::new());
        for row in &self.products {
            let options = match row.value.named_options() {
                Ok(options) => options,
                Err((field, why)) => {
                    errors.push(self.error(row, field, &why));
                    None
                }
            };
            for (field, why) in row.value.validate(options.as_deref()) {
                errors.push(self.error(row, field, &why));
            }
            for (field, why) in row.value.fixed_prices.validate() {
                errors.push(self.error(row, &field, &why));
            }
            for (field, why) in row.value.validate_translations(options.as_deref(), false) {
                errors.push(self.error(row, &field, &why));
            }
            if !ids.insert(row.value.id.as_str()) {
                errors.push(self.error(row, "_id", "appears twice in this file"));
            }
            let variants = || row.value.variants.iter().flatten();
            // The default variant has the product's, which its own entry may repeat.
            let default = variants()
                .find(|variant| variant.id == Some(default_variant(&row.value.id)))
                .or_else(|| variants().find(|variant| variant.id.is_none()));
            let of_variants =
                variants().filter_map(|variant| Some((variant.line, variant.sku.as_deref()?)));
            let repeated = default.is_some_and(|one| one.sku.as_ref() == Some(&row.value.sku));
            let of_product = (!repeated).then_some((None, row.value.sku.as_str()));
            for (line, sku) in of_product.into_iter().chain(of_variants) {
                if !sku.is_empty() && !skus.insert(sku) {
                    let at = line.map_or(row.at, |line| RowSpan::Csv { line });
                    errors.push(self.error_at(at, "sku", "appears twice in this file"));
                }
            }
        }
    }

    /// The languages of its translations that are none of the shop's. Refuses translations to the default
    /// language, whose texts have no language code.
    pub fn check_languages(&self, languages: &Languages) -> Result<BTreeSet<Language>, Error> {
        let default = languages.default_language();
        let mut errors = ImportErrors::default();
        let expected =
            |field| format!("{default} is the shop's default language; expected {field}");
        for (number, name) in self.header.iter().enumerate() {
            if let Some(field) = name.strip_suffix(&format!("@{default}")) {
                errors.push_at(1, number + 1, format!("{name}: {}", expected(field)));
            }
        }
        let categories = self.categories.iter().map(|row| (row.at, &row.value.translations));
        let products = self.products.iter().map(|row| (row.at, &row.value.translations));
        let mut used = BTreeSet::new();
        for (at, translations) in categories.chain(products) {
            used.extend(translations.keys().copied());
            if let (RowSpan::Json { .. }, Some(translation)) = (at, translations.get(&default)) {
                let field = translation.first_field();
                errors.push(self.error_at(at, &format!("{field}@{default}"), &expected(field)));
            }
        }
        errors.check()?;
        used.retain(|used| !languages.iter().any(|language| language == *used));
        Ok(used)
    }

    /// An error at a field of a row.
    fn error<T>(&self, row: &ImportRow<T>, field: &str, message: &str) -> ImportError {
        self.error_at(row.at, field, message)
    }

    /// The error of a product's variant.
    fn variant_error<T>(&self, row: &ImportRow<T>, error: variants::VariantError) -> ImportError {
        let at = error.line.map_or(row.at, |line| RowSpan::Csv { line });
        self.error_at(at, &error.field, &error.why)
    }

    fn error_at(&self, at: RowSpan, field: &str, message: &str) -> ImportError {
        let place = match at {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Translation;

    const ROW: &str = r#"{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1",
        "img": ["/l.svg"], "realPrice": 30, "qtn": 3"#;

    fn parse_error(text: &str, format: ImportFormat) -> String {
        Import::parse(text, format, Currency::USD).unwrap_err().to_string()
    }

    #[test]
    fn json_and_csv_parse_to_the_same_product() {
        let json = format!(
            r#"{{"products": [{ROW}, "offerPrice": 25.5, "colours": ["Red", "Blue"],
               "attributes": [{{"name": "Size", "value": "2: 3 cm"}}]}}]}}"#
        );
        let csv = "_id,category,name,sku,img,realPrice,qtn,offerPrice,colours,attributes\n\
                   lamp,light,Lamp,L1,/l.svg,30.00,3,25.50,Red|Blue,Size: 2: 3 cm\n";
        let from_json = Import::parse(&json, ImportFormat::Json, Currency::USD).unwrap();
        let from_csv = Import::parse(csv, ImportFormat::Csv, Currency::USD).unwrap();
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
        let import = Import::parse(&file(good), ImportFormat::Json, Currency::USD).unwrap();
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
            let import = Import::parse(&file, ImportFormat::Csv, Currency::USD).unwrap();
            let lamp = &import.products[0].value;
            assert_eq!(
                (lamp.name.as_str(), lamp.real_price.to_string()),
                ("Lamp, small", "30.5".into())
            );
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
            Import::parse("_id;name;img\nlight;Light;/l.jpg\n", ImportFormat::Csv, Currency::USD)
                .unwrap();
        assert_eq!((categories.categories.len(), categories.products.len()), (1, 0));
        let open = "_id,category,name,sku,img,realPrice,qtn\na,c,A,s,/i [Ink,1,1\n";
        assert!(
            parse_error(open, ImportFormat::Csv)
                .contains("line 2, column 5: img: \"/i [Ink\" has no ]")
        );
    }

    const TRANSLATED: &str = r#",
        "colours": ["Sand", "Ink"], "attributes": [{"name": "Height", "value": "9 cm"},
        {"name": "Cable", "value": "2 m"}], "name@bn": "বাতি", "fullDescription@bn": "ছোট বাতি।",
        "colours@bn": ["বালু", ""], "tags@bn": ["আলো", "টেবিল"],
        "attributes@bn": [{"name": "উচ্চতা", "value": "৯ সেমি"}, {"name": "", "value": ""}]"#;

    #[test]
    fn json_and_csv_have_the_same_translations() {
        let photos = r#""img": [{"src": "/l.svg", "alt": "A", "alt@bn": "একটি বাতি।"}, "/m.svg"]"#;
        let json = ROW.replace(r#""img": ["/l.svg"]"#, photos);
        let json = format!(
            r#"{{"categories": [{{"_id": "light", "name": "Light", "name@bn": "আলো", "img": "/l.svg"}}],
                "products": [{json}{TRANSLATED}}}]}}"#
        );
        let csv = "_id,category,name,sku,img,realPrice,qtn,colours,attributes,name@bn,\
                   fullDescription@bn,colours@bn,tags@bn,attributes@bn,alt@bn\n\
                   lamp,light,Lamp,L1,/l.svg [] A|/m.svg,30,3,Sand|Ink,Height: 9 cm|Cable: 2 m,\
                   বাতি,ছোট বাতি।,বালু|,আলো|টেবিল,উচ্চতা: ৯ সেমি|,একটি বাতি।\n";
        let json = Import::parse(&json, ImportFormat::Json, Currency::USD).unwrap();
        let csv = Import::parse(csv, ImportFormat::Csv, Currency::USD).unwrap();
        let applied = |import: &Import| {
            let product = &import.products[0].value;
            let (language, input) = product.translations.iter().next().unwrap();
            let options = product.named_options().unwrap().unwrap();
            (
                *language,
                input.apply(&Translation::default(), product, *language, &options, &options),
            )
        };
        assert_eq!(applied(&json), applied(&csv));
        let (language, translation) = applied(&json);
        assert_eq!(language.as_str(), "bn");
        let Translation { card, tags, attributes, .. } = translation;
        assert_eq!(
            (card.name.as_str(), card.options.option_values["Sand"].as_str()),
            ("বাতি", "বালু")
        );
        assert_eq!(card.options.option_names["Colour"], "রং");
        assert_eq!((card.options.option_values.len(), attributes.len(), tags.len()), (1, 1, 2));
        assert_eq!(attributes["Height"].value, "৯ সেমি");
        assert_eq!((card.alts["/l.svg"].as_str(), card.alts.len()), ("একটি বাতি।", 1));
        let category = &json.categories[0].value.translations[&language];
        assert_eq!(category.name.as_deref(), Some("আলো"));
        let csv = "_id;name;name@bn;img\nlight;Light;আলো;/l.jpg\n";
        let csv = Import::parse(csv, ImportFormat::Csv, Currency::USD).unwrap();
        assert_eq!(csv.categories[0].value.translations[&language], *category);
    }

    #[test]
    fn errors_of_translations_name_line_and_column() {
        let file = |more: &str| format!("{{\"products\": [\n  {ROW}{more}}}]}}");
        for (more, place, why) in [
            (",\n  \"name@xx\": \"N\"", "line 4, column", "\"xx\" is no language code; expected"),
            (",\n  \"name@bangla\": \"N\"", "line 4, column", "\"bangla\" is no language code"),
            (",\n  \"name@ban\": \"N\"", "line 4, column", "\"ban\" is no language code"),
            (
                ",\n  \"sku@bn\": \"S\"",
                "line 4, column",
                "sku has no translations; these have: name,",
            ),
            (",\n  \"alt@bn\": \"S\"", "line 4, column", "alt has no translations"),
            (",\n  \"tags@bn\": \"S\"", "line 4, column", "expected a sequence"),
            (",\n  \"name@bn\": \"S\", \"name@bn\": \"T\"", "line 4, column", "duplicate field"),
            (
                ",\n  \"colours\": [\"A\"], \"colours@bn\": [\"x\", \"y\"]",
                "line 4, column 21",
                "colours@bn: has 2 entries, and colours has 1",
            ),
            (
                ",\n  \"colours\": [\"A\", \"B\"], \"colours@bn\": [\"x\", \"x\"]",
                "line 4, column 26",
                "colours@bn: contains \"x\" twice",
            ),
        ] {
            let error = parse_error(&file(more), ImportFormat::Json);
            assert!(error.contains(place) && error.contains(why), "{more}: {error}");
        }
        let photo = ROW.replace(r#"["/l.svg"]"#, "[\n{\"src\": \"/l.svg\", \"alt@xx\": \"A\"}]");
        let error = parse_error(&format!("{{\"products\": [{photo}}}]}}"), ImportFormat::Json);
        assert!(error.contains("line 3, column") && error.contains("\"xx\" is no"), "{error}");

        let file = |column: &str, cell: &str| {
            format!(
                "_id,category,name,sku,img,realPrice,colours,{column}\nb,c,B,s,/i,1,Red|Blue,{cell}\n"
            )
        };
        for (column, cell, place, why) in [
            ("name@xx", "N", "line 1, column 8", "name@xx: \"xx\" is no language code; expected"),
            ("sku@bn", "N", "line 1, column 8", "sku has no translations; these have: name,"),
            ("nam@bn", "N", "line 1, column 8", "nam has no translations"),
            ("colours@bn", "লাল", "line 2, column 8", "has 1 entries, and colours has 2"),
            ("attributes@bn", "লাল", "line 2, column 8", "\"লাল\" is not written Name: value"),
            ("alt@bn", "a|b", "line 2, column 8", "has 2 entries, and img has 1"),
        ] {
            let error = parse_error(&file(column, cell), ImportFormat::Csv);
            assert!(error.contains(place) && error.contains(why), "{column}: {error}");
        }
        let error = parse_error("_id,name,img,img@bn\nc,C,/i,x\n", ImportFormat::Csv);
        let wanted = "line 1, column 4: img@bn: img has no translations; these have: name";
        assert_eq!(error, wanted);
    }

    #[test]
    fn translations_to_the_default_language_are_refused() {
        let bangla: Language = "bn".parse().unwrap();
        let languages = |all: &[Language]| Languages::new(all.to_vec(), None).unwrap();
        let text = format!("{{\"products\": [\n{ROW}{TRANSLATED}}}]}}");
        let import = Import::parse(&text, ImportFormat::Json, Currency::USD).unwrap();
        let check = |all: &[Language]| import.check_languages(&languages(all));
        assert!(check(&[Language::ENGLISH, bangla]).unwrap().is_empty());
        assert_eq!(check(&[Language::ENGLISH]).unwrap(), BTreeSet::from([bangla]));
        let why = check(&[bangla]).unwrap_err().to_string();
        let wanted = "line 5, column 45: name@bn: bn is the shop's default language; expected name";
        assert_eq!(why, wanted);
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

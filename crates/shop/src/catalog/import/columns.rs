//! Columns of an import file, and suggestions for misspelt column names.

use super::fixed_prices::closest_price;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Categories,
    Products,
}

const CATEGORY: [&str; 3] = ["_id", "name", "img"];
const PRODUCT_COLUMNS: [&str; 33] = [
    "_id",
    "category",
    "name",
    "sku",
    "brand",
    "taxClass",
    "img",
    "realPrice",
    "offerPrice",
    "saleStart",
    "saleEnd",
    "rating",
    "qtn",
    "stockAt",
    "stockChange",
    "productType",
    "fullDescription",
    "colours",
    "options",
    "variants",
    "barcode",
    "weight",
    "needsDelivery",
    "backOrder",
    "lowStock",
    "tags",
    "attributes",
    "status",
    "publishAt",
    "related",
    "giftCard",
    "unitsSold",
    "createdAt",
];
/// Columns that describe a variant: a CSV file has a row for each.
pub const VARIANT_COLUMNS: [&str; 15] = [
    "sku",
    "barcode",
    "realPrice",
    "offerPrice",
    "saleStart",
    "saleEnd",
    "qtn",
    "stockAt",
    "stockChange",
    "weight",
    "needsDelivery",
    "backOrder",
    "lowStock",
    "unitsSold",
    "img",
];
/// Before the name of an option in the column of its values: `option:Colour`.
pub const OPTION_PREFIX: &str = "option:";
const NEEDED: [&str; 6] = ["_id", "category", "name", "sku", "img", "realPrice"];

/// Columns, and the names that other shop programs use for them, normalized.
const OTHER_NAMES: [(&str, &[&str]); 9] = [
    ("_id", &["id", "handle", "slug"]),
    ("name", &["title", "productname"]),
    ("realPrice", &["price", "regularprice", "listprice"]),
    ("offerPrice", &["saleprice", "specialprice"]),
    ("qtn", &["stock", "quantity", "qty", "inventory"]),
    ("img", &["image", "images", "picture", "pictures", "photo"]),
    ("brand", &["vendor"]),
    ("fullDescription", &["description"]),
    ("colours", &["color"]),
];

impl FileKind {
    /// Categories when all columns are a category's; products when any column resembles a product's
    /// own, even misspelt.
    pub fn detect(header: &[String]) -> Self {
        let of_products = |name: &str| {
            closest_column(name, &PRODUCT_COLUMNS).is_some_and(|column| !CATEGORY.contains(&column))
        };
        let known = |name: &str| closest_column(name, &CATEGORY).is_some();
        let names = || header.iter().map(|name| name.split('@').next().unwrap_or_default());
        let is_price = |name: &str| closest_price(name).is_some();
        if names().any(|name| name.starts_with(OPTION_PREFIX) || is_price(name)) {
            return Self::Products;
        }
        if !names().any(of_products) && names().any(known) {
            Self::Categories
        } else {
            Self::Products
        }
    }

    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Categories => &CATEGORY,
            Self::Products => &PRODUCT_COLUMNS,
        }
    }

    /// The fields that have translations, such as `name@bn`. In JSON a picture has its own.
    pub fn translated_fields(self) -> &'static [&'static str] {
        match self {
            Self::Categories => &["name"],
            Self::Products => {
                &["name", "fullDescription", "tags", "attributes", "colours", "options"]
            }
        }
    }

    /// The same for the columns of CSV, where `alt` has the texts of all pictures.
    pub fn translated_columns(self) -> &'static [&'static str] {
        match self {
            Self::Categories => self.translated_fields(),
            Self::Products => {
                &["name", "fullDescription", "tags", "attributes", "colours", "options", "alt"]
            }
        }
    }

    /// Columns that every row must fill in.
    pub fn required(self) -> &'static [&'static str] {
        match self {
            Self::Categories => &CATEGORY,
            Self::Products => &NEEDED,
        }
    }

    pub fn noun(self) -> &'static str {
        match self {
            Self::Categories => "category",
            Self::Products => "product",
        }
    }
}

/// The column that a name means: an exact match, another spelling, another program's name, or a small
/// edit distance.
pub fn closest_column(name: &str, columns: &[&'static str]) -> Option<&'static str> {
    let plain = |name: &str| -> String {
        name.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(name);
    if let Some(same) = columns.iter().find(|column| plain(column) == wanted) {
        return Some(same);
    }
    let meant = OTHER_NAMES.iter().find(|(_, others)| others.contains(&wanted.as_str()));
    if let Some(column) = meant.and_then(|(meant, _)| columns.iter().find(|known| *known == meant))
    {
        return Some(column);
    }
    let most = (wanted.chars().count() / 3).min(3);
    let distances = columns.iter().map(|column| (distance(&wanted, &plain(column)), *column));
    distances
        .filter(|(edits, _)| *edits <= most)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, one)| one)
}

/// Levenshtein distance.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (number, ch) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = number + 1;
        for (place, against) in other.iter().enumerate() {
            let changed = diagonal + usize::from(ch != *against);
            diagonal = row[place + 1];
            row[place + 1] = changed.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_columns_are_recognised_and_unknown_ones_are_not() {
        for (name, column) in [
            ("realPrice", Some("realPrice")),
            ("Real Price", Some("realPrice")),
            ("realprise", Some("realPrice")),
            ("Price", Some("realPrice")),
            ("id", Some("_id")),
            ("catgory", Some("category")),
            ("colors", Some("colours")),
            ("Quantity", Some("qtn")),
            ("stock_at", Some("stockAt")),
            ("warehouse", None),
            ("xyz", None),
        ] {
            assert_eq!(closest_column(name, FileKind::Products.columns()), column, "{name}");
        }
    }

    #[test]
    fn a_file_with_any_product_column_contains_products() {
        let kind = |header: &str| {
            FileKind::detect(&header.split(',').map(str::to_owned).collect::<Vec<String>>())
        };
        assert_eq!(kind("_id,name,img"), FileKind::Categories);
        assert_eq!(kind("_id,name,image"), FileKind::Categories);
        assert_eq!(kind("_id,category,name,sku,img,realprice,qtn"), FileKind::Products);
        assert_eq!(kind("_id,name,img,prise,realPrise"), FileKind::Products);
        assert_eq!(kind("a,b"), FileKind::Products);
    }
}

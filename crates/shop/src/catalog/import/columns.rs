//! The columns of an import file, and which of them a misspelt name most likely means.

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Categories,
    Products,
}

const CATEGORY: [&str; 3] = ["_id", "name", "img"];
const PRODUCT: [&str; 21] = [
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
    "rating",
    "qtn",
    "stockAt",
    "stockChange",
    "productType",
    "fullDescription",
    "colours",
    "tags",
    "attributes",
    "unitsSold",
    "createdAt",
];
const NEEDED: [&str; 6] = ["_id", "category", "name", "sku", "img", "realPrice"];

/// Names that other programs give these columns, in their plain form.
const OTHER_NAMES: [(&str, &str); 22] = [
    ("id", "_id"),
    ("handle", "_id"),
    ("slug", "_id"),
    ("title", "name"),
    ("productname", "name"),
    ("price", "realPrice"),
    ("regularprice", "realPrice"),
    ("listprice", "realPrice"),
    ("saleprice", "offerPrice"),
    ("specialprice", "offerPrice"),
    ("stock", "qtn"),
    ("quantity", "qtn"),
    ("qty", "qtn"),
    ("inventory", "qtn"),
    ("image", "img"),
    ("images", "img"),
    ("picture", "img"),
    ("pictures", "img"),
    ("photo", "img"),
    ("vendor", "brand"),
    ("description", "fullDescription"),
    ("color", "colours"),
];

impl Kind {
    /// A file whose columns are all a category's holds categories; whatever looks like a product's own
    /// column makes it one of products, also where it is misspelt.
    pub fn of(header: &[String]) -> Self {
        let of_products = |name: &String| {
            nearest(name, &PRODUCT).is_some_and(|column| !CATEGORY.contains(&column))
        };
        let known = |name: &String| nearest(name, &CATEGORY).is_some();
        if !header.iter().any(of_products) && header.iter().any(known) {
            Self::Categories
        } else {
            Self::Products
        }
    }

    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Categories => &CATEGORY,
            Self::Products => &PRODUCT,
        }
    }

    /// Those that every row fills in.
    pub fn needed(self) -> &'static [&'static str] {
        match self {
            Self::Categories => &CATEGORY,
            Self::Products => &NEEDED,
        }
    }

    pub fn of_what(self) -> &'static str {
        match self {
            Self::Categories => "category",
            Self::Products => "product",
        }
    }
}

/// The column that a name means: itself, the same in another spelling, what other programs call so, or
/// one that differs in a few letters.
pub fn nearest(name: &str, columns: &[&'static str]) -> Option<&'static str> {
    let plain = |name: &str| -> String {
        name.chars()
            .filter(|letter| letter.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let wanted = plain(name);
    if let Some(same) = columns.iter().find(|column| plain(column) == wanted) {
        return Some(same);
    }
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == wanted);
    if let Some(column) = other.and_then(|(_, meant)| columns.iter().find(|known| *known == meant))
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

/// How many letters have to be changed, added or left out to make one word of another.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (number, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = number + 1;
        for (place, against) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *against);
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
    fn a_misspelt_column_is_recognised_and_a_strange_one_is_not() {
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
            assert_eq!(nearest(name, Kind::Products.columns()), column, "{name}");
        }
    }

    #[test]
    fn a_file_of_categories_has_no_column_of_a_product() {
        let kind =
            |header: &str| Kind::of(&header.split(',').map(str::to_owned).collect::<Vec<String>>());
        assert_eq!(kind("_id,name,img"), Kind::Categories);
        assert_eq!(kind("_id,name,image"), Kind::Categories);
        assert_eq!(kind("_id,category,name,sku,img,realprice,qtn"), Kind::Products);
        assert_eq!(kind("_id,name,img,prise,realPrise"), Kind::Products);
        assert_eq!(kind("a,b"), Kind::Products);
    }
}

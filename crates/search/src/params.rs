//! Search parameters (`SearchParams`): parsed once from a query string, and written back in one canonical form.

use std::collections::BTreeSet;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use platform::error::Field;
use platform::money::MAX_UNITS;
use platform::text::ascii_digits;
use platform::{Error, Result};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{Chosen, NamedValue};
use shop::catalog::{CategoryId, ProductSort, is_colour};

/// The allowed page sizes; the first one is the default and is not written into URLs.
pub const PAGE_SIZES: [i64; 4] = [16, 2, 20, 24];
/// Pagination ends after so many products: each page costs more than the one before.
pub const MAX_DEPTH: i64 = 10_000;
/// The rest of a longer query is ignored.
pub const MAX_QUERY_CHARS: usize = 200;
pub const MAX_VALUES: usize = 20;
pub const MAX_VALUE_CHARS: usize = 80;
const UNESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchParams {
    /// The query text; empty matches everything.
    pub q: String,
    pub category: Option<CategoryId>,
    /// The filters beside the category.
    pub chosen: Chosen,
    pub sort: ProductSort,
    pub size: i64,
    pub page: i64,
    pub view: View,
}

/// The layout of a product list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum View {
    #[default]
    Grid,
    List,
}

impl Default for SearchParams {
    fn default() -> Self {
        Self {
            q: String::new(),
            category: None,
            chosen: Chosen::default(),
            sort: ProductSort::Default,
            size: PAGE_SIZES[0],
            page: 1,
            view: View::Grid,
        }
    }
}

impl SearchParams {
    /// From the query string of `/search`. Invalid parameters are ignored.
    pub fn from_page_query(query: &str) -> Self {
        ParamsParser { error: None }.parse(query, None)
    }

    /// From the query string of a category's page, which has no query text and no other category.
    pub fn from_category_query(id: CategoryId, query: &str) -> Self {
        ParamsParser { error: None }.parse(query, Some(id))
    }

    /// From the query string of an API request; an invalid parameter is an error.
    pub fn from_api_query(query: &str) -> Result<Self> {
        let mut parser = ParamsParser { error: None };
        let params = parser.parse(query, None);
        match parser.error {
            Some((name, why)) => Err(Error::invalid(name, why)),
            None => Ok(params),
        }
    }

    /// Refuses pages beyond `MAX_DEPTH`.
    pub fn check_depth(self) -> Result<Self> {
        if self.is_too_deep() {
            let why = format!("pages end after {MAX_DEPTH} products; narrow the search instead");
            return Err(Error::unprocessable(Field::malformed("page", why)));
        }
        Ok(self)
    }

    /// Whether a request for `/api/products` needs the index: it has query text, filters that the database
    /// query does not have, or a sort order other than newest first.
    pub fn needs_index(query: &str) -> bool {
        let pairs = QueryPairs::parse(query);
        let is_set = |name: &str| pairs.all(name).any(|value| !value.is_empty());
        let sorted = pairs
            .first("sort")
            .is_some_and(|sort| !["", ProductSort::Default.as_str()].contains(&sort));
        let indexed = [
            "q",
            "colour",
            "option",
            "attribute",
            "min",
            "max",
            "stock",
            "rating",
            "new",
            "offer",
            "page",
        ];
        sorted || indexed.into_iter().any(is_set) || pairs.all("brand").nth(1).is_some()
    }

    pub fn is_too_deep(&self) -> bool {
        self.page.saturating_mul(self.size) > MAX_DEPTH
    }

    fn default_sort(&self) -> ProductSort {
        if self.q.is_empty() { ProductSort::Default } else { ProductSort::Relevance }
    }

    /// The canonical query string, without defaults. The category is left out where it is part of the path.
    pub fn to_query(&self, with_category: bool) -> String {
        let mut pairs = Vec::new();
        let mut push = |name: &str, value: &str| {
            pairs.push(format!("{name}={}", utf8_percent_encode(value, UNESCAPED)));
        };
        if !self.q.is_empty() {
            push("q", &self.q);
        }
        if let Some(category) = self.category.as_ref().filter(|_| with_category) {
            push("category", category.as_str());
        }
        let chosen = &self.chosen;
        chosen.brands.iter().for_each(|brand| push("brand", brand));
        chosen.colours.iter().for_each(|colour| push("colour", colour));
        for (name, values) in [("option", &chosen.options), ("attribute", &chosen.attributes)] {
            values.iter().for_each(|one| push(name, &format!("{}:{}", one.name, one.value)));
        }
        let others = [
            ("min", chosen.min.map(|units| units.to_string())),
            ("max", chosen.max.map(|units| units.to_string())),
            ("stock", chosen.in_stock.then(|| "in".to_owned())),
            ("rating", chosen.rating.map(|stars| stars.to_string())),
            ("new", chosen.new.then(|| "1".to_owned())),
            ("offer", chosen.on_offer.then(|| "1".to_owned())),
            ("sort", (self.sort != self.default_sort()).then(|| self.sort.as_str().to_owned())),
            ("size", (self.size != PAGE_SIZES[0]).then(|| self.size.to_string())),
            ("page", (self.page != 1).then(|| self.page.to_string())),
            ("view", (self.view == View::List).then(|| "list".to_owned())),
        ];
        for (name, value) in others {
            value.iter().for_each(|value| push(name, value));
        }
        pairs.join("&")
    }
}

/// Query text in one line, without control characters and repeated spaces, cut to `max_chars`.
pub fn normalize_text(text: &str, max_chars: usize) -> String {
    let words = text.split(|letter: char| letter.is_whitespace() || letter.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(max_chars).collect();
    cut.trim_end().to_owned()
}

/// Parses parameters, and remembers the first invalid one.
struct ParamsParser {
    error: Option<(&'static str, String)>,
}

impl ParamsParser {
    fn parse(&mut self, query: &str, category: Option<CategoryId>) -> SearchParams {
        let pairs = QueryPairs::parse(query);
        if pairs.has_invalid_utf8 {
            self.reject("query", "not UTF-8");
        }
        let mut params = SearchParams { category, ..SearchParams::default() };
        if params.category.is_none() {
            params.q = self.query_text(pairs.first("q"));
            params.category =
                self.parse_one(&pairs, "category", "not a category's id", |id| id.parse().ok());
        }
        // `option=Colour:Sand` is another form of `colour=Sand`.
        let (colours, options): (BTreeSet<_>, BTreeSet<_>) = self
            .parse_named_values(&pairs, "option")
            .into_iter()
            .partition(|option| is_colour(&option.name));
        let named_colours = colours.into_iter().map(|option| option.value);
        params.chosen = Chosen {
            brands: self.parse_values(&pairs, "brand"),
            colours: self
                .parse_values(&pairs, "colour")
                .into_iter()
                .chain(named_colours)
                .take(MAX_VALUES)
                .collect(),
            options,
            attributes: self.parse_named_values(&pairs, "attribute"),
            min: self.parse_one(&pairs, "min", AMOUNT, whole_units),
            max: self.parse_one(&pairs, "max", AMOUNT, whole_units),
            in_stock: self.parse_flag(&pairs, "stock", "in"),
            rating: self.parse_one(&pairs, "rating", "a number from 1 to 4", |stars| {
                stars.parse().ok().filter(|stars| (1..=4).contains(stars))
            }),
            new: self.parse_flag(&pairs, "new", "1"),
            on_offer: self.parse_flag(&pairs, "offer", "1"),
        };
        let sort = self.parse_one(
            &pairs,
            "sort",
            "default, price-asc, price-desc, best or relevance",
            |name| name.parse().ok(),
        );
        params.sort = sort.unwrap_or(params.default_sort());
        let size = self.parse_one(&pairs, "size", "2, 16, 20 or 24", |size| {
            size.parse().ok().filter(|size| PAGE_SIZES.contains(size))
        });
        params.size = size.unwrap_or(PAGE_SIZES[0]);
        let page = self.parse_one(&pairs, "page", "a number from 1 to 10000", |page| {
            page.parse().ok().filter(|page| (1..=MAX_DEPTH).contains(page))
        });
        params.page = page.unwrap_or(1);
        let view = self.parse_one(&pairs, "view", "grid or list", |view| match view {
            "grid" => Some(View::Grid),
            "list" => Some(View::List),
            _ => None,
        });
        params.view = view.unwrap_or_default();
        params
    }

    fn reject(&mut self, name: &'static str, why: impl Into<String>) {
        self.error.get_or_insert((name, why.into()));
    }

    fn query_text(&mut self, text: Option<&str>) -> String {
        let text = text.unwrap_or_default();
        if text.chars().count() > MAX_QUERY_CHARS {
            self.reject("q", format!("at most {MAX_QUERY_CHARS} characters"));
        }
        normalize_text(text, MAX_QUERY_CHARS)
    }

    /// An empty value counts as left out: forms send empty fields.
    fn parse_one<T>(
        &mut self,
        pairs: &QueryPairs,
        name: &'static str,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = pairs.first(name).filter(|text| !text.is_empty())?;
        let parsed = parse(&ascii_digits(text));
        if parsed.is_none() {
            self.reject(name, expected);
        }
        parsed
    }

    fn parse_flag(&mut self, pairs: &QueryPairs, name: &'static str, on: &str) -> bool {
        let expected = format!("{on}, or nothing");
        self.parse_one(pairs, name, &expected, |text| (text == on).then_some(())).is_some()
    }

    fn parse_values(&mut self, pairs: &QueryPairs, name: &'static str) -> BTreeSet<String> {
        let mut values = BTreeSet::new();
        for value in pairs.all(name).filter(|value| !value.is_empty()) {
            if value.chars().count() > MAX_VALUE_CHARS || value.contains(char::is_control) {
                self.reject(name, format!("at most {MAX_VALUE_CHARS} characters in one line"));
            } else if values.len() == MAX_VALUES && !values.contains(value) {
                self.reject(name, format!("at most {MAX_VALUES} of them"));
            } else {
                values.insert(value.to_owned());
            }
        }
        values
    }

    fn parse_named_values(
        &mut self,
        pairs: &QueryPairs,
        name: &'static str,
    ) -> BTreeSet<NamedValue> {
        let mut values = BTreeSet::new();
        for text in pairs.all(name).filter(|text| !text.is_empty()) {
            match NamedValue::parse(text) {
                None => self.reject(name, NAMED_VALUE),
                Some(value) if values.len() == MAX_VALUES && !values.contains(&value) => {
                    self.reject(name, format!("at most {MAX_VALUES} of them"));
                }
                Some(value) => drop(values.insert(value)),
            }
        }
        values
    }
}

const NAMED_VALUE: &str = "a name and a value of at most 80 characters each, like Size:M";
const AMOUNT: &str = "a whole amount, like 20";

/// Whole units of the currency of the request.
fn whole_units(text: &str) -> Option<i64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let units = digits.then(|| text.parse().ok()).flatten();
    units.filter(|units| *units <= MAX_UNITS)
}

/// The decoded pairs of a query string, without those that are not valid UTF-8.
pub struct QueryPairs {
    pairs: Vec<(String, String)>,
    pub has_invalid_utf8: bool,
}

impl QueryPairs {
    pub fn parse(query: &str) -> Self {
        let decoded = |text: &str| {
            let text = text.replace('+', " ");
            percent_decode_str(&text).decode_utf8().map(String::from).ok()
        };
        let (mut pairs, mut has_invalid_utf8) = (Vec::new(), false);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match (decoded(name), decoded(value)) {
                (Some(name), Some(value)) => pairs.push((name, value)),
                _ => has_invalid_utf8 = true,
            }
        }
        Self { pairs, has_invalid_utf8 }
    }

    pub fn first(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    fn all<'p>(&'p self, name: &str) -> impl Iterator<Item = &'p str> {
        self.pairs.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parameters_have_one_canonical_form() {
        for (query, canonical) in [
            ("", ""),
            ("q=%20desk%20%20lamp+&x=1", "q=desk%20lamp"),
            ("brand=B&brand=A&brand=B&brand=", "brand=A&brand=B"),
            ("min=020&max=150.5&stock=out&rating=5&new=yes", "min=20"),
            ("min=100000000&max=100000000000", "min=100000000&max=100000000000"),
            ("max=100000000001", ""),
            ("max=1e309&min=-1&page=0&size=3&view=x&sort=x", ""),
            ("q=lamp&sort=relevance&view=grid&size=16&page=1", "q=lamp"),
            ("q=lamp&sort=default", "q=lamp&sort=default"),
            ("sort=default", ""),
            ("min=%E0%A7%A8%E0%A7%A6&page=%E0%A7%A9", "min=20&page=3"),
            (
                "stock=in&offer=1&rating=4&new=1&view=list&size=2&page=3",
                "stock=in&rating=4&new=1&offer=1&size=2&page=3&view=list",
            ),
            ("q=%ff&brand=%ff&colour=Sea%20Green", "colour=Sea%20Green"),
            (
                "attribute=Material:Oak&option=Size:M&option=Size:L&option=Fit:a:b&option=Size:M",
                "option=Fit%3Aa%3Ab&option=Size%3AL&option=Size%3AM&attribute=Material%3AOak",
            ),
            ("option=Colour:Sand&colour=Ink", "colour=Ink&colour=Sand"),
            ("option=Size&option=:M&option=Size:&attribute=%0A:x", ""),
            ("q=%00%07%1b", ""),
            ("q=a%26b%3Dc%2Bd", "q=a%26b%3Dc%2Bd"),
        ] {
            let params = SearchParams::from_page_query(query);
            assert_eq!(params.to_query(true), canonical, "{query}");
            assert_eq!(SearchParams::from_page_query(canonical), params, "{query}");
        }
    }

    #[test]
    fn the_api_rejects_invalid_parameters() {
        for (query, name) in [
            ("min=abc", "min"),
            ("max=1e309", "max"),
            ("page=-1", "page"),
            ("page=99999999999999999999", "page"),
            ("page=1000&size=16", "page"),
            ("size=3", "size"),
            ("sort=up", "sort"),
            ("rating=9", "rating"),
            ("category=a/b", "category"),
            ("q=%ff", "query"),
            ("brand=%00", "brand"),
            ("option=Size", "option"),
            ("attribute=Material:", "attribute"),
        ] {
            let params = SearchParams::from_api_query(query).and_then(SearchParams::check_depth);
            let why = params.unwrap_err().to_string();
            assert!(why.starts_with(name), "{query}: {why}");
        }
        let long = format!("q={}", "x".repeat(10_000));
        assert!(SearchParams::from_api_query(&long).is_err());
        assert_eq!(SearchParams::from_page_query(&long).q.len(), MAX_QUERY_CHARS);
        assert!(SearchParams::from_api_query("q=&min=&brand=&option=&utm_source=x").is_ok());
        let many: Vec<String> = (0..=MAX_VALUES).map(|n| format!("option=Size:{n}")).collect();
        assert!(SearchParams::from_api_query(&many[1..].join("&")).is_ok());
        assert!(SearchParams::from_api_query(&many.join("&")).is_err());
        let colours: Vec<String> = (0..MAX_VALUES).map(|n| format!("colour={n}")).collect();
        let mixed = format!("{}&{}", colours.join("&"), many.join("&").replace("Size", "Colour"));
        let params = SearchParams::from_page_query(&mixed);
        assert_eq!(params.chosen.colours.len(), MAX_VALUES);
        assert_eq!(SearchParams::from_page_query(&params.to_query(true)), params);
    }

    proptest! {
        #[test]
        fn any_query_string_has_one_canonical_form(query in "\\PC{0,80}") {
            let params = SearchParams::from_page_query(&query);
            prop_assert_eq!(SearchParams::from_page_query(&params.to_query(true)), params);
        }

        #[test]
        fn any_query_text_has_one_canonical_form(text in any::<String>()) {
            let params = SearchParams { q: normalize_text(&text, MAX_QUERY_CHARS), sort: ProductSort::Best, ..SearchParams::default() };
            prop_assert_eq!(SearchParams::from_page_query(&params.to_query(true)), params);
        }
    }
}

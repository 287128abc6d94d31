//! What a shopper chose, as it stands in an address: read once at the edge, written in one form only.

use std::collections::BTreeSet;

use base::{Error, Money, Result};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde::Serialize;
use utoipa::ToSchema;

use shop::catalog::{CategoryId, Sort};

/// The page sizes that a shopper can choose; the first one is not written into addresses.
pub const SIZES: [i64; 4] = [16, 2, 20, 24];
/// How many products deep pages go. Nobody turns so many, and each costs more than the one before.
pub const DEEPEST: i64 = 10_000;
/// Letters of a query that count.
pub const LONGEST_QUERY: usize = 200;
pub const MOST_VALUES: usize = 20;
pub const LONGEST_VALUE: usize = 80;
const MOST_DOLLARS: i64 = 100_000_000;
const KEPT_AS_IT_IS: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The words to look for; empty where everything is wanted.
    pub q: String,
    pub category: Option<CategoryId>,
    pub brands: BTreeSet<String>,
    pub colours: BTreeSet<String>,
    pub min: Option<Money>,
    pub max: Option<Money>,
    pub in_stock: bool,
    /// So many stars or more.
    pub rating: Option<u8>,
    pub new: bool,
    pub on_offer: bool,
    pub sort: Sort,
    pub size: i64,
    pub number: i64,
    pub view: View,
}

/// How a list is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum View {
    #[default]
    Grid,
    List,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            q: String::new(),
            category: None,
            brands: BTreeSet::new(),
            colours: BTreeSet::new(),
            min: None,
            max: None,
            in_stock: false,
            rating: None,
            new: false,
            on_offer: false,
            sort: Sort::Default,
            size: SIZES[0],
            number: 1,
            view: View::Grid,
        }
    }
}

impl Choice {
    /// From the parameters of `/search`. What makes no sense counts as left out.
    pub fn of_search(query: &str) -> Self {
        Reader { unfit: None }.read(query, None)
    }

    /// From the parameters of a category's page, which has no words and no other category.
    pub fn of_category(id: CategoryId, query: &str) -> Self {
        Reader { unfit: None }.read(query, Some(id))
    }

    /// From the parameters of a program's question, which is told what makes no sense.
    pub fn of_program(query: &str) -> Result<Self> {
        let mut reader = Reader { unfit: None };
        let choice = reader.read(query, None);
        match reader.unfit {
            Some((name, why)) => Err(Error::invalid(name, why)),
            None => Ok(choice),
        }
    }

    /// Refuses pages that nobody turns to.
    pub fn not_too_deep(self) -> Result<Self> {
        if self.is_too_deep() {
            let why = format!("pages end after {DEEPEST} products; narrow the search instead");
            return Err(Error::unprocessable("page", why));
        }
        Ok(self)
    }

    /// Whether these parameters ask for more than the catalogue's own list can answer: words, filters
    /// that count, another order than the newest first.
    pub fn is_wanted(query: &str) -> bool {
        let params = Pairs::of(query);
        let said = |name: &str| params.first(name).is_some_and(|value| !value.is_empty());
        let sorted =
            params.first("sort").is_some_and(|sort| !["", Sort::Default.name()].contains(&sort));
        let beyond = ["q", "colour", "min", "max", "stock", "rating", "new", "offer", "page"];
        sorted || beyond.into_iter().any(said) || params.all("brand").nth(1).is_some()
    }

    pub fn is_too_deep(&self) -> bool {
        self.number.saturating_mul(self.size) > DEEPEST
    }

    /// How many of the filters are on; the category is none, nor is the order.
    pub fn filters(&self) -> usize {
        let single = [
            self.min.is_some() || self.max.is_some(),
            self.in_stock,
            self.rating.is_some(),
            self.new,
            self.on_offer,
        ];
        self.brands.len() + self.colours.len() + single.into_iter().filter(|on| *on).count()
    }

    /// The order where none was chosen.
    fn usual_sort(&self) -> Sort {
        if self.q.is_empty() { Sort::Default } else { Sort::Relevance }
    }

    /// Its one form in an address, without what goes without saying. The category stands there only
    /// where it is not the page itself.
    pub fn params(&self, with_category: bool) -> String {
        let mut params = Vec::new();
        let mut put = |name: &str, value: &str| {
            params.push(format!("{name}={}", utf8_percent_encode(value, KEPT_AS_IT_IS)));
        };
        if !self.q.is_empty() {
            put("q", &self.q);
        }
        if let Some(category) = self.category.as_ref().filter(|_| with_category) {
            put("category", category.as_str());
        }
        self.brands.iter().for_each(|brand| put("brand", brand));
        self.colours.iter().for_each(|colour| put("colour", colour));
        for (name, amount) in [("min", self.min), ("max", self.max)] {
            if let Some(amount) = amount {
                put(name, &(amount.as_cents() / 100).to_string());
            }
        }
        if self.in_stock {
            put("stock", "in");
        }
        if let Some(stars) = self.rating {
            put("rating", &stars.to_string());
        }
        if self.new {
            put("new", "1");
        }
        if self.on_offer {
            put("offer", "1");
        }
        if self.sort != self.usual_sort() {
            put("sort", self.sort.name());
        }
        if self.size != SIZES[0] {
            put("size", &self.size.to_string());
        }
        if self.number != 1 {
            put("page", &self.number.to_string());
        }
        if self.view == View::List {
            put("view", "list");
        }
        params.join("&")
    }
}

/// Words as they are looked for: in one line, without what cannot be seen, and not too many.
pub fn tidy(words: &str, longest: usize) -> String {
    let seen = words.split(|letter: char| letter.is_whitespace() || letter.is_control());
    let line = seen.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(longest).collect();
    cut.trim_end().to_owned()
}

/// Reads parameters, and remembers the first that made no sense.
struct Reader {
    unfit: Option<(&'static str, String)>,
}

impl Reader {
    fn read(&mut self, query: &str, category: Option<CategoryId>) -> Choice {
        let params = Pairs::of(query);
        if params.broken {
            self.refuse("query", "not UTF-8");
        }
        let mut choice = Choice { category, ..Choice::default() };
        if choice.category.is_none() {
            choice.q = self.words(params.first("q"));
            choice.category =
                self.one(&params, "category", "not a category's id", |id| id.parse().ok());
        }
        choice.brands = self.values(&params, "brand");
        choice.colours = self.values(&params, "colour");
        choice.min = self.one(&params, "min", AMOUNT, dollars);
        choice.max = self.one(&params, "max", AMOUNT, dollars);
        choice.in_stock = self
            .one(&params, "stock", "in, or nothing", |stock| (stock == "in").then_some(()))
            .is_some();
        choice.rating = self.one(&params, "rating", "a number from 1 to 4", |stars| {
            stars.parse().ok().filter(|stars| (1..=4).contains(stars))
        });
        choice.new = self.switch(&params, "new");
        choice.on_offer = self.switch(&params, "offer");
        let sort = self.one(
            &params,
            "sort",
            "default, price-asc, price-desc, best or relevance",
            |name| Sort::ALL.into_iter().find(|sort| sort.name() == name),
        );
        choice.sort = sort.unwrap_or(choice.usual_sort());
        let size = self.one(&params, "size", "2, 16, 20 or 24", |size| {
            size.parse().ok().filter(|size| SIZES.contains(size))
        });
        choice.size = size.unwrap_or(SIZES[0]);
        let number = self.one(&params, "page", "a number from 1 to 10000", |number| {
            number.parse().ok().filter(|number| (1..=DEEPEST).contains(number))
        });
        choice.number = number.unwrap_or(1);
        let view = self.one(&params, "view", "grid or list", |view| match view {
            "grid" => Some(View::Grid),
            "list" => Some(View::List),
            _ => None,
        });
        choice.view = view.unwrap_or_default();
        choice
    }

    fn refuse(&mut self, name: &'static str, why: impl Into<String>) {
        self.unfit.get_or_insert((name, why.into()));
    }

    fn words(&mut self, text: Option<&str>) -> String {
        let words = text.unwrap_or_default();
        if words.chars().count() > LONGEST_QUERY {
            self.refuse("q", format!("at most {LONGEST_QUERY} characters"));
        }
        tidy(words, LONGEST_QUERY)
    }

    /// A parameter without a value is one that was left out: forms send those.
    fn one<T>(
        &mut self,
        params: &Pairs,
        name: &'static str,
        wanted: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = params.first(name).filter(|text| !text.is_empty())?;
        let parsed = parse(text);
        if parsed.is_none() {
            self.refuse(name, wanted);
        }
        parsed
    }

    fn switch(&mut self, params: &Pairs, name: &'static str) -> bool {
        self.one(params, name, "1, or nothing", |on| (on == "1").then_some(())).is_some()
    }

    fn values(&mut self, params: &Pairs, name: &'static str) -> BTreeSet<String> {
        let mut values = BTreeSet::new();
        for value in params.all(name).filter(|value| !value.is_empty()) {
            if value.chars().count() > LONGEST_VALUE || value.contains(char::is_control) {
                self.refuse(name, format!("at most {LONGEST_VALUE} characters in one line"));
            } else if values.len() == MOST_VALUES && !values.contains(value) {
                self.refuse(name, format!("at most {MOST_VALUES} of them"));
            } else {
                values.insert(value.to_owned());
            }
        }
        values
    }
}

const AMOUNT: &str = "whole dollars, like 20";

fn dollars(text: &str) -> Option<Money> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let dollars = digits.then(|| text.parse::<i64>().ok()).flatten()?;
    (dollars <= MOST_DOLLARS).then(|| Money::cents(dollars * 100))
}

/// The pairs of a query, decoded; those that are not UTF-8 are left out.
pub struct Pairs {
    pairs: Vec<(String, String)>,
    pub broken: bool,
}

impl Pairs {
    pub fn of(query: &str) -> Self {
        let decoded = |text: &str| {
            let text = text.replace('+', " ");
            percent_decode_str(&text).decode_utf8().map(String::from).ok()
        };
        let (mut pairs, mut broken) = (Vec::new(), false);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match (decoded(name), decoded(value)) {
                (Some(name), Some(value)) => pairs.push((name, value)),
                _ => broken = true,
            }
        }
        Self { pairs, broken }
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
    fn a_choice_has_one_form() {
        for (address, wanted) in [
            ("", ""),
            ("q=%20desk%20%20lamp+&x=1", "q=desk%20lamp"),
            ("brand=B&brand=A&brand=B&brand=", "brand=A&brand=B"),
            ("min=020&max=150.5&stock=out&rating=5&new=yes", "min=20"),
            ("max=1e309&min=-1&page=0&size=3&view=x&sort=x", ""),
            ("q=lamp&sort=relevance&view=grid&size=16&page=1", "q=lamp"),
            ("q=lamp&sort=default", "q=lamp&sort=default"),
            ("sort=default", ""),
            (
                "stock=in&offer=1&rating=4&new=1&view=list&size=2&page=3",
                "stock=in&rating=4&new=1&offer=1&size=2&page=3&view=list",
            ),
            ("q=%ff&brand=%ff&colour=Sea%20Green", "colour=Sea%20Green"),
            ("q=%00%07%1b", ""),
            ("q=a%26b%3Dc%2Bd", "q=a%26b%3Dc%2Bd"),
        ] {
            let choice = Choice::of_search(address);
            assert_eq!(choice.params(true), wanted, "{address}");
            assert_eq!(Choice::of_search(wanted), choice, "{address}");
        }
    }

    #[test]
    fn a_program_is_told_what_makes_no_sense() {
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
        ] {
            let choice = Choice::of_program(query).and_then(Choice::not_too_deep);
            let why = choice.unwrap_err().to_string();
            assert!(why.starts_with(name), "{query}: {why}");
        }
        let long = format!("q={}", "x".repeat(10_000));
        assert!(Choice::of_program(&long).is_err());
        assert_eq!(Choice::of_search(&long).q.len(), LONGEST_QUERY);
        assert!(Choice::of_program("q=&min=&brand=&utm_source=x").is_ok());
    }

    proptest! {
        #[test]
        fn whatever_is_asked_has_one_form(query in "\\PC{0,80}") {
            let choice = Choice::of_search(&query);
            prop_assert_eq!(Choice::of_search(&choice.params(true)), choice);
        }

        #[test]
        fn whatever_words_are_asked_have_one_form(words in any::<String>()) {
            let choice = Choice { q: tidy(&words, LONGEST_QUERY), sort: Sort::Best, ..Choice::default() };
            prop_assert_eq!(Choice::of_search(&choice.params(true)), choice);
        }
    }
}

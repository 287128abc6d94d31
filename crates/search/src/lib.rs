//! Product search: full-text queries, filters, facets, sorting and suggestions over the catalogue. Each
//! server has its own index on disk and updates it from the `revisions` table (decision 016). Writes no
//! table; the product data on a page comes from the catalogue.

mod bangla;
mod facets;
mod fallback;
mod filter;
mod folding;
mod highlight;
mod http;
pub mod index;
pub mod indexed_product;
mod indexer;
mod labels;
mod listing;
mod option_values;
mod params;
mod prices;
mod products;
mod query;
mod rows;
mod scan;
mod schema;
mod synonyms;
mod tokenizer;
mod traits;

use std::collections::BTreeSet;

use platform::Money;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use media::Picture;
use shop::catalog::{CategoryId, Price, ProductCard, ProductId, ProductSort, TextField};

pub use http::SearchState;
pub use indexer::{IndexDir, Indexer, rebuild};
pub use listing::{ListingPage, Matches, Search};
pub use params::{
    MAX_DEPTH, MAX_VALUE_CHARS, MAX_VALUES, PAGE_SIZES, QueryPairs, SearchParams, View,
};

pub fn router() -> OpenApiRouter<SearchState> {
    http::router().routes(routes!(products::list_products))
}

/// A page of products with its filters and facets.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Listing {
    pub products: Vec<Hit>,
    /// All matches; pagination may end before.
    pub total: i64,
    pub page_number: i64,
    pub pages: i64,
    pub size: i64,
    pub sort: ProductSort,
    pub view: View,
    pub chosen: Chosen,
    /// Null until the index is complete.
    #[schema(required)]
    pub facets: Option<Facets>,
}

/// A product in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    #[serde(flatten)]
    pub card: ProductCard,
    /// The name in spans, to highlight what matches; empty without query text.
    pub name_parts: Vec<HighlightSpan>,
    /// The beginning of the description.
    pub summary: String,
}

/// A part of a product's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct HighlightSpan {
    pub text: String,
    /// Whether it matches the query and is highlighted.
    pub hit: bool,
}

/// The active filters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Chosen {
    #[schema(value_type = Vec<String>)]
    pub brands: BTreeSet<String>,
    #[schema(value_type = Vec<String>)]
    pub colours: BTreeSet<String>,
    /// Of options other than the colour.
    #[schema(value_type = Vec<NamedValue>)]
    pub options: BTreeSet<NamedValue>,
    #[schema(value_type = Vec<NamedValue>)]
    pub attributes: BTreeSet<NamedValue>,
    /// The lowest price, in whole units of the currency of the request.
    #[schema(required, value_type = Option<Money>)]
    pub min: Option<i64>,
    #[schema(required, value_type = Option<Money>)]
    pub max: Option<i64>,
    pub in_stock: bool,
    /// The minimum, in stars.
    #[schema(required)]
    pub rating: Option<u8>,
    pub new: bool,
    pub on_offer: bool,
}

impl Chosen {
    fn count(&self) -> usize {
        let single = [
            self.min.is_some() || self.max.is_some(),
            self.in_stock,
            self.rating.is_some(),
            self.new,
            self.on_offer,
        ];
        let values = [
            self.brands.len(),
            self.colours.len(),
            self.options.len(),
            self.attributes.len(),
            single.into_iter().filter(|on| *on).count(),
        ];
        values.into_iter().sum()
    }
}

/// A value of an option or an attribute, both as in the default language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
pub struct NamedValue {
    pub name: String,
    pub value: String,
}

impl NamedValue {
    /// From a parameter like `Size:M`.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, value) = text.split_once(':')?;
        let is_valid = |part: &str| {
            let is_short = (1..=MAX_VALUE_CHARS).contains(&part.chars().count());
            is_short && !part.contains(char::is_control)
        };
        let valid = is_valid(name) && is_valid(value);
        valid.then(|| Self { name: name.to_owned(), value: value.to_owned() })
    }
}

/// How many products each filter value would match, with the other filters unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Facets {
    pub categories: Vec<CategoryCount>,
    /// By count, highest first; at most 50, including every selected one.
    pub brands: Vec<Count>,
    /// The same; at most 30.
    pub colours: Vec<Count>,
    /// Options other than the colour of which the products have several values, by name; at most 8, including every
    /// selected one.
    pub options: Vec<ValueCounts>,
    /// The same of the attributes that the shop filters by.
    pub attributes: Vec<ValueCounts>,
    pub in_stock: i64,
    /// 4, 3, 2 and 1 stars and up.
    pub ratings: Vec<RatingCount>,
    pub new: i64,
    pub on_offer: i64,
    /// Of the products that pass the other filters; null without one.
    #[schema(required)]
    pub price: Option<PriceSpan>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CategoryCount {
    #[serde(rename = "_id")]
    pub id: CategoryId,
    pub name: String,
    pub count: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Count {
    pub value: String,
    /// The translated name of the value; left out where it is shown as it is.
    #[schema(value_type = String, required = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub count: i64,
}

/// The values of an option or an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ValueCounts {
    pub name: String,
    /// The translated name; left out where it is shown as it is.
    #[schema(value_type = String, required = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// At most 30. Sizes and quantities by size, others by count.
    pub values: Vec<Count>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RatingCount {
    pub rating: u8,
    pub count: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PriceSpan {
    pub lowest: Money,
    pub highest: Money,
}

/// Suggestions for a query that is being typed.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Suggestions {
    /// At most 6.
    pub products: Vec<Suggestion>,
    /// At most 3.
    pub categories: Vec<SuggestedCategory>,
    /// Completed queries, at most 4.
    pub queries: Vec<String>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    #[serde(rename = "_id")]
    pub id: ProductId,
    pub name: String,
    pub name_parts: Vec<HighlightSpan>,
    pub picture: Picture,
    #[serde(flatten)]
    pub price: Price,
    /// The texts that are in the default language, because they are not translated to the requested one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untranslated: Vec<TextField>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SuggestedCategory {
    #[serde(rename = "_id")]
    pub id: CategoryId,
    pub name: String,
}

/// A search query and its results.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchProps {
    pub q: String,
    #[schema(required)]
    pub category: Option<CategoryId>,
    /// The query with its spelling corrected, where only that has results.
    #[schema(required)]
    pub corrected: Option<String>,
    /// Whether no product matches all words, so that the results match only some of them.
    pub fewer_words: bool,
    #[serde(flatten)]
    pub listing: Listing,
    /// Popular products, where nothing was found.
    pub popular: Vec<ProductCard>,
}

//! Finding: the words, filters and orders by which shoppers get from a whole catalogue to a page of it.
//! Each server has an index of its own beside the database, and brings it up to date by the revisions
//! (decision 016). Writes no table; what a page shows of a product comes from the catalogue.

mod ask;
mod choice;
mod follow;
mod http;
pub mod index;
mod listing;
mod look;
mod products;
mod rows;
mod schemas;
mod tally;
mod words;

use base::Money;
use base::revisions::Scope;
use serde::Serialize;
use utoipa::ToSchema;

use media::Picture;
use shop::catalog::{CategoryId, Price, ProductCard, ProductId, Sort};

pub use choice::{Choice, DEEPEST, LONGEST_VALUE, MOST_VALUES, Pairs, SIZES, View};
pub use follow::{Follower, Home, rebuild_here};
pub use http::{Finding, router};
pub use listing::{Found, Listed, Search};

/// The names of the columns that rows are read from.
mod fields {
    pub const BRAND: &str = "brand";
    pub const CATEGORY: &str = "category";
    pub const COLOURS: &str = "colours";
    pub const PRICE: &str = "price";
    pub const CREATED_AT: &str = "created_at";
    pub const POPULARITY: &str = "popularity";
    pub const RATING: &str = "rating";
    pub const IN_STOCK: &str = "in_stock";
    pub const ON_OFFER: &str = "on_offer";
    pub const TIE: &str = "tie";
}

/// Moved to make every server write its index anew.
pub fn anew() -> Scope {
    Scope::whole("search")
}

/// A page of products, and what can be chosen from here.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Listing {
    pub products: Vec<Hit>,
    /// How many there are in all; pages may end before.
    pub total: i64,
    pub page_number: i64,
    pub pages: i64,
    pub size: i64,
    pub sort: Sort,
    pub view: View,
    pub chosen: Chosen,
    /// Null while the index is being made.
    #[schema(required)]
    pub facets: Option<Facets>,
}

/// A product in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    #[serde(flatten)]
    pub card: ProductCard,
    /// The name again, cut where it matches; empty where no words were looked for.
    pub name_parts: Vec<Part>,
    /// How the description begins.
    pub summary: String,
}

/// A piece of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Part {
    pub text: String,
    /// Whether it is what was looked for.
    pub hit: bool,
}

/// The filters that are on.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Chosen {
    pub brands: Vec<String>,
    pub colours: Vec<String>,
    #[schema(required)]
    pub min: Option<Money>,
    #[schema(required)]
    pub max: Option<Money>,
    pub in_stock: bool,
    /// So many stars or more.
    #[schema(required)]
    pub rating: Option<u8>,
    pub new: bool,
    pub on_offer: bool,
}

impl Chosen {
    fn of(choice: &Choice) -> Self {
        Self {
            brands: choice.brands.iter().cloned().collect(),
            colours: choice.colours.iter().cloned().collect(),
            min: choice.min,
            max: choice.max,
            in_stock: choice.in_stock,
            rating: choice.rating,
            new: choice.new,
            on_offer: choice.on_offer,
        }
    }
}

/// How many products each choice would leave, the other filters staying as they are.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Facets {
    pub categories: Vec<CategoryCount>,
    /// The fullest first; at most 50, the chosen ones always among them.
    pub brands: Vec<Count>,
    /// The same; at most 30.
    pub colours: Vec<Count>,
    pub in_stock: i64,
    /// 4, 3, 2 and 1 stars and up.
    pub ratings: Vec<RatingCount>,
    pub new: i64,
    pub on_offer: i64,
    /// Of what passes the other filters; null where nothing does.
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
    pub count: i64,
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

/// What may be meant by what is typed so far.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Suggestions {
    /// At most 6.
    pub products: Vec<Suggestion>,
    /// At most 3.
    pub categories: Vec<SuggestedCategory>,
    /// At most 4, completed.
    pub queries: Vec<String>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    #[serde(rename = "_id")]
    pub id: ProductId,
    pub name: String,
    pub name_parts: Vec<Part>,
    pub picture: Picture,
    #[serde(flatten)]
    pub price: Price,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SuggestedCategory {
    #[serde(rename = "_id")]
    pub id: CategoryId,
    pub name: String,
}

/// What was searched for, and what there is of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchProps {
    pub q: String,
    #[schema(required)]
    pub category: Option<CategoryId>,
    /// The query as the shop would spell it, where it found something only so.
    #[schema(required)]
    pub corrected: Option<String>,
    /// Whether nothing has all of the words, so that these have some of them.
    pub fewer_words: bool,
    #[serde(flatten)]
    pub listing: Listing,
    /// Something else to look at, where nothing was found.
    pub popular: Vec<ProductCard>,
}

//! What the shop sells: categories and products, and the one rule that says what a product costs now.
//! Alone writes `categories` and `products`, and moves their revisions in the same transaction.

mod changes;
pub mod demo;
mod http;
mod import;
pub mod many;
mod photo;
mod rating;
mod sales;
mod stock;
mod store;

use base::db::Json;
use base::revisions::Scope;
use base::{Id, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use media::Picture;

pub use http::{Catalog, cursor_after, router};
pub use import::{Format, Import, Pictures, Summary, import};
pub use photo::Photo;
pub use rating::{hold, rate};
pub use sales::{SALE_TURNS, SaleTurns, sale_turns};
pub use stock::{Shelf, Shelved, count_popularity, keep_popularity, return_stock, take_stock};
pub use store::*;

pub type CategoryId = Id<Category>;
pub type ProductId = Id<Product>;

/// The one value of `productType` that the storefront gives a place of its own.
pub const FLASH_SALE: &str = "flashsale";

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
pub struct Category {
    #[serde(rename = "_id")]
    pub id: CategoryId,
    pub name: String,
    pub img: String,
    #[sqlx(skip)]
    pub picture: Picture,
    /// How many products it holds.
    pub products: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Product {
    #[serde(rename = "_id")]
    pub id: ProductId,
    pub name: String,
    pub sku: String,
    pub brand: String,
    /// Addresses of its pictures, the first one first.
    #[schema(value_type = Vec<String>)]
    #[serde(serialize_with = "photo::addresses")]
    pub img: Json<Vec<Photo>>,
    /// The same pictures with what a page needs to show them.
    #[sqlx(skip)]
    pub pictures: Vec<Picture>,
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub price: Price,
    /// 1 to 5: the mean of its reviews; 0 where there are none.
    pub rating: f64,
    /// How many reviews are shown.
    pub reviews: i64,
    /// How many are in stock.
    pub qtn: i64,
    pub product_type: String,
    pub full_description: String,
    #[schema(value_type = Vec<String>)]
    pub colours: Json<Vec<String>>,
    #[schema(value_type = Vec<String>)]
    pub tags: Json<Vec<String>>,
    #[schema(value_type = Vec<Attribute>)]
    pub attributes: Json<Vec<Attribute>>,
    /// The id of its category.
    pub category: CategoryId,
    pub units_sold: i64,
    pub created_at: Timestamp,
}

/// A line of the Information tab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    pub name: String,
    pub value: String,
}

/// What a list shows of a product.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct ProductCard {
    #[serde(rename = "_id")]
    pub id: ProductId,
    pub name: String,
    pub brand: String,
    /// At most two: the second is shown on hover.
    #[schema(value_type = Vec<String>)]
    #[serde(serialize_with = "photo::addresses")]
    pub img: Json<Vec<Photo>>,
    /// The same pictures; only the first has a placeholder, because the second comes on hover.
    #[sqlx(skip)]
    pub pictures: Vec<Picture>,
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub price: Price,
    pub rating: f64,
    pub qtn: i64,
}

/// What a product costs, and until when.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Price {
    /// The list price.
    pub real_price: Money,
    /// The price while the offer runs; the list price where there is no offer.
    pub offer_price: Money,
    /// What is charged now.
    #[sqlx(skip)]
    pub buy_price: Money,
    /// When the offer starts; null when it has.
    #[schema(required)]
    pub sale_start: Option<Timestamp>,
    /// When the offer ends; null when it has no end.
    #[schema(required)]
    pub sale_end: Option<Timestamp>,
}

impl Price {
    pub fn new(
        real: Money,
        offer: Option<Money>,
        start: Option<Timestamp>,
        end: Option<Timestamp>,
    ) -> Self {
        Self {
            real_price: real,
            offer_price: offer.unwrap_or(real),
            buy_price: real,
            sale_start: start,
            sale_end: end,
        }
    }

    /// The one rule: the offer while it runs, else the list price. What is shown is what is charged.
    pub fn at(&self, now: Timestamp) -> Money {
        if self.offer_runs(now) { self.offer_price } else { self.real_price }
    }

    pub fn offer_runs(&self, now: Timestamp) -> bool {
        self.offer_price < self.real_price
            && self.sale_start.is_none_or(|start| start <= now)
            && self.sale_end.is_none_or(|end| now < end)
    }

    /// When the price changes next without anybody touching it.
    pub fn next_turn(&self, now: Timestamp) -> Option<Timestamp> {
        if self.offer_price == self.real_price {
            return None;
        }
        [self.sale_start, self.sale_end].into_iter().flatten().filter(|turn| *turn > now).min()
    }

    fn settle(&mut self, now: Timestamp) {
        self.buy_price = self.at(now);
    }
}

/// The whole catalogue: which products there are, and everything of them that sorts or filters.
pub fn whole() -> Scope {
    Scope::whole("catalog")
}

/// The list of categories as every page's header shows it, with how many products each holds.
pub fn shelves() -> Scope {
    Scope::whole("categories")
}

pub fn scope_of_category(id: &CategoryId) -> Scope {
    Scope::of("category", id.as_str())
}

pub fn scope_of_product(id: &ProductId) -> Scope {
    Scope::of("product", id.as_str())
}

/// How well a product sells, which lists are sorted by, and no page shows.
pub fn scope_of_rank(id: &ProductId) -> Scope {
    Scope::of("rank", id.as_str())
}

/// What a list of these cards depends on beside the list itself, and until when it is true.
pub fn shown<'a>(
    prices: impl IntoIterator<Item = (&'a ProductId, &'a Price)>,
    now: Timestamp,
) -> (Vec<Scope>, Option<Timestamp>) {
    let mut scopes = Vec::new();
    let mut until = None;
    for (id, price) in prices {
        scopes.push(scope_of_product(id));
        until = [until, price.next_turn(now)].into_iter().flatten().min();
    }
    (scopes, until)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn prices() -> impl Strategy<Value = Price> {
        let moment = || proptest::option::of((0i64..100).prop_map(Timestamp));
        (0i64..1000, proptest::option::of(0i64..1000), moment(), moment()).prop_map(
            |(real, offer, start, end)| {
                let offer = offer.map(|offer| Money::cents(offer.min(real)));
                Price::new(Money::cents(real), offer, start, end)
            },
        )
    }

    proptest! {
        #[test]
        fn the_price_is_the_offer_or_the_list_price(price in prices(), now in 0i64..100) {
            let buy = price.at(Timestamp(now));
            prop_assert!(buy == price.offer_price || buy == price.real_price);
            prop_assert!(buy <= price.real_price);
        }

        #[test]
        fn the_price_holds_until_its_next_turn(price in prices(), now in 0i64..100) {
            let now = Timestamp(now);
            let until = price.next_turn(now).map_or(200, |turn| turn.0);
            for later in now.0..until {
                prop_assert_eq!(price.at(Timestamp(later)), price.at(now));
            }
        }
    }

    #[test]
    fn an_offer_runs_from_its_start_up_to_its_end() {
        let price = Price::new(
            Money::cents(1000),
            Some(Money::cents(700)),
            Some(Timestamp(10)),
            Some(Timestamp(20)),
        );
        let at = |moment| price.at(Timestamp(moment)).as_cents();
        assert_eq!([at(9), at(10), at(19), at(20)], [1000, 700, 700, 1000]);
    }
}

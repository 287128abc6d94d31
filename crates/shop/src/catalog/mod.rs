//! Products, their variants and categories, and the rule that decides what a variant costs now. The only module that
//! writes `categories`, `products` and `variants`; it bumps their cache tags in the same transaction.

mod changed_tags;
pub mod export;
pub mod fake_products;
mod http;
mod import;
mod lifecycle;
mod options;
mod photo;
mod rating;
mod sales;
mod stock;
mod stock_journal;
mod store;
mod translated_fields;
mod translations;
mod variants;

use platform::db::Json;
use platform::revisions::CacheTag;
use platform::{Id, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use media::Picture;

pub use http::{cursor_after, router};
pub(crate) use import::import_into;
pub use import::{Import, ImportFormat, ImportSummary, PictureSource, import};
pub use lifecycle::{ProductStatus, PublishProduct};
pub use options::{ChosenOptions, ProductOption, choice_query, is_colour};
pub use photo::Photo;
pub use rating::{lock_product, set_rating};
pub use sales::SaleBoundary;
pub(crate) use sales::extend_sales;
pub use stock::{PopularityUpdates, StockCache, StockedVariant, update_popularity};
pub(crate) use stock::{deduct_stock, recount_popularity, return_stock};
pub use stock_journal::{
    LowStock, StockChangeKind, StockEntry, StockTarget, change_stock, low_stock, stock_history,
    unexplained_stock,
};
pub use store::*;
pub use translations::{
    CardTranslation, OptionTexts, TextField, Translation, category_names, option_value_names,
};
pub(crate) use translations::{translate_chosen, translated_texts};
pub use variants::{
    Choice, LISTED_VARIANTS, LineVariant, Variant, VariantCard, VariantId, VariantTotals, choose,
    default_variant, find_choice, find_variant, line_variants, present_price_sql, variant_cards,
    variants_from, variants_of,
};

pub type CategoryId = Id<Category>;
pub type ProductId = Id<Product>;

/// The largest stock of a variant.
pub const MAX_STOCK: i64 = 1_000_000_000;

/// The only `productType` that the storefront treats specially.
pub const FLASH_SALE: &str = "flashsale";

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
pub struct Category {
    #[serde(rename = "_id")]
    pub id: CategoryId,
    pub name: String,
    pub img: String,
    #[sqlx(skip)]
    pub picture: Picture,
    /// The number of its products.
    pub products: i64,
    #[sqlx(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untranslated: Vec<TextField>,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Product {
    #[serde(rename = "_id")]
    pub id: ProductId,
    pub name: String,
    /// That of the default variant.
    pub sku: String,
    pub brand: String,
    /// URLs of its pictures, the main one first.
    #[schema(value_type = Vec<String>)]
    #[serde(serialize_with = "photo::addresses")]
    pub img: Json<Vec<Photo>>,
    /// The same pictures with their size, placeholder and alternative text.
    #[sqlx(skip)]
    pub pictures: Vec<Picture>,
    /// That of the default variant.
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub price: Price,
    /// The mean of its reviews, 1 to 5; 0 when it has none.
    pub rating: f64,
    /// The number of visible reviews.
    pub reviews: i64,
    #[serde(flatten)]
    #[sqlx(skip)]
    pub totals: VariantTotals,
    pub product_type: String,
    pub full_description: String,
    /// What it can be chosen by, such as its colour; none where there is one variant.
    #[schema(value_type = Vec<ProductOption>)]
    pub options: Json<Vec<ProductOption>>,
    #[schema(value_type = Vec<String>)]
    pub tags: Json<Vec<String>>,
    #[schema(value_type = Vec<Attribute>)]
    pub attributes: Json<Vec<Attribute>>,
    pub category: CategoryId,
    /// `active`, or `archived` when it is not sold any more.
    #[sqlx(try_from = "String")]
    pub status: ProductStatus,
    /// When a draft becomes active.
    #[serde(skip)]
    pub publish_at: Option<Timestamp>,
    /// Products that the shopkeeper chose to show with it.
    #[serde(skip)]
    pub related: Json<Vec<ProductId>>,
    #[sqlx(skip)]
    pub units_sold: i64,
    pub created_at: Timestamp,
    /// The texts that are in the default language, because they are not translated to the requested one.
    #[sqlx(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untranslated: Vec<TextField>,
}

/// A row of the Information tab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    pub name: String,
    pub value: String,
}

/// The fields of a product that lists show.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct ProductCard {
    #[serde(rename = "_id")]
    pub id: ProductId,
    pub name: String,
    pub brand: String,
    /// At most two; the second is shown on hover.
    #[schema(value_type = Vec<String>)]
    #[serde(serialize_with = "photo::addresses")]
    pub img: Json<Vec<Photo>>,
    /// The same pictures. Only the first has a placeholder, because the second is loaded on hover.
    #[sqlx(skip)]
    pub pictures: Vec<Picture>,
    /// That of the default variant.
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub price: Price,
    pub rating: f64,
    #[serde(flatten)]
    #[sqlx(skip)]
    pub totals: VariantTotals,
    /// The texts that are in the default language, because they are not translated to the requested one.
    #[sqlx(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untranslated: Vec<TextField>,
}

/// List price, offer price and the period of the offer.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Price {
    /// The list price.
    pub real_price: Money,
    /// The price during the offer; equal to the list price when there is no offer.
    pub offer_price: Money,
    /// The price that is charged now.
    #[sqlx(skip)]
    pub buy_price: Money,
    /// When the offer starts; null when it has no start.
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

    /// The price at `now`: the offer price during the offer, otherwise the list price. Pages and orders
    /// both use it.
    pub fn at(&self, now: Timestamp) -> Money {
        if self.offer_runs(now) { self.offer_price } else { self.real_price }
    }

    pub fn offer_runs(&self, now: Timestamp) -> bool {
        self.offer_price < self.real_price
            && self.sale_start.is_none_or(|start| start <= now)
            && self.sale_end.is_none_or(|end| now < end)
    }

    /// When the offer starts or ends next, which changes the price without a write.
    pub fn next_price_change(&self, now: Timestamp) -> Option<Timestamp> {
        if self.offer_price == self.real_price {
            return None;
        }
        [self.sale_start, self.sale_end].into_iter().flatten().filter(|turn| *turn > now).min()
    }

    fn set_buy_price(&mut self, now: Timestamp) {
        self.buy_price = self.at(now);
    }
}

/// Cache tag of every product list: bumped when a product is added, or something changes that sorts or
/// filters.
pub fn catalog_tag() -> CacheTag {
    CacheTag::new("catalog")
}

/// Cache tag of the category list in every page's header, with the number of products in each.
pub fn categories_tag() -> CacheTag {
    CacheTag::new("categories")
}

/// Cache tag of the translated values of options, which filters show. A value is shared by all categories, and its name
/// may be imported with a product of another one.
pub fn option_values_tag() -> CacheTag {
    CacheTag::new("option-values")
}

pub fn category_tag(id: &CategoryId) -> CacheTag {
    CacheTag::with_id("category", id.as_str())
}

pub fn product_tag(id: &ProductId) -> CacheTag {
    CacheTag::with_id("product", id.as_str())
}

/// Tag of a product's popularity. The search index follows it; no page depends on it.
pub fn popularity_tag(id: &ProductId) -> CacheTag {
    CacheTag::with_id("rank", id.as_str())
}

/// The cache tags of these products, and when the first of their prices changes.
pub fn tags_and_expiry<'a>(
    products: impl IntoIterator<Item = (&'a ProductId, &'a VariantTotals)>,
) -> (Vec<CacheTag>, Option<Timestamp>) {
    let mut tags = Vec::new();
    let mut expires_at = None;
    for (id, totals) in products {
        tags.push(product_tag(id));
        expires_at = [expires_at, totals.next_price_change].into_iter().flatten().min();
    }
    (tags, expires_at)
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
        fn the_price_is_constant_until_the_next_price_change(price in prices(), now in 0i64..100) {
            let now = Timestamp(now);
            let until = price.next_price_change(now).map_or(200, |turn| turn.0);
            for later in now.0..until {
                prop_assert_eq!(price.at(Timestamp(later)), price.at(now));
            }
        }
    }

    #[test]
    fn an_offer_includes_its_start_and_excludes_its_end() {
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

//! Products, their variants and categories, and the rule that decides what a variant costs now. The only module that
//! writes `categories`, `products`, `variants` and `past_prices`; it bumps their cache tags in the same transaction.

mod changed_tags;
pub mod export;
pub mod fake_products;
mod http;
mod import;
mod lifecycle;
mod options;
mod past_prices;
mod photo;
mod price;
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
use platform::{Id, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use media::Picture;

pub use http::{cursor_after, router};
pub(crate) use import::import_into;
pub use import::{Import, ImportFormat, ImportSummary, PictureSource, import};
pub use lifecycle::{ProductStatus, PublishProduct};
pub use options::{ChosenOptions, ProductOption, choice_query, is_colour};
pub(crate) use past_prices::delete_expired as delete_expired_prices;
pub use photo::Photo;
pub use price::{CatalogView, FixedPrice, FixedPrices, Price, StoredPrice};
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
    #[serde(skip)]
    #[sqlx(flatten)]
    pub stored: StoredPrice,
    /// The same in the currency of the request.
    #[serde(flatten)]
    #[sqlx(skip)]
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
    /// The class of goods for taxes; empty for the standard one.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub tax_class: String,
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
    /// Whether its variants are values of gift cards; missing where they are not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub gift_card: bool,
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
    #[serde(skip)]
    #[sqlx(flatten)]
    pub stored: StoredPrice,
    /// The same in the currency of the request.
    #[serde(flatten)]
    #[sqlx(skip)]
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

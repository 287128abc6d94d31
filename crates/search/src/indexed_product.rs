//! What is indexed of a product: its texts in all languages, and what it is filtered and sorted by.

use std::collections::BTreeMap;

use platform::db::Json;
use platform::{Currency, Language, Timestamp};
use shop::catalog::{Attribute, CategoryId, ProductId, ProductOption};

#[derive(Clone, Debug, sqlx::FromRow)]
pub struct IndexedProduct {
    pub id: ProductId,
    pub name: String,
    pub brand: String,
    pub category: CategoryId,
    pub tags: Json<Vec<String>>,
    pub options: Json<Vec<ProductOption>>,
    pub attributes: Json<Vec<Attribute>>,
    pub full_description: String,
    /// The lowest present price, in the smallest unit of the base currency.
    pub sort_price: i64,
    pub rating: f64,
    pub popularity: i64,
    pub created_at: Timestamp,
    #[sqlx(skip)]
    pub variants: IndexedVariants,
    /// In the currencies in which it has fixed prices.
    #[sqlx(skip)]
    pub prices: BTreeMap<Currency, ProductPrice>,
    /// Its texts in all other languages.
    #[sqlx(skip)]
    pub translations: Vec<TranslatedProduct>,
}

/// What is indexed of a product's variants.
#[derive(Clone, Debug, Default)]
pub struct IndexedVariants {
    pub skus: Vec<String>,
    /// Whether one of them can be had.
    pub in_stock: bool,
    /// Whether the offer of one of them runs.
    pub on_offer: bool,
}

/// The lowest present prices of a product in a currency in which it has fixed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ProductPrice {
    /// Of the variants with a fixed price, in the smallest unit of the currency.
    pub fixed: Option<i64>,
    /// Of the others, in the smallest unit of the base currency.
    pub converted: Option<i64>,
}

/// A product's texts in another language. What is empty or missing is not translated.
#[derive(Clone, Debug, Default, sqlx::FromRow)]
pub struct TranslatedProduct {
    pub language: Language,
    pub name: String,
    pub tags: Json<Vec<String>>,
    /// By the name in the default language.
    pub option_names: Json<BTreeMap<String, String>>,
    /// By the value in the default language.
    pub option_values: Json<BTreeMap<String, String>>,
    pub attributes: Json<BTreeMap<String, Attribute>>,
    pub full_description: String,
}

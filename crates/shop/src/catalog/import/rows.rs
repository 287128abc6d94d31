//! The rows of an import file: categories and products, the rules that they must obey, and how a product
//! is merged with the stored one.

use std::collections::HashSet;

use platform::db::Json;
use platform::{Amount, Currency, Language, Money, Timestamp};
use serde::{Deserialize, Deserializer};

use super::errors::quoted;
use super::fixed_prices::FixedPriceInputs;
use super::pictures::is_valid_source;
use super::split_fields::SplitFields;
use super::translations::{TranslationInput, TranslationInputs};
use super::variants::{
    MAX_UNITS_SOLD, MAX_WEIGHT, OptionInput, VariantInput, check_stock, options_of,
};
use crate::catalog::options::is_colour;
use crate::catalog::{
    Attribute, CategoryId, MAX_STOCK, Photo, Product, ProductId, ProductOption, ProductStatus,
    StoredPrice,
};
use crate::taxes::TaxClass;

/// Pictures of a product, with those of its variants.
const MAX_PHOTOS: usize = 100;
/// Related products that can be chosen.
const MAX_RELATED: usize = 24;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewCategory {
    #[serde(rename = "_id")]
    pub id: CategoryId,
    pub name: String,
    pub img: String,
    #[serde(skip)]
    pub(super) translations: TranslationInputs,
}

// With `remote`, serde derives functions instead of the trait, which is implemented below.
#[derive(Clone, Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields, rename_all = "camelCase")]
pub struct NewProduct {
    #[serde(rename = "_id")]
    pub id: ProductId,
    pub category: CategoryId,
    pub name: String,
    pub sku: String,
    #[serde(default)]
    pub brand: String,
    /// The class of goods for taxes; empty for the standard one.
    #[serde(default)]
    pub tax_class: String,
    pub img: Json<Vec<Photo>>,
    pub real_price: Amount,
    pub offer_price: Option<Amount>,
    pub sale_start: Option<Timestamp>,
    pub sale_end: Option<Timestamp>,
    /// Accepted and ignored: ratings come from reviews.
    #[serde(default)]
    pub rating: f64,
    /// The stock of a new product's default variant; of an existing one, its stock at `stock_at`.
    pub qtn: Option<i64>,
    /// When `qtn` was counted.
    pub stock_at: Option<Timestamp>,
    /// Added to the stock of an existing product's default variant.
    pub stock_change: Option<i64>,
    #[serde(default)]
    pub barcode: String,
    pub weight: Option<i64>,
    /// Of all its variants that do not say it themselves.
    pub needs_delivery: Option<bool>,
    pub back_order: Option<Timestamp>,
    pub low_stock: Option<i64>,
    #[serde(default = "standard")]
    pub product_type: String,
    #[serde(default)]
    pub full_description: String,
    /// A short form of `options` with colours only.
    pub colours: Option<Vec<String>>,
    pub options: Option<Vec<OptionInput>>,
    /// What is sold; every combination of the options where this is missing.
    pub variants: Option<Vec<VariantInput>>,
    #[serde(default)]
    pub tags: Json<Vec<String>>,
    #[serde(default)]
    pub attributes: Json<Vec<Attribute>>,
    #[serde(default)]
    pub status: ProductStatus,
    /// When a draft becomes active by itself.
    pub publish_at: Option<Timestamp>,
    #[serde(default)]
    pub related: Json<Vec<ProductId>>,
    /// Its variants are values of gift cards.
    #[serde(default)]
    pub gift_card: bool,
    #[serde(default)]
    pub units_sold: i64,
    pub created_at: Option<Timestamp>,
    /// The fields that the file contains; an update leaves the others unchanged.
    #[serde(skip)]
    pub(super) named: HashSet<String>,
    /// The shop's base currency, of its prices.
    #[serde(skip)]
    pub(super) base: Currency,
    #[serde(skip)]
    pub(super) fixed_prices: FixedPriceInputs,
    #[serde(skip)]
    pub(super) translations: TranslationInputs,
}

impl<'de> Deserialize<'de> for NewProduct {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut fixed_prices = FixedPriceInputs::default();
        let row = Self::deserialize(SplitFields { from, reader: &mut fixed_prices })?;
        Ok(Self { fixed_prices, ..row })
    }
}

fn standard() -> String {
    "standard".into()
}

/// A field and what is wrong with it.
pub(super) type FieldError = (&'static str, String);
/// The same for a field with a computed name.
pub(super) type NamedError = (String, String);

pub(super) fn text(
    field: &'static str,
    value: &str,
    min: usize,
    max: usize,
) -> Result<(), FieldError> {
    let length = value.chars().count();
    if value.contains('\0') {
        return Err((field, "must not contain a NUL character".into()));
    }
    if value.trim().chars().count() < min {
        return Err((field, "must not be empty".into()));
    }
    if length > max {
        return Err((field, format!("is {length} characters long, {max} are allowed")));
    }
    Ok(())
}

pub(super) fn texts(
    field: &'static str,
    list: &[String],
    count: usize,
    max: usize,
) -> Result<(), FieldError> {
    if list.len() > count {
        return Err((field, format!("has {} entries, {count} are allowed", list.len())));
    }
    let mut seen = HashSet::new();
    if let Some(twice) = list.iter().find(|value| !seen.insert(*value)) {
        return Err((field, format!("contains {} twice", quoted(twice))));
    }
    list.iter().try_for_each(|value| text(field, value, 1, max))
}

fn picture(field: &'static str, address: &str) -> Result<(), FieldError> {
    text(field, address, 1, 500)?;
    if is_valid_source(address) {
        Ok(())
    } else {
        let expected = "a file beside this one, a URL (https://…), or a path of this shop (/…)";
        Err((field, format!("{address:?} is no picture: expected {expected}")))
    }
}

/// `options`: those of the product, if they are known.
fn photos(photos: &[Photo], options: Option<&[ProductOption]>) -> Result<(), FieldError> {
    let addresses: Vec<String> = photos.iter().map(|photo| photo.src.clone()).collect();
    texts("img", &addresses, MAX_PHOTOS, 500)?;
    if photos.is_empty() {
        return Err(("img", "needs at least one picture".into()));
    }
    for Photo { src, alt, colour, .. } in photos {
        picture("img", src)?;
        text("img", alt, 0, 200)
            .map_err(|(field, why)| (field, format!("alt of {src:?} {why}")))?;
        let colours = options.map(|options| options.iter().find(|option| option.is_colour()));
        if let (Some(colour), Some(known)) = (colour, colours)
            && !known.is_some_and(|known| known.values.contains(colour))
        {
            let why =
                format!("{src:?} shows the colour {colour:?}, which the product does not have");
            return Err(("img", why));
        }
    }
    Ok(())
}

pub(super) fn within(field: &'static str, value: i64, most: i64) -> Result<(), FieldError> {
    if (0..=most).contains(&value) {
        Ok(())
    } else {
        Err((field, format!("{value} is not between 0 and {most}")))
    }
}

impl NewCategory {
    pub(super) fn validate(&self) -> Vec<FieldError> {
        let checks = [text("name", &self.name, 1, 100), picture("img", &self.img)];
        checks.into_iter().filter_map(Result::err).collect()
    }

    /// The errors of its translations, with their fields: `name@bn`.
    pub(super) fn validate_translations(&self) -> Vec<NamedError> {
        let names = self.translations.iter().filter_map(|(language, translation)| {
            let (_, why) = text("name", translation.name.as_deref()?, 0, 100).err()?;
            Some((format!("name@{language}"), why))
        });
        names.collect()
    }
}

impl NewProduct {
    /// Its errors, at most one per field, without those of its variants. `options`: those of the product, if they are
    /// known.
    pub(super) fn validate(&self, options: Option<&[ProductOption]>) -> Vec<FieldError> {
        let checks = [
            text("name", &self.name, 1, 200),
            text("sku", &self.sku, 1, 64),
            text("barcode", &self.barcode, 0, 64),
            text("brand", &self.brand, 0, 100),
            text("productType", &self.product_type, 1, 40),
            text("fullDescription", &self.full_description, 0, 20_000),
            texts("tags", &self.tags, 24, 40),
            photos(&self.img, options),
            self.check_tax_class(),
            self.check_attributes(),
            check_stock(self.qtn, self.stock_at, self.stock_change),
            within("weight", self.weight.unwrap_or(0), MAX_WEIGHT),
            within("lowStock", self.low_stock.unwrap_or(0), MAX_STOCK),
            within("unitsSold", self.units_sold, MAX_UNITS_SOLD),
            self.check_rating(),
            self.check_price(),
            self.check_sale(),
            self.check_related(),
        ];
        checks.into_iter().filter_map(Result::err).collect()
    }

    fn check_tax_class(&self) -> Result<(), FieldError> {
        match self.tax_class.is_empty() {
            true => Ok(()),
            false => self.tax_class.parse::<TaxClass>().map(drop).map_err(|why| ("taxClass", why)),
        }
    }

    /// The options that the row itself has.
    pub(super) fn named_options(&self) -> Result<Option<Vec<ProductOption>>, FieldError> {
        options_of(self)
    }

    /// The errors of its translations, with their fields: `name@bn`. `options`: those of the product, if they are known.
    /// `merged`: whether it has the fields that the file does not contain, so that the lengths of all lists are known.
    pub(super) fn validate_translations(
        &self,
        options: Option<&[ProductOption]>,
        merged: bool,
    ) -> Vec<NamedError> {
        let of_language = |(language, translation): (&Language, &TranslationInput)| {
            let errors = translation.validate(self, options, merged).into_iter();
            let language = *language;
            errors.map(move |(field, why)| (format!("{field}@{language}"), why))
        };
        self.translations.iter().flat_map(of_language).collect()
    }

    fn check_attributes(&self) -> Result<(), FieldError> {
        if self.attributes.len() > 50 {
            return Err(("attributes", "has more than 50 entries".into()));
        }
        let mut names = HashSet::new();
        for Attribute { name, value } in &*self.attributes {
            if !names.insert(name) {
                return Err(("attributes", format!("contains {} twice", quoted(name))));
            }
            text("attributes", name, 1, 80)?;
            text("attributes", value, 1, 500)?;
        }
        Ok(())
    }

    fn check_rating(&self) -> Result<(), FieldError> {
        if (0.0..=5.0).contains(&self.rating) {
            return Ok(());
        }
        Err(("rating", format!("{} is not between 0 and 5", self.rating)))
    }

    fn check_price(&self) -> Result<(), FieldError> {
        check_amount("realPrice", self.real_price, self.base)?;
        if let Some(offer) = self.offer_price {
            check_amount("offerPrice", offer, self.base)?;
        }
        if self.offer_price.is_some_and(|offer| offer > self.real_price) {
            return Err(("offerPrice", "is not between 0 and realPrice".into()));
        }
        Ok(())
    }

    fn check_sale(&self) -> Result<(), FieldError> {
        match (self.sale_start, self.sale_end) {
            (Some(start), Some(end)) if end <= start => {
                Err(("saleEnd", "is not after saleStart".into()))
            }
            _ => Ok(()),
        }
    }

    fn check_related(&self) -> Result<(), FieldError> {
        if self.related.len() > MAX_RELATED {
            let count = self.related.len();
            return Err(("related", format!("has {count} entries, {MAX_RELATED} are allowed")));
        }
        let mut seen = HashSet::from([&self.id]);
        match self.related.iter().find(|id| !seen.insert(*id)) {
            Some(id) if *id == self.id => Err(("related", "contains the product itself".into())),
            Some(twice) => Err(("related", format!("contains {} twice", quoted(twice.as_str())))),
            None => Ok(()),
        }
    }

    /// Publishes a draft whose time has come; only a draft has a time. A published draft is as old as its
    /// publication, unless the file says otherwise.
    pub(super) fn publish_if_due(&mut self, old: Option<&Product>, now: Timestamp) {
        let due = self.publish_at.filter(|at| *at <= now);
        if self.status == ProductStatus::Draft && due.is_some() {
            self.status = ProductStatus::Active;
        }
        if self.status == ProductStatus::Draft {
            return;
        }
        self.publish_at = None;
        let was_draft = old.is_some_and(|old| old.status == ProductStatus::Draft);
        if self.status == ProductStatus::Active && was_draft && !self.has_field("createdAt") {
            self.created_at = Some(due.unwrap_or(now));
        }
    }

    /// Moves the alternative texts in other languages from the photos to the translations.
    pub(super) fn take_photo_translations(&mut self) {
        for Photo { src, alts, .. } in &mut self.img.0 {
            for (language, alt) in std::mem::take(alts) {
                let translation = self.translations.entry(language).or_default();
                translation.alts.insert(src.clone(), alt);
            }
        }
    }

    /// Adds the pictures of variants to the product's.
    pub(super) fn show_variant_pictures(&mut self) {
        for variant in self.variants.iter().flatten() {
            let Some(src) = &variant.img else { continue };
            if src.is_empty() || self.img.0.iter().any(|photo| photo.src == *src) {
                continue;
            }
            let chosen = variant.options.0.iter().find(|(name, _)| is_colour(name));
            let colour = chosen.map(|(_, value)| value.clone());
            self.img.0.push(Photo { src: src.clone(), colour, ..Photo::default() });
        }
    }

    /// Adds a variant from a further row of a CSV file, with its pictures.
    pub(super) fn add_variant(&mut self, variant: VariantInput, photos: Vec<Photo>) {
        for photo in photos {
            if self.img.iter().all(|one| one.src != photo.src) {
                self.img.0.push(photo);
            }
        }
        match &mut self.variants {
            Some(variants) => variants.push(variant),
            // Without options in the first row, the product itself is listed as a variant without values.
            None => {
                let first = VariantInput { line: variant.line, ..VariantInput::default() };
                self.variants = Some(vec![first, variant]);
            }
        }
    }

    /// Whether the file contains this field, even with a null value.
    pub(super) fn has_field(&self, field: &str) -> bool {
        self.named.contains(field)
    }

    pub fn price(&self) -> StoredPrice {
        let money = |amount: Amount| self.money(amount);
        let offer = self.offer_price.map(money);
        let price = StoredPrice::new(money(self.real_price), offer, self.sale_start, self.sale_end);
        StoredPrice { fixed_prices: Json(self.fixed_prices.prices()), ..price }
    }

    /// An amount of the row that is checked.
    pub(super) fn money(&self, amount: Amount) -> Money {
        amount.of(self.base).unwrap_or(Money::zero(self.base))
    }

    /// The updated product: fields that the file contains, over the stored ones. Its variants are planned by `plan`.
    pub(super) fn merged_with(&self, old: &Product) -> Self {
        let mut new = self.clone();
        let named = |field: &str| self.has_field(field);
        keep_unless(named("brand"), &mut new.brand, &old.brand);
        keep_unless(named("taxClass"), &mut new.tax_class, &old.tax_class);
        let StoredPrice { real_price, offer_price, .. } = old.stored;
        let offer = (offer_price < real_price).then(|| offer_price.of(self.base).into());
        keep_unless(named("offerPrice"), &mut new.offer_price, &offer);
        keep_unless(named("saleStart"), &mut new.sale_start, &old.stored.sale_start);
        keep_unless(named("saleEnd"), &mut new.sale_end, &old.stored.sale_end);
        keep_unless(named("productType"), &mut new.product_type, &old.product_type);
        keep_unless(named("fullDescription"), &mut new.full_description, &old.full_description);
        keep_unless(named("tags"), &mut new.tags, &old.tags);
        keep_unless(named("attributes"), &mut new.attributes, &old.attributes);
        keep_unless(named("status"), &mut new.status, &old.status);
        keep_unless(named("publishAt"), &mut new.publish_at, &old.publish_at);
        keep_unless(named("related"), &mut new.related, &old.related);
        keep_unless(named("giftCard"), &mut new.gift_card, &old.gift_card);
        keep_unless(named("createdAt"), &mut new.created_at, &Some(old.created_at));
        // A photo given by URL alone keeps its stored alternative text and colour.
        for photo in new.img.0.iter_mut().filter(|photo| photo.has_src_only()) {
            if let Some(known) = old.img.iter().find(|known| known.src == photo.src) {
                photo.alt.clone_from(&known.alt);
                photo.colour.clone_from(&known.colour);
            }
        }
        new
    }

    /// Drops colours that photos of the row had before, and that the product does not have any more.
    pub(super) fn drop_unknown_colours(&mut self, row: &Self, options: &[ProductOption]) {
        let known = options.iter().find(|option| option.is_colour());
        for photo in &mut self.img.0 {
            let given = row.img.iter().find(|given| given.src == photo.src);
            let is_kept = given.is_none_or(|given| given.colour.is_none());
            let is_known =
                |colour: &String| known.is_some_and(|known| known.values.contains(colour));
            photo.colour = photo.colour.take().filter(|colour| !is_kept || is_known(colour));
        }
    }

    /// Whether nothing but its variants changes.
    pub(super) fn same_as(&self, options: &[ProductOption], old: &Product) -> bool {
        self.category == old.category
            && self.name == old.name
            && self.brand == old.brand
            && self.tax_class == old.tax_class
            && self.img == old.img
            && self.product_type == old.product_type
            && self.full_description == old.full_description
            && *options == *old.options
            && self.tags == old.tags
            && self.attributes == old.attributes
            && self.status == old.status
            && self.publish_at == old.publish_at
            && self.related == old.related
            && self.gift_card == old.gift_card
            && self.created_at == Some(old.created_at)
    }
}

/// Refuses a negative amount, and one with more decimals than its currency has.
pub(super) fn check_amount(
    field: &'static str,
    amount: Amount,
    currency: Currency,
) -> Result<(), FieldError> {
    if amount < Amount::ZERO {
        return Err((field, "must not be negative".into()));
    }
    match amount.of(currency) {
        Some(_) => Ok(()),
        None => Err((field, format!("{amount} has more decimals than {currency}"))),
    }
}

/// The stored value of a field that the file does not name.
fn keep_unless<T: Clone>(named: bool, new: &mut T, old: &T) {
    if !named {
        new.clone_from(old);
    }
}

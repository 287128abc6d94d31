//! The rows of an import file: categories and products, the rules that they must obey, and how a product
//! is merged with the stored one.

use std::collections::HashSet;

use platform::db::Json;
use platform::{Language, Money, Timestamp};
use serde::Deserialize;

use super::errors::quoted;
use super::pictures::is_valid_source;
use super::stock::{StockInput, StockLevel};
use super::translations::{TranslationInput, TranslationInputs};
use crate::catalog::{
    Attribute, CategoryId, MAX_STOCK, Photo, Price, Product, ProductId, ProductStatus,
};

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

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct NewProduct {
    #[serde(rename = "_id")]
    pub id: ProductId,
    pub category: CategoryId,
    pub name: String,
    pub sku: String,
    #[serde(default)]
    pub brand: String,
    pub img: Json<Vec<Photo>>,
    pub real_price: Money,
    pub offer_price: Option<Money>,
    pub sale_start: Option<Timestamp>,
    pub sale_end: Option<Timestamp>,
    /// Accepted and ignored: ratings come from reviews.
    #[serde(default)]
    pub rating: f64,
    /// The stock of a new product; of an existing one, its stock at `stock_at`.
    pub qtn: Option<i64>,
    /// When `qtn` was counted.
    pub stock_at: Option<Timestamp>,
    /// Added to the stock of an existing product.
    pub stock_change: Option<i64>,
    #[serde(default = "standard")]
    pub product_type: String,
    #[serde(default)]
    pub full_description: String,
    #[serde(default)]
    pub colours: Json<Vec<String>>,
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
    #[serde(default)]
    pub units_sold: i64,
    pub created_at: Option<Timestamp>,
    /// The fields that the file contains; an update leaves the others unchanged.
    #[serde(skip)]
    pub(super) named: HashSet<String>,
    #[serde(skip)]
    pub(super) translations: TranslationInputs,
}

fn standard() -> String {
    "standard".into()
}

/// A field and what is wrong with it.
pub(super) type FieldError = (&'static str, String);

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

fn photos(photos: &[Photo], colours: &[String]) -> Result<(), FieldError> {
    let addresses: Vec<String> = photos.iter().map(|photo| photo.src.clone()).collect();
    texts("img", &addresses, 24, 500)?;
    if photos.is_empty() {
        return Err(("img", "needs at least one picture".into()));
    }
    for Photo { src, alt, colour, .. } in photos {
        picture("img", src)?;
        text("img", alt, 0, 200)
            .map_err(|(field, why)| (field, format!("alt of {src:?} {why}")))?;
        if let Some(colour) = colour
            && !colours.contains(colour)
        {
            let why = format!("{src:?} shows the colour {colour:?}, which colours does not name");
            return Err(("img", why));
        }
    }
    Ok(())
}

fn within(field: &'static str, value: i64, most: i64) -> Result<(), FieldError> {
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
    pub(super) fn validate_translations(&self) -> Vec<(String, String)> {
        let names = self.translations.iter().filter_map(|(language, translation)| {
            let (_, why) = text("name", translation.name.as_deref()?, 0, 100).err()?;
            Some((format!("name@{language}"), why))
        });
        names.collect()
    }
}

impl NewProduct {
    /// Its errors, at most one per field.
    pub(super) fn validate(&self) -> Vec<FieldError> {
        let checks = [
            text("name", &self.name, 1, 200),
            text("sku", &self.sku, 1, 64),
            text("brand", &self.brand, 0, 100),
            text("productType", &self.product_type, 1, 40),
            text("fullDescription", &self.full_description, 0, 20_000),
            texts("colours", &self.colours, 24, 40),
            texts("tags", &self.tags, 24, 40),
            photos(&self.img, &self.colours),
            self.check_attributes(),
            self.check_stock(),
            within("unitsSold", self.units_sold, 1_000_000_000_000),
            self.check_rating(),
            self.check_price(),
            self.check_sale(),
            self.check_related(),
        ];
        checks.into_iter().filter_map(Result::err).collect()
    }

    /// The errors of its translations, with their fields: `name@bn`. `merged`: whether it has the fields
    /// that the file does not contain, so that the lengths of all lists are known.
    pub(super) fn validate_translations(&self, merged: bool) -> Vec<(String, String)> {
        let of_language = |(language, translation): (&Language, &TranslationInput)| {
            let errors = translation.validate(self, merged).into_iter();
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

    fn check_stock(&self) -> Result<(), FieldError> {
        within("qtn", self.qtn.unwrap_or(0), MAX_STOCK)?;
        match (self.qtn, self.stock_at, self.stock_change) {
            (Some(_), _, Some(_)) => {
                Err(("stockChange", "a row has qtn or stockChange, not both".into()))
            }
            (None, Some(_), _) => {
                Err(("stockAt", "says when qtn was counted, and there is no qtn".into()))
            }
            (_, _, Some(by)) if by.abs() > MAX_STOCK => {
                Err(("stockChange", format!("{by} is not between -{MAX_STOCK} and {MAX_STOCK}")))
            }
            _ => Ok(()),
        }
    }

    fn check_rating(&self) -> Result<(), FieldError> {
        if (0.0..=5.0).contains(&self.rating) {
            return Ok(());
        }
        Err(("rating", format!("{} is not between 0 and 5", self.rating)))
    }

    fn check_price(&self) -> Result<(), FieldError> {
        if self.real_price < Money::ZERO {
            return Err(("realPrice", "must not be negative".into()));
        }
        if self.offer_price.is_some_and(|offer| offer < Money::ZERO || offer > self.real_price) {
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

    /// Whether the file contains this field, even with a null value.
    pub(super) fn has_field(&self, field: &str) -> bool {
        self.named.contains(field)
    }

    /// What the row says about the stock of an existing product.
    pub(super) fn stock_input(&self, file_stock_at: Option<Timestamp>) -> StockInput {
        match (self.qtn, self.stock_change, self.stock_at.or(file_stock_at)) {
            (_, Some(by), _) => StockInput::Change(by),
            (Some(_), _, Some(time)) => StockInput::CountedAt(time),
            (Some(_), _, None) => StockInput::Undated,
            (None, None, _) => StockInput::Nothing,
        }
    }

    pub fn price(&self) -> Price {
        Price::new(self.real_price, self.offer_price, self.sale_start, self.sale_end)
    }

    /// The updated product: fields that the file contains, over the stored ones.
    pub(super) fn merged_with(&self, old: &Product, stock: StockLevel) -> Self {
        let mut new = self.clone();
        new.qtn = Some(stock.qtn);
        (new.stock_at, new.stock_change) = (None, None);
        new.units_sold = stock.units_sold;
        let named = |field: &str| self.has_field(field);
        keep_unless(named("brand"), &mut new.brand, &old.brand);
        let offer = Some(old.price.offer_price).filter(|offer| *offer < old.price.real_price);
        keep_unless(named("offerPrice"), &mut new.offer_price, &offer);
        keep_unless(named("saleStart"), &mut new.sale_start, &old.price.sale_start);
        keep_unless(named("saleEnd"), &mut new.sale_end, &old.price.sale_end);
        keep_unless(named("productType"), &mut new.product_type, &old.product_type);
        keep_unless(named("fullDescription"), &mut new.full_description, &old.full_description);
        keep_unless(named("colours"), &mut new.colours, &old.colours);
        keep_unless(named("tags"), &mut new.tags, &old.tags);
        keep_unless(named("attributes"), &mut new.attributes, &old.attributes);
        keep_unless(named("status"), &mut new.status, &old.status);
        keep_unless(named("publishAt"), &mut new.publish_at, &old.publish_at);
        keep_unless(named("related"), &mut new.related, &old.related);
        keep_unless(named("createdAt"), &mut new.created_at, &Some(old.created_at));
        // A photo given by URL alone keeps its stored alternative text and colour.
        for photo in new.img.0.iter_mut().filter(|photo| photo.has_src_only()) {
            if let Some(known) = old.img.iter().find(|known| known.src == photo.src) {
                photo.alt.clone_from(&known.alt);
                photo.colour = known.colour.clone().filter(|colour| new.colours.contains(colour));
            }
        }
        new
    }

    /// Whether only the stock changes, by which no list is sorted.
    pub fn same_except_stock(&self, old: &Product) -> bool {
        self.same_as(&Product { qtn: self.qtn.unwrap_or(old.qtn), ..old.clone() })
    }

    pub fn same_as(&self, old: &Product) -> bool {
        let price = self.price();
        price.real_price == old.price.real_price
            && price.offer_price == old.price.offer_price
            && price.sale_start == old.price.sale_start
            && price.sale_end == old.price.sale_end
            && self.category == old.category
            && self.name == old.name
            && self.sku == old.sku
            && self.brand == old.brand
            && self.img == old.img
            && self.qtn == Some(old.qtn)
            && self.product_type == old.product_type
            && self.full_description == old.full_description
            && self.colours == old.colours
            && self.tags == old.tags
            && self.attributes == old.attributes
            && self.status == old.status
            && self.publish_at == old.publish_at
            && self.related == old.related
            && self.units_sold == old.units_sold
            && self.created_at == Some(old.created_at)
    }
}

/// The stored value of a field that the file does not name.
fn keep_unless<T: Clone>(named: bool, new: &mut T, old: &T) {
    if !named {
        new.clone_from(old);
    }
}

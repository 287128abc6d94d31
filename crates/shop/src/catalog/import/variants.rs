//! Options and variants in an import file, and the variants that a product results in: those of the file matched with
//! the stored ones. Pure functions.

use std::collections::{BTreeMap, HashSet};

use platform::db::Json;
use platform::{Amount, Currency, Id, MinorUnits, Timestamp};
use serde::{Deserialize, Deserializer};

use super::errors::quoted;
use super::fixed_prices::{FixedPriceInputs, check_offers};
use super::rows::{FieldError, NamedError, NewProduct, check_amount, text, texts, within};
use super::split_fields::SplitFields;
use super::stock::StockInput;
use crate::catalog::options::{MAX_OPTIONS, MAX_VALUES, MAX_VARIANTS, param_of};
use crate::catalog::variants::{VariantStatus, default_variant};
use crate::catalog::{
    ChosenOptions, MAX_STOCK, Price, Product, ProductId, ProductOption, StoredPrice, Variant,
    VariantId,
};

/// The name of the option that `colours` stands for.
pub const COLOUR: &str = "Colour";
const MAX_VALUE_LEN: usize = 40;
/// 100 tonnes, in grams.
pub(super) const MAX_WEIGHT: i64 = 100_000_000;
pub(super) const MAX_UNITS_SOLD: i64 = 1_000_000_000_000;
/// Parameters of a product's page that are no options.
const RESERVED_PARAMS: [&str; 4] = ["variant", "sort", "reviews", "currency"];

/// An option: its name, and its values with optional swatches.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionInput {
    pub name: String,
    pub values: Vec<ValueInput>,
}

/// `"Ink"` or `{"name": "Ink", "swatch": "#23283a"}`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum ValueInput {
    Name(String),
    WithSwatch { name: String, swatch: Option<String> },
}

impl ValueInput {
    pub fn name(&self) -> &str {
        match self {
            Self::Name(name) | Self::WithSwatch { name, .. } => name,
        }
    }

    fn swatch(&self) -> Option<&String> {
        match self {
            Self::Name(_) => None,
            Self::WithSwatch { swatch, .. } => swatch.as_ref(),
        }
    }
}

impl From<&OptionInput> for ProductOption {
    fn from(OptionInput { name, values }: &OptionInput) -> Self {
        let swatches: Vec<Option<String>> =
            values.iter().map(|value| value.swatch().cloned()).collect();
        Self {
            name: name.clone(),
            values: values.iter().map(|value| value.name().to_owned()).collect(),
            swatches: if swatches.iter().any(Option::is_some) { swatches } else { Vec::new() },
            ..Self::default()
        }
    }
}

/// A variant in a file. What it leaves out is as before, or the product's.
// With `remote`, serde derives functions instead of the trait, which is implemented below.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields, default, rename_all = "camelCase")]
pub struct VariantInput {
    #[serde(rename = "_id")]
    pub id: Option<VariantId>,
    pub options: ChosenOptions,
    pub sku: Option<String>,
    pub barcode: Option<String>,
    pub real_price: Option<Amount>,
    pub offer_price: Option<Amount>,
    pub sale_start: Option<Timestamp>,
    pub sale_end: Option<Timestamp>,
    pub qtn: Option<i64>,
    pub stock_at: Option<Timestamp>,
    pub stock_change: Option<i64>,
    #[serde(deserialize_with = "named")]
    pub weight: Option<Option<i64>>,
    pub needs_delivery: Option<bool>,
    pub img: Option<String>,
    /// Null: not sold when it is out of stock.
    #[serde(deserialize_with = "named")]
    pub back_order: Option<Option<Timestamp>>,
    #[serde(deserialize_with = "named")]
    pub low_stock: Option<Option<i64>>,
    pub units_sold: Option<i64>,
    #[serde(skip)]
    pub fixed_prices: FixedPriceInputs,
    /// Its line in a CSV file.
    #[serde(skip)]
    pub line: Option<usize>,
}

impl<'de> Deserialize<'de> for VariantInput {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut fixed_prices = FixedPriceInputs::default();
        let input = Self::deserialize(SplitFields { from, reader: &mut fixed_prices })?;
        Ok(Self { fixed_prices, ..input })
    }
}

/// Tells a field that is null from one that is missing.
fn named<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// What is wrong with a variant, and its line in a CSV file.
#[derive(Debug, PartialEq)]
pub struct VariantError {
    pub line: Option<usize>,
    pub field: String,
    pub why: String,
}

impl From<FieldError> for VariantError {
    fn from((field, why): FieldError) -> Self {
        Self { line: None, field: field.into(), why }
    }
}

impl VariantInput {
    fn error(&self, (field, why): (impl Into<String>, String)) -> VariantError {
        let field = field.into();
        let named = match self.options.text() {
            text if self.line.is_some() || text.is_empty() => String::new(),
            text => format!("{text}: {field}: "),
        };
        let field = if self.line.is_some() { field } else { "variants".into() };
        VariantError { line: self.line, field, why: format!("{named}{why}") }
    }

    fn check(&self, base: Currency) -> Result<(), FieldError> {
        text("sku", self.sku.as_deref().unwrap_or_default(), 0, 64)?;
        text("barcode", self.barcode.as_deref().unwrap_or_default(), 0, 64)?;
        check_stock(self.qtn, self.stock_at, self.stock_change)?;
        within("weight", self.weight.flatten().unwrap_or(0), MAX_WEIGHT)?;
        within("lowStock", self.low_stock.flatten().unwrap_or(0), MAX_STOCK)?;
        within("unitsSold", self.units_sold.unwrap_or(0), MAX_UNITS_SOLD)?;
        for (field, amount) in [("realPrice", self.real_price), ("offerPrice", self.offer_price)] {
            amount.map_or(Ok(()), |amount| check_amount(field, amount, base))?;
        }
        if !self.has_price() && (self.sale_start.is_some() || self.sale_end.is_some()) {
            return Err((
                "saleStart",
                "needs a price: an offer of the product is the product's".into(),
            ));
        }
        Ok(())
    }

    fn has_price(&self) -> bool {
        self.real_price.is_some() || self.offer_price.is_some()
    }
}

pub(super) fn check_stock(
    qtn: Option<i64>,
    stock_at: Option<Timestamp>,
    stock_change: Option<i64>,
) -> Result<(), FieldError> {
    // Below 0 are units on back-order, which `plan` allows or not.
    within("qtn", qtn.unwrap_or(0).abs(), MAX_STOCK)?;
    match (qtn, stock_at, stock_change) {
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

/// The options in a row, checked; `None` where it has none of these fields.
pub(super) fn options_of(row: &NewProduct) -> Result<Option<Vec<ProductOption>>, FieldError> {
    match (&row.options, &row.colours) {
        (Some(_), Some(_)) => Err(("colours", "a row has options or colours, not both".into())),
        (Some(options), None) => {
            let options: Vec<ProductOption> = options.iter().map(ProductOption::from).collect();
            check_options(&options)?;
            Ok(Some(options))
        }
        (None, Some(colours)) => {
            texts("colours", colours, MAX_VALUES, MAX_VALUE_LEN)?;
            let colour = ProductOption {
                name: COLOUR.into(),
                values: colours.clone(),
                ..ProductOption::default()
            };
            Ok(Some(if colours.is_empty() { Vec::new() } else { vec![colour] }))
        }
        (None, None) => Ok(None),
    }
}

fn check_options(options: &[ProductOption]) -> Result<(), FieldError> {
    if options.len() > MAX_OPTIONS {
        let count = options.len();
        return Err(("options", format!("has {count} options, {MAX_OPTIONS} are allowed")));
    }
    let mut params = HashSet::new();
    for option in options {
        text("options", &option.name, 1, MAX_VALUE_LEN)?;
        let param = param_of(&option.name);
        if RESERVED_PARAMS.contains(&param.as_str()) {
            return Err(("options", format!("{} is not possible as a name", quoted(&option.name))));
        }
        if !params.insert(param) {
            return Err(("options", format!("contains {} twice", quoted(&option.name))));
        }
        if option.values.is_empty() {
            return Err(("options", format!("{} has no values", quoted(&option.name))));
        }
        texts("options", &option.values, MAX_VALUES, MAX_VALUE_LEN)?;
        let wrong = option.swatches.iter().flatten().find(|swatch| !is_swatch(swatch));
        if let Some(wrong) = wrong {
            let why = format!("{} is no colour such as #23283a", quoted(wrong));
            return Err(("options", why));
        }
    }
    Ok(())
}

fn is_swatch(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A product as an import leaves it, with the stock that its variants have now.
pub(super) struct PlannedProduct {
    pub product: NewProduct,
    pub options: Vec<ProductOption>,
    /// Those that are sold, in their order.
    pub variants: Vec<PlannedVariant>,
    /// Those that are not sold any more, and were.
    pub archived: Vec<VariantId>,
}

pub(super) struct PlannedVariant {
    pub variant: Variant,
    pub old: Option<Variant>,
    pub stock: StockInput,
    /// What the file says: the stock, and the units sold at that time.
    pub counted: Option<i64>,
    pub units_sold: Option<i64>,
    pub line: Option<usize>,
}

impl PlannedVariant {
    pub fn is_changed(&self) -> bool {
        self.old.as_ref() != Some(&self.variant)
    }

    /// Whether more than the stock changes.
    pub fn is_rewritten(&self) -> bool {
        let Some(old) = &self.old else { return true };
        let Variant { qtn, units_sold, .. } = *old;
        Variant { qtn, units_sold, ..self.variant.clone() } != *old
    }

    /// An error of this variant.
    pub fn error(&self, (field, why): (impl Into<String>, String)) -> VariantError {
        let text = self.variant.options.join(", ");
        let named =
            if self.line.is_some() || text.is_empty() { String::new() } else { text + ": " };
        VariantError { line: self.line, field: field.into(), why: format!("{named}{why}") }
    }
}

type StoredProduct = (Product, Vec<Variant>);

/// A variant that the row describes: its values, and the input if the row lists it.
struct Listed<'r> {
    values: Vec<String>,
    input: Option<&'r VariantInput>,
}

impl NewProduct {
    /// The product and the variants that this row results in.
    pub(super) fn plan(
        &self,
        old: Option<&StoredProduct>,
        file_stock_at: Option<Timestamp>,
    ) -> Result<PlannedProduct, VariantError> {
        let mut product = old.map_or_else(|| self.clone(), |(old, _)| self.merged_with(old));
        let fixed_prices = old.map(|(old, _)| old.stored.fixed_prices.0.clone());
        product.fixed_prices.complete(&fixed_prices.unwrap_or_default());
        if let Some((field, why)) = product.fixed_prices.validate().into_iter().next() {
            return Err(VariantError { line: None, field, why });
        }
        let old_options: &[ProductOption] = old.map_or(&[], |(old, _)| &old.options);
        let old_variants: &[Variant] = old.map_or(&[], |(_, variants)| variants);
        let given = options_of(self)?;
        if self.colours.is_some() && old_options.iter().any(|option| !option.is_colour()) {
            let why = "the product has other options; describe them with options and variants";
            return Err(("colours", why.to_owned()).into());
        }
        for input in self.variants.iter().flatten() {
            input.check(self.base).map_err(|why| input.error(why))?;
            if let Some(error) = input.fixed_prices.validate().into_iter().next() {
                return Err(input.error(error));
            }
        }
        let mut options = self.options_with_variants(given.clone(), old_options);
        check_options(&options)?;
        let unchanged = given.is_none_or(|given| same_choices(&given, old_options));
        let listed = match &self.variants {
            Some(inputs) => listed_variants(inputs, &options)?,
            None if old.is_some() && unchanged => old_variants
                .iter()
                .filter(|variant| variant.status == VariantStatus::Active)
                .map(|variant| Listed { values: variant.options.0.clone(), input: None })
                .collect(),
            None => combinations(&options)?,
        };
        let matched = match_variants(&self.id, (&listed, &options), (old_variants, old_options))?;
        let mut used_ids: HashSet<VariantId> =
            old_variants.iter().map(|variant| variant.id.clone()).collect();
        used_ids.extend(listed.iter().filter_map(|listed| listed.input?.id.clone()));
        let mut variants = Vec::with_capacity(listed.len());
        for (position, (Listed { values, input }, matched)) in
            listed.iter().zip(&matched).enumerate()
        {
            let id = match matched {
                Matched::Old(place) => old_variants[*place].id.clone(),
                Matched::Default => default_variant(&self.id),
                Matched::New => {
                    let chosen = input.and_then(|input| input.id.clone());
                    chosen.unwrap_or_else(|| new_id(&self.id, values, &used_ids))
                }
            };
            used_ids.insert(id.clone());
            let old_variant = old_variants.iter().find(|variant| variant.id == id);
            let empty = VariantInput::default();
            let input = input.unwrap_or(&empty);
            // A row that lists its variants says what they cost.
            let old_price = old.map(|(old, _)| &old.stored).filter(|_| self.variants.is_none());
            let mut planned = self.planned_variant(
                &product,
                (id, position, values),
                (input, old_variant),
                old_price,
            )?;
            planned.stock = stock_input(&planned, input, self, file_stock_at);
            if product.gift_card {
                planned.sell_without_end();
                planned.check_value().map_err(|why| planned.error(why))?;
            }
            planned.check_price().map_err(|why| planned.error(why))?;
            let fixed_prices = &planned.variant.stored.fixed_prices;
            check_offers(fixed_prices).map_err(|why| planned.error(why))?;
            planned.check_count().map_err(|why| planned.error(why))?;
            variants.push(planned);
        }
        if old.is_none() && variants.iter().all(|variant| variant.counted.is_none()) {
            return Err(("qtn", "is missing: a new product needs its stock".to_owned()).into());
        }
        drop_unused_values(&mut options, &variants);
        check_skus(&variants)?;
        let kept: HashSet<&VariantId> =
            variants.iter().map(|planned| &planned.variant.id).collect();
        let default = old_variants.iter().find(|one| one.id == default_variant(&self.id));
        if let Some(default) = default.filter(|default| !kept.contains(&default.id)) {
            let values = default.options.join(", ");
            let why = format!(
                "{values} is missing: it is the default variant, which has the product's id and stays; \
                 with \"qtn\": 0 it is sold out"
            );
            return Err(("variants", why).into());
        }
        let archived = old_variants
            .iter()
            .filter(|variant| {
                variant.status == VariantStatus::Active && !kept.contains(&variant.id)
            })
            .map(|variant| variant.id.clone())
            .collect();
        Ok(PlannedProduct { product, options, variants, archived })
    }

    /// The options of the result: those of the row; else, where its variants name the same options, the stored ones with
    /// the new values; else the values in the order in which the variants name them.
    fn options_with_variants(
        &self,
        given: Option<Vec<ProductOption>>,
        old: &[ProductOption],
    ) -> Vec<ProductOption> {
        if let Some(given) = given {
            return given;
        }
        let Some(inputs) = &self.variants else { return old.to_vec() };
        let mut named: Vec<ProductOption> = Vec::new();
        for (name, value) in inputs.iter().flat_map(|input| &input.options.0) {
            let known = named.iter().position(|option| option.name == *name);
            let place = known.unwrap_or(named.len());
            if known.is_none() {
                named.push(ProductOption { name: name.clone(), ..ProductOption::default() });
            }
            if !named[place].values.contains(value) {
                named[place].values.push(value.clone());
            }
        }
        let of_name = |name: &str| named.iter().find(|option| option.name == name);
        if named.len() != old.len() || !old.iter().all(|option| of_name(&option.name).is_some()) {
            return named;
        }
        let mut options = old.to_vec();
        for option in &mut options {
            let named = of_name(&option.name).map(|named| named.values.as_slice());
            let new = named.unwrap_or_default().iter();
            let new: Vec<String> =
                new.filter(|value| !option.values.contains(value)).cloned().collect();
            if !option.swatches.is_empty() {
                option.swatches.extend(new.iter().map(|_| None));
            }
            option.values.extend(new);
        }
        options
    }

    fn planned_variant(
        &self,
        product: &Self,
        (id, position, values): (VariantId, usize, &[String]),
        (input, old): (&VariantInput, Option<&Variant>),
        old_price: Option<&StoredPrice>,
    ) -> Result<PlannedVariant, VariantError> {
        let is_default = id == default_variant(&self.id);
        // What the product says of its only, or its default, variant.
        let own = |field: &str| is_default && self.has_field(field);
        let old_or = |default: &str, of: fn(&Variant) -> &String| {
            old.map_or_else(|| default.to_owned(), |old| of(old).clone())
        };
        let sku = match (&input.sku, is_default) {
            (Some(sku), _) => sku.clone(),
            (None, true) => product.sku.clone(),
            (None, false) => old_or("", |old| &old.sku),
        };
        let barcode = match &input.barcode {
            Some(barcode) => barcode.clone(),
            None if own("barcode") => self.barcode.clone(),
            None => old_or("", |old| &old.barcode),
        };
        let pick = |named: Option<Option<i64>>, field: &str, row: Option<i64>, old: Option<i64>| {
            named.unwrap_or(if own(field) { row } else { old })
        };
        let as_millis = |time: Option<Timestamp>| time.map(|time| time.0);
        let variant = Variant {
            product: self.id.clone(),
            position: position as i64,
            sku,
            chosen: ChosenOptions::default(),
            options: Json(values.to_vec()),
            stored: price(product, input, old, old_price).map_err(|why| input.error(why))?,
            price: Price::default(),
            qtn: old.map_or(0, |old| old.qtn),
            img: input.img.clone().unwrap_or_else(|| old_or("", |old| &old.img)),
            back_order: pick(
                input.back_order.map(as_millis),
                "backOrder",
                as_millis(self.back_order),
                old.and_then(|old| as_millis(old.back_order)),
            )
            .map(Timestamp),
            barcode,
            weight: pick(input.weight, "weight", self.weight, old.and_then(|old| old.weight)),
            needs_delivery: !product.gift_card
                && input
                    .needs_delivery
                    .or(self.needs_delivery)
                    .unwrap_or(old.is_none_or(|old| old.needs_delivery)),
            low_stock: pick(
                input.low_stock,
                "lowStock",
                self.low_stock,
                old.and_then(|old| old.low_stock),
            ),
            status: VariantStatus::Active,
            units_sold: old.map_or(0, |old| old.units_sold),
            id,
        };
        Ok(PlannedVariant {
            variant,
            old: old.cloned(),
            stock: StockInput::Nothing,
            counted: input.qtn.or(self.qtn.filter(|_| is_default)),
            units_sold: input.units_sold.or((own("unitsSold")).then_some(self.units_sold)),
            line: input.line,
        })
    }
}

/// A variant with a price of its own has its own offer, or none, and not the product's fixed prices; it keeps the fixed
/// list prices that the file does not contain. `old_price`: the product's, where variants that cost something else keep
/// their price.
fn price(
    product: &NewProduct,
    input: &VariantInput,
    old: Option<&Variant>,
    old_price: Option<&StoredPrice>,
) -> Result<StoredPrice, NamedError> {
    let mut price = match (old, old_price) {
        _ if input.has_price() => {
            let real = product.money(input.real_price.unwrap_or(product.real_price));
            let offer = input.offer_price.map(|offer| product.money(offer));
            let mut fixed_prices =
                old.map(|old| old.stored.fixed_prices.clone()).unwrap_or_default();
            fixed_prices.0.values_mut().for_each(|price| price.offer = price.real);
            let price = StoredPrice::new(real, offer, input.sale_start, input.sale_end);
            StoredPrice { fixed_prices, ..price }
        }
        (Some(old), Some(of_product)) => price_as_before(product.price(), &old.stored, of_product),
        _ => product.price(),
    };
    input.fixed_prices.apply_to_variant(&mut price.fixed_prices.0, input.has_price())?;
    Ok(price)
}

/// The product's new price, or what differed from the product's: the whole price, or the price in a currency.
fn price_as_before(new: StoredPrice, old: &StoredPrice, of_product: &StoredPrice) -> StoredPrice {
    let without_fixed =
        |price: &StoredPrice| StoredPrice { fixed_prices: Json::default(), ..price.clone() };
    if without_fixed(old) != without_fixed(of_product) {
        return old.clone();
    }
    let mut price = new;
    for currency in old.fixed_prices.keys().chain(of_product.fixed_prices.keys()) {
        let own = old.fixed_prices.get(currency);
        if own != of_product.fixed_prices.get(currency) {
            match own {
                Some(own) => price.fixed_prices.0.insert(*currency, *own),
                None => price.fixed_prices.0.remove(currency),
            };
        }
    }
    price
}

/// What the file says about the stock of a variant; of the default one, the product's own fields say it too.
fn stock_input(
    planned: &PlannedVariant,
    input: &VariantInput,
    row: &NewProduct,
    file_stock_at: Option<Timestamp>,
) -> StockInput {
    let is_default = planned.variant.id == default_variant(&row.id);
    let of_row = is_default && input.qtn.is_none() && input.stock_change.is_none();
    let change = input.stock_change.or(row.stock_change.filter(|_| of_row));
    let stock_at = input.stock_at.or(row.stock_at).or(file_stock_at);
    match (planned.counted, change, stock_at) {
        (_, Some(by), _) => StockInput::Change(by),
        (Some(_), _, Some(time)) => StockInput::CountedAt(time),
        (Some(_), _, None) => StockInput::Undated,
        (None, None, _) => StockInput::Nothing,
    }
}

impl PlannedVariant {
    /// The least stock: below 0 are units that were sold before they came in.
    fn least_stock(&self) -> i64 {
        match self.variant.back_order {
            Some(_) => -MAX_STOCK,
            None => self.old.as_ref().map_or(0, |old| old.qtn.min(0)),
        }
    }

    fn check_count(&self) -> Result<(), FieldError> {
        match self.counted {
            Some(qtn) if qtn < self.least_stock() => {
                Err(("qtn", format!("{qtn} is not between {} and {MAX_STOCK}", self.least_stock())))
            }
            _ => Ok(()),
        }
    }

    /// A gift card is sold without end: whatever the file says, it has the largest stock, and gets it again when half of
    /// it is sold.
    fn sell_without_end(&mut self) {
        self.counted = self.old.is_none().then_some(MAX_STOCK);
        self.stock = match &self.old {
            None => StockInput::Undated,
            Some(old) if old.qtn < MAX_STOCK / 2 => StockInput::Change(MAX_STOCK - old.qtn),
            Some(_) => StockInput::Nothing,
        };
    }

    /// A gift card is worth its price.
    fn check_value(&self) -> Result<(), FieldError> {
        let StoredPrice { real_price, offer_price, .. } = self.variant.stored;
        match real_price.min(offer_price) > MinorUnits(0) {
            true => Ok(()),
            false => Err(("realPrice", "must be above 0: a gift card is worth its price".into())),
        }
    }

    fn check_price(&self) -> Result<(), FieldError> {
        let StoredPrice { real_price, offer_price, sale_start, sale_end, .. } = self.variant.stored;
        if offer_price < MinorUnits(0) || offer_price > real_price {
            return Err(("offerPrice", "is not between 0 and realPrice".into()));
        }
        match (sale_start, sale_end) {
            (Some(start), Some(end)) if end <= start => {
                Err(("saleEnd", "is not after saleStart".into()))
            }
            _ => Ok(()),
        }
    }
}

/// Whether two lists of options have the same names and values, in any order.
fn same_choices(one: &[ProductOption], other: &[ProductOption]) -> bool {
    let sorted = |option: &ProductOption| {
        let mut values = option.values.clone();
        values.sort_unstable();
        (option.name.clone(), values)
    };
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| sorted(one) == sorted(other))
}

/// Every combination of values, in the order of the options.
fn combinations<'r>(options: &[ProductOption]) -> Result<Vec<Listed<'r>>, FieldError> {
    let count: usize = options.iter().map(|option| option.values.len()).product();
    if count > MAX_VARIANTS {
        let why =
            format!("have {count} combinations, {MAX_VARIANTS} are allowed; list the variants");
        return Err(("options", why));
    }
    let mut combined: Vec<Vec<String>> = vec![Vec::new()];
    for option in options {
        let with_value = |values: &Vec<String>| {
            let values = values.clone();
            option
                .values
                .iter()
                .map(move |value| [values.as_slice(), std::slice::from_ref(value)].concat())
        };
        combined = combined.iter().flat_map(with_value).collect();
    }
    Ok(combined.into_iter().map(|values| Listed { values, input: None }).collect())
}

/// The variants of a row, each with one known value of each option.
fn listed_variants<'r>(
    inputs: &'r [VariantInput],
    options: &[ProductOption],
) -> Result<Vec<Listed<'r>>, VariantError> {
    if inputs.is_empty() {
        return Err(("variants", "needs at least one".to_owned()).into());
    }
    if inputs.len() > MAX_VARIANTS {
        let count = inputs.len();
        return Err(("variants", format!("has {count}, {MAX_VARIANTS} are allowed")).into());
    }
    let mut listed = Vec::with_capacity(inputs.len());
    let (mut seen, mut ids) = (HashSet::new(), HashSet::new());
    for input in inputs {
        let values = values_of(input, options).map_err(|why| input.error(("options", why)))?;
        if !seen.insert(values.clone()) {
            return Err(input.error(("options", "appears twice".into())));
        }
        if input.id.as_ref().is_some_and(|id| !ids.insert(id)) {
            return Err(input.error(("_id", "appears twice".into())));
        }
        listed.push(Listed { values, input: Some(input) });
    }
    Ok(listed)
}

fn values_of(input: &VariantInput, options: &[ProductOption]) -> Result<Vec<String>, String> {
    let chosen: BTreeMap<&str, &String> =
        input.options.0.iter().map(|(name, value)| (name.as_str(), value)).collect();
    if let Some(unknown) =
        chosen.keys().find(|name| options.iter().all(|option| option.name != **name))
    {
        return Err(format!("there is no option {}", quoted(unknown)));
    }
    let value = |option: &ProductOption| match chosen.get(option.name.as_str()) {
        None => Err(format!("has no {}", option.name)),
        Some(value) if option.values.contains(value) => Ok((*value).clone()),
        Some(value) => Err(format!("{} has no value {}", option.name, quoted(value))),
    };
    options.iter().map(value).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Matched {
    /// The stored variant at this place.
    Old(usize),
    /// The default variant of a new product.
    Default,
    New,
}

/// Finds the stored variant of each listed one, those that are sold first: by id, by SKU, by values, by the values of
/// renamed options; where options come or go, by the values of those that stay. A new value in place of the default
/// variant's keeps that variant.
fn match_variants(
    id: &ProductId,
    (listed, options): (&[Listed<'_>], &[ProductOption]),
    (old, old_options): (&[Variant], &[ProductOption]),
) -> Result<Vec<Matched>, FieldError> {
    let default = default_variant(id);
    let mut matched = vec![Matched::New; listed.len()];
    if old.is_empty() {
        let named = |listed: &Listed<'_>| listed.input.and_then(|input| input.id.clone());
        let place = listed
            .iter()
            .position(|listed| named(listed) == Some(default.clone()))
            .or_else(|| listed.iter().position(|listed| named(listed).is_none()));
        let Some(place) = place else {
            return Err(("variants", format!("one has the _id {default}, that of the product")));
        };
        matched[place] = Matched::Default;
        return Ok(matched);
    }
    let mut free: Vec<usize> = (0..old.len()).collect();
    free.sort_by_key(|at| old[*at].status != VariantStatus::Active);
    let shared = |values: &[String], options: &[ProductOption], among: &[ProductOption]| {
        let pairs = options.iter().zip(values);
        let shared = pairs.filter(|(option, _)| among.iter().any(|one| one.name == option.name));
        shared
            .map(|(option, value)| (option.name.clone(), value.clone()))
            .collect::<BTreeMap<_, _>>()
    };
    type Rule<'r> = &'r dyn Fn(&Listed<'_>, &Variant) -> bool;
    let by_id: Rule<'_> =
        &|listed, old| listed.input.and_then(|input| input.id.as_ref()) == Some(&old.id);
    let by_sku: Rule<'_> = &|listed, old| {
        let sku = listed.input.and_then(|input| input.sku.as_ref());
        !old.sku.is_empty() && sku == Some(&old.sku)
    };
    let by_values: Rule<'_> = &|listed, old| {
        options.len() == old_options.len()
            && options.iter().zip(old_options).all(|(one, other)| one.name == other.name)
            && listed.values == old.options.0
    };
    let by_renamed_options: Rule<'_> =
        &|listed, old| options.len() == old_options.len() && listed.values == old.options.0;
    let by_shared_values: Rule<'_> = &|listed, variant| {
        let names = |options: &[ProductOption]| {
            options.iter().map(|option| option.name.clone()).collect::<Vec<_>>()
        };
        let values = shared(&listed.values, options, old_options);
        let one_has_none = options.is_empty() || old_options.is_empty();
        names(options) != names(old_options)
            && variant.status == VariantStatus::Active
            && (one_has_none || !values.is_empty())
            && values == shared(&variant.options, old_options, options)
    };
    for rule in [by_id, by_sku, by_values, by_renamed_options, by_shared_values] {
        for (place, listed) in listed.iter().enumerate() {
            if matched[place] != Matched::New {
                continue;
            }
            if let Some(at) = free.iter().position(|at| rule(listed, &old[*at])) {
                matched[place] = Matched::Old(free.remove(at));
            }
        }
    }
    // A new value in place of the default variant's.
    let unused_default = free.iter().find(|at| old[**at].id == default).copied();
    let unmatched = matched.iter().position(|one| *one == Matched::New);
    if let (Some(at), Some(place)) = (unused_default, unmatched) {
        matched[place] = Matched::Old(at);
    }
    Ok(matched)
}

/// An id for a new variant, with another attempt where it is in use.
pub(super) fn hashed_id(product: &ProductId, values: &[String], attempt: usize) -> VariantId {
    Id::from_name(&format!("variant {attempt} of {product}: {values:?}"))
}

/// An id that says what it is, `heron-desk-lamp--ink`, where that is possible; else a hash.
fn new_id(product: &ProductId, values: &[String], used: &HashSet<VariantId>) -> VariantId {
    let slug = |value: &String| {
        let words = value.split(|letter: char| !letter.is_ascii_alphanumeric());
        let words: Vec<String> =
            words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect();
        words.join("-")
    };
    let slugs: Vec<String> = values.iter().map(slug).collect();
    let readable = format!("{product}--{}", slugs.join("-"));
    let is_readable = slugs.iter().all(|slug| !slug.is_empty());
    let readable = is_readable.then(|| readable.parse::<VariantId>().ok()).flatten();
    let hashed = (0..=used.len()).map(|attempt| hashed_id(product, values, attempt));
    let mut ids = readable.into_iter().chain(hashed).filter(|id| !used.contains(id));
    // Of one more than are in use, one is free.
    ids.next().unwrap_or_else(|| hashed_id(product, values, 0))
}

/// Refuses an SKU that two variants of the product have.
fn check_skus(variants: &[PlannedVariant]) -> Result<(), VariantError> {
    let mut seen = HashSet::new();
    let twice = variants.iter().find(|planned| {
        !planned.variant.sku.is_empty() && !seen.insert(planned.variant.sku.as_str())
    });
    match twice {
        Some(planned) => {
            let why = format!("{} is the SKU of another variant", planned.variant.sku);
            Err(planned.error(("sku", why)))
        }
        None => Ok(()),
    }
}

/// Drops values that no variant has: there is nothing to choose.
fn drop_unused_values(options: &mut [ProductOption], variants: &[PlannedVariant]) {
    for (place, option) in options.iter_mut().enumerate() {
        let used: HashSet<&String> =
            variants.iter().filter_map(|planned| planned.variant.options.get(place)).collect();
        let is_used: Vec<bool> = option.values.iter().map(|value| used.contains(value)).collect();
        let mut keep = is_used.iter();
        option.values.retain(|_| keep.next().copied().unwrap_or_default());
        let mut keep = is_used.iter();
        option.swatches.retain(|_| keep.next().copied().unwrap_or_default());
    }
}

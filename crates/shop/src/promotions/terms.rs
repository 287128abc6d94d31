//! What a promotion does, for which goods, and under which conditions: as stored, and as import files have it.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use platform::money::decimal;
use platform::time_zone::LocalTime;
use platform::{Amount, Currency};
use postal_address::Country;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::group_name;
use crate::catalog::{CategoryId, LineVariant, ProductId, VariantId};

pub use platform::time_zone::Weekday;

/// Units to buy and to get.
const MAX_UNITS: i64 = 100;
/// Products, categories, brands or values of a promotion.
const MAX_LISTED: usize = 500;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PromotionTerms {
    pub effect: Effect,
    #[serde(default, skip_serializing_if = "Goods::is_all")]
    pub goods: Goods,
    #[serde(default, skip_serializing_if = "Conditions::is_none")]
    pub conditions: Conditions,
}

/// What it does. Amounts are in the base currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Effect {
    /// Reduces its goods by a percentage.
    Percent(Percent),
    /// Reduces its goods by an amount, shared out by what they cost.
    Amount(Amount),
    /// Each unit costs this, where it costs more.
    FixedPrice(Amount),
    /// For every `buy` units, `get` more are reduced by a percentage: the cheapest.
    BuyGet {
        buy: i64,
        get: i64,
        #[serde(default)]
        percent: Percent,
    },
    /// One unit of this variant is free once it is in the cart.
    Gift(VariantId),
    FreeDelivery,
}

/// A percentage above 0, in hundredths of a percent; all of it by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percent(i64);

impl Default for Percent {
    fn default() -> Self {
        Self(Self::ALL)
    }
}

impl Percent {
    pub const ALL: i64 = 10_000;

    pub const fn hundredths(self) -> i64 {
        self.0
    }
}

impl FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match decimal(text.trim().trim_end_matches('%'), 2) {
            Some(hundredths @ 1..=Self::ALL) => Ok(Self(hundredths)),
            _ => Err("expected a percentage above 0 and up to 100, such as 10 or 12.5".into()),
        }
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:02}", self.0 / 100, self.0 % 100);
        f.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.0 as f64 / 100.0)
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        f64::deserialize(from)?.to_string().parse().map_err(D::Error::custom)
    }
}

/// The goods that a promotion is for: those that have one of each list that is not empty; all by default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Goods {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<ProductId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<CategoryId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub brands: Vec<String>,
    /// Values by the name of the option in URLs: `{"colour": ["Chalk"]}`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Vec<String>>,
}

impl Goods {
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    pub fn contain(&self, line: &LineVariant) -> bool {
        let of =
            |list: &[String], text: &str| list.iter().any(|one| one.eq_ignore_ascii_case(text));
        let option = |(param, wanted): (&String, &Vec<String>)| {
            line.original_options()
                .any(|(name, value)| name.eq_ignore_ascii_case(param) && of(wanted, value))
        };
        (self.products.is_empty() || self.products.contains(&line.product))
            && (self.categories.is_empty() || self.categories.contains(line.category()))
            && (self.brands.is_empty() || of(&self.brands, line.brand()))
            && self.options.iter().all(option)
    }
}

/// When a promotion is applied, besides its dates and limits. All that are set must hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Conditions {
    /// What its goods cost at least, in the base currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_sub_total: Option<Amount>,
    /// Units of its goods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_quantity: Option<i64>,
    /// Only for customers of one of these groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// Only for customers who have no order yet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub first_order: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub currencies: Vec<Currency>,
    /// Where it goes; needs the setting `countries`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub countries: Vec<Country>,
    /// In the shop's time zone, like the hours.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weekdays: Vec<Weekday>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hours: Option<Hours>,
}

impl Conditions {
    fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the weekday and the hour are right.
    pub fn hold_at(&self, time: LocalTime) -> bool {
        (self.weekdays.is_empty() || self.weekdays.contains(&time.weekday))
            && self.hours.is_none_or(|hours| hours.contain(time.minute))
    }
}

/// A part of every day, in minutes after midnight; over midnight where it ends before it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hours {
    from: u16,
    until: u16,
}

impl Hours {
    fn contain(self, minute: u16) -> bool {
        match self.from < self.until {
            true => (self.from..self.until).contains(&minute),
            false => minute >= self.from || minute < self.until,
        }
    }
}

impl FromStr for Hours {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let minutes = |text: &str| {
            let (hour, minute) = text.trim().split_once(':')?;
            let (hour, minute) = (hour.parse::<u16>().ok()?, minute.parse::<u16>().ok()?);
            let minutes = (hour <= 24 && minute < 60).then(|| hour * 60 + minute)?;
            (minutes <= 24 * 60).then_some(minutes)
        };
        let parsed = text
            .split_once('-')
            .and_then(|(from, until)| Some(Self { from: minutes(from)?, until: minutes(until)? }));
        let parsed = parsed.filter(|hours| hours.from != hours.until);
        parsed.ok_or_else(|| "expected hours such as 18:00-22:00".into())
    }
}

impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clock = |minutes: u16| format!("{:02}:{:02}", minutes / 60, minutes % 60);
        write!(f, "{}-{}", clock(self.from), clock(self.until))
    }
}

impl Serialize for Hours {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hours {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl PromotionTerms {
    /// An error where a number is out of range, or an amount has more decimals than the base currency.
    pub fn check(&self, base: Currency) -> Result<(), String> {
        let amount = |name: &str, amount: Amount| match amount.named(name, base)?.is_positive() {
            true => Ok(()),
            false => Err(format!("{name}: an amount above 0 is required")),
        };
        let units = |name: &str, units: i64| match (1..=MAX_UNITS).contains(&units) {
            true => Ok(()),
            false => Err(format!("{name}: from 1 to {MAX_UNITS}")),
        };
        match &self.effect {
            Effect::Amount(off) => amount("amount", *off)?,
            // For nothing is what a gift is.
            Effect::FixedPrice(price) => amount("fixedPrice", *price)?,
            Effect::BuyGet { buy, get, .. } => {
                units("buy", *buy)?;
                units("get", *get)?;
            }
            Effect::Percent(_) | Effect::Gift(_) | Effect::FreeDelivery => {}
        }
        let Goods { products, categories, brands, options } = &self.goods;
        let values = options.values().map(Vec::len).max().unwrap_or_default();
        let lists = [products.len(), categories.len(), brands.len(), options.len(), values];
        if lists.iter().any(|len| *len > MAX_LISTED) {
            return Err(format!("goods: at most {MAX_LISTED} of a kind"));
        }
        let Conditions { min_sub_total, min_quantity, groups, .. } = &self.conditions;
        if groups.iter().any(|group| group_name(group).as_ref() != Ok(group)) {
            return Err("groups: names in lower case, such as wholesale".into());
        }
        min_sub_total.map(|least| amount("minSubTotal", least)).transpose()?;
        min_quantity.map(|least| units("minQuantity", least)).transpose()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_written_as_they_are_read() {
        for text in [
            r#"{"effect":{"percent":12.5}}"#,
            r#"{"effect":{"amount":5},"conditions":{"minSubTotal":50,"firstOrder":true}}"#,
            r#"{"effect":{"buyGet":{"buy":2,"get":1,"percent":100.0}},"goods":{"categories":["audio"]}}"#,
            r#"{"effect":{"gift":"oak-lamp"},"conditions":{"currencies":["BDT"]}}"#,
            r#"{"effect":"freeDelivery","conditions":{"weekdays":["fri","sat"],"hours":"18:00-02:00"}}"#,
        ] {
            let terms: PromotionTerms = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&terms).unwrap(), text);
            terms.check(Currency::USD).unwrap();
        }
        for wrong in [
            r#"{"effect":{"percent":0}}"#,
            r#"{"effect":{"percent":100.01}}"#,
            r#"{"effect":{"percent":1.005}}"#,
            r#"{"effect":"free"}"#,
            r#"{"effect":"freeDelivery","conditions":{"hours":"25:00-26:00"}}"#,
            r#"{"effect":"freeDelivery","conditions":{"minTotal":1}}"#,
        ] {
            assert!(serde_json::from_str::<PromotionTerms>(wrong).is_err(), "{wrong}");
        }
        let unusable = r#"{"effect":{"buyGet":{"buy":0,"get":1}}}"#;
        let terms: PromotionTerms = serde_json::from_str(unusable).unwrap();
        assert!(terms.check(Currency::USD).is_err());
        let too_fine = r#"{"effect":{"amount":0.5}}"#;
        let terms: PromotionTerms = serde_json::from_str(too_fine).unwrap();
        assert!(terms.check("JPY".parse().unwrap()).is_err());
    }

    #[test]
    fn hours_may_pass_midnight() {
        let night: Hours = "22:00-02:30".parse().unwrap();
        let inside = |minute| night.contain(minute);
        assert_eq!([22 * 60, 0, 149].map(inside), [true; 3]);
        assert_eq!([150, 12 * 60, 22 * 60 - 1].map(inside), [false; 3]);
    }
}

//! Taxes: rates by place, class of goods and day, and the customers who are exempt from them. `pricing` charges them.
//! Without any rate, the setting `vat` is charged. The only module that writes `tax_rules` and `tax_exemptions`
//! (decision 033).

mod exemptions;
mod percent;
mod presets;
mod store;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use platform::time_zone::CalendarDay;
use platform::{Id, Language};
use postal_address::Destination;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::addresses::Place;
use crate::string_enum::string_enum;

pub use exemptions::{TaxExemption, erase, exempt, exemption_of, list_exemptions, unexempt};
pub use percent::TaxPercent;
pub use presets::preset;
pub use store::{TaxTable, Taxes, cache_tag, find, import, update};

pub type TaxRateId = Id<TaxRate>;

const MAX_RATES: usize = 2000;
const MAX_PLACES: usize = 1000;
const MAX_NAME_CHARS: usize = 40;
const MAX_CLASS_LEN: usize = 40;

/// All that decides what tax is charged, as stored and as import files have it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TaxRules {
    /// Whether the prices of goods and delivery include the tax, or it is added to them.
    #[serde(default)]
    pub prices_include_tax: bool,
    #[serde(default)]
    pub rounding: TaxRounding,
    #[serde(default)]
    pub delivery: DeliveryTax,
    pub rates: Vec<TaxRate>,
}

string_enum! {
    /// Where a tax is rounded.
    #[derive(Default)]
    pub enum TaxRounding {
        /// The tax of each line; their sum is that of the order.
        #[default]
        Line = "line",
        /// The tax of all lines with the same rates together.
        Order = "order",
    }
}

/// How the delivery, with the fee for cash on delivery, is taxed: `goods`, `none` or a class.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum DeliveryTax {
    /// Like the goods, in proportion to what was paid for them.
    #[default]
    Goods,
    None,
    Class(TaxClass),
}

/// A rate of a tax.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TaxRate {
    #[serde(rename = "_id")]
    pub id: TaxRateId,
    /// The tax, in the default language, such as `VAT`. Of the rates with the same name one holds for a line; taxes with
    /// different names are all charged.
    pub name: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub translations: BTreeMap<Language, String>,
    #[serde(default, skip_serializing_if = "TaxClass::is_standard")]
    pub class: TaxClass,
    pub percent: TaxPercent,
    /// None for everywhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// The first day on which it holds, in the shop's time zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<CalendarDay>,
    /// The last day on which it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<CalendarDay>,
    /// Whether it is charged on the price with the taxes that are not compound, such as VAT on a price with duty.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub compound: bool,
}

/// A class of goods with the same rates: `standard`, `reduced`. Lower-case letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaxClass(String);

impl TaxClass {
    pub const STANDARD: &str = "standard";

    pub fn is_standard(&self) -> bool {
        self.0 == Self::STANDARD
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// That of a product, which is empty for the standard one.
    pub fn of_product(text: &str) -> &str {
        if text.is_empty() { Self::STANDARD } else { text }
    }
}

impl Default for TaxClass {
    fn default() -> Self {
        Self(Self::STANDARD.to_owned())
    }
}

impl FromStr for TaxClass {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if matches!(text, "goods" | "none") {
            return Err(format!("{text} is no tax class: it says how the delivery is taxed"));
        }
        match !text.is_empty() && text.len() <= MAX_CLASS_LEN && text.bytes().all(allowed) {
            true => Ok(Self(text.to_owned())),
            false => Err(format!(
                "a tax class is 1 to {MAX_CLASS_LEN} lower-case letters, digits and hyphens"
            )),
        }
    }
}

impl fmt::Display for TaxClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Serialize for TaxClass {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for TaxClass {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl FromStr for DeliveryTax {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "goods" => Self::Goods,
            "none" => Self::None,
            class => Self::Class(class.parse()?),
        })
    }
}

impl fmt::Display for DeliveryTax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Goods => f.pad("goods"),
            Self::None => f.pad("none"),
            Self::Class(class) => class.fmt(f),
        }
    }
}

impl Serialize for DeliveryTax {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DeliveryTax {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl TaxRate {
    /// Its name as shoppers read it.
    pub fn name(&self, language: Option<Language>) -> &str {
        let translated = language.and_then(|language| self.translations.get(&language));
        translated.map_or(&self.name, String::as_str)
    }

    pub fn holds_on(&self, day: CalendarDay) -> bool {
        self.from.is_none_or(|from| from <= day) && self.until.is_none_or(|until| day <= until)
    }

    /// How exactly it names the place of a destination, where it holds there. An unknown destination is only everywhere.
    fn exactness(&self, destination: Option<&Destination>) -> Option<u8> {
        match (&self.places[..], destination) {
            ([], _) => Some(0),
            (_, None) => None,
            (places, Some(to)) => places.iter().filter_map(|place| place.exactness(to)).max(),
        }
    }

    fn check(&self) -> Result<Self, String> {
        check_name(&self.name)?;
        self.translations.values().try_for_each(|name| check_name(name))?;
        if self.places.len() > MAX_PLACES {
            return Err(format!("at most {MAX_PLACES} places"));
        }
        if let (Some(from), Some(until)) = (self.from, self.until)
            && until < from
        {
            return Err("until is a day before from".into());
        }
        let places = self.places.iter().map(Place::normalized).collect::<Result<_, _>>()?;
        // Rates of one tax are known by its name.
        let name = self.name.trim().to_owned();
        Ok(Self { name, places, ..self.clone() })
    }
}

fn check_name(name: &str) -> Result<(), String> {
    let is_empty = name.trim().is_empty();
    match is_empty || name.chars().count() > MAX_NAME_CHARS || name.contains(char::is_control) {
        true => Err(format!("a name has 1 to {MAX_NAME_CHARS} characters in one line")),
        false => Ok(()),
    }
}

/// The rates that hold at a destination on a day.
#[derive(Debug, Default)]
pub struct LocalRates<'t> {
    /// With how exactly each names the place.
    rates: Vec<(u8, &'t TaxRate)>,
}

impl TaxRules {
    /// With the places in the spelling of addresses; an error where something is missing or contradictory.
    pub fn check(&self) -> Result<Self, String> {
        if self.rates.len() > MAX_RATES {
            return Err(format!("at most {MAX_RATES} rates"));
        }
        let (mut ids, mut rates) = (BTreeSet::new(), Vec::with_capacity(self.rates.len()));
        for rate in &self.rates {
            rates.push(rate.check().map_err(|why| format!("rate {}: {why}", rate.id))?);
            if !ids.insert(&rate.id) {
                return Err(format!("two rates {}", rate.id));
            }
        }
        for (place, rate) in rates.iter().enumerate() {
            let TaxRate { name, class, places, from, .. } = rate;
            let is_same = |other: &&TaxRate| {
                (&other.name, &other.class, &other.places, &other.from)
                    == (name, class, places, from)
            };
            if let Some(other) = rates[..place].iter().find(is_same) {
                return Err(format!("rates {} and {} are for the same", other.id, rate.id));
            }
        }
        Ok(Self { rates, ..self.clone() })
    }

    pub fn rates_at(&self, destination: Option<&Destination>, day: CalendarDay) -> LocalRates<'_> {
        let holds = self.rates.iter().filter(|rate| rate.holds_on(day));
        let at = |rate: &'_ TaxRate| rate.exactness(destination);
        LocalRates { rates: holds.filter_map(|rate| Some((at(rate)?, rate))).collect() }
    }
}

impl<'t> LocalRates<'t> {
    pub fn is_empty(&self) -> bool {
        self.rates.is_empty()
    }

    /// The rates of a class, one for each tax: the one whose place is most exact and, of these, the newest. Where a tax has
    /// no rate for the class, its standard rate holds. What is compound comes last.
    pub fn of_class(&self, class: &str) -> Vec<&'t TaxRate> {
        let mut chosen: Vec<(bool, u8, &TaxRate)> = Vec::new();
        for (exactness, rate) in &self.rates {
            let is_own = rate.class.as_str() == class;
            if !is_own && !rate.class.is_standard() {
                continue;
            }
            let candidate = (is_own, *exactness, *rate);
            let rank =
                |(own, exactness, rate): &(bool, u8, &TaxRate)| (*own, *exactness, rate.from);
            match chosen.iter_mut().find(|(.., known)| known.name == rate.name) {
                Some(known) if rank(&candidate) > rank(known) => *known = candidate,
                Some(_) => {}
                None => chosen.push(candidate),
            }
        }
        let mut rates: Vec<&TaxRate> = chosen.into_iter().map(|(.., rate)| rate).collect();
        rates.sort_by_key(|rate| rate.compound);
        rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(rates: serde_json::Value) -> TaxRules {
        let rules = serde_json::json!({ "rates": rates });
        serde_json::from_value::<TaxRules>(rules).unwrap().check().unwrap()
    }

    fn at(country: &str, region: &str) -> Destination {
        let country = country.parse().unwrap();
        Destination { region: region.into(), ..Destination::of_country(country) }
    }

    fn names(rules: &TaxRules, to: &Destination, class: &str, day: &str) -> Vec<String> {
        let rates = rules.rates_at(Some(to), day.parse().unwrap());
        let name = |rate: &TaxRate| format!("{} {}", rate.name, rate.percent);
        rates.of_class(class).into_iter().map(name).collect()
    }

    #[test]
    fn the_newest_rate_of_the_most_exact_place_holds_for_its_class() {
        let rules = rules(serde_json::json!([
            {"_id": "de", "name": "VAT", "percent": 19, "places": [{"country": "DE"}]},
            {"_id": "de-lower", "name": "VAT", "percent": 16, "places": [{"country": "DE"}], "from": "2020-07-01",
             "until": "2020-12-31"},
            {"_id": "de-books", "name": "VAT", "percent": 7, "class": "books", "places": [{"country": "DE"}]},
            {"_id": "us-ca", "name": "Sales tax", "percent": 7.25, "places": [{"country": "US", "region": "CA"}]},
            {"_id": "us-la", "name": "Sales tax", "percent": 9.5,
             "places": [{"country": "US", "region": "CA", "postcodes": ["90001-90899"]}]},
            {"_id": "gst", "name": "GST", "percent": 5, "places": [{"country": "CA"}]},
            {"_id": "qst", "name": "QST", "percent": 9.975, "places": [{"country": "CA", "region": "QC"}]},
        ]));
        let germany = at("DE", "");
        assert_eq!(names(&rules, &germany, "standard", "2020-06-30"), ["VAT 19"]);
        assert_eq!(names(&rules, &germany, "standard", "2020-07-01"), ["VAT 16"]);
        assert_eq!(names(&rules, &germany, "standard", "2020-12-31"), ["VAT 16"]);
        assert_eq!(names(&rules, &germany, "standard", "2021-01-01"), ["VAT 19"]);
        assert_eq!(names(&rules, &germany, "books", "2026-11-19"), ["VAT 7"]);
        assert_eq!(names(&rules, &germany, "toys", "2026-11-19"), ["VAT 19"]);
        let angeles = Destination { postcode: "90012".into(), ..at("US", "CA") };
        assert_eq!(names(&rules, &at("US", "CA"), "standard", "2026-11-19"), ["Sales tax 7.25"]);
        assert_eq!(names(&rules, &angeles, "standard", "2026-11-19"), ["Sales tax 9.5"]);
        assert_eq!(
            names(&rules, &at("CA", "QC"), "standard", "2026-11-19"),
            ["GST 5", "QST 9.975"]
        );
        assert_eq!(names(&rules, &at("CA", "ON"), "standard", "2026-11-19"), ["GST 5"]);
        assert!(names(&rules, &at("FR", ""), "standard", "2026-11-19").is_empty());
    }

    #[test]
    fn what_is_contradictory_is_refused() {
        let check = |rate: serde_json::Value| {
            let rules = serde_json::json!({ "rates": [rate] });
            let read = serde_json::from_value::<TaxRules>(rules).map_err(|why| why.to_string());
            read.and_then(|rules| rules.check()).map(drop)
        };
        check(serde_json::json!({"_id": "a", "name": "VAT", "percent": 0})).unwrap();
        for wrong in [
            serde_json::json!({"_id": "a", "name": "VAT"}),
            serde_json::json!({"_id": "a", "name": " ", "percent": 1}),
            serde_json::json!({"_id": "a", "name": "VAT", "percent": -1}),
            serde_json::json!({"_id": "a", "name": "VAT", "percent": 1.2345}),
            serde_json::json!({"_id": "a", "name": "VAT", "percent": 1000.5}),
            serde_json::json!({"_id": "a", "name": "VAT", "percent": 1, "class": "No Class"}),
            serde_json::json!({"_id": "a", "name": "VAT", "percent": 1, "class": "goods"}),
            serde_json::json!({"_id": "a", "name": "VAT", "percent": 1, "from": "2026-02-30"}),
            serde_json::json!({"_id": "a", "name": "VAT", "percent": 1, "from": "2026-02-02", "until": "2026-02-01"}),
            serde_json::json!({"_id": "a", "name": "VAT", "percent": 1, "places": [{"country": "XX"}]}),
            serde_json::json!({"_id": "a", "name": "VAT", "percent": 1, "places": [{"country": "US", "region": "Q"}]}),
        ] {
            assert!(check(wrong.clone()).is_err(), "{wrong}");
        }
        let spaced = rules(serde_json::json!([{"_id": "a", "name": " VAT ", "percent": 1}]));
        assert_eq!(spaced.rates[0].name, "VAT");
        let twice = serde_json::json!({ "rates": [{"_id": "a", "name": "VAT", "percent": 1},
            {"_id": "a", "name": "VAT", "percent": 2}] });
        assert!(serde_json::from_value::<TaxRules>(twice).unwrap().check().is_err());
        let of_one_place = |from: &str| {
            let rate = |id: &str, from| {
                serde_json::json!({ "_id": id, "name": "VAT", "percent": 1,
                "places": [{"country": "DE"}], "from": from })
            };
            let rates = [rate("a", "2026-01-01"), rate("b", from)];
            serde_json::from_value::<TaxRules>(serde_json::json!({ "rates": rates }))
                .unwrap()
                .check()
        };
        assert!(of_one_place("2026-01-01").is_err() && of_one_place("2027-01-01").is_ok());
    }
}

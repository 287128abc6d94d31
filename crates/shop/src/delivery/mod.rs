//! Delivery: zones of places with the same methods, and what a method costs. Without any zone, the setting `shipping` is
//! charged everywhere. The only module that writes `delivery_zones` (decision 030).

mod days;
mod store;

use std::collections::{BTreeMap, BTreeSet};

use platform::time_zone::{TimeZone, Weekday};
use platform::{Amount, Currency, Exchange, Id, Language, Money, Timestamp};
use postal_address::Destination;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::addresses::Place;

pub use days::DeliveryDays;
pub use store::{DeliveryZones, cache_tag, import, list, remove};

pub type ZoneId = Id<DeliveryZone>;
pub type MethodId = Id<DeliveryMethod>;

const MAX_NAME_CHARS: usize = 100;
const MAX_METHODS: usize = 20;
const MAX_PLACES: usize = 1000;
const MAX_STEPS: usize = 100;
const MAX_PICKUP_CHARS: usize = 500;

/// Places with the same delivery methods, as stored and as import files have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeliveryZone {
    #[serde(rename = "_id")]
    pub id: ZoneId,
    /// For the shop.
    pub name: String,
    /// None for everywhere else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// The first one that takes the goods is chosen unless the shopper chooses another one.
    pub methods: Vec<DeliveryMethod>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeliveryMethod {
    #[serde(rename = "_id")]
    pub id: MethodId,
    /// In the default language.
    pub name: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub translations: BTreeMap<Language, String>,
    /// In the base currency, like all amounts.
    pub price: MethodPrice,
    /// Free where the goods cost more than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free_over: Option<Amount>,
    /// What cash on delivery costs in addition, also where the delivery is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cash_on_delivery_fee: Option<Amount>,
    #[serde(default, with = "days::text", skip_serializing_if = "Option::is_none")]
    pub days: Option<DeliveryDays>,
    /// Weekdays that do not count as days.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skip: Vec<Weekday>,
    /// Where and when it is picked up, instead of being delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pickup: Option<Pickup>,
}

/// An amount, or steps: `60`, `{"byWeight": [{"upTo": 1000, "price": 60}, {"price": 120}]}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum MethodPrice {
    Flat(Amount),
    /// By the weight of the goods in grams.
    ByWeight {
        by_weight: Vec<Step<i64>>,
    },
    /// By what the goods cost.
    BySubTotal {
        by_sub_total: Vec<Step<Amount>>,
    },
}

/// A price up to a limit; without one, above all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Step<L> {
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub up_to: Option<L>,
    pub price: Amount,
}

fn none<L>() -> Option<L> {
    None
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pickup {
    pub address: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hours: String,
}

/// A method as a shopper is offered it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryOption {
    #[schema(value_type = String)]
    pub id: MethodId,
    pub name: String,
    /// In the currency of the request.
    pub price: Money,
    /// What cash on delivery costs in addition; 0 where it costs nothing.
    pub cash_on_delivery_fee: Money,
    #[schema(required)]
    pub days: Option<DeliveryDays>,
    /// When it arrives at the earliest; null where that is not known.
    #[schema(required)]
    pub earliest: Option<Timestamp>,
    /// When it arrives at the latest.
    #[schema(required)]
    pub latest: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pickup: Option<Pickup>,
}

/// How an order is delivered, as it was promised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderDelivery {
    #[schema(value_type = String)]
    pub zone: ZoneId,
    #[schema(value_type = String)]
    pub method: MethodId,
    /// In the language of the order.
    pub name: String,
    #[schema(required)]
    pub earliest: Option<Timestamp>,
    #[schema(required)]
    pub latest: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pickup: Option<Pickup>,
}

/// The zone of a destination: of those that contain it, the one with the most exact place. An unknown destination is only
/// in a zone for everywhere.
pub fn zone_of<'z>(
    zones: &'z [DeliveryZone],
    destination: Option<&Destination>,
) -> Option<&'z DeliveryZone> {
    let mut best: Option<(u8, &DeliveryZone)> = None;
    for zone in zones {
        let exactness = match (&zone.places[..], destination) {
            ([], _) => Some(0),
            (_, None) => None,
            (places, Some(destination)) => {
                places.iter().filter_map(|place| place.exactness(destination)).max()
            }
        };
        if let Some(exactness) = exactness
            && best.is_none_or(|(most, _)| exactness > most)
        {
            best = Some((exactness, zone));
        }
    }
    best.map(|(_, zone)| zone)
}

impl DeliveryZone {
    /// With the places in the spelling of addresses; an error where something is missing, out of range or contradictory.
    pub fn check(&self, base: Currency) -> Result<Self, String> {
        let at = |why: String| format!("zone {}: {why}", self.id);
        check_name(&self.name).map_err(at)?;
        if self.places.len() > MAX_PLACES || !(1..=MAX_METHODS).contains(&self.methods.len()) {
            return Err(at(format!("1 to {MAX_METHODS} methods, and at most {MAX_PLACES} places")));
        }
        let mut ids = BTreeSet::new();
        for method in &self.methods {
            method.check(base).map_err(|why| at(format!("method {}: {why}", method.id)))?;
            if !ids.insert(&method.id) {
                return Err(at(format!("two methods {}", method.id)));
            }
        }
        let places = self.places.iter().map(Place::normalized).collect::<Result<_, _>>();
        Ok(Self { places: places.map_err(at)?, ..self.clone() })
    }
}

fn check_name(name: &str) -> Result<(), String> {
    let is_empty = name.trim().is_empty();
    match is_empty || name.chars().count() > MAX_NAME_CHARS || name.contains(char::is_control) {
        true => Err(format!("a name has 1 to {MAX_NAME_CHARS} characters in one line")),
        false => Ok(()),
    }
}

impl DeliveryMethod {
    fn check(&self, base: Currency) -> Result<(), String> {
        check_name(&self.name)?;
        self.translations.values().try_for_each(|name| check_name(name))?;
        let mut amounts: Vec<(&str, Amount)> = Vec::new();
        amounts.extend(self.free_over.map(|over| ("freeOver", over)));
        amounts.extend(self.cash_on_delivery_fee.map(|fee| ("cashOnDeliveryFee", fee)));
        match &self.price {
            MethodPrice::Flat(amount) => amounts.push(("price", *amount)),
            MethodPrice::ByWeight { by_weight: steps } => {
                check_steps(steps)?;
                amounts.extend(steps.iter().map(|step| ("price", step.price)));
            }
            MethodPrice::BySubTotal { by_sub_total: steps } => {
                check_steps(steps)?;
                amounts.extend(steps.iter().map(|step| ("price", step.price)));
                amounts.extend(steps.iter().filter_map(|step| Some(("upTo", step.up_to?))));
            }
        }
        for (name, amount) in amounts {
            if amount.named(name, base)?.is_negative() {
                return Err(format!("{name}: not below 0"));
            }
        }
        if let Some(Pickup { address, hours }) = &self.pickup {
            let is_long = |text: &String| text.chars().count() > MAX_PICKUP_CHARS;
            let is_odd = |text: &String| text.chars().any(|ch| ch.is_control() && ch != '\n');
            if address.trim().is_empty()
                || [address, hours].into_iter().any(|text| is_long(text) || is_odd(text))
            {
                return Err(format!(
                    "pickup: an address, and texts of at most {MAX_PICKUP_CHARS} characters"
                ));
            }
        }
        if self.skip.len() >= 7 {
            return Err("at least one weekday counts".into());
        }
        Ok(())
    }

    pub fn name(&self, language: Option<Language>) -> &str {
        let translated = language.and_then(|language| self.translations.get(&language));
        translated.map_or(&self.name, String::as_str)
    }

    /// What it costs for goods of this price, in the shopper's currency, and weight. `None` where they are too heavy or too
    /// expensive for it.
    pub fn price(&self, sub_total: Money, grams: i64, to: Exchange) -> Option<Money> {
        let worth = |amount: Amount| amount.of(to.base).map(|amount| to.worth(amount));
        let over = self.free_over.and_then(worth);
        let price = match &self.price {
            MethodPrice::Flat(amount) => Some(*amount),
            MethodPrice::ByWeight { by_weight: steps } => step_price(steps, |most| grams <= *most),
            MethodPrice::BySubTotal { by_sub_total: steps } => {
                step_price(steps, |most| worth(*most).is_some_and(|most| sub_total <= most))
            }
        };
        let price = to.price(price?.of(to.base)?);
        let is_free = over.is_some_and(|over| sub_total > over);
        Some(if is_free { Money::zero(to.currency) } else { price })
    }

    /// What cash on delivery costs in addition, in the shopper's currency.
    pub fn cash_on_delivery_fee(&self, to: Exchange) -> Money {
        let fee = self.cash_on_delivery_fee.and_then(|fee| fee.of(to.base));
        fee.map_or(Money::zero(to.currency), |fee| to.price(fee))
    }

    /// The days on which it arrives, for an order at this time.
    pub fn arrival(&self, now: Timestamp, zone: &TimeZone) -> Option<(Timestamp, Timestamp)> {
        let days = self.days?;
        let after = |days: u16| zone.days_after(now, days, &self.skip);
        Some((after(days.least()), after(days.most())))
    }
}

fn step_price<L>(steps: &[Step<L>], within: impl Fn(&L) -> bool) -> Option<Amount> {
    let found = steps.iter().find(|step| step.up_to.as_ref().is_none_or(&within));
    found.map(|step| step.price)
}

/// Limits rise, and only the last step may have none.
fn check_steps<L: PartialOrd + Copy>(steps: &[Step<L>]) -> Result<(), String> {
    if !(1..=MAX_STEPS).contains(&steps.len()) {
        return Err(format!("1 to {MAX_STEPS} steps"));
    }
    let rising = steps.windows(2).all(|pair| match (pair[0].up_to, pair[1].up_to) {
        (Some(one), Some(next)) => one < next,
        (one, _) => one.is_some(),
    });
    if rising {
        Ok(())
    } else {
        Err("upTo rises from step to step; only the last may have none".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zones() -> Vec<DeliveryZone> {
        let text = r#"[
          {"_id": "world", "name": "World", "methods": [{"_id": "air", "name": "Air", "price": 90}]},
          {"_id": "bd", "name": "Bangladesh", "places": [{"country": "BD"}], "methods": [
            {"_id": "post", "name": "Post", "translations": {"bn": "ডাক"}, "days": "2-4", "skip": ["fri"],
             "price": {"byWeight": [{"upTo": 1000, "price": 2}, {"upTo": 5000, "price": 3.5}]}},
            {"_id": "shop", "name": "Pick up", "price": 0, "pickup": {"address": "12 Market Lane", "hours": "10-20"}}]},
          {"_id": "dhaka", "name": "Dhaka", "places": [{"country": "BD", "district": "ঢাকা"},
            {"country": "BD", "postcodes": ["1700-1799", "14*"]}],
           "methods": [{"_id": "bike", "name": "Bike", "freeOver": 50,
             "price": {"bySubTotal": [{"upTo": 10, "price": 2}, {"price": 1}]}}]}]"#;
        let zones: Vec<DeliveryZone> = serde_json::from_str(text).unwrap();
        zones.iter().map(|zone| zone.check(Currency::USD).unwrap()).collect()
    }

    fn destination(country: &str, district: &str, postcode: &str) -> Destination {
        Destination {
            country: country.parse().unwrap(),
            region: String::new(),
            district: district.into(),
            postcode: postcode.into(),
        }
    }

    fn usd(cents: i64) -> Money {
        Money::new(cents, Currency::USD)
    }

    #[test]
    fn postcodes_are_compared_as_addresses_have_them() {
        let place = |country: &str, pattern: &str| -> Place {
            let json = serde_json::json!({ "country": country, "postcodes": [pattern] });
            serde_json::from_value::<Place>(json).unwrap().normalized().unwrap()
        };
        for (country, pattern, inside, outside) in [
            ("US", "00501-02799", "00601", "02800"),
            ("US", "22000-22999", "22162-1010", "23000"),
            ("GB", "sw1a1aa", "SW1A 1AA", "SW1A 2AA"),
            ("GB", "sw1*", "SW1A 1AA", "SE1 1AA"),
            ("BD", "১২০৫", "1205", "1206"),
            ("BD", "১২*", "1205", "1305"),
            ("JP", "154-0023", "154-0023", "154-0024"),
        ] {
            let exactness =
                |code| place(country, pattern).exactness(&destination(country, "", code));
            assert_eq!(
                (exactness(inside), exactness(outside)),
                (Some(4), None),
                "{country} {pattern}"
            );
        }
    }

    #[test]
    fn the_most_exact_place_decides() {
        let zones = zones();
        let zone = |to: Option<&Destination>| zone_of(&zones, to).unwrap().id.to_string();
        for (country, district, postcode, found) in [
            ("BD", "", "", "bd"),
            ("BD", "Khulna", "9000", "bd"),
            ("BD", "Dhaka", "", "dhaka"),
            ("BD", "Gazipur", "1704", "dhaka"),
            ("BD", "Narayanganj", "1421", "dhaka"),
            ("BD", "Tangail", "1900", "bd"),
            ("DE", "", "10115", "world"),
        ] {
            let destination = destination(country, district, postcode);
            assert_eq!(zone(Some(&destination)), found, "{district}");
        }
        assert_eq!(zone(None), "world");
        assert!(zone_of(&zones[1..], Some(&destination("DE", "", ""))).is_none());
    }

    #[test]
    fn a_method_costs_what_weight_or_sub_total_say() {
        let (zones, to) = (zones(), Exchange::base(Currency::USD));
        let cents = |zone: usize, sub_total: i64, grams| {
            let method = &zones[zone].methods[0];
            let sub_total = Money::new(sub_total, Currency::USD);
            method.price(sub_total, grams, to).map(Money::minor)
        };
        let by_weight = [0, 1000, 1001, 5000, 5001].map(|grams| cents(1, 100, grams));
        assert_eq!(by_weight, [Some(200), Some(200), Some(350), Some(350), None]);
        let by_sub_total = [0, 1000, 1001, 5000, 5001].map(|sub_total| cents(2, sub_total, 0));
        assert_eq!(by_sub_total, [Some(200), Some(200), Some(100), Some(100), Some(0)]);
    }

    #[test]
    fn days_that_do_not_count_are_skipped() {
        let zones = zones();
        let dhaka: TimeZone = "Asia/Dhaka".parse().unwrap();
        // A Thursday afternoon in Dhaka: Friday does not count.
        let now = Timestamp::parse("2026-11-19T10:00:00Z").unwrap();
        let (earliest, latest) = zones[1].methods[0].arrival(now, &dhaka).unwrap();
        let day = |at: Timestamp| at.to_string()[..10].to_owned();
        assert_eq!([day(earliest), day(latest)], ["2026-11-22", "2026-11-24"]);
        assert_eq!(zones[0].methods[0].arrival(now, &dhaka), None);
    }

    #[test]
    fn contradictions_are_refused() {
        let check = |change: fn(&mut DeliveryZone)| {
            let mut zone = zones().remove(1);
            change(&mut zone);
            zone.check(Currency::USD)
        };
        check(|_| {}).unwrap();
        assert!(check(|zone| zone.methods.clear()).is_err());
        assert!(check(|zone| zone.methods[0].name = " ".into()).is_err());
        assert!(check(|zone| zone.methods[1].id = zone.methods[0].id.clone()).is_err());
        assert!(
            check(|zone| zone.methods[0].price = MethodPrice::ByWeight { by_weight: vec![] })
                .is_err()
        );
        assert!(
            check(|zone| zone.methods[1].price = MethodPrice::Flat("0.001".parse().unwrap()))
                .is_err()
        );
        assert!(check(|zone| zone.methods[1].price = MethodPrice::Flat((-usd(1)).into())).is_err());
        let with_fee = |cents| {
            let mut zone = zones().remove(1);
            zone.methods[1].cash_on_delivery_fee = Some(usd(cents).into());
            zone.check(Currency::USD)
        };
        assert!(with_fee(50).is_ok() && with_fee(-50).is_err());
        assert!(check(|zone| zone.methods[1].pickup.as_mut().unwrap().address.clear()).is_err());
        for wrong in [
            r#"{"_id": "a", "name": "A", "methods": [{"_id": "m", "name": "M"}]}"#,
            r#"{"_id": "a", "name": "A", "places": [{"country": "XX"}], "methods": [{"_id": "m", "name": "M", "price": 1}]}"#,
            r#"{"_id": "a", "name": "A", "places": [{"country": "BD", "region": "Texas"}],
                "methods": [{"_id": "m", "name": "M", "price": 1}]}"#,
            r#"{"_id": "a", "name": "A", "places": [{"country": "BD", "postcodes": ["9-1"]}],
                "methods": [{"_id": "m", "name": "M", "price": 1}]}"#,
        ] {
            let read = serde_json::from_str::<DeliveryZone>(wrong).map_err(|why| why.to_string());
            assert!(read.and_then(|zone| zone.check(Currency::USD)).is_err(), "{wrong}");
        }
    }
}

//! What the delivery of a cart costs: by the zone of its destination or, without any zone, by the settings.

use platform::time_zone::TimeZone;
use platform::{Exchange, Language, Money, Timestamp};
use postal_address::Destination;

use super::Charges;
use crate::delivery::{DeliveryMethod, DeliveryOption, DeliveryZone, MethodId, zone_of};

/// Where a cart goes, and how.
#[derive(Clone, Copy)]
pub struct Shipment<'s> {
    pub destination: Option<&'s Destination>,
    /// Whether the shop has delivery zones; without any, the settings say what delivery costs.
    pub has_zones: bool,
    /// That of the destination.
    pub zone: Option<&'s DeliveryZone>,
    /// The method that the shopper chose.
    method: Option<&'s MethodId>,
    time_zone: &'s TimeZone,
}

/// The rule by which delivery is charged.
pub(super) enum ShippingRule<'s> {
    /// Nothing is delivered.
    Nothing,
    /// In the shopper's currency.
    Settings(Charges),
    /// The wanted method if it takes the goods, or else the first one that does.
    Zone { zone: &'s DeliveryZone, wanted: Option<&'s MethodId>, grams: i64 },
    /// No zone contains the destination.
    Unknown,
}

impl<'s> Shipment<'s> {
    pub fn new(
        (zones, time_zone): (&'s [DeliveryZone], &'s TimeZone),
        destination: Option<&'s Destination>,
        method: Option<&'s MethodId>,
    ) -> Self {
        let (has_zones, zone) = (!zones.is_empty(), zone_of(zones, destination));
        Self { destination, has_zones, zone, method, time_zone }
    }

    /// `charges` are in the shopper's currency.
    pub(super) fn rule(&self, charges: &Charges, grams: i64, delivered: bool) -> ShippingRule<'s> {
        if !delivered {
            return ShippingRule::Nothing;
        }
        if !self.has_zones {
            return ShippingRule::Settings(charges.clone());
        }
        match self.zone {
            Some(zone) => ShippingRule::Zone { zone, wanted: self.method, grams },
            None => ShippingRule::Unknown,
        }
    }

    /// The methods for goods of this price, in the shopper's currency, and weight.
    pub(super) fn options(
        &self,
        (sub_total, grams): (Money, i64),
        language: Option<Language>,
        (to, now): (Exchange, Timestamp),
    ) -> Vec<DeliveryOption> {
        let methods = self.zone.map_or(&[][..], |zone| &zone.methods);
        let option = |method: &DeliveryMethod| {
            let arrival = method.arrival(now, self.time_zone);
            Some(DeliveryOption {
                id: method.id.clone(),
                name: method.name(language).to_owned(),
                price: method.price(sub_total, grams, to)?,
                cash_on_delivery_fee: method.cash_on_delivery_fee(to),
                days: method.days,
                earliest: arrival.map(|(earliest, _)| earliest),
                latest: arrival.map(|(_, latest)| latest),
                pickup: method.pickup.clone(),
            })
        };
        methods.iter().filter_map(option).collect()
    }
}

/// What delivery costs, and by which method; none without zones.
pub(super) type Shipping<'s> = (Option<&'s DeliveryMethod>, Money);

impl<'s> ShippingRule<'s> {
    /// For goods that cost this after reductions; `None` where they cannot be delivered.
    pub fn price(&self, sub_total: Money, to: Exchange) -> Option<Shipping<'s>> {
        match self {
            Self::Nothing => Some((None, Money::zero(to.currency))),
            Self::Settings(charges) => Some((None, charges.shipping_of(sub_total))),
            Self::Zone { zone, wanted, grams } => {
                let is_wanted =
                    |method: &&DeliveryMethod| wanted.is_some_and(|id| method.id == *id);
                let wanted = zone.methods.iter().filter(is_wanted);
                let mut priced = wanted.chain(&zone.methods).filter_map(|method| {
                    Some((Some(method), method.price(sub_total, *grams, to)?))
                });
                priced.next()
            }
            Self::Unknown => None,
        }
    }
}

//! What a variant costs: prices as they are stored, and as a shopper is shown and charged them in a currency.

use std::collections::BTreeMap;

use platform::db::Json;
use platform::{Context, Currency, Exchange, Language, MinorUnits, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// When, in which currency and in which language the catalogue is shown.
#[derive(Clone, Copy, Debug)]
pub struct CatalogView {
    pub now: Timestamp,
    pub to: Exchange,
    /// Of the texts; `None` is the default language.
    pub language: Option<Language>,
    /// Of how many days before a reduction the lowest price is shown as the price before; 0: the list price is.
    pub lowest_price_days: u16,
}

impl CatalogView {
    /// Now, for a request.
    pub fn new(
        Context { clock, languages, lowest_price_days, .. }: &Context,
        language: Language,
        to: Exchange,
    ) -> Self {
        let (now, language) = (clock.now(), languages.translation(language));
        Self { now, to, language, lowest_price_days: *lowest_price_days }
    }

    /// As the shop's own programs and feeds see it.
    pub fn in_base(context: &Context, language: Language) -> Self {
        Self::new(context, language, context.currencies.in_base())
    }
}

/// List price, offer price and the period of the offer, in the shop's base currency.
#[derive(Clone, Debug, Default, PartialEq, sqlx::FromRow)]
pub struct StoredPrice {
    /// The list price.
    pub real_price: MinorUnits,
    /// The price during the offer; equal to the list price when there is no offer.
    pub offer_price: MinorUnits,
    /// When the offer starts; none when it has no start.
    pub sale_start: Option<Timestamp>,
    /// When the offer ends; none when it has no end.
    pub sale_end: Option<Timestamp>,
    /// Prices in other currencies, which count instead of converted ones.
    pub fixed_prices: Json<FixedPrices>,
}

pub type FixedPrices = BTreeMap<Currency, FixedPrice>;

/// A price that the shopkeeper set in another currency than the base currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedPrice {
    pub real: i64,
    /// The price during the offer; equal to the list price when there is none in this currency.
    pub offer: i64,
}

/// The columns of a `StoredPrice`.
pub const PRICE_COLUMNS: &str = "real_price, offer_price, sale_start, sale_end, fixed_prices";

impl StoredPrice {
    pub fn new(
        real: Money,
        offer: Option<Money>,
        start: Option<Timestamp>,
        end: Option<Timestamp>,
    ) -> Self {
        Self {
            real_price: real.into(),
            offer_price: offer.unwrap_or(real).into(),
            sale_start: start,
            sale_end: end,
            fixed_prices: Json::default(),
        }
    }

    /// The list or the offer price in a currency: a fixed one, or else converted and rounded.
    fn in_currency(&self, to: Exchange, offer: bool) -> Money {
        let (real_price, offer_price) = (self.real_price.of(to.base), self.offer_price.of(to.base));
        match self.fixed_prices.get(&to.currency) {
            Some(fixed) => Money::new(if offer { fixed.offer } else { fixed.real }, to.currency),
            None => to.price(if offer { offer_price } else { real_price }),
        }
    }

    /// The present price in the base currency, in its smallest unit.
    pub fn in_base_at(&self, now: Timestamp) -> i64 {
        if self.is_offer_time(now) { self.offer_price.0 } else { self.real_price.0 }
    }

    /// The present price that is set in this currency, in its smallest unit.
    pub fn fixed_at(&self, now: Timestamp, currency: Currency) -> Option<i64> {
        let FixedPrice { real, offer } = *self.fixed_prices.get(&currency)?;
        Some(if self.is_offer_time(now) { offer } else { real })
    }

    /// The price at `now`: the offer price during the offer, otherwise the list price. Pages and orders
    /// both use it.
    pub fn at(&self, now: Timestamp, to: Exchange) -> Money {
        self.in_currency(to, self.is_offer_time(now))
    }

    /// Whether it has an offer in any currency.
    fn has_offer(&self) -> bool {
        let fixed = self.fixed_prices.values().any(|fixed| fixed.offer < fixed.real);
        fixed || self.offer_price < self.real_price
    }

    fn is_offer_time(&self, now: Timestamp) -> bool {
        self.sale_start.is_none_or(|start| start <= now)
            && self.sale_end.is_none_or(|end| now < end)
    }

    /// When an offer starts or ends next, which changes the price without a write.
    pub fn next_price_change(&self, now: Timestamp) -> Option<Timestamp> {
        let turns =
            [self.sale_start, self.sale_end].into_iter().flatten().filter(|turn| *turn > now);
        turns.min().filter(|_| self.has_offer())
    }

    pub fn shown(&self, now: Timestamp, to: Exchange) -> Price {
        let (real_price, offer_price) = (self.in_currency(to, false), self.in_currency(to, true));
        let buy_price = if self.is_offer_time(now) { offer_price } else { real_price };
        let Self { sale_start, sale_end, .. } = *self;
        Price { real_price, offer_price, buy_price, sale_start, sale_end }
    }
}

/// List price, offer price and the period of the offer, in the currency of the request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Price {
    /// The list price; with `lowest_price_days`, during a reduction, the lowest price before it or, where that is not
    /// higher, the price that is charged.
    pub real_price: Money,
    /// The price during the offer; equal to the list price when there is no offer.
    pub offer_price: Money,
    /// The price that is charged now.
    pub buy_price: Money,
    /// When the offer starts; null when it has no start.
    #[schema(required)]
    pub sale_start: Option<Timestamp>,
    /// When the offer ends; null when it has no end.
    #[schema(required)]
    pub sale_end: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn usd(cents: i64) -> Money {
        Money::new(cents, Currency::USD)
    }

    fn usd_only() -> Exchange {
        Exchange::base(Currency::USD)
    }

    fn prices() -> impl Strategy<Value = StoredPrice> {
        let moment = || proptest::option::of((0i64..100).prop_map(Timestamp));
        (0i64..1000, proptest::option::of(0i64..1000), moment(), moment()).prop_map(
            |(real, offer, start, end)| {
                StoredPrice::new(usd(real), offer.map(|offer| usd(offer.min(real))), start, end)
            },
        )
    }

    proptest! {
        #[test]
        fn the_price_is_the_offer_or_the_list_price(price in prices(), now in 0i64..100) {
            let shown = price.shown(Timestamp(now), usd_only());
            prop_assert_eq!(shown.buy_price, price.at(Timestamp(now), usd_only()));
            prop_assert!([shown.offer_price, shown.real_price].contains(&shown.buy_price));
            prop_assert!(shown.buy_price <= shown.real_price);
        }

        #[test]
        fn the_price_is_constant_until_the_next_price_change(price in prices(), now in 0i64..100) {
            let now = Timestamp(now);
            let until = price.next_price_change(now).map_or(200, |turn| turn.0);
            for later in now.0..until {
                prop_assert_eq!(price.at(Timestamp(later), usd_only()), price.at(now, usd_only()));
            }
        }
    }

    #[test]
    fn an_offer_includes_its_start_and_excludes_its_end() {
        let (start, end) = (Some(Timestamp(10)), Some(Timestamp(20)));
        let price = StoredPrice::new(usd(1000), Some(usd(700)), start, end);
        let at = |moment| price.at(Timestamp(moment), usd_only()).minor();
        assert_eq!([at(9), at(10), at(19), at(20)], [1000, 700, 700, 1000]);
    }

    #[test]
    fn a_fixed_price_counts_instead_of_the_converted_one_and_may_have_its_own_offer() {
        let (start, end) = (Some(Timestamp(10)), Some(Timestamp(20)));
        let mut price = StoredPrice::new(usd(1000), None, start, end);
        price.fixed_prices.0.insert(Currency::BDT, FixedPrice { real: 99_000, offer: 90_000 });
        let offered = vec!["BDT=120.5".parse().unwrap(), "EUR=0.9".parse().unwrap()];
        let currencies = platform::Currencies::new(Currency::USD, offered).unwrap();
        let at = |code: &str, now| {
            price
                .at(Timestamp(now), currencies.exchange(code.parse().unwrap()).unwrap())
                .to_string()
        };
        assert_eq!([at("USD", 15), at("EUR", 15)], ["$10.00", "€9.00"]);
        assert_eq!([at("BDT", 9), at("BDT", 15), at("BDT", 20)], ["৳990", "৳900", "৳990"]);
        assert_eq!(price.next_price_change(Timestamp(0)), start);
    }
}

//! Prices in the currency of a search. A converted price needs no conversion to be compared: the bounds are converted
//! to the base currency instead (`PriceBound`), and a higher base price is never shown as a lower one. Products with
//! fixed prices in the currency have theirs here, by document (`SegmentPrices`).

use std::collections::BTreeMap;

use platform::{Currency, Exchange, Money};
use tantivy::columnar::StrColumn;
use tantivy::{DocId, TantivyError};

use crate::indexed_product::ProductPrice;

impl ProductPrice {
    /// The price as it is shown, in the smallest unit of the currency.
    pub fn shown(self, to: Exchange) -> i64 {
        let converted = self.converted.map_or(i64::MAX, |base| shown_price(base, to));
        self.fixed.unwrap_or(i64::MAX).min(converted)
    }
}

/// The price that is shown for one of the base currency, both in smallest units.
pub fn shown_price(base: i64, to: Exchange) -> i64 {
    to.price(Money::new(base, to.base)).minor()
}

/// An inclusive bound of the price, for shown prices and for base prices, both in smallest units.
#[derive(Clone, Copy, Debug)]
pub struct PriceBound {
    pub shown: i64,
    pub base: i64,
}

impl PriceBound {
    pub const NO_MIN: Self = Self { shown: i64::MIN, base: i64::MIN };
    pub const NO_MAX: Self = Self { shown: i64::MAX, base: i64::MAX };

    pub fn lowest(units: i64, to: Exchange) -> Self {
        let shown = whole_units(units, to.currency);
        Self { shown: shown.minor(), base: to.lowest_base_of(shown).minor() }
    }

    pub fn highest(units: i64, to: Exchange) -> Self {
        let shown = whole_units(units, to.currency);
        Self { shown: shown.minor(), base: to.highest_base_of(shown).minor() }
    }
}

fn whole_units(units: i64, currency: Currency) -> Money {
    Money::new(currency.minor_per_unit(), currency).saturating_mul(units)
}

/// Merges products in the order of their base prices, which are converted, with products in the order of their shown
/// prices. The order is the same however many products of each kind are given, so that pages do not overlap.
pub fn merge_by_price<T>(
    converted: impl IntoIterator<Item = (i64, T)>,
    fixed: impl IntoIterator<Item = (i64, T)>,
    to: Exchange,
    descending: bool,
) -> impl Iterator<Item = T> {
    let converted = converted.into_iter().map(|(base, product)| (shown_price(base, to), product));
    let mut all: Vec<(i64, T)> = converted.chain(fixed).collect();
    // A stable sort: those with the same shown price keep their order.
    all.sort_by_key(|(shown, _)| if descending { -shown } else { *shown });
    all.into_iter().map(|(_, product)| product)
}

/// The prices of a segment's products that have fixed ones, by currency, in the order of their documents.
#[derive(Debug, Default)]
pub struct SegmentPrices(BTreeMap<Currency, Vec<(DocId, ProductPrice)>>);

impl SegmentPrices {
    pub fn read(column: Option<&StrColumn>, documents: DocId) -> tantivy::Result<Self> {
        let mut prices = Self::default();
        let Some(column) = column else { return Ok(prices) };
        let (mut parsed, mut text) = (Vec::new(), String::new());
        for ord in 0..column.num_terms() as u64 {
            text.clear();
            column.ord_to_str(ord, &mut text)?;
            parsed.push(parse(&text)?);
        }
        for doc in 0..documents {
            for (currency, price) in
                column.term_ords(doc).filter_map(|ord| parsed.get(ord as usize))
            {
                prices.0.entry(*currency).or_default().push((doc, *price));
            }
        }
        Ok(prices)
    }

    /// The prices in a currency; `None` where all are converted.
    pub fn shown(&self, to: Exchange) -> Option<ShownPrices<'_>> {
        Some(ShownPrices { to, rest: self.0.get(&to.currency)? })
    }
}

/// Reads the shown prices of a segment's documents in their order.
pub struct ShownPrices<'s> {
    to: Exchange,
    rest: &'s [(DocId, ProductPrice)],
}

impl ShownPrices<'_> {
    /// The price of this document, which is after the one of the last call; `None` where it is converted.
    pub fn of(&mut self, doc: DocId) -> Option<i64> {
        while let [(first, price), rest @ ..] = self.rest {
            if *first >= doc {
                return (*first == doc).then(|| price.shown(self.to));
            }
            self.rest = rest;
        }
        None
    }
}

/// A price as a term of the index.
pub fn term(currency: Currency, ProductPrice { fixed, converted }: ProductPrice) -> String {
    serde_json::json!([currency, fixed, converted]).to_string()
}

fn parse(term: &str) -> tantivy::Result<(Currency, ProductPrice)> {
    let (currency, fixed, converted) =
        serde_json::from_str(term).map_err(|why| TantivyError::InternalError(why.to_string()))?;
    Ok((currency, ProductPrice { fixed, converted }))
}

#[cfg(test)]
mod tests {
    use platform::Currencies;
    use proptest::prelude::*;

    use super::*;

    fn taka() -> Exchange {
        let taka = "BDT=120.5".parse().unwrap();
        Currencies::new(Currency::USD, vec![taka]).unwrap().exchange(Currency::BDT).unwrap()
    }

    fn price(fixed: Option<i64>, converted: Option<i64>) -> ProductPrice {
        ProductPrice { fixed, converted }
    }

    #[test]
    fn prices_are_read_in_the_order_of_documents() {
        let of_taka = vec![
            (2, price(Some(99_000), None)),
            (3, price(Some(99_000), Some(100))),
            (7, price(None, Some(1055))),
        ];
        let prices = SegmentPrices([(Currency::BDT, of_taka)].into());
        assert!(prices.shown(Exchange::base(Currency::USD)).is_none());
        let shown = |docs: &[DocId]| -> Vec<Option<i64>> {
            let mut shown = prices.shown(taka()).unwrap();
            docs.iter().map(|doc| shown.of(*doc)).collect()
        };
        let expected = [None, Some(99_000), Some(12_100), None, Some(127_100), None];
        assert_eq!(shown(&[1, 2, 3, 5, 7, 9]), expected);
        assert_eq!(shown(&[7, 8]), expected[4..]);
    }

    #[test]
    fn a_bound_includes_the_prices_that_are_shown_as_it() {
        let (lowest, highest) =
            (PriceBound::lowest(1271, taka()), PriceBound::highest(1270, taka()));
        assert_eq!((lowest.shown, highest.shown), (127_100, 127_000));
        assert_eq!(shown_price(1055, taka()), 127_100);
        assert!(lowest.base <= 1055 && highest.base < 1055);
        let of_base = PriceBound::highest(20, Exchange::base(Currency::USD));
        assert_eq!((of_base.shown, of_base.base), (2000, 2000));
    }

    proptest! {
        #[test]
        fn terms_round_trip(fixed in any::<Option<i64>>(), converted in any::<Option<i64>>()) {
            let price = price(fixed, converted);
            prop_assert_eq!(parse(&term(Currency::BDT, price)).unwrap(), (Currency::BDT, price));
        }

        #[test]
        fn pages_of_merged_products_do_not_overlap(
            mut converted in proptest::collection::vec(0..100i64, 0..20),
            mut fixed in proptest::collection::vec(0..12_000i64, 0..20),
            wanted in 0..40usize, descending in any::<bool>(),
        ) {
            for prices in [&mut converted, &mut fixed] {
                prices.sort_by_key(|price| if descending { -price } else { *price });
            }
            let merge = |depth| -> Vec<_> {
                let converted = (0..).zip(&converted).map(|(place, price)| (*price, (false, place)));
                let fixed = (0..).zip(&fixed).map(|(place, price)| (*price, (true, place)));
                merge_by_price(converted.take(depth), fixed.take(depth), taka(), descending).take(depth).collect()
            };
            let all: Vec<(bool, i32)> = merge(40);
            prop_assert_eq!(merge(wanted), &all[..wanted.min(all.len())]);
        }
    }
}

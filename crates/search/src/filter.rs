//! The facets that products are filtered and counted by (`FACETS`), and the filters and the sort order of one
//! search (`RowFilter`).

use std::time::Duration;

use platform::Exchange;

use crate::params::{MAX_VALUES, SearchParams};
use crate::prices::{PriceBound, merge_by_price};
use crate::rows::{Interner, Interners, Row};
use crate::traits;
use shop::catalog::{CatalogView, ProductSort};

/// How long a product is a new arrival.
pub const NEW_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// Something that products are filtered and counted by. A row has one value of each facet, a number; where a
/// product has several values, its traits, the number is that of the set.
pub struct Facet {
    /// Its parameter in URLs.
    pub name: &'static str,
    pub len: fn(&Interners) -> usize,
    /// The row's value; the time is the one since which products are new.
    value: fn(&Row, i64) -> usize,
    /// Whether a value passes the filter, by its number; none without a filter.
    selected: fn(&SearchParams, &Interners) -> Option<Vec<bool>>,
}

/// The facets with values. The price, which has a range, is beside them.
// A constant: the compiler unrolls the loops over it and inlines each `value`.
pub const FACETS: [Facet; 7] = [
    Facet {
        name: "category",
        len: |interners| interners.categories.len(),
        value: |row, _| row.category as usize,
        selected: |params, interners| {
            let category = params.category.as_ref()?;
            Some(select(&interners.categories, [category.as_str()]))
        },
    },
    Facet {
        name: "brand",
        len: |interners| interners.brands.len(),
        value: |row, _| row.brand as usize,
        selected: |params, interners| {
            let brands = params.chosen.brands.iter().map(String::as_str);
            (brands.len() > 0).then(|| select(&interners.brands, brands))
        },
    },
    Facet {
        name: "traits",
        len: |interners| interners.sets.len(),
        value: |row, _| row.traits as usize,
        // A filter for each name: `RowFilter::failed_by_set`.
        selected: |_, _| None,
    },
    Facet {
        name: "stock",
        len: |_| 2,
        value: |row, _| row.in_stock.into(),
        selected: |params, _| params.chosen.in_stock.then(|| vec![false, true]),
    },
    Facet {
        name: "rating",
        len: |_| 6,
        value: |row, _| usize::from(row.rating / 100).min(5),
        selected: |params, _| {
            let least = params.chosen.rating?;
            Some((0..=5).map(|stars| stars >= least).collect())
        },
    },
    Facet {
        name: "new",
        len: |_| 2,
        value: |row, new_since| (row.created_at >= new_since).into(),
        selected: |params, _| params.chosen.new.then(|| vec![false, true]),
    },
    Facet {
        name: "offer",
        len: |_| 2,
        value: |row, _| row.on_offer.into(),
        selected: |params, _| params.chosen.on_offer.then(|| vec![false, true]),
    },
];

/// The price's bit among the failed filters, after those of the facets.
pub const PRICE: usize = FACETS.len();
/// The bit of the first selected name of traits; the others follow.
pub const TRAITS: usize = PRICE + 1;
/// Colours, and each value of an option or an attribute may have another name.
const MAX_TRAIT_NAMES: usize = 1 + 2 * MAX_VALUES;
const _: () = assert!(TRAITS + MAX_TRAIT_NAMES <= u64::BITS as usize);

/// Which of the interned names are selected.
fn select<'n>(names: &Interner, selected: impl IntoIterator<Item = &'n str>) -> Vec<bool> {
    let mut flags = vec![false; names.len()];
    for number in selected.into_iter().filter_map(|name| names.get(name)) {
        flags[number as usize] = true;
    }
    flags
}

/// The filters and the sort order of a search, by the interned numbers of the rows.
pub struct RowFilter {
    /// Whether no filter is set.
    passes_all: bool,
    /// By facet, then by the number of the value.
    selected: [Option<Vec<bool>>; FACETS.len()],
    /// The selected names of traits that a set of traits fails, one bit each.
    failed_by_set: Option<Vec<u64>>,
    /// How many names of traits are selected.
    pub trait_names: usize,
    min: PriceBound,
    max: PriceBound,
    new_since: i64,
    sort: ProductSort,
    /// The currency of the search.
    pub to: Exchange,
}

impl RowFilter {
    pub fn new(params: &SearchParams, interners: &Interners, view: CatalogView) -> Self {
        let chosen = params.chosen.traits();
        Self {
            passes_all: params.category.is_none() && params.chosen.count() == 0,
            selected: FACETS.each_ref().map(|facet| (facet.selected)(params, interners)),
            failed_by_set: traits::failed_by_set(&chosen, interners),
            trait_names: chosen.len(),
            min: params
                .chosen
                .min
                .map_or(PriceBound::NO_MIN, |min| PriceBound::lowest(min, view.to)),
            max: params
                .chosen
                .max
                .map_or(PriceBound::NO_MAX, |max| PriceBound::highest(max, view.to)),
            new_since: view.now.minus(NEW_FOR).0,
            sort: match params.sort {
                // Without query text there is no relevance.
                ProductSort::Relevance if params.q.is_empty() => ProductSort::Best,
                sort => sort,
            },
            to: view.to,
        }
    }

    /// The row's value of a facet.
    #[inline(always)]
    pub fn value(&self, place: usize, row: &Row) -> usize {
        (FACETS[place].value)(row, self.new_since)
    }

    /// The filters that exclude this row, one bit each: the facets by their place, then the price, then the selected
    /// names of traits. `shown`: the price in the currency of the search, where it is not the converted one.
    #[inline(always)]
    pub fn failed(&self, row: &Row, shown: Option<i64>) -> u64 {
        if self.passes_all {
            return 0;
        }
        let out_of_bounds = match shown {
            None => row.price < self.min.base || row.price > self.max.base,
            Some(shown) => shown < self.min.shown || shown > self.max.shown,
        };
        let mut failed = u64::from(out_of_bounds) << PRICE;
        for (place, selected) in self.selected.iter().enumerate() {
            if let Some(selected) = selected {
                failed |= u64::from(!selected[self.value(place, row)]) << place;
            }
        }
        if let Some(failed_by_set) = &self.failed_by_set {
            failed |= failed_by_set[row.traits as usize] << TRAITS;
        }
        failed
    }

    pub fn is_by_price(&self) -> bool {
        is_by_price(self.sort)
    }

    /// Merges rows with the keys of their base prices and rows with the keys of their shown prices.
    pub fn merge_by_price<T>(&self, rows: Vec<(u128, T)>, apart: Vec<(u128, T)>) -> Vec<T> {
        let descending = self.sort == ProductSort::PriceDesc;
        let price = |(key, row): (u128, T)| {
            let price = (key >> 64) as u64;
            (if descending { price } else { !price } as i64, row)
        };
        let (rows, apart) = (rows.into_iter().map(price), apart.into_iter().map(price));
        merge_by_price(rows, apart, self.to, descending).collect()
    }

    /// The row's key in the sort order, highest first.
    #[inline]
    pub fn sort_key(&self, row: &Row, score: f32) -> u128 {
        // Timestamps, prices and scores are never negative, so the bits of a score sort as the score does.
        let (first, second) = match self.sort {
            ProductSort::Default => (row.created_at as u64, 0),
            ProductSort::PriceAsc => {
                return (u128::from(!(row.price as u64)) << 64) | u128::from(!row.tie);
            }
            ProductSort::PriceDesc => (row.price as u64, 0),
            ProductSort::Best => (u64::from(row.popularity), u32::from(row.rating)),
            ProductSort::Relevance => (u64::from(relevance(row, score).to_bits()), row.popularity),
        };
        (u128::from(first) << 64) | (u128::from(second) << 32) | u128::from(row.tie)
    }
}

/// Whether products are sorted by price.
pub fn is_by_price(sort: ProductSort) -> bool {
    matches!(sort, ProductSort::PriceAsc | ProductSort::PriceDesc)
}

/// The relevance of a match: popular products rank higher, products out of stock lower.
#[inline]
pub fn relevance(row: &Row, score: f32) -> f32 {
    let popularity = (row.popularity.saturating_add(1)).ilog2() as f32;
    let stock = if row.in_stock { 1.0 } else { 0.8 };
    score * (1.0 + 0.02 * popularity) * stock
}

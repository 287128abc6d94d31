//! Facets: one pass over the rows that match a query filters them (`RowFilter`), counts them per filter value
//! and selects the requested page (`FacetCounter`).

use std::cmp::Reverse;
use std::time::Duration;

use platform::{Money, Timestamp};

use crate::params::SearchParams;
use crate::rows::{Interner, Interners, Row};
use crate::{CategoryCount, Count, Facets, PriceSpan, RatingCount};
use shop::catalog::{CategoryId, ProductSort};

/// How long a product is a new arrival.
const NEW_FOR: Duration = Duration::from_secs(30 * 24 * 3600);
const MAX_BRANDS: usize = 50;
const MAX_COLOURS: usize = 30;

/// The filters, one bit each.
const CATEGORY: u8 = 1;
const BRAND: u8 = 2;
const COLOUR: u8 = 4;
const PRICE: u8 = 8;
const STOCK: u8 = 16;
const RATING: u8 = 32;
const NEW: u8 = 64;
const OFFER: u8 = 128;

/// The filters and the sort order of a search, by the interned numbers of the rows.
pub struct RowFilter {
    /// Whether no filter is set.
    passes_all: bool,
    category: Option<u16>,
    /// Whether a brand is selected, by brand number.
    brands: Option<Vec<bool>>,
    /// Whether a set of colours has a selected one, by set number.
    sets: Option<Vec<bool>>,
    min: i64,
    max: i64,
    in_stock: bool,
    rating: u16,
    new: bool,
    new_since: i64,
    on_offer: bool,
    sort: ProductSort,
}

impl RowFilter {
    pub fn new(params: &SearchParams, interners: &Interners, now: Timestamp) -> Self {
        let number = |id: &CategoryId| interners.categories.get(id.as_str());
        // A category without products gets a number that no row has.
        let category =
            |id| number(id).and_then(|number| u16::try_from(number).ok()).unwrap_or(u16::MAX);
        let flags = |selected: &[Option<u32>], len: usize| {
            let mut flags = vec![false; len];
            for number in selected.iter().flatten() {
                flags[*number as usize] = true;
            }
            flags
        };
        let selection = |names: &Interner, selected: &std::collections::BTreeSet<String>| {
            let selected: Vec<_> = selected.iter().map(|name| names.get(name)).collect();
            (!selected.is_empty()).then(|| flags(&selected, names.len()))
        };
        let sets = selection(&interners.colours, &params.colours).map(|selected| {
            let in_set = |set: &[u32]| set.iter().any(|colour| selected[*colour as usize]);
            interners.sets.iter().map(|set| in_set(set)).collect()
        });
        Self {
            passes_all: params.category.is_none() && params.active_filters() == 0,
            category: params.category.as_ref().map(category),
            brands: selection(&interners.brands, &params.brands),
            sets,
            min: params.min.map_or(i64::MIN, Money::as_cents),
            max: params.max.map_or(i64::MAX, Money::as_cents),
            in_stock: params.in_stock,
            rating: params.rating.map_or(0, |stars| u16::from(stars) * 100),
            new: params.new,
            new_since: now.minus(NEW_FOR).0,
            on_offer: params.on_offer,
            sort: match params.sort {
                // Without query text there is no relevance.
                ProductSort::Relevance if params.q.is_empty() => ProductSort::Best,
                sort => sort,
            },
        }
    }

    /// The filters that exclude this row, one bit each.
    #[inline]
    fn failed(&self, row: &Row) -> u8 {
        if self.passes_all {
            return 0;
        }
        let mut failed = 0;
        if let Some(category) = self.category {
            failed |= CATEGORY * u8::from(row.category != category);
        }
        if let Some(brands) = &self.brands {
            failed |= BRAND * u8::from(!brands[row.brand as usize]);
        }
        if let Some(sets) = &self.sets {
            failed |= COLOUR * u8::from(!sets[row.colours as usize]);
        }
        failed |= PRICE * u8::from(row.price < self.min || row.price > self.max);
        failed |= STOCK * u8::from(self.in_stock && !row.in_stock);
        failed |= RATING * u8::from(row.rating < self.rating);
        failed |= NEW * u8::from(self.new && row.created_at < self.new_since);
        failed | (OFFER * u8::from(self.on_offer && !row.on_offer))
    }

    /// The row's key in the sort order, highest first.
    #[inline]
    fn sort_key(&self, row: &Row, score: f32) -> u128 {
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

/// The relevance of a match: popular products rank higher, products out of stock lower.
#[inline]
fn relevance(row: &Row, score: f32) -> f32 {
    let popularity = (row.popularity.saturating_add(1)).ilog2() as f32;
    let stock = if row.in_stock { 1.0 } else { 0.8 };
    score * (1.0 + 0.02 * popularity) * stock
}

/// A document: the number of its segment, and its number there.
pub type DocPosition = (u32, u32);

/// Collects the best matches and the facet counts of one pass.
pub struct FacetCounter {
    filter: RowFilter,
    top: TopK,
    /// How many rows matched the query text, before filters.
    pub matched: u64,
    pub total: u64,
    brands: Vec<u32>,
    categories: Vec<u32>,
    sets: Vec<u32>,
    in_stock: u32,
    new: u32,
    on_offer: u32,
    /// By whole stars.
    stars: [u32; 6],
    lowest: i64,
    highest: i64,
}

impl FacetCounter {
    pub fn new(filter: RowFilter, interners: &Interners, wanted: usize) -> Self {
        Self {
            filter,
            top: TopK::new(wanted),
            matched: 0,
            total: 0,
            brands: vec![0; interners.brands.len()],
            categories: vec![0; interners.categories.len()],
            sets: vec![0; interners.sets.len()],
            in_stock: 0,
            new: 0,
            on_offer: 0,
            stars: [0; 6],
            lowest: i64::MAX,
            highest: i64::MIN,
        }
    }

    /// Counts a match. A row that passes every filter counts for all facets; a row that fails a single
    /// filter counts for that facet only, so that each facet's counts ignore its own filter.
    // Not inlined, a million rows take twice as long.
    #[inline(always)]
    pub fn add(&mut self, at: DocPosition, row: &Row, score: f32) {
        self.matched += 1;
        let failed = self.filter.failed(row);
        match failed {
            0 => {
                self.total += 1;
                self.top.push(self.filter.sort_key(row, score), at);
                count(&mut self.in_stock, row.in_stock);
                count(&mut self.new, row.created_at >= self.filter.new_since);
                count(&mut self.on_offer, row.on_offer);
                self.count_category(row);
                self.count_brand(row);
                self.count_colours(row);
                self.count_stars(row);
                self.extend_prices(row);
            }
            CATEGORY => self.count_category(row),
            BRAND => self.count_brand(row),
            COLOUR => self.count_colours(row),
            RATING => self.count_stars(row),
            PRICE => self.extend_prices(row),
            // A row that fails only the stock, new or offer filter has nothing to count for it.
            _ => {}
        }
    }

    /// Adds the counts of another thread for the same search.
    pub fn merge(&mut self, other: Self) {
        fn add(counts: &mut [u32], others: &[u32]) {
            counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
        }
        self.matched += other.matched;
        self.total += other.total;
        self.in_stock += other.in_stock;
        self.new += other.new;
        self.on_offer += other.on_offer;
        add(&mut self.brands, &other.brands);
        add(&mut self.categories, &other.categories);
        add(&mut self.sets, &other.sets);
        add(&mut self.stars, &other.stars);
        self.lowest = self.lowest.min(other.lowest);
        self.highest = self.highest.max(other.highest);
        other.top.entries.into_iter().for_each(|(key, at)| self.top.push(key, at));
    }

    #[inline]
    fn count_category(&mut self, row: &Row) {
        if let Some(counted) = self.categories.get_mut(usize::from(row.category)) {
            count(counted, true);
        }
    }

    #[inline]
    fn count_brand(&mut self, row: &Row) {
        count(&mut self.brands[row.brand as usize], true);
    }

    #[inline]
    fn count_colours(&mut self, row: &Row) {
        count(&mut self.sets[row.colours as usize], true);
    }

    #[inline]
    fn count_stars(&mut self, row: &Row) {
        count(&mut self.stars[usize::from(row.rating / 100).min(5)], true);
    }

    #[inline]
    fn extend_prices(&mut self, row: &Row) {
        self.lowest = self.lowest.min(row.price);
        self.highest = self.highest.max(row.price);
    }

    pub fn best(&mut self) -> Vec<DocPosition> {
        std::mem::take(&mut self.top).sorted()
    }

    pub fn facets(
        &self,
        params: &SearchParams,
        interners: &Interners,
        names: &Categories,
    ) -> Facets {
        let mut colours = vec![0u32; interners.colours.len()];
        for (set, count) in interners.sets.iter().zip(&self.sets) {
            set.iter().for_each(|colour| colours[*colour as usize] += count);
        }
        let up_from =
            |stars: usize| self.stars[stars..].iter().map(|count| i64::from(*count)).sum();
        Facets {
            categories: self.categories(interners, names),
            brands: top_counts(&interners.brands, &self.brands, &params.brands, MAX_BRANDS),
            colours: top_counts(&interners.colours, &colours, &params.colours, MAX_COLOURS),
            in_stock: self.in_stock.into(),
            ratings: (1..=4u8)
                .rev()
                .map(|rating| RatingCount { rating, count: up_from(rating.into()) })
                .collect(),
            new: self.new.into(),
            on_offer: self.on_offer.into(),
            price: (self.lowest <= self.highest).then(|| PriceSpan {
                lowest: Money::cents(self.lowest),
                highest: Money::cents(self.highest),
            }),
        }
    }

    /// The categories with matches, highest count first.
    pub fn categories(&self, interners: &Interners, names: &Categories) -> Vec<CategoryCount> {
        let mut counts: Vec<CategoryCount> = Vec::new();
        for (number, count) in self.categories.iter().enumerate().filter(|(_, count)| **count > 0) {
            let Ok(id) = interners.categories.name(number).parse::<CategoryId>() else { continue };
            let name = names.get(&id).cloned().unwrap_or_default();
            counts.push(CategoryCount { id, name, count: i64::from(*count) });
        }
        counts.sort_by(|one, other| {
            (Reverse(one.count), &one.id).cmp(&(Reverse(other.count), &other.id))
        });
        counts
    }
}

/// Cannot wrap around in practice: an index has fewer products. Wrapping addition avoids the overflow check.
#[inline]
fn count(counted: &mut u32, one_more: bool) {
    *counted = counted.wrapping_add(u32::from(one_more));
}

pub type Categories = std::collections::BTreeMap<CategoryId, String>;

/// The values with the highest counts, including every selected one.
fn top_counts(
    names: &Interner,
    counts: &[u32],
    selected: &std::collections::BTreeSet<String>,
    at_most: usize,
) -> Vec<Count> {
    let mut found: Vec<(bool, u32, &str)> = counts
        .iter()
        .enumerate()
        .map(|(number, count)| (names.name(number), *count))
        .filter(|(name, count)| !name.is_empty() && (*count > 0 || selected.contains(*name)))
        .map(|(name, count)| (selected.contains(name), count, name))
        .collect();
    found.extend(
        selected
            .iter()
            .filter(|name| names.get(name).is_none())
            .map(|name| (true, 0, name.as_str())),
    );
    if found.len() > at_most {
        found.sort_unstable_by_key(|(selected, count, name)| {
            (Reverse(*selected), Reverse(*count), *name)
        });
        found.truncate(at_most);
    }
    found.sort_unstable_by_key(|(_, count, name)| (Reverse(*count), *name));
    let count = |(_, count, value): (bool, u32, &str)| Count {
        value: value.to_owned(),
        count: count.into(),
    };
    found.into_iter().map(count).collect()
}

#[derive(Default)]
struct TopK {
    wanted: usize,
    entries: Vec<(u128, DocPosition)>,
    /// Entries with a lower key are ignored.
    threshold: Option<u128>,
}

impl TopK {
    fn new(wanted: usize) -> Self {
        let entries = Vec::with_capacity(wanted.saturating_mul(2).min(32_768));
        Self { wanted, entries, threshold: None }
    }

    #[inline]
    fn push(&mut self, key: u128, at: DocPosition) {
        if self.wanted == 0 || self.threshold.is_some_and(|threshold| key < threshold) {
            return;
        }
        self.entries.push((key, at));
        if self.entries.len() >= self.wanted * 2 {
            self.shrink();
        }
    }

    /// Drops the lower half. Runs only when there are twice as many entries as wanted, so that a push is cheap.
    fn shrink(&mut self) {
        let (_, last, _) = self
            .entries
            .select_nth_unstable_by_key(self.wanted - 1, |(key, at)| (Reverse(*key), *at));
        self.threshold = Some(last.0);
        self.entries.truncate(self.wanted);
    }

    fn sorted(mut self) -> Vec<DocPosition> {
        self.entries.sort_unstable_by_key(|(key, at)| (Reverse(*key), *at));
        self.entries.truncate(self.wanted);
        self.entries.into_iter().map(|(_, at)| at).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const NOW: Timestamp = Timestamp(NEW_FOR.as_millis() as i64 + 10);

    /// A product with strings instead of interned numbers.
    #[derive(Clone, Debug)]
    struct TestProduct {
        price: i64,
        created_at: i64,
        popularity: u32,
        brand: String,
        category: String,
        colours: BTreeSet<String>,
        rating: u16,
        in_stock: bool,
        on_offer: bool,
    }

    fn name(prefix: &'static str) -> impl Strategy<Value = String> {
        (0..4).prop_map(move |n| format!("{prefix}{n}"))
    }

    fn products() -> impl Strategy<Value = Vec<TestProduct>> {
        let product = (
            (0..20i64, 0..20i64, 0..5u32),
            (name("b"), name("c"), proptest::collection::btree_set(name("k"), 0..3)),
            (0..=500u16, any::<bool>(), any::<bool>()),
        );
        let product = product.prop_map(
            |(
                (price, created_at, popularity),
                (brand, category, colours),
                (rating, in_stock, on_offer),
            )| {
                TestProduct {
                    price: price * 100,
                    created_at,
                    popularity,
                    brand,
                    category,
                    colours,
                    rating,
                    in_stock,
                    on_offer,
                }
            },
        );
        proptest::collection::vec(product, 0..60)
    }

    fn search_params() -> impl Strategy<Value = SearchParams> {
        let names = |prefix| proptest::collection::btree_set(name(prefix), 0..3);
        let price =
            || proptest::option::of((0..20i64).prop_map(|dollars| Money::cents(dollars * 100)));
        let sort = proptest::sample::select(ProductSort::ALL.to_vec());
        (
            (proptest::option::of(name("c")), names("b"), names("k")),
            (price(), price(), any::<bool>(), proptest::option::of(1..=4u8), any::<bool>()),
            (sort, 1..4i64, 1..3i64, any::<bool>(), any::<bool>()),
        )
            .prop_map(
                |(
                    (category, brands, colours),
                    (min, max, in_stock, rating, new),
                    (sort, page, size, has_text, on_offer),
                )| SearchParams {
                    q: if has_text { "x".into() } else { String::new() },
                    category: category.map(|id| id.parse().unwrap()),
                    brands,
                    colours,
                    min,
                    max,
                    in_stock,
                    rating,
                    new,
                    on_offer,
                    sort,
                    page,
                    size,
                    ..SearchParams::default()
                },
            )
    }

    fn rows(products: &[TestProduct], interners: &mut Interners) -> Vec<Row> {
        let mut row = |(place, product): (usize, &TestProduct)| {
            let colours =
                product.colours.iter().map(|colour| interners.colours.intern(colour)).collect();
            Row {
                price: product.price,
                created_at: product.created_at,
                popularity: product.popularity,
                tie: place as u32,
                brand: interners.brands.intern(&product.brand),
                colours: interners.intern_set(colours),
                category: interners.categories.intern(&product.category) as u16,
                rating: product.rating,
                in_stock: product.in_stock,
                on_offer: product.on_offer,
            }
        };
        products.iter().enumerate().map(&mut row).collect()
    }

    /// The reference implementation: whether a product passes every filter except one.
    fn passes(product: &TestProduct, params: &SearchParams, except: u8) -> bool {
        let checks = [
            (CATEGORY, params.category.as_ref().is_none_or(|id| id.as_str() == product.category)),
            (BRAND, params.brands.is_empty() || params.brands.contains(&product.brand)),
            (COLOUR, params.colours.is_empty() || !params.colours.is_disjoint(&product.colours)),
            (PRICE, params.min.is_none_or(|min| product.price >= min.as_cents())),
            (PRICE, params.max.is_none_or(|max| product.price <= max.as_cents())),
            (STOCK, !params.in_stock || product.in_stock),
            (RATING, params.rating.is_none_or(|stars| product.rating >= u16::from(stars) * 100)),
            (NEW, !params.new || product.created_at >= 10),
            (OFFER, !params.on_offer || product.on_offer),
        ];
        checks.into_iter().all(|(filter, passed)| filter == except || passed)
    }

    proptest! {
        #[test]
        fn one_pass_counts_the_same_as_the_reference(products in products(), params in search_params()) {
            let mut interners = Interners::default();
            let rows = rows(&products, &mut interners);
            let wanted = (params.page * params.size) as usize;
            let counter = || FacetCounter::new(RowFilter::new(&params, &interners, NOW), &interners, wanted);
            let (mut counted, mut other) = (counter(), counter());
            for (place, row) in rows.iter().enumerate() {
                let share = if place % 3 == 0 { &mut other } else { &mut counted };
                share.add((0, place as u32), row, 1.0);
            }
            counted.merge(other);
            let facets = counted.facets(&params, &interners, &Categories::new());
            let count = |except: u8, and: &dyn Fn(&TestProduct) -> bool| {
                products.iter().filter(|product| passes(product, &params, except) && and(product)).count() as i64
            };
            let hits: Vec<usize> = (0..products.len()).filter(|place| passes(&products[*place], &params, 0)).collect();
            prop_assert_eq!(counted.total as usize, hits.len());
            prop_assert_eq!(facets.in_stock, count(STOCK, &|product| product.in_stock));
            prop_assert_eq!(facets.new, count(NEW, &|product| product.created_at >= 10));
            prop_assert_eq!(facets.on_offer, count(OFFER, &|product| product.on_offer));
            for RatingCount { rating, count: counted } in facets.ratings {
                prop_assert_eq!(counted, count(RATING, &|product| product.rating >= u16::from(rating) * 100));
            }
            for n in 0..4 {
                let of = |counts: &[Count], value: String| {
                    counts.iter().find(|count| count.value == value).map_or(0, |count| count.count)
                };
                let brand = format!("b{n}");
                prop_assert_eq!(of(&facets.brands, brand.clone()), count(BRAND, &|product| product.brand == brand));
                let colour = format!("k{n}");
                prop_assert_eq!(of(&facets.colours, colour.clone()), count(COLOUR, &|product| product.colours.contains(&colour)));
                let category = format!("c{n}");
                let counted = facets.categories.iter().find(|count| count.id.as_str() == category);
                prop_assert_eq!(counted.map_or(0, |count| count.count), count(CATEGORY, &|product| product.category == category));
            }
            let prices = || products.iter().filter(|product| passes(product, &params, PRICE)).map(|product| product.price);
            prop_assert_eq!(facets.price.as_ref().map(|span| span.lowest.as_cents()), prices().min());
            prop_assert_eq!(facets.price.as_ref().map(|span| span.highest.as_cents()), prices().max());
            for selected in &params.brands {
                prop_assert!(facets.brands.iter().any(|count| count.value == *selected));
            }

            let mut order = hits;
            order.sort_by_key(|place| {
                let product = &products[*place];
                let relevance = relevance(&rows[*place], 1.0).to_bits();
                let (first, second) = match params.sort {
                    ProductSort::Default => (product.created_at, 0),
                    ProductSort::PriceAsc => return (product.price, 0, *place as i64),
                    ProductSort::PriceDesc => (product.price, 0),
                    ProductSort::Best => (product.popularity.into(), product.rating.into()),
                    ProductSort::Relevance if params.q.is_empty() => (product.popularity.into(), product.rating.into()),
                    ProductSort::Relevance => (relevance.into(), i64::from(product.popularity)),
                };
                (-first, -second, -(*place as i64))
            });
            let best: Vec<usize> = counted.best().into_iter().map(|(_, doc)| doc as usize).collect();
            prop_assert_eq!(best, order.into_iter().take(wanted).collect::<Vec<_>>());
        }
    }
}

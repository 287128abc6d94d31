//! Facet counts: one pass over the rows that match a query counts them per value of each facet and selects
//! the requested page (`FacetCounter`).

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

use platform::Money;

use crate::filter::{FACETS, PRICE, RowFilter, TRAITS};
use crate::params::SearchParams;
use crate::prices::shown_price;
use crate::rows::{Interners, Row};
use crate::traits::{ChosenTraits, TraitName, magnitude};
use crate::{CategoryCount, Count, Facets, PriceSpan, RatingCount, ValueCounts};
use shop::catalog::CategoryId;

const MAX_BRANDS: usize = 50;
/// Of each option and attribute, and colours.
const MAX_TRAIT_VALUES: usize = 30;
/// Options, and attributes.
const MAX_TRAIT_NAMES: usize = 8;

/// A document: the number of its segment, and its number there.
pub type DocPosition = (u32, u32);

/// Collects the best matches and the facet counts of one pass.
pub struct FacetCounter {
    filter: RowFilter,
    top: TopK,
    /// Sorted by the shown price, where the others are sorted by the base price.
    top_apart: TopK,
    /// How many rows matched the query text, before filters.
    pub matched: u64,
    pub total: u64,
    /// By facet, then by the number of the value.
    counts: [Vec<u32>; FACETS.len()],
    /// By selected name of traits, then by set of traits: the rows that fail only that name's filter.
    excluded: Vec<Vec<u32>>,
    /// The lowest and the highest base price of rows whose price is converted.
    base_span: (i64, i64),
    /// The same of the shown prices of the others.
    shown_span: (i64, i64),
}

/// Of no prices.
const NO_SPAN: (i64, i64) = (i64::MAX, i64::MIN);

impl FacetCounter {
    pub fn new(filter: RowFilter, interners: &Interners, wanted: usize) -> Self {
        Self {
            excluded: vec![vec![0; interners.sets.len()]; filter.trait_names],
            filter,
            top: TopK::new(wanted),
            top_apart: TopK { wanted, ..TopK::default() },
            matched: 0,
            total: 0,
            counts: FACETS.each_ref().map(|facet| vec![0; (facet.len)(interners)]),
            base_span: NO_SPAN,
            shown_span: NO_SPAN,
        }
    }

    /// Counts a match. A row that passes every filter counts for all facets; a row that fails a single
    /// filter counts for that facet only, so that each facet's counts ignore its own filter. `shown`: the price in the
    /// currency of the search, where it is not the converted one.
    // Not inlined, a million rows take twice as long.
    #[inline(always)]
    pub fn add(&mut self, at: DocPosition, row: &Row, shown: Option<i64>, score: f32) {
        self.matched += 1;
        let failed = self.filter.failed(row, shown);
        if failed == 0 {
            self.total += 1;
            match shown.filter(|_| self.filter.is_by_price()) {
                None => self.top.push(self.filter.sort_key(row, score), at),
                Some(price) => {
                    let row = Row { price, ..*row };
                    self.top_apart.push(self.filter.sort_key(&row, score), at);
                }
            }
            self.extend_prices(row, shown);
            for place in 0..FACETS.len() {
                self.count(place, row);
            }
        } else if failed == 1 << PRICE {
            self.extend_prices(row, shown);
        } else if failed.is_power_of_two() {
            // A loop, which is unrolled: `count` is then inlined for each place.
            for place in 0..FACETS.len() {
                if failed == 1 << place {
                    self.count(place, row);
                }
            }
            if failed >= 1 << TRAITS {
                self.count_excluded(failed.trailing_zeros() as usize - TRAITS, row);
            }
        }
    }

    /// Adds the counts of another thread for the same search.
    pub fn merge(&mut self, other: Self) {
        self.matched += other.matched;
        self.total += other.total;
        let pairs = self.counts.iter_mut().flatten().zip(other.counts.iter().flatten());
        pairs.for_each(|(count, other)| *count += other);
        let pairs = self.excluded.iter_mut().flatten().zip(other.excluded.iter().flatten());
        pairs.for_each(|(count, other)| *count += other);
        extend(&mut self.base_span, other.base_span);
        extend(&mut self.shown_span, other.shown_span);
        self.top.merge(other.top);
        self.top_apart.merge(other.top_apart);
    }

    /// Counts the row's value of a facet.
    #[inline(always)]
    fn count(&mut self, place: usize, row: &Row) {
        let counted = &mut self.counts[place][self.filter.value(place, row)];
        // Cannot wrap around in practice: an index has fewer products. This avoids the overflow check.
        *counted = counted.wrapping_add(1);
    }

    /// Counts a row that fails only the filter of this selected name of traits.
    // Inlined, rows that pass every filter take longer.
    #[inline(never)]
    fn count_excluded(&mut self, place: usize, row: &Row) {
        let counted = &mut self.excluded[place][row.traits as usize];
        *counted = counted.wrapping_add(1);
    }

    #[inline(always)]
    fn extend_prices(&mut self, row: &Row, shown: Option<i64>) {
        match shown {
            None => extend(&mut self.base_span, (row.price, row.price)),
            Some(price) => extend(&mut self.shown_span, (price, price)),
        }
    }

    pub fn best(&mut self) -> Vec<DocPosition> {
        let wanted = self.top.wanted;
        let top = std::mem::take(&mut self.top).sorted();
        let apart = std::mem::take(&mut self.top_apart).sorted();
        let mut best = match apart.is_empty() {
            true => top.into_iter().map(|(_, at)| at).collect(),
            false => self.filter.merge_by_price(top, apart),
        };
        best.truncate(wanted);
        best
    }

    /// Of the products that pass all filters but that by price.
    fn price_span(&self) -> Option<PriceSpan> {
        let to = self.filter.to;
        let mut span = self.shown_span;
        if self.base_span != NO_SPAN {
            let (lowest, highest) = self.base_span;
            extend(&mut span, (shown_price(lowest, to), shown_price(highest, to)));
        }
        let money = |minor| Money::new(minor, to.currency);
        let (lowest, highest) = span;
        (span != NO_SPAN).then(|| PriceSpan { lowest: money(lowest), highest: money(highest) })
    }

    pub fn facets(
        &self,
        params: &SearchParams,
        interners: &Interners,
        names: &Categories,
    ) -> Facets {
        let chosen = params.chosen.traits();
        let counted = self.trait_counts(&chosen, interners);
        let selected = |name| chosen.get(&name).cloned().unwrap_or_default();
        let colours = counted.get(&TraitName::Colour).map_or(&[][..], Vec::as_slice);
        let brand_names = (0..interners.brands.len()).map(|number| interners.brands.name(number));
        let up_from = |name: &str, value: usize| -> i64 {
            self.counts_of(name).iter().skip(value).map(|count| i64::from(*count)).sum()
        };
        let brands = self.counts_of("brand");
        Facets {
            categories: self.categories(interners, names),
            brands: top_counts(
                brand_names.zip(brands.iter().copied()),
                &params.chosen.brands.iter().map(String::as_str).collect(),
                MAX_BRANDS,
            ),
            colours: top_counts(
                colours.iter().copied(),
                &selected(TraitName::Colour),
                MAX_TRAIT_VALUES,
            ),
            options: value_counts(&counted, &chosen, |name| match name {
                TraitName::Option(name) => Some(name),
                _ => None,
            }),
            attributes: value_counts(&counted, &chosen, |name| match name {
                TraitName::Attribute(name) => Some(name),
                _ => None,
            }),
            in_stock: up_from("stock", 1),
            ratings: (1..=4u8)
                .rev()
                .map(|rating| RatingCount { rating, count: up_from("rating", rating.into()) })
                .collect(),
            new: up_from("new", 1),
            on_offer: up_from("offer", 1),
            price: self.price_span(),
        }
    }

    /// The counts of all values of traits, by their names: those of rows that pass every filter, and where a name is
    /// selected also those of rows that fail only its filter.
    fn trait_counts<'n>(
        &self,
        chosen: &ChosenTraits<'n>,
        interners: &'n Interners,
    ) -> TraitCounts<'n> {
        let passed = split_sets(interners, self.counts_of("traits"));
        let excluded: BTreeMap<TraitName, Vec<u32>> = chosen
            .keys()
            .zip(&self.excluded)
            .map(|(name, counts)| (*name, split_sets(interners, counts)))
            .collect();
        let mut counted = TraitCounts::new();
        for (number, passed) in passed.into_iter().enumerate() {
            let Some((name, value)) = TraitName::parse(interners.traits.name(number)) else {
                continue;
            };
            let excluded = excluded.get(&name).map_or(0, |counts| counts[number]);
            if passed + excluded > 0 {
                counted.entry(name).or_default().push((value, passed + excluded));
            }
        }
        counted
    }

    /// The counts of a facet, by the number of the value.
    fn counts_of(&self, name: &str) -> &[u32] {
        let counts = FACETS.iter().zip(&self.counts).find(|(facet, _)| facet.name == name);
        counts.map_or(&[], |(_, counts)| counts.as_slice())
    }

    /// The categories with matches, highest count first.
    pub fn categories(&self, interners: &Interners, names: &Categories) -> Vec<CategoryCount> {
        let mut counts: Vec<CategoryCount> = Vec::new();
        let counted = self.counts_of("category").iter().enumerate();
        for (number, count) in counted.filter(|(_, count)| **count > 0) {
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

#[inline(always)]
fn extend(span: &mut (i64, i64), (lowest, highest): (i64, i64)) {
    *span = (span.0.min(lowest), span.1.max(highest));
}

pub type Categories = std::collections::BTreeMap<CategoryId, String>;

/// The values of each name with matches, and their counts.
type TraitCounts<'n> = BTreeMap<TraitName<'n>, Vec<(&'n str, u32)>>;

/// The counts of traits, by their number, from those of sets of traits.
fn split_sets(interners: &Interners, counts: &[u32]) -> Vec<u32> {
    let mut split = vec![0u32; interners.traits.len()];
    for (set, count) in interners.sets.iter().zip(counts).filter(|(_, count)| **count > 0) {
        set.iter().for_each(|number| split[*number as usize] += count);
    }
    split
}

/// The facets of the options or the attributes: of the names with the highest counts, including every selected one,
/// those with several values or a selected one.
fn value_counts<'n>(
    counted: &TraitCounts<'n>,
    chosen: &ChosenTraits<'n>,
    wanted: impl Fn(TraitName<'n>) -> Option<&'n str>,
) -> Vec<ValueCounts> {
    let names: BTreeSet<TraitName> = counted.keys().chain(chosen.keys()).copied().collect();
    let mut found: Vec<(bool, u64, ValueCounts)> = Vec::new();
    for name in names {
        let Some(text) = wanted(name) else { continue };
        let counts = counted.get(&name).map_or(&[][..], Vec::as_slice);
        let selected = chosen.get(&name).cloned().unwrap_or_default();
        let mut values = top_counts(counts.iter().copied(), &selected, MAX_TRAIT_VALUES);
        if values.len() < 2 && selected.is_empty() {
            continue;
        }
        sort_by_magnitude(&mut values);
        let all = counts.iter().map(|(_, count)| u64::from(*count)).sum();
        let facet = ValueCounts { name: text.to_owned(), label: None, values };
        found.push((!selected.is_empty(), all, facet));
    }
    found.sort_by_key(|(selected, all, _)| (Reverse(*selected), Reverse(*all)));
    let selected = found.iter().take_while(|(selected, _, _)| *selected).count();
    found.truncate(selected.max(MAX_TRAIT_NAMES));
    let mut facets: Vec<ValueCounts> = found.into_iter().map(|(_, _, facet)| facet).collect();
    // In an order that does not change with the filters.
    facets.sort_by(|one, other| one.name.cmp(&other.name));
    facets
}

/// Sorts values that are all sizes or quantities by size.
fn sort_by_magnitude(values: &mut [Count]) {
    if values.iter().all(|count| magnitude(&count.value).is_some()) {
        values.sort_by(|one, other| {
            let magnitudes = (magnitude(&one.value), magnitude(&other.value));
            magnitudes.0.partial_cmp(&magnitudes.1).unwrap_or(Ordering::Equal)
        });
    }
}

/// The values with the highest counts, including every selected one.
fn top_counts<'n>(
    counted: impl Iterator<Item = (&'n str, u32)>,
    selected: &BTreeSet<&'n str>,
    at_most: usize,
) -> Vec<Count> {
    let mut found: Vec<(bool, u32, &str)> = counted
        .filter(|(name, count)| !name.is_empty() && *count > 0)
        .map(|(name, count)| (selected.contains(name), count, name))
        .collect();
    let without_matches = selected
        .iter()
        .filter(|name| !found.iter().any(|(_, _, found)| found == *name))
        .map(|name| (true, 0, *name))
        .collect::<Vec<_>>();
    found.extend(without_matches);
    if found.len() > at_most {
        found.sort_unstable_by_key(|(selected, count, name)| {
            (Reverse(*selected), Reverse(*count), *name)
        });
        found.truncate(at_most);
    }
    found.sort_unstable_by_key(|(_, count, name)| (Reverse(*count), *name));
    let count = |(_, count, value): (bool, u32, &str)| Count {
        value: value.to_owned(),
        name: None,
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

    fn merge(&mut self, other: Self) {
        other.entries.into_iter().for_each(|(key, at)| self.push(key, at));
    }

    fn sorted(mut self) -> Vec<(u128, DocPosition)> {
        self.entries.sort_unstable_by_key(|(key, at)| (Reverse(*key), *at));
        self.entries.truncate(self.wanted);
        self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::{NEW_FOR, relevance};
    use crate::indexed_product::ProductPrice;
    use crate::{Chosen, NamedValue};
    use platform::{Currencies, Currency, Exchange, Timestamp};
    use proptest::prelude::*;
    use shop::catalog::{CatalogView, ProductSort};

    const NOW: Timestamp = Timestamp(NEW_FOR.as_millis() as i64 + 10);

    type TestTrait = (TraitName<'static>, String);

    /// Those of `TestProduct`s and of searches, and one that no product has.
    const TRAIT_NAMES: [TraitName; 5] = [
        TraitName::Colour,
        TraitName::Option("Size"),
        TraitName::Option("Length"),
        TraitName::Attribute("Size"),
        TraitName::Attribute("Unknown"),
    ];

    fn traits(
        names: &'static [TraitName<'static>],
        at_most: usize,
    ) -> impl Strategy<Value = BTreeSet<TestTrait>> {
        let one = (proptest::sample::select(names), name("k"));
        proptest::collection::btree_set(one, 0..=at_most)
    }

    /// A product with strings instead of interned numbers.
    #[derive(Clone, Debug)]
    struct TestProduct {
        price: i64,
        /// In another currency.
        fixed: Option<ProductPrice>,
        created_at: i64,
        popularity: u32,
        brand: String,
        category: String,
        traits: BTreeSet<TestTrait>,
        rating: u16,
        in_stock: bool,
        on_offer: bool,
    }

    impl TestProduct {
        /// The price that is not the converted one.
        fn fixed_price(&self, to: Exchange) -> Option<i64> {
            self.fixed.filter(|_| !to.is_base()).map(|price| price.shown(to))
        }

        fn shown(&self, to: Exchange) -> i64 {
            self.fixed_price(to).unwrap_or_else(|| shown_price(self.price, to))
        }
    }

    /// The base currency, or another one, in which many prices are shown as the same.
    fn exchanges() -> impl Strategy<Value = Exchange> {
        let to = |other: bool| {
            let taka = "BDT=120.5 to 50".parse().unwrap();
            let currencies = Currencies::new(Currency::USD, vec![taka]).unwrap();
            let currency = if other { Currency::BDT } else { Currency::USD };
            currencies.exchange(currency).unwrap()
        };
        any::<bool>().prop_map(to)
    }

    fn name(prefix: &'static str) -> impl Strategy<Value = String> {
        (0..4).prop_map(move |n| format!("{prefix}{n}"))
    }

    fn products() -> impl Strategy<Value = Vec<TestProduct>> {
        let product = (
            (0..2000i64, proptest::option::weighted(0.3, product_price()), 0..20i64, 0..5u32),
            (name("b"), name("c"), traits(&TRAIT_NAMES[..4], 5)),
            (0..=500u16, any::<bool>(), any::<bool>()),
        );
        let product = product.prop_map(
            |(
                (price, fixed, created_at, popularity),
                (brand, category, traits),
                (rating, in_stock, on_offer),
            )| {
                TestProduct {
                    price,
                    fixed,
                    created_at,
                    popularity,
                    brand,
                    category,
                    traits,
                    rating,
                    in_stock,
                    on_offer,
                }
            },
        );
        proptest::collection::vec(product, 0..60)
    }

    fn product_price() -> impl Strategy<Value = ProductPrice> {
        (0..2400i64, proptest::option::of(0..2000i64))
            .prop_map(|(units, converted)| ProductPrice { fixed: Some(units * 100), converted })
    }

    fn search_params() -> impl Strategy<Value = SearchParams> {
        let names = |prefix| proptest::collection::btree_set(name(prefix), 0..3);
        // In dollars, or in taka.
        let price = || proptest::option::of(prop_oneof![0..20i64, 0..2400i64]);
        let sort = proptest::sample::select(ProductSort::ALL.to_vec());
        (
            (proptest::option::of(name("c")), names("b"), traits(&TRAIT_NAMES, 4)),
            (price(), price(), any::<bool>(), proptest::option::of(1..=4u8), any::<bool>()),
            (sort, 1..4i64, 1..3i64, any::<bool>(), any::<bool>()),
        )
            .prop_map(
                |(
                    (category, brands, traits),
                    (min, max, in_stock, rating, new),
                    (sort, page, size, has_text, on_offer),
                )| SearchParams {
                    q: if has_text { "x".into() } else { String::new() },
                    category: category.map(|id| id.parse().unwrap()),
                    chosen: Chosen {
                        brands,
                        min,
                        max,
                        in_stock,
                        rating,
                        new,
                        on_offer,
                        ..chosen_traits(traits)
                    },
                    sort,
                    page,
                    size,
                    ..SearchParams::default()
                },
            )
    }

    fn chosen_traits(traits: BTreeSet<TestTrait>) -> Chosen {
        let mut chosen = Chosen::default();
        for (name, value) in traits {
            let named = |name: &str| NamedValue { name: name.to_owned(), value: value.clone() };
            match name {
                TraitName::Colour => drop(chosen.colours.insert(value)),
                TraitName::Option(name) => drop(chosen.options.insert(named(name))),
                TraitName::Attribute(name) => drop(chosen.attributes.insert(named(name))),
            }
        }
        chosen
    }

    fn rows(products: &[TestProduct], interners: &mut Interners) -> Vec<Row> {
        let mut row = |(place, product): (usize, &TestProduct)| {
            let key = |(name, value): &TestTrait| name.key(value);
            let traits = product.traits.iter().map(key);
            let traits = traits.map(|key| interners.traits.intern(&key)).collect();
            Row {
                price: product.price,
                created_at: product.created_at,
                popularity: product.popularity,
                tie: place as u32,
                brand: interners.brands.intern(&product.brand),
                traits: interners.intern_set(traits),
                category: interners.categories.intern(&product.category),
                rating: product.rating,
                in_stock: product.in_stock,
                on_offer: product.on_offer,
            }
        };
        products.iter().enumerate().map(&mut row).collect()
    }

    /// The reference implementation: whether a product passes every filter except one.
    fn passes(product: &TestProduct, params: &SearchParams, to: Exchange, except: &str) -> bool {
        passes_traits(product, params, None) && passes_others(product, params, to, except)
    }

    fn passes_traits(
        product: &TestProduct,
        params: &SearchParams,
        except: Option<TraitName>,
    ) -> bool {
        let has = |name, value: &str| product.traits.contains(&(name, value.to_owned()));
        TRAIT_NAMES.into_iter().filter(|name| Some(*name) != except).all(|name| {
            let chosen = params.chosen.traits();
            chosen.get(&name).is_none_or(|values| values.iter().any(|value| has(name, value)))
        })
    }

    fn passes_others(
        product: &TestProduct,
        params: &SearchParams,
        to: Exchange,
        except: &str,
    ) -> bool {
        let price = product.shown(to);
        let checks = [
            ("category", params.category.as_ref().is_none_or(|id| id.as_str() == product.category)),
            (
                "brand",
                params.chosen.brands.is_empty() || params.chosen.brands.contains(&product.brand),
            ),
            ("price", params.chosen.min.is_none_or(|min| price >= min * 100)),
            ("price", params.chosen.max.is_none_or(|max| price <= max * 100)),
            ("stock", !params.chosen.in_stock || product.in_stock),
            (
                "rating",
                params.chosen.rating.is_none_or(|stars| product.rating >= u16::from(stars) * 100),
            ),
            ("new", !params.chosen.new || product.created_at >= 10),
            ("offer", !params.chosen.on_offer || product.on_offer),
        ];
        checks.into_iter().all(|(filter, passed)| filter == except || passed)
    }

    #[test]
    fn the_most_common_names_and_every_selected_one_are_shown() {
        let names: Vec<String> = (0..20).map(|n| format!("Name {n:02}")).collect();
        let counted: TraitCounts = (1..)
            .zip(&names)
            .map(|(n, name)| (TraitName::Option(name), vec![("S", n), ("M", n), ("L", 1)]))
            .collect();
        let mut chosen = ChosenTraits::from([(TraitName::Option("Name 00"), ["XL"].into())]);
        let shown = |chosen: &ChosenTraits| -> Vec<(String, String)> {
            let of_option = |name| match name {
                TraitName::Option(name) => Some(name),
                _ => None,
            };
            let values = |facet: &ValueCounts| {
                facet.values.iter().map(|count| count.value.clone()).collect::<Vec<_>>().join(" ")
            };
            let facets = value_counts(&counted, chosen, of_option);
            facets.iter().map(|facet| (facet.name.clone(), values(facet))).collect()
        };
        let facets = shown(&chosen);
        assert_eq!(facets.len(), MAX_TRAIT_NAMES);
        assert_eq!(facets[0], ("Name 00".into(), "S M L XL".into()));
        assert_eq!(facets[1], ("Name 13".into(), "S M L".into()));
        chosen.extend(names.iter().map(|name| (TraitName::Option(name), ["S"].into())));
        assert_eq!(shown(&chosen).len(), names.len());
    }

    proptest! {
        #[test]
        fn one_pass_counts_the_same_as_the_reference(
            products in products(), params in search_params(), to in exchanges(),
        ) {
            let view = CatalogView { now: NOW, to, language: None, lowest_price_days: 0 };
            let mut interners = Interners::default();
            let rows = rows(&products, &mut interners);
            let wanted = (params.page * params.size) as usize;
            let counter = || FacetCounter::new(RowFilter::new(&params, &interners, view), &interners, wanted);
            let (mut counted, mut other) = (counter(), counter());
            for (place, row) in rows.iter().enumerate() {
                let share = if place % 3 == 0 { &mut other } else { &mut counted };
                share.add((0, place as u32), row, products[place].fixed_price(to), 1.0);
            }
            counted.merge(other);
            let facets = counted.facets(&params, &interners, &Categories::new());
            let count = |except: &str, and: &dyn Fn(&TestProduct) -> bool| {
                products.iter().filter(|product| passes(product, &params, to, except) && and(product)).count() as i64
            };
            let hits: Vec<usize> = (0..products.len()).filter(|place| passes(&products[*place], &params, to, "")).collect();
            prop_assert_eq!(counted.total as usize, hits.len());
            prop_assert_eq!(facets.in_stock, count("stock", &|product| product.in_stock));
            prop_assert_eq!(facets.new, count("new", &|product| product.created_at >= 10));
            prop_assert_eq!(facets.on_offer, count("offer", &|product| product.on_offer));
            for RatingCount { rating, count: counted } in facets.ratings {
                prop_assert_eq!(counted, count("rating", &|product| product.rating >= u16::from(rating) * 100));
            }
            for n in 0..4 {
                let of = |counts: &[Count], value: String| {
                    counts.iter().find(|count| count.value == value).map_or(0, |count| count.count)
                };
                let brand = format!("b{n}");
                prop_assert_eq!(of(&facets.brands, brand.clone()), count("brand", &|product| product.brand == brand));
                let category = format!("c{n}");
                let counted = facets.categories.iter().find(|count| count.id.as_str() == category);
                prop_assert_eq!(counted.map_or(0, |count| count.count), count("category", &|product| product.category == category));
            }
            for name in TRAIT_NAMES {
                let expected: BTreeMap<String, i64> = (0..4).map(|n| format!("k{n}")).map(|value| {
                    let own = (name, value.clone());
                    let matches = |product: &&TestProduct| {
                        passes_others(product, &params, to, "") && passes_traits(product, &params, Some(name))
                            && product.traits.contains(&own)
                    };
                    (value, products.iter().filter(matches).count() as i64)
                }).collect();
                let selected = params.chosen.traits().remove(&name).unwrap_or_default();
                let expected: BTreeMap<String, i64> = expected
                    .into_iter()
                    .filter(|(value, count)| *count > 0 || selected.contains(value.as_str()))
                    .collect();
                let named = |facets: &[ValueCounts], name| {
                    facets.iter().find(|facet| facet.name == name).map(|facet| facet.values.clone())
                };
                let counted = match name {
                    TraitName::Colour => Some(facets.colours.clone()),
                    TraitName::Option(name) => named(&facets.options, name),
                    TraitName::Attribute(name) => named(&facets.attributes, name),
                };
                let is_shown = name == TraitName::Colour || expected.len() > 1 || !selected.is_empty();
                prop_assert_eq!(counted.is_some(), is_shown, "{:?}", name);
                if let Some(counted) = counted {
                    let counted: BTreeMap<String, i64> =
                        counted.into_iter().map(|count| (count.value, count.count)).collect();
                    prop_assert_eq!(counted, expected, "{:?}", name);
                }
            }
            let prices = || products.iter().filter(|product| passes(product, &params, to, "price")).map(|product| product.shown(to));
            prop_assert_eq!(facets.price.as_ref().map(|span| span.lowest.minor()), prices().min());
            prop_assert_eq!(facets.price.as_ref().map(|span| span.highest.minor()), prices().max());
            prop_assert!(facets.price.is_none_or(|span| span.lowest.currency() == to.currency));
            for selected in &params.chosen.brands {
                prop_assert!(facets.brands.iter().any(|count| count.value == *selected));
            }

            let mut order = hits;
            order.sort_by_key(|place| {
                let product = &products[*place];
                // Of products that are shown with the same price, those with a fixed one are last.
                let is_fixed = product.fixed_price(to).is_some();
                let base = if is_fixed { 0 } else { product.price };
                let (shown, kind) = (product.shown(to), i64::from(is_fixed));
                let relevance = relevance(&rows[*place], 1.0).to_bits();
                let (first, second) = match params.sort {
                    ProductSort::Default => (product.created_at, 0),
                    ProductSort::PriceAsc => return (shown, kind, base, *place as i64),
                    ProductSort::PriceDesc => return (-shown, kind, -base, -(*place as i64)),
                    ProductSort::Best => (product.popularity.into(), product.rating.into()),
                    ProductSort::Relevance if params.q.is_empty() => (product.popularity.into(), product.rating.into()),
                    ProductSort::Relevance => (relevance.into(), i64::from(product.popularity)),
                };
                (-first, -second, -(*place as i64), 0)
            });
            let best: Vec<usize> = counted.best().into_iter().map(|(_, doc)| doc as usize).collect();
            prop_assert_eq!(best, order.into_iter().take(wanted).collect::<Vec<_>>());
        }
    }
}

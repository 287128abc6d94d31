//! One pass over the rows that match a query gives the page, the total and the count behind every filter.

use std::cmp::Reverse;
use std::time::Duration;

use base::{Money, Timestamp};

use crate::choice::Choice;
use crate::rows::{Lists, Names, Row};
use crate::{CategoryCount, Count, Facets, PriceSpan, RatingCount};
use shop::catalog::{CategoryId, Sort};

/// How long a product is a new arrival.
const NEW_FOR: Duration = Duration::from_secs(30 * 24 * 3600);
const MOST_BRANDS: usize = 50;
const MOST_COLOURS: usize = 30;

/// The filters, one bit each.
const CATEGORY: u8 = 1;
const BRAND: u8 = 2;
const COLOUR: u8 = 4;
const PRICE: u8 = 8;
const STOCK: u8 = 16;
const RATING: u8 = 32;
const NEW: u8 = 64;
const OFFER: u8 = 128;

/// A choice in the numbers of the rows.
pub struct Sieve {
    /// Whether it lets everything through.
    open: bool,
    category: Option<u16>,
    /// By a brand's number, whether it was chosen.
    brands: Option<Vec<bool>>,
    /// By the number of a set, whether a chosen colour is in it.
    sets: Option<Vec<bool>>,
    min: i64,
    max: i64,
    in_stock: bool,
    rating: u16,
    new: bool,
    new_since: i64,
    on_offer: bool,
    sort: Sort,
}

impl Sieve {
    pub fn of(choice: &Choice, lists: &Lists, now: Timestamp) -> Self {
        let number = |id: &CategoryId| lists.categories.known(id.as_str());
        // A category that nothing is in has a number that nothing has.
        let category =
            |id| number(id).and_then(|number| u16::try_from(number).ok()).unwrap_or(u16::MAX);
        let marked = |chosen: &[Option<u32>], len: usize| {
            let mut marked = vec![false; len];
            for number in chosen.iter().flatten() {
                marked[*number as usize] = true;
            }
            marked
        };
        let numbers = |names: &Names, chosen: &std::collections::BTreeSet<String>| {
            let chosen: Vec<_> = chosen.iter().map(|name| names.known(name)).collect();
            (!chosen.is_empty()).then(|| marked(&chosen, names.len()))
        };
        let sets = numbers(&lists.colours, &choice.colours).map(|chosen| {
            let in_set = |set: &[u32]| set.iter().any(|colour| chosen[*colour as usize]);
            lists.sets.iter().map(|set| in_set(set)).collect()
        });
        Self {
            open: choice.category.is_none() && choice.filters() == 0,
            category: choice.category.as_ref().map(category),
            brands: numbers(&lists.brands, &choice.brands),
            sets,
            min: choice.min.map_or(i64::MIN, Money::as_cents),
            max: choice.max.map_or(i64::MAX, Money::as_cents),
            in_stock: choice.in_stock,
            rating: choice.rating.map_or(0, |stars| u16::from(stars) * 100),
            new: choice.new,
            new_since: now.minus(NEW_FOR).0,
            on_offer: choice.on_offer,
            sort: match choice.sort {
                // There is nothing to be relevant to.
                Sort::Relevance if choice.q.is_empty() => Sort::Best,
                sort => sort,
            },
        }
    }

    /// The filters that do not let this row through, a bit each.
    #[inline]
    fn failed(&self, row: &Row) -> u8 {
        if self.open {
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

    /// Where a row stands in the chosen order: the greater, the earlier.
    #[inline]
    fn place(&self, row: &Row, score: f32) -> u128 {
        // Moments and prices are never negative, nor are scores, whose bits then sort as they do.
        let (first, second) = match self.sort {
            Sort::Default => (row.created_at as u64, 0),
            Sort::PriceAsc => {
                return (u128::from(!(row.price as u64)) << 64) | u128::from(!row.tie);
            }
            Sort::PriceDesc => (row.price as u64, 0),
            Sort::Best => (u64::from(row.popularity), u32::from(row.rating)),
            Sort::Relevance => (u64::from(worth(row, score).to_bits()), row.popularity),
        };
        (u128::from(first) << 64) | (u128::from(second) << 32) | u128::from(row.tie)
    }
}

/// What a match is worth: what sells is likelier meant, and what is out of stock helps nobody now.
#[inline]
fn worth(row: &Row, score: f32) -> f32 {
    let sold = (row.popularity.saturating_add(1)).ilog2() as f32;
    let there = if row.in_stock { 1.0 } else { 0.8 };
    score * (1.0 + 0.02 * sold) * there
}

/// A document: which segment, and its number there.
pub type Place = (u32, u32);

/// What one pass finds.
pub struct Tally {
    sieve: Sieve,
    top: Top,
    /// How many matched the words, whatever the filters say.
    pub seen: u64,
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

impl Tally {
    pub fn new(sieve: Sieve, lists: &Lists, wanted: usize) -> Self {
        Self {
            sieve,
            top: Top::new(wanted),
            seen: 0,
            total: 0,
            brands: vec![0; lists.brands.len()],
            categories: vec![0; lists.categories.len()],
            sets: vec![0; lists.sets.len()],
            in_stock: 0,
            new: 0,
            on_offer: 0,
            stars: [0; 6],
            lowest: i64::MAX,
            highest: i64::MIN,
        }
    }

    /// Takes in a match. One that passes every filter counts for all of them; one that fails a single
    /// filter counts for that one alone, which is how counts follow the other filters.
    // Called, not inlined, a million rows take twice as long.
    #[inline(always)]
    pub fn take(&mut self, at: Place, row: &Row, score: f32) {
        self.seen += 1;
        let failed = self.sieve.failed(row);
        match failed {
            0 => {
                self.total += 1;
                self.top.offer(self.sieve.place(row, score), at);
                count(&mut self.in_stock, row.in_stock);
                count(&mut self.new, row.created_at >= self.sieve.new_since);
                count(&mut self.on_offer, row.on_offer);
                self.count_category(row);
                self.count_brand(row);
                self.count_colours(row);
                self.count_stars(row);
                self.span(row);
            }
            CATEGORY => self.count_category(row),
            BRAND => self.count_brand(row),
            COLOUR => self.count_colours(row),
            RATING => self.count_stars(row),
            PRICE => self.span(row),
            // What fails another one alone is not in stock, not new or not on offer, and counts for none.
            _ => {}
        }
    }

    /// Takes in what another has counted of the same choice.
    pub fn join(&mut self, other: Self) {
        fn add(counts: &mut [u32], others: &[u32]) {
            counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
        }
        self.seen += other.seen;
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
        other.top.kept.into_iter().for_each(|(key, at)| self.top.offer(key, at));
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
    fn span(&mut self, row: &Row) {
        self.lowest = self.lowest.min(row.price);
        self.highest = self.highest.max(row.price);
    }

    /// What was found, the first first.
    pub fn best(&mut self) -> Vec<Place> {
        std::mem::take(&mut self.top).sorted()
    }

    /// The counts by name.
    pub fn facets(&self, choice: &Choice, lists: &Lists, names: &Categories) -> Facets {
        let mut colours = vec![0u32; lists.colours.len()];
        for (set, count) in lists.sets.iter().zip(&self.sets) {
            set.iter().for_each(|colour| colours[*colour as usize] += count);
        }
        let up_from =
            |stars: usize| self.stars[stars..].iter().map(|count| i64::from(*count)).sum();
        Facets {
            categories: self.categories(lists, names),
            brands: most(&lists.brands, &self.brands, &choice.brands, MOST_BRANDS),
            colours: most(&lists.colours, &colours, &choice.colours, MOST_COLOURS),
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

    /// The categories that hold something of it, the fullest first.
    pub fn categories(&self, lists: &Lists, names: &Categories) -> Vec<CategoryCount> {
        let mut counts: Vec<CategoryCount> = Vec::new();
        for (number, count) in self.categories.iter().enumerate().filter(|(_, count)| **count > 0) {
            let Ok(id) = lists.categories.name(number).parse::<CategoryId>() else { continue };
            let name = names.get(&id).cloned().unwrap_or_default();
            counts.push(CategoryCount { id, name, count: i64::from(*count) });
        }
        counts.sort_by(|one, other| {
            (Reverse(one.count), &one.id).cmp(&(Reverse(other.count), &other.id))
        });
        counts
    }
}

/// An index has fewer products than would make this wrap around.
#[inline]
fn count(counted: &mut u32, one_more: bool) {
    *counted = counted.wrapping_add(u32::from(one_more));
}

/// The categories' names by their ids.
pub type Categories = std::collections::BTreeMap<CategoryId, String>;

/// The values that count most, and those that were chosen in any case.
fn most(
    names: &Names,
    counts: &[u32],
    chosen: &std::collections::BTreeSet<String>,
    at_most: usize,
) -> Vec<Count> {
    let mut found: Vec<(bool, u32, &str)> = counts
        .iter()
        .enumerate()
        .map(|(number, count)| (names.name(number), *count))
        .filter(|(name, count)| !name.is_empty() && (*count > 0 || chosen.contains(*name)))
        .map(|(name, count)| (chosen.contains(name), count, name))
        .collect();
    found.extend(
        chosen
            .iter()
            .filter(|name| names.known(name).is_none())
            .map(|name| (true, 0, name.as_str())),
    );
    if found.len() > at_most {
        found.sort_unstable_by_key(|(chosen, count, name)| {
            (Reverse(*chosen), Reverse(*count), *name)
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

/// The greatest few of very many.
#[derive(Default)]
struct Top {
    wanted: usize,
    kept: Vec<(u128, Place)>,
    /// What is not above this is not among them.
    least: Option<u128>,
}

impl Top {
    fn new(wanted: usize) -> Self {
        Self { wanted, kept: Vec::with_capacity(wanted.saturating_mul(2).min(32_768)), least: None }
    }

    #[inline]
    fn offer(&mut self, key: u128, at: Place) {
        if self.wanted == 0 || self.least.is_some_and(|least| key < least) {
            return;
        }
        self.kept.push((key, at));
        if self.kept.len() >= self.wanted * 2 {
            self.shrink();
        }
    }

    /// Twice as many as wanted are kept before the lesser half is let go, so that each costs little.
    fn shrink(&mut self) {
        let (_, last, _) =
            self.kept.select_nth_unstable_by_key(self.wanted - 1, |(key, at)| (Reverse(*key), *at));
        self.least = Some(last.0);
        self.kept.truncate(self.wanted);
    }

    fn sorted(mut self) -> Vec<Place> {
        self.kept.sort_unstable_by_key(|(key, at)| (Reverse(*key), *at));
        self.kept.truncate(self.wanted);
        self.kept.into_iter().map(|(_, at)| at).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const NOW: Timestamp = Timestamp(NEW_FOR.as_millis() as i64 + 10);

    /// A product in words, to count it without the numbers.
    #[derive(Clone, Debug)]
    struct Thing {
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

    fn name(of: &'static str) -> impl Strategy<Value = String> {
        (0..4).prop_map(move |n| format!("{of}{n}"))
    }

    fn things() -> impl Strategy<Value = Vec<Thing>> {
        let thing = (
            (0..20i64, 0..20i64, 0..5u32),
            (name("b"), name("c"), proptest::collection::btree_set(name("k"), 0..3)),
            (0..=500u16, any::<bool>(), any::<bool>()),
        );
        let thing = thing.prop_map(
            |(
                (price, created_at, popularity),
                (brand, category, colours),
                (rating, in_stock, on_offer),
            )| {
                Thing {
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
        proptest::collection::vec(thing, 0..60)
    }

    fn choices() -> impl Strategy<Value = Choice> {
        let names = |of| proptest::collection::btree_set(name(of), 0..3);
        let price =
            || proptest::option::of((0..20i64).prop_map(|dollars| Money::cents(dollars * 100)));
        let sort = proptest::sample::select(Sort::ALL.to_vec());
        (
            (proptest::option::of(name("c")), names("b"), names("k")),
            (price(), price(), any::<bool>(), proptest::option::of(1..=4u8), any::<bool>()),
            (sort, 1..4i64, 1..3i64, any::<bool>(), any::<bool>()),
        )
            .prop_map(
                |(
                    (category, brands, colours),
                    (min, max, in_stock, rating, new),
                    (sort, number, size, words, on_offer),
                )| Choice {
                    q: if words { "x".into() } else { String::new() },
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
                    number,
                    size,
                    ..Choice::default()
                },
            )
    }

    fn rows(things: &[Thing], lists: &mut Lists) -> Vec<Row> {
        let mut row = |(place, thing): (usize, &Thing)| {
            let colours = thing.colours.iter().map(|colour| lists.colours.number(colour)).collect();
            Row {
                price: thing.price,
                created_at: thing.created_at,
                popularity: thing.popularity,
                tie: place as u32,
                brand: lists.brands.number(&thing.brand),
                colours: lists.set(colours),
                category: lists.categories.number(&thing.category) as u16,
                rating: thing.rating,
                in_stock: thing.in_stock,
                on_offer: thing.on_offer,
            }
        };
        things.iter().enumerate().map(&mut row).collect()
    }

    /// The plain way to say it: whether a thing passes every filter but the one that is left out.
    fn passes(thing: &Thing, choice: &Choice, but: u8) -> bool {
        let checks = [
            (CATEGORY, choice.category.as_ref().is_none_or(|id| id.as_str() == thing.category)),
            (BRAND, choice.brands.is_empty() || choice.brands.contains(&thing.brand)),
            (COLOUR, choice.colours.is_empty() || !choice.colours.is_disjoint(&thing.colours)),
            (PRICE, choice.min.is_none_or(|min| thing.price >= min.as_cents())),
            (PRICE, choice.max.is_none_or(|max| thing.price <= max.as_cents())),
            (STOCK, !choice.in_stock || thing.in_stock),
            (RATING, choice.rating.is_none_or(|stars| thing.rating >= u16::from(stars) * 100)),
            (NEW, !choice.new || thing.created_at >= 10),
            (OFFER, !choice.on_offer || thing.on_offer),
        ];
        checks.into_iter().all(|(filter, passed)| filter == but || passed)
    }

    proptest! {
        #[test]
        fn one_pass_counts_what_counting_one_by_one_does(things in things(), choice in choices()) {
            let mut lists = Lists::default();
            let rows = rows(&things, &mut lists);
            let wanted = (choice.number * choice.size) as usize;
            let tallies = || Tally::new(Sieve::of(&choice, &lists, NOW), &lists, wanted);
            let (mut tally, mut other) = (tallies(), tallies());
            for (place, row) in rows.iter().enumerate() {
                let share = if place % 3 == 0 { &mut other } else { &mut tally };
                share.take((0, place as u32), row, 1.0);
            }
            tally.join(other);
            let facets = tally.facets(&choice, &lists, &Categories::new());
            let count = |but: u8, and: &dyn Fn(&Thing) -> bool| {
                things.iter().filter(|thing| passes(thing, &choice, but) && and(thing)).count() as i64
            };
            let hits: Vec<usize> = (0..things.len()).filter(|place| passes(&things[*place], &choice, 0)).collect();
            prop_assert_eq!(tally.total as usize, hits.len());
            prop_assert_eq!(facets.in_stock, count(STOCK, &|thing| thing.in_stock));
            prop_assert_eq!(facets.new, count(NEW, &|thing| thing.created_at >= 10));
            prop_assert_eq!(facets.on_offer, count(OFFER, &|thing| thing.on_offer));
            for RatingCount { rating, count: counted } in facets.ratings {
                prop_assert_eq!(counted, count(RATING, &|thing| thing.rating >= u16::from(rating) * 100));
            }
            for n in 0..4 {
                let of = |counts: &[Count], value: String| {
                    counts.iter().find(|count| count.value == value).map_or(0, |count| count.count)
                };
                let brand = format!("b{n}");
                prop_assert_eq!(of(&facets.brands, brand.clone()), count(BRAND, &|thing| thing.brand == brand));
                let colour = format!("k{n}");
                prop_assert_eq!(of(&facets.colours, colour.clone()), count(COLOUR, &|thing| thing.colours.contains(&colour)));
                let category = format!("c{n}");
                let counted = facets.categories.iter().find(|count| count.id.as_str() == category);
                prop_assert_eq!(counted.map_or(0, |count| count.count), count(CATEGORY, &|thing| thing.category == category));
            }
            let prices = || things.iter().filter(|thing| passes(thing, &choice, PRICE)).map(|thing| thing.price);
            prop_assert_eq!(facets.price.as_ref().map(|span| span.lowest.as_cents()), prices().min());
            prop_assert_eq!(facets.price.as_ref().map(|span| span.highest.as_cents()), prices().max());
            for chosen in &choice.brands {
                prop_assert!(facets.brands.iter().any(|count| count.value == *chosen));
            }

            let mut order = hits;
            order.sort_by_key(|place| {
                let thing = &things[*place];
                let worth = worth(&rows[*place], 1.0).to_bits();
                let (first, second) = match choice.sort {
                    Sort::Default => (thing.created_at, 0),
                    Sort::PriceAsc => return (thing.price, 0, *place as i64),
                    Sort::PriceDesc => (thing.price, 0),
                    Sort::Best => (thing.popularity.into(), thing.rating.into()),
                    Sort::Relevance if choice.q.is_empty() => (thing.popularity.into(), thing.rating.into()),
                    Sort::Relevance => (worth.into(), i64::from(thing.popularity)),
                };
                (-first, -second, -(*place as i64))
            });
            let best: Vec<usize> = tally.best().into_iter().map(|(_, doc)| doc as usize).collect();
            prop_assert_eq!(best, order.into_iter().take(wanted).collect::<Vec<_>>());
        }
    }
}

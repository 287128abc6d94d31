//! Scans the products that match a query, segment by segment, into a `FacetCounter`. In a large index
//! several threads share the segments of one query.

use std::thread;

use platform::Exchange;
use tantivy::SegmentReader;
use tantivy::query::{EnableScoring, Query, Weight};

use crate::facets::FacetCounter;
use crate::filter::RowFilter;
use crate::index::{IndexResult, Snapshot};
use crate::params::SearchParams;
use crate::query::ParsedQuery;
use crate::rows::SegmentRows;
use shop::catalog::{CatalogView, ProductSort};

/// The number of products from which several threads are used.
const PARALLEL_FROM: usize = 50_000;
const MAX_THREADS: usize = 4;

/// A segment of the index: its number, its rows and its reader.
type Segment<'s> = (u32, &'s SegmentRows, &'s SegmentReader);

impl Snapshot {
    /// Counts the products that match all words or, without one, as many words as possible. The flag
    /// says whether not all words matched.
    pub(super) fn scan(
        &self,
        params: &SearchParams,
        query: Option<&ParsedQuery>,
        view: CatalogView,
    ) -> IndexResult<(FacetCounter, bool)> {
        let wanted = usize::try_from(params.page.saturating_mul(params.size)).unwrap_or(0);
        let counter = || {
            FacetCounter::new(
                RowFilter::new(params, &self.interners, view),
                &self.interners,
                wanted,
            )
        };
        let Some(query) = query else {
            let scan =
                |segment: Segment, counter: &mut FacetCounter| scan_all(segment, view.to, counter);
            return Ok((self.scan_segments(counter, scan)?, false));
        };
        let all = query.len();
        let mut found = counter();
        for count in [all, all.saturating_sub(1), all.div_ceil(2), 1] {
            if count == 0 {
                continue;
            }
            let clauses = query.at_least(count);
            let by_score = params.sort == ProductSort::Relevance;
            found = self.scan_matches(clauses.as_ref(), by_score, view.to, counter)?;
            if found.matched > 0 {
                return Ok((found, count < all));
            }
        }
        Ok((found, false))
    }

    fn scan_matches(
        &self,
        query: &dyn Query,
        by_score: bool,
        to: Exchange,
        counter: impl Fn() -> FacetCounter + Sync,
    ) -> IndexResult<FacetCounter> {
        let scoring = match by_score {
            true => EnableScoring::enabled_from_searcher(&self.searcher),
            false => EnableScoring::disabled_from_searcher(&self.searcher),
        };
        let weight = query.weight(scoring)?;
        let weight = weight.as_ref();
        self.scan_segments(counter, |(number, SegmentRows { rows, prices }, segment), counter| {
            match prices.shown(to) {
                None => for_each_match(weight, segment, by_score, |doc, score| {
                    counter.add((number, doc), &rows[doc as usize], None, score);
                }),
                Some(mut prices) => for_each_match(weight, segment, by_score, |doc, score| {
                    counter.add((number, doc), &rows[doc as usize], prices.of(doc), score);
                }),
            }
        })
    }

    /// Runs `scan` on all segments and merges the counters.
    fn scan_segments(
        &self,
        counter: impl Fn() -> FacetCounter + Sync,
        scan: impl Fn(Segment, &mut FacetCounter) -> IndexResult + Sync,
    ) -> IndexResult<FacetCounter> {
        let work = |partition: Vec<Segment>| -> IndexResult<FacetCounter> {
            let mut counter = counter();
            partition.into_iter().try_for_each(|segment| scan(segment, &mut counter))?;
            Ok(counter)
        };
        let mut partitions = self.partitions().into_iter();
        let first = partitions.next().unwrap_or_default();
        thread::scope(|scope| {
            let work = &work;
            let others: Vec<_> = partitions.map(|part| scope.spawn(move || work(part))).collect();
            let mut all = work(first)?;
            for other in others {
                all.merge(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok(all)
        })
    }

    /// The segments in one partition per thread, each with about the same number of products.
    fn partitions(&self) -> Vec<Vec<Segment<'_>>> {
        let readers = self.searcher.segment_readers();
        let mut segments: Vec<Segment> = (0..)
            .zip(self.rows.iter().zip(readers))
            .map(|(number, (rows, segment))| (number, rows.as_ref(), segment))
            .collect();
        let products: usize = segments.iter().map(|(_, segment, _)| segment.rows.len()).sum();
        if products < PARALLEL_FROM {
            return vec![segments];
        }
        let count = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        let mut partitions: Vec<(usize, Vec<Segment>)> = vec![(0, Vec::new()); count];
        segments.sort_by_key(|(_, segment, _)| std::cmp::Reverse(segment.rows.len()));
        for segment in segments {
            if let Some((rows, part)) = partitions.iter_mut().min_by_key(|(rows, _)| *rows) {
                *rows += segment.1.rows.len();
                part.push(segment);
            }
        }
        partitions.into_iter().map(|(_, part)| part).collect()
    }
}

/// The matches of a segment that are not deleted, in the order of their documents.
// Inlined: `FacetCounter::add` is in `add`.
#[inline(always)]
fn for_each_match(
    weight: &dyn Weight,
    segment: &SegmentReader,
    by_score: bool,
    mut add: impl FnMut(u32, f32),
) -> IndexResult {
    let alive = segment.alive_bitset();
    let mut add_alive = |doc: u32, score: f32| {
        if alive.is_none_or(|alive| alive.is_alive(doc)) {
            add(doc, score);
        }
    };
    if by_score {
        weight.for_each(segment, &mut add_alive)
    } else {
        weight.for_each_no_score(segment, &mut |docs| {
            docs.iter().for_each(|doc| add_alive(*doc, 1.0));
        })
    }
}

/// Every product, without a tantivy query.
fn scan_all(
    (number, SegmentRows { rows, prices }, segment): Segment,
    to: Exchange,
    counter: &mut FacetCounter,
) -> IndexResult {
    match (prices.shown(to), segment.alive_bitset()) {
        (None, None) => {
            for (doc, row) in (0..).zip(rows) {
                counter.add((number, doc), row, None, 1.0);
            }
        }
        (None, Some(alive)) => {
            for (doc, row) in (0..).zip(rows).filter(|(doc, _)| alive.is_alive(*doc)) {
                counter.add((number, doc), row, None, 1.0);
            }
        }
        (Some(mut prices), alive) => {
            let is_alive = |doc| alive.is_none_or(|alive| alive.is_alive(doc));
            for (doc, row) in (0..).zip(rows).filter(|(doc, _)| is_alive(*doc)) {
                counter.add((number, doc), row, prices.of(doc), 1.0);
            }
        }
    }
    Ok(())
}

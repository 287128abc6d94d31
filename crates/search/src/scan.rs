//! Scans the products that match a query, segment by segment, into a `FacetCounter`. In a large index
//! several threads share the segments of one query.

use std::thread;

use platform::Timestamp;
use tantivy::SegmentReader;
use tantivy::query::{EnableScoring, Query};

use crate::facets::FacetCounter;
use crate::filter::RowFilter;
use crate::index::{IndexResult, Snapshot};
use crate::params::SearchParams;
use crate::query::ParsedQuery;
use crate::rows::Row;
use shop::catalog::ProductSort;

/// The number of products from which several threads are used.
const PARALLEL_FROM: usize = 50_000;
const MAX_THREADS: usize = 4;

/// A segment of the index: its number, its rows and its reader.
type Segment<'s> = (u32, &'s [Row], &'s SegmentReader);

impl Snapshot {
    /// Counts the products that match all words or, without one, as many words as possible. The flag
    /// says whether not all words matched.
    pub(super) fn scan(
        &self,
        params: &SearchParams,
        query: Option<&ParsedQuery>,
        now: Timestamp,
    ) -> IndexResult<(FacetCounter, bool)> {
        let wanted = usize::try_from(params.page.saturating_mul(params.size)).unwrap_or(0);
        let counter = || {
            FacetCounter::new(RowFilter::new(params, &self.interners, now), &self.interners, wanted)
        };
        let Some(query) = query else {
            return Ok((self.scan_segments(counter, scan_all)?, false));
        };
        let all = query.len();
        let mut found = counter();
        for count in [all, all.saturating_sub(1), all.div_ceil(2), 1] {
            if count == 0 {
                continue;
            }
            let clauses = query.at_least(count);
            found = self.scan_matches(
                clauses.as_ref(),
                params.sort == ProductSort::Relevance,
                counter,
            )?;
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
        counter: impl Fn() -> FacetCounter + Sync,
    ) -> IndexResult<FacetCounter> {
        let scoring = match by_score {
            true => EnableScoring::enabled_from_searcher(&self.searcher),
            false => EnableScoring::disabled_from_searcher(&self.searcher),
        };
        let weight = query.weight(scoring)?;
        self.scan_segments(counter, |(number, rows, segment), counter| {
            let alive = segment.alive_bitset();
            let mut add = |doc: u32, score: f32| {
                if alive.is_none_or(|alive| alive.is_alive(doc)) {
                    counter.add((number, doc), &rows[doc as usize], score);
                }
            };
            if by_score {
                weight.for_each(segment, &mut add)
            } else {
                weight.for_each_no_score(segment, &mut |docs| {
                    docs.iter().for_each(|doc| add(*doc, 1.0));
                })
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
            .map(|(number, (rows, segment))| (number, rows.as_slice(), segment))
            .collect();
        let products: usize = segments.iter().map(|(_, rows, _)| rows.len()).sum();
        if products < PARALLEL_FROM {
            return vec![segments];
        }
        let count = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        let mut partitions: Vec<(usize, Vec<Segment>)> = vec![(0, Vec::new()); count];
        segments.sort_by_key(|(_, rows, _)| std::cmp::Reverse(rows.len()));
        for segment in segments {
            if let Some((rows, part)) = partitions.iter_mut().min_by_key(|(rows, _)| *rows) {
                *rows += segment.1.len();
                part.push(segment);
            }
        }
        partitions.into_iter().map(|(_, part)| part).collect()
    }
}

/// Every product, without a tantivy query.
fn scan_all((number, rows, segment): Segment, counter: &mut FacetCounter) -> IndexResult {
    match segment.alive_bitset() {
        None => {
            for (doc, row) in (0..).zip(rows) {
                counter.add((number, doc), row, 1.0);
            }
        }
        Some(alive) => {
            for (doc, row) in (0..).zip(rows).filter(|(doc, _)| alive.is_alive(*doc)) {
                counter.add((number, doc), row, 1.0);
            }
        }
    }
    Ok(())
}

//! Going through everything that matches, segment by segment. In a large index several threads share the
//! segments, so that one shopper does not wait for one core.

use std::thread;

use base::Timestamp;
use tantivy::SegmentReader;
use tantivy::query::{EnableScoring, Query};

use crate::ask::Asked;
use crate::choice::Choice;
use crate::index::{Outcome, Snapshot};
use crate::rows::Row;
use crate::tally::{Sieve, Tally};
use shop::catalog::Sort;

/// From here on an index is large enough to be shared out.
const LARGE: usize = 50_000;
const MOST_SHARES: usize = 4;

/// A segment of the index: its place, its rows, and how it is read.
type Segment<'s> = (u32, &'s [Row], &'s SegmentReader);

impl Snapshot {
    /// Counts what matches all words, or as many as there is something for; and says whether there was
    /// nothing for all of them.
    pub(super) fn look(
        &self,
        choice: &Choice,
        asked: Option<&Asked>,
        now: Timestamp,
    ) -> Outcome<(Tally, bool)> {
        let wanted = usize::try_from(choice.number.saturating_mul(choice.size)).unwrap_or(0);
        let tally = || Tally::new(Sieve::of(choice, &self.lists, now), &self.lists, wanted);
        let Some(asked) = asked else {
            return Ok((self.tallied(tally, take_all)?, false));
        };
        let all = asked.len();
        let mut found = tally();
        for count in [all, all.saturating_sub(1), all.div_ceil(2), 1] {
            if count == 0 {
                continue;
            }
            let query = asked.at_least(count);
            found = self.matching(query.as_ref(), choice.sort == Sort::Relevance, tally)?;
            if found.seen > 0 {
                return Ok((found, count < all));
            }
        }
        Ok((found, false))
    }

    fn matching(
        &self,
        query: &dyn Query,
        by_score: bool,
        tally: impl Fn() -> Tally + Sync,
    ) -> Outcome<Tally> {
        let scoring = match by_score {
            true => EnableScoring::enabled_from_searcher(&self.searcher),
            false => EnableScoring::disabled_from_searcher(&self.searcher),
        };
        let weight = query.weight(scoring)?;
        self.tallied(tally, |(place, rows, segment), tally| {
            let alive = segment.alive_bitset();
            let mut take = |doc: u32, score: f32| {
                if alive.is_none_or(|alive| alive.is_alive(doc)) {
                    tally.take((place, doc), &rows[doc as usize], score);
                }
            };
            if by_score {
                weight.for_each(segment, &mut take)
            } else {
                weight.for_each_no_score(segment, &mut |docs| {
                    docs.iter().for_each(|doc| take(*doc, 1.0));
                })
            }
        })
    }

    /// What `take` makes of all segments.
    fn tallied(
        &self,
        tally: impl Fn() -> Tally + Sync,
        take: impl Fn(Segment, &mut Tally) -> Outcome + Sync,
    ) -> Outcome<Tally> {
        let work = |share: Vec<Segment>| -> Outcome<Tally> {
            let mut tally = tally();
            share.into_iter().try_for_each(|segment| take(segment, &mut tally))?;
            Ok(tally)
        };
        let mut shares = self.shares().into_iter();
        let own = shares.next().unwrap_or_default();
        thread::scope(|scope| {
            let work = &work;
            let others: Vec<_> = shares.map(|share| scope.spawn(move || work(share))).collect();
            let mut all = work(own)?;
            for other in others {
                all.join(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok(all)
        })
    }

    /// The segments, in as many shares as are worth it, each of about as many products.
    fn shares(&self) -> Vec<Vec<Segment<'_>>> {
        let readers = self.searcher.segment_readers();
        let mut segments: Vec<Segment> = (0..)
            .zip(self.rows.iter().zip(readers))
            .map(|(place, (rows, segment))| (place, rows.as_slice(), segment))
            .collect();
        let products: usize = segments.iter().map(|(_, rows, _)| rows.len()).sum();
        if products < LARGE {
            return vec![segments];
        }
        let count = thread::available_parallelism().map_or(1, usize::from).min(MOST_SHARES);
        let mut shares: Vec<(usize, Vec<Segment>)> = vec![(0, Vec::new()); count];
        segments.sort_by_key(|(_, rows, _)| std::cmp::Reverse(rows.len()));
        for segment in segments {
            if let Some((held, share)) = shares.iter_mut().min_by_key(|(held, _)| *held) {
                *held += segment.1.len();
                share.push(segment);
            }
        }
        shares.into_iter().map(|(_, share)| share).collect()
    }
}

/// Every product there is, without asking tantivy.
fn take_all((place, rows, segment): Segment, tally: &mut Tally) -> Outcome {
    match segment.alive_bitset() {
        None => {
            for (doc, row) in (0..).zip(rows) {
                tally.take((place, doc), row, 1.0);
            }
        }
        Some(alive) => {
            for (doc, row) in (0..).zip(rows).filter(|(doc, _)| alive.is_alive(*doc)) {
                tally.take((place, doc), row, 1.0);
            }
        }
    }
    Ok(())
}

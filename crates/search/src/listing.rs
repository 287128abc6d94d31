//! Pages of what was found: the index says which products, the catalogue what they are and cost now.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use base::revisions::{Revisions, Scope};
use base::{Clock, Db, Error, Result, Timestamp};
use tantivy::query::EnableScoring;
use tantivy::{DocSet, TERMINATED};
use tokio::sync::{Notify, Semaphore, watch};

use crate::ask::{Asked, Marks};
use crate::choice::{Choice, DEEPEST};
use crate::index::{Outcome, Snapshot};
use crate::tally::Tally;
use crate::words;
use crate::{
    Chosen, Facets, Hit, Listing, SearchProps, SuggestedCategory, Suggestion, Suggestions,
};
use shop::catalog::{self, CategoryId, ProductCard, ProductId, Sort};

/// A page to be kept waits this long for the index to know what the page's other parts know.
const CATCHES_UP_WITHIN: Duration = Duration::from_millis(500);
/// New arrivals grow old without anything having changed.
const KEPT_FOR: Duration = Duration::from_secs(3600);
const LONGEST_WAIT: Duration = Duration::from_secs(5);
const POPULAR_SHOWN: i64 = 8;
const SUGGESTED_PRODUCTS: i64 = 6;
const SUGGESTED_CATEGORIES: usize = 3;
const SUGGESTED_QUERIES: usize = 4;
const SUMMARY: usize = 160;

/// Finds products. Cheap to clone.
#[derive(Clone)]
pub struct Search(Arc<Inner>);

struct Inner {
    db: Db,
    clock: Clock,
    revisions: Revisions,
    shown: RwLock<Option<Arc<Snapshot>>>,
    /// The revision that the index has come to; less than any before there is one.
    reached: watch::Sender<i64>,
    /// Looking through a large index takes a core while it lasts.
    turns: Semaphore,
    damaged: Notify,
}

/// What the index says to a choice.
pub struct Found {
    pub ids: Vec<ProductId>,
    pub total: i64,
    pub facets: Facets,
    asked: Option<Asked>,
    pub fewer_words: bool,
}

/// A list with what it depends on.
pub struct Listed {
    pub listing: Listing,
    pub corrected: Option<String>,
    pub fewer_words: bool,
    pub shows: Vec<Scope>,
    pub until: Option<Timestamp>,
}

impl Search {
    /// Finds nothing until a `Follower` has brought it an index.
    pub fn new(db: Db, clock: Clock, revisions: Revisions) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self(Arc::new(Inner {
            db,
            clock,
            revisions,
            shown: RwLock::default(),
            reached: watch::Sender::new(i64::MIN),
            turns: Semaphore::new(cores),
            damaged: Notify::new(),
        }))
    }

    pub fn is_ready(&self) -> bool {
        self.snapshot().is_some()
    }

    fn snapshot(&self) -> Option<Arc<Snapshot>> {
        self.0.shown.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many products can be found.
    pub fn products(&self) -> u64 {
        self.snapshot().map_or(0, |snapshot| snapshot.products())
    }

    pub(super) fn show(&self, snapshot: Snapshot) {
        *self.0.shown.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(snapshot));
    }

    pub(super) fn reached(&self, revision: i64) {
        self.0.reached.send_if_modified(|reached| {
            let further = revision > *reached;
            *reached = revision.max(*reached);
            further
        });
    }

    pub(super) fn revision(&self) -> i64 {
        *self.0.reached.borrow()
    }

    /// Resolves when a search came upon an index that cannot be read.
    pub(super) async fn damaged(&self) {
        self.0.damaged.notified().await;
    }

    /// Waits until the index knows everything that has been seen to change, but not long.
    pub async fn catch_up(&self) -> bool {
        let wanted = self.0.revisions.latest();
        let mut reached = self.0.reached.subscribe();
        let wait = reached.wait_for(|reached| *reached >= wanted);
        matches!(tokio::time::timeout(CATCHES_UP_WITHIN, wait).await, Ok(Ok(_)))
    }

    /// Asks the index, on a thread that may be kept for long.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Snapshot) -> Outcome<T> + Send + 'static,
    ) -> Result<T> {
        let snapshot =
            self.snapshot().ok_or_else(|| Error::Unavailable("the index is being made".into()))?;
        let turn = tokio::time::timeout(LONGEST_WAIT, self.0.turns.acquire()).await;
        let _turn = turn.map_err(|_| Error::Unavailable("too many searches".into()))?;
        let answer = tokio::task::spawn_blocking(move || question(&snapshot)).await;
        // A damaged index may fail in any way.
        let damage = match answer {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(why)) => Error::internal(why),
            Err(why) => Error::internal(why),
        };
        self.0.damaged.notify_one();
        Err(damage)
    }

    pub async fn find(&self, choice: &Choice) -> Result<Found> {
        let (choice, now) = (choice.clone(), self.0.clock.now());
        self.ask(move |snapshot| snapshot.find(&choice, now)).await
    }

    /// A page of what was chosen. `NotFound` where there is no such page.
    pub async fn listing(&self, choice: &Choice) -> Result<Listed> {
        if choice.is_too_deep() {
            return Err(Error::NotFound("page"));
        }
        if !self.is_ready() {
            return self.without_index(choice).await;
        }
        let kept = worth_keeping(choice) && self.catch_up().await;
        let found = self.find(choice).await?;
        if choice.number > pages(found.total, choice.size) {
            return Err(Error::NotFound("page"));
        }
        let now = self.0.clock.now();
        let cards = catalog::cards_of(&self.0.db, now, &found.ids).await?;
        let names = cards.iter().map(|card| card.name.as_str());
        let corrected = found.asked.as_ref().and_then(|asked| asked.corrected(names));
        let corrected = corrected.filter(|_| found.total > 0);
        let (shows, until) = depends(choice, &cards, now);
        let kept = kept && (choice.filters() == 0 || found.total > 0);
        let marks = found.asked.as_ref().map(|asked| &asked.marks);
        Ok(Listed {
            listing: Listing::of(
                choice,
                found.total,
                self.hits(cards, marks).await?,
                Some(found.facets),
            ),
            corrected,
            fewer_words: found.fewer_words,
            shows,
            until: if kept { until } else { Some(now) },
        })
    }

    /// What can be had while there is no index: a category as it is.
    async fn without_index(&self, choice: &Choice) -> Result<Listed> {
        let (db, now) = (&self.0.db, self.0.clock.now());
        let (Some(id), true, 0) = (&choice.category, choice.q.is_empty(), choice.filters()) else {
            return Err(Error::Unavailable("the index is being made".into()));
        };
        let filter = catalog::Filter { category: Some(id.clone()), ..catalog::Filter::default() };
        let total = catalog::total(db, &filter).await?;
        if choice.number > pages(total, choice.size) {
            return Err(Error::NotFound("page"));
        }
        let cards =
            catalog::category_page(db, now, id, choice.sort, choice.size, choice.number).await?;
        let (shows, _) = depends(choice, &cards, now);
        Ok(Listed {
            listing: Listing::of(choice, total, self.hits(cards, None).await?, None),
            corrected: None,
            fewer_words: false,
            shows,
            // The next one may have the counts.
            until: Some(now),
        })
    }

    async fn hits(&self, cards: Vec<ProductCard>, marks: Option<&Marks>) -> Result<Vec<Hit>> {
        let ids: Vec<ProductId> = cards.iter().map(|card| card.id.clone()).collect();
        let mut begins = catalog::beginnings_of(&self.0.db, &ids, SUMMARY).await?;
        let hit = |card: ProductCard| Hit {
            name_parts: marks.map(|marks| marks.cut(&card.name)).unwrap_or_default(),
            summary: begins
                .remove(&card.id)
                .map(|text| shortened(&text, SUMMARY))
                .unwrap_or_default(),
            card,
        };
        Ok(cards.into_iter().map(hit).collect())
    }

    /// The answer to a search, as the page and the API give it. It is nobody else's, and not to be kept.
    pub async fn answer(&self, choice: &Choice) -> Result<SearchProps> {
        let Listed { listing, corrected, fewer_words, .. } = self.listing(choice).await?;
        let popular = if listing.total == 0 { self.popular().await? } else { Vec::new() };
        let (q, category) = (choice.q.clone(), choice.category.clone());
        Ok(SearchProps { q, category, corrected, fewer_words, listing, popular })
    }

    async fn popular(&self) -> Result<Vec<ProductCard>> {
        let choice =
            Choice { sort: Sort::Best, size: POPULAR_SHOWN, in_stock: true, ..Choice::default() };
        let found = self.find(&choice).await?;
        catalog::cards_of(&self.0.db, self.0.clock.now(), &found.ids).await
    }

    /// What may be meant by what is typed so far.
    pub async fn suggest(&self, q: &str, category: Option<CategoryId>) -> Result<Suggestions> {
        let (q, now) = (q.to_owned(), self.0.clock.now());
        let sort = if q.is_empty() { Sort::Best } else { Sort::Relevance };
        let choice = Choice { q, category, sort, size: SUGGESTED_PRODUCTS, ..Choice::default() };
        let (ids, marks, categories, queries) =
            self.ask(move |snapshot| snapshot.suggest(&choice, now)).await?;
        let cards = catalog::cards_of(&self.0.db, now, &ids).await?;
        let suggestion = |card: ProductCard| Suggestion {
            name_parts: marks.as_ref().map(|marks| marks.cut(&card.name)).unwrap_or_default(),
            id: card.id,
            name: card.name,
            picture: card.pictures.into_iter().next().unwrap_or_default(),
            price: card.price,
        };
        Ok(Suggestions {
            products: cards.into_iter().map(suggestion).collect(),
            categories,
            queries,
        })
    }
}

impl Listing {
    fn of(choice: &Choice, total: i64, products: Vec<Hit>, facets: Option<Facets>) -> Self {
        Self {
            products,
            total,
            page_number: choice.number,
            pages: pages(total, choice.size),
            size: choice.size,
            sort: choice.sort,
            view: choice.view,
            chosen: Chosen::of(choice),
            facets,
        }
    }
}

/// What a list of these cards depends on, and until when it is true.
fn depends(
    choice: &Choice,
    cards: &[ProductCard],
    now: Timestamp,
) -> (Vec<Scope>, Option<Timestamp>) {
    let (mut shows, until) = catalog::shown(cards.iter().map(|card| (&card.id, &card.price)), now);
    shows.push(choice.category.as_ref().map_or_else(catalog::whole, catalog::scope_of_category));
    (shows, [until, Some(now.plus(KEPT_FOR))].into_iter().flatten().min())
}

/// Whether others will ask for the same. Words and prices are for each shopper to think of, and so are
/// most ways to combine filters: kept pages must not be driven out by those.
fn worth_keeping(choice: &Choice) -> bool {
    let price = choice.min.is_some() || choice.max.is_some();
    choice.q.is_empty() && !price && choice.filters() <= 1
}

fn pages(total: i64, size: i64) -> i64 {
    let reachable = total.min(DEEPEST / size * size);
    ((reachable + size - 1) / size).max(1)
}

/// How a text begins, cut between words.
fn shortened(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = line.char_indices().nth(most) else { return line };
    let cut = &line[..end];
    let cut = cut.rsplit_once(' ').map_or(cut, |(words, _)| words);
    format!("{}…", cut.trim_end_matches([',', '.', ';', ':', ' ']))
}

type Suggested = (Vec<ProductId>, Option<Marks>, Vec<SuggestedCategory>, Vec<String>);

impl Snapshot {
    pub fn find(&self, choice: &Choice, now: Timestamp) -> Outcome<Found> {
        let asked = match choice.q.as_str() {
            "" => None,
            q => Some(Asked::read(self, q, false)?),
        };
        let (mut tally, fewer_words) = self.look(choice, asked.as_ref(), now)?;
        let first = usize::try_from((choice.number - 1) * choice.size).unwrap_or(0);
        let ids = self.ids(&mut tally, first)?;
        let facets = tally.facets(choice, &self.lists, &self.categories);
        let total = i64::try_from(tally.total).unwrap_or(i64::MAX);
        Ok(Found { ids, total, facets, asked, fewer_words })
    }

    /// The best of what was tallied, from the `first` on.
    fn ids(&self, tally: &mut Tally, first: usize) -> Outcome<Vec<ProductId>> {
        let mut ids = Vec::new();
        for place in tally.best().into_iter().skip(first) {
            ids.extend(self.id_at(place)?);
        }
        Ok(ids)
    }

    /// What a query may become: products, their categories, and the query completed.
    pub fn suggest(&self, choice: &Choice, now: Timestamp) -> Outcome<Suggested> {
        let asked = match choice.q.as_str() {
            "" => None,
            q => Some(Asked::read(self, q, true)?),
        };
        let (mut tally, _) = self.look(choice, asked.as_ref(), now)?;
        let ids = self.ids(&mut tally, 0)?;
        let categories = tally.categories(&self.lists, &self.categories).into_iter();
        let categories = categories.take(SUGGESTED_CATEGORIES);
        let categories =
            categories.map(|count| SuggestedCategory { id: count.id, name: count.name }).collect();
        Ok((ids, asked.map(|asked| asked.marks), categories, self.completions(&choice.q)?))
    }

    /// The query completed: as tags, brands and categories are called, or by its last word.
    fn completions(&self, q: &str) -> Outcome<Vec<String>> {
        let typed = words::fold(q);
        if typed.is_empty() {
            return Ok(Vec::new());
        }
        let mut queries: Vec<String> = Vec::new();
        for (phrase, _) in self.beginning_with(self.fields.phrases, &typed)?.into_iter().take(16) {
            if phrase != typed && queries.len() < SUGGESTED_QUERIES {
                queries.push(phrase);
            }
        }
        let (before, last) = typed.rsplit_once(' ').unwrap_or(("", &typed));
        let words = self.beginning_with(self.fields.words, last)?;
        for (word, _) in words.into_iter().filter(|(word, _)| word != last).take(16) {
            if queries.len() >= SUGGESTED_QUERIES {
                break;
            }
            let query = format!("{before} {word}").trim_start().to_owned();
            if !queries.contains(&query) && (before.is_empty() || self.has_any(&query)?) {
                queries.push(query);
            }
        }
        Ok(queries)
    }

    fn has_any(&self, q: &str) -> Outcome<bool> {
        let asked = Asked::read(self, q, false)?;
        let weight = asked
            .at_least(asked.len())
            .weight(EnableScoring::disabled_from_searcher(&self.searcher))?;
        for segment in self.searcher.segment_readers() {
            if weight.scorer(segment, 1.0)?.doc() != TERMINATED {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_end_where_they_get_too_deep() {
        assert_eq!(pages(0, 16), 1);
        assert_eq!(pages(17, 16), 2);
        assert_eq!(pages(1_000_000, 16), 625);
        assert_eq!(pages(1_000_000, 24), 416);
        assert!(!Choice { number: 416, size: 24, ..Choice::default() }.is_too_deep());
    }

    #[test]
    fn a_text_is_cut_between_words() {
        assert_eq!(shortened("One  two,\nthree", 100), "One two, three");
        assert_eq!(shortened("One two, three", 10), "One two…");
        assert_eq!(shortened("ééééééé", 3), "ééé…");
    }
}

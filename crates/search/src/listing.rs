//! Search results as pages: the index finds the products, or the database until the index is complete. The
//! catalogue gives their current data and prices.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use platform::revisions::{CacheTag, Revisions};
use platform::{Db, Error, Language, Languages, Result, Timestamp};
use tantivy::query::EnableScoring;
use tantivy::schema::Field;
use tantivy::{DocSet, TERMINATED};
use tokio::sync::{Notify, Semaphore, SemaphorePermit, watch};

use crate::facets::FacetCounter;
use crate::folding;
use crate::highlight::Highlighter;
use crate::index::{IndexResult, Snapshot};
use crate::option_values::OptionValueNames;
use crate::params::{MAX_DEPTH, SearchParams};
use crate::query::ParsedQuery;
use crate::schema::{SEPARATOR, TextFields};
use crate::traits::TraitName;
use crate::{
    Chosen, Facets, Hit, Listing, SearchProps, SuggestedCategory, Suggestion, Suggestions, fallback,
};
use shop::catalog::{
    self, CatalogView, CategoryId, ProductCard, ProductId, ProductSort, TextField,
};

/// A cacheable page waits this long for the index to reach the revision of the page's other data.
const MAX_INDEX_LAG: Duration = Duration::from_millis(500);
/// The filter for new products depends on the time, without any change in the database.
const MAX_CACHE_AGE: Duration = Duration::from_secs(3600);
const MAX_QUEUE_WAIT: Duration = Duration::from_secs(5);
const POPULAR_PRODUCTS: i64 = 8;
const SUGGESTED_PRODUCTS: i64 = 6;
const SUGGESTED_CATEGORIES: usize = 3;
const SUGGESTED_QUERIES: usize = 4;
const SUMMARY_CHARS: usize = 160;

/// The search service. Cheap to clone.
#[derive(Clone)]
pub struct Search(Arc<Inner>);

struct Inner {
    db: Db,
    revisions: Revisions,
    option_values: OptionValueNames,
    filter_attributes: BTreeSet<String>,
    snapshot: RwLock<Option<Arc<Snapshot>>>,
    /// Whether the index has all products: a new one, or one that was closed for a while, has not.
    complete: AtomicBool,
    /// The revision up to which changes are indexed; `i64::MIN` without an index.
    revision: watch::Sender<i64>,
    /// One permit per core: a search keeps a core busy.
    permits: Semaphore,
    damaged: Notify,
}

/// The products of one page, and the counts of all matches.
pub struct Matches {
    pub ids: Vec<ProductId>,
    pub total: i64,
    /// None where the database was searched.
    pub facets: Option<Facets>,
    pub(super) query: Option<ParsedQuery>,
    pub fewer_words: bool,
}

/// A listing with its cache tags and its expiry.
pub struct ListingPage {
    pub listing: Listing,
    pub corrected: Option<String>,
    pub fewer_words: bool,
    pub depends_on: Vec<CacheTag>,
    pub expires_at: Option<Timestamp>,
}

impl Search {
    /// Searches the database until an `Indexer` has published a complete index. `filter_attributes`: the names of the
    /// attributes by which products are filtered.
    pub fn new(
        db: Db,
        revisions: Revisions,
        languages: &Languages,
        filter_attributes: BTreeSet<String>,
    ) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self(Arc::new(Inner {
            db,
            revisions,
            option_values: OptionValueNames::new(languages),
            filter_attributes,
            snapshot: RwLock::default(),
            complete: AtomicBool::new(false),
            revision: watch::Sender::new(i64::MIN),
            permits: Semaphore::new(cores),
            damaged: Notify::new(),
        }))
    }

    /// Whether searches use the index; until it is complete they use the database.
    pub fn is_ready(&self) -> bool {
        self.snapshot().is_some()
    }

    fn snapshot(&self) -> Option<Arc<Snapshot>> {
        let snapshot = self.0.snapshot.read().unwrap_or_else(PoisonError::into_inner);
        snapshot.clone().filter(|_| self.0.complete.load(Ordering::Acquire))
    }

    pub fn products(&self) -> u64 {
        self.snapshot().map_or(0, |snapshot| snapshot.products())
    }

    pub(super) fn filter_attributes(&self) -> &BTreeSet<String> {
        &self.0.filter_attributes
    }

    pub(super) fn publish(&self, snapshot: Snapshot) {
        *self.0.snapshot.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(snapshot));
    }

    pub(super) fn set_complete(&self) {
        self.0.complete.store(true, Ordering::Release);
    }

    pub(super) fn set_revision(&self, revision: i64) {
        self.0.revision.send_if_modified(|current| {
            let newer = revision > *current;
            *current = revision.max(*current);
            newer
        });
    }

    pub(super) fn revision(&self) -> i64 {
        *self.0.revision.borrow()
    }

    /// Resolves when a search found that the index cannot be read.
    pub(super) async fn damaged(&self) {
        self.0.damaged.notified().await;
    }

    /// Waits, for at most `MAX_INDEX_LAG`, until the index has all changes that this process knows of.
    pub async fn wait_until_current(&self) -> bool {
        let latest = self.0.revisions.latest();
        let mut revision = self.0.revision.subscribe();
        let wait = revision.wait_for(|revision| *revision >= latest);
        matches!(tokio::time::timeout(MAX_INDEX_LAG, wait).await, Ok(Ok(_)))
    }

    /// Runs work on the index, on a blocking thread. None where no index is complete, or it cannot be read.
    async fn with_snapshot<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Snapshot) -> IndexResult<T> + Send + 'static,
    ) -> Result<Option<T>> {
        let Some(snapshot) = self.snapshot() else { return Ok(None) };
        let _permit = self.permit().await?;
        let result = tokio::task::spawn_blocking(move || work(&snapshot)).await;
        // A damaged index may return an error or panic.
        let why = match result {
            Ok(Ok(value)) => return Ok(Some(value)),
            Ok(Err(why)) => why.to_string(),
            Err(why) => why.to_string(),
        };
        tracing::error!(why, "could not search the index");
        self.0.damaged.notify_one();
        Ok(None)
    }

    async fn permit(&self) -> Result<SemaphorePermit<'_>> {
        let permit = tokio::time::timeout(MAX_QUEUE_WAIT, self.0.permits.acquire()).await;
        permit.map_err(|_| Error::Unavailable("too many searches".into()))?.map_err(Error::internal)
    }

    /// Products, filtered and sorted by the prices of the view, and by their relevance for a visitor in its language.
    pub async fn find(&self, params: &SearchParams, view: CatalogView) -> Result<Matches> {
        let own = params.clone();
        match self.with_snapshot(move |snapshot| snapshot.find(&own, view)).await? {
            Some(found) => Ok(found),
            None => self.find_in_database(params, view).await,
        }
    }

    /// The parameters with the values of options in the default language, where an address has translated ones.
    pub async fn with_original_values(&self, params: &SearchParams) -> Result<SearchParams> {
        let mut params = params.clone();
        let snapshot = self.snapshot();
        let is_known = |name: TraitName, value: &str| {
            let snapshot = snapshot.as_ref()?;
            Some(snapshot.interners.traits.get(&name.key(value)).is_some())
        };
        let Chosen { colours, options, .. } = &params.chosen;
        let colours_known =
            colours.iter().all(|colour| is_known(TraitName::Colour, colour) == Some(true));
        let options_known = options
            .iter()
            .all(|one| is_known(TraitName::Option(&one.name), &one.value) == Some(true));
        if colours_known && options_known {
            return Ok(params);
        }
        let originals = self.0.option_values.originals(&self.0.db, &self.0.revisions).await?;
        originals.replace_in(&mut params.chosen, is_known);
        Ok(params)
    }

    async fn find_in_database(&self, params: &SearchParams, view: CatalogView) -> Result<Matches> {
        let _permit = self.permit().await?;
        let (ids, total) =
            fallback::find(&self.0.db, params, self.filter_attributes(), view).await?;
        Ok(Matches { ids, total, facets: None, query: None, fewer_words: false })
    }

    /// A page of results. `NotFound` where there is no such page.
    pub async fn listing(&self, params: &SearchParams, view: CatalogView) -> Result<ListingPage> {
        let CatalogView { now, language, .. } = view;
        if params.is_too_deep() {
            return Err(Error::NotFound("page"));
        }
        let cacheable = self.is_ready() && is_cacheable(params) && self.wait_until_current().await;
        let params = &self.with_original_values(params).await?;
        let mut found = self.find(params, view).await?;
        let pages = pages(found.total, params.size);
        if params.page > pages {
            return Err(Error::NotFound("page"));
        }
        let cards = catalog::cards_by_id(&self.0.db, view, &found.ids).await?;
        if let (Some(facets), Some(language)) = (&mut found.facets, language) {
            facets.translate(&self.0.db, language).await?;
        }
        let names = cards.iter().map(|card| card.name.as_str());
        let corrected = found.query.as_ref().and_then(|query| query.corrected(names));
        let corrected = corrected.filter(|_| found.total > 0);
        let (depends_on, expires_at) = cache_dependencies(params, &cards, now, language);
        // Without facets, the next request may find a complete index.
        let cacheable =
            cacheable && found.facets.is_some() && (params.chosen.count() == 0 || found.total > 0);
        let highlighter = found.query.as_ref().map(|query| &query.highlighter);
        Ok(ListingPage {
            listing: Listing {
                products: self.hits(cards, highlighter, language).await?,
                total: found.total,
                page_number: params.page,
                pages,
                size: params.size,
                sort: params.sort,
                view: params.view,
                chosen: params.chosen.clone(),
                facets: found.facets,
            },
            corrected,
            fewer_words: found.fewer_words,
            depends_on,
            expires_at: if cacheable { expires_at } else { Some(now) },
        })
    }

    async fn hits(
        &self,
        cards: Vec<ProductCard>,
        highlighter: Option<&Highlighter>,
        language: Option<Language>,
    ) -> Result<Vec<Hit>> {
        let ids: Vec<ProductId> = cards.iter().map(|card| card.id.clone()).collect();
        let mut excerpts =
            catalog::description_excerpts(&self.0.db, &ids, SUMMARY_CHARS, language).await?;
        let hit = |mut card: ProductCard| {
            let excerpt = excerpts.remove(&card.id).unwrap_or_default();
            if !excerpt.translated {
                card.untranslated.push(TextField::FullDescription);
            }
            Hit {
                name_parts: highlighter
                    .map(|spans| spans.highlight(&card.name))
                    .unwrap_or_default(),
                summary: truncate_at_word(&excerpt.text, SUMMARY_CHARS),
                card,
            }
        };
        Ok(cards.into_iter().map(hit).collect())
    }

    /// The results of a search, for the page and the API. Not cached.
    pub async fn search(&self, params: &SearchParams, view: CatalogView) -> Result<SearchProps> {
        let ListingPage { listing, corrected, fewer_words, .. } =
            self.listing(params, view).await?;
        let popular = if listing.total == 0 { self.popular(view).await? } else { Vec::new() };
        let (q, category) = (params.q.clone(), params.category.clone());
        Ok(SearchProps { q, category, corrected, fewer_words, listing, popular })
    }

    async fn popular(&self, view: CatalogView) -> Result<Vec<ProductCard>> {
        let params = SearchParams {
            sort: ProductSort::Best,
            size: POPULAR_PRODUCTS,
            chosen: Chosen { in_stock: true, ..Chosen::default() },
            ..SearchParams::default()
        };
        let found = self.find(&params, view).await?;
        catalog::cards_by_id(&self.0.db, view, &found.ids).await
    }

    /// Suggestions for a query that is being typed.
    pub async fn suggest(
        &self,
        q: &str,
        category: Option<CategoryId>,
        view: CatalogView,
    ) -> Result<Suggestions> {
        let q = q.to_owned();
        let sort = if q.is_empty() { ProductSort::Best } else { ProductSort::Relevance };
        let params =
            SearchParams { q, category, sort, size: SUGGESTED_PRODUCTS, ..SearchParams::default() };
        let own = params.clone();
        let suggested = self.with_snapshot(move |snapshot| snapshot.suggest(&own, view)).await?;
        let (ids, highlighter, mut categories, queries) = match suggested {
            Some(suggested) => suggested,
            None => (self.find_in_database(&params, view).await?.ids, None, vec![], vec![]),
        };
        let cards = catalog::cards_by_id(&self.0.db, view, &ids).await?;
        if let Some(language) = view.language.filter(|_| !categories.is_empty()) {
            let names = catalog::category_names(&self.0.db, language).await?;
            for category in &mut categories {
                if let Some(name) = names.get(&category.id) {
                    category.name.clone_from(name);
                }
            }
        }
        let suggestion = |card: ProductCard| Suggestion {
            name_parts: highlighter
                .as_ref()
                .map(|highlighter| highlighter.highlight(&card.name))
                .unwrap_or_default(),
            id: card.id,
            name: card.name,
            untranslated: card.untranslated,
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

impl Facets {
    /// Names categories and the values of options in this language.
    async fn translate(&mut self, db: &Db, language: Language) -> Result<()> {
        let mut names = catalog::category_names(db, language).await?;
        for category in &mut self.categories {
            if let Some(name) = names.remove(&category.id) {
                category.name = name;
            }
        }
        let of_options = self.options.iter().flat_map(|option| &option.values);
        let values = self.colours.iter().chain(of_options).map(|count| count.value.as_str());
        let values: Vec<&str> = BTreeSet::from_iter(values).into_iter().collect();
        let names = catalog::option_value_names(db, language, &values).await?;
        let of_options = self.options.iter_mut().flat_map(|option| &mut option.values);
        for count in self.colours.iter_mut().chain(of_options) {
            count.name = names.get(&count.value).cloned();
        }
        Ok(())
    }
}

/// The cache tags of a list of these cards, and its expiry.
fn cache_dependencies(
    params: &SearchParams,
    cards: &[ProductCard],
    now: Timestamp,
    language: Option<Language>,
) -> (Vec<CacheTag>, Option<Timestamp>) {
    let (mut depends_on, expires_at) =
        catalog::tags_and_expiry(cards.iter().map(|card| (&card.id, &card.totals)));
    depends_on
        .push(params.category.as_ref().map_or_else(catalog::catalog_tag, catalog::category_tag));
    // The filter has their names, or the address may contain one.
    let Chosen { colours, options, .. } = &params.chosen;
    if language.is_some() || !(colours.is_empty() && options.is_empty()) {
        depends_on.push(catalog::option_values_tag());
    }
    (depends_on, [expires_at, Some(now.plus(MAX_CACHE_AGE))].into_iter().flatten().min())
}

/// Whether other shoppers are likely to request the same list. Query texts, prices and combined filters are
/// too varied, and would evict more useful cache entries.
fn is_cacheable(params: &SearchParams) -> bool {
    let price = params.chosen.min.is_some() || params.chosen.max.is_some();
    params.q.is_empty() && !price && params.chosen.count() <= 1
}

fn pages(total: i64, size: i64) -> i64 {
    let reachable = total.min(MAX_DEPTH / size * size);
    ((reachable + size - 1) / size).max(1)
}

/// The beginning of a text, cut between words.
fn truncate_at_word(text: &str, max_chars: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = line.char_indices().nth(max_chars) else { return line };
    let cut = &line[..end];
    let cut = cut.rsplit_once(' ').map_or(cut, |(words, _)| words);
    format!("{}…", cut.trim_end_matches([',', '.', ';', ':', ' ']))
}

type Suggested = (Vec<ProductId>, Option<Highlighter>, Vec<SuggestedCategory>, Vec<String>);

impl Snapshot {
    pub fn find(&self, params: &SearchParams, view: CatalogView) -> IndexResult<Matches> {
        let query = self.parse(&params.q, false, view.language)?;
        let (mut counter, fewer_words) = self.scan(params, query.as_ref(), view)?;
        let first = usize::try_from((params.page - 1) * params.size).unwrap_or(0);
        let ids = self.ids(&mut counter, first)?;
        let mut facets = counter.facets(params, &self.interners, &self.categories);
        if let Some(language) = view.language {
            self.label_facets(&mut facets, language)?;
        }
        let total = i64::try_from(counter.total).unwrap_or(i64::MAX);
        Ok(Matches { ids, total, facets: Some(facets), query, fewer_words })
    }

    /// Names options, attributes and the values of attributes in this language.
    fn label_facets(&self, facets: &mut Facets, language: Language) -> IndexResult {
        for option in &mut facets.options {
            option.label = self.labels(language, TraitName::Option(&option.name))?.remove("");
        }
        for attribute in &mut facets.attributes {
            let mut labels = self.labels(language, TraitName::Attribute(&attribute.name))?;
            attribute.label = labels.remove("");
            for count in &mut attribute.values {
                count.name = labels.remove(&count.value);
            }
        }
        Ok(())
    }

    fn parse(
        &self,
        q: &str,
        typing: bool,
        language: Option<Language>,
    ) -> IndexResult<Option<ParsedQuery>> {
        (!q.is_empty()).then(|| ParsedQuery::parse(self, q, typing, language)).transpose()
    }

    /// The best matches without the `first` ones.
    fn ids(&self, counter: &mut FacetCounter, first: usize) -> IndexResult<Vec<ProductId>> {
        let mut ids = Vec::new();
        for position in counter.best().into_iter().skip(first) {
            ids.extend(self.id_at(position)?);
        }
        Ok(ids)
    }

    /// Suggested products, their categories, and completed queries.
    pub fn suggest(&self, params: &SearchParams, view: CatalogView) -> IndexResult<Suggested> {
        let query = self.parse(&params.q, true, view.language)?;
        let (mut counter, _) = self.scan(params, query.as_ref(), view)?;
        let ids = self.ids(&mut counter, 0)?;
        let categories = counter.categories(&self.interners, &self.categories).into_iter();
        let categories = categories.take(SUGGESTED_CATEGORIES);
        let categories =
            categories.map(|count| SuggestedCategory { id: count.id, name: count.name }).collect();
        let queries = self.completions(&params.q, view.language)?;
        Ok((ids, query.map(|query| query.highlighter), categories, queries))
    }

    /// Completed queries: tags, brands and categories with this prefix, or the query with its last word completed;
    /// in the visitor's language first.
    fn completions(&self, q: &str, language: Option<Language>) -> IndexResult<Vec<String>> {
        let typed = folding::fold(q);
        let mut queries: Vec<String> = Vec::new();
        if typed.is_empty() {
            return Ok(queries);
        }
        let mut texts: Vec<TextFields> = self.texts().collect();
        if language.is_some() {
            texts.reverse();
        }
        for fields in texts {
            self.complete_phrase(&typed, fields.phrases, &mut queries)?;
            let (before, last) = typed.rsplit_once(' ').unwrap_or(("", &typed));
            let words = self.terms_with_prefix(fields.words, last)?;
            let words = words.into_iter().map(|(word, _)| word).filter(|word| word != last);
            self.complete_word(before, words.take(16), language, &mut queries)?;
            // The other texts are for a word that these do not have.
            if language.is_none() && !queries.is_empty() {
                return Ok(queries);
            }
        }
        if language.is_some() && queries.len() < SUGGESTED_QUERIES {
            let (before, last) = typed.rsplit_once(' ').unwrap_or(("", &typed));
            let words = self.words_by_sound_prefix(last)?.into_iter();
            self.complete_word(before, words, language, &mut queries)?;
        }
        Ok(queries)
    }

    fn complete_phrase(
        &self,
        typed: &str,
        phrases: Field,
        queries: &mut Vec<String>,
    ) -> IndexResult {
        for (phrase, _) in self.terms_with_prefix(phrases, typed)?.into_iter().take(16) {
            let (folded, shown) = phrase.split_once(SEPARATOR).unwrap_or((&phrase, &phrase));
            let shown = shown.to_owned();
            if folded != typed && queries.len() < SUGGESTED_QUERIES && !queries.contains(&shown) {
                queries.push(shown);
            }
        }
        Ok(())
    }

    fn complete_word(
        &self,
        before: &str,
        words: impl Iterator<Item = String>,
        language: Option<Language>,
        queries: &mut Vec<String>,
    ) -> IndexResult {
        for word in words {
            if queries.len() >= SUGGESTED_QUERIES {
                break;
            }
            let query = folding::composed(format!("{before} {word}").trim_start());
            if !queries.contains(&query) && (before.is_empty() || self.has_any(&query, language)?) {
                queries.push(query);
            }
        }
        Ok(())
    }

    fn has_any(&self, q: &str, language: Option<Language>) -> IndexResult<bool> {
        let query = ParsedQuery::parse(self, q, false, language)?;
        let weight = query
            .at_least(query.len())
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
    fn pages_end_at_the_maximum_depth() {
        assert_eq!(pages(0, 16), 1);
        assert_eq!(pages(17, 16), 2);
        assert_eq!(pages(1_000_000, 16), 625);
        assert_eq!(pages(1_000_000, 24), 416);
        assert!(!SearchParams { page: 416, size: 24, ..SearchParams::default() }.is_too_deep());
    }

    #[test]
    fn text_is_truncated_between_words() {
        assert_eq!(truncate_at_word("One  two,\nthree", 100), "One two, three");
        assert_eq!(truncate_at_word("One two, three", 10), "One two…");
        assert_eq!(truncate_at_word("ééééééé", 3), "ééé…");
    }
}

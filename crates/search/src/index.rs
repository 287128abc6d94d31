//! The full-text index (tantivy): its schema, how it is opened, written and read. It does not access the
//! database; `indexer` brings it the changes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tantivy::index::SegmentId;
use tantivy::indexer::LogMergePolicy;
use tantivy::schema::Value as _;
use tantivy::tokenizer::{TextAnalyzer, TokenizerManager};
use tantivy::{
    DocAddress, Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, Searcher,
    TantivyDocument, TantivyError, Term,
};

use crate::bangla;
use crate::facets::{Categories, DocPosition};
use crate::folding;
use crate::indexed_product::{IndexedProduct, TranslatedProduct};
use crate::prices;
use crate::rows::{self, Interners, SegmentRows};
use crate::schema::{self, Fields, TextFields, keyed};
use crate::tokenizer::{self, Word, WordTokenizer};
use crate::traits;
use shop::catalog::{Attribute, CategoryId, ProductId};

pub type IndexResult<T = ()> = Result<T, TantivyError>;

/// An index with another version is rebuilt.
const VERSION: u32 = 6;

/// Larger segments are not merged: the threads of a scan divide the segments, and a single large segment
/// would leave all but one of them idle.
const MAX_MERGED_DOCS: usize = 50_000;

/// The names of categories with which products are indexed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CategoryNames {
    pub names: Categories,
    /// In all other languages.
    pub translations: BTreeMap<CategoryId, Vec<String>>,
}

/// What an index contains, written with every commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    version: u32,
    /// All changes up to this revision are indexed.
    pub revision: i64,
    /// The category names with which products were indexed.
    pub categories: CategoryNames,
    /// The names of the attributes that are indexed as traits.
    pub filter_attributes: BTreeSet<String>,
}

fn tokenizers() -> TokenizerManager {
    let tokenizers = TokenizerManager::default();
    tokenizers.register("words", TextAnalyzer::from(WordTokenizer { stems: false }));
    tokenizers.register("stems", TextAnalyzer::from(WordTokenizer { stems: true }));
    tokenizers
}

/// The threads and the memory of the index writer.
#[derive(Clone, Copy)]
pub struct WriterSettings {
    threads: usize,
    bytes: usize,
}

impl WriterSettings {
    pub fn bulk() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
        Self { threads, bytes: threads * (64 << 20) }
    }

    pub fn incremental() -> Self {
        Self { threads: 1, bytes: 16 << 20 }
    }
}

/// An index that is open for writing.
pub struct ProductIndex {
    fields: Fields,
    writer: IndexWriter,
    reader: IndexReader,
    pub checkpoint: Checkpoint,
    /// The category names with which products are added.
    pub categories: CategoryNames,
    /// The names of the attributes that are indexed as traits.
    pub filter_attributes: BTreeSet<String>,
    interners: Arc<Interners>,
    rows: HashMap<SegmentId, Arc<SegmentRows>>,
}

impl ProductIndex {
    pub fn create(folder: &Path, settings: WriterSettings) -> IndexResult<Self> {
        let (schema, fields) = schema::build();
        // Only the id is stored.
        let index_settings =
            IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() };
        let index = Index::builder()
            .schema(schema)
            .settings(index_settings)
            .tokenizers(tokenizers())
            .create_in_dir(folder)?;
        Self::new(index, fields, Checkpoint::default(), settings)
    }

    /// The names of the attributes that an existing index has as traits.
    pub fn filter_attributes(folder: &Path) -> IndexResult<BTreeSet<String>> {
        let checkpoint = read_checkpoint(&Index::open_in_dir(folder)?)?;
        Ok(checkpoint.filter_attributes)
    }

    /// Opens an existing index; an error where it is incomplete, damaged or of another version.
    pub fn open(folder: &Path, settings: WriterSettings) -> IndexResult<Self> {
        let mut index = Index::open_in_dir(folder)?;
        let (schema, fields) = schema::build();
        if index.schema() != schema {
            return refused("the index has another schema");
        }
        let checkpoint = read_checkpoint(&index)?;
        let damaged = index.validate_checksum()?;
        if let Some(file) = damaged.iter().next() {
            return refused(&format!("{} is damaged", file.display()));
        }
        index.set_tokenizers(tokenizers());
        Self::new(index, fields, checkpoint, settings)
    }

    fn new(
        index: Index,
        fields: Fields,
        checkpoint: Checkpoint,
        settings: WriterSettings,
    ) -> IndexResult<Self> {
        let writer = index.writer_with_num_threads(settings.threads, settings.bytes)?;
        let mut policy = LogMergePolicy::default();
        policy.set_del_docs_ratio_before_merge(0.3);
        policy.set_max_docs_before_merge(MAX_MERGED_DOCS);
        writer.set_merge_policy(Box::new(policy));
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let categories = checkpoint.categories.clone();
        let filter_attributes = checkpoint.filter_attributes.clone();
        let (interners, rows) = (Arc::default(), HashMap::new());
        Ok(Self {
            fields,
            writer,
            reader,
            checkpoint,
            categories,
            filter_attributes,
            interners,
            rows,
        })
    }

    /// Adds a product that is not in the index.
    pub fn add(&self, product: &IndexedProduct) -> IndexResult {
        let document = document(&self.fields, product, &self.categories, &self.filter_attributes);
        self.writer.add_document(document).map(drop)
    }

    pub fn remove(&self, id: &ProductId) {
        self.writer.delete_term(Term::from_field_text(self.fields.id, id.as_str()));
    }

    /// Commits all changes up to this revision to disk.
    pub fn commit(&mut self, revision: i64) -> IndexResult {
        let checkpoint = Checkpoint {
            version: VERSION,
            revision,
            categories: self.categories.clone(),
            filter_attributes: self.filter_attributes.clone(),
        };
        let payload = serde_json::to_string(&checkpoint)
            .map_err(|why| TantivyError::InternalError(why.to_string()))?;
        let mut commit = self.writer.prepare_commit()?;
        commit.set_payload(&payload);
        commit.commit()?;
        self.checkpoint = checkpoint;
        Ok(())
    }

    /// The index as of its last commit.
    pub fn snapshot(&mut self) -> IndexResult<Snapshot> {
        self.reader.reload()?;
        let searcher = self.reader.searcher();
        let segments = searcher.segment_readers();
        let mut by_segment = HashMap::with_capacity(segments.len());
        for segment in segments {
            let rows = match self.rows.get(&segment.segment_id()).cloned() {
                Some(rows) => rows,
                None => {
                    let interners = Arc::make_mut(&mut self.interners);
                    Arc::new(rows::read_segment(segment, &self.fields, interners)?)
                }
            };
            by_segment.insert(segment.segment_id(), rows);
        }
        let rows = segments
            .iter()
            .filter_map(|segment| by_segment.get(&segment.segment_id()).cloned())
            .collect();
        self.rows = by_segment;
        let has_terms = |field| -> IndexResult<bool> {
            for segment in segments {
                if segment.inverted_index(field)?.terms().num_terms() > 0 {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        Ok(Snapshot {
            has_translations: has_terms(self.fields.translated.words)?,
            has_sounds: has_terms(self.fields.sounds)?,
            searcher,
            fields: self.fields,
            rows,
            interners: self.interners.clone(),
            categories: Arc::new(self.checkpoint.categories.names.clone()),
            revision: self.checkpoint.revision,
        })
    }

    /// Waits for running merges, and closes the writer.
    pub fn close(self) -> IndexResult {
        self.writer.wait_merging_threads()
    }
}

fn read_checkpoint(index: &Index) -> IndexResult<Checkpoint> {
    let payload = index.load_metas()?.payload.unwrap_or_default();
    match serde_json::from_str::<Checkpoint>(&payload) {
        Ok(checkpoint) if checkpoint.version == VERSION => Ok(checkpoint),
        Ok(_) => refused("the index is of another version"),
        Err(_) => refused("the index was never completed"),
    }
}

fn refused<T>(why: &str) -> IndexResult<T> {
    Err(TantivyError::InvalidArgument(why.to_owned()))
}

fn document(
    fields: &Fields,
    product: &IndexedProduct,
    categories: &CategoryNames,
    filter_attributes: &BTreeSet<String>,
) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    document.add_text(fields.id, product.id.as_str());
    for sku in product.variants.skus.iter().flat_map(|sku| sku_forms(sku)) {
        document.add_text(fields.sku, sku);
    }
    let category = categories.names.get(&product.category).map(String::as_str);
    let mut sounds = BTreeSet::new();
    add_texts(&mut document, &mut sounds, &fields.original, &Texts::of(product, category));
    for translation in &product.translations {
        let texts = Texts::of_translation(translation);
        add_texts(&mut document, &mut sounds, &fields.translated, &texts);
    }
    let translated = categories.translations.get(&product.category);
    let categories: Vec<&str> = translated.into_iter().flatten().map(String::as_str).collect();
    let texts = Texts { categories, ..Texts::default() };
    add_texts(&mut document, &mut sounds, &fields.translated, &texts);
    for word in &sounds {
        for key in bangla::sound_keys(word) {
            document.add_text(fields.sound_words, keyed(&key, word));
            document.add_text(fields.sounds, key);
        }
    }

    document.add_text(fields.brand, &product.brand);
    document.add_text(fields.category, product.category.as_str());
    for key in traits::keys(product, filter_attributes) {
        document.add_text(fields.traits, key);
    }
    for label in traits::labels(product, filter_attributes) {
        document.add_text(fields.labels, label);
    }
    document.add_i64(fields.price, product.sort_price);
    for (currency, price) in &product.prices {
        document.add_text(fields.prices, prices::term(*currency, *price));
    }
    document.add_i64(fields.created_at, product.created_at.0);
    document.add_u64(fields.popularity, u64::try_from(product.popularity).unwrap_or(0));
    document.add_u64(fields.rating, (product.rating * 100.0).round() as u64);
    document.add_bool(fields.in_stock, product.variants.in_stock);
    document.add_bool(fields.on_offer, product.variants.on_offer);
    document.add_u64(fields.tie, id_hash(product.id.as_str()));
    document
}

/// A product's texts in one language.
#[derive(Default)]
struct Texts<'p> {
    name: &'p str,
    brand: &'p str,
    categories: Vec<&'p str>,
    tags: &'p [String],
    option_values: Vec<&'p str>,
    attributes: Vec<&'p Attribute>,
    description: &'p str,
}

impl<'p> Texts<'p> {
    fn of(product: &'p IndexedProduct, category: Option<&'p str>) -> Self {
        Self {
            name: &product.name,
            brand: &product.brand,
            categories: category.into_iter().collect(),
            tags: &product.tags,
            option_values: product
                .options
                .iter()
                .flat_map(|option| &option.values)
                .map(String::as_str)
                .collect(),
            attributes: product.attributes.iter().collect(),
            description: &product.full_description,
        }
    }

    /// Categories are translated apart from products, and brands are not.
    fn of_translation(product: &'p TranslatedProduct) -> Self {
        Self {
            name: &product.name,
            tags: &product.tags,
            option_values: product.option_values.values().map(String::as_str).collect(),
            attributes: product.attributes.values().collect(),
            description: &product.full_description,
            ..Self::default()
        }
    }
}

/// Adds texts to their fields, and collects the Bangla words of the short ones.
fn add_texts(
    document: &mut TantivyDocument,
    sounds: &mut BTreeSet<String>,
    fields: &TextFields,
    texts: &Texts,
) {
    let mut add = |field, text: &str| {
        if !text.is_empty() {
            document.add_text(field, text);
        }
    };
    let tags = || texts.tags.iter().map(String::as_str);
    let phrases = || tags().chain([texts.brand]).chain(texts.categories.iter().copied());
    for text in phrases().chain([texts.name]).chain(texts.option_values.iter().copied()) {
        add(fields.words, text);
        collect_bangla_words(text, sounds);
    }
    for phrase in phrases().filter(|phrase| !phrase.is_empty()) {
        add(fields.phrases, &keyed(&folding::fold(phrase), &phrase.to_lowercase()));
    }
    add(fields.name, texts.name);
    add(fields.name_stems, texts.name);
    add(fields.head_stems, tokenizer::head_noun(texts.name));
    add(fields.brand_stems, texts.brand);
    texts.categories.iter().for_each(|category| add(fields.category_stems, category));
    tags().for_each(|tag| add(fields.tag_stems, tag));
    texts.option_values.iter().for_each(|value| add(fields.trait_stems, value));
    for Attribute { name, value } in &texts.attributes {
        add(fields.trait_stems, name);
        add(fields.trait_stems, value);
    }
    add(fields.text_stems, texts.description);
}

fn collect_bangla_words(text: &str, into: &mut BTreeSet<String>) {
    if text.is_ascii() {
        return;
    }
    for Word { whole, parts, .. } in tokenizer::split_words(text) {
        into.extend(parts.into_iter().chain([whole]).filter(|word| bangla::is_bangla(word)));
    }
}

/// The forms in which a SKU is typed: whole, and without its first parts.
fn sku_forms(sku: &str) -> Vec<String> {
    let parts: Vec<&str> = sku.split(|letter: char| !letter.is_alphanumeric()).collect();
    let forms = (0..parts.len()).map(|from| tokenizer::normalize_sku(&parts[from..].concat()));
    forms
        .enumerate()
        .filter(|(from, form)| *from == 0 || form.len() >= 4)
        .map(|(_, form)| form)
        .collect()
}

/// FNV-1a: the same on every server, unlike the standard library's hash.
fn id_hash(id: &str) -> u64 {
    let hash = id
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash.into()
}

/// An immutable view of the index as of one commit.
#[derive(Clone)]
pub struct Snapshot {
    pub searcher: Searcher,
    pub fields: Fields,
    /// By segment.
    pub rows: Vec<Arc<SegmentRows>>,
    pub interners: Arc<Interners>,
    pub categories: Arc<Categories>,
    /// All changes up to this revision are in it.
    pub revision: i64,
    /// Whether there are texts in other languages.
    pub has_translations: bool,
    /// Whether there are Bangla words.
    pub has_sounds: bool,
}

impl Snapshot {
    pub fn products(&self) -> u64 {
        self.searcher.num_docs()
    }

    pub fn id_at(&self, (segment, doc): DocPosition) -> IndexResult<Option<ProductId>> {
        let document: TantivyDocument = self.searcher.doc(DocAddress::new(segment, doc))?;
        let id = document.get_first(self.fields.id).and_then(|id| id.as_str());
        Ok(id.and_then(|id| id.parse().ok()))
    }
}

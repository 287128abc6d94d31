//! The full-text index: what of a product is in it, how it is opened, written and read. It knows no
//! database; `follow` brings it what changed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use base::Timestamp;
use base::db::Json;
use serde::{Deserialize, Serialize};
use tantivy::index::SegmentId;
use tantivy::indexer::LogMergePolicy;
use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value as _,
};
use tantivy::tokenizer::{TextAnalyzer, TokenizerManager};
use tantivy::{
    DocAddress, Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, Searcher,
    TantivyDocument, TantivyError, Term,
};

use crate::fields;
use crate::rows::{self, AllRows, Lists, Row};
use crate::tally::{Categories, Place};
use crate::words::{self, Cutter};
use shop::catalog::{Attribute, CategoryId, ProductId};

pub type Outcome<T = ()> = Result<T, TantivyError>;

/// Another one than an index was written with makes it be written anew.
const VERSION: u32 = 2;

/// Segments with more products than this are not joined: threads share out segments, and one that held
/// nearly all would leave the others with nothing to do.
const LARGEST_JOINED: usize = 50_000;

/// What is found of a product.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Goods {
    pub id: ProductId,
    pub name: String,
    pub sku: String,
    pub brand: String,
    pub category: CategoryId,
    pub tags: Json<Vec<String>>,
    pub colours: Json<Vec<String>>,
    pub attributes: Json<Vec<Attribute>>,
    pub full_description: String,
    pub sort_price: i64,
    pub real_price: i64,
    pub rating: f64,
    pub qtn: i64,
    pub popularity: i64,
    pub created_at: Timestamp,
}

/// How far an index has come, written with its every commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    version: u32,
    /// All changes up to this one are in it.
    pub revision: i64,
    /// The categories by the names that products were indexed under.
    pub categories: Categories,
}

impl Reached {
    fn new(revision: i64, categories: Categories) -> Self {
        Self { version: VERSION, revision, categories }
    }
}

/// The index's fields. Those in words are found as they are typed; those in stems by any form.
#[derive(Clone, Copy)]
pub struct Fields {
    pub id: Field,
    pub sku: Field,
    /// Whole tags, brands and categories, for queries to be completed with.
    pub phrases: Field,
    pub name: Field,
    /// Everything that names a product: the words that are completed and corrected to.
    pub words: Field,
    pub name_stems: Field,
    /// The word of the name that says what the product is.
    pub head_stems: Field,
    pub brand_stems: Field,
    pub category_stems: Field,
    pub tag_stems: Field,
    pub trait_stems: Field,
    pub text_stems: Field,
    brand: Field,
    category: Field,
    colours: Field,
    price: Field,
    created_at: Field,
    popularity: Field,
    rating: Field,
    in_stock: Field,
    on_offer: Field,
    tie: Field,
}

fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let indexed = |tokenizer: &str, records, norms| {
        let indexing = TextFieldIndexing::default().set_tokenizer(tokenizer);
        TextOptions::default()
            .set_indexing_options(indexing.set_index_option(records).set_fieldnorms(norms))
    };
    let raw = || indexed("raw", IndexRecordOption::Basic, false);
    let words = || indexed("words", IndexRecordOption::WithFreqs, true);
    let stems = || indexed("stems", IndexRecordOption::WithFreqs, true);
    let listed = || TextOptions::default().set_fast("raw");
    let fields = Fields {
        id: schema.add_text_field("id", raw() | STORED),
        sku: schema.add_text_field("sku", raw()),
        phrases: schema.add_text_field("phrases", raw()),
        name: schema.add_text_field("name", words()),
        words: schema.add_text_field("words", words()),
        name_stems: schema.add_text_field("name_stems", stems()),
        head_stems: schema.add_text_field("head_stems", stems()),
        brand_stems: schema.add_text_field("brand_stems", stems()),
        category_stems: schema.add_text_field("category_stems", stems()),
        tag_stems: schema.add_text_field("tag_stems", stems()),
        trait_stems: schema.add_text_field("trait_stems", stems()),
        text_stems: schema.add_text_field("text_stems", stems()),
        brand: schema.add_text_field(fields::BRAND, listed()),
        category: schema.add_text_field(fields::CATEGORY, listed()),
        colours: schema.add_text_field(fields::COLOURS, listed()),
        price: schema.add_i64_field(fields::PRICE, FAST),
        created_at: schema.add_i64_field(fields::CREATED_AT, FAST),
        popularity: schema.add_u64_field(fields::POPULARITY, FAST),
        rating: schema.add_u64_field(fields::RATING, FAST),
        in_stock: schema.add_bool_field(fields::IN_STOCK, FAST),
        on_offer: schema.add_bool_field(fields::ON_OFFER, FAST),
        tie: schema.add_u64_field(fields::TIE, FAST),
    };
    (schema.build(), fields)
}

fn tokenizers() -> TokenizerManager {
    let tokenizers = TokenizerManager::default();
    tokenizers.register("words", TextAnalyzer::from(Cutter { stems: false }));
    tokenizers.register("stems", TextAnalyzer::from(Cutter { stems: true }));
    tokenizers
}

/// How an index is written.
#[derive(Clone, Copy)]
pub struct Pace {
    threads: usize,
    bytes: usize,
}

impl Pace {
    /// Everything, at once.
    pub fn whole() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
        Self { threads, bytes: threads * (64 << 20) }
    }

    /// A change now and then.
    pub fn following() -> Self {
        Self { threads: 1, bytes: 16 << 20 }
    }
}

/// An index that is open for writing.
pub struct OpenIndex {
    fields: Fields,
    writer: IndexWriter,
    reader: IndexReader,
    pub reached: Reached,
    /// The categories by the names that products are taken in under.
    pub categories: Categories,
    lists: Arc<Lists>,
    rows: HashMap<SegmentId, Arc<Vec<Row>>>,
}

impl OpenIndex {
    /// An empty one, in an empty folder.
    pub fn create(folder: &Path, pace: Pace) -> Outcome<Self> {
        let (schema, fields) = schema();
        // Only the id is stored.
        let settings =
            IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() };
        let index = Index::builder()
            .schema(schema)
            .settings(settings)
            .tokenizers(tokenizers())
            .create_in_dir(folder)?;
        Self::of(index, fields, Reached::default(), pace)
    }

    /// One that was written before; an error where it is not whole, or of another version.
    pub fn open(folder: &Path, pace: Pace) -> Outcome<Self> {
        let mut index = Index::open_in_dir(folder)?;
        let (schema, fields) = schema();
        let refused = |why: &str| Err(TantivyError::InvalidArgument(why.to_owned()));
        if index.schema() != schema {
            return refused("the index has other fields");
        }
        let payload = index.load_metas()?.payload.unwrap_or_default();
        let Ok(reached) = serde_json::from_str::<Reached>(&payload) else {
            return refused("the index was never completed");
        };
        if reached.version != VERSION {
            return refused("the index is of another version");
        }
        let damaged = index.validate_checksum()?;
        if let Some(file) = damaged.iter().next() {
            return refused(&format!("{} is damaged", file.display()));
        }
        index.set_tokenizers(tokenizers());
        Self::of(index, fields, reached, pace)
    }

    fn of(index: Index, fields: Fields, reached: Reached, pace: Pace) -> Outcome<Self> {
        let writer = index.writer_with_num_threads(pace.threads, pace.bytes)?;
        let mut policy = LogMergePolicy::default();
        policy.set_del_docs_ratio_before_merge(0.3);
        policy.set_max_docs_before_merge(LARGEST_JOINED);
        writer.set_merge_policy(Box::new(policy));
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let categories = reached.categories.clone();
        let (lists, rows) = (Arc::default(), HashMap::new());
        Ok(Self { fields, writer, reader, reached, categories, lists, rows })
    }

    /// Takes in a product that the index has nothing of.
    pub fn add(&self, goods: &Goods) -> Outcome {
        let category = self.categories.get(&goods.category).map_or("", String::as_str);
        self.writer.add_document(document(&self.fields, goods, category)).map(drop)
    }

    pub fn remove(&self, id: &ProductId) {
        self.writer.delete_term(Term::from_field_text(self.fields.id, id.as_str()));
    }

    /// Makes what was taken in last, and shows it.
    pub fn commit(&mut self, revision: i64) -> Outcome<Snapshot> {
        self.write(revision)?;
        self.show()
    }

    /// Makes what was taken in last: all changes up to this revision.
    pub fn write(&mut self, revision: i64) -> Outcome {
        let reached = Reached::new(revision, self.categories.clone());
        let payload = serde_json::to_string(&reached)
            .map_err(|why| TantivyError::InternalError(why.to_string()))?;
        let mut commit = self.writer.prepare_commit()?;
        commit.set_payload(&payload);
        commit.commit()?;
        self.reached = reached;
        Ok(())
    }

    /// The index as it was committed last.
    pub fn show(&mut self) -> Outcome<Snapshot> {
        self.reader.reload()?;
        let searcher = self.reader.searcher();
        let segments = searcher.segment_readers();
        let mut kept = HashMap::with_capacity(segments.len());
        for segment in segments {
            let known = self.rows.get(&segment.segment_id()).cloned();
            let rows = match known {
                Some(rows) => rows,
                None => Arc::new(rows::of_segment(segment, Arc::make_mut(&mut self.lists))?),
            };
            kept.insert(segment.segment_id(), rows);
        }
        let rows = segments
            .iter()
            .filter_map(|segment| kept.get(&segment.segment_id()).cloned())
            .collect();
        self.rows = kept;
        Ok(Snapshot {
            searcher,
            fields: self.fields,
            rows,
            lists: self.lists.clone(),
            categories: Arc::new(self.reached.categories.clone()),
        })
    }

    /// Ends the writing, when the segments that are being joined have been.
    pub fn close(self) -> Outcome {
        self.writer.wait_merging_threads()
    }
}

fn document(fields: &Fields, goods: &Goods, category: &str) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    document.add_text(fields.id, goods.id.as_str());
    for sku in sku_forms(&goods.sku) {
        document.add_text(fields.sku, sku);
    }
    let tags = || goods.tags.iter().map(String::as_str);
    let naming = tags().chain([goods.name.as_str(), &goods.brand, category]);
    for text in naming.chain(goods.colours.iter().map(String::as_str)) {
        document.add_text(fields.words, text);
    }
    for phrase in tags().chain([goods.brand.as_str(), category]).filter(|phrase| !phrase.is_empty())
    {
        document.add_text(fields.phrases, words::fold(phrase));
    }
    document.add_text(fields.name, &goods.name);
    document.add_text(fields.name_stems, &goods.name);
    document.add_text(fields.head_stems, words::head(&goods.name));
    document.add_text(fields.brand_stems, &goods.brand);
    document.add_text(fields.category_stems, category);
    tags().for_each(|tag| document.add_text(fields.tag_stems, tag));
    goods.colours.iter().for_each(|colour| document.add_text(fields.trait_stems, colour));
    for Attribute { name, value } in goods.attributes.iter() {
        document.add_text(fields.trait_stems, name);
        document.add_text(fields.trait_stems, value);
    }
    document.add_text(fields.text_stems, &goods.full_description);

    document.add_text(fields.brand, &goods.brand);
    document.add_text(fields.category, goods.category.as_str());
    goods.colours.iter().for_each(|colour| document.add_text(fields.colours, colour));
    document.add_i64(fields.price, goods.sort_price);
    document.add_i64(fields.created_at, goods.created_at.0);
    document.add_u64(fields.popularity, u64::try_from(goods.popularity).unwrap_or(0));
    document.add_u64(fields.rating, (goods.rating * 100.0).round() as u64);
    document.add_bool(fields.in_stock, goods.qtn > 0);
    document.add_bool(fields.on_offer, goods.sort_price < goods.real_price);
    document.add_u64(fields.tie, tie(goods.id.as_str()));
    document
}

/// A SKU as it is typed: whole, and without what stands before its first dashes.
fn sku_forms(sku: &str) -> Vec<String> {
    let parts: Vec<&str> = sku.split(|letter: char| !letter.is_alphanumeric()).collect();
    let forms = (0..parts.len()).map(|from| words::sku(&parts[from..].concat()));
    forms
        .enumerate()
        .filter(|(from, form)| *from == 0 || form.len() >= 4)
        .map(|(_, form)| form)
        .collect()
}

/// A number from an id, the same everywhere (FNV-1a).
fn tie(id: &str) -> u64 {
    let hash = id
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash.into()
}

/// The index at one moment, for as many readers as there are.
#[derive(Clone)]
pub struct Snapshot {
    pub searcher: Searcher,
    pub fields: Fields,
    pub rows: AllRows,
    pub lists: Arc<Lists>,
    pub categories: Arc<Categories>,
}

impl Snapshot {
    pub fn products(&self) -> u64 {
        self.searcher.num_docs()
    }

    pub fn id_at(&self, (segment, doc): Place) -> Outcome<Option<ProductId>> {
        let document: TantivyDocument = self.searcher.doc(DocAddress::new(segment, doc))?;
        let id = document.get_first(self.fields.id).and_then(|id| id.as_str());
        Ok(id.and_then(|id| id.parse().ok()))
    }
}

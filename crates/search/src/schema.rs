//! The schema of the index: its fields, some of them columns that rows are read from.

use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, Schema, SchemaBuilder, TextFieldIndexing, TextOptions,
};

/// The index's fields.
#[derive(Clone, Copy)]
pub struct Fields {
    pub id: Field,
    pub sku: Field,
    /// The texts in the shop's default language.
    pub original: TextFields,
    /// Their translations into all other languages. They are apart, so that they do not change how common a word
    /// of the default language is, and with it the order of its results.
    pub translated: TextFields,
    /// The sound keys of Bangla words (`bangla::sound_keys`): the dictionary of corrections.
    pub sounds: Field,
    /// The same keys, each with a word that sounds so.
    pub sound_words: Field,
    pub brand: Field,
    pub category: Field,
    /// What the product is filtered by (`traits`).
    pub traits: Field,
    /// Translated names and values of traits.
    pub labels: Field,
    /// In the base currency.
    pub price: Field,
    /// In the currencies in which the product has fixed prices (`prices`).
    pub prices: Field,
    pub created_at: Field,
    pub popularity: Field,
    pub rating: Field,
    pub in_stock: Field,
    pub on_offer: Field,
    pub tie: Field,
}

/// Fields of words match exact words; fields of stems match any form of a word.
#[derive(Clone, Copy)]
pub struct TextFields {
    /// Whole tags, brands and categories, to complete queries: folded, then as they are shown.
    pub phrases: Field,
    pub name: Field,
    /// The words of names, tags, brands, categories and colours: the dictionary of completions and corrections.
    pub words: Field,
    pub name_stems: Field,
    pub head_stems: Field,
    pub brand_stems: Field,
    pub category_stems: Field,
    pub tag_stems: Field,
    pub trait_stems: Field,
    pub text_stems: Field,
}

/// Between a term's key and its text, in fields that have both.
pub const SEPARATOR: char = '\u{1f}';

/// A term that is found by its key.
pub fn keyed(key: &str, text: &str) -> String {
    format!("{key}{SEPARATOR}{text}")
}

fn text_fields(schema: &mut SchemaBuilder, prefix: &str) -> TextFields {
    let (words, stems) = (
        indexed("words", IndexRecordOption::WithFreqs, true),
        indexed("stems", IndexRecordOption::WithFreqs, true),
    );
    let mut add = |name: &str, options: &TextOptions| {
        schema.add_text_field(&format!("{prefix}{name}"), options.clone())
    };
    TextFields {
        phrases: add("phrases", &raw()),
        name: add("name", &words),
        words: add("words", &words),
        name_stems: add("name_stems", &stems),
        head_stems: add("head_stems", &stems),
        brand_stems: add("brand_stems", &stems),
        category_stems: add("category_stems", &stems),
        tag_stems: add("tag_stems", &stems),
        trait_stems: add("trait_stems", &stems),
        text_stems: add("text_stems", &stems),
    }
}

fn indexed(tokenizer: &str, records: IndexRecordOption, norms: bool) -> TextOptions {
    let indexing = TextFieldIndexing::default().set_tokenizer(tokenizer);
    TextOptions::default()
        .set_indexing_options(indexing.set_index_option(records).set_fieldnorms(norms))
}

fn raw() -> TextOptions {
    indexed("raw", IndexRecordOption::Basic, false)
}

pub fn build() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let column = || TextOptions::default().set_fast("raw");
    let fields = Fields {
        id: schema.add_text_field("id", raw() | STORED),
        sku: schema.add_text_field("sku", raw()),
        original: text_fields(&mut schema, ""),
        translated: text_fields(&mut schema, "translated_"),
        sounds: schema.add_text_field("sounds", raw()),
        sound_words: schema.add_text_field("sound_words", raw()),
        brand: schema.add_text_field("brand", column()),
        category: schema.add_text_field("category", column()),
        traits: schema.add_text_field("traits", column()),
        labels: schema.add_text_field("labels", raw()),
        price: schema.add_i64_field("price", FAST),
        prices: schema.add_text_field("prices", TextOptions::default().set_fast("raw")),
        created_at: schema.add_i64_field("created_at", FAST),
        popularity: schema.add_u64_field("popularity", FAST),
        rating: schema.add_u64_field("rating", FAST),
        in_stock: schema.add_bool_field("in_stock", FAST),
        on_offer: schema.add_bool_field("on_offer", FAST),
        tie: schema.add_u64_field("tie", FAST),
    };
    (schema.build(), fields)
}

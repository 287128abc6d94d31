//! The schema of the index: its fields, some of them columns that rows are read from.

use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions,
};

/// The index's fields. Fields of words match exact words; fields of stems match any form of a word.
#[derive(Clone, Copy)]
pub struct Fields {
    pub id: Field,
    pub sku: Field,
    /// Whole tags, brands and categories, to complete queries.
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
    pub brand: Field,
    pub category: Field,
    pub colours: Field,
    pub price: Field,
    pub created_at: Field,
    pub popularity: Field,
    pub rating: Field,
    pub in_stock: Field,
    pub on_offer: Field,
    pub tie: Field,
}

pub fn build() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let indexed = |tokenizer: &str, records, norms| {
        let indexing = TextFieldIndexing::default().set_tokenizer(tokenizer);
        TextOptions::default()
            .set_indexing_options(indexing.set_index_option(records).set_fieldnorms(norms))
    };
    let raw = || indexed("raw", IndexRecordOption::Basic, false);
    let words = || indexed("words", IndexRecordOption::WithFreqs, true);
    let stems = || indexed("stems", IndexRecordOption::WithFreqs, true);
    let column = || TextOptions::default().set_fast("raw");
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
        brand: schema.add_text_field("brand", column()),
        category: schema.add_text_field("category", column()),
        colours: schema.add_text_field("colours", column()),
        price: schema.add_i64_field("price", FAST),
        created_at: schema.add_i64_field("created_at", FAST),
        popularity: schema.add_u64_field("popularity", FAST),
        rating: schema.add_u64_field("rating", FAST),
        in_stock: schema.add_bool_field("in_stock", FAST),
        on_offer: schema.add_bool_field("on_offer", FAST),
        tie: schema.add_u64_field("tie", FAST),
    };
    (schema.build(), fields)
}

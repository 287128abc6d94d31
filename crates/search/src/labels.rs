//! Translated names of options and attributes, and values of attributes, as filters show them: terms of the index
//! (`traits::labels`).

use std::collections::BTreeMap;

use platform::Language;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, TERMINATED, Term};

use crate::index::{IndexResult, Snapshot};
use crate::schema::SEPARATOR;
use crate::traits::{TraitName, label_key};

impl Snapshot {
    /// The labels of a name in a language, the most frequent of each: of the name itself by an empty text, and of the
    /// values of an attribute.
    pub fn labels(
        &self,
        language: Language,
        name: TraitName,
    ) -> IndexResult<BTreeMap<String, String>> {
        let (field, prefix) = (self.fields.labels, label_key(language, name, ""));
        let mut labels = BTreeMap::new();
        for (term, _) in self.terms_with_prefix(field, &prefix)? {
            let Some((value, label)) = term[prefix.len()..].split_once(SEPARATOR) else { continue };
            if !labels.contains_key(value)
                && self.is_in_a_product(&Term::from_field_text(field, &term))?
            {
                labels.insert(value.to_owned(), label.to_owned());
            }
        }
        Ok(labels)
    }

    /// Whether a product has the term that is not deleted or replaced.
    fn is_in_a_product(&self, term: &Term) -> IndexResult<bool> {
        for segment in self.searcher.segment_readers() {
            let index = segment.inverted_index(term.field())?;
            let Some(mut found) = index.read_postings(term, IndexRecordOption::Basic)? else {
                continue;
            };
            while found.doc() != TERMINATED {
                if segment.alive_bitset().is_none_or(|alive| alive.is_alive(found.doc())) {
                    return Ok(true);
                }
                found.advance();
            }
        }
        Ok(false)
    }
}

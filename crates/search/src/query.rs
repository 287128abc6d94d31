//! Builds the index query for a typed text. Every word has to match, exactly or by its stem; an unknown
//! word is completed, split or spelling-corrected, and synonyms match too. Texts in other languages are
//! searched for words that the default language does not have.

use std::collections::HashMap;
use std::ops::Range;

use platform::Language;
use tantivy::Term;
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EmptyQuery, FuzzyTermQuery,
    Occur, Query, TermQuery, TermSetQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use crate::bangla;
use crate::folding;
use crate::highlight::Highlighter;
use crate::index::{IndexResult, Snapshot};
use crate::schema::{Fields, SEPARATOR, TextFields, keyed};
use crate::synonyms::synonyms_of;
use crate::tokenizer::{self, Word};

const MAX_COMPLETIONS: usize = 24;
const MAX_CORRECTIONS: usize = 6;
/// Terms of a segment that are read for one prefix.
const MAX_PREFIX_TERMS: usize = 20_000;

/// Boosts by the field that matches.
const HEAD: f32 = 5.0;
const NAME: f32 = 4.0;
const BRAND: f32 = 3.0;
const CATEGORY: f32 = 2.0;
const TAGS: f32 = 2.5;
const TRAITS: f32 = 1.0;
const TEXT: f32 = 0.4;
/// The name has the word itself, not only its stem.
const EXACT: f32 = 5.0;
/// How much the other matching fields add to the best one.
const TIE_BREAKER: f32 = 0.2;

const SKU: f32 = 1000.0;
const COMPLETED_NAME: f32 = 6.0;
const COMPLETED: f32 = 3.0;
const SPLIT: f32 = 0.8;
const CORRECTED: f32 = 1.5;
/// The factor from each correction to the next likely one.
const NEXT_CORRECTION: f32 = 0.6;
const SYNONYM: f32 = 0.5;
/// Two words that sound like one, instead of two words of which one is unknown.
const JOINED: f32 = 6.0;
/// A word in Latin letters that sounds like a Bangla word: an English correction is more likely.
const LATIN: f32 = 0.6;

type Clause = Box<dyn Query>;

pub struct ParsedQuery {
    /// One clause per word, or per group of words with a common synonym.
    clauses: Vec<Clause>,
    pub highlighter: Highlighter,
    /// The query with corrected spelling, where a word had to be corrected.
    corrected: Option<String>,
}

impl ParsedQuery {
    /// `typing`: the last word may be incomplete. `language`: the visitor's, if it is not the default one.
    pub fn parse(
        snapshot: &Snapshot,
        q: &str,
        typing: bool,
        language: Option<Language>,
    ) -> IndexResult<Self> {
        QueryBuilder { snapshot, typing, language, highlighter: Highlighter::default() }.build(q)
    }

    pub fn len(&self) -> usize {
        self.clauses.len()
    }

    /// Matches products that satisfy at least `count` clauses.
    pub fn at_least(&self, count: usize) -> Clause {
        let clones = || self.clauses.iter().map(|one| one.box_clone());
        match self.clauses.as_slice() {
            [] => Box::new(EmptyQuery),
            [one] => one.box_clone(),
            all if count >= all.len() => Box::new(BooleanQuery::intersection(clones().collect())),
            _ => Box::new(BooleanQuery::union_with_minimum_required_clauses(
                clones().collect(),
                count,
            )),
        }
    }

    /// The corrected query, with accents as they are in these product names.
    pub fn corrected<'n>(&self, names: impl Iterator<Item = &'n str>) -> Option<String> {
        let mut corrected = self.corrected.clone()?;
        for name in names {
            for Word { span, whole, .. } in tokenizer::split_words(name) {
                let spelled = name[span].to_lowercase();
                if spelled != whole {
                    corrected = replace_word(&corrected, &whole, &spelled);
                }
            }
        }
        Some(folding::composed(&corrected))
    }
}

fn replace_word(text: &str, word: &str, with: &str) -> String {
    text.split(' ').map(|part| if part == word { with } else { part }).collect::<Vec<_>>().join(" ")
}

struct QueryBuilder<'s> {
    snapshot: &'s Snapshot,
    typing: bool,
    language: Option<Language>,
    highlighter: Highlighter,
}

/// Corrected words by their position in the query.
type Corrections = HashMap<usize, String>;

impl QueryBuilder<'_> {
    fn build(mut self, q: &str) -> IndexResult<ParsedQuery> {
        let words = tokenizer::query_words(q);
        let mut corrections = Corrections::new();
        let mut single = Vec::new();
        for (position, word) in words.iter().enumerate() {
            let last = position + 1 == words.len();
            let (clause, correction) = self.word_clause(word, last)?;
            corrections.extend(correction.map(|correction| (position, correction)));
            single.push(clause);
        }
        let mut clauses = Vec::new();
        let mut position = 0;
        while position < words.len() {
            let (group, mut alternatives) = self.group_at(&words, position)?;
            let all = all_of(single[group.clone()].iter().map(|one| one.box_clone()).collect());
            if !alternatives.is_empty() {
                // A word with a synonym, or known when joined with the next one, is not misspelt.
                group.clone().for_each(|position| drop(corrections.remove(&position)));
            }
            alternatives.insert(0, all);
            clauses.push(any_of(alternatives));
            position = group.end;
        }
        if let Some(sku) = self.whole_sku(q, words.len())? {
            clauses = vec![any_of(vec![all_of(clauses), sku])];
        }
        let corrected = apply_corrections(q, &words, &corrections);
        Ok(ParsedQuery { clauses, highlighter: self.highlighter, corrected })
    }

    fn doc_freq(&self, field: Field, word: &str) -> IndexResult<u64> {
        self.snapshot.searcher.doc_freq(&Term::from_field_text(field, word))
    }

    /// Whether product names, tags, categories or brands have this word or its stem.
    fn is_known(&self, word: &str) -> IndexResult<bool> {
        for fields in self.snapshot.texts() {
            if self.is_known_in(&fields, word)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_known_in(&self, fields: &TextFields, word: &str) -> IndexResult<bool> {
        if self.doc_freq(fields.words, word)? > 0 {
            return Ok(true);
        }
        let stems =
            [fields.name_stems, fields.tag_stems, fields.category_stems, fields.brand_stems];
        self.has_any(&stems, &tokenizer::stem(word))
    }

    /// Whether descriptions, attributes or colours have this word's stem.
    fn is_described_in(&self, fields: &TextFields, word: &str) -> IndexResult<bool> {
        self.has_any(&[fields.text_stems, fields.trait_stems], &tokenizer::stem(word))
    }

    fn is_described(&self, word: &str) -> IndexResult<bool> {
        for fields in self.snapshot.texts() {
            if self.is_described_in(&fields, word)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn has_any(&self, fields: &[Field], word: &str) -> IndexResult<bool> {
        for field in fields {
            if self.doc_freq(*field, word)? > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The texts that are searched for a word. Translations do not change the results of a word that the default
    /// language has, for visitors in that language.
    fn texts_for(&self, word: &str) -> IndexResult<Vec<TextFields>> {
        let fields = &self.snapshot.fields;
        let mut texts = vec![fields.original];
        let has = |texts| -> IndexResult<bool> {
            Ok(self.is_known_in(texts, word)? || self.is_described_in(texts, word)?)
        };
        if self.snapshot.has_translations
            && has(&fields.translated)?
            && (self.language.is_some() || !has(&fields.original)?)
        {
            texts.push(fields.translated);
        }
        Ok(texts)
    }

    /// The clause of one word, and its correction where it had to be corrected.
    fn word_clause(
        &mut self,
        Word { whole: word, parts, .. }: &Word,
        last: bool,
    ) -> IndexResult<(Clause, Option<String>)> {
        let fields = self.snapshot.fields;
        let mut ways = vec![self.typed_word(word)?];
        if !parts.is_empty() {
            let parts = self.typed_words(parts)?;
            ways.push(boosted(all_of(parts), SPLIT));
        }
        if tokenizer::has_digit(word) && self.doc_freq(fields.sku, word)? > 0 {
            ways.push(const_score(term(fields.sku, word), SKU));
        }
        let known = self.is_known(word)? || !parts.is_empty();
        if last && (self.typing || !known) {
            ways.extend(self.completions(word)?);
        }
        if tokenizer::has_digit(word) && ways.len() == 1 {
            ways.extend(self.sku_prefix(word)?);
        }
        let mut correction = None;
        if !known && !self.is_described(word)? {
            correction = self.extend_with_similar(&mut ways, word, last)?;
        }
        Ok((any_of(ways), correction))
    }

    /// Adds ways to find an unknown word: split, corrected, or by its sound. Returns its correction.
    fn extend_with_similar(
        &mut self,
        ways: &mut Vec<Clause>,
        word: &str,
        last: bool,
    ) -> IndexResult<Option<String>> {
        let is_bangla = bangla::is_bangla(word);
        let in_language = is_bangla || self.language.is_some();
        let unmatched = ways.len() == 1;
        let mut alike = match in_language || unmatched {
            true => self.snapshot.words_by_sound(word)?,
            false => Vec::new(),
        };
        if unmatched && (!is_bangla || alike.is_empty()) {
            ways.extend(self.split_word(word)?);
        }
        let mut correction = None;
        if unmatched && ways.len() == 1 && !is_bangla {
            let corrections = self.corrections(word, last)?;
            self.extend_with_corrections(ways, &corrections, CORRECTED)?;
            correction = corrections.into_iter().next().map(|(word, _)| word);
        }
        if !alike.is_empty() && self.language.is_some() {
            // Spelled differently, not wrongly.
            correction = None;
        }
        if last && self.typing && (in_language || ways.len() == 1) {
            alike.extend(self.snapshot.words_by_sound_prefix(word)?);
        }
        let mut alike: Vec<_> = alike.into_iter().map(|word| (word, 1)).collect();
        // Compound words are common in Bangla, so a part may be known by chance.
        if alike.is_empty() && unmatched && (is_bangla || ways.len() == 1) {
            alike = self.snapshot.words_by_similar_sound(word)?;
            let likely = alike.first().map(|(word, _)| word.clone());
            correction = likely.filter(|_| in_language && ways.len() == 1);
        }
        let boost = if is_bangla { CORRECTED } else { CORRECTED * LATIN };
        self.extend_with_corrections(ways, &alike, boost)?;
        Ok(correction)
    }

    fn extend_with_corrections(
        &mut self,
        ways: &mut Vec<Clause>,
        corrections: &[(String, usize)],
        mut boost: f32,
    ) -> IndexResult {
        for (word, distance) in corrections {
            let closeness = if *distance == 1 { 1.0 } else { 0.5 };
            ways.push(boosted(self.corrected_word(word)?, boost * closeness));
            boost *= NEXT_CORRECTION;
        }
        Ok(())
    }

    fn typed_words(&mut self, words: &[String]) -> IndexResult<Vec<Clause>> {
        words.iter().map(|word| self.typed_word(word)).collect()
    }

    /// A word or its stem, in all fields.
    fn typed_word(&mut self, word: &str) -> IndexResult<Clause> {
        let stem = self.highlight(word);
        let mut ways = Vec::new();
        for fields in self.texts_for(word)? {
            ways.push(boosted(term(fields.name, word), EXACT));
            let stems = stem_fields(&fields);
            ways.extend(stems.map(|(field, boost)| boosted(term(field, &stem), boost)));
        }
        Ok(any_of(ways))
    }

    /// A correction of a typed word, scored by the matching field only. BM25 would put the rarest
    /// correction first, and an exact match before a match by stem.
    fn corrected_word(&mut self, word: &str) -> IndexResult<Clause> {
        let stem = self.highlight(word);
        let mut ways = Vec::new();
        for fields in self.texts_for(word)? {
            ways.push(const_score(term(fields.head_stems, &stem), HEAD));
            let stems = stem_fields(&fields);
            ways.extend(stems.map(|(field, boost)| const_score(term(field, &stem), boost)));
        }
        // Only the best field counts: a match in the description adds nothing to one in the name.
        Ok(Box::new(DisjunctionMaxQuery::new(ways)))
    }

    /// Highlights a word and its other forms. Returns its stem.
    fn highlight(&mut self, word: &str) -> String {
        let stem = tokenizer::stem(word);
        self.highlighter.words.insert(word.to_owned());
        self.highlighter.stems.insert(stem.clone());
        stem
    }

    /// Words that begin with the typed prefix, in the default language or, where it has none, in others.
    fn completions(&mut self, prefix: &str) -> IndexResult<Vec<Clause>> {
        for fields in self.snapshot.texts() {
            let completions = self.snapshot.terms_with_prefix(fields.words, prefix)?;
            if completions.is_empty() {
                continue;
            }
            self.highlighter.prefix = Some(prefix.to_owned());
            let words: Vec<&String> =
                completions.iter().map(|(word, _)| word).take(MAX_COMPLETIONS).collect();
            // A constant score: a rare completion is no more likely than a common one.
            let among = |field| {
                let terms = words.iter().map(|word| Term::from_field_text(field, word));
                Box::new(TermSetQuery::new(terms)) as Clause
            };
            return Ok(vec![
                const_score(among(fields.name), COMPLETED_NAME),
                const_score(among(fields.words), COMPLETED),
            ]);
        }
        Ok(Vec::new())
    }

    fn sku_prefix(&self, prefix: &str) -> IndexResult<Option<Clause>> {
        let field = self.snapshot.fields.sku;
        if prefix.len() < 4 {
            return Ok(None);
        }
        let found = self.snapshot.terms_with_prefix(field, prefix)?;
        let terms =
            found.iter().take(MAX_COMPLETIONS).map(|(sku, _)| Term::from_field_text(field, sku));
        Ok((!found.is_empty()).then(|| const_score(Box::new(TermSetQuery::new(terms)), SKU / 10.0)))
    }

    /// The whole query as one SKU that is typed with spaces.
    fn whole_sku(&self, q: &str, words: usize) -> IndexResult<Option<Clause>> {
        let (field, sku) = (self.snapshot.fields.sku, tokenizer::normalize_sku(q));
        if words < 2 || !tokenizer::has_digit(&sku) || self.doc_freq(field, &sku)? == 0 {
            return Ok(None);
        }
        Ok(Some(const_score(term(field, &sku), SKU)))
    }

    /// Two known words that were typed without a space.
    fn split_word(&mut self, word: &str) -> IndexResult<Option<Clause>> {
        // A Bangla word of two letters has three sounds or more.
        let least = if bangla::is_bangla(word) { 2 } else { 3 };
        let offsets = word.char_indices().map(|(at, _)| at);
        let offsets: Vec<usize> = offsets.skip(least).collect();
        for at in offsets.into_iter().rev().skip(least - 1) {
            let (one, other) = word.split_at(at);
            if self.is_known(one)? && self.is_known(other)? {
                let both = vec![self.typed_word(one)?, self.typed_word(other)?];
                return Ok(Some(boosted(all_of(both), SPLIT)));
            }
        }
        Ok(None)
    }

    /// Known words with a similar spelling and their edit distance, the most likely first.
    fn corrections(&self, word: &str, last: bool) -> IndexResult<Vec<(String, usize)>> {
        let max_distance = match word.chars().count() {
            _ if tokenizer::has_digit(word) => 0,
            0..4 => 0,
            4..7 => 1,
            _ => 2,
        };
        let mut fields: Vec<Field> = self.snapshot.texts().map(|texts| texts.words).collect();
        if self.language.is_some() {
            fields.reverse();
        }
        for field in &fields {
            for distance in 1..=max_distance {
                let found = self.snapshot.fuzzy_terms(*field, word, distance, false)?;
                if !found.is_empty() {
                    return Ok(found);
                }
            }
        }
        if last && self.typing && max_distance > 0 {
            for field in fields {
                let found = self.snapshot.fuzzy_terms(field, word, 1, true)?;
                if !found.is_empty() {
                    return Ok(found);
                }
            }
        }
        Ok(Vec::new())
    }

    /// The words from `position` that form one group, and the group's synonyms and joined spelling.
    fn group_at(
        &mut self,
        words: &[Word],
        position: usize,
    ) -> IndexResult<(Range<usize>, Vec<Clause>)> {
        for count in (1..=3.min(words.len() - position)).rev() {
            let group = position..position + count;
            let mut alternatives = Vec::new();
            let texts: Vec<&str> =
                words[group.clone()].iter().map(|word| word.whole.as_str()).collect();
            for synonym in synonyms_of(&texts) {
                let all = self.typed_words(synonym)?;
                alternatives.push(boosted(all_of(all), SYNONYM));
            }
            if let [one, other] = texts.as_slice() {
                alternatives.extend(self.joined(one, other)?);
            }
            if count == 1 || !alternatives.is_empty() {
                return Ok((group, alternatives));
            }
        }
        Ok((position..position + 1, Vec::new()))
    }

    /// Two words that are known as one, by its letters or by its sound.
    fn joined(&mut self, one: &str, other: &str) -> IndexResult<Vec<Clause>> {
        let joined = format!("{one}{other}");
        if tokenizer::has_digit(&joined) {
            return Ok(Vec::new());
        }
        let words: Vec<Field> = self.snapshot.texts().map(|texts| texts.words).collect();
        if self.has_any(&words, &joined)? {
            return Ok(vec![self.typed_word(&joined)?]);
        }
        let mut ways = Vec::new();
        let known = [self.is_known(one)?, self.is_known(other)?];
        let unknown =
            if bangla::is_bangla(&joined) { known != [true; 2] } else { known == [false; 2] };
        if unknown {
            let alike = self.snapshot.words_by_sound(&joined)?;
            let alike: Vec<_> = alike.into_iter().map(|word| (word, 1)).collect();
            self.extend_with_corrections(&mut ways, &alike, JOINED)?;
        }
        Ok(ways)
    }
}

impl Snapshot {
    /// The terms of a field with this prefix and their frequency, the most frequent first.
    pub fn terms_with_prefix(&self, field: Field, prefix: &str) -> IndexResult<Vec<(String, u64)>> {
        let mut found: HashMap<String, u64> = HashMap::new();
        for segment in self.searcher.segment_readers() {
            let index = segment.inverted_index(field)?;
            let mut terms = index.terms().range().ge(prefix.as_bytes()).into_stream()?;
            for _ in 0..MAX_PREFIX_TERMS {
                let Some((word, at)) = terms.next() else { break };
                if !word.starts_with(prefix.as_bytes()) {
                    break;
                }
                if let Ok(word) = std::str::from_utf8(word) {
                    *found.entry(word.to_owned()).or_default() += u64::from(at.doc_freq);
                }
            }
        }
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_unstable_by(|(one, often), (other, less)| {
            less.cmp(often).then_with(|| one.cmp(other))
        });
        Ok(found)
    }

    /// Words that sound like this one, the most frequent first, one of each stem.
    fn words_by_sound(&self, word: &str) -> IndexResult<Vec<String>> {
        let mut found: Vec<(String, usize)> = Vec::new();
        for key in self.sound_keys(word) {
            self.extend_with_sound(&mut found, &key, 0)?;
        }
        Ok(found.into_iter().map(|(word, _)| word).collect())
    }

    /// Words with a similar sound, and how many sounds differ.
    fn words_by_similar_sound(&self, word: &str) -> IndexResult<Vec<(String, usize)>> {
        let mut found = Vec::new();
        for key in self.sound_keys(word) {
            let max_distance = match key.len() {
                0..4 => 0,
                4 if !bangla::is_bangla(word) => 0,
                4..8 => 1,
                _ => 2,
            };
            for distance in 1..=max_distance {
                if !found.is_empty() {
                    break;
                }
                for (other, _) in self.fuzzy_terms(self.fields.sounds, &key, distance, false)? {
                    // Words are short in this spelling, so two changes make another word.
                    if distance == 1 || key.as_bytes().first() == other.as_bytes().first() {
                        self.extend_with_sound(&mut found, &other, distance)?;
                    }
                }
            }
        }
        found.truncate(MAX_CORRECTIONS);
        Ok(found)
    }

    /// Words that begin with the sound of a word that is being typed, the most frequent first.
    pub fn words_by_sound_prefix(&self, word: &str) -> IndexResult<Vec<String>> {
        let Some(key) = self.sound_keys(word).into_iter().next() else { return Ok(Vec::new()) };
        let found = self.terms_with_prefix(self.fields.sound_words, &key)?;
        let mut words: Vec<String> = Vec::new();
        for (keyed, _) in found.into_iter().take(MAX_COMPLETIONS) {
            let word = keyed.split_once(SEPARATOR).map_or("", |(_, word)| word).to_owned();
            if !words.contains(&word) && words.len() < MAX_CORRECTIONS {
                words.push(word);
            }
        }
        Ok(words)
    }

    fn sound_keys(&self, word: &str) -> Vec<String> {
        if self.has_sounds { bangla::sound_keys(word) } else { Vec::new() }
    }

    /// Adds the words with this sound key, unless there is another form of them.
    fn extend_with_sound(
        &self,
        found: &mut Vec<(String, usize)>,
        key: &str,
        distance: usize,
    ) -> IndexResult {
        let prefix = keyed(key, "");
        for (term, _) in self.terms_with_prefix(self.fields.sound_words, &prefix)? {
            let Some(word) = term.strip_prefix(&prefix) else { continue };
            let same = |(other, _): &(String, usize)| bangla::stem(other) == bangla::stem(word);
            if found.len() < MAX_CORRECTIONS && !found.iter().any(same) {
                found.push((word.to_owned(), distance));
            }
        }
        Ok(())
    }

    /// The texts of all languages, the default one first.
    pub fn texts(&self) -> impl Iterator<Item = TextFields> + use<> {
        let Fields { original, translated, .. } = self.fields;
        [Some(original), self.has_translations.then_some(translated)].into_iter().flatten()
    }

    /// Terms of a field within an edit distance of a word; with `is_prefix`, terms whose beginning is.
    fn fuzzy_terms(
        &self,
        field: Field,
        word: &str,
        distance: usize,
        is_prefix: bool,
    ) -> IndexResult<Vec<(String, usize)>> {
        let (term, max_edits) =
            (Term::from_field_text(field, word), u8::try_from(distance).unwrap_or(2));
        let fuzzy = match is_prefix {
            true => FuzzyTermQuery::new_prefix(term, max_edits, true),
            false => FuzzyTermQuery::new(term, max_edits, true),
        };
        let mut found: HashMap<String, u64> = HashMap::new();
        for segment in self.searcher.segment_readers() {
            let index = segment.inverted_index(field)?;
            let mut terms = index.terms().search(fuzzy.automaton()?).into_stream()?;
            while let Some((word, at)) = terms.next() {
                if let Ok(word) = std::str::from_utf8(word) {
                    *found.entry(word.to_owned()).or_default() += u64::from(at.doc_freq);
                }
            }
        }
        let mut found: Vec<_> =
            found.into_iter().filter(|(other, _)| !tokenizer::has_digit(other)).collect();
        // The first letter is rarely mistyped, and a missing, doubled or swapped letter is more common
        // than a wrong one.
        let unlikely = |other: &str| {
            (other.chars().next() != word.chars().next(), !is_common_typo(word, other))
        };
        found.sort_unstable_by(|(one, often), (other, less)| {
            unlikely(one).cmp(&unlikely(other)).then(less.cmp(often)).then_with(|| one.cmp(other))
        });
        Ok(found.into_iter().take(MAX_CORRECTIONS).map(|(word, _)| (word, distance)).collect())
    }
}

/// Whether one word is the other without some letters, or with the same letters in another order.
fn is_common_typo(typed: &str, meant: &str) -> bool {
    let within = |short: &str, long: &str| {
        let mut letters = long.chars();
        short.chars().all(|letter| letters.any(|other| other == letter))
    };
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    within(typed, meant) || within(meant, typed) || sorted(typed) == sorted(meant)
}

/// The fields of stems, and how much a match in each counts.
fn stem_fields(fields: &TextFields) -> [(Field, f32); 6] {
    [
        (fields.name_stems, NAME),
        (fields.brand_stems, BRAND),
        (fields.category_stems, CATEGORY),
        (fields.tag_stems, TAGS),
        (fields.trait_stems, TRAITS),
        (fields.text_stems, TEXT),
    ]
}

fn term(field: Field, word: &str) -> Clause {
    Box::new(TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs))
}

fn boosted(query: Clause, boost: f32) -> Clause {
    Box::new(BoostQuery::new(query, boost))
}

fn const_score(query: Clause, score: f32) -> Clause {
    Box::new(ConstScoreQuery::new(query, score))
}

fn all_of(mut all: Vec<Clause>) -> Clause {
    match all.len() {
        1 => all.remove(0),
        _ => Box::new(BooleanQuery::new(all.into_iter().map(|one| (Occur::Must, one)).collect())),
    }
}

fn any_of(mut any: Vec<Clause>) -> Clause {
    match any.len() {
        1 => any.remove(0),
        _ => Box::new(DisjunctionMaxQuery::with_tie_breaker(any, TIE_BREAKER)),
    }
}

/// The query with its corrections, if there are any.
fn apply_corrections(q: &str, words: &[Word], corrections: &Corrections) -> Option<String> {
    if corrections.is_empty() {
        return None;
    }
    let words = words.iter().enumerate().map(|(position, word)| match corrections.get(&position) {
        Some(correction) => correction.as_str(),
        None => &q[word.span.clone()],
    });
    Some(words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_letter_is_a_common_typo_and_a_wrong_letter_is_not() {
        for (typed, meant, common) in [
            ("wach", "watch", true),
            ("wach", "wash", false),
            ("teapott", "teapot", true),
            ("candel", "candle", true),
            ("moniter", "monitor", false),
        ] {
            assert_eq!(is_common_typo(typed, meant), common, "{typed}, {meant}");
        }
    }
}

//! From what somebody typed to what the index is asked. Every word has to match, as it is or in another
//! form; a word that the shop does not know is completed, taken apart or corrected, and what shoppers
//! call otherwise is looked for under the shop's own name too.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use tantivy::Term;
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EmptyQuery, FuzzyTermQuery,
    Occur, Query, TermQuery, TermSetQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use crate::Part;
use crate::index::{Outcome, Snapshot};
use crate::words::{self, Piece};

/// Words beyond these are not looked for.
const MOST_WORDS: usize = 12;
const MOST_COMPLETIONS: usize = 24;
const MOST_CORRECTIONS: usize = 6;
/// How far the dictionary is read for what begins like this.
const MOST_READ: usize = 20_000;

/// What a match is worth by where it is.
const HEAD: f32 = 5.0;
const NAME: f32 = 4.0;
const BRAND: f32 = 3.0;
const CATEGORY: f32 = 2.0;
const TAGS: f32 = 2.5;
const TRAITS: f32 = 1.0;
const TEXT: f32 = 0.4;
/// A name that has the very word, not another form of it.
const EXACT: f32 = 5.0;
/// How much the lesser places add to the best one.
const BESIDE: f32 = 0.2;

const SKU: f32 = 1000.0;
const COMPLETED_NAME: f32 = 6.0;
const COMPLETED: f32 = 3.0;
const TAKEN_APART: f32 = 0.8;
const CORRECTED: f32 = 1.5;
/// What the next correction is worth beside the one before it.
const LIKELIER: f32 = 0.6;
const SYNONYM: f32 = 0.5;

type Asking = Box<dyn Query>;

/// What somebody asked, ready to be asked of the index.
pub struct Asked {
    /// What has to match, one for each word or for words that belong together.
    wanted: Vec<Asking>,
    pub marks: Marks,
    /// The query as the shop would spell it, where a word had to be corrected.
    corrected: Option<String>,
}

/// The words that are marked in names.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    words: HashSet<String>,
    stems: HashSet<String>,
    /// What is being typed.
    beginning: Option<String>,
}

impl Asked {
    /// `typing`: the last word may not be complete.
    pub fn read(snapshot: &Snapshot, q: &str, typing: bool) -> Outcome<Self> {
        Asker { snapshot, typing, marks: Marks::default() }.read(q)
    }

    /// How many things are asked for.
    pub fn len(&self) -> usize {
        self.wanted.len()
    }

    /// Products to which at least so many of the things apply.
    pub fn at_least(&self, count: usize) -> Asking {
        let clones = || self.wanted.iter().map(|one| one.box_clone());
        match self.wanted.as_slice() {
            [] => Box::new(EmptyQuery),
            [one] => one.box_clone(),
            all if count >= all.len() => Box::new(BooleanQuery::intersection(clones().collect())),
            _ => Box::new(BooleanQuery::union_with_minimum_required_clauses(
                clones().collect(),
                count,
            )),
        }
    }

    /// The corrected query; a word that one of these names has is spelled as it is there.
    pub fn corrected<'n>(&self, names: impl Iterator<Item = &'n str>) -> Option<String> {
        let mut corrected = self.corrected.clone()?;
        for name in names {
            for Piece { at, whole, .. } in words::pieces(name) {
                let spelled = name[at].to_lowercase();
                if spelled != whole {
                    corrected = replace_word(&corrected, &whole, &spelled);
                }
            }
        }
        Some(corrected)
    }
}

fn replace_word(text: &str, word: &str, with: &str) -> String {
    text.split(' ').map(|part| if part == word { with } else { part }).collect::<Vec<_>>().join(" ")
}

struct Asker<'s> {
    snapshot: &'s Snapshot,
    typing: bool,
    marks: Marks,
}

/// A word that was corrected, by its place among the pieces.
type Corrected = HashMap<usize, String>;

impl Asker<'_> {
    fn read(mut self, q: &str) -> Outcome<Asked> {
        let mut pieces = words::pieces(q);
        if pieces.iter().any(|piece| !words::is_small(&piece.whole)) {
            pieces.retain(|piece| !words::is_small(&piece.whole));
        }
        pieces.truncate(MOST_WORDS);
        let mut corrected = Corrected::new();
        let mut single = Vec::new();
        for (place, piece) in pieces.iter().enumerate() {
            let last = place + 1 == pieces.len();
            let (asking, better) = self.piece(piece, last)?;
            corrected.extend(better.map(|better| (place, better)));
            single.push(asking);
        }
        let mut wanted = Vec::new();
        let mut place = 0;
        while place < pieces.len() {
            let (span, mut others) = self.together(&pieces, place)?;
            let all = all_of(single[span.clone()].iter().map(|one| one.box_clone()).collect());
            if !others.is_empty() {
                // What is known under another name, or in one word, was not misspelt.
                span.clone().for_each(|place| drop(corrected.remove(&place)));
            }
            others.insert(0, all);
            wanted.push(any_of(others));
            place = span.end;
        }
        if let Some(whole) = self.whole_sku(q, pieces.len())? {
            wanted = vec![any_of(vec![all_of(wanted), whole])];
        }
        let corrected = spelled_again(q, &pieces, &corrected);
        Ok(Asked { wanted, marks: self.marks, corrected })
    }

    /// How often a word stands in a field.
    fn count(&self, field: Field, word: &str) -> Outcome<u64> {
        self.snapshot.searcher.doc_freq(&Term::from_field_text(field, word))
    }

    /// Whether the shop names products with this word, in any form.
    fn is_known(&self, word: &str) -> Outcome<bool> {
        let fields = &self.snapshot.fields;
        if self.count(fields.words, word)? > 0 {
            return Ok(true);
        }
        let stem = words::stem(word);
        for field in
            [fields.name_stems, fields.tag_stems, fields.category_stems, fields.brand_stems]
        {
            if self.count(field, &stem)? > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// One piece of the query, and how it is spelled where it had to be corrected.
    fn piece(&mut self, piece: &Piece, last: bool) -> Outcome<(Asking, Option<String>)> {
        let fields = self.snapshot.fields;
        let word = piece.whole.as_str();
        let mut ways = vec![self.word(word)];
        if !piece.parts.is_empty() {
            let parts = piece.parts.iter().map(|part| self.word(part)).collect();
            ways.push(scaled(all_of(parts), TAKEN_APART));
        }
        if words::has_digit(word) && self.count(fields.sku, word)? > 0 {
            ways.push(constant(term(fields.sku, word), SKU));
        }
        let known = self.is_known(word)? || !piece.parts.is_empty();
        if last && (self.typing || !known) {
            ways.extend(self.completed(word)?);
        }
        if words::has_digit(word) && ways.len() == 1 {
            ways.extend(self.sku_that_begins(word)?);
        }
        let described = self.count(fields.text_stems, &words::stem(word))? > 0
            || self.count(fields.trait_stems, &words::stem(word))? > 0;
        let mut better = None;
        if !known && !described && ways.len() == 1 {
            ways.extend(self.taken_apart(word)?);
            if ways.len() == 1 {
                let corrections = self.corrections(word, last)?;
                better = corrections.first().map(|(word, _)| word.clone());
                let mut worth = CORRECTED;
                for (word, distance) in corrections {
                    let far = if distance == 1 { 1.0 } else { 0.5 };
                    ways.push(scaled(self.corrected(&word), worth * far));
                    worth *= LIKELIER;
                }
            }
        }
        Ok((any_of(ways), better))
    }

    /// A word in any of its forms, in all that is known of a product.
    fn word(&mut self, word: &str) -> Asking {
        let fields = &self.snapshot.fields;
        let stem = words::stem(word);
        let places = [
            (fields.name, word, EXACT),
            (fields.name_stems, &stem, NAME),
            (fields.brand_stems, &stem, BRAND),
            (fields.category_stems, &stem, CATEGORY),
            (fields.tag_stems, &stem, TAGS),
            (fields.trait_stems, &stem, TRAITS),
            (fields.text_stems, &stem, TEXT),
        ];
        let ways = places.into_iter().map(|(field, word, worth)| scaled(term(field, word), worth));
        let ways = ways.collect();
        self.marks.words.insert(word.to_owned());
        self.marks.stems.insert(stem);
        Box::new(DisjunctionMaxQuery::with_tie_breaker(ways, BESIDE))
    }

    /// A word that was not typed but may have been meant: by where it stands alone. Were it scored as a
    /// word that was typed, the rarest correction would come first, and a product called exactly so before
    /// one that is called so in another form.
    fn corrected(&mut self, word: &str) -> Asking {
        let fields = &self.snapshot.fields;
        let stem = words::stem(word);
        let places = [
            (fields.head_stems, HEAD),
            (fields.name_stems, NAME),
            (fields.brand_stems, BRAND),
            (fields.category_stems, CATEGORY),
            (fields.tag_stems, TAGS),
            (fields.trait_stems, TRAITS),
            (fields.text_stems, TEXT),
        ];
        let ways = places.into_iter().map(|(field, worth)| constant(term(field, &stem), worth));
        let ways = ways.collect();
        self.marks.words.insert(word.to_owned());
        self.marks.stems.insert(stem);
        // The best place alone: what a description says adds nothing to a name.
        Box::new(DisjunctionMaxQuery::new(ways))
    }

    /// What a word may become when it is typed to its end.
    fn completed(&mut self, beginning: &str) -> Outcome<Vec<Asking>> {
        let fields = self.snapshot.fields;
        let completions = self.snapshot.beginning_with(fields.words, beginning)?;
        if completions.is_empty() {
            return Ok(Vec::new());
        }
        self.marks.beginning = Some(beginning.to_owned());
        let words: Vec<&String> =
            completions.iter().map(|(word, _)| word).take(MOST_COMPLETIONS).collect();
        // The same for all of them: a rare word is no likelier meant than a common one.
        let among = |field| {
            let terms = words.iter().map(|word| Term::from_field_text(field, word));
            Box::new(TermSetQuery::new(terms)) as Asking
        };
        Ok(vec![
            constant(among(fields.name), COMPLETED_NAME),
            constant(among(fields.words), COMPLETED),
        ])
    }

    fn sku_that_begins(&self, beginning: &str) -> Outcome<Option<Asking>> {
        let field = self.snapshot.fields.sku;
        if beginning.len() < 4 {
            return Ok(None);
        }
        let found = self.snapshot.beginning_with(field, beginning)?;
        let terms =
            found.iter().take(MOST_COMPLETIONS).map(|(sku, _)| Term::from_field_text(field, sku));
        Ok((!found.is_empty()).then(|| constant(Box::new(TermSetQuery::new(terms)), SKU / 10.0)))
    }

    /// The whole query as one SKU that is written with spaces.
    fn whole_sku(&self, q: &str, pieces: usize) -> Outcome<Option<Asking>> {
        let (field, sku) = (self.snapshot.fields.sku, words::sku(q));
        if pieces < 2 || !words::has_digit(&sku) || self.count(field, &sku)? == 0 {
            return Ok(None);
        }
        Ok(Some(constant(term(field, &sku), SKU)))
    }

    /// Two words that were written as one.
    fn taken_apart(&mut self, word: &str) -> Outcome<Option<Asking>> {
        let letters = word.char_indices().map(|(at, _)| at);
        let cuts: Vec<usize> = letters.skip(3).collect();
        for at in cuts.into_iter().rev().skip(2) {
            let (one, other) = word.split_at(at);
            if self.is_known(one)? && self.is_known(other)? {
                let both = vec![self.word(one), self.word(other)];
                return Ok(Some(scaled(all_of(both), TAKEN_APART)));
            }
        }
        Ok(None)
    }

    /// Known words that this one may have been meant to be, the likeliest first.
    fn corrections(&self, word: &str, last: bool) -> Outcome<Vec<(String, usize)>> {
        let most = match word.chars().count() {
            _ if words::has_digit(word) => 0,
            0..4 => 0,
            4..7 => 1,
            _ => 2,
        };
        for distance in 1..=most {
            let found = self.snapshot.near(word, distance, false)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        if last && self.typing && most > 0 {
            return self.snapshot.near(word, 1, true);
        }
        Ok(Vec::new())
    }

    /// How many of the pieces from `place` on belong together, and what else they may be called.
    fn together(&mut self, pieces: &[Piece], place: usize) -> Outcome<(Range<usize>, Vec<Asking>)> {
        for count in (1..=3.min(pieces.len() - place)).rev() {
            let span = place..place + count;
            let mut others = Vec::new();
            let said: Vec<&str> =
                pieces[span.clone()].iter().map(|piece| piece.whole.as_str()).collect();
            for other in synonyms_of(&said) {
                let all = other.iter().map(|word| self.word(word)).collect();
                others.push(scaled(all_of(all), SYNONYM));
            }
            let joined = said.concat();
            if count == 2
                && !words::has_digit(&joined)
                && self.count(self.snapshot.fields.words, &joined)? > 0
            {
                others.push(self.word(&joined));
            }
            if count == 1 || !others.is_empty() {
                return Ok((span, others));
            }
        }
        Ok((place..place + 1, Vec::new()))
    }
}

impl Snapshot {
    /// The words of a field that begin so, the commonest first.
    pub fn beginning_with(&self, field: Field, beginning: &str) -> Outcome<Vec<(String, u64)>> {
        let mut found: HashMap<String, u64> = HashMap::new();
        for segment in self.searcher.segment_readers() {
            let index = segment.inverted_index(field)?;
            let mut terms = index.terms().range().ge(beginning.as_bytes()).into_stream()?;
            for _ in 0..MOST_READ {
                let Some((word, at)) = terms.next() else { break };
                if !word.starts_with(beginning.as_bytes()) {
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

    /// The words that so many changes of letters make of this one, or of their beginning.
    fn near(&self, word: &str, distance: usize, beginning: bool) -> Outcome<Vec<(String, usize)>> {
        let field = self.fields.words;
        let (wanted, changes) =
            (Term::from_field_text(field, word), u8::try_from(distance).unwrap_or(2));
        let fuzzy = match beginning {
            true => FuzzyTermQuery::new_prefix(wanted, changes, true),
            false => FuzzyTermQuery::new(wanted, changes, true),
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
            found.into_iter().filter(|(other, _)| !words::has_digit(other)).collect();
        // Who mistypes a word rarely mistypes its first letter, and sooner leaves one out, doubles it or
        // takes two in the wrong order than writes another one.
        let far =
            |other: &str| (other.chars().next() != word.chars().next(), !is_slip(word, other));
        found.sort_unstable_by(|(one, often), (other, less)| {
            far(one).cmp(&far(other)).then(less.cmp(often)).then_with(|| one.cmp(other))
        });
        Ok(found.into_iter().take(MOST_CORRECTIONS).map(|(word, _)| (word, distance)).collect())
    }
}

/// Whether one word is the other with letters left out, or with the same letters in another order.
fn is_slip(typed: &str, meant: &str) -> bool {
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

fn term(field: Field, word: &str) -> Asking {
    Box::new(TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs))
}

fn scaled(asking: Asking, worth: f32) -> Asking {
    Box::new(BoostQuery::new(asking, worth))
}

fn constant(asking: Asking, worth: f32) -> Asking {
    Box::new(ConstScoreQuery::new(asking, worth))
}

fn all_of(mut all: Vec<Asking>) -> Asking {
    match all.len() {
        1 => all.remove(0),
        _ => Box::new(BooleanQuery::new(all.into_iter().map(|one| (Occur::Must, one)).collect())),
    }
}

fn any_of(mut any: Vec<Asking>) -> Asking {
    match any.len() {
        1 => any.remove(0),
        _ => Box::new(DisjunctionMaxQuery::with_tie_breaker(any, BESIDE)),
    }
}

/// The query with its corrected words; nothing where there are none.
fn spelled_again(q: &str, pieces: &[Piece], corrected: &Corrected) -> Option<String> {
    if corrected.is_empty() {
        return None;
    }
    let said = pieces.iter().enumerate().map(|(place, piece)| match corrected.get(&place) {
        Some(better) => better.as_str(),
        None => &q[piece.at.clone()],
    });
    Some(said.collect::<Vec<_>>().join(" "))
}

/// By the stems of what is said, what is looked for too.
type Synonyms = HashMap<Vec<String>, Vec<Vec<String>>>;

static SYNONYMS: LazyLock<Synonyms> = LazyLock::new(|| {
    let cut = |text: &str| -> Vec<String> {
        words::pieces(text).into_iter().map(|piece| piece.whole).collect()
    };
    let mut synonyms = Synonyms::new();
    for line in include_str!("synonyms.txt").lines().filter(|line| !line.starts_with('#')) {
        let Some((said, meant)) = line.split_once(':') else { continue };
        let said = cut(said).iter().map(|word| words::stem(word)).collect();
        synonyms.entry(said).or_default().extend(meant.split(',').map(cut));
    }
    synonyms
});

fn synonyms_of(said: &[&str]) -> &'static [Vec<String>] {
    let stems: Vec<String> = said.iter().map(|word| words::stem(word)).collect();
    SYNONYMS.get(&stems).map_or(&[], Vec::as_slice)
}

impl Marks {
    /// A name cut where it has what was looked for.
    pub fn cut(&self, name: &str) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let mut push = |text: &str, hit: bool| match parts.last_mut() {
            Some(last) if last.hit == hit => last.text.push_str(text),
            _ if text.is_empty() => {}
            _ => parts.push(Part { text: text.to_owned(), hit }),
        };
        let mut from = 0;
        for piece in words::pieces(name) {
            push(&name[from..piece.at.start], false);
            push(&name[piece.at.clone()], self.has(&piece));
            from = piece.at.end;
        }
        push(&name[from..], false);
        parts
    }

    fn has(&self, piece: &Piece) -> bool {
        let said = piece.parts.iter().chain([&piece.whole]);
        said.into_iter().any(|word| {
            self.words.contains(word)
                || self.stems.contains(&words::stem(word))
                || self.beginning.as_ref().is_some_and(|beginning| word.starts_with(beginning))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_where_they_match() {
        let marks = Marks {
            words: ["desk".to_owned()].into(),
            stems: [words::stem("lamps")].into(),
            beginning: Some("ov".into()),
        };
        let cut = |name| -> Vec<(String, bool)> {
            marks.cut(name).into_iter().map(|part| (part.text, part.hit)).collect()
        };
        let (hit, not) =
            (|text: &str| (text.to_owned(), true), |text: &str| (text.to_owned(), false));
        assert_eq!(cut("Heron Desk Lamp"), [not("Heron "), hit("Desk"), not(" "), hit("Lamp")]);
        assert_eq!(cut("Over-Ear"), [hit("Over-Ear")]);
        assert_eq!(cut("হাট (2)"), [not("হাট (2)")]);
        assert_eq!(cut(""), []);
    }

    #[test]
    fn a_letter_left_out_is_a_slip_and_another_letter_is_not() {
        for (typed, meant, slip) in [
            ("wach", "watch", true),
            ("wach", "wash", false),
            ("teapott", "teapot", true),
            ("candel", "candle", true),
            ("moniter", "monitor", false),
        ] {
            assert_eq!(is_slip(typed, meant), slip, "{typed}, {meant}");
        }
    }

    #[test]
    fn every_synonym_can_be_said() {
        assert!(SYNONYMS.len() > 20);
        assert_eq!(synonyms_of(&["headsets"]), [["headphones".to_owned()]]);
        assert_eq!(synonyms_of(&["cell", "phones"]), [["phone".to_owned()]]);
    }
}

//! The tokenizer of products and queries: splits text into lower-case words without accents, in any
//! script. A word with a hyphen, or with letters and digits, matches as a whole and by its parts.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use frostem::{Algorithm, Stemmer};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use unicode_normalization::char::is_combining_mark;

use crate::bangla;
use crate::folding::fold;

/// Longer words are dropped; tantivy's own limit is far above.
const MAX_WORD_CHARS: usize = 40;
/// Further words of a query are ignored.
const MAX_QUERY_WORDS: usize = 12;

const STOP_WORDS: [&str; 27] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "i", "in", "is", "it", "me",
    "my", "of", "on", "or", "so", "some", "that", "the", "this", "to", "with", "your",
];

fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok() || bangla::is_stop_word(word)
}

/// The words of a query. Stop words count only where there are no others.
pub fn query_words(q: &str) -> Vec<Word> {
    let mut words = split_words(q);
    if words.iter().any(|word| !is_stop_word(&word.whole)) {
        words.retain(|word| !is_stop_word(&word.whole));
    }
    words.truncate(MAX_QUERY_WORDS);
    words
}

/// A word between spaces or punctuation: `USB-C`, `65W`, `lamp`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its byte range in the text.
    pub span: Range<usize>,
    /// All of it, joined: `usbc`.
    pub whole: String,
    /// Its parts, where it has more than one: `usb`, `c`.
    pub parts: Vec<String>,
}

pub fn split_words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut span = 0..0;
    for (at, letter) in text.char_indices() {
        let end = at + letter.len_utf8();
        if is_word_char(letter) || (is_connector(letter) && !span.is_empty()) {
            span = if span.is_empty() { at..end } else { span.start..end };
        } else {
            words.extend(word_at(text, std::mem::take(&mut span)));
        }
    }
    words.extend(word_at(text, span));
    words
}

/// Letters, digits, combining marks and zero-width joiners: without its vowel signs a Bengali word is a different one.
fn is_word_char(letter: char) -> bool {
    letter.is_alphanumeric()
        || (!letter.is_ascii() && is_combining_mark(letter))
        || matches!(letter, '\u{200c}' | '\u{200d}')
}

/// Hyphens and apostrophes, which may stand inside a word.
fn is_connector(letter: char) -> bool {
    matches!(letter, '-' | '\'' | '’' | '‐' | '‑')
}

fn word_at(text: &str, span: Range<usize>) -> Option<Word> {
    let found = text.get(span.clone())?.trim_end_matches(is_connector);
    if found.is_empty() {
        return None;
    }
    let span = span.start..span.start + found.len();
    let mut parts: Vec<String> = Vec::new();
    for part in found.split(['-', '‐', '‑']) {
        split_at_digits(&fold(part), &mut parts);
    }
    let whole: String = parts.concat();
    if whole.is_empty() || whole.chars().count() > MAX_WORD_CHARS {
        return None;
    }
    if parts.len() == 1 {
        parts.clear();
    }
    Some(Word { span, whole, parts })
}

fn split_at_digits(word: &str, into: &mut Vec<String>) {
    let mut last = None;
    for letter in word.chars() {
        let digit = letter.is_numeric();
        match into.last_mut() {
            Some(part) if last == Some(digit) => part.push(letter),
            _ => into.push(letter.into()),
        }
        last = Some(digit);
    }
}

/// A SKU in the form that is indexed: without dashes.
pub fn normalize_sku(text: &str) -> String {
    fold(text).chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Words with a digit are never spelling-corrected: another digit is another model.
pub fn has_digit(word: &str) -> bool {
    word.chars().any(char::is_numeric)
}

/// A catalogue has few distinct words, so stems are cached.
const STEM_CACHE_WORDS: usize = 50_000;

thread_local! {
    static STEMS: RefCell<HashMap<Box<str>, Box<str>>> = RefCell::default();
}

pub fn stem(word: &str) -> String {
    if bangla::is_bangla(word) {
        return bangla::stem(word).to_owned();
    }
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    STEMS.with_borrow_mut(|cache| {
        if let Some(stem) = cache.get(word) {
            return stem.as_ref().to_owned();
        }
        let stem = Stemmer::new(Algorithm::English).stem(word).into_owned();
        if cache.len() >= STEM_CACHE_WORDS {
            cache.clear();
        }
        cache.insert(word.into(), stem.as_str().into());
        stem
    })
}

/// Tantivy's tokenizer for indexed text, into words or into stems.
#[derive(Clone)]
pub struct WordTokenizer {
    pub stems: bool,
}

pub struct WordTokens {
    tokens: std::vec::IntoIter<String>,
    token: Token,
}

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = WordTokens;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordTokens {
        let mut tokens = Vec::new();
        for Word { whole, parts, .. } in split_words(text) {
            tokens.extend(parts);
            tokens.push(whole);
        }
        if self.stems {
            tokens.retain(|word| !is_stop_word(word));
            for word in &mut tokens {
                *word = stem(word);
            }
        }
        WordTokens { tokens: tokens.into_iter(), token: Token::default() }
    }
}

impl TokenStream for WordTokens {
    fn advance(&mut self) -> bool {
        let Some(text) = self.tokens.next() else { return false };
        self.token.text = text;
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

/// The word of a product's name that says what the product is: the last one before a comma or a `with`. A
/// headphone stand is a stand.
pub fn head_noun(name: &str) -> &str {
    let (name, _) = name.split_once(',').unwrap_or((name, ""));
    let (name, _) = name.split_once(" with ").unwrap_or((name, ""));
    name.split_whitespace().next_back().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::composed;

    #[test]
    fn the_head_noun_is_the_last_word_before_a_comma_or_with() {
        for (name, wanted) in [
            ("Gill Headphone Stand", "Stand"),
            ("Wick Candlesticks, Set of Three", "Candlesticks"),
            ("Slim Keyboard with Machined Case, British Layout", "Keyboard"),
            ("", ""),
        ] {
            assert_eq!(head_noun(name), wanted);
        }
    }

    fn tokens(text: &str, stems: bool) -> Vec<String> {
        let mut tokenizer = WordTokenizer { stems };
        let mut stream = tokenizer.token_stream(text);
        let mut tokens = Vec::new();
        while stream.advance() {
            tokens.push(stream.token().text.clone());
        }
        tokens
    }

    #[test]
    fn words_are_indexed_whole_and_by_parts() {
        assert_eq!(tokens("USB-C, 65W", false), ["usb", "c", "usbc", "65", "w", "65w"]);
        assert_eq!(tokens("Men's Café-Crème", false), ["mens", "cafe", "creme", "cafecreme"]);
        assert_eq!(tokens("  -- ' – ", false), Vec::<String>::new());
        assert_eq!(tokens("Straße Œuvre Łódź", false), ["strasse", "oeuvre", "lodz"]);
    }

    #[test]
    fn a_bengali_word_keeps_its_vowel_signs() {
        let words = tokens("হাট বাজার, ক্যামেরা", false);
        assert_eq!(words.len(), 3);
        // The same, whether a vowel sign is encoded as one code point or as two.
        assert_eq!(tokens("\u{995}\u{9cb}", false), tokens("\u{995}\u{9c7}\u{9be}", false));
        assert_ne!(tokens("কি", false), tokens("ক", false));
    }

    #[test]
    fn spellings_of_a_bengali_word_in_unicode_are_folded() {
        for (one, other) in [
            ("\u{9dc}\u{9dd}\u{9df}", "\u{9a1}\u{9bc}\u{9a2}\u{9bc}\u{9af}\u{9bc}"),
            ("\u{995}\u{9cc}", "\u{995}\u{9c7}\u{9d7}"),
            ("র‍্যাক", "র্যাক"),
            ("ল্যাপ\u{200c}টপ", "ল্যাপটপ"),
            ("২০২৬", "2026"),
            ("অা", "আ"),
        ] {
            assert_eq!(fold(one), fold(other));
            assert_eq!(fold(&composed(&fold(one))), fold(one));
        }
        assert_eq!(tokens("১৪টি, ২০০-এর", false), ["14", "টি", "14টি", "200", "এর", "200এর"]);
        assert_eq!(tokens("ঘড়ির জন্য চামড়ার ব্যাগ", true).len(), 3);
        assert_eq!(query_words("ঘড়ির দাম").len(), 1);
        assert_eq!(normalize_sku("HT-AUD-০০১"), "htaud001");
        assert_eq!(composed(&fold("কো")), "কো");
    }

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for (one, other) in [("lamps", "lamp"), ("watches", "watch"), ("charging", "charged")] {
            assert_eq!(stem(one), stem(other));
        }
        assert_eq!(tokens("the lamps of the house", true), ["lamp", "hous"]);
    }

    #[test]
    fn stop_words_are_sorted_for_the_binary_search() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn a_sku_is_the_same_with_and_without_dashes() {
        assert_eq!(normalize_sku("HT-AUD-001"), normalize_sku("htaud001"));
    }
}

//! Text cut into words, the same way for what is sold and for what is asked: lower case, without
//! accents, in any script. A word that holds a hyphen, or letters and digits, is found whole and by parts.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use frostem::{Algorithm, Stemmer};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Words beyond this length are nobody's; tantivy has its own limit far above.
const LONGEST: usize = 40;

/// Words that stand in every text and tell no product from another.
const SMALL: [&str; 27] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "i", "in", "is", "it", "me",
    "my", "of", "on", "or", "so", "some", "that", "the", "this", "to", "with", "your",
];

pub fn is_small(word: &str) -> bool {
    SMALL.binary_search(&word).is_ok()
}

/// A piece of text between spaces and the like: `USB-C`, `65W`, `lamp`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it stands in the text, in bytes.
    pub at: Range<usize>,
    /// The whole in one word: `usbc`.
    pub whole: String,
    /// What it is made of, where that is more than one: `usb`, `c`.
    pub parts: Vec<String>,
}

/// The pieces of a text, in their order.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = 0..0;
    for (at, letter) in text.char_indices() {
        let end = at + letter.len_utf8();
        if belongs(letter) || (joins(letter) && !rest.is_empty()) {
            rest = if rest.is_empty() { at..end } else { rest.start..end };
        } else {
            pieces.extend(piece(text, std::mem::take(&mut rest)));
        }
    }
    pieces.extend(piece(text, rest));
    pieces
}

/// Letters and digits, and what hangs on them: without its vowel signs a Bengali word is another.
fn belongs(letter: char) -> bool {
    letter.is_alphanumeric()
        || (!letter.is_ascii() && is_combining_mark(letter))
        || is_joiner(letter)
}

/// Drawn with the letters around it, and not a letter.
fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}')
}

/// What may stand inside a word.
fn joins(letter: char) -> bool {
    matches!(letter, '-' | '\'' | '’' | '‐' | '‑')
}

fn piece(text: &str, at: Range<usize>) -> Option<Piece> {
    let found = text.get(at.clone())?.trim_end_matches(joins);
    if found.is_empty() {
        return None;
    }
    let at = at.start..at.start + found.len();
    let mut parts: Vec<String> = Vec::new();
    for part in found.split(['-', '‐', '‑']) {
        by_kind(&fold(part), &mut parts);
    }
    let whole: String = parts.concat();
    if whole.is_empty() || whole.chars().count() > LONGEST {
        return None;
    }
    if parts.len() == 1 {
        parts.clear();
    }
    Some(Piece { at, whole, parts })
}

/// Cuts where letters meet digits.
fn by_kind(word: &str, into: &mut Vec<String>) {
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

/// Lower case, without accents and apostrophes. Marks of scripts where they are vowels stay.
pub fn fold(word: &str) -> String {
    if word.is_ascii() {
        let letters =
            word.bytes().filter(|byte| *byte != b'\'').map(|byte| byte.to_ascii_lowercase());
        return letters.map(char::from).collect();
    }
    let mut folded = String::with_capacity(word.len());
    for letter in word.nfkd().flat_map(char::to_lowercase) {
        match letter {
            '\u{300}'..='\u{36f}' | '\'' | '’' | '\u{200c}' | '\u{200d}' => {}
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' => folded.push('d'),
            'ı' => folded.push('i'),
            letter => folded.push(letter),
        }
    }
    folded
}

/// What a SKU is compared by: with and without dashes it is the same.
pub fn sku(text: &str) -> String {
    fold(text).chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Whether one cannot guess at it: a model's number with another digit is another model.
pub fn has_digit(word: &str) -> bool {
    word.chars().any(char::is_numeric)
}

/// A shop has few words, and says them often.
const MOST_REMEMBERED: usize = 50_000;

thread_local! {
    static STEMS: RefCell<HashMap<Box<str>, Box<str>>> = RefCell::default();
}

/// The part of a word that its forms share: `lamp` of `lamps`.
pub fn stem(word: &str) -> String {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    STEMS.with_borrow_mut(|known| {
        if let Some(stem) = known.get(word) {
            return stem.as_ref().to_owned();
        }
        let stem = Stemmer::new(Algorithm::English).stem(word).into_owned();
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.insert(word.into(), stem.as_str().into());
        stem
    })
}

/// Cuts what is indexed; by word or by stem.
#[derive(Clone)]
pub struct Cutter {
    pub stems: bool,
}

pub struct Cut {
    tokens: std::vec::IntoIter<String>,
    token: Token,
}

impl Tokenizer for Cutter {
    type TokenStream<'a> = Cut;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Cut {
        let mut tokens = Vec::new();
        for Piece { whole, parts, .. } in pieces(text) {
            tokens.extend(parts);
            tokens.push(whole);
        }
        if self.stems {
            tokens.retain(|word| !is_small(word));
            for word in &mut tokens {
                *word = stem(word);
            }
        }
        Cut { tokens: tokens.into_iter(), token: Token::default() }
    }
}

impl TokenStream for Cut {
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

/// The word of a name that says what the thing is: the last one, before what is added behind a comma or a
/// `with`. A headphone stand is a stand.
pub fn head(name: &str) -> &str {
    let (name, _) = name.split_once(',').unwrap_or((name, ""));
    let (name, _) = name.split_once(" with ").unwrap_or((name, ""));
    name.split_whitespace().next_back().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_last_what_the_thing_is() {
        for (name, wanted) in [
            ("Gill Headphone Stand", "Stand"),
            ("Wick Candlesticks, Set of Three", "Candlesticks"),
            ("Slim Keyboard with Machined Case, British Layout", "Keyboard"),
            ("", ""),
        ] {
            assert_eq!(head(name), wanted);
        }
    }

    fn tokens(text: &str, stems: bool) -> Vec<String> {
        let mut cutter = Cutter { stems };
        let mut cut = cutter.token_stream(text);
        let mut tokens = Vec::new();
        while cut.advance() {
            tokens.push(cut.token().text.clone());
        }
        tokens
    }

    #[test]
    fn words_are_found_whole_and_by_parts() {
        assert_eq!(tokens("USB-C, 65W", false), ["usb", "c", "usbc", "65", "w", "65w"]);
        assert_eq!(tokens("Men's Café-Crème", false), ["mens", "cafe", "creme", "cafecreme"]);
        assert_eq!(tokens("  -- ' – ", false), Vec::<String>::new());
        assert_eq!(tokens("Straße Œuvre Łódź", false), ["strasse", "oeuvre", "lodz"]);
    }

    #[test]
    fn a_bengali_word_keeps_its_signs() {
        let words = tokens("হাট বাজার, ক্যামেরা", false);
        assert_eq!(words.len(), 3);
        // However it is written down, with a vowel sign of one part or of two.
        assert_eq!(tokens("\u{995}\u{9cb}", false), tokens("\u{995}\u{9c7}\u{9be}", false));
        assert_ne!(tokens("কি", false), tokens("ক", false));
    }

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for (one, other) in [("lamps", "lamp"), ("watches", "watch"), ("charging", "charged")] {
            assert_eq!(stem(one), stem(other));
        }
        assert_eq!(tokens("the lamps of the house", true), ["lamp", "hous"]);
    }

    #[test]
    fn the_small_words_are_in_order() {
        assert!(SMALL.is_sorted());
    }

    #[test]
    fn a_sku_is_the_same_with_and_without_dashes() {
        assert_eq!(sku("HT-AUD-001"), sku("htaud001"));
    }
}

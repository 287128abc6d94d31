//! The forms of a text that are compared: folding ignores case, accents and the digits' script.

use platform::text::ascii_digit;
use unicode_normalization::UnicodeNormalization;

/// Lower case, without accents, apostrophes and joiners, and with ASCII digits. Combining marks that are vowels of
/// their script stay, decomposed, so that a word that is being typed is the beginning of the whole word.
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
            // আ, typed as two letters.
            '\u{9be}' if folded.ends_with('অ') => {
                folded.pop();
                folded.push('আ');
            }
            letter => folded.push(ascii_digit(letter)),
        }
    }
    folded
}

/// A folded text as it is shown: vowel signs in one piece.
pub fn composed(folded: &str) -> String {
    if folded.is_ascii() { folded.to_owned() } else { folded.nfc().collect() }
}

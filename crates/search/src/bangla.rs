//! Bangla words: their stems, and the sound key, in which words that sound alike are equal, whether they are
//! written in Bangla or in Latin letters. All words here are folded (`folding::fold`): a letter with a nukta,
//! and the vowel signs ো and ৌ, are two characters each.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::folding::{composed, fold};

const NUKTA: char = '\u{9bc}';
const HASANTA: char = '\u{9cd}';

const STOP_WORDS: [&str; 36] = [
    "ও",
    "এবং",
    "আর",
    "এর",
    "জন্য",
    "জন্যে",
    "থেকে",
    "দিয়ে",
    "সাথে",
    "সঙ্গে",
    "একটি",
    "একটা",
    "এই",
    "সেই",
    "ঐ",
    "যে",
    "কি",
    "কী",
    "না",
    "বা",
    "অথবা",
    "চাই",
    "লাগবে",
    "কিনব",
    "কিনবো",
    "কিনতে",
    "দাম",
    "দামে",
    "আমার",
    "আপনার",
    "কোন",
    "কোনো",
    "কিছু",
    "মধ্যে",
    "নিয়ে",
    "হয়",
];

/// Case endings, articles and plurals, the longer ones first.
const SUFFIXES: [&str; 19] = [
    "গুলো",
    "গুলি",
    "গুলা",
    "টুকু",
    "খানা",
    "খানি",
    "েদের",
    "য়ের",
    "েরা",
    "ের",
    "এর",
    "টি",
    "টা",
    "কে",
    "তে",
    "রা",
    "য়",
    "র",
    "ে",
];
/// These follow a vowel only.
const AFTER_VOWEL: [&str; 5] = ["তে", "রা", "য়", "র", "য়ের"];

static FOLDED_STOP_WORDS: LazyLock<HashSet<String>> =
    LazyLock::new(|| STOP_WORDS.into_iter().map(fold).collect());

struct Suffix {
    text: String,
    after_vowel: bool,
    /// The number of letters that have to remain: short suffixes are the ends of many short words.
    least: usize,
}

static FOLDED_SUFFIXES: LazyLock<Vec<Suffix>> = LazyLock::new(|| {
    let suffix = |text: &str| Suffix {
        text: fold(text),
        after_vowel: AFTER_VOWEL.contains(&text),
        least: if text.chars().count() > 2 { 1 } else { 2 },
    };
    SUFFIXES.into_iter().map(suffix).collect()
});

pub fn is_bangla_char(letter: char) -> bool {
    matches!(letter, '\u{980}'..='\u{9ff}')
}

pub fn is_bangla(word: &str) -> bool {
    !word.is_empty() && word.chars().all(is_bangla_char)
}

pub fn is_stop_word(word: &str) -> bool {
    word.starts_with(is_bangla_char) && FOLDED_STOP_WORDS.contains(word)
}

/// The ways in which a folded word is stored in texts: with letters and vowel signs in one piece, or with a nukta of
/// its own, and with the digits of Bangla or of English.
pub fn spellings(folded: &str) -> Vec<String> {
    let composed = composed(folded);
    let in_one = composed.replace("\u{9a1}\u{9bc}", "\u{9dc}").replace("\u{9a2}\u{9bc}", "\u{9dd}");
    let in_one = in_one.replace("\u{9af}\u{9bc}", "\u{9df}");
    let bangla_digit = |letter: char| match letter.to_digit(10) {
        Some(digit) => char::from_u32('০' as u32 + digit).unwrap_or(letter),
        None => letter,
    };
    let localized = [&composed, &in_one].map(|text| text.chars().map(bangla_digit).collect());
    [composed, in_one].into_iter().chain(localized).collect()
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, '\u{985}'..='\u{994}' | '\u{9be}'..='\u{9cc}' | '\u{9d7}')
}

/// Consonants and vowels that stand alone: roughly, syllables.
fn letters(word: &str) -> usize {
    word.chars().filter(|letter| matches!(letter, '\u{985}'..='\u{9b9}' | 'ৎ')).count()
}

/// A word without case endings, articles and plurals. It need not be a word: what matters is that all forms of
/// a word have the same stem, so every suffix is stripped that looks like one.
pub fn stem(word: &str) -> &str {
    let mut stem = word;
    while let Some(shorter) = FOLDED_SUFFIXES.iter().find_map(|suffix| strip(stem, suffix)) {
        stem = shorter;
    }
    stem
}

fn strip<'w>(word: &'w str, suffix: &Suffix) -> Option<&'w str> {
    let rest = word.strip_suffix(suffix.text.as_str())?;
    let last = rest.chars().next_back()?;
    let fits = last != HASANTA && (!suffix.after_vowel || is_vowel(last));
    (fits && letters(rest) >= suffix.least).then_some(rest)
}

/// The sound keys by which a word, typed or indexed, is found: of the word and of its stem.
pub fn sound_keys(word: &str) -> Vec<String> {
    let mut keys = if is_bangla(word) {
        vec![bangla_key(word), bangla_key(stem(word))]
    } else if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        // A `c` alone is চ for some, and ক or স for others.
        vec![latin_key(word, 'c'), latin_key(word, 'k')]
    } else {
        Vec::new()
    };
    keys.dedup();
    keys.retain(|key| key.len() > 1);
    keys
}

/// A Bangla word in Latin letters, one per sound. Equal are: long and short vowels, aspirated and plain
/// consonants, ণ and ন, শ, ষ and স, জ, ঝ and য, র, ড় and ঢ়, ভ and ব, dental and retroflex consonants.
/// Silent letters, doubled ones and the vowel অ, which is mostly not written, are dropped, and with it ো.
fn bangla_key(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let (mut sounds, mut rest) = (String::with_capacity(word.len()), letters.as_slice());
    while !rest.is_empty() {
        let (sound, length) = bangla_sound(rest);
        sounds.push_str(sound);
        rest = rest.get(length..).unwrap_or_default();
    }
    tidy(&sounds)
}

/// The sound at the beginning of these letters, and how many of them it takes.
fn bangla_sound(letters: &[char]) -> (&'static str, usize) {
    match letters {
        ['ক', HASANTA, 'ষ', ..] => ("k", 3),
        ['জ', HASANTA, 'ঞ', ..] => ("g", 3),
        ['ঙ', HASANTA, 'গ', ..] => ("n", 3),
        // As in র‍্যাক, where a joiner has been dropped.
        ['র', HASANTA, 'য', 'া', ..] => ("r", 3),
        ['র', HASANTA, 'য', ..] => ("rj", 3),
        ['ম', HASANTA, 'ব', ..] => ("mb", 3),
        ['র', HASANTA, 'ব', ..] => ("rb", 3),
        ['ল', HASANTA, 'ব', ..] => ("lb", 3),
        // Silent below another consonant, or the sign of another vowel (ব্যাগ).
        [HASANTA, 'য' | 'ব', ..] => ("", 2),
        // অ্যা
        ['অ' | 'এ', HASANTA, ..] => ("", 1),
        ['ড' | 'ঢ', NUKTA, ..] => ("r", 2),
        ['য', NUKTA, ..] => ("", 2),
        ['ে', 'া', ..] => ("o", 2),
        ['ে', 'ৗ', ..] => ("u", 2),
        [letter, ..] => (letter_sound(*letter), 1),
        [] => ("", 1),
    }
}

fn letter_sound(letter: char) -> &'static str {
    match letter {
        'অ' | 'ও' => "o",
        'আ' | 'া' => "a",
        'ই' | 'ঈ' | 'ি' | 'ী' | 'ঐ' | 'ৈ' => "i",
        'উ' | 'ঊ' | 'ু' | 'ূ' | 'ঔ' => "u",
        'এ' | 'ে' => "e",
        'ঋ' | 'ৃ' => "ri",
        'ক' | 'খ' => "k",
        'গ' | 'ঘ' => "g",
        'চ' | 'ছ' => "c",
        'জ' | 'ঝ' | 'য' => "j",
        'ট' | 'ঠ' | 'ত' | 'থ' | 'ৎ' => "t",
        'ড' | 'ঢ' | 'দ' | 'ধ' => "d",
        'ঙ' | 'ঞ' | 'ণ' | 'ন' | 'ং' => "n",
        'প' => "p",
        'ফ' => "f",
        'ব' | 'ভ' => "b",
        'ম' => "m",
        'র' => "r",
        'ল' => "l",
        'শ' | 'ষ' | 'স' => "s",
        'হ' => "h",
        // Hasanta, chandrabindu and other signs.
        _ => "",
    }
}

/// The same key for a Bangla word that is typed in Latin letters. `hard` is the sound of a `c` alone: `c` or `k`.
fn latin_key(word: &str, hard: char) -> String {
    let (mut sounds, mut rest) = (String::with_capacity(word.len()), word.as_bytes());
    while !rest.is_empty() {
        let (sound, length) = latin_sound(rest, sounds.as_bytes().last().copied());
        sounds.push_str(match (sound, hard, rest.get(length)) {
            ("c?", 'c', _) => "c",
            ("c?", _, Some(b'e' | b'i' | b'y')) => "s",
            ("c?", ..) => "k",
            _ => sound,
        });
        rest = rest.get(length..).unwrap_or_default();
    }
    tidy(&sounds)
}

fn latin_sound(letters: &[u8], before: Option<u8>) -> (&'static str, usize) {
    match letters {
        [b'c', b'h', b'h', ..] => ("c", 3),
        [b'k', b's', b'h', ..] => ("k", 3),
        [b'c', b'h', ..] => ("c", 2),
        [b'c', b'k', ..] | [b'k', b'h', ..] => ("k", 2),
        [b'g', b'h', ..] => ("g", 2),
        [b'j', b'h', ..] => ("j", 2),
        [b't', b'h', ..] => ("t", 2),
        [b'd', b'h', ..] => ("d", 2),
        [b'p', b'h', ..] => ("f", 2),
        [b'b', b'h', ..] => ("b", 2),
        [b's', b'h', ..] => ("s", 2),
        [b'r', b'h', ..] => ("r", 2),
        [b'n', b'g', ..] => ("n", 2),
        [b'e', b'e', ..] => ("i", 2),
        [b'o', b'o', ..] => ("u", 2),
        [b'x', ..] => ("ks", 1),
        // A vowel at the beginning, and at the end after a consonant; else it only joins vowels (cheyar).
        [b'y', ..] if before.is_none() => ("i", 1),
        [b'y'] if !matches!(before, Some(b'a' | b'e' | b'i' | b'o' | b'u')) => ("i", 1),
        [letter, ..] => (latin_letter_sound(*letter), 1),
        [] => ("", 1),
    }
}

fn latin_letter_sound(letter: u8) -> &'static str {
    match letter {
        b'a' => "a",
        b'b' | b'v' => "b",
        b'c' => "c?",
        b'd' => "d",
        b'e' => "e",
        b'f' => "f",
        b'g' => "g",
        b'h' => "h",
        b'i' => "i",
        b'j' | b'z' => "j",
        b'k' | b'q' => "k",
        b'l' => "l",
        b'm' => "m",
        b'n' => "n",
        b'o' | b'w' => "o",
        b'p' => "p",
        b'r' => "r",
        b's' => "s",
        b't' => "t",
        b'u' => "u",
        _ => "",
    }
}

/// Sounds without an `o` inside, without doubled letters, and without an `e` at the end.
fn tidy(sounds: &str) -> String {
    let mut key = String::with_capacity(sounds.len());
    for sound in sounds.chars() {
        let inner = sound == 'o' && !key.is_empty();
        if !inner && !key.ends_with(sound) {
            key.push(sound);
        }
    }
    if key.len() > 1 && key.ends_with('e') {
        key.pop();
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stem_of(word: &str) -> String {
        stem(&fold(word)).to_owned()
    }

    #[test]
    fn forms_of_a_bangla_word_share_a_stem() {
        for forms in [
            &["ঘড়ি", "ঘড়ির", "ঘড়িটি", "ঘড়িটা", "ঘড়িগুলো", "ঘড়িগুলোর", "ঘড়িতে", "ঘড়িকে"][..],
            &["চামড়া", "চামড়ার", "চামড়ায়"],
            &["টেবিল", "টেবিলে", "টেবিলের", "টেবিলটার", "টেবিলগুলিতে"],
            &["চেয়ার", "চেয়ারের", "চেয়ারগুলি", "চেয়ারটির"],
            &["রেডিও", "রেডিওর", "রেডিওতে"],
            &["চা", "চায়ের"],
            &["মেয়ে", "মেয়েরা", "মেয়েদের"],
            &["মগ", "মগটা", "মগের"],
        ] {
            for form in forms {
                assert_eq!(stem_of(form), stem_of(forms[0]), "{form}");
            }
        }
        for word in ["চা", "রুটি", "বাটি", "ঘর", "কলম", "মনিটর", "বই", "মোমবাতি", "টি"]
        {
            assert_eq!(stem_of(word), fold(word));
        }
    }

    #[test]
    fn what_sounds_alike_has_one_key() {
        for spellings in [
            &["ঘড়ি", "ঘরি", "ঘড়ী", "ঘ\u{9dc}ি", "ghori", "gori", "ghoree", "ghorhi"][..],
            &["হেডফোন", "হেডফন", "হেডফোণ", "hedphon", "hedphone", "hedfon"],
            &["চামড়া", "চামরা", "chamra", "camra", "chhamra", "chamraa"],
            &["কলম", "kolom", "qolom", "kolm"],
            &["চেয়ার", "cheyar", "chear"],
            &["চশমা", "choshma", "cosma"],
            &["বাতি", "bati", "batti", "baty", "vati"],
            &["ব্যাগ", "bag", "byag"],
            &["ওয়ালেট", "wallet", "oyalet"],
            &["জুতা", "juta", "zuta", "joota"],
            &["ভালো", "bhalo", "valo"],
            &["বাংলা", "bangla"],
            &["স্পিকার", "স্পীকার", "spikar", "speekar"],
            &["পাঁচ", "পাচ", "panch", "pach"][..2],
            &["বিশ্ব", "bissho", "bisho"],
            &["লম্বা", "lomba"],
            &["অ্যালার্ম", "এ্যালার্ম", "alarm"],
            &["কফি", "cofi", "kofi", "coffee"],
        ] {
            let keys = sound_keys(&fold(spellings[0]));
            for spelling in spellings {
                let own = sound_keys(&fold(spelling));
                assert!(own.iter().any(|key| keys.contains(key)), "{spelling}: {own:?}, {keys:?}");
            }
        }
        assert_ne!(sound_keys(&fold("বাতি")), sound_keys(&fold("বাটা")));
        assert!(sound_keys("a5").is_empty() && sound_keys("").is_empty());
        assert!(sound_keys("হাট2").is_empty());
    }

    #[test]
    fn stop_words_are_folded() {
        assert!(is_stop_word(&fold("দিয়ে")) && is_stop_word(&fold("দি\u{9df}ে")));
        assert!(!is_stop_word("ঘর") && !is_stop_word("the"));
    }

    proptest! {
        #[test]
        fn a_stem_begins_its_word_and_is_its_own_stem(word in "[\u{980}-\u{9ff}]{0,12}") {
            let word = fold(&word);
            let stemmed = stem(&word);
            prop_assert!(word.starts_with(stemmed));
            prop_assert_eq!(stem(stemmed), stemmed);
            prop_assert_eq!(word.is_empty(), stemmed.is_empty());
        }

        #[test]
        fn a_genitive_has_the_stem_of_its_word(word in "[ক-হ][া-ূ][ক-হ][া-ূ]?") {
            let word = fold(&word);
            let ending = if word.ends_with(is_vowel) { "র" } else { "ের" };
            let genitive = format!("{word}{ending}");
            prop_assert_eq!(stem(&genitive), stem(&word));
        }

        #[test]
        fn keys_are_lower_case_letters(word in "\\PC{0,12}") {
            for key in sound_keys(&fold(&word)) {
                prop_assert!(key.bytes().all(|byte| byte.is_ascii_lowercase()));
            }
        }
    }
}

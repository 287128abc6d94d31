//! Sanitizing and comparing what people type.

/// The digit 0 of the scripts whose decimal digits people type. The other nine digits follow it.
const ZEROS: [char; 19] = [
    '0', '٠', '۰', '०', '০', '੦', '૦', '୦', '௦', '౦', '೦', '൦', '๐', '໐', '༠', '၀', '០', '᠐', '０',
];

/// Decimal digits of any script as ASCII ones: ০১৭ as 017.
pub fn ascii_digits(text: &str) -> String {
    text.chars().map(ascii_digit).collect()
}

fn ascii_digit(letter: char) -> char {
    let value =
        |zero: &char| u32::from(letter).checked_sub(u32::from(*zero)).filter(|value| *value < 10);
    let digit = ZEROS.iter().find_map(value).and_then(|value| char::from_digit(value, 10));
    digit.unwrap_or(letter)
}

/// A text in one line: without control characters and those that change the direction of text, with single
/// spaces. Joiners stay: Bangla and others need them.
pub fn clean(text: &str) -> String {
    let safe: String = text.chars().filter(|c| c.is_whitespace() || !is_unsafe(*c)).collect();
    safe.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same rule as `platform::text::is_unsafe`.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What is compared of a name: without case, spaces, punctuation and the accents of Latin letters. The three
/// letters of Bangla that Unicode has both in one and in two characters become two, as in its normal forms.
pub fn fold(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for letter in name.chars().flat_map(char::to_lowercase) {
        match letter {
            ' ' | '-' | '.' | ',' | '\'' | '`' | '(' | ')' | '‘' | '’' | '–' | '\u{200c}'
            | '\u{200d}' => {}
            // The dot of the lower-case İ.
            '\u{307}' => {}
            'à'..='å' | 'ā' | 'ă' | 'ą' => folded.push('a'),
            'ç' | 'ć' | 'č' => folded.push('c'),
            'è'..='ë' | 'ē' | 'ę' | 'ě' => folded.push('e'),
            'ğ' => folded.push('g'),
            'ì'..='ï' | 'ī' | 'ı' => folded.push('i'),
            'ñ' | 'ń' | 'ň' => folded.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => folded.push('o'),
            'ś' | 'ş' | 'š' => folded.push('s'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' => folded.push('u'),
            'ý' | 'ÿ' => folded.push('y'),
            'ź' | 'ż' | 'ž' => folded.push('z'),
            '\u{9dc}' => folded.push_str("ড\u{9bc}"),
            '\u{9dd}' => folded.push_str("ঢ\u{9bc}"),
            '\u{9df}' => folded.push_str("য\u{9bc}"),
            letter => folded.push(letter),
        }
    }
    folded
}

/// The language of a tag: `bn` of `bn-BD`.
pub fn primary_language(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_all_scripts_become_ascii() {
        assert_eq!(ascii_digits("০১৭১১-৯ ١٢٣ ０８ १२ x"), "01711-9 123 08 12 x");
    }

    #[test]
    fn clean_text_has_one_line_and_no_unsafe_characters() {
        assert_eq!(clean(" a\u{202e}b\u{0}\t\n c\u{2066} "), "ab c");
        assert_eq!(clean("র\u{200d}\u{9cd}য"), "র\u{200d}\u{9cd}য");
    }

    #[test]
    fn folded_names_ignore_case_punctuation_accents_and_composition() {
        assert_eq!(fold("São Paulo"), fold("SAO PAULO"));
        assert_eq!(fold("İstanbul"), fold("Istanbul"));
        assert_eq!(fold("Diyarbakır"), fold("DIYARBAKIR"));
        assert_eq!(fold("Cox’s  Bazar"), fold("coxs-bazar"));
        assert_eq!(fold("নড়া\u{9df}"), fold("নড\u{9bc}ায\u{9bc}"));
    }
}

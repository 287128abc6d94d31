//! Text that strangers typed, made safe for one line of a page, an e-mail or a terminal.

/// Whether a character changes how the text around it is shown: controls, and what turns the direction
/// of writing (Unicode's bidirectional marks, embeddings, overrides and isolates). Joiners stay: some
/// scripts need them.
pub fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
        || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A name in one line: without unsafe characters, with single spaces, and cut to `longest` characters.
pub fn clean_name(text: &str, longest: usize) -> String {
    let kept: String =
        text.chars().filter(|letter| letter.is_whitespace() || !is_unsafe(*letter)).collect();
    let name = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    match name.char_indices().nth(longest) {
        Some((end, _)) => name[..end].trim_end().to_owned(),
        None => name,
    }
}

/// The same text with unsafe characters written as `\u001b`, for a terminal. Ends of lines and tabs stay.
/// What was JSON before still says the same.
pub fn escape_unsafe(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\t' => escaped.push(letter),
            letter if is_unsafe(letter) => escaped += &format!("\\u{:04x}", u32::from(letter)),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_plain_line() {
        assert_eq!(
            clean_name(" \u{1b}[31mRahim\u{7}\t\n Uddin\u{202e}\u{0} ", 99),
            "[31mRahim Uddin"
        );
        assert_eq!(clean_name("আব্দুর\u{200d} রহিম", 99), "আব্দুর\u{200d} রহিম");
        assert_eq!(clean_name("Rahim Uddin", 6), "Rahim");
        assert_eq!(clean_name("\u{9b}\u{2028}", 6), "");
    }

    #[test]
    fn a_terminal_is_told_nothing() {
        assert_eq!(
            escape_unsafe("a\u{1b}[2J\u{9b}\r\n\tb\u{202e}"),
            "a\\u001b[2J\\u009b\\u000d\n\tb\\u202e"
        );
        let json = escape_unsafe(&serde_json::json!({ "a": "\u{9b}\u{1b}\u{2066}" }).to_string());
        assert_eq!(json, r#"{"a":"\u009b\u001b\u2066"}"#);
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&json).unwrap()["a"],
            "\u{9b}\u{1b}\u{2066}"
        );
    }
}

//! Sanitizing user input: text that is safe in one line of a page, an e-mail or a terminal.

/// Whether a character changes how the text around it is displayed: control characters, and Unicode's
/// bidirectional marks, embeddings, overrides and isolates. Joiners are safe: some scripts need them.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A name in one line: without unsafe characters, with single spaces, and cut to `max_chars` characters.
pub fn clean_name(text: &str, max_chars: usize) -> String {
    let safe: String = text.chars().filter(|c| c.is_whitespace() || !is_unsafe(*c)).collect();
    let name = safe.split_whitespace().collect::<Vec<_>>().join(" ");
    match name.char_indices().nth(max_chars) {
        Some((end, _)) => name[..end].trim_end().to_owned(),
        None => name,
    }
}

/// Bangla digits as ASCII ones: ০১৭ as 017.
pub fn ascii_digits(text: &str) -> String {
    text.chars().map(ascii_digit).collect()
}

/// The same for one character; others stay.
pub fn ascii_digit(c: char) -> char {
    match c {
        '০'..='৯' => char::from(b'0' + (u32::from(c) - u32::from('০')) as u8),
        c => c,
    }
}

/// Escapes unsafe characters as `\u001b`, for a terminal, but not line breaks and tabs. JSON keeps its
/// meaning.
pub fn escape_unsafe(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => escaped.push(c),
            c if is_unsafe(c) => escaped += &format!("\\u{:04x}", u32::from(c)),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_name_is_one_line_without_unsafe_characters() {
        assert_eq!(
            clean_name(" \u{1b}[31mRahim\u{7}\t\n Uddin\u{202e}\u{0} ", 99),
            "[31mRahim Uddin"
        );
        assert_eq!(clean_name("আব্দুর\u{200d} রহিম", 99), "আব্দুর\u{200d} রহিম");
        assert_eq!(clean_name("Rahim Uddin", 6), "Rahim");
        assert_eq!(clean_name("\u{9b}\u{2028}", 6), "");
    }

    #[test]
    fn bangla_digits_become_ascii_ones() {
        assert_eq!(ascii_digits("+৮৮০ ১৭২৩-৪৫৬৭৮৯০ ক1٣"), "+880 1723-4567890 ক1٣");
    }

    #[test]
    fn terminal_escapes_are_escaped() {
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

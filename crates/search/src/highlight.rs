//! Highlights the words of a product's name that match a query.

use std::collections::HashSet;

use crate::HighlightSpan;
use crate::tokenizer::{self, Word};

/// Finds the words to highlight in product names.
#[derive(Clone, Debug, Default)]
pub struct Highlighter {
    pub words: HashSet<String>,
    pub stems: HashSet<String>,
    /// The word that is being typed.
    pub prefix: Option<String>,
}

impl Highlighter {
    /// A product's name in spans that match the query or not.
    pub fn highlight(&self, name: &str) -> Vec<HighlightSpan> {
        let mut spans: Vec<HighlightSpan> = Vec::new();
        let mut push = |text: &str, hit: bool| match spans.last_mut() {
            Some(last) if last.hit == hit => last.text.push_str(text),
            _ if text.is_empty() => {}
            _ => spans.push(HighlightSpan { text: text.to_owned(), hit }),
        };
        let mut from = 0;
        for word in tokenizer::split_words(name) {
            push(&name[from..word.span.start], false);
            push(&name[word.span.clone()], self.matches(&word));
            from = word.span.end;
        }
        push(&name[from..], false);
        spans
    }

    fn matches(&self, word: &Word) -> bool {
        let texts = word.parts.iter().chain([&word.whole]);
        texts.into_iter().any(|text| {
            self.words.contains(text)
                || self.stems.contains(&tokenizer::stem(text))
                || self.prefix.as_ref().is_some_and(|prefix| text.starts_with(prefix))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching_words_of_a_name_are_highlighted() {
        let highlighter = Highlighter {
            words: ["desk".to_owned()].into(),
            stems: [tokenizer::stem("lamps")].into(),
            prefix: Some("ov".into()),
        };
        let spans = |name| -> Vec<(String, bool)> {
            highlighter.highlight(name).into_iter().map(|span| (span.text, span.hit)).collect()
        };
        let (hit, not) =
            (|text: &str| (text.to_owned(), true), |text: &str| (text.to_owned(), false));
        assert_eq!(spans("Heron Desk Lamp"), [not("Heron "), hit("Desk"), not(" "), hit("Lamp")]);
        assert_eq!(spans("Over-Ear"), [hit("Over-Ear")]);
        assert_eq!(spans("হাট (2)"), [not("হাট (2)")]);
        let clock = Highlighter {
            stems: [tokenizer::stem("ঘড়ি")].into(),
            prefix: Some("স্ক".into()),
            ..Highlighter::default()
        };
        let hits = |name| -> Vec<String> {
            let spans = clock.highlight(name).into_iter().filter(|span| span.hit);
            spans.map(|span| span.text).collect()
        };
        // Whole words, so no vowel sign or joiner is cut off.
        assert_eq!(hits("ঘ\u{9dc}ির ব্যাগ, স্কার্ফ"), ["ঘ\u{9dc}ির", "স্কার্ফ"]);
        assert_eq!(hits("ঘড়ি\u{200d}টি"), ["ঘড়ি\u{200d}টি"]);
        assert_eq!(spans(""), []);
    }
}

//! Synonyms of query words, from `synonyms.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::tokenizer;

/// Synonyms by the stems of the typed words.
type Synonyms = HashMap<Vec<String>, Vec<Vec<String>>>;

static SYNONYMS: LazyLock<Synonyms> = LazyLock::new(|| {
    let split = |text: &str| -> Vec<String> {
        tokenizer::split_words(text).into_iter().map(|word| word.whole).collect()
    };
    let mut synonyms = Synonyms::new();
    for line in include_str!("synonyms.txt").lines().filter(|line| !line.starts_with('#')) {
        let Some((typed, meant)) = line.split_once(':') else { continue };
        let stems = split(typed).iter().map(|word| tokenizer::stem(word)).collect();
        synonyms.entry(stems).or_default().extend(meant.split(',').map(split));
    }
    synonyms
});

pub fn synonyms_of(words: &[&str]) -> &'static [Vec<String>] {
    let stems: Vec<String> = words.iter().map(|word| tokenizer::stem(word)).collect();
    SYNONYMS.get(&stems).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_are_found_by_stem() {
        assert!(SYNONYMS.len() > 20);
        assert_eq!(synonyms_of(&["headsets"]), [["headphones".to_owned()]]);
        assert_eq!(synonyms_of(&["cell", "phones"]), [["phone".to_owned()]]);
    }
}

//! Postcodes: the pattern of a country, and the one spelling in which a postcode is stored.

use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};

use crate::text::ascii_digits;

/// What the postcodes of a country look like.
#[derive(Debug)]
pub struct PostcodeFormat {
    /// A regular expression without anchors.
    pub pattern: &'static str,
    pub example: &'static str,
    /// What is printed before the postcode (`FI-`), and often typed with it.
    prefix: &'static str,
    regex: OnceLock<Option<Regex>>,
}

impl PostcodeFormat {
    /// `None` for a country without postcodes, whose pattern is empty.
    pub fn new(pattern: &'static str, example: &'static str, prefix: &'static str) -> Option<Self> {
        let has_postcodes = !pattern.is_empty();
        has_postcodes.then(|| Self { pattern, example, prefix, regex: OnceLock::new() })
    }

    /// A postcode as it is stored: with ASCII digits, capital letters, and the separator at the place where
    /// the example has it, so that two spellings of one postcode are equal. `None` for one that does not match
    /// the pattern.
    pub fn normalize(&self, text: &str) -> Option<String> {
        let text = ascii_digits(text).to_uppercase().replace(['‐', '‑', '–', '—'], "-");
        let prefix = self.prefix.trim_end_matches('-');
        let without_prefix = text.strip_prefix(prefix).filter(|_| !prefix.is_empty());
        let without_prefix = without_prefix.map(|rest| rest.trim_start_matches(['-', ' ']));
        [Some(&*text), without_prefix].into_iter().flatten().find_map(|text| self.respell(text))
    }

    fn respell(&self, text: &str) -> Option<String> {
        let compact = text.replace([' ', '-'], "");
        [self.separated(&compact), Some(text.to_owned()), Some(compact)]
            .into_iter()
            .flatten()
            .find(|spelling| self.matches(spelling))
    }

    /// With the separator of the example at the same distance from the end: `SW1A 1AA` like `EC1Y 8SY`.
    fn separated(&self, compact: &str) -> Option<String> {
        let at = self.example.rfind([' ', '-'])?;
        let (separator, end) = self.example[at..].split_at(1);
        let at = compact.len().checked_sub(end.len())?;
        let (start, end) = compact.split_at_checked(at)?;
        Some(format!("{start}{separator}{end}"))
    }

    fn matches(&self, text: &str) -> bool {
        self.regex
            .get_or_init(|| whole(self.pattern))
            .as_ref()
            .is_some_and(|regex| regex.is_match(text))
    }
}

/// A regular expression that matches a whole text. The tests compile all patterns of the data.
pub fn whole(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(&format!("^(?:{pattern})$")).unicode(false).build().ok()
}

#[cfg(test)]
mod tests {
    use crate::Country;

    #[test]
    fn a_postcode_has_one_spelling() {
        for (country, typed, stored) in [
            ("GB", "sw1a1aa", Some("SW1A 1AA")),
            ("GB", "SW1A 1AA", Some("SW1A 1AA")),
            ("GB", "bfpo 61", Some("BFPO 61")),
            ("GB", "12345", None),
            ("CA", "k1a0b1", Some("K1A 0B1")),
            ("NL", "1234ab", Some("1234 AB")),
            ("JP", "１５４００２３", Some("154-0023")),
            ("BR", "40301110", Some("40301-110")),
            ("US", "22162-1010", Some("22162-1010")),
            ("US", "2216", None),
            ("BD", "১২০৫", Some("1205")),
            ("BD", "12 05", Some("1205")),
            ("BD", "12055", None),
            ("IN", "११०००१", Some("110001")),
            ("FI", "FI-00550", Some("00550")),
            ("CH", "ch 2544", Some("2544")),
            ("PL", "00950", Some("00-950")),
            ("DE", "২৬১৩৩é", None),
            ("DE", "é", None),
        ] {
            let country: Country = country.parse().unwrap();
            let postcode = country.address_format().postcode.as_ref().unwrap();
            assert_eq!(postcode.normalize(typed).as_deref(), stored, "{country} {typed}");
        }
    }

    #[test]
    fn the_example_of_every_country_matches_its_pattern() {
        let mut with_postcodes = 0;
        for country in Country::all() {
            let Some(postcode) = &country.address_format().postcode else { continue };
            let example = postcode.example;
            assert_eq!(postcode.normalize(example).as_deref(), Some(example), "{country}");
            with_postcodes += 1;
        }
        assert!(with_postcodes > 150, "{with_postcodes}");
    }
}

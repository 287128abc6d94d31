//! Regions of a country and, in Bangladesh, their districts and upazilas.

use crate::text::{fold, primary_language};

/// A state, province, division, district or upazila.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subdivision {
    /// What is stored, and what addresses in Latin letters contain: the postal abbreviation where the country
    /// has one (`CA`), otherwise the English name (`Dhaka`). Unique within its list.
    pub key: &'static str,
    /// In English: `California`.
    pub name: &'static str,
    /// In the script of the country, or empty.
    pub(crate) local_name: &'static str,
    /// The language of the local name.
    pub(crate) language: &'static str,
    /// Its ISO 3166-2 code without the country, and other spellings.
    pub(crate) aliases: Vec<&'static str>,
    /// The subdivisions of the next level: those of a division of Bangladesh are its districts, and of a
    /// district its upazilas and metropolitan thanas. Empty elsewhere.
    pub parts: Vec<Subdivision>,
}

impl Subdivision {
    /// The name to show in a language: the local one, where the language is that of the country.
    pub fn name_in(&self, language: &str) -> &'static str {
        self.local_name_in(language).unwrap_or(self.name)
    }

    /// What an address in a language contains.
    pub(crate) fn written_in(&self, language: &str) -> &'static str {
        self.local_name_in(language).unwrap_or(self.key)
    }

    fn local_name_in(&self, language: &str) -> Option<&'static str> {
        let is_local = primary_language(language) == self.language && !self.local_name.is_empty();
        is_local.then_some(self.local_name)
    }

    /// The one in a list that a text names by key, name, local name, ISO code or another spelling, in this
    /// order. Case, spaces and punctuation do not matter.
    pub fn find<'a>(list: &'a [Self], text: &str) -> Option<&'a Self> {
        let text = fold(text);
        if text.is_empty() {
            return None;
        }
        let is_named = |name: &&str| fold(name) == text;
        let by_key = list.iter().find(|one| is_named(&one.key));
        let by_name = || list.iter().find(|one| is_named(&one.name) || is_named(&one.local_name));
        let by_alias = || list.iter().find(|one| one.aliases.iter().any(is_named));
        by_key.or_else(by_name).or_else(by_alias)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Country;

    #[test]
    fn names_are_local_only_in_the_language_of_the_country() {
        let name = |code: &str, key: &str, language: &str| {
            let regions = code.parse::<Country>().unwrap().address_format().regions();
            Subdivision::find(regions, key).unwrap().name_in(language)
        };
        assert_eq!(name("BD", "C", "bn-BD"), "ঢাকা");
        assert_eq!(name("BD", "C", "en"), "Dhaka");
        assert_eq!(name("US", "ca", "en"), "California");
        assert_eq!(name("US", "California", "bn"), "California");
        assert_eq!(name("JP", "13", "ja"), "東京都");
        assert_eq!(name("JP", "13", "bn"), "Tokyo");
        assert_eq!(name("AE", "dubai", "ar"), "دبي");
    }
}

//! The shop's profile in each of its languages, and the addresses of its pages in them: for e-mails and invoices.

use std::collections::BTreeMap;

use platform::{Language, Languages};

use crate::content::Contents;
use crate::settings::ShopProfile;

#[derive(Clone, Debug)]
pub struct ShopProfiles {
    languages: Languages,
    default: ShopProfile,
    translations: BTreeMap<Language, ShopProfile>,
}

impl ShopProfiles {
    /// The same profile in all languages.
    pub fn new(profile: ShopProfile, languages: Languages) -> Self {
        Self { languages, default: profile, translations: BTreeMap::new() }
    }

    /// With the translations in the content.
    pub fn with_content(self, contents: &Contents) -> Self {
        let translate = |(language, content): (&Language, &crate::content::Content)| {
            (*language, content.shop.translate(&self.default))
        };
        let translations = contents.translations.iter().map(translate).collect();
        Self { translations, ..self }
    }

    pub fn default_language(&self) -> Language {
        self.languages.default_language()
    }

    /// All languages, the default one first.
    pub fn languages(&self) -> impl Iterator<Item = Language> {
        self.languages.iter()
    }

    /// A person's language: the default one where none is stored, or one that the shop does not have any more.
    pub fn language(&self, stored: Option<Language>) -> Language {
        let offered = |stored: &Language| self.languages.iter().any(|language| language == *stored);
        stored.filter(offered).unwrap_or(self.default_language())
    }

    /// The language to translate texts to: `None` for the default one, in which they are written.
    pub fn translation(&self, language: Language) -> Option<Language> {
        self.languages.translation(language)
    }

    pub fn of(&self, language: Language) -> &ShopProfile {
        self.translations.get(&language).unwrap_or(&self.default)
    }

    /// The address of a page in a language, from its path (and query string) without a prefix.
    pub fn localize(&self, language: Language, path: &str) -> String {
        self.languages.localize(language, path)
    }
}

//! Message catalogues: every sentence that Rust writes, in each language of `/messages`, in ICU MessageFormat.
//! The files are compiled into the program, and parsed at the first use.

pub mod format;
mod parse;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::LazyLock;

use icu_locale_core::Locale;
use icu_plurals::{PluralCategory, PluralRules};
use platform::Language;

use parse::{Message, Part, parse};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The language that texts are written in first. A missing translation falls back to it.
const SOURCE: Language = Language::ENGLISH;

/// The arguments of a message. Those of plurals are integers.
pub type Args<'a> = &'a [(&'a str, &'a dyn Display)];

/// The catalogue of all languages.
#[derive(Clone, Copy, Debug)]
pub struct Messages;

impl Messages {
    /// The message with a key such as `email.orderPlacedSubject`, which is a namespace and a name in its file.
    pub fn text(language: Language, key: &str, args: Args<'_>) -> String {
        // The tests of this crate walk all keys, so that it happens only while one is being added.
        Self::find(language, key, args).unwrap_or_else(|| key.to_owned())
    }

    /// The message with a key that may be unknown.
    pub fn find(language: Language, key: &str, args: Args<'_>) -> Option<String> {
        [language, SOURCE].into_iter().find_map(|language| {
            let message = CATALOGUES.get(language.as_str())?.get(key)?;
            Some(Formatter { language, args }.format(message))
        })
    }
}

/// By the code of the language.
static CATALOGUES: LazyLock<BTreeMap<&str, Catalogue>> = LazyLock::new(|| {
    let mut catalogues: BTreeMap<&str, Catalogue> = BTreeMap::new();
    for (code, namespace, json) in FILES {
        let catalogue = catalogues.entry(code).or_default();
        for (key, message) in read(json).unwrap_or_default() {
            // The tests reject malformed messages.
            catalogue.extend(message.ok().map(|message| (format!("{namespace}.{key}"), message)));
        }
    }
    catalogues
});

/// The messages of a language by namespace and key.
type Catalogue = BTreeMap<String, Message>;

/// The messages of a file by key.
type ParsedFile = BTreeMap<String, Result<Message, String>>;

fn read(json: &str) -> serde_json::Result<ParsedFile> {
    let texts: BTreeMap<String, String> = serde_json::from_str(json)?;
    Ok(texts.into_iter().map(|(key, text)| (key, parse(&text))).collect())
}

/// The plural category of a number by the rules of Unicode's CLDR, which are compiled in for all languages.
fn plural_category(language: Language, number: i64) -> &'static str {
    let locale: Option<Locale> = language.as_str().parse().ok();
    let rules = locale.and_then(|locale| PluralRules::try_new_cardinal(locale.into()).ok());
    match rules.map(|rules| rules.category_for(number)) {
        Some(PluralCategory::Zero) => "zero",
        Some(PluralCategory::One) => "one",
        Some(PluralCategory::Two) => "two",
        Some(PluralCategory::Few) => "few",
        Some(PluralCategory::Many) => "many",
        Some(PluralCategory::Other) | None => "other",
    }
}

struct Formatter<'a> {
    language: Language,
    args: Args<'a>,
}

impl Formatter<'_> {
    fn format(&self, message: &Message) -> String {
        message.iter().map(|part| self.part(part)).collect()
    }

    fn part(&self, part: &Part) -> String {
        match part {
            Part::Text(text) => text.clone(),
            Part::Argument(name) => self.argument(name),
            Part::Number(name) => match self.integer(name) {
                Some(number) => format::number(self.language, number),
                None => format::digits(self.language, self.argument(name)),
            },
            Part::Select(name, branches) => self.branch(branches, &[&self.argument(name)]),
            Part::Plural(name, branches) => {
                let number = self.integer(name).unwrap_or_default();
                let category = plural_category(self.language, number);
                self.branch(branches, &[&format!("={number}"), category])
            }
        }
    }

    /// Empty for one that is missing.
    fn argument(&self, name: &str) -> String {
        let found = self.args.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.to_string()).unwrap_or_default()
    }

    fn integer(&self, name: &str) -> Option<i64> {
        self.argument(name).parse().ok()
    }

    /// The first branch with one of the keys, otherwise `other`.
    fn branch(&self, branches: &[(String, Message)], keys: &[&str]) -> String {
        let with = |key: &str| branches.iter().find(|(known, _)| known == key);
        let found = keys.iter().copied().chain(["other"]).find_map(with);
        found.map(|(_, message)| self.format(message)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;

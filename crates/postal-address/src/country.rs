//! Countries by their ISO 3166-1 code of two letters.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::data::{COUNTRIES, Entry};
use crate::format::AddressFormat;
use crate::text::primary_language;

/// A country or territory that has postal addresses of its own, such as `BD`. Kosovo (`XK`), Ascension (`AC`)
/// and Tristan da Cunha (`TA`) have codes too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Country([u8; 2]);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the code of a country, two capital letters such as BD")]
pub struct UnknownCountry;

impl Country {
    pub const BANGLADESH: Self = Self(*b"BD");

    /// In the order of their codes.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        COUNTRIES.iter().map(|entry| entry.country)
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The name in a language of which we have the names, which are English and Bangla; otherwise in English.
    pub fn name(self, language: &str) -> &'static str {
        match primary_language(language) {
            "bn" => self.entry().bangla_name,
            _ => self.entry().english_name,
        }
    }

    pub fn address_format(self) -> &'static AddressFormat {
        &self.entry().format
    }

    /// The prefix of its telephone numbers without the plus sign, such as 880.
    pub fn calling_code(self) -> Option<&'static str> {
        self.entry().numbering_plan.as_ref().map(|plan| plan.calling_code)
    }

    pub(crate) fn entry(self) -> &'static Entry {
        // Every country is in the data: parsing checks it, and a test those that have a name here.
        let (Ok(index) | Err(index)) = self.index();
        &COUNTRIES[index]
    }

    fn index(self) -> Result<usize, usize> {
        COUNTRIES.binary_search_by_key(&self, |entry| entry.country)
    }

    /// The code of an entry while the entries are being read.
    pub(crate) fn from_data(code: &str) -> Option<Self> {
        <[u8; 2]>::try_from(code.as_bytes()).ok().map(Self)
    }
}

impl FromStr for Country {
    type Err = UnknownCountry;

    fn from_str(code: &str) -> Result<Self, UnknownCountry> {
        let country = Self::from_data(code).filter(|country| country.index().is_ok());
        country.ok_or(UnknownCountry)
    }
}

impl fmt::Display for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Country {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Country {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        code.parse().map_err(|why| D::Error::custom(format!("{code:?}: {why}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_have_codes_of_two_capital_letters() {
        for code in ["BD", "US", "ZW", "XK"] {
            let country: Country = code.parse().unwrap();
            assert_eq!(country.to_string(), code);
            assert_eq!(serde_json::to_value(country).unwrap(), code);
            assert_eq!(serde_json::from_value::<Country>(code.into()).unwrap(), country);
        }
        for code in ["", "B", "bd", "BDX", "ZZ", "XX", "EU", "বা"] {
            assert_eq!(code.parse::<Country>(), Err(UnknownCountry), "{code}");
        }
        assert!(serde_json::from_value::<Country>("ZZ".into()).is_err());
        assert_eq!("BD".parse(), Ok(Country::BANGLADESH));
    }

    #[test]
    fn names_are_in_english_and_bangla() {
        let japan: Country = "JP".parse().unwrap();
        assert_eq!(japan.name("en"), "Japan");
        assert_eq!(japan.name("bn-BD"), "জাপান");
        assert_eq!(japan.name("ja"), "Japan");
        assert!(Country::all().all(|country| !country.name("en").is_empty()));
        assert!(Country::all().all(|country| !country.name("bn").is_empty()));
        assert!(Country::all().is_sorted());
        assert_eq!(Country::all().len(), 252);
    }
}

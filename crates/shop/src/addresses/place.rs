//! Places of delivery zones and of tax rates.

use std::fmt;
use std::str::FromStr;

use platform::text::ascii_digits;
use postal_address::{AddressInput, Country, Destination};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A country, or a part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    country: Country,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    region: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    district: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    postcodes: Vec<PostcodePattern>,
}

const MAX_POSTCODES: usize = 1000;

impl Place {
    /// With region, district and postcodes in the spelling of addresses. Only what is imported is checked, so that zones can
    /// be read whatever the data about countries become.
    pub fn normalized(&self) -> Result<Self, String> {
        let Self { country, region, district, postcodes } = self;
        if postcodes.len() > MAX_POSTCODES {
            return Err(format!("at most {MAX_POSTCODES} postcodes in a place"));
        }
        let input = |postcode: &str| AddressInput {
            country: country.to_string(),
            region: region.clone(),
            district: district.clone(),
            postcode: postcode.to_owned(),
            ..AddressInput::default()
        };
        let found = Destination::parse(&input("")).map_err(|errors| {
            let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
            format!("place {country}: {}", texts.join(", "))
        })?;
        let exact = |pattern: &PostcodePattern| match pattern {
            PostcodePattern::Is(code) => match Destination::parse(&input(code)) {
                Ok(found) if !found.postcode.is_empty() => PostcodePattern::Is(found.postcode),
                _ => pattern.clone(),
            },
            _ => pattern.clone(),
        };
        Ok(Self {
            country: *country,
            // A district implies its region, which need not be said.
            region: if region.trim().is_empty() { String::new() } else { found.region },
            district: found.district,
            postcodes: postcodes.iter().map(exact).collect(),
        })
    }

    /// How exact it is, where it contains the destination.
    pub fn exactness(&self, to: &Destination) -> Option<u8> {
        let part = |wanted: &str, found: &str| wanted.is_empty() || wanted == found;
        let contains = self.country == to.country
            && part(&self.region, &to.region)
            && part(&self.district, &to.district)
            && (self.postcodes.is_empty()
                || self.postcodes.iter().any(|pattern| pattern.matches(&to.postcode)));
        let exactness = match self {
            Self { postcodes, .. } if !postcodes.is_empty() => 4,
            Self { district, .. } if !district.is_empty() => 3,
            Self { region, .. } if !region.is_empty() => 2,
            _ => 1,
        };
        contains.then_some(exactness)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { country, region, district, postcodes } = self;
        let postcodes: Vec<String> = postcodes.iter().map(ToString::to_string).collect();
        let parts = [district.clone(), region.clone(), postcodes.join(" "), country.to_string()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        f.write_str(&parts.join(", "))
    }
}

/// `1212`, `12*` or `1000-1299`.
#[derive(Clone, Debug, PartialEq)]
enum PostcodePattern {
    Is(String),
    StartsWith(String),
    /// Of digits, and of the same length.
    Between(String, String),
}

impl PostcodePattern {
    fn matches(&self, postcode: &str) -> bool {
        match self {
            Self::Is(code) => code == postcode,
            Self::StartsWith(start) => postcode.starts_with(start.as_str()),
            Self::Between(first, last) => {
                // Of an American ZIP code with four more digits, the first five.
                let code = postcode.split('-').next().unwrap_or_default();
                code.len() == first.len() && (first.as_str()..=last.as_str()).contains(&code)
            }
        }
    }
}

impl FromStr for PostcodePattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = ascii_digits(text).trim().to_ascii_uppercase();
        let wrong = || format!("{text:?} is no postcode such as 1212, 12* or 1000-1299");
        if let Some(start) = text.strip_suffix('*') {
            return Ok(Self::StartsWith(start.trim().to_owned()));
        }
        let digits =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let range = text.split_once('-').map(|(first, last)| (first.trim(), last.trim()));
        // A postcode such as 154-0023 is one, because its parts have different lengths.
        let range = range
            .filter(|(first, last)| digits(first) && digits(last) && first.len() == last.len());
        match range {
            Some((first, last)) if first > last => Err(wrong()),
            Some((first, last)) => Ok(Self::Between(first.to_owned(), last.to_owned())),
            None if text.is_empty() || text.starts_with('-') => Err(wrong()),
            None => Ok(Self::Is(text)),
        }
    }
}

impl fmt::Display for PostcodePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(code) => f.write_str(code),
            Self::StartsWith(start) => write!(f, "{start}*"),
            Self::Between(first, last) => write!(f, "{first}-{last}"),
        }
    }
}

impl Serialize for PostcodePattern {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PostcodePattern {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

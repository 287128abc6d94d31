//! Codes of promotions: upper-case letters, digits and hyphens, so that they can be read out and typed.

use std::fmt;
use std::str::FromStr;

use platform::Random;
use platform::error::Field;
use platform::text::ascii_digits;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sqlx::error::BoxDynError;
use sqlx::{Database, Decode, Type};

pub const MAX_CODE_LEN: usize = 40;
/// Codes of a cart.
pub const MAX_CODES: usize = 10;
/// Without letters and digits that look like others.
const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const RANDOM_LEN: usize = 13;

/// A code in its one form: in upper case, without spaces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PromotionCode(Box<str>);

impl PromotionCode {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A new code that nobody can guess: 65 random bits.
    pub fn random(prefix: &str, random: &Random) -> Self {
        let letters = random.bytes::<RANDOM_LEN>().map(|byte| ALPHABET[usize::from(byte) % 32]);
        let letters = String::from_utf8_lossy(&letters).into_owned();
        Self(format!("{prefix}{letters}").into())
    }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a code is 1 to {} letters, digits and hyphens", MAX_CODE_LEN)]
pub struct MalformedCode;

impl FromStr for PromotionCode {
    type Err = MalformedCode;

    fn from_str(text: &str) -> Result<Self, MalformedCode> {
        let code: String = ascii_digits(text).split_whitespace().collect();
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if code.is_empty() || code.len() > MAX_CODE_LEN || !code.bytes().all(allowed) {
            return Err(MalformedCode);
        }
        Ok(Self(code.to_ascii_uppercase().into()))
    }
}

impl fmt::Display for PromotionCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Serialize for PromotionCode {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for PromotionCode {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

impl<DB: Database> Type<DB> for PromotionCode
where
    String: Type<DB>,
{
    fn type_info() -> DB::TypeInfo {
        String::type_info()
    }
    fn compatible(ty: &DB::TypeInfo) -> bool {
        String::compatible(ty)
    }
}

impl<'r, DB: Database> Decode<'r, DB> for PromotionCode
where
    String: Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(String::decode(value)?.parse()?)
    }
}

/// The codes that a shopper typed, each once: those that can be one, and the others as they were typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CodeList {
    pub codes: Vec<PromotionCode>,
    pub malformed: Vec<String>,
}

impl CodeList {
    /// An error where there are too many, or one is too long to repeat it.
    pub fn parse(typed: Vec<String>) -> Result<Self, Field> {
        if typed.len() > MAX_CODES {
            let message = format!("at most {MAX_CODES} codes");
            return Err(Field::new("codes", "too_many_codes", message).with("most", MAX_CODES));
        }
        let mut list = Self::default();
        for text in typed {
            let text = text.trim();
            match text.parse::<PromotionCode>() {
                Ok(code) if !list.codes.contains(&code) => list.codes.push(code),
                Ok(_) => {}
                Err(_) => list.malformed.push(text.chars().take(MAX_CODE_LEN).collect()),
            }
        }
        Ok(list)
    }

    /// As if none could be a code.
    pub fn ignored(self) -> Self {
        let codes = self.codes.into_iter().map(|code| code.to_string());
        Self { malformed: codes.chain(self.malformed).collect(), codes: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.codes.is_empty() && self.malformed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_one_form_however_it_is_typed() {
        let code = |text: &str| text.parse::<PromotionCode>().map(|code| code.to_string());
        assert_eq!(code(" spring-10 ").as_deref(), Ok("SPRING-10"));
        assert_eq!(code("eid ২০২৬").as_deref(), Ok("EID2026"));
        for wrong in ["", " ", "ten%", "ঈদ", &"A".repeat(MAX_CODE_LEN + 1)] {
            assert_eq!(code(wrong), Err(MalformedCode), "{wrong}");
        }
    }

    #[test]
    fn each_code_is_listed_once() {
        let typed = ["a", "A ", "%", "b"].map(str::to_owned).to_vec();
        let list = CodeList::parse(typed).unwrap();
        let codes: Vec<&str> = list.codes.iter().map(PromotionCode::as_str).collect();
        assert_eq!((codes, list.malformed), (vec!["A", "B"], vec!["%".to_owned()]));
        assert!(CodeList::parse(vec!["A".into(); MAX_CODES + 1]).is_err());
    }

    #[test]
    fn random_codes_are_valid_and_differ() {
        let random = Random::seeded(1);
        let codes = [(); 100].map(|()| PromotionCode::random("EID-", &random));
        assert!(codes.iter().all(|code| code.as_str().parse().as_ref() == Ok(code)));
        assert_eq!(std::collections::BTreeSet::from(codes).len(), 100);
    }
}

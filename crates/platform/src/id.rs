//! Typed ids: an id of a product cannot be mistaken for the id of an order.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use sqlx::{Database, Decode, Type, error::BoxDynError};
use utoipa::openapi::schema::{ObjectBuilder, Type as SchemaType};

use crate::{Clock, Random};

/// The id of a `T`: 1 to 64 characters of `A-Z a-z 0-9 - _`, which need no escaping in a URL. The
/// shopkeeper may choose one (`oak-desk-lamp`); otherwise the program generates it.
pub struct Id<T>(Box<str>, PhantomData<fn() -> T>);

pub const MAX_LENGTH: usize = 64;

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("an id is 1 to {} letters, digits, hyphens or underscores", MAX_LENGTH)]
pub struct MalformedId;

impl<T> Id<T> {
    /// A ULID: 48 bits of milliseconds and 80 random bits in base 32. Ids sort by their creation time.
    pub fn new(clock: &Clock, random: &Random) -> Self {
        let mut bits = u128::try_from(clock.now().0).unwrap_or(0) << 80;
        let mut low = [0; 16];
        low[6..].copy_from_slice(&random.bytes::<10>());
        bits |= u128::from_be_bytes(low);
        const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        let text = (0..26)
            .rev()
            .map(|place| char::from(ALPHABET[(bits >> (5 * place)) as usize & 31]))
            .collect::<String>();
        Self(text.into(), PhantomData)
    }

    /// A hash: the same id for the same name.
    pub fn from_name(name: &str) -> Self {
        Self::from_content(name.as_bytes())
    }

    /// A hash, SHA-256 shortened to 20 bytes: the same id for the same content.
    pub fn from_content(bytes: &[u8]) -> Self {
        let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes);
        let text: String = digest.as_ref()[..20].iter().map(|byte| format!("{byte:02x}")).collect();
        Self(text.into(), PhantomData)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same id as that of something else: a product's default variant has the product's id.
    pub fn cast<U>(&self) -> Id<U> {
        Id(self.0.clone(), PhantomData)
    }
}

impl<T> FromStr for Id<T> {
    type Err = MalformedId;

    fn from_str(text: &str) -> Result<Self, MalformedId> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if text.is_empty() || text.len() > MAX_LENGTH || !text.bytes().all(allowed) {
            return Err(MalformedId);
        }
        Ok(Self(text.into(), PhantomData))
    }
}

// Not derived, because `derive` would require the same traits of `T`.
impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }
}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}
impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl<T> fmt::Display for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<T> Serialize for Id<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de, T> Deserialize<'de> for Id<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|why: MalformedId| D::Error::custom(format!("{text:?}: {why}")))
    }
}

impl<T, DB: Database> Type<DB> for Id<T>
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

impl<'r, T, DB: Database> Decode<'r, DB> for Id<T>
where
    String: Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(String::decode(value)?.parse()?)
    }
}

impl<T> utoipa::PartialSchema for Id<T> {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::String)
            .pattern(Some("^[A-Za-z0-9_-]{1,64}$"))
            .build()
            .into()
    }
}

impl<T> utoipa::ToSchema for Id<T> {
    fn name() -> std::borrow::Cow<'static, str> {
        "Id".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    struct Thing;

    #[test]
    fn generated_ids_are_valid_distinct_and_sort_by_time() {
        let clock = Clock::fixed_at(Timestamp(1_700_000_000_000));
        let random = Random::seeded(1);
        let first = Id::<Thing>::new(&clock, &random);
        let second = Id::<Thing>::new(&clock, &random);
        clock.advance(std::time::Duration::from_millis(1));
        let third = Id::<Thing>::new(&clock, &random);
        assert_ne!(first, second);
        assert!(first < third && second < third);
        assert_eq!(first.as_str().parse(), Ok(first));
    }

    #[test]
    fn malformed_ids_are_rejected() {
        for text in ["", "a b", "../etc", "é", "a\0", &"x".repeat(65)] {
            assert_eq!(text.parse::<Id<Thing>>(), Err(MalformedId), "{text:?}");
        }
        assert!("oak-desk_lamp-2".parse::<Id<Thing>>().is_ok());
    }
}

//! The clock and the random number generator, which are injected so that tests control them. `clippy.toml`
//! forbids reading the system's directly.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

/// Milliseconds since 1970 in the database, ISO 8601 in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    pub fn plus(self, span: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
    }

    pub fn minus(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
    }

    /// The time since `earlier`; zero when that is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    pub fn year(self) -> i16 {
        self.utc().map_or(1970, |time| time.year())
    }

    /// 1 to 12.
    pub fn month(self) -> u8 {
        self.utc().map_or(1, |time| time.month().unsigned_abs())
    }

    fn utc(self) -> Option<jiff::Zoned> {
        let instant = jiff::Timestamp::from_millisecond(self.0).ok()?;
        Some(instant.to_zoned(jiff::tz::TimeZone::UTC))
    }

    /// For RSS: `Sun, 8 Nov 2026 00:00:00 +0000`.
    pub fn rfc2822(self) -> String {
        let written = self.utc().and_then(|time| jiff::fmt::rfc2822::to_string(&time).ok());
        written.unwrap_or_default()
    }

    pub fn parse(text: &str) -> Option<Self> {
        text.parse::<jiff::Timestamp>().ok().map(|instant| Self(instant.as_millisecond()))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(instant) => write!(f, "{instant:.3}"),
            Err(_) => write!(f, "{} ms", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            D::Error::custom(format!("{text:?} is not a timestamp like 2026-11-15T09:30:00Z"))
        })
    }
}

impl utoipa::PartialSchema for Timestamp {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .build()
            .into()
    }
}

impl utoipa::ToSchema for Timestamp {}

/// Clones share the same time.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    System,
    /// Milliseconds ahead of the system's clock.
    Offset(Arc<AtomicI64>),
    Set(Arc<AtomicI64>),
}

impl Clock {
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// The system's clock with an offset that `advance` increases.
    pub fn movable() -> Self {
        Self(Source::Offset(Arc::new(AtomicI64::new(0))))
    }

    /// A clock that only `advance` changes.
    pub fn fixed_at(time: Timestamp) -> Self {
        Self(Source::Set(Arc::new(AtomicI64::new(time.0))))
    }

    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System => system_now(),
            Source::Offset(by) => {
                Timestamp(system_now().0.saturating_add(by.load(Ordering::SeqCst)))
            }
            Source::Set(time) => Timestamp(time.load(Ordering::SeqCst)),
        }
    }

    /// Does nothing to the system's clock.
    pub fn advance(&self, span: Duration) {
        if let Source::Set(value) | Source::Offset(value) = &self.0 {
            let now = Timestamp(value.load(Ordering::SeqCst));
            value.store(now.plus(span).0, Ordering::SeqCst);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the only place that reads the system's clock")]
fn system_now() -> Timestamp {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp(since_epoch.map_or(0, |span| i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
}

/// The random number generator. `system` is cryptographically secure; `seeded` is reproducible, for tests.
#[derive(Clone, Debug)]
pub struct Random(Generator);

#[derive(Clone, Debug)]
enum Generator {
    System,
    Seeded(Arc<AtomicU64>),
}

impl Random {
    pub fn system() -> Self {
        Self(Generator::System)
    }

    pub fn seeded(seed: u64) -> Self {
        Self(Generator::Seeded(Arc::new(AtomicU64::new(seed))))
    }

    #[expect(
        clippy::disallowed_methods,
        clippy::expect_used,
        reason = "the only place that reads the system's randomness, without which nothing is secure"
    )]
    pub fn fill(&self, bytes: &mut [u8]) {
        match &self.0 {
            Generator::System => getrandom::fill(bytes).expect("the system gives random bytes"),
            Generator::Seeded(state) => {
                for chunk in bytes.chunks_mut(8) {
                    chunk.copy_from_slice(&split_mix(state).to_le_bytes()[..chunk.len()]);
                }
            }
        }
    }

    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }
}

fn split_mix(state: &AtomicU64) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut z = state.fetch_add(STEP, Ordering::SeqCst).wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_iso_8601_in_json() {
        let time = Timestamp::parse("2026-11-15T09:30:00.250Z").unwrap();
        assert_eq!(serde_json::to_string(&time).unwrap(), r#""2026-11-15T09:30:00.250Z""#);
        assert_eq!(
            serde_json::from_str::<Timestamp>(r#""2026-11-15T10:30:00.25+01:00""#).unwrap(),
            time
        );
        assert!(serde_json::from_str::<Timestamp>(r#""tomorrow""#).is_err());
    }

    #[test]
    fn a_fixed_clock_changes_only_by_advance() {
        let clock = Clock::fixed_at(Timestamp(1_000));
        let same = clock.clone();
        clock.advance(Duration::from_secs(2));
        assert_eq!(same.now(), Timestamp(3_000));
    }

    #[test]
    fn only_seeded_randomness_is_reproducible() {
        assert_eq!(Random::seeded(7).bytes::<20>(), Random::seeded(7).bytes::<20>());
        assert_ne!(Random::system().bytes::<20>(), Random::system().bytes::<20>());
    }
}

//! Time and randomness, injected: a test sets the clock and repeats the dice. Everything else is
//! barred from asking the system by `clippy.toml`.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

/// A moment: milliseconds since 1970 in the database, ISO 8601 on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    pub fn plus(self, span: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
    }

    pub fn minus(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
    }

    /// The time from `earlier` to this moment; nothing when it lies ahead.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    pub fn year(self) -> i16 {
        self.utc().map_or(1970, |time| time.year())
    }

    fn utc(self) -> Option<jiff::Zoned> {
        let instant = jiff::Timestamp::from_millisecond(self.0).ok()?;
        Some(instant.to_zoned(jiff::tz::TimeZone::UTC))
    }

    /// As letters and RSS have it: `Sun, 8 Nov 2026 00:00:00 +0000`.
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
            D::Error::custom(format!("{text:?} is not a moment like 2026-11-15T09:30:00Z"))
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

/// Tells the time. Clones tell the same time.
#[derive(Clone, Debug)]
pub struct Clock(Hands);

#[derive(Clone, Debug)]
enum Hands {
    System,
    /// Milliseconds ahead of the system's.
    Ahead(Arc<AtomicI64>),
    Set(Arc<AtomicI64>),
}

impl Clock {
    pub fn system() -> Self {
        Self(Hands::System)
    }

    /// The system's clock, but it can be moved ahead.
    pub fn movable() -> Self {
        Self(Hands::Ahead(Arc::new(AtomicI64::new(0))))
    }

    /// A clock that stands still until it is moved.
    pub fn standing_at(moment: Timestamp) -> Self {
        Self(Hands::Set(Arc::new(AtomicI64::new(moment.0))))
    }

    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Hands::System => system_now(),
            Hands::Ahead(by) => Timestamp(system_now().0.saturating_add(by.load(Ordering::SeqCst))),
            Hands::Set(moment) => Timestamp(moment.load(Ordering::SeqCst)),
        }
    }

    /// Moves the clock ahead, unless it is the system's own.
    pub fn advance(&self, span: Duration) {
        if let Hands::Set(hand) | Hands::Ahead(hand) = &self.0 {
            let hand_now = Timestamp(hand.load(Ordering::SeqCst));
            hand.store(hand_now.plus(span).0, Ordering::SeqCst);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that asks the system for the time")]
fn system_now() -> Timestamp {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp(since_epoch.map_or(0, |span| i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
}

/// Throws the dice. `system` is fit for secrets; `seeded` repeats itself, for tests.
#[derive(Clone, Debug)]
pub struct Random(Dice);

#[derive(Clone, Debug)]
enum Dice {
    System,
    Seeded(Arc<AtomicU64>),
}

impl Random {
    pub fn system() -> Self {
        Self(Dice::System)
    }

    pub fn seeded(seed: u64) -> Self {
        Self(Dice::Seeded(Arc::new(AtomicU64::new(seed))))
    }

    #[expect(
        clippy::disallowed_methods,
        clippy::expect_used,
        reason = "the one place that asks the system for randomness, without which nothing is safe to do"
    )]
    pub fn fill(&self, bytes: &mut [u8]) {
        match &self.0 {
            Dice::System => getrandom::fill(bytes).expect("the system gives random bytes"),
            Dice::Seeded(state) => {
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
    fn a_timestamp_reads_and_writes_iso_8601() {
        let moment = Timestamp::parse("2026-11-15T09:30:00.250Z").unwrap();
        assert_eq!(serde_json::to_string(&moment).unwrap(), r#""2026-11-15T09:30:00.250Z""#);
        assert_eq!(
            serde_json::from_str::<Timestamp>(r#""2026-11-15T10:30:00.25+01:00""#).unwrap(),
            moment
        );
        assert!(serde_json::from_str::<Timestamp>(r#""tomorrow""#).is_err());
    }

    #[test]
    fn a_standing_clock_moves_only_when_told() {
        let clock = Clock::standing_at(Timestamp(1_000));
        let same = clock.clone();
        clock.advance(Duration::from_secs(2));
        assert_eq!(same.now(), Timestamp(3_000));
    }

    #[test]
    fn seeded_dice_repeat_and_system_dice_do_not() {
        assert_eq!(Random::seeded(7).bytes::<20>(), Random::seeded(7).bytes::<20>());
        assert_ne!(Random::system().bytes::<20>(), Random::system().bytes::<20>());
    }
}

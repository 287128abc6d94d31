use std::fmt;
use std::str::FromStr;

use platform::money::decimal;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The percentage of a tax, in thousandths of a percent: from 0 to 1000, because duties may be above 100.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaxPercent(i64);

const PLACES: usize = 3;
const PER_PERCENT: i64 = 1000;
const MAX: i64 = 1000 * PER_PERCENT;

impl TaxPercent {
    pub const ZERO: Self = Self(0);
    /// 100 %.
    pub const ALL: i64 = 100 * PER_PERCENT;

    pub const fn thousandths(self) -> i64 {
        self.0
    }

    /// As stored.
    pub const fn from_thousandths(thousandths: i64) -> Self {
        Self(thousandths)
    }
}

impl FromStr for TaxPercent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.trim();
        let number = number.strip_suffix('%').unwrap_or(number).trim_end();
        match decimal(number, PLACES) {
            Some(thousandths @ 0..=MAX) => Ok(Self(thousandths)),
            _ => Err("expected a percentage from 0 to 1000, such as 15 or 7.5".into()),
        }
    }
}

/// Without `%`: `7.5`.
impl fmt::Display for TaxPercent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:03}", self.0 / PER_PERCENT, self.0 % PER_PERCENT);
        f.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Serialize for TaxPercent {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 % PER_PERCENT {
            0 => to.serialize_i64(self.0 / PER_PERCENT),
            _ => to.serialize_f64(self.0 as f64 / PER_PERCENT as f64),
        }
    }
}

impl<'de> Deserialize<'de> for TaxPercent {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        f64::deserialize(from)?.to_string().parse().map_err(D::Error::custom)
    }
}

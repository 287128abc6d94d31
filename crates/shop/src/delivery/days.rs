//! How many days a delivery takes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// A range of days, written `3` or `2-4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DeliveryDays {
    least: u16,
    most: u16,
}

impl DeliveryDays {
    const MAX: u16 = 365;

    pub const fn new(least: u16, most: u16) -> Self {
        Self { least, most }
    }

    pub const fn least(self) -> u16 {
        self.least
    }

    pub const fn most(self) -> u16 {
        self.most
    }
}

impl FromStr for DeliveryDays {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (least, most) = text.split_once(['-', '–']).unwrap_or((text, text));
        let days = (least.trim().parse::<u16>(), most.trim().parse::<u16>());
        match days {
            (Ok(least), Ok(most)) if 1 <= least && least <= most && most <= Self::MAX => {
                Ok(Self { least, most })
            }
            _ => Err(format!("expected days from 1 to {}, like 3 or 2-4", Self::MAX)),
        }
    }
}

impl fmt::Display for DeliveryDays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { least, most } = self;
        if least == most { write!(f, "{least}") } else { write!(f, "{least}-{most}") }
    }
}

/// As import files have it: `2-4`.
pub mod text {
    use super::*;

    pub fn serialize<S: Serializer>(days: &Option<DeliveryDays>, to: S) -> Result<S::Ok, S::Error> {
        days.map(|days| days.to_string()).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<DeliveryDays>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse()).transpose().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delivery_days_are_one_number_or_a_range() {
        for (text, least, most) in [("1", 1, 1), ("3", 3, 3), ("2-4", 2, 4), (" 2 – 4 ", 2, 4)] {
            assert_eq!(text.parse(), Ok(DeliveryDays { least, most }), "{text}");
        }
        for text in ["", "0", "4-2", "2-", "-2", "soon", "2-4-6", "366", "1-99999"] {
            assert!(text.parse::<DeliveryDays>().is_err(), "{text}");
        }
    }
}

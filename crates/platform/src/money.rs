//! Money: integer US cents inside, decimal dollars in JSON. Sums never use floats (decision 004).

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Sub};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use utoipa::openapi::schema::{ObjectBuilder, Type};

/// An amount in US cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct Money(i64);

/// The largest amount, a hundred million dollars: sums of thousands of them are far below the limits of
/// an i64 and of the integers that JavaScript represents exactly.
const MAX_CENTS: i64 = 10_000_000_000;

impl Money {
    pub const ZERO: Self = Self(0);

    pub const fn cents(cents: i64) -> Self {
        Self(cents)
    }

    pub const fn as_cents(self) -> i64 {
        self.0
    }

    /// From decimal dollars in JSON; `None` for fractions of a cent and above the maximum.
    pub fn from_dollars(dollars: f64) -> Option<Self> {
        let cents = (dollars * 100.0).round();
        let whole = (dollars * 100.0 - cents).abs() < 1e-4;
        (whole && cents.abs() <= MAX_CENTS as f64).then_some(Self(cents as i64))
    }
}

impl Add for Money {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Money {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<i64> for Money {
    type Output = Self;
    fn mul(self, quantity: i64) -> Self {
        Self(self.0 * quantity)
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}${}.{:02}", grouped(self.0.abs() / 100), self.0.abs() % 100)
    }
}

/// `1234567` as `1,234,567`.
pub fn grouped(number: i64) -> String {
    let digits = number.abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an amount like 12 or 12.50")]
pub struct NotMoney;

impl FromStr for Money {
    type Err = NotMoney;

    fn from_str(text: &str) -> Result<Self, NotMoney> {
        let cents = decimal(text.trim(), 2).ok_or(NotMoney)?;
        if cents > MAX_CENTS { Err(NotMoney) } else { Ok(Self(cents)) }
    }
}

/// Parses a non-negative decimal exactly, as an integer with `places` decimals.
pub fn decimal(text: &str, places: usize) -> Option<i64> {
    let (whole, parts) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(parts) || parts.len() > places {
        return None;
    }
    format!("{whole}{parts:0<places$}").parse().ok()
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 {
            serializer.serialize_i64(self.0 / 100)
        } else {
            serializer.serialize_f64(self.0 as f64 / 100.0)
        }
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dollars = f64::deserialize(deserializer)?;
        Self::from_dollars(dollars).ok_or_else(|| {
            D::Error::custom(format!("{dollars} is not an amount in dollars and cents"))
        })
    }
}

impl utoipa::PartialSchema for Money {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .description(Some("US dollars with at most two decimals"))
            .build()
            .into()
    }
}

impl utoipa::ToSchema for Money {
    fn name() -> std::borrow::Cow<'static, str> {
        "Dollars".into()
    }
}

/// The currencies that prices are displayed in.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "UPPERCASE")]
pub enum Currency {
    #[default]
    Usd,
    Bdt,
}

impl Currency {
    pub fn code(self) -> &'static str {
        match self {
            Self::Usd => "USD",
            Self::Bdt => "BDT",
        }
    }
}

impl TryFrom<String> for Currency {
    type Error = String;

    fn try_from(code: String) -> Result<Self, String> {
        code.parse().map_err(|()| format!("{code} is not a currency"))
    }
}

impl FromStr for Currency {
    type Err = ();

    fn from_str(code: &str) -> Result<Self, ()> {
        match code {
            "USD" => Ok(Self::Usd),
            "BDT" => Ok(Self::Bdt),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn json_round_trips_every_amount(cents in -MAX_CENTS..=MAX_CENTS) {
            let json = serde_json::to_string(&Money(cents)).unwrap();
            prop_assert_eq!(serde_json::from_str::<Money>(&json).unwrap(), Money(cents));
        }

        #[test]
        fn text_round_trips_every_amount(cents in 0..=MAX_CENTS) {
            let text = format!("{}.{:02}", cents / 100, cents % 100);
            prop_assert_eq!(text.parse::<Money>(), Ok(Money(cents)));
        }

        #[test]
        fn parsing_never_panics_or_exceeds_the_maximum(text in "\\PC{0,24}") {
            if let Ok(money) = text.parse::<Money>() {
                prop_assert!((0..=MAX_CENTS).contains(&money.as_cents()));
            }
        }
    }

    #[test]
    fn fractions_of_a_cent_and_too_large_amounts_are_rejected() {
        for json in ["1.005", "1e12", "-1e300", "\"12\"", "null"] {
            assert!(serde_json::from_str::<Money>(json).is_err(), "{json}");
        }
        for text in ["", ".5", "-1", "1.234", "1,5", "1e3", "99999999999999999999"] {
            assert_eq!(text.parse::<Money>(), Err(NotMoney), "{text}");
        }
    }

    #[test]
    fn amounts_are_formatted_in_dollars() {
        assert_eq!(Money::cents(123_450).to_string(), "$1,234.50");
        assert_eq!(Money::cents(-5).to_string(), "-$0.05");
    }
}

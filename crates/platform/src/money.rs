//! Money: an integer of a currency's smallest units, and a decimal number in JSON. Sums never use floats
//! (decisions 004 and 028).

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use utoipa::openapi::schema::{ObjectBuilder, Type};

use crate::Currency;

/// The largest amount, in whole units of any currency: sums of thousands of them are below the limits of an i64.
pub const MAX_UNITS: i64 = 100_000_000_000;

/// An amount of a currency. Adding or comparing amounts of different currencies is a bug, and panics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Money {
    minor: i64,
    currency: Currency,
}

impl Money {
    pub const fn new(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    pub const fn zero(currency: Currency) -> Self {
        Self::new(0, currency)
    }

    /// In the smallest unit of its currency.
    pub const fn minor(self) -> i64 {
        self.minor
    }

    pub const fn currency(self) -> Currency {
        self.currency
    }

    pub const fn is_zero(self) -> bool {
        self.minor == 0
    }

    pub const fn is_positive(self) -> bool {
        self.minor > 0
    }

    pub const fn is_negative(self) -> bool {
        self.minor < 0
    }

    pub fn saturating_add(self, other: Self) -> Self {
        Self::new(self.minor.saturating_add(other.in_minor_units_of(self.currency)), self.currency)
    }

    pub fn saturating_mul(self, quantity: i64) -> Self {
        Self::new(self.minor.saturating_mul(quantity), self.currency)
    }

    pub fn sum(amounts: impl IntoIterator<Item = Self>, currency: Currency) -> Self {
        amounts.into_iter().fold(Self::zero(currency), Self::saturating_add)
    }

    pub(crate) fn in_minor_units_of(self, currency: Currency) -> i64 {
        assert_eq!(self.currency, currency, "amounts of different currencies");
        self.minor
    }

    /// Whole units, and the digits after the decimal point.
    pub fn parts(self) -> (u64, String) {
        let (minor, per_unit) =
            (self.minor.unsigned_abs(), self.currency.minor_per_unit().unsigned_abs());
        let decimals = match self.currency.decimals() {
            0 => String::new(),
            places => format!("{:0width$}", minor % per_unit, width = places as usize),
        };
        (minor / per_unit, decimals)
    }

    /// `1234.50`, for formats that name the currency elsewhere.
    pub fn plain(self) -> String {
        let sign = if self.minor < 0 { "-" } else { "" };
        match self.parts() {
            (whole, decimals) if decimals.is_empty() => format!("{sign}{whole}"),
            (whole, decimals) => format!("{sign}{whole}.{decimals}"),
        }
    }

    /// With the currency's symbol or code, and the digits as the caller writes them.
    pub fn written(
        self,
        number: impl Fn(u64) -> String,
        digits: impl Fn(&str) -> String,
    ) -> String {
        let (whole, decimals) = self.parts();
        let sign = if self.minor < 0 { "-" } else { "" };
        let currency = match self.currency.symbol() {
            Some(symbol) => symbol.to_owned(),
            None => format!("{}\u{a0}", self.currency),
        };
        let is_whole =
            self.currency.leaves_out_zero_decimals() && decimals.bytes().all(|digit| digit == b'0');
        let decimals = match is_whole || decimals.is_empty() {
            true => String::new(),
            false => format!(".{}", digits(&decimals)),
        };
        format!("{sign}{currency}{}{decimals}", number(whole))
    }
}

impl PartialOrd for Money {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Money {
    fn cmp(&self, other: &Self) -> Ordering {
        self.minor.cmp(&other.in_minor_units_of(self.currency))
    }
}

impl Add for Money {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.minor + other.in_minor_units_of(self.currency), self.currency)
    }
}

impl Sub for Money {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.minor - other.in_minor_units_of(self.currency), self.currency)
    }
}

impl Neg for Money {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.minor, self.currency)
    }
}

impl Mul<i64> for Money {
    type Output = Self;
    fn mul(self, quantity: i64) -> Self {
        Self::new(self.minor * quantity, self.currency)
    }
}

/// In English, such as `$1,234.50`, `৳1,234` or `CHF 12.50`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.written(grouped, str::to_owned))
    }
}

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let per_unit = self.currency.minor_per_unit();
        if self.minor % per_unit == 0 {
            serializer.serialize_i64(self.minor / per_unit)
        } else {
            serializer.serialize_f64(self.minor as f64 / per_unit as f64)
        }
    }
}

impl utoipa::PartialSchema for Money {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .description(Some(
                "An amount in the currency of the request or, of an order, in that of the order; with at most the \
                 decimals of the currency",
            ))
            .build()
            .into()
    }
}

impl utoipa::ToSchema for Money {}

/// An amount as the database stores it; the row's order, or the shop's base currency, says of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct MinorUnits(pub i64);

impl MinorUnits {
    pub fn of(self, currency: Currency) -> Money {
        Money::new(self.0, currency)
    }
}

impl From<Money> for MinorUnits {
    fn from(money: Money) -> Self {
        Self(money.minor)
    }
}

/// A decimal number that is to become an amount of a currency, in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(i64);

/// No currency has more decimals.
const PLACES: usize = 3;
const THOUSANDTHS: i64 = 1000;

impl Amount {
    pub const ZERO: Self = Self(0);

    /// Whole units.
    pub const fn units(units: i64) -> Self {
        Self(units * THOUSANDTHS)
    }

    /// From a decimal number of JSON; `None` with more than three decimals and above the maximum.
    pub fn from_f64(number: f64) -> Option<Self> {
        let thousandths = (number * 1000.0).round();
        // Of a sum of floats, such as 0.1 + 0.2, the last digits differ.
        let tolerance = f64::max(1e-7, number.abs() * 4.0 * f64::EPSILON);
        let exact = (thousandths / 1000.0 - number).abs() <= tolerance;
        (exact && number.abs() <= MAX_UNITS as f64).then_some(Self(thousandths as i64))
    }

    /// `None` where the currency has fewer decimals.
    pub fn of(self, currency: Currency) -> Option<Money> {
        let per_minor = THOUSANDTHS / currency.minor_per_unit();
        (self.0 % per_minor == 0).then(|| Money::new(self.0 / per_minor, currency))
    }
}

impl Amount {
    /// The amount of a setting or an argument, with its name in the error.
    pub fn named(self, name: &str, currency: Currency) -> Result<Money, String> {
        let decimals = currency.decimals();
        self.of(currency).ok_or_else(|| format!("{name}: {currency} has {decimals} decimals"))
    }
}

impl From<Money> for Amount {
    fn from(money: Money) -> Self {
        Self(money.minor * (THOUSANDTHS / money.currency.minor_per_unit()))
    }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an amount like 12 or 12.50")]
pub struct NotAnAmount;

impl FromStr for Amount {
    type Err = NotAnAmount;

    fn from_str(text: &str) -> Result<Self, NotAnAmount> {
        let thousandths = decimal(text.trim(), PLACES).ok_or(NotAnAmount)?;
        if thousandths > MAX_UNITS * THOUSANDTHS { Err(NotAnAmount) } else { Ok(Self(thousandths)) }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:03}", self.0 / THOUSANDTHS, (self.0 % THOUSANDTHS).abs());
        f.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Self::from_f64(number).ok_or_else(|| D::Error::custom(format!("{number} is not an amount")))
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % THOUSANDTHS {
            0 => serializer.serialize_i64(self.0 / THOUSANDTHS),
            _ => serializer.serialize_f64(self.0 as f64 / THOUSANDTHS as f64),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn money(minor: i64, code: &str) -> Money {
        Money::new(minor, code.parse().unwrap())
    }

    proptest! {
        #[test]
        fn json_round_trips_every_amount(
            units in -MAX_UNITS..=MAX_UNITS, part in 0i64..1000,
            code in proptest::sample::select(vec!["JPY", "USD", "BDT", "KWD"]),
        ) {
            let currency: Currency = code.parse().unwrap();
            let per_unit = currency.minor_per_unit();
            let limit = MAX_UNITS * per_unit;
            let money = Money::new((units * per_unit + part % per_unit).clamp(-limit, limit), currency);
            let json = serde_json::to_string(&money).unwrap();
            let read: Amount = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(read.of(currency), Some(money));
        }

        #[test]
        fn text_round_trips_every_amount(minor in 0..=MAX_UNITS * 100) {
            let amount = money(minor, "USD");
            let read: Amount = amount.plain().parse().unwrap();
            prop_assert_eq!(read.of(Currency::USD), Some(amount));
        }

        #[test]
        fn parsing_never_panics_or_exceeds_the_maximum(text in "\\PC{0,24}") {
            if let Ok(amount) = text.parse::<Amount>() {
                prop_assert!((0..=MAX_UNITS * THOUSANDTHS).contains(&amount.0));
            }
        }
    }

    #[test]
    fn too_many_decimals_and_too_large_amounts_are_rejected() {
        for json in ["1.0005", "1e12", "-1e300", "\"12\"", "null"] {
            assert!(serde_json::from_str::<Amount>(json).is_err(), "{json}");
        }
        for text in ["", ".5", "-1", "1.2345", "1,5", "1e3", "99999999999999999999"] {
            assert_eq!(text.parse::<Amount>(), Err(NotAnAmount), "{text}");
        }
        let half: Amount = "0.5".parse().unwrap();
        let tiny: Amount = "0.005".parse().unwrap();
        let of = |amount: Amount, code: &str| amount.of(code.parse().unwrap()).map(Money::minor);
        assert_eq!(
            [of(half, "JPY"), of(half, "USD"), of(half, "KWD")],
            [None, Some(50), Some(500)]
        );
        assert_eq!([of(tiny, "JPY"), of(tiny, "USD"), of(tiny, "KWD")], [None, None, Some(5)]);
    }

    #[test]
    fn amounts_are_written_with_symbol_or_code_and_the_decimals_of_their_currency() {
        for (minor, code, written) in [
            (123_450, "USD", "$1,234.50"),
            (-5, "USD", "-$0.05"),
            (123_400, "BDT", "৳1,234"),
            (123_450, "BDT", "৳1,234.50"),
            (1_234, "JPY", "¥1,234"),
            (1_234, "KWD", "KWD\u{a0}1.234"),
            (1_250, "CHF", "CHF\u{a0}12.50"),
        ] {
            assert_eq!(money(minor, code).to_string(), written);
        }
        assert_eq!(money(-1_234, "KWD").plain(), "-1.234");
        assert_eq!(money(7, "JPY").plain(), "7");
    }

    #[test]
    #[should_panic(expected = "amounts of different currencies")]
    fn amounts_of_different_currencies_are_not_added() {
        let _ = money(1, "USD") + money(1, "BDT");
    }
}

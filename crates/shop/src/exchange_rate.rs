//! The exchange rate between US dollars, in which amounts are stored, and the currency that the shopper
//! sees.

use std::str::FromStr;

use messages::format;
use platform::db::SqlValue;
use platform::money::decimal;
use platform::{Currency, Language, Money};
use serde::{Deserialize, Serialize};

/// Taka per US dollar, in ten-thousandths.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema, sqlx::Type,
)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct ExchangeRate(i64);

impl ExchangeRate {
    /// The amount in the shopper's currency and language.
    pub fn format(self, amount: Money, currency: Currency, language: Language) -> String {
        match currency {
            Currency::Usd => format::dollars(language, amount),
            Currency::Bdt => format::taka(language, self.taka(amount)),
        }
    }

    /// Whole taka, rounded half up; the browser computes the same in `lib/money.ts`.
    fn taka(self, money: Money) -> i64 {
        (money.as_cents() * self.0 + 500_000).div_euclid(1_000_000)
    }
}

impl FromStr for ExchangeRate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match decimal(text, 4) {
            Some(rate @ 1..=100_000_000) => Ok(Self(rate)),
            _ => Err("expected taka per US dollar, like 120.5, up to 10000".into()),
        }
    }
}

impl From<ExchangeRate> for SqlValue {
    fn from(rate: ExchangeRate) -> Self {
        rate.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_formatted_in_both_currencies() {
        let rate: ExchangeRate = "120.5".parse().unwrap();
        let price = Money::cents(123_450);
        let (en, bn) = (Language::ENGLISH, "bn".parse().unwrap());
        assert_eq!(rate.format(price, Currency::Usd, en), "$1,234.50");
        assert_eq!(rate.format(price, Currency::Bdt, en), "৳148,757");
        assert_eq!(rate.format(price, Currency::Bdt, bn), "৳১,৪৮,৭৫৭");
    }
}

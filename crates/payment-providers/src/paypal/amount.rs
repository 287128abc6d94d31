//! Amounts in PayPal's form: decimal text, and no decimals for some currencies that have them elsewhere.

use platform::money::{MAX_UNITS, decimal};
use platform::{Currency, Money};
use serde_json::{Value, json};

use crate::{GatewayError, GatewayResult};

/// Brazilian, Chinese and Malaysian currency is for accounts of these countries only.
const CURRENCIES: &str = "AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD \
    USD";
const WITHOUT_DECIMALS: [&str; 3] = ["HUF", "JPY", "TWD"];

pub fn range(currency: Currency) -> Option<(Money, Money)> {
    let known = CURRENCIES.split(' ').any(|code| code == currency.code());
    let most = MAX_UNITS * currency.minor_per_unit();
    known.then(|| (Money::new(step(currency), currency), Money::new(most, currency)))
}

/// Of which an amount must be a multiple, in minor units.
fn step(currency: Currency) -> i64 {
    match WITHOUT_DECIMALS.contains(&currency.code()) {
        true => currency.minor_per_unit(),
        false => 1,
    }
}

pub fn to_json(money: Money) -> GatewayResult<Value> {
    let currency = money.currency();
    let Some((least, most)) = range(currency) else {
        return Err(GatewayError::refused("currency", format!("PayPal does not take {currency}")));
    };
    if money < least || money > most {
        return Err(GatewayError::refused("amount", "the amount is out of range"));
    }
    let step = step(currency);
    if money.minor() % step != 0 {
        let message = format!("PayPal takes no decimals of {currency}");
        return Err(GatewayError::refused("amount_decimals", message));
    }
    let value = if step == 1 { money.plain() } else { (money.minor() / step).to_string() };
    Ok(json!({ "currency_code": currency.code(), "value": value }))
}

/// Exact, or `None`. PayPal may write zeros after the point where a currency has no decimals.
pub fn from_json(json: &Value) -> Option<Money> {
    let currency: Currency = json["currency_code"].as_str()?.parse().ok()?;
    let value = json["value"].as_str()?;
    let (sign, digits) = value.strip_prefix('-').map_or((1, value), |digits| (-1, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = if whole.is_empty() && !fraction.is_empty() { "0" } else { whole };
    let places = currency.decimals() as usize;
    let minor = decimal(&format!("{whole}.{}", fraction.trim_end_matches('0')), places)?;
    Some(Money::new(sign * minor, currency))
}

/// The same, where PayPal must have sent one.
pub fn read(json: &Value) -> GatewayResult<Money> {
    from_json(json)
        .ok_or_else(|| GatewayError::Unavailable("an answer without an amount".to_owned()))
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
        fn amounts_round_trip_exactly(
            units in 0..=MAX_UNITS, part in 0i64..100,
            code in proptest::sample::select(CURRENCIES.split(' ').collect::<Vec<_>>()),
        ) {
            let currency: Currency = code.parse().unwrap();
            let minor = units * currency.minor_per_unit() + part % currency.minor_per_unit();
            let money = Money::new(minor, currency);
            let (least, most) = range(currency).unwrap();
            let payable = money >= least && money <= most && minor % step(currency) == 0;
            match to_json(money) {
                Ok(json) => {
                    prop_assert!(payable);
                    prop_assert_eq!(from_json(&json), Some(money));
                    let value = json["value"].as_str().unwrap();
                    prop_assert_eq!(value.contains('.'), !WITHOUT_DECIMALS.contains(&code));
                }
                Err(_) => prop_assert!(!payable),
            }
        }

        #[test]
        fn reading_never_panics(value in "\\PC{0,24}", code in "[A-Z]{3}") {
            let _ = from_json(&json!({ "currency_code": code, "value": value }));
        }
    }

    #[test]
    fn decimals_follow_paypal_and_not_the_standard() {
        for (minor, code, value) in [
            (1, "USD", Some("0.01")),
            (123_450, "USD", Some("1234.50")),
            (100, "JPY", Some("100")),
            (123_400, "HUF", Some("1234")),
            (123_450, "HUF", None),
            (50, "TWD", None),
            (0, "USD", None),
            (-100, "USD", None),
            (100, "BDT", None),
            (100, "KWD", None),
        ] {
            let json = to_json(money(minor, code)).ok();
            let expected = value.map(|value| json!({ "currency_code": code, "value": value }));
            assert_eq!(json, expected, "{minor} {code}");
        }
    }

    #[test]
    fn what_is_read_is_exact_or_refused() {
        let read = |value: &str, code: &str| {
            from_json(&json!({ "currency_code": code, "value": value })).map(Money::minor)
        };
        assert_eq!(read("1000.00", "JPY"), Some(1000));
        assert_eq!(read("1000", "HUF"), Some(100_000));
        assert_eq!(read("-13.79", "USD"), Some(-1379));
        assert_eq!(read(".50", "USD"), Some(50));
        for (value, code) in [
            ("1.005", "USD"),
            ("1.5", "JPY"),
            ("", "USD"),
            (".", "USD"),
            ("1e3", "USD"),
            ("--1", "USD"),
            ("1", "XXX"),
        ] {
            assert_eq!(read(value, code), None, "{value} {code}");
        }
    }
}

//! Amounts as Stripe's API writes them. It has decimals of its own for some currencies, and limits for all.

use platform::{Currency, Money};

use crate::{GatewayError, GatewayResult};

/// The currencies that shoppers can be charged in, of those that the shop knows:
/// <https://docs.stripe.com/currencies#presentment-currencies>. Accounts in some countries accept fewer.
const CHARGEABLE: &str = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD \
    CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF \
    IDR ILS INR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR \
    MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK \
    SGD SHP SLE SOS SRD SZL THB TJS TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER \
    ZAR ZMW";

/// How an amount of a currency is written.
struct Form {
    decimals: u32,
    /// The number that it has to be divisible by.
    step: i64,
}

fn form(currency: Currency) -> Form {
    let (decimals, step) = match currency.code() {
        "BIF" | "CLP" | "DJF" | "GNF" | "JPY" | "KMF" | "KRW" | "MGA" | "PYG" | "RWF" | "VND"
        | "VUV" | "XAF" | "XOF" | "XPF" => (0, 1),
        // They have no decimals any more, but the API keeps the two that they had.
        "ISK" | "UGX" => (2, 100),
        "BHD" | "JOD" | "KWD" | "OMR" | "TND" => (3, 10),
        _ => (2, 1),
    };
    Form { decimals, step }
}

/// The least amount, as the API writes it, where the account is paid out in the currency. Elsewhere the least is that
/// of the payout's currency after the conversion, which only Stripe can check.
fn least(currency: Currency) -> i64 {
    match currency.code() {
        "AED" | "MYR" | "PLN" | "RON" => 200,
        "AUD" | "BRL" | "CAD" | "CHF" | "EUR" | "INR" | "JPY" | "NZD" | "SGD" | "USD" => 50,
        "CZK" => 1_500,
        "DKK" => 250,
        "GBP" => 30,
        "HKD" => 400,
        "HUF" => 17_500,
        "MXN" | "THB" => 1_000,
        "NOK" | "SEK" => 300,
        _ => form(currency).step,
    }
}

/// How many digits an amount can have.
const fn digits(currency: &[u8]) -> u32 {
    match currency {
        b"IDR" => 12,
        b"LBP" => 11,
        b"COP" | b"HUF" | b"JPY" => 10,
        b"INR" => 9,
        _ => 8,
    }
}

/// The least and the most that can be charged; `None` where the currency is not accepted.
pub fn range(currency: Currency) -> Option<(Money, Money)> {
    if !CHARGEABLE.split(' ').any(|code| code == currency.code()) {
        return None;
    }
    let Form { decimals, step } = form(currency);
    let most = 10_i64.pow(digits(currency.code().as_bytes())) - 1;
    let most = convert(most - most % step, decimals, currency.decimals());
    let least = least(currency);
    // The smallest unit of the shop's currency can be smaller than Stripe's.
    Some((
        Money::new(convert(least, decimals, currency.decimals()), currency),
        Money::new(most, currency),
    ))
}

/// As the API writes it.
pub fn to_api(amount: Money) -> GatewayResult<i64> {
    let currency = amount.currency();
    let Form { decimals, step } = form(currency);
    let written = convert(amount.minor(), currency.decimals(), decimals);
    let is_exact = convert(written, decimals, currency.decimals()) == amount.minor();
    match is_exact && written % step == 0 {
        true => Ok(written),
        false => Err(GatewayError::refused(
            "amount_precision",
            format!("Stripe does not charge so small a part of one {currency}"),
        )),
    }
}

/// An amount that the API has written.
pub fn from_api(written: i64, currency: Currency) -> Money {
    Money::new(convert(written, form(currency).decimals, currency.decimals()), currency)
}

/// The currency as the API writes it.
pub fn code(currency: Currency) -> String {
    currency.code().to_ascii_lowercase()
}

/// The same amount with another number of decimals, without what does not fit into them.
fn convert(amount: i64, from: u32, to: u32) -> i64 {
    match to.checked_sub(from) {
        Some(more) => amount.saturating_mul(10_i64.pow(more)),
        None => amount / 10_i64.pow(from - to),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn money(minor: i64, code: &str) -> Money {
        Money::new(minor, code.parse().unwrap())
    }

    #[test]
    fn amounts_are_written_with_stripes_decimals() {
        for (minor, code, written) in [
            (1_099, "USD", Some(1_099)),
            (120_000, "BDT", Some(120_000)),
            (500, "JPY", Some(500)),
            // No decimals in the shop, two in the API.
            (5, "UGX", Some(500)),
            (5, "ISK", Some(500)),
            // Two decimals in the shop, none in the API.
            (500, "MGA", Some(5)),
            (550, "MGA", None),
            // The last of three decimals is 0.
            (5_120, "KWD", Some(5_120)),
            (5_124, "KWD", None),
            (1_045, "HUF", Some(1_045)),
        ] {
            let amount = money(minor, code);
            assert_eq!(to_api(amount).ok(), written, "{code}");
            if let Some(written) = written {
                assert_eq!(from_api(written, amount.currency()), amount);
            }
        }
        let refused = to_api(money(5_124, "KWD")).unwrap_err();
        assert!(
            matches!(refused, GatewayError::Refused { code, .. } if code == "amount_precision")
        );
    }

    #[test]
    fn every_chargeable_currency_has_limits_that_can_be_charged() {
        let mut accepted = 0;
        for currency in Currency::all() {
            let Some((least, most)) = range(currency) else { continue };
            accepted += 1;
            assert!(least.is_positive() && least < most, "{currency}: {least} {most}");
            assert!(to_api(least).is_ok() && to_api(most).is_ok(), "{currency}: {least} {most}");
        }
        assert_eq!(accepted, CHARGEABLE.split(' ').count());
        assert_eq!(range(Currency::USD), Some((money(50, "USD"), money(99_999_999, "USD"))));
        assert_eq!(range("JPY".parse().unwrap()).unwrap().0, money(50, "JPY"));
        assert_eq!(range("UGX".parse().unwrap()), Some((money(1, "UGX"), money(999_999, "UGX"))));
        assert_eq!(
            range("KWD".parse().unwrap()),
            Some((money(10, "KWD"), money(99_999_990, "KWD")))
        );
        assert_eq!(range("IRR".parse().unwrap()), None);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_the_same_amount(
            minor in 1i64..10_000_000_000, at in 0..CHARGEABLE.split(' ').count(),
        ) {
            let currency: Currency = CHARGEABLE.split(' ').nth(at).unwrap().parse().unwrap();
            let amount = Money::new(minor, currency);
            if let Ok(written) = to_api(amount) {
                prop_assert!(written > 0);
                prop_assert_eq!(from_api(written, currency), amount);
            }
            // Whole units can always be written.
            let whole = Money::new(minor * currency.minor_per_unit(), currency);
            prop_assert_eq!(from_api(to_api(whole).unwrap(), currency), whole);
        }
    }
}

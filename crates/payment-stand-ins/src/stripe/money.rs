//! What Stripe demands of amounts.

use platform::{Currency, Money};

use super::error::ApiError;

/// Decimals in the API, and what an amount has to be divisible by.
fn form(currency: &str) -> (u32, i64) {
    match currency {
        "bif" | "clp" | "djf" | "gnf" | "jpy" | "kmf" | "krw" | "mga" | "pyg" | "rwf" | "vnd"
        | "vuv" | "xaf" | "xof" | "xpf" => (0, 1),
        "isk" | "ugx" => (2, 100),
        "bhd" | "jod" | "kwd" | "omr" | "tnd" => (3, 10),
        _ => (2, 1),
    }
}

/// For an account that is paid out in each of these currencies.
fn least(currency: &str) -> i64 {
    match currency {
        "aed" | "myr" | "pln" | "ron" => 200,
        "czk" => 1_500,
        "dkk" => 250,
        "gbp" => 30,
        "hkd" => 400,
        "huf" => 17_500,
        "mxn" | "thb" => 1_000,
        "nok" | "sek" => 300,
        "aud" | "brl" | "cad" | "chf" | "eur" | "inr" | "jpy" | "nzd" | "sgd" | "usd" => 50,
        _ => 1,
    }
}

fn most(currency: &str) -> i64 {
    match currency {
        "idr" => 999_999_999_999,
        "lbp" => 99_999_999_999,
        "cop" | "huf" | "jpy" => 9_999_999_999,
        "inr" => 999_999_999,
        _ => 99_999_999,
    }
}

pub fn check_currency(param: &str, currency: &str) -> Result<(), ApiError> {
    let is_known = currency.to_ascii_uppercase().parse::<Currency>().is_ok();
    match is_known && currency.bytes().all(|byte| byte.is_ascii_lowercase()) {
        true => Ok(()),
        false => Err(ApiError::invalid(param, format!("Invalid currency: {currency}."))),
    }
}

/// Whether an amount can be charged.
pub fn check_amount(param: &str, amount: i64, currency: &str) -> Result<(), ApiError> {
    let refused = |code, message: String| Err(ApiError::parameter(code, param, message));
    let shown = currency.to_ascii_uppercase();
    check_step(param, amount, currency)?;
    if amount < least(currency) {
        return refused(
            "amount_too_small",
            format!("The total amount must be at least {} {shown}", least(currency)),
        );
    }
    if amount > most(currency) {
        return refused(
            "amount_too_large",
            format!("The total amount must be no more than {} {shown}", most(currency)),
        );
    }
    Ok(())
}

pub fn check_step(param: &str, amount: i64, currency: &str) -> Result<(), ApiError> {
    let shown = currency.to_ascii_uppercase();
    let (code, message) = match form(currency) {
        (_, step) if amount % step == 0 => return Ok(()),
        (2, _) => (
            "invalid_charge_amount_no_decimal_compatible",
            format!("Invalid amount. Currency {shown} has become effectively zero-decimal."),
        ),
        _ => (
            "amount_invalid",
            format!("Invalid amount. The last digit of amounts in {shown} must be 0."),
        ),
    };
    Err(ApiError::parameter(code, param, message))
}

/// In the minor units of ISO 4217.
pub fn money(amount: i64, currency: &str) -> Money {
    let known: Currency = currency.to_ascii_uppercase().parse().unwrap_or_default();
    let minor = match (known.decimals(), form(currency).0) {
        (ours, theirs) if ours >= theirs => amount.saturating_mul(10_i64.pow(ours - theirs)),
        (ours, theirs) => amount / 10_i64.pow(theirs - ours),
    };
    Money::new(minor, known)
}

/// The reverse of `money`.
pub fn api_amount(money: Money) -> i64 {
    let decimals = form(&money.currency().code().to_ascii_lowercase()).0;
    match (money.currency().decimals(), decimals) {
        (ours, theirs) if ours >= theirs => money.minor() / 10_i64.pow(ours - theirs),
        (ours, theirs) => money.minor().saturating_mul(10_i64.pow(theirs - ours)),
    }
}

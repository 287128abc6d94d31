//! Numbers, money and dates as `lib/numbers.ts`, `lib/money.ts` and `lib/dates.ts` of the web write them, from the same
//! messages (`messages/*/format.json`).

use std::fmt::Display;

use platform::{Currency, Language, Money, Timestamp};

use crate::Messages;

/// Replaces 0 to 9 by the language's digits.
pub fn digits(language: Language, text: impl Display) -> String {
    let own: Vec<char> = Messages::text(language, "format.digits", &[]).chars().collect();
    let digit = |letter: char| {
        let value = letter.to_digit(10).and_then(|value| own.get(value as usize));
        value.copied().unwrap_or(letter)
    };
    text.to_string().chars().map(digit).collect()
}

/// `1,234,567`, or in lakh `১২,৩৪,৫৬৭`.
pub fn number(language: Language, number: i64) -> String {
    let lakh = Messages::text(language, "format.grouping", &[]) == "lakh";
    let plain = number.unsigned_abs().to_string();
    let mut grouped = String::from(if number < 0 { "-" } else { "" });
    for (place, digit) in plain.char_indices() {
        let rest = plain.len() - place;
        let starts_group =
            if lakh { rest == 3 || rest > 3 && rest % 2 == 1 } else { rest.is_multiple_of(3) };
        if place > 0 && starts_group {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    digits(language, grouped)
}

/// `$1,234.50`, `৳1,48,757` in lakh, or `CHF 12.50`.
pub fn money(language: Language, amount: Money) -> String {
    let whole = |units| number(language, i64::try_from(units).unwrap_or(i64::MAX));
    amount.written(whole, |decimals| digits(language, decimals))
}

/// An amount or a number in English, such as `$1,234,567.50`, in the language's digits and grouping; any other text as
/// it is.
pub fn amount(language: Language, text: &str) -> String {
    let start = text.find(|letter: char| letter.is_ascii_digit()).unwrap_or(text.len());
    let (currency, bare) = text.split_at(start);
    if !is_currency(currency) {
        return text.to_owned();
    }
    let (whole, decimals) = bare.split_at(bare.find('.').unwrap_or(bare.len()));
    let plain = whole.replace(',', "");
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match plain.parse() {
        Ok(value) if are_digits(&plain) && decimals.strip_prefix('.').is_none_or(are_digits) => {
            format!("{currency}{}{}", number(language, value), digits(language, decimals))
        }
        _ => text.to_owned(),
    }
}

/// A symbol, a code with a no-break space, or nothing.
fn is_currency(text: &str) -> bool {
    match text.strip_suffix('\u{a0}') {
        Some(code) => code.parse::<Currency>().is_ok(),
        None => text.is_empty() || Currency::all().any(|currency| currency.symbol() == Some(text)),
    }
}

/// `3 May 2026`, in UTC.
pub fn date(language: Language, at: Timestamp) -> String {
    let text = at.to_string();
    let mut parts = text.splitn(3, '-');
    let [year, month, rest] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    let day = rest.get(..2).unwrap_or_default().trim_start_matches('0');
    let place = month.parse::<usize>().ok().and_then(|month| month.checked_sub(1));
    let months = Messages::text(language, "format.months", &[]);
    let month = place.and_then(|place| months.split(", ").nth(place)).unwrap_or_default();
    let (day, year) = (digits(language, day), digits(language, year));
    Messages::text(language, "format.date", &[("day", &day), ("month", &month), ("year", &year)])
}

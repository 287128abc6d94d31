//! Telephone numbers in the form E.164, such as +8801711000001, by Google's libphonenumber patterns.
//!
//! The crates for this were no gain: `phonenumber` and `rlibphonenumber` add 8 s and 31 s of compile time, and the
//! first number takes `phonenumber` 170 ms; `phonelib` adds 6 s, drops letters and takes numbers that are too
//! short. The patterns of all countries are 12 kB of our data.

use std::sync::OnceLock;

use regex::Regex;

use crate::country::Country;
use crate::data::{COUNTRIES, Entry};
use crate::postcode::whole;
use crate::text::{ascii_digits, clean};

/// The telephone numbers of a country.
#[derive(Debug)]
pub struct NumberingPlan {
    pub calling_code: &'static str,
    /// What is dialled before a number within the country, and left out in the international form.
    trunk_prefix: &'static str,
    pattern: &'static str,
    example: &'static str,
    regex: OnceLock<Option<Regex>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PhoneError {
    #[error("contains something else than digits and separators")]
    Malformed,
    #[error("is no telephone number of its country")]
    Invalid,
}

/// E.164 allows 15 digits.
const MAX_DIGITS: usize = 15;

/// A number as people type it, in the international form or, of the given country, in the national one. Digits
/// of any script are accepted, and the usual separators.
pub fn normalize(text: &str, country: Country) -> Result<String, PhoneError> {
    let text = ascii_digits(&clean(text)).replace('＋', "+");
    let text: String = text.chars().filter(|c| !" -‐‑–—().,/".contains(*c)).collect();
    let (is_international, digits) = match text.strip_prefix('+').or(text.strip_prefix("00")) {
        Some(digits) => (true, digits),
        None => (false, &*text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(PhoneError::Malformed);
    }
    let number = match is_international {
        true => international(digits),
        false => national(digits, country),
    };
    number.filter(|number| number.len() <= MAX_DIGITS + 1).ok_or(PhoneError::Invalid)
}

/// A mobile number of a country in the international form, for a hint.
pub fn example(country: Country) -> Option<String> {
    let plan = country.entry().numbering_plan.as_ref()?;
    Some(format!("+{}{}", plan.calling_code, plan.example))
}

/// A number after the plus sign. Several countries share a calling code, such as 1.
fn international(digits: &str) -> Option<String> {
    COUNTRIES.iter().find_map(|entry| {
        let plan = entry.numbering_plan.as_ref()?;
        let rest = digits.strip_prefix(plan.calling_code)?;
        // The 0 of the national form is often left in: +880 01711..., +44 (0)20...
        let number = [Some(rest), plan.without_trunk_prefix(rest)];
        number
            .into_iter()
            .flatten()
            .find(|rest| plan.accepts(rest, entry))
            .map(|rest| plan.e164(rest))
    })
}

fn national(digits: &str, country: Country) -> Option<String> {
    let entry = country.entry();
    let plan = entry.numbering_plan.as_ref()?;
    let without_trunk_prefix = plan.without_trunk_prefix(digits);
    // In Bangladesh, landline numbers without the 0 are those of one's own town.
    let bare = Some(digits).filter(|digits| country != Country::BANGLADESH || is_mobile(digits));
    let mut numbers = [without_trunk_prefix, bare].into_iter().flatten();
    let number = numbers.find(|number| plan.accepts(number, entry)).map(|number| plan.e164(number));
    // The international form without its plus sign.
    number.or_else(|| digits.starts_with(plan.calling_code).then(|| international(digits))?)
}

/// Whether a national number of Bangladesh is that of a mobile: 013 to 019 and eight digits.
fn is_mobile(number: &str) -> bool {
    matches!(number.as_bytes(), [b'1', b'3'..=b'9', rest @ ..] if rest.len() == 8)
}

impl NumberingPlan {
    /// `None` for a country without telephones of its own, whose calling code is empty.
    pub(crate) fn new(
        calling_code: &'static str,
        trunk_prefix: &'static str,
        pattern: &'static str,
        example: &'static str,
    ) -> Option<Self> {
        let regex = OnceLock::new();
        let exists = !calling_code.is_empty();
        exists.then_some(Self { calling_code, trunk_prefix, pattern, example, regex })
    }

    fn without_trunk_prefix<'a>(&self, digits: &'a str) -> Option<&'a str> {
        digits.strip_prefix(self.trunk_prefix).filter(|_| !self.trunk_prefix.is_empty())
    }

    fn accepts(&self, number: &str, entry: &Entry) -> bool {
        // The pattern is wider here.
        if entry.country == Country::BANGLADESH && number.starts_with('1') {
            return is_mobile(number);
        }
        let regex = self.regex.get_or_init(|| whole(self.pattern));
        regex.as_ref().is_some_and(|regex| regex.is_match(number))
    }

    fn e164(&self, number: &str) -> String {
        format!("+{}{number}", self.calling_code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_normalized() {
        use PhoneError::{Invalid, Malformed};
        for (country, typed, wanted) in [
            ("BD", "01711000001", Ok("+8801711000001")),
            ("BD", "০১৭১১-০০০০০১", Ok("+8801711000001")),
            ("BD", "+৮৮০ ১৭১১ ০০০০০১", Ok("+8801711000001")),
            ("BD", "+880 (0) 1711-000001", Ok("+8801711000001")),
            ("BD", "8801711000001", Ok("+8801711000001")),
            ("BD", "008801711000001", Ok("+8801711000001")),
            ("BD", "1711000001", Ok("+8801711000001")),
            ("BD", "02-55012345", Ok("+880255012345")),
            ("BD", "031-654321", Ok("+88031654321")),
            ("BD", "09612345678", Ok("+8809612345678")),
            ("BD", "01211000001", Err(Invalid)),
            ("BD", "0171100000", Err(Invalid)),
            ("BD", "017110000011", Err(Invalid)),
            ("BD", "+88017110000011", Err(Invalid)),
            ("BD", "654321", Err(Invalid)),
            ("BD", "01711 000001 x5", Err(Malformed)),
            ("BD", "rahim", Err(Malformed)),
            ("BD", "", Err(Malformed)),
            ("BD", "+", Err(Malformed)),
            ("BD", "+44 20 7946 0958", Ok("+442079460958")),
            ("BD", "+999123456789", Err(Invalid)),
            ("GB", "020 7946 0958", Ok("+442079460958")),
            ("GB", "+44 (0)20 7946 0958", Ok("+442079460958")),
            ("US", "(415) 555-2671", Ok("+14155552671")),
            ("US", "1-415-555-2671", Ok("+14155552671")),
            ("US", "+1 876 210 1234", Ok("+18762101234")),
            ("IN", "098765 43210", Ok("+919876543210")),
            ("IT", "06 1234 5678", Ok("+390612345678")),
            ("RU", "8 912 345-67-89", Ok("+79123456789")),
            ("AQ", "+8801711000001", Ok("+8801711000001")),
            ("AQ", "01711000001", Err(Invalid)),
        ] {
            let country = country.parse().unwrap();
            assert_eq!(normalize(typed, country).as_deref(), wanted.as_ref().copied(), "{typed}");
        }
    }

    #[test]
    fn the_example_of_every_country_is_accepted_in_all_forms() {
        for entry in COUNTRIES.iter() {
            let Some(plan) = &entry.numbering_plan else { continue };
            let wanted = example(entry.country);
            assert_eq!(normalize(&wanted.clone().unwrap(), entry.country).ok(), wanted);
            for prefix in ["", plan.trunk_prefix] {
                let typed = format!("{prefix}{}", plan.example);
                assert_eq!(
                    normalize(&typed, entry.country).ok(),
                    wanted,
                    "{} {typed}",
                    entry.country
                );
            }
        }
    }
}

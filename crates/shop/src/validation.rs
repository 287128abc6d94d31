//! Validates text inputs of forms and API calls.

use platform::text::{clean_name, is_unsafe};
use platform::{EmailAddress, Error, Result};

pub const MAX_EMAIL_LEN: usize = 254;
pub const MAX_PHONE_LEN: usize = 40;
/// Recipient and address of a parcel.
pub const MAX_RECIPIENT_LEN: usize = 200;
pub const MAX_ADDRESS_LEN: usize = 1000;

/// Parses an e-mail address, ignoring space around it.
pub fn email(text: &str) -> Result<EmailAddress> {
    let wrong = || Error::invalid("email", "Please write the whole address, like name@example.com");
    EmailAddress::parse(text.trim()).ok_or_else(wrong)
}

/// A text of one line, not empty.
pub fn line(name: &'static str, text: &str, longest: usize) -> Result<String> {
    match optional_line(name, text, longest)? {
        clean if clean.is_empty() => Err(Error::invalid(name, "is required")),
        clean => Ok(clean),
    }
}

/// A text of one line; may be empty.
pub fn optional_line(name: &'static str, text: &str, longest: usize) -> Result<String> {
    let text = text.trim();
    if text.chars().count() > longest || text.contains(char::is_control) {
        return Err(Error::invalid(name, format!("at most {longest} characters in one line")));
    }
    Ok(clean_name(text, longest))
}

/// A text of several lines, not empty.
pub fn lines(name: &'static str, text: &str, longest: usize) -> Result<String> {
    let text = text.replace("\r\n", "\n");
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::invalid(name, "is required"));
    }
    if text.chars().count() > longest {
        return Err(Error::invalid(name, format!("at most {longest} characters")));
    }
    if text.contains(|ch: char| ch.is_control() && ch != '\n' && ch != '\t') {
        return Err(Error::invalid(name, "must not contain control characters"));
    }
    // The remaining unsafe characters change the text direction.
    let safe = |ch: &char| matches!(ch, '\n' | '\t') || !is_unsafe(*ch);
    Ok(text.chars().filter(safe).collect())
}

/// A phone number: digits and the usual separators.
pub fn phone(text: &str) -> Result<String> {
    let text = line("phone", text, MAX_PHONE_LEN)?;
    let digits = text.chars().filter(|ch| ch.is_numeric()).count();
    let between = |ch: char| ch.is_numeric() || " +-().,/x#*".contains(ch);
    if (4..=20).contains(&digits) && text.chars().all(between) {
        return Ok(text);
    }
    Err(Error::invalid("phone", "a number that we can call, like +880 1700 000 000"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_address_may_have_space_around_it_only() {
        assert_eq!(email(" Rahim.U+x@Haat.Example ").unwrap().as_str(), "rahim.u+x@haat.example");
        assert!(email("a@b.c, d@e.f").is_err() && email("A <a@b.c>").is_err());
    }

    #[test]
    fn texts_are_trimmed_cleaned_and_limited() {
        assert_eq!(lines("m", " a\r\nb \n", 3).unwrap(), "a\nb");
        assert!(lines("m", "abcd", 3).is_err() && lines("m", " \n", 3).is_err());
        assert!(lines("m", "a\0", 3).is_err() && line("n", "a\nb", 9).is_err());
        assert_eq!(line("n", "a\u{202e} \u{a0}b", 9).unwrap(), "a b");
        assert!(line("n", "\u{202e}", 9).is_err());
        assert_eq!(lines("m", "a\u{2066}\n\tb", 9).unwrap(), "a\n\tb");
    }
}

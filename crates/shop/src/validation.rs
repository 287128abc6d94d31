//! Validates text inputs of forms and API calls.

use platform::error::Field;
use platform::text::{ascii_digits, clean_name, is_unsafe};
use platform::{EmailAddress, Result};

pub const MAX_EMAIL_LEN: usize = 254;
pub const MAX_PHONE_LEN: usize = 40;
/// Recipient and address of a parcel.
pub const MAX_RECIPIENT_LEN: usize = 200;
pub const MAX_ADDRESS_LEN: usize = 1000;

fn required(name: &'static str) -> Field {
    Field::new(name, "required", "is required")
}

pub fn too_long(name: &'static str, longest: usize) -> Field {
    Field::new(name, "too_long", format!("at most {longest} characters")).with("most", longest)
}

/// More lines or products than there may be.
pub fn too_many_lines(name: &'static str, most: usize) -> Field {
    Field::new(name, "too_many_lines", format!("at most {most}")).with("most", most)
}

/// Parses an e-mail address, ignoring space around it.
pub fn email(text: &str) -> Result<EmailAddress> {
    let message = "Please write the whole address, like name@example.com";
    let wrong = || Field::new("email", "bad_email", message).into();
    EmailAddress::parse(text.trim()).ok_or_else(wrong)
}

/// A text of one line, not empty.
pub fn line(name: &'static str, text: &str, longest: usize) -> Result<String> {
    match optional_line(name, text, longest)? {
        clean if clean.is_empty() => Err(required(name).into()),
        clean => Ok(clean),
    }
}

/// A text of one line; may be empty.
pub fn optional_line(name: &'static str, text: &str, longest: usize) -> Result<String> {
    let text = text.trim();
    if text.chars().count() > longest || text.contains(char::is_control) {
        let message = format!("at most {longest} characters in one line");
        return Err(Field::new(name, "line_too_long", message).with("most", longest).into());
    }
    Ok(clean_name(text, longest))
}

/// A text of several lines, not empty.
pub fn lines(name: &'static str, text: &str, longest: usize) -> Result<String> {
    let text = text.replace("\r\n", "\n");
    let text = text.trim();
    if text.is_empty() {
        return Err(required(name).into());
    }
    if text.chars().count() > longest {
        return Err(too_long(name, longest).into());
    }
    if text.contains(|ch: char| ch.is_control() && ch != '\n' && ch != '\t') {
        let message = "must not contain control characters";
        return Err(Field::new(name, "control_characters", message).into());
    }
    // The remaining unsafe characters change the text direction.
    let safe = |ch: &char| matches!(ch, '\n' | '\t') || !is_unsafe(*ch);
    Ok(text.chars().filter(safe).collect())
}

/// A phone number: digits and the usual separators.
pub fn phone(text: &str) -> Result<String> {
    let text = ascii_digits(&line("phone", text, MAX_PHONE_LEN)?);
    let digits = text.chars().filter(|ch| ch.is_numeric()).count();
    let between = |ch: char| ch.is_numeric() || " +-().,/x#*".contains(ch);
    if (4..=20).contains(&digits) && text.chars().all(between) {
        return Ok(text);
    }
    let message = "a number that we can call, like +880 1700 000 000";
    Err(Field::new("phone", "bad_phone", message).into())
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
    fn phone_numbers_are_stored_with_ascii_digits() {
        assert_eq!(phone(" +৮৮০ ১৭০০-০০০০০০ ").unwrap(), "+880 1700-000000");
        assert!(phone("০১").is_err());
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

//! What visitors type into the shop's forms, read into what can be kept.

use base::text::{clean_name, is_unsafe};
use base::{EmailAddress, Error, Result};

pub const LONGEST_EMAIL: usize = 254;
pub const LONGEST_PHONE: usize = 40;
/// Who a parcel is for, and where it goes.
pub const LONGEST_RECIPIENT: usize = 200;
pub const LONGEST_ADDRESS: usize = 1000;

/// An e-mail address, with space around it as people paste it.
pub fn email(text: &str) -> Result<EmailAddress> {
    let wrong = || Error::invalid("email", "Please write the whole address, like name@example.com");
    EmailAddress::parse(text.trim()).ok_or_else(wrong)
}

/// A text of one line that is not empty.
pub fn line(name: &'static str, text: &str, longest: usize) -> Result<String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::invalid(name, "is required"));
    }
    if text.chars().count() > longest || text.contains(char::is_control) {
        return Err(Error::invalid(name, format!("at most {longest} characters in one line")));
    }
    match clean_name(text, longest) {
        clean if clean.is_empty() => Err(Error::invalid(name, "is required")),
        clean => Ok(clean),
    }
}

/// A text of some lines that is not empty.
pub fn lines(name: &'static str, text: &str, longest: usize) -> Result<String> {
    let text = text.replace("\r\n", "\n");
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::invalid(name, "is required"));
    }
    if text.chars().count() > longest {
        return Err(Error::invalid(name, format!("at most {longest} characters")));
    }
    if text.contains(|letter: char| letter.is_control() && letter != '\n' && letter != '\t') {
        return Err(Error::invalid(name, "only letters that can be read"));
    }
    // What is left of them turns the direction of writing.
    let kept = |letter: &char| matches!(letter, '\n' | '\t') || !is_unsafe(*letter);
    Ok(text.chars().filter(kept).collect())
}

/// A number that a courier can call: digits, and what people put between them.
pub fn phone(text: &str) -> Result<String> {
    let text = line("phone", text, LONGEST_PHONE)?;
    let digits = text.chars().filter(|letter| letter.is_numeric()).count();
    let between = |letter: char| letter.is_numeric() || " +-().,/x#*".contains(letter);
    if (4..=20).contains(&digits) && text.chars().all(between) {
        return Ok(text);
    }
    Err(Error::invalid("phone", "a number that we can call, like +880 1700 000 000"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_have_space_around_it_and_nothing_else() {
        assert_eq!(email(" Rahim.U+x@Haat.Example ").unwrap().as_str(), "rahim.u+x@haat.example");
        assert!(email("a@b.c, d@e.f").is_err() && email("A <a@b.c>").is_err());
    }

    #[test]
    fn texts_have_ends() {
        assert_eq!(lines("m", " a\r\nb \n", 3).unwrap(), "a\nb");
        assert!(lines("m", "abcd", 3).is_err() && lines("m", " \n", 3).is_err());
        assert!(lines("m", "a\0", 3).is_err() && line("n", "a\nb", 9).is_err());
        assert_eq!(line("n", "a\u{202e} \u{a0}b", 9).unwrap(), "a b");
        assert!(line("n", "\u{202e}", 9).is_err());
        assert_eq!(lines("m", "a\u{2066}\n\tb", 9).unwrap(), "a\n\tb");
    }
}

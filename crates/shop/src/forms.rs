//! What visitors type into the shop's forms, read into what can be kept.

use base::{Error, Result};

pub const LONGEST_EMAIL: usize = 254;
pub const LONGEST_PHONE: usize = 40;
/// Who a parcel is for, and where it goes.
pub const LONGEST_RECIPIENT: usize = 200;
pub const LONGEST_ADDRESS: usize = 1000;

/// An e-mail address in lower case, to which a letter can go.
pub fn email(text: &str) -> Result<String> {
    let text = text.trim();
    let wrong = || Error::invalid("email", "Please write the whole address, like name@example.com");
    let (local, domain) = text.rsplit_once('@').ok_or_else(wrong)?;
    let in_local =
        |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let part = |part: &str| {
        (1..=63).contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    let fits = text.len() <= LONGEST_EMAIL
        && (1..=64).contains(&local.len())
        && local.bytes().all(in_local)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && domain.contains('.')
        && domain.split('.').all(part);
    if fits { Ok(text.to_ascii_lowercase()) } else { Err(wrong()) }
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
    Ok(text.to_owned())
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
    Ok(text.to_owned())
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
    fn an_address_can_be_written_to() {
        assert_eq!(email(" Rahim.U+x@Haat.Example ").unwrap(), "rahim.u+x@haat.example");
        let long = format!("{}@haat.example", "a".repeat(65));
        for wrong in [
            "",
            "a",
            "a@",
            "@b.c",
            "a@b",
            "a b@c.d",
            "a@b.c\nbcc: x@y.z",
            "a@b..c",
            "a@-b.c",
            "a@b.c, d@e.f",
            "<a@b.c>",
            "a..b@c.d",
            "\"a\"@b.c",
            &long,
        ] {
            assert!(email(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn texts_have_ends() {
        assert_eq!(lines("m", " a\r\nb \n", 3).unwrap(), "a\nb");
        assert!(lines("m", "abcd", 3).is_err() && lines("m", " \n", 3).is_err());
        assert!(lines("m", "a\0", 3).is_err() && line("n", "a\nb", 9).is_err());
    }
}

//! An e-mail address, parsed by one strict rule for the whole program: what is typed into a form, what
//! an account has, what a setting names and where an e-mail goes.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// In lower case, and an address alone: no display name, no quotes, no comment, no list. So one
/// mailbox has one spelling here, and nothing of it is text for a header.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EmailAddress(String);

const LONGEST: usize = 254;
const LONGEST_LOCAL: usize = 64;
const LONGEST_LABEL: usize = 63;

impl EmailAddress {
    /// `None` for everything that is not `local@domain.tld` in ASCII. A domain beyond ASCII is written
    /// in its `xn--` form, because mail servers map different spellings of it to one.
    pub fn parse(text: &str) -> Option<Self> {
        let (local, domain) = text.split_once('@')?;
        let fits = text.len() <= LONGEST && is_local(local) && is_domain(domain);
        fits.then(|| Self(text.to_ascii_lowercase()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What a limit per recipient counts by: the address without a `+tag`, which most servers deliver to
    /// the same person, and at the largest provider without its dots.
    pub fn mailbox(&self) -> String {
        let (local, domain) = self.0.split_once('@').unwrap_or((&self.0, ""));
        let name = local.split('+').next().filter(|name| !name.is_empty()).unwrap_or(local);
        match domain {
            "gmail.com" | "googlemail.com" => format!("{}@gmail.com", name.replace('.', "")),
            _ => format!("{name}@{domain}"),
        }
    }
}

/// A dot-atom of RFC 5322.
fn is_local(local: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte);
    local.len() <= LONGEST_LOCAL
        && local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(allowed))
}

/// Two labels or more: nobody's e-mail goes to "localhost".
fn is_domain(domain: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    domain.contains('.')
        && domain.split('.').all(|label| {
            (1..=LONGEST_LABEL).contains(&label.len())
                && label.bytes().all(allowed)
                && !label.starts_with('-')
                && !label.ends_with('-')
        })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnAddress;

impl fmt::Display for NotAnAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an e-mail address alone is wanted, like name@example.com")
    }
}

impl std::error::Error for NotAnAddress {}

impl FromStr for EmailAddress {
    type Err = NotAnAddress;
    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        Self::parse(text).ok_or(NotAnAddress)
    }
}

impl TryFrom<String> for EmailAddress {
    type Error = NotAnAddress;
    fn try_from(text: String) -> Result<Self, NotAnAddress> {
        text.parse()
    }
}

impl From<EmailAddress> for String {
    fn from(address: EmailAddress) -> Self {
        address.0
    }
}

impl Deref for EmailAddress {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_an_address_alone() {
        let read = |text: &str| EmailAddress::parse(text).map(String::from);
        assert_eq!(read("Rahim.U+x@Haat.Example").as_deref(), Some("rahim.u+x@haat.example"));
        assert_eq!(
            read("o'neill@xn--bcher-kva.example").as_deref(),
            Some("o'neill@xn--bcher-kva.example")
        );
        let (long_local, long) =
            (format!("{}@b.c", "a".repeat(65)), format!("a@{}c", "b.".repeat(126)));
        for wrong in [
            "",
            "a",
            "a@",
            "@b.c",
            "a@b",
            "a@localhost",
            "a b@c.d",
            " a@b.c",
            "a@b.c ",
            "a@b.c\n",
            "a@b.c\r\nbcc: x@y.z",
            "a@b@c.d",
            "a@b..c",
            "a@.b.c",
            "a@b.c.",
            "a@-b.c",
            "a@b-.c",
            "a@b_.c",
            ".a@b.c",
            "a.@b.c",
            "a..b@c.d",
            "a@b.c, d@e.f",
            "a@b.c;d@e.f",
            "<a@b.c>",
            "A <a@b.c>",
            "\"text\"<victim@b.c>",
            "\"a\"@b.c",
            "a(x)@b.c",
            "a@[127.0.0.1]",
            "åsa@b.c",
            "a@bücher.example",
            "a@ｂ.example",
            "a\0@b.c",
            &long_local,
            &long,
        ] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn one_mailbox_has_one_name() {
        let mailbox = |text: &str| EmailAddress::parse(text).unwrap().mailbox();
        assert_eq!(mailbox("A+shop+1@B.example"), "a@b.example");
        assert_eq!(mailbox("a@b.example"), "a@b.example");
        assert_eq!(mailbox("+1@b.example"), "+1@b.example");
        assert_eq!(mailbox("a.b@b.example"), "a.b@b.example");
        assert_eq!(mailbox("R.a.him+x@googlemail.com"), "rahim@gmail.com");
    }

    #[test]
    fn what_was_written_is_read_by_the_same_rule() {
        let address = EmailAddress::parse("a@b.example").unwrap();
        let json = serde_json::to_string(&address).unwrap();
        assert_eq!(json, "\"a@b.example\"");
        assert_eq!(serde_json::from_str::<EmailAddress>(&json).unwrap(), address);
        assert!(serde_json::from_str::<EmailAddress>("\"A <a@b.example>\"").is_err());
    }
}

//! E-mail addresses, parsed by one strict rule for forms, accounts, settings and recipients.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// In lower case, without display name, quotes, comments or lists. So one mailbox has one spelling, and
/// nothing in it can inject a header.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EmailAddress(String);

const MAX_LENGTH: usize = 254;
const MAX_LOCAL_LENGTH: usize = 64;
const MAX_LABEL_LENGTH: usize = 63;

impl EmailAddress {
    /// `None` for everything that is not `local@domain.tld` in ASCII. A domain beyond ASCII is written
    /// in its `xn--` form, because mail servers map different spellings of it to one.
    pub fn parse(text: &str) -> Option<Self> {
        let (local, domain) = text.split_once('@')?;
        let fits = text.len() <= MAX_LENGTH && is_local(local) && is_domain(domain);
        fits.then(|| Self(text.to_ascii_lowercase()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key of rate limits per recipient: without a `+tag`, which most servers ignore, and at Gmail
    /// without dots.
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
    local.len() <= MAX_LOCAL_LENGTH
        && local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(allowed))
}

/// Two labels or more, so not "localhost".
fn is_domain(domain: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    domain.contains('.')
        && domain.split('.').all(|label| {
            (1..=MAX_LABEL_LENGTH).contains(&label.len())
                && label.bytes().all(allowed)
                && !label.starts_with('-')
                && !label.ends_with('-')
        })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an e-mail address alone is required, like name@example.com")]
pub struct NotAnAddress;

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
    fn only_bare_addresses_are_accepted() {
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
    fn spellings_of_one_mailbox_have_the_same_key() {
        let mailbox = |text: &str| EmailAddress::parse(text).unwrap().mailbox();
        assert_eq!(mailbox("A+shop+1@B.example"), "a@b.example");
        assert_eq!(mailbox("a@b.example"), "a@b.example");
        assert_eq!(mailbox("+1@b.example"), "+1@b.example");
        assert_eq!(mailbox("a.b@b.example"), "a.b@b.example");
        assert_eq!(mailbox("R.a.him+x@googlemail.com"), "rahim@gmail.com");
    }

    #[test]
    fn deserializing_validates_the_address() {
        let address = EmailAddress::parse("a@b.example").unwrap();
        let json = serde_json::to_string(&address).unwrap();
        assert_eq!(json, "\"a@b.example\"");
        assert_eq!(serde_json::from_str::<EmailAddress>(&json).unwrap(), address);
        assert!(serde_json::from_str::<EmailAddress>("\"A <a@b.example>\"").is_err());
    }
}

//! Codes of gift cards: whoever knows one can spend the card, so only a keyed hash of it is stored.

use std::fmt;
use std::str::FromStr;

use platform::secret::Secret;
use platform::text::ascii_digits;
use platform::{Id, Random};
use serde::{Deserialize, Deserializer};

/// Without letters and digits that look like others.
const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// 80 random bits.
const RANDOM_LEN: usize = 16;
/// Codes of another shop system may be shorter than ours, but not so short that they can be guessed.
const MIN_LEN: usize = 8;
const MAX_LEN: usize = 40;
const LAST: usize = 4;

/// Under which a card is found.
pub enum CodeHashMarker {}
pub type CodeHash = Id<CodeHashMarker>;

/// A code in its one form: letters and digits, in upper case. It is never logged or serialized.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GiftCardCode(Box<str>);

impl GiftCardCode {
    pub fn random(random: &Random) -> Self {
        let letters = random.bytes::<RANDOM_LEN>().map(|byte| ALPHABET[usize::from(byte) % 32]);
        Self(letters.map(char::from).iter().collect::<String>().into())
    }

    /// Whatever a shopper typed. What cannot be a code has a hash too, under which there is no card: so nobody learns
    /// what codes look like.
    pub fn typed(text: &str) -> Self {
        Self(normalized(text).into())
    }

    pub fn hash(&self, secret: &Secret) -> CodeHash {
        Id::from_content(&secret.derive(&format!("gift card {}", self.0)))
    }

    pub fn last_four(&self) -> &str {
        let start = self.0.char_indices().rev().nth(LAST - 1).map_or(0, |(start, _)| start);
        &self.0[start..]
    }
}

/// In upper case, without the spaces and hyphens between groups.
fn normalized(text: &str) -> String {
    let shown = |letter: &char| !letter.is_whitespace() && *letter != '-';
    ascii_digits(text).chars().filter(shown).collect::<String>().to_uppercase()
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a code of a gift card is {} to {} letters and digits", MIN_LEN, MAX_LEN)]
pub struct MalformedGiftCardCode;

impl FromStr for GiftCardCode {
    type Err = MalformedGiftCardCode;

    fn from_str(text: &str) -> Result<Self, MalformedGiftCardCode> {
        let code = normalized(text);
        let valid = code.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match valid && (MIN_LEN..=MAX_LEN).contains(&code.len()) {
            true => Ok(Self(code.into())),
            false => Err(MalformedGiftCardCode),
        }
    }
}

/// In groups of four, as it is printed.
impl fmt::Display for GiftCardCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: Vec<char> = self.0.chars().collect();
        let groups = letters.chunks(4).map(|group| group.iter().collect::<String>());
        f.pad(&groups.collect::<Vec<_>>().join("-"))
    }
}

impl fmt::Debug for GiftCardCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GiftCardCode(…)")
    }
}

impl<'de> Deserialize<'de> for GiftCardCode {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn secret(letter: &str) -> Secret {
        Secret::new(&letter.repeat(32)).unwrap()
    }

    #[test]
    fn random_codes_are_printed_in_groups_and_differ() {
        let random = Random::seeded(1);
        let codes = [(); 100].map(|()| GiftCardCode::random(&random));
        for code in &codes {
            let printed = code.to_string();
            assert_eq!(printed.split('-').map(str::len).collect::<Vec<_>>(), [4; 4], "{printed}");
            assert!(!printed.contains(['0', 'O', '1', 'I']), "{printed}");
            assert!(printed.ends_with(code.last_four()));
            assert_eq!(printed.parse().as_ref(), Ok(code));
            assert!(!format!("{code:?}").contains(code.last_four()));
        }
        assert_eq!(BTreeSet::from(codes).len(), 100);
    }

    #[test]
    fn a_code_has_one_hash_however_it_is_typed() {
        let hash = |text: &str| GiftCardCode::typed(text).hash(&secret("a"));
        for same in ["ABCD-2345-wxyz-6789", " abcd 2345\twxyz 6789 ", "ABCD২৩৪৫WXYZ৬৭৮৯"]
        {
            assert_eq!(hash(same), hash("ABCD2345WXYZ6789"), "{same}");
        }
        assert_ne!(hash("ABCD2345WXYZ6788"), hash("ABCD2345WXYZ6789"));
        let other = GiftCardCode::typed("ABCD2345WXYZ6789").hash(&secret("b"));
        assert_ne!(other, hash("ABCD2345WXYZ6789"));
    }

    #[test]
    fn codes_of_other_shops_are_letters_and_digits() {
        let parsed = |text: &str| text.parse::<GiftCardCode>().map(|code| code.to_string());
        assert_eq!(parsed("gift-0001-io").as_deref(), Ok("GIFT-0001-IO"));
        for wrong in ["", "ABC-123", "উপহারের-কার্ড", "GIFT_0001_10", &"A".repeat(MAX_LEN + 1)]
        {
            assert_eq!(parsed(wrong), Err(MalformedGiftCardCode), "{wrong}");
        }
        // Nothing that is typed can panic.
        for typed in ["", "-", "ঈদ", "ßßßß", "🎁"] {
            let code = GiftCardCode::typed(typed);
            assert!(code.last_four().chars().count() <= 4);
            code.hash(&secret("a"));
        }
    }
}

//! Order numbers: `7K3M-9QXF`. Seven letters by chance, so that none can be guessed from another, and
//! one that checks them; none of them is taken for another when it is read out on the phone.

use std::fmt;
use std::str::FromStr;

use base::Random;
use base::db::Value;
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Type};

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LETTERS: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number([u8; LETTERS]);

#[derive(Debug, PartialEq, Eq)]
pub struct NotANumber;

impl Number {
    pub fn new(random: &Random) -> Self {
        let mut letters = [0; LETTERS];
        random.fill(&mut letters[..LETTERS - 1]);
        letters.iter_mut().for_each(|letter| *letter &= 31);
        letters[LETTERS - 1] = times_x(remainder(&letters[..LETTERS - 1]));
        Self(letters)
    }
}

/// The letters as a polynomial over the field of 32, at x: the check letter makes it nothing. One wrong
/// letter, or two that changed places, never do.
fn remainder(letters: &[u8]) -> u8 {
    letters.iter().fold(0, |sum, letter| times_x(sum) ^ letter)
}

fn times_x(element: u8) -> u8 {
    let doubled = element << 1;
    if doubled & 32 == 0 { doubled } else { doubled ^ 0b10_0101 }
}

/// As people write it: in small letters, with spaces, with O for 0 and I or L for 1.
impl FromStr for Number {
    type Err = NotANumber;

    fn from_str(text: &str) -> Result<Self, NotANumber> {
        let mut letters = [0; LETTERS];
        let mut count = 0;
        for letter in text.bytes().filter(|letter| !matches!(letter, b'-' | b' ')) {
            let letter = match letter.to_ascii_uppercase() {
                b'O' => b'0',
                b'I' | b'L' => b'1',
                letter => letter,
            };
            let value = ALPHABET.iter().position(|known| *known == letter).ok_or(NotANumber)?;
            *letters.get_mut(count).ok_or(NotANumber)? = value as u8;
            count += 1;
        }
        if count == LETTERS && remainder(&letters) == 0 {
            Ok(Self(letters))
        } else {
            Err(NotANumber)
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, letter) in self.0.iter().enumerate() {
            let hyphen = if place == LETTERS / 2 { "-" } else { "" };
            write!(f, "{hyphen}{}", char::from(ALPHABET[usize::from(*letter)]))?;
        }
        Ok(())
    }
}

impl fmt::Display for NotANumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an order number like 7K3M-9QXF")
    }
}

impl std::error::Error for NotANumber {}

impl TryFrom<String> for Number {
    type Error = NotANumber;

    fn try_from(text: String) -> Result<Self, NotANumber> {
        text.parse()
    }
}

impl From<&Number> for Value {
    fn from(number: &Number) -> Self {
        Self::Text(Some(number.to_string()))
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl utoipa::PartialSchema for Number {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        ObjectBuilder::new().schema_type(Type::String).examples(["7K3M-9QXF"]).build().into()
    }
}

impl utoipa::ToSchema for Number {
    fn name() -> std::borrow::Cow<'static, str> {
        "OrderNumber".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_number_is_read_as_it_was_written(seed in any::<u64>()) {
            let number = Number::new(&Random::seeded(seed));
            let text = number.to_string();
            prop_assert_eq!(text.len(), 9);
            prop_assert_eq!(text.parse(), Ok(number));
            let said = text.to_lowercase().replace('0', "o").replace('1', "L").replace('-', " ");
            prop_assert_eq!(said.parse(), Ok(number));
        }

        #[test]
        fn one_wrong_letter_and_two_that_changed_places_are_noticed(
            seed in any::<u64>(), place in 0usize..8, other in 0usize..8, letter in 0u8..32,
        ) {
            let Number(right) = Number::new(&Random::seeded(seed));
            let mut wrong = right;
            wrong[place] = letter;
            prop_assert!(wrong == right || remainder(&wrong) != 0);
            let mut swapped = right;
            swapped.swap(place, other);
            prop_assert!(swapped == right || remainder(&swapped) != 0);
        }

        #[test]
        fn anything_else_is_refused_without_panic(text in "\\PC{0,16}") {
            let _ = text.parse::<Number>();
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "1234", "7K3M-9QXF-7", "UUUU-UUUU", "7K3M-9QX!", "০০০০-০০০০"]
        {
            assert_eq!(text.parse::<Number>(), Err(NotANumber), "{text}");
        }
    }
}

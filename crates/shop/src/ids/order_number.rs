//! Order numbers such as `7K3M-9QXF`: seven random characters, so that none can be guessed from
//! another, and a check character. The alphabet has no characters that sound or look alike.

use std::fmt;
use std::str::FromStr;

use platform::Random;
use platform::db::SqlValue;
use platform::text::ascii_digits;
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Type};

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OrderNumber([u8; LENGTH]);

#[derive(Debug, PartialEq, Eq)]
pub struct InvalidOrderNumber;

impl OrderNumber {
    pub fn new(random: &Random) -> Self {
        let mut symbols = [0; LENGTH];
        random.fill(&mut symbols[..LENGTH - 1]);
        symbols.iter_mut().for_each(|symbol| *symbol &= 31);
        symbols[LENGTH - 1] = times_x(remainder(&symbols[..LENGTH - 1]));
        Self(symbols)
    }
}

/// Evaluates the characters as a polynomial over GF(32); the check character makes the result 0.
/// Detects one wrong character and two swapped ones.
fn remainder(symbols: &[u8]) -> u8 {
    symbols.iter().fold(0, |sum, symbol| times_x(sum) ^ symbol)
}

fn times_x(element: u8) -> u8 {
    let doubled = element << 1;
    if doubled & 32 == 0 { doubled } else { doubled ^ 0b10_0101 }
}

/// Accepts lower case, Bangla digits, spaces, O for 0, and I or L for 1.
impl FromStr for OrderNumber {
    type Err = InvalidOrderNumber;

    fn from_str(text: &str) -> Result<Self, InvalidOrderNumber> {
        let mut symbols = [0; LENGTH];
        let mut count = 0;
        for symbol in ascii_digits(text).bytes().filter(|symbol| !matches!(symbol, b'-' | b' ')) {
            let symbol = match symbol.to_ascii_uppercase() {
                b'O' => b'0',
                b'I' | b'L' => b'1',
                symbol => symbol,
            };
            let value = ALPHABET.iter().position(|c| *c == symbol).ok_or(InvalidOrderNumber)?;
            *symbols.get_mut(count).ok_or(InvalidOrderNumber)? = value as u8;
            count += 1;
        }
        if count == LENGTH && remainder(&symbols) == 0 {
            Ok(Self(symbols))
        } else {
            Err(InvalidOrderNumber)
        }
    }
}

impl fmt::Display for OrderNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, symbol) in self.0.iter().enumerate() {
            let hyphen = if place == LENGTH / 2 { "-" } else { "" };
            write!(f, "{hyphen}{}", char::from(ALPHABET[usize::from(*symbol)]))?;
        }
        Ok(())
    }
}

impl fmt::Display for InvalidOrderNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an order number like 7K3M-9QXF")
    }
}

impl std::error::Error for InvalidOrderNumber {}

impl TryFrom<String> for OrderNumber {
    type Error = InvalidOrderNumber;

    fn try_from(text: String) -> Result<Self, InvalidOrderNumber> {
        text.parse()
    }
}

impl From<&OrderNumber> for SqlValue {
    fn from(number: &OrderNumber) -> Self {
        Self::Text(Some(number.to_string()))
    }
}

impl Serialize for OrderNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl utoipa::PartialSchema for OrderNumber {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        ObjectBuilder::new().schema_type(Type::String).examples(["7K3M-9QXF"]).build().into()
    }
}

impl utoipa::ToSchema for OrderNumber {
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
        fn order_numbers_round_trip(seed in any::<u64>()) {
            let number = OrderNumber::new(&Random::seeded(seed));
            let text = number.to_string();
            prop_assert_eq!(text.len(), 9);
            prop_assert_eq!(text.parse(), Ok(number));
            let spoken = text.to_lowercase().replace('0', "o").replace('1', "L").replace('-', " ");
            prop_assert_eq!(spoken.parse(), Ok(number));
            let bangla = |c: char| c.to_digit(10).and_then(|digit| "০১২৩৪৫৬৭৮৯".chars().nth(digit as usize));
            let bangla: String = text.chars().map(|c| bangla(c).unwrap_or(c)).collect();
            prop_assert_eq!(bangla.parse(), Ok(number));
        }

        #[test]
        fn one_wrong_symbol_and_two_swapped_ones_are_detected(
            seed in any::<u64>(), place in 0usize..8, other in 0usize..8, symbol in 0u8..32,
        ) {
            let OrderNumber(right) = OrderNumber::new(&Random::seeded(seed));
            let mut wrong = right;
            wrong[place] = symbol;
            prop_assert!(wrong == right || remainder(&wrong) != 0);
            let mut swapped = right;
            swapped.swap(place, other);
            prop_assert!(swapped == right || remainder(&swapped) != 0);
        }

        #[test]
        fn parsing_any_text_does_not_panic(text in "\\PC{0,16}") {
            let _ = text.parse::<OrderNumber>();
        }
    }

    #[test]
    fn invalid_order_numbers_are_refused() {
        for text in ["", "1234", "7K3M-9QXF-7", "UUUU-UUUU", "7K3M-9QX!", "০০০০-০০০১", "٠٠٠٠-٠٠٠٠"]
        {
            assert_eq!(text.parse::<OrderNumber>(), Err(InvalidOrderNumber), "{text}");
        }
    }
}

//! Stripe's test cards. Numbers that are not among them are declined, and never kept.

use serde::{Deserialize, Serialize};

/// Why a payment failed, in Stripe's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decline {
    pub code: String,
    pub decline_code: Option<String>,
    pub message: String,
}

impl Decline {
    pub fn new(code: &str, decline_code: Option<&str>, message: &str) -> Self {
        let decline_code = decline_code.map(str::to_owned);
        Self { code: code.to_owned(), decline_code, message: message.to_owned() }
    }

    pub fn generic() -> Self {
        Self::new("card_declined", Some("generic_decline"), "Your card was declined.")
    }

    pub fn authentication() -> Self {
        Self::new(
            "payment_intent_authentication_failure",
            None,
            "We are unable to authenticate your payment method. Please choose a different payment method and try \
             again.",
        )
    }

    pub fn bank() -> Self {
        Self::new(
            "insufficient_funds",
            None,
            "The customer's account has insufficient funds to cover this payment.",
        )
    }

    fn not_a_test_card() -> Self {
        Self::new(
            "card_declined",
            Some("test_mode_live_card"),
            "Your card was declined. Your request was in test mode, but used a non test card.",
        )
    }
}

/// A test card, and what it does.
#[derive(Clone, Copy, Debug)]
pub struct TestCard {
    pub number: &'static str,
    /// For people.
    pub effect: &'static str,
    pub outcome: CardOutcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardOutcome {
    Pays,
    Disputed,
    Declined,
    NoFunds,
    Expired,
    WrongCvc,
    AuthenticatesThenPays,
    AuthenticatesThenDeclines,
}

const fn card(number: &'static str, effect: &'static str, outcome: CardOutcome) -> TestCard {
    TestCard { number, effect, outcome }
}

pub const TEST_CARDS: [TestCard; 8] = [
    card("4242424242424242", "Pays", CardOutcome::Pays),
    card(
        "4000002500003155",
        "Asks you to authenticate, then pays",
        CardOutcome::AuthenticatesThenPays,
    ),
    card(
        "4000008400001629",
        "Asks you to authenticate, then is declined",
        CardOutcome::AuthenticatesThenDeclines,
    ),
    card("4000000000000002", "Is declined", CardOutcome::Declined),
    card("4000000000009995", "Has no funds", CardOutcome::NoFunds),
    card("4000000000000069", "Has expired", CardOutcome::Expired),
    card("4000000000000127", "Is refused for a wrong CVC", CardOutcome::WrongCvc),
    card("4000000000000259", "Pays, and is disputed 5 seconds later", CardOutcome::Disputed),
];

impl TestCard {
    pub fn find(number: &str) -> Option<Self> {
        TEST_CARDS.into_iter().find(|card| card.number == number)
    }

    pub fn last4(&self) -> &'static str {
        &self.number[self.number.len() - 4..]
    }

    /// In groups of four digits.
    pub fn grouped(&self) -> String {
        let groups = self.number.as_bytes().chunks(4).map(String::from_utf8_lossy);
        groups.collect::<Vec<_>>().join(" ")
    }
}

impl CardOutcome {
    pub fn decline(self) -> Option<Decline> {
        match self {
            Self::Pays | Self::Disputed | Self::AuthenticatesThenPays => None,
            Self::Declined | Self::AuthenticatesThenDeclines => Some(Decline::generic()),
            Self::NoFunds => Some(Decline::new(
                "card_declined",
                Some("insufficient_funds"),
                "Your card has insufficient funds.",
            )),
            Self::Expired => {
                Some(Decline::new("expired_card", Some("expired_card"), "Your card has expired."))
            }
            Self::WrongCvc => Some(Decline::new(
                "incorrect_cvc",
                Some("incorrect_cvc"),
                "Your card's security code is incorrect.",
            )),
        }
    }

    pub fn authenticates(self) -> bool {
        matches!(self, Self::AuthenticatesThenPays | Self::AuthenticatesThenDeclines)
    }
}

/// What was typed into the card form.
#[derive(Debug)]
pub struct TypedCard<'t> {
    pub number: &'t str,
    pub expiry: &'t str,
    pub cvc: &'t str,
    pub name: &'t str,
}

impl TypedCard<'_> {
    /// The test card, or why it cannot be used. `year` and `month` are today's.
    pub fn check(&self, year: i32, month: u8) -> Result<TestCard, Decline> {
        let digits = |text: &str| {
            text.bytes().filter(u8::is_ascii_digit).map(char::from).collect::<String>()
        };
        let number = digits(self.number);
        let invalid = |code: &str, message: &str| Err(Decline::new(code, None, message));
        if !(12..=19).contains(&number.len()) || !passes_luhn(&number) {
            return invalid("incorrect_number", "Your card number is incorrect.");
        }
        match expiry(self.expiry) {
            None => {
                return invalid("invalid_expiry_month", "Your card's expiration date is invalid.");
            }
            Some(at) if at < (year, month) => {
                return invalid(
                    "invalid_expiry_year",
                    "Your card's expiration year is in the past.",
                );
            }
            Some(_) => {}
        }
        if !(3..=4).contains(&self.cvc.len()) || digits(self.cvc) != self.cvc {
            return invalid("invalid_cvc", "Your card's security code is invalid.");
        }
        if self.name.trim().is_empty() {
            return invalid("incomplete_name", "The cardholder's name is missing.");
        }
        TestCard::find(&number).ok_or_else(Decline::not_a_test_card)
    }
}

/// The year and month of `12/34` or `12 / 2034`.
fn expiry(text: &str) -> Option<(i32, u8)> {
    let (month, year) = text.split_once('/')?;
    let (month, year): (u8, i32) = (month.trim().parse().ok()?, year.trim().parse().ok()?);
    let year = if year < 100 { year + 2000 } else { year };
    (1..=12).contains(&month).then_some((year, month))
}

/// The check digit of card numbers.
fn passes_luhn(digits: &str) -> bool {
    let doubled = |(place, digit): (usize, u32)| match (place % 2, digit * 2) {
        (0, _) => digit,
        (_, double) if double > 9 => double - 9,
        (_, double) => double,
    };
    let digits = digits.chars().rev().filter_map(|digit| digit.to_digit(10));
    digits.enumerate().map(doubled).sum::<u32>() % 10 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(number: &str, expiry: &str, cvc: &str, name: &str) -> Result<&'static str, String> {
        let card = TypedCard { number, expiry, cvc, name }.check(2026, 11);
        card.map(|card| card.last4()).map_err(|why| why.decline_code.unwrap_or(why.code))
    }

    #[test]
    fn test_cards_can_be_typed() {
        for card in TEST_CARDS {
            assert_eq!(check(&card.grouped(), "12/34", "123", "A"), Ok(card.last4()));
        }
        assert_eq!(check("4242424242424242", "11 / 2026", "1234", "A"), Ok("4242"));
    }

    #[test]
    fn what_is_no_test_card_is_refused() {
        for (number, expiry, cvc, name, code) in [
            ("", "12/34", "123", "A", "incorrect_number"),
            ("4242424242424241", "12/34", "123", "A", "incorrect_number"),
            ("5555555555554444", "12/34", "123", "A", "test_mode_live_card"),
            ("4242424242424242", "10/26", "123", "A", "invalid_expiry_year"),
            ("4242424242424242", "13/34", "123", "A", "invalid_expiry_month"),
            ("4242424242424242", "1234", "123", "A", "invalid_expiry_month"),
            ("4242424242424242", "12/34", "12", "A", "invalid_cvc"),
            ("4242424242424242", "12/34", "12x", "A", "invalid_cvc"),
            ("4242424242424242", "12/34", "123", " ", "incomplete_name"),
        ] {
            assert_eq!(check(number, expiry, cvc, name), Err(code.to_owned()), "{number} {expiry}");
        }
    }
}

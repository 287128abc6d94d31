//! Orders without an account. Instead of an account's id they have that of a telephone number, a hash with the shop's
//! secret: so the limits of a customer hold for a number, until an account claims the order.

use axum::http::StatusCode;
use email::sms_limits::SmsLimits;
use platform::http::ClientIp;
use platform::rate_limit::{self, Limit};
use platform::secret::Secret;
use platform::text::ascii_digits;
use platform::{
    Amount, Clock, Currency, Db, EmailAddress, Error, Id, Money, Result, Timestamp, Tx,
};
use postal_address::{Country, phone};

use super::Order;
use crate::customers::Verified;

const PREFIX: &str = "guest:";
/// Many people share a network.
const NETWORK: u32 = 6;

/// So long a code works at least: it changes that often, and the one before is good, too.
pub const CODE_MINUTES: i64 = 10;
const CODE_PERIOD: i64 = CODE_MINUTES * 60 * 1000;
/// Too few to guess six digits.
const TRIES: Limit = Limit::per_hour(10);
const TRIES_PER_NETWORK: Limit = Limit::per_hour(60);

// By default nobody orders without an account, and there are no limits.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Orders without an account")]
#[group(id = "guest_orders")]
pub struct GuestSettings {
    /// Whether customers can order without an account, by name and phone number [default: false; in a demo true]
    #[arg(long, env = "HAAT_GUEST_CHECKOUT", value_name = "BOOL")]
    pub guest_checkout: Option<bool>,
    /// Orders without an account per hour with one phone number, and with one e-mail address; six times as many from
    /// one network [default: 5; in a demo no limit]
    #[arg(long, env = "HAAT_GUEST_ORDERS_PER_HOUR", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub guest_orders_per_hour: Option<u32>,
    /// Amount to pay, in the base currency, above which an order without an account needs a code that is sent to its phone
    /// number as a text message [default: none]
    #[arg(long, env = "HAAT_GUEST_CODE_OVER", value_name = "AMOUNT")]
    pub guest_code_over: Option<Amount>,
}

impl GuestSettings {
    /// Fills in the limit of a shop that sets none.
    pub fn with_defaults(self) -> Self {
        Self { guest_orders_per_hour: self.guest_orders_per_hour.or(Some(5)), ..self }
    }

    pub fn is_enabled(&self) -> bool {
        self.guest_checkout == Some(true)
    }

    /// Refuses an amount with more decimals than the base currency has, and codes that nothing sends.
    pub fn check(&self, base: Currency, sends_sms: bool) -> std::result::Result<(), String> {
        let Some(over) = self.guest_code_over else { return Ok(()) };
        over.named("guest_code_over", base)?;
        match sends_sms {
            true => Ok(()),
            false => Err("guest_code_over: codes are sent as text messages: set sms_url".into()),
        }
    }

    /// Whether an order over this amount to pay, in the base currency, needs a code.
    pub fn needs_code(&self, to_pay: Money) -> bool {
        let over = self.guest_code_over.and_then(|over| over.of(to_pay.currency()));
        over.is_some_and(|over| to_pay > over)
    }

    /// Counts an order against the hourly limits.
    pub async fn count(
        &self,
        (db, clock): (&Db, &Clock),
        customer: &str,
        email: &str,
        peer: Option<ClientIp>,
    ) -> Result<()> {
        let Some(most) = self.guest_orders_per_hour else { return Ok(()) };
        let by_phone = (format!("orders by {customer}"), Limit::per_hour(most));
        let by_email = EmailAddress::parse(email).map(|email| {
            let mailbox = Id::<EmailAddress>::from_name(&email.mailbox());
            (format!("guest orders by {mailbox}"), Limit::per_hour(most))
        });
        let by_network = peer.map(|peer| {
            let limit = Limit::per_hour(most.saturating_mul(NETWORK));
            (format!("guest orders from {}", peer.network()), limit)
        });
        let keys: Vec<_> = [by_phone].into_iter().chain(by_email).chain(by_network).collect();
        rate_limit::consume(db, clock, &keys).await
    }
}

/// What orders without an account need besides the settings.
#[derive(Clone)]
pub struct Guests {
    pub secret: Secret,
    /// None in a shop that sends no text messages.
    pub sms_limits: Option<SmsLimits>,
}

impl Guests {
    /// Stands for an account's id.
    pub fn customer(&self, phone: &str) -> String {
        let phone = comparable(phone, None);
        let id = Id::<Order>::from_content(&self.secret.derive(&format!("guest {phone}")));
        format!("{PREFIX}{id}")
    }

    /// Whether a code can be sent to this number.
    pub fn can_text(&self, phone: &str) -> bool {
        let texts = self.sms_limits.as_ref();
        is_e164(phone) && texts.is_some_and(|limits| limits.has_country(phone))
    }

    /// The code that proves a phone number. It follows from the number and the time, so that nothing has to be stored.
    pub fn code(&self, phone: &str, now: Timestamp) -> String {
        self.code_of(phone, now.0.div_euclid(CODE_PERIOD))
    }

    fn code_of(&self, phone: &str, period: i64) -> String {
        let [a, b, c, d, ..] = self.secret.derive(&format!("order code of {phone} in {period}"));
        format!("{:06}", u32::from_be_bytes([a, b, c, d]) % 1_000_000)
    }

    /// Refuses a wrong code. Every call counts as a try.
    pub async fn check_code(
        &self,
        (db, clock): (&Db, &Clock),
        phone: &str,
        code: &str,
        peer: Option<ClientIp>,
    ) -> Result<()> {
        // The network's first, so that it cannot use up the tries of many numbers.
        let by_network = peer.map(|peer| format!("order codes from {}", peer.network()));
        let by_network = by_network.map(|network| (network, TRIES_PER_NETWORK));
        let by_phone = [(format!("order codes of {phone}"), TRIES)];
        let tries: Vec<_> = by_network.into_iter().chain(by_phone).collect();
        rate_limit::consume(db, clock, &tries).await?;
        let typed = ascii_digits(code.trim());
        let period = clock.now().0.div_euclid(CODE_PERIOD);
        match [period, period - 1].iter().any(|period| self.code_of(phone, *period) == typed) {
            true => Ok(()),
            false => Err(wrong_code()),
        }
    }
}

pub fn wrong_code() -> Error {
    let message = "This is not the code that we sent, or it is too old.";
    Error::refused(StatusCode::FORBIDDEN, "wrong_phone_code", message)
}

/// Locks a guest's phone number until the end of the transaction. Nothing is known to be verified.
pub async fn lock(tx: &mut Tx, order: &Order) -> Result<Verified> {
    let (key, any) = (format!("unpaid orders of {}", order.customer), Limit::per_hour(u32::MAX));
    rate_limit::count(tx, order.created_at, &key, any).await?;
    Ok(Verified::default())
}

impl Order {
    /// Whether it was placed without an account, and none has claimed it.
    pub fn is_guest(&self) -> bool {
        is_guest(&self.customer)
    }

    /// False for a guest's, and for an anonymized one.
    pub fn has_account(&self) -> bool {
        !self.customer.is_empty() && !self.is_guest()
    }
}

/// A phone number, as a guest types it, in the form +8801711000000 where that is known: numbers with a plus sign have it
/// without a country, too.
pub fn normalize(typed: &str, country: Option<Country>) -> Option<String> {
    let international = typed.trim_start().starts_with('+').then_some(Country::BANGLADESH);
    phone::normalize(typed, country.or(international)?).ok()
}

/// Whether this is a phone number in the form +8801711000000.
pub fn is_e164(number: &str) -> bool {
    number.starts_with('+') && normalize(number, None).is_some_and(|known| known == number)
}

/// Whether two phone numbers, which may be typed differently, are the same one of this country.
pub fn same_phone(one: &str, other: &str, country: Option<Country>) -> bool {
    let (one, other) = (comparable(one, country), comparable(other, country));
    !one.is_empty() && one == other
}

/// The same however a number is typed.
fn comparable(typed: &str, country: Option<Country>) -> String {
    let digits = || ascii_digits(typed).chars().filter(char::is_ascii_digit).collect();
    normalize(typed, country).unwrap_or_else(digits)
}

pub fn is_guest(customer: &str) -> bool {
    customer.starts_with(PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guests() -> Guests {
        let secret = Secret::new(&"test".repeat(8)).unwrap();
        Guests { secret, sms_limits: Some(SmsLimits::new(8, vec!["+880".into()])) }
    }

    #[test]
    fn a_phone_number_is_the_same_however_it_is_typed() {
        let bangladesh = Some(Country::BANGLADESH);
        for typed in ["01711-000000", "+880 1711 000000", "০১৭১১০০০০০০", "+880 (0)1711-000000"]
        {
            assert!(same_phone(typed, "+8801711000000", bangladesh), "{typed}");
        }
        assert!(same_phone("12-34", "1234", bangladesh), "no telephone number of the country");
        assert!(same_phone("+880 1711-000000", "+8801711000000", None));
        assert!(!same_phone("01711000000", "+8801711000000", None), "of which country?");
        for (one, other) in [("", ""), ("+", ""), ("-", "+"), ("01711000000", "01711000001")] {
            assert!(!same_phone(one, other, bangladesh), "{one} {other}");
        }
        let guests = guests();
        let customer = guests.customer("+8801711000000");
        assert_eq!(guests.customer("+880 1711-000000"), customer);
        assert!(is_guest(&customer) && !customer.contains("1711000000"));
        assert_ne!(guests.customer("+8801711000001"), customer);
        let other = Guests { secret: Secret::new(&"else".repeat(8)).unwrap(), ..guests };
        assert_ne!(other.customer("+8801711000000"), customer, "the hash has the shop's key");
    }

    #[test]
    fn codes_are_sent_to_telephone_numbers_of_listed_countries() {
        let guests = guests();
        assert!(guests.can_text("+8801711000000"));
        for number in ["01711000000", "+880 1711000000", "+88017", "+12175550123", "", "+"] {
            assert!(!guests.can_text(number), "{number}");
        }
        assert!(!Guests { sms_limits: None, ..guests }.can_text("+8801711000000"));
    }

    #[test]
    fn a_code_depends_on_the_number_and_the_time() {
        let (guests, phone) = (guests(), "+8801711000000");
        let at = |minutes: i64| guests.code(phone, Timestamp(minutes * 60 * 1000));
        assert!(at(0).len() == 6 && at(0).bytes().all(|byte| byte.is_ascii_digit()), "{}", at(0));
        assert_eq!(at(0), at(CODE_MINUTES - 1));
        assert_ne!(at(0), at(CODE_MINUTES));
        assert_ne!(at(0), guests.code("+8801711000001", Timestamp(0)));
    }

    #[test]
    fn a_code_is_needed_above_the_amount() {
        let usd = |cents| Money::new(cents, Currency::USD);
        let over = |amount: &str| GuestSettings {
            guest_code_over: Some(amount.parse().unwrap()),
            ..GuestSettings::default()
        };
        assert!(!over("100").needs_code(usd(10_000)) && over("100").needs_code(usd(10_001)));
        assert!(over("0").needs_code(usd(1)) && !over("0").needs_code(usd(0)));
        assert!(!GuestSettings::default().needs_code(usd(i64::MAX)));
        assert!(over("100").check(Currency::USD, true).is_ok());
        for (settings, sends_sms) in [(over("100"), false), (over("1.005"), true)] {
            let why = settings.check(Currency::USD, sends_sms).unwrap_err();
            assert!(why.starts_with("guest_code_over: "), "{why}");
        }
        assert!(GuestSettings::default().check(Currency::USD, false).is_ok());
    }
}

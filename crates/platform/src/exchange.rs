//! The shop's currencies: the base currency of its prices and books, and the others that it offers, with their rates and
//! rules of rounding (decision 028).

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::header::COOKIE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Uri};
use serde::{Serialize, Serializer};
use utoipa::openapi::Required;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};

use crate::error::Field;
use crate::money::{MAX_UNITS, decimal};
use crate::{Currency, Money, Result, Timestamp};

/// The header with which an API request chooses its currency.
pub const CURRENCY_HEADER: HeaderName = HeaderName::from_static("x-currency");

/// Units of a currency for one unit of the base currency, in hundred-millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct ExchangeRate(i64);

const RATE_PLACES: usize = 8;
const RATE_SCALE: i128 = 100_000_000;
const MAX_RATE: i64 = 1_000_000 * 100_000_000;

impl ExchangeRate {
    pub const ONE: Self = Self(RATE_SCALE as i64);

    pub const fn as_i64(self) -> i64 {
        self.0
    }

    /// An amount in the base currency, for the books: rounded half up.
    pub fn to_base(self, amount: Money, base: Currency) -> Money {
        match amount.currency() == base {
            true => amount,
            false => Money::new(self.in_base(amount, base).rounded_to(1), base),
        }
    }

    fn in_base(self, amount: Money, base: Currency) -> Fraction {
        Fraction {
            numerator: i128::from(amount.minor()) * RATE_SCALE * i128::from(base.minor_per_unit()),
            denominator: i128::from(self.0) * i128::from(amount.currency().minor_per_unit()),
        }
    }
}

impl FromStr for ExchangeRate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match decimal(text, RATE_PLACES) {
            Some(rate @ 1..=MAX_RATE) => Ok(Self(rate)),
            _ => Err("expected a rate above 0, such as 120.5, up to 1000000".into()),
        }
    }
}

impl fmt::Display for ExchangeRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text =
            format!("{}.{:08}", i128::from(self.0) / RATE_SCALE, i128::from(self.0) % RATE_SCALE);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Serialize for ExchangeRate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0 as f64 / RATE_SCALE as f64)
    }
}

impl utoipa::PartialSchema for ExchangeRate {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .description(Some("Units of the currency for one unit of the base currency"))
            .build()
            .into()
    }
}

impl utoipa::ToSchema for ExchangeRate {}

/// How a converted price is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rounding {
    /// To a multiple of so many minor units.
    Step(i64),
    /// To an amount that ends with .99.
    Ending99,
}

impl Rounding {
    /// In minor units, half up. What costs something never becomes free.
    fn apply(self, converted: Fraction, minor_per_unit: i64) -> i64 {
        if converted.numerator <= 0 {
            return 0;
        }
        let minor = match self {
            Self::Step(step) => converted.rounded_to(step).max(step),
            Self::Ending99 => {
                let less = minor_per_unit / 100;
                let whole = converted.plus(less).rounded_to(minor_per_unit).max(minor_per_unit);
                whole - less
            }
        };
        minor.min(MAX_UNITS.saturating_mul(minor_per_unit))
    }
}

/// An exact amount in minor units.
#[derive(Clone, Copy)]
struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    fn plus(self, minor: i64) -> Self {
        let Self { numerator, denominator } = self;
        Self { numerator: numerator + i128::from(minor) * denominator, denominator }
    }

    /// Half up.
    fn rounded_to(self, step: i64) -> i64 {
        let step = i128::from(step);
        let divisor = self.denominator * step;
        let steps = (2 * self.numerator + divisor).div_euclid(2 * divisor);
        i64::try_from(steps * step).unwrap_or(i64::MAX)
    }

    fn rounded_down(self) -> i64 {
        i64::try_from(self.numerator.div_euclid(self.denominator)).unwrap_or(i64::MAX)
    }

    fn rounded_up(self) -> i64 {
        let up = (self.numerator + self.denominator - 1).div_euclid(self.denominator);
        i64::try_from(up).unwrap_or(i64::MAX)
    }
}

/// A currency that the shop offers besides its base currency: `BDT=120.5 to 10 on 2026-11-01`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfferedCurrency {
    pub currency: Currency,
    pub rate: ExchangeRate,
    rounding: Rounding,
    /// The day of the rate, where the setting says it.
    pub dated: Option<Timestamp>,
}

impl FromStr for OfferedCurrency {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let example =
            "expected a currency and its rate, such as EUR=0.92 or BDT=120.5 to 10 on 2026-11-01";
        let (code, rest) = text.split_once('=').ok_or(example)?;
        let currency: Currency = code.trim().parse()?;
        let (rest, dated) = match rest.split_once(" on ") {
            Some((rest, day)) => {
                let at = Timestamp::parse(&format!("{}T00:00:00Z", day.trim()));
                (rest, Some(at.ok_or("expected the day of the rate, such as 2026-11-01")?))
            }
            None => (rest, None),
        };
        let (rate, rounding) = match rest.split_once(" to ") {
            Some((rate, to)) => (rate, rounding(currency, to.trim())?),
            // Nobody pays in paisa.
            None if currency == Currency::BDT => (rest, Rounding::Step(currency.minor_per_unit())),
            None => (rest, Rounding::Step(1)),
        };
        Ok(Self { currency, rate: rate.trim().parse()?, rounding, dated })
    }
}

fn rounding(currency: Currency, text: &str) -> Result<Rounding, String> {
    if text == ".99" {
        return match currency.decimals() {
            0 => Err(format!("{currency} has no decimals, so no price ends with .99")),
            _ => Ok(Rounding::Ending99),
        };
    }
    match decimal(text, currency.decimals() as usize) {
        Some(step) if step > 0 && step <= 1_000_000 => Ok(Rounding::Step(step)),
        _ => Err("prices are rounded to a step such as 1, 5, 10 or 0.05, or to .99".into()),
    }
}

/// The base currency and the one in which somebody is shown amounts. As an extractor it is the request extension that
/// the middleware sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    pub base: Currency,
    pub currency: Currency,
    pub rate: ExchangeRate,
    rounding: Rounding,
}

impl Default for Exchange {
    fn default() -> Self {
        Self::base(Currency::default())
    }
}

impl Exchange {
    /// Amounts in the base currency.
    pub fn base(base: Currency) -> Self {
        Self { base, currency: base, rate: ExchangeRate::ONE, rounding: Rounding::Step(1) }
    }

    pub fn is_base(self) -> bool {
        self.base == self.currency
    }

    fn convert(self, base: i64) -> Fraction {
        let to = i128::from(self.currency.minor_per_unit());
        let from = i128::from(self.base.minor_per_unit());
        Fraction {
            numerator: i128::from(base) * i128::from(self.rate.0) * to,
            denominator: RATE_SCALE * from,
        }
    }

    fn price_of(self, base: i64) -> i64 {
        match self.is_base() {
            true => base,
            false => self.rounding.apply(self.convert(base), self.currency.minor_per_unit()),
        }
    }

    /// A price of the base currency as it is shown and charged: converted and rounded.
    pub fn price(self, base: Money) -> Money {
        Money::new(self.price_of(base.in_minor_units_of(self.base)), self.currency)
    }

    /// How much an amount of the base currency pays for: rounded down to the smallest unit.
    pub fn worth(self, base: Money) -> Money {
        let base = base.in_minor_units_of(self.base);
        Money::new(
            if self.is_base() { base } else { self.convert(base).rounded_down() },
            self.currency,
        )
    }

    /// An amount of this currency in the base currency, for the books: rounded half up.
    pub fn to_base(self, amount: Money) -> Money {
        self.rate.to_base(amount, self.base)
    }

    /// What an amount of this currency is debited with in the base currency: rounded up, so that nothing is paid with
    /// less than it costs.
    pub fn debit(self, amount: Money) -> Money {
        match self.is_base() {
            true => amount,
            false => Money::new(self.rate.in_base(amount, self.base).rounded_up(), self.base),
        }
    }

    /// The lowest base price that is shown as `least` or more.
    pub fn lowest_base_of(self, least: Money) -> Money {
        let least = least.in_minor_units_of(self.currency);
        Money::new(self.first_base(|shown| shown >= least), self.base)
    }

    /// The highest base price that is shown as `most` or less.
    pub fn highest_base_of(self, most: Money) -> Money {
        let most = most.in_minor_units_of(self.currency);
        Money::new(self.first_base(|shown| shown > most) - 1, self.base)
    }

    /// The first base price, in minor units, whose shown price passes; no later one fails, because a higher price is
    /// never shown as a lower one.
    fn first_base(self, passes: impl Fn(i64) -> bool) -> i64 {
        let (mut low, mut high) = (0, MAX_UNITS.saturating_mul(self.base.minor_per_unit()));
        while low < high {
            let middle = low + (high - low) / 2;
            if passes(self.price_of(middle)) { high = middle } else { low = middle + 1 }
        }
        low
    }
}

impl<S: Sync> FromRequestParts<S> for Exchange {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or_default())
    }
}

/// The parameter of the calls that have the extractor.
impl utoipa::IntoParams for Exchange {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let currency = ParameterBuilder::new()
            .name("currency")
            .parameter_in(ParameterIn::Query)
            .required(Required::False)
            .description(Some(
                "The currency of the amounts, one that the shop offers. Without it the header `X-Currency` decides, and \
                 then it is the shop's base currency",
            ))
            .schema(Some(<Currency as utoipa::PartialSchema>::schema()));
        vec![currency.build()]
    }
}

/// The currencies of the shop. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Currencies {
    base: Currency,
    others: Arc<[OfferedCurrency]>,
}

impl Currencies {
    pub fn new(base: Currency, others: Vec<OfferedCurrency>) -> Result<Self, String> {
        for (place, OfferedCurrency { currency, .. }) in others.iter().enumerate() {
            let before = others[..place].iter().map(|other| other.currency);
            if *currency == base || before.into_iter().any(|before| before == *currency) {
                return Err(format!(
                    "currencies: {currency} is named twice, or is the base currency"
                ));
            }
        }
        Ok(Self { base, others: others.into() })
    }

    pub fn base(&self) -> Currency {
        self.base
    }

    pub fn others(&self) -> &[OfferedCurrency] {
        &self.others
    }

    /// The codes, the base currency first.
    pub fn codes(&self) -> impl Iterator<Item = Currency> {
        [self.base].into_iter().chain(self.others.iter().map(|other| other.currency))
    }

    /// `None` for a currency that the shop does not offer.
    pub fn exchange(&self, currency: Currency) -> Option<Exchange> {
        if currency == self.base {
            return Some(self.in_base());
        }
        let offered = self.others.iter().find(|other| other.currency == currency)?;
        let OfferedCurrency { rate, rounding, .. } = *offered;
        Some(Exchange { base: self.base, currency, rate, rounding })
    }

    /// The same by its code, which a stranger may have written.
    pub fn offered(&self, code: &str) -> Option<Exchange> {
        let currency = self.codes().find(|currency| currency.code() == code)?;
        self.exchange(currency)
    }

    pub fn in_base(&self) -> Exchange {
        Exchange::base(self.base)
    }

    /// A page is shown in the currency of the visitor's cookie where the shop offers it. A program that asks for one that
    /// is not offered gets an error, because it would take the numbers for another currency's.
    pub fn of_request(&self, url: &Uri, headers: &HeaderMap) -> Result<Exchange> {
        let is_api = url.path().starts_with("/api/") && url.path() != "/api/docs";
        if !is_api {
            let cookies =
                headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
            let mut pairs = cookies.flat_map(|cookies| cookies.split(';'));
            let chosen =
                pairs.find_map(|pair| self.offered(pair.trim().strip_prefix("currency=")?));
            return Ok(chosen.unwrap_or(self.in_base()));
        }
        let mut pairs = url.query().unwrap_or_default().split('&');
        let in_query = pairs.find_map(|pair| pair.strip_prefix("currency="));
        let header = headers.get(CURRENCY_HEADER).map(|header| header.to_str().unwrap_or_default());
        let Some(code) = in_query.or(header) else { return Ok(self.in_base()) };
        self.offered(code).ok_or_else(|| self.unknown_currency("currency").into())
    }

    /// The error of a field with a currency that is not offered.
    pub fn unknown_currency(&self, field: &'static str) -> Field {
        let codes: Vec<String> = self.codes().map(|currency| currency.to_string()).collect();
        let codes = codes.join(", ");
        Field::new(field, "unknown_currency", format!("one of {codes}")).with("currencies", codes)
    }
}

/// The base currency as a setting.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct BaseCurrencySetting {
    /// The currency of the shop's prices and books, which cannot be changed later [default: USD]
    #[arg(long, env = "HAAT_CURRENCY", value_name = "CODE", help_heading = "The shop")]
    pub currency: Option<Currency>,
}

/// The currencies of the shop, as settings.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(id = "currency_settings")]
pub struct CurrencySettings {
    #[command(flatten)]
    pub base: BaseCurrencySetting,
    /// Other currencies that shoppers can choose, each with its rate and, if wished, the step that prices are rounded
    /// to and the day of the rate: "BDT=120.5 to 10 on 2026-11-01, EUR=0.92 to .99"; "none" for none [default: with
    /// prices in USD, BDT at bdt_rate]
    #[arg(long, env = "HAAT_CURRENCIES", value_name = "LIST", help_heading = "The shop")]
    pub currencies: Option<OfferedCurrencies>,
    /// Taka per US dollar, where the setting currencies is not used [default: 120.5]
    #[arg(long, env = "HAAT_BDT_RATE", value_name = "RATE", help_heading = "The shop")]
    pub bdt_rate: Option<ExchangeRate>,
}

/// A list of currencies, separated by commas, or `none`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfferedCurrencies(Vec<OfferedCurrency>);

impl FromStr for OfferedCurrencies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let items =
            text.split(',').map(str::trim).filter(|item| !item.is_empty() && *item != "none");
        items.map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl CurrencySettings {
    /// With the base currency of the database, which the setting agrees with.
    pub fn currencies(&self, base: Currency) -> Result<Currencies, String> {
        let others = match (&self.currencies, self.bdt_rate) {
            (None, rate) if base == Currency::USD => {
                let bdt: OfferedCurrency = "BDT=120.5".parse()?;
                vec![OfferedCurrency { rate: rate.unwrap_or(bdt.rate), ..bdt }]
            }
            (_, Some(_)) => {
                return Err("bdt_rate: currencies names the rates; without it, and with prices in USD, bdt_rate is that \
                            of BDT"
                    .into());
            }
            (listed, None) => listed.clone().unwrap_or_default().0,
        };
        Currencies::new(base, others)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exchange(base: &str, offered: &str) -> Exchange {
        let offered: OfferedCurrency = offered.parse().unwrap();
        let currencies = Currencies::new(base.parse().unwrap(), vec![offered]).unwrap();
        currencies.exchange(offered.currency).unwrap()
    }

    fn exchanges() -> impl Strategy<Value = Exchange> {
        let bases = proptest::sample::select(vec!["USD", "JPY", "KWD"]);
        let others = proptest::sample::select(vec![
            ("BDT", "1"),
            ("BDT", "5"),
            ("BDT", "10"),
            ("BDT", ".99"),
            ("EUR", ".99"),
            ("EUR", "0.05"),
            ("EUR", "0.01"),
            ("KRW", "10"),
            ("BHD", "0.005"),
            ("BHD", ".99"),
        ]);
        (bases, others, 1i64..=50_000_000_000).prop_map(|(base, (code, to), rate)| {
            exchange(base, &format!("{code}={} to {to}", ExchangeRate(rate)))
        })
    }

    proptest! {
        /// So that a filter by price and the order by price need no rate.
        #[test]
        fn a_higher_price_is_never_shown_as_a_lower_one(
            to in exchanges(), one in 0i64..10_000_000_000, more in 0i64..100_000,
        ) {
            let shown = |minor| to.price(Money::new(minor, to.base));
            prop_assert!(shown(one) <= shown(one + more));
            prop_assert_eq!(shown(one).minor() == 0, one == 0);
        }

        #[test]
        fn the_base_prices_between_the_bounds_are_those_that_are_shown_so(
            to in exchanges(), base in 0i64..1_000_000, off in -2i64..=2,
        ) {
            let price = |minor| to.price(Money::new(minor, to.base));
            let bound = Money::new((price(base).minor() + off).max(0), to.currency);
            let (lowest, highest) = (to.lowest_base_of(bound), to.highest_base_of(bound));
            prop_assert_eq!(base >= lowest.minor(), price(base) >= bound);
            prop_assert_eq!(base <= highest.minor(), price(base) <= bound);
        }

        /// Store credit that is spent as a whole is debited at most as a whole.
        #[test]
        fn what_an_amount_pays_for_costs_no_more(to in exchanges(), base in 0i64..10_000_000_000) {
            let base = Money::new(base, to.base);
            prop_assert!(to.debit(to.worth(base)) <= base);
        }

        #[test]
        fn rates_round_trip(rate in 1..=MAX_RATE) {
            prop_assert_eq!(ExchangeRate(rate).to_string().parse(), Ok(ExchangeRate(rate)));
        }
    }

    #[test]
    fn prices_are_converted_and_rounded_by_the_rule() {
        let price = |base: &str, offered: &str, minor| {
            let to = exchange(base, offered);
            to.price(Money::new(minor, to.base)).to_string()
        };
        assert_eq!(price("USD", "BDT=120.5", 1055), "৳1,271");
        assert_eq!(price("USD", "BDT=120.5 to 10", 1055), "৳1,270");
        assert_eq!(price("USD", "BDT=120.5 to 5", 1), "৳5");
        assert_eq!(price("USD", "EUR=0.92", 1055), "€9.71");
        assert_eq!(price("USD", "EUR=0.92 to .99", 1055), "€9.99");
        assert_eq!(price("USD", "EUR=0.92 to .99", 1), "€0.99");
        assert_eq!(price("USD", "EUR=0.92 to .99", 0), "€0.00");
        assert_eq!(price("USD", "JPY=151.25 to 10", 1055), "¥1,600");
        assert_eq!(price("USD", "KWD=0.307", 1055), "KWD\u{a0}3.239");
        assert_eq!(price("JPY", "USD=0.0066", 1500), "$9.90");
        assert_eq!(price("KWD", "USD=3.25", 1001), "$3.25");
    }

    #[test]
    fn offered_currencies_are_parsed_and_wrong_ones_refused() {
        let parsed: OfferedCurrencies = "BDT=120.5 to 10 on 2026-11-01, EUR=0.92".parse().unwrap();
        assert_eq!(parsed.0.len(), 2);
        assert_eq!(parsed.0[0].dated, Timestamp::parse("2026-11-01T00:00:00Z"));
        assert_eq!("none".parse::<OfferedCurrencies>(), Ok(OfferedCurrencies::default()));
        for wrong in [
            "BDT",
            "BDT=",
            "BDT=0",
            "BDT=-1",
            "BDT=x",
            "XYZ=1",
            "bdt=1",
            "BDT=120.5 to 0",
            "BDT=1 to 0.001",
            "JPY=150 to .99",
            "BDT=1 on tomorrow",
            "BDT=1000001",
            "BDT=0.000000001",
        ] {
            assert!(wrong.parse::<OfferedCurrencies>().is_err(), "{wrong}");
        }
        let twice = |codes: &str| {
            Currencies::new(Currency::USD, codes.parse::<OfferedCurrencies>().unwrap().0).is_err()
        };
        assert!(twice("USD=1") && twice("BDT=1,BDT=2") && !twice("BDT=1,EUR=2"));
    }

    #[test]
    fn a_page_has_the_currency_of_the_cookie_and_an_api_call_that_of_its_query_or_header() {
        let bdt = vec!["BDT=120.5".parse().unwrap()];
        let currencies = Currencies::new(Currency::USD, bdt).unwrap();
        let found = |url: &'static str, header: &[(&'static str, &'static str)]| {
            let headers = header
                .iter()
                .map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
            let found = currencies.of_request(&Uri::from_static(url), &headers.collect());
            found.map(|to| to.currency.to_string()).map_err(|why| why.reason().0)
        };
        let (usd, bdt) = (Ok("USD".to_owned()), Ok("BDT".to_owned()));
        for (url, headers, wanted) in [
            ("/", &[][..], &usd),
            ("/cart", &[("cookie", "a=b; currency=BDT")], &bdt),
            ("/cart", &[("cookie", "currency=EUR")], &usd),
            ("/cart?currency=BDT", &[("x-currency", "BDT")], &usd),
            ("/api/docs", &[("cookie", "currency=BDT")], &bdt),
            ("/api/products", &[("cookie", "currency=BDT")], &usd),
            ("/api/products?limit=1&currency=BDT", &[("x-currency", "USD")], &bdt),
            ("/api/products", &[("x-currency", "BDT")], &bdt),
            ("/api/products", &[("x-currency", "EUR")], &Err("unknown_currency")),
            ("/api/products?currency=", &[], &Err("unknown_currency")),
        ] {
            assert_eq!(&found(url, headers), wanted, "{url} {headers:?}");
        }
    }
}

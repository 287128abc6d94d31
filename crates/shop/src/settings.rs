//! Settings of the whole shop: its name and contact details, and data retention. A module's own settings
//! are in that module.

use std::time::Duration;

use messages::Messages;
use platform::{EmailAddress, Language};
use serde::{Deserialize, Serialize};

/// How long personal data is stored. Older data is deleted automatically, and the privacy page states
/// these periods.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Data retention")]
#[group(id = "retention")]
pub struct Retention {
    /// Delete messages from the contact form after this time
    #[arg(long, env = "HAAT_KEEP_MESSAGES", value_name = "DAYS", default_value_t = 365, value_parser = days())]
    pub keep_messages: u32,
    /// Delete unconfirmed newsletter subscriptions after this time
    #[arg(long, env = "HAAT_KEEP_UNCONFIRMED", value_name = "DAYS", default_value_t = 7, value_parser = days())]
    pub keep_unconfirmed: u32,
    /// Anonymize orders after this time: name, e-mail address, phone number, address
    #[arg(long, env = "HAAT_KEEP_ORDERS", value_name = "YEARS", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(1..=100))]
    pub keep_orders: u32,
    /// Delete security events of accounts after this time
    #[arg(long, env = "HAAT_KEEP_EVENTS", value_name = "DAYS", default_value_t = 400, value_parser = days())]
    pub keep_events: u32,
    /// Delete unused sign-in sessions after this time
    #[arg(long, env = "HAAT_KEEP_SIGN_INS", value_name = "DAYS", default_value_t = 400, value_parser = days())]
    pub keep_sign_ins: u32,
    /// Delete e-mails and text messages that could not be sent, or that a demo shop stores, after this time
    #[arg(long, env = "HAAT_KEEP_LETTERS", value_name = "DAYS", default_value_t = 30, value_parser = days())]
    pub keep_letters: u32,
}

fn days() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=36_500)
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            keep_messages: 365,
            keep_unconfirmed: 7,
            keep_orders: 6,
            keep_events: 400,
            keep_sign_ins: 400,
            keep_letters: 30,
        }
    }
}

impl Retention {
    pub const NAMES: [&str; 6] =
        ["messages", "unconfirmed", "orders", "events", "sign_ins", "letters"];

    fn days(&self, name: &str) -> Option<u32> {
        Some(match name {
            "messages" => self.keep_messages,
            "unconfirmed" => self.keep_unconfirmed,
            "orders" => self.keep_orders * 365,
            "events" => self.keep_events,
            "sign_ins" => self.keep_sign_ins,
            "letters" => self.keep_letters,
            _ => return None,
        })
    }

    /// A period in words: "12 months".
    pub fn describe(&self, name: &str, language: Language) -> Option<String> {
        Some(match self.days(name)? {
            365 => Messages::text(language, "server.months", &[("months", &12)]),
            days if days % 365 == 0 => {
                Messages::text(language, "server.years", &[("years", &(days / 365))])
            }
            days => Messages::text(language, "server.days", &[("days", &days)]),
        })
    }
}

pub fn duration_of_days(days: u32) -> Duration {
    Duration::from_secs(u64::from(days) * 24 * 3600)
}

/// The shop's name and contact details. Empty ones are left out of pages, e-mails and invoices.
#[derive(Clone, Debug, Serialize, Deserialize, clap::Args)]
pub struct ShopProfile {
    /// The shop's name
    #[arg(long, env = "HAAT_SHOP_NAME", default_value = DEFAULT_NAME, help_heading = HEADING)]
    pub shop_name: String,
    /// A description of the shop in one sentence
    #[arg(long, env = "HAAT_TAGLINE", default_value = "", hide_default_value = true,
          help_heading = HEADING)]
    pub tagline: String,
    /// The phone number for customers
    #[arg(long, env = "HAAT_PHONE", default_value = "", hide_default_value = true,
          help_heading = HEADING)]
    pub phone: String,
    /// The e-mail address for customers; it also receives notices of orders and the contact form's messages
    #[arg(long, env = "HAAT_EMAIL", default_value = "", hide_default_value = true,
          value_parser = address_or_none, help_heading = HEADING)]
    pub email: String,
    /// The shop's postal address, for invoices and pages
    #[arg(long, env = "HAAT_ADDRESS", default_value = "", hide_default_value = true,
          help_heading = HEADING)]
    pub address: String,
    /// The shop's tax number, for invoices; in Bangladesh the BIN
    #[arg(long, env = "HAAT_TAX_NUMBER", default_value = "", hide_default_value = true,
          value_parser = tax_number, help_heading = HEADING)]
    #[serde(default)]
    pub tax_number: String,
}

const HEADING: &str = "The shop";
const DEFAULT_NAME: &str = "My shop";

const MAX_TAX_NUMBER_CHARS: usize = 50;

fn tax_number(text: &str) -> Result<String, String> {
    match text.chars().count() > MAX_TAX_NUMBER_CHARS || text.contains(char::is_control) {
        true => Err(format!("at most {MAX_TAX_NUMBER_CHARS} characters in one line are allowed")),
        false => Ok(text.trim().to_owned()),
    }
}

fn address_or_none(text: &str) -> Result<String, String> {
    match text {
        "" => Ok(String::new()),
        text => text.parse::<EmailAddress>().map(String::from).map_err(|why| why.to_string()),
    }
}

impl ShopProfile {
    /// Fills unset details with those of the demo shop.
    pub fn with_demo_defaults(self) -> Self {
        let demo = Self {
            shop_name: "Haat".into(),
            tagline: "Good things for the everyday, chosen with care.".into(),
            phone: "+880 1700 000 000".into(),
            email: "hello@haat.example".into(),
            address: "12 Market Lane, Dhaka 1207, Bangladesh".into(),
            tax_number: String::new(),
        };
        self.with_defaults(&demo)
    }

    /// Fills unset details.
    pub fn with_defaults(mut self, other: &Self) -> Self {
        if self.shop_name == DEFAULT_NAME {
            self.shop_name.clone_from(&other.shop_name);
        }
        for (setting, default) in [
            (&mut self.tagline, &other.tagline),
            (&mut self.phone, &other.phone),
            (&mut self.email, &other.email),
            (&mut self.address, &other.address),
            (&mut self.tax_number, &other.tax_number),
        ] {
            if setting.is_empty() {
                setting.clone_from(default);
            }
        }
        self
    }

    /// The tagline, or the name where there is none.
    pub fn description(&self) -> &str {
        if self.tagline.is_empty() { &self.shop_name } else { &self.tagline }
    }

    /// The names of the settings that are not set.
    pub fn unset(&self) -> Vec<&'static str> {
        let settings = [
            ("shop_name", self.shop_name == DEFAULT_NAME),
            ("tagline", self.tagline.is_empty()),
            ("phone", self.phone.is_empty()),
            ("email", self.email.is_empty()),
            ("address", self.address.is_empty()),
        ];
        settings.into_iter().filter(|(_, unset)| *unset).map(|(name, _)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn retention_defaults_are_described_in_words_and_match_the_command_line() {
        #[derive(clap::Parser)]
        struct Alone {
            #[command(flatten)]
            retention: Retention,
        }
        let parsed = Alone::try_parse_from(["haat"]).unwrap().retention;
        let described = |retention: &Retention, language| {
            Retention::NAMES.map(|name| retention.describe(name, language).unwrap())
        };
        let (en, bn) = (Language::ENGLISH, "bn".parse().unwrap());
        assert_eq!(described(&parsed, en), described(&Retention::default(), en));
        let wanted = ["12 months", "7 days", "6 years", "400 days", "400 days", "30 days"];
        assert_eq!(described(&parsed, en), wanted);
        let wanted = ["১২ মাস", "৭ দিন", "৬ বছর", "৪০০ দিন", "৪০০ দিন", "৩০ দিন"];
        assert_eq!(described(&parsed, bn), wanted);
        let short = Retention { keep_messages: 1, ..parsed };
        assert_eq!(short.describe("messages", en).unwrap(), "one day");
        for bad in ["0", "-1", "36501", "x"] {
            assert!(Alone::try_parse_from(["haat", "--keep-messages", bad]).is_err(), "{bad}");
        }
    }
}

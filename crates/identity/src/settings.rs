//! Settings of the identity service: project id, API key, limits.

use std::collections::BTreeMap;

use email::sms_limits::SmsLimits;
use platform::{Language, Languages};

pub const DEFAULT_PROJECT: &str = "haat";

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Sign-in")]
#[group(id = "identity")]
pub struct ProjectSettings {
    /// The project id in tokens and SDK calls; not a secret
    #[arg(long, env = "HAAT_PROJECT_ID", default_value = DEFAULT_PROJECT)]
    pub project_id: String,
    /// The API key of SDK clients, such as the storefront; not a secret
    #[arg(long, env = "HAAT_API_KEY", default_value = "haat-storefront")]
    pub api_key: String,
    #[arg(long, env = "HAAT_PROJECT_NUMBER", default_value = "1", hide = true)]
    pub project_number: String,
    /// Other hosts whose pages may use sign-in, and to which links in e-mails may lead, separated by commas
    #[arg(long, env = "HAAT_AUTHORIZED_DOMAINS", value_delimiter = ',')]
    pub authorized_domains: Vec<String>,
    /// Allow anonymous accounts, without e-mail address and password [default: false in haat serve, true
    /// in haat identity]
    #[arg(long, env = "HAAT_ANONYMOUS_SIGN_IN", value_name = "BOOL")]
    pub anonymous_sign_in: Option<bool>,
    /// How many accounts one network may create per hour
    #[arg(long, env = "HAAT_SIGN_UPS_PER_HOUR", value_name = "N", default_value_t = 30)]
    pub sign_ups_per_hour: u32,
    /// How many text messages one network may request per hour
    #[arg(
        long,
        env = "HAAT_SMS_PER_HOUR",
        value_name = "N",
        default_value_t = 8,
        help_heading = "Text messages"
    )]
    pub sms_per_hour: u32,
    /// Send text messages only to countries with these calling codes: +880,+91 [default: all, at most
    /// 100 an hour to each]
    #[arg(
        long,
        env = "HAAT_SMS_COUNTRIES",
        value_name = "PREFIXES",
        value_delimiter = ',',
        value_parser = calling_code,
        help_heading = "Text messages"
    )]
    pub sms_countries: Vec<String>,
}

impl ProjectSettings {
    pub fn sms_limits(&self) -> SmsLimits {
        SmsLimits::new(self.sms_per_hour, self.sms_countries.clone())
    }
}

fn calling_code(text: &str) -> Result<String, String> {
    let text = text.trim();
    let digits = text.strip_prefix('+').unwrap_or_default();
    let valid = (1..=7).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if valid { Ok(text.to_owned()) } else { Err("expected a calling code like +880".into()) }
}

/// The site that the service belongs to, for links and e-mails.
#[derive(Clone, Debug)]
pub struct Site {
    pub origin: String,
    pub shop_name: String,
    /// The shop's name in other languages, where it has one.
    pub translated_names: BTreeMap<Language, String>,
    /// Of its pages, e-mails and text messages.
    pub languages: Languages,
    /// Whether text messages can be sent.
    pub sends_sms: bool,
}

impl Site {
    pub fn shop_name(&self, language: Language) -> &str {
        self.translated_names.get(&language).unwrap_or(&self.shop_name)
    }

    /// The URL of a page in a language.
    pub fn url(&self, language: Language, path: &str) -> String {
        format!("{}{}", self.origin, self.languages.localize(language, path))
    }
}

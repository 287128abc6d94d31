//! What the project is: its name, its key, its rules.

use serde_json::{Value, json};

use crate::Identity;
use crate::emulator::Emulator;
use crate::passwords;
use crate::protocol::{Answer, Body, refuse};

pub const DEFAULT_PROJECT: &str = "haat";

#[derive(Clone, Debug, clap::Args)]
#[group(id = "identity")]
pub struct Settings {
    /// The project that tokens are issued for
    #[arg(long, env = "HAAT_PROJECT_ID", default_value = DEFAULT_PROJECT, help_heading = "Sign-in")]
    pub project_id: String,
    /// The key that the storefront names itself with; not a secret
    #[arg(long, env = "HAAT_API_KEY", default_value = "haat-storefront", help_heading = "Sign-in")]
    pub api_key: String,
    #[arg(long, env = "HAAT_PROJECT_NUMBER", default_value = "1", hide = true)]
    pub project_number: String,
    /// Further hosts whose pages may use sign-in, separated by commas
    #[arg(long, env = "HAAT_AUTHORIZED_DOMAINS", value_delimiter = ',', help_heading = "Sign-in")]
    pub authorized_domains: Vec<String>,
    /// Accounts without an address or a password [default: false in haat serve, true in haat identity]
    #[arg(long, env = "HAAT_ANONYMOUS_SIGN_IN", value_name = "BOOL", help_heading = "Sign-in")]
    pub anonymous_sign_in: Option<bool>,
    /// How many accounts one network may make in an hour
    #[arg(
        long,
        env = "HAAT_SIGN_UPS_PER_HOUR",
        value_name = "N",
        default_value_t = 30,
        help_heading = "Sign-in"
    )]
    pub sign_ups_per_hour: u32,
    /// How many text messages one network may ask for in an hour
    #[arg(
        long,
        env = "HAAT_SMS_PER_HOUR",
        value_name = "N",
        default_value_t = 8,
        help_heading = "Text messages"
    )]
    pub sms_per_hour: u32,
    /// The only countries that text messages go to, by their prefixes: +880,+91 [default: all]
    #[arg(
        long,
        env = "HAAT_SMS_COUNTRIES",
        value_name = "PREFIXES",
        value_delimiter = ',',
        value_parser = prefix,
        help_heading = "Text messages"
    )]
    pub sms_countries: Vec<String>,
}

/// The beginning of phone numbers.
fn prefix(text: &str) -> Result<String, String> {
    let text = text.trim();
    let digits = text.strip_prefix('+').unwrap_or_default();
    let fits = (1..=7).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if fits { Ok(text.to_owned()) } else { Err("a prefix like +880 is wanted".into()) }
}

impl Identity {
    /// `GET v1/projects`
    pub fn project(&self) -> Value {
        let mut domains = vec!["localhost".to_owned()];
        if !self.is_lax() {
            domains.push("127.0.0.1".to_owned());
        }
        domains.extend(self.settings.authorized_domains.iter().cloned());
        json!({ "projectId": self.settings.project_number, "authorizedDomains": domains })
    }

    /// `GET v2/projects/{p}/config`
    pub fn config(&self) -> Value {
        let private = json!({
            "signIn": { "allowDuplicateEmails": false },
            "emailPrivacyConfig": { "enableImprovedEmailPrivacy": true },
        });
        self.emulator().map_or(private, Emulator::config)
    }

    /// `PATCH v2/projects/{p}/config`: an emulator can be told. The service does as its settings say, so
    /// it takes only what changes nothing.
    pub fn update_config(&self, given: &Body, mask: Option<&str>) -> Answer {
        if let Some(emulator) = self.emulator() {
            return emulator.update_config(given, mask);
        }
        let (config, given) = (self.config(), Value::Object(given.fields().clone()));
        let named: Vec<String> = match mask {
            Some(mask) => mask.split(',').map(str::to_owned).collect(),
            None => given.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect(),
        };
        let at = |config: &Value, path: &str| {
            config.pointer(&format!("/{}", path.replace('.', "/"))).cloned()
        };
        if named.iter().any(|path| at(&given, path) != at(&config, path)) {
            return refuse("OPERATION_NOT_ALLOWED : The server's settings decide this.");
        }
        Ok(config)
    }

    /// `GET v2/passwordPolicy`: the shop's rule; an emulator asks for six characters only.
    pub fn password_policy(&self) -> Value {
        let special: Vec<String> = passwords::SPECIAL.chars().map(String::from).collect();
        let strict = !self.is_lax();
        let shortest = if strict { passwords::SHORTEST } else { passwords::SHORTEST_OF_PROTOCOL };
        let mut options = json!({
            "minPasswordLength": shortest,
            "maxPasswordLength": passwords::LONGEST,
        });
        if strict {
            for part in ["Uppercase", "Numeric", "NonAlphanumeric"] {
                options[format!("contains{part}Character")] = true.into();
            }
        }
        json!({
            "customStrengthOptions": options,
            "allowedNonAlphanumericCharacters": special,
            "enforcementState": if strict { "ENFORCE" } else { "OFF" },
            "forceUpgradeOnSignin": false,
            "schemaVersion": 1,
        })
    }
}

/// `GET v2/recaptchaConfig`: none is asked for.
pub fn recaptcha_config() -> Value {
    json!({
        "recaptchaKey": "projects/haat/keys/none",
        "recaptchaEnforcementState": [
            { "provider": "EMAIL_PASSWORD_PROVIDER", "enforcementState": "OFF" },
            { "provider": "PHONE_PROVIDER", "enforcementState": "OFF" },
        ],
    })
}

/// `GET v1/recaptchaParams`, which older SDKs ask for.
pub fn recaptcha_params() -> Value {
    json!({
        "kind": "identitytoolkit#GetRecaptchaParamResponse",
        "recaptchaStoken": "none",
        "recaptchaSiteKey": "none",
    })
}

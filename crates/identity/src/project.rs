//! Project settings and configuration: project id, API key, limits, password policy.

use serde_json::{Value, json};

use crate::Identity;
use crate::emulator::Emulator;
use crate::passwords;
use crate::protocol::{ApiFields, ApiResult, refuse};

pub const DEFAULT_PROJECT: &str = "haat";

#[derive(Clone, Debug, clap::Args)]
#[group(id = "identity")]
pub struct Settings {
    /// The project that tokens are issued for
    #[arg(long, env = "HAAT_PROJECT_ID", default_value = DEFAULT_PROJECT, help_heading = "Sign-in")]
    pub project_id: String,
    /// The storefront's API key; not a secret
    #[arg(long, env = "HAAT_API_KEY", default_value = "haat-storefront", help_heading = "Sign-in")]
    pub api_key: String,
    #[arg(long, env = "HAAT_PROJECT_NUMBER", default_value = "1", hide = true)]
    pub project_number: String,
    /// Other hosts whose pages may use sign-in, separated by commas
    #[arg(long, env = "HAAT_AUTHORIZED_DOMAINS", value_delimiter = ',', help_heading = "Sign-in")]
    pub authorized_domains: Vec<String>,
    /// Allow anonymous accounts, without e-mail address and password [default: false in haat serve, true
    /// in haat identity]
    #[arg(long, env = "HAAT_ANONYMOUS_SIGN_IN", value_name = "BOOL", help_heading = "Sign-in")]
    pub anonymous_sign_in: Option<bool>,
    /// How many accounts one network may create per hour
    #[arg(
        long,
        env = "HAAT_SIGN_UPS_PER_HOUR",
        value_name = "N",
        default_value_t = 30,
        help_heading = "Sign-in"
    )]
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
    /// Send text messages only to countries with these calling codes: +880,+91 [default: all]
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

fn calling_code(text: &str) -> Result<String, String> {
    let text = text.trim();
    let digits = text.strip_prefix('+').unwrap_or_default();
    let valid = (1..=7).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if valid { Ok(text.to_owned()) } else { Err("expected a calling code like +880".into()) }
}

impl Identity {
    /// `GET v1/projects`
    pub fn project(&self) -> Value {
        let mut domains = vec!["localhost".to_owned()];
        if !self.is_emulator() {
            domains.push("127.0.0.1".to_owned());
        }
        domains.extend(self.settings.authorized_domains.iter().cloned());
        json!({ "projectId": self.settings.project_number, "authorizedDomains": domains })
    }

    /// `GET v2/projects/{p}/config`
    pub fn config(&self) -> Value {
        let config = json!({
            "signIn": { "allowDuplicateEmails": false },
            "emailPrivacyConfig": { "enableImprovedEmailPrivacy": true },
        });
        self.emulator().map_or(config, Emulator::config)
    }

    /// `PATCH v2/projects/{p}/config`: an emulator can be configured by it. The service is configured by
    /// its settings, so it only accepts a request that changes nothing.
    pub fn update_config(&self, given: &ApiFields, mask: Option<&str>) -> ApiResult {
        if let Some(emulator) = self.emulator() {
            return emulator.update_config(given, mask);
        }
        let (config, given) = (self.config(), Value::Object(given.as_map().clone()));
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

    /// `GET v2/passwordPolicy`; an emulator requires six characters only.
    pub fn password_policy(&self) -> Value {
        let special: Vec<String> = passwords::SPECIAL_CHARS.chars().map(String::from).collect();
        let enforced = !self.is_emulator();
        let min_length = if enforced { passwords::MIN_LENGTH } else { passwords::PROTOCOL_MIN };
        let mut options = json!({
            "minPasswordLength": min_length,
            "maxPasswordLength": passwords::MAX_LENGTH,
        });
        if enforced {
            for part in ["Uppercase", "Numeric", "NonAlphanumeric"] {
                options[format!("contains{part}Character")] = true.into();
            }
        }
        json!({
            "customStrengthOptions": options,
            "allowedNonAlphanumericCharacters": special,
            "enforcementState": if enforced { "ENFORCE" } else { "OFF" },
            "forceUpgradeOnSignin": false,
            "schemaVersion": 1,
        })
    }
}

/// `GET v2/recaptchaConfig`: reCAPTCHA is off.
pub fn recaptcha_config() -> Value {
    json!({
        "recaptchaKey": "projects/haat/keys/none",
        "recaptchaEnforcementState": [
            { "provider": "EMAIL_PASSWORD_PROVIDER", "enforcementState": "OFF" },
            { "provider": "PHONE_PROVIDER", "enforcementState": "OFF" },
        ],
    })
}

/// `GET v1/recaptchaParams`, which older SDKs call.
pub fn recaptcha_params() -> Value {
    json!({
        "kind": "identitytoolkit#GetRecaptchaParamResponse",
        "recaptchaStoken": "none",
        "recaptchaSiteKey": "none",
    })
}

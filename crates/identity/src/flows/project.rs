//! Project configuration: authorized domains, e-mail privacy, password policy.

use serde_json::{Value, json};

use crate::passwords;
use crate::services::Services;
use crate::wire::{ApiFields, ApiResult, refuse};

/// `GET v1/projects`
pub fn project(identity: &Services) -> Value {
    let mut domains = vec!["localhost".to_owned()];
    if !identity.is_emulator() {
        domains.push("127.0.0.1".to_owned());
    }
    domains.extend(identity.settings.authorized_domains.iter().cloned());
    json!({ "projectId": identity.settings.project_number, "authorizedDomains": domains })
}

/// `GET v2/projects/{p}/config`
pub fn config(identity: &Services) -> Value {
    let config = json!({
        "signIn": { "allowDuplicateEmails": false },
        "emailPrivacyConfig": { "enableImprovedEmailPrivacy": true },
    });
    identity.emulator().map_or(config, |emulator| emulator.config.all())
}

/// `PATCH v2/projects/{p}/config`: an emulator can be configured by it. The service is configured by
/// its settings, so it only accepts a request that changes nothing.
pub fn update_config(identity: &Services, given: &ApiFields, mask: Option<&str>) -> ApiResult {
    if let Some(emulator) = identity.emulator() {
        emulator.config.update(given, mask)?;
        return Ok(emulator.config.all());
    }
    let (config, given) = (config(identity), Value::Object(given.as_map().clone()));
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
pub fn password_policy(identity: &Services) -> Value {
    let special: Vec<String> = passwords::SPECIAL_CHARS.chars().map(String::from).collect();
    let enforced = !identity.is_emulator();
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

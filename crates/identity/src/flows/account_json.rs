//! Accounts as the protocol reads and writes them, in JSON.

use platform::Timestamp;
use platform::text::clean_name;
use serde_json::Value;

use crate::accounts::{Account, AccountId, Factor, LinkedProvider};
use crate::codes::phone::phone_number;
use crate::emulator_mode::fake_hash;
use crate::services::Services;
use crate::wire::{ApiError, ApiFields, ApiResult, REDACTED, json_object, refuse};

pub const MAX_NAME: usize = 256;

/// An account as the API returns it.
pub fn account_json(identity: &Services, account: &Account) -> Value {
    let millis = |at: Timestamp| Value::from(at.0.to_string());
    let factors: Vec<Value> = account.factors.iter().map(Factor::json).collect();
    let (hash, salt) = visible_hash(identity, account).unzip();
    let screen_name = account.providers.iter().find_map(|provider| provider.screen_name.clone());
    json_object([
        ("localId", Some(account.id.as_str().into())),
        ("email", account.email.clone().map(Value::from)),
        ("emailVerified", account.email_verified.map(Value::from)),
        ("displayName", account.display_name.clone().map(Value::from)),
        ("photoUrl", account.photo_url.clone().map(Value::from)),
        ("screenName", screen_name.map(Value::from)),
        ("phoneNumber", account.phone_number.clone().map(Value::from)),
        ("passwordHash", hash.map(Value::from)),
        ("salt", salt.flatten().map(Value::from)),
        ("passwordUpdatedAt", account.password_updated_at.map(|at| at.0.into())),
        ("initialEmail", account.initial_email.clone().map(Value::from)),
        ("customAttributes", account.custom_attributes.clone().map(Value::from)),
        ("customAuth", account.custom_auth.then(|| true.into())),
        ("emailLinkSignin", account.email_link.then(|| true.into())),
        ("disabled", account.disabled.then(|| true.into())),
        ("validSince", valid_since(account)),
        ("createdAt", Some(millis(account.created_at))),
        ("lastLoginAt", account.last_login_at.map(millis)),
        ("lastRefreshAt", account.last_refresh_at.map(|at| at.to_string().into())),
        ("providerUserInfo", account.listed_providers()),
        ("mfaInfo", (account.factors_withdrawn || !factors.is_empty()).then(|| factors.into())),
    ])
}

/// Password hash and salt as the API returns them: redacted, except by an emulator.
fn visible_hash(identity: &Services, account: &Account) -> Option<(String, Option<String>)> {
    let hash = account.password_hash.as_ref()?;
    Some(match identity.emulator() {
        Some(_emulator) => fake_hash::visible(hash),
        None => (REDACTED.to_owned(), None),
    })
}

/// In seconds, as the protocol has it.
fn valid_since(account: &Account) -> Option<Value> {
    let seconds = account.valid_since.0 / 1000;
    (seconds > 0).then(|| seconds.to_string().into())
}

/// The response to an update.
pub fn update_response(identity: &Services, account: &Account) -> Value {
    let hash = visible_hash(identity, account).map(|(hash, _)| hash);
    json_object([
        ("kind", Some("identitytoolkit#SetAccountInfoResponse".into())),
        ("localId", Some(account.id.as_str().into())),
        ("email", account.email.clone().map(Value::from)),
        ("emailVerified", account.email_verified.map(Value::from)),
        ("displayName", account.display_name.clone().map(Value::from)),
        ("photoUrl", account.photo_url.clone().map(Value::from)),
        ("passwordHash", hash.map(Value::from)),
        ("providerUserInfo", account.listed_providers()),
    ])
}

pub fn display_name(body: &ApiFields) -> ApiResult<Option<String>> {
    match body.string("displayName")? {
        Some(name) if name.chars().count() > MAX_NAME => {
            refuse("INVALID_DISPLAY_NAME : At most 256 characters.")
        }
        name => Ok(name.map(|name| clean_name(name, MAX_NAME))),
    }
}

/// Parses a linked provider; `None` if its id is incomplete.
pub fn linked_provider(info: &ApiFields) -> ApiResult<Option<LinkedProvider>> {
    let (id, raw_id) = (info.filled("providerId")?, info.filled("rawId")?);
    let text = |name: &str| Ok::<_, ApiError>(info.filled(name)?.map(str::to_owned));
    let Some((id, raw_id)) = id.zip(raw_id) else { return Ok(None) };
    Ok(Some(LinkedProvider {
        provider_id: id.to_owned(),
        raw_id: raw_id.to_owned(),
        federated_id: text("federatedId")?,
        email: text("email")?,
        display_name: text("displayName")?,
        photo_url: text("photoUrl")?,
        screen_name: text("screenName")?,
    }))
}

/// Where the ids of second factors in an admin's request come from.
#[derive(Clone, Copy, PartialEq)]
pub enum FactorIds {
    Generated,
    /// From the request, which must contain them.
    Provided,
    ProvidedOrGenerated,
}

/// Parses second factors; a repeated phone number is ignored.
pub fn parse_mfa(identity: &Services, mfa: &[ApiFields], ids: FactorIds) -> ApiResult<Vec<Factor>> {
    let (now, mut factors) = (identity.clock.now(), Vec::<Factor>::new());
    for info in mfa {
        let factor = parse_factor(info, now)?;
        if factors.iter().any(|known| known.phone_number == factor.phone_number) {
            continue;
        }
        let given = info.filled("mfaEnrollmentId")?.filter(|_| ids != FactorIds::Generated);
        let id = match given {
            Some(given) => given.to_owned(),
            None if ids == FactorIds::Provided => {
                return refuse("INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined.");
            }
            None => AccountId::new(&identity.clock, &identity.random).as_str().to_owned(),
        };
        if factors.iter().any(|known| known.id == id) {
            return refuse("DUPLICATE_MFA_ENROLLMENT_ID");
        }
        factors.push(Factor { id, ..factor });
    }
    Ok(factors)
}

/// Parses a second factor, still without an id.
fn parse_factor(info: &ApiFields, now: Timestamp) -> ApiResult<Factor> {
    let Some(number) = info.filled("phoneInfo")?.and_then(phone_number) else {
        return refuse("INVALID_MFA_PHONE_NUMBER : Invalid format.");
    };
    let name = info.filled("displayName")?.map(|name| clean_name(name, MAX_NAME));
    let since = info.filled("enrolledAt")?.and_then(Timestamp::parse).unwrap_or(now);
    Ok(Factor::phone(String::new(), number, name, since))
}

//! Accounts as the protocol reads and writes them, in JSON.

use platform::Timestamp;
use platform::text::clean_name;
use serde_json::{Value, json};

use crate::accounts::{Account, AccountId, Factor, LinkedProvider};
use crate::emulator_mode::fake_hash;
use crate::phone_codes::phone_number;
use crate::services::Services;
use crate::wire::{ApiError, ApiFields, ApiResult, REDACTED, refuse, without_nulls};

pub const MAX_NAME: usize = 256;

/// An account as the API returns it.
pub fn account_json(identity: &Services, account: &Account) -> Value {
    let factors: Vec<Value> = account.factors.iter().map(Factor::json).collect();
    let (hash, salt) = visible_hash(identity, account).unzip();
    let valid_since = account.valid_since.0 / 1000;
    without_nulls(json!({
        "localId": account.id,
        "email": account.email,
        "emailVerified": account.email_verified,
        "displayName": account.display_name,
        "photoUrl": account.photo_url,
        "screenName": account.providers.iter().find_map(|provider| provider.screen_name.as_ref()),
        "phoneNumber": account.phone_number,
        "passwordHash": hash,
        "salt": salt.flatten(),
        "passwordUpdatedAt": account.password_updated_at.map(|at| at.0),
        "initialEmail": account.initial_email,
        "customAttributes": account.custom_attributes,
        "customAuth": account.custom_auth.then_some(true),
        "emailLinkSignin": account.email_link.then_some(true),
        "disabled": account.disabled.then_some(true),
        "validSince": (valid_since > 0).then(|| valid_since.to_string()),
        "createdAt": account.created_at.0.to_string(),
        "lastLoginAt": account.last_login_at.map(|at| at.0.to_string()),
        "lastRefreshAt": account.last_refresh_at.map(|at| at.to_string()),
        "providerUserInfo": account.listed_providers(),
        "mfaInfo": (account.factors_withdrawn || !factors.is_empty()).then_some(factors),
    }))
}

/// Password hash and salt as the API returns them: redacted, except by an emulator.
fn visible_hash(identity: &Services, account: &Account) -> Option<(String, Option<String>)> {
    let hash = account.password_hash.as_ref()?;
    Some(match identity.emulator() {
        Some(_emulator) => fake_hash::visible(hash),
        None => (REDACTED.to_owned(), None),
    })
}

/// The response to an update.
pub fn update_response(identity: &Services, account: &Account) -> Value {
    without_nulls(json!({
        "kind": "identitytoolkit#SetAccountInfoResponse",
        "localId": account.id,
        "email": account.email,
        "emailVerified": account.email_verified,
        "displayName": account.display_name,
        "photoUrl": account.photo_url,
        "passwordHash": visible_hash(identity, account).map(|(hash, _)| hash),
        "providerUserInfo": account.listed_providers(),
    }))
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
        let Some(number) = info.filled("phoneInfo")?.and_then(phone_number) else {
            return refuse("INVALID_MFA_PHONE_NUMBER : Invalid format.");
        };
        let phone_number = Some(number);
        if factors.iter().any(|known| known.phone_number == phone_number) {
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
        let display_name = info.filled("displayName")?.map(|name| clean_name(name, MAX_NAME));
        let enrolled_at = info.filled("enrolledAt")?.and_then(Timestamp::parse).unwrap_or(now);
        factors.push(Factor { id, phone_number, display_name, enrolled_at, ..Factor::default() });
    }
    Ok(factors)
}

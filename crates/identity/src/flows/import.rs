//! Account import (`accounts:batchCreate`), with the password hashes of other services.

use std::collections::BTreeSet;

use platform::Timestamp;
use platform::text::clean_name;
use serde_json::json;

use super::account_json::{FactorIds, MAX_NAME, linked_provider, parse_mfa};
use super::admin::{MAX_ACCOUNTS, save};
use super::call::Call;
use crate::accounts::{self, Account, AccountId, Factor};
use crate::claims::check_attributes;
use crate::emulator_mode::fake_hash;
use crate::imported_hashes;
use crate::passwords::check_length;
use crate::phone_codes::phone_number;
use crate::services::Services;
use crate::sessions::revoke_sessions;
use crate::wire::{ApiError, ApiFields, ApiResult, refuse};

/// Plain passwords to hash, per import.
const MAX_PASSWORDS: usize = 100;

/// `accounts:batchCreate`: imports accounts with their password hashes.
pub async fn import(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let users = body.objects("users")?.unwrap_or_default();
    if users.is_empty() {
        return refuse("MISSING_USER_ACCOUNT");
    }
    if users.len() > MAX_ACCOUNTS {
        return refuse("MAXIMUM_USER_COUNT_EXCEEDED : Can not import more than 1000 users.");
    }
    let unique = body.bool("sanityCheck")? == Some(true);
    check_unique(&users, "localId", "DUPLICATE_LOCAL_ID")?;
    if unique {
        if !identity.allows_duplicate_emails() {
            check_unique(&users, "email", "DUPLICATE_EMAIL")?;
        }
        check_unique_providers(&users)?;
    }
    let overwrite = body.bool("allowOverwrite")? == Some(true);
    let plain = users.iter().filter(|user| user.as_map().contains_key("rawPassword")).count();
    if plain > MAX_PASSWORDS {
        return refuse(
            "MAXIMUM_USER_COUNT_EXCEEDED : Can not hash more than 100 passwords at once.",
        );
    }
    let mut errors = Vec::new();
    for (index, user) in users.iter().enumerate() {
        let failed = match parse_user(identity, body, user).await {
            Ok(account) => save_user(call, account, overwrite).await?,
            Err(UserError::User(why)) => Some(why),
            Err(UserError::Request(why)) => return Err(why),
        };
        errors.extend(failed.map(|message| json!({ "index": index, "message": message })));
    }
    Ok(json!({ "kind": "identitytoolkit#UploadAccountResponse", "error": errors }))
}

fn check_unique(users: &[ApiFields], field: &str, refusal: &str) -> ApiResult<()> {
    let mut seen = BTreeSet::new();
    for user in users {
        if let Some(value) = user.filled(field)?.map(str::to_lowercase)
            && !seen.insert(value.clone())
        {
            return refuse(format!("{refusal} : {value}"));
        }
    }
    Ok(())
}

fn check_unique_providers(users: &[ApiFields]) -> ApiResult<()> {
    let mut seen = BTreeSet::new();
    for user in users {
        for info in user.objects("providerUserInfo")?.unwrap_or_default() {
            if let Some(provider) = linked_provider(&info)?
                && !seen.insert((provider.provider_id.clone(), provider.raw_id.clone()))
            {
                let (id, raw_id) = (provider.provider_id, provider.raw_id);
                return refuse(format!("DUPLICATE_RAW_ID : Provider id({id}), Raw id({raw_id})"));
            }
        }
    }
    Ok(())
}

/// Why an import failed: because of one user, or because of the whole request.
enum UserError {
    User(String),
    Request(ApiError),
}

impl<R: Into<ApiError>> From<R> for UserError {
    fn from(why: R) -> Self {
        Self::Request(why.into())
    }
}

/// Parses one user of an import.
async fn parse_user(
    identity: &Services,
    call: &ApiFields,
    user: &ApiFields,
) -> Result<Account, UserError> {
    let reject = |why: &str| Err(UserError::User(why.to_owned()));
    let now = identity.clock.now();
    let Some(id) = user.filled("localId")? else { return reject("localId is missing") };
    let Some(id) = AccountId::parse(id) else { return reject("localId is invalid") };
    let mut account = Account::new(id, now);
    account.revoke_tokens(now);
    account.disabled = user.bool("disabled")?.unwrap_or(false);
    account.email_verified = Some(user.bool("emailVerified")?.unwrap_or(false));
    account.display_name = user.string("displayName")?.map(|name| clean_name(name, MAX_NAME));
    account.photo_url = user.string("photoUrl")?.map(str::to_owned);
    if let Some(address) = user.filled("email")? {
        let Some(address) = identity.email(address) else { return reject("email is invalid") };
        account.email = Some(address);
    }
    if let Some(number) = user.filled("phoneNumber")? {
        let Some(number) = phone_number(number) else {
            return reject("phone number format is invalid");
        };
        account.phone_number = Some(number);
    }
    if let Some(attributes) = user.filled("customAttributes")? {
        match check_attributes(attributes) {
            Ok(()) => account.custom_attributes = Some(attributes.to_owned()),
            Err(ApiError::Protocol(_, why, _)) if why.starts_with("FORBIDDEN_CLAIM") => {
                return reject("Custom claims provided include a reserved claim.");
            }
            Err(ApiError::Protocol(_, why, _)) if why == "CLAIMS_TOO_LARGE" => {
                return reject("Custom claims provided are too large.");
            }
            Err(_) => return reject("Invalid custom claims provided."),
        }
    }
    for info in user.objects("providerUserInfo")?.unwrap_or_default() {
        if ["password", "phone"].contains(&info.string("providerId")?.unwrap_or_default()) {
            continue;
        }
        let Some(provider) = linked_provider(&info)? else {
            return reject("federatedId or (providerId & rawId) is required");
        };
        account.link(provider);
    }
    account.factors = parse_user_factors(identity, &account, user)?;
    if let Some(millis) = user.integer("createdAt")? {
        account.created_at = Timestamp(millis);
    }
    account.last_login_at = user.integer("lastLoginAt")?.map(Timestamp);
    if let Some(password) = user.filled("rawPassword")? {
        if check_length(password).is_err() {
            return reject("Password is too short or too long");
        }
        account.set_password(identity.hasher.hash(password).await?, now);
    } else if let Some(given) = user.filled("passwordHash")? {
        let imported = imported_hashes::parse::parse(call.as_map(), user.as_map());
        let imported = match imported {
            Ok(hash) => Ok(identity.hasher.seal_imported(&hash)?),
            Err(why) => Err(why),
        };
        let hash = match (identity.emulator(), imported) {
            (Some(_emulator), imported) => {
                fake_hash::from_import(given, user.string("salt")?, imported.ok())
            }
            (None, Ok(hash)) => hash,
            (None, Err(why)) => return reject(why),
        };
        account.set_password(hash, now);
    }
    Ok(account)
}

/// Parses the second factors of an imported user, which keep their ids.
fn parse_user_factors(
    identity: &Services,
    account: &Account,
    user: &ApiFields,
) -> Result<Vec<Factor>, UserError> {
    let reject = |why: &str| Err(UserError::User(why.to_owned()));
    let list = user.objects("mfaInfo")?.unwrap_or_default();
    if list.is_empty() {
        return Ok(Vec::new());
    }
    if account.email.is_none() {
        return reject("Second factor account requires email to be presented.");
    }
    if !account.has_verified_email() {
        return reject("Second factor account requires email to be verified.");
    }
    for info in &list {
        if info.filled("phoneInfo")?.is_none() {
            return reject("Second factor not supported.");
        }
    }
    match parse_mfa(identity, &list, FactorIds::ProvidedOrGenerated) {
        Ok(factors) => Ok(factors),
        Err(ApiError::Protocol(_, why, _)) if why == "DUPLICATE_MFA_ENROLLMENT_ID" => {
            reject("Enrollment id already exists.")
        }
        Err(ApiError::Protocol(..)) => reject("Phone number format is invalid"),
        Err(why) => Err(UserError::Request(why)),
    }
}

/// Saves an imported account. `Some` is the reason why it was not saved.
async fn save_user(call: &Call<'_>, account: Account, replace: bool) -> ApiResult<Option<String>> {
    let account = match accounts::find_by_id(&call.identity.db, account.id.as_str()).await? {
        None => account,
        Some(known) if replace => account.overwriting(&known),
        Some(_) => {
            let why = "localId belongs to an existing account - can not overwrite.";
            return Ok(Some(why.into()));
        }
    };
    let mut tx = call.identity.db.begin().await?;
    if replace {
        revoke_sessions(&mut tx, &account.id).await?;
    }
    match save(call, &mut tx, &account, "imported").await {
        Ok(()) => {
            tx.commit().await?;
            Ok(None)
        }
        Err(ApiError::Protocol(_, why, _)) => Ok(Some(match &*why {
            "EMAIL_EXISTS" => "email exists in other account in database".into(),
            "PHONE_NUMBER_EXISTS" => "phone number exists in other account in database".into(),
            "FEDERATED_USER_ID_ALREADY_LINKED" => {
                "raw id exists in other account in database".into()
            }
            other => other.to_owned(),
        })),
        Err(ApiError::Conflict) => Ok(Some("the account was changed at the same time".into())),
        Err(why) => Err(why),
    }
}

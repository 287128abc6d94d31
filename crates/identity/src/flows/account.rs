//! Account operations of the protocol: look up, update and delete an account, by its user or by an admin.

use platform::Timestamp;
use serde_json::json;

use super::account_json::{
    FactorIds, account_json, display_name, linked_provider, parse_mfa, update_response,
};
use super::call::Call;
use super::{account_deletion, email_actions};
use crate::accounts::{self, Account};
use crate::claims::check_attributes;
use crate::crypto::hex;
use crate::email_codes::CodeKind;
use crate::passwords::check_length;
use crate::phone_codes::required_phone_number;
use crate::sessions::{self, Session, SignInDetails, revoke_sessions};
use crate::wire::{ApiResult, UNVERIFIED_EMAIL, refuse};

const MAX_URL_LENGTH: usize = 2048;

/// `accounts:lookup`: the account behind an ID token.
pub async fn lookup(call: &Call<'_>) -> ApiResult {
    let session = sessions::authenticate(call.identity, call.body.string("idToken")?).await?;
    Ok(json!({
        "kind": "identitytoolkit#GetAccountInfoResponse",
        "users": [account_json(call.identity, &session.account)],
    }))
}

/// In the protocol's order: an enum value may be sent as its number.
const REMOVABLE_ATTRIBUTES: &[&str] = &[
    "USER_ATTRIBUTE_NAME_UNSPECIFIED",
    "EMAIL",
    "DISPLAY_NAME",
    "PROVIDER",
    "PHOTO_URL",
    "PASSWORD",
    "RAW_USER_INFO",
];

/// `accounts:update`, by the account's user, by an admin, or with an e-mail code.
pub async fn update(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    if body.filled("oobCode")?.is_some() {
        return email_actions::apply_code(call).await;
    }
    let removed = body.enum_values("deleteAttribute", REMOVABLE_ATTRIBUTES)?;
    let password = new_password(call).await?;
    // Loaded after hashing, which takes long enough for concurrent changes.
    let (mut account, sign_in) = target_account(call).await?;
    let now = identity.clock.now();
    let before = account.clone();
    let unlinks = body.strings("deleteProvider")?;
    if let Some(sign_in) = &sign_in
        && !unlinks.is_empty()
    {
        sessions::check_recent_auth(identity, &account, sign_in)?;
    }
    update_profile(call, &mut account)?;
    let privileged = call.admin || identity.is_emulator();
    for attribute in removed {
        match attribute {
            "DISPLAY_NAME" => account.display_name = None,
            "PHOTO_URL" => account.photo_url = None,
            "PASSWORD" if privileged => account.password_hash = None,
            "EMAIL" if privileged => (account.email, account.email_verified) = (None, None),
            _ => {}
        }
    }

    let mut new_email = None;
    if let Some(address) = body.filled("email")? {
        let Some(address) = identity.email(address) else { return refuse("INVALID_EMAIL") };
        if before.email.as_ref() != Some(&address) {
            if !privileged {
                return refuse(UNVERIFIED_EMAIL);
            }
            account.initial_email = account.initial_email.or(before.email.clone());
            account.email = Some(address.clone());
            account.email_verified = Some(false);
        }
        new_email = Some(address);
    }
    let new_password = password.is_some();
    if let Some(hash) = password {
        account.set_password(hash, now);
    }
    let email_changed = account.email.is_some() && account.email != before.email;
    // An emulator lets clients end their own sessions; the time that they send is ignored.
    let ends_own = !call.admin && identity.is_emulator() && body.filled("validSince")?.is_some();
    if email_changed || ends_own {
        account.revoke_tokens(now);
    }
    if call.admin {
        update_as_admin(call, &mut account)?;
    }
    if privileged {
        replace_factors(call, &mut account)?;
    }
    unlink_providers(call, &mut account, &unlinks);
    if privileged {
        link_provider(call, &mut account)?;
    }

    let mut tx = identity.db.begin().await?;
    accounts::save(&mut tx, &account).await?;
    if account.providers != before.providers {
        accounts::save_providers(&mut tx, &account).await?;
    }
    if privileged && body.object("mfa")?.is_some() {
        accounts::mark_factors_replaced(&mut tx, &account.id).await?;
        accounts::replace_factors(&mut tx, &account).await?;
    }
    let mut answer = update_response(identity, &account);
    if let Some(address) = new_email {
        answer["newEmail"] = address.into();
    }
    if account.token_generation != before.token_generation {
        revoke_sessions(&mut tx, &account.id).await?;
    }
    if new_password || email_changed || ends_own {
        let event = match (new_password, email_changed) {
            (true, _) => "password_changed",
            (false, true) => "email_changed",
            (false, false) => "signed_out_everywhere",
        };
        call.record(&mut tx, event, Some(&account.id)).await?;
        if let Some(sign_in) = sign_in {
            let provider = if new_password { "password".into() } else { sign_in.provider };
            let sign_in = SignInDetails { provider, ..sign_in };
            let agent = call.agent.as_deref();
            sessions::issue_tokens(identity, &mut tx, &account, &sign_in, agent)
                .await?
                .write_to(&mut answer);
            if let Some(old) = before.email.filter(|_| email_changed) {
                email_actions::enqueue_code(call, &mut tx, CodeKind::RecoverEmail, &old, &account)
                    .await?;
            }
        }
    }
    tx.commit().await?;
    Ok(answer)
}

/// The hash of the new password, if one is sent and allowed.
async fn new_password(call: &Call<'_>) -> ApiResult<Option<String>> {
    let Call { identity, body, .. } = call;
    let Some(password) = body.filled("password")? else { return Ok(None) };
    match target_account(call).await? {
        (account, Some(sign_in)) => {
            sessions::check_recent_auth(identity, &account, &sign_in)?;
            identity.hasher.check_policy(password)?;
        }
        (_, None) => check_length(password)?,
    }
    Ok(Some(identity.hasher.hash(password).await?))
}

/// The account to update, and how its user signed in, if it is not an admin.
async fn target_account(call: &Call<'_>) -> ApiResult<(Account, Option<SignInDetails>)> {
    let Call { identity, body, .. } = call;
    if call.admin {
        return Ok((find_account(call).await?, None));
    }
    let Some(token) = body.filled("idToken")? else {
        return refuse("INVALID_REQ_TYPE : Unsupported request parameters.");
    };
    let Session { account, sign_in, .. } = sessions::authenticate(identity, Some(token)).await?;
    if body.bool("disableUser")? == Some(true) {
        return refuse("OPERATION_NOT_ALLOWED");
    }
    if body.string("customAttributes")?.is_some() {
        return refuse("INSUFFICIENT_PERMISSION");
    }
    Ok((account, Some(sign_in)))
}

/// The account that `localId` names.
async fn find_account(call: &Call<'_>) -> ApiResult<Account> {
    let Some(id) = call.body.filled("localId")? else { return refuse("MISSING_LOCAL_ID") };
    match accounts::find_by_id(&call.identity.db, id).await? {
        Some(account) => Ok(account),
        None => refuse("USER_NOT_FOUND"),
    }
}

fn update_profile(call: &Call<'_>, account: &mut Account) -> ApiResult<()> {
    if let Some(name) = display_name(&call.body)? {
        account.display_name = Some(name);
    }
    if let Some(photo) = call.body.string("photoUrl")? {
        if photo.len() > MAX_URL_LENGTH {
            return refuse("INVALID_PHOTO_URL : At most 2048 characters.");
        }
        account.photo_url = Some(photo.to_owned());
    }
    Ok(())
}

/// The fields that only an admin may change.
fn update_as_admin(call: &Call<'_>, account: &mut Account) -> ApiResult<()> {
    let body = &call.body;
    if let Some(verified) = body.bool("emailVerified")? {
        account.email_verified = Some(verified);
    }
    if let Some(number) = body.filled("phoneNumber")? {
        account.phone_number = Some(required_phone_number(Some(number))?);
    }
    if let Some(disabled) = body.bool("disableUser")? {
        account.disabled = disabled;
    }
    if let Some(attributes) = body.string("customAttributes")? {
        check_attributes(attributes)?;
        account.custom_attributes = Some(attributes.to_owned());
    }
    if let Some(seconds) = body.integer("validSince")? {
        let now = call.identity.clock.now();
        account.revoke_tokens_before(Timestamp(seconds.saturating_mul(1000)), now);
    }
    if let Some(millis) = body.integer("createdAt")? {
        account.created_at = Timestamp(millis);
    }
    if let Some(millis) = body.integer("lastLoginAt")? {
        account.last_login_at = Some(Timestamp(millis));
    }
    Ok(())
}

fn replace_factors(call: &Call<'_>, account: &mut Account) -> ApiResult<()> {
    if let Some(mfa) = call.body.object("mfa")? {
        let given = mfa.objects("enrollments")?.unwrap_or_default();
        account.factors = parse_mfa(call.identity, &given, FactorIds::Provided)?;
    }
    Ok(())
}

fn link_provider(call: &Call<'_>, account: &mut Account) -> ApiResult<()> {
    let Some(info) = call.body.object("linkProviderUserInfo")? else { return Ok(()) };
    match linked_provider(&info)? {
        Some(provider) => account.link(provider),
        None if info.filled("providerId")?.is_none() => return refuse("MISSING_PROVIDER_ID"),
        None => return refuse("MISSING_RAW_ID"),
    }
    Ok(())
}

fn unlink_providers(call: &Call<'_>, account: &mut Account, providers: &[&str]) {
    for provider in providers {
        match *provider {
            "password" => {
                (account.password_hash, account.email_link) = (None, false);
                if call.identity.is_emulator() {
                    (account.email, account.email_verified) = (None, None);
                }
            }
            "phone" => account.phone_number = None,
            provider => account.providers.retain(|linked| linked.provider_id != provider),
        }
    }
}

/// `accounts:delete`, by the account's user or by an admin.
pub async fn delete(call: &Call<'_>) -> ApiResult {
    let identity = call.identity;
    let account = if call.admin {
        find_account(call).await?
    } else {
        let Session { account, sign_in, .. } =
            sessions::authenticate(identity, call.body.string("idToken")?).await?;
        sessions::check_recent_auth(identity, &account, &sign_in)?;
        account
    };
    let mut tx = identity.db.begin().await?;
    account_deletion::delete_in(identity, &mut tx, &account, call.event("deleted")).await?;
    tx.commit().await?;
    Ok(json!({ "kind": "identitytoolkit#DeleteAccountResponse" }))
}

/// `accounts:createAuthUri`: does not reveal whether an address has an account, except in an emulator.
pub async fn create_auth_uri(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let Some(identifier) = body.filled("identifier")? else { return refuse("MISSING_IDENTIFIER") };
    let Some(uri) = body.filled("continueUri")? else { return refuse("MISSING_CONTINUE_URI") };
    let Some(address) = identity.email(identifier) else { return refuse("INVALID_IDENTIFIER") };
    if !uri.starts_with("http://") && !uri.starts_with("https://") {
        return refuse("INVALID_CONTINUE_URI");
    }
    let session = match body.filled("sessionId")? {
        Some(given) => given.to_owned(),
        None => hex(identity.random.bytes::<16>()),
    };
    let mut answer =
        json!({ "kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": session });
    if identity.reveals_accounts() {
        let mut account = accounts::find_by_email(&identity.db, &address).await?;
        // An account may have another address than its linked provider.
        if account.is_none() && !identity.allows_duplicate_emails() {
            account = accounts::find_by_provider_email(&identity.db, &address).await?;
        }
        answer["registered"] = account.is_some().into();
        let (mut providers, mut methods) = (Vec::new(), Vec::new());
        if let Some(account) = &account {
            if account.password_hash.is_some() {
                methods.push("password");
            }
            if account.email_link {
                methods.push("emailLink");
            }
            providers.extend((!methods.is_empty()).then_some("password"));
            let one_account_per_provider = identity.allows_duplicate_emails();
            for provider in account.providers.iter().filter(|_| !one_account_per_provider) {
                providers.push(&provider.provider_id);
                methods.push(&provider.provider_id);
            }
        }
        answer["allProviders"] = json!(providers);
        answer["signinMethods"] = json!(methods);
    }
    Ok(answer)
}

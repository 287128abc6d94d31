//! Looking at an account, changing it, and leaving; by its holder, or by an admin.

use base::Timestamp;
use serde_json::{Value, json};

use crate::Identity;
use crate::accounts::{self, Account, Provider, REDACTED, object};
use crate::admin;
use crate::codes::{self, Kind};
use crate::emulator::fake_hash;
use crate::http::Call;
use crate::phone::phone_number;
use crate::protocol::{Answer, Body, Refusal, refuse};
use crate::second_factor::{self, Factor, FactorIds};
use crate::sessions::{Holder, SignIn, accept_custom_attributes, revoke_all};
use crate::sign_in::{UNPROVEN_EMAIL, accept, accept_length, name_of};

const MOST_URL: usize = 2048;

/// `accounts:lookup`: the account behind an ID token.
pub async fn lookup(call: &Call<'_>) -> Answer {
    let holder = call.identity.holder(call.body.text("idToken")?).await?;
    Ok(json!({
        "kind": "identitytoolkit#GetAccountInfoResponse",
        "users": [described(call.identity, &holder.account)],
    }))
}

/// An account as the protocol shows it.
pub fn described(identity: &Identity, account: &Account) -> Value {
    let millis = |moment: Timestamp| Value::from(moment.0.to_string());
    let factors: Vec<Value> = account.factors.iter().map(Factor::described).collect();
    let (hash, salt) = shown_hash(identity, account).unzip();
    let screen_name = account.providers.iter().find_map(|provider| provider.screen_name.clone());
    object([
        ("localId", Some(account.id.as_str().into())),
        ("email", account.email.clone().map(Value::from)),
        ("emailVerified", account.email_verified.map(Value::from)),
        ("displayName", account.display_name.clone().map(Value::from)),
        ("photoUrl", account.photo_url.clone().map(Value::from)),
        ("screenName", screen_name.map(Value::from)),
        ("phoneNumber", account.phone_number.clone().map(Value::from)),
        ("passwordHash", hash.map(Value::from)),
        ("salt", salt.flatten().map(Value::from)),
        ("passwordUpdatedAt", account.password_updated_at.map(|moment| moment.0.into())),
        ("initialEmail", account.initial_email.clone().map(Value::from)),
        ("customAttributes", account.custom_attributes.clone().map(Value::from)),
        ("customAuth", account.custom_auth.then(|| true.into())),
        ("emailLinkSignin", account.email_link.then(|| true.into())),
        ("disabled", account.disabled.then(|| true.into())),
        ("validSince", valid_since(account)),
        ("createdAt", Some(millis(account.created_at))),
        ("lastLoginAt", account.last_login_at.map(millis)),
        ("lastRefreshAt", account.last_refresh_at.map(|moment| moment.to_string().into())),
        ("providerUserInfo", account.listed_providers()),
        ("mfaInfo", (account.factors_withdrawn || !factors.is_empty()).then(|| factors.into())),
    ])
}

/// What is shown of an account's password, and the salt: nothing, but by an emulator.
fn shown_hash(identity: &Identity, account: &Account) -> Option<(String, Option<String>)> {
    let kept = account.password_hash.as_ref()?;
    Some(match identity.emulator() {
        Some(_emulator) => fake_hash::shown(kept),
        None => (REDACTED.to_owned(), None),
    })
}

/// In seconds, as the protocol has it; nothing while nothing was revoked.
fn valid_since(account: &Account) -> Option<Value> {
    let seconds = account.valid_since.0 / 1000;
    (seconds > 0).then(|| seconds.to_string().into())
}

/// The attributes that can be taken away, by their places in the protocol's list.
const ATTRIBUTES: &[&str] = &[
    "USER_ATTRIBUTE_NAME_UNSPECIFIED",
    "EMAIL",
    "DISPLAY_NAME",
    "PROVIDER",
    "PHOTO_URL",
    "PASSWORD",
    "RAW_USER_INFO",
];

/// `accounts:update`, by the account's holder, by an admin, or by a code from a letter.
pub async fn update(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    if body.filled("oobCode")?.is_some() {
        return codes::apply(call).await;
    }
    let removed = body.some_of("deleteAttribute", ATTRIBUTES)?;
    let password = new_password(call).await?;
    // Read after the hashing, which takes long enough for others to change it.
    let (mut account, sign_in) = whose(call).await?;
    let now = identity.clock.now();
    let before = account.clone();
    let unlinks = body.texts("deleteProvider")?;
    if let Some(sign_in) = &sign_in
        && !unlinks.is_empty()
    {
        identity.accept_change(&account, sign_in)?;
    }
    change_names(call, &mut account)?;
    let may_remove = call.admin || identity.is_lax();
    for attribute in removed {
        match attribute {
            "DISPLAY_NAME" => account.display_name = None,
            "PHOTO_URL" => account.photo_url = None,
            "PASSWORD" if may_remove => account.password_hash = None,
            "EMAIL" if may_remove => (account.email, account.email_verified) = (None, None),
            _ => {}
        }
    }

    let mut new_email = None;
    if let Some(address) = body.filled("email")? {
        let Some(address) = identity.email(address) else { return refuse("INVALID_EMAIL") };
        if before.email.as_ref() != Some(&address) {
            if !call.admin && !identity.is_lax() {
                return refuse(UNPROVEN_EMAIL);
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
    // An emulator lets a client end its own sessions; the moment that it names does not matter.
    let ends_own = !call.admin && identity.is_lax() && body.filled("validSince")?.is_some();
    if email_changed || ends_own {
        account.revoke(now);
    }
    if call.admin {
        change_as_admin(call, &mut account)?;
    }
    let may_grant = call.admin || identity.is_lax();
    if may_grant {
        change_factors(call, &mut account)?;
    }
    unlink(call, &mut account, &unlinks);
    if may_grant {
        link(call, &mut account)?;
    }

    let mut tx = identity.db.begin().await?;
    accounts::put(&mut tx, &account).await?;
    if account.providers != before.providers {
        accounts::put_providers(&mut tx, &account).await?;
    }
    if may_grant && body.object("mfa")?.is_some() {
        accounts::bump(&mut tx, &account.id).await?;
        second_factor::put_all(&mut tx, &account).await?;
    }
    let mut answer = updated(identity, &account);
    if let Some(address) = new_email {
        answer["newEmail"] = address.into();
    }
    if account.token_generation != before.token_generation {
        // Whoever else was signed in with the old password is not any more.
        revoke_all(&mut tx, &account.id).await?;
    }
    if new_password || email_changed || ends_own {
        let event = match (new_password, email_changed) {
            (true, _) => "password_changed",
            (false, true) => "email_changed",
            (false, false) => "signed_out_everywhere",
        };
        identity.note(&mut tx, call.event(event), Some(&account.id)).await?;
        if let Some(sign_in) = sign_in {
            let provider = if new_password { "password".into() } else { sign_in.provider };
            let sign_in = SignIn { provider, ..sign_in };
            let tokens = identity.issue(&mut tx, &account, &sign_in, call.agent.as_deref()).await?;
            tokens.put_into(&mut answer);
            if let Some(old) = before.email.filter(|_| email_changed) {
                codes::post(call, &mut tx, Kind::RecoverEmail, &old, &account).await?;
            }
        }
    }
    tx.commit().await?;
    Ok(answer)
}

/// The hash of the new password, if one is given by somebody who may.
async fn new_password(call: &Call<'_>) -> Answer<Option<String>> {
    let Call { identity, body, .. } = call;
    let Some(password) = body.filled("password")? else { return Ok(None) };
    match whose(call).await? {
        (account, Some(sign_in)) => {
            identity.accept_change(&account, &sign_in)?;
            accept(identity, password)?;
        }
        (_, None) => accept_length(password)?,
    }
    Ok(Some(identity.hasher.hash(password).await?))
}

/// The account that is to be changed; with how its holder signed in, unless an admin asks.
async fn whose(call: &Call<'_>) -> Answer<(Account, Option<SignIn>)> {
    let Call { identity, body, .. } = call;
    if call.admin {
        return Ok((admin::named_account(call).await?, None));
    }
    let Some(token) = body.filled("idToken")? else {
        return refuse("INVALID_REQ_TYPE : Unsupported request parameters.");
    };
    let Holder { account, sign_in, .. } = identity.holder(Some(token)).await?;
    if body.flag("disableUser")? == Some(true) {
        return refuse("OPERATION_NOT_ALLOWED");
    }
    if body.text("customAttributes")?.is_some() {
        return refuse("INSUFFICIENT_PERMISSION");
    }
    Ok((account, Some(sign_in)))
}

fn change_names(call: &Call<'_>, account: &mut Account) -> Answer<()> {
    if let Some(name) = name_of(call)? {
        account.display_name = Some(name);
    }
    if let Some(photo) = call.body.text("photoUrl")? {
        if photo.len() > MOST_URL {
            return refuse("INVALID_PHOTO_URL : At most 2048 characters.");
        }
        account.photo_url = Some(photo.to_owned());
    }
    Ok(())
}

/// What an admin may change beside what the holder may.
fn change_as_admin(call: &Call<'_>, account: &mut Account) -> Answer<()> {
    let body = &call.body;
    if let Some(verified) = body.flag("emailVerified")? {
        account.email_verified = Some(verified);
    }
    if let Some(number) = body.filled("phoneNumber")? {
        let Some(number) = phone_number(number) else {
            return refuse("INVALID_PHONE_NUMBER : Invalid format.");
        };
        account.phone_number = Some(number);
    }
    if let Some(disabled) = body.flag("disableUser")? {
        account.disabled = disabled;
    }
    if let Some(attributes) = body.text("customAttributes")? {
        accept_custom_attributes(attributes)?;
        account.custom_attributes = Some(attributes.to_owned());
    }
    if let Some(seconds) = body.number("validSince")? {
        let now = call.identity.clock.now();
        account.revoke_before(Timestamp(seconds.saturating_mul(1000)), now);
    }
    if let Some(millis) = body.number("createdAt")? {
        account.created_at = Timestamp(millis);
    }
    if let Some(millis) = body.number("lastLoginAt")? {
        account.last_login_at = Some(Timestamp(millis));
    }
    Ok(())
}

/// Replaces the second factors.
fn change_factors(call: &Call<'_>, account: &mut Account) -> Answer<()> {
    if let Some(mfa) = call.body.object("mfa")? {
        let given = mfa.objects("enrollments")?.unwrap_or_default();
        account.factors = admin::factors(call.identity, &given, FactorIds::Given)?;
    }
    Ok(())
}

/// Links what the call says that a provider knows.
fn link(call: &Call<'_>, account: &mut Account) -> Answer<()> {
    let Some(info) = call.body.object("linkProviderUserInfo")? else { return Ok(()) };
    match provider_of(&info)? {
        Some(provider) => account.link(provider),
        None if info.filled("providerId")?.is_none() => return refuse("MISSING_PROVIDER_ID"),
        None => return refuse("MISSING_RAW_ID"),
    }
    Ok(())
}

fn unlink(call: &Call<'_>, account: &mut Account, providers: &[&str]) {
    for provider in providers {
        match *provider {
            "password" => {
                (account.password_hash, account.email_link) = (None, false);
                if call.identity.is_lax() {
                    (account.email, account.email_verified) = (None, None);
                }
            }
            "phone" => account.phone_number = None,
            provider => account.providers.retain(|linked| linked.provider_id != provider),
        }
    }
}

/// What an admin says that a provider knows. `None` when it does not say which.
pub fn provider_of(info: &Body) -> Answer<Option<Provider>> {
    let (id, raw_id) = (info.filled("providerId")?, info.filled("rawId")?);
    let text = |name: &str| Ok::<_, Refusal>(info.filled(name)?.map(str::to_owned));
    let Some((id, raw_id)) = id.zip(raw_id) else { return Ok(None) };
    Ok(Some(Provider {
        provider_id: id.to_owned(),
        raw_id: raw_id.to_owned(),
        federated_id: text("federatedId")?,
        email: text("email")?,
        display_name: text("displayName")?,
        photo_url: text("photoUrl")?,
        screen_name: text("screenName")?,
    }))
}

/// The account after a change, as the protocol answers it.
pub fn updated(identity: &Identity, account: &Account) -> Value {
    let hash = shown_hash(identity, account).map(|(hash, _)| hash);
    object([
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

/// `accounts:delete`, by the account's holder or by an admin.
pub async fn delete(call: &Call<'_>) -> Answer {
    let identity = call.identity;
    let account = if call.admin {
        admin::named_account(call).await?
    } else {
        let Holder { account, sign_in, .. } = identity.holder(call.body.text("idToken")?).await?;
        identity.accept_change(&account, &sign_in)?;
        account
    };
    let mut tx = identity.db.begin().await?;
    identity.remove(&mut tx, &account, call.event("deleted")).await?;
    tx.commit().await?;
    Ok(json!({ "kind": "identitytoolkit#DeleteAccountResponse" }))
}

/// `accounts:createAuthUri`: it could tell whether an address has an account, so it does not.
pub async fn create_auth_uri(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let Some(identifier) = body.filled("identifier")? else { return refuse("MISSING_IDENTIFIER") };
    let Some(back) = body.filled("continueUri")? else { return refuse("MISSING_CONTINUE_URI") };
    let Some(address) = identity.email(identifier) else { return refuse("INVALID_IDENTIFIER") };
    if !back.starts_with("http://") && !back.starts_with("https://") {
        return refuse("INVALID_CONTINUE_URI");
    }
    let session = match body.filled("sessionId")? {
        Some(given) => given.to_owned(),
        None => identity.random.bytes::<16>().map(|byte| format!("{byte:02x}")).concat(),
    };
    let mut answer =
        json!({ "kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": session });
    if identity.tells_who_exists() {
        let mut account = accounts::by_email(&identity.db, &address).await?;
        // An account may have another address than the one that its provider knows.
        if account.is_none() && !identity.allows_duplicate_emails() {
            account = accounts::by_provider_email(&identity.db, &address).await?;
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
            let alone = identity.allows_duplicate_emails();
            for provider in account.providers.iter().filter(|_| !alone) {
                providers.push(&provider.provider_id);
                methods.push(&provider.provider_id);
            }
        }
        answer["allProviders"] = json!(providers);
        answer["signinMethods"] = json!(methods);
    }
    Ok(answer)
}

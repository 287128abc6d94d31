//! Looking at one's account, changing it, and leaving.

use serde_json::{Value, json};

use crate::accounts::{self, Account, REDACTED, object};
use crate::codes;
use crate::http::Call;
use crate::protocol::{Answer, email, refuse};
use crate::sessions::{Holder, revoke_all};
use crate::sign_in::accept;

/// `accounts:lookup`: the account behind an ID token.
pub async fn lookup(call: &Call<'_>) -> Answer {
    let holder = call.identity.holder(call.body.text("idToken")?).await?;
    Ok(json!({
        "kind": "identitytoolkit#GetAccountInfoResponse",
        "users": [described(&holder.account)],
    }))
}

/// An account as the protocol shows it.
fn described(account: &Account) -> Value {
    let millis = |moment: base::Timestamp| Value::from(moment.0.to_string());
    let mut user = object([
        ("localId", Some(account.id.as_str().into())),
        ("email", account.email.clone().map(Value::from)),
        ("emailVerified", account.email.as_ref().map(|_| account.email_verified.into())),
        ("displayName", account.display_name.clone().map(Value::from)),
        ("photoUrl", account.photo_url.clone().map(Value::from)),
        ("phoneNumber", account.phone_number.clone().map(Value::from)),
        ("passwordHash", account.password_hash.as_ref().map(|_| REDACTED.into())),
        ("passwordUpdatedAt", account.password_updated_at.map(|moment| moment.0.into())),
        ("initialEmail", account.initial_email.clone().map(Value::from)),
        ("customAttributes", account.custom_attributes.clone().map(Value::from)),
        ("customAuth", account.custom_auth.then(|| true.into())),
        ("emailLinkSignin", account.email_link.then(|| true.into())),
        ("disabled", account.disabled.then(|| true.into())),
        ("validSince", Some(account.valid_since.to_string().into())),
        ("createdAt", Some(millis(account.created_at))),
        ("lastLoginAt", account.last_login_at.map(millis)),
        ("lastRefreshAt", account.last_refresh_at.map(|moment| moment.to_string().into())),
    ]);
    let providers = account.provider_user_info();
    if !providers.is_empty() {
        user["providerUserInfo"] = providers.into();
    }
    user
}

/// `accounts:update` by the account's holder.
pub async fn update(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    if body.filled("oobCode")?.is_some() {
        return codes::apply(call).await;
    }
    let Holder { mut account, sign_in } = identity.holder(body.text("idToken")?).await?;
    let now = identity.clock.now();
    let removed = body.texts("deleteAttribute")?;

    if removed.contains(&"DISPLAY_NAME") {
        account.display_name = None;
    } else if let Some(name) = body.text("displayName")? {
        if name.chars().count() > 256 {
            return refuse("INVALID_DISPLAY_NAME : At most 256 characters.");
        }
        account.display_name = Some(name.to_owned()).filter(|name| !name.is_empty());
    }
    if removed.contains(&"PHOTO_URL") {
        account.photo_url = None;
    } else if let Some(photo) = body.text("photoUrl")? {
        if photo.len() > 2048 {
            return refuse("INVALID_PHOTO_URL : At most 2048 characters.");
        }
        account.photo_url = Some(photo.to_owned()).filter(|photo| !photo.is_empty());
    }

    if let Some(address) = body.filled("email")? {
        let Some(address) = email(address) else { return refuse("INVALID_EMAIL") };
        if account.email.as_deref() != Some(&address) {
            return refuse(
                "OPERATION_NOT_ALLOWED : Please verify the new email before changing email.",
            );
        }
    }
    let mut renewed = false;
    if let Some(password) = body.filled("password")? {
        identity.recent(&sign_in)?;
        accept(password)?;
        account.set_password(identity.hasher.hash(password).await?, now);
        renewed = true;
    }

    let mut tx = identity.db.begin().await?;
    for provider in body.texts("deleteProvider")? {
        match provider {
            "password" => account.password_hash = None,
            "phone" => account.phone_number = None,
            provider => accounts::unlink(&mut tx, &account.id, provider).await?,
        }
        account.providers.retain(|linked| linked.provider_id != provider);
    }
    accounts::put(&mut tx, &account).await?;
    let mut answer = updated(&account);
    if renewed {
        // Whoever else was signed in with the old password is not any more.
        revoke_all(&mut tx, &account.id).await?;
        identity.note(&mut tx, call.event("password_changed"), Some(&account.id)).await?;
        identity.issue(&mut tx, &account, &sign_in).await?.put_into(&mut answer);
    }
    tx.commit().await?;
    Ok(answer)
}

/// The account after a change, as the protocol answers it.
pub fn updated(account: &Account) -> Value {
    object([
        ("kind", Some("identitytoolkit#SetAccountInfoResponse".into())),
        ("localId", Some(account.id.as_str().into())),
        ("email", account.email.clone().map(Value::from)),
        ("emailVerified", Some(account.email_verified.into())),
        ("displayName", account.display_name.clone().map(Value::from)),
        ("photoUrl", account.photo_url.clone().map(Value::from)),
        ("passwordHash", account.password_hash.as_ref().map(|_| REDACTED.into())),
        ("providerUserInfo", Some(account.provider_user_info().into())),
    ])
}

/// `accounts:delete` by the account's holder.
pub async fn delete(call: &Call<'_>) -> Answer {
    let identity = call.identity;
    let Holder { account, sign_in } = identity.holder(call.body.text("idToken")?).await?;
    identity.recent(&sign_in)?;
    let mut tx = identity.db.begin().await?;
    accounts::delete(&mut tx, &account.id).await?;
    identity.note(&mut tx, call.event("deleted"), Some(&account.id)).await?;
    tx.commit().await?;
    Ok(json!({ "kind": "identitytoolkit#DeleteAccountResponse" }))
}

/// `accounts:createAuthUri`: it could tell whether an address has an account, so it does not.
pub fn create_auth_uri(call: &Call<'_>) -> Answer {
    let Some(identifier) = call.body.filled("identifier")? else {
        return refuse("MISSING_IDENTIFIER");
    };
    if email(identifier).is_none() {
        return refuse("INVALID_IDENTIFIER");
    }
    let Some(back) = call.body.filled("continueUri")? else {
        return refuse("MISSING_CONTINUE_URI");
    };
    if !back.starts_with("http://") && !back.starts_with("https://") {
        return refuse("INVALID_CONTINUE_URI");
    }
    let session: String =
        call.identity.random.bytes::<16>().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(json!({ "kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": session }))
}

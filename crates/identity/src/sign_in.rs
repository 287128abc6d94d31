//! Signing up and signing in.

use base::Id;
use serde_json::json;

use crate::accounts::{self, Account};
use crate::http::Call;
use crate::passwords;
use crate::protocol::{Answer, email, refuse};
use crate::sessions::{Event, revoke_all};

/// `accounts:signUp`: with e-mail and password, without either (anonymous), or with an ID token, to
/// give the account behind it a password.
pub async fn sign_up(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    if body.text("localId")?.is_some() {
        return refuse("UNEXPECTED_PARAMETER : User ID");
    }
    let (address, password) = (body.filled("email")?, body.filled("password")?);
    if address.is_none() && password.is_none() && body.text("idToken")?.is_none() {
        return anonymous(call).await;
    }
    let Some(address) = address else { return refuse("MISSING_EMAIL") };
    let Some(address) = email(address) else { return refuse("INVALID_EMAIL") };
    let Some(password) = password else { return refuse("MISSING_PASSWORD") };
    accept(password)?;
    if accounts::by_email(&identity.db, &address).await?.is_some() {
        return refuse("EMAIL_EXISTS");
    }
    let now = identity.clock.now();
    let mut account = match body.text("idToken")? {
        Some(token) => identity.holder(Some(token)).await?.account,
        None => Account::new(Id::new(&identity.clock, &identity.random), now),
    };
    account.set_password(identity.hasher.hash(password).await?, now);
    account.email = Some(address);
    account.email_verified = false;
    if let Some(name) = name_of(call)? {
        account.display_name = Some(name);
    }
    let mut tx = identity.db.begin().await?;
    revoke_all(&mut tx, &account.id).await?;
    let event = call.event("sign_up");
    let tokens = identity.begin_session(&mut tx, &mut account, "password", event).await?;
    tx.commit().await?;
    let mut answer = json!({
        "kind": "identitytoolkit#SignupNewUserResponse",
        "localId": account.id,
        "email": account.email,
    });
    if let Some(name) = account.display_name {
        answer["displayName"] = name.into();
    }
    tokens.put_into(&mut answer);
    Ok(answer)
}

async fn anonymous(call: &Call<'_>) -> Answer {
    let identity = call.identity;
    let mut account =
        Account::new(Id::new(&identity.clock, &identity.random), identity.clock.now());
    account.display_name = name_of(call)?;
    let mut tx = identity.db.begin().await?;
    let event = call.event("sign_up");
    let tokens = identity.begin_session(&mut tx, &mut account, "anonymous", event).await?;
    tx.commit().await?;
    let mut answer =
        json!({ "kind": "identitytoolkit#SignupNewUserResponse", "localId": account.id });
    tokens.put_into(&mut answer);
    Ok(answer)
}

fn name_of(call: &Call<'_>) -> Answer<Option<String>> {
    match call.body.filled("displayName")? {
        Some(name) if name.chars().count() > 256 => {
            refuse("INVALID_DISPLAY_NAME : At most 256 characters.")
        }
        name => Ok(name.map(str::to_owned)),
    }
}

/// The password rule, as the protocol words a breach of it.
pub fn accept(password: &str) -> Answer<()> {
    let lacks = passwords::lacks(password);
    if password.chars().count() < passwords::SHORTEST {
        return refuse("WEAK_PASSWORD : Password should be at least 6 characters");
    }
    if lacks.is_empty() {
        return Ok(());
    }
    refuse(format!(
        "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [{}]",
        lacks.join(", ")
    ))
}

/// `accounts:signInWithPassword`. Whether the address or the password was wrong is not told, and
/// takes as long to find out.
pub async fn with_password(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let Some(address) = body.filled("email")? else { return refuse("MISSING_EMAIL") };
    let Some(address) = email(address) else { return refuse("INVALID_EMAIL") };
    let Some(password) = body.filled("password")? else { return refuse("MISSING_PASSWORD") };
    if password.len() > passwords::LONGEST {
        return refuse("INVALID_LOGIN_CREDENTIALS");
    }
    if !identity.attempts.allowed(&address, call.address).await? {
        return refuse(
            "TOO_MANY_ATTEMPTS_TRY_LATER : Too many unsuccessful login attempts. Please try again later.",
        );
    }
    let account = accounts::by_email(&identity.db, &address).await?;
    let hash = account.as_ref().and_then(|account| account.password_hash.as_deref());
    let right = identity.hasher.verify(password, hash).await?;
    let Some(mut account) = account.filter(|_| right) else {
        let mut tx = identity.db.begin().await?;
        identity.note(&mut tx, call.event("wrong_password"), None).await?;
        tx.commit().await?;
        return refuse("INVALID_LOGIN_CREDENTIALS");
    };
    // Only somebody who knows the password learns that the account is closed.
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    let mut tx = identity.db.begin().await?;
    let event = call.event("sign_in");
    let tokens = identity.begin_session(&mut tx, &mut account, "password", event).await?;
    tx.commit().await?;
    let mut answer = json!({
        "kind": "identitytoolkit#VerifyPasswordResponse",
        "registered": true,
        "localId": account.id,
        "email": account.email,
        "displayName": account.display_name.unwrap_or_default(),
    });
    tokens.put_into(&mut answer);
    Ok(answer)
}

impl Call<'_> {
    pub fn event(&self, kind: &'static str) -> Event {
        Event { kind, address: self.address }
    }
}

//! Sign-up and sign-in with password, anonymously or with a custom token.

use platform::Tx;
use platform::http::ClientIp;
use serde_json::{Map, Value, json};

use super::account_json::{FactorIds, display_name, parse_mfa};
use super::call::Call;
use crate::accounts::{self, Account, AccountId};
use crate::claims::check_claims;
use crate::keys::unsigned_claims;
use crate::rate_limit::{self, Limit, PASSWORDS_PER_ACCOUNT, PASSWORDS_PER_CLIENT, PER_NETWORK};
use crate::sessions::{self, revoke_sessions};
use crate::wire::{ApiResult, JwtClaims, UNVERIFIED_EMAIL, refuse, without_nulls};
use crate::{passwords, service_accounts};

const PASSWORDS: &str = "passwords";

/// `accounts:signUp`: with e-mail address and password, anonymously, or with an ID token, to add a
/// password to its account.
pub async fn sign_up(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    if body.string("localId")?.is_some() {
        return refuse("UNEXPECTED_PARAMETER : User ID");
    }
    let (address, password) = (body.filled("email")?, body.filled("password")?);
    let token = body.filled("idToken")?;
    if address.is_none() && password.is_none() && token.is_none() {
        // An empty form is not a request for an anonymous account.
        if body.string("email")?.is_some() {
            return refuse("INVALID_EMAIL");
        }
        return sign_up_anonymously(call).await;
    }
    let Some(address) = address else { return refuse("MISSING_EMAIL") };
    let Some(password) = password else { return refuse("MISSING_PASSWORD") };
    let Some(address) = identity.email(address) else { return refuse("INVALID_EMAIL") };
    // Checked first, so that probing for accounts costs a counted attempt.
    if !identity.is_emulator() {
        identity.hasher.check_policy(password)?;
    }
    check_sign_up_limit(call).await?;
    let known = accounts::find_by_email(&identity.db, &address).await?;
    let session = match token {
        Some(token) => Some(sessions::authenticate(identity, Some(token)).await?),
        None => None,
    };
    let own = session.as_ref().map(|session| &session.account.id);
    if known.is_some_and(|known| Some(&known.id) != own) {
        return refuse("EMAIL_EXISTS");
    }
    identity.hasher.check_policy(password)?;
    let hash = identity.hasher.hash(password).await?;
    let now = identity.clock.now();
    let linked = session.is_some();
    let mut account = match session {
        Some(session) => {
            sessions::check_link_allowed(identity, &session)?;
            session.account
        }
        None => identity.new_account(),
    };
    if account.email.as_ref() != Some(&address) {
        // Otherwise this would bypass the verification of the new address.
        if account.email.is_some() && !identity.is_emulator() {
            return refuse(UNVERIFIED_EMAIL);
        }
        account.email = Some(address);
        account.email_verified = Some(false);
    }
    account.set_password(hash, now);
    if let Some(name) = display_name(body)? {
        account.display_name = Some(name);
    }
    let mut tx = identity.db.begin().await?;
    if linked {
        revoke_sessions(&mut tx, &account.id).await?;
    }
    let outcome = call.begin_session(&mut tx, &mut account, "password", "sign_up").await?;
    save_emulated_factors(call, &mut tx, &mut account).await?;
    tx.commit().await?;
    let mut answer = without_nulls(json!({
        "kind": "identitytoolkit#SignupNewUserResponse",
        "localId": account.id,
        "email": account.email,
        "displayName": account.display_name,
    }));
    outcome.write_to(&mut answer);
    Ok(answer)
}

/// In an emulator, clients may set second factors when they sign up.
async fn save_emulated_factors(
    call: &Call<'_>,
    tx: &mut Tx,
    account: &mut Account,
) -> ApiResult<()> {
    if let Some(_emulator) = call.identity.emulator()
        && let Some(list) = call.body.objects("mfaInfo")?
    {
        account.factors = parse_mfa(call.identity, &list, FactorIds::Generated)?;
        accounts::replace_factors(tx, account).await?;
    }
    Ok(())
}

/// Counts sign-ups per network, also failed ones, against mass sign-ups and probing for accounts.
async fn check_sign_up_limit(call: &Call<'_>) -> ApiResult<()> {
    let limit = Limit::per_hour(call.identity.settings.sign_ups_per_hour);
    call.check_limits(call.network_limit("sign-ups", limit)).await
}

async fn sign_up_anonymously(call: &Call<'_>) -> ApiResult {
    let identity = call.identity;
    if !identity.is_emulator() && identity.settings.anonymous_sign_in == Some(false) {
        return refuse("ADMIN_ONLY_OPERATION");
    }
    check_sign_up_limit(call).await?;
    let mut account = identity.new_account();
    let mut tx = identity.db.begin().await?;
    let outcome = call.begin_session(&mut tx, &mut account, "anonymous", "sign_up").await?;
    save_emulated_factors(call, &mut tx, &mut account).await?;
    tx.commit().await?;
    let mut answer =
        json!({ "kind": "identitytoolkit#SignupNewUserResponse", "localId": account.id });
    outcome.write_to(&mut answer);
    Ok(answer)
}

/// `accounts:signInWithPassword`. Neither the response nor its time reveals whether the address or the
/// password was wrong.
pub async fn sign_in_with_password(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let Some(address) = body.string("email")? else { return refuse("MISSING_EMAIL") };
    let Some(address) = identity.email(address) else { return refuse("INVALID_EMAIL") };
    let Some(password) = body.filled("password")? else { return refuse("MISSING_PASSWORD") };
    if password.len() > passwords::MAX_LENGTH {
        return refuse("INVALID_LOGIN_CREDENTIALS");
    }
    let attempts = PasswordAttempts::new(call, &address);
    call.check_limits(attempts.limits(call)).await?;
    let account = accounts::find_by_email(&identity.db, &address).await?;
    if identity.is_emulator() && account.as_ref().is_some_and(|account| account.disabled) {
        return refuse("USER_DISABLED");
    }
    let hash = account.as_ref().and_then(|account| account.password_hash.clone());
    let matches = identity.hasher.verify(password, hash.as_deref()).await?;
    let mut account = match account {
        Some(account) if matches => account,
        account => {
            let mut tx = identity.db.begin().await?;
            call.record(&mut tx, "wrong_password", None).await?;
            tx.commit().await?;
            return refuse(match account {
                _ if !identity.reveals_accounts() => "INVALID_LOGIN_CREDENTIALS",
                None => "EMAIL_NOT_FOUND",
                Some(_) => "INVALID_PASSWORD",
            });
        }
    };
    // Checked after the password, so that others do not learn it.
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    if hash.is_some_and(|hash| identity.hasher.is_outdated(&hash)) {
        account.password_hash = Some(identity.hasher.hash(password).await?);
    }
    let mut tx = identity.db.begin().await?;
    let outcome = call.begin_session(&mut tx, &mut account, "password", "sign_in").await?;
    attempts.reset(call, &mut tx).await?;
    tx.commit().await?;
    if account.has_verified_email() {
        call.remember_device(&address);
    }
    let mut answer = without_nulls(json!({
        "kind": "identitytoolkit#VerifyPasswordResponse",
        "registered": true,
        "localId": account.id,
        "email": account.email,
        "displayName": account.display_name.filter(|_| !identity.is_emulator()),
    }));
    outcome.write_to(&mut answer);
    Ok(answer)
}

/// The rate limits of a password attempt: low per client, high per account. A known device only has its
/// own limit, so that attackers cannot lock it out.
struct PasswordAttempts {
    client_key: String,
    account_key: Option<String>,
}

impl PasswordAttempts {
    fn new(call: &Call<'_>, address: &str) -> Self {
        if let Some(device) = call.known_device(address) {
            let client_key = format!("{address} by device {device}");
            return Self { client_key, account_key: None };
        }
        let network = call.client_ip.map(|ip| ClientIp(ip).network()).unwrap_or_default();
        let account_key = Some(format!("{PASSWORDS} {address}"));
        Self { client_key: format!("{address} from {network}"), account_key }
    }

    fn limits(&self, call: &Call<'_>) -> impl Iterator<Item = (String, Limit)> {
        let network = call.network_limit(PASSWORDS, PER_NETWORK);
        let client = (format!("{PASSWORDS} {}", self.client_key), PASSWORDS_PER_CLIENT);
        let account = self.account_key.clone().map(|key| (key, PASSWORDS_PER_ACCOUNT));
        network.into_iter().chain([client]).chain(account)
    }

    async fn reset(&self, call: &Call<'_>, tx: &mut Tx) -> platform::Result<()> {
        rate_limit::reset(tx, PASSWORDS, &self.client_key, call.client_ip).await?;
        match &self.account_key {
            Some(key) => rate_limit::uncount(tx, key).await,
            None => Ok(()),
        }
    }
}

/// `accounts:signInWithCustomToken`: with a token that a service account signed.
pub async fn sign_in_with_custom_token(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let Some(token) = body.filled("token")? else { return refuse("MISSING_CUSTOM_TOKEN") };
    let payload = if identity.is_emulator() {
        emulator_custom_token(token)?
    } else {
        service_accounts::check_custom_token(&identity.db, &identity.clock, token).await?
    };
    let id = payload.get("uid").or_else(|| payload.get("user_id")).and_then(Value::as_str);
    let Some(id) = id.filter(|id| !id.is_empty()) else { return refuse("MISSING_IDENTIFIER") };
    let Some(id) = AccountId::parse(id) else {
        return refuse("INVALID_CUSTOM_TOKEN : The uid must have at most 128 characters.");
    };
    let claims = match payload.get("claims") {
        None => Map::new(),
        Some(Value::Object(claims)) => claims.clone(),
        Some(_) => return refuse("INVALID_CLAIMS"),
    };
    check_claims(&claims)?;
    let known = accounts::find_by_id(&identity.db, id.as_str()).await?;
    let is_new = known.is_none();
    let mut account = known.unwrap_or_else(|| identity.new_account_with_id(id));
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    account.custom_auth = true;
    let mut tx = identity.db.begin().await?;
    let event = call.event("sign_in");
    let outcome =
        sessions::begin_session(identity, &mut tx, &mut account, "custom", claims, event).await?;
    tx.commit().await?;
    let kind = "identitytoolkit#VerifyCustomTokenResponse";
    let mut answer = json!({ "kind": kind, "isNewUser": is_new });
    outcome.write_to(&mut answer);
    Ok(answer)
}

/// The emulator accepts unsigned custom tokens, or their claims as JSON.
fn emulator_custom_token(token: &str) -> ApiResult<JwtClaims> {
    if token.trim_start().starts_with('{') {
        return match serde_json::from_str(token) {
            Ok(Value::Object(payload)) => Ok(payload),
            _ => refuse("INVALID_CUSTOM_TOKEN : The token looks like JSON, but it is none."),
        };
    }
    match unsigned_claims(token) {
        None => refuse("INVALID_CUSTOM_TOKEN : Invalid assertion format"),
        Some(payload)
            if payload.get("aud").and_then(Value::as_str) == Some(service_accounts::AUDIENCE) =>
        {
            Ok(payload)
        }
        Some(_) => refuse("INVALID_CUSTOM_TOKEN : The token is for another audience."),
    }
}

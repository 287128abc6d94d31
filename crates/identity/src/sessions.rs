//! Sessions: ID tokens, which are valid for an hour, and refresh tokens, which are exchanged for new ID
//! tokens until they are revoked.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::auth::{generation_in_jti, new_jti};
use platform::db::Json;
use platform::{Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::accounts::{self, Account, AccountId, Factor, UsedFactor};
use crate::crypto::{hash_token, seal, unseal};
use crate::security_log::{self, AuthEvent};
use crate::services::Services;
use crate::wire::{ApiFields, ApiResult, JwtClaims, refuse, without_nulls};

/// Limits the writes.
const USE_RECORDED_EVERY: Duration = Duration::from_secs(30 * 60);
pub const ID_TOKEN_TTL: Duration = Duration::from_secs(3600);
/// Sensitive changes need a sign-in that is at most this old.
const RECENT_SIGN_IN: Duration = Duration::from_secs(5 * 60);
/// For the second factor after the first.
const PENDING_TTL: Duration = Duration::from_secs(10 * 60);
const PENDING: &str = "sign-in that waits for its second factor";
const MAX_DEVICES: i64 = 50;

/// How a user signed in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignInDetails {
    /// `password`, `anonymous`, `custom`, …
    pub provider: String,
    /// Only for this session, from a custom token.
    pub claims: JwtClaims,
    pub second_factor: Option<UsedFactor>,
    pub auth_time: Timestamp,
}

/// The result of proving the first factor: a session, or a request for the second factor.
#[derive(Debug)]
pub enum SignInOutcome {
    SignedIn(SessionTokens),
    SecondFactorRequired { credential: String, factors: Vec<Value> },
}

impl SignInOutcome {
    pub fn write_to(self, answer: &mut Value) {
        match self {
            Self::SignedIn(tokens) => tokens.write_to(answer),
            Self::SecondFactorRequired { credential, factors } => {
                answer["mfaPendingCredential"] = credential.into();
                answer["mfaInfo"] = factors.into();
            }
        }
    }
}

#[derive(Debug)]
pub struct SessionTokens {
    pub id_token: String,
    pub refresh_token: String,
}

impl SessionTokens {
    pub fn write_to(self, answer: &mut Value) {
        answer["idToken"] = self.id_token.into();
        answer["refreshToken"] = self.refresh_token.into();
        answer["expiresIn"] = ID_TOKEN_TTL.as_secs().to_string().into();
    }
}

/// An authenticated session: a valid ID token and its account.
pub struct Session {
    pub account: Account,
    pub sign_in: SignInDetails,
    /// All claims of the ID token.
    pub claims: JwtClaims,
}

/// A session, stored under the hash of its refresh token.
#[derive(sqlx::FromRow)]
struct TokenRow {
    account: AccountId,
    provider: String,
    claims: Json<JwtClaims>,
    second_factor: Option<Json<UsedFactor>>,
    auth_time: Timestamp,
    revoked: bool,
    token_generation: i64,
    created_at: Timestamp,
    used_at: Timestamp,
}

/// A sign-in that waits for its second factor.
#[derive(Serialize, Deserialize)]
struct PendingMfa {
    account: AccountId,
    /// Invalid after a password change, which changes the generation.
    generation: i64,
    sign_in: SignInDetails,
}

/// A session, as its owner sees it.
#[derive(Debug, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct SignedInDevice {
    #[serde(skip)]
    hash: String,
    /// The User-Agent header.
    agent: Option<String>,
    #[sqlx(rename = "created_at")]
    signed_in_at: Timestamp,
    used_at: Timestamp,
    /// Whether it is the session that sent the request.
    #[serde(rename = "here")]
    #[sqlx(skip)]
    is_current: bool,
}

/// The `iss` claim of a project's ID tokens, also at Google.
pub fn issuer_for(project: &str) -> String {
    format!("https://securetoken.google.com/{project}")
}

fn issuer(identity: &Services) -> String {
    issuer_for(&identity.settings.project_id)
}

/// Signs in after the first factor: saves the account, and opens a session unless a second factor is
/// required. `claims` are those of a custom token.
pub async fn begin_session(
    identity: &Services,
    tx: &mut Tx,
    account: &mut Account,
    provider: &str,
    claims: JwtClaims,
    event: AuthEvent,
) -> ApiResult<SignInOutcome> {
    let auth_time = identity.clock.now();
    let sign_in =
        SignInDetails { provider: provider.into(), claims, second_factor: None, auth_time };
    // The signer of a custom token has authenticated the user itself.
    if !account.factors.is_empty() && provider != "custom" {
        accounts::save(tx, account).await?;
        let event = AuthEvent { kind: "first_factor", ..event };
        security_log::record(identity, tx, event, Some(&account.id)).await?;
        return Ok(SignInOutcome::SecondFactorRequired {
            credential: seal_pending(identity, account, &sign_in)?,
            factors: account.factors.iter().map(Factor::masked).collect(),
        });
    }
    Ok(SignInOutcome::SignedIn(open_session(identity, tx, account, sign_in, event).await?))
}

fn seal_pending(identity: &Services, account: &Account, sign_in: &SignInDetails) -> Result<String> {
    let (id, generation) = (account.id.clone(), account.token_generation);
    let pending = PendingMfa { account: id, generation, sign_in: sign_in.clone() };
    seal(&identity.secret, PENDING, &pending)
}

/// Decrypts a sign-in that waits for its second factor, and checks that it is still valid.
pub async fn open_pending(
    identity: &Services,
    credential: &str,
) -> ApiResult<(Account, SignInDetails)> {
    let Some(PendingMfa { account, generation, sign_in }) =
        unseal(&identity.secret, PENDING, credential)
    else {
        return refuse("INVALID_MFA_PENDING_CREDENTIAL");
    };
    let account = accounts::find_by_id(&identity.db, account.as_str()).await?;
    let is_expired = identity.clock.now().since(sign_in.auth_time) > PENDING_TTL;
    match account {
        Some(account) if account.disabled => refuse("USER_DISABLED"),
        Some(account) if !is_expired && generation == account.token_generation => {
            Ok((account, sign_in))
        }
        _ => refuse("INVALID_MFA_PENDING_CREDENTIAL"),
    }
}

/// Opens a session after all required factors.
pub async fn open_session(
    identity: &Services,
    tx: &mut Tx,
    account: &mut Account,
    sign_in: SignInDetails,
    event: AuthEvent,
) -> ApiResult<SessionTokens> {
    account.last_login_at = Some(sign_in.auth_time);
    account.last_refresh_at = Some(sign_in.auth_time);
    accounts::save(tx, account).await?;
    let agent = event.agent.clone();
    security_log::record(identity, tx, event, Some(&account.id)).await?;
    Ok(issue_tokens(identity, tx, account, &sign_in, agent.as_deref()).await?)
}

pub async fn issue_tokens(
    identity: &Services,
    tx: &mut Tx,
    account: &Account,
    sign_in: &SignInDetails,
    agent: Option<&str>,
) -> Result<SessionTokens> {
    let refresh_token = URL_SAFE_NO_PAD.encode(identity.random.bytes::<48>());
    tx.query(
        "insert into refresh_tokens (hash, account, provider, claims, second_factor, auth_time,
           revoked, created_at, used_at, agent, token_generation)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10)",
    )
    .bind(hash_token(&refresh_token))
    .bind(&account.id)
    .bind(sign_in.provider.as_str())
    .bind(&Json(&sign_in.claims))
    .bind(sign_in.second_factor.as_ref().map(serde_json::to_string).transpose()?)
    .bind(sign_in.auth_time)
    .bind(false)
    .bind(identity.clock.now())
    .bind(agent)
    .bind(account.token_generation)
    .execute()
    .await?;
    Ok(SessionTokens { id_token: id_token(identity, account, sign_in)?, refresh_token })
}

fn id_token(identity: &Services, account: &Account, sign_in: &SignInDetails) -> Result<String> {
    identity.keys.sign(&claims(identity, account, sign_in))
}

fn claims(identity: &Services, account: &Account, sign_in: &SignInDetails) -> JwtClaims {
    let seconds = identity.clock.now().0 / 1000;
    let mut claims = Map::new();
    // Custom claims first, so that they cannot replace ours.
    if let Some(Value::Object(own)) =
        account.custom_attributes.as_deref().and_then(|text| serde_json::from_str(text).ok())
    {
        claims.extend(own);
    }
    claims.extend(sign_in.claims.clone());
    let factor = sign_in.second_factor.as_ref();
    let ours = json!({
        "name": account.display_name,
        "picture": account.photo_url,
        "iss": issuer(identity),
        "aud": identity.settings.project_id,
        "auth_time": sign_in.auth_time.0 / 1000,
        "user_id": account.id,
        "sub": account.id,
        "iat": seconds,
        "exp": seconds + ID_TOKEN_TTL.as_secs() as i64,
        "jti": new_jti(account.token_generation, &identity.random),
        "email": account.email,
        "email_verified": account.email_verified,
        "phone_number": account.phone_number,
        "provider_id": (sign_in.provider == "anonymous").then_some("anonymous"),
        "firebase": without_nulls(json!({
            "identities": account.identities(),
            "sign_in_provider": sign_in.provider,
            "sign_in_second_factor": factor.map(|factor| &factor.kind),
            "second_factor_identifier": factor.map(|factor| &factor.id),
        })),
    });
    for (name, value) in ours.as_object().into_iter().flatten() {
        // A custom claim must not set one of ours that is absent.
        match value {
            Value::Null => claims.remove(name),
            value => claims.insert(name.clone(), value.clone()),
        };
    }
    claims
}

/// Verifies an ID token and loads its account.
pub async fn authenticate(identity: &Services, id_token: Option<&str>) -> ApiResult<Session> {
    let Some(token) = id_token.filter(|token| !token.is_empty()) else {
        return refuse("MISSING_ID_TOKEN");
    };
    let claims = identity.keys.verify(token, &issuer(identity), &identity.settings.project_id);
    let Some(claims) = claims else { return refuse("INVALID_ID_TOKEN") };
    let seconds = |name: &str| claims.get(name).and_then(Value::as_i64).unwrap_or(0);
    if seconds("exp").saturating_mul(1000) <= identity.clock.now().0 {
        return refuse("TOKEN_EXPIRED");
    }
    let id = claims.get("sub").and_then(Value::as_str).unwrap_or_default();
    let Some(account) = accounts::find_by_id(&identity.db, id).await? else {
        return refuse("USER_NOT_FOUND");
    };
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    let generation = claims.get("jti").and_then(Value::as_str).and_then(generation_in_jti);
    // Like Google's emulator, whose resolution is a second.
    let revoked = !identity.is_emulator() && generation != Some(account.token_generation);
    if revoked || seconds("iat") < account.valid_since.0 / 1000 {
        return refuse("TOKEN_EXPIRED");
    }
    let firebase = |name: &str| {
        let text = claims.get("firebase").and_then(|firebase| firebase[name].as_str());
        text.map(str::to_owned)
    };
    let second_factor = firebase("second_factor_identifier")
        .zip(firebase("sign_in_second_factor"))
        .map(|(id, kind)| UsedFactor { id, kind });
    let sign_in = SignInDetails {
        provider: firebase("sign_in_provider").unwrap_or_default(),
        claims: Map::new(),
        second_factor,
        auth_time: Timestamp(seconds("auth_time").saturating_mul(1000)),
    };
    Ok(Session { account, sign_in, claims })
}

/// Sensitive changes (of credentials or the e-mail address, and deletion) need a recent sign-in with
/// all factors of the account.
pub fn check_recent_auth(
    identity: &Services,
    account: &Account,
    sign_in: &SignInDetails,
) -> ApiResult<()> {
    let no_factor = !account.factors.is_empty()
        && sign_in.second_factor.is_none()
        && sign_in.provider != "custom";
    if no_factor && !identity.is_emulator() {
        return refuse("CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
    }
    if identity.clock.now().since(sign_in.auth_time) > RECENT_SIGN_IN {
        return refuse("CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
    }
    Ok(())
}

/// Adding a credential needs a recent sign-in, because a stolen token must not give permanent
/// access. An anonymous account has no other credential that could be protected.
pub fn check_link_allowed(identity: &Services, session: &Session) -> ApiResult<()> {
    let Session { account, sign_in, .. } = session;
    let is_anonymous = sign_in.provider == "anonymous"
        && !(account.linked || account.custom_auth || account.email.is_some());
    if is_anonymous { Ok(()) } else { check_recent_auth(identity, account, sign_in) }
}

/// `POST /v1/token`: exchanges a refresh token for an ID token.
pub async fn refresh(identity: &Services, body: &ApiFields, agent: Option<&str>) -> ApiResult {
    match body.filled("grantType")? {
        None => return refuse("MISSING_GRANT_TYPE"),
        Some("refresh_token") => {}
        Some(_) => return refuse("INVALID_GRANT_TYPE"),
    }
    let Some(token) = body.filled("refreshToken")? else {
        return refuse("MISSING_REFRESH_TOKEN");
    };
    let found: Option<TokenRow> = identity
        .db
        .query(
            "select account, provider, claims, second_factor, auth_time, revoked,
               token_generation, created_at, used_at
             from refresh_tokens where hash = $1",
        )
        .bind(hash_token(token))
        .optional()
        .await?;
    let Some(row) = found else { return refuse("INVALID_REFRESH_TOKEN") };
    let Some(account) = accounts::find_by_id(&identity.db, row.account.as_str()).await? else {
        let code = if identity.is_emulator() { "INVALID_REFRESH_TOKEN" } else { "USER_NOT_FOUND" };
        return refuse(code);
    };
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    // A session that was opened during a revocation is not marked as revoked, but has an old generation.
    let is_outdated = !identity.is_emulator() && row.token_generation != account.token_generation;
    if row.revoked || is_outdated || row.created_at < account.valid_since {
        return refuse("TOKEN_EXPIRED");
    }
    accounts::record_refresh(&identity.db, &account, identity.clock.now()).await?;
    record_use(identity, token, &row, agent).await?;
    let sign_in = SignInDetails {
        provider: row.provider,
        claims: row.claims.0,
        second_factor: row.second_factor.map(|factor| factor.0),
        auth_time: row.auth_time,
    };
    let id_token = id_token(identity, &account, &sign_in)?;
    Ok(json!({
        "id_token": id_token,
        "access_token": id_token,
        "expires_in": ID_TOKEN_TTL.as_secs().to_string(),
        "refresh_token": token,
        "token_type": "Bearer",
        "user_id": account.id,
        "project_id": identity.settings.project_number,
    }))
}

/// Records the last use and the user agent, for the list of devices and for retention.
async fn record_use(
    identity: &Services,
    token: &str,
    row: &TokenRow,
    agent: Option<&str>,
) -> Result<()> {
    let now = identity.clock.now();
    if now.since(row.used_at) < USE_RECORDED_EVERY {
        return Ok(());
    }
    identity
        .db
        .query(
            "update refresh_tokens set used_at = $2, agent = coalesce($3, agent) where hash = $1",
        )
        .bind(hash_token(token))
        .bind(now)
        .bind(agent)
        .execute()
        .await
        .map(drop)
}

/// The claims of an ID token, signed with a longer lifetime and another issuer, so that a cookie is
/// not accepted as an ID token.
pub fn sign_cookie(identity: &Services, mut claims: JwtClaims, ttl: Duration) -> Result<String> {
    let (now, project) = (identity.clock.now(), &identity.settings.project_id);
    claims.insert("iss".into(), format!("https://session.firebase.google.com/{project}").into());
    claims.insert("iat".into(), (now.0 / 1000).into());
    claims.insert("exp".into(), (now.plus(ttl).0 / 1000).into());
    identity.keys.sign(&claims)
}

/// The sessions of an account, the most recently used first. `current` is the hash of the caller's
/// refresh token.
pub async fn list_devices(
    identity: &Services,
    account: &Account,
    current: Option<&str>,
) -> Result<Vec<SignedInDevice>> {
    let mut devices: Vec<SignedInDevice> = identity
        .db
        .query(
            "select hash, agent, created_at, used_at from refresh_tokens
             where account = $1 and revoked = $2 and created_at >= $3 and token_generation = $4
             order by used_at desc, created_at desc, hash limit $5",
        )
        .bind(&account.id)
        .bind(false)
        .bind(account.valid_since)
        .bind(account.token_generation)
        .bind(MAX_DEVICES)
        .all()
        .await?;
    for device in &mut devices {
        device.is_current = current == Some(device.hash.as_str());
    }
    Ok(devices)
}

/// Revokes all sessions of an account, and the e-mail codes with which an attacker could get a new one.
/// Codes that undo a change of address stay valid.
pub async fn revoke_sessions(tx: &mut Tx, account: &AccountId) -> Result<()> {
    tx.query("update refresh_tokens set revoked = $2 where account = $1")
        .bind(account)
        .bind(true)
        .execute()
        .await?;
    tx.query(
        "delete from mail_codes where account = $1
         and kind in ('PASSWORD_RESET', 'VERIFY_AND_CHANGE_EMAIL')",
    )
    .bind(account.as_str())
    .execute()
    .await
    .map(drop)
}

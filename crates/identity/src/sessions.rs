//! Sessions: ID tokens, which are valid for an hour, and refresh tokens, which are exchanged for new ID
//! tokens until they are revoked.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::auth::{generation_in_jti, new_jti};
use platform::db::Json;
use platform::secret::Secret;
use platform::{Clock, Db, Random, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::accounts::{self, Account, AccountId, Factor, UsedFactor};
use crate::crypto::{hash_token, seal, unseal};
use crate::keys::TokenSigner;
use crate::security_log::{AuthEvent, SecurityLog};
use crate::wire::{ApiFields, ApiResult, JwtClaims, json_object, refuse};

/// Limits the writes.
const USE_RECORDED_EVERY: Duration = Duration::from_secs(30 * 60);
pub const ID_TOKEN_TTL: Duration = Duration::from_secs(3600);
/// Sensitive changes need a sign-in that is at most this old.
const RECENT_SIGN_IN: Duration = Duration::from_secs(5 * 60);
/// For the second factor after the first.
const PENDING_TTL: Duration = Duration::from_secs(10 * 60);
const PENDING: &str = "sign-in that waits for its second factor";
const MAX_DEVICES: i64 = 50;

/// Opens, verifies, lists and revokes sessions.
pub struct Sessions {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    pub keys: TokenSigner,
    pub log: SecurityLog,
    pub project_id: String,
    pub project_number: String,
    pub is_emulator: bool,
}

/// How a user signed in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignIn {
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
    pub sign_in: SignIn,
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
    sign_in: SignIn,
}

/// A session, as its owner sees it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedInDevice {
    /// The User-Agent header.
    agent: Option<String>,
    signed_in_at: Timestamp,
    used_at: Timestamp,
    /// Whether it is the session that sent the request.
    #[serde(rename = "here")]
    is_current: bool,
}

#[derive(sqlx::FromRow)]
struct DeviceRow {
    hash: String,
    agent: Option<String>,
    created_at: Timestamp,
    used_at: Timestamp,
}

/// The `iss` claim of a project's ID tokens, also at Google.
pub fn issuer_for(project: &str) -> String {
    format!("https://securetoken.google.com/{project}")
}

impl Sessions {
    pub fn issuer(&self) -> String {
        issuer_for(&self.project_id)
    }

    /// Signs in after the first factor: saves the account, and opens a session unless a second factor is
    /// required.
    pub async fn begin_session(
        &self,
        tx: &mut Tx,
        account: &mut Account,
        provider: &str,
        event: AuthEvent,
    ) -> ApiResult<SignInOutcome> {
        let claims = Map::new();
        self.begin_session_with(tx, account, provider, claims, event).await
    }

    /// With additional claims, from a custom token.
    pub async fn begin_session_with(
        &self,
        tx: &mut Tx,
        account: &mut Account,
        provider: &str,
        claims: JwtClaims,
        event: AuthEvent,
    ) -> ApiResult<SignInOutcome> {
        let auth_time = self.clock.now();
        let sign_in = SignIn { provider: provider.into(), claims, second_factor: None, auth_time };
        // The signer of a custom token has authenticated the user itself.
        if !account.factors.is_empty() && provider != "custom" {
            accounts::save(tx, account).await?;
            let event = AuthEvent { kind: "first_factor", ..event };
            self.log.record(tx, event, Some(&account.id)).await?;
            return Ok(SignInOutcome::SecondFactorRequired {
                credential: self.seal_pending(account, &sign_in)?,
                factors: account.factors.iter().map(Factor::masked).collect(),
            });
        }
        Ok(SignInOutcome::SignedIn(self.open_session(tx, account, sign_in, event).await?))
    }

    fn seal_pending(&self, account: &Account, sign_in: &SignIn) -> Result<String> {
        let (id, generation) = (account.id.clone(), account.token_generation);
        let pending = PendingMfa { account: id, generation, sign_in: sign_in.clone() };
        seal(&self.secret, PENDING, &pending)
    }

    /// Decrypts a sign-in that waits for its second factor, and checks that it is still valid.
    pub async fn open_pending(&self, credential: &str) -> ApiResult<(Account, SignIn)> {
        let Some(PendingMfa { account, generation, sign_in }) =
            unseal(&self.secret, PENDING, credential)
        else {
            return refuse("INVALID_MFA_PENDING_CREDENTIAL");
        };
        let account = accounts::find_by_id(&self.db, account.as_str()).await?;
        let is_expired = self.clock.now().since(sign_in.auth_time) > PENDING_TTL;
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
        &self,
        tx: &mut Tx,
        account: &mut Account,
        sign_in: SignIn,
        event: AuthEvent,
    ) -> ApiResult<SessionTokens> {
        account.last_login_at = Some(sign_in.auth_time);
        account.last_refresh_at = Some(sign_in.auth_time);
        accounts::save(tx, account).await?;
        let agent = event.agent.clone();
        self.log.record(tx, event, Some(&account.id)).await?;
        Ok(self.issue_tokens(tx, account, &sign_in, agent.as_deref()).await?)
    }

    pub async fn issue_tokens(
        &self,
        tx: &mut Tx,
        account: &Account,
        sign_in: &SignIn,
        agent: Option<&str>,
    ) -> Result<SessionTokens> {
        let refresh_token = URL_SAFE_NO_PAD.encode(self.random.bytes::<48>());
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
        .bind(self.clock.now())
        .bind(agent)
        .bind(account.token_generation)
        .execute()
        .await?;
        Ok(SessionTokens { id_token: self.id_token(account, sign_in)?, refresh_token })
    }

    fn id_token(&self, account: &Account, sign_in: &SignIn) -> Result<String> {
        self.keys.sign(&self.claims(account, sign_in))
    }

    fn claims(&self, account: &Account, sign_in: &SignIn) -> JwtClaims {
        let seconds = self.clock.now().0 / 1000;
        let mut claims = Map::new();
        // Custom claims first, so that they cannot replace ours.
        if let Some(Value::Object(own)) =
            account.custom_attributes.as_deref().and_then(|text| serde_json::from_str(text).ok())
        {
            claims.extend(own);
        }
        claims.extend(sign_in.claims.clone());
        let mut set = |name: &str, value: Option<Value>| {
            // A custom claim must not set one of ours that is absent.
            match value {
                Some(value) => claims.insert(name.into(), value),
                None => claims.remove(name),
            };
        };
        set("name", account.display_name.clone().map(Value::from));
        set("picture", account.photo_url.clone().map(Value::from));
        set("iss", Some(self.issuer().into()));
        set("aud", Some(self.project_id.clone().into()));
        set("auth_time", Some((sign_in.auth_time.0 / 1000).into()));
        set("user_id", Some(account.id.as_str().into()));
        set("sub", Some(account.id.as_str().into()));
        set("iat", Some(seconds.into()));
        set("exp", Some((seconds + ID_TOKEN_TTL.as_secs() as i64).into()));
        set("jti", Some(new_jti(account.token_generation, &self.random).into()));
        set("email", account.email.clone().map(Value::from));
        set("email_verified", account.email_verified.map(Value::from));
        set("phone_number", account.phone_number.clone().map(Value::from));
        set("provider_id", (sign_in.provider == "anonymous").then(|| "anonymous".into()));
        let factor = sign_in.second_factor.as_ref();
        set(
            "firebase",
            Some(json_object([
                ("identities", Some(account.identities().into())),
                ("sign_in_provider", Some(sign_in.provider.clone().into())),
                ("sign_in_second_factor", factor.map(|factor| factor.kind.clone().into())),
                ("second_factor_identifier", factor.map(|factor| factor.id.clone().into())),
            ])),
        );
        claims
    }

    /// Verifies an ID token and loads its account.
    pub async fn authenticate(&self, id_token: Option<&str>) -> ApiResult<Session> {
        let Some(token) = id_token.filter(|token| !token.is_empty()) else {
            return refuse("MISSING_ID_TOKEN");
        };
        let claims = self.keys.verify(token, &self.issuer(), &self.project_id);
        let Some(claims) = claims else { return refuse("INVALID_ID_TOKEN") };
        let seconds = |name: &str| claims.get(name).and_then(Value::as_i64).unwrap_or(0);
        if seconds("exp").saturating_mul(1000) <= self.clock.now().0 {
            return refuse("TOKEN_EXPIRED");
        }
        let id = claims.get("sub").and_then(Value::as_str).unwrap_or_default();
        let Some(account) = accounts::find_by_id(&self.db, id).await? else {
            return refuse("USER_NOT_FOUND");
        };
        if account.disabled {
            return refuse("USER_DISABLED");
        }
        let generation = claims.get("jti").and_then(Value::as_str).and_then(generation_in_jti);
        // Like Google's emulator, whose resolution is a second.
        let revoked = !self.is_emulator && generation != Some(account.token_generation);
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
        let sign_in = SignIn {
            provider: firebase("sign_in_provider").unwrap_or_default(),
            claims: Map::new(),
            second_factor,
            auth_time: Timestamp(seconds("auth_time").saturating_mul(1000)),
        };
        Ok(Session { account, sign_in, claims })
    }

    /// Sensitive changes (of credentials or the e-mail address, and deletion) need a recent sign-in with
    /// all factors of the account.
    pub fn check_recent_auth(&self, account: &Account, sign_in: &SignIn) -> ApiResult<()> {
        let no_factor = !account.factors.is_empty()
            && sign_in.second_factor.is_none()
            && sign_in.provider != "custom";
        if no_factor && !self.is_emulator {
            return refuse("CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
        }
        if self.clock.now().since(sign_in.auth_time) > RECENT_SIGN_IN {
            return refuse("CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
        }
        Ok(())
    }

    /// Adding a credential needs a recent sign-in, because a stolen token must not give permanent
    /// access. An anonymous account has no other credential that could be protected.
    pub fn check_link_allowed(&self, session: &Session) -> ApiResult<()> {
        let Session { account, sign_in, .. } = session;
        let is_anonymous = sign_in.provider == "anonymous"
            && !(account.linked || account.custom_auth || account.email.is_some());
        if is_anonymous { Ok(()) } else { self.check_recent_auth(account, sign_in) }
    }

    /// `POST /v1/token`: exchanges a refresh token for an ID token.
    pub async fn refresh(&self, body: &ApiFields, agent: Option<&str>) -> ApiResult {
        match body.filled("grantType")? {
            None => return refuse("MISSING_GRANT_TYPE"),
            Some("refresh_token") => {}
            Some(_) => return refuse("INVALID_GRANT_TYPE"),
        }
        let Some(token) = body.filled("refreshToken")? else {
            return refuse("MISSING_REFRESH_TOKEN");
        };
        let found: Option<TokenRow> = self
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
        let Some(account) = accounts::find_by_id(&self.db, row.account.as_str()).await? else {
            let code = if self.is_emulator { "INVALID_REFRESH_TOKEN" } else { "USER_NOT_FOUND" };
            return refuse(code);
        };
        if account.disabled {
            return refuse("USER_DISABLED");
        }
        // A session that was opened during a revocation is not marked as revoked, but has an old generation.
        let is_outdated = !self.is_emulator && row.token_generation != account.token_generation;
        if row.revoked || is_outdated || row.created_at < account.valid_since {
            return refuse("TOKEN_EXPIRED");
        }
        accounts::record_refresh(&self.db, &account, self.clock.now()).await?;
        self.record_use(token, &row, agent).await?;
        let sign_in = SignIn {
            provider: row.provider,
            claims: row.claims.0,
            second_factor: row.second_factor.map(|factor| factor.0),
            auth_time: row.auth_time,
        };
        let id_token = self.id_token(&account, &sign_in)?;
        Ok(json!({
            "id_token": id_token,
            "access_token": id_token,
            "expires_in": ID_TOKEN_TTL.as_secs().to_string(),
            "refresh_token": token,
            "token_type": "Bearer",
            "user_id": account.id,
            "project_id": self.project_number,
        }))
    }

    /// Records the last use and the user agent, for the list of devices and for retention.
    async fn record_use(&self, token: &str, row: &TokenRow, agent: Option<&str>) -> Result<()> {
        let now = self.clock.now();
        if now.since(row.used_at) < USE_RECORDED_EVERY {
            return Ok(());
        }
        self.db
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
    pub fn sign_cookie(&self, mut claims: JwtClaims, ttl: Duration) -> Result<String> {
        let (now, project) = (self.clock.now(), &self.project_id);
        claims
            .insert("iss".into(), format!("https://session.firebase.google.com/{project}").into());
        claims.insert("iat".into(), (now.0 / 1000).into());
        claims.insert("exp".into(), (now.plus(ttl).0 / 1000).into());
        self.keys.sign(&claims)
    }

    /// The sessions of an account, the most recently used first. `current` is the hash of the caller's
    /// refresh token.
    pub async fn list_devices(
        &self,
        account: &Account,
        current: Option<&str>,
    ) -> Result<Vec<SignedInDevice>> {
        let rows: Vec<DeviceRow> = self
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
        let device = |row: DeviceRow| SignedInDevice {
            agent: row.agent,
            signed_in_at: row.created_at,
            used_at: row.used_at,
            is_current: current == Some(row.hash.as_str()),
        };
        Ok(rows.into_iter().map(device).collect())
    }
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

//! Sessions: the ID token that says who somebody is for an hour, and the refresh token that gets the
//! next one until it is revoked.

use std::net::IpAddr;
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use base::db::Json;
use base::{Id, Result, Timestamp, Tx};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value, json};

use crate::accounts::{self, Account, AccountId};
use crate::protocol::{Answer, refuse};
use crate::{Identity, attempts};

const LIVES: Duration = Duration::from_secs(3600);
/// What may only be done soon after signing in: changing how one signs in, deleting the account.
const RECENT: Duration = Duration::from_secs(5 * 60);

/// How somebody signed in.
#[derive(Clone, Debug, PartialEq)]
pub struct SignIn {
    /// `password`, `anonymous`, `custom`, …
    pub provider: String,
    /// Claims of this session alone.
    pub claims: Map<String, Value>,
    pub auth_time: Timestamp,
}

/// A new pair of tokens.
#[derive(Debug)]
pub struct Tokens {
    pub id_token: String,
    pub refresh_token: String,
}

impl Tokens {
    pub fn put_into(self, answer: &mut Value) {
        answer["idToken"] = self.id_token.into();
        answer["refreshToken"] = self.refresh_token.into();
        answer["expiresIn"] = LIVES.as_secs().to_string().into();
    }
}

/// Somebody who holds a good ID token.
pub struct Holder {
    pub account: Account,
    pub sign_in: SignIn,
}

/// What is kept of a session, under the hash of its refresh token.
#[derive(sqlx::FromRow)]
struct Kept {
    account: AccountId,
    provider: String,
    claims: Json<Map<String, Value>>,
    auth_time: Timestamp,
    revoked: bool,
}

/// What is noted of each security event.
pub struct Event {
    pub kind: &'static str,
    pub address: Option<IpAddr>,
}

impl Identity {
    pub fn issuer(&self) -> String {
        format!("https://securetoken.google.com/{}", self.settings.project_id)
    }

    /// Signs an account in: writes it with its new login time, a refresh token and the event.
    pub async fn begin_session(
        &self,
        tx: &mut Tx,
        account: &mut Account,
        provider: &str,
        event: Event,
    ) -> Answer<Tokens> {
        let now = self.clock.now();
        account.last_login_at = Some(now);
        account.last_refresh_at = Some(now);
        accounts::put(tx, account).await?;
        let account_name = account.email.as_deref().unwrap_or(account.id.as_str());
        attempts::succeeded(tx, account_name, event.address).await?;
        self.note(tx, event, Some(&account.id)).await?;
        let sign_in = SignIn { provider: provider.into(), claims: Map::new(), auth_time: now };
        Ok(self.issue(tx, account, &sign_in).await?)
    }

    pub async fn issue(&self, tx: &mut Tx, account: &Account, sign_in: &SignIn) -> Result<Tokens> {
        let refresh_token = URL_SAFE_NO_PAD.encode(self.random.bytes::<48>());
        tx.query(
            "insert into refresh_tokens (hash, account, provider, claims, auth_time, revoked, created_at)
             values ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(hash(&refresh_token))
        .bind(&account.id)
        .bind(sign_in.provider.as_str())
        .bind(&Json(&sign_in.claims))
        .bind(sign_in.auth_time)
        .bind(false)
        .bind(self.clock.now())
        .execute()
        .await?;
        Ok(Tokens { id_token: self.id_token(account, sign_in)?, refresh_token })
    }

    fn id_token(&self, account: &Account, sign_in: &SignIn) -> Result<String> {
        let seconds = self.clock.now().0 / 1000;
        let mut claims = Map::new();
        // The shop's own claims first, so that none of them can stand in for one of ours.
        if let Some(Value::Object(own)) =
            account.custom_attributes.as_deref().and_then(|text| serde_json::from_str(text).ok())
        {
            claims.extend(own);
        }
        claims.extend(sign_in.claims.clone());
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                claims.insert(name.into(), value);
            }
        };
        put("name", account.display_name.clone().map(Value::from));
        put("picture", account.photo_url.clone().map(Value::from));
        put("iss", Some(self.issuer().into()));
        put("aud", Some(self.settings.project_id.clone().into()));
        put("auth_time", Some((sign_in.auth_time.0 / 1000).into()));
        put("user_id", Some(account.id.as_str().into()));
        put("sub", Some(account.id.as_str().into()));
        put("iat", Some(seconds.into()));
        put("exp", Some((seconds + LIVES.as_secs() as i64).into()));
        put("jti", Some(URL_SAFE_NO_PAD.encode(self.random.bytes::<9>()).into()));
        put("email", account.email.clone().map(Value::from));
        put("email_verified", account.email.as_ref().map(|_| account.email_verified.into()));
        put("phone_number", account.phone_number.clone().map(Value::from));
        put("provider_id", (sign_in.provider == "anonymous").then(|| "anonymous".into()));
        put(
            "firebase",
            Some(
                json!({ "identities": account.identities(), "sign_in_provider": sign_in.provider }),
            ),
        );
        self.keys.sign(&claims)
    }

    /// Whoever holds this ID token, if it is good now.
    pub async fn holder(&self, id_token: Option<&str>) -> Answer<Holder> {
        let Some(token) = id_token else { return refuse("INVALID_ID_TOKEN") };
        let claims = self.keys.verify(token, &self.issuer(), &self.settings.project_id);
        let Some(claims) = claims else { return refuse("INVALID_ID_TOKEN") };
        let seconds = |name: &str| claims.get(name).and_then(Value::as_i64).unwrap_or(0);
        if seconds("exp") * 1000 <= self.clock.now().0 {
            return refuse("TOKEN_EXPIRED");
        }
        let id = claims.get("sub").and_then(Value::as_str).unwrap_or_default();
        let Some(account) = accounts::by_id(&self.db, id).await? else {
            return refuse("USER_NOT_FOUND");
        };
        if account.disabled {
            return refuse("USER_DISABLED");
        }
        if seconds("iat") < account.valid_since {
            return refuse("TOKEN_EXPIRED");
        }
        let provider =
            claims.get("firebase").and_then(|firebase| firebase["sign_in_provider"].as_str());
        let sign_in = SignIn {
            provider: provider.unwrap_or_default().to_owned(),
            claims: Map::new(),
            auth_time: Timestamp(seconds("auth_time") * 1000),
        };
        Ok(Holder { account, sign_in })
    }

    /// Refuses what wants a sign-in of the last minutes.
    pub fn recent(&self, sign_in: &SignIn) -> Answer<()> {
        if self.clock.now().since(sign_in.auth_time) > RECENT {
            return refuse("CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
        }
        Ok(())
    }

    /// `POST /v1/token`: the next ID token for a refresh token.
    pub async fn refresh(&self, form: &[(String, String)]) -> Answer {
        let field = |name: &str| form.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        match field("grant_type").or(field("grantType")).map(String::as_str) {
            None | Some("") => return refuse("MISSING_GRANT_TYPE"),
            Some("refresh_token") => {}
            Some(_) => return refuse("INVALID_GRANT_TYPE"),
        }
        let token =
            field("refresh_token").or(field("refreshToken")).filter(|token| !token.is_empty());
        let Some(token) = token else { return refuse("MISSING_REFRESH_TOKEN") };
        let found: Option<Kept> = self
            .db
            .query("select account, provider, claims, auth_time, revoked from refresh_tokens where hash = $1")
            .bind(hash(token))
            .optional()
            .await?;
        let Some(Kept { account: id, provider, claims: Json(claims), auth_time, revoked }) = found
        else {
            return refuse("INVALID_REFRESH_TOKEN");
        };
        let Some(account) = accounts::by_id(&self.db, id.as_str()).await? else {
            return refuse("USER_NOT_FOUND");
        };
        if account.disabled {
            return refuse("USER_DISABLED");
        }
        if revoked {
            return refuse("TOKEN_EXPIRED");
        }
        self.db
            .query("update accounts set last_refresh_at = $2 where id = $1")
            .bind(&id)
            .bind(self.clock.now())
            .execute()
            .await?;
        let id_token = self.id_token(&account, &SignIn { provider, claims, auth_time })?;
        Ok(json!({
            "id_token": id_token,
            "access_token": id_token,
            "expires_in": LIVES.as_secs().to_string(),
            "refresh_token": token,
            "token_type": "Bearer",
            "user_id": id,
            "project_id": self.settings.project_number,
        }))
    }

    pub async fn note(&self, tx: &mut Tx, event: Event, account: Option<&AccountId>) -> Result<()> {
        let id = Id::<Event>::new(&self.clock, &self.random);
        tx.query(
            "insert into security_events (id, at, kind, account, address) values ($1, $2, $3, $4, $5)",
        )
        .bind(&id)
        .bind(self.clock.now())
        .bind(event.kind)
        .bind(account.map(|id| id.as_str().to_owned()))
        .bind(event.address.map(|address| address.to_string()))
        .execute()
        .await
        .map(drop)
    }
}

/// Ends every session of an account.
pub async fn revoke_all(tx: &mut Tx, account: &AccountId) -> Result<()> {
    tx.query("update refresh_tokens set revoked = $2 where account = $1")
        .bind(account)
        .bind(true)
        .execute()
        .await
        .map(drop)
}

/// What is kept of a token or a code: enough to know it again, useless to whoever steals it. They are
/// random, so a plain hash is as good as a slow one.
pub fn hash(token: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, token.as_bytes()))
}

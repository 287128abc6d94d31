//! Sessions: the ID token that says who somebody is for an hour, and the refresh token that gets the
//! next one until it is revoked.

use std::net::IpAddr;
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use base::auth::{generation_in, token_name};
use base::db::Json;
use base::{Id, Result, Timestamp, Tx};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::Identity;
use crate::accounts::{self, Account, AccountId, object};
use crate::http::Call;
use crate::protocol::{Answer, refuse};
use crate::second_factor::{self, Factor};

/// Nobody wants to know it better.
const NOTED_EVERY: Duration = Duration::from_secs(30 * 60);
/// How long an ID token lives.
pub const LIVES: Duration = Duration::from_secs(3600);
/// What may only be done soon after signing in: changing how one signs in, deleting the account.
const RECENT: Duration = Duration::from_secs(5 * 60);

/// How somebody signed in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignIn {
    /// `password`, `anonymous`, `custom`, …
    pub provider: String,
    /// Claims of this session alone.
    pub claims: Map<String, Value>,
    pub second_factor: Option<SecondFactor>,
    pub auth_time: Timestamp,
}

/// The second proof of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SecondFactor {
    pub id: String,
    /// `phone` or `totp`.
    pub kind: String,
}

/// What somebody gets who has shown the first proof: a session, or the question for the second.
#[derive(Debug)]
pub enum Entrance {
    Session(Tokens),
    Pending { credential: String, factors: Vec<Value> },
}

impl Entrance {
    pub fn put_into(self, answer: &mut Value) {
        match self {
            Self::Session(tokens) => tokens.put_into(answer),
            Self::Pending { credential, factors } => {
                answer["mfaPendingCredential"] = credential.into();
                answer["mfaInfo"] = factors.into();
            }
        }
    }
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
    /// All that the token says.
    pub claims: Map<String, Value>,
}

/// What is kept of a session, under the hash of its refresh token.
#[derive(sqlx::FromRow)]
struct Kept {
    account: AccountId,
    provider: String,
    claims: Json<Map<String, Value>>,
    second_factor: Option<Json<SecondFactor>>,
    auth_time: Timestamp,
    revoked: bool,
    token_generation: i64,
    created_at: Timestamp,
    used_at: Timestamp,
}

/// What is noted of each security event.
pub struct Event {
    pub kind: &'static str,
    pub address: Option<IpAddr>,
    /// What a session is opened from; it is kept with the session alone.
    pub agent: Option<String>,
}

impl Identity {
    pub fn issuer(&self) -> String {
        Self::issuer_of(&self.settings.project_id)
    }

    /// Who issues the tokens of a project, wherever it is hosted.
    pub fn issuer_of(project: &str) -> String {
        format!("https://securetoken.google.com/{project}")
    }

    /// Signs an account in by its first proof: writes it with its new login time, a refresh token and
    /// the event. One with second factors gets no session yet; it is written too.
    pub async fn begin_session(
        &self,
        tx: &mut Tx,
        account: &mut Account,
        provider: &str,
        event: Event,
    ) -> Answer<Entrance> {
        let claims = Map::new();
        self.begin_session_with(tx, account, provider, claims, event).await
    }

    /// The same, with claims of its own.
    pub async fn begin_session_with(
        &self,
        tx: &mut Tx,
        account: &mut Account,
        provider: &str,
        claims: Map<String, Value>,
        event: Event,
    ) -> Answer<Entrance> {
        let auth_time = self.clock.now();
        let sign_in = SignIn { provider: provider.into(), claims, second_factor: None, auth_time };
        // Whoever makes custom tokens has asked for all the proofs it wants.
        if !account.factors.is_empty() && provider != "custom" {
            accounts::put(tx, account).await?;
            self.note(tx, Event { kind: "first_factor", ..event }, Some(&account.id)).await?;
            return Ok(Entrance::Pending {
                credential: second_factor::pending(self, account, &sign_in)?,
                factors: account.factors.iter().map(Factor::masked).collect(),
            });
        }
        Ok(Entrance::Session(self.open_session(tx, account, sign_in, event).await?))
    }

    /// Opens the session of somebody who has shown every proof.
    pub async fn open_session(
        &self,
        tx: &mut Tx,
        account: &mut Account,
        sign_in: SignIn,
        event: Event,
    ) -> Answer<Tokens> {
        account.last_login_at = Some(sign_in.auth_time);
        account.last_refresh_at = Some(sign_in.auth_time);
        accounts::put(tx, account).await?;
        let agent = event.agent.clone();
        self.note(tx, event, Some(&account.id)).await?;
        Ok(self.issue(tx, account, &sign_in, agent.as_deref()).await?)
    }

    pub async fn issue(
        &self,
        tx: &mut Tx,
        account: &Account,
        sign_in: &SignIn,
        agent: Option<&str>,
    ) -> Result<Tokens> {
        let refresh_token = URL_SAFE_NO_PAD.encode(self.random.bytes::<48>());
        tx.query(
            "insert into refresh_tokens (hash, account, provider, claims, second_factor, auth_time,
               revoked, created_at, used_at, agent, token_generation)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10)",
        )
        .bind(hash(&refresh_token))
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
        Ok(Tokens { id_token: self.id_token(account, sign_in)?, refresh_token })
    }

    fn id_token(&self, account: &Account, sign_in: &SignIn) -> Result<String> {
        self.keys.sign(&self.claims(account, sign_in))
    }

    fn claims(&self, account: &Account, sign_in: &SignIn) -> Map<String, Value> {
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
            // What we do not know of somebody, nobody else says in our name.
            match value {
                Some(value) => claims.insert(name.into(), value),
                None => claims.remove(name),
            };
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
        put("jti", Some(token_name(account.token_generation, &self.random).into()));
        put("email", account.email.clone().map(Value::from));
        put("email_verified", account.email_verified.map(Value::from));
        put("phone_number", account.phone_number.clone().map(Value::from));
        put("provider_id", (sign_in.provider == "anonymous").then(|| "anonymous".into()));
        let factor = sign_in.second_factor.as_ref();
        put(
            "firebase",
            Some(object([
                ("identities", Some(account.identities().into())),
                ("sign_in_provider", Some(sign_in.provider.clone().into())),
                ("sign_in_second_factor", factor.map(|factor| factor.kind.clone().into())),
                ("second_factor_identifier", factor.map(|factor| factor.id.clone().into())),
            ])),
        );
        claims
    }

    /// Whoever holds this ID token, if it is good now.
    pub async fn holder(&self, id_token: Option<&str>) -> Answer<Holder> {
        let Some(token) = id_token.filter(|token| !token.is_empty()) else {
            return refuse("MISSING_ID_TOKEN");
        };
        let claims = self.keys.verify(token, &self.issuer(), &self.settings.project_id);
        let Some(claims) = claims else { return refuse("INVALID_ID_TOKEN") };
        let seconds = |name: &str| claims.get(name).and_then(Value::as_i64).unwrap_or(0);
        if seconds("exp").saturating_mul(1000) <= self.clock.now().0 {
            return refuse("TOKEN_EXPIRED");
        }
        let id = claims.get("sub").and_then(Value::as_str).unwrap_or_default();
        let Some(account) = accounts::by_id(&self.db, id).await? else {
            return refuse("USER_NOT_FOUND");
        };
        if account.disabled {
            return refuse("USER_DISABLED");
        }
        let issued_in = claims.get("jti").and_then(Value::as_str).and_then(generation_in);
        // Google's emulator goes by the second alone, and tests may go by it.
        let revoked = !self.is_lax() && issued_in != Some(account.token_generation);
        if revoked || seconds("iat") < account.valid_since.0 / 1000 {
            return refuse("TOKEN_EXPIRED");
        }
        let firebase = |name: &str| {
            let text = claims.get("firebase").and_then(|firebase| firebase[name].as_str());
            text.map(str::to_owned)
        };
        let second_factor = firebase("second_factor_identifier")
            .zip(firebase("sign_in_second_factor"))
            .map(|(id, kind)| SecondFactor { id, kind });
        let sign_in = SignIn {
            provider: firebase("sign_in_provider").unwrap_or_default(),
            claims: Map::new(),
            second_factor,
            auth_time: Timestamp(seconds("auth_time").saturating_mul(1000)),
        };
        Ok(Holder { account, sign_in, claims })
    }

    /// Refuses what only somebody may change who has shown, a moment ago, all that the account asks
    /// for: how one signs in, where letters go, that the account is there.
    pub fn accept_change(&self, account: &Account, sign_in: &SignIn) -> Answer<()> {
        let unshown = !account.factors.is_empty()
            && sign_in.second_factor.is_none()
            && sign_in.provider != "custom";
        if unshown && !self.is_lax() {
            return refuse("CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
        }
        self.recent(sign_in)
    }

    /// Refuses what wants a sign-in of the last minutes.
    fn recent(&self, sign_in: &SignIn) -> Answer<()> {
        if self.clock.now().since(sign_in.auth_time) > RECENT {
            return refuse("CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
        }
        Ok(())
    }

    /// `POST /v1/token`: the next ID token for a refresh token.
    pub async fn refresh(&self, call: &Call<'_>) -> Answer {
        let body = &call.body;
        match body.filled("grantType")? {
            None => return refuse("MISSING_GRANT_TYPE"),
            Some("refresh_token") => {}
            Some(_) => return refuse("INVALID_GRANT_TYPE"),
        }
        let Some(token) = body.filled("refreshToken")? else {
            return refuse("MISSING_REFRESH_TOKEN");
        };
        let found: Option<Kept> = self
            .db
            .query(
                "select account, provider, claims, second_factor, auth_time, revoked,
                   token_generation, created_at, used_at
                 from refresh_tokens where hash = $1",
            )
            .bind(hash(token))
            .optional()
            .await?;
        let Some(kept) = found else { return refuse("INVALID_REFRESH_TOKEN") };
        let Some(account) = accounts::by_id(&self.db, kept.account.as_str()).await? else {
            return refuse(if self.is_lax() { "INVALID_REFRESH_TOKEN" } else { "USER_NOT_FOUND" });
        };
        if account.disabled {
            return refuse("USER_DISABLED");
        }
        // One that was opened while all were being revoked is not marked, but of the generation before.
        let outdated = !self.is_lax() && kept.token_generation != account.token_generation;
        if kept.revoked || outdated || kept.created_at < account.valid_since {
            return refuse("TOKEN_EXPIRED");
        }
        accounts::note_refresh(&self.db, &account, self.clock.now()).await?;
        self.note_use(token, &kept, call.agent.as_deref()).await?;
        let sign_in = SignIn {
            provider: kept.provider,
            claims: kept.claims.0,
            second_factor: kept.second_factor.map(|factor| factor.0),
            auth_time: kept.auth_time,
        };
        let id_token = self.id_token(&account, &sign_in)?;
        Ok(json!({
            "id_token": id_token,
            "access_token": id_token,
            "expires_in": LIVES.as_secs().to_string(),
            "refresh_token": token,
            "token_type": "Bearer",
            "user_id": account.id,
            "project_id": self.settings.project_number,
        }))
    }

    /// Notes that a session is in use, and from what: its owner is shown so, and one that is not used
    /// is thrown away some day.
    async fn note_use(&self, token: &str, kept: &Kept, agent: Option<&str>) -> Result<()> {
        let now = self.clock.now();
        if now.since(kept.used_at) < NOTED_EVERY {
            return Ok(());
        }
        self.db
            .query(
                "update refresh_tokens set used_at = $2, agent = coalesce($3, agent) where hash = $1",
            )
            .bind(hash(token))
            .bind(now)
            .bind(agent)
            .execute()
            .await
            .map(drop)
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

/// Who issues session cookies: they are no ID tokens, so their issuer is another.
pub fn cookie_issuer(identity: &Identity) -> String {
    format!("https://session.firebase.google.com/{}", identity.settings.project_id)
}

/// Names that a token uses itself.
const RESERVED: [&str; 16] = [
    "acr",
    "amr",
    "at_hash",
    "aud",
    "auth_time",
    "azp",
    "c_hash",
    "cnf",
    "exp",
    "firebase",
    "iat",
    "iss",
    "jti",
    "nbf",
    "nonce",
    "sub",
];
const MOST_CLAIMS: usize = 1000;

/// Whether these claims may stand in a token beside our own.
pub fn accept_claims(claims: &Map<String, Value>) -> Answer<()> {
    match claims.keys().find(|name| RESERVED.contains(&name.as_str())) {
        Some(name) => refuse(format!("FORBIDDEN_CLAIM : {name}")),
        None => Ok(()),
    }
}

/// The same for the claims that an admin gives to an account, written as JSON.
pub fn accept_custom_attributes(text: &str) -> Answer<()> {
    if text.len() > MOST_CLAIMS {
        return refuse("CLAIMS_TOO_LARGE");
    }
    if text.is_empty() {
        return Ok(());
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(claims)) => accept_claims(&claims),
        _ => refuse("INVALID_CLAIMS"),
    }
}

/// Ends every session of an account, and with them the letters by which a session could come back:
/// a thief may have asked for one. Letters that undo a change stay.
pub async fn revoke_all(tx: &mut Tx, account: &AccountId) -> Result<()> {
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

/// What is kept of a token or a code: enough to know it again, useless to whoever steals it. They are
/// random, so a plain hash is as good as a slow one.
pub fn hash(token: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, token.as_bytes()))
}

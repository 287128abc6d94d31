//! Authentication: verifies bearer tokens; `context` has the extractors. The identity provider's ID token
//! proves who somebody is; it is exchanged for the shop's own short-lived access token, which all other
//! calls require. This is all that the shop knows of identity.
//!
//! Revocation: each account has a generation, which changes in the transaction that revokes its tokens.
//! A token contains the generation that it was issued in, and is valid in that one only. Timestamps would
//! not do: clocks differ between servers, and an access token can be signed after its ID token was revoked.

use std::sync::Arc;
use std::time::Duration;

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::secret::Secret;
use crate::{Clock, Error, Random, Result, ResultFuture, Timestamp};

const ACCESS_TOKEN_LIFETIME: Duration = Duration::from_secs(15 * 60);
const RECENT: Duration = Duration::from_secs(5 * 60);
fn session_ended() -> Error {
    let message = "Please sign in again: this session was ended.";
    Error::refused(StatusCode::UNAUTHORIZED, "session_ended", message)
}

/// The authenticated customer. As an extractor: the subject of the access token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer {
    /// The account's id at the identity provider.
    #[serde(rename = "sub")]
    pub uid: String,
    pub email: String,
    pub name: Option<String>,
    #[serde(default)]
    pub email_verified: bool,
    /// The phone number of the account, which the identity provider has verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified_phone: Option<String>,
}

impl Customer {
    pub fn owns(&self, email: &str) -> bool {
        self.email.eq_ignore_ascii_case(email)
    }
}

/// The subject of the ID token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdTokenClaims {
    pub caller: Customer,
    /// The account's generation when the token was issued; none with a hosted provider.
    pub generation: Option<i64>,
}

/// The subject of an ID token whose sign-in is at most five minutes old.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentSignIn {
    pub caller: Customer,
    /// In lower case; none where it is not verified.
    pub proven_email: Option<String>,
}

/// Finds a published key by its id.
pub type KeyFinder = Arc<dyn Fn(&str) -> Option<DecodingKey> + Send + Sync>;

/// Finds the generation of an account by its id; none where it is disabled or deleted.
pub type GenerationFinder = Arc<dyn Fn(String) -> ResultFuture<'static, Option<i64>> + Send + Sync>;
/// Whether an ID token, issued at this Unix time, is still valid.
pub type TokenCheck = Arc<dyn Fn(String, i64) -> ResultFuture<'static, bool> + Send + Sync>;

/// How to find out whether a token was revoked.
#[derive(Clone)]
pub enum Revocation {
    /// The identity service is part of this program: checked for every call, by one indexed read.
    Own(GenerationFinder),
    /// It is hosted elsewhere: checked before an account's data is exported or deleted.
    Hosted(TokenCheck),
}

/// Verifies ID tokens and access tokens, and issues access tokens.
#[derive(Clone)]
pub struct Tokens {
    clock: Clock,
    issuer: String,
    audience: String,
    keys: KeyFinder,
    revocation: Revocation,
    access_keys: (EncodingKey, DecodingKey),
}

#[derive(Serialize, Deserialize)]
struct Claims<Kind> {
    #[serde(flatten)]
    caller: Customer,
    #[serde(default)]
    iat: i64,
    exp: i64,
    #[serde(flatten)]
    kind: Kind,
}

/// The claims that only ID tokens have.
#[derive(Deserialize)]
struct IdToken {
    #[serde(default)]
    auth_time: i64,
    /// Only where it is verified.
    phone_number: Option<String>,
    jti: Option<String>,
}

impl IdToken {
    fn generation(&self) -> Option<i64> {
        self.jti.as_deref().and_then(generation_in_jti)
    }
}

/// The claims that only access tokens have.
#[derive(Serialize, Deserialize)]
struct AccessTokenClaims {
    #[serde(skip_serializing_if = "Option::is_none")]
    generation: Option<i64>,
}

impl Tokens {
    pub fn new(
        clock: Clock,
        secret: &Secret,
        issuer: String,
        audience: String,
        keys: KeyFinder,
        revocation: Revocation,
    ) -> Self {
        let key = secret.derive("access tokens");
        let access_keys = (EncodingKey::from_secret(&key), DecodingKey::from_secret(&key));
        Self { clock, issuer, audience, keys, revocation, access_keys }
    }

    pub async fn id_token_claims(&self, headers: &HeaderMap) -> Result<IdTokenClaims> {
        let (_, Claims { caller, kind, .. }) = self.verify_id_token(headers).await?;
        Ok(IdTokenClaims { caller, generation: kind.generation() })
    }

    /// For sensitive actions, for which a stolen token must not be enough.
    pub async fn recent_sign_in(&self, headers: &HeaderMap) -> Result<RecentSignIn> {
        let (token, Claims { caller, iat, kind, .. }) = self.verify_id_token(headers).await?;
        if self.clock.now().since(Timestamp(kind.auth_time.saturating_mul(1000))) > RECENT {
            let message = "For this, please sign in once more.";
            return Err(Error::refused(StatusCode::FORBIDDEN, "stale_sign_in", message));
        }
        if let Revocation::Hosted(is_good) = &self.revocation
            && !is_good(token.to_owned(), iat).await?
        {
            return Err(session_ended());
        }
        let proven_email = caller.email_verified.then(|| caller.email.to_lowercase());
        Ok(RecentSignIn { caller, proven_email })
    }

    async fn verify_id_token<'h>(
        &self,
        headers: &'h HeaderMap,
    ) -> Result<(&'h str, Claims<IdToken>)> {
        const WHY: &str = "Please sign in: the identity token is missing or not good.";
        let token = bearer_token(headers).ok_or(Error::Unauthenticated(WHY))?;
        let header = jsonwebtoken::decode_header(token).ok();
        let key = header.and_then(|header| (self.keys)(&header.kid?));
        let key = key.ok_or(Error::Unauthenticated(WHY))?;
        let mut validation = Validation::new(Algorithm::RS256);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[&self.audience]);
        let mut claims: Claims<IdToken> =
            self.verify(token, &key, validation).ok_or(Error::Unauthenticated(WHY))?;
        claims.caller.verified_phone = claims.kind.phone_number.clone();
        self.check_generation(&claims.caller, claims.kind.generation()).await?;
        Ok((token, claims))
    }

    pub async fn customer(&self, headers: &HeaderMap) -> Result<Customer> {
        const WHY: &str = "Please sign in: the access token is missing or not good.";
        let token = bearer_token(headers).ok_or(Error::Unauthenticated(WHY))?;
        let mut validation = Validation::new(Algorithm::HS256);
        validation.validate_aud = false;
        let claims: Option<Claims<AccessTokenClaims>> =
            self.verify(token, &self.access_keys.1, validation);
        let Claims { caller, kind, .. } = claims.ok_or(Error::Unauthenticated(WHY))?;
        self.check_generation(&caller, kind.generation).await?;
        Ok(caller)
    }

    /// Rejects tokens of an earlier generation, and of accounts that are disabled or deleted.
    async fn check_generation(&self, caller: &Customer, issued_in: Option<i64>) -> Result<()> {
        let Revocation::Own(find) = &self.revocation else { return Ok(()) };
        let now = find(caller.uid.clone()).await?;
        if now.is_some() && now == issued_in { Ok(()) } else { Err(session_ended()) }
    }

    fn verify<Kind: DeserializeOwned>(
        &self,
        token: &str,
        key: &DecodingKey,
        mut validation: Validation,
    ) -> Option<Claims<Kind>> {
        // Checked below with the injected clock; the library would use the system's.
        validation.validate_exp = false;
        validation.set_required_spec_claims(&["exp", "sub"]);
        let claims: Claims<Kind> = jsonwebtoken::decode(token, key, &validation).ok()?.claims;
        (claims.exp.checked_mul(1000)? > self.clock.now().0).then_some(claims)
    }

    /// Issues an access token with the generation of the ID token that it is issued for, so that revoking
    /// the one revokes the other.
    pub fn access_token(&self, caller: Customer, generation: Option<i64>) -> Result<String> {
        let now = self.clock.now();
        let (iat, exp) = (now.0 / 1000, now.plus(ACCESS_TOKEN_LIFETIME).0 / 1000);
        let claims = Claims { caller, iat, exp, kind: AccessTokenClaims { generation } };
        jsonwebtoken::encode(&Header::default(), &claims, &self.access_keys.0)
            .map_err(Error::internal)
    }
}

/// A unique token id (`jti`) that contains the generation.
pub fn new_jti(generation: i64, random: &Random) -> String {
    format!("{generation:x}.{:032x}", u128::from_le_bytes(random.bytes()))
}

pub fn generation_in_jti(jti: &str) -> Option<i64> {
    let (generation, _) = jti.split_once('.')?;
    i64::from_str_radix(generation, 16).ok()
}

/// The bearer token of the `Authorization` header. The scheme's name is case-insensitive.
pub fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let header = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

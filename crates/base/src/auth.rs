//! From a token to who asks. The identity provider's ID token proves who somebody is; the shop's own
//! access token, short-lived, is what its calls want. The shop knows of identity no more than this.
//!
//! Revocation: each account has a generation, which moves in the transaction that revokes its tokens.
//! A token names the generation that it was issued in, and is good in that one alone. Moments would not
//! do: clocks differ between servers, and a token can be signed after the revocation of what it was
//! signed for.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::secret::Secret;
use crate::{Clock, Error, Random, Result, Timestamp};

/// How long an access token lives.
const LIVES: Duration = Duration::from_secs(15 * 60);
/// How long a sign-in counts as just now.
const FRESH: Duration = Duration::from_secs(5 * 60);
const REVOKED: &str = "Please sign in again: this session was ended.";

/// Who asks. As an extractor: the holder of the access token that came as Bearer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// The account's id at the identity provider.
    #[serde(rename = "sub")]
    pub uid: String,
    pub email: String,
    #[serde(default)]
    pub name: Option<String>,
    /// Whether the e-mail address is known to be theirs.
    #[serde(default)]
    pub email_verified: bool,
    /// Whether the identity provider has proven a phone number of theirs.
    #[serde(default)]
    pub phone_verified: bool,
}

impl Caller {
    /// Whether this e-mail address is the caller's own.
    pub fn owns(&self, email: &str) -> bool {
        self.email.eq_ignore_ascii_case(email)
    }
}

/// The holder of the ID token that came as Bearer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identified {
    pub caller: Caller,
    /// The account's when the token was issued; a hosted provider does not say.
    pub generation: Option<i64>,
}

/// Somebody who has signed in just now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    pub caller: Caller,
    /// The e-mail address in small letters, where it is known to be theirs.
    pub proven_email: Option<String>,
}

/// Finds a published key by its id.
pub type KeyFinder = Arc<dyn Fn(&str) -> Option<DecodingKey> + Send + Sync>;

type Answer<T> = Pin<Box<dyn Future<Output = Result<T>> + Send>>;
/// Finds the generation of the account of this id; none where it is disabled or deleted.
pub type GenerationFinder = Arc<dyn Fn(String) -> Answer<Option<i64>> + Send + Sync>;
/// Whether an ID token, issued at this Unix time, is still good.
pub type TokenCheck = Arc<dyn Fn(String, i64) -> Answer<bool> + Send + Sync>;

/// How to learn that an account's tokens were revoked.
#[derive(Clone)]
pub enum Revocation {
    /// The identity service is a part of this program: every call asks, by one indexed read.
    Own(GenerationFinder),
    /// It is elsewhere: asked before an account is handed out or deleted.
    Hosted(TokenCheck),
}

/// Reads tokens.
#[derive(Clone)]
pub struct Tokens {
    clock: Clock,
    issuer: String,
    audience: String,
    keys: KeyFinder,
    revocation: Revocation,
    own: (EncodingKey, DecodingKey),
}

#[derive(Serialize, Deserialize)]
struct Claims<Kind> {
    #[serde(flatten)]
    caller: Caller,
    #[serde(default)]
    iat: i64,
    exp: i64,
    #[serde(flatten)]
    kind: Kind,
}

/// What is in ID tokens alone.
#[derive(Deserialize)]
struct IdToken {
    #[serde(default)]
    auth_time: i64,
    /// Only where it is proven.
    #[serde(default)]
    phone_number: Option<String>,
    #[serde(default)]
    jti: Option<String>,
}

/// What is in access tokens alone.
#[derive(Serialize, Deserialize)]
struct AccessToken {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    generation: Option<i64>,
}

impl From<Claims<IdToken>> for Identified {
    fn from(Claims { caller, kind, .. }: Claims<IdToken>) -> Self {
        let generation = kind.jti.as_deref().and_then(generation_in);
        Self { caller, generation }
    }
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
        let own = secret.derive("access tokens");
        let own = (EncodingKey::from_secret(&own), DecodingKey::from_secret(&own));
        Self { clock, issuer, audience, keys, revocation, own }
    }

    /// Who holds the ID token that came as Bearer.
    pub async fn identified(&self, headers: &HeaderMap) -> Result<Identified> {
        let (_, claims) = self.id_claims(headers)?;
        let identified = Identified::from(claims);
        self.check_generation(&identified.caller, identified.generation).await?;
        Ok(identified)
    }

    /// The same, where what is asked for is worth more than a stolen token: the sign-in must be of the
    /// last minutes.
    pub async fn fresh(&self, headers: &HeaderMap) -> Result<Fresh> {
        let (token, claims) = self.id_claims(headers)?;
        let (issued_at, signed_in) = (claims.iat, claims.kind.auth_time);
        let Identified { caller, generation } = claims.into();
        self.check_generation(&caller, generation).await?;
        if self.clock.now().since(Timestamp(signed_in.saturating_mul(1000))) > FRESH {
            return Err(Error::Refused {
                status: StatusCode::FORBIDDEN,
                code: "stale_sign_in",
                message: "For this, please sign in once more.".into(),
            });
        }
        if let Revocation::Hosted(is_good) = &self.revocation
            && !is_good(token.to_owned(), issued_at).await?
        {
            return Err(Error::Unauthenticated(REVOKED));
        }
        let proven_email = caller.email_verified.then(|| caller.email.to_lowercase());
        Ok(Fresh { caller, proven_email })
    }

    fn id_claims<'h>(&self, headers: &'h HeaderMap) -> Result<(&'h str, Claims<IdToken>)> {
        const WHY: &str = "Please sign in: the identity token is missing or not good.";
        let token = bearer(headers).ok_or(Error::Unauthenticated(WHY))?;
        let header = jsonwebtoken::decode_header(token).ok();
        let key = header.and_then(|header| (self.keys)(&header.kid?));
        let key = key.ok_or(Error::Unauthenticated(WHY))?;
        let mut validation = Validation::new(Algorithm::RS256);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[&self.audience]);
        let mut claims: Claims<IdToken> =
            self.read(token, &key, validation).ok_or(Error::Unauthenticated(WHY))?;
        claims.caller.phone_verified = claims.kind.phone_number.is_some();
        Ok((token, claims))
    }

    /// Who holds the access token that came as Bearer.
    pub async fn caller(&self, headers: &HeaderMap) -> Result<Caller> {
        const WHY: &str = "Please sign in: the access token is missing or not good.";
        let token = bearer(headers).ok_or(Error::Unauthenticated(WHY))?;
        let mut validation = Validation::new(Algorithm::HS256);
        validation.validate_aud = false;
        let claims: Option<Claims<AccessToken>> = self.read(token, &self.own.1, validation);
        let Claims { caller, kind, .. } = claims.ok_or(Error::Unauthenticated(WHY))?;
        self.check_generation(&caller, kind.generation).await?;
        Ok(caller)
    }

    /// Refuses tokens of an earlier generation, and of accounts that are disabled or deleted.
    async fn check_generation(&self, caller: &Caller, issued_in: Option<i64>) -> Result<()> {
        let Revocation::Own(find) = &self.revocation else { return Ok(()) };
        let now = find(caller.uid.clone()).await?;
        if now.is_some() && now == issued_in {
            Ok(())
        } else {
            Err(Error::Unauthenticated(REVOKED))
        }
    }

    fn read<Kind: DeserializeOwned>(
        &self,
        token: &str,
        key: &DecodingKey,
        mut validation: Validation,
    ) -> Option<Claims<Kind>> {
        // Our clock is injected; the library would ask the system's.
        validation.validate_exp = false;
        validation.set_required_spec_claims(&["exp", "sub"]);
        let claims: Claims<Kind> = jsonwebtoken::decode(token, key, &validation).ok()?.claims;
        (claims.exp.checked_mul(1000)? > self.clock.now().0).then_some(claims)
    }

    /// An access token for somebody who has shown who they are, by a token of this generation: revoking
    /// that one revokes this one too, also while it is being made.
    pub fn access_token(&self, caller: Caller, generation: Option<i64>) -> Result<String> {
        let now = self.clock.now();
        let (iat, exp) = (now.0 / 1000, now.plus(LIVES).0 / 1000);
        let claims = Claims { caller, iat, exp, kind: AccessToken { generation } };
        jsonwebtoken::encode(&Header::default(), &claims, &self.own.0).map_err(Error::internal)
    }
}

/// The state of a router whose handlers want to know who asks. The extractors below need no body, so
/// they refuse before one is read; they come before all others.
pub trait Authenticates {
    fn tokens(&self) -> &Tokens;
}

impl<S: Authenticates + Sync> FromRequestParts<S> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        state.tokens().caller(&parts.headers).await
    }
}

/// Nobody where no token came; one that is not good is refused all the same.
impl<S: Authenticates + Sync> OptionalFromRequestParts<S> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>> {
        match parts.headers.contains_key(AUTHORIZATION) {
            true => state.tokens().caller(&parts.headers).await.map(Some),
            false => Ok(None),
        }
    }
}

impl<S: Authenticates + Sync> FromRequestParts<S> for Identified {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        state.tokens().identified(&parts.headers).await
    }
}

impl<S: Authenticates + Sync> FromRequestParts<S> for Fresh {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        state.tokens().fresh(&parts.headers).await
    }
}

/// A token's own name (`jti`) in a generation; no two have the same.
pub fn token_name(generation: i64, random: &Random) -> String {
    format!("{generation:x}.{:032x}", u128::from_le_bytes(random.bytes()))
}

/// The generation in a token's name.
pub fn generation_in(name: &str) -> Option<i64> {
    let (generation, _) = name.split_once('.')?;
    i64::from_str_radix(generation, 16).ok()
}

/// The token that came as Bearer. The names of schemes have no case.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let header = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

//! From a token to who asks. The identity provider's ID token proves who somebody is; the shop's own
//! access token, short-lived, is what its calls want. The shop knows of identity no more than this.

use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};

use crate::secret::Secret;
use crate::{Clock, Error, Result, Timestamp};

/// How long an access token lives.
const LIVES: Duration = Duration::from_secs(15 * 60);

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// The account's id at the identity provider.
    #[serde(rename = "sub")]
    pub uid: String,
    pub email: String,
    #[serde(default)]
    pub name: Option<String>,
}

impl Caller {
    /// Whether this e-mail address is the caller's own.
    pub fn owns(&self, email: &str) -> bool {
        self.email.eq_ignore_ascii_case(email)
    }
}

/// Finds a published key by its id.
pub type KeyFinder = Arc<dyn Fn(&str) -> Option<DecodingKey> + Send + Sync>;

/// Reads tokens.
#[derive(Clone)]
pub struct Tokens {
    clock: Clock,
    issuer: String,
    audience: String,
    keys: KeyFinder,
    own: (EncodingKey, DecodingKey),
}

#[derive(Serialize, Deserialize)]
struct Claims {
    #[serde(flatten)]
    caller: Caller,
    exp: i64,
}

impl Tokens {
    pub fn new(
        clock: Clock,
        secret: &Secret,
        issuer: String,
        audience: String,
        keys: KeyFinder,
    ) -> Self {
        let own = secret.derive("access tokens");
        let own = (EncodingKey::from_secret(&own), DecodingKey::from_secret(&own));
        Self { clock, issuer, audience, keys, own }
    }

    /// Who holds the ID token that came as Bearer.
    pub fn identified(&self, headers: &HeaderMap) -> Result<Caller> {
        const WHY: &str = "Please sign in: the identity token is missing or not good.";
        let token = bearer(headers).ok_or(Error::Unauthenticated(WHY))?;
        let header = jsonwebtoken::decode_header(token).ok();
        let key = header.and_then(|header| (self.keys)(&header.kid?));
        let key = key.ok_or(Error::Unauthenticated(WHY))?;
        let mut validation = Validation::new(Algorithm::RS256);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[&self.audience]);
        self.read(token, &key, validation).ok_or(Error::Unauthenticated(WHY))
    }

    /// Who holds the access token that came as Bearer.
    pub fn caller(&self, headers: &HeaderMap) -> Result<Caller> {
        const WHY: &str = "Please sign in: the access token is missing or not good.";
        let token = bearer(headers).ok_or(Error::Unauthenticated(WHY))?;
        let mut validation = Validation::new(Algorithm::HS256);
        validation.validate_aud = false;
        self.read(token, &self.own.1, validation).ok_or(Error::Unauthenticated(WHY))
    }

    fn read(&self, token: &str, key: &DecodingKey, mut validation: Validation) -> Option<Caller> {
        // Our clock is injected; the library would ask the system's.
        validation.validate_exp = false;
        validation.set_required_spec_claims(&["exp", "sub"]);
        let Claims { caller, exp } = jsonwebtoken::decode(token, key, &validation).ok()?.claims;
        (exp.checked_mul(1000)? > self.clock.now().0).then_some(caller)
    }

    /// An access token for somebody who has shown who they are.
    pub fn access_token(&self, caller: Caller) -> Result<String> {
        let Timestamp(exp) = self.clock.now().plus(LIVES);
        let claims = Claims { caller, exp: exp / 1000 };
        jsonwebtoken::encode(&Header::default(), &claims, &self.own.0).map_err(Error::internal)
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let header = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

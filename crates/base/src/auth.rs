//! From a token to who asks. The identity provider's ID token proves who somebody is; the shop's own
//! access token, short-lived, is what its calls want. The shop knows of identity no more than this.

use std::sync::Arc;
use std::time::Duration;

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};

use crate::secret::Secret;
use crate::{Clock, Error, Result, Timestamp};

/// How long an access token lives.
const LIVES: Duration = Duration::from_secs(15 * 60);
/// How long a sign-in counts as just now.
const FRESH: Duration = Duration::from_secs(5 * 60);

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

/// Somebody who has signed in just now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    pub caller: Caller,
    /// The e-mail address in small letters, where it is known to be theirs.
    pub proven_email: Option<String>,
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
    /// Of ID tokens alone.
    #[serde(default, skip_serializing)]
    auth_time: i64,
    #[serde(default, skip_serializing)]
    email_verified: bool,
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
        Ok(self.id_claims(headers)?.caller)
    }

    /// The same, where what is asked for is worth more than a stolen token: the sign-in must be of the
    /// last minutes.
    pub fn fresh(&self, headers: &HeaderMap) -> Result<Fresh> {
        let Claims { caller, auth_time, email_verified, .. } = self.id_claims(headers)?;
        let signed_in = Timestamp(auth_time.saturating_mul(1000));
        if self.clock.now().since(signed_in) > FRESH {
            return Err(Error::Refused {
                status: StatusCode::FORBIDDEN,
                code: "stale_sign_in",
                message: "For this, please sign in once more.".into(),
            });
        }
        let proven_email = email_verified.then(|| caller.email.to_lowercase());
        Ok(Fresh { caller, proven_email })
    }

    fn id_claims(&self, headers: &HeaderMap) -> Result<Claims> {
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
        let claims = self.read(token, &self.own.1, validation);
        claims.map(|claims| claims.caller).ok_or(Error::Unauthenticated(WHY))
    }

    fn read(&self, token: &str, key: &DecodingKey, mut validation: Validation) -> Option<Claims> {
        // Our clock is injected; the library would ask the system's.
        validation.validate_exp = false;
        validation.set_required_spec_claims(&["exp", "sub"]);
        let claims: Claims = jsonwebtoken::decode(token, key, &validation).ok()?.claims;
        (claims.exp.checked_mul(1000)? > self.clock.now().0).then_some(claims)
    }

    /// An access token for somebody who has shown who they are.
    pub fn access_token(&self, caller: Caller) -> Result<String> {
        let Timestamp(exp) = self.clock.now().plus(LIVES);
        let claims = Claims { caller, exp: exp / 1000, auth_time: 0, email_verified: false };
        jsonwebtoken::encode(&Header::default(), &claims, &self.own.0).map_err(Error::internal)
    }
}

/// The token that came as Bearer.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let header = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

//! OpenID Connect client: loads a provider's metadata and keys, and verifies ID tokens with them.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use platform::http_client::{HttpClient, HttpClientError};
use platform::{Clock, Error, Result, Timestamp};
use serde_json::Value;
use tokio::sync::Mutex;

use super::settings::Credentials;
use crate::crypto::{ct_eq, hex};
use crate::wire::{ApiError, ApiResult, JwtClaims, bad_request, refuse};

/// Tolerated clock difference.
const LEEWAY: Duration = Duration::from_secs(60);
const MIN_CACHE_TTL: Duration = Duration::from_secs(60);
const MAX_CACHE_TTL: Duration = Duration::from_secs(24 * 3600);
/// If the provider does not send max-age.
const DEFAULT_CACHE_TTL: Duration = Duration::from_secs(600);
/// So that tokens with made-up key ids do not cause a request each.
const MIN_REFETCH: Duration = Duration::from_secs(60);
/// After a failure, so that visitors do not queue for a provider that is down.
const FAILURE_BACKOFF: Duration = Duration::from_secs(5);
/// For metadata and keys together.
const FETCH_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_TOKEN_LENGTH: usize = 16 << 10;
const MAX_KEYS: usize = 64;

pub struct Oidc {
    pub credentials: Credentials,
    issuer: String,
    pub client: HttpClient,
    clock: Clock,
    /// Google only: returns for which app an access token was issued.
    tokeninfo_url: Option<String>,
    metadata: RwLock<Option<Arc<Metadata>>>,
    /// Held while fetching; the time of the last failure.
    fetching: Mutex<Option<Timestamp>>,
}

/// A provider's metadata (`/.well-known/openid-configuration`) and keys.
pub struct Metadata {
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    userinfo_endpoint: Option<String>,
    issuer: String,
    keys: Vec<ProviderKey>,
    fetched_at: Timestamp,
    expires_at: Timestamp,
}

struct ProviderKey {
    id: Option<String>,
    algorithm: Algorithm,
    public: DecodingKey,
}

impl Oidc {
    pub fn new(issuer: String, credentials: Credentials, client: HttpClient, clock: Clock) -> Self {
        Self {
            credentials,
            issuer,
            client,
            clock,
            tokeninfo_url: None,
            metadata: RwLock::default(),
            fetching: Mutex::default(),
        }
    }

    /// Google's deviations: access tokens can be verified, and `iss` may lack its scheme.
    pub fn google(self, tokeninfo_url: String) -> Self {
        Self { tokeninfo_url: Some(tokeninfo_url), ..self }
    }

    pub fn is_google(&self) -> bool {
        self.tokeninfo_url.is_some()
    }

    pub async fn metadata(&self) -> Result<Arc<Metadata>> {
        self.metadata_with(|_| true).await
    }

    /// The cached metadata, fetched again if it has expired or does not suffice.
    async fn metadata_with(&self, suffices: impl Fn(&Metadata) -> bool) -> Result<Arc<Metadata>> {
        let valid = || {
            self.cached().filter(|cached| self.clock.now() < cached.expires_at && suffices(cached))
        };
        if let Some(cached) = valid() {
            return Ok(cached);
        }
        let mut failed_at = self.fetching.lock().await;
        // Another call may have fetched it meanwhile.
        if let Some(cached) = valid() {
            return Ok(cached);
        }
        let now = self.clock.now();
        if failed_at.is_some_and(|at| now.since(at) < FAILURE_BACKOFF) {
            let why = format!("{} did not respond a few seconds ago", self.issuer);
            return Err(Error::Unavailable(why.into()));
        }
        let response = tokio::time::timeout(FETCH_TIMEOUT, self.fetch(now)).await;
        let response = response.unwrap_or_else(|_| {
            Err(Error::Unavailable(format!("{} responds too slowly", self.issuer).into()))
        });
        *failed_at = response.is_err().then_some(now);
        let metadata = Arc::new(response?);
        *self.metadata.write().unwrap_or_else(PoisonError::into_inner) = Some(metadata.clone());
        Ok(metadata)
    }

    fn cached(&self) -> Option<Arc<Metadata>> {
        self.metadata.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn fetch(&self, now: Timestamp) -> Result<Metadata> {
        let unusable = |what: &str| {
            Error::Unavailable(format!("{} publishes no valid {what}", self.issuer).into())
        };
        let url = format!("{}/.well-known/openid-configuration", self.issuer);
        let (document, _) = self.client.get_json(&url).await?;
        let text = |name: &str| document[name].as_str();
        // A provider with TLS must not lead to endpoints without.
        let scheme = if self.issuer.starts_with("https://") { "https://" } else { "http" };
        let endpoint = |name: &str| {
            let url = text(name).filter(|url| url.starts_with(scheme));
            url.map(str::to_owned).ok_or_else(|| unusable(name))
        };
        let issuer = text("issuer").filter(|issuer| issuer.trim_end_matches('/') == self.issuer);
        let issuer = issuer.ok_or_else(|| unusable("issuer"))?.to_owned();
        let (set, max_age) = self.client.get_json(&endpoint("jwks_uri")?).await?;
        let keys = set["keys"].as_array().ok_or_else(|| unusable("jwks_uri"))?;
        let keys = keys.iter().take(MAX_KEYS).filter_map(ProviderKey::parse).collect();
        let ttl = max_age.unwrap_or(DEFAULT_CACHE_TTL).clamp(MIN_CACHE_TTL, MAX_CACHE_TTL);
        Ok(Metadata {
            authorization_endpoint: endpoint("authorization_endpoint")?,
            token_endpoint: endpoint("token_endpoint")?,
            userinfo_endpoint: endpoint("userinfo_endpoint").ok(),
            issuer,
            keys,
            fetched_at: now,
            expires_at: now.plus(ttl),
        })
    }

    /// The claims of a valid ID token.
    pub async fn check_id_token(&self, token: &str, nonce: Option<&str>) -> ApiResult<JwtClaims> {
        if token.len() > MAX_TOKEN_LENGTH {
            return invalid_idp("The ID token is too long.");
        }
        let Ok(header) = jsonwebtoken::decode_header(token) else {
            return invalid_idp("The ID token is not a signed token.");
        };
        // The key determines the algorithm; the one in the token must equal it.
        let has_key =
            |metadata: &Metadata| metadata.key(header.kid.as_deref(), header.alg).is_some();
        let fetched_lately =
            |metadata: &Metadata| self.clock.now().since(metadata.fetched_at) < MIN_REFETCH;
        let metadata =
            self.metadata_with(|metadata| has_key(metadata) || fetched_lately(metadata)).await?;
        let Some(key) = metadata.key(header.kid.as_deref(), header.alg) else {
            return invalid_idp("The ID token is signed by an unknown key.");
        };
        let mut validation = Validation::new(key.algorithm);
        // `violation` checks the claims, because the library would use the system's clock.
        validation.validate_exp = false;
        validation.validate_aud = false;
        validation.required_spec_claims.clear();
        let read = jsonwebtoken::decode::<JwtClaims>(token, &key.public, &validation);
        let Ok(claims) = read.map(|token| token.claims) else {
            return invalid_idp("The ID token's signature is wrong.");
        };
        let expected = ExpectedClaims {
            issuer: &metadata.issuer,
            client_id: &self.credentials.id,
            google: self.is_google(),
            now: self.clock.now(),
        };
        if let Some(violation) = expected.violation(&claims) {
            return invalid_idp(violation);
        }
        if !nonce_matches(claims.get("nonce"), nonce) {
            return refuse(
                "MISSING_OR_INVALID_NONCE : The ID token's nonce is not the hash of the nonce in the request.",
            );
        }
        Ok(claims)
    }

    /// The profile behind one of Google's access tokens. It must be issued for our app, because the
    /// owners of other apps have tokens of their users, too.
    pub async fn check_access_token(&self, token: &str) -> ApiResult<JwtClaims> {
        let Some(tokeninfo_url) = &self.tokeninfo_url else {
            return invalid_idp("This provider only accepts ID tokens.");
        };
        if !is_token_like(token) {
            return invalid_idp("The access token is malformed.");
        }
        let query = encode_query(&[("access_token", token)]);
        let response = self.client.get_json(&format!("{tokeninfo_url}?{query}")).await;
        let (token_info, _) =
            response.map_err(|why| provider_error(why, "The access token is invalid."))?;
        let is_ours = |name: &str| token_info[name].as_str() == Some(&self.credentials.id);
        if !is_ours("aud") || !(is_ours("azp") || token_info["azp"].is_null()) {
            return invalid_idp("The access token was issued for another app.");
        }
        if seconds(&token_info["exp"]).is_none_or(|at| at.plus(LEEWAY) <= self.clock.now()) {
            return invalid_idp("The access token has expired.");
        }
        let metadata = self.metadata().await?;
        let Some(endpoint) = &metadata.userinfo_endpoint else {
            let why = format!("{} publishes no userinfo_endpoint", self.issuer);
            return Err(Error::Unavailable(why.into()).into());
        };
        let response = self.client.get_json_with_bearer(endpoint, token).await;
        let Value::Object(claims) =
            response.map_err(|why| provider_error(why, "The access token is invalid."))?
        else {
            return invalid_idp("The provider returns no user for the access token.");
        };
        let same_user =
            token_info["sub"].is_null() || claims.get("sub") == Some(&token_info["sub"]);
        if same_user {
            Ok(claims)
        } else {
            invalid_idp("The access token belongs to another user.")
        }
    }
}

impl Metadata {
    fn key(&self, id: Option<&str>, algorithm: Algorithm) -> Option<&ProviderKey> {
        let mut candidates = self.keys.iter().filter(|key| key.algorithm == algorithm);
        match id {
            Some(id) => candidates.find(|key| key.id.as_deref() == Some(id)),
            // A provider with a single key need not name it.
            None => candidates.next().filter(|_| self.keys.len() == 1),
        }
    }
}

impl ProviderKey {
    /// RS256 and ES256 keys; others are ignored.
    fn parse(value: &Value) -> Option<Self> {
        let jwk: Jwk = serde_json::from_value(value.clone()).ok()?;
        let algorithm = match &jwk.algorithm {
            AlgorithmParameters::RSA(_) => Algorithm::RS256,
            AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
                Algorithm::ES256
            }
            _ => return None,
        };
        let algorithm_name = value["alg"].as_str();
        let is_usable = algorithm_name.is_none_or(|name| name.parse() == Ok(algorithm))
            && matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature));
        let public = DecodingKey::from_jwk(&jwk).ok()?;
        is_usable.then_some(Self { id: jwk.common.key_id, algorithm, public })
    }
}

/// The expected values of an ID token's claims.
struct ExpectedClaims<'e> {
    issuer: &'e str,
    client_id: &'e str,
    google: bool,
    now: Timestamp,
}

impl ExpectedClaims<'_> {
    /// What is wrong with the claims.
    fn violation(&self, claims: &JwtClaims) -> Option<&'static str> {
        let claim = |name: &str| claims.get(name).unwrap_or(&Value::Null);
        let issuer = claim("iss").as_str().unwrap_or_default();
        // Google's `iss` is documented with and without the scheme.
        let short = self.google.then(|| self.issuer.trim_start_matches("https://"));
        if issuer != self.issuer && Some(issuer) != short {
            return Some("The ID token is another provider's.");
        }
        let is_ours = |value: &Value| value.as_str() == Some(self.client_id);
        let (for_us, for_others) = match claim("aud") {
            Value::Array(list) => (list.iter().any(is_ours), list.len() > 1),
            audience => (is_ours(audience), false),
        };
        // Google puts a client id of the same project there, such as of an Android app.
        let party = claim("azp");
        let right_party = is_ours(party) || (!for_others && (party.is_null() || self.google));
        if !for_us || !right_party {
            return Some("The ID token was issued for another app.");
        }
        let past = |at: Timestamp| at.plus(LEEWAY) <= self.now;
        let future = |at: Timestamp| at.minus(LEEWAY) > self.now;
        if seconds(claim("exp")).is_none_or(past) {
            return Some("The ID token has expired.");
        }
        if seconds(claim("iat")).is_none_or(future) || seconds(claim("nbf")).is_some_and(future) {
            return Some("The ID token is from the future.");
        }
        None
    }
}

/// Seconds since 1970, as a number or, by Google, as a string.
fn seconds(value: &Value) -> Option<Timestamp> {
    let seconds = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.parse().ok()?,
        _ => return None,
    };
    // Saturates if it does not fit.
    Some(Timestamp((seconds * 1000.0) as i64))
}

/// The client must send the nonce that the token contains or whose hash it contains, and no nonce if it
/// contains none.
fn nonce_matches(in_token: Option<&Value>, sent: Option<&str>) -> bool {
    match (in_token, sent) {
        (None, None) => true,
        (Some(Value::String(in_token)), Some(sent)) => {
            ct_eq(in_token, sent) || ct_eq(in_token, &hex(digest(&SHA256, sent.as_bytes())))
        }
        _ => false,
    }
}

/// Whether it is safe to put an access token into headers and URLs.
pub fn is_token_like(token: &str) -> bool {
    (1..=4096).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_graphic())
}

pub fn encode_query(pairs: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// The credential is invalid.
pub fn invalid_idp<T>(why: &str) -> ApiResult<T> {
    refuse(format!("INVALID_IDP_RESPONSE : {why}"))
}

/// If the provider rejects the request, the credential is invalid; if it does not respond, it is a
/// server error.
pub fn provider_error(failure: HttpClientError, why: &str) -> ApiError {
    match failure {
        HttpClientError::Refused { .. } => bad_request(format!("INVALID_IDP_RESPONSE : {why}")),
        HttpClientError::Unavailable { .. } => ApiError::Internal(failure.into()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn violation(google: bool, changed: Value) -> Option<&'static str> {
        let now = Timestamp(1_000_000_000);
        let issuer = "https://id.example";
        let expected = ExpectedClaims { issuer, client_id: "us", google, now };
        let mut claims = json!({ "iss": issuer, "aud": "us", "exp": 1_000_001, "iat": 1_000_000 });
        let claims = claims.as_object_mut().unwrap();
        claims.extend(changed.as_object().unwrap().clone());
        claims.retain(|_, value| !value.is_null());
        expected.violation(claims)
    }

    #[test]
    fn claims_are_checked() {
        for (google, changed, words) in [
            (false, json!({}), ""),
            (false, json!({ "iss": "id.example" }), "provider"),
            (true, json!({ "iss": "id.example" }), ""),
            (true, json!({ "iss": "" }), "provider"),
            (false, json!({ "iss": null }), "provider"),
            (false, json!({ "aud": "other" }), "app"),
            (false, json!({ "aud": null }), "app"),
            (false, json!({ "aud": ["us"] }), ""),
            (false, json!({ "aud": ["us", "other"] }), "app"),
            (false, json!({ "aud": ["us", "other"], "azp": "us" }), ""),
            (false, json!({ "aud": ["other"], "azp": "us" }), "app"),
            (false, json!({ "azp": "other" }), "app"),
            (true, json!({ "azp": "our android app" }), ""),
            (true, json!({ "aud": ["us", "other"], "azp": "other" }), "app"),
            (false, json!({ "exp": 999_941 }), ""),
            (false, json!({ "exp": 999_940 }), "expired"),
            (false, json!({ "exp": null }), "expired"),
            (false, json!({ "exp": "soon" }), "expired"),
            (false, json!({ "exp": 1e300 }), ""),
            (false, json!({ "iat": 1_000_060 }), ""),
            (false, json!({ "iat": 1_000_061 }), "future"),
            (false, json!({ "iat": null }), "future"),
            (false, json!({ "nbf": 1_000_061 }), "future"),
        ] {
            let found = violation(google, changed.clone()).unwrap_or_default();
            assert!(
                found.contains(words) && found.is_empty() == words.is_empty(),
                "{changed}: {found}"
            );
        }
    }

    #[test]
    fn nonce_is_compared_plain_or_hashed() {
        let hash = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"; // of "a"
        assert!(nonce_matches(None, None));
        assert!(nonce_matches(Some(&json!("a")), Some("a")));
        assert!(nonce_matches(Some(&json!(hash)), Some("a")));
        assert!(!nonce_matches(Some(&json!("a")), Some(hash)));
        assert!(!nonce_matches(Some(&json!("a")), None));
        assert!(!nonce_matches(None, Some("a")));
        assert!(!nonce_matches(Some(&json!(1)), Some("1")));
    }
}

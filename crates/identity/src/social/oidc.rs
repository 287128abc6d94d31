//! An OpenID Connect provider: what it publishes of itself, and whether an ID token is its own, for us,
//! now. Its word is believed only as far as its published keys have signed it.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use base::client::{Client, Failure};
use base::{Clock, Error, Result, Timestamp};
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use super::settings::Credentials;
use crate::protocol::{Answer, Refusal, refusal, refuse};

/// How far another's clock may be from ours.
const LEEWAY: Duration = Duration::from_secs(60);
const KEPT_AT_LEAST: Duration = Duration::from_secs(60);
const KEPT_AT_MOST: Duration = Duration::from_secs(24 * 3600);
/// When the provider does not say how long its keys may be kept.
const KEPT_UNASKED: Duration = Duration::from_secs(600);
/// A token with a made-up key id must not make us ask the provider each time.
const ASKED_AGAIN_AFTER: Duration = Duration::from_secs(60);
/// A provider that did not answer is left alone for a moment, so that visitors do not queue for it.
const LEFT_ALONE_FOR: Duration = Duration::from_secs(5);
/// For all that it publishes together.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);
const LONGEST_TOKEN: usize = 16 << 10;
const MOST_KEYS: usize = 64;

pub struct Oidc {
    pub credentials: Credentials,
    issuer: String,
    client: Client,
    clock: Clock,
    /// Google alone: where it tells for whom an access token was made.
    tokeninfo_url: Option<String>,
    published: RwLock<Option<Arc<Published>>>,
    /// Held by the one who asks; when asking failed last.
    asking: Mutex<Option<Timestamp>>,
}

/// What a provider publishes of itself.
pub struct Published {
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    userinfo_endpoint: Option<String>,
    issuer: String,
    keys: Vec<Key>,
    asked_at: Timestamp,
    fresh_until: Timestamp,
}

struct Key {
    id: Option<String>,
    algorithm: Algorithm,
    public: DecodingKey,
}

impl Oidc {
    pub fn new(issuer: String, credentials: Credentials, client: Client, clock: Clock) -> Self {
        Self {
            credentials,
            issuer,
            client,
            clock,
            tokeninfo_url: None,
            published: RwLock::default(),
            asking: Mutex::default(),
        }
    }

    /// Google, which has habits of its own.
    pub fn google(self, tokeninfo_url: String) -> Self {
        Self { tokeninfo_url: Some(tokeninfo_url), ..self }
    }

    pub fn is_google(&self) -> bool {
        self.tokeninfo_url.is_some()
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    pub async fn published(&self) -> Result<Arc<Published>> {
        self.published_with(|_| true).await
    }

    /// What is published, asked for again when it is too old or not `enough`.
    async fn published_with(&self, enough: impl Fn(&Published) -> bool) -> Result<Arc<Published>> {
        let good =
            || self.kept().filter(|kept| self.clock.now() < kept.fresh_until && enough(kept));
        if let Some(kept) = good() {
            return Ok(kept);
        }
        let mut failed_at = self.asking.lock().await;
        // Somebody else may have asked while we waited.
        if let Some(kept) = good() {
            return Ok(kept);
        }
        let now = self.clock.now();
        if failed_at.is_some_and(|at| now.since(at) < LEFT_ALONE_FOR) {
            let why = format!("{} did not answer a moment ago", self.issuer);
            return Err(Error::Unavailable(why.into()));
        }
        let asked = tokio::time::timeout(ANSWERED_WITHIN, self.ask(now)).await;
        let asked = asked.unwrap_or_else(|_| {
            Err(Error::Unavailable(format!("{} answers too slowly", self.issuer).into()))
        });
        *failed_at = asked.is_err().then_some(now);
        let published = Arc::new(asked?);
        *self.published.write().unwrap_or_else(PoisonError::into_inner) = Some(published.clone());
        Ok(published)
    }

    fn kept(&self) -> Option<Arc<Published>> {
        self.published.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn ask(&self, now: Timestamp) -> Result<Published> {
        let nonsense = |what: &str| {
            Error::Unavailable(format!("{} publishes no {what} that is good", self.issuer).into())
        };
        let url = format!("{}/.well-known/openid-configuration", self.issuer);
        let (document, _) = self.client.get_json(&url).await?;
        let text = |name: &str| document[name].as_str();
        // One that is reached over TLS leads nobody elsewhere without.
        let scheme = if self.issuer.starts_with("https://") { "https://" } else { "http" };
        let endpoint = |name: &str| {
            let url = text(name).filter(|url| url.starts_with(scheme));
            url.map(str::to_owned).ok_or_else(|| nonsense(name))
        };
        let issuer = text("issuer").filter(|issuer| issuer.trim_end_matches('/') == self.issuer);
        let issuer = issuer.ok_or_else(|| nonsense("issuer"))?.to_owned();
        let (set, max_age) = self.client.get_json(&endpoint("jwks_uri")?).await?;
        let keys = set["keys"].as_array().ok_or_else(|| nonsense("jwks_uri"))?;
        let keys = keys.iter().take(MOST_KEYS).filter_map(Key::read).collect();
        let kept_for = max_age.unwrap_or(KEPT_UNASKED).clamp(KEPT_AT_LEAST, KEPT_AT_MOST);
        Ok(Published {
            authorization_endpoint: endpoint("authorization_endpoint")?,
            token_endpoint: endpoint("token_endpoint")?,
            userinfo_endpoint: endpoint("userinfo_endpoint").ok(),
            issuer,
            keys,
            asked_at: now,
            fresh_until: now.plus(kept_for),
        })
    }

    /// The claims of an ID token, when everything about it is right.
    pub async fn read(&self, token: &str, nonce: Option<&str>) -> Answer<Map<String, Value>> {
        if token.len() > LONGEST_TOKEN {
            return invalid("The ID token is too long.");
        }
        let Ok(header) = jsonwebtoken::decode_header(token) else {
            return invalid("The ID token is not a signed token.");
        };
        // The key says how it signs; what the token says of that is only compared.
        let finds =
            |published: &Published| published.key(header.kid.as_deref(), header.alg).is_some();
        let asked_lately =
            |published: &Published| self.clock.now().since(published.asked_at) < ASKED_AGAIN_AFTER;
        let published =
            self.published_with(|published| finds(published) || asked_lately(published)).await?;
        let Some(key) = published.key(header.kid.as_deref(), header.alg) else {
            return invalid("The ID token is signed by an unknown key.");
        };
        let mut validation = Validation::new(key.algorithm);
        // The library would ask the system's clock; the rules are `flaw`.
        validation.validate_exp = false;
        validation.validate_aud = false;
        validation.required_spec_claims.clear();
        let read = jsonwebtoken::decode::<Map<String, Value>>(token, &key.public, &validation);
        let Ok(claims) = read.map(|token| token.claims) else {
            return invalid("The ID token's signature is wrong.");
        };
        let expected = Expected {
            issuer: &published.issuer,
            client_id: &self.credentials.id,
            google: self.is_google(),
            now: self.clock.now(),
        };
        if let Some(flaw) = expected.flaw(&claims) {
            return invalid(flaw);
        }
        if !nonce_fits(claims.get("nonce"), nonce) {
            return refuse(
                "MISSING_OR_INVALID_NONCE : The ID token's nonce is not the hash of the nonce in the request.",
            );
        }
        Ok(claims)
    }

    /// Who holds an access token of Google's, when it was made for us: one that was made for another app
    /// is in the hands of that app's owner.
    pub async fn holder(&self, token: &str) -> Answer<Map<String, Value>> {
        let Some(tokeninfo_url) = &self.tokeninfo_url else {
            return invalid("This provider is believed by its ID token alone.");
        };
        if !plain(token) {
            return invalid("The access token is not one.");
        }
        let query = query(&[("access_token", token)]);
        let asked = self.client.get_json(&format!("{tokeninfo_url}?{query}")).await;
        let (made, _) = asked.map_err(|why| believe(why, "The access token is not good."))?;
        let ours = |name: &str| made[name].as_str() == Some(&self.credentials.id);
        if !ours("aud") || !(ours("azp") || made["azp"].is_null()) {
            return invalid("The access token was made for another app.");
        }
        if seconds(&made["exp"]).is_none_or(|at| at.plus(LEEWAY) <= self.clock.now()) {
            return invalid("The access token has expired.");
        }
        let published = self.published().await?;
        let Some(endpoint) = &published.userinfo_endpoint else {
            let why = format!("{} publishes no userinfo_endpoint", self.issuer);
            return Err(Error::Unavailable(why.into()).into());
        };
        let asked = self.client.get_json_with_bearer(endpoint, token).await;
        let Value::Object(claims) =
            asked.map_err(|why| believe(why, "The access token is not good."))?
        else {
            return invalid("The provider says nothing of the access token's holder.");
        };
        let same = made["sub"].is_null() || claims.get("sub") == Some(&made["sub"]);
        if same { Ok(claims) } else { invalid("The access token is somebody else's.") }
    }
}

impl Published {
    fn key(&self, id: Option<&str>, algorithm: Algorithm) -> Option<&Key> {
        let mut fitting = self.keys.iter().filter(|key| key.algorithm == algorithm);
        match id {
            Some(id) => fitting.find(|key| key.id.as_deref() == Some(id)),
            // A provider with a single key need not name it.
            None => fitting.next().filter(|_| self.keys.len() == 1),
        }
    }
}

impl Key {
    /// A key that can sign in one of the two ways that providers do; others are nothing to us.
    fn read(value: &Value) -> Option<Self> {
        let jwk: Jwk = serde_json::from_value(value.clone()).ok()?;
        let algorithm = match &jwk.algorithm {
            AlgorithmParameters::RSA(_) => Algorithm::RS256,
            AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
                Algorithm::ES256
            }
            _ => return None,
        };
        let named = value["alg"].as_str();
        let usable = named.is_none_or(|name| name.parse() == Ok(algorithm))
            && matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature));
        let public = DecodingKey::from_jwk(&jwk).ok()?;
        usable.then_some(Self { id: jwk.common.key_id, algorithm, public })
    }
}

/// What a token's claims are held against.
struct Expected<'e> {
    issuer: &'e str,
    client_id: &'e str,
    google: bool,
    now: Timestamp,
}

impl Expected<'_> {
    /// What is wrong with the claims, in words.
    fn flaw(&self, claims: &Map<String, Value>) -> Option<&'static str> {
        let claim = |name: &str| claims.get(name).unwrap_or(&Value::Null);
        let issuer = claim("iss").as_str().unwrap_or_default();
        // Google signs both with and without the scheme, and says so.
        let short = self.google.then(|| self.issuer.trim_start_matches("https://"));
        if issuer != self.issuer && Some(issuer) != short {
            return Some("The ID token is another provider's.");
        }
        let ours = |value: &Value| value.as_str() == Some(self.client_id);
        let (for_us, for_others) = match claim("aud") {
            Value::Array(list) => (list.iter().any(ours), list.len() > 1),
            audience => (ours(audience), false),
        };
        // Google names there the sister app that asked for a token for us.
        let party = claim("azp");
        let right_party = ours(party) || (!for_others && (party.is_null() || self.google));
        if !for_us || !right_party {
            return Some("The ID token was made for another app.");
        }
        let late = |moment: Timestamp| moment.plus(LEEWAY) <= self.now;
        let early = |moment: Timestamp| moment.minus(LEEWAY) > self.now;
        if seconds(claim("exp")).is_none_or(late) {
            return Some("The ID token has expired.");
        }
        if seconds(claim("iat")).is_none_or(early) || seconds(claim("nbf")).is_some_and(early) {
            return Some("The ID token is from the future.");
        }
        None
    }
}

/// Seconds since 1970, as a number or, where Google writes it so, as a text.
fn seconds(value: &Value) -> Option<Timestamp> {
    let seconds = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.parse().ok()?,
        _ => return None,
    };
    // What does not fit ends at the ends of time.
    Some(Timestamp((seconds * 1000.0) as i64))
}

/// A token that carries a nonce is good for whoever knows what it was made from, and for nobody else. One
/// that carries none does not prove the nonce that somebody sends along.
fn nonce_fits(carried: Option<&Value>, sent: Option<&str>) -> bool {
    match (carried, sent) {
        (None, None) => true,
        (Some(Value::String(carried)), Some(sent)) => {
            same(carried, sent) || same(carried, &hexadecimal(digest(&SHA256, sent.as_bytes())))
        }
        _ => false,
    }
}

/// Whether two texts are the same, without telling by the time it takes how much of them is.
pub fn same(a: &str, b: &str) -> bool {
    verify_slices_are_equal(a.as_bytes(), b.as_bytes()).is_ok()
}

pub fn hexadecimal(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether it has the looks of an access token: it goes into headers and addresses.
pub fn plain(token: &str) -> bool {
    (1..=4096).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_graphic())
}

pub fn query(pairs: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// The visitor's proof is not one.
pub fn invalid<T>(why: &str) -> Answer<T> {
    refuse(format!("INVALID_IDP_RESPONSE : {why}"))
}

/// A provider that says no means the visitor's proof; one that says nothing is our trouble.
pub fn believe(failure: Failure, why: &str) -> Refusal {
    match failure {
        Failure::Refused { .. } => refusal(format!("INVALID_IDP_RESPONSE : {why}")),
        Failure::Unavailable { .. } => Refusal::House(failure.into()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn flaw(google: bool, changed: Value) -> Option<&'static str> {
        let now = Timestamp(1_000_000_000);
        let issuer = "https://id.example";
        let expected = Expected { issuer, client_id: "us", google, now };
        let mut claims = json!({ "iss": issuer, "aud": "us", "exp": 1_000_001, "iat": 1_000_000 });
        let claims = claims.as_object_mut().unwrap();
        claims.extend(changed.as_object().unwrap().clone());
        claims.retain(|_, value| !value.is_null());
        expected.flaw(claims)
    }

    #[test]
    fn claims_are_held_against_what_is_expected() {
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
            let found = flaw(google, changed.clone()).unwrap_or_default();
            assert!(
                found.contains(words) && found.is_empty() == words.is_empty(),
                "{changed}: {found}"
            );
        }
    }

    #[test]
    fn a_nonce_is_itself_or_its_hash() {
        let hash = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"; // of "a"
        assert!(nonce_fits(None, None));
        assert!(nonce_fits(Some(&json!("a")), Some("a")));
        assert!(nonce_fits(Some(&json!(hash)), Some("a")));
        assert!(!nonce_fits(Some(&json!("a")), Some(hash)));
        assert!(!nonce_fits(Some(&json!("a")), None));
        assert!(!nonce_fits(None, Some("a")));
        assert!(!nonce_fits(Some(&json!(1)), Some("1")));
    }
}

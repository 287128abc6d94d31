//! The providers that are set up, and what they say of somebody.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use base::Clock;
use base::client::Client;
use base::text::clean_name;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::facebook::Facebook;
use super::oidc::{Oidc, believe, invalid, query, same};
use super::settings::{Credentials, Settings};
use super::stand_in::StandIn;
use crate::protocol::{Answer, email, refuse};

pub const GOOGLE: &str = "google.com";
pub const FACEBOOK: &str = "facebook.com";
const LONGEST_ID: usize = 255;
const LONGEST_NAME: usize = 256;
const LONGEST_ADDRESS: usize = 2048;

/// What a provider says of somebody, in measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    pub provider_id: String,
    /// Who it is there, for ever; everything else may change.
    pub raw_id: String,
    /// In lower case.
    pub email: Option<String>,
    /// Whether the provider has seen to it that the address is theirs.
    pub email_verified: bool,
    pub display_name: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub photo_url: Option<String>,
    pub screen_name: Option<String>,
    /// All that it said, as it said it.
    pub claims: Map<String, Value>,
}

/// What somebody brings from a provider. Without `Debug`: these are secrets.
#[derive(Clone, Copy, Default)]
pub struct Proof<'p> {
    pub id_token: Option<&'p str>,
    pub access_token: Option<&'p str>,
    /// What the ID token's nonce was made from.
    pub nonce: Option<&'p str>,
}

/// Cheap to clone; the default has none.
#[derive(Clone, Default)]
pub struct Providers(Arc<Vec<Provider>>);

struct Provider {
    id: String,
    name: String,
    kind: Kind,
}

enum Kind {
    Oidc(Box<Oidc>),
    Facebook(Box<Facebook>),
}

/// What a visitor's way to a provider and back is known by.
pub struct Trip<'t> {
    pub redirect_uri: &'t str,
    pub state: &'t str,
    pub nonce: &'t str,
    pub verifier: &'t str,
}

impl Providers {
    /// Fails in words when one is half set up. A stand-in plays those that it was made for.
    pub fn new(
        settings: &Settings,
        client: &Client,
        clock: &Clock,
        stand_in: Option<&StandIn>,
    ) -> Result<Self, String> {
        let mut providers = Vec::new();
        let mut add = |id: &str, name: &str, kind: Kind| {
            providers.push(Provider { id: id.into(), name: name.into(), kind });
        };
        let oidc = |issuer: &str, credentials: Credentials| {
            Oidc::new(issuer.into(), credentials, client.clone(), clock.clone())
        };
        if let Some(credentials) = settings.google()? {
            let google = oidc(&settings.google_issuer, credentials);
            let google = google.google(settings.google_tokeninfo_url.clone());
            add(GOOGLE, "Google", Kind::Oidc(Box::new(google)));
        }
        if let Some(credentials) = settings.facebook()? {
            let facebook = Facebook {
                credentials,
                dialog_url: settings.facebook_dialog_url.clone(),
                graph_url: settings.facebook_graph_url.clone(),
                client: client.clone(),
                clock: clock.clone(),
            };
            add(FACEBOOK, "Facebook", Kind::Facebook(Box::new(facebook)));
        }
        if let Some(other) = settings.other()? {
            let provider = oidc(&other.issuer, other.credentials);
            add(&other.id, &other.name, Kind::Oidc(Box::new(provider)));
        }
        if let Some(stand_in) = stand_in {
            for role in stand_in.roles() {
                let played = oidc(&stand_in.issuer(), stand_in.credentials(role));
                add(role.id, role.name, Kind::Oidc(Box::new(played)));
            }
        }
        Ok(Self(Arc::new(providers)))
    }

    /// Those that are set up, as the protocol names them.
    pub fn ids(&self) -> Vec<String> {
        self.0.iter().map(|provider| provider.id.clone()).collect()
    }

    /// How people name one.
    pub fn name(&self, id: &str) -> Option<&str> {
        self.0.iter().find(|provider| provider.id == id).map(|provider| provider.name.as_str())
    }

    fn find(&self, id: &str) -> Answer<&Provider> {
        match self.0.iter().find(|provider| provider.id == id) {
            Some(provider) => Ok(provider),
            None => {
                refuse("OPERATION_NOT_ALLOWED : The identity provider configuration is not found.")
            }
        }
    }

    /// Who somebody is at a provider, by what they bring from there. Nothing of it is believed before the
    /// provider's signature or the provider itself says that it was made for us.
    pub async fn prove(&self, provider_id: &str, proof: Proof<'_>) -> Answer<Profile> {
        let Provider { id, kind, .. } = self.find(provider_id)?;
        let (id_token, nonce) = (filled(proof.id_token), filled(proof.nonce));
        let claims = match (kind, id_token, filled(proof.access_token)) {
            (Kind::Oidc(oidc), Some(token), _) => oidc.read(token, nonce).await?,
            (Kind::Oidc(oidc), None, Some(token)) => oidc.holder(token).await?,
            (Kind::Facebook(facebook), _, Some(token)) => {
                return Profile::of_facebook(id, facebook.holder(token).await?);
            }
            _ => return invalid("Neither an ID token nor an access token is there."),
        };
        Profile::of_claims(id, claims)
    }

    /// Where to send a visitor who wants to show who they are.
    pub(super) async fn ask_at(&self, id: &str, trip: &Trip<'_>) -> Answer<String> {
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, trip.verifier.as_bytes()));
        let kind = &self.find(id)?.kind;
        let (address, client_id, scope) = match kind {
            Kind::Oidc(oidc) => {
                let address = oidc.published().await?.authorization_endpoint.clone();
                (address, &oidc.credentials.id, "openid email profile")
            }
            Kind::Facebook(facebook) => {
                (facebook.dialog_url.clone(), &facebook.credentials.id, "email,public_profile")
            }
        };
        let mut pairs = vec![
            ("response_type", "code"),
            ("client_id", client_id),
            ("redirect_uri", trip.redirect_uri),
            ("scope", scope),
            ("state", trip.state),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        match kind {
            Kind::Oidc(oidc) if oidc.is_google() => {
                pairs.extend([("nonce", trip.nonce), ("prompt", "select_account")]);
            }
            Kind::Oidc(_) => pairs.push(("nonce", trip.nonce)),
            Kind::Facebook(_) => pairs.push(("display", "popup")),
        }
        let and = if address.contains('?') { '&' } else { '?' };
        Ok(format!("{address}{and}{}", query(&pairs)))
    }

    /// Who came back from a provider with this code.
    pub(super) async fn prove_code(
        &self,
        id: &str,
        code: &str,
        trip: &Trip<'_>,
    ) -> Answer<Profile> {
        let kind = &self.find(id)?.kind;
        let (endpoint, client, Credentials { id: client_id, secret }) = match kind {
            Kind::Oidc(oidc) => {
                (oidc.published().await?.token_endpoint.clone(), oidc.client(), &oidc.credentials)
            }
            Kind::Facebook(facebook) => {
                let endpoint = format!("{}/oauth/access_token", facebook.graph_url);
                (endpoint, &facebook.client, &facebook.credentials)
            }
        };
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", trip.redirect_uri),
            ("client_id", client_id),
            ("client_secret", secret),
            ("code_verifier", trip.verifier),
        ];
        let answer = client.post_form(&endpoint, &fields).await.map_err(|why| {
            // So it refuses a wrong client secret, too, which the shopkeeper would want to know.
            tracing::warn!(%why, provider = id, "a provider did not take a code");
            believe(why, "The provider does not know the code.")
        })?;
        match kind {
            Kind::Oidc(_) => {
                let (id_token, nonce) = (answer["id_token"].as_str(), Some(trip.nonce));
                let profile = self.prove(id, Proof { id_token, nonce, access_token: None }).await?;
                // We sent the nonce as it is, so no hash of it will do.
                let carried = profile.claims.get("nonce").and_then(Value::as_str);
                if carried.is_some_and(|carried| same(carried, trip.nonce)) {
                    return Ok(profile);
                }
                refuse("MISSING_OR_INVALID_NONCE : The ID token was made for another sign-in.")
            }
            Kind::Facebook(_) => {
                let access_token = answer["access_token"].as_str();
                self.prove(id, Proof { access_token, ..Proof::default() }).await
            }
        }
    }
}

impl Profile {
    /// By the standard's claims.
    fn of_claims(provider_id: &str, claims: Map<String, Value>) -> Answer<Self> {
        let claim = |name: &str| claims.get(name);
        let email = claim("email").and_then(Value::as_str).and_then(email);
        // Some write it as a text.
        let verified = claim("email_verified").is_some_and(|is| is == true || is == "true");
        Ok(Self {
            provider_id: provider_id.to_owned(),
            raw_id: raw_id(claim("sub"))?,
            email_verified: email.is_some() && verified,
            email,
            display_name: name(claim("name")),
            first_name: name(claim("given_name")),
            last_name: name(claim("family_name")),
            photo_url: address(claim("picture")),
            screen_name: name(claim("preferred_username")),
            claims,
        })
    }

    /// Facebook does not say whether an address is its holder's, so none is taken for it.
    fn of_facebook(provider_id: &str, claims: Map<String, Value>) -> Answer<Self> {
        let claim = |name: &str| claims.get(name);
        let picture = claim("picture").map(|picture| &picture["data"]["url"]);
        Ok(Self {
            provider_id: provider_id.to_owned(),
            raw_id: raw_id(claim("id"))?,
            email: claim("email").and_then(Value::as_str).and_then(email),
            email_verified: false,
            display_name: name(claim("name")),
            first_name: name(claim("first_name")),
            last_name: name(claim("last_name")),
            photo_url: address(picture),
            screen_name: None,
            claims,
        })
    }
}

fn filled(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

fn raw_id(value: Option<&Value>) -> Answer<String> {
    let id = value.and_then(Value::as_str).unwrap_or_default();
    let fits = (1..=LONGEST_ID).contains(&id.len()) && !id.contains(char::is_control);
    if fits { Ok(id.to_owned()) } else { invalid("The provider does not say who it is.") }
}

/// A name, cut where it gets too long.
fn name(value: Option<&Value>) -> Option<String> {
    let name = clean_name(value?.as_str()?, LONGEST_NAME);
    (!name.is_empty()).then_some(name)
}

/// A picture's address; half of one is none.
fn address(value: Option<&Value>) -> Option<String> {
    let address = value?.as_str()?;
    let fits = address.starts_with("https://")
        && address.len() <= LONGEST_ADDRESS
        && address.bytes().all(|byte| byte.is_ascii_graphic());
    fits.then(|| address.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn claims(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn what_a_provider_says_is_taken_in_measure() {
        let said = claims(json!({
            "sub": "1",
            "email": "Rahim@Haat.Example",
            "email_verified": "true",
            "name": format!(" Rahim\n{}", "x".repeat(1000)),
            "given_name": 7,
            "family_name": " ",
            "picture": "javascript:alert(1)",
            "preferred_username": "rahim",
        }));
        let profile = Profile::of_claims("oidc.a", said.clone()).unwrap();
        assert_eq!(profile.email.as_deref(), Some("rahim@haat.example"));
        assert!(profile.email_verified);
        assert_eq!(profile.display_name.as_ref().map(String::len), Some(LONGEST_NAME));
        assert_eq!((profile.first_name, profile.last_name, profile.photo_url), (None, None, None));
        assert_eq!(profile.screen_name.as_deref(), Some("rahim"));
        assert_eq!(profile.claims, said);
    }

    #[test]
    fn what_is_no_address_is_not_a_verified_one() {
        let said = claims(json!({ "sub": "1", "email": "rahim", "email_verified": true }));
        let profile = Profile::of_claims("oidc.a", said).unwrap();
        assert_eq!((profile.email, profile.email_verified), (None, false));
    }

    #[test]
    fn nobody_is_nobody() {
        for id in [json!(null), json!(""), json!(7), json!("a\n"), json!("x".repeat(256))] {
            assert!(Profile::of_claims("oidc.a", claims(json!({ "sub": id }))).is_err());
            assert!(Profile::of_facebook("facebook.com", claims(json!({ "id": id }))).is_err());
        }
    }
}

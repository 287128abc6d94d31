//! Configured identity providers: authorization URLs, code exchange and verification of credentials.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::Clock;
use platform::http_client::HttpClient;
use platform::text::clean_name;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::demo_provider::DemoProvider;
use super::facebook::Facebook;
use super::oidc::{Oidc, encode_query, invalid_idp, provider_error};
use super::settings::{Credentials, FACEBOOK, GOOGLE, SocialSettings};
use crate::crypto::ct_eq;
use crate::wire::{ApiResult, JwtClaims, parse_email, refuse};

const MAX_ID_LENGTH: usize = 255;
const MAX_NAME: usize = 256;
const MAX_URL_LENGTH: usize = 2048;

/// A user's profile at a provider, with validated and limited fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdpProfile {
    pub provider_id: String,
    /// The user's permanent id there.
    pub raw_id: String,
    /// In lower case.
    pub email: Option<String>,
    /// Whether the provider has verified the e-mail address.
    pub email_verified: bool,
    pub display_name: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub photo_url: Option<String>,
    pub screen_name: Option<String>,
    /// All claims, unchanged.
    pub claims: JwtClaims,
}

/// The tokens of a user at a provider. Without `Debug`, because they are secret.
#[derive(Clone, Copy, Default)]
pub struct IdpTokens<'p> {
    pub id_token: Option<&'p str>,
    pub access_token: Option<&'p str>,
    /// The value whose hash is in the ID token.
    pub nonce: Option<&'p str>,
}

/// Cheap to clone; empty by default.
#[derive(Clone, Default)]
pub struct Providers(Arc<Vec<SocialProvider>>);

struct SocialProvider {
    id: String,
    name: String,
    kind: ProviderKind,
}

enum ProviderKind {
    Oidc(Box<Oidc>),
    Facebook(Box<Facebook>),
}

/// The parameters that connect an authorization request with its callback.
pub struct AuthParams<'t> {
    pub redirect_uri: &'t str,
    pub state: &'t str,
    pub nonce: &'t str,
    pub verifier: &'t str,
}

impl Providers {
    /// Fails if a provider is only partly configured. The demo provider adds those that it simulates.
    pub fn new(
        settings: &SocialSettings,
        client: &HttpClient,
        clock: &Clock,
        demo_provider: Option<&DemoProvider>,
    ) -> Result<Self, String> {
        let mut providers = Vec::new();
        let mut add = |id: &str, name: &str, kind: ProviderKind| {
            providers.push(SocialProvider { id: id.into(), name: name.into(), kind });
        };
        let oidc = |issuer: &str, credentials: Credentials| {
            Oidc::new(issuer.into(), credentials, client.clone(), clock.clone())
        };
        if let Some(credentials) = settings.google()? {
            let google = oidc(&settings.google_issuer, credentials);
            let google = google.google(settings.google_tokeninfo_url.clone());
            add(GOOGLE, "Google", ProviderKind::Oidc(Box::new(google)));
        }
        if let Some(credentials) = settings.facebook()? {
            let facebook = Facebook {
                credentials,
                dialog_url: settings.facebook_dialog_url.clone(),
                graph_url: settings.facebook_graph_url.clone(),
                client: client.clone(),
                clock: clock.clone(),
            };
            add(FACEBOOK, "Facebook", ProviderKind::Facebook(Box::new(facebook)));
        }
        if let Some(other) = settings.oidc()? {
            let provider = oidc(&other.issuer, other.credentials);
            add(&other.id, &other.name, ProviderKind::Oidc(Box::new(provider)));
        }
        if let Some(demo_provider) = demo_provider {
            for simulated in demo_provider.simulated() {
                let provider = oidc(&demo_provider.issuer(), demo_provider.credentials(simulated));
                add(simulated.id, simulated.name, ProviderKind::Oidc(Box::new(provider)));
            }
        }
        Ok(Self(Arc::new(providers)))
    }

    pub fn ids(&self) -> Vec<String> {
        self.0.iter().map(|provider| provider.id.clone()).collect()
    }

    /// The display name of a provider.
    pub fn name(&self, id: &str) -> Option<&str> {
        self.0.iter().find(|provider| provider.id == id).map(|provider| provider.name.as_str())
    }

    fn find(&self, id: &str) -> ApiResult<&SocialProvider> {
        match self.0.iter().find(|provider| provider.id == id) {
            Some(provider) => Ok(provider),
            None => {
                refuse("OPERATION_NOT_ALLOWED : The identity provider configuration is not found.")
            }
        }
    }

    /// Verifies a credential by the provider's signature or by asking the provider, and that it was
    /// issued for us.
    pub async fn verify(&self, provider_id: &str, tokens: IdpTokens<'_>) -> ApiResult<IdpProfile> {
        let SocialProvider { id, kind, .. } = self.find(provider_id)?;
        let (id_token, nonce) = (filled(tokens.id_token), filled(tokens.nonce));
        let claims = match (kind, id_token, filled(tokens.access_token)) {
            (ProviderKind::Oidc(oidc), Some(token), _) => oidc.check_id_token(token, nonce).await?,
            (ProviderKind::Oidc(oidc), None, Some(token)) => oidc.check_access_token(token).await?,
            (ProviderKind::Facebook(facebook), _, Some(token)) => {
                return IdpProfile::from_facebook(id, facebook.check_access_token(token).await?);
            }
            _ => return invalid_idp("There is neither an ID token nor an access token."),
        };
        IdpProfile::from_claims(id, claims)
    }

    /// The URL of a provider's sign-in page.
    pub async fn auth_url(&self, id: &str, params: &AuthParams<'_>) -> ApiResult<String> {
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, params.verifier.as_bytes()));
        let kind = &self.find(id)?.kind;
        let (url, client_id, scope) = match kind {
            ProviderKind::Oidc(oidc) => {
                let url = oidc.metadata().await?.authorization_endpoint.clone();
                (url, &oidc.credentials.id, "openid email profile")
            }
            ProviderKind::Facebook(facebook) => {
                (facebook.dialog_url.clone(), &facebook.credentials.id, "email,public_profile")
            }
        };
        let mut pairs = vec![
            ("response_type", "code"),
            ("client_id", client_id),
            ("redirect_uri", params.redirect_uri),
            ("scope", scope),
            ("state", params.state),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        match kind {
            ProviderKind::Oidc(oidc) if oidc.is_google() => {
                pairs.extend([("nonce", params.nonce), ("prompt", "select_account")]);
            }
            ProviderKind::Oidc(_) => pairs.push(("nonce", params.nonce)),
            ProviderKind::Facebook(_) => pairs.push(("display", "popup")),
        }
        let separator = if url.contains('?') { '&' } else { '?' };
        Ok(format!("{url}{separator}{}", encode_query(&pairs)))
    }

    /// Exchanges an authorization code for a profile.
    pub async fn exchange_code(
        &self,
        id: &str,
        code: &str,
        params: &AuthParams<'_>,
    ) -> ApiResult<IdpProfile> {
        let kind = &self.find(id)?.kind;
        let (endpoint, client, Credentials { id: client_id, secret }) = match kind {
            ProviderKind::Oidc(oidc) => {
                (oidc.metadata().await?.token_endpoint.clone(), &oidc.client, &oidc.credentials)
            }
            ProviderKind::Facebook(facebook) => {
                let endpoint = format!("{}/oauth/access_token", facebook.graph_url);
                (endpoint, &facebook.client, &facebook.credentials)
            }
        };
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", params.redirect_uri),
            ("client_id", client_id),
            ("client_secret", secret),
            ("code_verifier", params.verifier),
        ];
        let answer = client.post_form(&endpoint, &fields).await.map_err(|why| {
            // Providers also respond so to a wrong client secret, which the shopkeeper needs to know.
            tracing::warn!(%why, provider = id, "a provider rejected an authorization code");
            provider_error(why, "The provider does not know the code.")
        })?;
        match kind {
            ProviderKind::Oidc(_) => {
                let (id_token, nonce) = (answer["id_token"].as_str(), Some(params.nonce));
                let profile =
                    self.verify(id, IdpTokens { id_token, nonce, access_token: None }).await?;
                // We sent the nonce itself, so its hash is not accepted.
                let in_token = profile.claims.get("nonce").and_then(Value::as_str);
                if in_token.is_some_and(|in_token| ct_eq(in_token, params.nonce)) {
                    return Ok(profile);
                }
                refuse("MISSING_OR_INVALID_NONCE : The ID token was issued for another sign-in.")
            }
            ProviderKind::Facebook(_) => {
                let access_token = answer["access_token"].as_str();
                self.verify(id, IdpTokens { access_token, ..IdpTokens::default() }).await
            }
        }
    }
}

impl IdpProfile {
    /// From OpenID Connect's standard claims.
    fn from_claims(provider_id: &str, claims: JwtClaims) -> ApiResult<Self> {
        let claim = |name: &str| claims.get(name);
        let email = claim("email").and_then(Value::as_str).and_then(parse_email);
        // Some providers send a string.
        let is_verified = claim("email_verified").is_some_and(|is| is == true || is == "true");
        Ok(Self {
            provider_id: provider_id.to_owned(),
            raw_id: raw_id(claim("sub"))?,
            email_verified: email.is_some() && is_verified,
            email,
            display_name: display_name(claim("name")),
            first_name: display_name(claim("given_name")),
            last_name: display_name(claim("family_name")),
            photo_url: https_url(claim("picture")),
            screen_name: display_name(claim("preferred_username")),
            claims,
        })
    }

    /// Facebook does not say whether an address is verified, so none is.
    fn from_facebook(provider_id: &str, claims: JwtClaims) -> ApiResult<Self> {
        let claim = |name: &str| claims.get(name);
        let picture = claim("picture").map(|picture| &picture["data"]["url"]);
        Ok(Self {
            provider_id: provider_id.to_owned(),
            raw_id: raw_id(claim("id"))?,
            email: claim("email").and_then(Value::as_str).and_then(parse_email),
            email_verified: false,
            display_name: display_name(claim("name")),
            first_name: display_name(claim("first_name")),
            last_name: display_name(claim("last_name")),
            photo_url: https_url(picture),
            screen_name: None,
            claims,
        })
    }
}

fn filled(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

fn raw_id(value: Option<&Value>) -> ApiResult<String> {
    let id = value.and_then(Value::as_str).unwrap_or_default();
    let is_valid = (1..=MAX_ID_LENGTH).contains(&id.len()) && !id.contains(char::is_control);
    if is_valid { Ok(id.to_owned()) } else { invalid_idp("The provider returns no user id.") }
}

fn display_name(value: Option<&Value>) -> Option<String> {
    let name = clean_name(value?.as_str()?, MAX_NAME);
    (!name.is_empty()).then_some(name)
}

fn https_url(value: Option<&Value>) -> Option<String> {
    let url = value?.as_str()?;
    let is_valid = url.starts_with("https://")
        && url.len() <= MAX_URL_LENGTH
        && url.bytes().all(|byte| byte.is_ascii_graphic());
    is_valid.then(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn claims(value: Value) -> JwtClaims {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn profile_fields_are_validated_and_limited() {
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
        let profile = IdpProfile::from_claims("oidc.a", said.clone()).unwrap();
        assert_eq!(profile.email.as_deref(), Some("rahim@haat.example"));
        assert!(profile.email_verified);
        assert_eq!(profile.display_name.as_ref().map(String::len), Some(MAX_NAME));
        assert_eq!((profile.first_name, profile.last_name, profile.photo_url), (None, None, None));
        assert_eq!(profile.screen_name.as_deref(), Some("rahim"));
        assert_eq!(profile.claims, said);
    }

    #[test]
    fn invalid_email_is_not_verified() {
        let said = claims(json!({ "sub": "1", "email": "rahim", "email_verified": true }));
        let profile = IdpProfile::from_claims("oidc.a", said).unwrap();
        assert_eq!((profile.email, profile.email_verified), (None, false));
    }

    #[test]
    fn profile_without_id_is_rejected() {
        for id in [json!(null), json!(""), json!(7), json!("a\n"), json!("x".repeat(256))] {
            assert!(IdpProfile::from_claims("oidc.a", claims(json!({ "sub": id }))).is_err());
            assert!(
                IdpProfile::from_facebook("facebook.com", claims(json!({ "id": id }))).is_err()
            );
        }
    }
}

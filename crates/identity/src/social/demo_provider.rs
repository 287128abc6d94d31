//! Demo identity provider: an OpenID Connect provider that simulates Google and Facebook, so that social
//! sign-in can be tried without configuration. It lets anyone sign in as anyone. The shop uses it over
//! HTTP like any other provider. Only `haat serve --demo` creates one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rsa::KeyPair;
use axum::body::{Body, to_bytes};
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::html::escape;
use platform::{Clock, Error, Random, Result, Timestamp};
use serde_json::json;
use tokio::sync::OnceCell;

use super::oidc::encode_query;
use super::settings::{Credentials, FACEBOOK, GOOGLE, SocialSettings};
use crate::crypto::{ct_eq, hex};
use crate::html_page::{html_page, with_security_headers};
use crate::keys;
use crate::wire::parse_email;

const PATH: &str = "/dev/provider";
const KEY_ID: &str = "stand-in";
const CODE_TTL: Duration = Duration::from_secs(5 * 60);
const TOKEN_TTL: Duration = Duration::from_secs(3600);
const MAX_CODES: usize = 1000;
const MAX_BYTES: usize = 16 << 10;
const MAX_FIELD_LENGTH: usize = 512;

/// The people to choose from: name, e-mail address.
const PERSONAS: [(&str, &str); 3] = [
    ("Rahim Uddin", "rahim@people.example"),
    ("Ayesha Khan", "ayesha@people.example"),
    ("Sam Porter", "sam@people.example"),
];

/// One of the simulated providers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedProvider {
    pub id: &'static str,
    pub name: &'static str,
    verifies: bool,
}

/// Cheap to clone.
#[derive(Clone)]
pub struct DemoProvider(Arc<DemoProviderInner>);

struct DemoProviderInner {
    /// Where the server reaches it; `origin` is for browsers.
    internal_origin: String,
    origin: String,
    simulated: Vec<SimulatedProvider>,
    secret: String,
    clock: Clock,
    random: Random,
    key: OnceCell<Arc<KeyPair>>,
    /// The oldest first.
    codes: Mutex<VecDeque<AuthCode>>,
}

/// An authorization code and the person that was chosen.
struct AuthCode {
    code: String,
    request: AuthRequest,
    name: String,
    email: String,
    expires_at: Timestamp,
}

/// An authorization request of the shop.
struct AuthRequest {
    provider: SimulatedProvider,
    redirect_uri: String,
    state: String,
    nonce: String,
    challenge: String,
}

type FormPairs = Vec<(String, String)>;

fn field<'p>(pairs: &'p FormPairs, name: &str) -> &'p str {
    let found = pairs.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str());
    if found.len() > MAX_FIELD_LENGTH { "" } else { found }
}

fn pairs(text: &[u8]) -> FormPairs {
    form_urlencoded::parse(text).into_owned().collect()
}

impl DemoProvider {
    /// Simulates the providers that are not configured; `None` if all are. `internal_origin` is where
    /// the server listens, `origin` where browsers reach it.
    pub fn for_unconfigured(
        settings: &SocialSettings,
        internal_origin: &str,
        origin: &str,
        clock: &Clock,
        random: &Random,
    ) -> Option<Self> {
        let mut simulated = Vec::new();
        if settings.google() == Ok(None) {
            simulated.push(SimulatedProvider { id: GOOGLE, name: "Google", verifies: true });
        }
        if settings.facebook() == Ok(None) {
            simulated.push(SimulatedProvider { id: FACEBOOK, name: "Facebook", verifies: false });
        }
        if simulated.is_empty() {
            return None;
        }
        Some(Self(Arc::new(DemoProviderInner {
            internal_origin: internal_origin.to_owned(),
            origin: origin.to_owned(),
            simulated,
            secret: hex(random.bytes::<32>()),
            clock: clock.clone(),
            random: random.clone(),
            key: OnceCell::new(),
            codes: Mutex::default(),
        })))
    }

    pub(super) fn simulated(&self) -> impl Iterator<Item = SimulatedProvider> {
        self.0.simulated.iter().copied()
    }

    pub(super) fn issuer(&self) -> String {
        format!("{}{PATH}", self.0.internal_origin)
    }

    /// The shop's credentials at a simulated provider.
    pub(super) fn credentials(&self, provider: SimulatedProvider) -> Credentials {
        Credentials { id: provider.id.to_owned(), secret: self.0.secret.clone() }
    }

    async fn key(&self) -> Result<Arc<KeyPair>> {
        let generate = async || {
            let (pair, _) = tokio::task::spawn_blocking(keys::generate_pair).await??;
            Ok::<_, Error>(Arc::new(pair))
        };
        self.0.key.get_or_try_init(generate).await.cloned()
    }

    /// `None` if the request is not the shop's.
    fn parse_request(&self, pairs: &FormPairs) -> Option<AuthRequest> {
        let text = |name: &str| Some(field(pairs, name)).filter(|value| !value.is_empty());
        let provider = self.simulated().find(|provider| Some(provider.id) == text("client_id"))?;
        let redirect_uri = format!("{}/auth/callback", self.0.origin);
        let is_valid = text("redirect_uri")? == redirect_uri
            && text("response_type")? == "code"
            && text("code_challenge_method")? == "S256";
        is_valid.then_some(AuthRequest {
            provider,
            redirect_uri,
            state: text("state")?.to_owned(),
            nonce: text("nonce")?.to_owned(),
            challenge: text("code_challenge")?.to_owned(),
        })
    }

    fn issue_code(&self, request: AuthRequest, name: String, email: String) -> String {
        let code = URL_SAFE_NO_PAD.encode(self.0.random.bytes::<24>());
        let expires_at = self.0.clock.now().plus(CODE_TTL);
        let mut codes = self.0.codes.lock().unwrap_or_else(PoisonError::into_inner);
        if codes.len() >= MAX_CODES {
            codes.pop_front();
        }
        codes.push_back(AuthCode { code: code.clone(), request, name, email, expires_at });
        code
    }

    /// Deletes a code and returns it, if it has not expired.
    fn redeem(&self, code: &str) -> Option<AuthCode> {
        let mut codes = self.0.codes.lock().unwrap_or_else(PoisonError::into_inner);
        let index = codes.iter().position(|issued| ct_eq(&issued.code, code))?;
        codes.remove(index).filter(|issued| issued.expires_at > self.0.clock.now())
    }

    async fn id_token(&self, AuthCode { request, name, email, .. }: AuthCode) -> Result<String> {
        let provider = request.provider;
        let person = digest(&SHA256, format!("{} {email}", provider.id).as_bytes());
        let (given_name, family_name) = name.split_once(' ').unwrap_or((&name, ""));
        let seconds = self.0.clock.now().0 / 1000;
        let claims = json!({
            "iss": self.issuer(),
            "aud": provider.id,
            "sub": hex(&person.as_ref()[..10]),
            "iat": seconds,
            "exp": seconds + TOKEN_TTL.as_secs() as i64,
            "nonce": request.nonce,
            "email": email,
            "email_verified": provider.verifies,
            "name": name,
            "given_name": given_name,
            "family_name": family_name,
        });
        keys::sign(KEY_ID, &*self.key().await?, &claims)
    }
}

pub fn router(service: DemoProvider) -> Router {
    Router::new()
        .route(&format!("{PATH}/.well-known/openid-configuration"), get(configuration))
        .route(&format!("{PATH}/authorize"), get(persona_page).post(choose_persona))
        .route(&format!("{PATH}/token"), post(token))
        .route(&format!("{PATH}/keys"), get(jwks))
        .with_state(service)
}

async fn configuration(State(service): State<DemoProvider>) -> Response {
    let issuer = service.issuer();
    Json(json!({
        "issuer": issuer,
        // For browsers; the others are called by the server.
        "authorization_endpoint": format!("{}{PATH}/authorize", service.0.origin),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["client_secret_post"],
    }))
    .into_response()
}

async fn jwks(State(service): State<DemoProvider>) -> Result<Response> {
    let key = keys::jwk(KEY_ID, &*service.key().await?);
    Ok(([(CACHE_CONTROL, "max-age=3600")], Json(json!({ "keys": [key] }))).into_response())
}

/// The page on which the user chooses a person.
async fn persona_page(State(service): State<DemoProvider>, RawQuery(query): RawQuery) -> Response {
    let pairs = pairs(query.unwrap_or_default().as_bytes());
    let Some(request) = service.parse_request(&pairs) else { return error_page() };
    let hidden_fields: String = pairs
        .iter()
        .map(|(name, value)| {
            let (name, value) = (escape(name), escape(value));
            format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">")
        })
        .collect();
    let form = |content: &str| {
        format!("<form method=\"post\" action=\"{PATH}/authorize\">{hidden_fields}{content}</form>")
    };
    let personas: String = PERSONAS
        .iter()
        .enumerate()
        .map(|(n, (name, email))| {
            form(&format!(
                "<button name=\"persona\" value=\"{n}\">{name}<br><small>{email}</small></button>"
            ))
        })
        .collect();
    let custom = form(
        "<label>Name<input name=\"name\" required maxlength=\"100\" autocomplete=\"off\"></label>\
         <label>E-mail<input name=\"email\" type=\"email\" required maxlength=\"200\" \
         autocomplete=\"off\"></label><button class=\"main\">Continue</button>",
    );
    let cancel = form("<button class=\"quiet\" name=\"cancel\" value=\"1\">Cancel</button>");
    let name = request.provider.name;
    let content = format!(
        "<p>This is a stand-in for {name} in this demo shop. Nobody checks who you are.</p>\
         {personas}<hr>{custom}{cancel}"
    );
    html_page(StatusCode::OK, &format!("Not really {name}"), "", &content)
}

/// Redirects back to the shop with a code.
async fn choose_persona(State(service): State<DemoProvider>, body: Body) -> Response {
    let Ok(bytes) = to_bytes(body, MAX_BYTES).await else { return error_page() };
    let pairs = pairs(&bytes);
    let Some(request) = service.parse_request(&pairs) else { return error_page() };
    let (redirect_uri, state) = (request.redirect_uri.clone(), request.state.clone());
    let persona = field(&pairs, "persona").parse::<usize>().ok().and_then(|n| PERSONAS.get(n));
    let person = match persona {
        Some((name, address)) => Some(((*name).to_owned(), (*address).to_owned())),
        None => parse_email(field(&pairs, "email"))
            .map(|address| (field(&pairs, "name").trim().to_owned(), address)),
    };
    let answer = match person {
        _ if !field(&pairs, "cancel").is_empty() => {
            encode_query(&[("error", "access_denied"), ("state", &state)])
        }
        Some((name, address)) => encode_query(&[
            ("code", &service.issue_code(request, name, address)),
            ("state", &state),
        ]),
        None => return error_page(),
    };
    let url = format!("{redirect_uri}?{answer}");
    with_security_headers((StatusCode::SEE_OTHER, [(LOCATION, url)]).into_response())
}

fn error_page() -> Response {
    let text = "<p>The request is invalid. Please go back to the shop and try again.</p>";
    html_page(StatusCode::BAD_REQUEST, "That did not work", "", text)
}

/// The token endpoint: exchanges a code for an ID token.
async fn token(State(service): State<DemoProvider>, body: Body) -> Result<Response> {
    let refused = |status: StatusCode, error: &str| {
        Ok((status, Json(json!({ "error": error }))).into_response())
    };
    let Ok(bytes) = to_bytes(body, MAX_BYTES).await else {
        return refused(StatusCode::PAYLOAD_TOO_LARGE, "invalid_request");
    };
    let pairs = pairs(&bytes);
    if !ct_eq(field(&pairs, "client_secret"), &service.0.secret) {
        return refused(StatusCode::UNAUTHORIZED, "invalid_client");
    }
    if field(&pairs, "grant_type") != "authorization_code" {
        return refused(StatusCode::BAD_REQUEST, "unsupported_grant_type");
    }
    let verifier = field(&pairs, "code_verifier").as_bytes();
    let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier));
    let matches = |issued: &AuthCode| {
        issued.request.provider.id == field(&pairs, "client_id")
            && issued.request.redirect_uri == field(&pairs, "redirect_uri")
            && ct_eq(&issued.request.challenge, &challenge)
    };
    let Some(issued) = service.redeem(field(&pairs, "code")).filter(matches) else {
        return refused(StatusCode::BAD_REQUEST, "invalid_grant");
    };
    let id_token = service.id_token(issued).await?;
    let tokens = json!({
        "token_type": "Bearer",
        "expires_in": TOKEN_TTL.as_secs(),
        "access_token": URL_SAFE_NO_PAD.encode(service.0.random.bytes::<24>()),
        "id_token": id_token,
    });
    Ok(([(CACHE_CONTROL, "no-store")], Json(tokens)).into_response())
}

//! A provider of our own that plays Google and Facebook in a demo shop, so that signing in with them can
//! be tried with nothing set up. It believes whatever it is told. The shop talks with it as with any
//! other, over HTTP. There is none unless somebody makes one, and only `haat serve --demo` does.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rsa::{KeyPair, KeySize};
use axum::body::{Body, to_bytes};
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base::html::escape;
use base::{Clock, Error, Random, Result, Timestamp};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value, json};
use tokio::sync::OnceCell;

use super::oidc::{hexadecimal, query, same};
use super::providers::{FACEBOOK, GOOGLE};
use super::settings::{Credentials, Settings};
use crate::keys;
use crate::page::{page, private};
use crate::protocol::email;

const PATH: &str = "/dev/provider";
const KEY: &str = "stand-in";
const CODE_LIVES: Duration = Duration::from_secs(5 * 60);
const TOKEN_LIVES: Duration = Duration::from_secs(3600);
const MOST_CODES: usize = 1000;
const MOST_BYTES: usize = 16 << 10;
const LONGEST_FIELD: usize = 512;

/// Whom it can be: name, e-mail.
const PERSONAS: [(&str, &str); 3] = [
    ("Rahim Uddin", "rahim@people.example"),
    ("Ayesha Khan", "ayesha@people.example"),
    ("Sam Porter", "sam@people.example"),
];

/// One of the providers that it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    pub id: &'static str,
    pub name: &'static str,
    /// Whether its e-mail addresses count as verified.
    verifies: bool,
}

/// Cheap to clone.
#[derive(Clone)]
pub struct StandIn(Arc<Stage>);

struct Stage {
    /// Where the shop reaches it, and where browsers do.
    here: String,
    origin: String,
    roles: Vec<Role>,
    secret: String,
    clock: Clock,
    random: Random,
    key: OnceCell<Arc<KeyPair>>,
    /// The oldest first.
    grants: Mutex<VecDeque<Grant>>,
}

/// Who somebody chose to be, for whoever brings the code.
struct Grant {
    code: String,
    asked: Asked,
    name: String,
    email: String,
    expires_at: Timestamp,
}

/// What the shop asks.
struct Asked {
    role: Role,
    redirect_uri: String,
    state: String,
    nonce: String,
    challenge: String,
}

type Pairs = Vec<(String, String)>;

fn field<'p>(pairs: &'p Pairs, name: &str) -> &'p str {
    let found = pairs.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str());
    if found.len() > LONGEST_FIELD { "" } else { found }
}

fn pairs(text: &[u8]) -> Pairs {
    form_urlencoded::parse(text).into_owned().collect()
}

impl StandIn {
    /// For the providers that are not set up; none when all are. `here` is where the shop listens,
    /// `origin` where browsers reach it.
    pub fn for_missing(
        settings: &Settings,
        here: &str,
        origin: &str,
        clock: &Clock,
        random: &Random,
    ) -> Option<Self> {
        let mut roles = Vec::new();
        if settings.google() == Ok(None) {
            roles.push(Role { id: GOOGLE, name: "Google", verifies: true });
        }
        if settings.facebook() == Ok(None) {
            roles.push(Role { id: FACEBOOK, name: "Facebook", verifies: false });
        }
        if roles.is_empty() {
            return None;
        }
        Some(Self(Arc::new(Stage {
            here: here.to_owned(),
            origin: origin.to_owned(),
            roles,
            secret: hexadecimal(random.bytes::<32>()),
            clock: clock.clone(),
            random: random.clone(),
            key: OnceCell::new(),
            grants: Mutex::default(),
        })))
    }

    pub(super) fn roles(&self) -> impl Iterator<Item = Role> {
        self.0.roles.iter().copied()
    }

    pub(super) fn issuer(&self) -> String {
        format!("{}{PATH}", self.0.here)
    }

    /// What the shop is known by here, one name for each role.
    pub(super) fn credentials(&self, role: Role) -> Credentials {
        Credentials { id: role.id.to_owned(), secret: self.0.secret.clone() }
    }

    async fn key(&self) -> Result<Arc<KeyPair>> {
        let make = async || {
            let made = tokio::task::spawn_blocking(|| KeyPair::generate(KeySize::Rsa2048)).await;
            let pair = made.map_err(Error::internal)?;
            pair.map(Arc::new).map_err(|_| Error::internal("could not make a key"))
        };
        self.0.key.get_or_try_init(make).await.cloned()
    }

    /// What is asked, when it is the shop that asks.
    fn asked(&self, pairs: &Pairs) -> Option<Asked> {
        let text = |name: &str| Some(field(pairs, name)).filter(|value| !value.is_empty());
        let role = self.roles().find(|role| Some(role.id) == text("client_id"))?;
        let ours = format!("{}/auth/callback", self.0.origin);
        let right = text("redirect_uri")? == ours
            && text("response_type")? == "code"
            && text("code_challenge_method")? == "S256";
        right.then_some(Asked {
            role,
            redirect_uri: ours,
            state: text("state")?.to_owned(),
            nonce: text("nonce")?.to_owned(),
            challenge: text("code_challenge")?.to_owned(),
        })
    }

    /// A code for somebody.
    fn grant(&self, asked: Asked, name: String, email: String) -> String {
        let code = URL_SAFE_NO_PAD.encode(self.0.random.bytes::<24>());
        let expires_at = self.0.clock.now().plus(CODE_LIVES);
        let mut grants = self.0.grants.lock().unwrap_or_else(PoisonError::into_inner);
        if grants.len() >= MOST_CODES {
            grants.pop_front();
        }
        grants.push_back(Grant { code: code.clone(), asked, name, email, expires_at });
        code
    }

    /// Uses a code up.
    fn take(&self, code: &str) -> Option<Grant> {
        let mut grants = self.0.grants.lock().unwrap_or_else(PoisonError::into_inner);
        let place = grants.iter().position(|grant| same(&grant.code, code))?;
        grants.remove(place).filter(|grant| grant.expires_at > self.0.clock.now())
    }

    async fn id_token(&self, Grant { asked, name, email, .. }: Grant) -> Result<String> {
        let role = asked.role;
        let person = digest(&SHA256, format!("{} {email}", role.id).as_bytes());
        let (given_name, family_name) = name.split_once(' ').unwrap_or((&name, ""));
        let seconds = self.0.clock.now().0 / 1000;
        let claims = json!({
            "iss": self.issuer(),
            "aud": role.id,
            "sub": hexadecimal(&person.as_ref()[..10]),
            "iat": seconds,
            "exp": seconds + TOKEN_LIVES.as_secs() as i64,
            "nonce": asked.nonce,
            "email": email,
            "email_verified": role.verifies,
            "name": name,
            "given_name": given_name,
            "family_name": family_name,
        });
        let claims: Map<String, Value> = serde_json::from_value(claims)?;
        keys::sign(KEY, &*self.key().await?, &claims)
    }
}

/// Its paths, for whoever made one.
pub fn router(stand_in: StandIn) -> Router {
    Router::new()
        .route(&format!("{PATH}/.well-known/openid-configuration"), get(configuration))
        .route(&format!("{PATH}/authorize"), get(choices).post(choose))
        .route(&format!("{PATH}/token"), post(token))
        .route(&format!("{PATH}/keys"), get(published))
        .with_state(stand_in)
}

async fn configuration(State(stand_in): State<StandIn>) -> Response {
    let issuer = stand_in.issuer();
    Json(json!({
        "issuer": issuer,
        // A person goes there, all else is between servers.
        "authorization_endpoint": format!("{}{PATH}/authorize", stand_in.0.origin),
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

async fn published(State(stand_in): State<StandIn>) -> Result<Response> {
    let key = keys::jwk(KEY, &*stand_in.key().await?);
    Ok(([(CACHE_CONTROL, "max-age=3600")], Json(json!({ "keys": [key] }))).into_response())
}

/// The page to choose on who to be.
async fn choices(State(stand_in): State<StandIn>, RawQuery(query): RawQuery) -> Response {
    let pairs = pairs(query.unwrap_or_default().as_bytes());
    let Some(asked) = stand_in.asked(&pairs) else { return not_ours() };
    let carried: String = pairs
        .iter()
        .map(|(name, value)| {
            let (name, value) = (escape(name), escape(value));
            format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">")
        })
        .collect();
    let form = |content: &str| {
        format!("<form method=\"post\" action=\"{PATH}/authorize\">{carried}{content}</form>")
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
    let anybody = form(
        "<label>Name<input name=\"name\" required maxlength=\"100\" autocomplete=\"off\"></label>\
         <label>E-mail<input name=\"email\" type=\"email\" required maxlength=\"200\" \
         autocomplete=\"off\"></label><button class=\"main\">Continue</button>",
    );
    let cancel = form("<button class=\"quiet\" name=\"cancel\" value=\"1\">Cancel</button>");
    let name = asked.role.name;
    let content = format!(
        "<p>This is a stand-in for {name} in this demo shop. Nobody checks who you are.</p>\
         {personas}<hr>{anybody}{cancel}"
    );
    page(StatusCode::OK, &format!("Not really {name}"), "", &content)
}

/// Somebody has chosen: back to the shop.
async fn choose(State(stand_in): State<StandIn>, body: Body) -> Response {
    let Ok(bytes) = to_bytes(body, MOST_BYTES).await else { return not_ours() };
    let pairs = pairs(&bytes);
    let Some(asked) = stand_in.asked(&pairs) else { return not_ours() };
    let (back, state) = (asked.redirect_uri.clone(), asked.state.clone());
    let persona = field(&pairs, "persona").parse::<usize>().ok().and_then(|n| PERSONAS.get(n));
    let somebody = match persona {
        Some((name, address)) => Some(((*name).to_owned(), (*address).to_owned())),
        None => email(field(&pairs, "email"))
            .map(|address| (field(&pairs, "name").trim().to_owned(), address)),
    };
    let answer = match somebody {
        _ if !field(&pairs, "cancel").is_empty() => {
            query(&[("error", "access_denied"), ("state", &state)])
        }
        Some((name, address)) => {
            query(&[("code", &stand_in.grant(asked, name, address)), ("state", &state)])
        }
        None => return not_ours(),
    };
    private((StatusCode::SEE_OTHER, [(LOCATION, format!("{back}?{answer}"))]).into_response())
}

fn not_ours() -> Response {
    let words = "<p>Nobody can be chosen like this. Please go back to the shop and try again.</p>";
    page(StatusCode::BAD_REQUEST, "That did not work", "", words)
}

/// A code for an ID token, for the shop alone.
async fn token(State(stand_in): State<StandIn>, body: Body) -> Result<Response> {
    let refused = |status: StatusCode, error: &str| {
        Ok((status, Json(json!({ "error": error }))).into_response())
    };
    let Ok(bytes) = to_bytes(body, MOST_BYTES).await else {
        return refused(StatusCode::PAYLOAD_TOO_LARGE, "invalid_request");
    };
    let pairs = pairs(&bytes);
    if !same(field(&pairs, "client_secret"), &stand_in.0.secret) {
        return refused(StatusCode::UNAUTHORIZED, "invalid_client");
    }
    if field(&pairs, "grant_type") != "authorization_code" {
        return refused(StatusCode::BAD_REQUEST, "unsupported_grant_type");
    }
    let verifier = field(&pairs, "code_verifier").as_bytes();
    let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier));
    let right = |grant: &Grant| {
        grant.asked.role.id == field(&pairs, "client_id")
            && grant.asked.redirect_uri == field(&pairs, "redirect_uri")
            && same(&grant.asked.challenge, &challenge)
    };
    let Some(grant) = stand_in.take(field(&pairs, "code")).filter(right) else {
        return refused(StatusCode::BAD_REQUEST, "invalid_grant");
    };
    let id_token = stand_in.id_token(grant).await?;
    let tokens = json!({
        "token_type": "Bearer",
        "expires_in": TOKEN_LIVES.as_secs(),
        "access_token": URL_SAFE_NO_PAD.encode(stand_in.0.random.bytes::<24>()),
        "id_token": id_token,
    });
    Ok(([(CACHE_CONTROL, "no-store")], Json(tokens)).into_response())
}

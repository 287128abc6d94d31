//! The window in which a visitor asks a provider who they are. Our server talks with the provider; what
//! comes of it goes to the page that opened the window as a code that works once, and to no other page.

use std::time::Duration;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base::html::escape;
use base::{Error, Result, Timestamp};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};

use super::oidc::{invalid, same};
use super::providers::{Profile, Trip};
use super::repeat::REPEATABLE_FOR;
use crate::Identity;
use crate::page::{page, private};
use crate::protocol::{Answer, Refusal};
use crate::sessions::hash;

const COOKIE_NAME: &str = "haat_popup";
const COOKIE_PURPOSE: &str = "social popup";
const CODE_PURPOSE: &str = "social codes";
pub const ONE_TIME: &str = "haat-code.";
/// For reading what the provider asks and typing a password there.
const COMES_BACK_WITHIN: Duration = Duration::from_secs(10 * 60);
const CODE_LIVES: Duration = Duration::from_secs(5 * 60);
const LONGEST_CODE: usize = 4096;

pub fn router(identity: Identity) -> Router {
    Router::new()
        .route("/auth/start", get(start))
        .route("/auth/callback", get(callback))
        .route("/auth/callback.js", get(script))
        .with_state(identity)
}

/// What we remember of a visitor on the way, in a cookie that only we can read and write.
#[derive(Clone, Serialize, Deserialize)]
pub struct Pending {
    provider: String,
    /// The page's own, to be handed back to it.
    page_state: String,
    state: String,
    nonce: String,
    pub verifier: String,
    expires_at: Timestamp,
}

/// Why the window comes back without a code, in the words that the page knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// The visitor changed their mind.
    Denied,
    Invalid,
    NotSetUp,
    Internal,
    Unreachable,
}

impl Failed {
    fn name(self) -> &'static str {
        match self {
            Self::Denied => "access_denied",
            Self::Invalid => "invalid-credential",
            Self::NotSetUp => "operation-not-allowed",
            Self::Internal => "internal-error",
            Self::Unreachable => "network-request-failed",
        }
    }

    fn status(self) -> StatusCode {
        match self {
            Self::Denied => StatusCode::OK,
            Self::Invalid | Self::NotSetUp => StatusCode::BAD_REQUEST,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Unreachable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Denied => "You were not signed in, as you wished.",
            Self::Invalid => "That did not work: the window was open too long, or was not ours.",
            Self::NotSetUp => "This shop does not offer this way to sign in.",
            Self::Internal => "Something went wrong on our side.",
            Self::Unreachable => "The other side does not answer. Please try again in a moment.",
        }
    }
}

/// Notes a failure where the shopkeeper looks; the visitor is told less.
impl From<Refusal> for Failed {
    fn from(why: Refusal) -> Self {
        match why {
            Refusal::Protocol(_, words, _) => {
                tracing::info!(%words, "a social sign-in was refused");
                if words.starts_with("OPERATION_NOT_ALLOWED") {
                    Self::NotSetUp
                } else {
                    Self::Invalid
                }
            }
            Refusal::Moved => Self::Internal,
            Refusal::House(why) => {
                why.log();
                if matches!(why, Error::Unavailable(_)) {
                    Self::Unreachable
                } else {
                    Self::Internal
                }
            }
        }
    }
}

impl From<Error> for Failed {
    fn from(why: Error) -> Self {
        Refusal::House(why).into()
    }
}

/// What the window tells the page that opened it.
struct Told<'t> {
    provider_name: Option<&'t str>,
    provider: &'t str,
    /// Empty when it is not known which page that is.
    page_state: &'t str,
    outcome: Result<String, Failed>,
}

impl Told<'_> {
    fn page(&self) -> Response {
        let title = match self.provider_name {
            Some(name) => format!("Signing in with {name}"),
            None => "Signing in".to_owned(),
        };
        let mut attributes = String::new();
        let mut put = |name: &str, value: &str| {
            attributes.push_str(&format!(" data-{name}=\"{}\"", escape(value)));
        };
        put("state", self.page_state);
        put("provider", self.provider);
        let (status, words) = match &self.outcome {
            Ok(code) => {
                put("code", code);
                (StatusCode::OK, "That worked.")
            }
            Err(failed) => {
                put("error", failed.name());
                (failed.status(), failed.words())
            }
        };
        let content = format!(
            "<p>{words}</p><p><small>You may close this window.</small></p>\
             <script src=\"/auth/callback.js\"></script>"
        );
        page(status, &title, &attributes, &content)
    }
}

async fn script() -> Response {
    let headers = [(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "no-cache")];
    (headers, include_str!("callback.js")).into_response()
}

/// `GET /auth/start?provider=google.com&state=…`: off to the provider.
async fn start(State(identity): State<Identity>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let provider = parameter(&query, "provider").unwrap_or_default();
    let page_state = parameter(&query, "state").filter(|state| fits(state)).unwrap_or_default();
    let outcome = match identity.set_out(&provider, &page_state).await {
        Ok(response) => return response,
        Err(failed) => Err(failed),
    };
    // A name that nothing goes by is not repeated.
    let provider_name = identity.providers.name(&provider);
    let provider = provider_name.map_or("", |_| provider.as_str());
    Told { provider_name, provider, page_state: &page_state, outcome }.page()
}

/// `GET /auth/callback?code=…&state=…`: back from the provider.
async fn callback(
    State(identity): State<Identity>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let query = query.unwrap_or_default();
    let pending = identity.pending(&headers);
    let (provider, page_state, outcome) = match &pending {
        Some(pending) => {
            let outcome = identity.come_back(pending, &query).await;
            (pending.provider.as_str(), pending.page_state.as_str(), outcome)
        }
        None => ("", "", Err(Failed::Invalid)),
    };
    let provider_name = identity.providers.name(provider);
    // What worked can be asked for again for a few seconds; what failed is over.
    let cookie = match (&outcome, identity.sealed_cookie(&headers)) {
        (Ok(_), Some(sealed)) => identity.cookie(sealed, REPEATABLE_FOR),
        _ => identity.cookie("", Duration::ZERO),
    };
    let mut response = Told { provider_name, provider, page_state, outcome }.page();
    if let Ok(cookie) = cookie {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}

impl Identity {
    async fn set_out(&self, provider: &str, page_state: &str) -> Result<Response, Failed> {
        if self.providers.name(provider).is_none() {
            return Err(Failed::NotSetUp);
        }
        if page_state.is_empty() {
            return Err(Failed::Invalid);
        }
        let secret = || URL_SAFE_NO_PAD.encode(self.random.bytes::<32>());
        let pending = Pending {
            provider: provider.to_owned(),
            page_state: page_state.to_owned(),
            state: secret(),
            nonce: secret(),
            verifier: secret(),
            expires_at: self.clock.now().plus(COMES_BACK_WITHIN),
        };
        let address = self.providers.ask_at(provider, &pending.trip(&self.redirect_uri())).await?;
        let sealed = serde_json::to_vec(&pending).map_err(Error::from)?;
        let sealed = self.secret.seal(COOKIE_PURPOSE, &sealed);
        let sealed = sealed.ok_or(Error::internal("could not seal a cookie"))?;
        let headers = [
            (SET_COOKIE, self.cookie(&URL_SAFE_NO_PAD.encode(sealed), COMES_BACK_WITHIN)?),
            (LOCATION, HeaderValue::try_from(address).map_err(Error::internal)?),
        ];
        Ok(private((StatusCode::SEE_OTHER, headers).into_response()))
    }

    fn redirect_uri(&self) -> String {
        format!("{}/auth/callback", self.origin())
    }

    fn cookie(&self, value: &str, lives: Duration) -> Result<HeaderValue> {
        let secure = if self.origin().starts_with("https://") { "; Secure" } else { "" };
        let lives = lives.as_secs();
        HeaderValue::try_from(format!(
            "{COOKIE_NAME}={value}; HttpOnly; SameSite=Lax; Path=/auth; Max-Age={lives}{secure}"
        ))
        .map_err(Error::internal)
    }

    /// What we gave this visitor to remember.
    fn pending(&self, headers: &HeaderMap) -> Option<Pending> {
        self.unseal_cookie(self.sealed_cookie(headers)?)
    }

    fn unseal_cookie(&self, sealed: &str) -> Option<Pending> {
        let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        serde_json::from_slice(&self.secret.unseal(COOKIE_PURPOSE, &sealed)?).ok()
    }

    /// Others may set a cookie of this name; they cannot seal one.
    fn sealed_cookie<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let lines = headers.get_all(COOKIE).into_iter().filter_map(|line| line.to_str().ok());
        let mut pairs = lines.flat_map(|line| line.split(';')).map(str::trim);
        pairs.find_map(|pair| {
            let sealed = pair.strip_prefix(COOKIE_NAME)?.strip_prefix('=')?;
            self.unseal_cookie(sealed).map(|_| sealed)
        })
    }

    async fn come_back(&self, pending: &Pending, query: &str) -> Result<String, Failed> {
        let state = parameter(query, "state").unwrap_or_default();
        if pending.expires_at <= self.clock.now() || !same(&state, &pending.state) {
            return Err(Failed::Invalid);
        }
        if let Some(error) = parameter(query, "error") {
            return Err(match error.as_str() {
                "access_denied" => Failed::Denied,
                "temporarily_unavailable" | "server_error" => Failed::Unreachable,
                _ => {
                    let error: String = error.chars().take(64).collect();
                    tracing::warn!(error, provider = pending.provider, "a provider refused to ask");
                    Failed::Internal
                }
            });
        }
        let code = parameter(query, "code").filter(|code| !code.is_empty());
        let code = code.filter(|code| code.len() <= LONGEST_CODE).ok_or(Failed::Invalid)?;
        self.exchange_once(pending, &code).await
    }

    /// The provider's code for one of ours.
    pub(super) async fn exchange(&self, pending: &Pending, code: &str) -> Result<String, Failed> {
        let redirect_uri = self.redirect_uri();
        let trip = pending.trip(&redirect_uri);
        let profile = self.providers.prove_code(&pending.provider, code, &trip).await?;
        Ok(self.write_code(&profile).await?)
    }

    /// Keeps what a provider said, under a code that gives it once.
    async fn write_code(&self, profile: &Profile) -> Result<String> {
        let secret = URL_SAFE_NO_PAD.encode(self.random.bytes::<32>());
        let code = format!("{ONE_TIME}{secret}");
        let sealed = self.secret.seal(CODE_PURPOSE, &serde_json::to_vec(profile)?);
        let sealed = sealed.ok_or(Error::internal("could not seal a profile"))?;
        let now = self.clock.now();
        let mut tx = self.db.begin().await?;
        tx.query("delete from social_codes where expires_at <= $1").bind(now).execute().await?;
        tx.query(
            "insert into social_codes (hash, provider, sealed_profile, expires_at)
             values ($1, $2, $3, $4)",
        )
        .bind(hash(&code))
        .bind(profile.provider_id.as_str())
        .bind(STANDARD.encode(sealed))
        .bind(now.plus(CODE_LIVES))
        .execute()
        .await?;
        tx.commit().await?;
        Ok(code)
    }
}

impl Pending {
    fn trip<'t>(&'t self, redirect_uri: &'t str) -> Trip<'t> {
        let Self { state, nonce, verifier, .. } = self;
        Trip { redirect_uri, state, nonce, verifier }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    provider: String,
    sealed_profile: String,
    expires_at: Timestamp,
}

/// What a provider said of whoever brings this code. It works once: whoever tries it spends it.
pub async fn redeem(identity: &Identity, provider: &str, code: &str) -> Answer<Profile> {
    const WHY: &str = "The code is not good, or not any more.";
    let mut tx = identity.db.begin().await?;
    let found: Option<Row> = tx
        .query(
            "delete from social_codes where hash = $1
             returning provider, sealed_profile, expires_at",
        )
        .bind(hash(code))
        .optional()
        .await?;
    tx.commit().await?;
    let now = identity.clock.now();
    let Some(row) = found.filter(|row| row.provider == provider && row.expires_at > now) else {
        return invalid(WHY);
    };
    let sealed = STANDARD.decode(row.sealed_profile).map_err(Error::internal)?;
    // Sealed with another secret: the shop's was changed in these five minutes.
    let Some(plain) = identity.secret.unseal(CODE_PURPOSE, &sealed) else { return invalid(WHY) };
    Ok(serde_json::from_slice(&plain).map_err(Error::from)?)
}

fn parameter(query: &str, name: &str) -> Option<String> {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// Whether a page may call its visit so.
fn fits(state: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (16..=128).contains(&state.len()) && state.bytes().all(plain)
}

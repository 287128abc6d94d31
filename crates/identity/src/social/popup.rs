//! OAuth popup: the window in which a visitor signs in at a provider. The server exchanges the
//! provider's code and gives the opener page a one-time code for the profile.

use std::time::Duration;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::html::escape;
use platform::secret::Secret;
use platform::{Clock, Error, Random, Result, Timestamp};
use serde::{Deserialize, Serialize};

use super::callback_idempotency::{Callbacks, REPLAY_WINDOW};
use super::codes::SocialCodes;
use super::providers::{AuthParams, Providers};
use crate::crypto::{ct_eq, hash_token, seal, unseal};
use crate::html_page::{html_page, with_security_headers};
use crate::wire::ApiError;

const COOKIE_NAME: &str = "haat_popup";
const COOKIE_PURPOSE: &str = "social popup";
/// For the sign-in at the provider.
const AUTHORIZATION_TTL: Duration = Duration::from_secs(10 * 60);
const MAX_CODE: usize = 4096;

/// What the popup's pages need.
#[derive(Clone)]
pub struct Popup {
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    pub origin: String,
    pub providers: Providers,
    pub codes: SocialCodes,
    pub callbacks: Callbacks,
}

pub fn router(popup: Popup) -> Router {
    Router::new()
        .route("/auth/start", get(start))
        .route("/auth/callback", get(callback))
        .route("/auth/callback.js", get(script))
        .with_state(popup)
}

/// The state of an authorization, in an encrypted cookie.
#[derive(Clone, Serialize, Deserialize)]
struct PendingAuth {
    provider: String,
    /// The opener page's own state, returned to it.
    page_state: String,
    state: String,
    nonce: String,
    verifier: String,
    expires_at: Timestamp,
}

/// Why the popup returns no code. The opener page knows the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PopupError {
    /// The visitor cancelled.
    Denied,
    Invalid,
    NotConfigured,
    Internal,
    Unreachable,
}

impl PopupError {
    fn name(self) -> &'static str {
        match self {
            Self::Denied => "access_denied",
            Self::Invalid => "invalid-credential",
            Self::NotConfigured => "operation-not-allowed",
            Self::Internal => "internal-error",
            Self::Unreachable => "network-request-failed",
        }
    }

    fn status(self) -> StatusCode {
        match self {
            Self::Denied => StatusCode::OK,
            Self::Invalid | Self::NotConfigured => StatusCode::BAD_REQUEST,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Unreachable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    fn message(self) -> &'static str {
        match self {
            Self::Denied => "You cancelled the sign-in.",
            Self::Invalid => "That did not work. The sign-in took too long, or it is not valid.",
            Self::NotConfigured => "This shop does not offer this way to sign in.",
            Self::Internal => "Something went wrong on our side.",
            Self::Unreachable => "The provider does not respond. Please try again in a moment.",
        }
    }
}

type PopupResult<T> = Result<T, PopupError>;

/// Logs the details; the visitor gets a short message.
impl From<ApiError> for PopupError {
    fn from(why: ApiError) -> Self {
        match why {
            ApiError::Protocol(_, message, _) => {
                tracing::info!(%message, "a social sign-in was refused");
                if message.starts_with("OPERATION_NOT_ALLOWED") {
                    Self::NotConfigured
                } else {
                    Self::Invalid
                }
            }
            ApiError::Conflict => Self::Internal,
            ApiError::Internal(why) => {
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

impl From<Error> for PopupError {
    fn from(why: Error) -> Self {
        ApiError::Internal(why).into()
    }
}

/// The page that passes the result to its opener.
struct CallbackPage<'t> {
    provider_name: Option<&'t str>,
    provider: &'t str,
    /// Empty if it is unknown.
    page_state: &'t str,
    outcome: PopupResult<String>,
}

impl CallbackPage<'_> {
    fn render(&self) -> Response {
        let title = match self.provider_name {
            Some(name) => format!("Signing in with {name}"),
            None => "Signing in".to_owned(),
        };
        let mut attributes = String::new();
        let mut set_data = |name: &str, value: &str| {
            attributes.push_str(&format!(" data-{name}=\"{}\"", escape(value)));
        };
        set_data("state", self.page_state);
        set_data("provider", self.provider);
        let (status, message) = match &self.outcome {
            Ok(code) => {
                set_data("code", code);
                (StatusCode::OK, "That worked.")
            }
            Err(error) => {
                set_data("error", error.name());
                (error.status(), error.message())
            }
        };
        let content = format!(
            "<p>{message}</p><p><small>You may close this window.</small></p>\
             <script src=\"/auth/callback.js\"></script>"
        );
        html_page(status, &title, &attributes, &content)
    }
}

async fn script() -> Response {
    let headers = [(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "no-cache")];
    (headers, include_str!("callback.js")).into_response()
}

/// `GET /auth/start?provider=google.com&state=…`: redirects to the provider.
async fn start(State(popup): State<Popup>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let provider = parameter(&query, "provider").unwrap_or_default();
    let page_state = parameter(&query, "state").filter(|state| is_state(state)).unwrap_or_default();
    let outcome = match popup.authorize(&provider, &page_state).await {
        Ok(response) => return response,
        Err(error) => Err(error),
    };
    // An unknown provider's id is not repeated in the page.
    let provider_name = popup.providers.name(&provider);
    let provider = provider_name.map_or("", |_| provider.as_str());
    CallbackPage { provider_name, provider, page_state: &page_state, outcome }.render()
}

/// `GET /auth/callback?code=…&state=…`: returns from the provider.
async fn callback(
    State(popup): State<Popup>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let query = query.unwrap_or_default();
    let pending = popup.pending_auth(&headers);
    let (provider, page_state, outcome) = match &pending {
        Some(pending) => {
            let outcome = popup.finish(pending, &query).await;
            (pending.provider.as_str(), pending.page_state.as_str(), outcome)
        }
        None => ("", "", Err(PopupError::Invalid)),
    };
    let provider_name = popup.providers.name(provider);
    // A success can be requested again for a few seconds; after a failure the cookie is deleted.
    let cookie = match (&outcome, popup.sealed_cookie(&headers)) {
        (Ok(_), Some(sealed)) => popup.cookie(sealed, REPLAY_WINDOW),
        _ => popup.cookie("", Duration::ZERO),
    };
    let mut response = CallbackPage { provider_name, provider, page_state, outcome }.render();
    if let Ok(cookie) = cookie {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}

impl Popup {
    async fn authorize(&self, provider: &str, page_state: &str) -> PopupResult<Response> {
        if self.providers.name(provider).is_none() {
            return Err(PopupError::NotConfigured);
        }
        if page_state.is_empty() {
            return Err(PopupError::Invalid);
        }
        let secret = || URL_SAFE_NO_PAD.encode(self.random.bytes::<32>());
        let pending = PendingAuth {
            provider: provider.to_owned(),
            page_state: page_state.to_owned(),
            state: secret(),
            nonce: secret(),
            verifier: secret(),
            expires_at: self.clock.now().plus(AUTHORIZATION_TTL),
        };
        let redirect_uri = self.redirect_uri();
        let params = pending.params(&redirect_uri);
        let url = self.providers.auth_url(provider, &params).await?;
        let sealed = seal(&self.secret, COOKIE_PURPOSE, &pending)?;
        let headers = [
            (SET_COOKIE, self.cookie(&sealed, AUTHORIZATION_TTL)?),
            (LOCATION, HeaderValue::try_from(url).map_err(Error::internal)?),
        ];
        Ok(with_security_headers((StatusCode::SEE_OTHER, headers).into_response()))
    }

    fn redirect_uri(&self) -> String {
        format!("{}/auth/callback", self.origin)
    }

    fn cookie(&self, value: &str, max_age: Duration) -> Result<HeaderValue> {
        let secure = if self.origin.starts_with("https://") { "; Secure" } else { "" };
        let max_age = max_age.as_secs();
        HeaderValue::try_from(format!(
            "{COOKIE_NAME}={value}; HttpOnly; SameSite=Lax; Path=/auth; Max-Age={max_age}{secure}"
        ))
        .map_err(Error::internal)
    }

    fn pending_auth(&self, headers: &HeaderMap) -> Option<PendingAuth> {
        self.unseal_cookie(self.sealed_cookie(headers)?)
    }

    fn unseal_cookie(&self, sealed: &str) -> Option<PendingAuth> {
        unseal(&self.secret, COOKIE_PURPOSE, sealed)
    }

    /// Skips cookies of this name that others have set: they cannot encrypt one.
    fn sealed_cookie<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let lines = headers.get_all(COOKIE).into_iter().filter_map(|line| line.to_str().ok());
        let mut pairs = lines.flat_map(|line| line.split(';')).map(str::trim);
        pairs.find_map(|pair| {
            let sealed = pair.strip_prefix(COOKIE_NAME)?.strip_prefix('=')?;
            self.unseal_cookie(sealed).map(|_| sealed)
        })
    }

    async fn finish(&self, pending: &PendingAuth, query: &str) -> PopupResult<String> {
        let state = parameter(query, "state").unwrap_or_default();
        if pending.expires_at <= self.clock.now() || !ct_eq(&state, &pending.state) {
            return Err(PopupError::Invalid);
        }
        if let Some(error) = parameter(query, "error") {
            return Err(match error.as_str() {
                "access_denied" => PopupError::Denied,
                "temporarily_unavailable" | "server_error" => PopupError::Unreachable,
                _ => {
                    let error: String = error.chars().take(64).collect();
                    tracing::warn!(error, provider = pending.provider, "authorization was refused");
                    PopupError::Internal
                }
            });
        }
        let code = parameter(query, "code").filter(|code| !code.is_empty());
        let code = code.filter(|code| code.len() <= MAX_CODE).ok_or(PopupError::Invalid)?;
        // The cookie's verifier is part of the key, so that the URL alone gets no result in another
        // browser.
        let key = hash_token(&format!("{} {code}", pending.verifier));
        let (popup, pending) = (self.clone(), pending.clone());
        let exchange = async move { popup.exchange(&pending, &code).await };
        self.callbacks.run_once(key, exchange).await
    }

    /// Exchanges the provider's code for a one-time code.
    async fn exchange(&self, pending: &PendingAuth, code: &str) -> PopupResult<String> {
        let redirect_uri = self.redirect_uri();
        let params = pending.params(&redirect_uri);
        let profile = self.providers.exchange_code(&pending.provider, code, &params).await?;
        Ok(self.codes.store(&profile).await?)
    }
}

impl PendingAuth {
    fn params<'t>(&'t self, redirect_uri: &'t str) -> AuthParams<'t> {
        let Self { state, nonce, verifier, .. } = self;
        AuthParams { redirect_uri, state, nonce, verifier }
    }
}

fn parameter(query: &str, name: &str) -> Option<String> {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

fn is_state(state: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (16..=128).contains(&state.len()) && state.bytes().all(is_allowed)
}

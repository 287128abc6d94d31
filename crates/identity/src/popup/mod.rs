//! OAuth popup: the window in which a visitor signs in at a provider. The server exchanges the
//! provider's code and gives the opener page a one-time code for the profile.

mod callback_idempotency;
pub mod codes;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use messages::Messages;
use platform::html::escape;
use platform::{Error, Language, Result, Timestamp};
use serde::{Deserialize, Serialize};

use self::callback_idempotency::{REPLAY_WINDOW, run_once};
use crate::crypto::{ct_eq, hash_token, seal, unseal};
use crate::html_page::{localized_page, script, with_security_headers};
use crate::services::Services;
use crate::social::AuthParams;
use crate::wire::{ApiError, cookies, query_parameter};

const COOKIE_NAME: &str = "haat_popup";
const COOKIE_PURPOSE: &str = "social popup";
/// For the sign-in at the provider.
const AUTHORIZATION_TTL: Duration = Duration::from_secs(10 * 60);
const MAX_CODE: usize = 4096;

pub fn router(identity: Arc<Services>) -> Router {
    Router::new()
        .route("/auth/start", get(start))
        .route("/auth/callback", get(callback))
        .route("/auth/callback.js", get(async || script(include_str!("callback.js"))))
        .with_state(identity)
}

/// The state of an authorization, in an encrypted cookie.
#[derive(Clone, Serialize, Deserialize)]
struct PendingAuth {
    provider: String,
    /// The opener page's own state, returned to it.
    page_state: String,
    /// Of the opener page.
    #[serde(default)]
    language: Language,
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
    /// Name, status and the key of the message.
    fn parts(self) -> (&'static str, StatusCode, &'static str) {
        match self {
            Self::Denied => ("access_denied", StatusCode::OK, "server.popupCancelled"),
            Self::Invalid => ("invalid-credential", StatusCode::BAD_REQUEST, "server.popupInvalid"),
            Self::NotConfigured => {
                ("operation-not-allowed", StatusCode::BAD_REQUEST, "server.popupNotOffered")
            }
            Self::Internal => {
                ("internal-error", StatusCode::INTERNAL_SERVER_ERROR, "server.popupFailed")
            }
            Self::Unreachable => {
                let status = StatusCode::SERVICE_UNAVAILABLE;
                ("network-request-failed", status, "server.popupUnreachable")
            }
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

/// The page that passes the result to its opener. An unknown provider's id is not repeated in it.
fn callback_page(
    identity: &Services,
    (provider, page_state, language): (&str, &str, Language),
    outcome: &PopupResult<String>,
) -> Response {
    let text = |key| Messages::text(language, key, &[]);
    let (provider, title) = match identity.providers.name(provider) {
        Some(name) => {
            let title = Messages::text(language, "server.popupTitleWith", &[("provider", &name)]);
            (provider, title)
        }
        None => ("", text("server.popupTitle")),
    };
    let (status, message, data) = match outcome {
        Ok(code) => (StatusCode::OK, "server.popupWorked", ("code", code.as_str())),
        Err(error) => {
            let (name, status, message) = error.parts();
            (status, message, ("error", name))
        }
    };
    let lost = text("server.popupLost");
    let attributes: String = [("state", page_state), ("provider", provider), ("lost", &lost), data]
        .map(|(name, value)| format!(" data-{name}=\"{}\"", escape(value)))
        .concat();
    let content = format!(
        "<p>{}</p><p><small>{}</small></p><script src=\"/auth/callback.js\"></script>",
        escape(&text(message)),
        escape(&text("server.popupClose"))
    );
    localized_page(language, status, &title, &attributes, &content)
}

/// `GET /auth/start?provider=google.com&state=…&language=bn`: redirects to the provider.
async fn start(State(identity): State<Arc<Services>>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let provider = query_parameter(&query, "provider").unwrap_or_default();
    let page_state = query_parameter(&query, "state").filter(|state| is_state(state));
    let page_state = page_state.unwrap_or_default();
    let languages = &identity.site.languages;
    let language = languages.find(&query_parameter(&query, "language").unwrap_or_default());
    let language = language.unwrap_or(languages.default_language());
    let asked = (provider.as_str(), page_state.as_str(), language);
    match authorize(&identity, asked).await {
        Ok(response) => response,
        Err(error) => callback_page(&identity, asked, &Err(error)),
    }
}

/// `GET /auth/callback?code=…&state=…`: returns from the provider.
async fn callback(
    State(identity): State<Arc<Services>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    // Skips cookies of this name that others have set: they cannot encrypt one.
    let sealed_and_pending = cookies(&headers, COOKIE_NAME).find_map(|sealed| {
        Some((sealed, unseal::<PendingAuth>(&identity.secret, COOKIE_PURPOSE, sealed)?))
    });
    let (sealed, pending) = sealed_and_pending.unzip();
    let outcome = match &pending {
        Some(pending) => finish(&identity, pending, &query.unwrap_or_default()).await,
        None => Err(PopupError::Invalid),
    };
    // A success can be requested again for a few seconds; after a failure the cookie is deleted.
    let cookie = match (&outcome, sealed) {
        (Ok(_), Some(sealed)) => cookie(&identity, sealed, REPLAY_WINDOW),
        _ => cookie(&identity, "", Duration::ZERO),
    };
    let asked = match &pending {
        Some(pending) => (pending.provider.as_str(), pending.page_state.as_str(), pending.language),
        None => ("", "", identity.site.languages.default_language()),
    };
    let mut response = callback_page(&identity, asked, &outcome);
    if let Ok(cookie) = cookie {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}

async fn authorize(
    identity: &Services,
    (provider, page_state, language): (&str, &str, Language),
) -> PopupResult<Response> {
    if identity.providers.name(provider).is_none() {
        return Err(PopupError::NotConfigured);
    }
    if page_state.is_empty() {
        return Err(PopupError::Invalid);
    }
    let secret = || URL_SAFE_NO_PAD.encode(identity.random.bytes::<32>());
    let pending = PendingAuth {
        provider: provider.to_owned(),
        page_state: page_state.to_owned(),
        language,
        state: secret(),
        nonce: secret(),
        verifier: secret(),
        expires_at: identity.clock.now().plus(AUTHORIZATION_TTL),
    };
    let redirect_uri = redirect_uri(identity);
    let url = identity.providers.auth_url(provider, &pending.params(&redirect_uri)).await?;
    let sealed = seal(&identity.secret, COOKIE_PURPOSE, &pending)?;
    let headers = [
        (SET_COOKIE, cookie(identity, &sealed, AUTHORIZATION_TTL)?),
        (LOCATION, HeaderValue::try_from(url).map_err(Error::internal)?),
    ];
    Ok(with_security_headers((StatusCode::SEE_OTHER, headers).into_response()))
}

fn redirect_uri(identity: &Services) -> String {
    format!("{}/auth/callback", identity.site.origin)
}

fn cookie(identity: &Services, value: &str, max_age: Duration) -> Result<HeaderValue> {
    let secure = if identity.site.origin.starts_with("https://") { "; Secure" } else { "" };
    let max_age = max_age.as_secs();
    HeaderValue::try_from(format!(
        "{COOKIE_NAME}={value}; HttpOnly; SameSite=Lax; Path=/auth; Max-Age={max_age}{secure}"
    ))
    .map_err(Error::internal)
}

async fn finish(
    identity: &Arc<Services>,
    pending: &PendingAuth,
    query: &str,
) -> PopupResult<String> {
    let state = query_parameter(query, "state").unwrap_or_default();
    if pending.expires_at <= identity.clock.now() || !ct_eq(&state, &pending.state) {
        return Err(PopupError::Invalid);
    }
    if let Some(error) = query_parameter(query, "error") {
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
    let code = query_parameter(query, "code").filter(|code| (1..=MAX_CODE).contains(&code.len()));
    let code = code.ok_or(PopupError::Invalid)?;
    // The cookie's verifier is part of the key, so that the URL alone gets no result in another
    // browser.
    let key = hash_token(&format!("{} {code}", pending.verifier));
    let (services, pending) = (identity.clone(), pending.clone());
    run_once(identity, key, async move { exchange(&services, &pending, &code).await }).await
}

/// Exchanges the provider's code for a one-time code.
async fn exchange(identity: &Services, pending: &PendingAuth, code: &str) -> PopupResult<String> {
    let redirect_uri = redirect_uri(identity);
    let params = pending.params(&redirect_uri);
    let profile = identity.providers.exchange_code(&pending.provider, code, &params).await?;
    Ok(codes::store(identity, &profile).await?)
}

impl PendingAuth {
    fn params<'t>(&'t self, redirect_uri: &'t str) -> AuthParams<'t> {
        let Self { state, nonce, verifier, .. } = self;
        AuthParams { redirect_uri, state, nonce, verifier }
    }
}

fn is_state(state: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (16..=128).contains(&state.len()) && state.bytes().all(is_allowed)
}

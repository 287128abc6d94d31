//! The protocol's paths: one table for both of its hosts, which stand as prefixes on ours.

use std::net::IpAddr;

use axum::Router;
use axum::body::{Body as HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_REQUEST_HEADERS, CACHE_CONTROL, CONTENT_TYPE, ORIGIN, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use base::http::Peer;
use serde_json::Value;

use crate::protocol::{Answer, Body, Refusal, generic};
use crate::{Identity, codes, keys, profile, project, sign_in};

const TOOLKIT: &str = "/identitytoolkit.googleapis.com/";
const TOKENS: &str = "/securetoken.googleapis.com/";
const MOST_BYTES: usize = 256 << 10;

/// A call and who makes it.
pub struct Call<'i> {
    pub identity: &'i Identity,
    pub body: Body,
    /// Where it comes from, to count attempts by.
    pub address: Option<IpAddr>,
}

pub fn router(identity: Identity) -> Router {
    Router::new()
        .route(&format!("{TOOLKIT}{{*path}}"), any(handle))
        .route(&format!("{TOKENS}{{*path}}"), any(handle))
        .route("/auth/jwks.json", any(jwks))
        .route("/auth/certificates.json", any(certificates))
        .with_state(identity)
}

async fn handle(State(identity): State<Identity>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let mut response = if parts.method == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        let query = parts.uri.query().unwrap_or("");
        let address = parts.extensions.get::<Peer>().map(|peer| peer.0);
        match answer(&identity, &parts.method, parts.uri.path(), query, address, body).await {
            Ok(answer) => json(&answer),
            Err(refusal) => refusal.into_response(),
        }
    };
    allow_origin(&parts.headers, response.headers_mut());
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn json(answer: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json; charset=utf-8")], answer.to_string()).into_response()
}

/// Any page may ask: what is answered depends on tokens in the call, never on cookies.
fn allow_origin(request: &HeaderMap, response: &mut HeaderMap) {
    if let Some(origin) = request.get(ORIGIN) {
        response.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        let methods = HeaderValue::from_static("GET,HEAD,PUT,PATCH,POST,DELETE");
        response.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
        if let Some(headers) = request.get(ACCESS_CONTROL_REQUEST_HEADERS) {
            response.insert(ACCESS_CONTROL_ALLOW_HEADERS, headers.clone());
        }
    }
    response.insert(VARY, HeaderValue::from_static("Origin, Access-Control-Request-Headers"));
}

async fn answer(
    identity: &Identity,
    method: &Method,
    path: &str,
    query: &str,
    address: Option<IpAddr>,
    body: HttpBody,
) -> Answer {
    check_key(identity, query)?;
    let bytes = to_bytes(body, MOST_BYTES).await.map_err(|_| {
        generic(StatusCode::PAYLOAD_TOO_LARGE, "INVALID_ARGUMENT", "Request payload is too large.")
    })?;
    if path == "/securetoken.googleapis.com/v1/token" && method == Method::POST {
        return identity.refresh(&form(&bytes)?).await;
    }
    let path = path.strip_prefix(TOOLKIT).unwrap_or_default();
    if *method == Method::GET {
        return match path {
            "v1/projects" => Ok(identity.project()),
            "v2/passwordPolicy" => Ok(project::password_policy()),
            "v2/recaptchaConfig" => Ok(project::recaptcha_config()),
            _ => Err(not_found()),
        };
    }
    if *method != Method::POST {
        return Err(not_found());
    }
    let call = Call { identity, body: Body::parse(&bytes)?, address };
    if call.body.filled("tenantId")?.is_some() {
        return Err(crate::protocol::refusal("UNSUPPORTED_TENANT_OPERATION"));
    }
    match path {
        "v1/accounts:signUp" => sign_in::sign_up(&call).await,
        "v1/accounts:signInWithPassword" => sign_in::with_password(&call).await,
        "v1/accounts:lookup" => profile::lookup(&call).await,
        "v1/accounts:update" => profile::update(&call).await,
        "v1/accounts:delete" => profile::delete(&call).await,
        "v1/accounts:sendOobCode" => codes::send(&call).await,
        "v1/accounts:resetPassword" => codes::reset_password(&call).await,
        "v1/accounts:signInWithEmailLink" => codes::sign_in_with_link(&call).await,
        "v1/accounts:createAuthUri" => profile::create_auth_uri(&call),
        _ => Err(not_found()),
    }
}

fn not_found() -> Refusal {
    generic(StatusCode::NOT_FOUND, "NOT_FOUND", "Not Found")
}

fn check_key(identity: &Identity, query: &str) -> Answer<()> {
    let key = query.split('&').find_map(|pair| pair.strip_prefix("key="));
    match key {
        None | Some("") => Err(generic(
            StatusCode::FORBIDDEN,
            "PERMISSION_DENIED",
            "The request is missing a valid API key.",
        )),
        Some(key) if key == identity.settings.api_key => Ok(()),
        Some(_) => Err(generic(
            StatusCode::BAD_REQUEST,
            "INVALID_ARGUMENT",
            "API key not valid. Please pass a valid API key.",
        )),
    }
}

/// A form, or the same fields as JSON.
fn form(bytes: &[u8]) -> Answer<Vec<(String, String)>> {
    if bytes.first() == Some(&b'{') {
        let fields: std::collections::BTreeMap<String, String> = serde_json::from_slice(bytes)
            .map_err(|_| {
                generic(
                    StatusCode::BAD_REQUEST,
                    "INVALID_ARGUMENT",
                    "Invalid JSON payload received.",
                )
            })?;
        return Ok(fields.into_iter().collect());
    }
    Ok(form_urlencoded::parse(bytes).into_owned().collect())
}

/// What verifiers fetch, and may keep for as long as it says.
fn published(keys: impl serde::Serialize) -> Response {
    let caching = format!("public, max-age={}", keys::MAX_AGE_SECONDS);
    ([(CACHE_CONTROL, caching)], axum::Json(keys)).into_response()
}

async fn jwks(State(identity): State<Identity>) -> Response {
    published(identity.keys.jwks())
}

async fn certificates(State(identity): State<Identity>) -> Response {
    published(identity.keys.certificates())
}

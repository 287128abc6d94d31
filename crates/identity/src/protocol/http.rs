//! HTTP routing of the protocol: maps paths to operations. The protocol's host names are path prefixes here.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_REQUEST_HEADERS, CACHE_CONTROL, CONTENT_TYPE, ORIGIN, SET_COOKIE, USER_AGENT,
    VARY,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use platform::auth::bearer_token;
use platform::http::ClientIp;
use platform::{Language, Languages};
use serde_json::Value;

use super::devices;
use super::operations::{LEGACY, Operation, SECURE_TOKEN, TOOLKIT, run_operation};
use crate::emulator::{self, Projects};
use crate::flows::call::Call;
use crate::flows::project;
use crate::keys::{self, SigningKeys};
use crate::known_devices::KnownDevice;
use crate::services::Services;
use crate::wire::{
    ApiError, ApiFields, ApiResult, bad_request, google_error, query_parameter, read_body, refuse,
};
use crate::{emulator_mode, popup, service_accounts};

/// Admins may send more, because they import up to a thousand accounts per call.
const MAX_BYTES: usize = 256 << 10;
const MAX_ADMIN_BYTES: usize = 1 << 20;
const MAX_AGENT_LENGTH: usize = 256;

/// Finds the service for a call: the only project, or one of the emulator's.
#[derive(Clone)]
enum ProjectResolver {
    Single(Arc<Services>),
    Emulator(Projects),
}

impl ProjectResolver {
    async fn default_project(&self) -> ApiResult<Arc<Services>> {
        match self {
            Self::Single(identity) => Ok(identity.clone()),
            Self::Emulator(projects) => Ok(projects.default_project().await?),
        }
    }

    async fn project(&self, project: &str) -> ApiResult<Arc<Services>> {
        match self {
            Self::Single(identity)
                if [&identity.settings.project_id, &identity.settings.project_number]
                    .contains(&&project.to_owned()) =>
            {
                Ok(identity.clone())
            }
            Self::Single(_) => {
                let why = "There is no such project here.";
                Err(google_error(StatusCode::FORBIDDEN, why))
            }
            Self::Emulator(projects) => Ok(projects.get_or_create(project).await?),
        }
    }
}

pub fn router(identity: Arc<Services>) -> Router {
    let keys = Router::new()
        .route("/auth/jwks.json", any(jwks))
        .route("/auth/certificates.json", any(certificates))
        .with_state(identity.clone());
    protocol_router(ProjectResolver::Single(identity.clone()))
        .merge(keys)
        .merge(devices::router(identity.clone()))
        .merge(popup::router(identity))
}

pub fn emulator_router(projects: Projects) -> Router {
    protocol_router(ProjectResolver::Emulator(projects.clone()))
        .merge(emulator::router(projects))
        .fallback(async || not_found().into_response())
        .layer(from_fn(allow_any_origin))
}

/// CORS middleware: pages of any origin may use the emulator, because test suites run in browsers too.
async fn allow_any_origin(request: Request, next: Next) -> Response {
    let headers = request.headers().clone();
    let mut response = if request.method() == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        next.run(request).await
    };
    set_cors_headers(&headers, response.headers_mut());
    if headers.contains_key("access-control-request-private-network") {
        let name = HeaderName::from_static("access-control-allow-private-network");
        response.headers_mut().insert(name, HeaderValue::from_static("true"));
    }
    response
}

fn protocol_router(resolver: ProjectResolver) -> Router {
    Router::new()
        .route(&format!("{TOOLKIT}{{*path}}"), any(handle))
        .route(&format!("{SECURE_TOKEN}{{*path}}"), any(handle))
        .route(&format!("{LEGACY}{{*path}}"), any(handle))
        .with_state(resolver)
}

async fn handle(State(resolver): State<ProjectResolver>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let mut cookie = None;
    let mut response = if parts.method == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        match dispatch(&resolver, &parts, body, &mut cookie).await {
            Ok(answer) => json_response(&answer),
            Err(refusal) => refusal.into_response(),
        }
    };
    if let Some(cookie) = cookie {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    set_cors_headers(&parts.headers, response.headers_mut());
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn json_response(answer: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json; charset=utf-8")], answer.to_string()).into_response()
}

/// Any origin is allowed, because responses depend on tokens in the request, never on cookies. The
/// known-device cookie only raises a rate limit, and browsers do not send it from other origins.
fn set_cors_headers(request: &HeaderMap, response: &mut HeaderMap) {
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

async fn dispatch(
    resolver: &ProjectResolver,
    parts: &Parts,
    body: Body,
    cookie: &mut Option<HeaderValue>,
) -> ApiResult {
    let query = parts.uri.query().unwrap_or("");
    let main = resolver.default_project().await?;
    let admin = is_admin(&main, &parts.headers, query).await?;
    let operation = Operation::parse(parts.uri.path()).ok_or_else(not_found)?;
    if !operation.allows_method(&parts.method) {
        let status = StatusCode::METHOD_NOT_ALLOWED;
        return Err(google_error(status, "The method is not allowed."));
    }
    let max_bytes = if admin { MAX_ADMIN_BYTES } else { MAX_BYTES };
    let bytes = read_body(body, max_bytes).await?;
    let body = if parts.method == Method::GET {
        form_fields(query.as_bytes())
    } else if parts.method == Method::PATCH {
        check_content_type(&parts.headers)?;
        ApiFields::parse_unnormalized(&bytes)?
    } else if matches!(operation.name, "token") {
        parse_form(&bytes)?
    } else {
        check_content_type(&parts.headers)?;
        ApiFields::parse(&bytes)?
    };
    let project = operation.project.or(body.filled("targetProjectId")?);
    let name = operation.name;
    if project.is_none() && !operation.is_for_clients() {
        return refuse("INSUFFICIENT_PERMISSION");
    }
    let identity = match project {
        None => main,
        Some(project) if admin => resolver.project(project).await?,
        Some(_) => {
            return refuse(
                "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.",
            );
        }
    };
    if parts.method == Method::PATCH {
        let mask = query_parameter(query, "updateMask").filter(|mask| !mask.is_empty());
        return project::update_config(&identity, &body, mask.as_deref());
    }
    if operation.tenant || body.filled("tenantId")?.is_some() {
        return Err(bad_request("UNSUPPORTED_TENANT_OPERATION"));
    }
    let client_ip = parts.extensions.get::<ClientIp>().map(|peer| peer.0);
    let agent = agent(&parts.headers);
    let device = KnownDevice::from_cookie(&identity.secret, &parts.headers);
    let language = language(&identity.site.languages, &parts.headers);
    let mut call = Call { client_ip, agent, language, admin, device, ..Call::new(&identity, body) };
    let answer = run_with_retries(name, &mut call).await;
    let new_device = call.new_device.get();
    *cookie = new_device.and_then(|new| new.to_cookie(&identity.secret, &identity.site.origin));
    answer
}

async fn run_with_retries(operation: &str, call: &mut Call<'_>) -> ApiResult {
    for _ in 1..MAX_TRIES {
        match run_operation(operation, call).await {
            Err(ApiError::Conflict) => call.retry = true,
            answer => return answer,
        }
    }
    run_operation(operation, call).await
}

fn agent(headers: &HeaderMap) -> Option<String> {
    let agent = headers.get(USER_AGENT)?.to_str().ok()?;
    Some(agent.chars().take(MAX_AGENT_LENGTH).collect())
}

/// The SDK sends its `languageCode`, such as `bn` or `bn-BD`.
fn language(languages: &Languages, headers: &HeaderMap) -> Language {
    let code = headers.get("x-firebase-locale").and_then(|code| code.to_str().ok());
    let primary = code.and_then(|code| code.split(['-', '_']).next()).unwrap_or_default();
    languages.find(&primary.to_ascii_lowercase()).unwrap_or(languages.default_language())
}

/// A conflicting call has changed nothing yet, so it can run again.
const MAX_TRIES: usize = 8;

fn not_found() -> ApiError {
    google_error(StatusCode::NOT_FOUND, "Not Found")
}

/// Whether a service account sent the request. Clients send the project's API key instead.
async fn is_admin(identity: &Services, headers: &HeaderMap, query: &str) -> ApiResult<bool> {
    if let Some(token) = bearer_token(headers) {
        let known = match identity.emulator() {
            Some(_emulator) => emulator_mode::is_owner(token),
            None => service_accounts::is_admin(&identity.db, &identity.clock, token).await?,
        };
        if known {
            return Ok(true);
        }
        let why = "Request had invalid authentication credentials.";
        return Err(google_error(StatusCode::UNAUTHORIZED, why));
    }
    let key = query_parameter(query, "key").or_else(|| {
        headers.get("x-goog-api-key").and_then(|key| key.to_str().ok()).map(str::to_owned)
    });
    match key.as_deref() {
        None | Some("") => {
            Err(google_error(StatusCode::FORBIDDEN, "The request is missing a valid API key."))
        }
        Some(key) if key == identity.settings.api_key || identity.is_emulator() => Ok(false),
        Some(_) => {
            let why = "API key not valid. Please pass a valid API key.";
            Err(google_error(StatusCode::BAD_REQUEST, why))
        }
    }
}

/// Rejects a body that is declared as something else than JSON.
fn check_content_type(headers: &HeaderMap) -> ApiResult<()> {
    let Some(kind) = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()) else {
        return Ok(());
    };
    if kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let why = "Invalid JSON payload received. The content type is not application/json.";
    Err(google_error(StatusCode::BAD_REQUEST, why))
}

/// Parses a form, or the same fields as JSON.
fn parse_form(bytes: &[u8]) -> ApiResult<ApiFields> {
    if bytes.first() == Some(&b'{') {
        return ApiFields::parse(bytes);
    }
    Ok(form_fields(bytes))
}

fn form_fields(form: &[u8]) -> ApiFields {
    let pairs = form_urlencoded::parse(form);
    ApiFields::from(pairs.map(|(name, value)| (name, Value::from(value))).collect::<Value>())
}

/// A response that verifiers may cache.
fn cacheable_json(keys: impl serde::Serialize) -> Response {
    let caching = format!("public, max-age={}", keys::MAX_AGE_SECONDS);
    ([(CACHE_CONTROL, caching)], axum::Json(keys)).into_response()
}

async fn jwks(State(identity): State<Arc<Services>>) -> Response {
    cacheable_json(identity.keys.keys().map(SigningKeys::jwks))
}

async fn certificates(State(identity): State<Arc<Services>>) -> Response {
    cacheable_json(identity.keys.keys().map(SigningKeys::certificates))
}

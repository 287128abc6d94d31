//! HTTP routing of the protocol: maps paths to operations. The protocol's host names are path prefixes here.

use std::net::IpAddr;
use std::sync::OnceLock;

use axum::Router;
use axum::body::to_bytes;
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
use serde_json::Value;
use tokio::sync::OnceCell;

use crate::known_devices::KnownDevice;
use crate::phone::VerifiedNumber;
use crate::protocol::{ApiError, ApiFields, ApiResult, bad_request, google_error, refuse};
use crate::rate_limit::{Limit, PER_NETWORK};
use crate::{
    Identity, IdpProfile, account_api, admin, devices, email_codes, emulator, keys, phone, project,
    rate_limit, second_factor, service_accounts, sign_in, social,
};

const TOOLKIT: &str = "/identitytoolkit.googleapis.com/";
const SECURE_TOKEN: &str = "/securetoken.googleapis.com/";
const LEGACY: &str = "/www.googleapis.com/identitytoolkit/v3/relyingparty/";
/// Admins may send more, because they import up to a thousand accounts per call.
const MAX_BYTES: usize = 256 << 10;
const MAX_ADMIN_BYTES: usize = 1 << 20;
const MAX_AGENT_LENGTH: usize = 256;

/// A call of an operation, with its request data and its caller.
pub struct Call<'i> {
    pub identity: &'i Identity,
    pub body: ApiFields,
    /// For rate limits.
    pub client_ip: Option<IpAddr>,
    pub agent: Option<String>,
    /// Whether a service account sent it.
    pub admin: bool,
    /// Whether it runs again after a conflict. Then it is not counted again by rate limits, and
    /// `profile` and `number` are kept, because their codes are used up.
    pub retry: bool,
    pub profile: OnceCell<IdpProfile>,
    pub number: OnceCell<VerifiedNumber>,
    /// The client's device, and its new state to store in a cookie.
    pub device: Option<KnownDevice>,
    pub new_device: OnceLock<KnownDevice>,
}

impl<'i> Call<'i> {
    pub fn new(identity: &'i Identity, body: ApiFields) -> Self {
        let (profile, number, new_device) = (OnceCell::new(), OnceCell::new(), OnceLock::new());
        let (client_ip, agent, device) = (None, None, None);
        let (admin, retry) = (false, false);
        Self { identity, body, client_ip, agent, admin, retry, profile, number, device, new_device }
    }

    /// Counts an attempt on the key and on the client's network, and returns whether the limits allow it.
    pub async fn within_limit(&self, kind: &str, key: &str, limit: Limit) -> ApiResult<bool> {
        let mut keys: Vec<_> = self.network_limit(kind).into_iter().collect();
        keys.push((format!("{kind} {key}"), limit));
        self.within_limits(&keys).await
    }

    /// Counts an attempt on the client's network only.
    pub async fn within_network_limit(&self, kind: &str) -> ApiResult<bool> {
        let keys: Vec<_> = self.network_limit(kind).into_iter().collect();
        self.within_limits(&keys).await
    }

    pub async fn within_limits(&self, keys: &[(String, Limit)]) -> ApiResult<bool> {
        let identity = self.identity;
        // Test suites use the emulator, and sign in very often.
        let exempt = self.retry || identity.is_emulator();
        Ok(exempt || rate_limit::allows(&identity.db, &identity.clock, keys).await?)
    }

    pub fn network_limit(&self, kind: &str) -> Option<(String, Limit)> {
        self.network_limit_of(kind, PER_NETWORK)
    }

    pub fn network_limit_of(&self, kind: &str, limit: Limit) -> Option<(String, Limit)> {
        self.client_ip.map(|ip| (rate_limit::network_key(kind, ip), limit))
    }
}

/// Finds the service for a call: the only project, or one of the emulator's.
#[derive(Clone)]
enum ProjectResolver {
    Single(Identity),
    Emulator(emulator::Projects),
}

impl ProjectResolver {
    async fn default_project(&self) -> ApiResult<Identity> {
        match self {
            Self::Single(identity) => Ok(identity.clone()),
            Self::Emulator(projects) => Ok(projects.default_project().await?),
        }
    }

    async fn project(&self, project: &str) -> ApiResult<Identity> {
        match self {
            Self::Single(identity)
                if [&identity.settings.project_id, &identity.settings.project_number]
                    .contains(&&project.to_owned()) =>
            {
                Ok(identity.clone())
            }
            Self::Single(_) => {
                let why = "There is no such project here.";
                Err(google_error(StatusCode::FORBIDDEN, "PERMISSION_DENIED", why))
            }
            Self::Emulator(projects) => Ok(projects.get_or_create(project).await?),
        }
    }
}

pub fn router(identity: Identity) -> Router {
    let keys = Router::new()
        .route("/auth/jwks.json", any(jwks))
        .route("/auth/certificates.json", any(certificates))
        .with_state(identity.clone());
    protocol_router(ProjectResolver::Single(identity.clone()))
        .merge(keys)
        .merge(devices::router(identity.clone()))
        .merge(social::popup_router(identity))
}

pub fn emulator_router(projects: emulator::Projects) -> Router {
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
    body: axum::body::Body,
    cookie: &mut Option<HeaderValue>,
) -> ApiResult {
    let query = parts.uri.query().unwrap_or("");
    let main = resolver.default_project().await?;
    let admin = is_admin(&main, &parts.headers, query).await?;
    let operation = Operation::parse(parts.uri.path()).ok_or_else(not_found)?;
    if !operation.allows_method(&parts.method) {
        let why = "The method is not allowed.";
        return Err(google_error(StatusCode::METHOD_NOT_ALLOWED, "UNIMPLEMENTED", why));
    }
    let max_bytes = if admin { MAX_ADMIN_BYTES } else { MAX_BYTES };
    let bytes = to_bytes(body, max_bytes).await.map_err(|_| {
        let why = "Request payload is too large.";
        google_error(StatusCode::PAYLOAD_TOO_LARGE, "INVALID_ARGUMENT", why)
    })?;
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
    if project.is_none() && !CLIENT_OPS.contains(&name) && !GET_OPS[..4].contains(&name) {
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
        return identity.update_config(&body, update_mask(query).as_deref());
    }
    if operation.tenant || body.filled("tenantId")?.is_some() {
        return Err(bad_request("UNSUPPORTED_TENANT_OPERATION"));
    }
    let client_ip = parts.extensions.get::<ClientIp>().map(|peer| peer.0);
    let agent = agent(&parts.headers);
    let device = KnownDevice::from_cookie(&identity, &parts.headers);
    let mut call = Call { client_ip, agent, admin, device, ..Call::new(&identity, body) };
    let answer = run_with_retries(name, &mut call).await;
    *cookie = call.device_cookie();
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

/// The `updateMask` parameter.
fn update_mask(query: &str) -> Option<String> {
    let mask = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "updateMask");
    mask.map(|(_, mask)| mask.into_owned()).filter(|mask| !mask.is_empty())
}

fn agent(headers: &HeaderMap) -> Option<String> {
    let agent = headers.get(USER_AGENT)?.to_str().ok()?;
    Some(agent.chars().take(MAX_AGENT_LENGTH).collect())
}

/// A conflicting call has changed nothing yet, so it can run again.
const MAX_TRIES: usize = 8;

/// An operation, parsed from a path.
struct Operation<'p> {
    name: &'p str,
    project: Option<&'p str>,
    tenant: bool,
    /// Whether it is a path of older SDKs.
    legacy: bool,
}

const CLIENT_OPS: [&str; 20] = [
    "signUp",
    "signInWithPassword",
    "signInWithCustomToken",
    "signInWithEmailLink",
    "signInWithIdp",
    "signInWithPhoneNumber",
    "sendVerificationCode",
    "lookup",
    "update",
    "delete",
    "sendOobCode",
    "resetPassword",
    "createAuthUri",
    "mfaEnrollment:start",
    "mfaEnrollment:finalize",
    "mfaEnrollment:withdraw",
    "mfaSignIn:start",
    "mfaSignIn:finalize",
    "token",
    "revokeToken",
];
const ADMIN_OPS: [&str; 9] = [
    "signUp",
    "lookup",
    "update",
    "delete",
    "sendOobCode",
    "query",
    "batchCreate",
    "batchDelete",
    "createSessionCookie",
];
const GET_OPS: [&str; 6] =
    ["projects", "passwordPolicy", "recaptchaConfig", "recaptchaParams", "batchGet", "config"];
/// Operation names of older SDKs, and today's.
const LEGACY_NAMES: [(&str, &str); 13] = [
    ("signupNewUser", "signUp"),
    ("verifyPassword", "signInWithPassword"),
    ("verifyCustomToken", "signInWithCustomToken"),
    ("emailLinkSignin", "signInWithEmailLink"),
    ("verifyAssertion", "signInWithIdp"),
    ("verifyPhoneNumber", "signInWithPhoneNumber"),
    ("getAccountInfo", "lookup"),
    ("setAccountInfo", "update"),
    ("deleteAccount", "delete"),
    ("getOobConfirmationCode", "sendOobCode"),
    ("getRecaptchaParam", "recaptchaParams"),
    ("uploadAccount", "batchCreate"),
    ("downloadAccount", "batchGet"),
];

/// All paths of the service, for tests that call every operation.
pub fn operation_paths(project: &str) -> Vec<(Method, String)> {
    let client = CLIENT_OPS.into_iter().chain(GET_OPS[..4].iter().copied()).map(|op| match op {
        "token" => format!("{SECURE_TOKEN}v1/token"),
        "projects" | "passwordPolicy" | "recaptchaConfig" | "recaptchaParams" => {
            format!("{TOOLKIT}v1/{op}")
        }
        _ if op.starts_with("mfa") => format!("{TOOLKIT}v2/accounts/{op}"),
        _ => format!("{TOOLKIT}v1/accounts:{op}"),
    });
    let admin = ADMIN_OPS.into_iter().chain(["batchGet"]);
    let admin = admin.map(|op| format!("{TOOLKIT}v1/projects/{project}/accounts:{op}"));
    let config = format!("{TOOLKIT}v2/projects/{project}/config");
    let old = LEGACY_NAMES.iter().map(|(old, _)| format!("{LEGACY}{old}"));
    let all = client.chain(admin).chain([config.clone()]).chain(old);
    let all = all.filter_map(|path| Some((Operation::parse(&path)?.method(), path)));
    all.chain([(Method::PATCH, config)]).collect()
}

impl<'p> Operation<'p> {
    fn parse(path: &'p str) -> Option<Self> {
        let own = |name| Self { name, project: None, tenant: false, legacy: false };
        if let Some(verb) = path.strip_prefix(LEGACY) {
            let renamed = LEGACY_NAMES.iter().find(|(old, _)| *old == verb).map(|(_, new)| *new);
            let operation = Self { legacy: true, ..own(renamed.unwrap_or(verb)) };
            return Some(operation).filter(|operation| renamed.is_some() || operation.is_known());
        }
        if path == "/securetoken.googleapis.com/v1/token" {
            return Some(own("token"));
        }
        let path = path.strip_prefix(TOOLKIT)?;
        let path = path.strip_prefix("v1/").or_else(|| path.strip_prefix("v2/"))?;
        let operation = if let Some(rest) = path.strip_prefix("projects/") {
            let (project, rest) = rest.split_at(rest.find([':', '/'])?);
            let tenant = rest.starts_with("/tenants");
            let verb = rest.strip_prefix("/accounts:").or_else(|| rest.strip_prefix(':'));
            let verb = match rest {
                "/accounts" => Some("signUp"),
                "/config" => Some("config"),
                _ if tenant => Some("signUp"),
                _ => verb,
            };
            let known = |op: &&str| ADMIN_OPS.contains(op) || ["batchGet", "config"].contains(op);
            Self { name: verb.filter(known)?, project: Some(project), tenant, legacy: false }
        } else {
            own(path
                .strip_prefix("accounts")
                .map_or(path, |verb| verb.trim_start_matches([':', '/'])))
        };
        Some(operation).filter(Self::is_known)
    }

    fn is_known(&self) -> bool {
        let own_get = GET_OPS[..4].contains(&self.name);
        CLIENT_OPS.contains(&self.name) || own_get || self.project.is_some()
    }

    fn allows_method(&self, method: &Method) -> bool {
        *method == self.method() || (self.name == "config" && method == Method::PATCH)
    }

    fn method(&self) -> Method {
        let reads = GET_OPS.contains(&self.name) && !(self.legacy && self.name == "batchGet");
        if reads { Method::GET } else { Method::POST }
    }
}

async fn run_operation(operation: &str, call: &Call<'_>) -> ApiResult {
    match operation {
        "signUp" if call.admin => admin::create(call).await,
        "signUp" => sign_in::sign_up(call).await,
        "signInWithPassword" => sign_in::sign_in_with_password(call).await,
        "signInWithCustomToken" => sign_in::sign_in_with_custom_token(call).await,
        "signInWithEmailLink" => email_codes::sign_in_with_link(call).await,
        "signInWithIdp" => social::sign_in(call).await,
        "signInWithPhoneNumber" => phone::sign_in(call).await,
        "sendVerificationCode" => phone::send_code(call).await,
        "lookup" if call.admin => admin::lookup(call).await,
        "lookup" => account_api::lookup(call).await,
        "update" => account_api::update(call).await,
        "delete" => account_api::delete(call).await,
        "sendOobCode" => email_codes::send_code(call).await,
        "resetPassword" => email_codes::reset_password(call).await,
        "createAuthUri" => account_api::create_auth_uri(call).await,
        "mfaEnrollment:start" => second_factor::start_enrollment(call).await,
        "mfaEnrollment:finalize" => second_factor::finalize_enrollment(call).await,
        "mfaEnrollment:withdraw" => second_factor::withdraw(call).await,
        "mfaSignIn:start" => second_factor::start_sign_in(call).await,
        "mfaSignIn:finalize" => second_factor::finalize_sign_in(call).await,
        "token" => call.identity.refresh(call).await,
        "batchGet" => admin::list(call).await,
        "query" => admin::query(call).await,
        "batchCreate" => admin::import(call).await,
        "batchDelete" => admin::delete_all(call).await,
        "createSessionCookie" => admin::create_session_cookie(call).await,
        "config" => Ok(call.identity.config()),
        "projects" => Ok(call.identity.project()),
        "passwordPolicy" => Ok(call.identity.password_policy()),
        "recaptchaConfig" => Ok(project::recaptcha_config()),
        "recaptchaParams" => Ok(project::recaptcha_params()),
        _ => {
            let why = "Not implemented.";
            Err(google_error(StatusCode::NOT_IMPLEMENTED, "NOT_IMPLEMENTED", why))
        }
    }
}

fn not_found() -> ApiError {
    google_error(StatusCode::NOT_FOUND, "NOT_FOUND", "Not Found")
}

/// Whether a service account sent the request. Clients send the project's API key instead.
async fn is_admin(identity: &Identity, headers: &HeaderMap, query: &str) -> ApiResult<bool> {
    if let Some(token) = bearer_token(headers) {
        let known = match identity.emulator() {
            Some(_emulator) => emulator::is_owner(token),
            None => service_accounts::is_admin(identity, token).await?,
        };
        if known {
            return Ok(true);
        }
        let why = "Request had invalid authentication credentials.";
        return Err(google_error(StatusCode::UNAUTHORIZED, "UNAUTHENTICATED", why));
    }
    let key = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "key");
    let key = key.map(|(_, key)| key.into_owned()).or_else(|| {
        headers.get("x-goog-api-key").and_then(|key| key.to_str().ok()).map(str::to_owned)
    });
    match key.as_deref() {
        None | Some("") => Err(google_error(
            StatusCode::FORBIDDEN,
            "PERMISSION_DENIED",
            "The request is missing a valid API key.",
        )),
        Some(key) if key == identity.settings.api_key || identity.is_emulator() => Ok(false),
        Some(_) => Err(google_error(
            StatusCode::BAD_REQUEST,
            "INVALID_ARGUMENT",
            "API key not valid. Please pass a valid API key.",
        )),
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
    Err(google_error(StatusCode::BAD_REQUEST, "INVALID_ARGUMENT", why))
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

async fn jwks(State(identity): State<Identity>) -> Response {
    cacheable_json(identity.keys.keys().map(keys::SigningKeys::jwks))
}

async fn certificates(State(identity): State<Identity>) -> Response {
    cacheable_json(identity.keys.keys().map(keys::SigningKeys::certificates))
}

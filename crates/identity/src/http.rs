//! The protocol's paths: one table for all of its hosts, which stand as prefixes on ours.

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
use base::auth::bearer;
use base::http::Peer;
use serde_json::Value;
use tokio::sync::OnceCell;

use crate::attempts::{FROM_ADDRESS, Limit};
use crate::known_devices::Device;
use crate::phone::Proven;
use crate::protocol::{Answer, Body, Refusal, generic, refusal, refuse};
use crate::{
    Identity, Profile, admin, attempts, codes, devices, emulator, keys, phone, profile, project,
    second_factor, service_accounts, sign_in, social,
};

const TOOLKIT: &str = "/identitytoolkit.googleapis.com/";
const TOKENS: &str = "/securetoken.googleapis.com/";
const LEGACY: &str = "/www.googleapis.com/identitytoolkit/v3/relyingparty/";
/// What strangers may send, and what admins may, who bring a thousand accounts at once.
const MOST_BYTES: usize = 256 << 10;
const MOST_ADMIN_BYTES: usize = 1 << 20;
const LONGEST_AGENT: usize = 256;

/// A call and who makes it.
pub struct Call<'i> {
    pub identity: &'i Identity,
    pub body: Body,
    /// Where it comes from, to count attempts by.
    pub address: Option<IpAddr>,
    /// What it comes from, in the browser's own words.
    pub agent: Option<String>,
    /// Whether it comes from a program that the shopkeeper trusts.
    pub admin: bool,
    /// Whether it was tried before, and came too late. What a try uses up is used up once: it is not
    /// counted again, and what it proved stays proven.
    pub again: bool,
    pub profile: OnceCell<Profile>,
    pub number: OnceCell<Proven>,
    /// Whose accounts were entered there before, and what is to be kept there from now on.
    pub device: Option<Device>,
    pub remembered: OnceLock<Device>,
}

impl<'i> Call<'i> {
    pub fn new(identity: &'i Identity, body: Body) -> Self {
        let (profile, number) = (OnceCell::new(), OnceCell::new());
        let (address, agent) = (None, None);
        let (device, remembered) = (None, OnceLock::new());
        let (admin, again) = (false, false);
        Self { identity, body, address, agent, admin, again, profile, number, device, remembered }
    }

    /// Counts one more attempt of a kind, on its subject and from where the call comes, and says
    /// whether it may be made.
    pub async fn may(&self, kind: &str, subject: &str, limit: Limit) -> Answer<bool> {
        let mut subjects: Vec<_> = self.here(kind).into_iter().collect();
        subjects.push((format!("{kind} {subject}"), limit));
        self.may_all(&subjects).await
    }

    /// The same from where it comes alone.
    pub async fn may_from_here(&self, kind: &str) -> Answer<bool> {
        let subjects: Vec<_> = self.here(kind).into_iter().collect();
        self.may_all(&subjects).await
    }

    pub async fn may_all(&self, subjects: &[(String, Limit)]) -> Answer<bool> {
        Ok(self.again || self.identity.attempts.allowed(subjects).await?)
    }

    pub fn here(&self, kind: &str) -> Option<(String, Limit)> {
        self.here_at_most(kind, FROM_ADDRESS)
    }

    pub fn here_at_most(&self, kind: &str, limit: Limit) -> Option<(String, Limit)> {
        self.address.map(|address| (attempts::from(kind, address), limit))
    }
}

/// Who answers: the one project there is, or one of those that an emulator makes up.
#[derive(Clone)]
enum Host {
    One(Identity),
    Emulator(emulator::Projects),
}

impl Host {
    async fn main(&self) -> Answer<Identity> {
        match self {
            Self::One(identity) => Ok(identity.clone()),
            Self::Emulator(projects) => Ok(projects.main().await?),
        }
    }

    async fn named(&self, project: &str) -> Answer<Identity> {
        match self {
            Self::One(identity)
                if [&identity.settings.project_id, &identity.settings.project_number]
                    .contains(&&project.to_owned()) =>
            {
                Ok(identity.clone())
            }
            Self::One(_) => {
                let why = "There is no such project here.";
                Err(generic(StatusCode::FORBIDDEN, "PERMISSION_DENIED", why))
            }
            Self::Emulator(projects) => Ok(projects.named(project).await?),
        }
    }
}

/// The service's routes.
pub fn router(identity: Identity) -> Router {
    let keys = Router::new()
        .route("/auth/jwks.json", any(jwks))
        .route("/auth/certificates.json", any(certificates))
        .with_state(identity.clone());
    protocol(Host::One(identity.clone()))
        .merge(keys)
        .merge(devices::router(identity.clone()))
        .merge(social::popup_router(identity))
}

/// The emulator's routes.
pub fn emulator_router(projects: emulator::Projects) -> Router {
    protocol(Host::Emulator(projects.clone()))
        .merge(emulator::router(projects))
        .fallback(async || not_found().into_response())
        .layer(from_fn(open_to_pages))
}

/// Lets pages of any origin, also those of the internet, use all paths of an emulator: test suites run
/// in browsers too.
async fn open_to_pages(request: Request, next: Next) -> Response {
    let asked = request.headers().clone();
    let mut response = if request.method() == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        next.run(request).await
    };
    allow_origin(&asked, response.headers_mut());
    if asked.contains_key("access-control-request-private-network") {
        let name = HeaderName::from_static("access-control-allow-private-network");
        response.headers_mut().insert(name, HeaderValue::from_static("true"));
    }
    response
}

fn protocol(host: Host) -> Router {
    Router::new()
        .route(&format!("{TOOLKIT}{{*path}}"), any(handle))
        .route(&format!("{TOKENS}{{*path}}"), any(handle))
        .route(&format!("{LEGACY}{{*path}}"), any(handle))
        .with_state(host)
}

async fn handle(State(host): State<Host>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let mut cookie = None;
    let mut response = if parts.method == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        match answer(&host, &parts, body, &mut cookie).await {
            Ok(answer) => json(&answer),
            Err(refusal) => refusal.into_response(),
        }
    };
    if let Some(cookie) = cookie {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    allow_origin(&parts.headers, response.headers_mut());
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn json(answer: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json; charset=utf-8")], answer.to_string()).into_response()
}

/// Any page may ask: what is answered depends on tokens in the call, never on cookies. That of a known
/// device widens a rate limit, and browsers send none from another origin.
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
    host: &Host,
    parts: &Parts,
    body: axum::body::Body,
    cookie: &mut Option<HeaderValue>,
) -> Answer {
    let query = parts.uri.query().unwrap_or("");
    let main = host.main().await?;
    let admin = is_admin(&main, &parts.headers, query).await?;
    let wanted = Wanted::read(parts.uri.path()).ok_or_else(not_found)?;
    if !wanted.takes(&parts.method) {
        let why = "The method is not allowed.";
        return Err(generic(StatusCode::METHOD_NOT_ALLOWED, "UNIMPLEMENTED", why));
    }
    let most = if admin { MOST_ADMIN_BYTES } else { MOST_BYTES };
    let bytes = to_bytes(body, most).await.map_err(|_| {
        generic(StatusCode::PAYLOAD_TOO_LARGE, "INVALID_ARGUMENT", "Request payload is too large.")
    })?;
    let body = if parts.method == Method::GET {
        fields(query.as_bytes())
    } else if parts.method == Method::PATCH {
        accept_json(&parts.headers)?;
        Body::parse_verbatim(&bytes)?
    } else if matches!(wanted.verb, "token") {
        form(&bytes)?
    } else {
        accept_json(&parts.headers)?;
        Body::parse(&bytes)?
    };
    let project = wanted.project.or(body.filled("targetProjectId")?);
    if project.is_none() && !CLIENT.contains(&wanted.verb) && !GET[..4].contains(&wanted.verb) {
        return refuse("INSUFFICIENT_PERMISSION");
    }
    let identity = match project {
        None => main,
        Some(project) if admin => host.named(project).await?,
        Some(_) => {
            return refuse(
                "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.",
            );
        }
    };
    if parts.method == Method::PATCH {
        return identity.update_config(&body, mask(query).as_deref());
    }
    if wanted.tenant || body.filled("tenantId")?.is_some() {
        return Err(refusal("UNSUPPORTED_TENANT_OPERATION"));
    }
    let address = parts.extensions.get::<Peer>().map(|peer| peer.0);
    let agent = agent(&parts.headers);
    let device = Device::of(&identity, &parts.headers);
    let mut call = Call { address, agent, admin, device, ..Call::new(&identity, body) };
    let answer = run_until_settled(wanted.verb, &mut call).await;
    *cookie = call.device_cookie();
    answer
}

async fn run_until_settled(verb: &str, call: &mut Call<'_>) -> Answer {
    for _ in 1..MOST_TRIES {
        match run(verb, call).await {
            Err(Refusal::Moved) => call.again = true,
            answer => return answer,
        }
    }
    run(verb, call).await
}

/// The parts of a configuration that a call is about, if it names them.
fn mask(query: &str) -> Option<String> {
    let mask = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "updateMask");
    mask.map(|(_, mask)| mask.into_owned()).filter(|mask| !mask.is_empty())
}

/// As much of the browser's words as is worth keeping.
fn agent(headers: &HeaderMap) -> Option<String> {
    let agent = headers.get(USER_AGENT)?.to_str().ok()?;
    Some(agent.chars().take(LONGEST_AGENT).collect())
}

/// A call whose account was changed meanwhile has changed nothing yet, and is done again.
const MOST_TRIES: usize = 8;

/// What a path asks for.
struct Wanted<'p> {
    verb: &'p str,
    project: Option<&'p str>,
    tenant: bool,
    /// Whether it is an address of older SDKs.
    legacy: bool,
}

/// What there is to ask for.
const CLIENT: [&str; 20] = [
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
const ADMIN: [&str; 9] = [
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
const GET: [&str; 6] =
    ["projects", "passwordPolicy", "recaptchaConfig", "recaptchaParams", "batchGet", "config"];
/// The verbs that older SDKs use, and what they are called today.
const OLD_NAMES: [(&str, &str); 13] = [
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

/// Every address that the service answers at, once, for whoever wants to walk them all.
pub fn addresses(project: &str) -> Vec<(Method, String)> {
    let client = CLIENT.into_iter().chain(GET[..4].iter().copied()).map(|verb| match verb {
        "token" => format!("{TOKENS}v1/token"),
        "projects" | "passwordPolicy" | "recaptchaConfig" | "recaptchaParams" => {
            format!("{TOOLKIT}v1/{verb}")
        }
        _ if verb.starts_with("mfa") => format!("{TOOLKIT}v2/accounts/{verb}"),
        _ => format!("{TOOLKIT}v1/accounts:{verb}"),
    });
    let admin = ADMIN.into_iter().chain(["batchGet"]);
    let admin = admin.map(|verb| format!("{TOOLKIT}v1/projects/{project}/accounts:{verb}"));
    let config = format!("{TOOLKIT}v2/projects/{project}/config");
    let old = OLD_NAMES.iter().map(|(old, _)| format!("{LEGACY}{old}"));
    let all = client.chain(admin).chain([config.clone()]).chain(old);
    let all = all.filter_map(|path| Some((Wanted::read(&path)?.method(), path)));
    all.chain([(Method::PATCH, config)]).collect()
}

impl<'p> Wanted<'p> {
    fn read(path: &'p str) -> Option<Self> {
        let own = |verb| Self { verb, project: None, tenant: false, legacy: false };
        if let Some(verb) = path.strip_prefix(LEGACY) {
            let renamed = OLD_NAMES.iter().find(|(old, _)| *old == verb).map(|(_, new)| *new);
            let wanted = Self { legacy: true, ..own(renamed.unwrap_or(verb)) };
            return Some(wanted).filter(|wanted| renamed.is_some() || wanted.is_known());
        }
        if path == "/securetoken.googleapis.com/v1/token" {
            return Some(own("token"));
        }
        let path = path.strip_prefix(TOOLKIT)?;
        let path = path.strip_prefix("v1/").or_else(|| path.strip_prefix("v2/"))?;
        let wanted = if let Some(rest) = path.strip_prefix("projects/") {
            let (project, rest) = rest.split_at(rest.find([':', '/'])?);
            let tenant = rest.starts_with("/tenants");
            let verb = rest.strip_prefix("/accounts:").or_else(|| rest.strip_prefix(':'));
            let verb = match rest {
                "/accounts" => Some("signUp"),
                "/config" => Some("config"),
                _ if tenant => Some("signUp"),
                _ => verb,
            };
            let known = |verb: &&str| ADMIN.contains(verb) || ["batchGet", "config"].contains(verb);
            Self { verb: verb.filter(known)?, project: Some(project), tenant, legacy: false }
        } else {
            own(path
                .strip_prefix("accounts")
                .map_or(path, |verb| verb.trim_start_matches([':', '/'])))
        };
        Some(wanted).filter(Self::is_known)
    }

    fn is_known(&self) -> bool {
        let own_get = GET[..4].contains(&self.verb);
        CLIENT.contains(&self.verb) || own_get || self.project.is_some()
    }

    fn takes(&self, method: &Method) -> bool {
        *method == self.method() || (self.verb == "config" && method == Method::PATCH)
    }

    fn method(&self) -> Method {
        let reads = GET.contains(&self.verb) && !(self.legacy && self.verb == "batchGet");
        if reads { Method::GET } else { Method::POST }
    }
}

async fn run(verb: &str, call: &Call<'_>) -> Answer {
    match verb {
        "signUp" if call.admin => admin::create(call).await,
        "signUp" => sign_in::sign_up(call).await,
        "signInWithPassword" => sign_in::with_password(call).await,
        "signInWithCustomToken" => sign_in::with_custom_token(call).await,
        "signInWithEmailLink" => codes::sign_in_with_link(call).await,
        "signInWithIdp" => social::sign_in(call).await,
        "signInWithPhoneNumber" => phone::sign_in(call).await,
        "sendVerificationCode" => phone::send_code(call).await,
        "lookup" if call.admin => admin::lookup(call).await,
        "lookup" => profile::lookup(call).await,
        "update" => profile::update(call).await,
        "delete" => profile::delete(call).await,
        "sendOobCode" => codes::send(call).await,
        "resetPassword" => codes::reset_password(call).await,
        "createAuthUri" => profile::create_auth_uri(call).await,
        "mfaEnrollment:start" => second_factor::start_enrolment(call).await,
        "mfaEnrollment:finalize" => second_factor::finish_enrolment(call).await,
        "mfaEnrollment:withdraw" => second_factor::withdraw(call).await,
        "mfaSignIn:start" => second_factor::start_sign_in(call).await,
        "mfaSignIn:finalize" => second_factor::finish_sign_in(call).await,
        "token" => call.identity.refresh(call).await,
        "batchGet" => admin::list(call).await,
        "query" => admin::query(call).await,
        "batchCreate" => admin::import(call).await,
        "batchDelete" => admin::delete_all(call).await,
        "createSessionCookie" => admin::session_cookie(call).await,
        "config" => Ok(call.identity.config()),
        "projects" => Ok(call.identity.project()),
        "passwordPolicy" => Ok(call.identity.password_policy()),
        "recaptchaConfig" => Ok(project::recaptcha_config()),
        "recaptchaParams" => Ok(project::recaptcha_params()),
        _ => {
            let why = "Not implemented.";
            Err(generic(StatusCode::NOT_IMPLEMENTED, "NOT_IMPLEMENTED", why))
        }
    }
}

fn not_found() -> Refusal {
    generic(StatusCode::NOT_FOUND, "NOT_FOUND", "Not Found")
}

/// Whether a call comes from an admin. One from a client carries the project's key.
async fn is_admin(identity: &Identity, headers: &HeaderMap, query: &str) -> Answer<bool> {
    if let Some(token) = bearer(headers) {
        let known = match identity.emulator() {
            Some(_emulator) => emulator::is_owner(token),
            None => service_accounts::is_admin(identity, token).await?,
        };
        if known {
            return Ok(true);
        }
        let why = "Request had invalid authentication credentials.";
        return Err(generic(StatusCode::UNAUTHORIZED, "UNAUTHENTICATED", why));
    }
    let given = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "key");
    let given = given.map(|(_, key)| key.into_owned()).or_else(|| {
        headers.get("x-goog-api-key").and_then(|key| key.to_str().ok()).map(str::to_owned)
    });
    match given.as_deref() {
        None | Some("") => Err(generic(
            StatusCode::FORBIDDEN,
            "PERMISSION_DENIED",
            "The request is missing a valid API key.",
        )),
        Some(key) if key == identity.settings.api_key || identity.is_lax() => Ok(false),
        Some(_) => Err(generic(
            StatusCode::BAD_REQUEST,
            "INVALID_ARGUMENT",
            "API key not valid. Please pass a valid API key.",
        )),
    }
}

/// A body that says it is something else than JSON is not read as JSON.
fn accept_json(headers: &HeaderMap) -> Answer<()> {
    let Some(kind) = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()) else {
        return Ok(());
    };
    if kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let why = "Invalid JSON payload received. The content type is not application/json.";
    Err(generic(StatusCode::BAD_REQUEST, "INVALID_ARGUMENT", why))
}

/// A form, or the same fields as JSON.
fn form(bytes: &[u8]) -> Answer<Body> {
    if bytes.first() == Some(&b'{') {
        return Body::parse(bytes);
    }
    Ok(fields(bytes))
}

fn fields(form: &[u8]) -> Body {
    let pairs = form_urlencoded::parse(form);
    Body::from(pairs.map(|(name, value)| (name, Value::from(value))).collect::<Value>())
}

/// What verifiers fetch, and may keep for as long as it says.
fn published(keys: impl serde::Serialize) -> Response {
    let caching = format!("public, max-age={}", keys::MAX_AGE_SECONDS);
    ([(CACHE_CONTROL, caching)], axum::Json(keys)).into_response()
}

async fn jwks(State(identity): State<Identity>) -> Response {
    published(identity.keys.keys().map(keys::Keys::jwks))
}

async fn certificates(State(identity): State<Identity>) -> Response {
    published(identity.keys.keys().map(keys::Keys::certificates))
}

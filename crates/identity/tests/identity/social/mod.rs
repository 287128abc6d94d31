//! Social sign-in tests, with Google, Facebook and another provider simulated on loopback.

mod accounts;
mod credentials;
mod demo_provider;
mod popup;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hmac;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256};
use axum::extract::{Form, Query, Request as HttpRequest, State};
use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, COOKIE, LOCATION, SET_COOKIE};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use clap::Parser;
use identity::SocialSettings;
use platform::Clock;
use platform::http_client::HttpClient;
use tokio::net::TcpListener;

use super::*;

const PAGE_STATE: &str = "0123456789abcdef0123456789abcdef";

/// How the simulated providers respond.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Behaviour {
    Good,
    Broken,
    Html,
    TooLarge,
    Silent,
}

/// The state of the simulated providers.
struct ProviderState {
    behaviour: Behaviour,
    /// The published keys.
    keys: Vec<Value>,
    /// By code: the claims of its ID token, and the PKCE challenge.
    grants: BTreeMap<String, (Value, String)>,
    /// By access token: Google's tokeninfo and userinfo.
    google: BTreeMap<String, (Value, Value)>,
    /// By access token: Facebook's debug_token and me.
    facebook: BTreeMap<String, (Value, Value)>,
}

/// The simulated providers, all at one address.
#[derive(Clone)]
struct FakeProviders {
    address: String,
    state: Arc<Mutex<ProviderState>>,
    /// How often the keys were fetched.
    key_fetches: Arc<AtomicUsize>,
}

/// Two keys, of which the providers publish the first.
fn keys() -> &'static [KeyPair; 2] {
    static KEYS: OnceLock<[KeyPair; 2]> = OnceLock::new();
    KEYS.get_or_init(|| [(); 2].map(|()| KeyPair::generate(KeySize::Rsa2048).unwrap()))
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn jwk(id: &str, pair: &KeyPair) -> Value {
    let (n, e) = (pair.public_key().modulus(), pair.public_key().exponent());
    let (n, e) = (
        n.big_endian_without_leading_zero().to_vec(),
        e.big_endian_without_leading_zero().to_vec(),
    );
    json!({ "kty": "RSA", "use": "sig", "alg": "RS256", "kid": id, "n": encode(n), "e": encode(e) })
}

fn message(header: Value, claims: &Value) -> String {
    format!("{}.{}", encode(header.to_string()), encode(claims.to_string()))
}

fn signed(id: &str, pair: &KeyPair, claims: &Value) -> String {
    let message = message(json!({ "alg": "RS256", "typ": "JWT", "kid": id }), claims);
    let mut signature = vec![0; pair.public_modulus_len()];
    pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message.as_bytes(), &mut signature).unwrap();
    format!("{message}.{}", encode(signature))
}

impl FakeProviders {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let state = ProviderState {
            behaviour: Behaviour::Good,
            keys: vec![jwk("first", &keys()[0])],
            grants: BTreeMap::new(),
            google: BTreeMap::new(),
            facebook: BTreeMap::new(),
        };
        let fakes =
            Self { address, state: Arc::new(Mutex::new(state)), key_fetches: Arc::default() };
        let routes = Router::new()
            .route("/.well-known/openid-configuration", get(configuration))
            .route("/keys", get(published))
            .route("/token", post(token))
            .route("/userinfo", get(userinfo))
            .route("/tokeninfo", get(tokeninfo))
            .route("/graph/debug_token", get(debug_token))
            .route("/graph/me", get(me))
            .route("/graph/oauth/access_token", post(facebook_token))
            .layer(middleware::from_fn_with_state(fakes.clone(), misbehave))
            .with_state(fakes.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        fakes
    }

    fn change(&self, change: impl FnOnce(&mut ProviderState)) {
        change(&mut self.state.lock().unwrap());
    }

    /// Waits until every code has been exchanged.
    async fn codes_exchanged(&self) {
        while !self.state.lock().unwrap().grants.is_empty() {
            tokio::task::yield_now().await;
        }
    }

    fn settings(&self) -> SocialSettings {
        let address = &self.address;
        settings_of(&[
            "--google-client-id=our-google-id".into(),
            "--google-client-secret=our-google-secret".into(),
            format!("--google-issuer={address}"),
            format!("--google-tokeninfo-url={address}/tokeninfo"),
            "--facebook-app-id=4711".into(),
            "--facebook-app-secret=our-facebook-secret".into(),
            format!("--facebook-dialog-url={address}/dialog"),
            format!("--facebook-graph-url={address}/graph"),
            "--oidc-id=oidc.company".into(),
            "--oidc-name=The Company".into(),
            format!("--oidc-issuer={address}"),
            "--oidc-client-id=our-company-id".into(),
            "--oidc-client-secret=our-company-secret".into(),
        ])
    }

    fn providers(&self, clock: &Clock) -> Providers {
        // How long a silent provider takes; long enough for a good one on a busy machine.
        let client = HttpClient::new().with_timeout(Duration::from_secs(3));
        Providers::new(&self.settings(), &client, clock, None).unwrap()
    }

    /// The claims of a valid ID token of Google.
    fn claims(&self, clock: &Clock) -> Value {
        let now = clock.now().0 / 1000;
        json!({
            "iss": self.address,
            "aud": "our-google-id",
            "azp": "our-google-id",
            "sub": "117",
            "iat": now,
            "exp": now + 3600,
            "email": "Rahim@Gmail.example",
            "email_verified": true,
            "name": "Rahim Uddin",
            "given_name": "Rahim",
            "family_name": "Uddin",
            "picture": "https://pictures.example/rahim.png",
        })
    }
}

fn settings_of(args: &[String]) -> SocialSettings {
    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        social: SocialSettings,
    }
    let args = std::iter::once("haat".to_owned()).chain(args.iter().cloned());
    Line::try_parse_from(args).unwrap().social
}

async fn misbehave(
    State(fakes): State<FakeProviders>,
    request: HttpRequest,
    next: Next,
) -> Response {
    let behaviour = fakes.state.lock().unwrap().behaviour;
    match behaviour {
        Behaviour::Good => next.run(request).await,
        Behaviour::Broken => (StatusCode::INTERNAL_SERVER_ERROR, "secret").into_response(),
        Behaviour::Html => "<h1>Please sign in to the hotel's network</h1>".into_response(),
        Behaviour::TooLarge => format!("{{\"a\":\"{}\"}}", "x".repeat(2 << 20)).into_response(),
        Behaviour::Silent => std::future::pending().await,
    }
}

async fn configuration(State(FakeProviders { address, .. }): State<FakeProviders>) -> Json<Value> {
    Json(json!({
        "issuer": address,
        "authorization_endpoint": format!("{address}/authorize"),
        "token_endpoint": format!("{address}/token"),
        "userinfo_endpoint": format!("{address}/userinfo"),
        "jwks_uri": format!("{address}/keys"),
    }))
}

async fn published(State(fakes): State<FakeProviders>) -> Response {
    fakes.key_fetches.fetch_add(1, Ordering::SeqCst);
    let keys = fakes.state.lock().unwrap().keys.clone();
    ([(CACHE_CONTROL, "public, max-age=600")], Json(json!({ "keys": keys }))).into_response()
}

type Fields = BTreeMap<String, String>;

/// Exchanges a code; checks all parameters.
fn exchange(fakes: &FakeProviders, fields: &Fields, secret: &str) -> Option<Value> {
    let grant = fakes.state.lock().unwrap().grants.remove(&fields["code"])?;
    let challenge = encode(digest(&SHA256, fields["code_verifier"].as_bytes()));
    let is_valid = fields["client_secret"] == secret
        && fields["grant_type"] == "authorization_code"
        && fields["redirect_uri"] == "https://haat.example/auth/callback"
        && grant.1 == challenge;
    is_valid.then_some(grant.0)
}

async fn token(State(fakes): State<FakeProviders>, Form(fields): Form<Fields>) -> Response {
    let secret = fields["client_id"].replace("-id", "-secret");
    match exchange(&fakes, &fields, &secret) {
        Some(claims) => {
            let id_token = signed("first", &keys()[0], &claims);
            Json(json!({ "access_token": "whatever", "id_token": id_token })).into_response()
        }
        None => {
            (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" }))).into_response()
        }
    }
}

async fn facebook_token(
    State(fakes): State<FakeProviders>,
    Form(fields): Form<Fields>,
) -> Response {
    assert_eq!(fields["client_id"], "4711");
    match exchange(&fakes, &fields, "our-facebook-secret") {
        Some(token) => Json(json!({ "access_token": token, "expires_in": 3600 })).into_response(),
        None => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn userinfo(State(fakes): State<FakeProviders>, headers: HeaderMap) -> Response {
    let token = headers[AUTHORIZATION].to_str().unwrap().trim_start_matches("Bearer ");
    match fakes.state.lock().unwrap().google.get(token) {
        Some((_, person)) => Json(person.clone()).into_response(),
        None => StatusCode::UNAUTHORIZED.into_response(),
    }
}

async fn tokeninfo(State(fakes): State<FakeProviders>, Query(query): Query<Fields>) -> Response {
    match fakes.state.lock().unwrap().google.get(&query["access_token"]) {
        Some((info, _)) => Json(info.clone()).into_response(),
        None => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn debug_token(State(fakes): State<FakeProviders>, Query(query): Query<Fields>) -> Response {
    assert_eq!(query["access_token"], "4711|our-facebook-secret");
    match fakes.state.lock().unwrap().facebook.get(&query["input_token"]) {
        Some((info, _)) => Json(json!({ "data": info })).into_response(),
        None => Json(json!({ "data": { "is_valid": false } })).into_response(),
    }
}

async fn me(State(fakes): State<FakeProviders>, Query(query): Query<Fields>) -> Response {
    assert_eq!(query["fields"], "id,name,first_name,last_name,email,picture");
    let key = hmac::Key::new(hmac::HMAC_SHA256, b"our-facebook-secret");
    let proof = hmac::sign(&key, query["access_token"].as_bytes());
    assert_eq!(query["appsecret_proof"], hex(proof));
    Json(fakes.state.lock().unwrap().facebook[&query["access_token"]].1.clone()).into_response()
}

/// Status and error message.
async fn error_message(refusal: impl IntoResponse) -> (u16, String) {
    let response = refusal.into_response();
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    (status, body["error"]["message"].as_str().unwrap_or("not JSON").to_owned())
}

fn with_changes(mut claims: Value, changes: Value) -> Value {
    let object = claims.as_object_mut().unwrap();
    object.extend(changes.as_object().unwrap().clone());
    object.retain(|_, value| !value.is_null());
    claims
}

fn person_on_facebook() -> Value {
    json!({
        "id": "9",
        "name": "Ayesha Khan",
        "first_name": "Ayesha",
        "last_name": "Khan",
        "email": "Ayesha@People.example",
        "email_verified": true,
        "picture": { "data": { "url": "https://pictures.example/9.jpg" } },
    })
}

/// A rendered popup.
struct Popup {
    status: u16,
    headers: HeaderMap,
    html: String,
}

impl Popup {
    /// A data attribute, which the page's script reads.
    fn data(&self, name: &str) -> Option<&str> {
        let rest = self.html.split(&format!(" data-{name}=\"")).nth(1)?;
        rest.split('"').next()
    }

    fn cookie(&self) -> String {
        let line = self.headers[SET_COOKIE].to_str().unwrap();
        line.split(';').next().unwrap().to_owned()
    }

    /// The URL and the parameters of its redirect.
    fn redirect(&self) -> (String, Fields) {
        let address = self.headers[LOCATION].to_str().unwrap();
        let (address, query) = address.split_once('?').unwrap();
        (address.to_owned(), form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }
}

async fn send(routes: &Router, request: Request<Body>) -> Popup {
    let response = routes.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let html = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
    Popup { status: parts.status.as_u16(), headers: parts.headers, html }
}

async fn get_page(routes: &Router, address: &str, cookie: Option<&str>) -> Popup {
    let mut request = Request::get(address);
    if let Some(cookie) = cookie {
        request = request.header(COOKIE, cookie);
    }
    send(routes, request.body(Body::empty()).unwrap()).await
}

/// The service with simulated providers.
struct SocialService {
    service: Service,
    fakes: FakeProviders,
}

impl SocialService {
    async fn new(engine: Engine) -> Self {
        let fakes = FakeProviders::start().await;
        let mut service = Service::new(engine).await;
        let providers = fakes.providers(&service.given.clock);
        service.identity = start(&service.given, settings(), providers).await;
        service.routes = identity::router(service.identity.clone());
        Self { service, fakes }
    }
}

//! Social providers: Google, Facebook and an OpenID Connect provider, played on loopback by this test.

mod accounts;
mod popup;
mod proving;
mod stand_in;

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
use base::Clock;
use base::client::Client;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use clap::Parser;
use identity::social;
use tokio::net::TcpListener;

use super::*;

const PAGE_STATE: &str = "0123456789abcdef0123456789abcdef";

/// How the loopback providers answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mood {
    Good,
    Broken,
    Html,
    TooMuch,
    Silent,
}

/// What the loopback providers know.
struct Known {
    mood: Mood,
    /// The keys that are published.
    keys: Vec<Value>,
    /// By code: the claims that its ID token will have, and the challenge.
    grants: BTreeMap<String, (Value, String)>,
    /// By access token: what Google's tokeninfo says, and its userinfo.
    google: BTreeMap<String, (Value, Value)>,
    /// By access token: what Facebook's debug_token says, and its me.
    facebook: BTreeMap<String, (Value, Value)>,
}

/// Google, Facebook and another provider, all at one address.
#[derive(Clone)]
struct Elsewhere {
    address: String,
    known: Arc<Mutex<Known>>,
    /// How often the keys were asked for.
    asked: Arc<AtomicUsize>,
}

/// Two keys, of which the providers publish the first.
fn keys() -> &'static [KeyPair; 2] {
    static KEYS: OnceLock<[KeyPair; 2]> = OnceLock::new();
    KEYS.get_or_init(|| [(); 2].map(|()| KeyPair::generate(KeySize::Rsa2048).unwrap()))
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn hexadecimal(bytes: impl AsRef<[u8]>) -> String {
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

impl Elsewhere {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let known = Known {
            mood: Mood::Good,
            keys: vec![jwk("first", &keys()[0])],
            grants: BTreeMap::new(),
            google: BTreeMap::new(),
            facebook: BTreeMap::new(),
        };
        let elsewhere = Self { address, known: Arc::new(Mutex::new(known)), asked: Arc::default() };
        let routes = Router::new()
            .route("/.well-known/openid-configuration", get(configuration))
            .route("/keys", get(published))
            .route("/token", post(token))
            .route("/userinfo", get(userinfo))
            .route("/tokeninfo", get(tokeninfo))
            .route("/graph/debug_token", get(debug_token))
            .route("/graph/me", get(me))
            .route("/graph/oauth/access_token", post(facebook_token))
            .layer(middleware::from_fn_with_state(elsewhere.clone(), in_its_mood))
            .with_state(elsewhere.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        elsewhere
    }

    fn change(&self, change: impl FnOnce(&mut Known)) {
        change(&mut self.known.lock().unwrap());
    }

    /// Waits until the provider has given something for every code.
    async fn code_is_spent(&self) {
        while !self.known.lock().unwrap().grants.is_empty() {
            tokio::task::yield_now().await;
        }
    }

    fn settings(&self) -> social::Settings {
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
        let client = Client::new().within(Duration::from_millis(1000));
        Providers::new(&self.settings(), &client, clock, None).unwrap()
    }

    /// The claims of a good ID token of Google's.
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

fn settings_of(args: &[String]) -> social::Settings {
    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        social: social::Settings,
    }
    let args = std::iter::once("haat".to_owned()).chain(args.iter().cloned());
    Line::try_parse_from(args).unwrap().social
}

async fn in_its_mood(
    State(elsewhere): State<Elsewhere>,
    request: HttpRequest,
    next: Next,
) -> Response {
    let mood = elsewhere.known.lock().unwrap().mood;
    match mood {
        Mood::Good => next.run(request).await,
        Mood::Broken => (StatusCode::INTERNAL_SERVER_ERROR, "secret").into_response(),
        Mood::Html => "<h1>Please sign in to the hotel's network</h1>".into_response(),
        Mood::TooMuch => format!("{{\"a\":\"{}\"}}", "x".repeat(2 << 20)).into_response(),
        Mood::Silent => std::future::pending().await,
    }
}

async fn configuration(State(Elsewhere { address, .. }): State<Elsewhere>) -> Json<Value> {
    Json(json!({
        "issuer": address,
        "authorization_endpoint": format!("{address}/authorize"),
        "token_endpoint": format!("{address}/token"),
        "userinfo_endpoint": format!("{address}/userinfo"),
        "jwks_uri": format!("{address}/keys"),
    }))
}

async fn published(State(elsewhere): State<Elsewhere>) -> Response {
    elsewhere.asked.fetch_add(1, Ordering::SeqCst);
    let keys = elsewhere.known.lock().unwrap().keys.clone();
    ([(CACHE_CONTROL, "public, max-age=600")], Json(json!({ "keys": keys }))).into_response()
}

type Fields = BTreeMap<String, String>;

/// Whether a code comes with all that must be sent along, and what it is worth.
fn spend(elsewhere: &Elsewhere, fields: &Fields, secret: &str) -> Option<Value> {
    let grant = elsewhere.known.lock().unwrap().grants.remove(&fields["code"])?;
    let challenge = encode(digest(&SHA256, fields["code_verifier"].as_bytes()));
    let right = fields["client_secret"] == secret
        && fields["grant_type"] == "authorization_code"
        && fields["redirect_uri"] == "https://haat.example/auth/callback"
        && grant.1 == challenge;
    right.then_some(grant.0)
}

async fn token(State(elsewhere): State<Elsewhere>, Form(fields): Form<Fields>) -> Response {
    let secret = fields["client_id"].replace("-id", "-secret");
    match spend(&elsewhere, &fields, &secret) {
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
    State(elsewhere): State<Elsewhere>,
    Form(fields): Form<Fields>,
) -> Response {
    assert_eq!(fields["client_id"], "4711");
    match spend(&elsewhere, &fields, "our-facebook-secret") {
        Some(token) => Json(json!({ "access_token": token, "expires_in": 3600 })).into_response(),
        None => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn userinfo(State(elsewhere): State<Elsewhere>, headers: HeaderMap) -> Response {
    let token = headers[AUTHORIZATION].to_str().unwrap().trim_start_matches("Bearer ");
    match elsewhere.known.lock().unwrap().google.get(token) {
        Some((_, person)) => Json(person.clone()).into_response(),
        None => StatusCode::UNAUTHORIZED.into_response(),
    }
}

async fn tokeninfo(State(elsewhere): State<Elsewhere>, Query(query): Query<Fields>) -> Response {
    match elsewhere.known.lock().unwrap().google.get(&query["access_token"]) {
        Some((made, _)) => Json(made.clone()).into_response(),
        None => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn debug_token(State(elsewhere): State<Elsewhere>, Query(query): Query<Fields>) -> Response {
    assert_eq!(query["access_token"], "4711|our-facebook-secret");
    match elsewhere.known.lock().unwrap().facebook.get(&query["input_token"]) {
        Some((made, _)) => Json(json!({ "data": made })).into_response(),
        None => Json(json!({ "data": { "is_valid": false } })).into_response(),
    }
}

async fn me(State(elsewhere): State<Elsewhere>, Query(query): Query<Fields>) -> Response {
    assert_eq!(query["fields"], "id,name,first_name,last_name,email,picture");
    let key = hmac::Key::new(hmac::HMAC_SHA256, b"our-facebook-secret");
    let proof = hmac::sign(&key, query["access_token"].as_bytes());
    assert_eq!(query["appsecret_proof"], hexadecimal(proof));
    Json(elsewhere.known.lock().unwrap().facebook[&query["access_token"]].1.clone()).into_response()
}

/// The words of a refusal, with its status.
async fn words(refusal: impl IntoResponse) -> (u16, String) {
    let response = refusal.into_response();
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    (status, body["error"]["message"].as_str().unwrap_or("not JSON").to_owned())
}

fn changed(mut claims: Value, changes: Value) -> Value {
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

/// What a window shows.
struct Window {
    status: u16,
    headers: HeaderMap,
    html: String,
}

impl Window {
    /// What the page's script reads.
    fn told(&self, name: &str) -> Option<&str> {
        let rest = self.html.split(&format!(" data-{name}=\"")).nth(1)?;
        rest.split('"').next()
    }

    fn cookie(&self) -> String {
        let line = self.headers[SET_COOKIE].to_str().unwrap();
        line.split(';').next().unwrap().to_owned()
    }

    /// The parameters of the address that it leads to.
    fn leads_to(&self) -> (String, Fields) {
        let address = self.headers[LOCATION].to_str().unwrap();
        let (address, query) = address.split_once('?').unwrap();
        (address.to_owned(), form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }
}

async fn visit(routes: &Router, request: Request<Body>) -> Window {
    let response = routes.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let html = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
    Window { status: parts.status.as_u16(), headers: parts.headers, html }
}

async fn look(routes: &Router, address: &str, cookie: Option<&str>) -> Window {
    let mut request = Request::get(address);
    if let Some(cookie) = cookie {
        request = request.header(COOKIE, cookie);
    }
    visit(routes, request.body(Body::empty()).unwrap()).await
}

/// The service, with providers elsewhere.
struct Stage {
    service: Service,
    elsewhere: Elsewhere,
}

impl Stage {
    async fn new(engine: Engine) -> Self {
        let elsewhere = Elsewhere::start().await;
        let mut service = Service::new(engine).await;
        let providers = elsewhere.providers(&service.given.clock);
        service.identity = start(&service.given, settings(), providers).await;
        service.routes = identity::router(service.identity.clone());
        Self { service, elsewhere }
    }
}

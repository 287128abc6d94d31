//! Tests of the identity service through its HTTP API, on both databases.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod abuse;
mod account_takeover;
mod accounts;
mod admin;
mod custom_tokens;
mod devices;
mod email_action;
mod email_codes;
mod emulator;
mod keys;
mod phone;
mod protocol;
mod retention;
mod second_factor;
mod social;

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use email::Email;
use http_body_util::BodyExt;
use identity::{Identity, ProjectSettings, Providers, Site};
use platform::auth::Tokens;
use platform::http::ClientIp;
use platform::secret::Secret;
use platform::{Language, Languages};
use serde_json::{Value, json};
use test_support::{Engine, TestDb};
use tower::ServiceExt;

const PASSWORD: &str = "Secret1!";

/// The service with its own database.
struct Service {
    given: TestDb,
    identity: Identity,
    routes: Router,
}

fn settings() -> ProjectSettings {
    ProjectSettings {
        project_id: "haat".into(),
        project_number: "1".into(),
        api_key: "key".into(),
        authorized_domains: vec!["shop.example".into()],
        anonymous_sign_in: None,
        sign_ups_per_hour: 100,
        sms_per_hour: 8,
        sms_countries: vec![],
    }
}

fn bangla() -> Language {
    "bn".parse().unwrap()
}

fn site() -> Site {
    Site {
        origin: "https://haat.example".into(),
        shop_name: "Haat".into(),
        translated_names: [(bangla(), "হাট".to_owned())].into(),
        languages: Languages::new(vec![Language::ENGLISH, bangla()], None).unwrap(),
        sends_sms: true,
    }
}

async fn start(given: &TestDb, settings: ProjectSettings, providers: Providers) -> Identity {
    let secret = Secret::new(&"secret".repeat(8)).unwrap();
    let (db, clock, random) = (given.db.clone(), given.clock.clone(), given.random.clone());
    Identity::start(db, clock, random, &secret, settings, site(), providers).await.unwrap()
}

impl Service {
    async fn new(engine: Engine) -> Self {
        Self::with(engine, settings()).await
    }

    async fn with(engine: Engine, settings: ProjectSettings) -> Self {
        // With a signing key, which is slow to generate.
        let given = TestDb::from_template(engine, "with_key", async |given| {
            start(given, self::settings(), Providers::default()).await;
        });
        Self::on(given.await, settings).await
    }

    async fn on(given: TestDb, settings: ProjectSettings) -> Self {
        let identity = start(&given, settings, Providers::default()).await;
        let routes = identity::router(identity.clone());
        Self { given, identity, routes }
    }

    /// Calls `v1/accounts:{verb}`.
    async fn call(&self, verb: &str, body: Value) -> (u16, Value) {
        self.call_from(Ipv4Addr::LOCALHOST.into(), verb, body).await
    }

    async fn call_from(&self, address: IpAddr, verb: &str, body: Value) -> (u16, Value) {
        let version = if verb.starts_with("mfa") { "v2/accounts/" } else { "v1/accounts:" };
        let path = format!("/identitytoolkit.googleapis.com/{version}{verb}?key=key");
        let mut request = Request::post(path).body(Body::from(body.to_string())).unwrap();
        request.extensions_mut().insert(ClientIp(address));
        self.send(request).await
    }

    async fn send(&self, request: Request<Body>) -> (u16, Value) {
        let response = self.routes.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    /// A call that must succeed.
    async fn ok(&self, verb: &str, body: Value) -> Value {
        let (status, answer) = self.call(verb, body).await;
        assert_eq!(status, 200, "{verb}: {answer}");
        answer
    }

    /// A call that must fail; returns its error message.
    async fn refused(&self, verb: &str, body: Value) -> String {
        let (status, answer) = self.call(verb, body).await;
        assert_eq!(status, 400, "{verb}: {answer}");
        answer["error"]["message"].as_str().unwrap().to_owned()
    }

    async fn sign_up(&self, email: &str) -> Value {
        self.ok("signUp", json!({ "email": email, "password": PASSWORD })).await
    }

    async fn refresh(&self, token: &str) -> (u16, Value) {
        let form = format!("grant_type=refresh_token&refresh_token={token}");
        let request = Request::post("/securetoken.googleapis.com/v1/token?key=key");
        let form_type = "application/x-www-form-urlencoded";
        self.send(request.header("content-type", form_type).body(Body::from(form)).unwrap()).await
    }

    /// The enqueued e-mails with a code, as (recipient, subject, code).
    async fn emails(&self) -> Vec<(String, String, String)> {
        let rows: Vec<(String,)> = self
            .given
            .db
            .query("select payload from jobs where kind = 'mail.send' order by created_at, id")
            .all()
            .await
            .unwrap();
        let email = |(payload,): &(String,)| {
            let posted: Value = serde_json::from_str(payload).unwrap();
            let email: Email = serde_json::from_value(posted["email"].clone()).unwrap();
            let text = email.text().unwrap();
            let code = text.split("oobCode=").nth(1)?.split('&').next().unwrap();
            Some((email.to.into(), email.subject, code.to_owned()))
        };
        rows.iter().filter_map(email).collect()
    }

    /// The enqueued text messages, as (number, code).
    async fn sms(&self) -> Vec<(String, String)> {
        let rows: Vec<(String,)> = self
            .given
            .db
            .query("select payload from jobs where kind = 'sms.send' order by created_at, id")
            .all()
            .await
            .unwrap();
        let message = |(payload,): &(String,)| {
            let posted: Value = serde_json::from_str(payload).unwrap();
            let part = |name: &str| posted["text"][name].as_str().unwrap().to_owned();
            (part("to"), part("text").chars().take(6).collect())
        };
        rows.iter().map(message).collect()
    }

    /// The last code sent to this number.
    async fn sms_code(&self, number: &str) -> String {
        let mut texts = self.sms().await;
        texts.retain(|(to, _)| to == number);
        self.advance(1); // so that the next one is later
        texts.pop().unwrap().1
    }

    /// Signs in to a new account with a verified address.
    async fn verified_user(&self, email: &str) -> Value {
        let new = self.sign_up(email).await;
        let ask = json!({ "requestType": "VERIFY_EMAIL", "idToken": new["idToken"] });
        self.ok("sendOobCode", ask).await;
        self.ok("update", json!({ "oobCode": self.last_code().await })).await;
        self.sign_in(email).await
    }

    async fn sign_in(&self, email: &str) -> Value {
        self.ok("signInWithPassword", json!({ "email": email, "password": PASSWORD })).await
    }

    async fn last_code(&self) -> String {
        self.advance(1); // so that the next one is later
        self.emails().await.pop().unwrap().2
    }

    /// Verifies tokens as the shop does.
    fn shop_tokens(&self) -> Tokens {
        let Self { given, identity, .. } = self;
        let secret = Secret::new(&"shop".repeat(8)).unwrap();
        let audience = identity.settings().project_id.clone();
        let issuer = Identity::issuer_for(&audience);
        let (keys, revocation) = (identity.key_finder(), identity.revocation());
        Tokens::new(given.clock.clone(), &secret, issuer, audience, keys, revocation)
    }

    fn advance(&self, seconds: u64) {
        self.given.clock.advance(Duration::from_secs(seconds));
    }
}

/// The claims of a token, unverified.
fn claims(token: &str) -> Value {
    let payload = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    serde_json::from_slice(&payload).unwrap()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} in {value}"))
}

//! Emulator mode: how it differs from the service. Each emulated project has an SQLite database.

use axum::http::header::{
    ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_REQUEST_METHOD,
    AUTHORIZATION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ORIGIN,
};
use axum::http::{Method, Response};
use axum::response::IntoResponse;
use identity::emulator::Projects;
use platform::{Clock, Random};
use tempfile::TempDir;

use super::*;

struct Emulator {
    routes: Router,
    _folder: TempDir,
}

const TOOLKIT: &str = "/identitytoolkit.googleapis.com/v1";
const OWNER: &str = "Bearer owner";

impl Emulator {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let (clock, random) = (Clock::movable(), Random::seeded(7));
        let path = folder.path().to_owned();
        let projects = Projects::new(path, clock, random, settings(), site());
        Self { routes: identity::emulator_router(projects), _folder: folder }
    }

    async fn ask(&self, request: Request<Body>) -> Response<Body> {
        self.routes.clone().oneshot(request).await.into_response()
    }

    async fn json(&self, request: Request<Body>) -> (u16, Value) {
        let response = self.ask(request).await;
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    /// A client's call that must succeed.
    async fn ok(&self, verb: &str, body: Value) -> Value {
        let path = format!("{TOOLKIT}/accounts:{verb}?key=any");
        let request = Request::post(path).body(Body::from(body.to_string())).unwrap();
        let (status, answer) = self.json(request).await;
        assert_eq!(status, 200, "{verb}: {answer}");
        answer
    }

    /// An owner's call.
    async fn owner(&self, method: Method, path: &str, body: Value) -> (u16, Value) {
        self.as_owner(OWNER, method, path, body).await
    }

    async fn as_owner(
        &self,
        authorization: &str,
        method: Method,
        path: &str,
        body: Value,
    ) -> (u16, Value) {
        let path = format!("/identitytoolkit.googleapis.com{path}");
        let request = Request::builder().method(method).uri(path);
        let request = request.header(AUTHORIZATION, authorization);
        self.json(request.body(Body::from(body.to_string())).unwrap()).await
    }

    async fn account(&self, id: &Value) -> Value {
        let path = "/v1/projects/haat/accounts:lookup";
        let (_, found) = self.owner(Method::POST, path, json!({ "localId": [id] })).await;
        found["users"][0].clone()
    }

    async fn with_provider(&self, provider: &str, claims: Value) -> Value {
        let token: String =
            form_urlencoded::byte_serialize(claims.to_string().as_bytes()).collect();
        self.ok(
            "signInWithIdp",
            json!({
                "requestUri": format!("http://localhost/?providerId={provider}&id_token={token}"),
                "postBody": "", "returnIdpCredential": true, "returnSecureToken": true,
            }),
        )
        .await
    }

    async fn configure(&self, config: Value) -> Value {
        let path = "/v2/projects/haat/config?updateMask=signIn.allowDuplicateEmails,mfa";
        let (status, answer) = self.owner(Method::PATCH, path, config).await;
        assert_eq!(status, 200, "{answer}");
        answer
    }
}

#[tokio::test]
async fn cors_allows_any_origin() {
    let emulator = Emulator::new();
    const PAGE: &str = "https://app.example";
    for (method, path) in [
        ("GET", "/"),
        ("DELETE", "/emulator/v1/projects/haat/accounts"),
        ("GET", "/emulator/v1/projects/haat/oobCodes"),
        ("PATCH", "/emulator/v1/projects/haat/config"),
        ("GET", "/emulator/nothing"),
    ] {
        let asks = Request::builder().method("OPTIONS").uri(path).header(ORIGIN, PAGE);
        let asks = asks.header(ACCESS_CONTROL_REQUEST_METHOD, method);
        let asks = asks.header("access-control-request-private-network", "true");
        let may = emulator.ask(asks.body(Body::empty()).unwrap()).await;
        assert_eq!(may.status(), StatusCode::NO_CONTENT, "{path}");
        let methods = may.headers()[ACCESS_CONTROL_ALLOW_METHODS].to_str().unwrap();
        assert!(methods.contains(method), "{path}: {methods}");
        assert_eq!(may.headers()["access-control-allow-private-network"], "true");
        let does = Request::builder().method(method).uri(path).header(ORIGIN, PAGE);
        let done = emulator.ask(does.body(Body::from("{}")).unwrap()).await;
        assert_eq!(done.headers()[ACCESS_CONTROL_ALLOW_ORIGIN], PAGE, "{path}");
    }
}

#[tokio::test]
async fn duplicate_emails_can_be_allowed() {
    let emulator = Emulator::new();
    let claims =
        |sub: &str| json!({ "sub": sub, "email": "a@haat.example", "email_verified": true });
    let config = emulator.configure(json!({ "signIn": { "allowDuplicateEmails": true } })).await;
    assert_eq!(config["signIn"]["allowDuplicateEmails"], true);
    let new = json!({ "email": "a@haat.example", "password": "secret" });
    let one = emulator.ok("signUp", new).await;
    let two = emulator.with_provider("google.com", claims("g-1")).await;
    let three = emulator.with_provider("facebook.com", claims("f-1")).await;
    assert_ne!(one["localId"], two["localId"]);
    assert_ne!(two["localId"], three["localId"]);
    let account = emulator.account(&two["localId"]).await;
    assert_eq!(account.get("email"), None, "the provider alone knows it");
    assert_eq!(account["providerUserInfo"][0]["email"], "a@haat.example");
    let asked = json!({ "identifier": "a@haat.example", "continueUri": "http://localhost" });
    let found = emulator.ok("createAuthUri", asked).await;
    assert_eq!(found["allProviders"], json!(["password"]));
    // After it is turned off, too; other settings are returned as they were set.
    let mfa = json!({ "state": "ENABLED", "providerConfigs": [{ "totpProviderConfig": { "adjacentIntervals": 5 } }] });
    let off = json!({ "signIn": { "allowDuplicateEmails": false }, "mfa": mfa });
    assert_eq!(emulator.configure(off).await["mfa"], mfa);
    let four = emulator.with_provider("apple.com", claims("p-1")).await;
    assert_eq!(four["localId"], one["localId"]);
}

#[tokio::test]
async fn fake_hashes_are_exported_and_imported() {
    let emulator = Emulator::new();
    let new = json!({ "email": "a@haat.example", "password": "secret" });
    let id = emulator.ok("signUp", new.clone()).await["localId"].clone();
    let account = emulator.account(&id).await;
    let salt = text(&account, "salt");
    assert_eq!(text(&account, "passwordHash"), format!("fakeHash:salt={salt}:password=secret"));
    let path = "/v1/projects/haat/accounts:batchGet";
    let (_, exported) = emulator.owner(Method::GET, path, Value::Null).await;

    let other = Emulator::new();
    let mut users = exported["users"].clone();
    let foreign = json!({
        "localId": "b", "email": "b@haat.example", "passwordHash": "aGFzaA", "salt": "c2FsdA",
    });
    users.as_array_mut().unwrap().push(foreign);
    let path = "/v1/projects/haat/accounts:batchCreate";
    let (_, done) = other.owner(Method::POST, path, json!({ "users": users })).await;
    assert_eq!(done["error"], json!([]));
    assert_eq!(other.ok("signInWithPassword", new).await["localId"], id);
    let stored = other.account(&json!("b")).await;
    assert_eq!((text(&stored, "passwordHash"), text(&stored, "salt")), ("aGFzaA", "c2FsdA"));
    let path = format!("{TOOLKIT}/accounts:signInWithPassword?key=any");
    for password in ["aGFzaA", "hash", "secret"] {
        let guess = json!({ "email": "b@haat.example", "password": password }).to_string();
        let (status, _) = other.json(Request::post(&path).body(Body::from(guess)).unwrap()).await;
        assert_eq!(status, 400, "a hash of an unknown make opens to nothing");
    }
}

#[tokio::test]
async fn clients_have_admin_rights() {
    let emulator = Emulator::new();
    let new = json!({
        "email": "a@haat.example", "password": "secret", "mfaInfo": [{ "phoneInfo": "+15550100199" }],
    });
    let user = emulator.ok("signUp", new).await;
    let grab = json!({
        "idToken": user["idToken"], "validSince": "1",
        "linkProviderUserInfo": { "providerId": "twitter.com", "rawId": "t-1", "screenName": "rahim" },
    });
    let done = emulator.ok("update", grab).await;
    assert!(done.get("refreshToken").is_some(), "its other sessions end, so it gets new tokens");
    let account = emulator.account(&user["localId"]).await;
    assert_eq!(account["mfaInfo"][0]["phoneInfo"], "+15550100199");
    assert_eq!(account["providerUserInfo"][1]["rawId"], "t-1");
    let entered =
        emulator.with_provider("github.com", json!({ "sub": "h-1", "screen_name": "r" })).await;
    assert_eq!(entered["screenName"], "r");
    // Tokens of all service accounts are an owner's.
    let path = "/v1/projects/haat/accounts:query";
    for good in ["bearer Owner", "Bearer ya29.a0AfB_by", "BEARER ya29.x"] {
        let (status, found) = emulator.as_owner(good, Method::POST, path, json!({})).await;
        assert_eq!((status, &found["recordsCount"]), (200, &json!("2")), "{good}");
    }
    let (status, _) = emulator.as_owner("Bearer ya28.x", Method::POST, path, json!({})).await;
    assert_eq!(status, 401);
}

#[tokio::test]
async fn popup_pages_are_served() {
    let emulator = Emulator::new();
    let shouts = json!({
        "sub": "g-1", "email": "a@haat.example", "email_verified": true, "name": "<b>Rahim</b>",
    });
    emulator.with_provider("google.com", shouts).await;
    let page = async |path: &str| {
        let response = emulator.ask(Request::get(path).body(Body::empty()).unwrap()).await;
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, headers, String::from_utf8(bytes.to_vec()).unwrap())
    };
    let (status, headers, html) =
        page("/emulator/auth/handler?apiKey=any&appName=a&providerId=google.com").await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(headers["cross-origin-opener-policy"], "unsafe-none", "else the popup is cut off");
    assert!(html.contains("a@haat.example") && html.contains("&lt;b&gt;Rahim"), "{html}");
    assert!(html.contains("<title>Auth Emulator"), "{html}");
    let (_, _, other) = page("/emulator/auth/handler?apiKey=any&providerId=facebook.com").await;
    assert!(!other.contains("a@haat.example"));
    assert_eq!(page("/emulator/auth/handler").await.0, StatusCode::BAD_REQUEST);
    let (status, headers, _) = page("/emulator/auth/iframe?apiKey=any&appName=a").await;
    assert_eq!(
        (status, &headers[CONTENT_SECURITY_POLICY]),
        (StatusCode::OK, &"frame-ancestors *".parse().unwrap())
    );
    for script in ["/emulator/auth/handler.js", "/emulator/auth/iframe.js"] {
        let (status, headers, _) = page(script).await;
        assert_eq!(status, StatusCode::OK);
        assert!(headers[CONTENT_TYPE].to_str().unwrap().starts_with("text/javascript"));
    }
}

//! Revoked sessions are refused by every server. The clock does not advance: a token issued in the same millisecond as
//! the revocation is revoked, and one issued after it in that millisecond is valid.

use identity::service_accounts;
use platform::auth::Revocation;
use platform::http_client::HttpClient;
use serde_json::{Value, json};
use server::external_identity::ExternalProject;
use test_support::on_both;

use super::*;

on_both!(TwoServers:
    a_revoked_session_is_refused_by_both_servers,
    an_admin_revokes_sessions_on_both_servers,
    an_external_provider_is_asked_before_export_and_deletion,
);

const PASSWORD: &str = "Secret1!";
const PRODUCT: &str = "tarn-over-ear-headphones";

/// Two servers of one shop, on one database.
struct TwoServers {
    one: TestApp,
    other: TestApp,
}

struct Session {
    uid: String,
    email: String,
    id_token: String,
    refresh_token: String,
    access_token: String,
}

impl TwoServers {
    async fn new(engine: Engine) -> Self {
        let one = TestApp::new(engine).await;
        let other = one.second_server().await;
        Self { one, other }
    }

    /// A customer with a verified address and store credit.
    async fn customer(&self, name: &str) -> Session {
        let email = format!("{name}@haat.example");
        self.one.id_token(&email).await;
        let sql =
            "update accounts set email_verified = $2, revision = revision + 1 where email = $1";
        let TestDb { db, clock, random, .. } = &self.one.given;
        db.query(sql).bind(email.as_str()).bind(true).execute().await.unwrap();
        let session = self.sign_in(&self.other, &email, PASSWORD).await;
        let credit = usd(10_000_000);
        shop::credit::grant(db, clock, random, &session.uid, credit, "A gift").await.unwrap();
        session
    }

    async fn sign_in(&self, server: &TestApp, email: &str, password: &str) -> Session {
        let proof = json!({ "email": email, "password": password, "returnSecureToken": true });
        let entered = server.identity("signInWithPassword", proof).await;
        self.session(server, email, &entered).await
    }

    async fn session(&self, server: &TestApp, email: &str, entered: &Value) -> Session {
        let text = |name: &str| entered[name].as_str().unwrap_or_default().to_owned();
        let id_token = text("idToken");
        let access_token = server.access_token(&id_token, email).await;
        let (uid, refresh_token) = (text("localId"), text("refreshToken"));
        Session { uid, email: email.to_owned(), id_token, refresh_token, access_token }
    }

    /// The status of each sensitive request, on both servers.
    async fn statuses(&self, session: &Session) -> Vec<(String, StatusCode)> {
        let Session { email, id_token, access_token, .. } = session;
        let total = 359;
        let order = json!({ "name": "X", "phone": "01711000001", "address": "Sylhet",
            "lines": [{ "_id": PRODUCT, "qtn": 1 }], "total": total, "credit": total });
        let jwt = format!("/api/user/jwt?email={email}");
        let mut tried = Vec::new();
        for (which, server) in [("one", &self.one), ("other", &self.other)] {
            for (method, path, token, body) in [
                ("GET", jwt.as_str(), id_token, json!({})),
                ("POST", "/api/user", id_token, json!({ "name": "X" })),
                ("GET", "/api/account/data", id_token, json!({})),
                ("GET", "/api/orders", access_token, json!({})),
                ("GET", "/api/credit", access_token, json!({})),
                ("POST", "/api/orders", access_token, order.clone()),
            ] {
                let answer = server.request(method, path, token, body).await;
                tried.push((format!("{method} {path} on {which}"), answer.status));
            }
        }
        tried
    }

    async fn assert_valid(&self, session: &Session) {
        for (what, status) in self.statuses(session).await {
            assert!(status.is_success(), "{}: {what} answers {status}", session.email);
        }
    }

    async fn assert_revoked(&self, how: &str, session: &Session) {
        let mut tried = self.statuses(session).await;
        for server in [&self.one, &self.other] {
            let delete =
                server.request("DELETE", "/api/account", &session.id_token, json!({})).await;
            tried.push(("DELETE /api/account".into(), delete.status));
        }
        for (what, status) in tried {
            assert_eq!(status, StatusCode::UNAUTHORIZED, "after {how}: {what}");
        }
        let refresh =
            json!({ "grantType": "refresh_token", "refreshToken": session.refresh_token });
        let path = "/securetoken.googleapis.com/v1/token?key=haat-storefront";
        let refreshed = self.other.request("POST", path, "", refresh).await;
        assert_eq!(refreshed.status, StatusCode::BAD_REQUEST, "after {how}: {}", refreshed.text());
    }
}

async fn a_revoked_session_is_refused_by_both_servers(shop: TwoServers) {
    let (one, other) = (&shop.one, &shop.other);
    let session = shop.customer("everywhere").await;
    shop.assert_valid(&session).await;
    let ended = one.request("POST", "/auth/devices/end", &session.id_token, json!({})).await;
    assert_eq!(ended.status, StatusCode::OK, "{}", ended.text());
    shop.assert_revoked("signing out everywhere", &session).await;
    shop.assert_valid(&shop.sign_in(other, &session.email, PASSWORD).await).await;

    let session = shop.customer("change").await;
    let elsewhere = shop.sign_in(other, &session.email, PASSWORD).await;
    let change = json!({ "idToken": session.id_token, "password": "Other1!x",
                         "returnSecureToken": true });
    let changed = one.identity("update", change).await;
    shop.assert_revoked("a new password", &session).await;
    shop.assert_revoked("a new password", &elsewhere).await;
    shop.assert_valid(&shop.session(other, &session.email, &changed).await).await;
    shop.assert_valid(&shop.sign_in(other, &session.email, "Other1!x").await).await;

    let session = shop.customer("reset").await;
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": session.email });
    one.identity("sendOobCode", ask).await;
    let code = one.code(&session.email, "email.resetSubject").await;
    one.identity("resetPassword", json!({ "oobCode": code, "newPassword": "Other1!x" })).await;
    shop.assert_revoked("a reset", &session).await;
    shop.assert_valid(&shop.sign_in(other, &session.email, "Other1!x").await).await;

    let session = shop.customer("factor").await;
    let elsewhere = shop.sign_in(other, &session.email, PASSWORD).await;
    let renewed = enrol_a_phone(one, &session).await;
    shop.assert_revoked("a new second factor", &session).await;
    shop.assert_revoked("a new second factor", &elsewhere).await;
    shop.assert_valid(&shop.session(other, &session.email, &renewed).await).await;

    // Somebody registered with another's address: verification by the owner ends those sessions.
    let email = "squatted@haat.example";
    let body = json!({ "email": email, "password": PASSWORD, "returnSecureToken": true });
    let new = one.identity("signUp", body).await;
    let squatter = shop.session(one, email, &new).await;
    let ask = json!({ "requestType": "EMAIL_SIGNIN", "email": email, "canHandleCodeInApp": true,
                      "continueUrl": "https://haat.example/" });
    one.identity("sendOobCode", ask).await;
    let code = one.code(email, "email.signInSubject").await;
    let entered = one.identity("signInWithEmailLink", json!({ "email": email, "oobCode": code }));
    let owner = shop.session(other, email, &entered.await).await;
    shop.assert_revoked("the owner's sign-in", &squatter).await;
    let orders = other.request("GET", "/api/orders", &owner.access_token, json!({})).await;
    assert_eq!(orders.status, StatusCode::OK, "{}", orders.text());

    let session = shop.customer("deleted").await;
    one.identity("delete", json!({ "idToken": session.id_token })).await;
    shop.assert_revoked("the account's deletion", &session).await;
}

/// Enrols a phone as the second factor, and returns the new tokens.
async fn enrol_a_phone(server: &TestApp, session: &Session) -> Value {
    let call = async |verb: &str, body: Value| {
        let path =
            format!("/identitytoolkit.googleapis.com/v2/accounts/{verb}?key=haat-storefront");
        let answer = server.request("POST", &path, "", body).await;
        assert_eq!(answer.status, StatusCode::OK, "{verb}: {}", answer.text());
        answer.json()
    };
    let number = json!({ "phoneNumber": "+8801711000009" });
    let start = json!({ "idToken": session.id_token, "phoneEnrollmentInfo": number });
    let info = call("mfaEnrollment:start", start).await["phoneSessionInfo"]["sessionInfo"].clone();
    let sql = "select payload from jobs where kind = 'sms.send'";
    let (sent,): (String,) = server.given.db.query(sql).one().await.unwrap();
    let sent: Value = serde_json::from_str(&sent).unwrap();
    let code: String = sent["text"]["text"].as_str().unwrap().chars().take(6).collect();
    let proof = json!({ "sessionInfo": info, "code": code });
    let finish = json!({ "idToken": session.id_token, "phoneVerificationInfo": proof });
    call("mfaEnrollment:finalize", finish).await
}

async fn an_admin_revokes_sessions_on_both_servers(shop: TwoServers) {
    let (one, other) = (&shop.one, &shop.other);
    let TestDb { db, clock, random, .. } = &one.given;
    let file = service_accounts::create(db, clock, random, "haat", "tests").await.unwrap();
    let bearer = service_accounts::bearer_token(&file, clock).unwrap();
    let call = async |verb: &str, body: Value| {
        let path = format!("/identitytoolkit.googleapis.com/v1/projects/haat/accounts:{verb}");
        let answer = one.request("POST", &path, &bearer, body).await;
        assert_eq!(answer.status, StatusCode::OK, "{verb}: {}", answer.text());
    };

    // As the Admin SDK revokes refresh tokens: in whole seconds, possibly twice within one.
    let mut session = shop.customer("revoked").await;
    clock.advance(std::time::Duration::from_millis(300));
    for _ in 0..2 {
        shop.assert_valid(&session).await;
        let seconds = clock.now().0 / 1000;
        call("update", json!({ "localId": session.uid, "validSince": seconds })).await;
        shop.assert_revoked("revokeRefreshTokens", &session).await;
        session = shop.sign_in(other, &session.email, PASSWORD).await;
    }
    // An earlier time does not restore anything.
    let (before, seconds) = (session, clock.now().0 / 1000 - 60);
    call("update", json!({ "localId": before.uid, "validSince": seconds })).await;
    shop.assert_revoked("an earlier validSince", &before).await;

    let session = shop.sign_in(other, &before.email, PASSWORD).await;
    shop.assert_valid(&session).await;
    call("update", json!({ "localId": session.uid, "password": "Other1!x" })).await;
    shop.assert_revoked("an admin's new password", &session).await;

    let session = shop.sign_in(other, &session.email, "Other1!x").await;
    call("update", json!({ "localId": session.uid, "email": "moved@haat.example" })).await;
    shop.assert_revoked("a new address", &session).await;

    let session = shop.sign_in(other, "moved@haat.example", "Other1!x").await;
    call("update", json!({ "localId": session.uid, "disableUser": true })).await;
    shop.assert_revoked("being disabled", &session).await;

    // A reused id is a new account.
    let session = shop.customer("deleted").await;
    call("delete", json!({ "localId": session.uid })).await;
    shop.assert_revoked("the account's deletion", &session).await;
    clock.advance(std::time::Duration::from_millis(1));
    let path = "/identitytoolkit.googleapis.com/v1/projects/haat/accounts";
    let again = json!({ "localId": session.uid, "email": session.email, "password": PASSWORD });
    let made = one.request("POST", path, &bearer, again).await;
    assert_eq!(made.status, StatusCode::OK, "{}", made.text());
    shop.assert_revoked("another account of the same id", &session).await;
}

async fn an_external_provider_is_asked_before_export_and_deletion(shop: TwoServers) {
    // The other server's identity service as the external provider.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let routes = identity::router(shop.other.identity.clone());
    let serving = tokio::spawn(async move { axum::serve(listener, routes).await });
    let project = ExternalProject {
        project_id: "haat".into(),
        api_key: "haat-storefront".into(),
        auth_domain: "haat.example".into(),
        keys_url: format!("{url}/auth/jwks.json"),
        url: Some(url),
    };
    let hosted = || match project.revocation(HttpClient::new()) {
        Revocation::Hosted(is_good) => is_good,
        _ => panic!("expected a hosted provider"),
    };
    let is_good = hosted();
    let session = shop.customer("hosted").await;
    let now = shop.one.given.clock.now().0 / 1000;
    assert!(is_good(session.id_token.clone(), now).await.unwrap());
    assert!(!is_good(format!("{}x", session.id_token), now).await.unwrap());
    shop.one.request("POST", "/auth/devices/end", &session.id_token, json!({})).await;
    assert!(!is_good(session.id_token.clone(), now).await.unwrap());
    // A provider that does not respond means refusal. With a new client: a connection that was kept open may
    // still be answered for a moment.
    serving.abort();
    let _ = serving.await;
    let silent = hosted()(session.id_token, now).await;
    assert!(matches!(silent, Err(platform::Error::Unavailable(_))), "{silent:?}");
}

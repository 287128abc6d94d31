use serde_json::{Value, json};
use test_support::on_both;

use super::*;

on_both!(TestApp:
    a_customer_is_saved_without_a_password_and_gets_an_access_token,
    a_customer_cannot_access_another_customer,
    id_and_access_tokens_are_not_interchangeable,
    an_access_token_expires,
);

impl TestApp {
    pub async fn request(
        &self,
        method: &str,
        path: &str,
        token: &str,
        body: Value,
    ) -> TestResponse {
        let mut request = Request::builder().method(method).uri(path);
        if !token.is_empty() {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        request = request.header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// The ID token of a new account.
    pub async fn id_token(&self, email: &str) -> String {
        let path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=haat-storefront";
        let body = json!({ "email": email, "password": "Secret1!" });
        let answer = self.request("POST", path, "", body).await;
        answer.json()["idToken"].as_str().unwrap().to_owned()
    }

    pub async fn access_token(&self, id_token: &str, email: &str) -> String {
        let path = format!("/api/user/jwt?email={email}");
        let answer = self.request("GET", &path, id_token, json!({})).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        answer.json()["accessToken"].as_str().unwrap().to_owned()
    }
}

async fn a_customer_is_saved_without_a_password_and_gets_an_access_token(app: TestApp) {
    let id_token = app.id_token("rahim@haat.example").await;
    let body = json!({ "name": "Rahim", "email": "Rahim@haat.example", "password": "Secret1!" });
    let saved = app.request("POST", "/api/user", &id_token, body).await;
    assert_eq!(saved.status, StatusCode::CREATED, "{}", saved.text());
    assert_eq!(
        (&saved.json()["name"], &saved.json()["email"]),
        (&json!("Rahim"), &json!("rahim@haat.example"))
    );
    assert!(!saved.text().contains("Secret1!"));
    // Without a name, as a social sign-in sends it, the known name stays.
    let again =
        app.request("POST", "/api/user", &id_token, json!({ "name": "", "email": "" })).await;
    assert_eq!(again.json()["name"], "Rahim");

    let token = app.access_token(&id_token, "rahim@haat.example").await;
    let body = json!({ "displayName": "Rahim Uddin", "email": "rahim@haat.example" });
    let renamed = app.request("PUT", "/api/user/rahim@haat.example", &token, body).await;
    assert_eq!(renamed.json()["name"], "Rahim Uddin", "{}", renamed.text());
    for wrong in [
        json!({}),
        json!({ "displayName": "" }),
        json!({ "displayName": "x".repeat(300) }),
        json!([]),
    ] {
        let answer =
            app.request("PUT", "/api/user/rahim@haat.example", &token, wrong.clone()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}

async fn a_customer_cannot_access_another_customer(app: TestApp) {
    let mine = app.id_token("a@haat.example").await;
    let theirs = app.id_token("b@haat.example").await;
    let my_access = app.access_token(&mine, "a@haat.example").await;
    let name = json!({ "displayName": "Mallory", "name": "Mallory", "email": "b@haat.example" });
    for (method, path, token) in [
        ("GET", "/api/user/jwt?email=b@haat.example", &mine),
        ("POST", "/api/user", &mine),
        ("PUT", "/api/user/b@haat.example", &my_access),
    ] {
        let foreign = app.request(method, path, token, name.clone()).await;
        assert_eq!(foreign.status, StatusCode::FORBIDDEN, "{method} {path}");
        for bad in ["", "x", "a.b.c", &format!("{token}x")] {
            let answer = app.request(method, path, bad, name.clone()).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{method} {path} {bad}");
            assert_eq!(answer.json()["error"]["code"], "unauthenticated");
        }
    }
    app.access_token(&theirs, "b@haat.example").await;
}

async fn id_and_access_tokens_are_not_interchangeable(app: TestApp) {
    let id_token = app.id_token("a@haat.example").await;
    let access = app.access_token(&id_token, "a@haat.example").await;
    let name = json!({ "displayName": "A" });
    let put = app.request("PUT", "/api/user/a@haat.example", &id_token, name).await;
    assert_eq!(put.status, StatusCode::UNAUTHORIZED);
    let jwt = app.request("GET", "/api/user/jwt?email=a@haat.example", &access, json!({})).await;
    assert_eq!(jwt.status, StatusCode::UNAUTHORIZED);
}

async fn an_access_token_expires(app: TestApp) {
    let id_token = app.id_token("a@haat.example").await;
    let access = app.access_token(&id_token, "a@haat.example").await;
    app.given.clock.advance(std::time::Duration::from_secs(15 * 60));
    let name = json!({ "displayName": "A" });
    let put = app.request("PUT", "/api/user/a@haat.example", &access, name.clone()).await;
    assert_eq!(put.status, StatusCode::UNAUTHORIZED);
    let access = app.access_token(&id_token, "a@haat.example").await;
    let put = app.request("PUT", "/api/user/a@haat.example", &access, name).await;
    assert_eq!(put.status, StatusCode::OK);
    app.given.clock.advance(std::time::Duration::from_secs(3600));
    let jwt = app.request("GET", "/api/user/jwt?email=a@haat.example", &id_token, json!({})).await;
    assert_eq!(jwt.status, StatusCode::UNAUTHORIZED);
}

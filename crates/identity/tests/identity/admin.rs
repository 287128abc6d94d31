use axum::http::header::AUTHORIZATION;
use base64::engine::general_purpose::STANDARD;
use identity::service_accounts;
use test_support::on_both;

use super::custom_tokens::key_file;
use super::*;

on_both!(Service:
    admin_creates_finds_updates_and_deletes_accounts,
    account_lists_are_paginated,
    only_service_accounts_may_use_the_admin_api,
    imported_hashes_are_replaced_at_the_first_sign_in,
    import_reports_invalid_users,
    overwriting_import_ends_sessions_only_if_it_succeeds,
    admin_revokes_tokens_and_disables_accounts,
    custom_claims_are_set_and_limited,
    session_cookie_is_created_from_an_id_token,
    admin_gets_the_link_and_no_email_is_sent,
);

/// A service account's calls of the Admin API.
pub struct Admin<'s> {
    service: &'s Service,
    pub bearer: String,
}

impl<'s> Admin<'s> {
    pub async fn new(service: &'s Service) -> Self {
        let file = key_file(service, "haat").await.to_string();
        let bearer = service_accounts::bearer_token(&file, &service.given.clock).unwrap();
        Self { service, bearer }
    }

    pub async fn call(&self, path: &str, body: Value) -> (u16, Value) {
        let path = format!("/identitytoolkit.googleapis.com/v1/projects/haat{path}");
        let request = if body.is_null() { Request::get(path) } else { Request::post(path) };
        let request = request.header(AUTHORIZATION, format!("Bearer {}", self.bearer));
        self.service.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub async fn ok(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.call(path, body).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    pub async fn refused(&self, path: &str, body: Value) -> String {
        let (status, answer) = self.call(path, body).await;
        assert_eq!(status, 400, "{path}: {answer}");
        answer["error"]["message"].as_str().unwrap().to_owned()
    }
}

async fn admin_creates_finds_updates_and_deletes_accounts(service: Service) {
    let admin = Admin::new(&service).await;
    let wanted = json!({
        "localId": "chosen", "email": "A@haat.example", "password": PASSWORD,
        "displayName": "Rahim", "phoneNumber": "+8801711223344", "emailVerified": true,
    });
    assert_eq!(admin.ok("/accounts", wanted).await["localId"], "chosen");
    for (body, words) in [
        (json!({ "localId": "chosen" }), "DUPLICATE_LOCAL_ID"),
        (json!({ "email": "a@haat.example" }), "EMAIL_EXISTS"),
        (json!({ "phoneNumber": "+8801711223344" }), "PHONE_NUMBER_EXISTS"),
        (json!({ "localId": "u".repeat(129) }), "INVALID_LOCAL_ID"),
        (json!({ "email": "none" }), "INVALID_EMAIL"),
    ] {
        assert_eq!(admin.refused("/accounts", body).await, words);
    }
    for known_by in [
        json!({ "localId": ["chosen"] }),
        json!({ "email": ["A@HAAT.example"] }),
        json!({ "phoneNumber": ["+8801711223344"] }),
    ] {
        let found = admin.ok("/accounts:lookup", known_by).await;
        assert_eq!(found["users"][0]["displayName"], "Rahim");
        assert_eq!(found["users"][0]["passwordHash"], "UkVEQUNURUQ=", "no hash is shown");
    }
    let info = json!({ "providerId": "google.com", "rawId": "g-1" });
    let link = json!({ "localId": "chosen", "linkProviderUserInfo": info });
    admin.ok("/accounts:update", link).await;
    let by_provider = json!({ "federatedUserId": [info] });
    assert_eq!(admin.ok("/accounts:lookup", by_provider).await["users"][0]["localId"], "chosen");
    let mfa =
        json!({ "enrollments": [{ "phoneInfo": "+8801711000000", "mfaEnrollmentId": "f-1" }] });
    admin.ok("/accounts:update", json!({ "localId": "chosen", "mfa": mfa })).await;
    assert!(service.sign_in("a@haat.example").await.get("mfaPendingCredential").is_some());
    admin.ok("/accounts:update", json!({ "localId": "chosen", "mfa": {} })).await;
    assert!(service.sign_in("a@haat.example").await.get("idToken").is_some());
    admin.ok("/accounts:delete", json!({ "localId": "chosen" })).await;
    assert_eq!(
        admin.refused("/accounts:delete", json!({ "localId": "chosen" })).await,
        "USER_NOT_FOUND"
    );
}

async fn account_lists_are_paginated(service: Service) {
    let admin = Admin::new(&service).await;
    for n in 0..7 {
        admin.ok("/accounts", json!({ "localId": format!("user-{n}"), "disabled": n > 4 })).await;
    }
    let (mut seen, mut next) = (Vec::new(), String::new());
    loop {
        let path = format!("/accounts:batchGet?maxResults=3&nextPageToken={next}");
        let page = admin.ok(&path, Value::Null).await;
        seen.extend(
            page["users"].as_array().unwrap().iter().map(|user| text(user, "localId").to_owned()),
        );
        match page["nextPageToken"].as_str() {
            Some(token) => next = token.to_owned(),
            None => break,
        }
    }
    assert_eq!(seen, (0..7).map(|n| format!("user-{n}")).collect::<Vec<_>>());
    let found =
        admin.ok("/accounts:query", json!({ "order": "DESC", "limit": 2, "offset": 1 })).await;
    assert_eq!(found["recordsCount"], "7");
    assert_eq!(found["userInfo"][0]["localId"], "user-5");
    let delete = json!({ "localIds": ["user-0", "user-5", "nobody"] });
    let done = admin.ok("/accounts:batchDelete", delete).await;
    assert_eq!(done["errors"].as_array().unwrap().len(), 1, "{done}");
    let delete = json!({ "localIds": ["user-0"], "force": true });
    assert_eq!(admin.ok("/accounts:batchDelete", delete).await, json!({}));
    assert_eq!(
        admin.ok("/accounts:query", json!({ "returnUserInfo": false })).await["recordsCount"],
        "5"
    );
}

async fn only_service_accounts_may_use_the_admin_api(service: Service) {
    let user = service.sign_up("a@haat.example").await;
    let file = key_file(&service, "haat").await.to_string();
    let old = service_accounts::bearer_token(&file, &service.given.clock).unwrap();
    let other = Service::new(test_support::Engine::Sqlite).await;
    let foreign = key_file(&other, "haat").await.to_string();
    let foreign = service_accounts::bearer_token(&foreign, &service.given.clock).unwrap();
    service.advance(3600 + 61);
    let good = service_accounts::bearer_token(&file, &service.given.clock).unwrap();
    let id_token = text(&user, "idToken").to_owned();
    let calls = [
        ("/accounts", json!({})),
        ("/accounts:lookup", json!({ "localId": [user["localId"]] })),
        ("/accounts:update", json!({ "localId": user["localId"], "disableUser": true })),
        ("/accounts:delete", json!({ "localId": user["localId"] })),
        ("/accounts:batchGet", Value::Null),
        ("/accounts:batchCreate", json!({ "users": [{ "localId": "x" }] })),
        ("/accounts:batchDelete", json!({ "localIds": [user["localId"]], "force": true })),
        ("/accounts:query", json!({})),
        (":createSessionCookie", json!({ "idToken": id_token, "validDuration": "600" })),
    ];
    for bearer in ["owner", "ya29.token", "", "garbage", &old, &foreign, &id_token] {
        let admin = Admin { service: &service, bearer: bearer.to_owned() };
        for (path, body) in &calls {
            assert_eq!(admin.call(path, body.clone()).await.0, 401, "{path} by {bearer:.20}");
        }
    }
    // With the API key alone it is a client, which may not name a project.
    for (path, body) in &calls {
        let path = format!("/identitytoolkit.googleapis.com/v1/projects/haat{path}?key=key");
        let request = if body.is_null() { Request::get(path) } else { Request::post(path) };
        let (status, answer) =
            service.send(request.body(Body::from(body.to_string())).unwrap()).await;
        assert_eq!(status, 400, "{answer}");
        let why = answer["error"]["message"].as_str().unwrap();
        assert!(why.starts_with("INSUFFICIENT_PERMISSION"), "{why}");
    }
    let admin = Admin { service: &service, bearer: good };
    assert_eq!(admin.call("/accounts:query", json!({})).await.1["recordsCount"], "1");
    let elsewhere = "/identitytoolkit.googleapis.com/v1/projects/elsewhere/accounts:query";
    let request =
        Request::post(elsewhere).header(AUTHORIZATION, format!("Bearer {}", admin.bearer));
    assert_eq!(service.send(request.body(Body::from("{}")).unwrap()).await.0, 403);
}

async fn imported_hashes_are_replaced_at_the_first_sign_in(service: Service) {
    let admin = Admin::new(&service).await;
    let imports = [
        (
            "user1password",
            json!({
                "hashAlgorithm": "SCRYPT", "rounds": 8, "memoryCost": 14, "saltSeparator": "Bw==",
                "signerKey": "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
                "users": [{
                    "localId": "scrypt", "email": "scrypt@haat.example", "salt": "42xEC+ixf3L2lw==",
                    "passwordHash": "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
                }],
            }),
        ),
        (
            "password",
            json!({
                "hashAlgorithm": "BCRYPT",
                "users": [{
                    "localId": "bcrypt", "email": "bcrypt@haat.example",
                    "passwordHash": STANDARD.encode("$2b$04$QKjjttxo238N2iKuhAsalOU1ToBnF.mXVxQ.FSqWSftTTaSa4ug5a"),
                }],
            }),
        ),
        (
            "password",
            json!({
                "hashAlgorithm": "ARGON2",
                "users": [{
                    "localId": "argon2", "email": "argon2@haat.example",
                    "passwordHash": STANDARD.encode(
                        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
                    ),
                }],
            }),
        ),
    ];
    for (password, import) in imports {
        let name = text(&import["users"][0], "localId").to_owned();
        let done = admin.ok("/accounts:batchCreate", import).await;
        assert_eq!(done["error"], json!([]), "{name}");
        let hash_of = async || {
            let query = service.given.db.query("select password_hash from accounts where id = $1");
            let (hash,): (String,) = query.bind(name.as_str()).one().await.unwrap();
            hash
        };
        let before = hash_of().await;
        assert!(before.starts_with("foreign:"), "{before}");
        let email = format!("{name}@haat.example");
        let wrong = json!({ "email": email, "password": "something else" });
        assert_eq!(service.refused("signInWithPassword", wrong).await, "INVALID_LOGIN_CREDENTIALS");
        let right = json!({ "email": email, "password": password });
        let first = service.ok("signInWithPassword", right.clone()).await;
        let hash = hash_of().await;
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        service.ok("signInWithPassword", right).await;
        let (status, _) = service.refresh(text(&first, "refreshToken")).await;
        assert_eq!(status, 200, "the upgrade signs nobody out");
    }
}

async fn import_reports_invalid_users(service: Service) {
    let admin = Admin::new(&service).await;
    service.sign_up("taken@haat.example").await;
    let users = json!([
        { "localId": "good", "email": "good@haat.example" },
        { "email": "no-id@haat.example" },
        { "localId": "bad", "email": "none" },
        { "localId": "taken", "email": "taken@haat.example" },
        { "localId": "hash", "passwordHash": "aGFzaA==" },
        { "localId": "fine" },
        { "localId": "fake", "passwordHash": "fakeHash:salt=a:password=Secret1!", "salt": "a" },
    ]);
    let done = admin.ok("/accounts:batchCreate", json!({ "users": users })).await;
    let wrong: Vec<u64> = done["error"]
        .as_array()
        .unwrap()
        .iter()
        .map(|why| why["index"].as_u64().unwrap())
        .collect();
    assert_eq!(wrong, [1, 2, 3, 4, 6]);
    assert_eq!(admin.ok("/accounts:query", json!({})).await["recordsCount"], "3");
    let again = json!({ "users": [{ "localId": "good", "email": "else@haat.example" }] });
    assert_eq!(
        admin.ok("/accounts:batchCreate", again).await["error"].as_array().unwrap().len(),
        1
    );
    let many: Vec<Value> = (0..1001).map(|n| json!({ "localId": format!("u{n}") })).collect();
    let refused = admin.refused("/accounts:batchCreate", json!({ "users": many })).await;
    assert!(refused.starts_with("MAXIMUM_USER_COUNT_EXCEEDED"), "{refused}");
}

async fn overwriting_import_ends_sessions_only_if_it_succeeds(service: Service) {
    let admin = Admin::new(&service).await;
    service.sign_up("taken@haat.example").await;
    let user = service.sign_up("a@haat.example").await;
    let overwrite = async |email: &str| {
        let users = json!([{ "localId": user["localId"], "email": email }]);
        let body = json!({ "users": users, "allowOverwrite": true });
        admin.ok("/accounts:batchCreate", body).await["error"].as_array().unwrap().len()
    };
    assert_eq!(overwrite("taken@haat.example").await, 1);
    assert_eq!(service.refresh(text(&user, "refreshToken")).await.0, 200);
    assert_eq!(overwrite("b@haat.example").await, 0);
    assert_eq!(service.refresh(text(&user, "refreshToken")).await.0, 400);
}

async fn admin_revokes_tokens_and_disables_accounts(service: Service) {
    let admin = Admin::new(&service).await;
    let user = service.sign_up("a@haat.example").await;
    service.advance(2);
    let now = (service.given.clock.now().0 / 1000).to_string();
    admin.ok("/accounts:update", json!({ "localId": user["localId"], "validSince": now })).await;
    let look = json!({ "idToken": user["idToken"] });
    assert_eq!(service.refused("lookup", look).await, "TOKEN_EXPIRED");
    assert_eq!(service.refresh(text(&user, "refreshToken")).await.0, 400);
    let again = service.sign_in("a@haat.example").await;
    admin.ok("/accounts:update", json!({ "localId": user["localId"], "disableUser": true })).await;
    let (_, refused) = service.refresh(text(&again, "refreshToken")).await;
    assert_eq!(refused["error"]["message"], "USER_DISABLED");
    let right = json!({ "email": "a@haat.example", "password": PASSWORD });
    assert_eq!(service.refused("signInWithPassword", right).await, "USER_DISABLED");
    // Without the password, the error does not reveal that the account is disabled.
    let wrong = json!({ "email": "a@haat.example", "password": "Wrong1!!" });
    assert_eq!(service.refused("signInWithPassword", wrong).await, "INVALID_LOGIN_CREDENTIALS");
}

async fn custom_claims_are_set_and_limited(service: Service) {
    let admin = Admin::new(&service).await;
    let user = service.sign_up("a@haat.example").await;
    let set = |claims: &str| json!({ "localId": user["localId"], "customAttributes": claims });
    admin.ok("/accounts:update", set(r#"{"role":"clerk"}"#)).await;
    let (_, renewed) = service.refresh(text(&user, "refreshToken")).await;
    assert_eq!(claims(text(&renewed, "id_token"))["role"], "clerk");
    for (claims, words) in [
        (r#"{"sub":"x"}"#.to_owned(), "FORBIDDEN_CLAIM : sub"),
        ("[]".into(), "INVALID_CLAIMS"),
        (format!(r#"{{"a":"{}"}}"#, "x".repeat(1000)), "CLAIMS_TOO_LARGE"),
    ] {
        assert_eq!(admin.refused("/accounts:update", set(&claims)).await, words);
    }
    let own = json!({ "idToken": user["idToken"], "customAttributes": r#"{"role":"owner"}"# });
    assert_eq!(service.refused("update", own).await, "INSUFFICIENT_PERMISSION");
}

async fn session_cookie_is_created_from_an_id_token(service: Service) {
    let admin = Admin::new(&service).await;
    let user = service.sign_up("a@haat.example").await;
    let ask = |seconds: &str| json!({ "idToken": user["idToken"], "validDuration": seconds });
    let cookie = admin.ok(":createSessionCookie", ask("600")).await;
    let cookie = text(&cookie, "sessionCookie");
    let claims = claims(cookie);
    assert_eq!(claims["iss"], "https://session.firebase.google.com/haat");
    assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 600);
    // A session cookie is not an ID token.
    let refused = service.refused("lookup", json!({ "idToken": cookie })).await;
    assert_eq!(refused, "INVALID_ID_TOKEN");
    for seconds in ["299", "1209601", "-1"] {
        assert_eq!(admin.refused(":createSessionCookie", ask(seconds)).await, "INVALID_DURATION");
    }
}

async fn admin_gets_the_link_and_no_email_is_sent(service: Service) {
    let admin = Admin::new(&service).await;
    service.sign_up("a@haat.example").await;
    let ask = json!({
        "requestType": "PASSWORD_RESET", "email": "a@haat.example", "returnOobLink": true,
    });
    let made = admin.ok("/accounts:sendOobCode", ask.clone()).await;
    assert!(
        text(&made, "oobLink").starts_with("https://haat.example/auth/action?mode=resetPassword")
    );
    assert_eq!(service.emails().await, []);
    let reset = json!({ "oobCode": made["oobCode"], "newPassword": "Another1!" });
    service.ok("resetPassword", reset).await;
    assert_eq!(service.refused("sendOobCode", ask).await, "INSUFFICIENT_PERMISSION");
}

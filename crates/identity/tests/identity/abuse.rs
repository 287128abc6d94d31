use test_support::on_both;

use super::admin::Admin;
use super::*;

on_both!(Service:
    password_guessing_is_delayed_but_known_devices_are_not_locked_out,
    one_network_is_limited_before_the_account_is,
    password_guessing_is_limited_per_network,
    unknown_address_and_wrong_password_get_the_same_error,
    malformed_requests_get_protocol_errors,
    malformed_requests_of_other_operations_get_protocol_errors,
    concurrent_updates_do_not_overwrite_each_other,
    other_calls_do_not_reset_the_password_limit,
    probing_for_accounts_is_limited,
    sign_ups_are_limited_per_network,
    common_passwords_are_rejected,
    constant_name_changes_do_not_block_a_password_reset,
    tokens_of_other_servers_are_rejected,
    security_events_are_recorded,
);

fn credentials(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password })
}

fn address(n: u32) -> IpAddr {
    IpAddr::from(Ipv4Addr::from(0x0a00_0000 + n))
}

impl Service {
    /// Signs in from an IP address with a cookie; returns the error (or "ok") and the new cookie.
    async fn try_sign_in(&self, from: u32, password: &str, cookie: &str) -> (String, String) {
        let path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=key";
        let body = credentials("a@haat.example", password).to_string();
        let request = Request::post(path).header("cookie", cookie);
        let mut request = request.body(Body::from(body)).unwrap();
        request.extensions_mut().insert(ClientIp(address(from)));
        let response = self.routes.clone().oneshot(request).await.unwrap();
        let cookie = response.headers().get("set-cookie").map(|cookie| cookie.to_str().unwrap());
        let cookie = cookie.unwrap_or_default().to_owned();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let answer: Value = serde_json::from_slice(&bytes).unwrap();
        let why = answer["error"]["message"].as_str().unwrap_or("ok");
        (why.split(' ').next().unwrap().to_owned(), cookie)
    }
}

async fn password_guessing_is_delayed_but_known_devices_are_not_locked_out(service: Service) {
    service.verified_user("a@haat.example").await;
    let (result, cookie) = service.try_sign_in(900, PASSWORD, "theme=dark").await;
    assert_eq!(result, "ok");
    for part in ["haat_device=", "; HttpOnly", "; SameSite=Strict", "; Secure"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("haat.example"), "{cookie}");
    let known = cookie.split(';').next().unwrap();

    let mut checked = 0;
    for n in 0..70 {
        let (why, cookie) = service.try_sign_in(n, "Wrong1!", "").await;
        assert!(cookie.is_empty(), "{cookie}");
        checked += usize::from(why == "INVALID_LOGIN_CREDENTIALS");
    }
    assert_eq!(checked, 50);
    let limited = "TOO_MANY_ATTEMPTS_TRY_LATER";
    assert_eq!(service.try_sign_in(901, PASSWORD, "").await.0, limited);
    let forged = format!("{}AAAA", &known[..known.len() - 4]);
    assert_eq!(service.try_sign_in(901, PASSWORD, &forged).await.0, limited);
    // On a known device, attempts of others do not count, from any network.
    assert_eq!(service.try_sign_in(901, PASSWORD, known).await.0, "ok");
    // Elsewhere attempts are allowed after growing delays.
    service.advance(2);
    assert_eq!(service.try_sign_in(902, "Wrong1!", "").await.0, "INVALID_LOGIN_CREDENTIALS");
    service.advance(2);
    assert_eq!(service.try_sign_in(903, PASSWORD, "").await.0, limited);
    service.advance(2);
    assert_eq!(service.try_sign_in(903, PASSWORD, "").await.0, "ok");
    // A known device has a limit, too.
    for n in 0..12 {
        let (why, _) = service.try_sign_in(904, "Wrong1!", known).await;
        assert_eq!(why, if n < 10 { "INVALID_LOGIN_CREDENTIALS" } else { limited }, "{n}");
    }
}

async fn one_network_is_limited_before_the_account_is(service: Service) {
    service.sign_up("a@haat.example").await;
    let mut checked = 0;
    for _ in 0..12 {
        for _ in 0..20 {
            let (why, _) = service.try_sign_in(1, "Wrong1!", "").await;
            checked += usize::from(why == "INVALID_LOGIN_CREDENTIALS");
        }
        service.advance(5 * 60);
    }
    assert!((15..40).contains(&checked), "{checked} in an hour");
    assert_eq!(service.try_sign_in(2, PASSWORD, "").await.0, "ok");
}

async fn password_guessing_is_limited_per_network(service: Service) {
    service.sign_up("a@haat.example").await;
    let mut checked = 0;
    for n in 0..1000 {
        let guess = credentials(&format!("somebody{n}@haat.example"), "Wrong1!");
        let why = service.refused("signInWithPassword", guess).await;
        checked += usize::from(why == "INVALID_LOGIN_CREDENTIALS");
    }
    assert_eq!(checked, 60);
    service.advance(5 * 60 + 1);
    service.ok("signInWithPassword", credentials("a@haat.example", PASSWORD)).await;
    // Successful sign-ins do not count.
    for _ in 0..80 {
        service.ok("signInWithPassword", credentials("a@haat.example", PASSWORD)).await;
    }
}

async fn unknown_address_and_wrong_password_get_the_same_error(service: Service) {
    service.sign_up("a@haat.example").await;
    let wrong = service.call("signInWithPassword", credentials("a@haat.example", "Wrong1!")).await;
    let unknown =
        service.call("signInWithPassword", credentials("b@haat.example", "Wrong1!")).await;
    assert_eq!(wrong, unknown);
}

async fn malformed_requests_get_protocol_errors(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let verbs = [
        "signUp",
        "signInWithPassword",
        "lookup",
        "update",
        "delete",
        "sendOobCode",
        "resetPassword",
        "signInWithEmailLink",
        "createAuthUri",
        "nothing",
    ];
    let fields = [
        "email",
        "password",
        "idToken",
        "oobCode",
        "newPassword",
        "requestType",
        "newEmail",
        "displayName",
        "photoUrl",
        "deleteAttribute",
        "deleteProvider",
        "identifier",
        "continueUri",
        "continueUrl",
        "tenantId",
    ];
    let huge = "x".repeat(100_000);
    let values = [
        json!(null),
        json!(""),
        json!(" "),
        json!("\u{0}"),
        json!("💥"),
        json!(huge),
        json!(-1),
        json!(1e300),
        json!(true),
        json!([]),
        json!(["a", 1]),
        json!({}),
        json!({ "a": { "b": [] } }),
        new["idToken"].clone(),
        json!("eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0."),
    ];
    let mut answers = 0;
    for verb in verbs {
        for field in fields {
            for value in &values {
                let mut body = json!({ "email": "b@haat.example", "password": "Wrong1!" });
                body[field] = value.clone();
                if verb == "delete" && field == "idToken" && value == &new["idToken"] {
                    continue; // that one is right
                }
                let (status, answer) = service.call(verb, body).await;
                answers += 1;
                assert!(status == 200 || (400..500).contains(&status), "{verb} {field}: {status}");
                if status != 200 {
                    assert_eq!(answer["error"]["code"], status, "{verb} {field}: {answer}");
                    assert!(!text(&answer["error"], "message").is_empty(), "{verb} {field}");
                }
                let shown = answer.to_string();
                let foreign = shown.contains("a@haat.example") && value != &new["idToken"];
                assert!(!foreign, "{verb} {field}: {shown}");
            }
        }
    }
    assert!(answers > 2000);
    for raw in ["", "{", "[]", "null", "\u{0}", "{\"email\":", "{\"a\":1}x", "\"text\""] {
        let path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=key";
        let (status, answer) =
            service.send(Request::post(path).body(Body::from(raw)).unwrap()).await;
        assert_eq!((status, &answer["error"]["code"]), (400, &json!(400)), "{raw}");
        let path = "/securetoken.googleapis.com/v1/token?key=key";
        let (status, answer) =
            service.send(Request::post(path).body(Body::from(raw)).unwrap()).await;
        assert_eq!((status, &answer["error"]["code"]), (400, &json!(400)), "{raw}");
    }
    let path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=key";
    let big = Request::post(path).body(Body::from(vec![b'x'; 300 << 10])).unwrap();
    assert_eq!(service.send(big).await.0, 413);
}

async fn malformed_requests_of_other_operations_get_protocol_errors(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let mine = service.sign_up("mine@haat.example").await;
    let admin = Admin::new(&service).await;
    let huge = "x".repeat(50_000);
    let values = [
        json!(null),
        json!(""),
        json!("\u{0}"),
        json!("💥"),
        json!(huge),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(1e300),
        json!(true),
        json!([]),
        json!([null]),
        json!(["a", 1, {}]),
        json!({}),
        json!([{ "a": 1 }]),
        json!({ "sessionInfo": "a", "code": 1, "verificationCode": [], "phoneNumber": "+1" }),
        json!({ "enrollments": [{ "phoneInfo": 7 }], "providerId": 1, "rawId": {} }),
        json!([{ "localId": "u", "email": 5, "phoneNumber": "x", "mfaInfo": [{}], "createdAt": -1 }]),
        mine["idToken"].clone(),
        json!("eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4IiwiaXNzIjoieCJ9."),
    ];
    let client_calls = [
        ("signInWithCustomToken", vec!["token"]),
        ("signInWithIdp", vec!["requestUri", "postBody", "idToken", "returnIdpCredential"]),
        (
            "signInWithPhoneNumber",
            vec!["sessionInfo", "code", "phoneNumber", "temporaryProof", "idToken"],
        ),
        ("sendVerificationCode", vec!["phoneNumber", "recaptchaToken"]),
        ("mfaEnrollment:start", vec!["idToken", "phoneEnrollmentInfo", "totpEnrollmentInfo"]),
        (
            "mfaEnrollment:finalize",
            vec!["idToken", "phoneVerificationInfo", "totpVerificationInfo", "displayName"],
        ),
        ("mfaEnrollment:withdraw", vec!["idToken", "mfaEnrollmentId"]),
        ("mfaSignIn:start", vec!["mfaPendingCredential", "mfaEnrollmentId", "phoneSignInInfo"]),
        (
            "mfaSignIn:finalize",
            vec!["mfaPendingCredential", "phoneVerificationInfo", "totpVerificationInfo"],
        ),
        ("revokeToken", vec!["token"]),
    ];
    let admin_calls = [
        (
            "/accounts",
            vec!["localId", "email", "phoneNumber", "mfaInfo", "displayName", "disabled"],
        ),
        ("/accounts:lookup", vec!["localId", "email", "phoneNumber", "federatedUserId"]),
        (
            "/accounts:update",
            vec![
                "email",
                "phoneNumber",
                "customAttributes",
                "validSince",
                "createdAt",
                "lastLoginAt",
                "linkProviderUserInfo",
                "mfa",
                "deleteAttribute",
                "deleteProvider",
                "disableUser",
            ],
        ),
        ("/accounts:query", vec!["expression", "limit", "offset", "sortBy", "order"]),
        (
            "/accounts:batchCreate",
            vec!["users", "hashAlgorithm", "rounds", "memoryCost", "allowOverwrite"],
        ),
        ("/accounts:batchDelete", vec!["localIds", "force"]),
        ("/accounts:sendOobCode", vec!["requestType", "email", "newEmail", "returnOobLink"]),
        (":createSessionCookie", vec!["idToken", "validDuration"]),
    ];
    let check = |what: &str, status: u16, answer: &Value| {
        assert!(
            status == 200 || (400..=501).contains(&status) && status != 500,
            "{what}: {status}"
        );
        if status != 200 {
            assert_eq!(answer["error"]["code"], status, "{what}: {answer}");
        }
    };
    for (verb, fields) in client_calls {
        for field in fields {
            for value in &values {
                let info = json!({ "sessionInfo": "none", "code": "000000" });
                let mut body = json!({
                    "idToken": mine["idToken"], "requestUri": "http://localhost",
                    "postBody": "id_token=x&providerId=google.com", "phoneVerificationInfo": info,
                });
                body[field] = value.clone();
                let (status, answer) = service.call(verb, body).await;
                check(&format!("{verb} {field} {value:.60}"), status, &answer);
                assert!(!answer.to_string().contains("a@haat.example"), "{verb}: {answer}");
            }
        }
    }
    let users = json!([{ "localId": "u", "passwordHash": "aGFzaA==", "email": "u@haat.example" }]);
    for (path, fields) in admin_calls {
        for field in fields {
            for value in &values {
                let mut body = json!({ "users": users, "idToken": mine["idToken"] });
                if path == "/accounts:update" {
                    body["localId"] = mine["localId"].clone();
                }
                body[field] = value.clone();
                let (status, answer) = admin.call(path, body).await;
                check(&format!("{path} {field} {value:.60}"), status, &answer);
            }
        }
    }
    // The other account is unchanged.
    let found = service.ok("lookup", json!({ "idToken": new["idToken"] })).await;
    assert_eq!(found["users"][0]["email"], "a@haat.example");
}

async fn concurrent_updates_do_not_overwrite_each_other(service: Service) {
    let admin = Admin::new(&service).await;
    for round in 0..6 {
        let email = format!("user-{round}@haat.example");
        let user = service.sign_up(&email).await;
        let names = (0..6).map(|n| {
            let name = json!({ "idToken": user["idToken"], "displayName": format!("Name {n}") });
            service.call("update", name)
        });
        let logins =
            (0..3).map(|_| service.call("signInWithPassword", credentials(&email, PASSWORD)));
        let new = json!({ "idToken": user["idToken"], "password": "Another1!" });
        let id = user["localId"].clone();
        let claims = json!({ "localId": id, "customAttributes": r#"{"role":"clerk"}"# });
        let verify = json!({ "localId": id, "emailVerified": true });
        let (names, logins, changed, set, verified) = tokio::join!(
            futures_util::future::join_all(names),
            futures_util::future::join_all(logins),
            service.call("update", new),
            admin.call("/accounts:update", claims),
            admin.call("/accounts:update", verify),
        );
        for (status, answer) in names.iter().chain(&logins).chain([&changed, &set, &verified]) {
            assert!(*status == 200 || *status == 400, "{answer}");
        }
        assert_eq!((changed.0, set.0, verified.0), (200, 200, 200));
        service.ok("signInWithPassword", credentials(&email, "Another1!")).await;
        let old = service.refused("signInWithPassword", credentials(&email, PASSWORD)).await;
        assert_eq!(old, "INVALID_LOGIN_CREDENTIALS", "the old password is back");
        let found = admin.ok("/accounts:lookup", json!({ "localId": [id] })).await;
        let found = &found["users"][0];
        assert_eq!(found["customAttributes"], r#"{"role":"clerk"}"#);
        assert_eq!(found["emailVerified"], true);
    }
}

async fn tokens_of_other_servers_are_rejected(service: Service) {
    // With another signing key.
    let other = Service::on(TestDb::new(Engine::Sqlite).await, settings()).await;
    // Both random generators have the same seed, so the second account differs.
    other.sign_up("b@haat.example").await;
    let foreign = other.sign_up("a@haat.example").await;
    service.sign_up("a@haat.example").await;
    let token = text(&foreign, "idToken");
    let (message, _) = token.rsplit_once('.').unwrap();
    for token in [token, message, &format!("{message}."), &format!("{message}.AAAA")] {
        assert_eq!(
            service.refused("lookup", json!({ "idToken": token })).await,
            "INVALID_ID_TOKEN"
        );
    }
    let (_, why) = service.refresh(text(&foreign, "refreshToken")).await;
    assert_eq!(why["error"]["message"], "INVALID_REFRESH_TOKEN");
    assert!(service.identity.key_finder()("no such key").is_none());
}

async fn security_events_are_recorded(service: Service) {
    service.sign_up("a@haat.example").await;
    service.refused("signInWithPassword", credentials("a@haat.example", "Wrong1!")).await;
    service.ok("signInWithPassword", credentials("a@haat.example", PASSWORD)).await;
    let events: Vec<(String, Option<String>)> = service
        .given
        .db
        .query("select kind, address from security_events order by id")
        .all()
        .await
        .unwrap();
    let mut kinds: Vec<&str> = events.iter().map(|(kind, _)| kind.as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["sign_in", "sign_up", "wrong_password"]);
    assert!(events.iter().all(|(_, address)| address.as_deref() == Some("127.0.0.1")));
    let hashes: Vec<(String,)> =
        service.given.db.query("select password_hash from accounts").all().await.unwrap();
    assert!(hashes[0].0.starts_with("$argon2id$"));
}

async fn other_calls_do_not_reset_the_password_limit(service: Service) {
    let mut tried = 0;
    for n in 0..80 {
        service.ok("signUp", json!({})).await;
        let wrong = credentials(&format!("nobody-{n}@haat.example"), "Wrong1!!");
        let why = service.refused("signInWithPassword", wrong).await;
        tried += usize::from(why == "INVALID_LOGIN_CREDENTIALS");
    }
    assert_eq!(tried, 60);
}

async fn probing_for_accounts_is_limited(service: Service) {
    let mine = service.sign_up("mine@haat.example").await;
    service.sign_up("a@haat.example").await;
    for address in ["a@haat.example", "nobody@haat.example"] {
        let weak = json!({ "email": address, "password": "x" });
        assert!(service.refused("signUp", weak).await.starts_with("WEAK_PASSWORD"));
    }
    // After two sign-ups, 98 more are counted; then known and unknown addresses get the same error.
    let sign_up = |address: &str| json!({ "email": address, "password": PASSWORD });
    for _ in 0..98 {
        let why = service.refused("signUp", sign_up("a@haat.example")).await;
        assert_eq!(why, "EMAIL_EXISTS");
    }
    for address in ["a@haat.example", "nobody@haat.example"] {
        let why = service.refused("signUp", sign_up(address)).await;
        assert!(why.starts_with("TOO_MANY_ATTEMPTS_TRY_LATER"), "{address}: {why}");
    }
    let change = json!({
        "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": mine["idToken"],
        "newEmail": "a@haat.example",
    });
    for n in 0..7 {
        let wanted = if n < 5 { "EMAIL_EXISTS" } else { "RESET_PASSWORD_EXCEED_LIMIT" };
        assert_eq!(service.refused("sendOobCode", change.clone()).await, wanted);
    }
}

async fn constant_name_changes_do_not_block_a_password_reset(service: Service) {
    let attacker = service.sign_up("a@haat.example").await;
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": "a@haat.example" });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    let done = std::sync::atomic::AtomicBool::new(false);
    let flood = async {
        while !done.load(std::sync::atomic::Ordering::SeqCst) {
            let name = json!({ "idToken": attacker["idToken"], "displayName": "Thief" });
            let names = (0..8).map(|_| service.call("update", name.clone()));
            futures_util::future::join_all(names).await;
        }
    };
    let owner = async {
        let reset = json!({ "oobCode": code, "newPassword": "Another1!" });
        service.ok("resetPassword", reset).await;
        service.ok("signInWithPassword", credentials("a@haat.example", "Another1!")).await;
        done.store(true, std::sync::atomic::Ordering::SeqCst);
    };
    tokio::join!(flood, owner);
}

async fn sign_ups_are_limited_per_network(service: Service) {
    let sign_up = async |from: &str, body: Value| {
        let (status, answer) = service.call_from(from.parse().unwrap(), "signUp", body).await;
        (status, answer["error"]["message"].as_str().unwrap_or_default().to_owned())
    };
    let mut made = 0;
    for n in 0..120 {
        let from = format!("2001:db8:1:2::{n:x}");
        made += usize::from(sign_up(&from, json!({})).await.0 == 200);
    }
    assert_eq!(made, 100);
    let (_, why) = sign_up("2001:db8:1:2:3::1", credentials("b@haat.example", PASSWORD)).await;
    assert!(why.starts_with("TOO_MANY_ATTEMPTS_TRY_LATER"), "{why}");
    let other = sign_up("2001:db8:1:3::1", credentials("b@haat.example", PASSWORD)).await;
    assert_eq!(other.0, 200, "{}", other.1);
    service.advance(3600);
    assert_eq!(sign_up("2001:db8:1:2::1", json!({})).await.0, 200);

    let none = ProjectSettings { anonymous_sign_in: Some(false), ..settings() };
    let service = Service::with(Engine::Sqlite, none).await;
    assert_eq!(service.refused("signUp", json!({})).await, "ADMIN_ONLY_OPERATION");
    service.sign_up("a@haat.example").await;
}

async fn common_passwords_are_rejected(service: Service) {
    let sign_up = |password: &str| credentials("a@haat.example", password);
    let short = service.refused("signUp", sign_up("Abc123!")).await;
    assert!(short.contains("at least 8 characters"), "{short}");
    for common in ["Password1!", "P@SSW0RD", "Welcome123!"] {
        let why = service.refused("signUp", sign_up(common)).await;
        assert!(why.starts_with("WEAK_PASSWORD : "), "{common}: {why}");
    }
    let new = service.sign_up("a@haat.example").await;
    let change = json!({ "idToken": new["idToken"], "password": "Password1!" });
    assert!(service.refused("update", change).await.starts_with("WEAK_PASSWORD : "));
}

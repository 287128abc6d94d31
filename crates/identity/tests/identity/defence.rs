use test_support::on_both;

use super::admin::Admin;
use super::*;

on_both!(Service:
    guessing_at_one_account_is_slowed_and_does_not_keep_its_owner_out,
    one_network_is_slowed_before_it_slows_others,
    guessing_from_one_address_is_stopped_whatever_the_account,
    wrong_address_and_wrong_password_are_one_answer,
    whatever_is_sent_is_answered_in_the_protocols_envelope,
    whatever_is_sent_to_the_rest_is_too,
    changes_at_once_do_not_undo_each_other,
    who_asks_for_nothing_forbidden_gets_no_tries_back,
    nobody_learns_for_nothing_who_has_an_account,
    sign_ups_are_limited_by_network,
    what_everybody_tries_first_is_no_password,
    a_name_that_changes_all_the_time_keeps_nobody_out,
    tokens_of_others_are_worth_nothing,
    what_matters_is_written_down,
);

fn credentials(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password })
}

fn address(n: u32) -> IpAddr {
    IpAddr::from(Ipv4Addr::from(0x0a00_0000 + n))
}

impl Service {
    /// Signs in from an address with what a browser keeps, and gives what is answered and what the
    /// browser is to keep.
    async fn enter(&self, from: u32, password: &str, cookie: &str) -> (String, String) {
        let path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=key";
        let body = credentials("a@haat.example", password).to_string();
        let request = Request::post(path).header("cookie", cookie);
        let mut request = request.body(Body::from(body)).unwrap();
        request.extensions_mut().insert(Peer(address(from)));
        let response = self.routes.clone().oneshot(request).await.unwrap();
        let cookie = response.headers().get("set-cookie").map(|cookie| cookie.to_str().unwrap());
        let cookie = cookie.unwrap_or_default().to_owned();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let answer: Value = serde_json::from_slice(&bytes).unwrap();
        let why = answer["error"]["message"].as_str().unwrap_or("entered");
        (why.split(' ').next().unwrap().to_owned(), cookie)
    }
}

async fn guessing_at_one_account_is_slowed_and_does_not_keep_its_owner_out(service: Service) {
    service.verified("a@haat.example").await;
    let (entered, cookie) = service.enter(900, PASSWORD, "theme=dark").await;
    assert_eq!(entered, "entered");
    for part in ["haat_device=", "; HttpOnly", "; SameSite=Strict", "; Secure"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("haat.example"), "{cookie}");
    let known = cookie.split(';').next().unwrap();

    let mut looked_at = 0;
    for n in 0..70 {
        let (why, cookie) = service.enter(n, "Wrong1!", "").await;
        assert!(cookie.is_empty(), "{cookie}");
        looked_at += usize::from(why == "INVALID_LOGIN_CREDENTIALS");
    }
    assert_eq!(looked_at, 50);
    let late = "TOO_MANY_ATTEMPTS_TRY_LATER";
    assert_eq!(service.enter(901, PASSWORD, "").await.0, late);
    let forged = format!("{}AAAA", &known[..known.len() - 4]);
    assert_eq!(service.enter(901, PASSWORD, &forged).await.0, late);
    // Where the account was entered before, strangers count for nothing, in any network.
    assert_eq!(service.enter(901, PASSWORD, known).await.0, "entered");
    // Elsewhere there is a try every now and then, and the pauses grow.
    service.wait(2);
    assert_eq!(service.enter(902, "Wrong1!", "").await.0, "INVALID_LOGIN_CREDENTIALS");
    service.wait(2);
    assert_eq!(service.enter(903, PASSWORD, "").await.0, late);
    service.wait(2);
    assert_eq!(service.enter(903, PASSWORD, "").await.0, "entered");
    // A device is no way to guess without end.
    for n in 0..12 {
        let (why, _) = service.enter(904, "Wrong1!", known).await;
        assert_eq!(why, if n < 10 { "INVALID_LOGIN_CREDENTIALS" } else { late }, "{n}");
    }
}

async fn one_network_is_slowed_before_it_slows_others(service: Service) {
    service.sign_up("a@haat.example").await;
    let mut looked_at = 0;
    for _ in 0..12 {
        for _ in 0..20 {
            let (why, _) = service.enter(1, "Wrong1!", "").await;
            looked_at += usize::from(why == "INVALID_LOGIN_CREDENTIALS");
        }
        service.wait(5 * 60);
    }
    assert!((15..40).contains(&looked_at), "{looked_at} in an hour");
    assert_eq!(service.enter(2, PASSWORD, "").await.0, "entered");
}

async fn guessing_from_one_address_is_stopped_whatever_the_account(service: Service) {
    service.sign_up("a@haat.example").await;
    let mut looked_at = 0;
    for n in 0..1000 {
        let guess = credentials(&format!("somebody{n}@haat.example"), "Wrong1!");
        let why = service.refused("signInWithPassword", guess).await;
        looked_at += usize::from(why == "INVALID_LOGIN_CREDENTIALS");
    }
    assert_eq!(looked_at, 60);
    service.wait(5 * 60 + 1);
    service.ok("signInWithPassword", credentials("a@haat.example", PASSWORD)).await;
    // And somebody who signs in rightly, however often, is not taken for one who guesses.
    for _ in 0..80 {
        service.ok("signInWithPassword", credentials("a@haat.example", PASSWORD)).await;
    }
}

async fn wrong_address_and_wrong_password_are_one_answer(service: Service) {
    service.sign_up("a@haat.example").await;
    let wrong = service.call("signInWithPassword", credentials("a@haat.example", "Wrong1!")).await;
    let unknown =
        service.call("signInWithPassword", credentials("b@haat.example", "Wrong1!")).await;
    assert_eq!(wrong, unknown);
}

async fn whatever_is_sent_is_answered_in_the_protocols_envelope(service: Service) {
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

async fn whatever_is_sent_to_the_rest_is_too(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let mine = service.sign_up("mine@haat.example").await;
    let admin = Admin::of(&service).await;
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
    let client = [
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
    let by_admin = [
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
    let good = |what: &str, status: u16, answer: &Value| {
        assert!(
            status == 200 || (400..=501).contains(&status) && status != 500,
            "{what}: {status}"
        );
        if status != 200 {
            assert_eq!(answer["error"]["code"], status, "{what}: {answer}");
        }
    };
    for (verb, fields) in client {
        for field in fields {
            for value in &values {
                let info = json!({ "sessionInfo": "none", "code": "000000" });
                let mut body = json!({
                    "idToken": mine["idToken"], "requestUri": "http://localhost",
                    "postBody": "id_token=x&providerId=google.com", "phoneVerificationInfo": info,
                });
                body[field] = value.clone();
                let (status, answer) = service.call(verb, body).await;
                good(&format!("{verb} {field} {value:.60}"), status, &answer);
                assert!(!answer.to_string().contains("a@haat.example"), "{verb}: {answer}");
            }
        }
    }
    let users = json!([{ "localId": "u", "passwordHash": "aGFzaA==", "email": "u@haat.example" }]);
    for (path, fields) in by_admin {
        for field in fields {
            for value in &values {
                let mut body = json!({ "users": users, "idToken": mine["idToken"] });
                if path == "/accounts:update" {
                    body["localId"] = mine["localId"].clone();
                }
                body[field] = value.clone();
                let (status, answer) = admin.call(path, body).await;
                good(&format!("{path} {field} {value:.60}"), status, &answer);
            }
        }
    }
    // And the bystander is as before.
    let found = service.ok("lookup", json!({ "idToken": new["idToken"] })).await;
    assert_eq!(found["users"][0]["email"], "a@haat.example");
}

/// Somebody changes a password, or an admin closes the account, while others write to it all the time.
async fn changes_at_once_do_not_undo_each_other(service: Service) {
    let admin = Admin::of(&service).await;
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

async fn tokens_of_others_are_worth_nothing(service: Service) {
    // With a key of its own.
    let other = Service::on(TestDb::new(Engine::Sqlite).await, settings()).await;
    // The dice repeat: the second throw is not the one that this service made.
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

async fn what_matters_is_written_down(service: Service) {
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
    // No secret is kept as it is.
    let kept: Vec<(String,)> =
        service.given.db.query("select password_hash from accounts").all().await.unwrap();
    assert!(kept[0].0.starts_with("$argon2id$"));
}

async fn who_asks_for_nothing_forbidden_gets_no_tries_back(service: Service) {
    let mut tried = 0;
    for n in 0..80 {
        service.ok("signUp", json!({})).await;
        let wrong = credentials(&format!("nobody-{n}@haat.example"), "Wrong1!!");
        let why = service.refused("signInWithPassword", wrong).await;
        tried += usize::from(why == "INVALID_LOGIN_CREDENTIALS");
    }
    assert_eq!(tried, 60);
}

async fn nobody_learns_for_nothing_who_has_an_account(service: Service) {
    let mine = service.sign_up("mine@haat.example").await;
    service.sign_up("a@haat.example").await;
    for address in ["a@haat.example", "nobody@haat.example"] {
        let weak = json!({ "email": address, "password": "x" });
        assert!(service.refused("signUp", weak).await.starts_with("WEAK_PASSWORD"));
    }
    // Two accounts were made: 98 more sign-ups are counted, and then known and unknown are one answer.
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

async fn a_name_that_changes_all_the_time_keeps_nobody_out(service: Service) {
    let thief = service.sign_up("a@haat.example").await;
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": "a@haat.example" });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    let done = std::sync::atomic::AtomicBool::new(false);
    let flood = async {
        while !done.load(std::sync::atomic::Ordering::SeqCst) {
            let name = json!({ "idToken": thief["idToken"], "displayName": "Thief" });
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

async fn sign_ups_are_limited_by_network(service: Service) {
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
    service.wait(3600);
    assert_eq!(sign_up("2001:db8:1:2::1", json!({})).await.0, 200);

    let none = Settings { anonymous_sign_in: Some(false), ..settings() };
    let service = Service::with(Engine::Sqlite, none).await;
    assert_eq!(service.refused("signUp", json!({})).await, "ADMIN_ONLY_OPERATION");
    service.sign_up("a@haat.example").await;
}

async fn what_everybody_tries_first_is_no_password(service: Service) {
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

//! Details of the protocol, found by comparison with other implementations.

use aws_lc_rs::hmac;
use axum::http::Method;
use axum::http::header::AUTHORIZATION;
use base64::engine::general_purpose::STANDARD;
use test_support::on_both;

use super::admin::Admin;
use super::*;

on_both!(Service:
    second_factors_keep_their_order_and_ids,
    import_reports_an_error_per_user,
    legacy_paths_and_options_are_supported,
);

const EMAIL: &str = "rahim@haat.example";
const NUMBERS: [&str; 4] = ["+8801711000004", "+8801711000001", "+8801711000003", "+8801711000002"];

/// A field of all second factors of the account `one`.
async fn factors(admin: &Admin<'_>, field: &str) -> Vec<String> {
    let found = admin.ok("/accounts:lookup", json!({ "localId": ["one"] })).await;
    let list = found["users"][0]["mfaInfo"].as_array().unwrap().clone();
    list.iter().map(|factor| text(factor, field).to_owned()).collect()
}

async fn second_factors_keep_their_order_and_ids(service: Service) {
    let admin = Admin::new(&service).await;
    // All enrolled at the same time: the clock does not advance.
    let without_ids = NUMBERS.map(|number| json!({ "phoneInfo": number }));
    let one = json!({ "localId": "one", "email": EMAIL, "mfaInfo": without_ids });
    admin.ok("/accounts", one).await;
    assert_eq!(factors(&admin, "phoneInfo").await, NUMBERS);

    let ids = ["d", "a", "c", "b"];
    let with_ids: Vec<Value> = NUMBERS
        .iter()
        .zip(ids)
        .map(|(number, id)| json!({ "phoneInfo": number, "mfaEnrollmentId": id }))
        .collect();
    let one = json!({
        "localId": "one", "email": EMAIL, "emailVerified": true, "mfaInfo": with_ids,
        "rawPassword": PASSWORD,
    });
    let import = json!({ "users": [one], "allowOverwrite": true });
    assert_eq!(admin.ok("/accounts:batchCreate", import).await["error"], json!([]));
    assert_eq!(factors(&admin, "mfaEnrollmentId").await, ids);
    let pending = service.sign_in(EMAIL).await;
    assert_eq!(pending["mfaInfo"][0]["mfaEnrollmentId"], "d", "the sign-in shows them alike");

    // A repeated number is ignored, a repeated id is an error.
    let mut doubled = with_ids.clone();
    doubled.push(json!({ "phoneInfo": NUMBERS[0], "mfaEnrollmentId": "e" }));
    let update = json!({ "localId": "one", "mfa": { "enrollments": doubled } });
    admin.ok("/accounts:update", update).await;
    assert_eq!(factors(&admin, "mfaEnrollmentId").await, ids);
    doubled.push(json!({ "phoneInfo": "+8801711000009", "mfaEnrollmentId": "a" }));
    let update = json!({ "localId": "one", "mfa": { "enrollments": doubled } });
    assert_eq!(admin.refused("/accounts:update", update).await, "DUPLICATE_MFA_ENROLLMENT_ID");
}

async fn import_reports_an_error_per_user(service: Service) {
    let admin = Admin::new(&service).await;
    let factor = |id: &str, number: &str| json!({ "mfaEnrollmentId": id, "phoneInfo": number });
    let person = |id: &str, verified: bool, factors: Value| {
        let email = format!("{id}@haat.example");
        json!({ "localId": id, "email": email, "emailVerified": verified, "mfaInfo": factors })
    };
    let claims = format!(r#"{{"a":"{}"}}"#, "x".repeat(1000));
    let users = json!([
        person("a", false, json!([factor("f", NUMBERS[0])])),
        person("b", true, json!([factor("f", NUMBERS[0]), factor("f", NUMBERS[1])])),
        person("c", true, json!([{ "mfaEnrollmentId": "f", "totpInfo": {} }])),
        person("d", true, json!([factor("f", "nonsense")])),
        { "localId": "e", "customAttributes": claims },
        person("f", true, json!([factor("f", NUMBERS[0])])),
    ]);
    let done = admin.ok("/accounts:batchCreate", json!({ "users": users })).await;
    let words: Vec<&str> =
        done["error"].as_array().unwrap().iter().map(|error| text(error, "message")).collect();
    assert_eq!(
        words,
        [
            "Second factor account requires email to be verified.",
            "Enrollment id already exists.",
            "Second factor not supported.",
            "Phone number format is invalid",
            "Custom claims provided are too large.",
        ]
    );
    let google = json!([{ "providerId": "google.com", "rawId": "g-1" }]);
    let twice = json!({ "sanityCheck": true, "users": [
        { "localId": "g", "providerUserInfo": google }, { "localId": "h", "providerUserInfo": google },
    ] });
    assert_eq!(
        admin.refused("/accounts:batchCreate", twice).await,
        "DUPLICATE_RAW_ID : Provider id(google.com), Raw id(g-1)"
    );
    // The Admin SDKs do not send the order of password and salt.
    let key = hmac::Key::new(hmac::HMAC_SHA256, b"key");
    let hash = STANDARD.encode(hmac::sign(&key, format!("{PASSWORD}salt").as_bytes()));
    let hashed = json!({
        "hashAlgorithm": "HMAC_SHA256", "signerKey": STANDARD.encode("key"), "users": [
            { "localId": "i", "email": EMAIL, "passwordHash": hash, "salt": STANDARD.encode("salt") },
        ],
    });
    assert_eq!(admin.ok("/accounts:batchCreate", hashed).await["error"], json!([]));
    service.sign_in(EMAIL).await;
}

async fn legacy_paths_and_options_are_supported(service: Service) {
    let admin = Admin::new(&service).await;
    let ask = async |method: Method, path: &str, scheme: &str, body: Value| {
        let request = Request::builder().method(method).uri(path);
        let request = request.header(AUTHORIZATION, format!("{scheme} {}", admin.bearer));
        service.send(request.body(Body::from(body.to_string())).unwrap()).await
    };
    let words = |answer: &Value| answer["error"]["message"].as_str().unwrap_or_default().to_owned();

    // Import and list under their names in older SDKs. Authentication schemes are case-insensitive.
    let legacy = "/www.googleapis.com/identitytoolkit/v3/relyingparty";
    let (upload, download) =
        (format!("{legacy}/uploadAccount"), format!("{legacy}/downloadAccount"));
    let google = json!([{ "providerId": "google.com", "rawId": "g-1" }]);
    let one = json!({
        "localId": "one", "email": EMAIL, "rawPassword": PASSWORD, "phoneNumber": NUMBERS[0],
        "providerUserInfo": google,
    });
    let users = json!({ "targetProjectId": "haat", "users": [one] });
    let (status, done) = ask(Method::POST, &upload, "bearer", users).await;
    assert_eq!((status, &done["error"]), (200, &json!([])), "{done}");
    let page = json!({ "targetProjectId": "haat", "maxResults": 5 });
    let (_, found) = ask(Method::POST, &download, "BEARER", page).await;
    assert_eq!(found["users"][0]["localId"], "one", "{found}");
    let providers = found["users"][0]["providerUserInfo"].as_array().unwrap();
    let providers: Vec<&str> = providers.iter().map(|info| text(info, "providerId")).collect();
    assert_eq!(providers, ["password", "google.com", "phone"], "the phone is last");
    for path in [&upload, &download] {
        let (status, why) = ask(Method::POST, path, "Bearer", json!({})).await;
        assert_eq!((status, words(&why).as_str()), (400, "INSUFFICIENT_PERMISSION"));
        let client = Request::post(format!("{path}?key=key")).body(Body::from("{}")).unwrap();
        assert_eq!(words(&service.send(client).await.1), "INSUFFICIENT_PERMISSION");
    }
    // Another scheme is ignored, and there is no API key.
    assert_eq!(ask(Method::POST, &download, "Basic", json!({})).await.0, 403);

    // The API cannot change the server's settings.
    let config = "/identitytoolkit.googleapis.com/v2/projects/haat/config";
    let path = format!("{config}?updateMask=emailPrivacyConfig.enableImprovedEmailPrivacy");
    let privacy = |on: bool| json!({ "emailPrivacyConfig": { "enableImprovedEmailPrivacy": on } });
    let (status, same) = ask(Method::PATCH, &path, "Bearer", privacy(true)).await;
    assert_eq!((status, &same["emailPrivacyConfig"]), (200, &privacy(true)["emailPrivacyConfig"]));
    for path in [path.as_str(), config] {
        let (status, why) = ask(Method::PATCH, path, "Bearer", privacy(false)).await;
        assert_eq!(status, 400);
        assert!(words(&why).starts_with("OPERATION_NOT_ALLOWED"), "{why}");
    }
    let client = Request::patch(format!("{config}?key=key")).body(Body::from("{}")).unwrap();
    assert!(words(&service.send(client).await.1).starts_with("INSUFFICIENT_PERMISSION"));

    let asked = json!({
        "identifier": EMAIL, "continueUri": "https://haat.example", "sessionId": "mine",
    });
    let answer = service.ok("createAuthUri", asked).await;
    assert_eq!((text(&answer, "sessionId"), answer.get("registered")), ("mine", None));

    // What only emulators allow to clients is ignored.
    let user = service.sign_in(EMAIL).await;
    let grab = json!({
        "idToken": user["idToken"], "validSince": "1", "displayName": "Rahim",
        "mfa": { "enrollments": [{ "phoneInfo": NUMBERS[1], "mfaEnrollmentId": "f" }] },
        "linkProviderUserInfo": { "providerId": "facebook.com", "rawId": "9" },
    });
    let done = service.ok("update", grab).await;
    assert!(done.get("idToken").is_none());
    let found = service.ok("lookup", json!({ "idToken": user["idToken"] })).await;
    let account = &found["users"][0];
    assert!(account.get("mfaInfo").is_none() && !found.to_string().contains("facebook"), "{found}");
    let new = json!({
        "email": "b@haat.example", "password": PASSWORD, "mfaInfo": [{ "phoneInfo": NUMBERS[1] }],
    });
    service.ok("signUp", new).await;
    let new = service.sign_in("b@haat.example").await;
    assert!(new.get("idToken").is_some(), "no factor was taken in: {new}");
}

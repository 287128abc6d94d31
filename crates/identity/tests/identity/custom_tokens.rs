use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeyPair;
use aws_lc_rs::signature::RSA_PKCS1_SHA256;
use base64::engine::general_purpose::STANDARD;
use identity::service_accounts;
use test_support::on_both;

use super::*;

on_both!(Service:
    custom_token_signs_in,
    invalid_custom_tokens_are_rejected,
    custom_claims_persist_and_cannot_replace_standard_claims,
);

const AUDIENCE: &str =
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit";

/// A service account's key file.
pub async fn key_file(service: &Service, project: &str) -> Value {
    let TestDb { db, clock, random, .. } = &service.given;
    let made = service_accounts::create(db, clock, random, project, "shop").await.unwrap();
    serde_json::from_str(&made).unwrap()
}

/// Signs a token as the official Admin SDKs do.
fn signed(file: &Value, claims: &Value) -> String {
    let pem = text(file, "private_key");
    let der: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    let pair = KeyPair::from_pkcs8(&STANDARD.decode(der).unwrap()).unwrap();
    let header = json!({ "alg": "RS256", "typ": "JWT" }).to_string();
    let message = format!(
        "{}.{}",
        URL_SAFE_NO_PAD.encode(header),
        URL_SAFE_NO_PAD.encode(claims.to_string())
    );
    let mut signature = vec![0; pair.public_modulus_len()];
    pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message.as_bytes(), &mut signature).unwrap();
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

fn claims(service: &Service, file: &Value, uid: &str) -> Value {
    let now = service.given.clock.now().0 / 1000;
    let email = &file["client_email"];
    json!({ "iss": email, "sub": email, "aud": AUDIENCE, "iat": now, "exp": now + 3600, "uid": uid })
}

async fn custom_token_signs_in(service: Service) {
    let file = key_file(&service, "haat").await;
    let token = signed(&file, &claims(&service, &file, "auth0|42"));
    let first = service.ok("signInWithCustomToken", json!({ "token": token })).await;
    assert_eq!(first["isNewUser"], true);
    let again = service.ok("signInWithCustomToken", json!({ "token": token })).await;
    assert_eq!(again["isNewUser"], false);
    let found = service.ok("lookup", json!({ "idToken": again["idToken"] })).await;
    assert_eq!(found["users"][0]["localId"], "auth0|42");
}

async fn invalid_custom_tokens_are_rejected(service: Service) {
    let file = key_file(&service, "haat").await;
    let good = claims(&service, &file, "uid");
    let with = |name: &str, value: Value| {
        let mut claims = good.clone();
        claims[name] = value;
        claims
    };
    let now = service.given.clock.now().0 / 1000;
    // Another server's service account with the same name has another key.
    let other = Service::new(test_support::Engine::Sqlite).await;
    let foreign = key_file(&other, "haat").await;
    let elsewhere = key_file(&other, "elsewhere").await;
    let unsigned = {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        format!("{}.{}.", part(&json!({ "alg": "none" })), part(&good))
    };
    for (token, words) in [
        (unsigned, "INVALID_CUSTOM_TOKEN"),
        (good.to_string(), "INVALID_CUSTOM_TOKEN"),
        ("garbage".into(), "INVALID_CUSTOM_TOKEN"),
        (signed(&foreign, &good), "INVALID_CUSTOM_TOKEN"),
        (signed(&elsewhere, &claims(&service, &elsewhere, "uid")), "CREDENTIAL_MISMATCH"),
        (signed(&file, &with("aud", json!("https://haat.example"))), "INVALID_CUSTOM_TOKEN"),
        (signed(&file, &with("exp", json!(now - 61))), "INVALID_CUSTOM_TOKEN"),
        (signed(&file, &with("iat", json!(now + 120))), "INVALID_CUSTOM_TOKEN"),
        (signed(&file, &with("exp", json!(now + 100_000))), "INVALID_CUSTOM_TOKEN"),
        (signed(&file, &with("uid", json!("u".repeat(129)))), "INVALID_CUSTOM_TOKEN"),
        (signed(&file, &with("uid", json!(""))), "MISSING_IDENTIFIER"),
        (signed(&file, &with("claims", json!({ "sub": "x" }))), "FORBIDDEN_CLAIM : sub"),
        (signed(&file, &with("claims", json!([1]))), "INVALID_CLAIMS"),
    ] {
        let why = service.refused("signInWithCustomToken", json!({ "token": token })).await;
        assert!(why.starts_with(words), "{words}: {why}");
    }
    let TestDb { db, .. } = &service.given;
    let name = text(&file, "client_email");
    assert_eq!(service_accounts::remove(db, name).await.unwrap(), 1);
    let token = signed(&file, &good);
    let why = service.refused("signInWithCustomToken", json!({ "token": token })).await;
    assert_eq!(why, "CREDENTIAL_MISMATCH", "one that was removed");
}

async fn custom_claims_persist_and_cannot_replace_standard_claims(service: Service) {
    let file = key_file(&service, "haat").await;
    let mut said = claims(&service, &file, "uid");
    said["claims"] =
        json!({ "role": "clerk", "email": "eve@haat.example", "email_verified": true });
    let entered =
        service.ok("signInWithCustomToken", json!({ "token": signed(&file, &said) })).await;
    let (_, renewed) = service.refresh(text(&entered, "refreshToken")).await;
    for token in [&entered["idToken"], &renewed["id_token"]] {
        let claims = super::claims(token.as_str().unwrap());
        assert_eq!(claims["role"], "clerk");
        assert!(
            claims.get("email").is_none() && claims.get("email_verified").is_none(),
            "{claims}"
        );
    }
}

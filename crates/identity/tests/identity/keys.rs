use identity::SigningKeys;
use test_support::on_both;

use super::*;

on_both!(Service:
    keys_are_published_as_jwks_and_certificates,
    keys_rotate_with_an_overlap,
    keys_cannot_be_decrypted_with_another_secret,
);

fn key_id(token: &str) -> String {
    jsonwebtoken::decode_header(token).unwrap().kid.unwrap()
}

async fn get(service: &Service, path: &str) -> Value {
    service.send(Request::get(path).body(Body::empty()).unwrap()).await.1
}

async fn keys_are_published_as_jwks_and_certificates(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let id = key_id(text(&new, "idToken"));
    let jwks = get(&service, "/auth/jwks.json").await;
    let key = &jwks["keys"][0];
    assert_eq!(
        (text(key, "kid"), text(key, "alg"), text(key, "use")),
        (id.as_str(), "RS256", "sig")
    );
    let certificates = get(&service, "/auth/certificates.json").await;
    assert!(text(&certificates, &id).starts_with("-----BEGIN CERTIFICATE-----"));

    // Any JWT library can verify a token with them.
    let key =
        jsonwebtoken::DecodingKey::from_rsa_components(text(key, "n"), text(key, "e")).unwrap();
    let mut validation = jsonwebtoken::Validation::new(jsonwebtoken::Algorithm::RS256);
    validation.set_audience(&["haat"]);
    validation.validate_exp = false;
    let token = jsonwebtoken::decode::<Value>(text(&new, "idToken"), &key, &validation).unwrap();
    assert_eq!(token.claims["sub"], new["localId"]);
}

async fn keys_rotate_with_an_overlap(service: Service) {
    let TestDb { db, clock, random, .. } = &service.given;
    let secret = Secret::new(&"secret".repeat(8)).unwrap();
    let keys = SigningKeys::start(db, clock, random, secret).await.unwrap();
    let claims = json!({ "iss": "i", "aud": "a", "sub": "s", "exp": 1 });
    let claims = claims.as_object().unwrap();
    let first = keys.sign(claims).unwrap();

    service.advance(29 * 24 * 3600);
    keys.rotate().await.unwrap();
    assert_eq!(keys.certificates().len(), 2, "the next one is published a day ahead");
    assert_eq!(key_id(&keys.sign(claims).unwrap()), key_id(&first), "and does not sign yet");
    service.advance(3 * 3600);
    keys.rotate().await.unwrap();
    assert_ne!(key_id(&keys.sign(claims).unwrap()), key_id(&first));
    assert!(keys.verify(&first, "i", "a").is_some(), "what the old one signed is still good");
    service.advance(4 * 24 * 3600);
    keys.rotate().await.unwrap();
    assert!(keys.verify(&first, "i", "a").is_none());
    assert_eq!(keys.certificates().len(), 1);
}

async fn keys_cannot_be_decrypted_with_another_secret(service: Service) {
    let TestDb { db, clock, random, .. } = &service.given;
    let other = Secret::new(&"other!".repeat(8)).unwrap();
    let why = SigningKeys::start(db, clock, random, other).await.err().unwrap().to_string();
    assert!(why.contains("HAAT_SECRET"), "{why}");
}

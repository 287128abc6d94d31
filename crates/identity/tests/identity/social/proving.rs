//! Who somebody is, by what they bring from a provider.

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base::Timestamp;
use identity::{Profile, Proof};

use super::*;

/// The providers and what is asked of them, without a service around.
struct Proving {
    elsewhere: Elsewhere,
    clock: Clock,
    providers: Providers,
}

impl Proving {
    async fn new() -> Self {
        let clock = Clock::standing_at(Timestamp::parse("2026-11-15T09:00:00Z").unwrap());
        let elsewhere = Elsewhere::start().await;
        Self { providers: elsewhere.providers(&clock), elsewhere, clock }
    }

    async fn prove(&self, provider: &str, proof: Proof<'_>) -> Result<Profile, (u16, String)> {
        match self.providers.prove(provider, proof).await {
            Ok(profile) => Ok(profile),
            Err(refusal) => Err(words(refusal).await),
        }
    }

    async fn id_token(&self, token: &str) -> Result<Profile, (u16, String)> {
        self.prove("google.com", Proof { id_token: Some(token), ..Proof::default() }).await
    }

    async fn access_token(&self, provider: &str, token: &str) -> Result<Profile, (u16, String)> {
        self.prove(provider, Proof { access_token: Some(token), ..Proof::default() }).await
    }

    /// Google's token with some of its claims changed; null takes one away.
    fn token(&self, changes: Value) -> String {
        signed("first", &keys()[0], &changed(self.elsewhere.claims(&self.clock), changes))
    }

    async fn refused(&self, token: &str) -> String {
        let (status, words) = self.id_token(token).await.unwrap_err();
        assert_eq!(status, 400, "{words}");
        assert!(!words.contains(token), "{words}");
        words
    }
}

#[tokio::test]
async fn google_is_believed_by_its_id_token() {
    let proving = Proving::new().await;
    let claims = proving.elsewhere.claims(&proving.clock);
    let profile = proving.id_token(&proving.token(json!({}))).await.unwrap();
    assert_eq!((profile.provider_id.as_str(), profile.raw_id.as_str()), ("google.com", "117"));
    assert_eq!(profile.email.as_deref(), Some("rahim@gmail.example"));
    assert!(profile.email_verified);
    assert_eq!(profile.display_name.as_deref(), Some("Rahim Uddin"));
    assert_eq!(profile.first_name.as_deref(), Some("Rahim"));
    assert_eq!(profile.last_name.as_deref(), Some("Uddin"));
    assert_eq!(profile.photo_url.as_deref(), Some("https://pictures.example/rahim.png"));
    assert_eq!(Value::Object(profile.claims), claims);
    assert_eq!(proving.providers.ids(), ["google.com", "facebook.com", "oidc.company"]);
}

#[tokio::test]
async fn an_id_token_with_any_flaw_is_refused() {
    let proving = Proving::new().await;
    let now = proving.clock.now().0 / 1000;
    for (changes, why) in [
        (json!({ "iss": "https://evil.example" }), "another provider's"),
        (json!({ "aud": "another-app" }), "another app"),
        (json!({ "aud": ["our-google-id", "another-app"], "azp": null }), "another app"),
        (json!({ "exp": now - 61 }), "expired"),
        (json!({ "exp": null }), "expired"),
        (json!({ "iat": now + 61 }), "future"),
        (json!({ "iat": null }), "future"),
        (json!({ "sub": null }), "who it is"),
    ] {
        let words = proving.refused(&proving.token(changes.clone())).await;
        assert!(words.starts_with("INVALID_IDP_RESPONSE : ") && words.contains(why), "{words}");
    }
    let claims = proving.elsewhere.claims(&proving.clock);
    let [first, second] = keys();
    let good = signed("first", first, &claims);
    let (message_of_good, signature) = good.rsplit_once('.').unwrap();
    let none = message(json!({ "alg": "none", "kid": "first" }), &claims);
    let header = jsonwebtoken::Header {
        kid: Some("first".into()),
        ..jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS256)
    };
    let public = first.public_key().as_ref();
    let modulus = proving.elsewhere.known.lock().unwrap().keys[0]["n"].clone();
    let symmetric = |secret: &[u8]| {
        let key = jsonwebtoken::EncodingKey::from_secret(secret);
        jsonwebtoken::encode(&header, &claims, &key).unwrap()
    };
    let other_claims = message(
        json!({ "alg": "RS256", "kid": "first" }),
        &changed(claims.clone(), json!({ "sub": "1" })),
    );
    for (token, why) in [
        (signed("first", second, &claims), "signature"),
        (signed("second", second, &claims), "unknown key"),
        (format!("{other_claims}.{signature}"), "signature"),
        (format!("{message_of_good}."), "signature"),
        (message_of_good.to_owned(), "not a signed token"),
        (format!("{none}."), "not a signed token"),
        (none, "not a signed token"),
        (symmetric(public), "unknown key"),
        (symmetric(modulus.as_str().unwrap().as_bytes()), "unknown key"),
        ("x".repeat(20_000), "too long"),
        ("💥".into(), "not a signed token"),
    ] {
        let words = proving.refused(&token).await;
        assert!(words.starts_with("INVALID_IDP_RESPONSE : ") && words.contains(why), "{words}");
    }
    // Made for us, but by way of the other provider that we know.
    let proof = Proof { id_token: Some(&good), ..Proof::default() };
    let (_, words) = proving.prove("oidc.company", proof).await.unwrap_err();
    assert!(words.contains("another app"), "{words}");
    let (_, words) = proving.prove("facebook.com", proof).await.unwrap_err();
    assert!(words.contains("Neither"), "{words}");
    let (_, words) = proving.prove("google.com", Proof::default()).await.unwrap_err();
    assert!(words.contains("Neither"), "{words}");
    for provider in ["apple.com", "", "google.com "] {
        let (status, words) = proving.prove(provider, proof).await.unwrap_err();
        let expected = "OPERATION_NOT_ALLOWED : The identity provider configuration is not found.";
        assert_eq!((status, words.as_str()), (400, expected));
    }
}

#[tokio::test]
async fn a_nonce_binds_a_token_to_who_asked_for_it() {
    let proving = Proving::new().await;
    let hash = hexadecimal(digest(&SHA256, b"raw"));
    let hashed = proving.token(json!({ "nonce": hash }));
    let plain = proving.token(json!({ "nonce": "raw" }));
    let without = proving.token(json!({}));
    for (token, nonce, good) in [
        (&hashed, Some("raw"), true),
        (&plain, Some("raw"), true),
        (&without, None, true),
        (&hashed, Some("other"), false),
        (&hashed, Some(""), false),
        (&hashed, None, false),
        (&plain, Some(hash.as_str()), false),
        (&without, Some("raw"), false),
    ] {
        let proof = Proof { id_token: Some(token), nonce, access_token: None };
        match proving.prove("google.com", proof).await {
            Ok(_) => assert!(good, "{nonce:?}"),
            Err((_, words)) => {
                assert!(!good && words.starts_with("MISSING_OR_INVALID_NONCE : "), "{words}");
            }
        }
    }
}

#[tokio::test]
async fn keys_are_asked_for_when_they_are_old_or_missing_and_not_more_often() {
    let proving = Proving::new().await;
    let asked = || proving.elsewhere.asked.load(Ordering::SeqCst);
    let good = proving.token(json!({}));
    let unknown = signed("second", &keys()[1], &proving.elsewhere.claims(&proving.clock));
    let many = (0..20).map(|_| proving.id_token(&good));
    for proved in futures_util::future::join_all(many).await {
        proved.unwrap();
    }
    assert_eq!(asked(), 1, "one asks, the others wait");
    for _ in 0..20 {
        proving.refused(&unknown).await;
    }
    assert_eq!(asked(), 1, "made-up keys do not make us ask");
    proving.clock.advance(Duration::from_secs(61));
    proving.refused(&unknown).await;
    proving.refused(&unknown).await;
    assert_eq!(asked(), 2);
    // The provider turns its key.
    proving.elsewhere.change(|known| known.keys = vec![jwk("second", &keys()[1])]);
    proving.clock.advance(Duration::from_secs(61));
    proving.id_token(&unknown).await.unwrap();
    assert_eq!(asked(), 3);
    assert!(proving.refused(&good).await.contains("unknown key"), "the old one is gone");
    proving.clock.advance(Duration::from_secs(599));
    proving.id_token(&unknown).await.unwrap();
    assert_eq!(asked(), 3, "kept for as long as the provider said");
    proving.clock.advance(Duration::from_secs(1));
    proving.id_token(&unknown).await.unwrap();
    assert_eq!(asked(), 4);
}

#[tokio::test]
async fn a_provider_may_sign_with_a_curve_and_need_not_name_its_only_key() {
    let proving = Proving::new().await;
    let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
    let point = pair.public_key().as_ref();
    let (x, y) = (encode(&point[1..33]), encode(&point[33..65]));
    let key = json!({ "kty": "EC", "crv": "P-256", "x": x, "y": y });
    let strange = json!({ "kty": "OKP", "crv": "Ed25519", "x": x, "kid": "strange" });
    proving.elsewhere.change(|known| known.keys = vec![strange, json!(7), key]);
    let claims = proving.elsewhere.claims(&proving.clock);
    let message = message(json!({ "alg": "ES256" }), &claims);
    let signature = pair.sign(&SystemRandom::new(), message.as_bytes()).unwrap();
    let token = format!("{message}.{}", encode(signature));
    assert_eq!(proving.id_token(&token).await.unwrap().raw_id, "117");
}

#[tokio::test]
async fn google_is_believed_by_an_access_token_that_was_made_for_us() {
    let proving = Proving::new().await;
    let now = proving.clock.now().0 / 1000;
    let person = json!({ "sub": "117", "email": "rahim@gmail.example", "email_verified": true });
    let made = json!({
        "aud": "our-google-id", "azp": "our-google-id", "sub": "117", "exp": (now + 60).to_string(),
    });
    let put = |token: &str, changes: Value| {
        let grant = (changed(made.clone(), changes), person.clone());
        proving.elsewhere.change(|known| drop(known.google.insert(token.into(), grant)));
    };
    put("good", json!({}));
    put("of-another-app", json!({ "aud": "another-app", "azp": "another-app" }));
    put("half-of-another-app", json!({ "azp": "another-app" }));
    put("of-nobody", json!({ "aud": null, "azp": null }));
    put("of-somebody-else", json!({ "sub": "118" }));
    put("expired", json!({ "exp": (now - 61).to_string() }));
    let profile = proving.access_token("google.com", "good").await.unwrap();
    assert_eq!((profile.raw_id.as_str(), profile.email_verified), ("117", true));
    for (token, why) in [
        ("of-another-app", "another app"),
        ("half-of-another-app", "another app"),
        ("of-nobody", "another app"),
        ("of-somebody-else", "somebody else's"),
        ("expired", "expired"),
        ("unknown", "not good"),
        ("with space", "not one"),
        ("with\nline", "not one"),
    ] {
        let (status, words) = proving.access_token("google.com", token).await.unwrap_err();
        assert!(status == 400 && words.contains(why), "{token}: {words}");
        assert!(words.starts_with("INVALID_IDP_RESPONSE : "), "{words}");
    }
    let (_, words) = proving.access_token("oidc.company", "good").await.unwrap_err();
    assert!(words.contains("ID token alone"), "{words}");
}

#[tokio::test]
async fn facebook_is_believed_by_an_access_token_that_was_made_for_us() {
    let proving = Proving::new().await;
    let now = proving.clock.now().0 / 1000;
    let made = json!({ "is_valid": true, "app_id": "4711", "user_id": "9", "expires_at": 0 });
    let put = |token: &str, changes: Value| {
        let grant = (changed(made.clone(), changes), person_on_facebook());
        proving.elsewhere.change(|known| drop(known.facebook.insert(token.into(), grant)));
    };
    put("good", json!({}));
    put("also-good", json!({ "expires_at": now + 60 }));
    put("of-another-app", json!({ "app_id": "4712" }));
    put("of-another-user", json!({ "user_id": "10" }));
    put("of-nobody", json!({ "user_id": null }));
    put("taken-back", json!({ "is_valid": false }));
    put("expired", json!({ "expires_at": now }));
    let profile = proving.access_token("facebook.com", "good").await.unwrap();
    assert_eq!((profile.provider_id.as_str(), profile.raw_id.as_str()), ("facebook.com", "9"));
    assert_eq!(profile.email.as_deref(), Some("ayesha@people.example"));
    assert!(!profile.email_verified, "Facebook does not say whose it is");
    assert_eq!(profile.photo_url.as_deref(), Some("https://pictures.example/9.jpg"));
    proving.access_token("facebook.com", "also-good").await.unwrap();
    for (token, why) in [
        ("of-another-app", "another app"),
        ("of-another-user", "somebody else's"),
        ("of-nobody", "somebody else's"),
        ("taken-back", "not good"),
        ("expired", "expired"),
        ("unknown", "not good"),
        ("", "Neither"),
    ] {
        let (status, words) = proving.access_token("facebook.com", token).await.unwrap_err();
        assert!(status == 400 && words.contains(why), "{token}: {words}");
        assert!(words.starts_with("INVALID_IDP_RESPONSE : "), "{words}");
    }
}

#[tokio::test]
async fn a_provider_that_does_not_answer_is_house_trouble() {
    for mood in [Mood::Broken, Mood::Html, Mood::TooMuch, Mood::Silent] {
        let proving = Proving::new().await;
        proving.elsewhere.change(|known| known.mood = mood);
        let (status, words) = proving.id_token(&proving.token(json!({}))).await.unwrap_err();
        assert_eq!((status, words.as_str()), (503, "not JSON"), "{mood:?}");
        for provider in ["google.com", "facebook.com"] {
            let (status, _) = proving.access_token(provider, "good").await.unwrap_err();
            assert_eq!(status, 503, "{mood:?}");
        }
        // Left alone for a moment, then asked again.
        proving.elsewhere.change(|known| known.mood = Mood::Good);
        let token = proving.token(json!({}));
        assert_eq!(proving.id_token(&token).await.unwrap_err().0, 503);
        proving.clock.advance(Duration::from_secs(5));
        proving.id_token(&token).await.unwrap();
    }
}

#[tokio::test]
async fn half_a_configuration_is_refused() {
    let clock = Clock::system();
    for (args, missing) in [
        (&["--google-client-id=a"][..], "google_client_secret"),
        (&["--facebook-app-secret=a"], "facebook_app_id"),
        (&["--oidc-id=oidc.a", "--oidc-client-id=b", "--oidc-client-secret=c"], "oidc_issuer"),
    ] {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let built = Providers::new(&settings_of(&args), &Client::new(), &clock, None);
        assert!(built.err().unwrap().contains(missing));
    }
    let built = Providers::new(&settings_of(&[]), &Client::new(), &clock, None).unwrap();
    assert!(built.ids().is_empty());
}

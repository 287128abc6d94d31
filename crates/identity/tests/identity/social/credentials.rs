//! Verification of social providers' credentials.

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use identity::{IdpProfile, IdpTokens};
use platform::Timestamp;

use super::*;

type Verified = Result<IdpProfile, (u16, String)>;

/// Providers without a service.
struct Verifier {
    fakes: FakeProviders,
    clock: Clock,
    providers: Providers,
}

impl Verifier {
    async fn new() -> Self {
        let clock = Clock::fixed_at(Timestamp::parse("2026-11-15T09:00:00Z").unwrap());
        let fakes = FakeProviders::start().await;
        Self { providers: fakes.providers(&clock), fakes, clock }
    }

    async fn verify(&self, provider: &str, tokens: IdpTokens<'_>) -> Verified {
        match self.providers.verify(provider, tokens).await {
            Ok(profile) => Ok(profile),
            Err(refusal) => Err(error_message(refusal).await),
        }
    }

    async fn id_token(&self, token: &str) -> Verified {
        self.verify("google.com", IdpTokens { id_token: Some(token), ..IdpTokens::default() }).await
    }

    async fn access_token(&self, provider: &str, token: &str) -> Verified {
        self.verify(provider, IdpTokens { access_token: Some(token), ..IdpTokens::default() }).await
    }

    /// Google's ID token with some claims changed; null removes one.
    fn token(&self, changes: Value) -> String {
        signed("first", &keys()[0], &with_changes(self.fakes.claims(&self.clock), changes))
    }

    async fn refused(&self, token: &str) -> String {
        let (status, words) = self.id_token(token).await.unwrap_err();
        assert_eq!(status, 400, "{words}");
        assert!(!words.contains(token), "{words}");
        words
    }
}

#[tokio::test]
async fn google_id_token_is_accepted() {
    let verifier = Verifier::new().await;
    let claims = verifier.fakes.claims(&verifier.clock);
    let profile = verifier.id_token(&verifier.token(json!({}))).await.unwrap();
    assert_eq!((profile.provider_id.as_str(), profile.raw_id.as_str()), ("google.com", "117"));
    assert_eq!(profile.email.as_deref(), Some("rahim@gmail.example"));
    assert!(profile.email_verified);
    assert_eq!(profile.display_name.as_deref(), Some("Rahim Uddin"));
    assert_eq!(profile.first_name.as_deref(), Some("Rahim"));
    assert_eq!(profile.last_name.as_deref(), Some("Uddin"));
    assert_eq!(profile.photo_url.as_deref(), Some("https://pictures.example/rahim.png"));
    assert_eq!(Value::Object(profile.claims), claims);
    assert_eq!(verifier.providers.ids(), ["google.com", "facebook.com", "oidc.company"]);
}

#[tokio::test]
async fn invalid_id_tokens_are_rejected() {
    let verifier = Verifier::new().await;
    let now = verifier.clock.now().0 / 1000;
    for (changes, why) in [
        (json!({ "iss": "https://evil.example" }), "another provider's"),
        (json!({ "aud": "another-app" }), "another app"),
        (json!({ "aud": ["our-google-id", "another-app"], "azp": null }), "another app"),
        (json!({ "exp": now - 61 }), "expired"),
        (json!({ "exp": null }), "expired"),
        (json!({ "iat": now + 61 }), "future"),
        (json!({ "iat": null }), "future"),
        (json!({ "sub": null }), "user id"),
    ] {
        let words = verifier.refused(&verifier.token(changes.clone())).await;
        assert!(words.starts_with("INVALID_IDP_RESPONSE : ") && words.contains(why), "{words}");
    }
    let claims = verifier.fakes.claims(&verifier.clock);
    let [first, second] = keys();
    let good = signed("first", first, &claims);
    let (message_of_good, signature) = good.rsplit_once('.').unwrap();
    let none = message(json!({ "alg": "none", "kid": "first" }), &claims);
    let header = jsonwebtoken::Header {
        kid: Some("first".into()),
        ..jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS256)
    };
    let public = first.public_key().as_ref();
    let modulus = verifier.fakes.state.lock().unwrap().keys[0]["n"].clone();
    let symmetric = |secret: &[u8]| {
        let key = jsonwebtoken::EncodingKey::from_secret(secret);
        jsonwebtoken::encode(&header, &claims, &key).unwrap()
    };
    let other_claims = message(
        json!({ "alg": "RS256", "kid": "first" }),
        &with_changes(claims.clone(), json!({ "sub": "1" })),
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
        let words = verifier.refused(&token).await;
        assert!(words.starts_with("INVALID_IDP_RESPONSE : ") && words.contains(why), "{words}");
    }
    // Issued for us, but by another configured provider.
    let tokens = IdpTokens { id_token: Some(&good), ..IdpTokens::default() };
    let (_, words) = verifier.verify("oidc.company", tokens).await.unwrap_err();
    assert!(words.contains("another app"), "{words}");
    let (_, words) = verifier.verify("facebook.com", tokens).await.unwrap_err();
    assert!(words.contains("neither"), "{words}");
    let (_, words) = verifier.verify("google.com", IdpTokens::default()).await.unwrap_err();
    assert!(words.contains("neither"), "{words}");
    for provider in ["apple.com", "", "google.com "] {
        let (status, words) = verifier.verify(provider, tokens).await.unwrap_err();
        let expected = "OPERATION_NOT_ALLOWED : The identity provider configuration is not found.";
        assert_eq!((status, words.as_str()), (400, expected));
    }
}

#[tokio::test]
async fn nonce_must_match() {
    let verifier = Verifier::new().await;
    let hash = hex(digest(&SHA256, b"raw"));
    let hashed = verifier.token(json!({ "nonce": hash }));
    let plain = verifier.token(json!({ "nonce": "raw" }));
    let without = verifier.token(json!({}));
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
        let tokens = IdpTokens { id_token: Some(token), nonce, access_token: None };
        match verifier.verify("google.com", tokens).await {
            Ok(_) => assert!(good, "{nonce:?}"),
            Err((_, words)) => {
                assert!(!good && words.starts_with("MISSING_OR_INVALID_NONCE : "), "{words}");
            }
        }
    }
}

#[tokio::test]
async fn keys_are_fetched_when_expired_or_missing() {
    let verifier = Verifier::new().await;
    let fetches = || verifier.fakes.key_fetches.load(Ordering::SeqCst);
    let good = verifier.token(json!({}));
    let unknown = signed("second", &keys()[1], &verifier.fakes.claims(&verifier.clock));
    let many = (0..20).map(|_| verifier.id_token(&good));
    for proved in futures_util::future::join_all(many).await {
        proved.unwrap();
    }
    assert_eq!(fetches(), 1, "one fetches, the others wait");
    for _ in 0..20 {
        verifier.refused(&unknown).await;
    }
    assert_eq!(fetches(), 1, "made-up keys cause no fetch");
    verifier.clock.advance(Duration::from_secs(61));
    verifier.refused(&unknown).await;
    verifier.refused(&unknown).await;
    assert_eq!(fetches(), 2);
    // The provider rotates its key.
    verifier.fakes.change(|state| state.keys = vec![jwk("second", &keys()[1])]);
    verifier.clock.advance(Duration::from_secs(61));
    verifier.id_token(&unknown).await.unwrap();
    assert_eq!(fetches(), 3);
    assert!(verifier.refused(&good).await.contains("unknown key"), "the old one is gone");
    verifier.clock.advance(Duration::from_secs(599));
    verifier.id_token(&unknown).await.unwrap();
    assert_eq!(fetches(), 3, "cached for max-age");
    verifier.clock.advance(Duration::from_secs(1));
    verifier.id_token(&unknown).await.unwrap();
    assert_eq!(fetches(), 4);
}

#[tokio::test]
async fn es256_and_a_single_unnamed_key_are_supported() {
    let verifier = Verifier::new().await;
    let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
    let point = pair.public_key().as_ref();
    let (x, y) = (encode(&point[1..33]), encode(&point[33..65]));
    let key = json!({ "kty": "EC", "crv": "P-256", "x": x, "y": y });
    let strange = json!({ "kty": "OKP", "crv": "Ed25519", "x": x, "kid": "strange" });
    verifier.fakes.change(|state| state.keys = vec![strange, json!(7), key]);
    let claims = verifier.fakes.claims(&verifier.clock);
    let message = message(json!({ "alg": "ES256" }), &claims);
    let signature = pair.sign(&SystemRandom::new(), message.as_bytes()).unwrap();
    let token = format!("{message}.{}", encode(signature));
    assert_eq!(verifier.id_token(&token).await.unwrap().raw_id, "117");
}

#[tokio::test]
async fn google_access_token_must_be_issued_for_us() {
    let verifier = Verifier::new().await;
    let now = verifier.clock.now().0 / 1000;
    let person = json!({ "sub": "117", "email": "rahim@gmail.example", "email_verified": true });
    let made = json!({
        "aud": "our-google-id", "azp": "our-google-id", "sub": "117", "exp": (now + 60).to_string(),
    });
    let insert = |token: &str, changes: Value| {
        let grant = (with_changes(made.clone(), changes), person.clone());
        verifier.fakes.change(|state| drop(state.google.insert(token.into(), grant)));
    };
    insert("good", json!({}));
    insert("of-another-app", json!({ "aud": "another-app", "azp": "another-app" }));
    insert("half-of-another-app", json!({ "azp": "another-app" }));
    insert("of-nobody", json!({ "aud": null, "azp": null }));
    insert("of-somebody-else", json!({ "sub": "118" }));
    insert("expired", json!({ "exp": (now - 61).to_string() }));
    let profile = verifier.access_token("google.com", "good").await.unwrap();
    assert_eq!((profile.raw_id.as_str(), profile.email_verified), ("117", true));
    for (token, why) in [
        ("of-another-app", "another app"),
        ("half-of-another-app", "another app"),
        ("of-nobody", "another app"),
        ("of-somebody-else", "another user"),
        ("expired", "expired"),
        ("unknown", "is invalid"),
        ("with space", "malformed"),
        ("with\nline", "malformed"),
    ] {
        let (status, words) = verifier.access_token("google.com", token).await.unwrap_err();
        assert!(status == 400 && words.contains(why), "{token}: {words}");
        assert!(words.starts_with("INVALID_IDP_RESPONSE : "), "{words}");
    }
    let (_, words) = verifier.access_token("oidc.company", "good").await.unwrap_err();
    assert!(words.contains("only accepts"), "{words}");
}

#[tokio::test]
async fn facebook_access_token_must_be_issued_for_us() {
    let verifier = Verifier::new().await;
    let now = verifier.clock.now().0 / 1000;
    let made = json!({ "is_valid": true, "app_id": "4711", "user_id": "9", "expires_at": 0 });
    let insert = |token: &str, changes: Value| {
        let grant = (with_changes(made.clone(), changes), person_on_facebook());
        verifier.fakes.change(|state| drop(state.facebook.insert(token.into(), grant)));
    };
    insert("good", json!({}));
    insert("also-good", json!({ "expires_at": now + 60 }));
    insert("of-another-app", json!({ "app_id": "4712" }));
    insert("of-another-user", json!({ "user_id": "10" }));
    insert("of-nobody", json!({ "user_id": null }));
    insert("taken-back", json!({ "is_valid": false }));
    insert("expired", json!({ "expires_at": now }));
    let profile = verifier.access_token("facebook.com", "good").await.unwrap();
    assert_eq!((profile.provider_id.as_str(), profile.raw_id.as_str()), ("facebook.com", "9"));
    assert_eq!(profile.email.as_deref(), Some("ayesha@people.example"));
    assert!(!profile.email_verified, "Facebook does not say whose it is");
    assert_eq!(profile.photo_url.as_deref(), Some("https://pictures.example/9.jpg"));
    verifier.access_token("facebook.com", "also-good").await.unwrap();
    for (token, why) in [
        ("of-another-app", "another app"),
        ("of-another-user", "another user"),
        ("of-nobody", "another user"),
        ("taken-back", "is invalid"),
        ("expired", "expired"),
        ("unknown", "is invalid"),
        ("", "neither"),
    ] {
        let (status, words) = verifier.access_token("facebook.com", token).await.unwrap_err();
        assert!(status == 400 && words.contains(why), "{token}: {words}");
        assert!(words.starts_with("INVALID_IDP_RESPONSE : "), "{words}");
    }
}

#[tokio::test]
async fn an_unavailable_provider_is_a_server_error() {
    for behaviour in [Behaviour::Broken, Behaviour::Html, Behaviour::TooLarge, Behaviour::Silent] {
        let verifier = Verifier::new().await;
        verifier.fakes.change(|state| state.behaviour = behaviour);
        let (status, words) = verifier.id_token(&verifier.token(json!({}))).await.unwrap_err();
        assert_eq!((status, words.as_str()), (503, "not JSON"), "{behaviour:?}");
        for provider in ["google.com", "facebook.com"] {
            let (status, _) = verifier.access_token(provider, "good").await.unwrap_err();
            assert_eq!(status, 503, "{behaviour:?}");
        }
        // After a failure the provider is asked again only after a while.
        verifier.fakes.change(|state| state.behaviour = Behaviour::Good);
        let token = verifier.token(json!({}));
        assert_eq!(verifier.id_token(&token).await.unwrap_err().0, 503);
        verifier.clock.advance(Duration::from_secs(5));
        verifier.id_token(&token).await.unwrap();
    }
}

#[tokio::test]
async fn incomplete_configuration_is_rejected() {
    let clock = Clock::system();
    for (args, missing) in [
        (&["--google-client-id=a"][..], "google_client_secret"),
        (&["--facebook-app-secret=a"], "facebook_app_id"),
        (&["--oidc-id=oidc.a", "--oidc-client-id=b", "--oidc-client-secret=c"], "oidc_issuer"),
    ] {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let built = Providers::new(&settings_of(&args), &HttpClient::new(), &clock, None);
        assert!(built.err().unwrap().contains(missing));
    }
    let built = Providers::new(&settings_of(&[]), &HttpClient::new(), &clock, None).unwrap();
    assert!(built.ids().is_empty());
}

//! The demo identity provider.

use identity::{DemoProvider, demo_provider_router};
use platform::{Languages, Random};

use super::*;

/// The seed of the demo provider's secret, so that the test knows the secret.
const SEED: u64 = 7;

/// A demo shop on loopback.
struct Demo {
    identity: Identity,
    clock: Clock,
    address: String,
    routes: Router,
    _given: TestDb,
}

impl Demo {
    async fn open(args: &[String]) -> Self {
        let given = TestDb::new(Engine::Sqlite).await;
        let TestDb { db, clock, .. } = &given;
        let (db, clock) = (db.clone(), clock.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let social = settings_of(args);
        let random = Random::seeded(SEED);
        let demo_provider =
            DemoProvider::for_unconfigured(&social, &address, &address, &clock, &random).unwrap();
        let providers =
            Providers::new(&social, &HttpClient::new(), &clock, Some(&demo_provider)).unwrap();
        let secret = Secret::new(&"secret".repeat(8)).unwrap();
        let place = Site {
            origin: address.clone(),
            shop_name: "Haat".into(),
            translated_names: Default::default(),
            languages: Languages::default(),
            sends_sms: true,
        };
        let identity =
            Identity::start(db, clock.clone(), random, &secret, settings(), place, providers)
                .await
                .unwrap();
        let routes = identity::router(identity.clone()).merge(demo_provider_router(demo_provider));
        let served = routes.clone();
        tokio::spawn(async move { axum::serve(listener, served).await });
        Self { identity, clock, address, routes, _given: given }
    }

    async fn start(&self, provider: &str) -> (String, String) {
        let address = format!("/auth/start?provider={provider}&state={PAGE_STATE}");
        let popup = get_page(&self.routes, &address, None).await;
        assert_eq!(popup.status, 303, "{}", popup.html);
        let cookie = popup.headers[SET_COOKIE].to_str().unwrap();
        assert!(!cookie.contains("Secure"), "there is no TLS here");
        let to = popup.headers[LOCATION].to_str().unwrap();
        (popup.cookie(), to.strip_prefix(&self.address).unwrap().to_owned())
    }

    async fn post(&self, address: &str, fields: &str) -> Popup {
        let request = Request::post(address)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from(fields.to_owned()))
            .unwrap();
        send(&self.routes, request).await
    }

    /// Chooses a person on the demo provider's page; returns the redirect.
    async fn choose(&self, to: &str, choice: &str) -> String {
        let fields = format!("{}&{choice}", to.split_once('?').unwrap().1);
        let popup = self.post("/dev/provider/authorize", &fields).await;
        assert_eq!(popup.status, 303, "{}", popup.html);
        let back = popup.headers[LOCATION].to_str().unwrap();
        back.strip_prefix(&self.address).unwrap().to_owned()
    }
}

fn parameter(address: &str, name: &str) -> String {
    let query = address.split_once('?').unwrap().1;
    let fields: Fields = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    fields[name].clone()
}

#[tokio::test]
async fn demo_provider_simulates_google_and_facebook() {
    let demo = Demo::open(&[]).await;
    assert_eq!(demo.identity.providers().ids(), ["google.com", "facebook.com"]);
    for (provider, name, verified) in
        [("google.com", "Google", true), ("facebook.com", "Facebook", false)]
    {
        let (cookie, to) = demo.start(provider).await;
        let page = get_page(&demo.routes, &to, None).await;
        let label =
            format!("This is a stand-in for {name} in this demo shop. Nobody checks who you are.");
        assert!(page.status == 200 && page.html.contains(&label), "{}", page.html);
        for (choice, email) in [
            ("persona=1", "ayesha@people.example"),
            ("name=Anna+B%C3%A4r&email=Anna%40People.example", "anna@people.example"),
        ] {
            let back = demo.choose(&to, choice).await;
            let popup = get_page(&demo.routes, &back, Some(&cookie)).await;
            let code = popup.data("code").unwrap_or_else(|| panic!("{}", popup.html));
            let Ok(profile) = demo.identity.redeem_code(provider, code).await else {
                panic!("{code}")
            };
            assert_eq!(profile.email.as_deref(), Some(email));
            assert_eq!((profile.email_verified, profile.raw_id.len()), (verified, 20));
        }
        let back = demo.choose(&to, "cancel=1").await;
        let popup = get_page(&demo.routes, &back, Some(&cookie)).await;
        assert_eq!(popup.data("error"), Some("access_denied"));
    }
}

#[tokio::test]
async fn demo_provider_rejects_other_clients() {
    let demo = Demo::open(&[]).await;
    let (_, to) = demo.start("google.com").await;
    for (part, other) in [
        ("client_id=google.com", "client_id=other"),
        ("response_type=code", "response_type=token"),
        ("code_challenge_method=S256", "code_challenge_method=plain"),
        ("redirect_uri=http", "redirect_uri=https"),
    ] {
        assert!(to.contains(part), "{to}");
        let popup = get_page(&demo.routes, &to.replace(part, other), None).await;
        assert_eq!(popup.status, 400, "{other}");
    }
    let choose = demo.post("/dev/provider/authorize", to.split_once('?').unwrap().1).await;
    assert_eq!(choose.status, 400, "no person was chosen");

    let back = demo.choose(&to, "persona=0").await;
    let code = parameter(&back, "code");
    // A code is only valid for its own sign-in, and expires.
    let (cookie, to) = demo.start("google.com").await;
    let crossed = format!("/auth/callback?code={code}&state={}", parameter(&to, "state"));
    let popup = get_page(&demo.routes, &crossed, Some(&cookie)).await;
    assert_eq!(popup.data("error"), Some("invalid-credential"));
    let back = demo.choose(&to, "persona=0").await;
    demo.clock.advance(Duration::from_secs(5 * 60));
    let popup = get_page(&demo.routes, &back, Some(&cookie)).await;
    assert_eq!(popup.data("error"), Some("invalid-credential"));
}

#[tokio::test]
async fn demo_provider_code_works_once_with_all_parameters() {
    let demo = Demo::open(&[]).await;
    let secret = hex(Random::seeded(SEED).bytes::<32>());
    let back = format!("{}/auth/callback", demo.address);
    let challenge = encode(digest(&SHA256, b"verifier"));
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("client_id", "google.com")
        .append_pair("redirect_uri", &back)
        .append_pair("response_type", "code")
        .append_pair("state", "state")
        .append_pair("nonce", "nonce")
        .append_pair("code_challenge", &challenge)
        .append_pair("code_challenge_method", "S256")
        .finish();
    let to = format!("/dev/provider/authorize?{query}");
    let bring = async |code: &str, name: &str, value: &str| {
        let mut fields = BTreeMap::from([
            ("grant_type", "authorization_code"),
            ("code", code),
            ("client_id", "google.com"),
            ("client_secret", &secret),
            ("redirect_uri", &back),
            ("code_verifier", "verifier"),
        ]);
        fields.insert(name, value);
        let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        demo.post("/dev/provider/token", &form).await.status
    };
    for (name, value, status) in [
        ("grant_type", "password", 400),
        ("code", "guessed", 400),
        ("client_id", "facebook.com", 400),
        ("client_secret", "guessed", 401),
        ("redirect_uri", "https://evil.example/auth/callback", 400),
        ("code_verifier", "guessed", 400),
    ] {
        let code = parameter(&demo.choose(&to, "persona=0").await, "code");
        assert_eq!(bring(&code, name, value).await, status, "{name}");
    }
    let code = parameter(&demo.choose(&to, "persona=0").await, "code");
    assert_eq!(bring(&code, "scope", "openid").await, 200);
    assert_eq!(bring(&code, "scope", "openid").await, 400, "a second time");
    assert_eq!(demo.post("/dev/provider/token", &"x".repeat(20_000)).await.status, 413);
}

#[tokio::test]
async fn demo_provider_simulates_only_unconfigured_providers() {
    let google = ["--google-client-id=a".to_owned(), "--google-client-secret=b".to_owned()];
    let demo = Demo::open(&google).await;
    assert_eq!(demo.identity.providers().ids(), ["google.com", "facebook.com"]);
    let (_, to) = demo.start("facebook.com").await;
    let as_google = to.replace("client_id=facebook.com", "client_id=google.com");
    assert_eq!(get_page(&demo.routes, &as_google, None).await.status, 400);
    let facebook = ["--facebook-app-id=a".to_owned(), "--facebook-app-secret=b".to_owned()];
    let all = settings_of(&[google, facebook].concat());
    let (clock, random) = (Clock::system(), Random::system());
    assert!(
        DemoProvider::for_unconfigured(&all, "http://a", "http://a", &clock, &random).is_none()
    );
    // Without a demo provider its paths do not exist.
    let service = Service::new(Engine::Sqlite).await;
    for path in ["authorize", "token", "keys", ".well-known/openid-configuration"] {
        let popup = get_page(&service.routes, &format!("/dev/provider/{path}"), None).await;
        assert_eq!(popup.status, 404, "{path}");
    }
    assert!(service.identity.providers().ids().is_empty());
}

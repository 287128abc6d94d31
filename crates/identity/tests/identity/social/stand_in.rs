//! The demo's own provider.

use base::Random;
use identity::social::redeem;
use identity::{StandIn, stand_in_router};

use super::*;

/// What the stand-in throws its secret with, so that the test knows it too.
const DICE: u64 = 7;

/// A demo shop on loopback, as the server puts it together.
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
        let (db, clock, random) = (db.clone(), clock.clone(), Random::system());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let social = settings_of(args);
        let dice = Random::seeded(DICE);
        let stand_in = StandIn::for_missing(&social, &address, &address, &clock, &dice).unwrap();
        let providers = Providers::new(&social, &Client::new(), &clock, Some(&stand_in)).unwrap();
        let secret = Secret::new(&"secret".repeat(8)).unwrap();
        let place = Place { origin: address.clone(), shop_name: "Haat".into(), sends_texts: true };
        let identity =
            Identity::start(db, clock.clone(), random, &secret, settings(), place, providers)
                .await
                .unwrap();
        let routes = identity::router(identity.clone()).merge(stand_in_router(stand_in));
        let served = routes.clone();
        tokio::spawn(async move { axum::serve(listener, served).await });
        Self { identity, clock, address, routes, _given: given }
    }

    async fn set_out(&self, provider: &str) -> (String, String) {
        let address = format!("/auth/start?provider={provider}&state={PAGE_STATE}");
        let window = look(&self.routes, &address, None).await;
        assert_eq!(window.status, 303, "{}", window.html);
        let cookie = window.headers[SET_COOKIE].to_str().unwrap();
        assert!(!cookie.contains("Secure"), "there is no TLS here");
        let to = window.headers[LOCATION].to_str().unwrap();
        (window.cookie(), to.strip_prefix(&self.address).unwrap().to_owned())
    }

    async fn post(&self, address: &str, fields: &str) -> Window {
        let request = Request::post(address)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from(fields.to_owned()))
            .unwrap();
        visit(&self.routes, request).await
    }

    /// Chooses on the stand-in's page, and gives the address that leads back to.
    async fn choose(&self, to: &str, choice: &str) -> String {
        let fields = format!("{}&{choice}", to.split_once('?').unwrap().1);
        let window = self.post("/dev/provider/authorize", &fields).await;
        assert_eq!(window.status, 303, "{}", window.html);
        let back = window.headers[LOCATION].to_str().unwrap();
        back.strip_prefix(&self.address).unwrap().to_owned()
    }
}

fn parameter(address: &str, name: &str) -> String {
    let query = address.split_once('?').unwrap().1;
    let fields: Fields = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    fields[name].clone()
}

#[tokio::test]
async fn the_stand_in_plays_providers_over_http() {
    let demo = Demo::open(&[]).await;
    assert_eq!(demo.identity.providers().ids(), ["google.com", "facebook.com"]);
    for (provider, name, verified) in
        [("google.com", "Google", true), ("facebook.com", "Facebook", false)]
    {
        let (cookie, to) = demo.set_out(provider).await;
        let page = look(&demo.routes, &to, None).await;
        let label =
            format!("This is a stand-in for {name} in this demo shop. Nobody checks who you are.");
        assert!(page.status == 200 && page.html.contains(&label), "{}", page.html);
        for (choice, email) in [
            ("persona=1", "ayesha@people.example"),
            ("name=Anna+B%C3%A4r&email=Anna%40People.example", "anna@people.example"),
        ] {
            let back = demo.choose(&to, choice).await;
            let window = look(&demo.routes, &back, Some(&cookie)).await;
            let code = window.told("code").unwrap_or_else(|| panic!("{}", window.html));
            let Ok(profile) = redeem(&demo.identity, provider, code).await else {
                panic!("{code}")
            };
            assert_eq!(profile.email.as_deref(), Some(email));
            assert_eq!((profile.email_verified, profile.raw_id.len()), (verified, 20));
        }
        let back = demo.choose(&to, "cancel=1").await;
        let window = look(&demo.routes, &back, Some(&cookie)).await;
        assert_eq!(window.told("error"), Some("access_denied"));
    }
}

#[tokio::test]
async fn the_stand_in_answers_nobody_but_the_shop() {
    let demo = Demo::open(&[]).await;
    let (_, to) = demo.set_out("google.com").await;
    for (part, other) in [
        ("client_id=google.com", "client_id=other"),
        ("response_type=code", "response_type=token"),
        ("code_challenge_method=S256", "code_challenge_method=plain"),
        ("redirect_uri=http", "redirect_uri=https"),
    ] {
        assert!(to.contains(part), "{to}");
        let window = look(&demo.routes, &to.replace(part, other), None).await;
        assert_eq!(window.status, 400, "{other}");
    }
    let choose = demo.post("/dev/provider/authorize", to.split_once('?').unwrap().1).await;
    assert_eq!(choose.status, 400, "nobody was chosen");

    let back = demo.choose(&to, "persona=0").await;
    let code = parameter(&back, "code");
    // What it gave for one sign-in is of no use in another, nor too late.
    let (cookie, to) = demo.set_out("google.com").await;
    let crossed = format!("/auth/callback?code={code}&state={}", parameter(&to, "state"));
    let window = look(&demo.routes, &crossed, Some(&cookie)).await;
    assert_eq!(window.told("error"), Some("invalid-credential"));
    let back = demo.choose(&to, "persona=0").await;
    demo.clock.advance(Duration::from_secs(5 * 60));
    let window = look(&demo.routes, &back, Some(&cookie)).await;
    assert_eq!(window.told("error"), Some("invalid-credential"));
}

#[tokio::test]
async fn a_code_of_the_stand_in_works_once_with_all_that_belongs_to_it() {
    let demo = Demo::open(&[]).await;
    let secret = hexadecimal(Random::seeded(DICE).bytes::<32>());
    let back = format!("{}/auth/callback", demo.address);
    let challenge = encode(digest(&SHA256, b"verifier"));
    let asked = form_urlencoded::Serializer::new(String::new())
        .append_pair("client_id", "google.com")
        .append_pair("redirect_uri", &back)
        .append_pair("response_type", "code")
        .append_pair("state", "state")
        .append_pair("nonce", "nonce")
        .append_pair("code_challenge", &challenge)
        .append_pair("code_challenge_method", "S256")
        .finish();
    let to = format!("/dev/provider/authorize?{asked}");
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
async fn the_stand_in_plays_only_those_that_are_not_set_up() {
    let google = ["--google-client-id=a".to_owned(), "--google-client-secret=b".to_owned()];
    let demo = Demo::open(&google).await;
    assert_eq!(demo.identity.providers().ids(), ["google.com", "facebook.com"]);
    let (_, to) = demo.set_out("facebook.com").await;
    let as_google = to.replace("client_id=facebook.com", "client_id=google.com");
    assert_eq!(look(&demo.routes, &as_google, None).await.status, 400);
    let facebook = ["--facebook-app-id=a".to_owned(), "--facebook-app-secret=b".to_owned()];
    let all = settings_of(&[google, facebook].concat());
    let (clock, random) = (Clock::system(), Random::system());
    assert!(StandIn::for_missing(&all, "http://a", "http://a", &clock, &random).is_none());
    // Without one there is nothing at its paths.
    let service = Service::new(Engine::Sqlite).await;
    for path in ["authorize", "token", "keys", ".well-known/openid-configuration"] {
        let window = look(&service.routes, &format!("/dev/provider/{path}"), None).await;
        assert_eq!(window.status, 404, "{path}");
    }
    assert!(service.identity.providers().ids().is_empty());
}

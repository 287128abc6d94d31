//! The window: out to a provider, back, and the code that comes of it.

use identity::Profile;
use identity::social::redeem;
use test_support::on_both;

use super::*;

on_both!(Stage:
    somebody_goes_to_google_and_comes_back,
    somebody_goes_to_facebook_and_comes_back,
    somebody_goes_to_any_other_provider_and_comes_back,
    a_code_is_redeemed_once_soon_and_for_its_provider,
    of_many_who_redeem_a_code_at_once_one_gets_it,
    a_way_back_that_is_not_ours_leads_nowhere,
    a_way_out_that_is_not_ours_leads_nowhere,
    what_a_provider_says_instead_of_a_code_is_told,
    a_provider_in_trouble_is_not_the_visitors_fault,
    tokens_of_another_sign_in_are_refused,
    a_repeated_callback_gets_the_same_answer_in_the_same_browser,
);

const CODE: &str = "code-of-the-provider";

/// A visitor who has been sent to a provider.
struct Visit {
    cookie: String,
    asked: Fields,
}

impl Stage {
    async fn look(&self, address: &str, cookie: Option<&str>) -> Window {
        look(&self.service.routes, address, cookie).await
    }

    async fn set_out(&self, provider: &str) -> Visit {
        let address = format!("/auth/start?provider={provider}&state={PAGE_STATE}");
        let window = self.look(&address, Some("theme=dark")).await;
        assert_eq!(window.status, 303);
        Visit { cookie: window.cookie(), asked: window.leads_to().1 }
    }

    /// The provider lets the visitor go back with `CODE`, which is worth `claims`.
    fn grant(&self, visit: &Visit, worth: Value) {
        let challenge = visit.asked["code_challenge"].clone();
        self.elsewhere.change(|known| drop(known.grants.insert(CODE.into(), (worth, challenge))));
    }

    async fn come_back(&self, visit: &Visit) -> Window {
        let address = format!("/auth/callback?code={CODE}&state={}", visit.asked["state"]);
        self.look(&address, Some(&format!("theme=dark; {}", visit.cookie))).await
    }

    /// The whole way with Google, and the code at its end.
    pub async fn code_from_google(&self) -> String {
        let visit = self.set_out("google.com").await;
        let claims = self.elsewhere.claims(&self.service.given.clock);
        self.grant(&visit, changed(claims, json!({ "nonce": visit.asked["nonce"] })));
        self.come_back(&visit).await.told("code").unwrap().to_owned()
    }

    async fn redeem(&self, provider: &str, code: &str) -> Result<Profile, String> {
        match redeem(&self.service.identity, provider, code).await {
            Ok(profile) => Ok(profile),
            Err(refusal) => Err(words(refusal).await.1),
        }
    }

    fn failed(&self, window: &Window, error: &str) {
        assert_eq!(window.told("error"), Some(error), "{}", window.html);
        assert_eq!(window.told("code"), None);
        assert!(window.headers["content-type"].to_str().unwrap().starts_with("text/html"));
    }
}

async fn somebody_goes_to_google_and_comes_back(stage: Stage) {
    let address = format!("/auth/start?provider=google.com&state={PAGE_STATE}");
    let window = stage.look(&address, None).await;
    let cookie = window.headers[SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("haat_popup="), "{cookie}");
    assert!(
        cookie.ends_with("; HttpOnly; SameSite=Lax; Path=/auth; Max-Age=600; Secure"),
        "{cookie}"
    );
    let (to, asked) = window.leads_to();
    assert_eq!(to, format!("{}/authorize", stage.elsewhere.address));
    let part = |name: &str| asked[name].as_str();
    assert_eq!(part("client_id"), "our-google-id");
    assert_eq!(part("redirect_uri"), "https://haat.example/auth/callback");
    assert_eq!((part("response_type"), part("scope")), ("code", "openid email profile"));
    assert_eq!(part("code_challenge_method"), "S256");
    assert_ne!(part("state"), PAGE_STATE);

    let visit = Visit { cookie: window.cookie(), asked };
    let claims = stage.elsewhere.claims(&stage.service.given.clock);
    stage.grant(&visit, changed(claims, json!({ "nonce": visit.asked["nonce"] })));
    let window = stage.come_back(&visit).await;
    assert_eq!(window.status, 200);
    assert_eq!(window.told("state"), Some(PAGE_STATE));
    assert_eq!((window.told("provider"), window.told("error")), (Some("google.com"), None));
    let header = |name: &str| window.headers[name].to_str().unwrap();
    // A repeated request brings it again, for a few seconds.
    assert_eq!(
        header("set-cookie"),
        format!("{}; HttpOnly; SameSite=Lax; Path=/auth; Max-Age=10; Secure", visit.cookie)
    );
    assert_eq!((header("cache-control"), header("referrer-policy")), ("no-store", "no-referrer"));
    assert!(header("content-security-policy").starts_with("default-src 'none'; script-src 'self'"));
    assert_eq!(header("cross-origin-opener-policy"), "unsafe-none");
    assert!(window.html.contains("<script src=\"/auth/callback.js\"></script>"));
    let script = stage.look("/auth/callback.js", None).await;
    assert!(script.html.contains("location.origin") && !script.html.contains("\"*\""));

    let code = window.told("code").unwrap();
    assert_eq!(code.strip_prefix("haat-code.").map(str::len), Some(43));
    let profile = stage.redeem("google.com", code).await.unwrap();
    assert_eq!((profile.raw_id.as_str(), profile.email_verified), ("117", true));
    assert_eq!(profile.email.as_deref(), Some("rahim@gmail.example"));
    // The answer is repeated; what it is worth is not.
    let again = stage.come_back(&visit).await;
    assert_eq!(again.told("code"), Some(code));
    stage.redeem("google.com", code).await.unwrap_err();
    stage.service.wait(10);
    let late = stage.come_back(&visit).await;
    stage.failed(&late, "invalid-credential");
    assert_eq!(late.cookie(), "haat_popup=");
}

async fn somebody_goes_to_facebook_and_comes_back(stage: Stage) {
    let visit = stage.set_out("facebook.com").await;
    assert_eq!(visit.asked["client_id"], "4711");
    assert_eq!(visit.asked["scope"], "email,public_profile");
    stage.grant(&visit, json!("facebooks-token"));
    let made = json!({ "is_valid": true, "app_id": "4711", "user_id": "9", "expires_at": 0 });
    stage.elsewhere.change(|known| {
        known.facebook.insert("facebooks-token".into(), (made, person_on_facebook()));
    });
    let window = stage.come_back(&visit).await;
    let profile = stage.redeem("facebook.com", window.told("code").unwrap()).await.unwrap();
    assert_eq!((profile.raw_id.as_str(), profile.email_verified), ("9", false));
}

async fn somebody_goes_to_any_other_provider_and_comes_back(stage: Stage) {
    let visit = stage.set_out("oidc.company").await;
    let claims = stage.elsewhere.claims(&stage.service.given.clock);
    let changes = json!({ "aud": "our-company-id", "azp": null, "nonce": visit.asked["nonce"] });
    stage.grant(&visit, changed(claims, changes));
    let window = stage.come_back(&visit).await;
    assert!(window.html.contains("Signing in with The Company"));
    let profile = stage.redeem("oidc.company", window.told("code").unwrap()).await.unwrap();
    assert_eq!(profile.provider_id, "oidc.company");
}

async fn a_code_is_redeemed_once_soon_and_for_its_provider(stage: Stage) {
    let refused = "INVALID_IDP_RESPONSE : The code is not good, or not any more.";
    let code = stage.code_from_google().await;
    stage.redeem("google.com", &code).await.unwrap();
    assert_eq!(stage.redeem("google.com", &code).await.unwrap_err(), refused, "a second time");
    let code = stage.code_from_google().await;
    assert_eq!(stage.redeem("facebook.com", &code).await.unwrap_err(), refused);
    assert_eq!(stage.redeem("google.com", &code).await.unwrap_err(), refused, "spent by trying");
    let code = stage.code_from_google().await;
    stage.service.wait(5 * 60);
    assert_eq!(stage.redeem("google.com", &code).await.unwrap_err(), refused, "too late");
    for code in ["", "haat-code.", "💥", &"x".repeat(100_000)] {
        assert_eq!(stage.redeem("google.com", code).await.unwrap_err(), refused);
    }
    // What is kept tells neither the code nor whose it is, and goes when it is of no use.
    let code = stage.code_from_google().await;
    stage.service.wait(5 * 60);
    stage.code_from_google().await;
    let rows: Vec<(String, String)> = stage
        .service
        .given
        .db
        .query("select hash, sealed_profile from social_codes")
        .all()
        .await
        .unwrap();
    assert_eq!(rows.len(), 1);
    assert!(!rows[0].0.contains(&code) && !rows[0].1.contains("rahim"));
}

async fn of_many_who_redeem_a_code_at_once_one_gets_it(stage: Stage) {
    let code = stage.code_from_google().await;
    let many = (0..8).map(|_| stage.redeem("google.com", &code));
    let got = futures_util::future::join_all(many).await;
    assert_eq!(got.iter().filter(|profile| profile.is_ok()).count(), 1);
}

async fn a_way_back_that_is_not_ours_leads_nowhere(stage: Stage) {
    let visit = stage.set_out("google.com").await;
    let claims = stage.elsewhere.claims(&stage.service.given.clock);
    stage.grant(&visit, changed(claims, json!({ "nonce": visit.asked["nonce"] })));
    let state = &visit.asked["state"];
    let back = format!("/auth/callback?code={CODE}&state={state}");
    let foreign = {
        let secret = Secret::new(&"other!".repeat(8)).unwrap();
        let pending = json!({
            "provider": "google.com", "page_state": PAGE_STATE, "state": state, "nonce": "n",
            "verifier": "v", "expires_at": "2030-01-01T00:00:00Z",
        });
        let sealed = secret.seal("social popup", pending.to_string().as_bytes()).unwrap();
        format!("haat_popup={}", encode(sealed))
    };
    let mut tampered = visit.cookie.clone();
    tampered.replace_range(30..31, if &tampered[30..31] == "A" { "B" } else { "A" });
    let other_visit = stage.set_out("google.com").await;
    for (address, cookie) in [
        (back.as_str(), None),
        (&back, Some("haat_popup=")),
        (&back, Some("haat_popup=💥")),
        (&back, Some(foreign.as_str())),
        (&back, Some(tampered.as_str())),
        (&back, Some(other_visit.cookie.as_str())),
        ("/auth/callback", Some(&visit.cookie)),
        (&format!("/auth/callback?code={CODE}"), Some(&visit.cookie)),
        (&format!("/auth/callback?code={CODE}&state="), Some(&visit.cookie)),
        (&format!("/auth/callback?code={CODE}&state={state}x"), Some(&visit.cookie)),
        (&format!("/auth/callback?error=access_denied&state={state}x"), Some(&visit.cookie)),
        (&format!("/auth/callback?code=&state={state}"), Some(&visit.cookie)),
        (&format!("/auth/callback?code={}&state={state}", "x".repeat(5000)), Some(&visit.cookie)),
    ] {
        let window = stage.look(address, cookie).await;
        assert_eq!(window.status, 400, "{address} {cookie:?}");
        stage.failed(&window, "invalid-credential");
        assert!(window.cookie() == "haat_popup=");
    }
    stage.service.wait(10 * 60);
    let window = stage.come_back(&visit).await;
    stage.failed(&window, "invalid-credential");
    assert_eq!(window.told("state"), Some(PAGE_STATE), "the page is told that it took too long");
}

async fn a_way_out_that_is_not_ours_leads_nowhere(stage: Stage) {
    let good = format!("state={PAGE_STATE}");
    let markup = "state=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    for (query, error, state) in [
        (format!("provider=apple.com&{good}"), "operation-not-allowed", PAGE_STATE),
        (format!("provider=%22%3E%3Cscript%3E&{good}"), "operation-not-allowed", PAGE_STATE),
        (good.clone(), "operation-not-allowed", PAGE_STATE),
        (String::new(), "operation-not-allowed", ""),
        ("provider=google.com".into(), "invalid-credential", ""),
        ("provider=google.com&state=short".into(), "invalid-credential", ""),
        (format!("provider=google.com&state={}", "x".repeat(129)), "invalid-credential", ""),
        (format!("provider=google.com&{markup}"), "invalid-credential", ""),
    ] {
        let window = stage.look(&format!("/auth/start?{query}"), None).await;
        assert_eq!(window.status, 400, "{query}");
        stage.failed(&window, error);
        assert_eq!(window.told("state"), Some(state), "{query}");
        assert!(!window.html.contains("<script>") && !window.headers.contains_key(SET_COOKIE));
    }
}

async fn what_a_provider_says_instead_of_a_code_is_told(stage: Stage) {
    for (said, error, status) in [
        ("access_denied", "access_denied", 200),
        ("temporarily_unavailable", "network-request-failed", 503),
        ("unauthorized_client", "internal-error", 500),
        ("%3Cscript%3E", "internal-error", 500),
    ] {
        let visit = stage.set_out("google.com").await;
        let address = format!("/auth/callback?error={said}&state={}", visit.asked["state"]);
        let window = stage.look(&address, Some(&visit.cookie)).await;
        stage.failed(&window, error);
        assert_eq!((window.status, window.told("state")), (status, Some(PAGE_STATE)));
        assert!(!window.html.contains("<script>"));
    }
}

async fn a_provider_in_trouble_is_not_the_visitors_fault(stage: Stage) {
    for mood in [Mood::Broken, Mood::Html, Mood::TooMuch, Mood::Silent] {
        let visit = stage.set_out("google.com").await;
        stage.elsewhere.change(|known| known.mood = mood);
        let window = stage.come_back(&visit).await;
        stage.failed(&window, "network-request-failed");
        assert_eq!((window.status, window.told("state")), (503, Some(PAGE_STATE)), "{mood:?}");
        // Nor can anybody set out while what is published is too old to be believed.
        stage.service.wait(600);
        let address = format!("/auth/start?provider=google.com&state={PAGE_STATE}");
        stage.failed(&stage.look(&address, None).await, "network-request-failed");
        stage.elsewhere.change(|known| known.mood = Mood::Good);
        stage.service.wait(5);
    }
    // A code that the provider does not know is the visitor's.
    let visit = stage.set_out("google.com").await;
    stage.failed(&stage.come_back(&visit).await, "invalid-credential");
}

async fn tokens_of_another_sign_in_are_refused(stage: Stage) {
    let visit = stage.set_out("google.com").await;
    let nonce = &visit.asked["nonce"];
    let hash = hexadecimal(digest(&SHA256, nonce.as_bytes()));
    let claims = stage.elsewhere.claims(&stage.service.given.clock);
    for changes in [
        json!({}),
        json!({ "nonce": "another" }),
        json!({ "nonce": hash }),
        json!({ "nonce": nonce, "aud": "another-app", "azp": "another-app" }),
    ] {
        stage.grant(&visit, changed(claims.clone(), changes.clone()));
        stage.failed(&stage.come_back(&visit).await, "invalid-credential");
    }
    // And a code that somebody else set out for does not fit our verifier.
    let other = stage.set_out("google.com").await;
    stage.grant(&other, changed(claims, json!({ "nonce": nonce })));
    stage.failed(&stage.come_back(&visit).await, "invalid-credential");
}

/// A navigation preload and the navigation itself, or a reload: whichever is answered first.
async fn a_repeated_callback_gets_the_same_answer_in_the_same_browser(stage: Stage) {
    let visit = stage.set_out("google.com").await;
    let claims = stage.elsewhere.claims(&stage.service.given.clock);
    stage.grant(&visit, changed(claims, json!({ "nonce": visit.asked["nonce"] })));
    let windows = futures_util::future::join_all((0..3).map(|_| stage.come_back(&visit))).await;
    let code = windows[0].told("code").unwrap().to_owned();
    assert!(windows.iter().all(|window| window.told("code") == Some(&code)));
    assert_eq!(stage.come_back(&visit).await.told("code"), Some(code.as_str()));

    // Another browser has the address, at most with a cookie of its own.
    let other = stage.set_out("google.com").await;
    let address = format!("/auth/callback?code={CODE}&state={}", visit.asked["state"]);
    for cookie in [None, Some(other.cookie.as_str())] {
        stage.failed(&stage.look(&address, cookie).await, "invalid-credential");
    }
    let rows: Vec<(String, String)> = stage
        .service
        .given
        .db
        .query("select hash, sealed_code from social_callbacks")
        .all()
        .await
        .unwrap();
    assert_eq!(rows.len(), 1);
    assert!(!rows[0].0.contains(CODE) && !rows[0].1.contains(&code));
    stage.redeem("google.com", &code).await.unwrap();

    // A browser that hangs up, as with a cancelled preload, loses nothing either.
    let visit = stage.set_out("google.com").await;
    let claims = stage.elsewhere.claims(&stage.service.given.clock);
    stage.grant(&visit, changed(claims, json!({ "nonce": visit.asked["nonce"] })));
    tokio::select! {
        biased;
        () = stage.elsewhere.code_is_spent() => {}
        _ = stage.come_back(&visit) => {}
    }
    assert!(stage.come_back(&visit).await.told("code").is_some());
}

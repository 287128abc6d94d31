//! The OAuth popup: start, callback and one-time codes.

use identity::IdpProfile;
use test_support::on_both;

use super::*;

on_both!(SocialService:
    sign_in_at_google,
    sign_in_at_facebook,
    sign_in_at_another_oidc_provider,
    one_time_code_works_once_and_expires,
    concurrent_calls_redeem_a_code_once,
    invalid_callbacks_are_rejected,
    invalid_starts_are_rejected,
    the_popup_speaks_the_language_of_its_opener,
    provider_errors_are_passed_on,
    an_unavailable_provider_is_a_network_error,
    tokens_of_another_authorization_are_rejected,
    repeated_callback_gets_the_same_result_in_the_same_browser,
);

const CODE: &str = "code-of-the-provider";

/// A visitor at the provider's sign-in page.
struct AuthFlow {
    cookie: String,
    params: Fields,
}

impl SocialService {
    async fn get_page(&self, address: &str, cookie: Option<&str>) -> Popup {
        get_page(&self.service.routes, address, cookie).await
    }

    async fn start(&self, provider: &str) -> AuthFlow {
        let address = format!("/auth/start?provider={provider}&state={PAGE_STATE}");
        let popup = self.get_page(&address, Some("theme=dark")).await;
        assert_eq!(popup.status, 303);
        AuthFlow { cookie: popup.cookie(), params: popup.redirect().1 }
    }

    /// The provider issues `CODE` for these claims.
    fn grant(&self, flow: &AuthFlow, worth: Value) {
        let challenge = flow.params["code_challenge"].clone();
        self.fakes.change(|state| drop(state.grants.insert(CODE.into(), (worth, challenge))));
    }

    async fn callback(&self, flow: &AuthFlow) -> Popup {
        let address = format!("/auth/callback?code={CODE}&state={}", flow.params["state"]);
        self.get_page(&address, Some(&format!("theme=dark; {}", flow.cookie))).await
    }

    /// Runs the flow with Google and returns the one-time code.
    pub async fn code_from_google(&self) -> String {
        let flow = self.start("google.com").await;
        let claims = self.fakes.claims(&self.service.given.clock);
        self.grant(&flow, with_changes(claims, json!({ "nonce": flow.params["nonce"] })));
        self.callback(&flow).await.data("code").unwrap().to_owned()
    }

    async fn redeem_code(&self, provider: &str, code: &str) -> Result<IdpProfile, String> {
        match self.service.identity.redeem_code(provider, code).await {
            Ok(profile) => Ok(profile),
            Err(refusal) => Err(error_message(refusal).await.1),
        }
    }

    fn failed(&self, popup: &Popup, error: &str) {
        assert_eq!(popup.data("error"), Some(error), "{}", popup.html);
        assert_eq!(popup.data("code"), None);
        assert!(popup.headers["content-type"].to_str().unwrap().starts_with("text/html"));
    }
}

async fn sign_in_at_google(social: SocialService) {
    let address = format!("/auth/start?provider=google.com&state={PAGE_STATE}");
    let popup = social.get_page(&address, None).await;
    let cookie = popup.headers[SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("haat_popup="), "{cookie}");
    assert!(
        cookie.ends_with("; HttpOnly; SameSite=Lax; Path=/auth; Max-Age=600; Secure"),
        "{cookie}"
    );
    let (to, params) = popup.redirect();
    assert_eq!(to, format!("{}/authorize", social.fakes.address));
    let part = |name: &str| params[name].as_str();
    assert_eq!(part("client_id"), "our-google-id");
    assert_eq!(part("redirect_uri"), "https://haat.example/auth/callback");
    assert_eq!((part("response_type"), part("scope")), ("code", "openid email profile"));
    assert_eq!(part("code_challenge_method"), "S256");
    assert_ne!(part("state"), PAGE_STATE);

    let flow = AuthFlow { cookie: popup.cookie(), params };
    let claims = social.fakes.claims(&social.service.given.clock);
    social.grant(&flow, with_changes(claims, json!({ "nonce": flow.params["nonce"] })));
    let popup = social.callback(&flow).await;
    assert_eq!(popup.status, 200);
    assert_eq!(popup.data("state"), Some(PAGE_STATE));
    assert_eq!((popup.data("provider"), popup.data("error")), (Some("google.com"), None));
    let header = |name: &str| popup.headers[name].to_str().unwrap();
    // For a repeated request within a few seconds.
    assert_eq!(
        header("set-cookie"),
        format!("{}; HttpOnly; SameSite=Lax; Path=/auth; Max-Age=10; Secure", flow.cookie)
    );
    assert_eq!((header("cache-control"), header("referrer-policy")), ("no-store", "no-referrer"));
    assert!(header("content-security-policy").starts_with("default-src 'none'; script-src 'self'"));
    assert_eq!(header("cross-origin-opener-policy"), "unsafe-none");
    assert!(popup.html.contains("<script src=\"/auth/callback.js\"></script>"));
    let script = social.get_page("/auth/callback.js", None).await;
    assert!(script.html.contains("location.origin") && !script.html.contains("\"*\""));

    let code = popup.data("code").unwrap();
    assert_eq!(code.strip_prefix("haat-code.").map(str::len), Some(43));
    let profile = social.redeem_code("google.com", code).await.unwrap();
    assert_eq!((profile.raw_id.as_str(), profile.email_verified), ("117", true));
    assert_eq!(profile.email.as_deref(), Some("rahim@gmail.example"));
    // The repeated response has the same code, which still works only once.
    let again = social.callback(&flow).await;
    assert_eq!(again.data("code"), Some(code));
    social.redeem_code("google.com", code).await.unwrap_err();
    social.service.advance(10);
    let late = social.callback(&flow).await;
    social.failed(&late, "invalid-credential");
    assert_eq!(late.cookie(), "haat_popup=");
}

async fn sign_in_at_facebook(social: SocialService) {
    let flow = social.start("facebook.com").await;
    assert_eq!(flow.params["client_id"], "4711");
    assert_eq!(flow.params["scope"], "email,public_profile");
    social.grant(&flow, json!("facebooks-token"));
    let made = json!({ "is_valid": true, "app_id": "4711", "user_id": "9", "expires_at": 0 });
    social.fakes.change(|state| {
        state.facebook.insert("facebooks-token".into(), (made, person_on_facebook()));
    });
    let popup = social.callback(&flow).await;
    let profile = social.redeem_code("facebook.com", popup.data("code").unwrap()).await.unwrap();
    assert_eq!((profile.raw_id.as_str(), profile.email_verified), ("9", false));
}

async fn sign_in_at_another_oidc_provider(social: SocialService) {
    let flow = social.start("oidc.company").await;
    let claims = social.fakes.claims(&social.service.given.clock);
    let changes = json!({ "aud": "our-company-id", "azp": null, "nonce": flow.params["nonce"] });
    social.grant(&flow, with_changes(claims, changes));
    let popup = social.callback(&flow).await;
    assert!(popup.html.contains("Signing in with The Company"));
    let profile = social.redeem_code("oidc.company", popup.data("code").unwrap()).await.unwrap();
    assert_eq!(profile.provider_id, "oidc.company");
}

async fn one_time_code_works_once_and_expires(social: SocialService) {
    let refused = "INVALID_IDP_RESPONSE : The code is invalid or has expired.";
    let code = social.code_from_google().await;
    social.redeem_code("google.com", &code).await.unwrap();
    assert_eq!(
        social.redeem_code("google.com", &code).await.unwrap_err(),
        refused,
        "a second time"
    );
    let code = social.code_from_google().await;
    assert_eq!(social.redeem_code("facebook.com", &code).await.unwrap_err(), refused);
    assert_eq!(
        social.redeem_code("google.com", &code).await.unwrap_err(),
        refused,
        "spent by trying"
    );
    let code = social.code_from_google().await;
    social.service.advance(5 * 60);
    assert_eq!(social.redeem_code("google.com", &code).await.unwrap_err(), refused, "too late");
    for code in ["", "haat-code.", "💥", &"x".repeat(100_000)] {
        assert_eq!(social.redeem_code("google.com", code).await.unwrap_err(), refused);
    }
    // The row reveals neither the code nor the user, and is deleted after its expiry.
    let code = social.code_from_google().await;
    social.service.advance(5 * 60);
    social.code_from_google().await;
    let rows: Vec<(String, String)> = social
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

async fn concurrent_calls_redeem_a_code_once(social: SocialService) {
    let code = social.code_from_google().await;
    let many = (0..8).map(|_| social.redeem_code("google.com", &code));
    let got = futures_util::future::join_all(many).await;
    assert_eq!(got.iter().filter(|profile| profile.is_ok()).count(), 1);
}

async fn invalid_callbacks_are_rejected(social: SocialService) {
    let flow = social.start("google.com").await;
    let claims = social.fakes.claims(&social.service.given.clock);
    social.grant(&flow, with_changes(claims, json!({ "nonce": flow.params["nonce"] })));
    let state = &flow.params["state"];
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
    let mut tampered = flow.cookie.clone();
    tampered.replace_range(30..31, if &tampered[30..31] == "A" { "B" } else { "A" });
    let other_visit = social.start("google.com").await;
    for (address, cookie) in [
        (back.as_str(), None),
        (&back, Some("haat_popup=")),
        (&back, Some("haat_popup=💥")),
        (&back, Some(foreign.as_str())),
        (&back, Some(tampered.as_str())),
        (&back, Some(other_visit.cookie.as_str())),
        ("/auth/callback", Some(&flow.cookie)),
        (&format!("/auth/callback?code={CODE}"), Some(&flow.cookie)),
        (&format!("/auth/callback?code={CODE}&state="), Some(&flow.cookie)),
        (&format!("/auth/callback?code={CODE}&state={state}x"), Some(&flow.cookie)),
        (&format!("/auth/callback?error=access_denied&state={state}x"), Some(&flow.cookie)),
        (&format!("/auth/callback?code=&state={state}"), Some(&flow.cookie)),
        (&format!("/auth/callback?code={}&state={state}", "x".repeat(5000)), Some(&flow.cookie)),
    ] {
        let popup = social.get_page(address, cookie).await;
        assert_eq!(popup.status, 400, "{address} {cookie:?}");
        social.failed(&popup, "invalid-credential");
        assert!(popup.cookie() == "haat_popup=");
    }
    social.service.advance(10 * 60);
    let popup = social.callback(&flow).await;
    social.failed(&popup, "invalid-credential");
    assert_eq!(popup.data("state"), Some(PAGE_STATE), "the page is told that it took too long");
}

async fn invalid_starts_are_rejected(social: SocialService) {
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
        let popup = social.get_page(&format!("/auth/start?{query}"), None).await;
        assert_eq!(popup.status, 400, "{query}");
        social.failed(&popup, error);
        assert_eq!(popup.data("state"), Some(state), "{query}");
        assert!(!popup.html.contains("<script>") && !popup.headers.contains_key(SET_COOKIE));
    }
}

async fn provider_errors_are_passed_on(social: SocialService) {
    for (said, error, status) in [
        ("access_denied", "access_denied", 200),
        ("temporarily_unavailable", "network-request-failed", 503),
        ("unauthorized_client", "internal-error", 500),
        ("%3Cscript%3E", "internal-error", 500),
    ] {
        let flow = social.start("google.com").await;
        let address = format!("/auth/callback?error={said}&state={}", flow.params["state"]);
        let popup = social.get_page(&address, Some(&flow.cookie)).await;
        social.failed(&popup, error);
        assert_eq!((popup.status, popup.data("state")), (status, Some(PAGE_STATE)));
        assert!(!popup.html.contains("<script>"));
    }
}

async fn an_unavailable_provider_is_a_network_error(social: SocialService) {
    for behaviour in [Behaviour::Broken, Behaviour::Html, Behaviour::TooLarge, Behaviour::Silent] {
        let flow = social.start("google.com").await;
        social.fakes.change(|state| state.behaviour = behaviour);
        let popup = social.callback(&flow).await;
        social.failed(&popup, "network-request-failed");
        assert_eq!((popup.status, popup.data("state")), (503, Some(PAGE_STATE)), "{behaviour:?}");
        // The metadata has expired too, so nobody can start.
        social.service.advance(600);
        let address = format!("/auth/start?provider=google.com&state={PAGE_STATE}");
        social.failed(&social.get_page(&address, None).await, "network-request-failed");
        social.fakes.change(|state| state.behaviour = Behaviour::Good);
        social.service.advance(5);
    }
    // A code that the provider rejects is the visitor's error.
    let flow = social.start("google.com").await;
    social.failed(&social.callback(&flow).await, "invalid-credential");
}

async fn tokens_of_another_authorization_are_rejected(social: SocialService) {
    let flow = social.start("google.com").await;
    let nonce = &flow.params["nonce"];
    let hash = hex(digest(&SHA256, nonce.as_bytes()));
    let claims = social.fakes.claims(&social.service.given.clock);
    for changes in [
        json!({}),
        json!({ "nonce": "another" }),
        json!({ "nonce": hash }),
        json!({ "nonce": nonce, "aud": "another-app", "azp": "another-app" }),
    ] {
        social.grant(&flow, with_changes(claims.clone(), changes.clone()));
        social.failed(&social.callback(&flow).await, "invalid-credential");
    }
    // A code for another flow does not match our verifier.
    let other = social.start("google.com").await;
    social.grant(&other, with_changes(claims, json!({ "nonce": nonce })));
    social.failed(&social.callback(&flow).await, "invalid-credential");
}

/// A navigation preload and the navigation itself, or a reload, in any order.
async fn repeated_callback_gets_the_same_result_in_the_same_browser(social: SocialService) {
    let flow = social.start("google.com").await;
    let claims = social.fakes.claims(&social.service.given.clock);
    social.grant(&flow, with_changes(claims, json!({ "nonce": flow.params["nonce"] })));
    let windows = futures_util::future::join_all((0..3).map(|_| social.callback(&flow))).await;
    let code = windows[0].data("code").unwrap().to_owned();
    assert!(windows.iter().all(|popup| popup.data("code") == Some(&code)));
    assert_eq!(social.callback(&flow).await.data("code"), Some(code.as_str()));

    // Another browser has the URL, but at most another cookie.
    let other = social.start("google.com").await;
    let address = format!("/auth/callback?code={CODE}&state={}", flow.params["state"]);
    for cookie in [None, Some(other.cookie.as_str())] {
        social.failed(&social.get_page(&address, cookie).await, "invalid-credential");
    }
    let rows: Vec<(String, String)> = social
        .service
        .given
        .db
        .query("select hash, sealed_code from social_callbacks")
        .all()
        .await
        .unwrap();
    assert_eq!(rows.len(), 1);
    assert!(!rows[0].0.contains(CODE) && !rows[0].1.contains(&code));
    social.redeem_code("google.com", &code).await.unwrap();

    // A cancelled request does not lose the result.
    let flow = social.start("google.com").await;
    let claims = social.fakes.claims(&social.service.given.clock);
    social.grant(&flow, with_changes(claims, json!({ "nonce": flow.params["nonce"] })));
    tokio::select! {
        biased;
        () = social.fakes.codes_exchanged() => {}
        _ = social.callback(&flow) => {}
    }
    assert!(social.callback(&flow).await.data("code").is_some());
}

async fn the_popup_speaks_the_language_of_its_opener(service: SocialService) {
    let start = |language: &str| {
        format!("/auth/start?provider=google.com&state={PAGE_STATE}&language={language}")
    };
    for (language, tag) in
        [("bn", "<html lang=\"bn\" dir=\"ltr\">"), ("fr", "<html lang=\"en\" dir=\"ltr\">")]
    {
        let popup = service.get_page(&start(language), None).await;
        let back =
            format!("/auth/callback?error=access_denied&state={}", popup.redirect().1["state"]);
        let page = service.get_page(&back, Some(&popup.cookie())).await;
        assert!(page.html.contains(tag), "{}", page.html);
        assert_eq!(page.html.contains("আপনি সাইন ইন বাতিল করেছেন।"), language == "bn");
    }
    let refused = service.get_page("/auth/start?provider=x.com&language=bn", None).await;
    assert!(refused.html.contains("<h1>সাইন ইন হচ্ছে</h1>"), "{}", refused.html);
}

//! E-mail action pages of `haat identity`.

use axum::http::header::LOCATION;
use test_support::on_both;

use super::*;

on_both!(Service:
    action_link_changes_nothing_until_its_form_is_submitted,
    password_is_reset_by_the_form,
    sign_in_link_redirects_to_its_app,
    invalid_links_show_an_error,
    pages_are_in_the_language_of_the_link,
);

impl Service {
    /// Status, redirect and HTML.
    async fn page(&self, request: Request<Body>) -> (u16, Option<String>, String) {
        let pages = identity::email_action_router(self.identity.clone());
        let response = pages.oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let to = response.headers().get(LOCATION).map(|to| to.to_str().unwrap().to_owned());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, to, String::from_utf8(bytes.to_vec()).unwrap())
    }

    async fn get_page(&self, query: &str) -> (u16, Option<String>, String) {
        let address = format!("/auth/action?{query}");
        self.page(Request::get(address).body(Body::empty()).unwrap()).await
    }

    async fn submit(&self, form: &str) -> (u16, String) {
        let request = Request::post("/auth/action")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from(form.to_owned()));
        let (status, _, html) = self.page(request.unwrap()).await;
        (status, html)
    }
}

async fn action_link_changes_nothing_until_its_form_is_submitted(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let back = "https://shop.example/?a=%22%3E%3Cscript%3E";
    let ask = json!({
        "requestType": "VERIFY_EMAIL", "idToken": new["idToken"], "continueUrl": back,
    });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    let query = format!("mode=verifyEmail&oobCode={code}&continueUrl=https://shop.example/%22%3E");
    for _ in 0..2 {
        let (status, _, html) = service.get_page(&query).await;
        assert_eq!(status, 200);
        assert!(html.contains("a@haat.example") && !html.contains("example/\">"), "{html}");
    }
    let verified = async || {
        let found = service.ok("lookup", json!({ "idToken": new["idToken"] })).await;
        found["users"][0]["emailVerified"].clone()
    };
    assert_eq!(verified().await, false);
    let (status, html) = service.submit(&query).await;
    assert_eq!(status, 200, "{html}");
    assert!(html.contains("confirmed") && html.contains("href=\"https://shop.example/"), "{html}");
    assert_eq!(verified().await, true);
    assert_eq!(service.submit(&query).await.0, 400);
}

async fn password_is_reset_by_the_form(service: Service) {
    service.sign_up("a@haat.example").await;
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": "a@haat.example" });
    service.ok("sendOobCode", ask).await;
    let form = format!("mode=resetPassword&oobCode={}", service.last_code().await);
    assert!(service.get_page(&form).await.2.contains("type=\"password\""));
    let (status, html) = service.submit(&format!("{form}&newPassword=abc")).await;
    assert_eq!(status, 400);
    assert!(html.contains("too easy to guess") && html.contains("name=\"newPassword\""), "{html}");
    assert_eq!(service.submit(&format!("{form}&newPassword=Another1!")).await.0, 200);
    let right = json!({ "email": "a@haat.example", "password": "Another1!" });
    service.ok("signInWithPassword", right).await;
}

async fn sign_in_link_redirects_to_its_app(service: Service) {
    let back = "https://shop.example/in?x=1";
    let ask =
        json!({ "requestType": "EMAIL_SIGNIN", "email": "a@haat.example", "continueUrl": back });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    let query = format!("mode=signIn&oobCode={code}&continueUrl=https://shop.example/in?x=1");
    let (status, to, _) = service.get_page(&query).await;
    assert_eq!(status, 303);
    let wanted = format!("{back}&mode=signIn&oobCode={code}&apiKey=key&lang=en");
    assert_eq!(to.as_deref(), Some(wanted.as_str()));
    let foreign = format!("mode=signIn&oobCode={code}&continueUrl=https://evil.example/");
    assert_eq!(service.get_page(&foreign).await.1, None);
}

async fn invalid_links_show_an_error(service: Service) {
    for query in ["", "mode=verifyEmail", "mode=verifyEmail&oobCode=none", "mode=none&oobCode=x"] {
        let (status, _, html) = service.get_page(query).await;
        assert_eq!(status, 400, "{query}");
        assert!(html.contains("does not work"), "{html}");
    }
}

async fn pages_are_in_the_language_of_the_link(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let ask = |kind: &str| {
        json!({ "requestType": kind, "email": "a@haat.example", "idToken": new["idToken"],
                                   "newEmail": "b@haat.example", "continueUrl": "https://shop.example/" })
    };
    let mut pages = Vec::new();
    for (kind, mode, input) in [
        ("VERIFY_EMAIL", "verifyEmail", ""),
        ("VERIFY_AND_CHANGE_EMAIL", "verifyAndChangeEmail", ""),
        ("PASSWORD_RESET", "resetPassword", "&newPassword=abcdefgh"),
        ("EMAIL_SIGNIN", "signIn", ""),
    ] {
        service.ok("sendOobCode", ask(kind)).await;
        let code = service.last_code().await;
        let query = format!("mode={mode}&lang=bn&oobCode={code}&continueUrl=https://evil.example/");
        pages.push(service.get_page(&query).await.2);
        if mode != "verifyAndChangeEmail" {
            pages.push(service.submit(&format!("{query}{input}")).await.1);
        }
    }
    let done = format!("mode=resetPassword&lang=bn&oobCode={}", service.last_code().await);
    pages.push(service.submit(&done).await.1);
    for html in pages {
        assert!(html.contains("<html lang=\"bn\""), "{html}");
        assert_eq!(latin_texts(&html), [""; 0], "{html}");
    }
    // A language that the service does not have.
    assert!(service.get_page("mode=none&lang=fr").await.2.contains("<html lang=\"en\""));
}

/// Words in Latin letters, addresses left out.
fn latin_texts(html: &str) -> Vec<String> {
    let body = html.split("<main>").nth(1).unwrap();
    let texts = body.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text);
    let words = texts.flat_map(str::split_whitespace);
    let is_latin = |word: &&str| word.contains(|letter: char| letter.is_ascii_alphanumeric());
    words.filter(is_latin).filter(|word| !word.contains('@')).map(str::to_owned).collect()
}

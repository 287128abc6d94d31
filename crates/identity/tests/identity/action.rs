//! The pages behind a letter's link, where the service stands alone.

use axum::http::header::LOCATION;
use test_support::on_both;

use super::*;

on_both!(Service:
    a_link_does_nothing_and_its_button_does_it_once,
    a_new_password_is_chosen,
    a_sign_in_link_goes_on_to_its_app,
    links_that_do_not_work_say_so,
);

impl Service {
    /// A page's status, where it leads, and its HTML.
    async fn page(&self, request: Request<Body>) -> (u16, Option<String>, String) {
        let pages = identity::action_router(self.identity.clone());
        let response = pages.oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let to = response.headers().get(LOCATION).map(|to| to.to_str().unwrap().to_owned());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, to, String::from_utf8(bytes.to_vec()).unwrap())
    }

    async fn look(&self, query: &str) -> (u16, Option<String>, String) {
        let address = format!("/auth/action?{query}");
        self.page(Request::get(address).body(Body::empty()).unwrap()).await
    }

    async fn press(&self, form: &str) -> (u16, String) {
        let request = Request::post("/auth/action")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from(form.to_owned()));
        let (status, _, html) = self.page(request.unwrap()).await;
        (status, html)
    }
}

async fn a_link_does_nothing_and_its_button_does_it_once(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let back = "https://shop.example/?a=%22%3E%3Cscript%3E";
    let ask = json!({
        "requestType": "VERIFY_EMAIL", "idToken": new["idToken"], "continueUrl": back,
    });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    let query = format!("mode=verifyEmail&oobCode={code}&continueUrl=https://shop.example/%22%3E");
    for _ in 0..2 {
        let (status, _, html) = service.look(&query).await;
        assert_eq!(status, 200);
        assert!(html.contains("a@haat.example") && !html.contains("example/\">"), "{html}");
    }
    let verified = async || {
        let found = service.ok("lookup", json!({ "idToken": new["idToken"] })).await;
        found["users"][0]["emailVerified"].clone()
    };
    assert_eq!(verified().await, false);
    let (status, html) = service.press(&query).await;
    assert_eq!(status, 200, "{html}");
    assert!(html.contains("confirmed") && html.contains("href=\"https://shop.example/"), "{html}");
    assert_eq!(verified().await, true);
    assert_eq!(service.press(&query).await.0, 400);
}

async fn a_new_password_is_chosen(service: Service) {
    service.sign_up("a@haat.example").await;
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": "a@haat.example" });
    service.ok("sendOobCode", ask).await;
    let form = format!("mode=resetPassword&oobCode={}", service.last_code().await);
    assert!(service.look(&form).await.2.contains("type=\"password\""));
    let (status, html) = service.press(&format!("{form}&newPassword=abc")).await;
    assert_eq!(status, 400);
    assert!(html.contains("at least 6") && html.contains("name=\"newPassword\""), "{html}");
    assert_eq!(service.press(&format!("{form}&newPassword=Another1!")).await.0, 200);
    let right = json!({ "email": "a@haat.example", "password": "Another1!" });
    service.ok("signInWithPassword", right).await;
}

async fn a_sign_in_link_goes_on_to_its_app(service: Service) {
    let back = "https://shop.example/in?x=1";
    let ask =
        json!({ "requestType": "EMAIL_SIGNIN", "email": "a@haat.example", "continueUrl": back });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    let query = format!("mode=signIn&oobCode={code}&continueUrl=https://shop.example/in?x=1");
    let (status, to, _) = service.look(&query).await;
    assert_eq!(status, 303);
    let wanted = format!("{back}&mode=signIn&oobCode={code}&apiKey=key&lang=en");
    assert_eq!(to.as_deref(), Some(wanted.as_str()));
    let elsewhere = format!("mode=signIn&oobCode={code}&continueUrl=https://evil.example/");
    assert_eq!(service.look(&elsewhere).await.1, None);
}

async fn links_that_do_not_work_say_so(service: Service) {
    for query in ["", "mode=verifyEmail", "mode=verifyEmail&oobCode=none", "mode=none&oobCode=x"] {
        let (status, _, html) = service.look(query).await;
        assert_eq!(status, 400, "{query}");
        assert!(html.contains("does not work"), "{html}");
    }
}

use test_support::on_both;

use super::*;

on_both!(Service:
    email_is_verified_once,
    password_is_reset,
    email_change_can_be_undone,
    sign_in_by_email_link,
    codes_expire,
    concurrent_calls_use_a_code_once,
    a_code_works_only_for_its_purpose,
    reset_does_not_reveal_whether_an_account_exists,
    emails_are_limited_per_mailbox_except_for_known_devices,
    invalid_email_addresses_are_rejected,
    continue_urls_are_limited_to_known_hosts,
);

async fn email_is_verified_once(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let ask = json!({ "requestType": "VERIFY_EMAIL", "idToken": new["idToken"] });
    service.ok("sendOobCode", ask).await;
    let emails = service.emails().await;
    assert_eq!(
        (emails[0].0.as_str(), emails[0].1.as_str()),
        ("a@haat.example", "Confirm your e-mail address")
    );
    let apply = json!({ "oobCode": emails[0].2 });
    assert_eq!(service.ok("update", apply.clone()).await["emailVerified"], true);
    assert_eq!(service.refused("update", apply).await, "INVALID_OOB_CODE");
    let found = service.ok("lookup", json!({ "idToken": new["idToken"] })).await;
    assert_eq!(found["users"][0]["emailVerified"], true);
}

async fn password_is_reset(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": "A@haat.example" });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    let look = service.ok("resetPassword", json!({ "oobCode": code })).await;
    assert_eq!(
        (text(&look, "requestType"), text(&look, "email")),
        ("PASSWORD_RESET", "a@haat.example")
    );
    let weak =
        service.refused("resetPassword", json!({ "oobCode": code, "newPassword": "abc" })).await;
    assert!(weak.starts_with("WEAK_PASSWORD"), "{weak}");
    service.advance(2);
    let set = json!({ "oobCode": code, "newPassword": "Another1!" });
    service.ok("resetPassword", set.clone()).await;
    assert_eq!(service.refused("resetPassword", set).await, "INVALID_OOB_CODE");
    assert_eq!(
        service.refresh(text(&new, "refreshToken")).await.0,
        400,
        "other sessions are ended"
    );
    let credentials = json!({ "email": "a@haat.example", "password": "Another1!" });
    service.ok("signInWithPassword", credentials).await;
}

async fn email_change_can_be_undone(service: Service) {
    let new = service.sign_up("old@haat.example").await;
    service.sign_up("taken@haat.example").await;
    let ask = |to: &str| json!({ "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": new["idToken"], "newEmail": to });
    assert_eq!(service.refused("sendOobCode", ask("taken@haat.example")).await, "EMAIL_EXISTS");
    service.ok("sendOobCode", ask("new@haat.example")).await;
    let (to, _, code) = service.emails().await.pop().unwrap();
    assert_eq!(to, "new@haat.example");
    service.advance(2);
    let changed = service.ok("update", json!({ "oobCode": code })).await;
    assert_eq!(text(&changed, "email"), "new@haat.example");
    let credentials = json!({ "email": "new@haat.example", "password": PASSWORD });
    service.ok("signInWithPassword", credentials).await;

    let (to, subject, undo) = service.emails().await.pop().unwrap();
    assert_eq!(
        (to.as_str(), subject.as_str()),
        ("old@haat.example", "Your e-mail address was changed")
    );
    let back = service.ok("update", json!({ "oobCode": undo })).await;
    assert_eq!(text(&back, "email"), "old@haat.example");
}

async fn sign_in_by_email_link(service: Service) {
    let ask = json!({ "requestType": "EMAIL_SIGNIN", "email": "a@haat.example" });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    let other = json!({ "email": "b@haat.example", "oobCode": code });
    let why = service.refused("signInWithEmailLink", other).await;
    assert_eq!(why, "INVALID_EMAIL : The email provided does not match the sign-in email address.");
    let link = json!({ "email": "a@haat.example", "oobCode": code });
    let new = service.ok("signInWithEmailLink", link.clone()).await;
    assert_eq!(new["isNewUser"], true);
    assert_eq!(service.refused("signInWithEmailLink", link).await, "INVALID_OOB_CODE");
    let found = service.ok("lookup", json!({ "idToken": new["idToken"] })).await;
    assert_eq!(found["users"][0]["emailVerified"], true);
}

async fn codes_expire(service: Service) {
    service.sign_up("a@haat.example").await;
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": "a@haat.example" });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    service.advance(3600);
    let set = json!({ "oobCode": code, "newPassword": "Another1!" });
    assert_eq!(service.refused("resetPassword", set).await, "EXPIRED_OOB_CODE");
}

async fn concurrent_calls_use_a_code_once(service: Service) {
    service.sign_up("a@haat.example").await;
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": "a@haat.example" });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    let tries = (0..8).map(|n| {
        let set = json!({ "oobCode": code, "newPassword": format!("Another{n}!") });
        service.call("resetPassword", set)
    });
    let answers = futures_util::future::join_all(tries).await;
    assert_eq!(answers.iter().filter(|(status, _)| *status == 200).count(), 1, "{answers:?}");
}

async fn a_code_works_only_for_its_purpose(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let ask = json!({ "requestType": "VERIFY_EMAIL", "idToken": new["idToken"] });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    let set = json!({ "oobCode": code, "newPassword": "Another1!" });
    assert_eq!(service.refused("resetPassword", set).await, "INVALID_OOB_CODE");
    let link = json!({ "email": "a@haat.example", "oobCode": code });
    assert_eq!(service.refused("signInWithEmailLink", link).await, "INVALID_OOB_CODE");
    service.ok("update", json!({ "oobCode": code })).await;
}

async fn reset_does_not_reveal_whether_an_account_exists(service: Service) {
    service.sign_up("known@haat.example").await;
    let ask = |email: &str| json!({ "requestType": "PASSWORD_RESET", "email": email });
    let known = service.ok("sendOobCode", ask("known@haat.example")).await;
    let unknown = service.ok("sendOobCode", ask("unknown@haat.example")).await;
    let shape = |answer: &Value| answer.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(shape(&known), shape(&unknown));
    let emails = service.emails().await;
    assert_eq!(emails.len(), 1);
    assert_eq!(emails[0].0, "known@haat.example");
    // Both cases write the same rows, so they take the same time.
    let count = async |sql: &'static str| {
        let (count,): (i64,) = service.given.db.query(sql).one().await.unwrap();
        count
    };
    assert_eq!(count("select count(*) from jobs").await, 2);
    assert_eq!(count("select count(*) from mail_codes").await, 2);
    assert_eq!(count("select count(*) from security_events where kind = 'code_sent'").await, 2);
    let uri = |email: &str| json!({ "identifier": email, "continueUri": "http://localhost" });
    let known = service.ok("createAuthUri", uri("known@haat.example")).await;
    assert_eq!(
        shape(&known),
        shape(&service.ok("createAuthUri", uri("unknown@haat.example")).await)
    );
}

async fn continue_urls_are_limited_to_known_hosts(service: Service) {
    service.sign_up("a@haat.example").await;
    let ask = |url: &str| json!({ "requestType": "PASSWORD_RESET", "email": "a@haat.example", "continueUrl": url });
    for url in
        ["https://haat.example/cart", "https://shop.example/", "https://www.shop.example:8443/x"]
    {
        service.ok("sendOobCode", ask(url)).await;
    }
    for (url, why) in [
        ("https://evil.example/", "UNAUTHORIZED_DOMAIN"),
        ("https://notshop.example/", "UNAUTHORIZED_DOMAIN"),
        ("https://haat.example@evil.example/", "INVALID_CONTINUE_URI"),
        ("https://evil.example\\.shop.example/", "INVALID_CONTINUE_URI"),
        ("https:///cart", "INVALID_CONTINUE_URI"),
        ("javascript:alert(1)", "INVALID_CONTINUE_URI"),
    ] {
        let said = service.refused("sendOobCode", ask(url)).await;
        assert!(said.starts_with(why), "{url}: {said}");
    }
}

async fn emails_are_limited_per_mailbox_except_for_known_devices(service: Service) {
    service.verified_user("victim@haat.example").await;
    service.advance(10 * 60); // the e-mail that proved it counts no more
    let credentials = json!({ "email": "victim@haat.example", "password": PASSWORD });
    let path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=key";
    let request = Request::post(path).body(Body::from(credentials.to_string())).unwrap();
    let entered = service.routes.clone().oneshot(request).await.unwrap();
    let cookie = entered.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap();

    let mine = service.sign_up("mine@haat.example").await;
    let before = service.emails().await.len();
    let arrived = async || {
        let emails = service.emails().await;
        emails[before..].iter().filter(|(to, ..)| to.starts_with("victim")).count()
    };
    let from = |n: u8| IpAddr::from([10, 0, 0, n]);
    // With various other fields, and spellings of the mailbox.
    for n in 0..30u8 {
        let tag = ["victim", "Victim", "victim+1"][usize::from(n) % 3];
        let ask = json!({
            "requestType": "PASSWORD_RESET", "email": "victim@haat.example",
            "newEmail": format!("x{n}@haat.example"), "idToken": format!("junk{n}"),
        });
        let (status, answer) = service.call_from(from(n), "sendOobCode", ask).await;
        assert_eq!((status, text(&answer, "email")), (200, "victim@haat.example"), "{n}");
        let link = json!({ "requestType": "EMAIL_SIGNIN", "email": format!("{tag}@haat.example") });
        assert_eq!(service.call_from(from(n), "sendOobCode", link).await.0, 200);
        let change = json!({
            "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": mine["idToken"],
            "newEmail": format!("victim+{n}@haat.example"),
        });
        service.call_from(from(n), "sendOobCode", change).await;
    }
    assert_eq!(arrived().await, 10);
    // The owner's known device has its own limit.
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": "victim@haat.example" });
    let path = "/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=key";
    let request = Request::post(path).header("cookie", cookie).body(Body::from(ask.to_string()));
    assert_eq!(service.send(request.unwrap()).await.0, 200);
    assert_eq!(arrived().await, 11);
    service.advance(10 * 60);
    service.ok("sendOobCode", ask).await;
    assert_eq!(arrived().await, 12);
}

async fn invalid_email_addresses_are_rejected(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    for address in [
        "\"Your account is closed, see evil.example\"<victim@haat.example>",
        "<victim@haat.example>",
        "victim(text)@haat.example",
        "victim@localhost",
        "victim@haat.example,other@haat.example",
    ] {
        let sign_up = json!({ "email": address, "password": PASSWORD });
        assert_eq!(service.refused("signUp", sign_up.clone()).await, "INVALID_EMAIL", "{address}");
        assert_eq!(service.refused("signInWithPassword", sign_up).await, "INVALID_EMAIL");
        for kind in ["PASSWORD_RESET", "EMAIL_SIGNIN"] {
            let ask = json!({ "requestType": kind, "email": address });
            assert_eq!(service.refused("sendOobCode", ask).await, "INVALID_EMAIL", "{address}");
        }
        let change = json!({
            "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": new["idToken"], "newEmail": address,
        });
        assert_eq!(service.refused("sendOobCode", change).await, "INVALID_NEW_EMAIL", "{address}");
    }
    assert!(service.emails().await.is_empty());
}

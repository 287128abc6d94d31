//! Whose account it is that a provider vouches for.

use axum::http::HeaderMap;
use test_support::on_both;

use super::*;

on_both!(Stage:
    google_makes_an_account_and_knows_it_again,
    a_vouched_address_enters_the_account_that_has_it,
    what_a_stranger_left_in_an_account_is_thrown_out,
    facebook_does_not_vouch,
    a_provider_is_linked_and_unlinked,
    a_provider_is_linked_once,
    a_second_factor_is_asked_for,
    a_closed_account_stays_closed,
    the_window_and_the_sdk_make_one_flow,
    unproven_tokens_make_no_account,
    access_tokens_are_not_asked_about_for_ever,
);

impl Stage {
    /// Signs in with an ID token of Google's that says this too.
    async fn with_google(&self, changes: Value) -> (u16, Value) {
        let claims = changed(self.elsewhere.claims(&self.service.given.clock), changes);
        let token = signed("first", &keys()[0], &claims);
        self.bring("google.com", &format!("&id_token={token}"), json!({})).await
    }

    async fn with_facebook(&self, token: &str, more: Value) -> (u16, Value) {
        let debug = json!({ "is_valid": true, "app_id": "4711", "user_id": "9" });
        let person = (debug, person_on_facebook());
        self.elsewhere.change(|known| {
            known.facebook.insert(token.to_owned(), person);
        });
        self.bring("facebook.com", &format!("&access_token={token}"), more).await
    }

    /// As the SDK sends it.
    async fn bring(&self, provider: &str, proof: &str, more: Value) -> (u16, Value) {
        let body = json!({
            "requestUri": "http://localhost",
            "postBody": format!("{proof}&providerId={provider}"),
            "returnSecureToken": true,
        });
        self.service.call("signInWithIdp", changed(body, more)).await
    }

    async fn account(&self, id_token: &Value) -> Value {
        let found = self.service.ok("lookup", json!({ "idToken": id_token })).await;
        found["users"][0].clone()
    }
}

const RAHIM: &str = "rahim@gmail.example";

fn bearer(session: &Value) -> HeaderMap {
    let bearer = format!("Bearer {}", text(session, "idToken")).parse().unwrap();
    HeaderMap::from_iter([(axum::http::header::AUTHORIZATION, bearer)])
}

async fn google_makes_an_account_and_knows_it_again(stage: Stage) {
    let (status, first) = stage.with_google(json!({})).await;
    assert_eq!((status, &first["isNewUser"]), (200, &json!(true)), "{first}");
    assert_eq!((text(&first, "email"), &first["emailVerified"]), (RAHIM, &json!(true)));
    assert_eq!(text(&first, "federatedId"), "https://accounts.google.com/117");
    let raw: Value = serde_json::from_str(text(&first, "rawUserInfo")).unwrap();
    assert_eq!(raw["id"], "117");
    // The address at Google may change; who it is does not.
    let (_, again) = stage.with_google(json!({ "email": "other@gmail.example" })).await;
    assert_eq!(again["localId"], first["localId"]);
    assert!(again.get("isNewUser").is_none());
    let account = stage.account(&again["idToken"]).await;
    assert_eq!(account["email"], RAHIM);
    assert_eq!(account["providerUserInfo"][0]["email"], "other@gmail.example");
}

async fn a_vouched_address_enters_the_account_that_has_it(stage: Stage) {
    let owner = stage.service.verified(RAHIM).await;
    let (_, entered) = stage.with_google(json!({})).await;
    assert_eq!(entered["localId"], owner["localId"]);
    stage.service.sign_in(RAHIM).await;
    assert_eq!(stage.service.refresh(text(&owner, "refreshToken")).await.0, 200);
}

async fn what_a_stranger_left_in_an_account_is_thrown_out(stage: Stage) {
    // Somebody signs up with an address that is not theirs, and waits.
    let stranger = stage.service.sign_up(RAHIM).await;
    let planted = json!({
        "idToken": stranger["idToken"], "displayName": "Call +1 555 0100", "photoUrl": "https://x.example/p",
    });
    stage.service.ok("update", planted).await;
    let tokens = stage.service.shops_tokens();
    tokens.identified(&bearer(&stranger)).await.unwrap();
    // In the same millisecond the owner comes.
    // Google says neither a name nor a picture that would take their place.
    let (_, entered) = stage.with_google(json!({ "name": null, "picture": null })).await;
    assert_eq!(entered["localId"], stranger["localId"]);
    assert!(tokens.identified(&bearer(&stranger)).await.is_err(), "the shop goes by it too");
    assert!(tokens.fresh(&bearer(&stranger)).await.is_err());
    let owner = tokens.identified(&bearer(&entered)).await.unwrap();
    assert!(owner.caller.owns(RAHIM) && owner.caller.email_verified);
    let password = json!({ "email": RAHIM, "password": PASSWORD });
    let refused = stage.service.refused("signInWithPassword", password).await;
    assert_eq!(refused, "INVALID_LOGIN_CREDENTIALS");
    assert_eq!(stage.service.refresh(text(&stranger, "refreshToken")).await.0, 400);
    let look = json!({ "idToken": stranger["idToken"] });
    assert_eq!(stage.service.refused("lookup", look).await, "TOKEN_EXPIRED");
    let account = stage.account(&entered["idToken"]).await;
    assert_eq!((account.get("displayName"), account.get("photoUrl")), (None, None), "{account}");
}

async fn facebook_does_not_vouch(stage: Stage) {
    let owner = stage.service.verified("ayesha@people.example").await;
    let (status, unsure) = stage.with_facebook("token-1", json!({})).await;
    assert_eq!((status, &unsure["needConfirmation"]), (200, &json!(true)), "{unsure}");
    assert!(unsure.get("idToken").is_none() && unsure.get("refreshToken").is_none());
    // Who shows that the account is theirs links it, and then it is a way in.
    let link = json!({ "idToken": owner["idToken"] });
    let (status, linked) = stage.with_facebook("token-1", link).await;
    assert_eq!((status, &linked["localId"]), (200, &owner["localId"]), "{linked}");
    let (_, entered) = stage.with_facebook("token-1", json!({})).await;
    assert_eq!(entered["localId"], owner["localId"]);
}

async fn a_provider_is_linked_and_unlinked(stage: Stage) {
    let nobody = stage.service.ok("signUp", json!({})).await;
    let link = json!({ "idToken": nobody["idToken"] });
    let (_, linked) = stage.with_facebook("token-1", link).await;
    assert_eq!(linked["localId"], nobody["localId"]);
    let account = stage.account(&linked["idToken"]).await;
    assert_eq!(
        (&account["email"], &account["emailVerified"]),
        (&json!("ayesha@people.example"), &json!(false))
    );
    let unlink = json!({ "idToken": linked["idToken"], "deleteProvider": ["facebook.com"] });
    let left = stage.service.ok("update", unlink).await;
    assert_eq!(left["providerUserInfo"], json!([]));
}

async fn a_provider_is_linked_once(stage: Stage) {
    let (_, owner) = stage.with_google(json!({})).await;
    let other = stage.service.sign_up("b@haat.example").await;
    let claims = stage.elsewhere.claims(&stage.service.given.clock);
    let proof = format!("&id_token={}", signed("first", &keys()[0], &claims));
    let link = json!({ "idToken": other["idToken"] });
    let (status, refused) = stage.bring("google.com", &proof, link).await;
    assert_eq!(status, 400);
    assert_eq!(refused["error"]["message"], "FEDERATED_USER_ID_ALREADY_LINKED");
    // In a popup the SDK wants the credential back with the error.
    let link = json!({ "idToken": other["idToken"], "returnIdpCredential": true });
    let (status, told) = stage.bring("google.com", &proof, link).await;
    assert_eq!((status, &told["errorMessage"]), (200, &json!("FEDERATED_USER_ID_ALREADY_LINKED")));
    assert!(told.get("localId").is_none() && told.get("idToken").is_none(), "{told}");
    assert_ne!(owner["localId"], other["localId"]);
}

async fn a_second_factor_is_asked_for(stage: Stage) {
    let owner = stage.service.verified(RAHIM).await;
    let info = json!({ "phoneNumber": "+8801711223344" });
    let start = json!({ "idToken": owner["idToken"], "phoneEnrollmentInfo": info });
    let begun = stage.service.ok("mfaEnrollment:start", start).await;
    let code = stage.service.text_to("+8801711223344").await;
    let session = &begun["phoneSessionInfo"]["sessionInfo"];
    let proof = json!({ "sessionInfo": session, "code": code });
    let finish = json!({ "idToken": owner["idToken"], "phoneVerificationInfo": proof });
    stage.service.ok("mfaEnrollment:finalize", finish).await;
    let (_, pending) = stage.with_google(json!({})).await;
    assert!(pending.get("idToken").is_none() && pending["mfaPendingCredential"].is_string());
    assert_eq!(pending["localId"], owner["localId"]);
}

async fn a_closed_account_stays_closed(stage: Stage) {
    let (_, owner) = stage.with_google(json!({})).await;
    let close = "update accounts set disabled = $2 where id = $1";
    let close = stage.service.given.db.query(close).bind(text(&owner, "localId")).bind(true);
    close.execute().await.unwrap();
    let (status, refused) = stage.with_google(json!({})).await;
    assert_eq!((status, &refused["error"]["message"]), (400, &json!("USER_DISABLED")));
}

async fn the_window_and_the_sdk_make_one_flow(stage: Stage) {
    let code = stage.code_from_google().await;
    let (status, entered) =
        stage.bring("google.com", &format!("&id_token={code}"), json!({})).await;
    assert_eq!((status, text(&entered, "email")), (200, RAHIM), "{entered}");
    assert!(entered.get("oauthIdToken").is_none(), "a used code is not handed back");
    let (status, again) = stage.bring("google.com", &format!("&id_token={code}"), json!({})).await;
    assert_eq!(status, 400, "{again}");
}

async fn unproven_tokens_make_no_account(stage: Stage) {
    let claims = stage.elsewhere.claims(&stage.service.given.clock);
    let unsigned = format!("{}.", message(json!({ "alg": "none" }), &claims));
    for proof in [claims.to_string(), unsigned, signed("first", &keys()[1], &claims)] {
        let proof: String = form_urlencoded::byte_serialize(proof.as_bytes()).collect();
        let (status, refused) =
            stage.bring("google.com", &format!("&id_token={proof}"), json!({})).await;
        assert_eq!(status, 400, "{refused}");
    }
    let (status, refused) = stage.bring("github.com", "&id_token=x", json!({})).await;
    assert_eq!(status, 400, "{refused}");
    let (count,): (i64,) =
        stage.service.given.db.query("select count(*) from accounts").one().await.unwrap();
    assert_eq!(count, 0);
}

async fn access_tokens_are_not_asked_about_for_ever(stage: Stage) {
    let mut limited = 0;
    for _ in 0..65 {
        let proof = "&id_token=x&access_token=x";
        let (_, refused) = stage.bring("facebook.com", proof, json!({})).await;
        let why = refused["error"]["message"].as_str().unwrap_or_default();
        limited += u16::from(why.starts_with("TOO_MANY_ATTEMPTS_TRY_LATER"));
    }
    assert_eq!(limited, 5);
}

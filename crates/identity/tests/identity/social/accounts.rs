//! Social sign-in: which account it finds, creates or links.

use axum::http::HeaderMap;
use test_support::on_both;

use super::*;

on_both!(SocialService:
    google_sign_in_creates_an_account_and_finds_it_again,
    verified_email_signs_in_to_the_existing_account,
    unverified_credentials_are_removed_when_the_owner_signs_in,
    facebook_email_needs_confirmation,
    provider_is_linked_and_unlinked,
    provider_is_linked_to_one_account_only,
    second_factor_is_required,
    disabled_account_cannot_sign_in,
    one_time_code_of_the_popup_signs_in,
    invalid_tokens_create_no_account,
    access_token_checks_are_limited,
);

impl SocialService {
    /// Signs in with an ID token of Google with some claims changed.
    async fn with_google(&self, changes: Value) -> (u16, Value) {
        let claims = with_changes(self.fakes.claims(&self.service.given.clock), changes);
        let token = signed("first", &keys()[0], &claims);
        self.sign_in_with("google.com", &format!("&id_token={token}"), json!({})).await
    }

    async fn with_facebook(&self, token: &str, more: Value) -> (u16, Value) {
        let debug = json!({ "is_valid": true, "app_id": "4711", "user_id": "9" });
        let person = (debug, person_on_facebook());
        self.fakes.change(|state| {
            state.facebook.insert(token.to_owned(), person);
        });
        self.sign_in_with("facebook.com", &format!("&access_token={token}"), more).await
    }

    /// Sends the request as the SDK does.
    async fn sign_in_with(&self, provider: &str, proof: &str, more: Value) -> (u16, Value) {
        let body = json!({
            "requestUri": "http://localhost",
            "postBody": format!("{proof}&providerId={provider}"),
            "returnSecureToken": true,
        });
        self.service.call("signInWithIdp", with_changes(body, more)).await
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

async fn google_sign_in_creates_an_account_and_finds_it_again(social: SocialService) {
    let (status, first) = social.with_google(json!({})).await;
    assert_eq!((status, &first["isNewUser"]), (200, &json!(true)), "{first}");
    assert_eq!((text(&first, "email"), &first["emailVerified"]), (RAHIM, &json!(true)));
    assert_eq!(text(&first, "federatedId"), "https://accounts.google.com/117");
    let raw: Value = serde_json::from_str(text(&first, "rawUserInfo")).unwrap();
    assert_eq!(raw["id"], "117");
    // The e-mail address at Google may change, the id does not.
    let (_, again) = social.with_google(json!({ "email": "other@gmail.example" })).await;
    assert_eq!(again["localId"], first["localId"]);
    assert!(again.get("isNewUser").is_none());
    let account = social.account(&again["idToken"]).await;
    assert_eq!(account["email"], RAHIM);
    assert_eq!(account["providerUserInfo"][0]["email"], "other@gmail.example");
}

async fn verified_email_signs_in_to_the_existing_account(social: SocialService) {
    let owner = social.service.verified_user(RAHIM).await;
    let (_, signed_in) = social.with_google(json!({})).await;
    assert_eq!(signed_in["localId"], owner["localId"]);
    social.service.sign_in(RAHIM).await;
    assert_eq!(social.service.refresh(text(&owner, "refreshToken")).await.0, 200);
}

async fn unverified_credentials_are_removed_when_the_owner_signs_in(social: SocialService) {
    // Somebody signs up with another person's address.
    let stranger = social.service.sign_up(RAHIM).await;
    let planted = json!({
        "idToken": stranger["idToken"], "displayName": "Call +1 555 0100", "photoUrl": "https://x.example/p",
    });
    social.service.ok("update", planted).await;
    let tokens = social.service.shop_tokens();
    tokens.id_token_claims(&bearer(&stranger)).await.unwrap();
    // The owner signs in in the same millisecond, with neither a name nor a photo at Google.
    let (_, signed_in) = social.with_google(json!({ "name": null, "picture": null })).await;
    assert_eq!(signed_in["localId"], stranger["localId"]);
    assert!(tokens.id_token_claims(&bearer(&stranger)).await.is_err(), "the shop goes by it too");
    assert!(tokens.recent_sign_in(&bearer(&stranger)).await.is_err());
    let owner = tokens.id_token_claims(&bearer(&signed_in)).await.unwrap();
    assert!(owner.caller.owns(RAHIM) && owner.caller.email_verified);
    let password = json!({ "email": RAHIM, "password": PASSWORD });
    let refused = social.service.refused("signInWithPassword", password).await;
    assert_eq!(refused, "INVALID_LOGIN_CREDENTIALS");
    assert_eq!(social.service.refresh(text(&stranger, "refreshToken")).await.0, 400);
    let look = json!({ "idToken": stranger["idToken"] });
    assert_eq!(social.service.refused("lookup", look).await, "TOKEN_EXPIRED");
    let account = social.account(&signed_in["idToken"]).await;
    assert_eq!((account.get("displayName"), account.get("photoUrl")), (None, None), "{account}");
}

async fn facebook_email_needs_confirmation(social: SocialService) {
    let owner = social.service.verified_user("ayesha@people.example").await;
    let (status, unsure) = social.with_facebook("token-1", json!({})).await;
    assert_eq!((status, &unsure["needConfirmation"]), (200, &json!(true)), "{unsure}");
    assert!(unsure.get("idToken").is_none() && unsure.get("refreshToken").is_none());
    // The owner can link it, and then sign in with it.
    let link = json!({ "idToken": owner["idToken"] });
    let (status, linked) = social.with_facebook("token-1", link).await;
    assert_eq!((status, &linked["localId"]), (200, &owner["localId"]), "{linked}");
    let (_, signed_in) = social.with_facebook("token-1", json!({})).await;
    assert_eq!(signed_in["localId"], owner["localId"]);
}

async fn provider_is_linked_and_unlinked(social: SocialService) {
    let anonymous = social.service.ok("signUp", json!({})).await;
    let link = json!({ "idToken": anonymous["idToken"] });
    let (_, linked) = social.with_facebook("token-1", link).await;
    assert_eq!(linked["localId"], anonymous["localId"]);
    let account = social.account(&linked["idToken"]).await;
    assert_eq!(
        (&account["email"], &account["emailVerified"]),
        (&json!("ayesha@people.example"), &json!(false))
    );
    let unlink = json!({ "idToken": linked["idToken"], "deleteProvider": ["facebook.com"] });
    let left = social.service.ok("update", unlink).await;
    assert_eq!(left["providerUserInfo"], json!([]));
}

async fn provider_is_linked_to_one_account_only(social: SocialService) {
    let (_, owner) = social.with_google(json!({})).await;
    let other = social.service.sign_up("b@haat.example").await;
    let claims = social.fakes.claims(&social.service.given.clock);
    let proof = format!("&id_token={}", signed("first", &keys()[0], &claims));
    let link = json!({ "idToken": other["idToken"] });
    let (status, refused) = social.sign_in_with("google.com", &proof, link).await;
    assert_eq!(status, 400);
    assert_eq!(refused["error"]["message"], "FEDERATED_USER_ID_ALREADY_LINKED");
    // In a popup, the SDK expects the credential with the error.
    let link = json!({ "idToken": other["idToken"], "returnIdpCredential": true });
    let (status, found) = social.sign_in_with("google.com", &proof, link).await;
    assert_eq!((status, &found["errorMessage"]), (200, &json!("FEDERATED_USER_ID_ALREADY_LINKED")));
    assert!(found.get("localId").is_none() && found.get("idToken").is_none(), "{found}");
    assert_ne!(owner["localId"], other["localId"]);
}

async fn second_factor_is_required(social: SocialService) {
    let owner = social.service.verified_user(RAHIM).await;
    let info = json!({ "phoneNumber": "+8801711223344" });
    let start = json!({ "idToken": owner["idToken"], "phoneEnrollmentInfo": info });
    let begun = social.service.ok("mfaEnrollment:start", start).await;
    let code = social.service.sms_code("+8801711223344").await;
    let session = &begun["phoneSessionInfo"]["sessionInfo"];
    let proof = json!({ "sessionInfo": session, "code": code });
    let finish = json!({ "idToken": owner["idToken"], "phoneVerificationInfo": proof });
    social.service.ok("mfaEnrollment:finalize", finish).await;
    let (_, pending) = social.with_google(json!({})).await;
    assert!(pending.get("idToken").is_none() && pending["mfaPendingCredential"].is_string());
    assert_eq!(pending["localId"], owner["localId"]);
}

async fn disabled_account_cannot_sign_in(social: SocialService) {
    let (_, owner) = social.with_google(json!({})).await;
    let close = "update accounts set disabled = $2 where id = $1";
    let close = social.service.given.db.query(close).bind(text(&owner, "localId")).bind(true);
    close.execute().await.unwrap();
    let (status, refused) = social.with_google(json!({})).await;
    assert_eq!((status, &refused["error"]["message"]), (400, &json!("USER_DISABLED")));
}

async fn one_time_code_of_the_popup_signs_in(social: SocialService) {
    let code = social.code_from_google().await;
    let (status, signed_in) =
        social.sign_in_with("google.com", &format!("&id_token={code}"), json!({})).await;
    assert_eq!((status, text(&signed_in, "email")), (200, RAHIM), "{signed_in}");
    assert!(signed_in.get("oauthIdToken").is_none(), "a used code is not handed back");
    let (status, again) =
        social.sign_in_with("google.com", &format!("&id_token={code}"), json!({})).await;
    assert_eq!(status, 400, "{again}");
}

async fn invalid_tokens_create_no_account(social: SocialService) {
    let claims = social.fakes.claims(&social.service.given.clock);
    let unsigned = format!("{}.", message(json!({ "alg": "none" }), &claims));
    for proof in [claims.to_string(), unsigned, signed("first", &keys()[1], &claims)] {
        let proof: String = form_urlencoded::byte_serialize(proof.as_bytes()).collect();
        let (status, refused) =
            social.sign_in_with("google.com", &format!("&id_token={proof}"), json!({})).await;
        assert_eq!(status, 400, "{refused}");
    }
    let (status, refused) = social.sign_in_with("github.com", "&id_token=x", json!({})).await;
    assert_eq!(status, 400, "{refused}");
    let (count,): (i64,) =
        social.service.given.db.query("select count(*) from accounts").one().await.unwrap();
    assert_eq!(count, 0);
}

async fn access_token_checks_are_limited(social: SocialService) {
    let mut limited = 0;
    for _ in 0..65 {
        let proof = "&id_token=x&access_token=x";
        let (_, refused) = social.sign_in_with("facebook.com", proof, json!({})).await;
        let why = refused["error"]["message"].as_str().unwrap_or_default();
        limited += u16::from(why.starts_with("TOO_MANY_ATTEMPTS_TRY_LATER"));
    }
    assert_eq!(limited, 5);
}

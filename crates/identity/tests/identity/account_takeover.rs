//! Account takeover: access that an attacker prepares before the owner signs in.

use test_support::on_both;

use super::admin::Admin;
use super::*;

on_both!(Service:
    password_reset_invalidates_earlier_codes,
    undoing_an_email_change_removes_the_password,
    an_old_sign_in_cannot_change_credentials,
    password_reset_revokes_tokens_of_the_same_second,
    a_session_without_second_factor_cannot_withdraw_it,
    a_sign_in_link_cannot_change_the_email,
    tokens_of_a_deleted_account_are_invalid_for_a_new_one_with_its_id,
);

const EMAIL: &str = "owner@haat.example";
const ATTACKER: &str = "attacker@haat.example";

impl Service {
    async fn change_code(&self, id_token: &Value) -> String {
        let ask = json!({
            "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": id_token, "newEmail": ATTACKER,
        });
        self.ok("sendOobCode", ask).await;
        self.last_code().await
    }

    async fn reset(&self, password: &str) {
        let ask = json!({ "requestType": "PASSWORD_RESET", "email": EMAIL });
        self.ok("sendOobCode", ask).await;
        let code = self.last_code().await;
        self.ok("resetPassword", json!({ "oobCode": code, "newPassword": password })).await;
    }
}

async fn password_reset_invalidates_earlier_codes(service: Service) {
    // The attacker signs up with somebody else's address and requests a change to their own.
    let attacker = service.sign_up(EMAIL).await;
    let change = service.change_code(&attacker["idToken"]).await;
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": EMAIL });
    service.ok("sendOobCode", ask).await;
    let older = service.last_code().await;
    service.advance(2);
    service.reset("Another1!").await;
    assert_eq!(service.refused("update", json!({ "oobCode": change })).await, "INVALID_OOB_CODE");
    let again = json!({ "oobCode": older, "newPassword": "Stolen1!" });
    assert_eq!(service.refused("resetPassword", again).await, "INVALID_OOB_CODE");
}

async fn undoing_an_email_change_removes_the_password(service: Service) {
    let owner = service.verified_user(EMAIL).await;
    let change = service.change_code(&owner["idToken"]).await;
    let second = service.change_code(&owner["idToken"]).await;
    service.ok("update", json!({ "oobCode": change })).await;
    let undo = service.emails().await.pop().unwrap();
    assert_eq!((undo.0.as_str(), undo.1.as_str()), (EMAIL, "Your e-mail address was changed"));
    service.advance(1);
    service.ok("update", json!({ "oobCode": undo.2 })).await;
    assert_eq!(service.refused("update", json!({ "oobCode": second })).await, "INVALID_OOB_CODE");
    // Whoever changed the address may know the password, so it is removed and an e-mail offers a reset.
    let old = json!({ "email": EMAIL, "password": PASSWORD });
    let refused = service.refused("signInWithPassword", old).await;
    assert_eq!(refused, "INVALID_LOGIN_CREDENTIALS");
    let reset = service.emails().await.pop().unwrap();
    assert_eq!((reset.0.as_str(), reset.1.as_str()), (EMAIL, "Choose a new password"));
    service.ok("resetPassword", json!({ "oobCode": reset.2, "newPassword": "Another1!" })).await;
}

async fn an_old_sign_in_cannot_change_credentials(service: Service) {
    let owner = service.verified_user(EMAIL).await;
    service.advance(6 * 60);
    let old = "CREDENTIAL_TOO_OLD_LOGIN_AGAIN";
    for body in [
        json!({ "idToken": owner["idToken"], "deleteProvider": ["password"] }),
        json!({ "idToken": owner["idToken"], "password": "Stolen1!" }),
    ] {
        assert_eq!(service.refused("update", body).await, old);
    }
    let link = json!({ "idToken": owner["idToken"], "email": EMAIL, "password": "Stolen1!" });
    assert_eq!(service.refused("signUp", link).await, old);
    assert_eq!(service.refused("delete", json!({ "idToken": owner["idToken"] })).await, old);
    // An anonymous account has no credentials to protect.
    let anonymous = service.ok("signUp", json!({})).await;
    service.advance(30 * 60);
    let link =
        json!({ "idToken": anonymous["idToken"], "email": "n@haat.example", "password": PASSWORD });
    service.ok("signUp", link).await;
}

async fn password_reset_revokes_tokens_of_the_same_second(service: Service) {
    service.verified_user(EMAIL).await;
    service.given.clock.advance(Duration::from_millis(1000 - 900));
    let attacker = service.sign_in(EMAIL).await;
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": EMAIL });
    service.ok("sendOobCode", ask).await;
    let code = service.emails().await.pop().unwrap().2;
    // Within the same second.
    service.given.clock.advance(Duration::from_millis(5));
    let reset = json!({ "oobCode": code, "newPassword": "Another1!" });
    service.ok("resetPassword", reset).await;
    let look = json!({ "idToken": attacker["idToken"] });
    assert_eq!(service.refused("lookup", look).await, "TOKEN_EXPIRED");
    assert_eq!(service.refresh(text(&attacker, "refreshToken")).await.0, 400);
    let owner = json!({ "email": EMAIL, "password": "Another1!" });
    let owner = service.ok("signInWithPassword", owner).await;
    service.ok("lookup", json!({ "idToken": owner["idToken"] })).await;
}

async fn a_session_without_second_factor_cannot_withdraw_it(service: Service) {
    service.verified_user(EMAIL).await;
    let without = service.sign_in(EMAIL).await;
    service.given.clock.advance(Duration::from_millis(5));
    let with = service.sign_in(EMAIL).await;
    let (_, tokens) = service.enroll_app(&with["idToken"]).await;
    let found = service.ok("lookup", json!({ "idToken": tokens["idToken"] })).await;
    let factor = found["users"][0]["mfaInfo"][0]["mfaEnrollmentId"].clone();
    let withdraw = json!({ "idToken": without["idToken"], "mfaEnrollmentId": factor });
    assert_eq!(service.refused("mfaEnrollment:withdraw", withdraw).await, "TOKEN_EXPIRED");
}

async fn a_sign_in_link_cannot_change_the_email(service: Service) {
    let owner = service.verified_user(EMAIL).await;
    let ask = json!({ "requestType": "EMAIL_SIGNIN", "email": ATTACKER });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    let link = json!({ "email": ATTACKER, "oobCode": code, "idToken": owner["idToken"] });
    let refused = service.refused("signInWithEmailLink", link).await;
    assert!(refused.starts_with("OPERATION_NOT_ALLOWED"), "{refused}");
}

async fn tokens_of_a_deleted_account_are_invalid_for_a_new_one_with_its_id(service: Service) {
    let admin = Admin::new(&service).await;
    let make = |email: &str| json!({ "localId": "one", "email": email, "password": PASSWORD });
    admin.ok("/accounts", make(EMAIL)).await;
    let first = service.sign_in(EMAIL).await;
    service.given.clock.advance(Duration::from_millis(5));
    admin.ok("/accounts:delete", json!({ "localId": "one" })).await;
    admin.ok("/accounts", make(ATTACKER)).await;
    let look = json!({ "idToken": first["idToken"] });
    assert_eq!(service.refused("lookup", look).await, "TOKEN_EXPIRED");
    assert_eq!(service.refresh(text(&first, "refreshToken")).await.0, 400);
}

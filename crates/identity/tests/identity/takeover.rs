//! Ways into an account that a thief prepares before its owner comes back.

use test_support::on_both;

use super::admin::Admin;
use super::*;

on_both!(Service:
    a_letter_from_before_does_not_outlive_the_owners_return,
    who_undoes_a_change_of_address_gets_the_account_to_themselves,
    an_old_token_opens_no_door_that_stays_open,
    a_token_from_just_before_a_new_password_is_worth_nothing,
    a_session_without_the_factor_does_not_take_it_away,
    an_address_moves_by_its_own_letter_only,
    an_id_that_is_used_again_is_somebody_else,
);

const EMAIL: &str = "owner@haat.example";
const THIEF: &str = "thief@haat.example";

impl Service {
    async fn change_code(&self, id_token: &Value) -> String {
        let ask = json!({
            "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": id_token, "newEmail": THIEF,
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

async fn a_letter_from_before_does_not_outlive_the_owners_return(service: Service) {
    // Somebody signs up with an address that is not theirs and asks for it to be changed to theirs.
    let thief = service.sign_up(EMAIL).await;
    let change = service.change_code(&thief["idToken"]).await;
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": EMAIL });
    service.ok("sendOobCode", ask).await;
    let older = service.last_code().await;
    service.wait(2);
    service.reset("Another1!").await;
    assert_eq!(service.refused("update", json!({ "oobCode": change })).await, "INVALID_OOB_CODE");
    let again = json!({ "oobCode": older, "newPassword": "Stolen1!" });
    assert_eq!(service.refused("resetPassword", again).await, "INVALID_OOB_CODE");
}

async fn who_undoes_a_change_of_address_gets_the_account_to_themselves(service: Service) {
    let owner = service.verified(EMAIL).await;
    let change = service.change_code(&owner["idToken"]).await;
    let second = service.change_code(&owner["idToken"]).await;
    service.ok("update", json!({ "oobCode": change })).await;
    let undo = service.letters().await.pop().unwrap();
    assert_eq!((undo.0.as_str(), undo.1.as_str()), (EMAIL, "Your e-mail address was changed"));
    service.wait(1);
    service.ok("update", json!({ "oobCode": undo.2 })).await;
    assert_eq!(service.refused("update", json!({ "oobCode": second })).await, "INVALID_OOB_CODE");
    // Whoever changed it knows the password, so it opens nothing; a letter offers a new one.
    let old = json!({ "email": EMAIL, "password": PASSWORD });
    let refused = service.refused("signInWithPassword", old).await;
    assert_eq!(refused, "INVALID_LOGIN_CREDENTIALS");
    let reset = service.letters().await.pop().unwrap();
    assert_eq!((reset.0.as_str(), reset.1.as_str()), (EMAIL, "Choose a new password"));
    service.ok("resetPassword", json!({ "oobCode": reset.2, "newPassword": "Another1!" })).await;
}

async fn an_old_token_opens_no_door_that_stays_open(service: Service) {
    let owner = service.verified(EMAIL).await;
    service.wait(6 * 60);
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
    // Somebody anonymous has no door yet, and may make the first one whenever they like.
    let nobody = service.ok("signUp", json!({})).await;
    service.wait(30 * 60);
    let link =
        json!({ "idToken": nobody["idToken"], "email": "n@haat.example", "password": PASSWORD });
    service.ok("signUp", link).await;
}

async fn a_token_from_just_before_a_new_password_is_worth_nothing(service: Service) {
    service.verified(EMAIL).await;
    service.given.clock.advance(Duration::from_millis(1000 - 900));
    let thief = service.sign_in(EMAIL).await;
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": EMAIL });
    service.ok("sendOobCode", ask).await;
    let code = service.letters().await.pop().unwrap().2;
    // In the same second.
    service.given.clock.advance(Duration::from_millis(5));
    let reset = json!({ "oobCode": code, "newPassword": "Another1!" });
    service.ok("resetPassword", reset).await;
    let look = json!({ "idToken": thief["idToken"] });
    assert_eq!(service.refused("lookup", look).await, "TOKEN_EXPIRED");
    assert_eq!(service.refresh(text(&thief, "refreshToken")).await.0, 400);
    let owner = json!({ "email": EMAIL, "password": "Another1!" });
    let owner = service.ok("signInWithPassword", owner).await;
    service.ok("lookup", json!({ "idToken": owner["idToken"] })).await;
}

async fn a_session_without_the_factor_does_not_take_it_away(service: Service) {
    service.verified(EMAIL).await;
    let without = service.sign_in(EMAIL).await;
    service.given.clock.advance(Duration::from_millis(5));
    let with = service.sign_in(EMAIL).await;
    let (_, tokens) = service.with_app(&with["idToken"]).await;
    let found = service.ok("lookup", json!({ "idToken": tokens["idToken"] })).await;
    let factor = found["users"][0]["mfaInfo"][0]["mfaEnrollmentId"].clone();
    let withdraw = json!({ "idToken": without["idToken"], "mfaEnrollmentId": factor });
    assert_eq!(service.refused("mfaEnrollment:withdraw", withdraw).await, "TOKEN_EXPIRED");
}

async fn an_address_moves_by_its_own_letter_only(service: Service) {
    let owner = service.verified(EMAIL).await;
    let ask = json!({ "requestType": "EMAIL_SIGNIN", "email": THIEF });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    let link = json!({ "email": THIEF, "oobCode": code, "idToken": owner["idToken"] });
    let refused = service.refused("signInWithEmailLink", link).await;
    assert!(refused.starts_with("OPERATION_NOT_ALLOWED"), "{refused}");
}

async fn an_id_that_is_used_again_is_somebody_else(service: Service) {
    let admin = Admin::of(&service).await;
    let make = |email: &str| json!({ "localId": "one", "email": email, "password": PASSWORD });
    admin.ok("/accounts", make(EMAIL)).await;
    let first = service.sign_in(EMAIL).await;
    service.given.clock.advance(Duration::from_millis(5));
    admin.ok("/accounts:delete", json!({ "localId": "one" })).await;
    admin.ok("/accounts", make(THIEF)).await;
    let look = json!({ "idToken": first["idToken"] });
    assert_eq!(service.refused("lookup", look).await, "TOKEN_EXPIRED");
    assert_eq!(service.refresh(text(&first, "refreshToken")).await.0, 400);
}

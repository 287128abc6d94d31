use aws_lc_rs::hmac::{self, HMAC_SHA1_FOR_LEGACY_USE_ONLY};
use test_support::on_both;

use super::*;

on_both!(Service:
    an_app_is_enrolled_asked_for_and_withdrawn,
    a_phone_is_enrolled_asked_for_and_withdrawn,
    a_code_from_an_app_works_once,
    codes_of_an_app_cannot_be_guessed,
    enrolling_wants_a_proven_address_and_a_fresh_sign_in,
    a_pending_sign_in_is_good_for_its_account_and_its_time,
    every_first_proof_asks_for_the_second,
);

/// What an authenticator app shows (RFC 6238).
fn app_code(key: &str, now: i64) -> String {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let bits: String =
        key.chars().map(|letter| format!("{:05b}", alphabet.find(letter).unwrap())).collect();
    let bytes: Vec<u8> = bits
        .as_bytes()
        .chunks_exact(8)
        .map(|byte| u8::from_str_radix(std::str::from_utf8(byte).unwrap(), 2).unwrap())
        .collect();
    let key = hmac::Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, &bytes);
    let tag = hmac::sign(&key, &(now / 30_000).to_be_bytes());
    let from = usize::from(tag.as_ref()[19] & 15);
    let word = u32::from_be_bytes(tag.as_ref()[from..from + 4].try_into().unwrap());
    format!("{:06}", (word & 0x7fff_ffff) % 1_000_000)
}

impl Service {
    fn app_code(&self, key: &str) -> String {
        app_code(key, self.given.clock.now().0)
    }

    /// Enrols an app and gives its key and the new tokens.
    pub async fn with_app(&self, id_token: &Value) -> (String, Value) {
        let start = json!({ "idToken": id_token, "totpEnrollmentInfo": {} });
        let begun = self.ok("mfaEnrollment:start", start).await["totpSessionInfo"].clone();
        let key = text(&begun, "sharedSecretKey").to_owned();
        let finish = json!({
            "idToken": id_token,
            "displayName": "My app",
            "totpVerificationInfo": {
                "sessionInfo": begun["sessionInfo"], "verificationCode": self.app_code(&key),
            },
        });
        let tokens = self.ok("mfaEnrollment:finalize", finish).await;
        self.wait(30);
        (key, tokens)
    }

    fn by_app(pending: &Value, code: &str) -> Value {
        json!({
            "mfaPendingCredential": pending["mfaPendingCredential"],
            "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
            "totpVerificationInfo": { "verificationCode": code },
        })
    }
}

/// What an ID token says.
fn claims(token: &Value) -> Value {
    use base64::Engine;
    let part = token.as_str().unwrap().split('.').nth(1).unwrap();
    let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(part).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

async fn an_app_is_enrolled_asked_for_and_withdrawn(service: Service) {
    let user = service.verified("a@haat.example").await;
    let (key, tokens) = service.with_app(&user["idToken"]).await;
    assert_eq!(claims(&tokens["idToken"])["firebase"]["sign_in_second_factor"], "totp");
    assert_eq!(service.refresh(text(&user, "refreshToken")).await.0, 400, "older sessions end");

    let pending = service.sign_in("a@haat.example").await;
    assert!(pending.get("idToken").is_none() && pending.get("refreshToken").is_none());
    assert_eq!(pending["mfaInfo"][0]["totpInfo"], json!({}));
    let wrong = Service::by_app(&pending, "000000");
    assert_eq!(service.refused("mfaSignIn:finalize", wrong).await, "INVALID_CODE");
    let right = Service::by_app(&pending, &service.app_code(&key));
    let entered = service.ok("mfaSignIn:finalize", right).await;
    let firebase = &claims(&entered["idToken"])["firebase"];
    assert_eq!(
        (&firebase["sign_in_second_factor"], &firebase["sign_in_provider"]),
        (&json!("totp"), &json!("password"))
    );
    let (_, renewed) = service.refresh(text(&entered, "refreshToken")).await;
    let firebase = &claims(&renewed["id_token"])["firebase"];
    assert_eq!(firebase["sign_in_second_factor"], "totp", "it stays with the session");

    let found = service.ok("lookup", json!({ "idToken": entered["idToken"] })).await;
    let factor = found["users"][0]["mfaInfo"][0]["mfaEnrollmentId"].clone();
    let withdraw = json!({ "idToken": entered["idToken"], "mfaEnrollmentId": factor });
    service.ok("mfaEnrollment:withdraw", withdraw).await;
    let entered = service.sign_in("a@haat.example").await;
    let found = service.ok("lookup", json!({ "idToken": entered["idToken"] })).await;
    assert_eq!(found["users"][0]["mfaInfo"], json!([]), "none is left of those that were there");
}

async fn a_phone_is_enrolled_asked_for_and_withdrawn(service: Service) {
    const NUMBER: &str = "+8801711223344";
    let user = service.verified("a@haat.example").await;
    let info = json!({ "phoneNumber": NUMBER });
    let start = json!({ "idToken": user["idToken"], "phoneEnrollmentInfo": info });
    let begun = service.ok("mfaEnrollment:start", start.clone()).await;
    let session = begun["phoneSessionInfo"]["sessionInfo"].clone();
    let proof = json!({ "sessionInfo": session, "code": service.text_to(NUMBER).await });
    let finish = json!({ "idToken": user["idToken"], "phoneVerificationInfo": proof });
    let tokens = service.ok("mfaEnrollment:finalize", finish).await;
    let again = json!({ "idToken": tokens["idToken"], "phoneEnrollmentInfo": info });
    let refused = service.refused("mfaEnrollment:start", again).await;
    assert!(refused.starts_with("SECOND_FACTOR_EXISTS"), "{refused}");

    let pending = service.sign_in("a@haat.example").await;
    assert_eq!(pending["mfaInfo"][0]["phoneInfo"], "+*******3344");
    let start = json!({
        "mfaPendingCredential": pending["mfaPendingCredential"],
        "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
        "phoneSignInInfo": {},
    });
    // Strangers have used up the shop's text messages: there is a reserve for enrolled factors.
    let used = async |count: i64| {
        let sql = "update attempts set count = $1 where subject = 'texts of all'";
        assert_eq!(service.given.db.query(sql).bind(count).execute().await.unwrap(), 1);
    };
    used(400).await;
    let stranger = json!({ "phoneNumber": "+447700900123" });
    let refused = service.refused("sendVerificationCode", stranger).await;
    assert!(refused.starts_with("QUOTA_EXCEEDED"), "{refused}");
    let begun = service.ok("mfaSignIn:start", start).await;
    used(0).await;
    let session = begun["phoneResponseInfo"]["sessionInfo"].clone();
    let proof = json!({ "sessionInfo": session, "code": service.text_to(NUMBER).await });
    let finish = json!({
        "mfaPendingCredential": pending["mfaPendingCredential"], "phoneVerificationInfo": proof,
    });
    let entered = service.ok("mfaSignIn:finalize", finish).await;
    assert_eq!(claims(&entered["idToken"])["firebase"]["sign_in_second_factor"], "phone");
    // The number is no way in by itself.
    let sent = service.ok("sendVerificationCode", json!({ "phoneNumber": NUMBER })).await;
    let proof = json!({
        "sessionInfo": sent["sessionInfo"], "code": service.text_to(NUMBER).await,
        "idToken": entered["idToken"],
    });
    let refused = service.refused("signInWithPhoneNumber", proof).await;
    assert!(refused.starts_with("UNSUPPORTED_FIRST_FACTOR"), "{refused}");
}

async fn a_code_from_an_app_works_once(service: Service) {
    let user = service.verified("a@haat.example").await;
    let (key, _) = service.with_app(&user["idToken"]).await;
    let code = service.app_code(&key);
    let mut entered = 0;
    for _ in 0..3 {
        let pending = service.sign_in("a@haat.example").await;
        entered += u16::from(
            service.call("mfaSignIn:finalize", Service::by_app(&pending, &code)).await.0 == 200,
        );
    }
    assert_eq!(entered, 1);
    let pending = service.sign_in("a@haat.example").await;
    service.wait(30);
    let right = Service::by_app(&pending, &service.app_code(&key));
    let tries = (0..4).map(|_| service.call("mfaSignIn:finalize", right.clone()));
    let answers = futures_util::future::join_all(tries).await;
    assert_eq!(answers.iter().filter(|(status, _)| *status == 200).count(), 1, "{answers:?}");
}

async fn codes_of_an_app_cannot_be_guessed(service: Service) {
    let user = service.verified("a@haat.example").await;
    let (key, _) = service.with_app(&user["idToken"]).await;
    let pending = service.sign_in("a@haat.example").await;
    let right = service.app_code(&key);
    let mut limited = 0;
    for n in 0..30 {
        let guess = format!("{n:06}");
        if guess == right {
            continue;
        }
        let (_, answer) = service
            .call_from(
                IpAddr::from([10, 0, 0, n]),
                "mfaSignIn:finalize",
                Service::by_app(&pending, &guess),
            )
            .await;
        let why = answer["error"]["message"].as_str().unwrap();
        limited += u16::from(why.starts_with("TOO_MANY_ATTEMPTS_TRY_LATER"));
    }
    assert!(limited >= 19, "{limited}");
    let (status, _) = service.call("mfaSignIn:finalize", Service::by_app(&pending, &right)).await;
    assert_eq!(status, 400, "the right one too, until the window has passed");
    service.wait(3601);
    let pending = service.sign_in("a@haat.example").await;
    let right = Service::by_app(&pending, &service.app_code(&key));
    service.ok("mfaSignIn:finalize", right).await;
}

async fn enrolling_wants_a_proven_address_and_a_fresh_sign_in(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let start = json!({ "idToken": new["idToken"], "totpEnrollmentInfo": {} });
    let refused = service.refused("mfaEnrollment:start", start).await;
    assert!(refused.starts_with("UNVERIFIED_EMAIL"), "{refused}");
    let nobody = service.ok("signUp", json!({})).await;
    let start = json!({ "idToken": nobody["idToken"], "totpEnrollmentInfo": {} });
    let refused = service.refused("mfaEnrollment:start", start).await;
    assert!(refused.starts_with("UNSUPPORTED_FIRST_FACTOR"), "{refused}");

    let user = service.verified("b@haat.example").await;
    let other = service.verified("c@haat.example").await;
    let start = json!({ "idToken": user["idToken"], "totpEnrollmentInfo": {} });
    let begun = service.ok("mfaEnrollment:start", start.clone()).await["totpSessionInfo"].clone();
    let code = service.app_code(text(&begun, "sharedSecretKey"));
    let info = json!({ "sessionInfo": begun["sessionInfo"], "verificationCode": code });
    let finish = json!({ "idToken": other["idToken"], "totpVerificationInfo": info });
    let refused = service.refused("mfaEnrollment:finalize", finish).await;
    assert_eq!(refused, "INVALID_SESSION_INFO", "somebody else's");
    service.wait(6 * 60);
    let refused = service.refused("mfaEnrollment:start", start).await;
    assert_eq!(refused, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
}

async fn a_pending_sign_in_is_good_for_its_account_and_its_time(service: Service) {
    let user = service.verified("a@haat.example").await;
    let (key, _) = service.with_app(&user["idToken"]).await;
    let pending = service.sign_in("a@haat.example").await;
    let mut forged = Service::by_app(&pending, &service.app_code(&key));
    forged["mfaPendingCredential"] = "garbage".into();
    let refused = service.refused("mfaSignIn:finalize", forged).await;
    assert_eq!(refused, "INVALID_MFA_PENDING_CREDENTIAL");
    // Another account with a factor of its own cannot lend it.
    let thief = service.verified("b@haat.example").await;
    let (key_of_thief, tokens) = service.with_app(&thief["idToken"]).await;
    let found = service.ok("lookup", json!({ "idToken": tokens["idToken"] })).await;
    let mut lent = Service::by_app(&pending, &service.app_code(&key_of_thief));
    lent["mfaEnrollmentId"] = found["users"][0]["mfaInfo"][0]["mfaEnrollmentId"].clone();
    assert_eq!(service.refused("mfaSignIn:finalize", lent).await, "MFA_ENROLLMENT_NOT_FOUND");

    let pending = service.sign_in("a@haat.example").await;
    service.wait(10 * 60 + 1);
    let late = Service::by_app(&pending, &service.app_code(&key));
    let refused = service.refused("mfaSignIn:finalize", late).await;
    assert_eq!(refused, "INVALID_MFA_PENDING_CREDENTIAL");
    // A password that was replaced since proves nothing.
    let pending = service.sign_in("a@haat.example").await;
    service.wait(2);
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": "a@haat.example" });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    service.ok("resetPassword", json!({ "oobCode": code, "newPassword": "Another1!" })).await;
    let old = Service::by_app(&pending, &service.app_code(&key));
    let refused = service.refused("mfaSignIn:finalize", old).await;
    assert_eq!(refused, "INVALID_MFA_PENDING_CREDENTIAL");
}

async fn every_first_proof_asks_for_the_second(service: Service) {
    let user = service.verified("a@haat.example").await;
    service.with_app(&user["idToken"]).await;
    let ask = json!({ "requestType": "EMAIL_SIGNIN", "email": "a@haat.example" });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    let by_link = json!({ "email": "a@haat.example", "oobCode": code });
    let pending = service.ok("signInWithEmailLink", by_link).await;
    assert!(pending.get("idToken").is_none() && pending["mfaPendingCredential"].is_string());
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": "a@haat.example" });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    service.ok("resetPassword", json!({ "oobCode": code, "newPassword": "Another1!" })).await;
    let credentials = json!({ "email": "a@haat.example", "password": "Another1!" });
    let pending = service.ok("signInWithPassword", credentials).await;
    assert!(pending.get("idToken").is_none(), "a new password does not take it away: {pending}");
}

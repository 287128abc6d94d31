use aws_lc_rs::hmac::{self, HMAC_SHA1_FOR_LEGACY_USE_ONLY};
use test_support::on_both;

use super::*;

on_both!(Service:
    totp_is_enrolled_required_and_withdrawn,
    phone_factor_is_enrolled_and_required,
    totp_code_works_once,
    totp_guesses_are_limited,
    enrollment_needs_a_verified_email_and_a_recent_sign_in,
    pending_sign_in_is_bound_to_its_account_and_expires,
    every_sign_in_method_requires_the_second_factor,
);

/// The code of an authenticator app (RFC 6238).
fn totp_code(key: &str, now: i64) -> String {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let bits: String = key.chars().map(|c| format!("{:05b}", alphabet.find(c).unwrap())).collect();
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
    fn totp_code(&self, key: &str) -> String {
        totp_code(key, self.given.clock.now().0)
    }

    /// Enrolls an app; returns its key and the new tokens.
    pub async fn enroll_app(&self, id_token: &Value) -> (String, Value) {
        let start = json!({ "idToken": id_token, "totpEnrollmentInfo": {} });
        let begun = self.ok("mfaEnrollment:start", start).await["totpSessionInfo"].clone();
        let key = text(&begun, "sharedSecretKey").to_owned();
        let finish = json!({
            "idToken": id_token,
            "displayName": "My app",
            "totpVerificationInfo": {
                "sessionInfo": begun["sessionInfo"], "verificationCode": self.totp_code(&key),
            },
        });
        let tokens = self.ok("mfaEnrollment:finalize", finish).await;
        self.advance(30);
        (key, tokens)
    }

    fn by_totp(pending: &Value, code: &str) -> Value {
        json!({
            "mfaPendingCredential": pending["mfaPendingCredential"],
            "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
            "totpVerificationInfo": { "verificationCode": code },
        })
    }
}

async fn totp_is_enrolled_required_and_withdrawn(service: Service) {
    let user = service.verified_user("a@haat.example").await;
    let (key, tokens) = service.enroll_app(&user["idToken"]).await;
    assert_eq!(claims(text(&tokens, "idToken"))["firebase"]["sign_in_second_factor"], "totp");
    assert_eq!(service.refresh(text(&user, "refreshToken")).await.0, 400, "older sessions end");

    let pending = service.sign_in("a@haat.example").await;
    assert!(pending.get("idToken").is_none() && pending.get("refreshToken").is_none());
    assert_eq!(pending["mfaInfo"][0]["totpInfo"], json!({}));
    let wrong = Service::by_totp(&pending, "000000");
    assert_eq!(service.refused("mfaSignIn:finalize", wrong).await, "INVALID_CODE");
    let right = Service::by_totp(&pending, &service.totp_code(&key));
    let signed_in = service.ok("mfaSignIn:finalize", right).await;
    let firebase = &claims(text(&signed_in, "idToken"))["firebase"];
    assert_eq!(
        (&firebase["sign_in_second_factor"], &firebase["sign_in_provider"]),
        (&json!("totp"), &json!("password"))
    );
    let (_, renewed) = service.refresh(text(&signed_in, "refreshToken")).await;
    let firebase = &claims(text(&renewed, "id_token"))["firebase"];
    assert_eq!(firebase["sign_in_second_factor"], "totp", "it stays with the session");

    let found = service.ok("lookup", json!({ "idToken": signed_in["idToken"] })).await;
    let factor = found["users"][0]["mfaInfo"][0]["mfaEnrollmentId"].clone();
    let withdraw = json!({ "idToken": signed_in["idToken"], "mfaEnrollmentId": factor });
    service.ok("mfaEnrollment:withdraw", withdraw).await;
    let signed_in = service.sign_in("a@haat.example").await;
    let found = service.ok("lookup", json!({ "idToken": signed_in["idToken"] })).await;
    assert_eq!(found["users"][0]["mfaInfo"], json!([]), "none is left of those that were there");
}

async fn phone_factor_is_enrolled_and_required(service: Service) {
    const NUMBER: &str = "+8801711223344";
    let user = service.verified_user("a@haat.example").await;
    let info = json!({ "phoneNumber": NUMBER });
    let start = json!({ "idToken": user["idToken"], "phoneEnrollmentInfo": info });
    let begun = service.ok("mfaEnrollment:start", start.clone()).await;
    let session = begun["phoneSessionInfo"]["sessionInfo"].clone();
    let proof = json!({ "sessionInfo": session, "code": service.sms_code(NUMBER).await });
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
    // `sms_limits::TOTAL` is used up; enrolled factors have a reserve.
    let used = async |count: i64| {
        let sql = "update rate_limits set count = $1 where key = 'texts of all'";
        assert_eq!(service.given.db.query(sql).bind(count).execute().await.unwrap(), 1);
    };
    used(400).await;
    let stranger = json!({ "phoneNumber": "+447700900123" });
    let refused = service.refused("sendVerificationCode", stranger).await;
    assert!(refused.starts_with("QUOTA_EXCEEDED"), "{refused}");
    let begun = service.ok("mfaSignIn:start", start).await;
    used(0).await;
    let session = begun["phoneResponseInfo"]["sessionInfo"].clone();
    let proof = json!({ "sessionInfo": session, "code": service.sms_code(NUMBER).await });
    let finish = json!({
        "mfaPendingCredential": pending["mfaPendingCredential"], "phoneVerificationInfo": proof,
    });
    let signed_in = service.ok("mfaSignIn:finalize", finish).await;
    assert_eq!(claims(text(&signed_in, "idToken"))["firebase"]["sign_in_second_factor"], "phone");
    // The number cannot be a first factor.
    let sent = service.ok("sendVerificationCode", json!({ "phoneNumber": NUMBER })).await;
    let proof = json!({
        "sessionInfo": sent["sessionInfo"], "code": service.sms_code(NUMBER).await,
        "idToken": signed_in["idToken"],
    });
    let refused = service.refused("signInWithPhoneNumber", proof).await;
    assert!(refused.starts_with("UNSUPPORTED_FIRST_FACTOR"), "{refused}");
}

async fn totp_code_works_once(service: Service) {
    let user = service.verified_user("a@haat.example").await;
    let (key, _) = service.enroll_app(&user["idToken"]).await;
    let code = service.totp_code(&key);
    let mut signed_in = 0;
    for _ in 0..3 {
        let pending = service.sign_in("a@haat.example").await;
        signed_in += u16::from(
            service.call("mfaSignIn:finalize", Service::by_totp(&pending, &code)).await.0 == 200,
        );
    }
    assert_eq!(signed_in, 1);
    let pending = service.sign_in("a@haat.example").await;
    service.advance(30);
    let right = Service::by_totp(&pending, &service.totp_code(&key));
    let tries = (0..4).map(|_| service.call("mfaSignIn:finalize", right.clone()));
    let answers = futures_util::future::join_all(tries).await;
    assert_eq!(answers.iter().filter(|(status, _)| *status == 200).count(), 1, "{answers:?}");
}

async fn totp_guesses_are_limited(service: Service) {
    let user = service.verified_user("a@haat.example").await;
    let (key, _) = service.enroll_app(&user["idToken"]).await;
    let pending = service.sign_in("a@haat.example").await;
    let right = service.totp_code(&key);
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
                Service::by_totp(&pending, &guess),
            )
            .await;
        let why = answer["error"]["message"].as_str().unwrap();
        limited += u16::from(why.starts_with("TOO_MANY_ATTEMPTS_TRY_LATER"));
    }
    assert!(limited >= 19, "{limited}");
    let (status, _) = service.call("mfaSignIn:finalize", Service::by_totp(&pending, &right)).await;
    assert_eq!(status, 400, "the right one too, until the window has passed");
    service.advance(3601);
    let pending = service.sign_in("a@haat.example").await;
    let right = Service::by_totp(&pending, &service.totp_code(&key));
    service.ok("mfaSignIn:finalize", right).await;
}

async fn enrollment_needs_a_verified_email_and_a_recent_sign_in(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let start = json!({ "idToken": new["idToken"], "totpEnrollmentInfo": {} });
    let refused = service.refused("mfaEnrollment:start", start).await;
    assert!(refused.starts_with("UNVERIFIED_EMAIL"), "{refused}");
    let anonymous = service.ok("signUp", json!({})).await;
    let start = json!({ "idToken": anonymous["idToken"], "totpEnrollmentInfo": {} });
    let refused = service.refused("mfaEnrollment:start", start).await;
    assert!(refused.starts_with("UNSUPPORTED_FIRST_FACTOR"), "{refused}");

    let user = service.verified_user("b@haat.example").await;
    let other = service.verified_user("c@haat.example").await;
    let start = json!({ "idToken": user["idToken"], "totpEnrollmentInfo": {} });
    let begun = service.ok("mfaEnrollment:start", start.clone()).await["totpSessionInfo"].clone();
    let code = service.totp_code(text(&begun, "sharedSecretKey"));
    let info = json!({ "sessionInfo": begun["sessionInfo"], "verificationCode": code });
    let finish = json!({ "idToken": other["idToken"], "totpVerificationInfo": info });
    let refused = service.refused("mfaEnrollment:finalize", finish).await;
    assert_eq!(refused, "INVALID_SESSION_INFO", "somebody else's");
    service.advance(6 * 60);
    let refused = service.refused("mfaEnrollment:start", start).await;
    assert_eq!(refused, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
}

async fn pending_sign_in_is_bound_to_its_account_and_expires(service: Service) {
    let user = service.verified_user("a@haat.example").await;
    let (key, _) = service.enroll_app(&user["idToken"]).await;
    let pending = service.sign_in("a@haat.example").await;
    let mut forged = Service::by_totp(&pending, &service.totp_code(&key));
    forged["mfaPendingCredential"] = "garbage".into();
    let refused = service.refused("mfaSignIn:finalize", forged).await;
    assert_eq!(refused, "INVALID_MFA_PENDING_CREDENTIAL");
    // A factor of another account is not accepted.
    let attacker = service.verified_user("b@haat.example").await;
    let (other_key, tokens) = service.enroll_app(&attacker["idToken"]).await;
    let found = service.ok("lookup", json!({ "idToken": tokens["idToken"] })).await;
    let mut lent = Service::by_totp(&pending, &service.totp_code(&other_key));
    lent["mfaEnrollmentId"] = found["users"][0]["mfaInfo"][0]["mfaEnrollmentId"].clone();
    assert_eq!(service.refused("mfaSignIn:finalize", lent).await, "MFA_ENROLLMENT_NOT_FOUND");

    let pending = service.sign_in("a@haat.example").await;
    service.advance(10 * 60 + 1);
    let late = Service::by_totp(&pending, &service.totp_code(&key));
    let refused = service.refused("mfaSignIn:finalize", late).await;
    assert_eq!(refused, "INVALID_MFA_PENDING_CREDENTIAL");
    // A pending sign-in is invalid after a password reset.
    let pending = service.sign_in("a@haat.example").await;
    service.advance(2);
    let ask = json!({ "requestType": "PASSWORD_RESET", "email": "a@haat.example" });
    service.ok("sendOobCode", ask).await;
    let code = service.last_code().await;
    service.ok("resetPassword", json!({ "oobCode": code, "newPassword": "Another1!" })).await;
    let old = Service::by_totp(&pending, &service.totp_code(&key));
    let refused = service.refused("mfaSignIn:finalize", old).await;
    assert_eq!(refused, "INVALID_MFA_PENDING_CREDENTIAL");
}

async fn every_sign_in_method_requires_the_second_factor(service: Service) {
    let user = service.verified_user("a@haat.example").await;
    service.enroll_app(&user["idToken"]).await;
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

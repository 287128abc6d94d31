use test_support::on_both;

use super::*;

on_both!(Service:
    a_text_message_is_in_the_language_of_the_client,
    sign_in_by_phone_number,
    phone_number_is_linked_and_unlinked,
    number_of_another_account_gets_a_temporary_proof,
    sms_codes_expire_after_use_tries_or_time,
    concurrent_calls_use_a_code_once,
    text_messages_are_limited_per_number,
    text_messages_are_limited_per_network_and_country,
    database_contains_no_codes,
);

const NUMBER: &str = "+8801711223344";

/// Requests a code; returns the session info and the code.
async fn request_code(service: &Service, number: &str) -> (String, String) {
    let sent = service.ok("sendVerificationCode", json!({ "phoneNumber": number })).await;
    let digits: String = number.chars().filter(|c| !" -".contains(*c)).collect();
    (text(&sent, "sessionInfo").to_owned(), service.sms_code(&digits).await)
}

async fn sign_in_by_phone_number(service: Service) {
    let (session, code) = request_code(&service, "+880 1711-223344").await;
    let proof = json!({ "sessionInfo": session, "code": code });
    let first = service.ok("signInWithPhoneNumber", proof.clone()).await;
    assert_eq!((first["isNewUser"].clone(), text(&first, "phoneNumber")), (json!(true), NUMBER));
    assert_eq!(service.refused("signInWithPhoneNumber", proof).await, "INVALID_SESSION_INFO");
    let (session, code) = request_code(&service, NUMBER).await;
    let proof = json!({ "sessionInfo": session, "code": code, "operation": "REAUTH" });
    let again = service.ok("signInWithPhoneNumber", proof).await;
    assert_eq!((&again["isNewUser"], &again["localId"]), (&json!(false), &first["localId"]));
    // Reauthentication does not create an account.
    let (session, code) = request_code(&service, "+8801711000000").await;
    let proof = json!({ "sessionInfo": session, "code": code, "operation": "REAUTH" });
    assert_eq!(service.refused("signInWithPhoneNumber", proof).await, "USER_NOT_FOUND");
}

async fn phone_number_is_linked_and_unlinked(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let (session, code) = request_code(&service, NUMBER).await;
    let link = json!({ "sessionInfo": session, "code": code, "idToken": new["idToken"] });
    let linked = service.ok("signInWithPhoneNumber", link).await;
    assert_eq!(linked["localId"], new["localId"]);
    let unlink = json!({ "idToken": linked["idToken"], "deleteProvider": ["phone"] });
    service.ok("update", unlink).await;
    let (session, code) = request_code(&service, NUMBER).await;
    let proof = json!({ "sessionInfo": session, "code": code });
    assert_ne!(service.ok("signInWithPhoneNumber", proof).await["localId"], new["localId"]);
    // A token that may be stolen cannot add a credential.
    service.advance(6 * 60);
    let (session, code) = request_code(&service, "+8801711000000").await;
    let link = json!({ "sessionInfo": session, "code": code, "idToken": linked["idToken"] });
    let refused = service.refused("signInWithPhoneNumber", link).await;
    assert_eq!(refused, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
}

async fn number_of_another_account_gets_a_temporary_proof(service: Service) {
    let (session, code) = request_code(&service, NUMBER).await;
    let proof = json!({ "sessionInfo": session, "code": code });
    let owner = service.ok("signInWithPhoneNumber", proof).await;
    let other = service.sign_up("b@haat.example").await;
    let (session, code) = request_code(&service, NUMBER).await;
    let link = json!({ "sessionInfo": session, "code": code, "idToken": other["idToken"] });
    let taken = service.ok("signInWithPhoneNumber", link).await;
    assert!(taken.get("idToken").is_none(), "{taken}");
    let by_proof = json!({ "phoneNumber": NUMBER, "temporaryProof": taken["temporaryProof"] });
    let elsewhere = json!({
        "phoneNumber": "+8801711000000", "temporaryProof": taken["temporaryProof"],
    });
    let refused = service.refused("signInWithPhoneNumber", elsewhere).await;
    assert_eq!(refused, "INVALID_TEMPORARY_PROOF");
    // A temporary proof cannot be exchanged for another one.
    let mut linking = by_proof.clone();
    linking["idToken"] = other["idToken"].clone();
    let refused = service.refused("signInWithPhoneNumber", linking).await;
    assert_eq!(refused, "PHONE_NUMBER_EXISTS");
    let signed_in = service.ok("signInWithPhoneNumber", by_proof.clone()).await;
    assert_eq!(signed_in["localId"], owner["localId"]);
    let refused = service.refused("signInWithPhoneNumber", by_proof).await;
    assert_eq!(refused, "INVALID_TEMPORARY_PROOF", "it works once");
}

async fn sms_codes_expire_after_use_tries_or_time(service: Service) {
    let (session, code) = request_code(&service, NUMBER).await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let guess = json!({ "sessionInfo": session, "code": wrong });
    for _ in 0..5 {
        let refused = service.refused("signInWithPhoneNumber", guess.clone()).await;
        assert_eq!(refused, "INVALID_CODE");
    }
    let right = json!({ "sessionInfo": session, "code": code });
    assert_eq!(service.refused("signInWithPhoneNumber", right).await, "SESSION_EXPIRED");
    let (session, code) = request_code(&service, NUMBER).await;
    service.advance(10 * 60 + 1);
    let late = json!({ "sessionInfo": session, "code": code });
    assert_eq!(service.refused("signInWithPhoneNumber", late).await, "SESSION_EXPIRED");
}

async fn concurrent_calls_use_a_code_once(service: Service) {
    let (session, code) = request_code(&service, NUMBER).await;
    let proof = json!({ "sessionInfo": session, "code": code });
    let tries = (0..5).map(|_| service.call("signInWithPhoneNumber", proof.clone()));
    let answers = futures_util::future::join_all(tries).await;
    let signed_in = answers.iter().filter(|(status, _)| *status == 200).count();
    assert_eq!(signed_in, 1, "{answers:?}");
}

async fn text_messages_are_limited_per_number(service: Service) {
    let ask = json!({ "phoneNumber": NUMBER });
    let mut refused = 0;
    for n in 0..14 {
        let (status, answer) = service
            .call_from(IpAddr::from([10, 0, 0, n]), "sendVerificationCode", ask.clone())
            .await;
        if status != 200 {
            refused += 1;
            let why = answer["error"]["message"].as_str().unwrap();
            assert!(why.starts_with("TOO_MANY_ATTEMPTS_TRY_LATER"), "{why}");
        }
    }
    assert_eq!((refused, service.sms().await.len()), (4, 10));
    service.advance(3601);
    service.ok("sendVerificationCode", ask).await;
}

async fn database_contains_no_codes(service: Service) {
    let (session, code) = request_code(&service, NUMBER).await;
    let rows: Vec<(String, String)> =
        service.given.db.query("select session, code from phone_codes").all().await.unwrap();
    assert!(rows[0].0 != session && !rows[0].1.contains(&code), "{rows:?}");
}

async fn text_messages_are_limited_per_network_and_country(service: Service) {
    let ask = async |service: &Service, network: usize, number: &str| {
        let address = IpAddr::from(Ipv4Addr::from(0x0a00_0000 + network as u32));
        let ask = json!({ "phoneNumber": number });
        let (status, answer) = service.call_from(address, "sendVerificationCode", ask).await;
        let why = answer["error"]["message"].as_str().unwrap_or_default();
        (status, why.split(' ').next().unwrap().to_owned())
    };
    // Eight per hour from one network, to any number.
    let mut sent = 0;
    for n in 0..20 {
        sent += usize::from(ask(&service, 0, &format!("+88017000000{n:02}")).await.0 == 200);
    }
    assert_eq!(sent, 8);
    // A hundred per hour to one country, from any network.
    for n in 8..110 {
        let answer = ask(&service, n, &format!("+8801711000{n:03}")).await;
        let wanted = if n < 100 { (200, String::new()) } else { (400, "QUOTA_EXCEEDED".into()) };
        assert_eq!(answer, wanted, "{n}");
    }
    assert_eq!(ask(&service, 200, "+447700900123").await.0, 200);
    service.advance(3600);
    assert_eq!(ask(&service, 0, "+8801700000000").await.0, 200);

    // With `sms_countries`, no others get text messages.
    let settings = ProjectSettings { sms_countries: vec!["+880".into()], ..settings() };
    let service = Service::with(Engine::Sqlite, settings).await;
    assert_eq!(ask(&service, 0, NUMBER).await.0, 200);
    let refused = ask(&service, 0, "+447700900123").await;
    assert_eq!(refused, (400, "OPERATION_NOT_ALLOWED".into()));
}

async fn a_text_message_is_in_the_language_of_the_client(service: Service) {
    let english = "is your code for Haat. It works for 10 minutes.";
    let bangla = "আপনার হাট যাচাই কোড। ১০ মিনিট কাজ করবে।";
    let locales = [("bn", bangla), ("BN-bd", bangla), ("fr", english), ("", english)];
    for (place, (locale, expected)) in locales.into_iter().enumerate() {
        let body = json!({ "phoneNumber": format!("+88017000000{place}0") });
        let path = "/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode?key=key";
        let request = Request::post(path).header("x-firebase-locale", locale);
        let (status, answer) =
            service.send(request.body(Body::from(body.to_string())).unwrap()).await;
        assert_eq!(status, 200, "{answer}");
        let sql =
            "select payload from jobs where kind = 'sms.send' order by created_at desc limit 1";
        let (sent,): (String,) = service.given.db.query(sql).one().await.unwrap();
        let sent: Value = serde_json::from_str(&sent).unwrap();
        let text = sent["text"]["text"].as_str().unwrap();
        let (code, rest) = text.split_once(' ').unwrap();
        assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()), "{text}");
        assert_eq!(rest, expected, "{locale}");
        service.advance(1);
    }
}

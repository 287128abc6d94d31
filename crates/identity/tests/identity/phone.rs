use test_support::on_both;

use super::*;

on_both!(Service:
    a_number_is_a_way_in,
    a_number_is_linked_and_unlinked,
    a_number_of_another_account_is_proven_for_a_while,
    a_code_ends_by_use_by_tries_and_by_time,
    a_code_is_used_once_however_many_try,
    texts_are_limited,
    one_network_or_country_does_not_use_up_what_all_share,
    a_stolen_database_tells_no_code,
);

const NUMBER: &str = "+8801711223344";

/// Asks for a code and gives the session and the code.
async fn code_for(service: &Service, number: &str) -> (String, String) {
    let sent = service.ok("sendVerificationCode", json!({ "phoneNumber": number })).await;
    let kept: String = number.chars().filter(|letter| !" -".contains(*letter)).collect();
    (text(&sent, "sessionInfo").to_owned(), service.text_to(&kept).await)
}

async fn a_number_is_a_way_in(service: Service) {
    let (session, code) = code_for(&service, "+880 1711-223344").await;
    let proof = json!({ "sessionInfo": session, "code": code });
    let first = service.ok("signInWithPhoneNumber", proof.clone()).await;
    assert_eq!((first["isNewUser"].clone(), text(&first, "phoneNumber")), (json!(true), NUMBER));
    assert_eq!(service.refused("signInWithPhoneNumber", proof).await, "INVALID_SESSION_INFO");
    let (session, code) = code_for(&service, NUMBER).await;
    let proof = json!({ "sessionInfo": session, "code": code, "operation": "REAUTH" });
    let again = service.ok("signInWithPhoneNumber", proof).await;
    assert_eq!((&again["isNewUser"], &again["localId"]), (&json!(false), &first["localId"]));
    // Who only shows again who they are does not get a new account.
    let (session, code) = code_for(&service, "+8801711000000").await;
    let proof = json!({ "sessionInfo": session, "code": code, "operation": "REAUTH" });
    assert_eq!(service.refused("signInWithPhoneNumber", proof).await, "USER_NOT_FOUND");
}

async fn a_number_is_linked_and_unlinked(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let (session, code) = code_for(&service, NUMBER).await;
    let link = json!({ "sessionInfo": session, "code": code, "idToken": new["idToken"] });
    let linked = service.ok("signInWithPhoneNumber", link).await;
    assert_eq!(linked["localId"], new["localId"]);
    let unlink = json!({ "idToken": linked["idToken"], "deleteProvider": ["phone"] });
    service.ok("update", unlink).await;
    let (session, code) = code_for(&service, NUMBER).await;
    let proof = json!({ "sessionInfo": session, "code": code });
    assert_ne!(service.ok("signInWithPhoneNumber", proof).await["localId"], new["localId"]);
    // A token that may have been stolen opens no door that stays open.
    service.wait(6 * 60);
    let (session, code) = code_for(&service, "+8801711000000").await;
    let link = json!({ "sessionInfo": session, "code": code, "idToken": linked["idToken"] });
    let refused = service.refused("signInWithPhoneNumber", link).await;
    assert_eq!(refused, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
}

async fn a_number_of_another_account_is_proven_for_a_while(service: Service) {
    let (session, code) = code_for(&service, NUMBER).await;
    let proof = json!({ "sessionInfo": session, "code": code });
    let owner = service.ok("signInWithPhoneNumber", proof).await;
    let other = service.sign_up("b@haat.example").await;
    let (session, code) = code_for(&service, NUMBER).await;
    let link = json!({ "sessionInfo": session, "code": code, "idToken": other["idToken"] });
    let taken = service.ok("signInWithPhoneNumber", link).await;
    assert!(taken.get("idToken").is_none(), "{taken}");
    let by_proof = json!({ "phoneNumber": NUMBER, "temporaryProof": taken["temporaryProof"] });
    let elsewhere = json!({
        "phoneNumber": "+8801711000000", "temporaryProof": taken["temporaryProof"],
    });
    let refused = service.refused("signInWithPhoneNumber", elsewhere).await;
    assert_eq!(refused, "INVALID_TEMPORARY_PROOF");
    // With the other's token it does not give a new proof for the old one, time after time.
    let mut linking = by_proof.clone();
    linking["idToken"] = other["idToken"].clone();
    let refused = service.refused("signInWithPhoneNumber", linking).await;
    assert_eq!(refused, "PHONE_NUMBER_EXISTS");
    let entered = service.ok("signInWithPhoneNumber", by_proof.clone()).await;
    assert_eq!(entered["localId"], owner["localId"]);
    let refused = service.refused("signInWithPhoneNumber", by_proof).await;
    assert_eq!(refused, "INVALID_TEMPORARY_PROOF", "it works once");
}

async fn a_code_ends_by_use_by_tries_and_by_time(service: Service) {
    let (session, code) = code_for(&service, NUMBER).await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let guess = json!({ "sessionInfo": session, "code": wrong });
    for _ in 0..5 {
        let refused = service.refused("signInWithPhoneNumber", guess.clone()).await;
        assert_eq!(refused, "INVALID_CODE");
    }
    let right = json!({ "sessionInfo": session, "code": code });
    assert_eq!(service.refused("signInWithPhoneNumber", right).await, "SESSION_EXPIRED");
    let (session, code) = code_for(&service, NUMBER).await;
    service.wait(10 * 60 + 1);
    let late = json!({ "sessionInfo": session, "code": code });
    assert_eq!(service.refused("signInWithPhoneNumber", late).await, "SESSION_EXPIRED");
}

async fn a_code_is_used_once_however_many_try(service: Service) {
    let (session, code) = code_for(&service, NUMBER).await;
    let proof = json!({ "sessionInfo": session, "code": code });
    let tries = (0..5).map(|_| service.call("signInWithPhoneNumber", proof.clone()));
    let answers = futures_util::future::join_all(tries).await;
    let entered = answers.iter().filter(|(status, _)| *status == 200).count();
    assert_eq!(entered, 1, "{answers:?}");
}

async fn texts_are_limited(service: Service) {
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
    assert_eq!((refused, service.texts().await.len()), (4, 10));
    service.wait(3601);
    service.ok("sendVerificationCode", ask).await;
}

async fn a_stolen_database_tells_no_code(service: Service) {
    let (session, code) = code_for(&service, NUMBER).await;
    let rows: Vec<(String, String)> =
        service.given.db.query("select session, code from phone_codes").all().await.unwrap();
    assert!(rows[0].0 != session && !rows[0].1.contains(&code), "{rows:?}");
}

async fn one_network_or_country_does_not_use_up_what_all_share(service: Service) {
    let ask = async |service: &Service, network: usize, number: &str| {
        let address = IpAddr::from(Ipv4Addr::from(0x0a00_0000 + network as u32));
        let ask = json!({ "phoneNumber": number });
        let (status, answer) = service.call_from(address, "sendVerificationCode", ask).await;
        let why = answer["error"]["message"].as_str().unwrap_or_default();
        (status, why.split(' ').next().unwrap().to_owned())
    };
    // Eight an hour from one network, whatever the numbers.
    let mut sent = 0;
    for n in 0..20 {
        sent += usize::from(ask(&service, 0, &format!("+88017000000{n:02}")).await.0 == 200);
    }
    assert_eq!(sent, 8);
    // A hundred an hour to one country, whatever the networks.
    for n in 8..110 {
        let answer = ask(&service, n, &format!("+8801711000{n:03}")).await;
        let wanted = if n < 100 { (200, String::new()) } else { (400, "QUOTA_EXCEEDED".into()) };
        assert_eq!(answer, wanted, "{n}");
    }
    assert_eq!(ask(&service, 200, "+447700900123").await.0, 200);
    service.wait(3600);
    assert_eq!(ask(&service, 0, "+8801700000000").await.0, 200);

    // A shop that names its countries sends to no other.
    let settings = Settings { sms_countries: vec!["+880".into()], ..settings() };
    let service = Service::with(Engine::Sqlite, settings).await;
    assert_eq!(ask(&service, 0, NUMBER).await.0, 200);
    let refused = ask(&service, 0, "+447700900123").await;
    assert_eq!(refused, (400, "OPERATION_NOT_ALLOWED".into()));
}

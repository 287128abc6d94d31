use base::on_both;

use super::*;

on_both!(Service:
    guessing_at_one_account_is_stopped_wherever_it_comes_from,
    guessing_from_one_address_is_stopped_whatever_the_account,
    wrong_address_and_wrong_password_are_one_answer,
    whatever_is_sent_is_answered_in_the_protocols_envelope,
    tokens_of_others_are_worth_nothing,
    what_matters_is_written_down,
);

fn credentials(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password })
}

async fn guessing_at_one_account_is_stopped_wherever_it_comes_from(service: Service) {
    service.sign_up("a@haat.example").await;
    let mut looked_at = 0;
    for n in 0..1000u32 {
        let address = IpAddr::from(Ipv4Addr::from(0x0a00_0000 + n));
        let guess = credentials("a@haat.example", "Wrong1!");
        let (status, answer) = service.call_from(address, "signInWithPassword", guess).await;
        assert_eq!(status, 400);
        let why = answer["error"]["message"].as_str().unwrap();
        if why == "INVALID_LOGIN_CREDENTIALS" {
            looked_at += 1;
        } else {
            assert!(why.starts_with("TOO_MANY_ATTEMPTS_TRY_LATER : "), "{why}");
        }
    }
    assert_eq!(looked_at, 10);
    let right = credentials("a@haat.example", PASSWORD);
    assert!(service.refused("signInWithPassword", right.clone()).await.starts_with("TOO_MANY"));
    service.wait(5 * 60 + 1);
    service.ok("signInWithPassword", right).await;
}

async fn guessing_from_one_address_is_stopped_whatever_the_account(service: Service) {
    service.sign_up("a@haat.example").await;
    let mut looked_at = 0;
    for n in 0..1000 {
        let guess = credentials(&format!("somebody{n}@haat.example"), "Wrong1!");
        let why = service.refused("signInWithPassword", guess).await;
        looked_at += usize::from(why == "INVALID_LOGIN_CREDENTIALS");
    }
    assert_eq!(looked_at, 60);
    service.wait(5 * 60 + 1);
    service.ok("signInWithPassword", credentials("a@haat.example", PASSWORD)).await;
    // And somebody who signs in rightly, however often, is not taken for one who guesses.
    for _ in 0..80 {
        service.ok("signInWithPassword", credentials("a@haat.example", PASSWORD)).await;
    }
}

async fn wrong_address_and_wrong_password_are_one_answer(service: Service) {
    service.sign_up("a@haat.example").await;
    let wrong = service.call("signInWithPassword", credentials("a@haat.example", "Wrong1!")).await;
    let unknown =
        service.call("signInWithPassword", credentials("b@haat.example", "Wrong1!")).await;
    assert_eq!(wrong, unknown);
}

async fn whatever_is_sent_is_answered_in_the_protocols_envelope(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let verbs = [
        "signUp",
        "signInWithPassword",
        "lookup",
        "update",
        "delete",
        "sendOobCode",
        "resetPassword",
        "signInWithEmailLink",
        "createAuthUri",
        "nothing",
    ];
    let fields = [
        "email",
        "password",
        "idToken",
        "oobCode",
        "newPassword",
        "requestType",
        "newEmail",
        "displayName",
        "photoUrl",
        "deleteAttribute",
        "deleteProvider",
        "identifier",
        "continueUri",
        "continueUrl",
        "tenantId",
    ];
    let huge = "x".repeat(100_000);
    let values = [
        json!(null),
        json!(""),
        json!(" "),
        json!("\u{0}"),
        json!("💥"),
        json!(huge),
        json!(-1),
        json!(1e300),
        json!(true),
        json!([]),
        json!(["a", 1]),
        json!({}),
        json!({ "a": { "b": [] } }),
        new["idToken"].clone(),
        json!("eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0."),
    ];
    let mut answers = 0;
    for verb in verbs {
        for field in fields {
            for value in &values {
                let mut body = json!({ "email": "b@haat.example", "password": "Wrong1!" });
                body[field] = value.clone();
                if verb == "delete" && field == "idToken" && value == &new["idToken"] {
                    continue; // that one is right
                }
                let (status, answer) = service.call(verb, body).await;
                answers += 1;
                assert!(status == 200 || (400..500).contains(&status), "{verb} {field}: {status}");
                if status != 200 {
                    assert_eq!(answer["error"]["code"], status, "{verb} {field}: {answer}");
                    assert!(!text(&answer["error"], "message").is_empty(), "{verb} {field}");
                }
                let shown = answer.to_string();
                let foreign = shown.contains("a@haat.example") && value != &new["idToken"];
                assert!(!foreign, "{verb} {field}: {shown}");
            }
        }
    }
    assert!(answers > 2000);
    for raw in ["", "{", "[]", "null", "\u{0}", "{\"email\":", "{\"a\":1}x", "\"text\""] {
        let path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=key";
        let (status, answer) =
            service.send(Request::post(path).body(Body::from(raw)).unwrap()).await;
        assert_eq!((status, &answer["error"]["code"]), (400, &json!(400)), "{raw}");
        let path = "/securetoken.googleapis.com/v1/token?key=key";
        let (status, answer) =
            service.send(Request::post(path).body(Body::from(raw)).unwrap()).await;
        assert_eq!((status, &answer["error"]["code"]), (400, &json!(400)), "{raw}");
    }
    let path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=key";
    let big = Request::post(path).body(Body::from(vec![b'x'; 300 << 10])).unwrap();
    assert_eq!(service.send(big).await.0, 413);
}

async fn tokens_of_others_are_worth_nothing(service: Service) {
    let other = Service::new(Engine::Sqlite).await;
    // The dice repeat: the second throw is not the one that this service made.
    other.sign_up("b@haat.example").await;
    let foreign = other.sign_up("a@haat.example").await;
    service.sign_up("a@haat.example").await;
    let token = text(&foreign, "idToken");
    let (message, _) = token.rsplit_once('.').unwrap();
    for token in [token, message, &format!("{message}."), &format!("{message}.AAAA")] {
        assert_eq!(
            service.refused("lookup", json!({ "idToken": token })).await,
            "INVALID_ID_TOKEN"
        );
    }
    let (_, why) = service.refresh(text(&foreign, "refreshToken")).await;
    assert_eq!(why["error"]["message"], "INVALID_REFRESH_TOKEN");
    assert!(service.identity.key_finder()("no such key").is_none());
}

async fn what_matters_is_written_down(service: Service) {
    service.sign_up("a@haat.example").await;
    service.refused("signInWithPassword", credentials("a@haat.example", "Wrong1!")).await;
    service.ok("signInWithPassword", credentials("a@haat.example", PASSWORD)).await;
    let events: Vec<(String, Option<String>)> = service
        .given
        .db
        .query("select kind, address from security_events order by id")
        .all()
        .await
        .unwrap();
    let mut kinds: Vec<&str> = events.iter().map(|(kind, _)| kind.as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["sign_in", "sign_up", "wrong_password"]);
    assert!(events.iter().all(|(_, address)| address.as_deref() == Some("127.0.0.1")));
    // No secret is kept as it is.
    let kept: Vec<(String,)> =
        service.given.db.query("select password_hash from accounts").all().await.unwrap();
    assert!(kept[0].0.starts_with("$argon2id$"));
}

use test_support::on_both;

use super::*;

on_both!(Service:
    devices_are_listed_and_signed_out_together,
    signing_out_removes_the_device,
    account_is_exported_and_deleted,
);

const PHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Safari/604.1";

impl Service {
    async fn sign_in_from(&self, agent: &str) -> Value {
        let path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=key";
        let body = json!({ "email": "rahim@haat.example", "password": PASSWORD });
        let request = Request::post(path).header("user-agent", agent);
        self.send(request.body(Body::from(body.to_string())).unwrap()).await.1
    }

    async fn call_devices(&self, path: &str, tokens: &Value) -> (u16, Value) {
        let request = Request::post(format!("/auth/devices{path}"))
            .header("authorization", format!("Bearer {}", text(tokens, "idToken")));
        let body = json!({ "refreshToken": text(tokens, "refreshToken") });
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }
}

async fn devices_are_listed_and_signed_out_together(service: Service) {
    let desk = service.sign_up("rahim@haat.example").await;
    let other = service.sign_up("karim@haat.example").await;
    service.given.clock.advance(Duration::from_secs(60));
    let phone = service.sign_in_from(&format!("{PHONE}{}", "x".repeat(500))).await;
    let (status, list) = service.call_devices("", &phone).await;
    assert_eq!(status, 200, "{list}");
    let list = list["devices"].as_array().unwrap();
    assert_eq!(list.len(), 2);
    assert_eq!((&list[0]["here"], &list[1]["here"]), (&json!(true), &json!(false)));
    let agent = text(&list[0], "agent");
    assert!(agent.starts_with(PHONE) && agent.len() == 256);
    assert_eq!(list[1]["agent"], Value::Null);

    // A used device moves up, and its user agent is updated.
    service.given.clock.advance(Duration::from_secs(3600));
    service.refresh(text(&desk, "refreshToken")).await;
    let phone = service.sign_in_from(PHONE).await;
    let (_, list) = service.call_devices("", &phone).await;
    let moments: Vec<&str> =
        list["devices"].as_array().unwrap().iter().map(|device| text(device, "usedAt")).collect();
    assert_eq!(moments.len(), 3);
    assert!(moments[0] == moments[1] && moments[1] > moments[2], "{moments:?}");

    // ID tokens have a resolution of seconds.
    service.given.clock.advance(Duration::from_secs(1));
    let (status, _) = service.call_devices("/end", &phone).await;
    assert_eq!(status, 200);
    for tokens in [&desk, &phone] {
        assert_eq!(service.refresh(text(tokens, "refreshToken")).await.0, 400);
        for path in ["", "/end"] {
            assert_eq!(service.call_devices(path, tokens).await.0, 400);
        }
    }
    assert_eq!(service.refresh(text(&other, "refreshToken")).await.0, 200);
    let again = service.sign_in_from(PHONE).await;
    assert_eq!(service.call_devices("", &again).await.1["devices"].as_array().unwrap().len(), 1);
    for bad in ["", "x", "a.b.c"] {
        let invalid = json!({ "idToken": bad, "refreshToken": "x" });
        assert_eq!(service.call_devices("", &invalid).await.0, 400);
        assert_eq!(service.call_devices("/end", &invalid).await.0, 400);
    }
}

async fn signing_out_removes_the_device(service: Service) {
    let desk = service.sign_up("rahim@haat.example").await;
    let phone = service.sign_in_from(PHONE).await;
    for _ in 0..2 {
        assert_eq!(service.call_devices("/leave", &phone).await.0, 200);
    }
    assert_eq!(service.refresh(text(&phone, "refreshToken")).await.0, 400);
    assert_eq!(service.call_devices("", &desk).await.1["devices"].as_array().unwrap().len(), 1);
    assert_eq!(service.refresh(text(&desk, "refreshToken")).await.0, 200);
}

async fn account_is_exported_and_deleted(service: Service) {
    service.sign_up("rahim@haat.example").await;
    let phone = service.sign_in_from(PHONE).await;
    let uid = text(&phone, "localId").to_owned();
    let export = service.identity.export_account(&uid).await.unwrap().unwrap();
    assert_eq!(export["email"], "rahim@haat.example");
    assert_eq!(export["devices"].as_array().unwrap().len(), 2);
    assert!(export.get("passwordHash").is_none());
    service.identity.delete_account(&uid).await.unwrap();
    service.identity.delete_account(&uid).await.unwrap();
    assert!(service.identity.export_account(&uid).await.unwrap().is_none());
    let db = &service.given.db;
    let jobs: Vec<(String,)> =
        db.query("select payload from jobs where kind = 'identity.deleted'").all().await.unwrap();
    assert_eq!(jobs.len(), 1);
    // The address was not verified.
    assert_eq!(jobs[0].0, json!({ "account": uid, "email": null }).to_string());
    let agents: Vec<(String,)> =
        db.query("select agent from refresh_tokens where agent is not null").all().await.unwrap();
    assert!(agents.is_empty());
    assert_eq!(service.refresh(text(&phone, "refreshToken")).await.0, 400);
}

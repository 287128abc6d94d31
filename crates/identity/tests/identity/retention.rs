use identity::AccountRetention;
use platform::jobs::PeriodicTask;
use test_support::on_both;

use super::*;

on_both!(Service:
    expired_rows_are_deleted,
    rows_in_use_are_kept,
    retention_follows_the_settings,
    unused_anonymous_accounts_are_deleted_after_a_month,
    deletion_of_unused_accounts_is_announced,
    many_unused_accounts_are_deleted,
);

fn retention(event_days: u64, session_days: u64) -> AccountRetention {
    let days = |days: u64| Duration::from_secs(days * 24 * 3600);
    AccountRetention { security_events: days(event_days), unused_sessions: days(session_days) }
}

async fn rows(service: &Service) -> Vec<(&'static str, i64)> {
    let mut rows = Vec::new();
    for table in ["rate_limits", "mail_codes", "phone_codes", "refresh_tokens", "security_events"] {
        let count = service.given.db.query(format!("select count(*) from {table}"));
        let (count,): (i64,) = count.one().await.unwrap();
        rows.push((table, count));
    }
    rows
}

/// Adds a row to each table: a deleted account's session, unused codes, a failed sign-in.
async fn fill(service: &Service) {
    let gone = service.sign_up("gone@haat.example").await;
    let ask = json!({ "requestType": "VERIFY_EMAIL", "idToken": gone["idToken"] });
    service.ok("sendOobCode", ask).await;
    service.ok("sendVerificationCode", json!({ "phoneNumber": "+8801711223344" })).await;
    service.ok("delete", json!({ "idToken": gone["idToken"] })).await;
    let wrong = json!({ "email": "gone@haat.example", "password": "Wrong1!!" });
    service.refused("signInWithPassword", wrong).await;
}

async fn delete_expired(service: &Service, retention: AccountRetention) -> platform::Result<()> {
    service.identity.delete_expired(retention).run().await
}

async fn expired_rows_are_deleted(service: Service) {
    fill(&service).await;
    assert!(rows(&service).await.iter().all(|(_, count)| *count > 0), "{:?}", rows(&service).await);
    service.advance(401 * 24 * 3600);
    delete_expired(&service, retention(400, 400)).await.unwrap();
    assert!(
        rows(&service).await.iter().all(|(_, count)| *count == 0),
        "{:?}",
        rows(&service).await
    );
}

async fn rows_in_use_are_kept(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    service.advance(399 * 24 * 3600);
    fill(&service).await;
    let before = rows(&service).await;
    delete_expired(&service, retention(400, 400)).await.unwrap();
    assert_eq!(rows(&service).await, before);
    // Retention signs nobody out.
    assert_eq!(service.refresh(text(&new, "refreshToken")).await.0, 200);
}

async fn retention_follows_the_settings(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    service.advance(3 * 24 * 3600);
    let retention = retention(2, 5);
    delete_expired(&service, retention).await.unwrap();
    let count =
        async |table: &str| rows(&service).await.iter().find(|(name, _)| *name == table).unwrap().1;
    assert_eq!((count("security_events").await, count("refresh_tokens").await), (0, 1));
    service.advance(3 * 24 * 3600);
    delete_expired(&service, retention).await.unwrap();
    assert_eq!(count("refresh_tokens").await, 0);
    assert_ne!(service.refresh(text(&new, "refreshToken")).await.0, 200);
}

async fn unused_anonymous_accounts_are_deleted_after_a_month(service: Service) {
    let anonymous = service.ok("signUp", json!({})).await;
    let used = service.ok("signUp", json!({})).await;
    service.sign_up("a@haat.example").await;
    service.advance(29 * 24 * 3600);
    delete_expired(&service, retention(400, 400)).await.unwrap();
    assert_eq!(service.refresh(text(&used, "refreshToken")).await.0, 200);
    service.advance(2 * 24 * 3600);
    delete_expired(&service, retention(400, 400)).await.unwrap();
    let (status, why) = service.refresh(text(&anonymous, "refreshToken")).await;
    assert_eq!((status, text(&why["error"], "message")), (400, "USER_NOT_FOUND"));
    assert_eq!(service.refresh(text(&used, "refreshToken")).await.0, 200);
    service.sign_in("a@haat.example").await;
}

/// The shop deletes its own data about an account in this job.
async fn deletion_of_unused_accounts_is_announced(service: Service) {
    let anonymous = service.ok("signUp", json!({})).await;
    service.sign_up("a@haat.example").await;
    service.advance(31 * 24 * 3600);
    delete_expired(&service, retention(400, 400)).await.unwrap();
    delete_expired(&service, retention(400, 400)).await.unwrap();
    let sql = "select payload from jobs where kind = 'identity.deleted'";
    let jobs: Vec<(String,)> = service.given.db.query(sql).all().await.unwrap();
    let jobs: Vec<Value> = jobs.iter().map(|(job,)| serde_json::from_str(job).unwrap()).collect();
    assert_eq!(jobs, [json!({ "account": anonymous["localId"], "email": null })]);
}

/// More accounts than one transaction deletes.
async fn many_unused_accounts_are_deleted(service: Service) {
    let settings = ProjectSettings { sign_ups_per_hour: 1000, ..settings() };
    let service = Service::on(service.given, settings).await;
    for _ in 0..101 {
        service.ok("signUp", json!({})).await;
    }
    service.advance(31 * 24 * 3600);
    delete_expired(&service, retention(400, 400)).await.unwrap();
    let count = service.given.db.query("select count(*) from accounts");
    assert_eq!(count.one::<(i64,)>().await.unwrap(), (0,));
}

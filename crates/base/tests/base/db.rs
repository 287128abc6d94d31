use base::db::is_taken;
use base::testing::TestDb;
use base::{Db, Money, Timestamp, on_both};

on_both!(TestDb:
    values_of_every_type_come_back,
    a_dropped_transaction_never_was,
    writers_queue_and_none_is_lost,
    a_taken_value_is_told_by_its_column,
    many_can_migrate_at_once,
    a_database_from_the_future_is_refused,
);

async fn values_of_every_type_come_back(given: TestDb) {
    let mut tx = given.db.begin().await.unwrap();
    tx.query("create table things (a bigint, b double precision, c boolean, d text, e bigint)")
        .execute()
        .await
        .unwrap();
    for (a, text) in [(Some(i64::MAX), Some("৳ 'quoted' \n")), (None, None)] {
        tx.query("insert into things values ($1, $2, $3, $4, $5)")
            .bind(a)
            .bind(a.map(|_| 4.5))
            .bind(a.map(|_| true))
            .bind(text)
            .bind(a.map(|_| Money::cents(1250)))
            .execute()
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();

    type Row = (Option<i64>, Option<f64>, Option<bool>, Option<String>, Option<Money>);
    let rows: Vec<Row> =
        given.db.query("select * from things order by a is null").all().await.unwrap();
    let text = "৳ 'quoted' \n".to_owned();
    let full = (Some(i64::MAX), Some(4.5), Some(true), Some(text), Some(Money::cents(1250)));
    assert_eq!(rows, [full, (None, None, None, None, None)]);
}

async fn a_dropped_transaction_never_was(given: TestDb) {
    let mut tx = given.db.begin().await.unwrap();
    let touched = tx.query("update revisions set revision = 7").execute().await.unwrap();
    assert_eq!(touched, 1);
    drop(tx);
    let (revision,): (i64,) = given.db.query("select revision from revisions").one().await.unwrap();
    assert_eq!(revision, 0);
}

async fn writers_queue_and_none_is_lost(given: TestDb) {
    let writers = (0..40).map(|_| {
        let db = given.db.clone();
        tokio::spawn(async move {
            let mut tx = db.begin().await.unwrap();
            tx.query("update revisions set revision = revision + 1").execute().await.unwrap();
            tx.commit().await.unwrap();
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let (revision,): (i64,) = given.db.query("select revision from revisions").one().await.unwrap();
    assert_eq!(revision, 40);
}

async fn a_taken_value_is_told_by_its_column(given: TestDb) {
    let again = given.db.query("insert into revisions (scope, revision) values ('', 1)");
    let why = again.execute().await.unwrap_err();
    assert!(is_taken(&why, "revisions"), "{why}");
    assert!(!is_taken(&why, "sku"), "{why}");
}

async fn many_can_migrate_at_once(given: TestDb) {
    given.db.query("delete from migrations").execute().await.unwrap();
    for table in [
        "products",
        "categories",
        "jobs",
        "failed_jobs",
        "revisions",
        "account_providers",
        "second_factors",
        "accounts",
        "refresh_tokens",
        "mail_codes",
        "signing_keys",
        "attempts",
        "security_events",
        "customers",
        "kept_letters",
        "social_codes",
        "phone_codes",
        "service_accounts",
        "picture_sources",
        "pictures",
        "messages",
        "subscribers",
        "allowances",
        "placings",
        "payments",
        "order_events",
        "order_lines",
        "orders",
        "carts",
    ] {
        given.db.query(format!("drop table {table}")).execute().await.unwrap();
    }
    let all = (0..4).map(|_| {
        let (url, clock) = (given.url.clone(), given.clock.clone());
        tokio::spawn(async move { Db::open(&url).await.unwrap().migrate(&clock).await })
    });
    for one in all.collect::<Vec<_>>() {
        one.await.unwrap().unwrap();
    }
    let (revision,): (i64,) = given.db.query("select revision from revisions").one().await.unwrap();
    assert_eq!(revision, 0);
}

async fn a_database_from_the_future_is_refused(given: TestDb) {
    given
        .db
        .query("insert into migrations (name, applied_at) values ('9999_future', $1)")
        .bind(Timestamp(0))
        .execute()
        .await
        .unwrap();
    let why = given.db.migrate(&given.clock).await.unwrap_err();
    assert!(why.to_string().contains("9999_future"), "{why}");
}

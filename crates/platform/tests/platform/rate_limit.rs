//! Rate limits.

use std::time::Duration;

use platform::rate_limit::{self, Limit, allows};
use test_support::{TestDb, on_both};

on_both!(TestDb:
    concurrent_attempts_do_not_exceed_a_limit,
    a_window_ends_and_its_counter_is_deleted,
    delays_grow_up_to_their_maximum,
    what_a_narrow_limit_rejects_does_not_use_up_a_shared_one,
    the_migration_keeps_the_counters,
);

async fn allowed(given: &TestDb, key: &str, limit: Limit) -> bool {
    allows(&given.db, &given.clock, &[(key.to_owned(), limit)]).await.unwrap()
}

async fn counters(given: &TestDb) -> Vec<(String, i64)> {
    given.db.query("select key, count from rate_limits order by key").all().await.unwrap()
}

async fn concurrent_attempts_do_not_exceed_a_limit(given: TestDb) {
    let attempts = (0..20).map(|_| {
        let (db, clock) = (given.db.clone(), given.clock.clone());
        tokio::spawn(async move {
            let keys = [("orders by a".to_owned(), Limit::per_hour(7))];
            rate_limit::consume(&db, &clock, &keys).await
        })
    });
    let mut done = 0;
    for attempt in attempts.collect::<Vec<_>>() {
        match attempt.await.unwrap() {
            Ok(()) => done += 1,
            Err(why) => assert_eq!((why.status().as_u16(), why.code()), (429, "too_many")),
        }
    }
    assert_eq!(done, 7);
}

async fn a_window_ends_and_its_counter_is_deleted(given: TestDb) {
    let limit = Limit::per_hour(1);
    assert!(allowed(&given, "a", limit).await);
    given.clock.advance(Duration::from_secs(3599));
    assert!(!allowed(&given, "a", limit).await);
    rate_limit::delete_expired(&given.db, given.clock.now()).await.unwrap();
    assert_eq!(counters(&given).await, [("a".to_owned(), 2)]);
    given.clock.advance(Duration::from_secs(1));
    assert!(allowed(&given, "a", limit).await);
    given.clock.advance(Duration::from_secs(3600));
    rate_limit::delete_expired(&given.db, given.clock.now()).await.unwrap();
    assert!(counters(&given).await.is_empty());
    assert!(!allowed(&given, "none", Limit::per_hour(0)).await);
}

async fn delays_grow_up_to_their_maximum(given: TestDb) {
    let seconds = Duration::from_secs;
    let limit = Limit::per_hour(2).then_delay(seconds(10), seconds(15));
    assert!(allowed(&given, "a", limit).await && allowed(&given, "a", limit).await);
    for delay in [10, 15, 15] {
        given.clock.advance(seconds(delay - 1));
        assert!(!allowed(&given, "a", limit).await, "before {delay} seconds");
        given.clock.advance(seconds(1));
        assert!(allowed(&given, "a", limit).await, "after {delay} seconds");
    }
    let mut tx = given.db.begin().await.unwrap();
    rate_limit::reset(&mut tx, "a").await.unwrap();
    tx.commit().await.unwrap();
    assert!(allowed(&given, "a", limit).await && allowed(&given, "a", limit).await);
}

async fn what_a_narrow_limit_rejects_does_not_use_up_a_shared_one(given: TestDb) {
    let keys =
        [("narrow".to_owned(), Limit::per_hour(1)), ("shared".to_owned(), Limit::per_hour(9))];
    assert!(allows(&given.db, &given.clock, &keys).await.unwrap());
    assert!(!allows(&given.db, &given.clock, &keys).await.unwrap());
    assert_eq!(counters(&given).await, [("narrow".to_owned(), 2), ("shared".to_owned(), 1)]);
    let mut tx = given.db.begin().await.unwrap();
    rate_limit::uncount(&mut tx, "shared").await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(counters(&given).await, [("narrow".to_owned(), 2), ("shared".to_owned(), 0)]);
}

/// Undoes the migration, with a counter of each kind.
async fn the_migration_keeps_the_counters(given: TestDb) {
    for sql in [
        "drop table rate_limits",
        "create table attempts (subject text primary key, count bigint not null, until bigint not null,
         next_at bigint not null default 0)",
        "create table allowances (subject text primary key, count bigint not null, until bigint not null)",
        "create table mailboxes (mailbox text primary key, used_at bigint not null)",
        "create table mailbox_emails (id text primary key, mailbox text not null, sent_at bigint not null)",
        "insert into attempts values ('passwords a', 3, 5, 4), ('both', 1, 5, 0)",
        "insert into allowances values ('messages b', 2, 6), ('both', 2, 6)",
        "delete from migrations where name = '0027_rate_limits'",
    ] {
        given.db.query(sql).execute().await.unwrap();
    }
    given.db.migrate(&given.clock).await.unwrap();
    let all = "select key, count, until, next_at from rate_limits order by key";
    let all: Vec<(String, i64, i64, i64)> = given.db.query(all).all().await.unwrap();
    let row = |key: &str, count, until, next_at| (key.to_owned(), count, until, next_at);
    let expected = [row("both", 1, 5, 0), row("messages b", 2, 6, 0), row("passwords a", 3, 5, 4)];
    assert_eq!(all, expected);
}

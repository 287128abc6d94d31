use platform::db::{is_unique_violation, like_containing, statement};
use platform::{Currency, Db, MinorUnits, Money, Timestamp};
use test_support::{Engine, TestDb, on_both};

on_both!(TestDb:
    values_of_every_type_come_back,
    a_like_pattern_matches_its_text_literally,
    a_dropped_transaction_is_rolled_back,
    deferred_statements_run_before_the_next_query,
    concurrent_writes_are_not_lost,
    a_failed_transaction_does_not_affect_others_in_its_group,
    a_cancelled_writer_does_not_block_the_queue,
    what_was_read_before_a_rollback_is_committed,
    a_unique_violation_is_recognised_by_its_column,
    concurrent_migrations_run_once,
    a_newer_database_is_rejected,
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
            .bind(a.map(|_| MinorUnits::from(Money::new(1250, Currency::USD))))
            .execute()
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();

    type Row = (Option<i64>, Option<f64>, Option<bool>, Option<String>, Option<MinorUnits>);
    let rows: Vec<Row> =
        given.db.query("select * from things order by a is null").all().await.unwrap();
    let text = "৳ 'quoted' \n".to_owned();
    let full = (Some(i64::MAX), Some(4.5), Some(true), Some(text), Some(MinorUnits(1250)));
    assert_eq!(rows, [full, (None, None, None, None, None)]);
}

/// All texts of up to three of these characters, each searched for in all.
async fn a_like_pattern_matches_its_text_literally(given: TestDb) {
    let mut texts = vec![String::new()];
    for from in [0, 1, 5] {
        let letters = |text: &String| ["%", "_", "\\", "a"].map(|letter| format!("{text}{letter}"));
        let longer: Vec<String> = texts[from..].iter().flat_map(letters).collect();
        texts.extend(longer);
    }
    assert_eq!(texts.len(), 1 + 4 + 16 + 64);
    let mut tx = given.db.begin().await.unwrap();
    tx.query("create table texts (text text)").execute().await.unwrap();
    for text in &texts {
        tx.query("insert into texts values ($1)").bind(text.as_str()).execute().await.unwrap();
    }
    for text in &texts {
        let sql = r"select text from texts where text like $1 escape '\'";
        let found: Vec<(String,)> = tx.query(sql).bind(like_containing(text)).all().await.unwrap();
        let wanted = texts.iter().filter(|other| other.contains(text.as_str()));
        let found: std::collections::BTreeSet<&String> = found.iter().map(|(text,)| text).collect();
        assert_eq!(found, wanted.collect(), "{text}");
    }
}

async fn a_dropped_transaction_is_rolled_back(given: TestDb) {
    let mut tx = given.db.begin().await.unwrap();
    let touched = tx.query("update revisions set revision = 7").execute().await.unwrap();
    assert_eq!(touched, 1);
    drop(tx);
    let (revision,): (i64,) = given.db.query("select revision from revisions").one().await.unwrap();
    assert_eq!(revision, 0);
}

async fn deferred_statements_run_before_the_next_query(given: TestDb) {
    let insert = |scope: String| {
        statement("insert into revisions (scope, revision) values ($1, $2)").bind(scope).bind(1_i64)
    };
    let mut tx = given.db.begin().await.unwrap();
    // More than one batch.
    (0..40).for_each(|n| tx.defer(insert(format!("scope/{n}"))));
    let count = "select count(*) from revisions";
    assert_eq!(tx.query(count).one::<(i64,)>().await.unwrap(), (41,));
    let moved = "update revisions set revision = $1 where scope = 'scope/7'";
    tx.defer(insert("last".into()));
    tx.defer(statement(moved).bind(5_i64));
    tx.commit().await.unwrap();
    let read = "select revision from revisions where scope in ('last', 'scope/7') order by scope";
    let rows: Vec<(i64,)> = given.db.query(read).all().await.unwrap();
    assert_eq!(rows, [(1,), (5,)]);

    // One that fails rolls all of them back.
    let mut tx = given.db.begin().await.unwrap();
    for scope in ["new", "last", "newer"] {
        tx.defer(insert(scope.into()));
    }
    assert!(is_unique_violation(&tx.commit().await.unwrap_err(), "revisions"));
    assert_eq!(given.db.query(count).one::<(i64,)>().await.unwrap(), (42,));
}

async fn concurrent_writes_are_not_lost(given: TestDb) {
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

async fn a_failed_transaction_does_not_affect_others_in_its_group(given: TestDb) {
    let writers = (0..60).map(|n: i64| {
        let db = given.db.clone();
        tokio::spawn(async move {
            let mut tx = db.begin().await.unwrap();
            tx.query("update revisions set revision = revision + 1 where scope = ''")
                .execute()
                .await
                .unwrap();
            let insert = "insert into revisions (scope, revision) values ($1, $2)";
            match n % 5 {
                // Dropped, before or during a query.
                0 => drop(tx),
                1 => drop(
                    tokio::time::timeout(
                        std::time::Duration::ZERO,
                        tx.query(insert).bind(format!("never/{n}")).bind(n).execute(),
                    )
                    .await,
                ),
                // Failed, in a query or in the commit.
                2 => assert!(tx.query(insert).bind("").bind(n).execute().await.is_err()),
                3 => {
                    tx.defer(statement(insert).bind(format!("never/{n}")).bind(n));
                    tx.defer(statement(insert).bind("").bind(n));
                    assert!(tx.commit().await.is_err());
                }
                _ => {
                    tx.defer(statement(insert).bind(format!("committing/{n}")).bind(n));
                    tx.commit().await.unwrap();
                }
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let count = |scope| {
        let query = given.db.query(
            "select count(*), coalesce(min(revision), 0) from revisions where scope like $1",
        );
        query.bind(scope).one::<(i64, i64)>()
    };
    assert_eq!(count("committing/%").await.unwrap().0, 12);
    assert_eq!(count("never/%").await.unwrap().0, 0);
    assert_eq!(count("").await.unwrap(), (1, 12));
}

async fn a_cancelled_writer_does_not_block_the_queue(given: TestDb) {
    for _ in 0..30 {
        let mut first = given.db.begin().await.unwrap();
        first.query("update revisions set revision = revision + 1").execute().await.unwrap();
        let waiting = tokio::spawn({
            let db = given.db.clone();
            async move { drop(db.begin().await) }
        });
        tokio::task::yield_now().await;
        let committing = tokio::spawn(first.commit());
        waiting.abort();
        committing.await.unwrap().unwrap();
    }
    let (revision,): (i64,) = given.db.query("select revision from revisions").one().await.unwrap();
    assert_eq!(revision, 30);
}

/// SQLite rolls a transaction back by itself when the disk is full.
#[tokio::test]
async fn a_full_disk_does_not_stop_later_writes() {
    let TestDb { db, .. } = &TestDb::new(Engine::Sqlite).await;
    let run = async |sql| db.query(sql).execute().await.map(drop);
    run("create table things (a blob)").await.unwrap();
    run("pragma max_page_count = 1").await.unwrap(); // the number of pages that there are
    let mut tx = db.begin().await.unwrap();
    let full = tx.query("insert into things values (randomblob(1000000))").execute().await;
    assert!(full.unwrap_err().to_string().contains("full"));
    drop(tx);
    run("pragma max_page_count = 1000000").await.unwrap();
    let mut tx = db.begin().await.unwrap();
    tx.query("insert into things values (randomblob(1000000))").execute().await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(db.query("select count(*) from things").one::<(i64,)>().await.unwrap(), (1,));
}

async fn what_was_read_before_a_rollback_is_committed(given: TestDb) {
    let insert = "insert into revisions (scope, revision) values ($1, 1)
               on conflict (scope) do nothing returning scope";
    let writers = (0..40).map(|_| {
        let db = given.db.clone();
        tokio::spawn(async move {
            let mut tx = db.begin().await.unwrap();
            let inserted: Option<(String,)> =
                tx.query(insert).bind("one").optional().await.unwrap();
            if inserted.is_some() {
                return tx.commit().await.unwrap();
            }
            tx.rollback().await.unwrap();
            let read = "select revision from revisions where scope = 'one'";
            assert_eq!(db.query(read).all::<(i64,)>().await.unwrap(), [(1,)]);
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
}

async fn a_unique_violation_is_recognised_by_its_column(given: TestDb) {
    let again = given.db.query("insert into revisions (scope, revision) values ('', 1)");
    let why = again.execute().await.unwrap_err();
    assert!(is_unique_violation(&why, "revisions"), "{why}");
    assert!(!is_unique_violation(&why, "sku"), "{why}");
}

async fn concurrent_migrations_run_once(given: TestDb) {
    given.db.query("delete from migrations").execute().await.unwrap();
    for table in [
        "base_currency",
        "product_prices",
        "stock_entries",
        "served_settings",
        "review_votes",
        "reviews",
        "credit_entries",
        "credit_accounts",
        "product_translations",
        "category_translations",
        "option_value_translations",
        "order_line_translations",
        "past_prices",
        "variants",
        "products",
        "categories",
        "jobs",
        "failed_jobs",
        "periodic_tasks",
        "revisions",
        "account_providers",
        "second_factors",
        "accounts",
        "refresh_tokens",
        "mail_codes",
        "signing_keys",
        "rate_limits",
        "security_events",
        "customers",
        "stored_emails",
        "social_codes",
        "social_callbacks",
        "phone_codes",
        "service_accounts",
        "picture_sources",
        "pictures",
        "messages",
        "subscribers",
        "invoices",
        "invoice_series",
        "placings",
        "sold_gift_cards",
        "order_gift_cards",
        "gift_card_entries",
        "gift_cards",
        "order_return_lines",
        "order_returns",
        "payment_alerts",
        "payment_webhooks",
        "payment_calls",
        "payment_events",
        "payments",
        "provider_attempts",
        "provider_tokens",
        "order_events",
        "order_adjustments",
        "order_taxes",
        "tax_rules",
        "tax_exemptions",
        "promotion_uses",
        "promotion_customers",
        "promotion_codes",
        "promotions",
        "customer_groups",
        "order_lines",
        "orders",
        "carts",
        "wishes",
        "shared_wishlists",
        "stock_alerts",
        "addresses",
        "delivery_zones",
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

async fn a_newer_database_is_rejected(given: TestDb) {
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

//! `haat jobs`, and queued jobs of other versions of the program.

use platform::{Clock, Db};
use serde_json::Value;
use test_support::{eventually, on_both};

use super::program::{Sandbox, text};

on_both!(Sandbox:
    failed_jobs_are_listed_shown_retried_and_discarded,
    a_shop_with_jobs_of_an_unknown_kind_does_not_start,
    failed_jobs_of_an_unknown_kind_are_not_retried,
    jobs_of_the_previous_version_run,
);

const EMAIL: &str = r#"{"id": "01mail", "letter": {"to": "rahim@example.com", "subject": "Sign in to Haat",
    "words": {"shop": "Haat", "heading": "Sign in", "paragraphs": ["Your code is 123456."],
        "button": ["Sign in", "https://haat.example/auth?oobCode=secret"], "footnote": ""},
    "leave": "https://haat.example/leave?token=secret"}}"#;
const TEXT: &str =
    r#"{"id": "01text", "text": {"to": "+8801700000000", "text": "Your code is 123456."}}"#;

/// A migrated database.
async fn database(sandbox: &Sandbox) -> Db {
    std::fs::create_dir_all(sandbox.dir.path().join("data")).unwrap();
    let db = Db::open(&sandbox.database_url()).await.unwrap();
    db.migrate(&Clock::system()).await.unwrap();
    let output = sandbox.run(&["jobs", "list"]);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", text(&output));
    db
}

async fn insert(db: &Db, table: &str, id: &str, kind: &str, payload: &str) {
    let (column, value) = if table == "jobs" {
        ("run_at, claimed_until", "0, 0")
    } else {
        ("failed_at, last_error", "9999999999999, 'away'")
    };
    db.query(format!(
        "insert into {table} (id, kind, payload, attempts, created_at, {column})
         values ($1, $2, $3, 0, 0, {value})"
    ))
    .bind(id)
    .bind(kind)
    .bind(payload)
    .execute()
    .await
    .unwrap();
}

async fn failed_jobs_are_listed_shown_retried_and_discarded(sandbox: Sandbox) {
    let db = database(&sandbox).await;
    for (id, kind, payload) in
        [("01mail", "mail.send", EMAIL), ("01text", "sms.send", TEXT), ("01junk", "sms.send", TEXT)]
    {
        insert(&db, "failed_jobs", id, kind, payload).await;
    }
    insert(&db, "jobs", "01later", "mail.discard", EMAIL).await;
    db.close().await;
    let run = |args: &[&str]| {
        let output = sandbox.run(&[&["jobs"], args].concat());
        match output.status.success() {
            true => (true, String::from_utf8(output.stdout).unwrap()),
            false => (false, text(&output)),
        }
    };

    let (_, listed) = run(&["list"]);
    assert_eq!(listed.lines().count(), 4, "{listed}");
    assert!(listed.lines().last().unwrap().starts_with("01later  mail.discard"), "{listed}");
    let (_, listed) = run(&["list", "--failed", "--kind", "mail.send", "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!((&listed[0]["id"], &listed[0]["lastError"]), (&"01mail".into(), &"away".into()));

    let (_, shown) = run(&["show", "01mail"]);
    assert!(shown.contains("rahim@example.com") && shown.contains("last error: away"), "{shown}");
    let (_, json) = run(&["show", "01text", "--json"]);
    assert!(json.contains("+8801700000000"), "{json}");
    for secret in ["123456", "secret", "oobCode"] {
        assert!(!shown.contains(secret) && !json.contains(secret), "{shown}{json}");
    }

    assert_eq!(run(&["discard", "01junk"]), (true, "discarded: 1\n".into()));
    assert_eq!(run(&["retry", "01mail"]), (true, "queued again: 1\n".into()));
    assert_eq!(run(&["retry", "--all"]), (true, "queued again: 1\n".into()));
    for (args, why) in [
        (&["retry", "01mail"][..], "no failed job 01mail"),
        (&["discard", "01junk"][..], "no waiting or failed job 01junk"),
        (&["show", "01junk"][..], "no job 01junk"),
        (&["retry"][..], "haat jobs --help"),
        (&["discard"][..], "haat jobs --help"),
    ] {
        let (success, output) = run(args);
        assert!(!success && output.contains(why), "{args:?}: {output}");
    }

    let shop = sandbox.open_with(&["--demo"]);
    eventually("both messages are sent", async || {
        let mailbox = shop.get("/dev/mail");
        mailbox.contains("Sign in to Haat") && mailbox.contains("+8801700000000")
    })
    .await;
    assert_eq!(run(&["list", "--failed"]), (true, String::new()));
}

async fn a_shop_with_jobs_of_an_unknown_kind_does_not_start(sandbox: Sandbox) {
    let db = database(&sandbox).await;
    insert(&db, "jobs", "01one", "orders.teleport", "{}").await;
    insert(&db, "jobs", "01two", "orders.teleport", "{}").await;
    db.close().await;
    let output = sandbox.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(!output.status.success());
    let why = text(&output);
    assert!(why.contains("2 queued jobs are of the kind orders.teleport"), "{why}");
    assert!(!why.contains("Haat is open"), "{why}");
    let command = why.trim().rsplit_once("haat ").unwrap().1;
    let output = sandbox.run(&command.split(' ').collect::<Vec<_>>());
    assert_eq!(output.stdout, b"discarded: 2\n", "{}", text(&output));
    drop(sandbox.open_with(&[]));
}

async fn failed_jobs_of_an_unknown_kind_are_not_retried(sandbox: Sandbox) {
    let db = database(&sandbox).await;
    insert(&db, "failed_jobs", "01odd", "orders.teleport", "{}").await;
    insert(&db, "failed_jobs", "01text", "sms.send", TEXT).await;
    for args in [&["--all"][..], &["01odd"], &["01text", "01odd"]] {
        let output = sandbox.run(&[&["jobs", "retry"], args].concat());
        let why = text(&output);
        assert!(!output.status.success() && why.contains("of the kind orders.teleport"), "{why}");
        let command = why.trim().rsplit_once("haat ").unwrap().1;
        assert_eq!(command, "jobs discard 01odd");
    }
    let queued: (i64,) = db.query("select count(*) from jobs").one().await.unwrap();
    assert_eq!(queued, (0,), "none is queued, also not those before the refused one");
    db.close().await;
    assert_eq!(sandbox.run(&["jobs", "discard", "01odd"]).stdout, b"discarded: 1\n");
    assert_eq!(sandbox.run(&["jobs", "retry", "--all"]).stdout, b"queued again: 1\n");
}

async fn jobs_of_the_previous_version_run(sandbox: Sandbox) {
    let db = database(&sandbox).await;
    for undo in [
        "drop table periodic_tasks",
        "drop index jobs_due",
        "alter table jobs drop column queue",
        "alter table failed_jobs drop column queue",
        "alter table failed_jobs drop column priority",
        "create index jobs_due on jobs (priority, run_at)",
        "delete from migrations where name = '0026_job_queues'",
    ] {
        db.query(undo).execute().await.unwrap();
    }
    let picture = "0123456789012345678901234567890123456789";
    let files = format!(r#"{{"picture": "{picture}", "width": 640}}"#);
    for (kind, payload) in [
        ("mail.send", EMAIL),
        ("mail.discard", EMAIL),
        ("sms.send", TEXT),
        ("identity.deleted", r#"{"account": "gone", "email": null}"#),
        ("customers.forget", r#"{"customer": "gone", "email": "gone@example.com", "round": 1}"#),
        ("orders.summary", r#"{"day": 20000}"#),
        ("catalog.sale_turns", r#"{"product": "lamp"}"#),
        ("media.make_sizes", &files),
        ("media.forget", &files),
        ("media.keep_built_in", "{}"),
    ] {
        insert(&db, "jobs", &kind.replace('.', "-"), kind, payload).await;
    }
    insert(&db, "failed_jobs", "01text", "sms.send", TEXT).await;
    db.close().await;
    let shop = sandbox.open_with(&["--demo"]);
    let db = Db::open(&sandbox.database_url()).await.unwrap();
    let old = "select count(*) from jobs where created_at = 0";
    let done = async || db.query(old).one::<(i64,)>().await.unwrap().0 == 0;
    eventually("all jobs are done", done).await;
    let failed: Vec<(String, String, i64)> =
        db.query("select id, queue, priority from failed_jobs").all().await.unwrap();
    assert_eq!(failed, [("01text".into(), "sms".into(), 0)]);
    assert!(shop.get("/dev/mail").contains("Sign in to Haat"));
    drop(shop);
    db.close().await;
}

//! E-mail over SMTP with a fake mail server.

use std::collections::BTreeSet;
use std::time::Duration;

use platform::EmailAddress;
use platform::jobs::{self, Worker};
use platform::lease::WorkerLease;
use platform::mail::{self, Email, EmailBody, MailSettings, Mailer, Purpose, Tls};
use test_support::on_both;
use test_support::{MailServer, SmtpMode, TestDb, email_header};

on_both!(TestDb:
    an_email_arrives_complete_with_its_jobs_id,
    a_rejected_or_aborted_email_is_retried,
    a_delivered_email_is_not_sent_again_when_its_job_remains,
    claims_of_a_crashed_worker_are_recovered_from_its_markers,
    mailboxes_are_rate_limited_and_security_emails_come_first,
);

fn email(to: &str) -> Email {
    let body = EmailBody {
        shop: "Haat".into(),
        heading: "Hello".into(),
        // A line that begins with a dot, and characters beyond ASCII.
        paragraphs: vec![".dots\n.\nহাট".into()],
        button: None,
        footnote: "Bye".into(),
    };
    let to: EmailAddress = to.parse().unwrap();
    Email {
        unsubscribe_url: Some("https://haat.example/leave".into()),
        ..body.into_email(&to, "Hello")
    }
}

async fn enqueue(given: &TestDb, email: &Email) {
    let mut tx = given.db.begin().await.unwrap();
    mail::enqueue(&mut tx, &given.clock, &given.random, email).unwrap();
    tx.commit().await.unwrap();
}

fn worker(given: &TestDb, server: &MailServer, lease: &WorkerLease) -> Worker {
    let settings = MailSettings {
        smtp_host: Some("127.0.0.1".into()),
        smtp_port: Some(server.port),
        smtp_tls: Tls::Never,
        smtp_user: None,
        smtp_password: None,
        mail_from: Some("Haat <hello@haat.example>".parse().unwrap()),
    };
    let TestDb { db, clock, random, .. } = given;
    let mailer =
        Mailer::new(&settings, false, db, clock.clone(), lease.clone(), Email::text).unwrap();
    Worker::new(db.clone(), clock.clone(), random.clone())
        .with_lease(lease.name())
        .on(mail::SEND, move |queued| mailer.clone().send(queued))
}

fn lease(given: &TestDb, dir: &tempfile::TempDir) -> WorkerLease {
    WorkerLease::acquire(dir.path(), &given.clock, &given.random).0
}

fn markers(lease: &WorkerLease) -> BTreeSet<String> {
    let entries = std::fs::read_dir(lease.directory().unwrap()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

async fn only_id(given: &TestDb) -> String {
    given.db.query("select id from jobs").one::<(String,)>().await.unwrap().0
}

async fn an_email_arrives_complete_with_its_jobs_id(given: TestDb) {
    let (server, dir) = (MailServer::start(SmtpMode::Accept).await, tempfile::tempdir().unwrap());
    let lease = lease(&given, &dir);
    enqueue(&given, &email("rahim@example.com")).await;
    let id = only_id(&given).await;
    let worker = worker(&given, &server, &lease);
    worker.run_due().await.unwrap();
    enqueue(&given, &email("mitali@example.com")).await;
    worker.run_due().await.unwrap();
    let emails = server.emails();
    assert_eq!(emails.len(), 2);
    assert_eq!(email_header(&emails[0], "Message-ID"), format!("<{id}@haat.example>"));
    assert_eq!(email_header(&emails[0], "To"), "rahim@example.com");
    assert_eq!(email_header(&emails[0], "List-Unsubscribe"), "<https://haat.example/leave>");
    assert_eq!(email_header(&emails[0], "List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    assert!(emails[0].contains("multipart/alternative"), "{}", emails[0]);
    assert!(markers(&lease).is_empty());
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
}

async fn a_rejected_or_aborted_email_is_retried(given: TestDb) {
    let (server, dir) = (MailServer::start(SmtpMode::Reject).await, tempfile::tempdir().unwrap());
    let lease = lease(&given, &dir);
    let worker = worker(&given, &server, &lease);
    enqueue(&given, &email("rahim@example.com")).await;
    for mode in [SmtpMode::Reject, SmtpMode::Disconnect, SmtpMode::Accept] {
        server.set_mode(mode);
        assert!(server.emails().is_empty());
        assert_eq!(worker.run_due().await.unwrap(), 1, "{mode:?}");
        assert!(markers(&lease).is_empty(), "{mode:?}");
        given.clock.advance(Duration::from_secs(60));
    }
    assert_eq!(server.emails().len(), 1);
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
}

async fn a_delivered_email_is_not_sent_again_when_its_job_remains(given: TestDb) {
    let (server, dir) = (MailServer::start(SmtpMode::Accept).await, tempfile::tempdir().unwrap());
    let lease = lease(&given, &dir);
    enqueue(&given, &email("rahim@example.com")).await;
    // The state when the database fails between the delivery and the deletion of the job.
    let id = only_id(&given).await;
    std::fs::write(lease.directory().unwrap().join(format!("{id}.sent")), "").unwrap();
    assert_eq!(worker(&given, &server, &lease).run_due().await.unwrap(), 1);
    assert!(server.emails().is_empty() && markers(&lease).is_empty());
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
}

async fn claims_of_a_crashed_worker_are_recovered_from_its_markers(given: TestDb) {
    let dir = tempfile::tempdir().unwrap();
    let crashed = lease(&given, &dir);
    for name in ["sent", "doubt", "neither", "others"] {
        enqueue(&given, &email(&format!("{name}@example.com"))).await;
    }
    let sql = "select id, payload from jobs order by id";
    let rows: Vec<(String, String)> = given.db.query(sql).all().await.unwrap();
    let id = |name: &str| rows.iter().find(|(_, email)| email.contains(name)).unwrap().0.clone();
    let claim = "update jobs set claimed_until = $1, claimed_by = $2";
    let until = given.clock.now().plus(Duration::from_secs(100));
    given.db.query(claim).bind(until).bind(crashed.name()).execute().await.unwrap();
    // Another server has claimed it since.
    let claim = "update jobs set claimed_by = 'another' where id = $1";
    given.db.query(claim).bind(id("others@").as_str()).execute().await.unwrap();
    let directory = crashed.directory().unwrap();
    for name in [format!("{}.sent", id("sent@")), id("doubt@"), id("others@"), "gone".into()] {
        std::fs::write(directory.join(name), "").unwrap();
    }
    drop(crashed);

    let (server, lease) = (MailServer::start(SmtpMode::Accept).await, lease(&given, &dir));
    mail::recover_deliveries(&given.db, &given.clock, &lease).await.unwrap();
    jobs::release_claims(&given.db, lease.name()).await.unwrap();
    assert!(markers(&lease).is_empty());
    worker(&given, &server, &lease).run_due().await.unwrap();
    let emails = server.emails();
    assert_eq!(emails.len(), 1, "{emails:?}");
    assert_eq!(email_header(&emails[0], "To"), "neither@example.com");
    assert_eq!(only_id(&given).await, id("others@"));
    let failed = "select id, last_error from failed_jobs";
    let (failed, why): (String, String) = given.db.query(failed).one().await.unwrap();
    assert_eq!(failed, id("doubt@"));
    assert!(why.contains("not sent again"), "{why}");
}

async fn mailboxes_are_rate_limited_and_security_emails_come_first(given: TestDb) {
    let (server, dir) = (MailServer::start(SmtpMode::Accept).await, tempfile::tempdir().unwrap());
    let lease = lease(&given, &dir);
    let worker = worker(&given, &server, &lease);
    // Spellings of one mailbox, which gets 20 e-mails an hour and 60 a day.
    let names = ["victim@gmail.com", "vic.tim@gmail.com", "victim+a@googlemail.com"];
    let flood = async || {
        for number in 0..30 {
            enqueue(&given, &email(names[number % names.len()])).await;
        }
        enqueue(&given, &email("other@example.com")).await;
    };
    let arrived = |to: &str| {
        let emails = server.emails();
        emails.iter().filter(|email| email_header(email, "To") == to).count()
    };
    let victims = || names.iter().map(|name| arrived(name)).sum::<usize>();
    flood().await;
    enqueue(&given, &email("victim@gmail.com").purpose(Purpose::Security)).await;
    // A rejected e-mail is retried, and counts once.
    server.set_mode(SmtpMode::Reject);
    worker.run_due().await.unwrap();
    server.set_mode(SmtpMode::Accept);
    given.clock.advance(Duration::from_secs(60));
    worker.run_due().await.unwrap();
    assert_eq!((victims(), arrived("other@example.com")), (21, 1));
    assert_eq!(worker.counters().dropped.load(std::sync::atomic::Ordering::Relaxed), 10);
    for (hours, so_far) in [(0, 21), (1, 41), (1, 61), (1, 61), (22, 81)] {
        given.clock.advance(Duration::from_secs(hours * 3600 + 1));
        flood().await;
        worker.run_due().await.unwrap();
        assert_eq!(victims(), so_far);
    }
    // The shop's own mailbox has no limit.
    for _ in 0..30 {
        enqueue(&given, &email("shop@example.com").purpose(Purpose::Shop)).await;
    }
    // Security e-mails overtake older ones.
    given.clock.advance(Duration::from_secs(1));
    enqueue(&given, &email("waits@example.com").purpose(Purpose::Security)).await;
    let before = server.emails().len();
    worker.run_due().await.unwrap();
    assert_eq!(arrived("shop@example.com"), 30);
    let sent = server.emails();
    let place = sent.iter().position(|email| email_header(email, "To") == "waits@example.com");
    assert!(place.unwrap() < before + 8, "{place:?} after {before}");
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
    let counted = async || -> i64 {
        given.db.query("select count(*) from mailbox_emails").one::<(i64,)>().await.unwrap().0
    };
    assert!(counted().await > 0);
    given.clock.advance(Duration::from_secs(24 * 3600));
    mail::delete_old_counts(&given.db, given.clock.now()).await.unwrap();
    assert_eq!(counted().await, 0);
}

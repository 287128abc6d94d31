//! E-mail over SMTP with a fake mail server.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::time::Duration;

use email::sms::{self, SendText, SmsSender, TextMessage};
use email::{Email, EmailBody, MailSettings, Mailer, Purpose, SendEmail, Tls};
use platform::jobs::{self, Worker};
use platform::{EmailAddress, Language, rate_limit};
use test_support::{MailServer, SmtpMode, TestDb, email_header, eventually, on_both};

on_both!(TestDb:
    an_email_arrives_complete_with_its_jobs_id,
    a_rejected_or_aborted_email_is_retried,
    an_email_without_a_reply_is_sent_again_with_its_message_id,
    an_email_that_an_earlier_version_queued_is_sent,
    emails_that_an_earlier_version_stored_stay,
    a_hanging_mail_server_does_not_delay_text_messages,
    mailboxes_are_rate_limited_and_security_emails_come_first,
);

fn email(to: &str) -> Email {
    let body = EmailBody {
        language: Language::ENGLISH,
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
    email::enqueue(&mut tx, &given.clock, &given.random, email).unwrap();
    tx.commit().await.unwrap();
}

fn worker(given: &TestDb, server: &MailServer) -> Worker {
    let settings = MailSettings {
        smtp_host: Some("127.0.0.1".into()),
        smtp_port: Some(server.port),
        smtp_tls: Tls::Never,
        smtp_user: None,
        smtp_password: None,
        mail_from: Some("Haat <hello@haat.example>".parse().unwrap()),
    };
    let TestDb { db, clock, random, .. } = given;
    let mailer = Mailer::new(&settings, false, db, clock.clone()).unwrap();
    Worker::new(db.clone(), clock.clone(), random.clone()).register::<SendEmail>(mailer)
}

async fn only_id(given: &TestDb) -> String {
    given.db.query("select id from jobs").one::<(String,)>().await.unwrap().0
}

async fn an_email_arrives_complete_with_its_jobs_id(given: TestDb) {
    let server = MailServer::start(SmtpMode::Accept).await;
    enqueue(&given, &email("rahim@example.com")).await;
    let id = only_id(&given).await;
    let worker = worker(&given, &server);
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
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
}

async fn a_rejected_or_aborted_email_is_retried(given: TestDb) {
    let server = MailServer::start(SmtpMode::Reject).await;
    let worker = worker(&given, &server);
    enqueue(&given, &email("rahim@example.com")).await;
    for mode in [SmtpMode::Reject, SmtpMode::Disconnect, SmtpMode::Accept] {
        server.set_mode(mode);
        assert!(server.emails().is_empty());
        assert_eq!(worker.run_due().await.unwrap(), 1, "{mode:?}");
        given.clock.advance(Duration::from_secs(60));
    }
    assert_eq!(server.emails().len(), 1);
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
}

async fn an_email_without_a_reply_is_sent_again_with_its_message_id(given: TestDb) {
    let server = MailServer::start(SmtpMode::NoReply).await;
    enqueue(&given, &email("rahim@example.com")).await;
    let killed = worker(&given, &server);
    let killed = tokio::spawn(async move { killed.run_due().await });
    eventually("the server has the e-mail", async || server.waiting() == 1).await;
    killed.abort();
    // Otherwise it might still see the reply.
    assert!(killed.await.is_err());
    server.set_mode(SmtpMode::Accept);
    let worker = worker(&given, &server);
    assert_eq!(worker.run_due().await.unwrap(), 0, "its claim is still valid");
    given.clock.advance(Duration::from_secs(121));
    assert_eq!(worker.run_due().await.unwrap(), 1);
    let emails = server.emails();
    let ids: Vec<&str> = emails.iter().map(|email| email_header(email, "Message-ID")).collect();
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[0], ids[1]);
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
}

async fn an_email_that_an_earlier_version_queued_is_sent(given: TestDb) {
    let server = MailServer::start(SmtpMode::Accept).await;
    let payload = r#"{"id": "01old", "letter": {"to": "rahim@example.com", "subject": "Hello",
        "words": {"shop": "Haat", "heading": "Hello", "paragraphs": [], "button": null, "footnote": ""}}}"#;
    let sql = "insert into jobs (id, kind, payload, queue, run_at, attempts, claimed_until, claimed_by, created_at)
               values ('01old', 'mail.send', $1, 'email', 0, 1, 5, 'seat', 0)";
    given.db.query(sql).bind(payload).execute().await.unwrap();
    assert_eq!(worker(&given, &server).run_due().await.unwrap(), 1);
    assert_eq!(email_header(&server.emails()[0], "Message-ID"), "<01old@haat.example>");
}

async fn emails_that_an_earlier_version_stored_stay(given: TestDb) {
    for sql in [
        "drop table stored_emails",
        "create table kept_letters (id text primary key, recipient text not null, subject text not null,
           letter text not null, created_at bigint not null)",
        r#"insert into kept_letters values ('01old', 'rahim@example.com', 'Hello',
           '{"to": "rahim@example.com", "subject": "Hello", "words": {"shop": "Haat", "heading": "Hi",
           "paragraphs": [], "button": null, "footnote": ""}}', 5)"#,
        "delete from migrations where name = '0028_stored_emails'",
    ] {
        given.db.query(sql).execute().await.unwrap();
    }
    given.db.migrate(&given.clock).await.unwrap();
    let stored = email::recent_emails(&given.db).await.unwrap();
    assert_eq!((stored.len(), stored[0].created_at.0), (1, 5));
    let email = email::find_stored_email(&given.db, &stored[0].id).await.unwrap();
    assert_eq!((email.to.as_str(), email.body.heading.as_str()), ("rahim@example.com", "Hi"));
}

async fn a_hanging_mail_server_does_not_delay_text_messages(given: TestDb) {
    let server = MailServer::start(SmtpMode::NoGreeting).await;
    for number in 0..20 {
        enqueue(&given, &email(&format!("reader-{number}@example.com"))).await;
    }
    let sender = SmsSender::DevMailbox(given.clock.clone());
    let working = worker(&given, &server).register::<SendText>(sender).start();
    for round in 1..=3 {
        let text = TextMessage { to: "+8801700000000".into(), text: "Your code".into() };
        let mut tx = given.db.begin().await.unwrap();
        sms::enqueue(&mut tx, &given.clock, &given.random, &text).unwrap();
        tx.commit().await.unwrap();
        eventually("the text message is sent", async || {
            email::recent_emails(&given.db).await.unwrap().len() == round
        })
        .await;
    }
    assert!(server.emails().is_empty());
    server.set_mode(SmtpMode::Accept);
    eventually("the e-mails are sent", async || server.emails().len() == 20).await;
    working.shut_down().await;
}

async fn mailboxes_are_rate_limited_and_security_emails_come_first(given: TestDb) {
    let server = MailServer::start(SmtpMode::Accept).await;
    let worker = worker(&given, &server);
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
    // What was paid for is not dropped.
    for _ in 0..30 {
        enqueue(&given, &email(names[0]).purpose(Purpose::Paid)).await;
    }
    // Security e-mails overtake older ones.
    given.clock.advance(Duration::from_secs(1));
    enqueue(&given, &email("waits@example.com").purpose(Purpose::Security)).await;
    let before = server.emails().len();
    server.set_mode(SmtpMode::NoReply);
    let first = async {
        eventually("each slot waits for a reply", async || server.waiting() == 8).await;
        assert_eq!((server.emails().len(), arrived("waits@example.com")), (before + 8, 1));
        server.set_mode(SmtpMode::Accept);
    };
    let (done, ()) = tokio::join!(worker.run_due(), first);
    done.unwrap();
    assert_eq!((arrived("shop@example.com"), victims()), (30, 111));
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
    let counted = async || -> i64 {
        given.db.query("select count(*) from rate_limits").one::<(i64,)>().await.unwrap().0
    };
    assert!(counted().await > 0);
    given.clock.advance(Duration::from_secs(24 * 3600));
    rate_limit::delete_expired(&given.db, given.clock.now()).await.unwrap();
    assert_eq!(counted().await, 0);
}

//! E-mail delivery: the shop is killed repeatedly while it sends a thousand e-mails, and each is sent at least once,
//! always with the same Message-ID (decision 018).

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpStream;

use platform::Db;
use test_support::{MailServer, SmtpMode, email_header, eventually, on_both};

use super::program::{Sandbox, Shop};

on_both!(Sandbox: a_killed_shop_loses_no_email,);

const EMAILS: usize = 1_000;

/// Subscribes to the newsletter, which sends a confirmation e-mail.
fn subscribe(shop: &Shop, number: usize) {
    let body = format!(r#"{{"email": "reader-{number}@example.com"}}"#);
    let mut stream = TcpStream::connect(&shop.address).unwrap();
    let (from, length) = (format!("10.{}.{}.1", number / 200, number % 200), body.len());
    write!(
        stream,
        "POST /api/newsletter HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         x-forwarded-for: {from}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
}

async fn a_killed_shop_loses_no_email(sandbox: Sandbox) {
    let office = MailServer::start(SmtpMode::NoGreeting).await;
    let port = office.port.to_string();
    let open = || {
        let smtp = ["--smtp-host", "127.0.0.1", "--smtp-port", &port, "--smtp-tls", "never"];
        let from = ["--trust-proxy", "--email", "hello@haat.example"];
        sandbox.open_with(&[&smtp[..], &from].concat())
    };
    let mut shop = open();
    let db = Db::open(&sandbox.database_url()).await.unwrap();
    std::thread::scope(|scope| {
        for part in 0..8 {
            let shop = &shop;
            scope.spawn(move || {
                (part..EMAILS).step_by(8).for_each(|number| subscribe(shop, number))
            });
        }
    });

    office.set_mode(SmtpMode::Accept);
    for round in 1..=9 {
        let some = async || office.emails().len() >= round * 100;
        eventually("some e-mails are delivered", some).await;
        if round % 3 == 0 {
            // At an arbitrary point.
            shop.signal("-KILL");
        } else {
            // After the mail server has received e-mails, before it confirms them.
            office.set_mode(SmtpMode::NoReply);
            eventually("e-mails are received without confirmation", async || office.waiting() > 0)
                .await;
            shop.signal(if round % 3 == 1 { "-KILL" } else { "-TERM" });
        }
        office.set_mode(SmtpMode::Accept);
        let status = shop.wait();
        assert_eq!(status.success(), round % 3 == 2, "{status}");
        // The claims of the killed shop would expire in two minutes.
        db.query("update jobs set claimed_until = 0").execute().await.unwrap();
        shop = open();
    }

    let none_wait = async || {
        let (waiting,): (i64,) = db.query("select count(*) from jobs").one().await.unwrap();
        waiting == 0
    };
    eventually("no e-mail is queued", none_wait).await;
    let emails = office.emails();
    let sent: HashSet<(&str, &str)> = emails
        .iter()
        .map(|email| (email_header(email, "To"), email_header(email, "Message-ID")))
        .collect();
    assert_eq!(sent.len(), EMAILS, "an e-mail is lost, or was sent again with another id");
    // At most those that were being sent when the shop was killed.
    let twice = emails.len() - EMAILS;
    assert!(twice <= 6 * 8, "{twice} e-mails were sent again");
    let (failed,): (i64,) = db.query("select count(*) from failed_jobs").one().await.unwrap();
    assert_eq!(failed, 0);
    drop(shop);
    db.close().await;
}

//! E-mail delivery: the shop is killed repeatedly while it sends a thousand e-mails, and each is sent exactly once
//! (decision 018).

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpStream;

use platform::Db;
use test_support::on_both;
use test_support::{MailServer, SmtpMode, email_header, eventually};

use super::program::{Sandbox, Shop};

on_both!(Sandbox: a_killed_shop_sends_every_email_exactly_once,);

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

async fn a_killed_shop_sends_every_email_exactly_once(sandbox: Sandbox) {
    let office = MailServer::start(SmtpMode::NoGreeting).await;
    let port = office.port.to_string();
    let open = || {
        let smtp = ["--smtp-host", "127.0.0.1", "--smtp-port", &port, "--smtp-tls", "never"];
        let from = ["--trust-proxy", "--email", "hello@haat.example"];
        sandbox.open_with(&[&smtp[..], &from].concat())
    };
    let mut shop = open();
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
        shop = open();
    }

    let db = Db::open(&sandbox.database_url()).await.unwrap();
    let none_wait = async || {
        let (waiting,): (i64,) = db.query("select count(*) from jobs").one().await.unwrap();
        waiting == 0
    };
    eventually("no e-mail is queued", none_wait).await;
    let emails = office.emails();
    let ids: HashSet<&str> = emails.iter().map(|email| email_header(email, "Message-ID")).collect();
    assert_eq!(ids.len(), emails.len(), "an e-mail was sent twice");
    // A kill between the delivery marker and the end of the e-mail leaves an e-mail that was not sent. It is
    // moved to `failed_jobs`.
    let aside: Vec<(String,)> = db.query("select id from failed_jobs").all().await.unwrap();
    let unsent =
        aside.iter().filter(|(id,)| !ids.contains(format!("<{id}@haat.example>").as_str())).count();
    assert_eq!(ids.len() + unsent, EMAILS, "an e-mail is lost");
    assert!(unsent <= 1, "{unsent} of {EMAILS} e-mails are in doubt and were not sent");
    let readers: HashSet<&str> = emails.iter().map(|email| email_header(email, "To")).collect();
    assert_eq!(readers.len(), emails.len(), "a reader was asked twice");
    db.close().await;
}

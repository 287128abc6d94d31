//! A thousand letters wait, and the shop is killed again and again while it sends them: each is sent, and
//! none twice (decision 018).

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpStream;

use base::Db;
use test_support::on_both;
use test_support::{Mood, PostOffice, eventually, header};

use super::program::{Shop, Stage};

on_both!(Stage: a_thousand_letters_outlive_the_shop_each_sent_once,);

const LETTERS: usize = 1_000;

/// Asks for the shop's letter, which asks for a confirmation by one.
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

async fn a_thousand_letters_outlive_the_shop_each_sent_once(stage: Stage) {
    let office = PostOffice::open(Mood::Closed).await;
    let port = office.port.to_string();
    let open = || {
        let smtp = ["--smtp-host", "127.0.0.1", "--smtp-port", &port, "--smtp-tls", "never"];
        let from = ["--trust-proxy", "--email", "hello@haat.example"];
        stage.open_with(&[&smtp[..], &from].concat())
    };
    let mut shop = open();
    std::thread::scope(|scope| {
        for part in 0..8 {
            let shop = &shop;
            scope.spawn(move || {
                (part..LETTERS).step_by(8).for_each(|number| subscribe(shop, number))
            });
        }
    });

    office.is_now(Mood::Open);
    for round in 1..=9 {
        let some = async || office.letters().len() >= round * 100;
        eventually("some letters are there", some).await;
        if round % 3 == 0 {
            // Wherever it happens to be.
            shop.signal("-KILL");
        } else {
            // When letters are over there, and nobody here has heard that they are.
            office.is_now(Mood::Silent);
            eventually("letters are taken in silence", async || office.waiting() > 0).await;
            shop.signal(if round % 3 == 1 { "-KILL" } else { "-TERM" });
        }
        office.is_now(Mood::Open);
        let status = shop.ended();
        assert_eq!(status.success(), round % 3 == 2, "{status}");
        shop = open();
    }

    let db = Db::open(&stage.database_url()).await.unwrap();
    let none_wait = async || {
        let (waiting,): (i64,) = db.query("select count(*) from jobs").one().await.unwrap();
        waiting == 0
    };
    eventually("no letter waits", none_wait).await;
    let letters = office.letters();
    let ids: HashSet<&str> = letters.iter().map(|letter| header(letter, "Message-ID")).collect();
    assert_eq!(ids.len(), letters.len(), "a letter was sent twice");
    // One moment is nobody's: a kill between the mark and the letter's last sign leaves a letter that was
    // not sent, and is kept for a person to look at.
    let aside: Vec<(String,)> = db.query("select id from failed_jobs").all().await.unwrap();
    let unsent =
        aside.iter().filter(|(id,)| !ids.contains(format!("<{id}@haat.example>").as_str())).count();
    assert_eq!(ids.len() + unsent, LETTERS, "a letter is lost");
    assert!(unsent <= 1, "{unsent} of {LETTERS} letters are in doubt and were not sent");
    let readers: HashSet<&str> = letters.iter().map(|letter| header(letter, "To")).collect();
    assert_eq!(readers.len(), letters.len(), "a reader was asked twice");
    db.close().await;
}

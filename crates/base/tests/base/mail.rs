//! Letters and a real conversation with a mail server.

use std::collections::BTreeSet;
use std::time::Duration;

use base::EmailAddress;
use base::jobs::{self, Worker};
use base::mail::{self, Letter, Mailer, Purpose, Settings, Tls, Words};
use base::seat::Seat;
use test_support::on_both;
use test_support::{Mood, PostOffice, TestDb, header};

on_both!(TestDb:
    a_letter_arrives_whole_under_its_jobs_name,
    a_letter_that_is_refused_or_broken_off_goes_out_later,
    a_letter_that_was_sent_is_not_sent_again_when_its_job_stayed,
    what_a_killed_worker_had_in_hand_is_settled_by_its_marks,
    a_mailbox_gets_so_many_and_security_overtakes,
);

fn letter(to: &str) -> Letter {
    let words = Words {
        shop: "Haat".into(),
        heading: "Hello".into(),
        // A line that begins with a dot, and letters beyond ASCII.
        paragraphs: vec![".dots\n.\nহাট".into()],
        button: None,
        footnote: "Bye".into(),
    };
    let to: EmailAddress = to.parse().unwrap();
    Letter { leave: Some("https://haat.example/leave".into()), ..words.letter(&to, "Hello") }
}

async fn post(given: &TestDb, letter: &Letter) {
    let mut tx = given.db.begin().await.unwrap();
    mail::post(&mut tx, &given.clock, &given.random, letter).unwrap();
    tx.commit().await.unwrap();
}

fn worker(given: &TestDb, office: &PostOffice, seat: &Seat) -> Worker {
    let settings = Settings {
        smtp_host: Some("127.0.0.1".into()),
        smtp_port: Some(office.port),
        smtp_tls: Tls::Never,
        smtp_user: None,
        smtp_password: None,
        mail_from: Some("Haat <hello@haat.example>".parse().unwrap()),
    };
    let TestDb { db, clock, random, .. } = given;
    let mailer = Mailer::new(&settings, false, db, clock.clone(), seat.clone()).unwrap();
    Worker::new(db.clone(), clock.clone(), random.clone())
        .on_seat(seat.name())
        .on(mail::SEND, move |posted| mailer.clone().send(posted))
}

fn seat(given: &TestDb, dir: &tempfile::TempDir) -> Seat {
    Seat::take(dir.path(), &given.clock, &given.random).0
}

fn marks(seat: &Seat) -> BTreeSet<String> {
    let entries = std::fs::read_dir(seat.folder().unwrap()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

async fn only_id(given: &TestDb) -> String {
    given.db.query("select id from jobs").one::<(String,)>().await.unwrap().0
}

async fn a_letter_arrives_whole_under_its_jobs_name(given: TestDb) {
    let (office, dir) = (PostOffice::open(Mood::Open).await, tempfile::tempdir().unwrap());
    let seat = seat(&given, &dir);
    post(&given, &letter("rahim@example.com")).await;
    let id = only_id(&given).await;
    let worker = worker(&given, &office, &seat);
    worker.run_due().await.unwrap();
    post(&given, &letter("mitali@example.com")).await;
    worker.run_due().await.unwrap();
    let letters = office.letters();
    assert_eq!(letters.len(), 2);
    assert_eq!(header(&letters[0], "Message-ID"), format!("<{id}@haat.example>"));
    assert_eq!(header(&letters[0], "To"), "rahim@example.com");
    assert_eq!(header(&letters[0], "List-Unsubscribe"), "<https://haat.example/leave>");
    assert_eq!(header(&letters[0], "List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    assert!(letters[0].contains("multipart/alternative"), "{}", letters[0]);
    assert!(marks(&seat).is_empty());
    assert_eq!(jobs::depth(&given.db).await.unwrap(), (0, 0));
}

async fn a_letter_that_is_refused_or_broken_off_goes_out_later(given: TestDb) {
    let (office, dir) = (PostOffice::open(Mood::Refusing).await, tempfile::tempdir().unwrap());
    let seat = seat(&given, &dir);
    let worker = worker(&given, &office, &seat);
    post(&given, &letter("rahim@example.com")).await;
    for mood in [Mood::Refusing, Mood::Fainting, Mood::Open] {
        office.is_now(mood);
        assert!(office.letters().is_empty());
        assert_eq!(worker.run_due().await.unwrap(), 1, "{mood:?}");
        assert!(marks(&seat).is_empty(), "{mood:?}");
        given.clock.advance(Duration::from_secs(60));
    }
    assert_eq!(office.letters().len(), 1);
    assert_eq!(jobs::depth(&given.db).await.unwrap(), (0, 0));
}

async fn a_letter_that_was_sent_is_not_sent_again_when_its_job_stayed(given: TestDb) {
    let (office, dir) = (PostOffice::open(Mood::Open).await, tempfile::tempdir().unwrap());
    let seat = seat(&given, &dir);
    post(&given, &letter("rahim@example.com")).await;
    // As it is left when the database goes away between the letter and the end of its job.
    let id = only_id(&given).await;
    std::fs::write(seat.folder().unwrap().join(format!("{id}.sent")), "").unwrap();
    assert_eq!(worker(&given, &office, &seat).run_due().await.unwrap(), 1);
    assert!(office.letters().is_empty() && marks(&seat).is_empty());
    assert_eq!(jobs::depth(&given.db).await.unwrap(), (0, 0));
}

async fn what_a_killed_worker_had_in_hand_is_settled_by_its_marks(given: TestDb) {
    let dir = tempfile::tempdir().unwrap();
    let killed = seat(&given, &dir);
    for name in ["sent", "doubt", "neither", "others"] {
        post(&given, &letter(&format!("{name}@example.com"))).await;
    }
    let sql = "select id, payload from jobs order by id";
    let rows: Vec<(String, String)> = given.db.query(sql).all().await.unwrap();
    let id = |name: &str| rows.iter().find(|(_, letter)| letter.contains(name)).unwrap().0.clone();
    let claim = "update jobs set claimed_until = $1, claimed_by = $2";
    let until = given.clock.now().plus(Duration::from_secs(100));
    given.db.query(claim).bind(until).bind(killed.name()).execute().await.unwrap();
    // Another server has it in hand by now.
    let claim = "update jobs set claimed_by = 'another' where id = $1";
    given.db.query(claim).bind(id("others@").as_str()).execute().await.unwrap();
    let folder = killed.folder().unwrap();
    for name in [format!("{}.sent", id("sent@")), id("doubt@"), id("others@"), "gone".into()] {
        std::fs::write(folder.join(name), "").unwrap();
    }
    drop(killed);

    let (office, seat) = (PostOffice::open(Mood::Open).await, seat(&given, &dir));
    mail::settle(&given.db, &given.clock, &seat).await.unwrap();
    jobs::free(&given.db, seat.name()).await.unwrap();
    assert!(marks(&seat).is_empty());
    worker(&given, &office, &seat).run_due().await.unwrap();
    let letters = office.letters();
    assert_eq!(letters.len(), 1, "{letters:?}");
    assert_eq!(header(&letters[0], "To"), "neither@example.com");
    assert_eq!(only_id(&given).await, id("others@"));
    let aside = "select id, last_error from failed_jobs";
    let (aside, why): (String, String) = given.db.query(aside).one().await.unwrap();
    assert_eq!(aside, id("doubt@"));
    assert!(why.contains("not sent again"), "{why}");
}

async fn a_mailbox_gets_so_many_and_security_overtakes(given: TestDb) {
    let (office, dir) = (PostOffice::open(Mood::Open).await, tempfile::tempdir().unwrap());
    let seat = seat(&given, &dir);
    let worker = worker(&given, &office, &seat);
    // Names of one mailbox, to which 20 an hour go, and 60 a day.
    let names = ["victim@gmail.com", "vic.tim@gmail.com", "victim+a@googlemail.com"];
    let flood = async || {
        for number in 0..30 {
            post(&given, &letter(names[number % names.len()])).await;
        }
        post(&given, &letter("other@example.com")).await;
    };
    let arrived = |to: &str| {
        let letters = office.letters();
        letters.iter().filter(|letter| header(letter, "To") == to).count()
    };
    let victims = || names.iter().map(|name| arrived(name)).sum::<usize>();
    flood().await;
    post(&given, &letter("victim@gmail.com").purpose(Purpose::Security)).await;
    // A refusal is tried again, and counts once.
    office.is_now(Mood::Refusing);
    worker.run_due().await.unwrap();
    office.is_now(Mood::Open);
    given.clock.advance(Duration::from_secs(60));
    worker.run_due().await.unwrap();
    assert_eq!((victims(), arrived("other@example.com")), (21, 1));
    assert_eq!(worker.tally().dropped.load(std::sync::atomic::Ordering::Relaxed), 10);
    for (hours, so_far) in [(0, 21), (1, 41), (1, 61), (1, 61), (22, 81)] {
        given.clock.advance(Duration::from_secs(hours * 3600 + 1));
        flood().await;
        worker.run_due().await.unwrap();
        assert_eq!(victims(), so_far);
    }
    // To the shop itself they all go.
    for _ in 0..30 {
        post(&given, &letter("shop@example.com").purpose(Purpose::Shop)).await;
    }
    // Whoever waits for a link is served before what has waited for longer.
    given.clock.advance(Duration::from_secs(1));
    post(&given, &letter("waits@example.com").purpose(Purpose::Security)).await;
    let before = office.letters().len();
    worker.run_due().await.unwrap();
    assert_eq!(arrived("shop@example.com"), 30);
    let sent = office.letters();
    let place = sent.iter().position(|letter| header(letter, "To") == "waits@example.com");
    assert!(place.unwrap() < before + 8, "{place:?} after {before}");
    assert_eq!(jobs::depth(&given.db).await.unwrap(), (0, 0));
    let kept = async || -> i64 {
        given.db.query("select count(*) from mailbox_emails").one::<(i64,)>().await.unwrap().0
    };
    assert!(kept().await > 0);
    given.clock.advance(Duration::from_secs(24 * 3600));
    mail::forget_counts(&given.db, given.clock.now()).await.unwrap();
    assert_eq!(kept().await, 0);
}

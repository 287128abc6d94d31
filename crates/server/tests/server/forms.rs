//! What visitors send: messages by the contact form, addresses for the newsletter, and the letters that
//! answer them.

use std::net::IpAddr;
use std::time::Duration;

use base::http::Peer;
use base::jobs::Worker;
use base::mail::{self, Letter, Mailer};
use serde_json::{Value, json};
use test_support::on_both;

use super::*;

on_both!(TestApp:
    a_message_is_kept_once_and_answered_by_letter,
    a_message_has_limits,
    a_form_without_javascript_is_answered_by_a_page,
    a_subscriber_counts_once_the_address_is_confirmed,
    the_newsletter_tells_nobody_who_is_on_it,
    what_is_old_is_forgotten,
    the_privacy_page_says_the_terms_that_hold,
);

impl TestApp {
    async fn say(&self, path: &str, body: Value, from: &str) -> Answer {
        let peer = Peer(from.parse::<IpAddr>().unwrap());
        let request = Request::post(path).header("content-type", "application/json");
        self.send(request.extension(peer).body(Body::from(body.to_string())).unwrap()).await
    }

    pub async fn fill_in(&self, path: &str, body: &'static str) -> Answer {
        let form = "application/x-www-form-urlencoded";
        let request = Request::post(path).header("content-type", form);
        self.send(request.body(Body::from(body)).unwrap()).await
    }

    /// Sends what is posted, and answers all letters to somebody: subject and plain text.
    pub async fn letters_to(&self, to: &str) -> Vec<(String, String)> {
        let TestDb { db, clock, random, .. } = &self.given;
        let mailer = Mailer::Keep(clock.clone());
        let worker = Worker::new(db.clone(), clock.clone(), random.clone());
        let worker = worker.on(mail::SEND, move |posted| mailer.clone().send(posted));
        worker.run_due().await.unwrap();
        let letters = self.kept_letters().await.into_iter().filter(|letter| letter.to == to);
        letters.map(|letter| (letter.subject.clone(), letter.text())).collect()
    }

    /// All that were sent, in the order in which they were posted.
    pub async fn kept_letters(&self) -> Vec<Letter<String>> {
        let sql = "select letter from kept_letters order by id";
        let rows: Vec<(String,)> = self.given.db.query(sql).all().await.unwrap();
        rows.iter().map(|(letter,)| serde_json::from_str(letter).unwrap()).collect()
    }

    pub async fn count(&self, sql: &'static str) -> i64 {
        let (count,): (i64,) = self.given.db.query(sql).one().await.unwrap();
        count
    }
}

fn message(message: &str) -> Value {
    json!({ "name": "Rahim", "email": "Rahim@Example.com", "message": message })
}

fn token_in(letter: &str, page: &str) -> String {
    let link = format!("https://haat.example/newsletter/{page}?token=");
    let rest = letter.split(&link).nth(1).unwrap();
    rest.split(|letter: char| letter.is_whitespace()).next().unwrap().to_owned()
}

async fn a_message_is_kept_once_and_answered_by_letter(app: TestApp) {
    for _ in 0..2 {
        let answer =
            app.say("/api/contact", message("Is it <b>oak</b>?\r\nI ask."), "10.0.0.1").await;
        assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text());
        assert_eq!(answer.json(), json!({ "received": true }));
    }
    assert_eq!(app.count("select count(*) from messages").await, 1);
    let receipts = app.letters_to("rahim@example.com").await;
    assert_eq!(receipts.len(), 1);
    assert!(!receipts[0].1.contains("oak"), "the address may be somebody else's");
    let notices = app.letters_to("hello@haat.example").await;
    assert_eq!(notices.len(), 1);
    assert!(notices[0].1.contains("Is it <b>oak</b>?") && notices[0].1.contains("I ask."));
    let letters = app.kept_letters().await;
    let notice = letters.iter().find(|letter| letter.to == "hello@haat.example").unwrap();
    assert!(notice.html().contains("&lt;b&gt;oak"), "{}", notice.html());

    // A program that fills in everything is thanked, and forgotten.
    let mut body = message("Buy this");
    body["website"] = "https://spam.example".into();
    assert_eq!(app.say("/api/contact", body, "10.0.0.1").await.status, StatusCode::ACCEPTED);
    assert_eq!(app.count("select count(*) from messages").await, 1);
}

async fn a_message_has_limits(app: TestApp) {
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("x".repeat(101))),
        ("name", json!("a\nbcc: b@c.d")),
        ("email", json!("nobody")),
        ("email", json!("a@b.c\r\nbcc: d@e.f")),
        ("message", json!("  ")),
        ("message", json!("x".repeat(5001))),
        ("message", json!("\u{0}")),
    ] {
        let mut body = message("hello");
        body[field] = value;
        let answer = app.say("/api/contact", body, "10.0.0.1").await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{field}: {}", answer.text());
        assert_eq!(answer.json()["error"]["fields"][0]["name"], field);
    }
    for body in [json!([]), json!({ "name": {} }), json!("x")] {
        assert_eq!(app.say("/api/contact", body, "10.0.0.1").await.status, StatusCode::BAD_REQUEST);
    }
    // A form that was open for a moment is taken more often than one that was not.
    for number in 0..4 {
        let mut body = message(&format!("hello {number}"));
        body["email"] = format!("hasty-{number}@example.com").into();
        body["pass"] = app.get("/api/pass").await.json()["pass"].clone();
        let answer = app.say("/api/contact", body, "10.0.0.4").await;
        let wanted = if number < 3 { StatusCode::ACCEPTED } else { StatusCode::TOO_MANY_REQUESTS };
        assert_eq!(answer.status, wanted, "{number}");
    }
    let pass = app.get("/api/pass").await.json()["pass"].clone();
    app.given.clock.advance(Duration::from_secs(2));
    for number in 0..11 {
        let mut body = message(&format!("hello {number}"));
        body["email"] = format!("rahim-{number}@example.com").into();
        body["pass"] = pass.clone();
        let answer = app.say("/api/contact", body, "10.0.0.2").await;
        let wanted = if number < 10 { StatusCode::ACCEPTED } else { StatusCode::TOO_MANY_REQUESTS };
        assert_eq!(answer.status, wanted, "{number}");
    }
    let elsewhere = app.say("/api/contact", message("hello"), "10.0.0.3").await;
    assert_eq!(elsewhere.status, StatusCode::ACCEPTED);
    app.given.clock.advance(Duration::from_secs(3601));
    let later = app.say("/api/contact", message("hello"), "10.0.0.2").await;
    assert_eq!(later.status, StatusCode::ACCEPTED);
}

async fn a_form_without_javascript_is_answered_by_a_page(app: TestApp) {
    let sent = app.fill_in("/contact", "name=Rahim&email=r%40example.com&message=Hello").await;
    assert_eq!((sent.status, sent.header("location")), (StatusCode::SEE_OTHER, "/contact/sent"));
    let page = app.get("/contact/sent").await;
    assert!(page.markup().contains("Your message is with us"));
    assert!(page.markup().contains("name=\"robots\" content=\"noindex\""));
    // Reloading what a form was sent to shows the form.
    let form = app.get("/newsletter").await;
    assert_eq!(form.status, StatusCode::OK);
    assert!(form.markup().contains("action=\"/newsletter\""));
    let asked = app.fill_in("/newsletter", "email=r%40example.com&website=").await;
    assert_eq!(asked.header("location"), "/newsletter/sent");
    assert!(app.get("/newsletter/sent").await.markup().contains("Almost there"));
    for (path, body) in [("/contact", "name=&email=&message="), ("/newsletter", "email=x")] {
        let wrong = app.fill_in(path, body).await;
        assert_eq!(wrong.status, StatusCode::BAD_REQUEST, "{path}");
        assert!(wrong.header("content-type").starts_with("text/html"), "{path}");
    }
    let nul = app.fill_in("/contact", "name=R&email=n%40example.com&message=a%00b").await;
    assert_eq!(nul.status, StatusCode::BAD_REQUEST);

    // Another site cannot send them in a visitor's browser.
    for (path, body) in [
        ("/contact", "name=Rahim&email=x%40example.com&message=Hello"),
        ("/newsletter", "email=x%40example.com"),
        ("/newsletter/confirm?token=x", ""),
        ("/back-in-stock", "product=skerry-turntable&email=x%40example.com"),
        ("/currency", "currency=BDT"),
    ] {
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("origin", "https://evil.example"),
            ("origin", "null"),
        ] {
            let form = ("content-type", "application/x-www-form-urlencoded");
            let request = Request::post(path).header(form.0, form.1).header(name, value);
            let answer = app.send(request.body(Body::from(body)).unwrap()).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path} {name} {value}");
            assert!(answer.header("set-cookie").is_empty());
        }
    }
    let sql = "select (select count(*) from messages where email = 'x@example.com') \
               + (select count(*) from subscribers where email = 'x@example.com')";
    assert_eq!(app.count(sql).await, 0);
}

async fn a_subscriber_counts_once_the_address_is_confirmed(app: TestApp) {
    let confirmed =
        async || app.count("select count(*) from subscribers where confirmed_at is not null").await;
    let body = json!({ "email": "Mitali@Example.com" });
    let answer = app.say("/api/newsletter", body, "10.0.0.1").await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text());
    let letters = app.letters_to("mitali@example.com").await;
    assert_eq!((letters.len(), confirmed().await), (1, 0));
    let (confirm, leave) = (token_in(&letters[0].1, "confirm"), token_in(&letters[0].1, "leave"));

    // Looking is not pressing: mail programs follow links on their own.
    let look = app.get(&format!("/newsletter/confirm?token={confirm}")).await;
    assert_eq!((look.status, confirmed().await), (StatusCode::OK, 0));
    assert_eq!(look.header("referrer-policy"), "no-referrer");
    assert!(!look.text().contains(&confirm), "a kept page holds nobody's token");

    for wrong in [leave.as_str(), "x", "", &confirm[..confirm.len() - 1], "a.b", "%00"] {
        let answer = app.fill_in(&format!("/newsletter/confirm?token={wrong}"), "").await;
        assert_eq!(answer.header("location"), "/newsletter/stale", "{wrong}");
    }
    for _ in 0..2 {
        let pressed = app.fill_in(&format!("/newsletter/confirm?token={confirm}"), "").await;
        assert_eq!(pressed.status, StatusCode::SEE_OTHER);
        assert_eq!(pressed.header("location"), "/newsletter/confirmed");
    }
    assert_eq!(confirmed().await, 1);

    // What a mail program sends for its user; it follows no redirect.
    let left = app
        .fill_in(&format!("/newsletter/leave?token={leave}"), "List-Unsubscribe=One-Click")
        .await;
    assert_eq!(left.status, StatusCode::OK);
    assert_eq!(app.count("select count(*) from subscribers").await, 0);
    let again = app.fill_in(&format!("/newsletter/leave?token={leave}"), "").await;
    assert_eq!(again.header("location"), "/newsletter/left");
    let late = app.fill_in(&format!("/newsletter/confirm?token={confirm}"), "").await;
    assert_eq!(late.header("location"), "/newsletter/stale");
}

async fn the_newsletter_tells_nobody_who_is_on_it(app: TestApp) {
    let ask = async || {
        let body = json!({ "email": "kabir@example.com" });
        let answer = app.say("/api/newsletter", body, "10.0.0.1").await;
        (answer.status, answer.text().to_owned())
    };
    let first = ask().await;
    assert_eq!(ask().await, first, "asked again at once");
    assert_eq!(app.letters_to("kabir@example.com").await.len(), 1, "no second letter so soon");
    app.given.clock.advance(Duration::from_secs(600));
    assert_eq!(ask().await, first);
    let letters = app.letters_to("kabir@example.com").await;
    assert_eq!(letters.len(), 2);
    let confirm = token_in(&letters[1].1, "confirm");
    app.fill_in(&format!("/newsletter/confirm?token={confirm}"), "").await;
    app.given.clock.advance(Duration::from_secs(600));
    assert_eq!(ask().await, first, "confirmed already");
    assert_eq!(app.letters_to("kabir@example.com").await.len(), 2);

    ask().await;
    let (status, _) = ask().await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    let wrong = app.say("/api/newsletter", json!({ "email": "x" }), "10.0.0.9").await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
}

async fn what_is_old_is_forgotten(app: TestApp) {
    app.say("/api/contact", message("hello"), "10.0.0.1").await;
    app.say("/api/newsletter", json!({ "email": "a@example.com" }), "10.0.0.1").await;
    let TestDb { db, clock, .. } = &app.given;
    let kept = Retention::default();
    let rows = async || {
        [
            app.count("select count(*) from messages").await,
            app.count("select count(*) from subscribers").await,
            app.count("select count(*) from allowances").await,
        ]
    };
    shop::tidy::forget_old(db, clock, &kept).await.unwrap();
    assert_eq!(rows().await, [1, 1, 6]);
    clock.advance(Duration::from_secs(2 * 3600));
    shop::tidy::forget_old(db, clock, &kept).await.unwrap();
    assert_eq!(rows().await, [1, 1, 0]);
    clock.advance(Duration::from_secs(8 * 24 * 3600));
    shop::tidy::forget_old(db, clock, &kept).await.unwrap();
    assert_eq!(rows().await, [1, 0, 0]);
    clock.advance(Duration::from_secs(366 * 24 * 3600));
    shop::tidy::forget_old(db, clock, &kept).await.unwrap();
    assert_eq!(rows().await, [0, 0, 0]);

    // Letters that could not be sent, and those that a demo keeps.
    app.letters_to("").await;
    let fail =
        "insert into failed_jobs (id, kind, payload, attempts, last_error, created_at, failed_at)
                values ('x', 'mail.send', '{}', 10, 'away', 0, $1)";
    db.query(fail).bind(clock.now()).execute().await.unwrap();
    let letters = async || {
        let failed = app.count("select count(*) from failed_jobs").await;
        (failed, app.count("select count(*) from kept_letters").await)
    };
    shop::tidy::forget_old(db, clock, &kept).await.unwrap();
    assert_eq!(letters().await, (1, 3));
    clock.advance(Duration::from_secs(31 * 24 * 3600));
    shop::tidy::forget_old(db, clock, &kept).await.unwrap();
    assert_eq!(letters().await, (0, 0));
}

async fn the_privacy_page_says_the_terms_that_hold(app: TestApp) {
    let page = app.get("/privacy").await.markup();
    for term in ["6 years", "400 days", "12 months", "7 days", "30 days"] {
        assert!(
            page.contains(&format!("<td>{term}")) || page.contains(&format!(", {term}</td>")),
            "{term}"
        );
    }
    let kept = Retention { keep_messages: 90, keep_orders: 10, ..Retention::default() };
    let files = Files::default().under(Path::new(CONTENT)).unwrap();
    let facts = Facts::default().keeping(&kept);
    let content = Content::read(&files, &facts, &|_| None).unwrap();
    let said: String =
        content.privacy.text.sections.iter().map(|part| part.html.as_str()).collect();
    assert!(said.contains("<td>90 days</td>") && said.contains("<td>10 years, for tax"), "{said}");
}

//! Forms of visitors: the contact form, the newsletter, and their e-mails.

use std::net::IpAddr;
use std::time::Duration;

use email::{Email, Mailer, SendEmail};
use platform::http::ClientIp;
use platform::jobs::Worker;
use serde_json::{Value, json};
use test_support::on_both;

use super::*;

on_both!(TestApp:
    a_message_is_stored_once_and_acknowledged_by_email,
    a_message_has_limits,
    forms_work_without_javascript,
    a_subscriber_counts_only_after_confirmation,
    the_newsletter_does_not_reveal_subscribers,
    expired_data_is_deleted,
    the_privacy_page_shows_the_retention_periods,
);

impl TestApp {
    pub async fn post_json(&self, path: &str, body: Value, from: &str) -> TestResponse {
        let peer = ClientIp(from.parse::<IpAddr>().unwrap());
        let request = Request::post(path).header("content-type", "application/json");
        self.send(request.extension(peer).body(Body::from(body.to_string())).unwrap()).await
    }

    pub async fn post_form(&self, path: &str, body: &'static str) -> TestResponse {
        let form = "application/x-www-form-urlencoded";
        let request = Request::post(path).header("content-type", form);
        self.send(request.body(Body::from(body)).unwrap()).await
    }

    /// Sends queued e-mails, and returns all e-mails to an address: subject and plain text.
    pub async fn emails_to(&self, to: &str) -> Vec<(String, String)> {
        let TestDb { db, clock, random, .. } = &self.given;
        let mailer = Mailer::DevMailbox(clock.clone());
        let worker = Worker::new(db.clone(), clock.clone(), random.clone());
        worker.register::<SendEmail>(mailer).run_due().await.unwrap();
        let emails = self.stored_emails().await.into_iter().filter(|email| email.to == to);
        emails.map(|email| (email.subject.clone(), email.text().unwrap())).collect()
    }

    /// All sent e-mails, in the order of their queueing.
    pub async fn stored_emails(&self) -> Vec<Email<String>> {
        let sql = "select email from stored_emails order by id";
        let rows: Vec<(String,)> = self.given.db.query(sql).all().await.unwrap();
        rows.iter().map(|(email,)| serde_json::from_str(email).unwrap()).collect()
    }

    pub async fn count(&self, sql: &'static str) -> i64 {
        let (count,): (i64,) = self.given.db.query(sql).one().await.unwrap();
        count
    }
}

fn message(message: &str) -> Value {
    json!({ "name": "Rahim", "email": "Rahim@Example.com", "message": message })
}

fn token_in(email: &str, page: &str) -> String {
    let link = format!("https://haat.example/newsletter/{page}?token=");
    let rest = email.split(&link).nth(1).unwrap();
    rest.split(|letter: char| letter.is_whitespace()).next().unwrap().to_owned()
}

async fn a_message_is_stored_once_and_acknowledged_by_email(app: TestApp) {
    for _ in 0..2 {
        let answer =
            app.post_json("/api/contact", message("Is it <b>oak</b>?\r\nI ask."), "10.0.0.1").await;
        assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text());
        assert_eq!(answer.json(), json!({ "received": true }));
    }
    assert_eq!(app.count("select count(*) from messages").await, 1);
    let receipts = app.emails_to("rahim@example.com").await;
    assert_eq!(receipts.len(), 1);
    assert!(!receipts[0].1.contains("oak"), "the address may be somebody else's");
    let notices = app.emails_to("hello@haat.example").await;
    assert_eq!(notices.len(), 1);
    assert!(notices[0].1.contains("Is it <b>oak</b>?") && notices[0].1.contains("I ask."));
    let emails = app.stored_emails().await;
    let notice = emails.iter().find(|email| email.to == "hello@haat.example").unwrap();
    let html = notice.html().unwrap();
    assert!(html.contains("&lt;b&gt;oak"), "{html}");

    // A bot that fills in the honeypot gets a success response, and nothing is stored.
    let mut body = message("Buy this");
    body["website"] = "https://spam.example".into();
    assert_eq!(app.post_json("/api/contact", body, "10.0.0.1").await.status, StatusCode::ACCEPTED);
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
        let answer = app.post_json("/api/contact", body, "10.0.0.1").await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{field}: {}", answer.text());
        assert_eq!(answer.json()["error"]["fields"][0]["name"], field);
    }
    for body in [json!([]), json!({ "name": {} }), json!("x")] {
        assert_eq!(
            app.post_json("/api/contact", body, "10.0.0.1").await.status,
            StatusCode::BAD_REQUEST
        );
    }
    // With a form token that is old enough the limit is higher.
    for number in 0..4 {
        let mut body = message(&format!("hello {number}"));
        body["email"] = format!("hasty-{number}@example.com").into();
        body["pass"] = app.get("/api/pass").await.json()["pass"].clone();
        let answer = app.post_json("/api/contact", body, "10.0.0.4").await;
        let wanted = if number < 3 { StatusCode::ACCEPTED } else { StatusCode::TOO_MANY_REQUESTS };
        assert_eq!(answer.status, wanted, "{number}");
    }
    let pass = app.get("/api/pass").await.json()["pass"].clone();
    app.given.clock.advance(Duration::from_secs(2));
    for number in 0..11 {
        let mut body = message(&format!("hello {number}"));
        body["email"] = format!("rahim-{number}@example.com").into();
        body["pass"] = pass.clone();
        let answer = app.post_json("/api/contact", body, "10.0.0.2").await;
        let wanted = if number < 10 { StatusCode::ACCEPTED } else { StatusCode::TOO_MANY_REQUESTS };
        assert_eq!(answer.status, wanted, "{number}");
    }
    let elsewhere = app.post_json("/api/contact", message("hello"), "10.0.0.3").await;
    assert_eq!(elsewhere.status, StatusCode::ACCEPTED);
    app.given.clock.advance(Duration::from_secs(3601));
    let later = app.post_json("/api/contact", message("hello"), "10.0.0.2").await;
    assert_eq!(later.status, StatusCode::ACCEPTED);
}

async fn forms_work_without_javascript(app: TestApp) {
    let sent = app.post_form("/contact", "name=Rahim&email=r%40example.com&message=Hello").await;
    assert_eq!((sent.status, sent.header("location")), (StatusCode::SEE_OTHER, "/contact/sent"));
    let page = app.get("/contact/sent").await;
    assert!(page.markup().contains("Your message is with us"));
    assert!(page.markup().contains("name=\"robots\" content=\"noindex\""));
    // Reloading the form's target shows the form.
    let form = app.get("/newsletter").await;
    assert_eq!(form.status, StatusCode::OK);
    assert!(form.markup().contains("action=\"/newsletter\""));
    let asked = app.post_form("/newsletter", "email=r%40example.com&website=").await;
    assert_eq!(asked.header("location"), "/newsletter/sent");
    assert!(app.get("/newsletter/sent").await.markup().contains("Almost there"));
    for (path, body) in [("/contact", "name=&email=&message="), ("/newsletter", "email=x")] {
        let wrong = app.post_form(path, body).await;
        assert_eq!(wrong.status, StatusCode::BAD_REQUEST, "{path}");
        assert!(wrong.header("content-type").starts_with("text/html"), "{path}");
    }
    let nul = app.post_form("/contact", "name=R&email=n%40example.com&message=a%00b").await;
    assert_eq!(nul.status, StatusCode::BAD_REQUEST);

    // Another site cannot send them from a visitor's browser (CSRF).
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

async fn a_subscriber_counts_only_after_confirmation(app: TestApp) {
    let confirmed =
        async || app.count("select count(*) from subscribers where confirmed_at is not null").await;
    let body = json!({ "email": "Mitali@Example.com" });
    let answer = app.post_json("/api/newsletter", body, "10.0.0.1").await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text());
    let emails = app.emails_to("mitali@example.com").await;
    assert_eq!((emails.len(), confirmed().await), (1, 0));
    let (confirm, leave) = (token_in(&emails[0].1, "confirm"), token_in(&emails[0].1, "leave"));

    // A GET does not confirm: mail programs follow links.
    let look = app.get(&format!("/newsletter/confirm?token={confirm}")).await;
    assert_eq!((look.status, confirmed().await), (StatusCode::OK, 0));
    assert_eq!(look.header("referrer-policy"), "no-referrer");
    assert!(!look.text().contains(&confirm), "a kept page holds nobody's token");

    for wrong in [leave.as_str(), "x", "", &confirm[..confirm.len() - 1], "a.b", "%00"] {
        let answer = app.post_form(&format!("/newsletter/confirm?token={wrong}"), "").await;
        assert_eq!(answer.header("location"), "/newsletter/stale", "{wrong}");
    }
    for _ in 0..2 {
        let pressed = app.post_form(&format!("/newsletter/confirm?token={confirm}"), "").await;
        assert_eq!(pressed.status, StatusCode::SEE_OTHER);
        assert_eq!(pressed.header("location"), "/newsletter/confirmed");
    }
    assert_eq!(confirmed().await, 1);

    // One-click unsubscribe of a mail program, which follows no redirect.
    let left = app
        .post_form(&format!("/newsletter/leave?token={leave}"), "List-Unsubscribe=One-Click")
        .await;
    assert_eq!(left.status, StatusCode::OK);
    assert_eq!(app.count("select count(*) from subscribers").await, 0);
    let again = app.post_form(&format!("/newsletter/leave?token={leave}"), "").await;
    assert_eq!(again.header("location"), "/newsletter/left");
    let late = app.post_form(&format!("/newsletter/confirm?token={confirm}"), "").await;
    assert_eq!(late.header("location"), "/newsletter/stale");
}

async fn the_newsletter_does_not_reveal_subscribers(app: TestApp) {
    let request = async || {
        let body = json!({ "email": "kabir@example.com" });
        let answer = app.post_json("/api/newsletter", body, "10.0.0.1").await;
        (answer.status, answer.text().to_owned())
    };
    let first = request().await;
    assert_eq!(request().await, first, "asked again at once");
    assert_eq!(app.emails_to("kabir@example.com").await.len(), 1, "no second e-mail so soon");
    app.given.clock.advance(Duration::from_secs(600));
    assert_eq!(request().await, first);
    let emails = app.emails_to("kabir@example.com").await;
    assert_eq!(emails.len(), 2);
    let confirm = token_in(&emails[1].1, "confirm");
    app.post_form(&format!("/newsletter/confirm?token={confirm}"), "").await;
    app.given.clock.advance(Duration::from_secs(600));
    assert_eq!(request().await, first, "confirmed already");
    assert_eq!(app.emails_to("kabir@example.com").await.len(), 2);

    request().await;
    let (status, _) = request().await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    let wrong = app.post_json("/api/newsletter", json!({ "email": "x" }), "10.0.0.9").await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
}

async fn expired_data_is_deleted(app: TestApp) {
    app.post_json("/api/contact", message("hello"), "10.0.0.1").await;
    app.post_json("/api/newsletter", json!({ "email": "a@example.com" }), "10.0.0.1").await;
    let TestDb { db, clock, .. } = &app.given;
    let kept = Retention::default();
    let rows = async || {
        [
            app.count("select count(*) from messages").await,
            app.count("select count(*) from subscribers").await,
            app.count("select count(*) from rate_limits").await,
        ]
    };
    shop::retention::delete_expired(db, clock, &kept).await.unwrap();
    assert_eq!(rows().await, [1, 1, 6]);
    clock.advance(Duration::from_secs(2 * 3600));
    shop::retention::delete_expired(db, clock, &kept).await.unwrap();
    assert_eq!(rows().await, [1, 1, 0]);
    clock.advance(Duration::from_secs(8 * 24 * 3600));
    shop::retention::delete_expired(db, clock, &kept).await.unwrap();
    assert_eq!(rows().await, [1, 0, 0]);
    clock.advance(Duration::from_secs(366 * 24 * 3600));
    shop::retention::delete_expired(db, clock, &kept).await.unwrap();
    assert_eq!(rows().await, [0, 0, 0]);

    // E-mails that could not be sent, and those in the dev mailbox.
    app.emails_to("").await;
    // Other failed jobs are kept until a person handles them.
    for kind in ["mail.send", "sms.send", "customers.forget"] {
        let fail =
            "insert into failed_jobs (id, kind, payload, attempts, last_error, created_at, failed_at)
                values ($1, $1, '{}', 10, 'away', 0, $2)";
        db.query(fail).bind(kind).bind(clock.now()).execute().await.unwrap();
    }
    let emails = async || {
        let failed = app.count("select count(*) from failed_jobs").await;
        (failed, app.count("select count(*) from stored_emails").await)
    };
    shop::retention::delete_expired(db, clock, &kept).await.unwrap();
    assert_eq!(emails().await, (3, 3));
    clock.advance(Duration::from_secs(31 * 24 * 3600));
    shop::retention::delete_expired(db, clock, &kept).await.unwrap();
    assert_eq!(emails().await, (1, 0));
}

async fn the_privacy_page_shows_the_retention_periods(app: TestApp) {
    let page = app.get("/privacy").await.markup();
    for term in ["6 years", "400 days", "12 months", "7 days", "30 days"] {
        assert!(
            page.contains(&format!("<td>{term}")) || page.contains(&format!(", {term}</td>")),
            "{term}"
        );
    }
    let kept = Retention { keep_messages: 90, keep_orders: 10, ..Retention::default() };
    let languages = Languages::default();
    let files = ContentFiles::default().overlay(Path::new(CONTENT), &languages).unwrap();
    let facts = ShopDetails::default().with_retention(&kept);
    let content = Contents::read(&files, &facts, &|_| None).unwrap().default;
    let text: String =
        content.privacy.text.sections.iter().map(|part| part.html.as_str()).collect();
    assert!(text.contains("<td>90 days</td>") && text.contains("<td>10 years, for tax"), "{text}");
}

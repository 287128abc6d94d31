//! Snapshots of every e-mail that the shop sends, in `tests/email-snapshots`. The test triggers each e-mail as
//! customers and shopkeepers do. `make email-snapshots` updates the files.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shop::order_subscribers::order_store;
use shop::orders::{OrderEmailSender, OrderEmails, ReturnLine, Step, StepOutcome};
use shop::reviews::{self, Moderation, ModerationOutcome, ReviewStore};
use test_support::on_both;

use super::*;

on_both!(TestApp: every_email_matches_its_snapshot,);

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/email-snapshots");

/// The snapshot of each subject. NUMBER replaces the number of an order.
const NAMES: [(&str, &str); 21] = [
    ("Confirm your e-mail address", "verify-email"),
    ("Welcome to Haat", "welcome"),
    ("Choose a new password", "reset-password"),
    ("Your link to sign in", "sign-in-link"),
    ("Confirm your new e-mail address", "change-email"),
    ("Your e-mail address was changed", "email-changed"),
    ("Your order NUMBER", "order-placed"),
    ("Your order NUMBER: please confirm your address", "order-unproven"),
    ("Your order NUMBER is on its way", "order-shipped"),
    ("Your order NUMBER was delivered", "order-delivered"),
    ("Your order NUMBER is cancelled", "order-cancelled"),
    ("Your order NUMBER cannot be returned", "order-return-refused"),
    ("Your order NUMBER is refunded", "order-refunded"),
    ("New order NUMBER", "order-notice"),
    ("Your return from order NUMBER is refunded", "order-partly-refunded"),
    ("A review of Tarn Over-Ear Headphones waits", "review-waits"),
    ("Your review of Tarn Over-Ear Headphones", "review-refused"),
    ("We have your message", "contact-receipt"),
    ("Message from Rahim <Uddin>", "contact-notice"),
    ("Confirm that you want our letter", "newsletter-confirm"),
    ("Skerry Turntable is back in stock", "back-in-stock"),
];

impl TestApp {
    pub async fn identity(&self, verb: &str, body: Value) -> Value {
        let path =
            format!("/identitytoolkit.googleapis.com/v1/accounts:{verb}?key=haat-storefront");
        let answer = self.request("POST", &path, "", body).await;
        assert_eq!(answer.status, StatusCode::OK, "{verb}: {}", answer.text());
        answer.json()
    }

    /// The code in the newest e-mail with a subject.
    pub async fn code(&self, to: &str, subject: &str) -> String {
        let emails = self.emails_to(to).await;
        let (_, text) = emails.iter().rev().find(|(name, _)| name == subject).unwrap();
        text.split("oobCode=").nth(1).unwrap().split('&').next().unwrap().to_owned()
    }

    /// The access token of a new customer with a verified address.
    pub async fn verified_customer(&self, email: &str) -> String {
        let id_token = self.id_token(email).await;
        self.verify_email(email, &id_token).await
    }

    /// Verifies an address as its owner does, and returns a new access token.
    pub async fn verify_email(&self, email: &str, id_token: &str) -> String {
        let verify = json!({ "requestType": "VERIFY_EMAIL", "idToken": id_token });
        self.identity("sendOobCode", verify).await;
        let code = self.code(email, "Confirm your e-mail address").await;
        self.identity("update", json!({ "oobCode": code })).await;
        let credentials =
            json!({ "email": email, "password": "Secret1!", "returnSecureToken": true });
        let signed_in = self.identity("signInWithPassword", credentials).await;
        self.access_token(signed_in["idToken"].as_str().unwrap(), email).await
    }

    async fn buy(&self, token: &str) -> String {
        let order = json!({ "name": "Rahim <Uddin>", "phone": "01711000000", "total": 558,
                            "address": "12 Market Lane\nDhaka 1207",
                            "lines": [{ "_id": "tarn-over-ear-headphones", "qtn": 2 }] });
        let placed = self.request("POST", "/api/orders", token, order).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.text());
        placed.json()["number"].as_str().unwrap().to_owned()
    }
}

async fn trigger_account_emails(app: &TestApp) {
    let email = "rahim@haat.example";
    let id_token = app.id_token(email).await;
    let verify = json!({ "requestType": "VERIFY_EMAIL", "idToken": id_token });
    app.identity("sendOobCode", verify).await;
    let code = app.code(email, "Confirm your e-mail address").await;
    app.identity("update", json!({ "oobCode": code })).await;
    let reset = json!({ "requestType": "PASSWORD_RESET", "email": email });
    app.identity("sendOobCode", reset).await;
    let link = json!({ "requestType": "EMAIL_SIGNIN", "email": email, "canHandleCodeInApp": true,
                       "continueUrl": "https://haat.example/" });
    app.identity("sendOobCode", link).await;
    let change = json!({ "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": id_token,
                         "newEmail": "uddin@haat.example" });
    app.identity("sendOobCode", change).await;
    let code = app.code("uddin@haat.example", "Confirm your new e-mail address").await;
    app.identity("update", json!({ "oobCode": code })).await;
}

/// Returns what differs in each run: the numbers of the orders, and the review's id.
async fn trigger_order_emails(app: &TestApp) -> [String; 4] {
    let token = app.verified_customer("buyer@haat.example").await;
    let stranger = "stranger@haat.example";
    let unproven = app.access_token(&app.id_token(stranger).await, stranger).await;
    let unproven = app.buy(&unproven).await;
    let TestDb { db, clock, random, .. } = &app.given;
    let (db, clock, random) = (db.clone(), clock.clone(), random.clone());
    let origin = Some("https://haat.example".into());
    let profile = Arc::new(shop_profile());
    let sender = OrderEmailSender { profile, origin, order_emails: OrderEmails::Each };
    let book = order_store(db, clock, random, sender);
    let [returned, cancelled] = [app.buy(&token).await, app.buy(&token).await];
    let number = returned.parse().unwrap();
    let take = async |step| {
        let taken = book.apply(&number, step, "").await.unwrap();
        assert!(matches!(taken, StepOutcome::Done(_)), "{step:?}");
    };
    for step in [Step::Advance; 4] {
        take(step).await;
    }
    let review = trigger_review_emails(app, &token).await;
    let one = [ReturnLine { product: "tarn-over-ear-headphones".parse().unwrap(), quantity: 1 }];
    let of_one = [Step::RequestReturn(&one), Step::Advance, Step::Advance];
    let refused = [Step::RequestReturn(&[]), Step::RefuseReturn];
    let of_the_rest = [Step::RequestReturn(&[]), Step::Advance, Step::Advance];
    for step in of_one.into_iter().chain(refused).chain(of_the_rest) {
        take(step).await;
    }
    let path = format!("/api/orders/{cancelled}/cancel");
    assert_eq!(app.request("POST", &path, &token, json!({})).await.status, StatusCode::OK);
    [returned, cancelled, unproven, review]
}

async fn trigger_review_emails(app: &TestApp, token: &str) -> String {
    let path = "/api/products/tarn-over-ear-headphones/reviews/mine";
    let review =
        json!({ "rating": 2, "title": "Warm <ears>", "body": "Cooler:\nwww.ears.example" });
    let answer = app.request("PUT", path, token, review).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let id = answer.json()["review"]["_id"].as_str().unwrap().to_owned();
    let TestDb { db, clock, random, .. } = &app.given;
    let origin = Some("https://haat.example".into());
    let profile = Arc::new(ShopProfile { shop_name: String::new(), ..shop_profile() });
    let sender = reviews::ReviewEmailSender { profile, origin };
    let (db, clock, random) = (db.clone(), clock.clone(), random.clone());
    let book = ReviewStore { db, clock, random, sender };
    let judged =
        book.moderate(&id.parse().unwrap(), Moderation::Refuse, "It advertises.").await.unwrap();
    assert_eq!(judged, ModerationOutcome::Done);
    id
}

async fn trigger_other_emails(app: &TestApp) {
    let message = "Is the <b>oak</b> oiled?\n\nI ask because of the cat.";
    let body =
        json!({ "name": "Rahim <Uddin>", "email": "rahim@haat.example", "message": message });
    assert_eq!(app.request("POST", "/api/contact", "", body).await.status, StatusCode::ACCEPTED);
    let body = json!({ "email": "reader@haat.example" });
    assert_eq!(app.request("POST", "/api/newsletter", "", body).await.status, StatusCode::ACCEPTED);
    let body = json!({ "email": "reader@haat.example", "product": "skerry-turntable" });
    assert_eq!(
        app.request("POST", "/api/stock-alerts", "", body).await.status,
        StatusCode::ACCEPTED
    );
    let back = r#"{"products": [{"_id": "skerry-turntable", "category": "audio", "name": "Skerry Turntable",
                   "sku": "HT-AUD-006", "img": ["/favicon.svg"], "realPrice": 77.7, "qtn": 3}]}"#;
    app.import(back).await;
    app.alerts.send_due().await.unwrap();
}

async fn every_email_matches_its_snapshot(app: TestApp) {
    trigger_account_emails(&app).await;
    let variable = trigger_order_emails(&app).await;
    trigger_other_emails(&app).await;
    app.emails_to("").await; // sends the queued e-mails
    let normalize = |text: &str| {
        let text =
            variable.iter().fold(text.to_owned(), |text, number| text.replace(number, "NUMBER"));
        hide(&hide(&text, "oobCode="), "token=")
    };
    let mut written = BTreeMap::new();
    for email in app.stored_emails().await {
        let subject = normalize(&email.subject);
        let name = NAMES.iter().find(|(known, _)| *known == subject).map(|(_, name)| *name);
        let name =
            name.unwrap_or_else(|| panic!("{subject}: a new e-mail; give it a name in NAMES"));
        let text = format!("Subject: {subject}\n\n{}", normalize(&email.text()));
        let name = match text.contains("has not confirmed") {
            true => format!("{name}-unconfirmed"),
            false => name.to_owned(),
        };
        written.insert(format!("{name}.html"), normalize(&shop::email_template::html(&email)));
        written.insert(format!("{name}.txt"), text);
    }
    for (subject, name) in NAMES {
        assert!(
            written.contains_key(&format!("{name}.txt")),
            "no e-mail with the subject: {subject}"
        );
    }
    compare_with_snapshots(&written);
}

/// Replaces the secrets in URLs, which differ in each run.
fn hide(text: &str, word: &str) -> String {
    let mut parts = text.split(word);
    let mut hidden = parts.next().unwrap().to_owned();
    for part in parts {
        let secret = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        hidden += &format!("{word}…{}", part.trim_start_matches(secret));
    }
    hidden
}

fn compare_with_snapshots(written: &BTreeMap<String, String>) {
    let folder = Path::new(FILES);
    if std::env::var_os("HAAT_TEST_UPDATE_EMAIL_SNAPSHOTS").is_some() {
        let _ = std::fs::remove_dir_all(folder);
        std::fs::create_dir_all(folder).unwrap();
        written.iter().for_each(|(name, text)| std::fs::write(folder.join(name), text).unwrap());
    }
    let mut changed = String::new();
    for (name, text) in written {
        let expected = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        let (mut before, mut after) = (expected.lines(), text.lines());
        loop {
            match (before.next(), after.next()) {
                (None, None) => break,
                (was, is) if was == is => {}
                (was, is) => {
                    changed += &format!("{name}\n");
                    changed += &was.map(|line| format!("  - {line}\n")).unwrap_or_default();
                    changed += &is.map(|line| format!("  + {line}\n")).unwrap_or_default();
                }
            }
        }
    }
    let files = std::fs::read_dir(folder).unwrap();
    for file in files.map(|file| file.unwrap().file_name().into_string().unwrap()) {
        if !written.contains_key(&file) {
            changed += &format!("{file}: this e-mail is not sent any more\n");
        }
    }
    assert!(
        changed.is_empty(),
        "e-mails have changed; if that is intended, run make email-snapshots:\n{changed}"
    );
}

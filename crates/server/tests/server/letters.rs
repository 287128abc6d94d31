//! Every letter that the shop writes, caused as customers and shopkeepers cause it, and held against the
//! files in `tests/letters`: what a letter says and how it looks changes on purpose only. `make letters`
//! writes the files anew.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shop::orders::{Book, OrderEmails, ReturnLine, Sender, Step, Taken};
use shop::reviews::{self, Guestbook, Judged, Verdict};
use test_support::on_both;

use super::*;

on_both!(TestApp: every_letter_is_as_it_was,);

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/letters");

/// Which letter goes by which name. A number stands for any order's.
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
        let answer = self.ask("POST", &path, "", body).await;
        assert_eq!(answer.status, StatusCode::OK, "{verb}: {}", answer.text());
        answer.json()
    }

    /// The code in the newest letter of a subject.
    pub async fn code(&self, to: &str, subject: &str) -> String {
        let letters = self.letters_to(to).await;
        let (_, text) = letters.iter().rev().find(|(name, _)| name == subject).unwrap();
        text.split("oobCode=").nth(1).unwrap().split('&').next().unwrap().to_owned()
    }

    /// An access token of somebody new, whose address is confirmed.
    pub async fn proven(&self, email: &str) -> String {
        let id_token = self.id_token(email).await;
        self.prove(email, &id_token).await
    }

    /// Confirms an address, as its owner does; answers an access token that knows of it.
    pub async fn prove(&self, email: &str, id_token: &str) -> String {
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
        let placed = self.ask("POST", "/api/orders", token, order).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.text());
        placed.json()["number"].as_str().unwrap().to_owned()
    }
}

async fn cause_account_letters(app: &TestApp) {
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

/// Answers what is another each time: the numbers of the orders, and the review's.
async fn cause_order_letters(app: &TestApp) -> [String; 4] {
    let token = app.proven("buyer@haat.example").await;
    let stranger = "stranger@haat.example";
    let unproven = app.access_token(&app.id_token(stranger).await, stranger).await;
    let unproven = app.buy(&unproven).await;
    let TestDb { db, clock, random, .. } = &app.given;
    let (db, clock, random) = (db.clone(), clock.clone(), random.clone());
    let origin = Some("https://haat.example".into());
    let sender = Sender {
        shop_name: "Haat".into(),
        origin,
        shop_email: base::EmailAddress::parse("hello@haat.example"),
        order_emails: OrderEmails::Each,
    };
    let book = Book { db, clock, random, sender };
    let [returned, cancelled] = [app.buy(&token).await, app.buy(&token).await];
    let number = returned.parse().unwrap();
    let take = async |step| {
        let taken = book.take(&number, step, "").await.unwrap();
        assert!(matches!(taken, Taken::Done(_)), "{step:?}");
    };
    for step in [Step::Advance; 4] {
        take(step).await;
    }
    let review = cause_review_letters(app, &token).await;
    let one = [ReturnLine { product: "tarn-over-ear-headphones".parse().unwrap(), quantity: 1 }];
    let of_one = [Step::AskToReturn(&one), Step::Advance, Step::Advance];
    let refused = [Step::AskToReturn(&[]), Step::RefuseReturn];
    let of_the_rest = [Step::AskToReturn(&[]), Step::Advance, Step::Advance];
    for step in of_one.into_iter().chain(refused).chain(of_the_rest) {
        take(step).await;
    }
    let path = format!("/api/orders/{cancelled}/cancel");
    assert_eq!(app.ask("POST", &path, &token, json!({})).await.status, StatusCode::OK);
    [returned, cancelled, unproven, review]
}

async fn cause_review_letters(app: &TestApp, token: &str) -> String {
    let path = "/api/products/tarn-over-ear-headphones/reviews/mine";
    let review =
        json!({ "rating": 2, "title": "Warm <ears>", "body": "Cooler:\nwww.ears.example" });
    let answer = app.ask("PUT", path, token, review).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let id = answer.json()["review"]["_id"].as_str().unwrap().to_owned();
    let TestDb { db, clock, random, .. } = &app.given;
    let origin = Some("https://haat.example".into());
    let sender = reviews::Sender { shop: Facts::default(), origin };
    let (db, clock, random) = (db.clone(), clock.clone(), random.clone());
    let book = Guestbook { db, clock, random, sender };
    let judged = book.judge(&id.parse().unwrap(), Verdict::Refuse, "It advertises.").await.unwrap();
    assert_eq!(judged, Judged::Done);
    id
}

async fn cause_other_letters(app: &TestApp) {
    let message = "Is the <b>oak</b> oiled?\n\nI ask because of the cat.";
    let body =
        json!({ "name": "Rahim <Uddin>", "email": "rahim@haat.example", "message": message });
    assert_eq!(app.ask("POST", "/api/contact", "", body).await.status, StatusCode::ACCEPTED);
    let body = json!({ "email": "reader@haat.example" });
    assert_eq!(app.ask("POST", "/api/newsletter", "", body).await.status, StatusCode::ACCEPTED);
    let body = json!({ "email": "reader@haat.example", "product": "skerry-turntable" });
    assert_eq!(app.ask("POST", "/api/stock-alerts", "", body).await.status, StatusCode::ACCEPTED);
    let back = r#"{"products": [{"_id": "skerry-turntable", "category": "audio", "name": "Skerry Turntable",
                   "sku": "HT-AUD-006", "img": ["/favicon.svg"], "realPrice": 77.7, "qtn": 3}]}"#;
    app.import(back).await;
    app.alerts.tell().await.unwrap();
}

async fn every_letter_is_as_it_was(app: TestApp) {
    cause_account_letters(&app).await;
    let passing = cause_order_letters(&app).await;
    cause_other_letters(&app).await;
    app.letters_to("").await; // sends what is posted
    let steady = |text: &str| {
        let text =
            passing.iter().fold(text.to_owned(), |text, number| text.replace(number, "NUMBER"));
        hide(&hide(&text, "oobCode="), "token=")
    };
    let mut written = BTreeMap::new();
    for letter in app.kept_letters().await {
        let subject = steady(&letter.subject);
        let name = NAMES.iter().find(|(known, _)| *known == subject).map(|(_, name)| *name);
        let name =
            name.unwrap_or_else(|| panic!("{subject}: a new letter; give it a name in NAMES"));
        let text = format!("Subject: {subject}\n\n{}", steady(&letter.text()));
        let name = match text.contains("has not confirmed") {
            true => format!("{name}-unconfirmed"),
            false => name.to_owned(),
        };
        written.insert(format!("{name}.html"), steady(&letter.html()));
        written.insert(format!("{name}.txt"), text);
    }
    for (subject, name) in NAMES {
        assert!(written.contains_key(&format!("{name}.txt")), "no letter says: {subject}");
    }
    hold_against_files(&written);
}

/// What follows a word in an address, and is another each time.
fn hide(text: &str, word: &str) -> String {
    let mut parts = text.split(word);
    let mut hidden = parts.next().unwrap().to_owned();
    for part in parts {
        let secret = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        hidden += &format!("{word}…{}", part.trim_start_matches(secret));
    }
    hidden
}

fn hold_against_files(written: &BTreeMap<String, String>) {
    let folder = Path::new(FILES);
    if std::env::var_os("HAAT_TEST_RENEW_LETTERS").is_some() {
        let _ = std::fs::remove_dir_all(folder);
        std::fs::create_dir_all(folder).unwrap();
        written.iter().for_each(|(name, text)| std::fs::write(folder.join(name), text).unwrap());
    }
    let mut changed = String::new();
    for (name, text) in written {
        let kept = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        let (mut before, mut after) = (kept.lines(), text.lines());
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
            changed += &format!("{file}: nobody writes this letter any more\n");
        }
    }
    assert!(changed.is_empty(), "letters have changed; if they should, make letters:\n{changed}");
}

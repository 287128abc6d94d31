//! Snapshots of every e-mail that the shop sends, in `tests/email-snapshots`. The test triggers each e-mail as
//! customers and shopkeepers do. `make email-snapshots` updates the files. `web/test/bangla-emails.test.ts` looks
//! for Latin words in those in Bangla.

use std::collections::BTreeMap;

use email::{Email, Purpose};
use messages::Messages;
use platform::Id;
use platform::jobs::{Worker, enqueue};
use serde_json::{Value, json};
use shop::order_subscribers::order_store;
use shop::orders::{
    Day, OrderEmailSender, OrderEmails, OrderStore, PayLinks, ReturnLine, Step, StepOutcome,
};
use shop::reviews::{self, Moderation, ModerationOutcome, ReviewStore};
use test_support::on_both;

use super::*;

on_both!(TestApp:
    every_email_matches_its_snapshot,
    emails_are_in_the_language_of_the_request,
);

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/email-snapshots");

/// The snapshot of each subject.
const NAMES: [(&str, &str); 23] = [
    ("email.verifySubject", "verify-email"),
    ("email.welcomeSubject", "welcome"),
    ("email.resetSubject", "reset-password"),
    ("email.signInSubject", "sign-in-link"),
    ("email.changeSubject", "change-email"),
    ("email.changedSubject", "email-changed"),
    ("email.orderPlacedSubject", "order-placed"),
    ("email.orderUnconfirmedSubject", "order-unproven"),
    ("email.orderShippedSubject", "order-shipped"),
    ("email.orderDeliveredSubject", "order-delivered"),
    ("email.orderCancelledSubject", "order-cancelled"),
    ("email.returnRefusedSubject", "order-return-refused"),
    ("email.orderRefundedSubject", "order-refunded"),
    ("email.newOrderSubject", "order-notice"),
    ("email.summarySubject", "order-summary"),
    ("email.returnRefundedSubject", "order-partly-refunded"),
    ("email.reviewWaitsSubject", "review-waits"),
    ("email.reviewRefusedSubject", "review-refused"),
    ("email.contactReceiptSubject", "contact-receipt"),
    ("email.contactNoticeSubject", "contact-notice"),
    ("email.newsletterSubject", "newsletter-confirm"),
    ("email.backInStockSubject", "back-in-stock"),
    ("email.giftCardSubject", "gift-card"),
];
/// What the shop itself gets.
const TO_THE_SHOP: [&str; 4] = ["order-notice", "order-summary", "review-waits", "contact-notice"];

/// The name of the snapshot of an e-mail with this subject. NUMBER replaces the number of an order.
fn snapshot_name(language: Language, subject: &str) -> &'static str {
    let matches = |key: &str| {
        let args: messages::Args = &[
            ("number", &"NUMBER"),
            ("shop", &"*"),
            ("product", &"*"),
            ("name", &"*"),
            ("count", &ORDERS),
            ("date", &"*"),
        ];
        let pattern = Messages::text(language, key, args);
        match pattern.split_once('*') {
            Some((start, end)) => subject.starts_with(start) && subject.ends_with(end),
            None => subject == pattern,
        }
    };
    let found = NAMES.iter().find(|(key, _)| matches(key));
    found
        .map(|(_, name)| *name)
        .unwrap_or_else(|| panic!("{subject}: a new e-mail; give it a name in NAMES"))
}

mod in_a_bangla_shop {
    use super::{BanglaApp, on_both, the_shop_gets_its_emails_in_its_default_language};

    on_both!(BanglaApp: the_shop_gets_its_emails_in_its_default_language,);
}

/// A shop whose first language is Bangla.
struct BanglaApp(TestApp);

impl BanglaApp {
    async fn new(engine: Engine) -> Self {
        Self(TestApp::in_bangla(engine).await)
    }
}

impl TestApp {
    pub async fn identity(&self, verb: &str, body: Value) -> Value {
        let path =
            format!("/identitytoolkit.googleapis.com/v1/accounts:{verb}?key=haat-storefront");
        let answer = self.request("POST", &path, "", body).await;
        assert_eq!(answer.status, StatusCode::OK, "{verb}: {}", answer.text());
        answer.json()
    }

    /// The code in the newest e-mail with a subject, in English or the language that requests ask for.
    pub async fn code(&self, to: &str, key: &str) -> String {
        let emails = self.emails_to(to).await;
        let subject = Messages::text(self.language(), key, &[]);
        let (_, text) = emails.iter().rev().find(|(name, _)| *name == subject).unwrap();
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
        let code = self.code(email, "email.verifySubject").await;
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
        // So that orders have an order.
        self.given.clock.advance(Duration::from_millis(1));
        placed.json()["number"].as_str().unwrap().to_owned()
    }
}

async fn trigger_account_emails(app: &TestApp) {
    let email = "rahim@haat.example";
    let id_token = app.id_token(email).await;
    let verify = json!({ "requestType": "VERIFY_EMAIL", "idToken": id_token });
    app.identity("sendOobCode", verify).await;
    let code = app.code(email, "email.verifySubject").await;
    app.identity("update", json!({ "oobCode": code })).await;
    let reset = json!({ "requestType": "PASSWORD_RESET", "email": email });
    app.identity("sendOobCode", reset).await;
    let link = json!({ "requestType": "EMAIL_SIGNIN", "email": email, "canHandleCodeInApp": true,
                       "continueUrl": "https://haat.example/" });
    app.identity("sendOobCode", link).await;
    let change = json!({ "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": id_token,
                         "newEmail": "uddin@haat.example" });
    app.identity("sendOobCode", change).await;
    let code = app.code("uddin@haat.example", "email.changeSubject").await;
    app.identity("update", json!({ "oobCode": code })).await;
}

/// How many orders `trigger_order_emails` places.
const ORDERS: usize = 3;

/// Returns what differs in each run: the numbers of the orders, and the review's id.
async fn trigger_order_emails(app: &TestApp) -> [String; 4] {
    let token = app.verified_customer("buyer@haat.example").await;
    let stranger = "stranger@haat.example";
    let unproven = app.access_token(&app.id_token(stranger).await, stranger).await;
    let unproven = app.buy(&unproven).await;
    let book = orders(app, OrderEmails::Each);
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
    let one = [ReturnLine { variant: "tarn-over-ear-headphones".parse().unwrap(), quantity: 1 }];
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

fn orders(app: &TestApp, order_emails: OrderEmails) -> OrderStore {
    let TestDb { db, clock, random, .. } = &app.given;
    let origin = Some("https://haat.example".into());
    let profiles = app.alerts.profiles.clone();
    let sender = OrderEmailSender { profiles, origin, order_emails, sms_limits: None };
    order_store(
        db.clone(),
        clock.clone(),
        random.clone(),
        sender,
        Default::default(),
        PayLinks::new(secret()),
    )
}

/// The orders of this day, as a shop gets them that wants one e-mail a day.
async fn trigger_summary_email(app: &TestApp) {
    let TestDb { db, clock, random, .. } = &app.given;
    let now = clock.now();
    let day: Day = serde_json::from_value(json!({ "day": now.0 / 86_400_000 })).unwrap();
    let mut tx = db.begin().await.unwrap();
    enqueue(&mut tx, Id::new(clock, random), &day, now, now).unwrap();
    tx.commit().await.unwrap();
    let worker = Worker::new(db.clone(), clock.clone(), random.clone());
    orders(app, OrderEmails::Daily).register(worker).run_due().await.unwrap();
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
    let profiles = app.alerts.profiles.clone();
    let sender = reviews::ReviewEmailSender { profiles, origin };
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

/// Triggers every e-mail, and returns the snapshots of those that `wanted` selects.
async fn write_snapshots(
    app: &TestApp,
    wanted: impl Fn(&Email<String>) -> bool,
) -> BTreeMap<String, String> {
    trigger_account_emails(app).await;
    let numbers = trigger_order_emails(app).await;
    let code = app.gift_card("reader@haat.example").await;
    trigger_summary_email(app).await;
    trigger_other_emails(app).await;
    app.emails_to("").await; // sends the queued e-mails
    let normalize = |text: &str| {
        let text =
            numbers.iter().fold(text.to_owned(), |text, number| text.replace(number, "NUMBER"));
        let text = text.replace(&code, "CODE");
        hide(&hide(&text, "oobCode="), "token=")
    };
    let mut written = BTreeMap::new();
    for email in app.stored_emails().await.iter().filter(|email| wanted(email)) {
        let (language, subject) = (email.body.language, normalize(&email.subject));
        let text = format!("Subject: {subject}\n\n{}", normalize(&email.text().unwrap()));
        let mut name = snapshot_name(language, &subject).to_owned();
        if ["has not confirmed", "নিশ্চিত করেননি"].iter().any(|part| text.contains(part))
        {
            name += "-unconfirmed";
        }
        let html = normalize(&email.html().unwrap());
        written.insert(file_name(&name, language, "html"), html);
        written.insert(file_name(&name, language, "txt"), text);
    }
    written
}

/// `order-placed.txt` in English, `order-placed.bn.txt` in Bangla.
fn file_name(name: &str, language: Language, extension: &str) -> String {
    match language {
        Language::ENGLISH => format!("{name}.{extension}"),
        language => format!("{name}.{language}.{extension}"),
    }
}

async fn every_email_matches_its_snapshot(app: TestApp) {
    let written = write_snapshots(&app, |_| true).await;
    for (key, name) in NAMES {
        assert!(written.contains_key(&format!("{name}.txt")), "no e-mail with the subject {key}");
    }
    compare_with_snapshots(&written, |file| !file.contains(".bn."));
}

/// The shop's default language is English. Its own e-mails are.
async fn emails_are_in_the_language_of_the_request(app: TestApp) {
    let app = TestApp { speaks: Some(bangla()), ..app };
    let written = write_snapshots(&app, |email| email.body.language == bangla()).await;
    let is_for_shop = |file: &str| TO_THE_SHOP.iter().any(|name| file.starts_with(name));
    compare_with_snapshots(&written, |file| file.contains(".bn.") && !is_for_shop(file));
    for email in app.stored_emails().await {
        let expected = if email.purpose == Purpose::Shop { Language::ENGLISH } else { bangla() };
        assert_eq!(email.body.language, expected, "{}", email.subject);
    }
}

async fn the_shop_gets_its_emails_in_its_default_language(app: BanglaApp) {
    let app = TestApp { speaks: Some(Language::ENGLISH), ..app.0 };
    let written = write_snapshots(&app, |email| email.purpose == Purpose::Shop).await;
    let is_for_shop = |file: &str| TO_THE_SHOP.iter().any(|name| file.starts_with(name));
    compare_with_snapshots(&written, |file| file.contains(".bn.") && is_for_shop(file));
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

/// `is_one`: the names of the files that these snapshots are all of.
fn compare_with_snapshots(written: &BTreeMap<String, String>, is_one: impl Fn(&str) -> bool) {
    let folder = Path::new(FILES);
    let files = || {
        let files = std::fs::read_dir(folder).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| is_one(name))
    };
    if std::env::var_os("HAAT_TEST_UPDATE_EMAIL_SNAPSHOTS").is_some() {
        files().for_each(|name| std::fs::remove_file(folder.join(name)).unwrap());
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
    for file in files() {
        if !written.contains_key(&file) {
            changed += &format!("{file}: this e-mail is not sent any more\n");
        }
    }
    assert!(
        changed.is_empty(),
        "e-mails have changed; if that is intended, run make email-snapshots:\n{changed}"
    );
}

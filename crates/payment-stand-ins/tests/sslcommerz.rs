//! The client of SSLCommerz against its stand-in, over a loopback port.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a panic fails the test")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use payment_providers::{
    CustomerDetails, Fact, FactKind, Gateway, GatewayError, OpenRequest, Opened, PaymentSettings,
    SecretText, SessionRef, SessionStatus, Snapshot, WebhookError, WebhookSubject,
};
use payment_stand_ins::sslcommerz::{STORE_ID, STORE_PASSWORD};
use payment_stand_ins::{BookEntry, Fault, FaultRates, StandInOptions, StandIns};
use platform::http_client::HttpClient;
use platform::secret::Secret;
use platform::{Currency, Language, Money};
use serde_json::{Value, json};
use test_support::{Engine, TestDb, eventually};

const PAYMENT: &str = "01JD0000000000000000000001";
const TAKA_100: Money = Money::new(10_000, Currency::BDT);
/// Longer than a refund is not repeated for.
const PAUSE: Duration = Duration::from_secs(40);

struct Shop {
    url: String,
    gateway: Gateway,
    stand_ins: StandIns,
    db: TestDb,
    browser: HttpClient,
    received: Arc<Mutex<Vec<Vec<u8>>>>,
}

type Received = Arc<Mutex<Vec<Vec<u8>>>>;

async fn serve(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

fn gateway(url: &str, password: &str, db: &TestDb) -> Gateway {
    let settings = PaymentSettings {
        sslcommerz_store_id: Some(STORE_ID.into()),
        sslcommerz_store_password: Some(SecretText::new(password)),
        sslcommerz_url: Some(url.into()),
        ..Default::default()
    };
    let secret = Secret::new(&"s".repeat(32)).unwrap();
    settings.gateways(&db.db, &db.clock, &secret).unwrap().remove(0)
}

impl Shop {
    async fn start() -> Self {
        let db = TestDb::new(Engine::Sqlite).await;
        let received = Received::default();
        let webhook = |State(received): State<Received>, _: Path<String>, body: Bytes| async move {
            received.lock().unwrap().push(body.to_vec());
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let stand_ins = StandIns::open(StandInOptions {
            base_url: format!("{url}/dev/payments"),
            webhook_url: format!("{url}/webhooks/payments"),
            clock: db.clock.clone(),
            random: db.random.clone(),
            folder: None,
        })
        .unwrap();
        let router = Router::new()
            .route("/webhooks/payments/{provider}", post(webhook))
            .with_state(received.clone())
            .nest("/dev/payments", stand_ins.router());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let gateway = gateway(&format!("{url}/dev/payments/sslcommerz"), STORE_PASSWORD, &db);
        Self { url, gateway, stand_ins, db, browser: HttpClient::new(), received }
    }

    fn request<'r>(
        &self,
        payment: &'r str,
        amount: Money,
        urls: &'r [String; 2],
    ) -> OpenRequest<'r> {
        OpenRequest {
            payment,
            order_number: "H-1001",
            amount,
            title: "Order H-1001",
            language: Language::ENGLISH,
            customer: CustomerDetails {
                name: "রহিমা",
                email: "rahima@customer.example",
                phone: "+8801712345678",
                address: "House 1, Road 2",
                city: "Dhaka",
                postcode: "1207",
                country: "BD",
            },
            return_url: &urls[0],
            webhook_url: &urls[1],
            expires_at: self.db.clock.now(),
            now: self.db.clock.now(),
            reserve_only: false,
        }
    }

    fn urls(&self) -> [String; 2] {
        [
            format!("{}/payments/return?payment={PAYMENT}", self.url),
            format!("{}/webhooks/payments/sslcommerz", self.url),
        ]
    }

    async fn open(&self, payment: &str) -> Opened {
        let urls = self.urls();
        self.gateway.open(&self.request(payment, TAKA_100, &urls)).await.unwrap()
    }

    async fn try_to_open(&self, amount: Money) -> Result<Opened, GatewayError> {
        let urls = self.urls();
        self.gateway.open(&self.request(PAYMENT, amount, &urls)).await
    }

    /// Presses a button of the page, and answers the page that follows.
    async fn choose(&self, opened: &Opened, choice: &str) -> String {
        self.post(&opened.redirect, &[("choice".to_owned(), choice.to_owned())]).await
    }

    async fn post(&self, url: &str, form: &[(String, String)]) -> String {
        let answer = self.browser.exchange(Method::POST, url, |request| request.form(form)).await;
        let answer = answer.unwrap();
        assert_eq!(answer.status, StatusCode::OK);
        String::from_utf8(answer.body.to_vec()).unwrap()
    }

    async fn fetch(&self, payment: &str) -> Snapshot {
        self.gateway.fetch(session(payment, None)).await.unwrap()
    }

    /// A payment that was paid, and the reference of the charge.
    async fn paid(&self, payment: &str) -> String {
        let opened = self.open(payment).await;
        self.choose(&opened, "card").await;
        self.fetch(payment).await.facts[0].reference.clone()
    }

    async fn refund(&self, charge: &str, minor: i64, key: &str) -> Result<Fact, GatewayError> {
        let amount = Money::new(minor, Currency::BDT);
        self.gateway.refund(session(PAYMENT, Some(charge)), amount, key).await
    }

    fn books(&self) -> Vec<(i64, i64)> {
        let books = self.stand_ins.books();
        books.iter().map(|BookEntry { captured, refunded, .. }| (*captured, *refunded)).collect()
    }

    async fn webhook(&self, body: &[u8]) -> Result<WebhookSubject, WebhookError> {
        let now = self.db.clock.now();
        let event = self.gateway.webhook(&HeaderMap::new(), body, now).await?;
        Ok(event.subject)
    }

    /// The notifications, once this many have come.
    async fn notifications(&self, count: usize) -> Vec<Vec<u8>> {
        eventually("notifications come", async || self.received.lock().unwrap().len() >= count)
            .await;
        self.received.lock().unwrap().clone()
    }
}

fn session<'p>(payment: &'p str, charge: Option<&'p str>) -> SessionRef<'p> {
    SessionRef { payment, reference: payment, amount: TAKA_100, charge }
}

/// The address and the fields of the form that leads back to the shop.
fn way_back(page: &str) -> (String, Vec<(String, String)>) {
    let between = |text: &str, start: &str, end: &str| {
        let from = text.find(start).unwrap_or_else(|| panic!("no {start} in {text}")) + start.len();
        let to = from + text[from..].find(end).unwrap();
        text[from..to].replace("&amp;", "&").replace("&quot;", "\"").replace("&lt;", "<")
    };
    let url = between(page, "action=\"", "\"");
    let fields = page.split("<input type=\"hidden\"").skip(1);
    let fields = fields.map(|one| (between(one, "name=\"", "\""), between(one, "value=\"", "\"")));
    (url, fields.collect())
}

fn encoded(fields: &[(String, String)]) -> Vec<u8> {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields);
    form.finish().into_bytes()
}

fn decoded(body: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(body).into_owned().collect()
}

fn set(fields: &mut [(String, String)], name: &str, value: &str) {
    fields.iter_mut().find(|(key, _)| key == name).unwrap().1 = value.to_owned();
}

fn refused<T: std::fmt::Debug>(result: Result<T, GatewayError>) -> String {
    match result {
        Err(GatewayError::Refused { code, .. }) => code,
        other => panic!("{other:?}"),
    }
}

fn unavailable<T: std::fmt::Debug>(result: Result<T, GatewayError>) -> String {
    match result {
        Err(GatewayError::Unavailable(why)) => why,
        other => panic!("{other:?}"),
    }
}

fn told(snapshot: &Snapshot) -> Vec<(FactKind, i64, &str)> {
    let facts = snapshot.facts.iter();
    facts.map(|fact| (fact.kind, fact.amount.minor(), fact.code.as_str())).collect()
}

#[tokio::test]
async fn a_payment_by_every_method_is_captured() {
    let shop = Shop::start().await;
    for (at, choice) in ["card", "bkash", "nagad", "risky", "lost"].into_iter().enumerate() {
        let payment = format!("01JD000000000000000000000{at}");
        let opened = shop.open(&payment).await;
        assert_eq!(opened.reference, payment);
        let untouched = shop.fetch(&payment).await;
        assert_eq!(untouched, Snapshot { status: SessionStatus::Open, facts: vec![] });

        let page = shop.choose(&opened, choice).await;
        if choice != "lost" {
            let (url, fields) = way_back(&page);
            assert!(url.ends_with(&format!("payment={PAYMENT}&outcome=success")), "{url}");
            assert!(fields.contains(&("tran_id".into(), payment.clone())));
        }
        let snapshot = shop.fetch(&payment).await;
        let code = if choice == "risky" { "risk" } else { "" };
        assert_eq!(snapshot.status, SessionStatus::Closed);
        assert_eq!(told(&snapshot), [(FactKind::Captured, 10_000, code)]);
        // VALID the first time, VALIDATED afterwards.
        assert_eq!(shop.fetch(&payment).await, snapshot);
        shop.gateway.complete(session(&payment, None)).await.unwrap();
        shop.gateway.cancel(session(&payment, None), "key").await.unwrap();
    }
    assert_eq!(shop.books(), [(10_000, 0); 5]);
}

#[tokio::test]
async fn a_payment_that_comes_to_nothing_is_closed() {
    let shop = Shop::start().await;
    for (at, (choice, outcome, code)) in [
        ("fail", "fail", "failed"),
        ("cancel", "cancel", "cancelled"),
        ("expire", "fail", "expired"),
    ]
    .into_iter()
    .enumerate()
    {
        let payment = format!("01JD000000000000000000000{at}");
        let opened = shop.open(&payment).await;
        let (url, _) = way_back(&shop.choose(&opened, choice).await);
        assert!(url.ends_with(&format!("&outcome={outcome}")), "{url}");
        let snapshot = shop.fetch(&payment).await;
        assert_eq!(snapshot.status, SessionStatus::Closed);
        assert_eq!(told(&snapshot), [(FactKind::Failed, 10_000, code)]);
        assert!(!snapshot.facts[0].reference.is_empty());
        // What was chosen is shown again, and cannot be chosen differently.
        way_back(&shop.choose(&opened, "card").await);
        assert_eq!(shop.fetch(&payment).await, snapshot);
    }
    assert_eq!(shop.books(), []);
}

#[tokio::test]
async fn what_the_provider_refuses_to_open_is_refused() {
    let shop = Shop::start().await;
    for minor in [999, 50_000_001] {
        assert_eq!(refused(shop.try_to_open(Money::new(minor, Currency::BDT)).await), "FAILED");
    }
    assert_eq!(refused(shop.try_to_open(Money::new(10_000, Currency::USD)).await), "FAILED");
    let (least, most) = shop.gateway.range(Currency::BDT).unwrap();
    assert!(shop.try_to_open(least).await.is_ok());
    // The same payment with another amount.
    assert_eq!(refused(shop.try_to_open(most).await), "FAILED");
}

#[tokio::test]
async fn a_payment_that_is_opened_twice_and_paid_twice_has_two_charges() {
    let shop = Shop::start().await;
    let (first, second) = (shop.open(PAYMENT).await, shop.open(PAYMENT).await);
    assert_eq!(first.reference, second.reference);
    assert_ne!(first.redirect, second.redirect);
    shop.choose(&first, "fail").await;
    assert_eq!(shop.fetch(PAYMENT).await.status, SessionStatus::Closed);
    shop.choose(&second, "card").await;
    let snapshot = shop.fetch(PAYMENT).await;
    let (failed, captured) = (FactKind::Failed, FactKind::Captured);
    assert_eq!(told(&snapshot), [(failed, 10_000, "failed"), (captured, 10_000, "")]);

    let other = "01JD0000000000000000000002";
    let (first, second) = (shop.open(other).await, shop.open(other).await);
    shop.choose(&first, "card").await;
    shop.choose(&second, "bkash").await;
    let snapshot = shop.fetch(other).await;
    assert_eq!(told(&snapshot), [(captured, 10_000, ""), (captured, 10_000, "")]);
    assert_ne!(snapshot.facts[0].reference, snapshot.facts[1].reference);
}

#[tokio::test]
async fn notifications_lead_to_their_payment() {
    let shop = Shop::start().await;
    let rates =
        FaultRates { webhook_repeats: 2, webhook_forged_percent: 100, ..Default::default() };
    shop.stand_ins.faults().set(rates);
    let opened = shop.open(PAYMENT).await;
    shop.choose(&opened, "lost").await;
    eventually("all are sent", async || shop.stand_ins.pending_webhooks() == 0).await;
    let mut ids = Vec::new();
    let mut forged = 0;
    for body in shop.notifications(2).await {
        let now = shop.db.clock.now();
        match shop.gateway.webhook(&HeaderMap::new(), &body, now).await {
            Ok(event) => {
                assert_eq!(event.subject, WebhookSubject::Payment(PAYMENT.into()));
                assert_eq!(event.kind, "VALID");
                ids.push(event.id);
            }
            Err(why) => {
                assert_eq!(why, WebhookError::Unverified("verify_sign is wrong"));
                forged += 1;
            }
        }
    }
    assert_eq!(forged, 1);
    // The same one repeatedly.
    ids.dedup();
    assert_eq!(ids.len(), 1);

    let failed = shop.open("01JD0000000000000000000002").await;
    shop.stand_ins.faults().set(FaultRates::default());
    let before = shop.received.lock().unwrap().len();
    shop.choose(&failed, "fail").await;
    let body = shop.notifications(before + 1).await.pop().unwrap();
    let subject = WebhookSubject::Payment("01JD0000000000000000000002".into());
    assert_eq!(shop.webhook(&body).await, Ok(subject));
}

/// Attack: the shopper's browser posts another amount or status to the shop than the provider has sent.
#[tokio::test]
async fn a_posted_amount_is_not_trusted() {
    let shop = Shop::start().await;
    let opened = shop.open(PAYMENT).await;
    let (_, mut fields) = way_back(&shop.choose(&opened, "fail").await);
    assert!(shop.webhook(&encoded(&fields)).await.is_ok());
    set(&mut fields, "status", "VALID");
    set(&mut fields, "amount", "100.00");
    let wrong = Err(WebhookError::Unverified("verify_sign is wrong"));
    assert_eq!(shop.webhook(&encoded(&fields)).await, wrong);
    assert_eq!(told(&shop.fetch(PAYMENT).await), [(FactKind::Failed, 10_000, "failed")]);

    let paid = "01JD0000000000000000000002";
    let opened = shop.open(paid).await;
    let (_, mut fields) = way_back(&shop.choose(&opened, "card").await);
    set(&mut fields, "amount", "1000000.00");
    assert_eq!(shop.webhook(&encoded(&fields)).await, wrong);
    assert_eq!(told(&shop.fetch(paid).await), [(FactKind::Captured, 10_000, "")]);
}

/// Attack: a notification without a hash, or with one that does not cover what counts.
#[tokio::test]
async fn a_skipped_hash_is_refused() {
    let shop = Shop::start().await;
    let opened = shop.open(PAYMENT).await;
    shop.choose(&opened, "lost").await;
    let genuine = shop.notifications(1).await.remove(0);
    assert!(shop.webhook(&genuine).await.is_ok());
    let without = |name: &str| {
        let fields = decoded(&genuine).into_iter().filter(|(key, _)| key != name);
        encoded(&Vec::from_iter(fields))
    };
    for name in ["verify_sign", "verify_key", "tran_id", "status", "amount"] {
        let why = shop.webhook(&without(name)).await.unwrap_err();
        assert!(matches!(why, WebhookError::Unverified(_)), "{name}");
    }
    // An own hash over nothing, and the payment of somebody else beside the genuine one.
    let own =
        b"tran_id=X&status=VALID&amount=1&verify_key=&verify_sign=d41d8cd98f00b204e9800998ecf8427e";
    assert!(shop.webhook(own).await.is_err());
    let twice = [&genuine[..], b"&tran_id=01JD0000000000000000000009"].concat();
    assert_eq!(shop.webhook(&twice).await, Err(WebhookError::Unverified("a field is there twice")));
}

/// A provider that answers what a test says, at the addresses of the API.
async fn scripted(validation: Value, list: Value) -> String {
    let transactions = move |Query(query): Query<Vec<(String, String)>>| {
        let is_refund = query.iter().any(|(name, _)| name == "refund_trans_id");
        let under_way =
            json!({ "APIConnect": "DONE", "status": "processing", "refund_ref_id": "" });
        let answer = if is_refund { under_way } else { list.clone() };
        async move { Json(answer) }
    };
    let validate = move || {
        let answer = validation.clone();
        async move { Json(answer) }
    };
    let router = Router::new()
        .route("/validator/api/validationserverAPI.php", get(validate))
        .route("/validator/api/merchantTransIDvalidationAPI.php", get(transactions));
    serve(router).await
}

fn validation(amount: &str) -> Value {
    json!({
        "APIConnect": "DONE", "status": "VALID", "tran_id": PAYMENT, "val_id": "V", "amount": amount,
        "currency_type": "BDT", "currency_amount": amount, "bank_tran_id": "B", "risk_level": "0",
    })
}

fn list() -> Value {
    let element =
        json!([{ "tran_id": PAYMENT, "val_id": "V", "status": "VALID", "amount": "100.00" }]);
    json!({ "APIConnect": "DONE", "no_of_trans_found": 1, "element": element })
}

/// Attack: to pay less than one taka too little.
#[tokio::test]
async fn a_difference_below_one_taka_is_a_difference() {
    let db = TestDb::new(Engine::Sqlite).await;
    for (amount, minor) in [("100.00", 10_000), ("99.99", 9_999), ("99.01", 9_901)] {
        let gateway = gateway(&scripted(validation(amount), list()).await, STORE_PASSWORD, &db);
        let snapshot = gateway.fetch(session(PAYMENT, None)).await.unwrap();
        assert_eq!(told(&snapshot), [(FactKind::Captured, minor, "")]);
        assert_eq!(snapshot.facts[0].amount == TAKA_100, minor == 10_000);
    }
}

/// Attack: the validation of a cheap payment for an expensive one.
#[tokio::test]
async fn the_validation_of_another_payment_does_not_count() {
    let db = TestDb::new(Engine::Sqlite).await;
    for (name, value) in [("tran_id", "another"), ("val_id", "W")] {
        let mut other = validation("100.00");
        other[name] = json!(value);
        let gateway = gateway(&scripted(other, list()).await, STORE_PASSWORD, &db);
        assert_eq!(refused(gateway.fetch(session(PAYMENT, None)).await), "mismatch");
    }
    let shop = Shop::start().await;
    let cheap = shop.open("01JD0000000000000000000002").await;
    let (_, fields) = way_back(&shop.choose(&cheap, "card").await);
    shop.open(PAYMENT).await;
    // Posted to the return address of the other payment, it says which payment it is of.
    let subject = shop.webhook(&encoded(&fields)).await.unwrap();
    assert_eq!(subject, WebhookSubject::Payment("01JD0000000000000000000002".into()));
    assert_eq!(shop.fetch(PAYMENT).await.status, SessionStatus::Open);
}

#[tokio::test]
async fn a_refund_can_be_partial_and_is_made_once() {
    let shop = Shop::start().await;
    let charge = shop.paid(PAYMENT).await;
    let first = shop.refund(&charge, 2_550, "key-1").await.unwrap();
    assert_eq!((first.kind, first.amount.minor()), (FactKind::Refunded, 2_550));
    assert_eq!(shop.refund(&charge, 2_550, "key-1").await.unwrap(), first);
    assert_eq!(shop.books(), [(10_000, 2_550)]);
    assert_eq!(refused(shop.refund(&charge, 2_551, "key-1").await), "key_reused");

    let second = shop.refund(&charge, 2_550, "key-2").await.unwrap();
    assert_ne!(second.reference, first.reference);
    assert_eq!(refused(shop.refund(&charge, 4_901, "key-3").await), "failed");
    shop.refund(&charge, 4_900, "key-3").await.unwrap();
    assert_eq!(shop.books(), [(10_000, 10_000)]);

    let facts = shop.fetch(PAYMENT).await.facts;
    let refunds: Vec<&Fact> = facts.iter().filter(|fact| fact.kind == FactKind::Refunded).collect();
    assert_eq!(refunds[..2], [&first, &second]);
    assert_eq!(refunds.len(), 3);
    let without_charge = shop.gateway.refund(session(PAYMENT, None), TAKA_100, "key-4").await;
    assert_eq!(refused(without_charge), "not_captured");
    assert_eq!(refused(shop.refund("another", 100, "key-5").await), "failed");
}

#[tokio::test]
async fn a_refund_repeated_after_a_lost_answer_is_one_refund() {
    let shop = Shop::start().await;
    let charge = shop.paid(PAYMENT).await;
    shop.stand_ins.faults().fail_next(Fault::After, 1);
    unavailable(shop.refund(&charge, 10_000, "key").await);
    // Whether it was made is not known: it is no fact, and not repeated at once.
    assert_eq!(told(&shop.fetch(PAYMENT).await).len(), 1);
    assert!(unavailable(shop.refund(&charge, 10_000, "key").await).contains("a moment ago"));
    shop.db.clock.advance(PAUSE);
    let fact = shop.refund(&charge, 10_000, "key").await.unwrap();
    assert_eq!(fact.amount, TAKA_100);
    assert_eq!(shop.books(), [(10_000, 10_000)]);
    assert!(shop.fetch(PAYMENT).await.facts.contains(&fact));
}

#[tokio::test]
async fn a_refund_that_never_reached_the_provider_is_made_when_it_is_repeated() {
    let shop = Shop::start().await;
    let charge = shop.paid(PAYMENT).await;
    shop.stand_ins.faults().fail_next(Fault::Before, 1);
    unavailable(shop.refund(&charge, 10_000, "key").await);
    shop.db.clock.advance(PAUSE);
    shop.refund(&charge, 10_000, "key").await.unwrap();
    assert_eq!(shop.books(), [(10_000, 10_000)]);
}

#[tokio::test]
async fn a_first_refund_that_is_said_to_be_under_way_is_another_one() {
    let db = TestDb::new(Engine::Sqlite).await;
    let gateway = gateway(&scripted(validation("100.00"), list()).await, STORE_PASSWORD, &db);
    let session = session(PAYMENT, Some("B"));
    for _ in 0..2 {
        let why = unavailable(gateway.refund(session, TAKA_100, "key").await);
        assert!(why.contains("another refund"), "{why}");
    }
}

#[tokio::test]
async fn a_refund_that_the_bank_cancels_is_told() {
    let shop = Shop::start().await;
    let charge = shop.paid(PAYMENT).await;
    let cancelled = shop.refund(&charge, 1_013, "key-1").await.unwrap();
    let kept = shop.refund(&charge, 1_000, "key-2").await.unwrap();
    let before = shop.fetch(PAYMENT).await;
    assert_eq!(before.facts[1..], [cancelled.clone(), kept.clone()]);
    shop.db.clock.advance(Duration::from_secs(25 * 3600));
    let after = shop.fetch(PAYMENT).await;
    let kinds: Vec<_> = after.facts[1..].iter().map(|fact| (fact.kind, &fact.reference)).collect();
    assert_eq!(
        kinds,
        [
            (FactKind::Refunded, &cancelled.reference),
            (FactKind::RefundFailed, &cancelled.reference),
            (FactKind::Refunded, &kept.reference),
        ]
    );
    assert_eq!(shop.books(), [(10_000, 1_000)]);
}

#[tokio::test]
async fn wrong_credentials_are_noticed_and_errors_contain_none() {
    let shop = Shop::start().await;
    shop.gateway.check().await.unwrap();
    let url = format!("{}/dev/payments/sslcommerz", shop.url);
    let wrong = gateway(&url, "wrong-password", &shop.db);
    assert_eq!(refused(wrong.check().await), "FAILED");
    assert_eq!(refused(wrong.fetch(session(PAYMENT, None)).await), "FAILED");

    let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", nobody.local_addr().unwrap());
    drop(nobody);
    let gateway = gateway(&url, STORE_PASSWORD, &shop.db);
    let charged = session(PAYMENT, Some("B"));
    let errors = [
        unavailable(gateway.check().await),
        unavailable(gateway.fetch(charged).await),
        unavailable(gateway.refund(charged, TAKA_100, "key").await),
    ];
    for why in errors {
        assert!(!why.contains(STORE_PASSWORD) && !why.contains("passwd"), "{why}");
    }
}

#[tokio::test]
async fn faults_are_outages() {
    let shop = Shop::start().await;
    let opened = shop.open(PAYMENT).await;
    shop.choose(&opened, "card").await;
    for fault in [Fault::Before, Fault::After] {
        for _ in 0..6 {
            shop.stand_ins.faults().fail_next(fault, 1);
            unavailable(shop.gateway.fetch(session(PAYMENT, None)).await);
        }
    }
    assert_eq!(told(&shop.fetch(PAYMENT).await), [(FactKind::Captured, 10_000, "")]);
}

#[tokio::test]
async fn what_it_cannot_do_is_said() {
    let shop = Shop::start().await;
    assert!(!shop.gateway.can_reserve());
    assert_eq!(
        refused(shop.gateway.capture(session(PAYMENT, None), TAKA_100, "k").await),
        "unsupported"
    );
    let now = shop.db.clock.now();
    assert_eq!(shop.gateway.list(now, now).await.unwrap(), None);
    assert_eq!(shop.gateway.range(Currency::USD), None);
    assert_eq!(shop.gateway.page_origins(), std::slice::from_ref(&shop.url));
}

#[tokio::test]
async fn the_stand_in_is_strict() {
    let shop = Shop::start().await;
    let api = format!("{}/dev/payments/sslcommerz/gwprocess/v4/api.php", shop.url);
    let pairs = |text: &str| decoded(text.as_bytes());
    let complete = format!(
        "store_id={STORE_ID}&store_passwd={STORE_PASSWORD}&total_amount=100.00&currency=BDT&tran_id=T\
         &product_category=a&product_name=a&product_profile=general&success_url=http://a.example\
         &fail_url=http://a.example&cancel_url=http://a.example&cus_name=a&cus_email=a@b.example&cus_phone=0\
         &cus_add1=a&cus_city=a&cus_postcode=a&cus_country=a&shipping_method=NO&num_of_item=1"
    );
    let status = async |form: &str| -> Value {
        serde_json::from_str(&shop.post(&api, &pairs(form)).await).unwrap()
    };
    assert_eq!(status(&complete).await["status"], "SUCCESS");
    for (change, reason) in [("&unknown=1", "unknown"), ("&cus_city=b", "twice"), ("&value_a=", "")]
    {
        let answer = status(&format!("{complete}{change}")).await;
        let failed = answer["failedreason"].as_str().unwrap();
        assert!(failed.contains(reason), "{change}: {failed}");
        assert_eq!(answer["status"] == "SUCCESS", reason.is_empty());
    }
    for field in ["cus_name=a", "product_profile=general", "total_amount=100.00", "num_of_item=1"] {
        let name = field.split('=').next().unwrap();
        let lacking = complete.replace(field, &format!("{name}="));
        assert!(status(&lacking).await["failedreason"].as_str().unwrap().contains(name));
    }
    let yes = complete.replace("shipping_method=NO", "shipping_method=YES");
    assert!(status(&yes).await["failedreason"].as_str().unwrap().contains("ship_name"));
    // JSON is not understood.
    let json = shop.browser.post_for_json(&api, &json!({ "store_id": STORE_ID })).await.unwrap();
    assert_eq!(json["failedreason"], "Store Credential Error Or Store is De-active");

    let queries = format!("{}/dev/payments/sslcommerz/validator/api", shop.url);
    let ask = async |rest: &str| {
        let url = format!("{queries}/{rest}&store_id={STORE_ID}&store_passwd={STORE_PASSWORD}");
        shop.browser.get_json(&url).await.unwrap().0
    };
    let list = "merchantTransIDvalidationAPI.php";
    assert_eq!(ask(&format!("{list}?tran_id=T")).await["no_of_trans_found"], 0);
    assert_eq!(ask(&format!("{list}?tran_id=T&more=1")).await["APIConnect"], "INVALID_REQUEST");
    assert_eq!(ask(&format!("{list}?bank_tran_id=B")).await["APIConnect"], "INVALID_REQUEST");
    assert_eq!(ask(&format!("{list}?refund_ref_id=R")).await["APIConnect"], "INVALID_REQUEST");
    let unknown = ask("validationserverAPI.php?val_id=V").await;
    assert_eq!(unknown["status"], "INVALID_TRANSACTION");
}

#[tokio::test]
async fn the_stand_in_remembers_when_it_is_started_again() {
    let db = TestDb::new(Engine::Sqlite).await;
    let dir = tempfile::tempdir().unwrap();
    let open = || {
        StandIns::open(StandInOptions {
            base_url: "http://127.0.0.1:1/dev/payments".into(),
            webhook_url: "http://127.0.0.1:1/webhooks/payments".into(),
            clock: db.clock.clone(),
            random: db.random.clone(),
            folder: Some(dir.path().to_owned()),
        })
        .unwrap()
    };
    let first = open();
    let url = serve(first.router()).await;
    let gateway_at = |url: &str| gateway(&format!("{url}/sslcommerz"), STORE_PASSWORD, &db);
    let shop = Shop::start().await;
    let urls = shop.urls();
    let opened = gateway_at(&url).open(&shop.request(PAYMENT, TAKA_100, &urls)).await.unwrap();
    let page = opened.redirect.replace("http://127.0.0.1:1/dev/payments", &url);
    shop.post(&page, &[("choice".into(), "card".into())]).await;
    let before = gateway_at(&url).fetch(session(PAYMENT, None)).await.unwrap();
    let charge = before.facts[0].reference.clone();
    let refund = gateway_at(&url).refund(session(PAYMENT, Some(&charge)), TAKA_100, "key").await;

    let second = open();
    assert_eq!(second.books(), first.books());
    let after = gateway_at(&serve(second.router()).await);
    let snapshot = after.fetch(session(PAYMENT, None)).await.unwrap();
    assert_eq!(snapshot.facts, [before.facts, vec![refund.unwrap()]].concat());
}

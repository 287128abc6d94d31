//! The PayPal client and its stand-in, over a loopback port.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a panic fails the test")]

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::post;
use payment_providers::{
    Fact, FactKind, Gateway, GatewayError, OpenRequest, Opened, PaymentSettings, Paypal,
    SecretText, SessionRef, SessionStatus, Snapshot, WebhookError, WebhookEvent, WebhookSubject,
};
use payment_stand_ins::{BookEntry, Fault, FaultRates, StandInOptions, StandIns, paypal};
use platform::http_client::{HttpClient, HttpResponse};
use platform::{Clock, Currency, Money, Random, Timestamp};
use serde_json::{Value, json};
use test_support::eventually;

const PAYMENT: &str = "01kabcdefghjkmnpqrstvwxyz0";
const OTHER_PAYMENT: &str = "01kabcdefghjkmnpqrstvwxyz1";
const RETURN_URL: &str = "http://127.0.0.1:9/payments/return?payment=01k";
const HOUR: Duration = Duration::from_secs(3600);

/// A shop that receives webhooks, and the stand-in, on one port.
struct Shop {
    stand_ins: StandIns,
    gateway: Gateway,
    settings: PaymentSettings,
    /// Of the stand-in.
    url: String,
    clock: Clock,
    http: HttpClient,
    inbox: Arc<Inbox>,
}

struct Inbox {
    gateway: Mutex<Option<Gateway>>,
    clock: Clock,
    received: Mutex<Vec<Delivery>>,
}

#[derive(Clone)]
struct Delivery {
    headers: HeaderMap,
    body: Bytes,
    result: Result<WebhookEvent, WebhookError>,
}

async fn receive(State(inbox): State<Arc<Inbox>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let gateway = inbox.gateway.lock().unwrap().clone().unwrap();
    let result = gateway.webhook(&headers, &body, inbox.clock.now()).await;
    let status = match &result {
        Ok(_) => StatusCode::OK,
        Err(WebhookError::Unavailable(_)) => StatusCode::SERVICE_UNAVAILABLE,
        Err(_) => StatusCode::BAD_REQUEST,
    };
    inbox.received.lock().unwrap().push(Delivery { headers, body, result });
    status
}

impl Shop {
    async fn start() -> Self {
        Self::start_in(None, 1).await
    }

    async fn start_in(folder: Option<&Path>, seed: u64) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let clock = Clock::fixed_at(Timestamp::parse("2026-11-20T12:00:00Z").unwrap());
        let base_url = format!("{origin}/dev/payments");
        let stand_ins = StandIns::open(StandInOptions {
            base_url: base_url.clone(),
            webhook_url: format!("{origin}/webhooks/payments"),
            clock: clock.clone(),
            random: Random::seeded(seed),
            folder: folder.map(Path::to_owned),
        });
        let stand_ins = stand_ins.unwrap();
        let inbox =
            Inbox { gateway: Mutex::default(), clock: clock.clone(), received: Mutex::default() };
        let inbox = Arc::new(inbox);
        let app = Router::new()
            .route("/webhooks/payments/paypal", post(receive))
            .with_state(inbox.clone())
            .nest("/dev/payments", stand_ins.router());
        tokio::spawn(async move { axum::serve(listener, app).await });
        let url = format!("{base_url}/paypal");
        let settings = PaymentSettings {
            paypal_client_id: Some(paypal::CLIENT_ID.into()),
            paypal_client_secret: Some(SecretText::new(paypal::CLIENT_SECRET)),
            paypal_webhook_id: Some(paypal::WEBHOOK_ID.into()),
            paypal_url: Some(url.clone()),
            ..Default::default()
        };
        let gateway = gateway_of(&settings, &clock);
        *inbox.gateway.lock().unwrap() = Some(gateway.clone());
        Self { stand_ins, gateway, settings, url, clock, http: HttpClient::new(), inbox }
    }

    async fn open(&self, payment: &str, minor: i64) -> Opened {
        self.try_open(payment, usd(minor)).await.unwrap()
    }

    async fn try_open(&self, payment: &str, amount: Money) -> Result<Opened, GatewayError> {
        let request = OpenRequest {
            payment,
            order_number: "HAAT-1042",
            amount,
            title: "Order HAAT-1042",
            language: "en".parse().unwrap(),
            customer: Default::default(),
            return_url: RETURN_URL,
            webhook_url: "",
            expires_at: self.clock.now().plus(HOUR),
            now: self.clock.now(),
            reserve_only: false,
        };
        self.gateway.open(&request).await
    }

    async fn fetch(&self, session: SessionRef<'_>) -> Snapshot {
        self.gateway.fetch(session).await.unwrap()
    }

    /// Opens, approves and completes a payment; answers the ids of the order and the capture.
    async fn pay(&self, payment: &str, minor: i64) -> (String, String) {
        let order = self.open(payment, minor).await.reference;
        self.choose(&order, "balance").await;
        let session = session(payment, &order, minor);
        self.gateway.complete(session).await.unwrap();
        let capture = self.fetch(session).await.facts[0].reference.clone();
        (order, capture)
    }

    /// What the payer clicks on PayPal's page; answers where it leads.
    async fn choose(&self, order: &str, choice: &str) -> String {
        let answer = self.submit("/checkoutnow", &[("token", order), ("choice", choice)]).await;
        location(&answer)
    }

    /// What the merchant clicks in the dashboard.
    async fn act(&self, id: &str, action: &str, amount: &str) -> StatusCode {
        let fields = [("id", id), ("action", action), ("amount", amount)];
        self.submit("/dashboard", &fields).await.status
    }

    async fn submit(&self, path: &str, fields: &[(&str, &str)]) -> HttpResponse {
        let url = format!("{}{path}", self.url);
        self.http.exchange(Method::POST, &url, |request| request.form(fields)).await.unwrap()
    }

    async fn page(&self, path: &str) -> (StatusCode, String) {
        let url = format!("{}{path}", self.url);
        let answer = self.http.exchange(Method::GET, &url, |request| request).await.unwrap();
        (answer.status, String::from_utf8(answer.body.to_vec()).unwrap())
    }

    /// A call of the API without the client, with a valid token.
    async fn call(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (StatusCode, Value) {
        let token = self.token().await;
        let url = format!("{}{path}", self.url);
        let sent = self.http.exchange(method, &url, |request| {
            let request = request.bearer_auth(token).body(body.to_owned());
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))
        });
        let answer = sent.await.unwrap();
        (answer.status, serde_json::from_slice(&answer.body).unwrap())
    }

    async fn token(&self) -> String {
        let url = format!("{}/v1/oauth2/token", self.url);
        let sent = self.http.exchange(Method::POST, &url, |request| {
            let request = request.basic_auth(paypal::CLIENT_ID, Some(paypal::CLIENT_SECRET));
            request.form(&[("grant_type", "client_credentials")])
        });
        let json: Value = serde_json::from_slice(&sent.await.unwrap().body).unwrap();
        json["access_token"].as_str().unwrap().to_owned()
    }

    fn deliveries(&self) -> Vec<Delivery> {
        self.inbox.received.lock().unwrap().clone()
    }

    /// The verified events of a kind.
    fn events(&self, kind: &str) -> Vec<WebhookEvent> {
        let events = self.deliveries().into_iter().filter_map(|delivery| delivery.result.ok());
        events.filter(|event| event.kind == kind).collect()
    }

    async fn event(&self, kind: &str) -> WebhookEvent {
        eventually(kind, async || !self.events(kind).is_empty()).await;
        self.events(kind).remove(0)
    }

    fn book(&self) -> BookEntry {
        let [entry] = &self.stand_ins.books()[..] else { panic!("not one charge") };
        entry.clone()
    }
}

fn gateway_of(settings: &PaymentSettings, clock: &Clock) -> Gateway {
    Gateway::Paypal(Arc::new(Paypal::new(settings, clock).unwrap().unwrap()))
}

fn usd(minor: i64) -> Money {
    Money::new(minor, Currency::USD)
}

fn session<'s>(payment: &'s str, reference: &'s str, minor: i64) -> SessionRef<'s> {
    SessionRef { payment, reference, amount: usd(minor), charge: None }
}

fn location(answer: &HttpResponse) -> String {
    let header = answer.headers.get("location").map(|value| value.to_str().unwrap().to_owned());
    header.unwrap_or_default()
}

fn kinds(facts: &[Fact]) -> Vec<(FactKind, i64)> {
    facts.iter().map(|fact| (fact.kind, fact.amount.minor())).collect()
}

fn code(result: Result<impl std::fmt::Debug, GatewayError>) -> String {
    match result.unwrap_err() {
        GatewayError::Refused { code, .. } => code,
        GatewayError::Unavailable(why) => panic!("unavailable: {why}"),
    }
}

#[tokio::test]
async fn a_payment_is_approved_then_captured_once() {
    let shop = Shop::start().await;
    assert_eq!(shop.gateway.check().await, Ok(()));
    let opened = shop.open(PAYMENT, 12_345).await;
    assert_eq!(opened.redirect, format!("{}/checkoutnow?token={}", shop.url, opened.reference));
    assert!(shop.gateway.page_origins().iter().any(|origin| opened.redirect.starts_with(origin)));
    // Opened again, it is the same.
    assert_eq!(shop.open(PAYMENT, 12_345).await, opened);

    let session = session(PAYMENT, &opened.reference, 12_345);
    let open = Snapshot { status: SessionStatus::Open, facts: vec![] };
    assert_eq!(shop.fetch(session).await, open);
    assert_eq!(code(shop.gateway.complete(session).await), "ORDER_NOT_APPROVED");

    let (status, page) = shop.page(&format!("/checkoutnow?token={}", opened.reference)).await;
    assert!(
        status.is_success() && page.contains("$123.45") && page.contains("HAAT-1042-"),
        "{page}"
    );
    let back = shop.choose(&opened.reference, "balance").await;
    assert_eq!(back, format!("{RETURN_URL}&token={}&PayerID=STANDINPAYER", opened.reference));
    let approved = Snapshot { status: SessionStatus::Approved, facts: vec![] };
    assert_eq!(shop.fetch(session).await, approved);
    assert_eq!(shop.stand_ins.books(), []);
    // Opened again now, there is nothing left to do on PayPal's page.
    let again = Opened { reference: opened.reference.clone(), redirect: RETURN_URL.into() };
    assert_eq!(shop.open(PAYMENT, 12_345).await, again);

    shop.gateway.complete(session).await.unwrap();
    let paid = shop.fetch(session).await;
    assert_eq!(
        (paid.status, kinds(&paid.facts)),
        (SessionStatus::Closed, vec![(FactKind::Captured, 12_345)])
    );
    // Completed again, also by a client that has no memory, and after PayPal has forgotten the request.
    shop.gateway.complete(session).await.unwrap();
    shop.clock.advance(7 * HOUR);
    gateway_of(&shop.settings, &shop.clock).complete(session).await.unwrap();
    assert_eq!(shop.fetch(session).await, paid);
    let book = shop.book();
    assert_eq!((book.payment.as_str(), book.captured, book.refunded), (PAYMENT, 12_345, 0));

    let event = shop.event("CHECKOUT.ORDER.APPROVED").await;
    assert_eq!(event.subject, WebhookSubject::Payment(PAYMENT.into()));
    let event = shop.event("PAYMENT.CAPTURE.COMPLETED").await;
    assert_eq!(event.subject, WebhookSubject::Payment(PAYMENT.into()));
}

#[tokio::test]
async fn a_payer_can_cancel_or_never_come_back() {
    let shop = Shop::start().await;
    let order = shop.open(PAYMENT, 500).await.reference;
    let session = session(PAYMENT, &order, 500);
    let back = shop.choose(&order, "cancel").await;
    assert_eq!(back, format!("{RETURN_URL}&outcome=cancelled&token={order}"));
    assert_eq!(shop.fetch(session).await.status, SessionStatus::Open);
    assert_eq!(shop.gateway.cancel(session, "key").await, Ok(()));
    // The page is closed after the approval: the webhook tells.
    assert_eq!(shop.choose(&order, "closed").await, "");
    shop.event("CHECKOUT.ORDER.APPROVED").await;
    assert_eq!(shop.fetch(session).await.status, SessionStatus::Approved);
    // PayPal forgets what nobody captures.
    shop.clock.advance(4 * HOUR);
    let expired = shop.fetch(session).await;
    assert_eq!(
        (expired.status, kinds(&expired.facts)),
        (SessionStatus::Closed, vec![(FactKind::Failed, 500)])
    );
    assert_eq!(expired.facts[0].code, "ORDER_EXPIRED");
    assert_eq!(shop.gateway.complete(session).await, Ok(()));
    let page = shop.page(&format!("/checkoutnow?token={order}")).await;
    assert_eq!(page.0, StatusCode::NOT_FOUND);
    // Opened again after hours, it is another order.
    shop.clock.advance(4 * HOUR);
    assert_ne!(shop.open(PAYMENT, 500).await.reference, order);
    assert_eq!(shop.stand_ins.books(), []);
}

#[tokio::test]
async fn a_declined_source_of_money_is_a_failed_payment_and_no_outage() {
    let shop = Shop::start().await;
    let order = shop.open(PAYMENT, 500).await.reference;
    let session = session(PAYMENT, &order, 500);
    shop.choose(&order, "declined").await;
    assert_eq!(shop.fetch(session).await.status, SessionStatus::Approved);
    shop.gateway.complete(session).await.unwrap();
    let declined = shop.fetch(session).await;
    assert_eq!(declined.status, SessionStatus::Closed);
    assert_eq!(kinds(&declined.facts), [(FactKind::Failed, 500)]);
    assert_eq!(declined.facts[0].code, "INSTRUMENT_DECLINED");
    // After a restart of the shop, it is found out again.
    let restarted = gateway_of(&shop.settings, &shop.clock);
    assert_eq!(restarted.fetch(session).await.unwrap().status, SessionStatus::Approved);
    restarted.complete(session).await.unwrap();
    assert_eq!(restarted.fetch(session).await.unwrap(), declined);
    let (_, page) = shop.page(&format!("/checkoutnow?token={order}")).await;
    assert!(page.contains("role=\"alert\""), "{page}");
    assert_eq!(shop.stand_ins.books(), []);
}

#[tokio::test]
async fn a_capture_can_be_reviewed_or_denied() {
    let shop = Shop::start().await;
    for (payment, choice, action, expected) in [
        (PAYMENT, "reviewed", Some("accept"), FactKind::Captured),
        (OTHER_PAYMENT, "reviewed", Some("deny"), FactKind::Failed),
        ("01kabcdefghjkmnpqrstvwxyz2", "denied", None, FactKind::Failed),
    ] {
        let order = shop.open(payment, 500).await.reference;
        let session = session(payment, &order, 500);
        shop.choose(&order, choice).await;
        shop.gateway.complete(session).await.unwrap();
        if let Some(action) = action {
            let pending = Snapshot { status: SessionStatus::Processing, facts: vec![] };
            assert_eq!(shop.fetch(session).await, pending);
            shop.event("PAYMENT.CAPTURE.PENDING").await;
            let (_, json) =
                shop.call(Method::GET, &format!("/v2/checkout/orders/{order}"), &[], "").await;
            let capture =
                json["purchase_units"][0]["payments"]["captures"][0]["id"].as_str().unwrap();
            let refund = SessionRef { charge: Some(capture), ..session };
            assert_eq!(code(shop.gateway.refund(refund, usd(1), "r").await), "PENDING_CAPTURE");
            assert_eq!(shop.act(capture, action, "").await, StatusCode::SEE_OTHER);
            assert_eq!(shop.act(capture, action, "").await, StatusCode::CONFLICT);
        }
        let decided = shop.fetch(session).await;
        assert_eq!(
            (decided.status, kinds(&decided.facts)),
            (SessionStatus::Closed, vec![(expected, 500)])
        );
    }
    shop.event("PAYMENT.CAPTURE.DENIED").await;
    shop.event("PAYMENT.CAPTURE.COMPLETED").await;
    assert_eq!(shop.book().payment, PAYMENT);
}

#[tokio::test]
async fn refunds_are_made_once_and_never_exceed_the_capture() {
    let shop = Shop::start().await;
    let (order, capture) = shop.pay(PAYMENT, 1_000).await;
    let session = SessionRef { charge: Some(&capture), ..session(PAYMENT, &order, 1_000) };
    let refund = async |minor: i64, key: &str| shop.gateway.refund(session, usd(minor), key).await;
    let first = refund(300, "refund-1").await.unwrap();
    assert_eq!((first.kind, first.amount), (FactKind::Refunded, usd(300)));
    assert_eq!(refund(300, "refund-1").await.unwrap(), first);
    assert_eq!(code(refund(301, "refund-1").await), "DUPLICATE_REQUEST_ID");
    assert_eq!(code(refund(701, "refund-2").await), "REFUND_AMOUNT_EXCEEDED");
    assert_eq!(refund(700, "refund-2").await.unwrap().amount, usd(700));
    assert_eq!(code(refund(1, "refund-3").await), "CAPTURE_FULLY_REFUNDED");
    // A key of weeks ago is still known.
    shop.clock.advance(40 * 24 * HOUR);
    assert_eq!(refund(300, "refund-1").await.unwrap(), first);

    let facts = shop.fetch(session).await.facts;
    let all = [(FactKind::Captured, 1_000), (FactKind::Refunded, 300), (FactKind::Refunded, 700)];
    let mut found = kinds(&facts);
    found[1..].sort_by_key(|(_, minor)| *minor);
    assert_eq!(found, all);
    assert!(facts.contains(&first));
    assert_eq!((shop.book().captured, shop.book().refunded), (1_000, 1_000));
    let event = shop.event("PAYMENT.CAPTURE.REFUNDED").await;
    assert_eq!(event.subject, WebhookSubject::Payment(PAYMENT.into()));

    let unknown = SessionRef { charge: Some("0000000000000000A"), ..session };
    let unknown = shop.gateway.refund(unknown, usd(1), "refund-4").await;
    assert_eq!(code(unknown), "INVALID_RESOURCE_ID");
    let none = SessionRef { charge: None, ..session };
    assert_eq!(code(shop.gateway.refund(none, usd(1), "refund-5").await), "not_captured");
    assert_eq!(code(shop.gateway.capture(session, usd(1), "capture-1").await), "unsupported");
}

#[tokio::test]
async fn a_refund_that_takes_time_may_fail() {
    let shop = Shop::start().await;
    let (order, capture) = shop.pay(PAYMENT, 1_000).await;
    let session = session(PAYMENT, &order, 1_000);
    assert_eq!(shop.act(&capture, "refund-later", "10.01").await, StatusCode::CONFLICT);
    assert_eq!(shop.act(&capture, "refund-later", "4.00").await, StatusCode::SEE_OTHER);
    let facts = shop.fetch(session).await.facts;
    assert_eq!(kinds(&facts), [(FactKind::Captured, 1_000), (FactKind::Refunded, 400)]);
    shop.event("PAYMENT.REFUND.PENDING").await;
    assert_eq!(shop.act(&facts[1].reference, "refund-failed", "").await, StatusCode::SEE_OTHER);
    let failed = shop.fetch(session).await.facts;
    assert_eq!(failed[..2], facts[..]);
    assert_eq!(kinds(&failed[2..]), [(FactKind::RefundFailed, 400)]);
    let event = shop.event("PAYMENT.REFUND.FAILED").await;
    assert_eq!(event.subject, WebhookSubject::Payment(PAYMENT.into()));
    assert_eq!(shop.book().refunded, 0);
}

#[tokio::test]
async fn disputes_are_facts_and_what_a_lost_one_costs_is_a_refund() {
    let shop = Shop::start().await;
    let (order, capture) = shop.pay(PAYMENT, 1_000).await;
    let session = SessionRef { charge: Some(&capture), ..session(PAYMENT, &order, 1_000) };
    assert_eq!(shop.act(&capture, "dispute", "6.00").await, StatusCode::SEE_OTHER);
    let event = shop.event("CUSTOMER.DISPUTE.CREATED").await;
    assert_eq!(event.subject, WebhookSubject::Payment(PAYMENT.into()));
    let facts = shop.fetch(session).await.facts;
    assert_eq!(kinds(&facts), [(FactKind::Captured, 1_000), (FactKind::Disputed, 600)]);
    let dispute = facts[1].reference.clone();
    let part = shop.gateway.refund(session, usd(100), "r").await;
    assert_eq!(code(part), "TRANSACTION_DISPUTED");

    shop.clock.advance(HOUR);
    assert_eq!(shop.act(&dispute, "won", "").await, StatusCode::SEE_OTHER);
    let won = shop.fetch(session).await.facts;
    assert_eq!(won[..2], facts[..]);
    assert_eq!(kinds(&won[2..]), [(FactKind::DisputeWon, 600)]);

    assert_eq!(shop.act(&capture, "dispute", "10.00").await, StatusCode::SEE_OTHER);
    let second = shop.fetch(session).await.facts.pop().unwrap().reference;
    shop.clock.advance(HOUR);
    assert_eq!(shop.act(&second, "lost", "").await, StatusCode::SEE_OTHER);
    let lost = kinds(&shop.fetch(session).await.facts);
    assert!(lost.contains(&(FactKind::DisputeLost, 1_000)), "{lost:?}");
    assert_eq!(lost.iter().filter(|fact| **fact == (FactKind::Refunded, 1_000)).count(), 1);
    assert_eq!(shop.book().refunded, 1_000);
    let event = shop.event("PAYMENT.CAPTURE.REVERSED").await;
    assert_eq!(event.subject, WebhookSubject::Payment(PAYMENT.into()));
    shop.event("CUSTOMER.DISPUTE.RESOLVED").await;
}

#[tokio::test]
async fn calls_that_fail_before_or_after_their_work_are_repeated_once_done() {
    let shop = Shop::start().await;
    for (number, fault) in [Fault::Before, Fault::After].into_iter().enumerate() {
        let payment = format!("01kabcdefghjkmnpqrstvwxy{number:02}");
        // Each call fails twice, and the third attempt works: the token too.
        let faults = shop.stand_ins.faults();
        faults.fail_next(fault, 2);
        let order = shop.open(&payment, 1_000).await.reference;
        shop.choose(&order, "balance").await;
        let session = session(&payment, &order, 1_000);
        faults.fail_next(fault, 2);
        shop.gateway.complete(session).await.unwrap();
        faults.fail_next(fault, 2);
        let capture = shop.fetch(session).await.facts[0].reference.clone();
        let session = SessionRef { charge: Some(&capture), ..session };
        faults.fail_next(fault, 2);
        let refund = shop.gateway.refund(session, usd(100), &format!("r-{number}")).await.unwrap();
        let facts = shop.fetch(session).await.facts;
        assert_eq!(kinds(&facts), [(FactKind::Captured, 1_000), (FactKind::Refunded, 100)]);
        assert_eq!(facts[1], refund);
    }
    assert_eq!(shop.stand_ins.books().len(), 2);
    // The verifications of webhooks are calls that can fail, too.
    eventually("all webhooks", async || shop.stand_ins.pending_webhooks() == 0).await;
    // A longer outage is reported, and the call can be repeated later.
    shop.stand_ins.faults().fail_next(Fault::After, 3);
    let opened = shop.try_open(PAYMENT, usd(500)).await;
    assert!(matches!(opened, Err(GatewayError::Unavailable(_))), "{opened:?}");
    let order = shop.open(PAYMENT, 500).await.reference;
    assert_eq!(shop.open(PAYMENT, 500).await.reference, order);
}

/// Repeats a call, as the shop's jobs do, until there is an answer.
async fn repeat<T: std::fmt::Debug>(call: impl AsyncFn() -> Result<T, GatewayError>) -> T {
    loop {
        match call().await {
            Ok(answer) => return answer,
            Err(GatewayError::Unavailable(_)) => continue,
            Err(refused) => panic!("{refused}"),
        }
    }
}

/// With each call made several times at once.
async fn pay_and_refund(shop: &Shop, number: u32) {
    let payment = format!("01kabcdefghjkmnpqrstvwxy{number:02}");
    let open = || async { shop.try_open(&payment, usd(1_000)).await };
    let (first, second) = tokio::join!(repeat(open), repeat(open));
    assert_eq!(first, second);
    shop.choose(&first.reference, "balance").await;
    let session = session(&payment, &first.reference, 1_000);
    let complete = || async { shop.gateway.complete(session).await };
    tokio::join!(repeat(complete), repeat(complete), repeat(complete));
    let fetch = || async { shop.gateway.fetch(session).await };
    let capture = repeat(fetch).await.facts[0].reference.clone();
    let session = SessionRef { charge: Some(&capture), ..session };
    let refund = || async { shop.gateway.refund(session, usd(100), &payment).await };
    let (first, second) = tokio::join!(repeat(refund), repeat(refund));
    assert_eq!(first, second);
    let fetch = || async { shop.gateway.fetch(session).await };
    let facts = repeat(fetch).await.facts;
    assert_eq!(kinds(&facts), [(FactKind::Captured, 1_000), (FactKind::Refunded, 100)]);
}

#[tokio::test]
async fn many_calls_at_once_with_many_faults_move_money_once() {
    let shop = Shop::start().await;
    shop.stand_ins.faults().set(FaultRates {
        fail_before_percent: 15,
        fail_after_percent: 15,
        webhook_repeats: 2,
        webhook_lost_percent: 20,
        webhook_forged_percent: 20,
        ..Default::default()
    });
    let payments = (0..8).map(|number| pay_and_refund(&shop, number));
    futures_util::future::join_all(payments).await;
    let books = shop.stand_ins.books();
    assert_eq!(books.len(), 8);
    assert!(
        books.iter().all(|entry| (entry.captured, entry.refunded) == (1_000, 100)),
        "{books:?}"
    );
}

#[tokio::test]
async fn an_expired_or_lost_token_is_renewed() {
    let shop = Shop::start().await;
    let order = shop.open(PAYMENT, 500).await.reference;
    shop.choose(&order, "balance").await;
    shop.clock.advance(Duration::from_secs(2 * 3600));
    let session = session(PAYMENT, &order, 500);
    assert_eq!(shop.fetch(session).await.status, SessionStatus::Approved);
    shop.gateway.complete(session).await.unwrap();
    shop.clock.advance(24 * HOUR);
    assert_eq!(shop.fetch(session).await.status, SessionStatus::Closed);
    // A wrong secret is no outage.
    let settings = PaymentSettings {
        paypal_client_secret: Some(SecretText::new("wrong")),
        ..shop.settings.clone()
    };
    let wrong = gateway_of(&settings, &shop.clock);
    assert_eq!(code(wrong.check().await), "invalid_client");
    assert_eq!(code(wrong.fetch(session).await), "invalid_client");
}

#[tokio::test]
async fn the_books_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let shop = Shop::start_in(Some(folder.path()), 1).await;
    let (order, capture) = shop.pay(PAYMENT, 1_000).await;
    let approved = shop.open(OTHER_PAYMENT, 700).await.reference;
    shop.choose(&approved, "balance").await;
    let session_1 = SessionRef { charge: Some(&capture), ..session(PAYMENT, &order, 1_000) };
    let refund = shop.gateway.refund(session_1, usd(250), "r").await.unwrap();
    assert_eq!(shop.act(&capture, "dispute", "1.00").await, StatusCode::SEE_OTHER);
    let before = shop.fetch(session_1).await;
    let books = shop.stand_ins.books();

    // With the same randomness: no id is given twice.
    let restarted = Shop::start_in(Some(folder.path()), 1).await;
    assert_eq!(restarted.stand_ins.books(), books);
    assert_eq!(restarted.fetch(session_1).await, before);
    assert_eq!(restarted.gateway.refund(session_1, usd(250), "r").await.unwrap(), refund);
    restarted.gateway.complete(session_1).await.unwrap();
    let session_2 = session(OTHER_PAYMENT, &approved, 700);
    restarted.gateway.complete(session_2).await.unwrap();
    assert_eq!(kinds(&restarted.fetch(session_2).await.facts), [(FactKind::Captured, 700)]);
    assert_eq!(restarted.stand_ins.books().len(), 2);
}

#[tokio::test]
async fn forged_changed_and_old_webhooks_are_refused() {
    let shop = Shop::start().await;
    let faults =
        FaultRates { webhook_forged_percent: 100, webhook_repeats: 2, ..Default::default() };
    shop.stand_ins.faults().set(faults);
    shop.pay(PAYMENT, 1_000).await;
    eventually("all webhooks", async || shop.stand_ins.pending_webhooks() == 0).await;
    let wrong = WebhookError::Unverified("the signature is wrong");
    let refused = shop.deliveries().iter().filter(|one| one.result == Err(wrong.clone())).count();
    assert_eq!(refused, 2);
    for kind in ["CHECKOUT.ORDER.APPROVED", "PAYMENT.CAPTURE.COMPLETED"] {
        let events = shop.events(kind);
        assert!(!events.is_empty() && events.iter().all(|event| *event == events[0]), "{events:?}");
    }

    let genuine = shop.deliveries().into_iter().find(|one| one.result.is_ok()).unwrap();
    let now = shop.clock.now();
    let check = async |headers: &HeaderMap, body: &[u8], now| {
        shop.gateway.webhook(headers, body, now).await
    };
    assert_eq!(check(&genuine.headers, &genuine.body, now).await, genuine.result);
    // The same JSON, written again.
    let json: Value = serde_json::from_slice(&genuine.body).unwrap();
    let again = json.to_string();
    assert_eq!(check(&genuine.headers, again.as_bytes(), now).await, Err(wrong.clone()));
    let changed = String::from_utf8(genuine.body.to_vec()).unwrap().replacen("10.00", "99.00", 1);
    assert_eq!(check(&genuine.headers, changed.as_bytes(), now).await, Err(wrong.clone()));
    for body in ["", "[]", "{}{}", "{},\"webhook_id\":\"x\""] {
        assert!(check(&genuine.headers, body.as_bytes(), now).await.is_err(), "{body}");
    }
    for name in ["paypal-transmission-id", "paypal-transmission-time", "paypal-transmission-sig"] {
        let mut headers = genuine.headers.clone();
        let other = if name.ends_with("time") { "2026-11-20T11:59:00.000Z" } else { "another" };
        headers.insert(name, other.parse().unwrap());
        assert_eq!(check(&headers, &genuine.body, now).await, Err(wrong.clone()), "{name}");
        headers.remove(name);
        assert!(matches!(
            check(&headers, &genuine.body, now).await,
            Err(WebhookError::Unverified(_))
        ));
    }
    let late = now.plus(4 * 24 * HOUR);
    let late = check(&genuine.headers, &genuine.body, late).await;
    assert_eq!(late, Err(WebhookError::Unverified("not of this time")));
    // An outage of the verification says nothing about the webhook.
    shop.stand_ins.faults().fail_next(Fault::Before, 3);
    let unknown = check(&genuine.headers, &genuine.body, now).await;
    assert!(matches!(unknown, Err(WebhookError::Unavailable(_))), "{unknown:?}");
    let other_app =
        PaymentSettings { paypal_webhook_id: Some("ANOTHER".into()), ..shop.settings.clone() };
    let other_app = gateway_of(&other_app, &shop.clock);
    assert_eq!(other_app.webhook(&genuine.headers, &genuine.body, now).await, Err(wrong));
}

#[tokio::test]
async fn charges_are_listed_with_their_refunds() {
    let shop = Shop::start().await;
    let from = shop.clock.now();
    let (order, capture) = shop.pay(PAYMENT, 1_000).await;
    let to = from.plus(24 * HOUR);
    shop.clock.advance(40 * 24 * HOUR);
    let (_, later) = shop.pay(OTHER_PAYMENT, 700).await;
    let session = SessionRef { charge: Some(&capture), ..session(PAYMENT, &order, 1_000) };
    shop.gateway.refund(session, usd(250), "r").await.unwrap();
    let listed = shop.gateway.list(from, to).await.unwrap().unwrap();
    let [charge] = &listed[..] else { panic!("{listed:?}") };
    assert_eq!(
        (charge.reference.as_str(), charge.payment.as_deref()),
        (capture.as_str(), Some(PAYMENT))
    );
    assert_eq!((charge.captured, charge.refunded), (usd(1_000), usd(250)));
    let all = shop.gateway.list(from, shop.clock.now().plus(HOUR)).await;
    assert_eq!(all.unwrap().unwrap().iter().filter(|charge| charge.reference == later).count(), 1);
}

#[tokio::test]
async fn amounts_are_exact_in_every_currency_or_refused() {
    let shop = Shop::start().await;
    let mut opened = 0;
    for currency in Currency::all() {
        let payment = format!("01kabcdefghjkmnpqrstvwx{currency}");
        let Some((least, most)) = shop.gateway.range(currency) else {
            assert_eq!(code(shop.try_open(&payment, Money::new(100, currency)).await), "currency");
            continue;
        };
        opened += 1;
        let order = shop.try_open(&payment, least).await.unwrap().reference;
        shop.choose(&order, "balance").await;
        let session =
            SessionRef { payment: &payment, reference: &order, amount: least, charge: None };
        shop.gateway.complete(session).await.unwrap();
        assert_eq!(shop.fetch(session).await.facts[0].amount, least, "{currency}");
        assert!(shop.try_open(&format!("{payment}+"), most).await.is_ok(), "{currency}");
    }
    assert_eq!(opened, 24);
    assert_eq!(shop.gateway.range("BDT".parse().unwrap()), None);
    let forint = Money::new(1_050, "HUF".parse().unwrap());
    assert_eq!(code(shop.try_open(PAYMENT, forint).await), "amount_decimals");
}

#[tokio::test]
async fn an_order_of_another_payment_is_not_taken() {
    let shop = Shop::start().await;
    let (order, _) = shop.pay(PAYMENT, 1_000).await;
    let other = session(OTHER_PAYMENT, &order, 1_000);
    assert_eq!(code(shop.gateway.fetch(other).await), "another_payment");
}

#[tokio::test]
async fn two_orders_of_the_same_payment_are_paid_once() {
    let shop = Shop::start().await;
    let first = shop.open(PAYMENT, 500).await.reference;
    shop.clock.advance(Duration::from_secs(2 * 3600));
    shop.choose(&first, "balance").await;
    shop.gateway.complete(session(PAYMENT, &first, 500)).await.unwrap();
    shop.clock.advance(5 * HOUR);
    // PayPal has forgotten the request, but not that the invoice is paid.
    assert_eq!(code(shop.try_open(PAYMENT, usd(500)).await), "DUPLICATE_INVOICE_ID");
    assert_eq!(shop.stand_ins.books().len(), 1);
}

fn order_body(change: impl FnOnce(&mut Value)) -> String {
    let mut body = json!({
        "intent": "CAPTURE",
        "purchase_units": [{ "amount": { "currency_code": "USD", "value": "10.00" }, "custom_id": PAYMENT }],
        "payment_source": { "paypal": { "experience_context": {
            "return_url": "https://shop.example/a", "cancel_url": "https://shop.example/b", "locale": "en-US",
        }}},
    });
    change(&mut body);
    body.to_string()
}

#[tokio::test]
async fn the_stand_in_is_as_strict_as_paypal() {
    let shop = Shop::start().await;
    let json = ("content-type", "application/json");
    let key = ("paypal-request-id", "k");
    let create = async |headers: &[(&str, &str)], body: &str| {
        let (status, answer) = shop.call(Method::POST, "/v2/checkout/orders", headers, body).await;
        (status.as_u16(), answer["details"][0]["issue"].as_str().unwrap_or_default().to_owned())
    };
    let amount = |value: &str| {
        let value = value.to_owned();
        order_body(|body| body["purchase_units"][0]["amount"]["value"] = value.into())
    };
    let cases = [
        (order_body(|body| body["intent"] = "SALE".into()), 400, "INVALID_PARAMETER_VALUE"),
        (order_body(|body| body["surprise"] = 1.into()), 400, "NOT_SUPPORTED"),
        (order_body(|body| body["purchase_units"] = json!([])), 400, "INVALID_ARRAY_MIN_ITEMS"),
        (
            order_body(|body| body["purchase_units"][0]["custom_id"] = "a".repeat(128).into()),
            400,
            "INVALID_STRING_LENGTH",
        ),
        (
            order_body(|body| {
                body["payment_source"]["paypal"]["experience_context"]["locale"] = "bn".into()
            }),
            400,
            "INVALID_PARAMETER_SYNTAX",
        ),
        (amount("ten"), 400, "INVALID_PARAMETER_SYNTAX"),
        (amount("10.005"), 422, "DECIMAL_PRECISION"),
        (amount("0.00"), 422, "CANNOT_BE_ZERO_OR_NEGATIVE"),
        (amount("-1.00"), 422, "CANNOT_BE_ZERO_OR_NEGATIVE"),
        (amount("1000000000000000.00"), 422, "MAX_VALUE_EXCEEDED"),
        (
            order_body(|body| body["purchase_units"][0]["amount"]["currency_code"] = "BDT".into()),
            422,
            "INVALID_CURRENCY_CODE",
        ),
        (
            order_body(|body| body["purchase_units"][0]["amount"]["currency_code"] = "JPY".into()),
            422,
            "DECIMALS_NOT_SUPPORTED",
        ),
        ("{".to_owned(), 400, "MALFORMED_REQUEST_JSON"),
    ];
    for (body, status, issue) in cases {
        assert_eq!(create(&[json, key], &body).await, (status, issue.to_owned()), "{body}");
    }
    let fine = order_body(|_| {});
    assert_eq!(create(&[json], &fine).await, (400, "PAYPAL_REQUEST_ID_REQUIRED".to_owned()));
    assert_eq!(create(&[key], &fine).await.0, 415);
    assert_eq!(create(&[json, key], &fine).await.0, 201);
    assert_eq!(create(&[json, key], &fine).await.0, 200);
    let used = (422, "DUPLICATE_REQUEST_ID".to_owned());
    assert_eq!(create(&[json, key], &amount("11.00")).await, used);
    // Without or with a wrong token, nothing is told.
    for path in [
        "/v2/checkout/orders/A",
        "/v2/payments/captures/A",
        "/v1/customer/disputes",
        "/v1/reporting/transactions",
    ] {
        let url = format!("{}{path}", shop.url);
        let answer =
            shop.http.exchange(Method::GET, &url, |request| request.bearer_auth("no")).await;
        assert_eq!(answer.unwrap().status, StatusCode::UNAUTHORIZED, "{path}");
    }
}

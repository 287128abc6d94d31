//! The client of bKash against its stand-in, over a loopback port.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a panic fails the test")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, LOCATION};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use payment_providers::{
    CustomerDetails, Fact, FactKind, Gateway, GatewayError, OpenRequest, Opened, PaymentSettings,
    SecretText, SessionRef, SessionStatus, Snapshot, WebhookError,
};
use payment_stand_ins::bkash::{APP_KEY, APP_SECRET, PASSWORD, USERNAME, WALLET_BLOCKED};
use payment_stand_ins::{Fault, StandInOptions, StandIns};
use platform::http_client::{HttpClient, HttpResponse};
use platform::secret::Secret;
use platform::{Currency, Db, Language, Money};
use serde_json::{Value, json};
use test_support::{Engine, TestDb};

const PAYMENT: &str = "01JD0000000000000000000001";
const TAKA_100: Money = Money::new(10_000, Currency::BDT);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

/// What the test does to the calls of the stand-in, and how often each path was called.
#[derive(Default)]
struct Wire {
    calls: BTreeMap<String, usize>,
    /// By path: after so many calls, the answers to so many are lost, when their work is done.
    lost: BTreeMap<String, (usize, usize)>,
    /// The token of the latest call.
    token: String,
    /// A token that bKash has forgotten.
    refused: Option<String>,
}

impl Wire {
    fn is_lost(&mut self, path: &str) -> bool {
        *self.calls.entry(path.to_owned()).or_default() += 1;
        match self.lost.get_mut(path) {
            Some((skipped, _)) if *skipped > 0 => *skipped -= 1,
            Some((_, left)) if *left > 0 => {
                *left -= 1;
                return true;
            }
            _ => {}
        }
        false
    }
}

type SharedWire = Arc<Mutex<Wire>>;

async fn carry(State(wire): State<SharedWire>, request: Request, next: Next) -> Response {
    let path = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
    let token =
        request.headers().get(AUTHORIZATION).map(|token| token.to_str().unwrap().to_owned());
    if let Some(token) = token {
        let mut wire = wire.lock().unwrap();
        if wire.refused.as_ref() == Some(&token) {
            return (StatusCode::UNAUTHORIZED, Json(json!({ "message": "Unauthorized" })))
                .into_response();
        }
        wire.token = token;
    }
    let answer = next.run(request).await;
    match wire.lock().unwrap().is_lost(&path) {
        true => StatusCode::GATEWAY_TIMEOUT.into_response(),
        false => answer,
    }
}

struct Shop {
    url: String,
    gateway: Gateway,
    stand_ins: StandIns,
    db: TestDb,
    browser: HttpClient,
    wire: SharedWire,
}

fn settings(url: &str) -> PaymentSettings {
    PaymentSettings {
        bkash_username: Some(USERNAME.into()),
        bkash_password: Some(SecretText::new(PASSWORD)),
        bkash_app_key: Some(SecretText::new(APP_KEY)),
        bkash_app_secret: Some(SecretText::new(APP_SECRET)),
        bkash_url: Some(format!("{url}/dev/payments/bkash")),
        ..Default::default()
    }
}

fn gateway(settings: &PaymentSettings, db: &Db, given: &TestDb) -> Gateway {
    let secret = Secret::new(&"s".repeat(32)).unwrap();
    settings.gateways(db, &given.clock, &secret).unwrap().remove(0)
}

impl Shop {
    async fn start() -> Self {
        let db = TestDb::new(Engine::Sqlite).await;
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
        let wire = SharedWire::default();
        let router = Router::new()
            .nest("/dev/payments", stand_ins.router())
            .layer(from_fn_with_state(wire.clone(), carry));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let gateway = gateway(&settings(&url), &db.db, &db);
        Self { url, gateway, stand_ins, db, browser: HttpClient::new(), wire }
    }

    /// Another server of the same shop.
    async fn other_server(&self) -> Gateway {
        let db = Db::open(&self.db.url).await.unwrap();
        gateway(&settings(&self.url), &db, &self.db)
    }

    fn lose(&self, path: &str, answers: usize) {
        self.lose_after(path, 0, answers);
    }

    fn lose_after(&self, path: &str, calls: usize, answers: usize) {
        self.wire.lock().unwrap().lost.insert(path.to_owned(), (calls, answers));
    }

    fn calls(&self, path: &str) -> usize {
        self.wire.lock().unwrap().calls.get(path).copied().unwrap_or_default()
    }

    async fn try_to_open(&self, amount: Money, phone: &str) -> Result<Opened, GatewayError> {
        let return_url = format!("{}/payments/return?payment={PAYMENT}", self.url);
        let request = OpenRequest {
            payment: PAYMENT,
            order_number: "H-1001",
            amount,
            title: "Order H-1001",
            language: Language::ENGLISH,
            customer: CustomerDetails { phone, ..Default::default() },
            return_url: &return_url,
            webhook_url: "",
            expires_at: self.db.clock.now().plus(HOUR),
            now: self.db.clock.now(),
            reserve_only: false,
        };
        self.gateway.open(&request).await
    }

    async fn open(&self) -> Opened {
        self.try_to_open(TAKA_100, "+8801712345678").await.unwrap()
    }

    async fn post(&self, url: &str, form: &[(&str, &str)]) -> HttpResponse {
        self.browser.exchange(Method::POST, url, |request| request.form(form)).await.unwrap()
    }

    /// Presses a button of bKash's page, and answers where it leads.
    async fn choose(&self, opened: &Opened, choice: &str) -> String {
        self.choose_with(opened, choice, "01770618575").await
    }

    async fn choose_with(&self, opened: &Opened, choice: &str, wallet: &str) -> String {
        let query = opened.redirect.split_once('?').unwrap().1;
        let mut form: Vec<(&str, &str)> =
            query.split('&').map(|pair| pair.split_once('=').unwrap()).collect();
        form.extend([("wallet", wallet), ("otp", "123456"), ("pin", "12121"), ("choice", choice)]);
        let answer = self.post(opened.redirect.split_once('?').unwrap().0, &form).await;
        let location = answer.headers.get(LOCATION).map(|url| url.to_str().unwrap().to_owned());
        location.unwrap_or_default()
    }

    /// A session that the shopper has agreed to.
    async fn approved(&self) -> Opened {
        let opened = self.open().await;
        let back = self.choose(&opened, "pay").await;
        let expected = format!("payment={PAYMENT}&paymentID={}&status=success", opened.reference);
        assert!(back.ends_with(&expected), "{back}");
        opened
    }

    /// A payment that was paid, and the id of the charge.
    async fn paid(&self) -> (Opened, String) {
        let opened = self.approved().await;
        self.gateway.complete(session(&opened)).await.unwrap();
        let charge = self.fetch(&opened).await.facts[0].reference.clone();
        (opened, charge)
    }

    async fn fetch(&self, opened: &Opened) -> Snapshot {
        self.gateway.fetch(session(opened)).await.unwrap()
    }

    async fn refund(
        &self,
        (opened, charge): &(Opened, String),
        minor: i64,
        key: &str,
    ) -> Result<Fact, GatewayError> {
        let session = SessionRef { charge: Some(charge), ..session(opened) };
        self.gateway.refund(session, Money::new(minor, Currency::BDT), key).await
    }

    /// What was captured and refunded.
    fn books(&self) -> Vec<(i64, i64)> {
        self.stand_ins.books().iter().map(|entry| (entry.captured, entry.refunded)).collect()
    }
}

fn session(opened: &Opened) -> SessionRef<'_> {
    SessionRef { payment: PAYMENT, reference: &opened.reference, amount: TAKA_100, charge: None }
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

const CAPTURED: (FactKind, i64, &str) = (FactKind::Captured, 10_000, "");

#[tokio::test]
async fn a_payment_is_opened_approved_and_executed() {
    let shop = Shop::start().await;
    let opened = shop.open().await;
    let page = shop.browser.get_bytes(&opened.redirect, 1 << 20).await.unwrap();
    let page = String::from_utf8(page.to_vec()).unwrap();
    assert!(page.contains("100.00") && page.contains(PAYMENT) && page.contains("01712345678"));
    assert_eq!(shop.fetch(&opened).await, Snapshot { status: SessionStatus::Open, facts: vec![] });

    shop.choose(&opened, "pay").await;
    let approved = Snapshot { status: SessionStatus::Approved, facts: vec![] };
    assert_eq!(shop.fetch(&opened).await, approved);
    assert_eq!(shop.books(), []);

    shop.gateway.complete(session(&opened)).await.unwrap();
    let paid = shop.fetch(&opened).await;
    assert_eq!((paid.status, told(&paid)), (SessionStatus::Closed, vec![CAPTURED]));
    for _ in 0..2 {
        shop.gateway.complete(session(&opened)).await.unwrap();
        shop.gateway.cancel(session(&opened), "key").await.unwrap();
        assert_eq!(shop.fetch(&opened).await, paid);
    }
    assert_eq!(shop.books(), [(10_000, 0)]);
    assert_eq!((shop.calls("execute"), shop.calls("grant")), (1, 1));
}

/// Anybody can write `status=success` behind the return address.
#[tokio::test]
async fn a_forged_return_changes_nothing() {
    let shop = Shop::start().await;
    let opened = shop.open().await;
    shop.gateway.complete(session(&opened)).await.unwrap();
    assert_eq!(shop.fetch(&opened).await.status, SessionStatus::Open);
    assert_eq!((shop.calls("execute"), shop.books()), (0, vec![]));
    // Another payment's id.
    let (paid, _) = shop.paid().await;
    let foreign = SessionRef { payment: "01JD0000000000000000000009", ..session(&paid) };
    assert_eq!(refused(shop.gateway.fetch(foreign).await), "mismatch");
    let unknown = SessionRef { reference: "TR0011UNKNOWN", ..session(&paid) };
    assert_eq!(refused(shop.gateway.fetch(unknown).await), "2002");
    // A page of somebody else, whose hash is not known.
    let guessed = Opened { redirect: opened.redirect.replace("hash=", "hash=X"), ..opened };
    assert_eq!(shop.choose(&guessed, "pay").await, "");
    assert_eq!(shop.fetch(&guessed).await.status, SessionStatus::Open);
}

#[tokio::test]
async fn what_the_shopper_breaks_off_stays_open() {
    let shop = Shop::start().await;
    for (choice, status) in [("cancel", "cancel"), ("wrong_pin", "failure")] {
        let opened = shop.open().await;
        let back = shop.choose(&opened, choice).await;
        assert!(back.ends_with(&format!("&status={status}")), "{back}");
        // bKash does not tell; it is over after a day.
        assert_eq!(shop.fetch(&opened).await.status, SessionStatus::Open);
        shop.gateway.complete(session(&opened)).await.unwrap();
    }
    assert_eq!((shop.calls("execute"), shop.books()), (0, vec![]));
}

#[tokio::test]
async fn a_refused_execution_ends_the_payment() {
    let shop = Shop::start().await;
    for (choice, wallet, code) in [("no_funds", "", "2023"), ("pay", WALLET_BLOCKED, "2037")] {
        let opened = shop.open().await;
        shop.choose_with(&opened, choice, wallet).await;
        assert_eq!(shop.fetch(&opened).await.status, SessionStatus::Approved);
        let executed = shop.calls("execute");
        assert_eq!(refused(shop.gateway.complete(session(&opened)).await), code);
        let over = shop.fetch(&opened).await;
        assert_eq!(over.status, SessionStatus::Closed);
        assert_eq!(told(&over), [(FactKind::Failed, 10_000, code)]);
        // It is not tried again, by any server.
        shop.other_server().await.complete(session(&opened)).await.unwrap();
        assert_eq!(shop.calls("execute"), executed + 1);
        assert_eq!(shop.other_server().await.fetch(session(&opened)).await.unwrap(), over);
    }
    assert_eq!(shop.books(), []);
}

#[tokio::test]
async fn an_execution_that_times_out_after_its_work_is_one_charge() {
    let shop = Shop::start().await;
    let opened = shop.approved().await;
    shop.lose("execute", 1);
    shop.gateway.complete(session(&opened)).await.unwrap();
    assert_eq!(told(&shop.fetch(&opened).await), [CAPTURED]);
    assert_eq!((shop.calls("execute"), shop.books()), (1, vec![(10_000, 0)]));
}

#[tokio::test]
async fn after_an_unclear_execution_the_status_is_asked_before_another() {
    let shop = Shop::start().await;
    let opened = shop.approved().await;
    // Neither the execution nor the status after it is answered.
    shop.lose("execute", 1);
    shop.lose_after("status", 1, 1);
    unavailable(shop.gateway.complete(session(&opened)).await);
    assert_eq!((shop.calls("status"), shop.calls("execute")), (2, 1));
    shop.gateway.complete(session(&opened)).await.unwrap();
    assert_eq!(told(&shop.fetch(&opened).await), [CAPTURED]);
    assert_eq!((shop.calls("execute"), shop.books()), (1, vec![(10_000, 0)]));

    // Without knowing the status, it is not executed at all.
    let opened = shop.approved().await;
    shop.lose("status", 1);
    unavailable(shop.gateway.complete(session(&opened)).await);
    assert_eq!(shop.calls("execute"), 1);
}

#[tokio::test]
async fn servers_that_complete_at_once_charge_once() {
    let shop = Shop::start().await;
    let opened = shop.approved().await;
    let mut servers = Vec::new();
    for _ in 0..4 {
        servers.push(shop.other_server().await);
    }
    let at_once = servers.into_iter().map(|server| {
        let opened = opened.clone();
        tokio::spawn(async move { server.complete(session(&opened)).await })
    });
    for done in Vec::from_iter(at_once) {
        done.await.unwrap().unwrap();
    }
    assert_eq!(told(&shop.fetch(&opened).await), [CAPTURED]);
    assert_eq!((shop.books(), shop.calls("grant")), (vec![(10_000, 0)], 1));
}

#[tokio::test]
async fn after_a_day_a_payment_is_over() {
    let shop = Shop::start().await;
    let (waiting, approved) = (shop.open().await, shop.approved().await);
    let paid = shop.paid().await.0;
    shop.db.clock.advance(24 * HOUR);
    for opened in [&waiting, &approved] {
        shop.gateway.complete(session(opened)).await.unwrap();
        let over = shop.fetch(opened).await;
        assert_eq!(over.status, SessionStatus::Closed);
        assert_eq!(told(&over), [(FactKind::Failed, 10_000, "expired")]);
    }
    assert_eq!(told(&shop.fetch(&paid).await), [CAPTURED]);
    assert_eq!((shop.calls("execute"), shop.books()), (1, vec![(10_000, 0)]));
    assert_eq!(shop.choose(&waiting, "pay").await, "");
}

#[tokio::test]
async fn a_refund_can_be_partial_and_is_made_once() {
    let shop = Shop::start().await;
    let paid = shop.paid().await;
    let first = shop.refund(&paid, 2_550, "key-1").await.unwrap();
    assert_eq!((first.kind, first.amount.minor()), (FactKind::Refunded, 2_550));
    assert_eq!(shop.refund(&paid, 2_550, "key-1").await.unwrap(), first);
    assert_eq!(refused(shop.refund(&paid, 2_551, "key-1").await), "key_reused");
    assert_eq!(shop.books(), [(10_000, 2_550)]);

    // The same amount is refused for ten minutes.
    assert!(unavailable(shop.refund(&paid, 2_550, "key-2").await).starts_with("2029"));
    shop.db.clock.advance(11 * MINUTE);
    let second = shop.refund(&paid, 2_550, "key-2").await.unwrap();
    assert_ne!(second.reference, first.reference);
    assert_eq!(refused(shop.refund(&paid, 4_901, "key-3").await), "2072");
    let third = shop.refund(&paid, 4_900, "key-3").await.unwrap();
    assert_eq!(shop.books(), [(10_000, 10_000)]);

    let facts = shop.fetch(&paid.0).await.facts;
    assert_eq!(facts[1..], [first, second, third]);
    let uncharged = shop.gateway.refund(session(&paid.0), TAKA_100, "key-4").await;
    assert_eq!(refused(uncharged), "not_captured");
    let other = (paid.0.clone(), "OTHER".to_owned());
    assert_eq!(refused(shop.refund(&other, 100, "key-5").await), "2077");
}

#[tokio::test]
async fn a_refund_repeated_after_a_lost_answer_is_one_refund() {
    let shop = Shop::start().await;
    let paid = shop.paid().await;
    shop.lose("transaction", 1);
    unavailable(shop.refund(&paid, 10_000, "key").await);
    assert!(unavailable(shop.refund(&paid, 10_000, "key").await).contains("a moment ago"));
    shop.db.clock.advance(MINUTE);
    let fact = shop.refund(&paid, 10_000, "key").await.unwrap();
    assert_eq!((shop.books(), shop.calls("transaction")), (vec![(10_000, 10_000)], 1));
    assert_eq!(shop.fetch(&paid.0).await.facts[1..], [fact]);
    // That it was paid does not depend on the list of refunds, whose path ends like the payment's.
    shop.lose_after("status", 1, 1);
    assert_eq!(told(&shop.fetch(&paid.0).await), [CAPTURED]);
}

#[tokio::test]
async fn equal_refunds_with_lost_answers_are_told_apart() {
    let shop = Shop::start().await;
    let paid = shop.paid().await;
    shop.lose("transaction", 2);
    unavailable(shop.refund(&paid, 1_000, "key-1").await);
    shop.db.clock.advance(11 * MINUTE);
    unavailable(shop.refund(&paid, 1_000, "key-2").await);
    shop.db.clock.advance(MINUTE);
    let second = shop.refund(&paid, 1_000, "key-2").await.unwrap();
    let first = shop.refund(&paid, 1_000, "key-1").await.unwrap();
    assert_ne!(first.reference, second.reference);
    assert_eq!((shop.books(), shop.calls("transaction")), (vec![(10_000, 2_000)], 2));
}

#[tokio::test]
async fn a_refund_that_never_reached_bkash_is_made_when_it_is_repeated() {
    let shop = Shop::start().await;
    let paid = shop.paid().await;
    // The list is asked first, and is an outage as well.
    shop.stand_ins.faults().fail_next(Fault::Before, 1);
    unavailable(shop.refund(&paid, 1_000, "key").await);
    let fact = shop.refund(&paid, 1_000, "key").await.unwrap();
    assert_eq!((fact.amount.minor(), shop.books()), (1_000, vec![(10_000, 1_000)]));
}

#[tokio::test]
async fn what_bkash_refuses_to_open_is_refused() {
    let shop = Shop::start().await;
    let open = async |minor, code: &str| {
        let currency: Currency = code.parse().unwrap();
        shop.try_to_open(Money::new(minor, currency), "").await
    };
    assert_eq!(refused(open(99, "BDT").await), "2006");
    assert_eq!(refused(open(10_000, "USD").await), "2007");
    assert!(open(100, "BDT").await.is_ok());
    let (least, _) = shop.gateway.range(Currency::BDT).unwrap();
    assert_eq!(least.minor(), 100);
}

#[tokio::test]
async fn wrong_keys_are_noticed() {
    let shop = Shop::start().await;
    shop.gateway.check().await.unwrap();
    let wrong = [
        PaymentSettings { bkash_username: Some("wrong".into()), ..settings(&shop.url) },
        PaymentSettings { bkash_password: Some(SecretText::new("wrong")), ..settings(&shop.url) },
        PaymentSettings { bkash_app_secret: Some(SecretText::new("wrong")), ..settings(&shop.url) },
    ];
    for settings in wrong {
        let given = TestDb::new(Engine::Sqlite).await;
        let why = gateway(&settings, &given.db, &given).check().await.unwrap_err();
        assert!(matches!(why, GatewayError::Refused { .. }), "{why:?}");
        assert!(!why.to_string().contains(PASSWORD) && !why.to_string().contains(APP_SECRET));
    }
}

#[tokio::test]
async fn a_token_that_bkash_has_forgotten_is_replaced_and_no_third_one_asked_for() {
    let shop = Shop::start().await;
    let other = shop.other_server().await;
    let forget = || {
        let mut wire = shop.wire.lock().unwrap();
        wire.refused = Some(wire.token.clone());
    };
    shop.gateway.check().await.unwrap();
    forget();
    shop.gateway.check().await.unwrap();
    other.check().await.unwrap();
    assert_eq!(shop.calls("grant"), 2);
    forget();
    for _ in 0..3 {
        assert!(unavailable(shop.gateway.check().await).contains("bKash allows no more"));
        assert!(unavailable(other.check().await).contains("bKash allows no more"));
    }
    assert_eq!(shop.calls("grant"), 2);
    shop.db.clock.advance(62 * MINUTE);
    other.check().await.unwrap();
    shop.gateway.check().await.unwrap();
    assert_eq!(shop.calls("grant"), 3);
}

#[tokio::test]
async fn many_calls_of_many_servers_need_one_grant_an_hour() {
    let shop = Shop::start().await;
    let servers = [shop.other_server().await, shop.other_server().await, shop.other_server().await];
    for hour in 1..=3 {
        for server in servers.iter().cycle().take(12) {
            server.check().await.unwrap();
            shop.db.clock.advance(5 * MINUTE);
        }
        assert!(shop.calls("grant") <= hour + 1);
    }
}

#[tokio::test]
async fn what_it_cannot_do_is_said() {
    let shop = Shop::start().await;
    let opened = shop.open().await;
    assert!(!shop.gateway.can_reserve());
    let captured = shop.gateway.capture(session(&opened), TAKA_100, "key").await;
    assert_eq!(refused(captured), "unsupported");
    let now = shop.db.clock.now();
    assert_eq!(shop.gateway.list(now, now).await.unwrap(), None);
    let webhook = shop.gateway.webhook(&HeaderMap::new(), b"{}", now).await;
    assert!(matches!(webhook, Err(WebhookError::Unverified(_))));
    assert_eq!(shop.gateway.page_origins(), std::slice::from_ref(&shop.url));
}

#[tokio::test]
async fn the_stand_in_is_strict() {
    let shop = Shop::start().await;
    let api = format!("{}/dev/payments/bkash/v1.2.0-beta/tokenized/checkout", shop.url);
    let post = async |url: &str, token: &str, body: &Value| -> (StatusCode, Value) {
        let sent = shop.browser.exchange(Method::POST, url, |request| {
            let request = request.header("username", USERNAME).header("password", PASSWORD);
            request.header("authorization", token).header("x-app-key", APP_KEY).json(body)
        });
        let answer = sent.await.unwrap();
        (answer.status, serde_json::from_slice(&answer.body).unwrap_or_default())
    };
    let keys = json!({ "app_key": APP_KEY, "app_secret": APP_SECRET });
    let grant = format!("{api}/token/grant");
    let token = post(&grant, "", &keys).await.1["id_token"].as_str().unwrap().to_owned();
    let status = format!("{api}/payment/status");
    let unknown = json!({ "paymentID": "TR" });
    assert_eq!(post(&status, "another", &unknown).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(post(&status, &token, &unknown).await.1["statusCode"], "2002");
    assert_eq!(
        post(&status, &token, &json!({ "paymentID": "TR", "more": "1" })).await.1["statusCode"],
        "2065"
    );
    assert_eq!(post(&status, &token, &json!({ "paymentID": 1 })).await.0, StatusCode::BAD_REQUEST);

    let refund =
        format!("{}/dev/payments/bkash/v2/tokenized-checkout/refund/payment/transaction", shop.url);
    let without_sku =
        json!({ "paymentId": "TR", "trxId": "T", "refundAmount": "1.00", "reason": "r" });
    let answer = post(&refund, &token, &without_sku).await;
    assert_eq!(
        (answer.0, &answer.1["message"]),
        (StatusCode::BAD_REQUEST, &json!("Invalid request body"))
    );
    let mut complete = without_sku.clone();
    complete["sku"] = json!("s");
    let answer = post(&refund, &token, &complete).await;
    assert_eq!((answer.0, &answer.1["externalCode"]), (StatusCode::BAD_REQUEST, &json!("2002")));

    let execute = format!("{api}/execute");
    let opened = shop.open().await;
    let named = json!({ "paymentID": opened.reference });
    assert_eq!(post(&execute, &token, &named).await.1["statusCode"], "2056");
    shop.choose(&opened, "pay").await;
    assert_eq!(post(&execute, &token, &named).await.1["transactionStatus"], "Completed");
    assert_eq!(post(&execute, &token, &named).await.1["statusCode"], "2062");
    let late = shop.approved().await;
    let broke = shop.open().await;
    shop.choose(&broke, "no_funds").await;
    for code in ["2023", "2117"] {
        let answer = post(&execute, &token, &json!({ "paymentID": broke.reference })).await;
        assert_eq!(answer.1["statusCode"], code);
    }

    // The client has had one, and this test another.
    for _ in 0..2 {
        assert_eq!(post(&grant, "", &keys).await.0, StatusCode::TOO_MANY_REQUESTS);
        shop.db.clock.advance(59 * MINUTE);
    }
    shop.db.clock.advance(24 * HOUR);
    let token = post(&grant, "", &keys).await.1["id_token"].as_str().unwrap().to_owned();
    let answer = post(&execute, &token, &json!({ "paymentID": late.reference })).await;
    assert_eq!(answer.1["statusCode"], "2056");
}

#[tokio::test]
async fn the_stand_in_remembers_when_it_is_started_again() {
    let given = TestDb::new(Engine::Sqlite).await;
    let dir = tempfile::tempdir().unwrap();
    let open = || {
        StandIns::open(StandInOptions {
            base_url: "http://127.0.0.1:1/dev/payments".into(),
            webhook_url: "http://127.0.0.1:1/webhooks/payments".into(),
            clock: given.clock.clone(),
            random: given.random.clone(),
            folder: Some(dir.path().to_owned()),
        })
        .unwrap()
    };
    let serve = async |stand_ins: &StandIns| {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().nest("/dev/payments", stand_ins.router());
        tokio::spawn(async move { axum::serve(listener, router).await });
        url
    };
    let first = open();
    let mut shop = Shop::start().await;
    let url = serve(&first).await;
    shop.gateway = gateway(&settings(&url), &given.db, &given);
    let mut opened = shop.open().await;
    opened.redirect = opened.redirect.replace("http://127.0.0.1:1", &url);
    shop.choose(&opened, "pay").await;
    shop.gateway.complete(session(&opened)).await.unwrap();
    let charge = shop.fetch(&opened).await.facts[0].reference.clone();
    shop.refund(&(opened.clone(), charge), 1_000, "key").await.unwrap();
    let before = shop.fetch(&opened).await;

    let second = open();
    assert_eq!(second.books(), first.books());
    shop.gateway = gateway(&settings(&serve(&second).await), &given.db, &given);
    // The token was of another address, so that the second of this hour is asked for.
    assert_eq!(shop.fetch(&opened).await, before);
}

//! Text messages over a fake gateway.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use email::sms::{self, SendText, SmsSender, SmsSettings, TextMessage};
use platform::jobs::{self, Worker};
use test_support::TestDb;
use test_support::on_both;
use tokio::net::{TcpListener, TcpSocket};

on_both!(TestDb:
    a_text_message_is_retried_until_the_gateway_accepts_it,
    a_redirect_is_not_followed,
    an_unreachable_gateway_leaves_the_text_message_queued,
    a_demo_shop_stores_its_text_messages,
    without_a_gateway_the_text_message_stays_queued,
    a_text_message_is_queued_only_if_the_transaction_commits,
    a_code_is_sent_before_notices,
);

/// A request that the gateway received.
#[derive(Clone, Debug, PartialEq)]
struct Call {
    token: Option<String>,
    key: Option<String>,
    body: serde_json::Value,
}

/// A gateway that answers with these status codes in turn, then always with the last one.
struct Gateway {
    url: String,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl Gateway {
    async fn open(answers: &'static [u16]) -> Self {
        let calls = Arc::new(Mutex::new(Vec::new()));
        let receive =
            async |State(calls): State<Arc<Mutex<Vec<Call>>>>, headers: HeaderMap, body: String| {
                let header =
                    |name: &str| headers.get(name).map(|value| value.to_str().unwrap().to_owned());
                let call = Call {
                    token: header("authorization"),
                    key: header("idempotency-key"),
                    body: serde_json::from_str(&body).unwrap(),
                };
                let mut calls = calls.lock().unwrap();
                let answer = answers[calls.len().min(answers.len() - 1)];
                calls.push(call);
                (StatusCode::from_u16(answer).unwrap(), [("location", "/elsewhere")], "thank you")
            };
        let routes = Router::new()
            .route("/send", post(receive))
            .route("/elsewhere", post(receive))
            .with_state(calls.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/send?via=test", listener.local_addr().unwrap());
        tokio::spawn(async { axum::serve(listener, routes).await });
        Self { url, calls }
    }

    fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }
}

fn settings(url: Option<&str>) -> SmsSettings {
    SmsSettings {
        sms_url: url.map(|url| url.parse().unwrap()),
        sms_token: Some("let-me".into()),
        sms_from: Some("Haat".into()),
    }
}

fn worker(given: &TestDb, settings: &SmsSettings, demo: bool) -> Worker {
    let (db, clock) = (given.db.clone(), given.clock.clone());
    let sender = SmsSender::new(settings, demo, clock.clone()).unwrap();
    Worker::new(db, clock, given.random.clone()).register::<SendText>(sender)
}

async fn enqueue_one(given: &TestDb) {
    let text = TextMessage { to: "+8801700000000".into(), text: "Your code is 123456.".into() };
    let mut tx = given.db.begin().await.unwrap();
    sms::enqueue(&mut tx, &given.clock, &given.random, &text).unwrap();
    tx.commit().await.unwrap();
}

async fn queued_jobs(given: &TestDb) -> Vec<(String, i64, Option<String>)> {
    given.db.query("select id, attempts, last_error from jobs").all().await.unwrap()
}

async fn a_text_message_is_retried_until_the_gateway_accepts_it(given: TestDb) {
    let gateway = Gateway::open(&[503, 400, 202]).await;
    let worker = worker(&given, &settings(Some(&gateway.url)), true);
    enqueue_one(&given).await;
    let id = queued_jobs(&given).await[0].0.clone();
    for tries in 1..=3 {
        assert_eq!(worker.run_due().await.unwrap(), 1);
        assert_eq!(worker.run_due().await.unwrap(), 0, "not again at once");
        assert_eq!(gateway.calls().len(), tries);
        given.clock.advance(Duration::from_secs(60));
    }
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
    // Each attempt sends the same message with the same id.
    let call = Call {
        token: Some("Bearer let-me".into()),
        key: Some(id.clone()),
        body: serde_json::json!({
            "to": "+8801700000000", "from": "Haat", "text": "Your code is 123456.", "id": id,
        }),
    };
    assert_eq!(gateway.calls(), [call.clone(), call.clone(), call]);
}

async fn a_redirect_is_not_followed(given: TestDb) {
    let gateway = Gateway::open(&[307, 200]).await;
    let worker = worker(&given, &settings(Some(&gateway.url)), false);
    enqueue_one(&given).await;
    worker.run_due().await.unwrap();
    assert_eq!(gateway.calls().len(), 1);
    let (_, attempts, why) = queued_jobs(&given).await.remove(0);
    assert_eq!(attempts, 1);
    assert!(why.unwrap().contains("307"));
}

async fn an_unreachable_gateway_leaves_the_text_message_queued(given: TestDb) {
    // A port without a listener, bound so that nobody else gets it, and a server without TLS.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(std::net::SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let closed = socket.local_addr().unwrap();
    let plain = Gateway::open(&[200]).await;
    for url in [format!("http://{closed}/"), plain.url.replace("http:", "https:")] {
        let mut settings = settings(Some(&url));
        settings.sms_token = Some("never-told".into());
        let worker = worker(&given, &settings, false);
        enqueue_one(&given).await;
        worker.run_due().await.unwrap();
        for (_, attempts, why) in queued_jobs(&given).await {
            assert_eq!(attempts, 1);
            let why = why.unwrap();
            assert!(!why.contains("never-told") && !why.contains("123456"), "{why}");
        }
    }
    assert_eq!(plain.calls(), []);
}

async fn a_demo_shop_stores_its_text_messages(given: TestDb) {
    enqueue_one(&given).await;
    let id = queued_jobs(&given).await[0].0.clone();
    assert_eq!(worker(&given, &settings(None), true).run_due().await.unwrap(), 1);
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
    let stored = email::recent_emails(&given.db).await.unwrap();
    assert_eq!(stored.len(), 1);
    assert_eq!((stored[0].id.to_string(), stored[0].recipient.as_str()), (id, "+8801700000000"));
    let page = email::find_stored_email(&given.db, &stored[0].id).await.unwrap().text().unwrap();
    assert!(page.contains("Text message") && page.contains("Your code is 123456."), "{page}");
}

async fn without_a_gateway_the_text_message_stays_queued(given: TestDb) {
    enqueue_one(&given).await;
    worker(&given, &settings(None), false).run_due().await.unwrap();
    let (_, attempts, why) = queued_jobs(&given).await.remove(0);
    assert_eq!(attempts, 1);
    assert!(why.unwrap().contains("sms_url"));
    // A gateway is configured later.
    let gateway = Gateway::open(&[200]).await;
    given.clock.advance(Duration::from_secs(60));
    worker(&given, &settings(Some(&gateway.url)), false).run_due().await.unwrap();
    assert_eq!((gateway.calls().len(), queued_jobs(&given).await.len()), (1, 0));
}

async fn a_code_is_sent_before_notices(given: TestDb) {
    let gateway = Gateway::open(&[200]).await;
    let text = |text: String| TextMessage { to: "+8801700000000".into(), text };
    let (clock, random) = (&given.clock, &given.random);
    let mut tx = given.db.begin().await.unwrap();
    for notice in 0..12 {
        let notice = text(format!("Notice {notice}"));
        sms::enqueue_notice(&mut tx, clock, random, &notice).unwrap();
        clock.advance(Duration::from_millis(1));
    }
    sms::enqueue(&mut tx, clock, random, &text("A code".into())).unwrap();
    tx.commit().await.unwrap();
    assert_eq!(worker(&given, &settings(Some(&gateway.url)), false).run_due().await.unwrap(), 13);
    let calls = gateway.calls();
    let place = calls.iter().position(|call| call.body["text"] == "A code").unwrap();
    // A few are sent at the same time.
    assert!(place < 4 && calls.len() == 13, "{place}");
}

async fn a_text_message_is_queued_only_if_the_transaction_commits(given: TestDb) {
    let text = TextMessage { to: "+8801700000000".into(), text: "never".into() };
    let mut tx = given.db.begin().await.unwrap();
    sms::enqueue(&mut tx, &given.clock, &given.random, &text).unwrap();
    drop(tx);
    assert_eq!(queued_jobs(&given).await, []);
}

#[tokio::test]
async fn an_invalid_token_is_named_but_not_shown() {
    let given = TestDb::new(test_support::Engine::Sqlite).await;
    let mut settings = settings(Some("http://127.0.0.1:9/"));
    settings.sms_token = Some("two\nlines".into());
    let why = SmsSender::new(&settings, false, given.clock).err().unwrap();
    assert!(why.contains("sms_token") && !why.contains("lines"), "{why}");
}

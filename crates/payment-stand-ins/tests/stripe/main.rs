//! The client of Stripe and its stand-in, over a loopback port.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod faults;
mod payments;
mod protocol;
mod reserved;
mod retries;
mod webhooks;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::post;
use payment_providers::{
    CustomerDetails, Fact, Gateway, GatewayResult, OpenRequest, Opened, PaymentSettings,
    SecretText, SessionRef, Snapshot, Stripe, WebhookError, WebhookEvent,
};
use payment_stand_ins::{BookEntry, StandInOptions, StandIns, stripe};
use platform::http_client::{HttpClient, HttpResponse};
use platform::{Clock, Currency, Language, Money, Random, Timestamp};
use test_support::eventually;

const PAYMENT: &str = "01kabcdefghjkmnpqrstvwxyz0";
const RETURN_URL: &str = "http://127.0.0.1:9/payments/return?payment=01k";
const PAYS: &str = "4242424242424242";

/// A shop that receives webhooks, and the stand-in, on one port.
pub struct Shop {
    stand_ins: StandIns,
    gateway: Gateway,
    origin: String,
    clock: Clock,
    http: HttpClient,
    inbox: Arc<Inbox>,
}

pub struct Inbox {
    gateway: Gateway,
    clock: Clock,
    received: Mutex<Vec<Delivery>>,
}

#[derive(Clone)]
pub struct Delivery {
    headers: HeaderMap,
    body: Bytes,
    result: Result<WebhookEvent, WebhookError>,
}

async fn receive(State(inbox): State<Arc<Inbox>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let result = inbox.gateway.webhook(&headers, &body, inbox.clock.now()).await;
    let status = if result.is_ok() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    inbox.received.lock().unwrap().push(Delivery { headers, body, result });
    status
}

pub fn gateway(url: &str, key: &str) -> Gateway {
    let settings = PaymentSettings {
        stripe_secret_key: Some(SecretText::new(key)),
        stripe_webhook_secret: vec![SecretText::new(stripe::WEBHOOK_SECRET)],
        stripe_url: Some(url.to_owned()),
        ..Default::default()
    };
    Gateway::Stripe(Stripe::new(&settings).unwrap().unwrap().into())
}

pub fn usd(minor: i64) -> Money {
    Money::new(minor, Currency::USD)
}

pub fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// The facts in the form `Captured 1999`, the codes of failures included.
pub fn shown(snapshot: &Snapshot) -> Vec<String> {
    let line = |fact: &Fact| {
        format!("{:?} {} {}", fact.kind, fact.amount.minor(), fact.code).trim_end().to_owned()
    };
    snapshot.facts.iter().map(line).collect()
}

impl Shop {
    pub async fn start() -> Self {
        Self::start_in(None, 1).await
    }

    pub async fn start_in(folder: Option<&Path>, seed: u64) -> Self {
        let clock = Clock::fixed_at(Timestamp::parse("2026-11-20T12:00:00Z").unwrap());
        Self::start_at(folder, seed, clock).await
    }

    pub async fn start_at(folder: Option<&Path>, seed: u64, clock: Clock) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let stand_ins = StandIns::open(StandInOptions {
            base_url: format!("{origin}/dev/payments"),
            webhook_url: format!("{origin}/webhooks/payments"),
            clock: clock.clone(),
            random: Random::seeded(seed),
            folder: folder.map(Path::to_owned),
        })
        .unwrap();
        let gateway = gateway(&format!("{origin}/dev/payments/stripe"), stripe::SECRET_KEY);
        let inbox =
            Inbox { gateway: gateway.clone(), clock: clock.clone(), received: Mutex::default() };
        let inbox = Arc::new(inbox);
        let app = Router::new()
            .route("/webhooks/payments/stripe", post(receive))
            .with_state(inbox.clone())
            .nest("/dev/payments", stand_ins.router());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { stand_ins, gateway, origin, clock, http: HttpClient::new(), inbox }
    }

    pub fn request<'r>(&self, payment: &'r str, amount: Money) -> OpenRequest<'r> {
        let now = self.clock.now();
        OpenRequest {
            payment,
            order_number: "H-1001",
            amount,
            title: "Order H-1001 & more",
            language: Language::ENGLISH,
            customer: CustomerDetails { email: "rahim@people.example", ..Default::default() },
            return_url: RETURN_URL,
            webhook_url: "",
            expires_at: now.plus(seconds(3600)),
            now,
            reserve_only: false,
        }
    }

    pub async fn open(&self, payment: &str, amount: Money) -> Opened {
        self.gateway.open(&self.request(payment, amount)).await.unwrap()
    }

    pub async fn reserve(&self, payment: &str, amount: Money) -> Opened {
        let request = OpenRequest { reserve_only: true, ..self.request(payment, amount) };
        self.gateway.open(&request).await.unwrap()
    }

    /// Opens and pays.
    pub async fn paid(&self, payment: &str, amount: Money) -> Opened {
        let opened = self.open(payment, amount).await;
        self.press(&opened.redirect, &[("card", PAYS)]).await;
        opened
    }

    pub async fn fetch(&self, opened: &Opened, amount: Money) -> Snapshot {
        self.gateway.fetch(session(opened, amount)).await.unwrap()
    }

    pub async fn facts(&self, opened: &Opened, amount: Money) -> Vec<String> {
        shown(&self.fetch(opened, amount).await)
    }

    pub async fn refund(
        &self,
        opened: &Opened,
        of: Money,
        amount: i64,
        key: &str,
    ) -> GatewayResult<Fact> {
        let amount = Money::new(amount, of.currency());
        self.gateway.refund(session(opened, of), amount, key).await
    }

    pub async fn get(&self, url: &str) -> HttpResponse {
        self.http.exchange(Method::GET, url, |request| request).await.unwrap()
    }

    pub async fn page(&self, url: &str) -> String {
        String::from_utf8(self.get(url).await.body.to_vec()).unwrap()
    }

    pub async fn post(&self, url: &str, fields: &[(&str, &str)]) -> HttpResponse {
        self.http.exchange(Method::POST, url, |request| request.form(fields)).await.unwrap()
    }

    /// Submits a form of a page, and answers where the browser is sent.
    pub async fn press(&self, url: &str, fields: &[(&str, &str)]) -> String {
        let answer = self.post(url, fields).await;
        assert_eq!(
            answer.status,
            StatusCode::SEE_OTHER,
            "{}",
            String::from_utf8_lossy(&answer.body)
        );
        answer.headers[LOCATION].to_str().unwrap().to_owned()
    }

    /// Presses a button on a payment's page of the dashboard.
    pub async fn dashboard(&self, opened: &Opened, fields: &[(&str, &str)]) {
        let url = self.dashboard_url(opened);
        assert_eq!(self.press(&url, fields).await, url);
    }

    pub fn dashboard_url(&self, opened: &Opened) -> String {
        format!("{}/dev/payments/stripe/dashboard/{}", self.origin, opened.reference)
    }

    pub fn book(&self, payment: &str) -> BookEntry {
        let books = self.stand_ins.books();
        let found: Vec<_> = books.into_iter().filter(|entry| entry.payment == payment).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].clone()
    }

    pub fn received(&self) -> Vec<Delivery> {
        self.inbox.received.lock().unwrap().clone()
    }

    pub async fn wait_for_webhook(&self, kind: &str) -> WebhookEvent {
        let find = || {
            let events = self.received().into_iter().filter_map(|delivery| delivery.result.ok());
            { events }.find(|event| event.kind == kind)
        };
        eventually(kind, async || find().is_some()).await;
        find().unwrap()
    }
}

pub fn session<'o>(opened: &'o Opened, amount: Money) -> SessionRef<'o> {
    SessionRef { payment: PAYMENT, reference: &opened.reference, amount, charge: None }
}

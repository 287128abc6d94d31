//! A shop whose payment providers are the stand-ins, over loopback ports; and a shopper who uses their pages.

use axum::Router;
use axum::extract::FromRef;
use axum::http::{Method, StatusCode};
use payment_providers::{PaymentSettings, SecretText};
use payment_stand_ins::{StandInOptions, StandIns, bkash, paypal, sslcommerz, stripe};
use platform::http_client::HttpClient;
use platform::jobs::Worker;
use serde_json::{Value, json};
use shop::ShopContext;
use shop::payments::{EventSource, Gateways, Intake, Payment};
use shop::settlement::{self, Settlement};
use test_support::{Engine, eventually};
use tokio::net::TcpListener;

use super::test_shop::{Answer, ME, ONE_LAMP, Shop, one_lamp, order, routes};

pub struct PayingShop {
    pub shop: Shop,
    pub stand_ins: StandIns,
    pub http: HttpClient,
    /// Where webhooks arrive.
    pub webhooks: String,
}

async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    (listener, origin)
}

fn serve(listener: TcpListener, routes: Router) {
    tokio::spawn(async move { axum::serve(listener, routes).await });
}

/// The settings that lead to the stand-ins.
fn settings(stand_ins: &str) -> PaymentSettings {
    let secret = |text: &str| Some(SecretText::new(text));
    PaymentSettings {
        stripe_secret_key: secret(stripe::SECRET_KEY),
        stripe_webhook_secret: vec![SecretText::new(stripe::WEBHOOK_SECRET)],
        stripe_url: Some(format!("{stand_ins}/stripe")),
        sslcommerz_store_id: Some(sslcommerz::STORE_ID.into()),
        sslcommerz_store_password: secret(sslcommerz::STORE_PASSWORD),
        sslcommerz_url: Some(format!("{stand_ins}/sslcommerz")),
        bkash_username: Some(bkash::USERNAME.into()),
        bkash_password: secret(bkash::PASSWORD),
        bkash_app_key: secret(bkash::APP_KEY),
        bkash_app_secret: secret(bkash::APP_SECRET),
        bkash_url: Some(format!("{stand_ins}/bkash")),
        paypal_client_id: Some(paypal::CLIENT_ID.into()),
        paypal_client_secret: secret(paypal::CLIENT_SECRET),
        paypal_webhook_id: Some(paypal::WEBHOOK_ID.into()),
        paypal_url: Some(format!("{stand_ins}/paypal")),
        ..PaymentSettings::default()
    }
}

impl PayingShop {
    pub async fn new(engine: Engine) -> Self {
        Self::with(engine, false).await
    }

    pub async fn with(engine: Engine, reserve: bool) -> Self {
        let mut shop = Shop::new(engine).await;
        let (providers, base_url) = listen().await;
        let (own, origin) = listen().await;
        let webhook_url = format!("{origin}/webhooks/payments");
        let (clock, random) = (shop.given.clock.clone(), shop.given.random.clone());
        let options = StandInOptions {
            base_url: base_url.clone(),
            webhook_url: webhook_url.clone(),
            clock: clock.clone(),
            random: random.clone(),
            folder: None,
        };
        let stand_ins = StandIns::open(options).unwrap();
        serve(providers, stand_ins.router());
        let (db, secret) = (shop.given.db.clone(), shop.context.context.secret.clone());
        let gateways = settings(&base_url).gateways(&db, &clock, &secret).unwrap();
        let gateways = Gateways::new(gateways);
        let mut context = ShopContext {
            intake: Intake::start(gateways.clone(), db, clock, random),
            gateways,
            reserve_payments: reserve,
            ..shop.context.clone()
        };
        context.context.origin = origin.into();
        serve(own, settlement::web_router().with_state(context.clone()));
        shop.routes = routes(&context).merge(settlement::web_router().with_state(context.clone()));
        shop.context = context;
        Self { shop, stand_ins, http: HttpClient::new(), webhooks: webhook_url }
    }

    pub fn settlement(&self) -> Settlement {
        Settlement::from_ref(&self.shop.context)
    }

    pub fn worker(&self) -> Worker {
        let given = &self.shop.given;
        let worker = Worker::new(given.db.clone(), given.clock.clone(), given.random.clone());
        self.settlement().register(worker)
    }

    /// Runs the jobs of payments until there are none that are due.
    pub async fn run_jobs(&self) {
        let worker = self.worker();
        while worker.run_due().await.unwrap() > 0 {}
    }

    /// Waits until the stand-ins have delivered their webhooks, and processes them.
    pub async fn receive_webhooks(&self) {
        eventually("all webhooks are delivered", async || self.stand_ins.pending_webhooks() == 0)
            .await;
        self.run_jobs().await;
    }

    /// Orders a lamp, to be paid in this way.
    pub async fn order(&self, payment: &str) -> Value {
        self.order_in(payment, "USD", ONE_LAMP).await
    }

    pub async fn order_in(&self, payment: &str, currency: &str, total: f64) -> Value {
        let answer = self.try_order(payment, currency, total).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        answer.body
    }

    pub async fn try_order(&self, payment: &str, currency: &str, total: f64) -> Answer {
        let mut body = order(one_lamp(), total);
        body["payment"] = json!(payment);
        body["currency"] = json!(currency);
        self.shop.post("/api/orders", ME, &body).await
    }

    /// Submits a form of a provider's page; answers where the browser is sent, empty where it stays.
    pub async fn submit(&self, page: &str, fields: &[(&str, &str)]) -> String {
        let sent = self.http.exchange(Method::POST, page, |request| request.form(fields)).await;
        let sent = sent.unwrap();
        let location = sent.headers.get("location").map(|to| to.to_str().unwrap().to_owned());
        location.unwrap_or_default()
    }

    /// The shopper comes back: the address that the shop then sends the browser to.
    pub async fn come_back(&self, address: &str) -> String {
        let sent = self.http.exchange(Method::GET, address, |request| request).await.unwrap();
        assert_eq!(sent.status, StatusCode::SEE_OTHER, "{address}");
        sent.headers["location"].to_str().unwrap().to_owned()
    }

    /// Pays on the card page with a test card; answers where the browser is sent.
    pub async fn pay_by_card(&self, order: &Value, card: &str) -> String {
        self.submit(redirect(order), &[("card", card)]).await
    }

    pub async fn seen(&self, order: &Value) -> Value {
        self.shop.get(&format!("/api/orders/{}", number(order)), ME).await.body
    }

    /// The order's page to pay, as JSON.
    pub async fn page(&self, order: &Value) -> Value {
        let path = self.pay_path(order);
        self.shop.ask("GET", &path, &[], "").await.body
    }

    /// `/api/pay/NUMBER?key=…`
    pub fn pay_path(&self, order: &Value) -> String {
        let id = order["_id"].as_str().unwrap().parse().unwrap();
        let key = self.shop.order_store().pay_links.key(&id).unwrap();
        format!("/api/pay/{}?key={key}", number(order))
    }

    pub async fn payments(&self, order: &Value) -> Vec<Payment> {
        let id = order["_id"].as_str().unwrap().parse().unwrap();
        self.settlement().recorder.store.of_order(&id).await.unwrap()
    }

    pub async fn payment(&self, order: &Value) -> Payment {
        self.payments(order).await.pop().unwrap()
    }

    pub async fn settle(&self, order: &Value) {
        let payment = self.payment(order).await;
        self.settlement().settle(&payment.id, EventSource::Reconciliation).await.unwrap();
    }

    /// What was captured and refunded of a payment by the stand-in's books.
    pub fn books(&self, payment: &Payment) -> (i64, i64) {
        let books = self.stand_ins.books();
        let of_it = books.iter().filter(|entry| entry.payment == payment.id.as_str());
        of_it.fold((0, 0), |(captured, refunded), entry| {
            (captured + entry.captured, refunded + entry.refunded)
        })
    }

    /// Our books and the stand-ins' say the same of every payment.
    pub async fn adds_up(&self) {
        let rows: Vec<(String, i64, i64)> = self
            .shop
            .given
            .db
            .query("select id, captured, refunded from payments where provider not in ('cash_on_delivery', 'store_credit', 'gift_card')")
            .all()
            .await
            .unwrap();
        for entry in self.stand_ins.books() {
            if entry.captured > 0 {
                assert!(rows.iter().any(|(id, ..)| *id == entry.payment), "{entry:?}");
            }
        }
        for (id, captured, refunded) in rows {
            let books = self.stand_ins.books();
            let theirs = books.iter().filter(|entry| entry.payment == id);
            let theirs = theirs.fold((0, 0), |(c, r), one| (c + one.captured, r + one.refunded));
            assert_eq!((captured, refunded), theirs, "{id}");
        }
    }
}

pub fn number(order: &Value) -> &str {
    order["number"].as_str().unwrap()
}

/// The provider's page of a new order.
pub fn redirect(order: &Value) -> &str {
    order["next"]["redirect"].as_str().unwrap_or_else(|| panic!("{order}"))
}

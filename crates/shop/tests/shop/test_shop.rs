//! Test fixture: a small shop behind its HTTP routers.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::FromRef;
use axum::http::response::Parts;
use axum::http::{HeaderMap, Request, StatusCode};
use email::Email;
use http_body_util::BodyExt;
use media::settings::MediaSettings;
use media::{Media, MediaLimits};
use platform::auth::{Customer, Revocation, Tokens};
use platform::http::ClientIp;
use platform::revisions::Revisions;
use platform::secret::Secret;
use platform::time_zone::TimeZone;
use platform::{Context, Currencies, Currency, Language, Languages, Money, Timestamp};
use response_cache::Cache;
use serde_json::{Value, json};
use shop::ShopContext;
use shop::catalog::{self, CatalogView, Import, ImportFormat, StockCache, StockEntry};
use shop::delivery::DeliveryZones;
use shop::orders::StepOutcome::{self, Done};
use shop::orders::{
    OrderEmails, OrderLimits, OrderNumber, OrderSettings, OrderStore, Orders, Step,
};
use shop::payments::{Gateways, Intake};
use shop::pricing::Charges;
use shop::promotions::{self, ActivePromotions, NewPromotion, PromotionId};
use shop::settings::{Retention, ShopProfile};
use shop::shop_profiles::ShopProfiles;
use shop::taxes::Taxes;
use test_support::{Engine, TestDb};
use tower::ServiceExt;

/// A shop of three products.
pub struct Shop {
    pub given: TestDb,
    pub context: ShopContext,
    pub routes: Router,
    pub revisions: Revisions,
    _pictures: tempfile::TempDir,
}

pub fn usd(cents: i64) -> Money {
    Money::new(cents, Currency::USD)
}

/// US dollars, and three others: the last ones without decimals, and with a rule of rounding.
pub fn currencies() -> Currencies {
    let others = ["BDT=120.5", "JPY=151.2", "EUR=0.92 to .99"];
    Currencies::new(Currency::USD, others.map(|other| other.parse().unwrap()).to_vec()).unwrap()
}

/// The catalogue in dollars and in the default language.
pub fn view(now: Timestamp) -> CatalogView {
    CatalogView { now, to: currencies().in_base(), language: None, lowest_price_days: 0 }
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Shop {
    pub async fn new(engine: Engine) -> Self {
        let given = TestDb::new(engine).await;
        let secret = Secret::new(&"test".repeat(8)).unwrap();
        let nobody = Arc::new(|_: &str| None);
        // The callers of these tests have no account that could be revoked.
        let revocation = Revocation::Hosted(Arc::new(|_, _| Box::pin(async { Ok(true) })));
        let clock = given.clock.clone();
        let tokens = Tokens::new(clock, &secret, "i".into(), "a".into(), nobody, revocation);
        let (db, clock) = (given.db.clone(), given.clock.clone());
        let revisions = Revisions::load(&db).await.unwrap();
        let pictures = tempfile::tempdir().unwrap();
        let store = MediaSettings::default().store(pictures.path(), &clock).unwrap();
        let limits = MediaLimits { threads: 1, ..MediaLimits::default() };
        let profile = ShopProfile {
            shop_name: "Haat".into(),
            tagline: String::new(),
            phone: "+880 1".into(),
            email: "hello@haat.example".into(),
            address: "12 Market Lane\nDhaka".into(),
            tax_number: "BIN 000123456-0101".into(),
        };
        let languages = [Language::ENGLISH, "bn".parse().unwrap()];
        let languages = Languages::new(languages.to_vec(), None).unwrap();
        let gateways = Gateways::default();
        let random = given.random.clone();
        let context = ShopContext {
            intake: Intake::start(gateways.clone(), db.clone(), clock.clone(), random),
            gateways,
            reserve_payments: false,
            media: Media::start(db.clone(), store, limits),
            context: Context {
                languages: languages.clone(),
                currencies: currencies(),
                db,
                clock,
                random: given.random.clone(),
                secret: secret.clone(),
                tokens: Arc::new(tokens),
                origin: "https://haat.example".into(),
                lowest_price_days: 0,
            },
            cache: Cache::new(1 << 20, revisions.clone(), given.clock.clone()),
            profiles: Arc::new(ShopProfiles::new(profile.clone(), languages)),
            profile: Arc::new(profile),
            retention: Arc::new(Retention::default()),
            charges: Charges { shipping: usd(4000), vat: usd(12000), free_delivery_over: None },
            promotions: ActivePromotions::new(
                revisions.clone(),
                TimeZone::default(),
                secret.clone(),
            ),
            countries: Default::default(),
            zones: DeliveryZones::new(revisions.clone(), TimeZone::default()),
            taxes: Taxes::new(revisions.clone(), TimeZone::default()),
            orders: OrderSettings {
                limits: OrderLimits::default(),
                order_emails: OrderEmails::None,
                ..OrderSettings::default()
            },
            sms_limits: None,
            stock_cache: StockCache::default(),
            contact_replies: Arc::default(),
        };
        let routes = routes(&context);
        let shop = Self { given, context, routes, revisions, _pictures: pictures };
        shop.import(GOODS).await;
        shop
    }

    pub fn order_store(&self) -> OrderStore {
        Orders::from_ref(&self.context).store
    }

    pub async fn import(&self, text: &str) {
        let mut rows = Import::parse(text, ImportFormat::Json, Currency::USD).unwrap();
        rows.stock_at = Some(self.given.clock.now());
        catalog::import(&self.given.db, &self.given.clock, &self.given.random, &rows)
            .await
            .unwrap();
    }

    pub fn token(&self, email: &str) -> String {
        let customer = Customer {
            uid: format!("uid-{email}"),
            email: email.into(),
            name: None,
            email_verified: true,
            verified_phone: None,
        };
        self.context.context.tokens.access_token(customer, None).unwrap()
    }

    pub async fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let (parts, bytes) = self.fetch(method, path, headers, body).await;
        let body = serde_json::from_slice(&bytes)
            .unwrap_or_else(|why| panic!("{why}: {}", String::from_utf8_lossy(&bytes)));
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// A POST to another server of the same shop.
    pub async fn ask_server(
        &self,
        server: &Router,
        path: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Answer {
        let (parts, bytes) = self.send(server, "POST", path, headers, body.to_string()).await;
        let body = serde_json::from_slice(&bytes).unwrap();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub async fn fetch(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> (Parts, Bytes) {
        self.send(&self.routes, method, path, headers, body).await
    }

    async fn send(
        &self,
        server: &Router,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> (Parts, Bytes) {
        let mut request = Request::builder().method(method).uri(path);
        request = request.header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(body.into()).unwrap();
        let language = self.context.context.languages.of_request(request.uri(), request.headers());
        request.extensions_mut().insert(language);
        let to = self.context.context.currencies.of_request(request.uri(), request.headers());
        request.extensions_mut().insert(to.unwrap());
        request.extensions_mut().insert(ClientIp(IpAddr::from([10, 0, 0, 1])));
        let response = server.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        (parts, body.collect().await.unwrap().to_bytes())
    }

    pub async fn post(&self, path: &str, email: &str, body: &Value) -> Answer {
        let bearer = format!("Bearer {}", self.token(email));
        self.ask("POST", path, &[("authorization", &bearer)], body.to_string()).await
    }

    pub async fn post_with_key(&self, path: &str, email: &str, key: &str, body: &Value) -> Answer {
        let bearer = format!("Bearer {}", self.token(email));
        let headers = [("authorization", bearer.as_str()), ("idempotency-key", key)];
        self.ask("POST", path, &headers, body.to_string()).await
    }

    pub async fn patch(&self, path: &str, email: &str, body: &Value) -> Answer {
        let bearer = format!("Bearer {}", self.token(email));
        self.ask("PATCH", path, &[("authorization", &bearer)], body.to_string()).await
    }

    pub async fn get(&self, path: &str, email: &str) -> Answer {
        self.as_customer("GET", path, email).await
    }

    /// A request without a body.
    pub async fn as_customer(&self, method: &str, path: &str, email: &str) -> Answer {
        let bearer = format!("Bearer {}", self.token(email));
        self.ask(method, path, &[("authorization", &bearer)], Body::empty()).await
    }

    /// Creates a promotion, written as in an import file, which the shop then knows.
    pub async fn promote(&self, promotion: Value) -> PromotionId {
        let new: NewPromotion = serde_json::from_value(promotion).unwrap();
        let source = (&self.given.clock, &self.given.random);
        let id = promotions::create(&self.given.db, source, Currency::USD, &new).await.unwrap();
        self.revisions.poll(&self.given.db).await.unwrap();
        id
    }

    /// Places an order and returns its number.
    pub async fn place(&self, email: &str, lines: Value, total: f64) -> String {
        let answer = self.post("/api/orders", email, &order(lines, total)).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        answer.body["number"].as_str().unwrap().to_owned()
    }

    pub async fn apply(&self, number: &str, step: Step<'_>) -> StepOutcome {
        let number: OrderNumber = number.parse().unwrap();
        self.order_store().apply(&number, step, "").await.unwrap()
    }

    pub async fn advance(&self, number: &str, times: usize) {
        for _ in 0..times {
            assert!(matches!(self.apply(number, Step::Advance).await, Done(_)));
        }
    }

    /// Units in stock and units sold of a variant. The stock is the sum of its journal, whatever happened before.
    pub async fn stock(&self, id: &str) -> (i64, i64) {
        let sql = "select qtn, units_sold from variants where id = $1";
        let (qtn, units_sold): (i64, i64) = self.given.db.query(sql).bind(id).one().await.unwrap();
        let newest = self.stock_history(id).await.into_iter().next();
        assert_eq!(newest.map_or(0, |entry| entry.stock), qtn, "{id}");
        (qtn, units_sold)
    }

    /// All stock changes of a variant, the newest first.
    pub async fn stock_history(&self, id: &str) -> Vec<StockEntry> {
        let id = id.parse().unwrap();
        catalog::stock_history(&self.given.db, &id, i64::MAX).await.unwrap().unwrap()
    }

    pub async fn count(&self, table: &str) -> i64 {
        let query = self.given.db.query(format!("select count(*) from {table}"));
        let (count,): (i64,) = query.one().await.unwrap();
        count
    }

    /// The queued e-mails, the oldest first.
    pub async fn emails(&self) -> Vec<Value> {
        let sql = "select payload from jobs where kind = 'mail.send' order by id";
        let jobs: Vec<(String,)> = self.given.db.query(sql).all().await.unwrap();
        let read = |(job,): (String,)| {
            let email = serde_json::from_str::<Value>(&job).unwrap()["email"].take();
            let email: Email = serde_json::from_value(email).unwrap();
            let (html, text) = (email.html().unwrap(), email.text().unwrap());
            json!({ "to": email.to, "subject": email.subject, "html": html, "text": text })
        };
        jobs.into_iter().map(read).collect()
    }
}

pub fn routes(context: &ShopContext) -> Router {
    Router::new().nest("/api", shop::router().with_state(context.clone()).into())
}

pub const GOODS: &str = r#"{
    "categories": [{"_id": "light", "name": "Light", "img": "/l.svg"}],
    "products": [
      {"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1", "img": ["/l.svg", "/m.svg"],
       "realPrice": 30, "offerPrice": 25.5, "saleEnd": "2026-11-20T00:00:00Z", "qtn": 50},
      {"_id": "bulb", "category": "light", "name": "Bulb & <i>socket</i>", "sku": "B1",
       "img": ["/b.svg"], "realPrice": 2.25, "qtn": 12},
      {"_id": "last", "category": "light", "name": "Last one", "sku": "O1", "img": ["/o.svg"],
       "realPrice": 100, "qtn": 1}]}"#;

pub fn order(lines: Value, total: f64) -> Value {
    json!({ "name": "Rahim Uddin", "phone": "+880 1700 000 000", "address": "12 Market Lane\nDhaka",
            "lines": lines, "total": total })
}

/// The total of an order for one lamp.
pub const ONE_LAMP: f64 = 185.5;
pub const ME: &str = "rahim@haat.example";

pub fn one_lamp() -> Value {
    json!([{ "_id": "lamp", "qtn": 1 }])
}

//! Orders through HTTP: their life, every refusal, the same key again, and what nobody may see.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::response::Parts;
use axum::http::{HeaderMap, Request, StatusCode};
use base::auth::{Caller, Tokens};
use base::http::Peer;
use base::mail::Letter;
use base::revisions::Revisions;
use base::secret::Secret;
use base::testing::{Engine, TestDb};
use base::{Money, Random, on_both};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use shop::cart::{self, Carts};
use shop::catalog::{self, Format, Import, Shelf};
use shop::content::Facts;
use shop::credit::{self, Ledger};
use shop::orders::{Book, Number, Orders, Sender, Settings, Step, Taken};
use shop::quote::Charges;
use shop::{checkout, orders, payments};
use tower::ServiceExt;

on_both!(Shop:
    an_order_lives_from_placed_to_refunded,
    the_specifications_calls_speak_its_words,
    what_was_agreed_stays_as_it_was,
    a_malformed_order_changes_nothing,
    a_cart_that_is_not_what_it_was_changes_nothing,
    only_few_left_moves_pages,
    what_sells_rises_in_the_lists,
    the_same_key_gives_the_same_order,
    many_with_one_key_place_one_order,
    a_number_that_is_taken_is_drawn_again,
    an_order_is_its_owners_alone,
    a_cancelled_order_gives_its_goods_back_once,
    a_return_is_for_a_few_days,
    tracking_tells_little_and_not_often,
    no_walk_through_life_makes_or_loses_goods,
    orders_are_listed_newest_first,
    an_invoice_is_its_owners_pdf,
    any_order_fits_on_paper,
);

/// A shop of three products behind the routers of checkout and orders.
pub struct Shop {
    pub given: TestDb,
    pub orders: Orders,
    pub routes: Router,
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
        let tokens = Tokens::new(given.clock.clone(), &secret, "i".into(), "a".into(), nobody);
        let sender =
            Sender { shop_name: "Haat".into(), origin: Some("https://haat.example".into()) };
        let orders = Orders {
            book: Book {
                db: given.db.clone(),
                clock: given.clock.clone(),
                random: given.random.clone(),
                sender,
            },
            shelf: Shelf::default(),
            tokens,
            charges: Charges {
                shipping: Money::cents(4000),
                vat: Money::cents(12000),
                free_delivery_over: None,
            },
            settings: Settings { return_window: 7 },
            rate: "120.5".parse().unwrap(),
            shop: Facts {
                name: "Haat".into(),
                email: "hello@haat.example".into(),
                phone: "+880 1".into(),
                address: "12 Market Lane\nDhaka".into(),
                ..Facts::default()
            },
        };
        let routes = routes(&orders);
        let shop = Self { given, orders, routes };
        shop.import(GOODS).await;
        shop
    }

    pub async fn import(&self, text: &str) {
        let rows = Import::parse(text, Format::Json).unwrap();
        catalog::import(&self.given.db, &self.given.clock, &rows).await.unwrap();
    }

    pub fn token(&self, email: &str) -> String {
        let caller = Caller { uid: format!("uid-{email}"), email: email.into(), name: None };
        self.orders.tokens.access_token(caller).unwrap()
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

    pub async fn fetch(
        &self,
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
        request.extensions_mut().insert(Peer(IpAddr::from([10, 0, 0, 1])));
        let response = self.routes.clone().oneshot(request).await.unwrap();
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
        let bearer = format!("Bearer {}", self.token(email));
        self.ask("GET", path, &[("authorization", &bearer)], Body::empty()).await
    }

    /// Places an order and says its number.
    pub async fn place(&self, email: &str, lines: Value, total: f64) -> String {
        let answer = self.post("/api/orders", email, &order(lines, total)).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        answer.body["number"].as_str().unwrap().to_owned()
    }

    pub async fn take(&self, number: &str, step: Step) -> Taken {
        let number: Number = number.parse().unwrap();
        self.orders.book.take(&number, step, "").await.unwrap()
    }

    pub async fn advance(&self, number: &str, times: usize) {
        for _ in 0..times {
            assert!(matches!(self.take(number, Step::Advance).await, Taken::Done(_)));
        }
    }

    /// How many are left and how many were sold.
    pub async fn stock(&self, id: &str) -> (i64, i64) {
        let (db, now) = (&self.given.db, self.given.clock.now());
        let product = catalog::product(db, now, &id.parse().unwrap()).await.unwrap().unwrap();
        (product.qtn, product.units_sold)
    }

    pub async fn count(&self, table: &str) -> i64 {
        let query = self.given.db.query(format!("select count(*) from {table}"));
        let (count,): (i64,) = query.one().await.unwrap();
        count
    }

    /// The letters that wait to be sent, the first one first.
    pub async fn letters(&self) -> Vec<Value> {
        let query = self.given.db.query("select payload from jobs where kind = $1 order by id");
        let jobs: Vec<(String,)> = query.bind(base::mail::SEND).all().await.unwrap();
        let read = |(job,): (String,)| {
            let letter = serde_json::from_str::<Value>(&job).unwrap()["letter"].take();
            let letter: Letter = serde_json::from_value(letter).unwrap();
            let (html, text) = (letter.html(), letter.text());
            json!({ "to": letter.to, "subject": letter.subject, "html": html, "text": text })
        };
        jobs.into_iter().map(read).collect()
    }
}

fn routes(orders: &Orders) -> Router {
    let all = checkout::router().merge(orders::router()).with_state(orders.clone());
    let Book { db, clock, .. } = orders.book.clone();
    let carts = cart::router().with_state(Carts { db, clock, tokens: orders.tokens.clone() });
    let ledger = Ledger { db: orders.book.db.clone(), tokens: orders.tokens.clone() };
    let all = all.merge(credit::router().with_state(ledger));
    let (routes, _) = all.merge(carts).merge(payments::router()).split_for_parts();
    Router::new().nest("/api", routes)
}

const GOODS: &str = r#"{
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

/// What one lamp costs in all.
pub const ONE_LAMP: f64 = 185.5;
pub const ME: &str = "rahim@haat.example";

pub fn one_lamp() -> Value {
    json!([{ "_id": "lamp", "qtn": 1 }])
}

async fn an_order_lives_from_placed_to_refunded(shop: Shop) {
    let lines = json!([{ "_id": "lamp", "qtn": 2 }, { "_id": "bulb", "qtn": 3 }]);
    let placed = shop.post("/api/orders", "Rahim@Haat.example", &order(lines, 217.75)).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    let number = placed.body["number"].as_str().unwrap().to_owned();
    assert_eq!(placed.body["subTotal"], 57.75);
    assert_eq!(placed.body["email"], ME);
    assert_eq!(placed.body["lines"][1]["sku"], "B1");
    assert_eq!(shop.stock("lamp").await, (48, 2));
    assert_eq!(shop.stock("bulb").await, (9, 3));

    let path = format!("/api/orders/{number}");
    let seen = shop.get(&path, "Rahim@Haat.example").await.body;
    assert_eq!((&seen["status"], &seen["canCancel"]), (&json!("placed"), &json!(true)));
    assert_eq!(seen["payment"]["provider"], "cash_on_delivery");
    assert_eq!(
        (&seen["payment"]["state"], &seen["payment"]["amount"]),
        (&json!("authorised"), &json!(217.75))
    );
    for (status, can_cancel, paid) in [
        ("confirmed", true, "authorised"),
        ("packed", false, "authorised"),
        ("shipped", false, "authorised"),
        ("delivered", false, "captured"),
    ] {
        shop.given.clock.advance(Duration::from_secs(60));
        shop.advance(&number, 1).await;
        let seen = shop.get(&path, "Rahim@Haat.example").await.body;
        assert_eq!(seen["status"], status);
        assert_eq!(seen["canCancel"], can_cancel, "{status}");
        assert_eq!(seen["payment"]["state"], paid, "{status}");
    }
    assert_eq!(shop.take(&number, Step::Advance).await, Taken::NotNow(orders::Status::Delivered));
    let cancelled = shop.post(&format!("{path}/cancel"), "Rahim@Haat.example", &json!({})).await;
    assert_eq!(cancelled.status, StatusCode::CONFLICT);
    assert_eq!(cancelled.body["error"]["code"], "not_now");
    let asked = json!({ "note": "It hums." });
    let asked = shop.post(&format!("{path}/return"), "Rahim@Haat.example", &asked).await;
    assert_eq!(asked.body["status"], "return_requested", "{}", asked.body);
    shop.given.clock.advance(Duration::from_secs(60));
    shop.advance(&number, 2).await;
    let seen = shop.get(&path, "Rahim@Haat.example").await.body;
    assert_eq!(
        (&seen["status"], &seen["payment"]["state"]),
        (&json!("refunded"), &json!("refunded"))
    );
    let history = seen["history"].as_array().unwrap();
    let statuses: Vec<&str> = history.iter().map(|e| e["status"].as_str().unwrap()).collect();
    assert_eq!(statuses.len(), 8);
    assert_eq!(history[0]["at"], "2026-11-15T09:00:00.000Z");
    assert_eq!(history[4]["at"], "2026-11-15T09:04:00.000Z");
    assert_eq!(history[5]["note"], "It hums.");
    // Goods that come back are looked at before they are sold again.
    assert_eq!(shop.stock("lamp").await, (48, 2));

    let letters = shop.letters().await;
    let subjects: Vec<&str> = letters.iter().map(|l| l["subject"].as_str().unwrap()).collect();
    assert_eq!(
        subjects,
        [
            format!("Your order {number}"),
            format!("Your order {number} is on its way"),
            format!("Your order {number} was delivered"),
            format!("Your order {number} is refunded"),
        ]
    );
    let (html, text) = (letters[0]["html"].as_str().unwrap(), letters[0]["text"].as_str().unwrap());
    assert!(html.contains("3 × Bulb &amp; &lt;i&gt;socket&lt;/i&gt;</td>"), "{html}");
    assert!(text.contains("3 × Bulb & <i>socket</i>: $6.75"), "{text}");
    assert!(text.contains("Total: $217.75") && text.contains("12 Market Lane\nDhaka"), "{text}");
    assert!(text.contains(&format!("https://haat.example/track?number={number}")));
    // All but the delivery.
    let text = letters[3]["text"].as_str().unwrap();
    assert!(text.contains("$177.75 is paid back to you"), "{text}");
    assert_eq!(history[7]["note"], "$177.75 paid back");
}

async fn the_specifications_calls_speak_its_words(shop: Shop) {
    let lamp = json!({ "_id": "lamp", "name": "Lamp", "img": ["/l.svg"], "buyPrice": 25.5, "qtn": 1,
                       "rating": 4, "productType": "standard" });
    let bulb = json!({ "_id": "bulb", "name": "x", "buyPrice": 0.01, "qtn": 2 });
    for (state, total) in [
        (json!([lamp, bulb]), 190.0),
        (json!([[lamp, bulb]]), 190.0),
        (json!([[lamp], [bulb]]), 190.0),
        (json!([lamp, lamp]), 211.0),
    ] {
        let body = json!({ "firstname": "Rahim", "email": "RAHIM@haat.example", "phone": "01700000000",
                           "address": "Dhaka", "getState": state, "grandPrice": total });
        let placed = shop.post("/api/order", ME, &body).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
        assert_eq!(placed.body["grandPrice"], total);
    }
    let read = shop.get(&format!("/api/order/s/?email={ME}"), ME).await;
    assert_eq!(read.status, StatusCode::OK, "{}", read.body);
    let orders = read.body.as_array().unwrap();
    assert_eq!(orders.len(), 4);
    for order in orders {
        for text in ["_id", "createdAt", "firstname", "address", "phone"] {
            assert!(order[text].is_string(), "{text}: {order}");
        }
        assert!(order["getState"][0][0]["buyPrice"].is_number(), "{order}");
    }
    let twice = orders.iter().find(|order| order["grandPrice"] == 211).unwrap();
    assert_eq!(twice["getState"][0].as_array().unwrap().len(), 1);
    assert_eq!(twice["getState"][0][0]["qtn"], 2);
    let bulbs = orders.iter().find(|order| order["grandPrice"] == 190).unwrap();
    assert_eq!(bulbs["getState"][0][1]["buyPrice"], 2.25);
    let ways = shop.get("/api/payments", ME).await.body;
    let enabled: Vec<bool> =
        ways.as_array().unwrap().iter().map(|way| way["enabled"].as_bool().unwrap()).collect();
    assert_eq!(enabled, [true, false, false, false]);
}

async fn what_was_agreed_stays_as_it_was(shop: Shop) {
    let mut body = order(one_lamp(), ONE_LAMP);
    body["currency"] = json!("BDT");
    body["name"] = json!("রহিম 🪔 رحيم");
    let placed = shop.post("/api/orders", ME, &body).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    shop.import(&GOODS.replace("\"Lamp\"", "\"Lantern\"").replace("25.5", "29")).await;
    let path = format!("/api/orders/{}", placed.body["number"].as_str().unwrap());
    let seen = shop.get(&path, ME).await.body;
    assert_eq!((&seen["currency"], &seen["rate"]), (&json!("BDT"), &json!(1_205_000)));
    let line = &seen["lines"][0];
    assert_eq!((&line["name"], &line["buyPrice"]), (&json!("Lamp"), &json!(25.5)));
    assert_eq!(line["picture"], "/l.svg");
    assert_eq!(seen["name"], "রহিম 🪔 رحيم");
    let text = shop.letters().await[0]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("1 × Lamp: ৳3,073") && text.contains("Total: ৳22,353"), "{text}");
}

async fn a_malformed_order_changes_nothing(shop: Shop) {
    let with = |field: &str, value: Value| {
        let mut body = order(one_lamp(), ONE_LAMP);
        body[field] = value;
        body
    };
    let lines = |count: usize| json!(vec![json!({ "_id": "lamp", "qtn": 1 }); count]);
    let line = |qtn: Value| json!([{ "_id": "lamp", "qtn": qtn }]);
    for (body, named) in [
        (with("name", json!("")), "name"),
        (with("name", json!("a\u{0}b")), "name"),
        (with("name", json!("two\nlines")), "name"),
        (with("name", json!("x".repeat(201))), "name"),
        (with("phone", json!("call me")), "phone"),
        (with("phone", json!("1".repeat(41))), "phone"),
        (with("phone", json!("+++")), "phone"),
        (with("address", json!(" \n ")), "address"),
        (with("address", json!("x".repeat(1001))), "address"),
        (with("address", json!("a\u{7}b")), "address"),
        (with("lines", json!([])), "lines"),
        (with("lines", lines(101)), "lines"),
        (with("lines", lines(10_000)), "lines"),
        (with("lines", line(json!(0))), "lines.0.qtn"),
        (with("lines", line(json!(-1))), "lines.0.qtn"),
        (with("lines", line(json!(101))), "lines.0.qtn"),
        (with("lines", line(json!(i64::MAX))), "lines.0.qtn"),
        (
            with("lines", json!([{ "_id": "lamp", "qtn": 60 }, { "_id": "lamp", "qtn": 60 }])),
            "lines.1.qtn",
        ),
        (with("total", json!(-185.5)), "total"),
        (with("payment", json!("paypal")), "payment"),
        (with("lines", line(json!(1.5))), "body"),
        (with("lines", line(json!("1"))), "body"),
        (with("lines", line(json!(null))), "body"),
        (with("lines", json!([{ "_id": "../etc", "qtn": 1 }])), "body"),
        (with("lines", json!({ "_id": "lamp" })), "body"),
        (with("total", json!(1e300)), "body"),
        (with("total", json!(185.505)), "body"),
        (with("total", json!("185.5")), "body"),
        (with("total", json!(null)), "body"),
        (with("currency", json!("EUR")), "body"),
        (with("payment", json!("barter")), "body"),
        (with("discount", json!(100)), "body"),
        (json!([]), "body"),
        (json!("x"), "body"),
    ] {
        let answer = shop.post("/api/orders", ME, &body).await;
        let said = body.to_string().chars().take(200).collect::<String>();
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{said}: {}", answer.body);
        assert_eq!(answer.body["error"]["fields"][0]["name"], named, "{said}: {}", answer.body);
    }
    let bearer = format!("Bearer {}", shop.token(ME));
    for text in [
        "",
        "{",
        "NaN",
        r#"{"total": NaN}"#,
        r#"{"total": 1e309}"#,
        &"[".repeat(10_000),
        "\u{feff}{}",
    ] {
        let headers = [("authorization", bearer.as_str())];
        let answer = shop.ask("POST", "/api/orders", &headers, text.to_owned()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{text:.20}: {}", answer.body);
    }
    // All that is wrong is said at once, in the words that were used.
    let body = json!({ "firstname": "", "email": ME, "phone": "", "address": "", "grandPrice": -1,
                       "getState": [{ "_id": "lamp", "qtn": 0 }] });
    let answer = shop.post("/api/order", ME, &body).await;
    let fields = answer.body["error"]["fields"].as_array().unwrap();
    let names: Vec<&str> = fields.iter().map(|field| field["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["firstname", "phone", "address", "getState.0.qtn", "grandPrice"]);
    let body = json!({ "firstname": "R", "email": ME, "phone": "12345", "address": "D", "grandPrice": 1,
                       "getState": [[{ "_id": "lamp", "qtn": 1 }, 7], { "qtn": 1 }] });
    let answer = shop.post("/api/order", ME, &body).await;
    assert_eq!(answer.body["error"]["fields"][0]["name"], "getState.1", "{}", answer.body);
    for key in ["", " ", "a b", "\u{e9}", &"k".repeat(129)] {
        let body = order(one_lamp(), ONE_LAMP);
        let answer = shop.post_with_key("/api/orders", ME, key, &body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{key:?}");
        assert_eq!(answer.body["error"]["fields"][0]["name"], "Idempotency-Key");
    }
    for table in ["orders", "order_lines", "order_events", "payments", "placings"] {
        assert_eq!(shop.count(table).await, 0, "{table}");
    }
    assert_eq!(shop.stock("lamp").await, (50, 0));
}

async fn a_cart_that_is_not_what_it_was_changes_nothing(shop: Shop) {
    let jobs = shop.count("jobs").await;
    for (lines, total, code, quoted) in [
        (json!([{ "_id": "lamp", "qtn": 1 }, { "_id": "last", "qtn": 2 }]), 385.5, "stock", 285.5),
        (json!([{ "_id": "lamp", "qtn": 1 }, { "_id": "ghost", "qtn": 1 }]), 1.0, "gone", 185.5),
        (one_lamp(), 185.49, "price", 185.5),
        (one_lamp(), 0.0, "price", 185.5),
        (json!([{ "_id": "lamp", "qtn": 60 }]), 1.0, "stock", 1435.0),
    ] {
        let answer = shop.post("/api/orders", ME, &order(lines, total)).await;
        assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
        assert_eq!(answer.body["error"]["code"], code, "{}", answer.body);
        assert_eq!(answer.body["quote"]["total"], quoted, "{}", answer.body);
    }
    let body = json!({ "firstname": "R", "email": ME, "phone": "12345", "address": "D",
                       "grandPrice": 0.01, "getState": [{ "_id": "lamp", "qtn": 1, "buyPrice": 0.01 }] });
    let answer = shop.post("/api/order", ME, &body).await;
    assert_eq!(
        (answer.status, &answer.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("price"))
    );
    // The offer ends: what it cost a moment ago is not what it costs.
    shop.given.clock.advance(Duration::from_secs(6 * 24 * 3600));
    let answer = shop.post("/api/orders", ME, &order(one_lamp(), ONE_LAMP)).await;
    assert_eq!(answer.body["error"]["code"], "price");
    assert_eq!(answer.body["quote"]["lines"][0]["buyPrice"], 30);
    for table in ["orders", "order_lines", "order_events", "payments", "placings"] {
        assert_eq!(shop.count(table).await, 0, "{table}");
    }
    assert_eq!(shop.count("jobs").await, jobs);
    assert_eq!((shop.stock("lamp").await, shop.stock("last").await), ((50, 0), (1, 0)));
}

async fn only_few_left_moves_pages(shop: Shop) {
    let db = &shop.given.db;
    let revisions = Revisions::start(db).await.unwrap();
    let before = revisions.latest();
    let moved = async |id: &str, since: i64| {
        revisions.look(db).await.unwrap();
        revisions.moved_since(since, &[catalog::scope_of_product(&id.parse().unwrap())])
    };
    let lamp = shop.place(ME, one_lamp(), ONE_LAMP).await;
    shop.place(ME, json!([{ "_id": "bulb", "qtn": 1 }]), 162.25).await;
    assert!(!moved("lamp", before).await && !moved("bulb", before).await);
    shop.place(ME, json!([{ "_id": "bulb", "qtn": 1 }]), 162.25).await;
    assert!(moved("bulb", before).await && !moved("lamp", before).await);
    let last = shop.place(ME, json!([{ "_id": "last", "qtn": 1 }]), 260.0).await;
    assert!(moved("last", before).await);
    let sold_out = revisions.latest();
    shop.take(&lamp, Step::Cancel).await;
    shop.take(&last, Step::Cancel).await;
    assert!(moved("last", sold_out).await && !moved("lamp", sold_out).await);
}

async fn what_sells_rises_in_the_lists(shop: Shop) {
    let (db, now) = (&shop.given.db, shop.given.clock.now());
    let best = async || {
        let lamp = catalog::product(db, now, &"lamp".parse().unwrap()).await.unwrap().unwrap();
        let cards = catalog::related(db, now, &lamp, 2).await.unwrap();
        cards.into_iter().map(|card| card.id.to_string()).collect::<Vec<_>>()
    };
    let first = best().await;
    let less_sold = first[1].clone();
    let price = if less_sold == "bulb" { 162.25 } else { 260.0 };
    let lines = json!([{ "_id": less_sold, "qtn": 1 }]);
    let placed = shop.post("/api/orders", ME, &order(lines, price)).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    assert_eq!(best().await, first);
    catalog::count_popularity(db, Some(now.minus(Duration::from_secs(1)))).await.unwrap();
    assert_eq!(best().await[0], less_sold);
    // Whoever starts anew counts all.
    let number = placed.body["number"].as_str().unwrap();
    assert_eq!(shop.take(number, Step::Cancel).await, Taken::Done(orders::Status::Cancelled));
    assert_eq!(best().await, first);
    catalog::count_popularity(db, None).await.unwrap();
    assert_eq!(best().await, first);
}

async fn the_same_key_gives_the_same_order(shop: Shop) {
    let body = order(json!([{ "_id": "last", "qtn": 1 }]), 260.0);
    let refused = order(json!([{ "_id": "last", "qtn": 1 }]), 1.0);
    // What was refused has used no key.
    let answer = shop.post_with_key("/api/orders", ME, "k1", &refused).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    let first = shop.post_with_key("/api/orders", ME, "k1", &body).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.body);
    // It is sold out now, and the order moves on; whoever did not hear of it is told the same.
    shop.advance(first.body["number"].as_str().unwrap(), 1).await;
    let again = shop.post_with_key("/api/orders", ME, "k1", &body).await;
    assert_eq!((again.status, &again.body), (StatusCode::OK, &first.body));
    for other in [
        order(json!([{ "_id": "lamp", "qtn": 1 }]), ONE_LAMP),
        order(json!([{ "_id": "last", "qtn": 1 }]), 260.01),
        json!({ "name": "Karim", "phone": "12345", "address": "D", "total": 260.0,
                "lines": [{ "_id": "last", "qtn": 1 }] }),
    ] {
        let answer = shop.post_with_key("/api/orders", ME, "k1", &other).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.body);
        assert_eq!(answer.body["error"]["code"], "idempotency_key_reused");
    }
    // Another's key is another key, and no key is no key.
    let lamp = order(one_lamp(), ONE_LAMP);
    let theirs = shop.post_with_key("/api/orders", "b@haat.example", "k1", &lamp).await;
    assert_eq!(theirs.status, StatusCode::CREATED);
    for _ in 0..2 {
        assert_eq!(shop.post("/api/orders", ME, &lamp).await.status, StatusCode::CREATED);
    }
    assert_eq!((shop.count("orders").await, shop.count("placings").await), (4, 2));
    assert_eq!(shop.stock("last").await, (0, 1));
}

async fn many_with_one_key_place_one_order(shop: Shop) {
    let shop = Arc::new(shop);
    let body =
        Arc::new(order(json!([{ "_id": "lamp", "qtn": 2 }, { "_id": "bulb", "qtn": 1 }]), 213.25));
    let buyers: Vec<_> = (0..32)
        .map(|_| {
            let (shop, body) = (shop.clone(), body.clone());
            tokio::spawn(async move { shop.post_with_key("/api/orders", ME, "one", &body).await })
        })
        .collect();
    let mut answers = Vec::new();
    for buyer in buyers {
        answers.push(buyer.await.unwrap());
    }
    let made = answers.iter().filter(|answer| answer.status == StatusCode::CREATED).count();
    assert_eq!(made, 1);
    for answer in &answers {
        assert!(answer.status.is_success(), "{}", answer.body);
        assert_eq!(answer.body, answers[0].body);
    }
    assert_eq!((shop.count("orders").await, shop.count("order_lines").await), (1, 2));
    assert_eq!((shop.stock("lamp").await, shop.stock("bulb").await), ((48, 2), (11, 1)));
    assert_eq!(shop.letters().await.len(), 1);
}

async fn a_number_that_is_taken_is_drawn_again(mut shop: Shop) {
    let mut numbers = Vec::new();
    for _ in 0..2 {
        // The same dice again: they show the same number, and then another.
        let mut orders = shop.orders.clone();
        orders.book.random = Random::seeded(7);
        shop.given.clock.advance(Duration::from_secs(1));
        shop.routes = routes(&orders);
        numbers.push(shop.place(ME, one_lamp(), ONE_LAMP).await);
    }
    assert_ne!(numbers[0], numbers[1]);
    assert_eq!(shop.count("orders").await, 2);
}

async fn an_order_is_its_owners_alone(shop: Shop) {
    let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
    let thief = "mallory@haat.example";
    for (method, path) in [
        ("GET", format!("/api/orders/{number}")),
        ("POST", format!("/api/orders/{number}/cancel")),
        ("POST", format!("/api/orders/{number}/return")),
        ("GET", "/api/orders/0000-0000".into()),
        ("GET", "/api/orders/nonsense".into()),
    ] {
        let bearer = format!("Bearer {}", shop.token(thief));
        let answer = shop.ask(method, &path, &[("authorization", &bearer)], Body::empty()).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}: {}", answer.body);
        let answer = shop.ask(method, &path, &[], Body::empty()).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    let foreign = shop.get(&format!("/api/order/s/?email={ME}"), thief).await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    let body = json!({ "firstname": "R", "email": ME, "phone": "12345", "address": "D",
                       "grandPrice": 185.5, "getState": [{ "_id": "lamp", "qtn": 1 }] });
    assert_eq!(shop.post("/api/order", thief, &body).await.status, StatusCode::FORBIDDEN);
    let nobody = shop.ask("POST", "/api/order", &[], body.to_string()).await;
    assert_eq!(nobody.status, StatusCode::UNAUTHORIZED);
    for path in ["/api/orders", "/api/order/s/?email=mallory@haat.example"] {
        assert_eq!(shop.get(path, thief).await.body, json!([]), "{path}");
    }
    assert_eq!(shop.count("orders").await, 1);
    let seen = shop.get(&format!("/api/orders/{}", number.to_lowercase()), ME).await;
    assert_eq!(seen.body["status"], "placed");
}

async fn a_cancelled_order_gives_its_goods_back_once(shop: Shop) {
    let lines = json!([{ "_id": "lamp", "qtn": 2 }, { "_id": "last", "qtn": 1 }]);
    let number = shop.place(ME, lines, 311.0).await;
    assert_eq!((shop.stock("lamp").await, shop.stock("last").await), ((48, 2), (0, 1)));
    let shop = Arc::new(shop);
    let tasks: Vec<_> = (0..16)
        .map(|n| {
            let (shop, path) = (shop.clone(), format!("/api/orders/{number}/cancel"));
            let number = number.clone();
            tokio::spawn(async move {
                if n % 2 == 0 {
                    shop.take(&number, Step::Cancel).await;
                } else {
                    let answer = shop.post(&path, ME, &json!({ "note": "A mistake" })).await;
                    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
                    assert_eq!(answer.body["status"], "cancelled");
                    assert_eq!(answer.body["payment"]["state"], "voided");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!((shop.stock("lamp").await, shop.stock("last").await), ((50, 0), (1, 0)));
    assert_eq!(shop.count("order_events").await, 2);
    assert_eq!(shop.letters().await.len(), 2);
    // What came back can be bought again.
    shop.place(ME, json!([{ "_id": "last", "qtn": 1 }]), 260.0).await;
}

async fn a_return_is_for_a_few_days(shop: Shop) {
    let (early, late) =
        (shop.place(ME, one_lamp(), ONE_LAMP).await, shop.place(ME, one_lamp(), ONE_LAMP).await);
    let ask = async |number: &str| {
        shop.post(&format!("/api/orders/{number}/return"), ME, &json!({})).await
    };
    assert_eq!(ask(&early).await.status, StatusCode::CONFLICT);
    shop.advance(&early, 4).await;
    shop.advance(&late, 4).await;
    let seen = shop.get(&format!("/api/orders/{early}"), ME).await.body;
    assert_eq!(seen["returnUntil"], "2026-11-22T09:00:00.000Z");
    shop.given.clock.advance(Duration::from_secs(7 * 24 * 3600 - 1));
    for _ in 0..2 {
        let asked = ask(&early).await;
        assert_eq!(
            (asked.status, &asked.body["status"]),
            (StatusCode::OK, &json!("return_requested"))
        );
    }
    // A return that is refused leaves the order delivered, and its window as it was.
    assert!(matches!(shop.take(&early, Step::RefuseReturn).await, Taken::Done(_)));
    shop.given.clock.advance(Duration::from_secs(1));
    for number in [&early, &late] {
        let seen = shop.get(&format!("/api/orders/{number}"), ME).await.body;
        assert_eq!(seen["returnUntil"], Value::Null);
        let answer = ask(number).await;
        assert_eq!(
            (answer.status, &answer.body["error"]["code"]),
            (StatusCode::CONFLICT, &json!("not_now"))
        );
    }
}

async fn tracking_tells_little_and_not_often(shop: Shop) {
    let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
    shop.advance(&number, 2).await;
    let track = async |number: &str, email: &str| {
        let body = json!({ "number": number, "email": email }).to_string();
        shop.ask("POST", "/api/track", &[], body).await
    };
    let seen = track(&number.to_lowercase().replace('-', " "), " RAHIM@haat.example ").await;
    assert_eq!(seen.status, StatusCode::OK, "{}", seen.body);
    assert_eq!((&seen.body["status"], &seen.body["number"]), (&json!("packed"), &json!(number)));
    assert_eq!(seen.body["history"].as_array().unwrap().len(), 3);
    for personal in ["Rahim", "rahim", "Market", "1700", "lamp", "Lamp", "185"] {
        assert!(!seen.body.to_string().contains(personal), "{personal}");
    }
    let other = Number::new(&Random::seeded(99)).to_string();
    let unknown = track(&other, ME).await;
    for (number, email) in [(number.as_str(), "b@haat.example"), ("nonsense", ME), (&other, "")] {
        let answer = track(number, email).await;
        assert_eq!((answer.status, &answer.body), (StatusCode::NOT_FOUND, &unknown.body));
    }
    let mut answers = Vec::new();
    for _ in 0..20 {
        answers.push(track(&number, "guess@haat.example").await.status);
    }
    assert!(answers.contains(&StatusCode::TOO_MANY_REQUESTS));
    assert_eq!(track(&number, ME).await.status, StatusCode::TOO_MANY_REQUESTS);
    shop.given.clock.advance(Duration::from_secs(3600));
    assert_eq!(track(&number, ME).await.status, StatusCode::OK);
    let mut answers = Vec::new();
    for seed in 0..61 {
        let guess = Number::new(&Random::seeded(seed)).to_string();
        answers.push(track(&guess, ME).await.status);
    }
    assert_eq!(answers.last(), Some(&StatusCode::TOO_MANY_REQUESTS));
    let long = track(&"1".repeat(300), ME).await;
    assert_eq!(long.status, StatusCode::BAD_REQUEST);
}

async fn no_walk_through_life_makes_or_loses_goods(shop: Shop) {
    const STEPS: [Step; 5] =
        [Step::Advance, Step::Cancel, Step::Withdraw, Step::AskToReturn, Step::RefuseReturn];
    let mut out = 0;
    for walk in 0..24u64 {
        let dice = Random::seeded(walk);
        let quantity = 1 + i64::from(dice.bytes::<1>()[0] % 3);
        let total = 160.0 + 25.5 * quantity as f64;
        let number = shop.place(ME, json!([{ "_id": "lamp", "qtn": quantity }]), total).await;
        out += quantity;
        for _ in 0..12 {
            let step = STEPS[usize::from(dice.bytes::<1>()[0]) % STEPS.len()];
            if shop.take(&number, step).await == Taken::Done(orders::Status::Cancelled) {
                out -= quantity;
            }
            assert_eq!(shop.stock("lamp").await, (50 - out, out));
        }
    }
    assert!(out > 0 && out < 50);
}

async fn orders_are_listed_newest_first(shop: Shop) {
    let mut placed = Vec::new();
    for _ in 0..5 {
        shop.given.clock.advance(Duration::from_secs(1));
        placed.push(shop.place(ME, one_lamp(), ONE_LAMP).await);
    }
    placed.reverse();
    let mut walked = Vec::new();
    let mut path = "/api/orders?limit=2".to_owned();
    loop {
        let answer = shop.get(&path, ME).await;
        let orders = answer.body.as_array().unwrap().iter();
        walked.extend(orders.map(|order| order["number"].as_str().unwrap().to_owned()));
        let Some(cursor) = answer.headers.get("x-next-cursor") else { break };
        path = format!("/api/orders?limit=2&cursor={}", cursor.to_str().unwrap());
    }
    assert_eq!(walked, placed);
    for wrong in ["limit=0", "limit=201", "limit=x", "cursor=x"] {
        let answer = shop.get(&format!("/api/orders?{wrong}"), ME).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}

async fn an_invoice_is_its_owners_pdf(shop: Shop) {
    let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
    let path = format!("/api/orders/{number}/invoice.pdf");
    let bearer = format!("Bearer {}", shop.token(ME));
    let own = [("authorization", bearer.as_str())];
    let (parts, pdf) = shop.fetch("GET", &path, &own, Body::empty()).await;
    assert_eq!(parts.status, StatusCode::OK);
    assert_eq!(parts.headers["content-type"], "application/pdf");
    assert_eq!(parts.headers["cache-control"], "private, no-store");
    let file = format!("attachment; filename=\"invoice-{number}.pdf\"");
    assert_eq!(parts.headers["content-disposition"], file.as_str());
    assert!(pdf.starts_with(b"%PDF-") && pdf.trim_ascii_end().ends_with(b"%%EOF"));
    assert!(pdf.len() < 100_000, "only the letters that are used: {}", pdf.len());

    assert_eq!(shop.get(&path, "other@haat.example").await.status, StatusCode::NOT_FOUND);
    let nobody = shop.ask("GET", &path, &[], Body::empty()).await;
    assert_eq!(nobody.status, StatusCode::UNAUTHORIZED);
    let unknown = shop.get("/api/orders/0000-0000/invoice.pdf", ME).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

/// A hundred lines, and texts that no font has or that never break.
async fn any_order_fits_on_paper(shop: Shop) {
    let product = |place: usize| {
        json!({ "_id": format!("p{place}"), "category": "light", "sku": format!("P{place}"),
                "name": format!("{} ৳ Ő Łódź মিতালী 😀 مرحبا {place}", "x".repeat(place)),
                "img": ["/l.svg"], "realPrice": 1, "qtn": 9 })
    };
    let goods: Vec<Value> = (0..100).map(product).collect();
    shop.import(&json!({ "products": goods }).to_string()).await;
    let lines: Vec<Value> =
        (0..100).map(|place| json!({ "_id": format!("p{place}"), "qtn": 1 })).collect();
    let mut order = order(json!(lines), 260.0);
    order["name"] = json!("W".repeat(200));
    order["address"] = json!("ক\n".repeat(300));
    order["currency"] = json!("BDT");
    let placed = shop.post("/api/orders", ME, &order).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    let path = format!("/api/orders/{}/invoice.pdf", placed.body["number"].as_str().unwrap());
    let bearer = format!("Bearer {}", shop.token(ME));
    let (parts, pdf) = shop.fetch("GET", &path, &[("authorization", &bearer)], Body::empty()).await;
    assert_eq!(parts.status, StatusCode::OK);
    assert!(pdf.starts_with(b"%PDF-"));
}

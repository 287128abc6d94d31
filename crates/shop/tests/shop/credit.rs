//! Store credit through HTTP and orders: how it is granted, spent and refunded, and that the ledger
//! adds up.

use std::path::Path;
use std::sync::Arc;

use axum::body::Body;
use axum::http::StatusCode;
use platform::{Currency, Random};
use serde_json::{Value, json};
use shop::credit;
use shop::orders::StepOutcome::{self, Done};
use shop::orders::{OrderStatus, Refund, Step};
use test_support::on_both;

use super::test_shop::{ME, ONE_LAMP, Shop, one_lamp, order, usd};

on_both!(Shop:
    a_return_is_refunded_as_credit_once,
    a_refund_is_limited_to_the_amount_paid,
    credit_pays_a_part_and_is_returned_on_cancellation,
    credit_can_cover_the_total,
    what_was_paid_with_credit_is_refunded_as_credit,
    invalid_credit_is_refused_without_effect,
    a_repeated_key_spends_credit_once,
    concurrent_orders_cannot_overspend,
    the_ledger_adds_up_under_concurrency,
    the_ledger_is_private_and_paginated,
    a_deleted_customers_ledger_is_anonymous,
);

const OTHER: &str = "karim@haat.example";
const REFUND_AS_CREDIT: Step = Step::Refund(Refund { amount: None, as_credit: true });

impl Shop {
    async fn grant(&self, email: &str, cents: i64) {
        let (given, uid) = (&self.given, format!("uid-{email}"));
        let (clock, random) = (&given.clock, &given.random);
        let amount = usd(cents);
        credit::grant(&given.db, clock, random, &uid, amount, "For the trouble").await.unwrap();
    }

    async fn credit(&self, email: &str) -> Value {
        self.get("/api/credit", email).await.body
    }

    /// The text of the e-mail with this subject.
    async fn email_text(&self, subject: &str) -> String {
        let emails = self.emails().await;
        let found = emails.iter().find(|email| email["subject"] == subject);
        found.unwrap()["text"].as_str().unwrap().to_owned()
    }

    /// An order that was delivered and returned.
    async fn returned(&self, credit: f64) -> String {
        let number = self.placed(credit).await["number"].as_str().unwrap().to_owned();
        self.advance(&number, 4).await;
        assert!(matches!(self.apply(&number, Step::RequestReturn(&[])).await, Done(_)));
        self.advance(&number, 1).await;
        number
    }

    /// One lamp, partly paid with credit.
    async fn placed(&self, credit: f64) -> Value {
        let placed = self.post("/api/orders", ME, &one_with(credit)).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
        placed.body
    }

    /// Every balance is the sum of its entries, and each entry has the balance after it.
    async fn adds_up(&self) {
        let db = &self.given.db;
        let accounts: Vec<(String, i64)> =
            db.query("select id, balance from credit_accounts").all().await.unwrap();
        for (account, balance) in accounts {
            let entries: Vec<(i64, i64)> = db
                .query(
                    "select amount, balance from credit_entries where account = $1
                     order by created_at, id",
                )
                .bind(account.as_str())
                .all()
                .await
                .unwrap();
            let mut sum = 0;
            for (amount, then) in entries {
                sum += amount;
                assert!(sum >= 0 && sum == then, "{account}: {sum}, and it says {then}");
            }
            assert_eq!(sum, balance, "{account}");
        }
    }
}

fn no_credit() -> Value {
    json!({ "currency": "USD", "balance": 0, "spendable": 0, "entries": [] })
}

fn one_with(credit: f64) -> Value {
    let mut body = order(one_lamp(), ONE_LAMP);
    body["credit"] = json!(credit);
    body
}

async fn a_return_is_refunded_as_credit_once(shop: Shop) {
    assert_eq!(shop.credit(ME).await, no_credit());
    let number = shop.returned(0.0).await;
    assert_eq!(shop.apply(&number, REFUND_AS_CREDIT).await, Done(OrderStatus::Refunded));
    for step in [REFUND_AS_CREDIT, Step::Refund(Refund::default()), Step::Advance] {
        assert_eq!(shop.apply(&number, step).await, StepOutcome::NotAllowed(OrderStatus::Refunded));
    }
    let seen = shop.credit(ME).await;
    // Everything but the delivery.
    assert_eq!(seen["balance"], 145.5);
    let [entry] = seen["entries"].as_array().unwrap().as_slice() else { panic!("{seen}") };
    assert_eq!((&entry["kind"], &entry["order"]), (&json!("refund"), &json!(number)));
    assert_eq!((&entry["amount"], &entry["balance"]), (&json!(145.5), &json!(145.5)));
    let now = shop.get(&format!("/api/orders/{number}"), ME).await.body;
    // The payment keeps what became store credit: nothing is paid back twice.
    assert_eq!(now["payment"]["state"], "captured");
    assert_eq!(now["payment"]["refunded"], 0);
    let history = now["history"].as_array().unwrap();
    assert_eq!(history.last().unwrap()["note"], "$145.50 as store credit");
    let text = shop.email_text(&format!("Your order {number} is refunded")).await;
    assert!(text.contains("$145.50 is in your store credit now"), "{text}");
    assert!(!text.contains("paid back"), "{text}");
    shop.adds_up().await;
}

async fn a_refund_is_limited_to_the_amount_paid(shop: Shop) {
    let refund = |cents, as_credit| Step::Refund(Refund { amount: Some(usd(cents)), as_credit });
    let number = shop.returned(0.0).await;
    for as_credit in [true, false] {
        let refused = shop.apply(&number, refund(18_551, as_credit)).await;
        assert_eq!(refused, StepOutcome::ExceedsPaid(usd(18_550)));
    }
    assert_eq!(shop.apply(&number, refund(18_550, true)).await, Done(OrderStatus::Refunded));
    assert_eq!(shop.credit(ME).await["balance"], ONE_LAMP);
    // Only a returned order can be refunded.
    let placed = shop.place(ME, one_lamp(), ONE_LAMP).await;
    assert_eq!(
        shop.apply(&placed, REFUND_AS_CREDIT).await,
        StepOutcome::NotAllowed(OrderStatus::Placed)
    );
    assert_eq!(shop.count("credit_entries").await, 1);
}

async fn credit_pays_a_part_and_is_returned_on_cancellation(shop: Shop) {
    shop.grant(ME, 5_025).await;
    let placed = shop.placed(50.25).await;
    assert_eq!((&placed["total"], &placed["credit"]), (&json!(ONE_LAMP), &json!(50.25)));
    let number = placed["number"].as_str().unwrap();
    let path = format!("/api/orders/{number}");
    let now = shop.get(&path, ME).await.body;
    assert_eq!(now["payment"]["provider"], "cash_on_delivery");
    assert_eq!(
        (&now["payment"]["amount"], &now["payment"]["state"]),
        (&json!(135.25), &json!("authorised"))
    );
    let text = shop.email_text(&format!("Your order {number}")).await;
    assert!(text.contains("Total: $185.50\nStore credit: −$50.25\nTo pay: $135.25"), "{text}");
    let bearer = format!("Bearer {}", shop.token(ME));
    let pdf_path = format!("{path}/invoice.pdf");
    let (parts, pdf) =
        shop.fetch("GET", &pdf_path, &[("authorization", &bearer)], Body::empty()).await;
    assert!(parts.status == StatusCode::OK && pdf.starts_with(b"%PDF-"));
    let seen = shop.credit(ME).await;
    assert_eq!(seen["balance"], 0);
    let spent = &seen["entries"][0];
    assert_eq!((&spent["kind"], &spent["amount"]), (&json!("spent"), &json!(-50.25)));
    assert_eq!((&spent["order"], &seen["entries"][1]["order"]), (&json!(number), &Value::Null));
    assert_eq!(seen["entries"][1]["note"], "For the trouble");

    for _ in 0..2 {
        let cancelled = shop.post(&format!("{path}/cancel"), ME, &json!({})).await;
        assert_eq!(cancelled.status, StatusCode::OK, "{}", cancelled.body);
        assert_eq!(cancelled.body["payment"]["state"], "voided");
    }
    let seen = shop.credit(ME).await;
    assert_eq!(
        (&seen["balance"], &seen["entries"][0]["kind"]),
        (&json!(50.25), &json!("returned"))
    );
    assert_eq!(seen["entries"].as_array().unwrap().len(), 3);
    let text = shop.email_text(&format!("Your order {number} is cancelled")).await;
    assert!(text.contains("$50.25 is in your store credit now"), "{text}");
    shop.adds_up().await;
}

async fn credit_can_cover_the_total(shop: Shop) {
    shop.grant(ME, 40_000).await;
    let mut body = one_with(ONE_LAMP);
    // Ignored, because nothing is left to pay.
    body["payment"] = json!("paypal");
    let placed = shop.post("/api/orders", ME, &body).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    let path = format!("/api/orders/{}", placed.body["number"].as_str().unwrap());
    let payment = &shop.get(&path, ME).await.body["payment"];
    assert_eq!(payment["provider"], "store_credit");
    assert_eq!((&payment["amount"], &payment["state"]), (&json!(0), &json!("captured")));
    let cancelled = shop.post(&format!("{path}/cancel"), ME, &json!({})).await.body;
    assert_eq!(cancelled["payment"]["state"], "refunded");
    assert_eq!(shop.credit(ME).await["balance"], 400);
    // Delivery does not capture a payment twice.
    let number = shop.placed(ONE_LAMP).await["number"].as_str().unwrap().to_owned();
    shop.advance(&number, 4).await;
    let now = shop.get(&format!("/api/orders/{number}"), ME).await.body;
    assert_eq!(
        (&now["status"], &now["payment"]["state"]),
        (&json!("delivered"), &json!("captured"))
    );
    assert_eq!(shop.credit(ME).await["balance"], 214.5);
    shop.adds_up().await;
}

async fn what_was_paid_with_credit_is_refunded_as_credit(shop: Shop) {
    shop.grant(ME, 10_000).await;
    let number = shop.returned(100.0).await;
    assert_eq!(shop.apply(&number, Step::Advance).await, Done(OrderStatus::Refunded));
    let seen = shop.credit(ME).await;
    assert_eq!((&seen["balance"], &seen["entries"][0]["kind"]), (&json!(100), &json!("returned")));
    let text = shop.email_text(&format!("Your order {number} is refunded")).await;
    assert!(text.contains("$100.00 is in your store credit now"), "{text}");
    assert!(text.contains("$45.50 is paid back to you"), "{text}");
    shop.adds_up().await;
}

async fn invalid_credit_is_refused_without_effect(shop: Shop) {
    shop.grant(OTHER, 100_000).await;
    let with = |field: &str, value: Value| {
        let mut body = one_with(0.0);
        body[field] = value;
        body
    };
    for (body, named) in [
        (with("credit", json!(-1)), "credit"),
        (with("credit", json!(0.001)), "credit"),
        (with("credit", json!(0.0001)), "body"),
        (with("credit", json!(true)), "body"),
        (with("credit", json!("10")), "body"),
        (with("credit", json!(1e300)), "body"),
        (with("credit", Value::Null), "body"),
    ] {
        let answer = shop.post("/api/orders", ME, &body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}: {}", answer.body);
        assert_eq!(answer.body["error"]["fields"][0]["name"], named, "{body}: {}", answer.body);
    }
    for (body, named) in [
        (with("credit", json!(185.51)), "credit"),
        (with("payment", json!("store_credit")), "payment"),
    ] {
        let answer = shop.post("/api/orders", ME, &body).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {}", answer.body);
        assert_eq!(answer.body["error"]["fields"][0]["name"], named, "{body}: {}", answer.body);
    }
    // Another customer's credit does not count, and one cent too much is refused.
    for cents in [0, 999] {
        if cents > 0 {
            shop.grant(ME, cents).await;
        }
        let answer = shop.post_with_key("/api/orders", ME, "k", &one_with(10.0)).await;
        assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
        assert_eq!(answer.body["error"]["code"], "credit");
        assert_eq!(answer.body["quote"]["total"], ONE_LAMP);
    }
    // An order refused for another reason spends no credit.
    let mut sold_out = order(json!([{ "_id": "last", "qtn": 2 }]), 360.0);
    sold_out["credit"] = json!(9.99);
    let answer = shop.post("/api/orders", ME, &sold_out).await;
    assert_eq!(answer.body["error"]["code"], "stock", "{}", answer.body);
    for (table, count) in [("orders", 0), ("payments", 0), ("placings", 0), ("credit_entries", 2)] {
        assert_eq!(shop.count(table).await, count, "{table}");
    }
    assert_eq!(shop.stock("lamp").await, (50, 0));
    // A refused order does not use up the key.
    let placed = shop.post_with_key("/api/orders", ME, "k", &one_with(9.99)).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    shop.adds_up().await;
}

async fn a_repeated_key_spends_credit_once(shop: Shop) {
    shop.grant(ME, 6_000).await;
    let first = shop.post_with_key("/api/orders", ME, "k", &one_with(50.0)).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.body);
    for _ in 0..2 {
        let again = shop.post_with_key("/api/orders", ME, "k", &one_with(50.0)).await;
        assert_eq!((again.status, &again.body), (StatusCode::OK, &first.body));
    }
    for other in [0.0, 10.0] {
        let answer = shop.post_with_key("/api/orders", ME, "k", &one_with(other)).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.body);
    }
    assert_eq!(shop.credit(ME).await["balance"], 10);
    assert_eq!((shop.count("orders").await, shop.count("credit_entries").await), (1, 2));
}

async fn concurrent_orders_cannot_overspend(shop: Shop) {
    shop.grant(ME, 10_000).await;
    for round in 0..8 {
        let keys = [format!("{round}-a"), format!("{round}-b")];
        let body = one_with(100.0);
        let (one, other) = tokio::join!(
            shop.post_with_key("/api/orders", ME, &keys[0], &body),
            shop.post_with_key("/api/orders", ME, &keys[1], &body),
        );
        let mut statuses = [one.status, other.status];
        statuses.sort();
        assert_eq!(statuses, [StatusCode::CREATED, StatusCode::CONFLICT], "round {round}");
        let (placed, refused) = if one.status == StatusCode::CREATED {
            (one.body, other.body)
        } else {
            (other.body, one.body)
        };
        assert_eq!(refused["error"]["code"], "credit");
        let path = format!("/api/orders/{}/cancel", placed["number"].as_str().unwrap());
        assert_eq!(shop.post(&path, ME, &json!({})).await.status, StatusCode::OK);
    }
    assert_eq!(shop.credit(ME).await["balance"], 100);
    shop.adds_up().await;
}

/// Two customers, many concurrent clients, the same few products.
async fn the_ledger_adds_up_under_concurrency(shop: Shop) {
    shop.grant(ME, 30_000).await;
    shop.grant(OTHER, 30_000).await;
    let shop = Arc::new(shop);
    let clients: Vec<_> = (0..12)
        .map(|client: u64| {
            let shop = shop.clone();
            tokio::spawn(async move {
                let rng = Random::seeded(client);
                let me = if client.is_multiple_of(2) { ME } else { OTHER };
                for _ in 0..6 {
                    let [lamp, bulb, credit, keeps] = rng.bytes::<4>().map(i64::from);
                    let (lamp, bulb) = (1 + lamp % 2, 1 + bulb % 2);
                    let lines =
                        json!([{ "_id": "lamp", "qtn": lamp }, { "_id": "bulb", "qtn": bulb }]);
                    let cents = 16_000 + 2_550 * lamp + 225 * bulb;
                    let mut body = order(lines, cents as f64 / 100.0);
                    body["credit"] = json!((cents * (credit % 5) / 4) as f64 / 100.0);
                    let answer = shop.post("/api/orders", me, &body).await;
                    if answer.status == StatusCode::CONFLICT {
                        let code = &answer.body["error"]["code"];
                        assert!(code == "credit" || code == "stock", "{}", answer.body);
                    } else {
                        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
                        let number = answer.body["number"].as_str().unwrap();
                        if keeps % 4 > 0 {
                            let path = format!("/api/orders/{number}/cancel");
                            let cancelled = shop.post(&path, me, &json!({})).await;
                            assert_eq!(cancelled.status, StatusCode::OK, "{}", cancelled.body);
                        }
                    }
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    shop.adds_up().await;
    let wrong = "select count(*) from orders o where
        coalesce((select sum(amount) from credit_entries e where e.order_id = o.id), 0)
          <> case when o.status = 'cancelled' then 0 else -o.credit end
        or (select count(*) from payments p where p.order_id = o.id
            and p.amount = o.total - o.gift_cards - o.credit) <> 1";
    let (wrong,): (i64,) = shop.given.db.query(wrong).one().await.unwrap();
    assert_eq!(wrong, 0);
    assert!(shop.count("credit_entries").await > 20);
}

async fn the_ledger_is_private_and_paginated(shop: Shop) {
    // All at the same time, and still in order.
    for cents in 1..=5 {
        shop.grant(ME, cents).await;
    }
    let mut walked = Vec::new();
    let mut path = "/api/credit?limit=2".to_owned();
    loop {
        let answer = shop.get(&path, ME).await;
        assert_eq!(answer.body["balance"], 0.15);
        let entries = answer.body["entries"].as_array().unwrap().iter();
        walked.extend(entries.map(|entry| entry["balance"].as_f64().unwrap()));
        let Some(cursor) = answer.headers.get("x-next-cursor") else { break };
        path = format!("/api/credit?limit=2&cursor={}", cursor.to_str().unwrap());
    }
    assert_eq!(walked, [0.15, 0.10, 0.06, 0.03, 0.01]);
    for wrong in ["limit=0", "limit=201", "limit=x", "cursor=x"] {
        let answer = shop.get(&format!("/api/credit?{wrong}"), ME).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    assert_eq!(shop.credit(OTHER).await, no_credit());
    let anonymous = shop.ask("GET", "/api/credit", &[], Body::empty()).await;
    assert_eq!(anonymous.status, StatusCode::UNAUTHORIZED);
}

async fn a_deleted_customers_ledger_is_anonymous(shop: Shop) {
    shop.grant(ME, 10_000).await;
    shop.grant(OTHER, 100).await;
    let number = shop.placed(30.0).await["number"].as_str().unwrap().to_owned();
    let uid = format!("uid-{ME}");
    let (db, clock, random) = (&shop.given.db, &shop.given.clock, &shop.given.random);
    let all = credit::account(db, Currency::USD, &uid).await.unwrap();
    assert_eq!((all.balance, all.entries.len()), (usd(7_000), 2));
    for _ in 0..2 {
        let mut tx = db.begin().await.unwrap();
        credit::erase(&mut tx, clock, random, &uid).await.unwrap();
        tx.commit().await.unwrap();
    }
    let all = credit::account(db, Currency::USD, &uid).await.unwrap();
    assert_eq!((all.balance, all.entries.len()), (usd(0), 0));
    let entries: Vec<(String, i64, i64)> = db
        .query(
            "select kind, amount, e.balance from credit_entries e
             join credit_accounts a on a.id = e.account where a.customer is null
             order by e.created_at",
        )
        .all()
        .await
        .unwrap();
    let kept = [("granted", 10_000, 10_000), ("spent", -3_000, 7_000), ("ended", -7_000, 0)];
    assert_eq!(entries, kept.map(|(kind, amount, balance)| (kind.to_owned(), amount, balance)));
    // A later cancellation credits nobody, and the e-mail says nothing about credit.
    assert_eq!(shop.apply(&number, Step::Cancel).await, Done(OrderStatus::Cancelled));
    let text = shop.email_text(&format!("Your order {number} is cancelled")).await;
    assert!(!text.contains("in your store credit"), "{text}");
    assert_eq!(shop.count("credit_entries").await, 4);
    assert_eq!(shop.credit(OTHER).await["balance"], 1);
    shop.adds_up().await;
}

/// Triggers differ between the two databases, so this checks the source code instead.
#[test]
fn the_ledger_is_append_only() {
    fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "sql") {
                let text = std::fs::read_to_string(&path).unwrap().to_lowercase();
                found.push((path.display().to_string(), text));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let crates = std::fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    for folder in crates.map(|path| path.join("src")).filter(|src| src.is_dir()) {
        sources(&folder, &mut found);
    }
    sources(&root.join("migrations"), &mut found);
    let files_with = |words: &str| -> Vec<&str> {
        let matches =
            |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ").contains(words);
        found.iter().filter(|(_, text)| matches(text)).map(|(path, _)| path.as_str()).collect()
    };
    for words in ["update credit_entries", "delete from credit_entries"] {
        assert!(files_with(words).is_empty(), "{words}: {:?}", files_with(words));
    }
    for table in ["into credit_entries", "into credit_accounts", "update credit_accounts"] {
        let [path] = files_with(table)[..] else { panic!("{table}: {:?}", files_with(table)) };
        assert!(path.ends_with("credit/store.rs"), "{path}");
    }
}

//! Returns of single lines: what can be returned, what is refunded, and that nothing is refunded or
//! restocked twice.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use platform::Random;
use serde_json::{Value, json};
use shop::credit;
use shop::orders::StepOutcome::{self, Done};
use shop::orders::{OrderStatus, Refund, ReturnLine, Step};
use test_support::on_both;

use super::test_shop::{ME, ONE_LAMP, Shop, one_lamp, order, usd};

on_both!(Shop:
    single_lines_are_returned_and_refunded_to_the_cent,
    store_credit_is_refunded_first_and_never_more_than_was_paid,
    invalid_returns_are_refused,
    concurrent_returns_never_refund_twice,
    the_migration_keeps_earlier_returns,
    spent_excludes_refunds,
);

/// Two lamps and three bulbs: 57.75 for the goods, 217.75 in all.
fn goods() -> Value {
    json!([{ "_id": "lamp", "qtn": 2 }, { "_id": "bulb", "qtn": 3 }])
}

const TOTAL: f64 = 217.75;

fn some(lines: &[(&str, i64)]) -> Vec<ReturnLine> {
    let line = |(id, quantity): &(&str, i64)| ReturnLine {
        variant: id.parse().unwrap(),
        quantity: *quantity,
    };
    lines.iter().map(line).collect()
}

impl Shop {
    async fn delivered(&self, credit: f64) -> String {
        let mut body = order(goods(), TOTAL);
        body["credit"] = json!(credit);
        let placed = self.post("/api/orders", ME, &body).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
        let number = placed.body["number"].as_str().unwrap().to_owned();
        self.advance(&number, 4).await;
        number
    }

    async fn seen(&self, number: &str) -> Value {
        self.get(&format!("/api/orders/{number}"), ME).await.body
    }

    async fn request_return(&self, number: &str, lines: Value) -> (StatusCode, Value) {
        let body = json!({ "lines": lines });
        let answer = self.post(&format!("/api/orders/{number}/return"), ME, &body).await;
        (answer.status, answer.body)
    }
}

async fn single_lines_are_returned_and_refunded_to_the_cent(shop: Shop) {
    let number = shop.delivered(0.0).await;
    assert_eq!(shop.seen(&number).await["returnable"], goods());
    let one = json!([{ "_id": "bulb", "qtn": 2 }, { "_id": "lamp", "qtn": 1 }]);
    let (status, now) = shop.request_return(&number, one.clone()).await;
    assert_eq!(status, StatusCode::OK, "{now}");
    assert_eq!((&now["status"], &now["returnable"]), (&json!("return_requested"), &json!([])));
    assert_eq!(
        (&now["returns"][0]["state"], &now["returns"][0]["lines"]),
        (&json!("requested"), &one)
    );
    assert_eq!((shop.stock("lamp").await, shop.stock("bulb").await), ((48, 2), (9, 3)));
    shop.advance(&number, 1).await;
    assert_eq!((shop.stock("lamp").await, shop.stock("bulb").await), ((49, 1), (11, 1)));
    shop.advance(&number, 1).await;
    let now = shop.seen(&number).await;
    assert_eq!(now["status"], "partly_refunded");
    // 30.00 of the goods' 57.75, and the same share of the VAT of 120.00.
    let back = &now["returns"][0];
    assert_eq!((&back["goods"], &back["vat"]), (&json!(30), &json!(62.33)));
    assert_eq!((&back["paid"], &back["credit"]), (&json!(92.33), &json!(0)));
    assert_eq!(
        (&now["payment"]["state"], &now["payment"]["refunded"]),
        (&json!("partly_refunded"), &json!(92.33))
    );
    assert_eq!(now["history"][7]["note"], "$92.33 paid back");
    assert_eq!(now["returnUntil"], "2026-11-22T09:00:00.000Z");
    let rest = json!([{ "_id": "lamp", "qtn": 1 }, { "_id": "bulb", "qtn": 1 }]);
    assert_eq!(now["returnable"], rest);

    // The rest, which cannot be restocked.
    shop.request_return(&number, json!([])).await;
    let broken = Step::ReceiveReturn { restock: false };
    assert_eq!(shop.apply(&number, broken).await, Done(OrderStatus::Returned));
    assert_eq!((shop.stock("lamp").await, shop.stock("bulb").await), ((49, 1), (11, 1)));
    assert_eq!(shop.apply(&number, Step::Advance).await, Done(OrderStatus::Refunded));
    let now = shop.seen(&number).await;
    let back = &now["returns"][1];
    assert_eq!(
        (&back["goods"], &back["vat"], &back["paid"]),
        (&json!(27.75), &json!(57.67), &json!(85.42))
    );
    // Everything but the delivery, to the cent.
    assert_eq!(
        (&now["payment"]["state"], &now["payment"]["refunded"]),
        (&json!("partly_refunded"), &json!(177.75))
    );

    let emails = shop.emails().await;
    let email = emails
        .iter()
        .find(|email| email["subject"] == format!("Your return from order {number} is refunded"));
    let text = email.unwrap()["text"].as_str().unwrap();
    assert!(text.contains("1 × Lamp\n2 × Bulb") && text.contains("$92.33 is paid back"), "{text}");
    let invoice = shop.get(&format!("/api/orders/{number}/invoice"), ME).await.body;
    let documents = invoice["documents"].as_array().unwrap();
    assert_eq!(documents.len(), 3);
    assert_eq!(
        (&documents[1]["title"], &documents[1]["number"]),
        (&json!("Credit note"), &json!("CN-2026-0001"))
    );
    assert_eq!(documents[1]["items"][1]["amount"], "$4.50");
    let sums: Vec<&str> = documents[1]["sums"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sum| sum["amount"].as_str().unwrap())
        .collect();
    assert_eq!(sums, ["$30.00", "$62.33", "$92.33", "$92.33"]);
}

async fn store_credit_is_refunded_first_and_never_more_than_was_paid(shop: Shop) {
    let (given, uid) = (&shop.given, format!("uid-{ME}"));
    credit::grant(&given.db, &given.clock, &given.random, &uid, usd(10_000), "For the trouble")
        .await
        .unwrap();
    let number = shop.delivered(100.0).await;
    let lamp = some(&[("lamp", 1)]);
    let refund = |amount: Option<i64>, as_credit| {
        Step::Refund(Refund { amount: amount.map(usd), as_credit })
    };
    // 25.50 and 52.98 of the VAT, all of it from the credit.
    for step in [Step::RequestReturn(&lamp), Step::Advance, Step::Advance] {
        assert!(matches!(shop.apply(&number, step).await, Done(_)));
    }
    assert_eq!(shop.get("/api/credit", ME).await.body["balance"], 78.48);
    // A refused return changes nothing.
    assert!(matches!(shop.apply(&number, Step::RequestReturn(&lamp)).await, Done(_)));
    assert_eq!(shop.apply(&number, Step::RefuseReturn).await, Done(OrderStatus::PartlyRefunded));
    // 1.00, an amount that the shop chose.
    let bulb = some(&[("bulb", 1)]);
    for step in [Step::RequestReturn(&bulb), Step::Advance] {
        assert!(matches!(shop.apply(&number, step).await, Done(_)));
    }
    let left = StepOutcome::ExceedsPaid(usd(21_775 - 7_848));
    assert_eq!(shop.apply(&number, refund(Some(13_928), false)).await, left);
    assert_eq!(
        shop.apply(&number, refund(Some(100), true)).await,
        Done(OrderStatus::PartlyRefunded)
    );
    assert_eq!(shop.get("/api/credit", ME).await.body["balance"], 79.48);
    // The rest: the remaining credit first.
    for step in [Step::RequestReturn(&[]), Step::Advance, Step::Advance] {
        assert!(matches!(shop.apply(&number, step).await, Done(_)));
    }
    let now = shop.seen(&number).await;
    assert_eq!(now["status"], "refunded");
    let last = &now["returns"][3];
    // 30.00, and the rest of the VAT.
    assert_eq!((&last["goods"], &last["vat"]), (&json!(30), &json!(62.34)));
    assert_eq!((&last["credit"], &last["paid"]), (&json!(20.52), &json!(71.82)));
    let credit = shop.get("/api/credit", ME).await.body;
    assert_eq!((&credit["balance"], credit["entries"].as_array().unwrap().len()), (&json!(100), 5));
    let invoice = shop.get(&format!("/api/orders/{number}/invoice"), ME).await.body;
    // 1.00 instead of the bulb's 6.93.
    let sums: Vec<(&Value, &Value)> = invoice["documents"][2]["sums"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sum| (&sum["name"], &sum["amount"]))
        .collect();
    assert!(sums.contains(&(&json!("Adjustment"), &json!("−$5.93"))), "{sums:?}");
}

async fn spent_excludes_refunds(shop: Shop) {
    let (given, uid) = (&shop.given, format!("uid-{ME}"));
    let (db, clock, random) = (&given.db, &given.clock, &given.random);
    credit::grant(db, clock, random, &uid, usd(10_000), "For the wait").await.unwrap();
    let spent = async || {
        let listed = shop.get("/api/orders", ME).await.body;
        let orders = listed.as_array().unwrap().iter().rev();
        orders.map(|order| order["spent"].as_f64().unwrap()).collect::<Vec<f64>>()
    };
    let pay = |credit: f64| {
        let mut body = order(goods(), TOTAL);
        body["credit"] = json!(credit);
        body
    };
    let refund =
        |amount: i64, as_credit| Step::Refund(Refund { amount: Some(usd(amount)), as_credit });
    // Paid on delivery, except for the credit.
    let placed = shop.post("/api/orders", ME, &pay(40.0)).await.body;
    let number = placed["number"].as_str().unwrap();
    assert_eq!(spent().await, [40.0]);
    shop.advance(number, 4).await;
    assert_eq!(spent().await, [TOTAL]);

    // An open return refunds nothing; then some lines are refunded, and then an amount, as credit.
    let some = some(&[("lamp", 1), ("bulb", 2)]);
    assert!(matches!(shop.apply(number, Step::RequestReturn(&some)).await, Done(_)));
    shop.advance(number, 1).await;
    assert_eq!(spent().await, [TOTAL]);
    shop.advance(number, 1).await;
    assert_eq!(spent().await, [125.42], "92.33 less");
    for step in [Step::RequestReturn(&[]), Step::Advance, refund(2_500, true)] {
        assert!(matches!(shop.apply(number, step).await, Done(_)));
    }
    assert_eq!(shop.seen(number).await["status"], "refunded");
    assert_eq!(spent().await, [100.42], "the delivery, and what was not given back");

    shop.given.clock.advance(Duration::from_secs(1));
    // A cancelled order costs nothing, and its credit is returned.
    let off = shop.post("/api/orders", ME, &pay(60.0)).await.body;
    assert_eq!(spent().await, [100.42, 60.0]);
    let cancel = format!("/api/orders/{}/cancel", off["number"].as_str().unwrap());
    assert_eq!(shop.post(&cancel, ME, &json!({})).await.status, StatusCode::OK);
    assert_eq!(spent().await, [100.42, 0.0]);
}

async fn invalid_returns_are_refused(shop: Shop) {
    let number = shop.delivered(0.0).await;
    for lines in [
        json!([{ "_id": "lamp", "qtn": 3 }]),
        json!([{ "_id": "lamp", "qtn": 0 }]),
        json!([{ "_id": "lamp", "qtn": -1 }]),
        json!([{ "_id": "last", "qtn": 1 }]),
        json!([{ "_id": "lamp", "qtn": 1 }, { "_id": "lamp", "qtn": 1 }]),
        json!([{ "_id": "lamp", "qtn": 1 }, { "_id": "nothing", "qtn": 1 }]),
        json!("all"),
    ] {
        let (status, body) = shop.request_return(&number, lines.clone()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{lines}: {body}");
    }
    assert_eq!(shop.seen(&number).await["status"], "delivered");
    assert_eq!(shop.count("order_returns").await, 0);
    shop.given.clock.advance(Duration::from_secs(7 * 24 * 3600));
    let (status, body) = shop.request_return(&number, json!([{ "_id": "lamp", "qtn": 1 }])).await;
    assert_eq!(
        (status, &body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("too_late_to_return"))
    );
    assert_eq!(shop.seen(&number).await["returnable"], json!([]));
}

async fn concurrent_returns_never_refund_twice(shop: Shop) {
    let number = shop.delivered(0.0).await;
    let shop = Arc::new(shop);
    let clients: Vec<_> = (0..6)
        .map(|client: u64| {
            let (shop, number) = (shop.clone(), number.clone());
            tokio::spawn(async move {
                let rng = Random::seeded(client);
                let (lamp, bulb) = (some(&[("lamp", 1)]), some(&[("bulb", 1)]));
                for _ in 0..10 {
                    let step = match rng.bytes::<1>()[0] % 6 {
                        0 => Step::RequestReturn(&lamp),
                        1 => Step::RequestReturn(&bulb),
                        2 => Step::RefuseReturn,
                        3 => Step::Refund(Refund { amount: None, as_credit: true }),
                        _ => Step::Advance,
                    };
                    shop.apply(&number, step).await;
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    // Return whatever is left.
    loop {
        let step = match shop.seen(&number).await["status"].as_str().unwrap() {
            "refunded" => break,
            "delivered" | "partly_refunded" => Step::RequestReturn(&[]),
            _ => Step::Advance,
        };
        assert!(matches!(shop.apply(&number, step).await, Done(_)));
    }
    let now = shop.seen(&number).await;
    assert_eq!((shop.stock("lamp").await, shop.stock("bulb").await), ((50, 0), (12, 0)), "{now}");
    let cents = |field: &str| -> i64 {
        let returns = now["returns"].as_array().unwrap().iter();
        returns.map(|one| (one[field].as_f64().unwrap() * 100.0).round() as i64).sum()
    };
    assert_eq!(cents("credit") + cents("paid"), 17_775, "{now}");
    assert_eq!(cents("goods") + cents("vat"), 17_775, "{now}");
    let in_credit = shop.get("/api/credit", ME).await.body["balance"].as_f64().unwrap();
    assert_eq!((in_credit * 100.0).round() as i64, cents("credit"));
}

/// Undoes the migration, with an order at each step of a return.
async fn the_migration_keeps_earlier_returns(shop: Shop) {
    let mut numbers = Vec::new();
    for steps in 0..=2 {
        let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
        shop.advance(&number, 4).await;
        assert!(matches!(shop.apply(&number, Step::RequestReturn(&[])).await, Done(_)));
        shop.advance(&number, steps).await;
        numbers.push(number);
    }
    let as_credit = shop.place(ME, one_lamp(), ONE_LAMP).await;
    shop.advance(&as_credit, 4).await;
    let refund = Step::Refund(Refund { amount: Some(usd(5_000)), as_credit: true });
    for step in [Step::RequestReturn(&[]), Step::Advance, refund] {
        assert!(matches!(shop.apply(&as_credit, step).await, Done(_)));
    }
    let mut before = Vec::new();
    for number in numbers.iter().chain([&as_credit]) {
        let mut seen = shop.seen(number).await;
        // A return's value is stored at its refund; the migration fills it in at once.
        let back = seen["returns"][0].as_object_mut().unwrap();
        back.insert("goods".into(), json!(25.5));
        back.insert("vat".into(), json!(120));
        before.push(seen);
    }
    let db = &shop.given.db;
    for undo in [
        "drop table order_return_lines",
        "drop table order_returns",
        "alter table payments drop column refunded",
        "drop index credit_entries_once",
        "alter table credit_entries drop column return_place",
        "create unique index credit_entries_once on credit_entries (order_id, kind)",
        "delete from migrations where name = '0024_returns'",
        // What the migration reads was renamed since.
        "alter table order_lines rename column product to of_product",
        "alter table order_lines rename column variant to product",
    ] {
        db.query(undo).execute().await.unwrap();
    }
    db.migrate(&shop.given.clock).await.unwrap();
    for redo in [
        "alter table order_lines rename column product to variant",
        "alter table order_lines rename column of_product to product",
        "alter table order_return_lines rename column product to variant",
        "alter table order_returns add column gift_cards bigint not null default 0",
    ] {
        db.query(redo).execute().await.unwrap();
    }
    for (number, before) in numbers.iter().chain([&as_credit]).zip(before) {
        assert_eq!(shop.seen(number).await, before, "{number}");
    }
    shop.advance(&numbers[0], 2).await;
    assert_eq!(shop.seen(&numbers[0]).await["payment"]["refunded"], 145.5);
}

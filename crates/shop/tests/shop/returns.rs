//! Returns of single lines, through HTTP and by the shopkeeper's steps: what can be returned, what is given
//! back for it, and that nothing is given back or put into stock twice.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use base::{Money, Random};
use serde_json::{Value, json};
use shop::credit;
use shop::orders::{Refund, ReturnLine, Status, Step, Taken};
use test_support::on_both;

use super::stand::{ME, ONE_LAMP, Shop, one_lamp, order};

on_both!(Shop:
    single_lines_are_returned_and_refunded_to_the_cent,
    store_credit_comes_back_first_and_never_more_than_was_paid,
    what_cannot_be_returned_is_refused,
    whatever_runs_at_once_nothing_comes_back_twice,
    an_order_from_before_was_returned_as_a_whole,
    what_was_refunded_is_not_spent,
);

/// Two lamps and three bulbs: 57.75 for the goods, 217.75 in all.
fn goods() -> Value {
    json!([{ "_id": "lamp", "qtn": 2 }, { "_id": "bulb", "qtn": 3 }])
}

const TOTAL: f64 = 217.75;

fn some(lines: &[(&str, i64)]) -> Vec<ReturnLine> {
    let line = |(id, quantity): &(&str, i64)| ReturnLine {
        product: id.parse().unwrap(),
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

    async fn ask_to_return(&self, number: &str, lines: Value) -> (StatusCode, Value) {
        let body = json!({ "lines": lines });
        let answer = self.post(&format!("/api/orders/{number}/return"), ME, &body).await;
        (answer.status, answer.body)
    }
}

async fn single_lines_are_returned_and_refunded_to_the_cent(shop: Shop) {
    let number = shop.delivered(0.0).await;
    assert_eq!(shop.seen(&number).await["returnable"], goods());
    let one = json!([{ "_id": "bulb", "qtn": 2 }, { "_id": "lamp", "qtn": 1 }]);
    let (status, now) = shop.ask_to_return(&number, one.clone()).await;
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
    // 30.00 of 57.75 for the goods, and as large a part of the VAT of 120.00.
    let back = &now["returns"][0];
    assert_eq!((&back["goods"], &back["vat"]), (&json!(30), &json!(62.33)));
    assert_eq!((&back["paid"], &back["credit"]), (&json!(92.33), &json!(0)));
    assert_eq!(
        (&now["payment"]["state"], &now["payment"]["refunded"]),
        (&json!("captured"), &json!(92.33))
    );
    assert_eq!(now["history"][7]["note"], "$92.33 paid back");
    assert_eq!(now["returnUntil"], "2026-11-22T09:00:00.000Z");
    let rest = json!([{ "_id": "lamp", "qtn": 1 }, { "_id": "bulb", "qtn": 1 }]);
    assert_eq!(now["returnable"], rest);

    // The rest, some of which cannot be sold again.
    shop.ask_to_return(&number, json!([])).await;
    let broken = Step::TakeBack { restock: false };
    assert_eq!(shop.take(&number, broken).await, Taken::Done(Status::Returned));
    assert_eq!((shop.stock("lamp").await, shop.stock("bulb").await), ((49, 1), (11, 1)));
    assert_eq!(shop.take(&number, Step::Advance).await, Taken::Done(Status::Refunded));
    let now = shop.seen(&number).await;
    let back = &now["returns"][1];
    assert_eq!(
        (&back["goods"], &back["vat"], &back["paid"]),
        (&json!(27.75), &json!(57.67), &json!(85.42))
    );
    // All but the delivery, to the cent.
    assert_eq!(
        (&now["payment"]["state"], &now["payment"]["refunded"]),
        (&json!("refunded"), &json!(177.75))
    );

    let letters = shop.letters().await;
    let told = letters
        .iter()
        .find(|letter| letter["subject"] == format!("Your return from order {number} is refunded"));
    let text = told.unwrap()["text"].as_str().unwrap();
    assert!(text.contains("1 × Lamp\n2 × Bulb") && text.contains("$92.33 is paid back"), "{text}");
    let invoice = shop.get(&format!("/api/orders/{number}/invoice"), ME).await.body;
    let documents = invoice["documents"].as_array().unwrap();
    assert_eq!(documents.len(), 3);
    assert_eq!(
        (&documents[1]["title"], &documents[1]["number"]),
        (&json!("Credit note"), &json!(format!("CN-{number}-1")))
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

async fn store_credit_comes_back_first_and_never_more_than_was_paid(shop: Shop) {
    let (given, uid) = (&shop.given, format!("uid-{ME}"));
    credit::grant(
        &given.db,
        &given.clock,
        &given.random,
        &uid,
        Money::cents(10_000),
        "For the trouble",
    )
    .await
    .unwrap();
    let number = shop.delivered(100.0).await;
    let lamp = some(&[("lamp", 1)]);
    let refund = |amount: Option<i64>, as_credit| {
        Step::Refund(Refund { amount: amount.map(Money::cents), as_credit })
    };
    // 25.50 and 52.98 of the VAT, all of which was paid with credit.
    for step in [Step::AskToReturn(&lamp), Step::Advance, Step::Advance] {
        assert!(matches!(shop.take(&number, step).await, Taken::Done(_)));
    }
    assert_eq!(shop.get("/api/credit", ME).await.body["balance"], 78.48);
    // One that is refused leaves it as it was.
    assert!(matches!(shop.take(&number, Step::AskToReturn(&lamp)).await, Taken::Done(_)));
    assert_eq!(shop.take(&number, Step::RefuseReturn).await, Taken::Done(Status::PartlyRefunded));
    // 1.00 as the shopkeeper says.
    let bulb = some(&[("bulb", 1)]);
    for step in [Step::AskToReturn(&bulb), Step::Advance] {
        assert!(matches!(shop.take(&number, step).await, Taken::Done(_)));
    }
    let left = Taken::TooMuch(Money::cents(21_775 - 7_848));
    assert_eq!(shop.take(&number, refund(Some(13_928), false)).await, left);
    assert_eq!(
        shop.take(&number, refund(Some(100), true)).await,
        Taken::Done(Status::PartlyRefunded)
    );
    assert_eq!(shop.get("/api/credit", ME).await.body["balance"], 79.48);
    // The rest: what is left of the credit first.
    for step in [Step::AskToReturn(&[]), Step::Advance, Step::Advance] {
        assert!(matches!(shop.take(&number, step).await, Taken::Done(_)));
    }
    let now = shop.seen(&number).await;
    assert_eq!(now["status"], "refunded");
    let last = &now["returns"][3];
    // 30.00, and what was not shared out of the VAT.
    assert_eq!((&last["goods"], &last["vat"]), (&json!(30), &json!(62.34)));
    assert_eq!((&last["credit"], &last["paid"]), (&json!(20.52), &json!(71.82)));
    let credit = shop.get("/api/credit", ME).await.body;
    assert_eq!((&credit["balance"], credit["entries"].as_array().unwrap().len()), (&json!(100), 5));
    let invoice = shop.get(&format!("/api/orders/{number}/invoice"), ME).await.body;
    // Of the bulb's 6.93 came 1.00.
    let sums: Vec<(&Value, &Value)> = invoice["documents"][2]["sums"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sum| (&sum["name"], &sum["amount"]))
        .collect();
    assert!(sums.contains(&(&json!("Adjustment"), &json!("−$5.93"))), "{sums:?}");
}

async fn what_was_refunded_is_not_spent(shop: Shop) {
    let (given, uid) = (&shop.given, format!("uid-{ME}"));
    let (db, clock, random) = (&given.db, &given.clock, &given.random);
    credit::grant(db, clock, random, &uid, Money::cents(10_000), "For the wait").await.unwrap();
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
    let refund = |amount: i64, as_credit| {
        Step::Refund(Refund { amount: Some(Money::cents(amount)), as_credit })
    };
    // Paid when it arrives, but for the credit.
    let placed = shop.post("/api/orders", ME, &pay(40.0)).await.body;
    let number = placed["number"].as_str().unwrap();
    assert_eq!(spent().await, [40.0]);
    shop.advance(number, 4).await;
    assert_eq!(spent().await, [TOTAL]);

    // While a return is under way nothing is given back; then some lines are, and then an amount, as credit.
    let some = some(&[("lamp", 1), ("bulb", 2)]);
    assert!(matches!(shop.take(number, Step::AskToReturn(&some)).await, Taken::Done(_)));
    shop.advance(number, 1).await;
    assert_eq!(spent().await, [TOTAL]);
    shop.advance(number, 1).await;
    assert_eq!(spent().await, [125.42], "92.33 less");
    for step in [Step::AskToReturn(&[]), Step::Advance, refund(2_500, true)] {
        assert!(matches!(shop.take(number, step).await, Taken::Done(_)));
    }
    assert_eq!(shop.seen(number).await["status"], "refunded");
    assert_eq!(spent().await, [100.42], "the delivery, and what was not given back");

    shop.given.clock.advance(Duration::from_secs(1));
    // What is called off costs nothing, and its credit is back.
    let off = shop.post("/api/orders", ME, &pay(60.0)).await.body;
    assert_eq!(spent().await, [100.42, 60.0]);
    let cancel = format!("/api/orders/{}/cancel", off["number"].as_str().unwrap());
    assert_eq!(shop.post(&cancel, ME, &json!({})).await.status, StatusCode::OK);
    assert_eq!(spent().await, [100.42, 0.0]);
}

async fn what_cannot_be_returned_is_refused(shop: Shop) {
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
        let (status, said) = shop.ask_to_return(&number, lines.clone()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{lines}: {said}");
    }
    assert_eq!(shop.seen(&number).await["status"], "delivered");
    assert_eq!(shop.count("order_returns").await, 0);
    shop.given.clock.advance(Duration::from_secs(7 * 24 * 3600));
    let (status, said) = shop.ask_to_return(&number, json!([{ "_id": "lamp", "qtn": 1 }])).await;
    assert_eq!((status, &said["error"]["code"]), (StatusCode::CONFLICT, &json!("not_now")));
    assert_eq!(shop.seen(&number).await["returnable"], json!([]));
}

async fn whatever_runs_at_once_nothing_comes_back_twice(shop: Shop) {
    let number = shop.delivered(0.0).await;
    let shop = Arc::new(shop);
    let windows: Vec<_> = (0..6)
        .map(|window: u64| {
            let (shop, number) = (shop.clone(), number.clone());
            tokio::spawn(async move {
                let dice = Random::seeded(window);
                let (lamp, bulb) = (some(&[("lamp", 1)]), some(&[("bulb", 1)]));
                for _ in 0..10 {
                    let step = match dice.bytes::<1>()[0] % 6 {
                        0 => Step::AskToReturn(&lamp),
                        1 => Step::AskToReturn(&bulb),
                        2 => Step::RefuseReturn,
                        3 => Step::Refund(Refund { amount: None, as_credit: true }),
                        _ => Step::Advance,
                    };
                    shop.take(&number, step).await;
                }
            })
        })
        .collect();
    for window in windows {
        window.await.unwrap();
    }
    // Whatever is left comes back too.
    loop {
        let step = match shop.seen(&number).await["status"].as_str().unwrap() {
            "refunded" => break,
            "delivered" | "partly_refunded" => Step::AskToReturn(&[]),
            _ => Step::Advance,
        };
        assert!(matches!(shop.take(&number, step).await, Taken::Done(_)));
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

/// As the database was before the migration, with an order at each step of a return.
async fn an_order_from_before_was_returned_as_a_whole(shop: Shop) {
    let mut numbers = Vec::new();
    for steps in 0..=2 {
        let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
        shop.advance(&number, 4).await;
        assert!(matches!(shop.take(&number, Step::AskToReturn(&[])).await, Taken::Done(_)));
        shop.advance(&number, steps).await;
        numbers.push(number);
    }
    let as_credit = shop.place(ME, one_lamp(), ONE_LAMP).await;
    shop.advance(&as_credit, 4).await;
    let refund = Step::Refund(Refund { amount: Some(Money::cents(5_000)), as_credit: true });
    for step in [Step::AskToReturn(&[]), Step::Advance, refund] {
        assert!(matches!(shop.take(&as_credit, step).await, Taken::Done(_)));
    }
    let mut before = Vec::new();
    for number in numbers.iter().chain([&as_credit]) {
        let mut seen = shop.seen(number).await;
        // A return's worth is written when it is refunded; from before it is known at once.
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
    ] {
        db.query(undo).execute().await.unwrap();
    }
    db.migrate(&shop.given.clock).await.unwrap();
    for (number, before) in numbers.iter().chain([&as_credit]).zip(before) {
        assert_eq!(shop.seen(number).await, before, "{number}");
    }
    shop.advance(&numbers[0], 2).await;
    assert_eq!(shop.seen(&numbers[0]).await["payment"]["refunded"], 145.5);
}

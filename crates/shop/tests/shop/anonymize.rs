//! Anonymized orders: what stays for accounting, and what can no longer be found.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use shop::settings::Retention;
use shop::{orders, retention};
use test_support::on_both;

use super::test_shop::Shop;

on_both!(Shop:
    orders_are_anonymized_after_the_retention_period,
    terminal_orders_of_a_deleted_customer_are_anonymized,
);

const ME: &str = "rahim@haat.example";
const OTHER: &str = "mitali@haat.example";
const DAY: u64 = 24 * 3600;

async fn one_lamp(shop: &Shop, email: &str) -> String {
    shop.place(email, json!([{ "_id": "lamp", "qtn": 1 }]), 185.5).await
}

type Row = (String, String, String, String, String, i64);

async fn row(shop: &Shop, number: &str) -> Row {
    shop.given
        .db
        .query("select customer, email, name, phone, address, total from orders where number = $1")
        .bind(number)
        .one()
        .await
        .unwrap()
}

fn anonymized() -> Row {
    let none = String::new;
    (none(), none(), none(), none(), none(), 18550)
}

async fn orders_are_anonymized_after_the_retention_period(shop: Shop) {
    let old = one_lamp(&shop, ME).await;
    let why = json!({ "note": "My neighbour Karim has one." });
    shop.post(&format!("/api/orders/{old}/cancel"), ME, &why).await;
    shop.given.clock.advance(Duration::from_secs(6 * 365 * DAY));
    let young = shop.place(ME, json!([{ "_id": "lamp", "qtn": 1 }]), 190.0).await;
    let (db, clock) = (&shop.given.db, &shop.given.clock);
    let before = row(&shop, &old).await;
    retention::delete_expired(db, clock, &Retention::default()).await.unwrap();
    assert_eq!(row(&shop, &old).await, before, "not before the period ends");

    clock.advance(Duration::from_secs(1));
    for _ in 0..2 {
        retention::delete_expired(db, clock, &Retention::default()).await.unwrap();
        assert_eq!(row(&shop, &old).await, anonymized());
    }
    assert_ne!(row(&shop, &young).await.0, "");
    let notes = "select count(*) from order_events where note <> ''";
    assert_eq!(db.query(notes).one::<(i64,)>().await.unwrap().0, 0);
    let listed = shop.get("/api/orders", ME).await.body;
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(shop.get(&format!("/api/orders/{old}"), ME).await.status, StatusCode::NOT_FOUND);
    for email in ["", " ", ME] {
        let body = json!({ "number": old, "email": email });
        let tracked = shop.post("/api/track", ME, &body).await;
        assert_eq!(tracked.status, StatusCode::NOT_FOUND, "{email:?}: {}", tracked.body);
    }
    // What was sold stays.
    assert_eq!(shop.count("order_lines").await, 2);
    assert_eq!(shop.count("payments").await, 2);
}

async fn terminal_orders_of_a_deleted_customer_are_anonymized(shop: Shop) {
    let [done, open, theirs] =
        [one_lamp(&shop, ME).await, one_lamp(&shop, ME).await, one_lamp(&shop, OTHER).await];
    shop.post(&format!("/api/orders/{done}/cancel"), ME, &json!({ "note": "" })).await;
    let untouched = [row(&shop, &open).await, row(&shop, &theirs).await];
    let mut tx = shop.given.db.begin().await.unwrap();
    assert_eq!(orders::anonymize(&mut tx, &format!("uid-{ME}")).await.unwrap(), 1);
    tx.commit().await.unwrap();
    assert_eq!(row(&shop, &done).await, anonymized());
    assert_eq!([row(&shop, &open).await, row(&shop, &theirs).await], untouched);
}

//! Orders that have become nobody's: what is left in the books, and what nobody finds any more.

use std::time::Duration;

use axum::http::StatusCode;
use base::config::Retention;
use serde_json::json;
use shop::{orders, tidy};
use test_support::on_both;

use super::stand::Shop;

on_both!(Shop: an_old_order_is_nobodys, a_customers_orders_are_made_nobodys_when_they_are_done);

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

fn nobody() -> Row {
    let none = String::new;
    (none(), none(), none(), none(), none(), 18550)
}

async fn an_old_order_is_nobodys(shop: Shop) {
    let old = one_lamp(&shop, ME).await;
    let why = json!({ "note": "My neighbour Karim has one." });
    shop.post(&format!("/api/orders/{old}/cancel"), ME, &why).await;
    shop.given.clock.advance(Duration::from_secs(6 * 365 * DAY));
    // Its offer has ended by then.
    let young = shop.place(ME, json!([{ "_id": "lamp", "qtn": 1 }]), 190.0).await;
    let (db, clock) = (&shop.given.db, &shop.given.clock);
    let before = row(&shop, &old).await;
    tidy::forget_old(db, clock, &Retention::default()).await.unwrap();
    assert_eq!(row(&shop, &old).await, before, "not a moment too early");

    clock.advance(Duration::from_secs(1));
    for _ in 0..2 {
        tidy::forget_old(db, clock, &Retention::default()).await.unwrap();
        assert_eq!(row(&shop, &old).await, nobody());
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
    // The books know what was sold.
    assert_eq!(shop.count("order_lines").await, 2);
    assert_eq!(shop.count("payments").await, 2);
}

async fn a_customers_orders_are_made_nobodys_when_they_are_done(shop: Shop) {
    let [done, open, theirs] =
        [one_lamp(&shop, ME).await, one_lamp(&shop, ME).await, one_lamp(&shop, OTHER).await];
    shop.post(&format!("/api/orders/{done}/cancel"), ME, &json!({ "note": "" })).await;
    let untouched = [row(&shop, &open).await, row(&shop, &theirs).await];
    let mut tx = shop.given.db.begin().await.unwrap();
    assert_eq!(orders::forget(&mut tx, &format!("uid-{ME}")).await.unwrap(), 1);
    tx.commit().await.unwrap();
    assert_eq!(row(&shop, &done).await, nobody());
    assert_eq!([row(&shop, &open).await, row(&shop, &theirs).await], untouched);
}

//! How the shop is told of orders, and how often one network may place them.

use std::time::Duration;

use axum::http::StatusCode;
use base::jobs::Worker;
use shop::orders::OrderEmails;
use test_support::on_both;

use super::stand::{ME, ONE_LAMP, Shop, one_lamp, order, routes};

on_both!(Shop: a_days_orders_are_told_once, a_network_places_so_many,);

async fn a_days_orders_are_told_once(mut shop: Shop) {
    shop.orders.book.sender.order_emails = OrderEmails::Daily;
    shop.routes = routes(&shop.orders);
    let numbers = [
        shop.place(ME, one_lamp(), ONE_LAMP).await,
        shop.place("mina@haat.example", one_lamp(), ONE_LAMP).await,
    ];
    let told = async || {
        let letters = shop.letters().await.into_iter();
        letters.filter(|letter| letter["to"] == "hello@haat.example").collect::<Vec<_>>()
    };
    let given = &shop.given;
    let worker = || {
        let worker = Worker::new(given.db.clone(), given.clock.clone(), given.random.clone());
        shop.orders.book.clone().on(worker)
    };
    let (one, other) = (worker(), worker());
    let both = async || {
        let (one, other) = tokio::join!(one.run_due(), other.run_due());
        one.unwrap() + other.unwrap()
    };
    given.clock.advance(Duration::from_secs(15 * 3600));
    assert_eq!((both().await, told().await.len()), (0, 0));
    given.clock.advance(Duration::from_secs(5 * 60));
    assert_eq!(both().await, 1);
    let letters = told().await;
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0]["subject"], "2 orders on 2026-11-15");
    let text = letters[0]["text"].as_str().unwrap();
    for number in &numbers {
        assert!(text.contains(&format!("{number}, placed: $185.50")), "{text}");
    }
    assert!(text.contains("Total: $371.00") && !text.contains("Rahim"), "{text}");

    // The next day is another e-mail.
    shop.place(ME, one_lamp(), ONE_LAMP).await;
    given.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(both().await, 1);
    assert_eq!(told().await.len(), 2);
    assert_eq!(both().await, 0);
}

async fn a_network_places_so_many(mut shop: Shop) {
    shop.orders.settings.limits.orders_per_hour = Some(1);
    shop.routes = routes(&shop.orders);
    for customer in 0..10 {
        shop.place(&format!("{customer}@haat.example"), one_lamp(), ONE_LAMP).await;
    }
    let body = order(one_lamp(), ONE_LAMP);
    let over = shop.post("/api/orders", "11@haat.example", &body).await;
    assert_eq!(over.status, StatusCode::TOO_MANY_REQUESTS, "{}", over.body);
    assert_eq!(shop.count("orders").await, 10);
    shop.given.clock.advance(Duration::from_secs(3600));
    shop.place("11@haat.example", one_lamp(), ONE_LAMP).await;
}

//! E-mails to the shop about new orders, and order limits per network.

use std::time::Duration;

use axum::http::StatusCode;
use platform::jobs::Worker;
use shop::orders::OrderEmails;
use test_support::on_both;

use super::test_shop::{ME, ONE_LAMP, Shop, one_lamp, order, routes};

on_both!(Shop: the_daily_summary_is_sent_once, orders_are_limited_per_network,);

async fn the_daily_summary_is_sent_once(mut shop: Shop) {
    shop.context.orders.order_emails = OrderEmails::Daily;
    shop.routes = routes(&shop.context);
    let numbers = [
        shop.place(ME, one_lamp(), ONE_LAMP).await,
        shop.place("mina@haat.example", one_lamp(), ONE_LAMP).await,
    ];
    let shop_emails = async || {
        let emails = shop.emails().await.into_iter();
        emails.filter(|email| email["to"] == "hello@haat.example").collect::<Vec<_>>()
    };
    let given = &shop.given;
    let worker = || {
        let worker = Worker::new(given.db.clone(), given.clock.clone(), given.random.clone());
        shop.order_store().register(worker)
    };
    let (one, other) = (worker(), worker());
    let both = async || {
        let (one, other) = tokio::join!(one.run_due(), other.run_due());
        one.unwrap() + other.unwrap()
    };
    given.clock.advance(Duration::from_secs(15 * 3600));
    assert_eq!((both().await, shop_emails().await.len()), (0, 0));
    given.clock.advance(Duration::from_secs(5 * 60));
    assert_eq!(both().await, 1);
    let emails = shop_emails().await;
    assert_eq!(emails.len(), 1);
    assert_eq!(emails[0]["subject"], "2 orders on 15 November 2026");
    let text = emails[0]["text"].as_str().unwrap();
    for number in &numbers {
        assert!(text.contains(&format!("{number}, placed: $185.50")), "{text}");
    }
    assert!(text.contains("Total: $371.00") && !text.contains("Rahim"), "{text}");

    // The next day has its own e-mail.
    shop.place(ME, one_lamp(), ONE_LAMP).await;
    given.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(both().await, 1);
    assert_eq!(shop_emails().await.len(), 2);
    assert_eq!(both().await, 0);
}

async fn orders_are_limited_per_network(mut shop: Shop) {
    shop.context.orders.limits.orders_per_hour = Some(1);
    shop.routes = routes(&shop.context);
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

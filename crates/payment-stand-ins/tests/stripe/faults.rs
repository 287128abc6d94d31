//! Calls that fail before or after their work, and a stand-in that is killed.

use std::io::Write;
use std::time::Duration;

use futures_util::future::join_all;
use payment_providers::{FactKind, GatewayError, GatewayResult, OpenRequest, SessionStatus};
use payment_stand_ins::{Fault, FaultRates};
use platform::Money;
use test_support::eventually;

use super::{PAYMENT, PAYS, Shop, seconds, session, usd};

#[tokio::test]
async fn opening_is_repeated_within_the_call() {
    let shop = Shop::start().await;
    for (payment, fault) in [("p1", Fault::Before), ("p2", Fault::After)] {
        shop.stand_ins.faults().fail_next(fault, 2);
        let opened = shop.open(payment, usd(1999)).await;
        assert_eq!(shop.fetch(&opened, usd(1999)).await.status, SessionStatus::Open);
    }
    assert_eq!(
        shop.page(&format!("{}/dev/payments/stripe/dashboard", shop.origin))
            .await
            .matches("H-1001")
            .count(),
        2
    );
}

#[tokio::test]
async fn opening_again_answers_the_same_session() {
    let shop = Shop::start().await;
    let opened = shop.open(PAYMENT, usd(1999)).await;
    assert_eq!(shop.open(PAYMENT, usd(1999)).await, opened);
    // With other fields, it is another session of the same payment; and the same one again for the same fields.
    shop.clock.advance(seconds(60));
    let later = shop.open(PAYMENT, usd(1999)).await;
    assert_ne!(later.reference, opened.reference);
    assert_eq!(shop.open(PAYMENT, usd(1999)).await, later);
}

#[tokio::test]
async fn a_refund_whose_answer_is_lost_is_done_once() {
    let shop = Shop::start().await;
    let opened = shop.paid(PAYMENT, usd(1000)).await;
    for fault in [Fault::Before, Fault::After] {
        let before = shop.book(PAYMENT).refunded;
        let key = format!("refund-{fault:?}");
        shop.stand_ins.faults().fail_next(fault, 1);
        shop.refund(&opened, usd(1000), 100, &key).await.unwrap();
        assert_eq!(shop.book(PAYMENT).refunded, before + 100);
    }
    // No answer at all for longer than the client tries.
    let rates = FaultRates { fail_after_percent: 100, ..Default::default() };
    shop.stand_ins.faults().set(rates);
    for _ in 0..2 {
        let lost = shop.refund(&opened, usd(1000), 300, "refund-lost").await;
        assert!(matches!(lost, Err(GatewayError::Unavailable(_))), "{lost:?}");
    }
    shop.stand_ins.faults().set(FaultRates::default());
    let done = shop.refund(&opened, usd(1000), 300, "refund-lost").await.unwrap();
    assert_eq!(shop.refund(&opened, usd(1000), 300, "refund-lost").await.unwrap(), done);
    assert_eq!(shop.book(PAYMENT).refunded, 500);
    let other = shop.refund(&opened, usd(1000), 200, "refund-lost").await;
    assert!(
        matches!(other, Err(GatewayError::Refused { code, .. }) if code == "idempotency_error")
    );
    // Stripe has forgotten the key by then.
    shop.clock.advance(seconds(48 * 3600));
    assert_eq!(shop.refund(&opened, usd(1000), 300, "refund-lost").await.unwrap(), done);
    assert_eq!(shop.book(PAYMENT).refunded, 500);
}

#[tokio::test]
async fn a_capture_and_a_cancellation_whose_answers_are_lost_are_done_once() {
    let shop = Shop::start().await;
    let opened = shop.reserve(PAYMENT, usd(1000)).await;
    shop.press(&opened.redirect, &[("card", PAYS)]).await;
    shop.stand_ins.faults().fail_next(Fault::After, 2);
    let session = session(&opened, usd(1000));
    let first = shop.gateway.capture(session, usd(600), "capture-1").await.unwrap();
    shop.clock.advance(seconds(48 * 3600));
    assert_eq!(shop.gateway.capture(session, usd(600), "capture-1").await.unwrap(), first);
    assert_eq!(shop.book(PAYMENT).captured, 600);

    let open = shop.open("p2", usd(1000)).await;
    // The first call of it reads the session.
    shop.stand_ins.faults().fail_next(Fault::After, 2);
    shop.gateway.cancel(super::session(&open, usd(1000)), "cancel-1").await.unwrap();
    assert_eq!(shop.facts(&open, usd(1000)).await, ["Failed 1000 expired"]);
}

#[tokio::test]
async fn two_refunds_at_once_give_back_no_more_than_there_is() {
    let shop = Shop::start().await;
    let opened = shop.paid(PAYMENT, usd(1000)).await;
    let (same, again, other) = tokio::join!(
        shop.refund(&opened, usd(1000), 600, "refund-1"),
        shop.refund(&opened, usd(1000), 600, "refund-1"),
        shop.refund(&opened, usd(1000), 600, "refund-2"),
    );
    assert_eq!(same, again);
    assert!(same.is_ok() != other.is_ok(), "{same:?} {other:?}");
    assert_eq!(shop.book(PAYMENT).refunded, 600);
}

#[tokio::test]
async fn the_books_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let (opened, refund, books) = {
        let shop = Shop::start_in(Some(folder.path()), 1).await;
        let opened = shop.paid(PAYMENT, usd(1000)).await;
        let refund = shop.refund(&opened, usd(1000), 300, "refund-1").await.unwrap();
        let reserved = shop.reserve("p2", usd(500)).await;
        shop.press(&reserved.redirect, &[("card", PAYS)]).await;
        (opened, refund, shop.stand_ins.books())
    };
    // Killed while it was writing.
    let journal = folder.path().join("stripe.jsonl");
    std::fs::OpenOptions::new()
        .append(true)
        .open(&journal)
        .unwrap()
        .write_all(b"[{\"refund\":{\"id")
        .unwrap();
    let shop = Shop::start_in(Some(folder.path()), 2).await;
    assert_eq!(shop.stand_ins.books(), books);
    assert_eq!(shop.facts(&opened, usd(1000)).await, ["Captured 1000", "Refunded 300"]);
    assert_eq!(shop.refund(&opened, usd(1000), 300, "refund-1").await.unwrap(), refund);
    shop.refund(&opened, usd(1000), 700, "refund-2").await.unwrap();
    assert_eq!(shop.book(PAYMENT).refunded, 1000);
    let text = std::fs::read_to_string(&journal).unwrap();
    assert!(!text.contains("4242424242424242"), "no card number is kept");
}

/// Repeats a call with the same key until there is an answer.
async fn until_answered<T>(mut call: impl AsyncFnMut() -> GatewayResult<T>) -> GatewayResult<T> {
    loop {
        match call().await {
            Err(GatewayError::Unavailable(_)) => {}
            answered => return answered,
        }
    }
}

/// Pays, captures where the amount was only reserved, and refunds 1000 in two parts.
async fn pay_and_refund(shop: &Shop, n: i64) {
    let (payment, total) = (format!("p{n}"), usd(1000 + n));
    let request = OpenRequest { reserve_only: n % 2 == 0, ..shop.request(&payment, total) };
    let opened = until_answered(async || shop.gateway.open(&request).await).await.unwrap();
    shop.press(&opened.redirect, &[("card", PAYS)]).await;
    let of = session(&opened, total);
    if request.reserve_only {
        let key = format!("capture-{n}");
        until_answered(async || shop.gateway.capture(of, total, &key).await).await.unwrap();
    }
    for (part, is_possible) in [(600, true), (400, true), (600, false)] {
        let key = format!("refund-{n}-{part}-{is_possible}");
        let found = until_answered(async || shop.refund(&opened, total, part, &key).await).await;
        assert_eq!(found.is_ok(), is_possible, "{found:?}");
    }
    let snapshot = until_answered(async || shop.gateway.fetch(of).await).await.unwrap();
    let refunded = snapshot.facts.iter().filter(|fact| fact.kind == FactKind::Refunded);
    assert_eq!(Money::sum(refunded.map(|fact| fact.amount), total.currency()), usd(1000));
    let book = shop.book(&payment);
    assert_eq!((book.captured, book.refunded, book.authorised), (total.minor(), 1000, 0));
}

#[tokio::test]
async fn many_calls_at_once_with_many_faults_move_money_once() {
    let shop = Shop::start().await;
    shop.stand_ins.faults().set(FaultRates {
        fail_before_percent: 20,
        fail_after_percent: 30,
        webhook_repeats: 2,
        webhook_delay: Duration::from_millis(20),
        ..Default::default()
    });
    join_all((0..20).map(|n| pay_and_refund(&shop, n))).await;
    shop.stand_ins.faults().set(FaultRates::default());
    eventually("all webhooks", async || shop.stand_ins.pending_webhooks() == 0).await;
}

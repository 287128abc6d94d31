//! Amounts that are reserved first, and captured or released later.

use payment_providers::{FactKind, GatewayError, SessionRef, SessionStatus};

use super::{PAYMENT, PAYS, Shop, seconds, session, usd};

#[tokio::test]
async fn a_reserved_amount_is_captured_once() {
    let shop = Shop::start().await;
    let opened = shop.reserve(PAYMENT, usd(1000)).await;
    let page = shop.page(&opened.redirect).await;
    assert!(!page.contains("bank debit"), "a bank debit cannot be reserved");
    shop.press(&opened.redirect, &[("card", PAYS)]).await;
    let found = shop.fetch(&opened, usd(1000)).await;
    assert_eq!(
        (found.status, super::shown(&found)),
        (SessionStatus::Closed, vec!["Authorised 1000".to_owned()])
    );
    assert_eq!((shop.book(PAYMENT).authorised, shop.book(PAYMENT).captured), (1000, 0));
    shop.wait_for_webhook("payment_intent.amount_capturable_updated").await;

    let intent = found.facts[0].reference.clone();
    let session = SessionRef { charge: Some(&intent), ..session(&opened, usd(1000)) };
    let too_much = shop.gateway.capture(session, usd(1001), "capture-0").await;
    assert!(
        matches!(too_much, Err(GatewayError::Refused { code, .. }) if code == "amount_too_large")
    );
    let captured = shop.gateway.capture(session, usd(600), "capture-1").await.unwrap();
    assert_eq!((captured.kind, captured.amount), (FactKind::Captured, usd(600)));
    assert_eq!(captured.reference, intent);
    assert_eq!(shop.gateway.capture(session, usd(600), "capture-1").await.unwrap(), captured);
    // With another key, it is the same capture if it is the same amount.
    assert_eq!(shop.gateway.capture(session, usd(600), "capture-2").await.unwrap(), captured);
    let again = shop.gateway.capture(session, usd(400), "capture-3").await;
    assert!(
        matches!(again, Err(GatewayError::Refused { code, .. }) if code == "payment_intent_unexpected_state")
    );
    assert_eq!(shop.facts(&opened, usd(1000)).await, ["Authorised 1000", "Captured 600"]);
    assert_eq!((shop.book(PAYMENT).authorised, shop.book(PAYMENT).captured), (0, 600));

    assert!(shop.refund(&opened, usd(1000), 601, "refund-1").await.is_err());
    shop.refund(&opened, usd(1000), 600, "refund-2").await.unwrap();
    assert_eq!(
        shop.facts(&opened, usd(1000)).await,
        ["Authorised 1000", "Captured 600", "Refunded 600"]
    );
}

#[tokio::test]
async fn the_same_key_with_another_amount_is_refused() {
    let shop = Shop::start().await;
    let opened = shop.reserve(PAYMENT, usd(1000)).await;
    shop.press(&opened.redirect, &[("card", PAYS)]).await;
    shop.gateway.capture(session(&opened, usd(1000)), usd(600), "capture-1").await.unwrap();
    let other = shop.gateway.capture(session(&opened, usd(1000)), usd(500), "capture-1").await;
    assert!(
        matches!(other, Err(GatewayError::Refused { code, .. }) if code == "idempotency_error")
    );
}

#[tokio::test]
async fn a_reserved_amount_is_released() {
    let shop = Shop::start().await;
    let opened = shop.reserve(PAYMENT, usd(1000)).await;
    shop.press(&opened.redirect, &[("card", PAYS)]).await;
    assert!(
        shop.refund(&opened, usd(1000), 1000, "refund-1").await.is_err(),
        "there is nothing to refund yet"
    );
    for key in ["cancel-1", "cancel-1", "cancel-2"] {
        shop.gateway.cancel(session(&opened, usd(1000)), key).await.unwrap();
    }
    assert_eq!(shop.facts(&opened, usd(1000)).await, ["Authorised 1000", "Voided 1000"]);
    assert_eq!((shop.book(PAYMENT).authorised, shop.book(PAYMENT).captured), (0, 0));
    assert!(
        shop.gateway.capture(session(&opened, usd(1000)), usd(1000), "capture-1").await.is_err()
    );
    shop.wait_for_webhook("payment_intent.canceled").await;
}

#[tokio::test]
async fn a_reservation_lapses_after_a_week() {
    let shop = Shop::start().await;
    let opened = shop.reserve(PAYMENT, usd(1000)).await;
    shop.press(&opened.redirect, &[("card", PAYS)]).await;
    shop.clock.advance(seconds(7 * 24 * 3600));
    shop.wait_for_webhook("payment_intent.canceled").await;
    assert_eq!(shop.facts(&opened, usd(1000)).await, ["Authorised 1000", "Voided 1000"]);
}

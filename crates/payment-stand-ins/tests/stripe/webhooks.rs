//! Webhooks of the stand-in, as the client verifies them.

use std::time::Duration;

use axum::http::HeaderMap;
use payment_providers::{WebhookError, WebhookEvent};
use payment_stand_ins::FaultRates;
use serde_json::Value;
use test_support::eventually;

use super::{Delivery, PAYMENT, Shop, gateway, seconds, usd};

async fn a_delivery(shop: &Shop) -> Delivery {
    shop.paid(PAYMENT, usd(1999)).await;
    shop.wait_for_webhook("checkout.session.completed").await;
    let is_it = |one: &Delivery| {
        one.result.as_ref().is_ok_and(|event| event.kind == "checkout.session.completed")
    };
    shop.received().into_iter().find(is_it).unwrap()
}

async fn verify(
    shop: &Shop,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<WebhookEvent, WebhookError> {
    shop.gateway.webhook(headers, body, shop.clock.now()).await
}

#[tokio::test]
async fn what_is_not_exactly_what_was_sent_is_refused() {
    let shop = Shop::start().await;
    let sent = a_delivery(&shop).await;
    assert!(verify(&shop, &sent.headers, &sent.body).await.is_ok());
    let json: Value = serde_json::from_slice(&sent.body).unwrap();
    assert_eq!(json["data"]["object"]["payment_status"], "paid");
    let reserialised = serde_json::to_vec(&json).unwrap();
    let changed = String::from_utf8(sent.body.to_vec()).unwrap().replace("1999", "1998");
    for body in [reserialised.as_slice(), changed.as_bytes(), b""] {
        let found = verify(&shop, &sent.headers, body).await;
        assert!(matches!(found, Err(WebhookError::Unverified(_))), "{found:?}");
    }
    assert!(verify(&shop, &HeaderMap::new(), &sent.body).await.is_err());
}

#[tokio::test]
async fn a_webhook_of_another_time_or_account_is_refused() {
    let shop = Shop::start().await;
    let sent = a_delivery(&shop).await;
    let now = shop.clock.now();
    for at in [now.plus(seconds(301)), now.minus(seconds(301))] {
        let found = shop.gateway.webhook(&sent.headers, &sent.body, at).await;
        assert!(matches!(found, Err(WebhookError::Unverified(_))), "{found:?}");
    }
    let settings = payment_providers::PaymentSettings {
        stripe_secret_key: Some(payment_providers::SecretText::new("sk_test_1")),
        stripe_webhook_secret: vec![payment_providers::SecretText::new("whsec_of_another_account")],
        ..Default::default()
    };
    let other = payment_providers::Stripe::new(&settings).unwrap().unwrap();
    assert!(other.webhook(&sent.headers, &sent.body, now).await.is_err());
    assert!(
        gateway("https://api.stripe.com", "sk_test_1")
            .webhook(&sent.headers, &sent.body, now)
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn webhooks_can_be_lost_late_repeated_and_forged() {
    let shop = Shop::start().await;
    let faults = shop.stand_ins.faults();
    faults.set(FaultRates { webhook_lost_percent: 100, ..Default::default() });
    shop.paid("lost", usd(100)).await;
    assert_eq!((shop.stand_ins.pending_webhooks(), shop.received().len()), (0, 0));
    faults.set(FaultRates {
        webhook_repeats: 3,
        webhook_delay: Duration::from_millis(50),
        webhook_forged_percent: 100,
        ..Default::default()
    });
    for n in 0..5 {
        shop.paid(&format!("p{n}"), usd(100)).await;
    }
    eventually("all webhooks", async || shop.stand_ins.pending_webhooks() == 0).await;
    let (accepted, refused): (Vec<_>, Vec<_>) =
        shop.received().into_iter().partition(|one| one.result.is_ok());
    let mut ids: Vec<String> = accepted.iter().map(|one| one.result.clone().unwrap().id).collect();
    let deliveries = ids.len();
    ids.sort();
    ids.dedup();
    // Each event was forged once, and some were delivered more than once.
    assert_eq!(refused.len(), ids.len());
    assert!(deliveries > ids.len(), "{deliveries}");
}

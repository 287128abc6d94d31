//! Webhooks: events about objects, signed as Stripe signs them.

use aws_lc_rs::hmac;
use serde_json::{Value, json};

use super::{VERSION, WEBHOOK_SECRET};
use crate::Shared;
use crate::webhooks::{Message, MessageKind};

/// Something that has happened to an object.
pub struct Notice {
    pub kind: &'static str,
    pub object: Value,
}

pub fn send(shared: &Shared, notice: Notice) {
    let event = json!({
        "id": shared.random_id("evt_", 24),
        "object": "event",
        "api_version": VERSION,
        "created": shared.now().0.div_euclid(1000),
        "data": { "object": notice.object },
        "livemode": false,
        "pending_webhooks": 1,
        "request": { "id": null, "idempotency_key": null },
        "type": notice.kind,
    });
    // With line breaks, as Stripe's: a receiver that signs its own rendering of the JSON is refused by itself.
    let body = serde_json::to_vec_pretty(&event).unwrap_or_default();
    let signer = shared.clone();
    shared.webhooks().send(shared.webhook_url("stripe"), move |kind| {
        let secret = match kind {
            MessageKind::Genuine => WEBHOOK_SECRET,
            MessageKind::Forged => "whsec_forged",
        };
        let signature = signature(secret, signer.now().0.div_euclid(1000), &body);
        let content_type = ("content-type", "application/json; charset=utf-8".to_owned());
        Message { headers: vec![content_type, ("stripe-signature", signature)], body: body.clone() }
    });
}

/// The header `Stripe-Signature`.
fn signature(secret: &str, seconds: i64, body: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, &[format!("{seconds}.").as_bytes(), body].concat());
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={seconds},v1={hex}")
}

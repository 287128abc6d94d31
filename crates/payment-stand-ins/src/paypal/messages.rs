//! Webhooks, signed in a way of the stand-in's own, and their verification.

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hmac;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::api::{ApiError, ApiResult, json_body};
use super::events::Outcome;
use super::ledger::{Ledger, RefundStatus};
use super::{Paypal, WEBHOOK_ID, disputes, orders, payments};
use crate::webhooks::{Message, MessageKind};

/// Known to the stand-in alone: the client has to ask for a verification.
const SIGNING_KEY: &[u8] = b"the signing key of the PayPal stand-in";
const ALGORITHM: &str = "SHA256withRSA";
const CERTIFICATE: &str = "/v1/notifications/certs/CERT-stand-in";

pub fn order_approved(paypal: &Paypal, ledger: &Ledger, order: &str) {
    if let Some(order) = ledger.orders.get(order) {
        let mut resource = orders::order_json(paypal, ledger, order);
        // PayPal sends an empty object here, which some libraries turn into an empty list.
        resource["purchase_units"][0]["amount"]["breakdown"] = json!({});
        send(paypal, "CHECKOUT.ORDER.APPROVED", "checkout-order", &resource);
    }
}

pub fn capture_changed(paypal: &Paypal, ledger: &Ledger, capture: &str) {
    if let Some(capture) = ledger.captures.get(capture) {
        let kind = match capture.outcome {
            Outcome::Completed => "PAYMENT.CAPTURE.COMPLETED",
            Outcome::Pending => "PAYMENT.CAPTURE.PENDING",
            Outcome::Declined => "PAYMENT.CAPTURE.DENIED",
        };
        send(paypal, kind, "capture", &payments::capture_json(paypal, ledger, capture));
    }
}

pub fn refund_changed(paypal: &Paypal, ledger: &Ledger, refund: &str) {
    if let Some(refund) = ledger.refunds.get(refund) {
        let kind = match refund.status {
            RefundStatus::Completed if refund.new.reversal => "PAYMENT.CAPTURE.REVERSED",
            RefundStatus::Completed => "PAYMENT.CAPTURE.REFUNDED",
            RefundStatus::Pending => "PAYMENT.REFUND.PENDING",
            RefundStatus::Failed => "PAYMENT.REFUND.FAILED",
        };
        send(paypal, kind, "refund", &payments::refund_json(paypal, ledger, refund));
    }
}

pub fn dispute_changed(paypal: &Paypal, ledger: &Ledger, dispute: &str) {
    if let Some(dispute) = ledger.disputes.get(dispute) {
        let kind = match dispute.lost {
            None => "CUSTOMER.DISPUTE.CREATED",
            Some(_) => "CUSTOMER.DISPUTE.RESOLVED",
        };
        send(paypal, kind, "dispute", &disputes::dispute_json(paypal, ledger, dispute));
    }
}

fn send(paypal: &Paypal, kind: &str, resource_type: &str, resource: &Value) {
    let id = paypal.shared().random_id("WH-", 17);
    let at = paypal.shared().now();
    // In PayPal's order of fields, which is not that of a serialiser.
    let body = format!(
        "{{\"id\":\"{id}\",\"event_version\":\"1.0\",\"create_time\":\"{at}\",\"resource_type\":\"{resource_type}\",\
         \"resource_version\":\"2.0\",\"event_type\":\"{kind}\",\"resource\":{resource},\"links\":[]}}"
    );
    let sender = paypal.clone();
    let url = paypal.shared().webhook_url("paypal");
    paypal.shared().webhooks().send(url, move |kind| sender.message(&body, kind));
}

impl Paypal {
    fn message(&self, body: &str, kind: MessageKind) -> Message {
        let id = self.shared().random_id("", 26);
        let time = self.shared().now().to_string();
        let signature = match kind {
            MessageKind::Genuine => sign(&id, &time, body),
            MessageKind::Forged => sign(&id, &time, "something else"),
        };
        let headers = vec![
            ("content-type", "application/json".to_owned()),
            ("paypal-auth-algo", ALGORITHM.to_owned()),
            ("paypal-cert-url", self.url(CERTIFICATE)),
            ("paypal-transmission-id", id),
            ("paypal-transmission-sig", signature),
            ("paypal-transmission-time", time),
        ];
        Message { headers, body: body.as_bytes().to_vec() }
    }
}

fn sign(id: &str, time: &str, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, SIGNING_KEY);
    let body = BASE64.encode(digest(&SHA256, body.as_bytes()));
    let text = format!("{id}|{time}|{WEBHOOK_ID}|{body}");
    BASE64.encode(hmac::sign(&key, text.as_bytes()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Verification<'b> {
    auth_algo: String,
    cert_url: String,
    transmission_id: String,
    transmission_sig: String,
    transmission_time: String,
    webhook_id: String,
    /// Byte for byte as it was sent.
    #[serde(borrow)]
    webhook_event: &'b RawValue,
}

pub async fn verify(State(paypal): State<Paypal>, headers: HeaderMap, body: Bytes) -> ApiResult {
    paypal.authenticate(&headers)?;
    json_body(&headers, &body)?;
    let asked: Verification<'_> = serde_json::from_slice(&body)
        .map_err(|_| ApiError::invalid("INVALID_PARAMETER_SYNTAX", "/"))?;
    let signature =
        sign(&asked.transmission_id, &asked.transmission_time, asked.webhook_event.get());
    let is_genuine = asked.auth_algo == ALGORITHM
        && asked.cert_url == paypal.url(CERTIFICATE)
        && asked.webhook_id == WEBHOOK_ID
        && asked.transmission_sig == signature;
    let status = if is_genuine { "SUCCESS" } else { "FAILURE" };
    Ok(Json(json!({ "verification_status": status })).into_response())
}

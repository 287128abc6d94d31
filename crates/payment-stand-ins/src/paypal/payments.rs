//! Captures and refunds.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::api::{
    ApiError, ApiResult, amount, amount_json, json_body, object, request_of, text, wants_all,
};
use super::events::{Event, NewRefund, Outcome};
use super::ledger::{Capture, Ledger, Refund, Repeated, Scope};
use super::{Paypal, messages};

pub async fn show_capture(
    State(paypal): State<Paypal>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> ApiResult {
    paypal.authenticate(&headers)?;
    let books = paypal.lock();
    let capture = books.ledger.captures.get(&id);
    let capture = capture.ok_or_else(|| ApiError::not_found("capture_id", &id))?;
    Ok(Json(capture_json(&paypal, &books.ledger, capture)).into_response())
}

pub async fn show_refund(
    State(paypal): State<Paypal>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> ApiResult {
    paypal.authenticate(&headers)?;
    let books = paypal.lock();
    let refund = books.ledger.refunds.get(&id);
    let refund = refund.ok_or_else(|| ApiError::not_found("refund_id", &id))?;
    Ok(Json(refund_json(&paypal, &books.ledger, refund)).into_response())
}

pub async fn refund(
    State(paypal): State<Paypal>,
    headers: HeaderMap,
    Path(id): Path<String>,
    body: Bytes,
) -> ApiResult {
    paypal.authenticate(&headers)?;
    let json = json_body(&headers, if body.is_empty() { b"{}" } else { &body })?;
    object(&json, "", &["amount", "custom_id", "invoice_id", "note_to_payer"])?;
    let custom_id = text(&json["custom_id"], "/custom_id")?;
    let asked = match &json["amount"] {
        Value::Null => None,
        json => Some(amount(json, "/amount")?),
    };
    let request = request_of(&headers, &format!("/v2/payments/captures/{id}/refund"), &body)?;
    let mut books = paypal.lock();
    let now = paypal.shared().now();
    let repeated =
        request.as_ref().map(|request| books.ledger.repeated(Scope::Refund, request, now));
    let (status, refund) = match repeated {
        Some(Repeated::Same(refund)) => (StatusCode::OK, refund),
        Some(Repeated::Other) => {
            let description = "The PayPal-Request-Id was used for another request.";
            return Err(ApiError::unprocessable("DUPLICATE_REQUEST_ID", description));
        }
        Some(Repeated::New) | None => {
            let capture = books.ledger.captures.get(&id);
            let capture = capture.ok_or_else(|| ApiError::not_found("capture_id", &id))?;
            let left = capture.minor - books.ledger.refunded(&id);
            let minor =
                refundable(&books.ledger, capture, asked.unwrap_or((left, capture.currency)))?;
            let refund = paypal.new_id(&books.ledger);
            let new = NewRefund {
                id: refund.clone(),
                capture: id,
                minor,
                custom_id,
                pending: false,
                reversal: false,
            };
            books.commit(Event::Refunded { refund: new, request, at: now })?;
            messages::refund_changed(&paypal, &books.ledger, &refund);
            (StatusCode::CREATED, refund)
        }
    };
    let refund = books.ledger.refunds.get(&refund).ok_or_else(ApiError::internal)?;
    let json = match wants_all(&headers) {
        true => refund_json(&paypal, &books.ledger, refund),
        false => json!({ "id": refund.new.id, "status": refund.status.as_str() }),
    };
    Ok((status, Json(json)).into_response())
}

/// What is to be paid back, where that is possible.
fn refundable(
    ledger: &Ledger,
    capture: &Capture,
    (minor, currency): (i64, platform::Currency),
) -> Result<i64, ApiError> {
    let refuse = |issue, description| Err(ApiError::unprocessable(issue, description));
    let left = capture.minor - ledger.refunded(&capture.id);
    let is_disputed = ledger.disputes_of(&capture.id).any(|dispute| dispute.lost.is_none());
    match capture.outcome {
        Outcome::Pending => refuse("PENDING_CAPTURE", "The capture is pending."),
        Outcome::Declined => refuse("REFUND_NOT_ALLOWED", "The capture was declined."),
        Outcome::Completed if left == 0 => {
            refuse("CAPTURE_FULLY_REFUNDED", "The capture is refunded already.")
        }
        Outcome::Completed if currency != capture.currency => {
            refuse("REFUND_CAPTURE_CURRENCY_MISMATCH", "The capture has another currency.")
        }
        Outcome::Completed if minor > left => {
            refuse("REFUND_AMOUNT_EXCEEDED", "Less than that is left of the capture.")
        }
        Outcome::Completed if is_disputed && minor < left => refuse(
            "TRANSACTION_DISPUTED",
            "The capture is disputed: no part of it can be refunded.",
        ),
        Outcome::Completed => Ok(minor),
    }
}

pub fn capture_json(paypal: &Paypal, ledger: &Ledger, capture: &Capture) -> Value {
    let own = paypal.url(&format!("/v2/payments/captures/{}", capture.id));
    let amount = amount_json(capture.minor, capture.currency);
    let mut json = json!({
        "id": capture.id, "status": ledger.capture_status(capture), "amount": amount, "final_capture": true,
        "seller_protection": { "status": "NOT_ELIGIBLE" },
        "supplementary_data": { "related_ids": { "order_id": capture.order } },
        "links": [
            { "href": own, "rel": "self", "method": "GET" },
            { "href": format!("{own}/refund"), "rel": "refund", "method": "POST" },
            { "href": paypal.url(&format!("/v2/checkout/orders/{}", capture.order)), "rel": "up", "method": "GET" },
        ],
        "create_time": capture.created_at.to_string(), "update_time": capture.updated_at.to_string(),
    });
    match capture.outcome {
        Outcome::Pending => json["status_details"] = json!({ "reason": "PENDING_REVIEW" }),
        Outcome::Declined => {
            json["status_details"] = json!({ "reason": "DECLINED_BY_RISK_FRAUD_FILTERS" });
        }
        Outcome::Completed => {}
    }
    if let Some(order) = ledger.order_of(capture) {
        json["custom_id"] = order.custom_id.as_deref().into();
        json["invoice_id"] = order.invoice_id.as_deref().into();
    }
    json
}

pub fn refund_json(paypal: &Paypal, ledger: &Ledger, refund: &Refund) -> Value {
    let new = &refund.new;
    let capture = ledger.captures.get(&new.capture);
    let amount = capture.map(|capture| amount_json(new.minor, capture.currency));
    let mut json = json!({
        "id": new.id, "status": refund.status.as_str(), "amount": amount,
        "links": [
            { "href": paypal.url(&format!("/v2/payments/refunds/{}", new.id)), "rel": "self", "method": "GET" },
            { "href": paypal.url(&format!("/v2/payments/captures/{}", new.capture)), "rel": "up", "method": "GET" },
        ],
        "create_time": refund.created_at.to_string(), "update_time": refund.updated_at.to_string(),
    });
    if let Some(custom_id) = &new.custom_id {
        json["custom_id"] = custom_id.as_str().into();
    }
    if new.reversal {
        json["note_to_payer"] = "Payment reversed".into();
    }
    json
}

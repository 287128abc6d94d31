//! Disputes of captures, as the merchant sees them.

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::Paypal;
use super::api::{ApiError, ApiResult, amount_json};
use super::ledger::{Dispute, Ledger};
use crate::page::{field, form_fields};

/// The list has a summary without the outcome.
pub async fn list(
    State(paypal): State<Paypal>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> ApiResult {
    paypal.authenticate(&headers)?;
    let query = form_fields(query.unwrap_or_default().as_bytes());
    let known = ["disputed_transaction_id", "page_size", "start_time"];
    if let Some((name, _)) = query.iter().find(|(name, _)| !known.contains(&name.as_str())) {
        return Err(ApiError::invalid("INVALID_PARAMETER_VALUE", name));
    }
    let capture = field(&query, "disputed_transaction_id");
    let books = paypal.lock();
    let disputes = books.ledger.disputes.values();
    let wanted = disputes.filter(|dispute| capture.is_empty() || dispute.capture == capture);
    let items: Vec<Value> =
        wanted.map(|dispute| summary(&paypal, &books.ledger, dispute)).collect();
    let own =
        json!([{ "href": paypal.url("/v1/customer/disputes"), "rel": "self", "method": "GET" }]);
    let json = match items.is_empty() {
        true => json!({ "links": own }),
        false => json!({ "items": items, "links": own }),
    };
    Ok(Json(json).into_response())
}

pub async fn show(
    State(paypal): State<Paypal>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> ApiResult {
    paypal.authenticate(&headers)?;
    let books = paypal.lock();
    let dispute = books.ledger.disputes.get(&id);
    let dispute = dispute.ok_or_else(|| ApiError::not_found("dispute_id", &id))?;
    Ok(Json(dispute_json(&paypal, &books.ledger, dispute)).into_response())
}

fn summary(paypal: &Paypal, ledger: &Ledger, dispute: &Dispute) -> Value {
    let currency = ledger.captures.get(&dispute.capture).map(|capture| capture.currency);
    let status = if dispute.lost.is_some() { "RESOLVED" } else { "WAITING_FOR_SELLER_RESPONSE" };
    json!({
        "dispute_id": dispute.id, "reason": "MERCHANDISE_OR_SERVICE_NOT_RECEIVED", "status": status,
        "dispute_amount": currency.map(|currency| amount_json(dispute.minor, currency)),
        "dispute_life_cycle_stage": "CHARGEBACK", "dispute_channel": "INTERNAL",
        "create_time": dispute.created_at.to_string(), "update_time": dispute.updated_at.to_string(),
        "links": [{
            "href": paypal.url(&format!("/v1/customer/disputes/{}", dispute.id)), "rel": "self", "method": "GET",
        }],
    })
}

pub fn dispute_json(paypal: &Paypal, ledger: &Ledger, dispute: &Dispute) -> Value {
    let mut json = summary(paypal, ledger, dispute);
    let capture = ledger.captures.get(&dispute.capture);
    let order = capture.and_then(|capture| ledger.order_of(capture));
    json["disputed_transactions"] = json!([{
        "seller_transaction_id": dispute.capture,
        "custom": order.and_then(|order| order.custom_id.as_deref()),
        "invoice_number": order.and_then(|order| order.invoice_id.as_deref()),
    }]);
    match dispute.lost {
        Some(true) => {
            json["dispute_outcome"] = json!({
                "outcome_code": "RESOLVED_BUYER_FAVOUR", "amount_refunded": json["dispute_amount"],
            });
        }
        Some(false) => {
            json["dispute_outcome"] = json!({ "outcome_code": "RESOLVED_SELLER_FAVOUR" });
        }
        None => {}
    }
    json
}

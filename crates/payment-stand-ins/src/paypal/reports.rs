//! Transaction Search: the list of payments and refunds.

use std::time::Duration;

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use platform::Timestamp;
use serde_json::{Value, json};

use super::Paypal;
use super::api::{ApiError, ApiResult, amount_json};
use super::ledger::{Capture, Ledger, Refund, RefundStatus};
use crate::page::{field, form_fields};

const WINDOW: Duration = Duration::from_secs(31 * 24 * 3600);

pub async fn transactions(
    State(paypal): State<Paypal>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> ApiResult {
    paypal.authenticate(&headers)?;
    let query = form_fields(query.unwrap_or_default().as_bytes());
    let known = ["start_date", "end_date", "fields", "page", "page_size"];
    if let Some((name, _)) = query.iter().find(|(name, _)| !known.contains(&name.as_str())) {
        return Err(ApiError::invalid("INVALID_PARAMETER_VALUE", name));
    }
    let time = |name: &str| {
        Timestamp::parse(field(&query, name))
            .ok_or_else(|| ApiError::invalid("INVALID_PARAMETER_SYNTAX", name))
    };
    let (start, end) = (time("start_date")?, time("end_date")?);
    if end < start || end.since(start) > WINDOW {
        return Err(ApiError::invalid("INVALID_PARAMETER_VALUE", "end_date"));
    }
    let number = |name: &str, default: usize, most: usize| match field(&query, name) {
        "" => Ok(default),
        text => {
            let number = text.parse().ok().filter(|number| (1..=most).contains(number));
            number.ok_or_else(|| ApiError::invalid("INVALID_PARAMETER_VALUE", name))
        }
    };
    let (page, size) = (number("page", 1, usize::MAX)?, number("page_size", 100, 500)?);
    let books = paypal.lock();
    let all = rows(&books.ledger, start, end);
    let of_page: Vec<&Value> =
        all.iter().skip((page - 1).saturating_mul(size)).take(size).collect();
    Ok(Json(json!({
        "transaction_details": of_page, "account_number": "HAATSTANDIN",
        "start_date": start.to_string(), "end_date": end.to_string(),
        "last_refreshed_datetime": paypal.shared().now().to_string(),
        "page": page, "total_items": all.len(), "total_pages": all.len().div_ceil(size).max(1),
    }))
    .into_response())
}

fn rows(ledger: &Ledger, start: Timestamp, end: Timestamp) -> Vec<Value> {
    let is_within = |at: Timestamp| start <= at && at <= end;
    let captures = ledger.captures.values().filter(|capture| is_within(capture.created_at));
    let refunds = ledger.refunds.values().filter(|refund| is_within(refund.created_at));
    let payments =
        captures.filter(|capture| capture.is_paid()).map(|capture| payment(ledger, capture));
    let paid_back = refunds.filter(|refund| refund.status != RefundStatus::Failed);
    payments.chain(paid_back.filter_map(|refund| paid_back_row(ledger, refund))).collect()
}

fn payment(ledger: &Ledger, capture: &Capture) -> Value {
    let status = if ledger.refunded(&capture.id) >= capture.minor { "V" } else { "S" };
    json!({ "transaction_info": {
        "transaction_id": capture.id, "transaction_event_code": "T0006", "transaction_status": status,
        "transaction_initiation_date": written(capture.created_at),
        "transaction_amount": amount_json(capture.minor, capture.currency),
        "custom_field": ledger.order_of(capture).and_then(|order| order.custom_id.as_deref()),
        "invoice_id": ledger.order_of(capture).and_then(|order| order.invoice_id.as_deref()),
    }})
}

fn paid_back_row(ledger: &Ledger, refund: &Refund) -> Option<Value> {
    let capture = ledger.captures.get(&refund.new.capture)?;
    let code = if refund.new.reversal { "T1106" } else { "T1107" };
    Some(json!({ "transaction_info": {
        "transaction_id": refund.new.id, "transaction_event_code": code, "transaction_status": "S",
        "transaction_initiation_date": written(refund.created_at),
        "transaction_amount": amount_json(-refund.new.minor, capture.currency),
        "paypal_reference_id": capture.id, "paypal_reference_id_type": "TXN",
    }}))
}

/// Reports write the offset without a colon.
fn written(at: Timestamp) -> String {
    format!("{}+0000", at.to_string().split('.').next().unwrap_or_default())
}

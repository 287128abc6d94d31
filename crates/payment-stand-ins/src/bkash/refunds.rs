//! Refunds of the stand-in of bKash: the second version of this part of the API, which answers status 400 with codes.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State as Extract;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use platform::money::decimal;
use serde_json::{Value, json};

use super::api::{Fields, has_only, message, not_saved, text};
use super::{Bkash, Event, Executed, Payment, Refund, State, date, written};

const MAX_REFUNDS: usize = 10;
const WITHIN: Duration = Duration::from_secs(60 * 24 * 3600);
/// Between two refunds of the same amount.
const PAUSE: Duration = Duration::from_secs(600);

pub(super) fn router(bkash: Bkash) -> Router {
    Router::new()
        .route("/v2/tokenized-checkout/refund/payment/transaction", post(refund))
        .route("/v2/tokenized-checkout/refund/payment/status", post(status))
        .with_state(bkash)
}

fn refuse(code: &str, name: &str, message: &str) -> Box<Response> {
    let body = json!({
        "internalCode": name, "externalCode": code, "errorMessageEn": message, "errorMessageBn": null,
    });
    Box::new((StatusCode::BAD_REQUEST, Json(body)).into_response())
}

fn invalid_body() -> Response {
    message(StatusCode::BAD_REQUEST, "Invalid request body")
}

/// The payment that the fields name.
fn named<'s>(
    state: &'s State,
    fields: &Fields,
) -> Result<(&'s Payment, &'s Executed), Box<Response>> {
    let Some(payment) = state.payments.get(text(fields, "paymentId")) else {
        return Err(refuse("2002", "invalid_payment_id", "Invalid Payment ID"));
    };
    match &payment.executed {
        None => Err(refuse("2127", "not_completed", "Transaction is not yet completed")),
        Some(executed) if executed.trx_id != text(fields, "trxId") => {
            Err(refuse("2077", "invalid_trx_id", "Invalid TrxID"))
        }
        Some(executed) => Ok((payment, executed)),
    }
}

async fn refund(Extract(bkash): Extract<Bkash>, headers: HeaderMap, body: Bytes) -> Response {
    let fields = match bkash.authorized(&headers, &body) {
        Ok(fields) => fields,
        Err(refusal) => return *refusal,
    };
    if !has_only(&fields, &["paymentId", "trxId", "refundAmount", "sku", "reason"]) {
        return invalid_body();
    }
    match refunded(&bkash, &fields) {
        Ok(answer) => Json(answer).into_response(),
        Err(refusal) => *refusal,
    }
}

fn refunded(bkash: &Bkash, fields: &Fields) -> Result<Value, Box<Response>> {
    let (mut state, now) = (bkash.state(), bkash.shared().now());
    let (payment, executed) = named(&state, fields)?;
    let left = payment.amount - payment.refunded();
    let amount =
        decimal(text(fields, "refundAmount"), 2).filter(|amount| (1..=left).contains(amount));
    let invalid_amount = || refuse("2072", "invalid_amount", "Invalid refund amount");
    let amount = amount.ok_or_else(invalid_amount)?;
    if executed.at.plus(WITHIN) <= now {
        return Err(refuse("2071", "too_late", "The time for a refund is over"));
    }
    if payment.refunds.len() >= MAX_REFUNDS {
        return Err(refuse("2074", "not_reversible", "The transaction cannot be reversed"));
    }
    let is_recent = |one: &Refund| one.amount == amount && now.since(one.at) < PAUSE;
    if payment.refunds.iter().any(is_recent) {
        return Err(refuse("2029", "duplicate", "Duplicate for all transactions"));
    }
    let longest = [text(fields, "sku"), text(fields, "reason")].map(str::len).into_iter().max();
    if longest.is_some_and(|length| length > 255) {
        return Err(refuse("2073", "invalid_sku", "Invalid SKU"));
    }
    let (id, original, trx_id) = (payment.id.clone(), payment.amount, executed.trx_id.clone());
    let refund = Refund {
        trx_id: bkash.shared().random_id("", 10),
        amount,
        sku: text(fields, "sku").to_owned(),
        at: now,
    };
    let answer = json!({
        "originalTrxId": trx_id, "refundTrxId": refund.trx_id,
        "refundTransactionStatus": "Completed", "originalTrxAmount": written(original),
        "refundAmount": written(amount), "currency": "BDT", "completedTime": date(now),
        "sku": refund.sku, "reason": text(fields, "reason"),
    });
    let event = Event::Refunded { payment: id, refund };
    state.record(event).map_err(|_| Box::new(not_saved()))?;
    Ok(answer)
}

async fn status(Extract(bkash): Extract<Bkash>, headers: HeaderMap, body: Bytes) -> Response {
    let fields = match bkash.authorized(&headers, &body) {
        Ok(fields) => fields,
        Err(refusal) => return *refusal,
    };
    if !has_only(&fields, &["paymentId", "trxId"]) {
        return invalid_body();
    }
    let state = bkash.state();
    let (payment, executed) = match named(&state, &fields) {
        Ok(found) => found,
        Err(refusal) => return *refusal,
    };
    let listed = payment.refunds.iter().map(|refund| {
        json!({
            "refundTrxId": refund.trx_id, "refundTransactionStatus": "Completed",
            "refundAmount": written(refund.amount), "completedTime": date(refund.at),
        })
    });
    Json(json!({
        "originalTrxId": executed.trx_id, "originalTrxAmount": written(payment.amount),
        "originalTrxCompletedTime": date(executed.at),
        "refundTransactions": Vec::from_iter(listed),
    }))
    .into_response()
}

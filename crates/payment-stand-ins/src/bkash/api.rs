//! The API of the stand-in of bKash, without refunds. It answers status 200, and says in the JSON what is wrong.

use axum::body::Bytes;
use axum::extract::State as Extract;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use platform::money::decimal;
use serde_json::{Map, Value, json};

use super::{
    APP_KEY, APP_SECRET, Bkash, Event, HOUR, PASSWORD, Payment, USERNAME, WALLET_BLOCKED,
    WALLET_WITHOUT_FUNDS, date, written,
};

pub(super) type Fields = Map<String, Value>;

const MAX_GRANTS: usize = 2;

pub(super) fn router(bkash: Bkash) -> Router {
    let routes = Router::new()
        .route("/token/grant", post(grant))
        .route("/create", post(create))
        .route("/execute", post(execute))
        .route("/payment/status", post(status));
    Router::new().nest("/v1.2.0-beta/tokenized/checkout", routes).with_state(bkash)
}

/// As the gateway in front of bKash answers.
pub(super) fn message(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "message": message }))).into_response()
}

fn refuse(code: &str, message: &str) -> Response {
    Json(json!({ "statusCode": code, "statusMessage": message })).into_response()
}

pub(super) fn not_saved() -> Response {
    message(StatusCode::INTERNAL_SERVER_ERROR, "Internal server error")
}

/// The fields of a JSON body, all of them texts.
pub(super) fn read(headers: &HeaderMap, body: &[u8]) -> Option<Fields> {
    let content_type = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let fields: Fields = serde_json::from_slice(body).ok()?;
    let is_json = content_type.starts_with("application/json");
    (is_json && fields.values().all(Value::is_string)).then_some(fields)
}

pub(super) fn text<'f>(fields: &'f Fields, name: &str) -> &'f str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Whether exactly these fields are there.
pub(super) fn has_only(fields: &Fields, names: &[&str]) -> bool {
    fields.len() == names.len() && names.iter().all(|name| !text(fields, name).is_empty())
}

impl Bkash {
    /// The fields of a call with a token that is accepted, or the refusal.
    pub(super) fn authorized(
        &self,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Fields, Box<Response>> {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let granted = header(AUTHORIZATION.as_str())
            .and_then(|token| self.state().tokens.get(token).copied());
        let is_valid = granted.is_some_and(|at| self.shared().now() < at.plus(HOUR));
        if !is_valid || header("x-app-key") != Some(APP_KEY) {
            return Err(Box::new(message(StatusCode::UNAUTHORIZED, "Unauthorized")));
        }
        let invalid = || Box::new(message(StatusCode::BAD_REQUEST, "Invalid request body"));
        read(headers, body).ok_or_else(invalid)
    }
}

async fn grant(Extract(bkash): Extract<Bkash>, headers: HeaderMap, body: Bytes) -> Response {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(fields) = read(&headers, &body) else {
        return message(StatusCode::BAD_REQUEST, "Invalid request body");
    };
    if !has_only(&fields, &["app_key", "app_secret"]) {
        return message(StatusCode::BAD_REQUEST, "Invalid request body");
    }
    if header("username") != Some(USERNAME) || header("password") != Some(PASSWORD) {
        return message(StatusCode::UNAUTHORIZED, "Unauthorized");
    }
    if (text(&fields, "app_key"), text(&fields, "app_secret")) != (APP_KEY, APP_SECRET) {
        return refuse("2001", "Invalid App Key");
    }
    let (mut state, now) = (bkash.state(), bkash.shared().now());
    let recent = state.grants.iter().filter(|at| now.since(**at) < HOUR).count();
    if now < state.blocked_until || recent >= MAX_GRANTS {
        let until = now.plus(HOUR);
        if now >= state.blocked_until && state.record(Event::Blocked { until }).is_err() {
            return not_saved();
        }
        return message(StatusCode::TOO_MANY_REQUESTS, "Too Many Requests");
    }
    let token = bkash.shared().random_id("eyJ", 40);
    if state.record(Event::Granted { token: token.clone(), at: now }).is_err() {
        return not_saved();
    }
    Json(json!({
        "statusCode": "0000", "statusMessage": "Successful", "id_token": token,
        "token_type": "Bearer", "expires_in": 3600,
        "refresh_token": bkash.shared().random_id("eyJ", 40),
    }))
    .into_response()
}

async fn create(Extract(bkash): Extract<Bkash>, headers: HeaderMap, body: Bytes) -> Response {
    let fields = match bkash.authorized(&headers, &body) {
        Ok(fields) => fields,
        Err(refusal) => return *refusal,
    };
    let payment = match new_payment(&bkash, &fields) {
        Ok(payment) => payment,
        Err((code, message)) => return refuse(code, message),
    };
    if bkash.state().record(Event::Created(payment.clone())).is_err() {
        return not_saved();
    }
    let Payment { id, hash, callback_url, invoice, .. } = &payment;
    let page =
        format!("{}/redirect/tokenized/?paymentID={id}&hash={hash}", bkash.shared().url("bkash"));
    let back = |status: &str| with_query(callback_url, id, status);
    Json(json!({
        "statusCode": "0000", "statusMessage": "Successful", "paymentID": id, "bkashURL": page,
        "callbackURL": callback_url, "successCallbackURL": back("success"),
        "failureCallbackURL": back("failure"), "cancelledCallbackURL": back("cancel"),
        "amount": written(payment.amount), "intent": "sale", "currency": "BDT",
        "paymentCreateTime": date(payment.created_at), "transactionStatus": "Initiated",
        "merchantInvoiceNumber": invoice,
    }))
    .into_response()
}

/// Where bKash sends the browser.
pub(super) fn with_query(callback_url: &str, id: &str, status: &str) -> String {
    let separator = if callback_url.contains('?') { '&' } else { '?' };
    format!("{callback_url}{separator}paymentID={id}&status={status}")
}

fn new_payment(bkash: &Bkash, fields: &Fields) -> Result<Payment, (&'static str, &'static str)> {
    const NAMES: [&str; 7] = [
        "mode",
        "payerReference",
        "callbackURL",
        "amount",
        "currency",
        "intent",
        "merchantInvoiceNumber",
    ];
    if !has_only(fields, &NAMES) {
        return Err(("2065", "Mandatory field missing"));
    }
    let plain = |name: &str| {
        let value = text(fields, name);
        Some(value).filter(|it| it.len() <= 255 && !it.contains(['<', '>', '&']))
    };
    let amount = decimal(text(fields, "amount"), 2).filter(|amount| *amount >= 100);
    let amount = amount.ok_or(("2006", "Invalid amount"))?;
    match () {
        () if text(fields, "mode") != "0011" => {
            Err(("2063", "Mode is not valid as per request data"))
        }
        () if text(fields, "currency") != "BDT" => Err(("2007", "Invalid currency")),
        () if text(fields, "intent") != "sale" => Err(("2008", "Invalid intent")),
        () if plain("payerReference").is_none() => Err(("2048", "Invalid Payer Reference")),
        () if plain("merchantInvoiceNumber").is_none() => {
            Err(("2031", "Invalid merchant invoice number"))
        }
        () if !text(fields, "callbackURL").starts_with("http") => {
            Err(("2049", "Invalid Merchant Callback URL"))
        }
        () => Ok(Payment {
            id: bkash.shared().random_id("TR0011", 20),
            hash: bkash.shared().random_id("", 32),
            payer_reference: text(fields, "payerReference").to_owned(),
            callback_url: text(fields, "callbackURL").to_owned(),
            invoice: text(fields, "merchantInvoiceNumber").to_owned(),
            amount,
            created_at: bkash.shared().now(),
            wallet: String::new(),
            is_refused: false,
            executed: None,
            refunds: Vec::new(),
        }),
    }
}

/// The payment that the body names, or the refusal.
fn named(bkash: &Bkash, headers: &HeaderMap, body: &[u8]) -> Result<Payment, Box<Response>> {
    let fields = bkash.authorized(headers, body)?;
    if !has_only(&fields, &["paymentID"]) {
        return Err(Box::new(refuse("2065", "Mandatory field missing")));
    }
    let payment = bkash.state().payments.get(text(&fields, "paymentID")).cloned();
    payment.ok_or_else(|| Box::new(refuse("2002", "Invalid Payment ID")))
}

async fn execute(Extract(bkash): Extract<Bkash>, headers: HeaderMap, body: Bytes) -> Response {
    let id = match named(&bkash, &headers, &body) {
        Ok(payment) => payment.id,
        Err(refusal) => return *refusal,
    };
    let (mut state, now) = (bkash.state(), bkash.shared().now());
    // As it is now: two may come at once.
    let Some(payment) = state.payments.get(&id).cloned() else {
        return refuse("2002", "Invalid Payment ID");
    };
    let refusal = match payment.wallet.as_str() {
        _ if payment.executed.is_some() => {
            return refuse("2062", "The payment has already been completed");
        }
        _ if payment.is_refused => {
            return refuse("2117", "The payment execution has already been completed");
        }
        "" => return refuse("2056", "Invalid Payment State"),
        _ if payment.is_expired(now) => return refuse("2056", "Invalid Payment State"),
        WALLET_WITHOUT_FUNDS => Some(refuse("2023", "Insufficient Balance")),
        WALLET_BLOCKED => {
            let why = "The account of the debit party is in a state which prohibits execution of this transaction";
            Some(refuse("2037", why))
        }
        _ => None,
    };
    if let Some(refusal) = refusal {
        return match state.record(Event::Refused { payment: id }) {
            Ok(()) => refusal,
            Err(_) => not_saved(),
        };
    }
    let trx_id = bkash.shared().random_id("", 10);
    let executed = Event::Executed { payment: id.clone(), trx_id: trx_id.clone(), at: now };
    if state.record(executed).is_err() {
        return not_saved();
    }
    Json(json!({
        "statusCode": "0000", "statusMessage": "Successful", "paymentID": id,
        "payerReference": payment.payer_reference, "customerMsisdn": payment.wallet,
        "trxID": trx_id, "amount": written(payment.amount), "transactionStatus": "Completed",
        "paymentExecuteTime": date(now), "currency": "BDT", "intent": "sale",
        "merchantInvoiceNumber": payment.invoice,
    }))
    .into_response()
}

async fn status(Extract(bkash): Extract<Bkash>, headers: HeaderMap, body: Bytes) -> Response {
    let payment = match named(&bkash, &headers, &body) {
        Ok(payment) => payment,
        Err(refusal) => return *refusal,
    };
    let is_verified = !payment.wallet.is_empty();
    let mut answer = json!({
        "statusCode": "0000", "statusMessage": "Successful", "paymentID": payment.id,
        "mode": "0011", "paymentCreateTime": date(payment.created_at),
        "amount": written(payment.amount), "currency": "BDT", "intent": "sale",
        "merchantInvoice": payment.invoice, "payerReference": payment.payer_reference,
        "transactionStatus": "Initiated",
        "verificationStatus": if is_verified { "Complete" } else { "Incomplete" },
    });
    if let Some(executed) = &payment.executed {
        answer["transactionStatus"] = json!("Completed");
        answer["trxID"] = json!(executed.trx_id);
        answer["paymentExecuteTime"] = json!(date(executed.at));
        answer["maxRefundableAmount"] = json!(written(payment.amount - payment.refunded()));
    }
    Json(answer).into_response()
}

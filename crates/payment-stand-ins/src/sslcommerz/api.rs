//! The API of the stand-in of SSLCommerz. It answers status 200, and says in the JSON what is wrong.

use axum::body::Bytes;
use axum::extract::{RawQuery, State as Extract};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use platform::Timestamp;
use platform::money::decimal;
use serde_json::{Map, Value, json};

use super::{
    Attempt, Event, Refund, STORE_ID, STORE_PASSWORD, Session, Sslcommerz, State, Status, date,
};
use crate::page::{field, form_fields};

type Fields = Vec<(String, String)>;

/// In paisa.
const MIN_AMOUNT: i64 = 1_000;
const MAX_AMOUNT: i64 = 50_000_000;

/// With their longest lengths.
const MANDATORY: [(&str, usize); 20] = [
    ("store_id", 30),
    ("store_passwd", 30),
    ("total_amount", 13),
    ("currency", 3),
    ("tran_id", 30),
    ("product_category", 100),
    ("product_name", 255),
    ("product_profile", 100),
    ("success_url", 255),
    ("fail_url", 255),
    ("cancel_url", 255),
    ("cus_name", 50),
    ("cus_email", 50),
    ("cus_phone", 20),
    ("cus_add1", 50),
    ("cus_city", 50),
    ("cus_postcode", 30),
    ("cus_country", 50),
    ("shipping_method", 50),
    ("num_of_item", 2),
];
const OPTIONAL: [(&str, usize); 14] = [
    ("ipn_url", 255),
    ("emi_option", 1),
    ("cus_add2", 50),
    ("cus_state", 50),
    ("ship_name", 50),
    ("ship_add1", 50),
    ("ship_city", 50),
    ("ship_state", 50),
    ("ship_postcode", 50),
    ("ship_country", 50),
    ("value_a", 255),
    ("value_b", 255),
    ("value_c", 255),
    ("value_d", 255),
];
/// Mandatory where the shipping method is YES.
const SHIPPING: [&str; 5] =
    ["ship_name", "ship_add1", "ship_city", "ship_postcode", "ship_country"];
const PROFILES: [&str; 3] = ["general", "physical-goods", "non-physical-goods"];

pub(super) fn router(sslcommerz: Sslcommerz) -> Router {
    Router::new()
        .route("/gwprocess/v4/api.php", post(open_session))
        .route("/validator/api/validationserverAPI.php", get(validate))
        .route("/validator/api/merchantTransIDvalidationAPI.php", get(transactions))
        .with_state(sslcommerz)
}

async fn open_session(
    Extract(sslcommerz): Extract<Sslcommerz>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let is_form =
        content_type.is_some_and(|it| it.starts_with("application/x-www-form-urlencoded"));
    let fields = if is_form { form_fields(&body) } else { Vec::new() };
    let mut state = sslcommerz.state();
    let key = sslcommerz.shared().random_id("", 32);
    let session = match new_session(&state, &fields, key.clone()) {
        Ok(session) => session,
        Err(reason) => {
            let failed = json!({ "status": "FAILED", "failedreason": reason, "sessionkey": "" });
            return Json(failed).into_response();
        }
    };
    if state.record(Event::Opened(session)).is_err() {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let page = format!("{}/EasyCheckOut/{key}", sslcommerz.shared().url("sslcommerz"));
    let opened = json!({
        "status": "SUCCESS", "failedreason": "", "sessionkey": key, "gw": {},
        "redirectGatewayURL": format!("{page}?cardname="), "GatewayPageURL": page,
        "storeBanner": "", "storeLogo": "", "store_name": "Stand-in", "desc": [],
        "is_direct_pay_enable": "0",
    });
    Json(opened).into_response()
}

fn new_session(state: &State, fields: &Fields, key: String) -> Result<Session, String> {
    if !is_store(fields) {
        return Err("Store Credential Error Or Store is De-active".to_owned());
    }
    check_names(fields)?;
    let text = |name| field(fields, name).to_owned();
    let wrong = |name: &str| format!("Invalid Information! '{name}' is invalid.");
    let amount = decimal(field(fields, "total_amount"), 2).ok_or_else(|| wrong("total_amount"))?;
    if field(fields, "currency") != "BDT" {
        return Err(wrong("currency"));
    }
    if !(MIN_AMOUNT..=MAX_AMOUNT).contains(&amount) {
        return Err("Total amount must be from 10.00 BDT to 500000.00 BDT".to_owned());
    }
    if !field(fields, "cus_email").contains('@') {
        return Err(wrong("cus_email"));
    }
    if !PROFILES.contains(&field(fields, "product_profile")) {
        return Err(wrong("product_profile"));
    }
    for name in ["success_url", "fail_url", "cancel_url"] {
        if !field(fields, name).starts_with("http") {
            return Err(wrong(name));
        }
    }
    let tran_id = text("tran_id");
    let is_other = |one: &Session| one.tran_id == tran_id && one.amount != amount;
    let is_paid = |one: &Attempt| one.tran_id == tran_id && one.status == Status::Valid;
    if state.sessions.values().any(is_other) || state.attempts.iter().any(is_paid) {
        return Err("Invalid Information! 'tran_id' is used.".to_owned());
    }
    Ok(Session {
        key,
        tran_id,
        amount,
        success_url: text("success_url"),
        fail_url: text("fail_url"),
        cancel_url: text("cancel_url"),
        ipn_url: text("ipn_url"),
        product_name: text("product_name"),
        value_a: text("value_a"),
    })
}

fn check_names(fields: &Fields) -> Result<(), String> {
    let needs_shipping = field(fields, "shipping_method") == "YES";
    let shipping = SHIPPING.into_iter().filter(|_| needs_shipping);
    for name in MANDATORY.into_iter().map(|(name, _)| name).chain(shipping) {
        if field(fields, name).trim().is_empty() {
            return Err(format!("Invalid Information! '{name}' is missing or empty."));
        }
    }
    for (at, (name, value)) in fields.iter().enumerate() {
        let known = MANDATORY.iter().chain(&OPTIONAL).find(|(known, _)| known == name);
        let Some((_, longest)) = known else {
            return Err(format!("Invalid Information! '{name}' is unknown."));
        };
        if value.chars().count() > *longest || fields[..at].iter().any(|(other, _)| other == name) {
            return Err(format!("Invalid Information! '{name}' is too long or there twice."));
        }
    }
    Ok(())
}

fn is_store(fields: &Fields) -> bool {
    field(fields, "store_id") == STORE_ID && field(fields, "store_passwd") == STORE_PASSWORD
}

/// The parameters of a query besides those that all have, or the answer to one that is not right.
fn query_of(query: Option<&str>) -> Result<Fields, Value> {
    let fields = form_fields(query.unwrap_or_default().as_bytes());
    if !is_store(&fields) {
        return Err(json!({ "APIConnect": "FAILED" }));
    }
    let is_twice = |at: usize, name: &str| fields[..at].iter().any(|(other, _)| other == name);
    if fields.iter().enumerate().any(|(at, (name, _))| is_twice(at, name)) {
        return Err(invalid("a parameter is there twice"));
    }
    if !matches!(field(&fields, "format"), "json" | "") || !matches!(field(&fields, "v"), "1" | "")
    {
        return Err(invalid("format or v"));
    }
    let common = ["store_id", "store_passwd", "format", "v"];
    Ok(fields.into_iter().filter(|(name, _)| !common.contains(&name.as_str())).collect())
}

fn invalid(reason: &str) -> Value {
    json!({ "APIConnect": "INVALID_REQUEST", "errorReason": reason })
}

async fn validate(Extract(sslcommerz): Extract<Sslcommerz>, RawQuery(query): RawQuery) -> Response {
    let fields = match query_of(query.as_deref()) {
        Ok(fields) => fields,
        Err(answer) => return Json(answer).into_response(),
    };
    let [(name, val_id)] = fields.as_slice() else {
        return Json(invalid("val_id alone is expected")).into_response();
    };
    if name != "val_id" || val_id.is_empty() {
        return Json(invalid("val_id is expected")).into_response();
    }
    let mut state = sslcommerz.state();
    let Some(attempt) = state.attempts.iter().find(|one| one.val_id == *val_id).cloned() else {
        let answer = json!({ "APIConnect": "DONE", "status": "INVALID_TRANSACTION" });
        return Json(answer).into_response();
    };
    let mut answer = element(&state, &attempt);
    answer["APIConnect"] = json!("DONE");
    answer["validated_on"] = json!(date(sslcommerz.shared().now()));
    answer["gw_version"] = json!("");
    if !attempt.is_validated && state.record(Event::Validated { val_id: val_id.clone() }).is_err() {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    Json(answer).into_response()
}

fn element(state: &State, attempt: &Attempt) -> Value {
    let Some(session) = state.sessions.get(&attempt.session) else { return Value::Null };
    let fields = attempt.fields(session).into_iter();
    let mut element: Map<String, Value> =
        fields.map(|(name, value)| (name.to_owned(), json!(value))).collect();
    element.insert("status".to_owned(), json!(attempt.status.as_str(attempt.is_validated)));
    Value::Object(element)
}

/// Four calls in one, told apart by their parameters.
async fn transactions(
    Extract(sslcommerz): Extract<Sslcommerz>,
    RawQuery(query): RawQuery,
) -> Response {
    let fields = match query_of(query.as_deref()) {
        Ok(fields) => fields,
        Err(answer) => return Json(answer).into_response(),
    };
    let mut names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    let (mut state, now) = (sslcommerz.state(), sslcommerz.shared().now());
    let answer = match names.as_slice() {
        ["tran_id"] => by_tran_id(&state, field(&fields, "tran_id")),
        ["sessionkey"] => by_session(&state, field(&fields, "sessionkey")),
        ["refund_ref_id"] => refund_status(&state, field(&fields, "refund_ref_id"), now),
        ["bank_tran_id", "refe_id", "refund_amount", "refund_remarks", "refund_trans_id"]
        | ["bank_tran_id", "refund_amount", "refund_remarks", "refund_trans_id"] => {
            let id = sslcommerz.shared().random_id("", 14).to_ascii_lowercase();
            match refund(&mut state, &fields, id, now) {
                Ok(answer) => answer,
                Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            }
        }
        _ => invalid("these parameters belong to no call"),
    };
    Json(answer).into_response()
}

fn by_tran_id(state: &State, tran_id: &str) -> Value {
    let found: Vec<Value> = state
        .attempts
        .iter()
        .filter(|one| one.tran_id == tran_id)
        .map(|one| element(state, one))
        .collect();
    match found.is_empty() {
        true => json!({
            "APIConnect": "DONE", "no_of_trans_found": 0,
            "element": [{ "tran_id": tran_id, "status": "INVALID" }],
        }),
        false => json!({
            "APIConnect": "DONE", "no_of_trans_found": found.len(), "element": found,
        }),
    }
}

fn by_session(state: &State, key: &str) -> Value {
    let mut answer = match (state.attempt_of(key), state.sessions.get(key)) {
        (Some(attempt), _) => element(state, attempt),
        (None, Some(session)) => json!({ "status": "PENDING", "tran_id": session.tran_id }),
        (None, None) => json!({ "status": "INVALID" }),
    };
    answer["APIConnect"] = json!("DONE");
    answer["sessionkey"] = json!(key);
    answer
}

fn refund_status(state: &State, id: &str, now: Timestamp) -> Value {
    let Some(refund) = state.refunds.iter().find(|one| one.refund_ref_id == id) else {
        return invalid("there is no such refund");
    };
    let paid = state.attempts.iter().find(|one| one.bank_tran_id == refund.bank_tran_id);
    let status = refund.status(now);
    json!({
        "APIConnect": "DONE", "bank_tran_id": refund.bank_tran_id,
        "tran_id": paid.map_or("", |one| one.tran_id.as_str()), "refund_ref_id": id,
        "initiated_on": date(refund.at),
        "refunded_on": if status == "refunded" { date(refund.at.plus(super::REFUND_TIME)) } else { String::new() },
        "status": status, "errorReason": "",
    })
}

fn refund(
    state: &mut State,
    fields: &Fields,
    refund_ref_id: String,
    now: Timestamp,
) -> std::io::Result<Value> {
    let bank_tran_id = field(fields, "bank_tran_id");
    let refund_trans_id = field(fields, "refund_trans_id");
    let failed = |reason: &str| {
        json!({
            "APIConnect": "DONE", "bank_tran_id": bank_tran_id, "refund_ref_id": "",
            "status": "failed", "errorReason": reason,
        })
    };
    let is_paid = |one: &&Attempt| one.status == Status::Valid && one.bank_tran_id == bank_tran_id;
    let Some(paid) = state.attempts.iter().find(is_paid) else {
        return Ok(failed("Invalid bank_tran_id"));
    };
    let told = |refund: &Refund, status: &str| {
        json!({
            "APIConnect": "DONE", "bank_tran_id": bank_tran_id, "trans_id": paid.tran_id,
            "refund_ref_id": refund.refund_ref_id, "status": status, "errorReason": "",
        })
    };
    let Some(amount) = decimal(field(fields, "refund_amount"), 2).filter(|amount| *amount > 0)
    else {
        return Ok(failed("Invalid refund_amount"));
    };
    let remarks = field(fields, "refund_remarks").chars().count();
    if !(1..=30).contains(&refund_trans_id.len()) || !(1..=255).contains(&remarks) {
        return Ok(failed("Invalid refund_trans_id or refund_remarks"));
    }
    if let Some(earlier) = state.refunds.iter().find(|one| one.refund_trans_id == refund_trans_id) {
        let is_same = earlier.bank_tran_id == bank_tran_id && earlier.amount == amount;
        return Ok(if is_same {
            told(earlier, "processing")
        } else {
            failed("Duplicate refund_trans_id")
        });
    }
    if amount > paid.amount - state.refunded(bank_tran_id, now) {
        return Ok(failed("Requested amount is greater than the remaining amount"));
    }
    let refund = Refund {
        refund_ref_id,
        refund_trans_id: refund_trans_id.to_owned(),
        bank_tran_id: bank_tran_id.to_owned(),
        amount,
        at: now,
    };
    let answer = told(&refund, "success");
    state.record(Event::Refunded(refund))?;
    Ok(answer)
}

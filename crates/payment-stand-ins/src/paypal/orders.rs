//! Orders: create, show, capture.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::api::{
    ApiError, ApiResult, amount, amount_json, json_body, object, request_of, text, wants_all,
};
use super::events::{Event, Funding, NewOrder, Outcome};
use super::ledger::{Ledger, Order, Repeated, Scope};
use super::{Paypal, messages, payments};

pub async fn create(State(paypal): State<Paypal>, headers: HeaderMap, body: Bytes) -> ApiResult {
    paypal.authenticate(&headers)?;
    let json = json_body(&headers, &body)?;
    let mut order = parse(&json)?;
    let request = request_of(&headers, "/v2/checkout/orders", &body)?;
    // The order has a source of payment.
    let request = request
        .ok_or_else(|| ApiError::invalid("PAYPAL_REQUEST_ID_REQUIRED", "PayPal-Request-Id"))?;
    let mut books = paypal.lock();
    let now = paypal.shared().now();
    let (status, id) = match books.ledger.repeated(Scope::Order, &request, now) {
        Repeated::Same(id) => (StatusCode::OK, id),
        Repeated::Other => return Err(used_request_id()),
        Repeated::New => {
            if order.invoice_id.as_deref().is_some_and(|id| books.ledger.is_invoice_paid(id)) {
                return Err(paid_invoice());
            }
            order.id = paypal.new_id(&books.ledger);
            let id = order.id.clone();
            books.commit(Event::OrderCreated { order, request, at: now })?;
            (StatusCode::CREATED, id)
        }
    };
    let order = books.ledger.order(&id, now).ok_or_else(|| ApiError::not_found("order_id", &id))?;
    Ok(answer(&paypal, &books.ledger, order, status, wants_all(&headers)))
}

pub async fn show(
    State(paypal): State<Paypal>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> ApiResult {
    paypal.authenticate(&headers)?;
    let books = paypal.lock();
    let order = books.ledger.order(&id, paypal.shared().now());
    let order = order.ok_or_else(|| ApiError::not_found("order_id", &id))?;
    Ok(answer(&paypal, &books.ledger, order, StatusCode::OK, true))
}

pub async fn capture(
    State(paypal): State<Paypal>,
    headers: HeaderMap,
    Path(id): Path<String>,
    body: Bytes,
) -> ApiResult {
    paypal.authenticate(&headers)?;
    let body = if body.is_empty() { b"{}" } else { &body[..] };
    object(&json_body(&headers, body)?, "", &[])?;
    let path = format!("/v2/checkout/orders/{id}/capture");
    let request = request_of(&headers, &path, b"")?;
    let mut books = paypal.lock();
    let now = paypal.shared().now();
    let order = books.ledger.order(&id, now);
    let order = order.ok_or_else(|| ApiError::not_found("order_id", &id))?;
    let repeated =
        request.as_ref().map(|request| books.ledger.repeated(Scope::Capture, request, now));
    match repeated {
        Some(Repeated::Same(_)) => {
            return Ok(answer(&paypal, &books.ledger, order, StatusCode::OK, wants_all(&headers)));
        }
        Some(Repeated::Other) => return Err(used_request_id()),
        Some(Repeated::New) | None => {}
    }
    if order.capture.is_some() {
        let description = "The order is captured already, and can be only once.";
        return Err(ApiError::unprocessable("ORDER_ALREADY_CAPTURED", description));
    }
    let Some((funding, _)) = order.approved else {
        let description = "The payer has not approved the order.";
        return Err(ApiError::unprocessable("ORDER_NOT_APPROVED", description));
    };
    if order.new.invoice_id.as_deref().is_some_and(|id| books.ledger.is_invoice_paid(id)) {
        return Err(paid_invoice());
    }
    let outcome = match funding {
        Funding::Balance => Outcome::Completed,
        Funding::Reviewed => Outcome::Pending,
        Funding::Denied => Outcome::Declined,
        Funding::Declined => {
            let page = paypal.url(&format!("/checkoutnow?token={id}"));
            books.commit(Event::Declined { order: id })?;
            let description = "The payer's source of money was declined.";
            let error = ApiError::unprocessable("INSTRUMENT_DECLINED", description);
            return Err(error.with_redirect(&page));
        }
    };
    let capture = paypal.new_id(&books.ledger);
    let event =
        Event::Captured { order: id.clone(), capture: capture.clone(), outcome, request, at: now };
    books.commit(event)?;
    messages::capture_changed(&paypal, &books.ledger, &capture);
    let order = books.ledger.order(&id, now).ok_or_else(ApiError::internal)?;
    Ok(answer(&paypal, &books.ledger, order, StatusCode::CREATED, wants_all(&headers)))
}

fn used_request_id() -> ApiError {
    let description = "The PayPal-Request-Id was used for another request.";
    ApiError::unprocessable("DUPLICATE_REQUEST_ID", description)
}

fn paid_invoice() -> ApiError {
    let description = "The invoice id was paid before, which the account does not allow.";
    ApiError::unprocessable("DUPLICATE_INVOICE_ID", description)
}

/// The order that a request asks for, without its id.
fn parse(json: &Value) -> Result<NewOrder, ApiError> {
    object(json, "", &["intent", "purchase_units", "payment_source"])?;
    match json["intent"].as_str() {
        Some("CAPTURE") => {}
        Some("AUTHORIZE") => {
            let description = "The stand-in captures at once.";
            return Err(ApiError::unprocessable("UNSUPPORTED_INTENT", description));
        }
        Some(_) => return Err(ApiError::invalid("INVALID_PARAMETER_VALUE", "/intent")),
        None => return Err(ApiError::invalid("MISSING_REQUIRED_PARAMETER", "/intent")),
    }
    let [unit] = json["purchase_units"].as_array().map(Vec::as_slice).unwrap_or_default() else {
        return Err(ApiError::invalid("INVALID_ARRAY_MIN_ITEMS", "/purchase_units"));
    };
    object(unit, "/purchase_units/0", &["amount", "custom_id", "invoice_id", "description"])?;
    let (minor, currency) = amount(&unit["amount"], "/purchase_units/0/amount")?;
    let source = "/payment_source";
    object(&json["payment_source"], source, &["paypal"])?;
    let paypal = &json["payment_source"]["paypal"];
    object(paypal, "/payment_source/paypal", &["experience_context"])?;
    let (return_url, cancel_url) = parse_context(&paypal["experience_context"])?;
    Ok(NewOrder {
        id: String::new(),
        minor,
        currency,
        custom_id: text(&unit["custom_id"], "/purchase_units/0/custom_id")?,
        invoice_id: text(&unit["invoice_id"], "/purchase_units/0/invoice_id")?,
        description: text(&unit["description"], "/purchase_units/0/description")?,
        return_url,
        cancel_url,
    })
}

/// The addresses to which the payer returns.
fn parse_context(json: &Value) -> Result<(String, String), ApiError> {
    const PATH: &str = "/payment_source/paypal/experience_context";
    const CHOICES: [(&str, &[&str]); 4] = [
        ("shipping_preference", &["GET_FROM_FILE", "NO_SHIPPING", "SET_PROVIDED_ADDRESS"]),
        ("user_action", &["CONTINUE", "PAY_NOW"]),
        ("landing_page", &["LOGIN", "GUEST_CHECKOUT", "NO_PREFERENCE"]),
        ("payment_method_preference", &["UNRESTRICTED", "IMMEDIATE_PAYMENT_REQUIRED"]),
    ];
    let others = ["return_url", "cancel_url", "locale", "brand_name"];
    let fields: Vec<&str> = CHOICES.iter().map(|(name, _)| *name).chain(others).collect();
    object(json, PATH, &fields)?;
    for (name, choices) in CHOICES {
        let value = &json[name];
        if !value.is_null() && !value.as_str().is_some_and(|value| choices.contains(&value)) {
            return Err(ApiError::invalid("INVALID_PARAMETER_VALUE", &format!("{PATH}/{name}")));
        }
    }
    text(&json["brand_name"], &format!("{PATH}/brand_name"))?;
    if !json["locale"].is_null() && !json["locale"].as_str().is_some_and(is_locale) {
        return Err(ApiError::invalid("INVALID_PARAMETER_SYNTAX", &format!("{PATH}/locale")));
    }
    let url = |name: &str| {
        let url = json[name].as_str().filter(|url| is_url(url)).map(str::to_owned);
        url.ok_or_else(|| ApiError::invalid("INVALID_PARAMETER_SYNTAX", &format!("{PATH}/{name}")))
    };
    Ok((url("return_url")?, url("cancel_url")?))
}

/// Five characters, such as en-US.
fn is_locale(text: &str) -> bool {
    matches!(text.as_bytes(), [a, b, b'-', c, d]
        if a.is_ascii_lowercase() && b.is_ascii_lowercase() && c.is_ascii_uppercase() && d.is_ascii_uppercase())
}

fn is_url(text: &str) -> bool {
    (text.starts_with("https://") || text.starts_with("http://"))
        && text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte))
}

fn answer(
    paypal: &Paypal,
    ledger: &Ledger,
    order: &Order,
    status: StatusCode,
    all: bool,
) -> Response {
    let json = match all {
        true => order_json(paypal, ledger, order),
        false => json!({
            "id": order.new.id, "status": order.status(), "payment_source": { "paypal": {} },
            "links": links(paypal, order),
        }),
    };
    (status, Json(json)).into_response()
}

fn links(paypal: &Paypal, order: &Order) -> Value {
    let id = &order.new.id;
    let mut links = vec![json!({
        "href": paypal.url(&format!("/v2/checkout/orders/{id}")), "rel": "self", "method": "GET",
    })];
    match order.status() {
        "PAYER_ACTION_REQUIRED" => links.push(json!({
            "href": paypal.url(&format!("/checkoutnow?token={id}")), "rel": "payer-action", "method": "GET",
        })),
        "APPROVED" => links.push(json!({
            "href": paypal.url(&format!("/v2/checkout/orders/{id}/capture")), "rel": "capture", "method": "POST",
        })),
        _ => {}
    }
    links.into()
}

pub fn order_json(paypal: &Paypal, ledger: &Ledger, order: &Order) -> Value {
    let mut unit = json!({
        "reference_id": "default", "amount": amount_json(order.new.minor, order.new.currency),
        "payee": { "merchant_id": "HAATSTANDIN", "email_address": "shop@example.com" },
    });
    let texts = [
        ("custom_id", &order.new.custom_id),
        ("invoice_id", &order.new.invoice_id),
        ("description", &order.new.description),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            unit[name] = text.as_str().into();
        }
    }
    if let Some(capture) = order.capture.as_ref().and_then(|id| ledger.captures.get(id)) {
        unit["payments"]["captures"] = json!([payments::capture_json(paypal, ledger, capture)]);
        let refunds = ledger.refunds_of(&capture.id);
        let refunds: Vec<Value> =
            refunds.map(|refund| payments::refund_json(paypal, ledger, refund)).collect();
        if !refunds.is_empty() {
            unit["payments"]["refunds"] = refunds.into();
        }
    }
    json!({
        "id": order.new.id, "intent": "CAPTURE", "status": order.status(), "purchase_units": [unit],
        "payment_source": { "paypal": {} }, "create_time": order.created_at.to_string(),
        "links": links(paypal, order),
    })
}

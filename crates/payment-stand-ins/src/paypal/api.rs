//! What the calls of the API share: access tokens, request ids, strict JSON, and errors in PayPal's form.

use std::sync::PoisonError;
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use platform::money::decimal;
use platform::{Currency, Money};
use serde_json::{Map, Value, json};

use super::events::Request;
use super::{CLIENT_ID, CLIENT_SECRET, Paypal};
use crate::page;

const TOKEN_LIFE: Duration = Duration::from_secs(9 * 3600);
const SCOPE: &str = "https://uri.paypal.com/services/payments/realtimepayment \
    https://uri.paypal.com/services/payments/refund https://uri.paypal.com/services/applications/webhooks \
    https://uri.paypal.com/services/disputes/read-seller https://uri.paypal.com/services/reporting/search/read openid";
const MAX_KEY: usize = 108;
/// PayPal's currencies; a + stands behind those that it takes without decimals.
const CURRENCIES: &str = "AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF+ ILS JPY+ MXN MYR NOK NZD PHP PLN SEK SGD THB \
    TWD+ USD";

pub type ApiResult = Result<Response, ApiError>;

#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    name: &'static str,
    message: &'static str,
    details: Vec<Value>,
    links: Vec<Value>,
}

impl ApiError {
    fn new(status: StatusCode, name: &'static str, message: &'static str) -> Self {
        Self { status, name, message, details: Vec::new(), links: Vec::new() }
    }

    pub fn internal() -> Self {
        let message = "An error occurred.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_SERVER_ERROR", message)
    }

    fn unauthenticated() -> Self {
        let message = "The access token is missing, unknown or expired.";
        Self::new(StatusCode::UNAUTHORIZED, "AUTHENTICATION_FAILURE", message)
    }

    /// 400 for a field, by its path.
    pub fn invalid(issue: &'static str, field: &str) -> Self {
        let message = "The request is malformed or violates the schema.";
        let mut error = Self::new(StatusCode::BAD_REQUEST, "INVALID_REQUEST", message);
        let location = if field.starts_with('/') { "body" } else { "header" };
        error.details = vec![json!({
            "field": field, "location": location, "issue": issue, "description": "The field is not valid.",
        })];
        error
    }

    /// 422 for what a correct request asks in vain.
    pub fn unprocessable(issue: &'static str, description: &str) -> Self {
        let message = "The requested action is not possible.";
        let mut error =
            Self::new(StatusCode::UNPROCESSABLE_ENTITY, "UNPROCESSABLE_ENTITY", message);
        error.details = vec![json!({ "issue": issue, "description": description })];
        error
    }

    pub fn not_found(field: &str, id: &str) -> Self {
        let message = "The resource does not exist.";
        let mut error = Self::new(StatusCode::NOT_FOUND, "RESOURCE_NOT_FOUND", message);
        error.details = vec![json!({
            "field": field, "value": id, "location": "path", "issue": "INVALID_RESOURCE_ID",
            "description": "There is no resource with this id.",
        })];
        error
    }

    /// With a link that the payer is to follow.
    pub fn with_redirect(self, url: &str) -> Self {
        Self { links: vec![json!({ "href": url, "rel": "redirect", "method": "GET" })], ..self }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = json!({
            "name": self.name, "message": self.message, "debug_id": "stand-in",
            "details": self.details, "links": self.links,
        });
        (self.status, Json(body)).into_response()
    }
}

pub async fn grant_token(
    State(paypal): State<Paypal>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let refused = |status: StatusCode, error: &str, description: &str| {
        (status, Json(json!({ "error": error, "error_description": description }))).into_response()
    };
    let expected = format!("Basic {}", BASE64.encode(format!("{CLIENT_ID}:{CLIENT_SECRET}")));
    if header(&headers, AUTHORIZATION.as_str()) != expected {
        let description = "The client id and secret do not belong to an app.";
        return refused(StatusCode::UNAUTHORIZED, "invalid_client", description);
    }
    let is_form = header(&headers, CONTENT_TYPE.as_str()) == "application/x-www-form-urlencoded";
    if !is_form
        || page::form_fields(&body) != [("grant_type".to_owned(), "client_credentials".to_owned())]
    {
        let description = "The grant type must be client_credentials, in a form.";
        return refused(StatusCode::BAD_REQUEST, "unsupported_grant_type", description);
    }
    let token = paypal.shared().random_id("A21AA", 40);
    let now = paypal.shared().now();
    let mut tokens = paypal.0.tokens.lock().unwrap_or_else(PoisonError::into_inner);
    tokens.retain(|_, expires_at| now < *expires_at);
    tokens.insert(token.clone(), now.plus(TOKEN_LIFE));
    Json(json!({
        "scope": SCOPE, "access_token": token, "token_type": "Bearer", "app_id": "APP-STANDIN",
        "expires_in": TOKEN_LIFE.as_secs(), "nonce": now.to_string(),
    }))
    .into_response()
}

impl Paypal {
    pub fn authenticate(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let token =
            header(headers, AUTHORIZATION.as_str()).strip_prefix("Bearer ").unwrap_or_default();
        let tokens = self.0.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        let expires_at = tokens.get(token).ok_or_else(ApiError::unauthenticated)?;
        match self.shared().now() < *expires_at {
            true => Ok(()),
            false => Err(ApiError::unauthenticated()),
        }
    }
}

pub fn header<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

pub fn wants_all(headers: &HeaderMap) -> bool {
    header(headers, "prefer") == "return=representation"
}

/// The PayPal-Request-Id, with what is asked.
pub fn request_of(
    headers: &HeaderMap,
    path: &str,
    body: &[u8],
) -> Result<Option<Request>, ApiError> {
    let key = header(headers, "paypal-request-id");
    if key.len() > MAX_KEY {
        return Err(ApiError::invalid("INVALID_STRING_LENGTH", "PayPal-Request-Id"));
    }
    let asked = digest(&SHA256, &[path.as_bytes(), b"\n", body].concat());
    let fingerprint = asked.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((!key.is_empty()).then(|| Request { key: key.to_owned(), fingerprint }))
}

/// The JSON object of a body.
pub fn json_body(headers: &HeaderMap, body: &[u8]) -> Result<Value, ApiError> {
    if header(headers, CONTENT_TYPE.as_str()) != "application/json" {
        let message = "The media type of the request is not supported.";
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "UNSUPPORTED_MEDIA_TYPE",
            message,
        ));
    }
    let json: Option<Value> = serde_json::from_slice(body).ok();
    json.filter(Value::is_object).ok_or_else(|| ApiError::invalid("MALFORMED_REQUEST_JSON", "/"))
}

/// An object with no other than these fields.
pub fn object<'v>(
    json: &'v Value,
    path: &str,
    fields: &[&str],
) -> Result<&'v Map<String, Value>, ApiError> {
    let Some(object) = json.as_object() else {
        let issue =
            if json.is_null() { "MISSING_REQUIRED_PARAMETER" } else { "INVALID_PARAMETER_SYNTAX" };
        return Err(ApiError::invalid(issue, path));
    };
    match object.keys().find(|key| !fields.contains(&key.as_str())) {
        Some(unknown) => Err(ApiError::invalid("NOT_SUPPORTED", &format!("{path}/{unknown}"))),
        None => Ok(object),
    }
}

/// An optional text of 1 to 127 characters.
pub fn text(json: &Value, path: &str) -> Result<Option<String>, ApiError> {
    match json {
        Value::Null => Ok(None),
        Value::String(text) if (1..=127).contains(&text.chars().count()) => Ok(Some(text.clone())),
        Value::String(_) => Err(ApiError::invalid("INVALID_STRING_LENGTH", path)),
        _ => Err(ApiError::invalid("INVALID_PARAMETER_SYNTAX", path)),
    }
}

/// An amount above zero, with the decimals that PayPal takes of its currency.
pub fn amount(json: &Value, path: &str) -> Result<(i64, Currency), ApiError> {
    object(json, path, &["currency_code", "value"])?;
    let field = |name: &str| format!("{path}/{name}");
    let code = json["currency_code"].as_str();
    let code = code
        .ok_or_else(|| ApiError::invalid("MISSING_REQUIRED_PARAMETER", &field("currency_code")))?;
    let value = json["value"].as_str();
    let value =
        value.ok_or_else(|| ApiError::invalid("MISSING_REQUIRED_PARAMETER", &field("value")))?;
    let known = CURRENCIES.split(' ').find(|known| known.trim_end_matches('+') == code);
    let (Some(known), Ok(currency)) = (known, code.parse::<Currency>()) else {
        return Err(ApiError::unprocessable(
            "INVALID_CURRENCY_CODE",
            "PayPal does not take this currency.",
        ));
    };
    let digits = value.trim_start_matches('-');
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return Err(ApiError::invalid("INVALID_PARAMETER_SYNTAX", &field("value")));
    }
    if known.ends_with('+') && value.contains('.') {
        return Err(ApiError::unprocessable(
            "DECIMALS_NOT_SUPPORTED",
            "The currency has no decimals.",
        ));
    }
    let whole = digits.split('.').next().unwrap_or_default();
    if whole.len() > 15 {
        return Err(ApiError::unprocessable("MAX_VALUE_EXCEEDED", "The amount is too large."));
    }
    let minor = decimal(digits, currency.decimals() as usize).ok_or_else(|| {
        ApiError::unprocessable("DECIMAL_PRECISION", "There are too many decimals.")
    })?;
    match minor > 0 && !value.starts_with('-') {
        true => Ok((minor, currency)),
        false => Err(ApiError::unprocessable(
            "CANNOT_BE_ZERO_OR_NEGATIVE",
            "The amount must be above zero.",
        )),
    }
}

pub fn amount_json(minor: i64, currency: Currency) -> Value {
    let money = Money::new(minor, currency);
    let is_whole = CURRENCIES.split(' ').any(|known| known == format!("{currency}+"));
    let value =
        if is_whole { (minor / currency.minor_per_unit()).to_string() } else { money.plain() };
    json!({ "currency_code": currency.code(), "value": value })
}

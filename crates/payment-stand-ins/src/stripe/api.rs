//! The API: who calls, idempotency keys, and the function of each call.

use axum::Json;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use serde_json::Value;

use super::error::ApiError;
use super::model::{Put, StoredAnswer};
use super::params::Params;
use super::{SECRET_KEY, Stripe, Tx, VERSION};

const MAX_KEY_LENGTH: usize = 255;
/// Stripe keeps the answer to a key for a day or more: the client must not rely on more.
const KEY_KEPT_MS: i64 = 24 * 3_600_000;

pub type Answered = Result<Value, ApiError>;

/// A call, by someone who has the key.
struct Call<'c> {
    method: Method,
    path: &'c str,
    params: Params,
}

pub fn router(stripe: &Stripe) -> Router {
    Router::new().route("/v1/{*path}", any(handle)).with_state(stripe.clone())
}

async fn handle(
    State(stripe): State<Stripe>,
    method: Method,
    Path(path): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let encoded = match method {
        Method::POST => body.to_vec(),
        _ => query.unwrap_or_default().into_bytes(),
    };
    let checked = check_caller(&headers).and_then(|()| check_content(&method, &headers));
    let key = checked.and_then(|()| idempotency_key(&method, &headers));
    let call = Call { method, path: &path, params: Params::parse(&encoded) };
    let done = match key {
        Ok(key) => stripe.transact(|tx| tx.answer(call, key)),
        Err(why) => Ok(Done::new(Err(why))),
    };
    let done = done.unwrap_or_else(|_| Done::new(Err(ApiError::broken())));
    done.into_response(&stripe.0.shared.random_id("req_", 14))
}

fn check_caller(headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let key = text(&AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    match key {
        None => return Err(ApiError::unauthorised("You did not provide an API key.")),
        Some(SECRET_KEY) => {}
        Some(other) => {
            // Stripe shows the beginning and the end of what was sent, too.
            let shown: String = other.chars().take(8).collect();
            return Err(ApiError::unauthorised(format!("Invalid API Key provided: {shown}****")));
        }
    }
    match text(&HeaderName::from_static("stripe-version")) {
        Some(VERSION) => Ok(()),
        _ => {
            Err(ApiError::invalid("", format!("This stand-in speaks the version {VERSION} only.")))
        }
    }
}

fn check_content(method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
    let content_type =
        headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_form = content_type.split(';').next() == Some("application/x-www-form-urlencoded");
    match *method != Method::POST || is_form {
        true => Ok(()),
        false => Err(ApiError::invalid(
            "",
            "Invalid request: expected application/x-www-form-urlencoded.",
        )),
    }
}

fn idempotency_key(method: &Method, headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let key = headers.get("idempotency-key").and_then(|value| value.to_str().ok());
    match key.filter(|_| *method == Method::POST) {
        Some(key) if key.is_empty() || key.len() > MAX_KEY_LENGTH => {
            Err(ApiError::invalid("", "Idempotency keys are 1 to 255 characters long."))
        }
        key => Ok(key.map(str::to_owned)),
    }
}

/// An answer, new or of before.
struct Done {
    status: StatusCode,
    body: Value,
    is_replayed: bool,
}

impl Done {
    fn new(answered: Answered) -> Self {
        match answered {
            Ok(body) => Self { status: StatusCode::OK, body, is_replayed: false },
            Err(why) => Self { status: why.status, body: why.body(), is_replayed: false },
        }
    }

    fn into_response(self, request_id: &str) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        let headers = response.headers_mut();
        headers.extend(
            HeaderValue::from_str(request_id).map(|id| (HeaderName::from_static("request-id"), id)),
        );
        if self.is_replayed {
            headers.insert("idempotent-replayed", HeaderValue::from_static("true"));
        }
        response
    }
}

impl Tx<'_> {
    fn answer(&mut self, call: Call<'_>, key: Option<String>) -> Done {
        let Some(key) = key else { return Done::new(self.perform(call)) };
        let fingerprint = format!("{} {}", call.path, call.params.fingerprint());
        let kept = self.state.answers.get(&key).filter(|kept| kept.at + KEY_KEPT_MS > self.now);
        match kept {
            Some(kept) if kept.call != fingerprint => {
                return Done::new(Err(ApiError::idempotency(&key)));
            }
            Some(kept) => {
                let status = StatusCode::from_u16(kept.status).unwrap_or_default();
                return Done { status, body: kept.body.clone(), is_replayed: true };
            }
            None => {}
        }
        let answered = self.perform(call);
        let is_outcome = answered.as_ref().map_or_else(|why| why.is_outcome, |_| true);
        let done = Done::new(answered);
        if is_outcome {
            let (status, body) = (done.status.as_u16(), done.body.clone());
            self.put(Put::Answer(StoredAnswer {
                key,
                call: fingerprint,
                status,
                body,
                at: self.now,
            }));
        }
        done
    }

    fn perform(&mut self, call: Call<'_>) -> Answered {
        let Call { method, path, params } = call;
        let parts: Vec<&str> = path.split('/').collect();
        match (method.as_str(), parts.as_slice()) {
            ("POST", ["checkout", "sessions"]) => self.create_session(params),
            ("GET", ["checkout", "sessions", id]) => self.get_session(id, params),
            ("POST", ["checkout", "sessions", id, "expire"]) => self.expire_session(id, params),
            ("GET", ["payment_intents", id]) => self.get_intent(id, params),
            ("POST", ["payment_intents", id, "capture"]) => self.capture_intent(id, params),
            ("POST", ["payment_intents", id, "cancel"]) => self.release_intent(id, params),
            ("GET", ["charges"]) => self.list_charges(params),
            ("GET", ["charges", id]) => self.get_charge(id, params),
            ("POST", ["refunds"]) => self.create_refund(params),
            ("GET", ["refunds"]) => self.list_refunds(params),
            ("GET", ["disputes"]) => self.list_disputes(params),
            ("GET", ["balance"]) => params.finish().map(|()| self.balance()),
            (method, _) => Err(ApiError::unrecognised(method, &format!("/v1/{path}"))),
        }
    }
}

//! Which failures the client repeats, against a server that answers what the test says.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use payment_providers::{Gateway, GatewayError};
use serde_json::json;

use super::gateway;

/// The answers to come, and the idempotency keys that came.
#[derive(Clone, Default)]
struct Script {
    answers: Arc<Mutex<VecDeque<Response>>>,
    keys: Arc<Mutex<Vec<String>>>,
}

async fn answer(State(script): State<Script>, headers: HeaderMap) -> Response {
    let key = headers.get("idempotency-key").map_or("", |key| key.to_str().unwrap());
    script.keys.lock().unwrap().push(key.to_owned());
    script
        .answers
        .lock()
        .unwrap()
        .pop_front()
        .unwrap_or_else(|| axum::Json(json!({ "data": [] })).into_response())
}

async fn serve(answers: Vec<Response>) -> (Gateway, Script) {
    let script = Script { answers: Arc::new(Mutex::new(answers.into())), ..Default::default() };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let app = Router::new().fallback(answer).with_state(script.clone());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (gateway(&url, "sk_test_1"), script)
}

fn error(status: u16, advice: Option<&'static str>, code: &str, message: &str) -> Response {
    let body =
        json!({ "error": { "type": "invalid_request_error", "code": code, "message": message } });
    let mut response = (StatusCode::from_u16(status).unwrap(), axum::Json(body)).into_response();
    if let Some(advice) = advice {
        response.headers_mut().insert("stripe-should-retry", advice.parse().unwrap());
    }
    response
}

/// What `check` answers, and how often it called.
async fn checked(answers: Vec<Response>) -> (Result<(), GatewayError>, usize) {
    let (gateway, script) = serve(answers).await;
    let found = gateway.check().await;
    let calls = script.keys.lock().unwrap().len();
    (found, calls)
}

fn times(count: usize, make: impl Fn() -> Response) -> Vec<Response> {
    (0..count).map(|_| make()).collect()
}

#[tokio::test]
async fn temporary_failures_are_repeated_twice() {
    for status in [409, 500, 503] {
        assert_eq!(
            checked(times(2, || error(status, None, "", ""))).await,
            (Ok(()), 3),
            "{status}"
        );
        let (found, calls) = checked(times(3, || error(status, None, "", ""))).await;
        assert!(matches!(found, Err(GatewayError::Unavailable(_))), "{status}");
        assert_eq!(calls, 3);
    }
    let html = || (StatusCode::BAD_GATEWAY, "<h1>Bad gateway</h1>").into_response();
    assert_eq!(checked(times(1, html)).await, (Ok(()), 2));
}

#[tokio::test]
async fn stripes_own_advice_counts_more() {
    let (found, calls) = checked(times(1, || error(500, Some("false"), "", ""))).await;
    assert!(matches!(found, Err(GatewayError::Unavailable(_))));
    assert_eq!(calls, 1);
    assert_eq!(
        checked(times(1, || error(429, Some("true"), "lock_timeout", ""))).await,
        (Ok(()), 2)
    );
}

#[tokio::test]
async fn refusals_are_not_repeated() {
    let (found, calls) =
        checked(times(1, || error(429, None, "rate_limit", "Too many requests"))).await;
    assert!(matches!(found, Err(GatewayError::Unavailable(_))));
    assert_eq!(calls, 1);
    let (found, calls) =
        checked(times(1, || error(400, None, "amount_too_small", "Too small"))).await;
    assert_eq!((found, calls), (Err(GatewayError::refused("amount_too_small", "Too small")), 1));
    let (found, _) =
        checked(times(1, || error(403, None, "", "The key sk_test_1 is restricted"))).await;
    assert_eq!(found, Err(GatewayError::refused("invalid_request_error", "refused by Stripe")));
}

#[tokio::test]
async fn an_unreachable_server_is_an_outage() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let found = gateway(&url, "sk_test_1").check().await;
    assert!(matches!(found, Err(GatewayError::Unavailable(_))), "{found:?}");
}

//! What the calls of all providers share: sending, and reading JSON answers without leaking secrets into errors.

use axum::http::{HeaderMap, StatusCode};
use platform::http_client::{HttpClient, HttpClientError, HttpResponse};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{GatewayError, GatewayResult};

/// An answer of a provider's API.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub json: Value,
}

impl Answer {
    /// JSON of any status; an answer that is not JSON is an outage.
    pub fn read(sent: Result<HttpResponse, HttpClientError>) -> GatewayResult<Self> {
        let HttpResponse { status, headers, body } =
            sent.map_err(|why| GatewayError::Unavailable(why.to_string()))?;
        match serde_json::from_slice(&body) {
            Ok(json) => Ok(Self { status, headers, json }),
            Err(_) => Err(GatewayError::Unavailable(format!("answered {status} without JSON"))),
        }
    }

    pub fn text(&self, pointer: &str) -> &str {
        self.json.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    pub fn parse<T: DeserializeOwned>(self) -> GatewayResult<T> {
        serde_json::from_value(self.json)
            .map_err(|why| GatewayError::Unavailable(format!("an unexpected answer: {why}")))
    }
}

/// The client for providers: they may take long.
pub fn client() -> HttpClient {
    HttpClient::new().with_timeout(std::time::Duration::from_secs(30))
}

//! Calls of Stripe's API: form-encoded requests, JSON answers, and what is repeated after a failure.

use std::time::Duration;

use axum::http::{HeaderMap, Method, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use platform::http_client::{HttpClient, HttpClientError, HttpResponse};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, sleep};

use crate::api::{Answer, client};
use crate::{GatewayError, GatewayResult, SecretText};

const VERSION: &str = "2026-07-29.dahlia";
/// Before the second and the third attempt. A shopper or a job waits meanwhile.
const PAUSES: [Duration; 2] = [Duration::from_millis(300), Duration::from_millis(900)];
/// A call that has taken this long is not repeated: the caller does it later, with the same key.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most that the API lists at once.
const PAGE_SIZE: &str = "100";
const MAX_PAGES: usize = 1_000;
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A name with the brackets of Stripe, such as `metadata[order]` or `expand[]`, and a value.
pub type Field = (&'static str, String);

pub struct Api {
    client: HttpClient,
    base_url: String,
    key: SecretText,
}

/// A page of a list, the newest first.
#[derive(Deserialize)]
struct List<T> {
    data: Vec<T>,
    has_more: bool,
}

/// What the next page of a list begins after.
pub trait Listed {
    fn id(&self) -> &str;
}

impl Api {
    pub fn new(base_url: String, key: SecretText) -> Self {
        Self { client: client(), base_url, key }
    }

    pub async fn get<T: DeserializeOwned>(&self, path: &str, query: &[Field]) -> GatewayResult<T> {
        let url = match query.is_empty() {
            true => format!("{}/v1/{path}", self.base_url),
            false => format!("{}/v1/{path}?{}", self.base_url, encode(query)),
        };
        self.call(Method::GET, &url, None).await
    }

    /// Repeated with the same key and fields, it is done once: within a day, after which Stripe forgets keys.
    pub async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        fields: &[Field],
        key: &str,
    ) -> GatewayResult<T> {
        let url = format!("{}/v1/{path}", self.base_url);
        self.call(Method::POST, &url, Some((fields, key))).await
    }

    /// All of a list, the oldest first.
    pub async fn list<T: DeserializeOwned + Listed>(
        &self,
        path: &str,
        query: &[Field],
    ) -> GatewayResult<Vec<T>> {
        let mut all: Vec<T> = Vec::new();
        for _ in 0..MAX_PAGES {
            let mut query = query.to_vec();
            query.push(("limit", PAGE_SIZE.to_owned()));
            query.extend(all.last().map(|last| ("starting_after", last.id().to_owned())));
            let page: List<T> = self.get(path, &query).await?;
            let is_last = !page.has_more || page.data.is_empty();
            all.extend(page.data);
            if is_last {
                all.reverse();
                return Ok(all);
            }
        }
        Err(GatewayError::Unavailable(format!("Stripe lists {path} without an end")))
    }

    async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        url: &str,
        post: Option<(&[Field], &str)>,
    ) -> GatewayResult<T> {
        let started = Instant::now();
        let mut pauses = PAUSES.into_iter();
        loop {
            let sent = self.send(method.clone(), url, post).await;
            let pause =
                pauses.next().filter(|_| is_temporary(&sent) && started.elapsed() < PATIENCE);
            match pause {
                Some(pause) => sleep(pause).await,
                None => return self.read(sent)?.parse(),
            }
        }
    }

    async fn send(
        &self,
        method: Method,
        url: &str,
        post: Option<(&[Field], &str)>,
    ) -> Result<HttpResponse, HttpClientError> {
        let exchange = self.client.exchange(method, url, |request| {
            let request = request.bearer_auth(self.key.expose()).header("stripe-version", VERSION);
            match post {
                Some((fields, key)) => request.header("idempotency-key", key).form(fields),
                None => request,
            }
        });
        exchange.await
    }

    fn read(&self, sent: Result<HttpResponse, HttpClientError>) -> GatewayResult<Answer> {
        let status = sent.as_ref().map(|response| response.status);
        if status.is_ok_and(is_outage) {
            let status = status.unwrap_or_default();
            return Err(GatewayError::Unavailable(format!("Stripe answered {status}")));
        }
        let answer = Answer::read(sent)?;
        if answer.status.is_success() { Ok(answer) } else { Err(self.refusal(&answer)) }
    }

    fn refusal(&self, answer: &Answer) -> GatewayError {
        if answer.status == StatusCode::UNAUTHORIZED {
            // Stripe's own message repeats a part of the key.
            return GatewayError::refused(
                "invalid_api_key",
                "Stripe does not accept stripe_secret_key",
            );
        }
        let [decline, code, kind] =
            ["decline_code", "code", "type"].map(|name| answer.text(&format!("/error/{name}")));
        let code =
            [decline, code, kind].into_iter().find(|code| !code.is_empty()).unwrap_or("refused");
        // Stripe's support asks for it.
        let request = answer.headers.get("request-id").and_then(|id| id.to_str().ok());
        tracing::debug!(request, code, status = answer.status.as_u16(), "Stripe refused a call");
        let message = answer.text("/error/message");
        let is_secret = ["sk_", "rk_", self.key.expose()].iter().any(|key| message.contains(key));
        // A message about an e-mail address repeats what the shopper typed.
        let is_personal = answer.text("/error/param") == "customer_email";
        let message = if is_secret || is_personal || message.is_empty() {
            "refused by Stripe"
        } else {
            message
        };
        GatewayError::refused(code, message)
    }
}

/// Whether the same call may succeed in a moment. Stripe's own word counts more than the status: an outcome that it has
/// stored for the key would only be repeated.
fn is_temporary(sent: &Result<HttpResponse, HttpClientError>) -> bool {
    match sent {
        Err(_) => true,
        Ok(response) => match should_retry(&response.headers) {
            Some(advice) => advice,
            None => response.status == StatusCode::CONFLICT || response.status.is_server_error(),
        },
    }
}

fn should_retry(headers: &HeaderMap) -> Option<bool> {
    headers.get("stripe-should-retry")?.to_str().ok()?.parse().ok()
}

/// Whether the status says nothing about the call itself. 409 is a call with the same key that is still being done.
fn is_outage(status: StatusCode) -> bool {
    matches!(status, StatusCode::CONFLICT | StatusCode::TOO_MANY_REQUESTS)
        || status.is_server_error()
}

fn encode(fields: &[Field]) -> String {
    let pairs = fields.iter().map(|(name, value)| format!("{}={}", escape(name), escape(value)));
    pairs.collect::<Vec<_>>().join("&")
}

/// For a part of a path or of a query.
pub fn escape(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

//! The calls of PayPal's API: the access token, retries with the same request id, and errors.

use std::time::Duration;

use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use platform::http_client::HttpClient;
use platform::{Clock, Timestamp};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

use crate::api::{Answer, client};
use crate::{GatewayError, GatewayResult, SecretText};

const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(250);
/// Nothing is repeated after this time: somebody may be waiting, and the caller repeats later.
const PATIENCE: Duration = Duration::from_secs(10);
/// A token is renewed before it expires under way.
const TOKEN_MARGIN: Duration = Duration::from_secs(30);
const MAX_MESSAGE: usize = 300;

pub struct Api {
    client: HttpClient,
    clock: Clock,
    base: String,
    credentials: Credentials,
    /// Locked while one is requested, so that only one request is under way.
    token: Mutex<TokenCache>,
}

pub struct Credentials {
    pub id: String,
    pub secret: SecretText,
}

#[derive(Default)]
struct TokenCache {
    token: Option<Token>,
    failed: Option<(Instant, GatewayError)>,
}

#[derive(Clone)]
struct Token {
    access: SecretText,
    expires_at: Timestamp,
    /// What the app may do, separated by spaces.
    scope: String,
}

/// A request, which is repeated as it is.
pub struct Call<'c> {
    method: Method,
    /// With the query.
    path: &'c str,
    key: Option<&'c str>,
    body: Option<Vec<u8>>,
    full: bool,
}

impl<'c> Call<'c> {
    pub fn new(method: Method, path: &'c str) -> Self {
        Self { method, path, key: None, body: None, full: false }
    }

    pub fn get(path: &'c str) -> Self {
        Self::new(Method::GET, path)
    }

    /// PayPal performs calls with the same key once.
    pub fn with_key(self, key: &'c str) -> Self {
        Self { key: Some(key), ..self }
    }

    pub fn with_json(self, body: &Value) -> Self {
        self.with_bytes(body.to_string().into_bytes())
    }

    /// JSON as it is to be sent.
    pub fn with_bytes(self, body: Vec<u8>) -> Self {
        Self { body: Some(body), ..self }
    }

    /// Asks for the whole object instead of its id and status.
    pub fn in_full(self) -> Self {
        Self { full: true, ..self }
    }
}

impl Api {
    pub fn new(base: String, credentials: Credentials, clock: Clock) -> Self {
        Self { client: client(), clock, base, credentials, token: Mutex::default() }
    }

    /// The scheme and host of the API's address.
    pub fn origin(&self) -> &str {
        let host = self.base.find("://").map_or(0, |scheme| scheme + 3);
        let end = self.base[host..].find('/').map_or(self.base.len(), |path| host + path);
        &self.base[..end]
    }

    /// The JSON of a successful answer.
    pub async fn json(&self, call: &Call<'_>) -> GatewayResult<Value> {
        let answer = self.send(call).await?;
        if answer.status.is_success() { Ok(answer.json) } else { Err(refusal(&answer)) }
    }

    /// An answer of success or refusal. Outages are repeated with the same key.
    pub async fn send(&self, call: &Call<'_>) -> GatewayResult<Answer> {
        let started = Instant::now();
        let mut attempt = 1;
        loop {
            let outage = match self.send_once(call).await {
                Ok(answer) if is_temporary(answer.status) => {
                    GatewayError::Unavailable(format!("PayPal answered {}", answer.status))
                }
                Err(outage @ GatewayError::Unavailable(_)) => outage,
                answer => return answer,
            };
            if attempt == ATTEMPTS || started.elapsed() > PATIENCE {
                return Err(outage);
            }
            sleep(PAUSE * attempt).await;
            attempt += 1;
        }
    }

    /// Whether the app may do something, by a part of the scope's name.
    pub async fn may(&self, scope: &str) -> GatewayResult<bool> {
        let token = self.token().await?;
        Ok(token.scope.split(' ').any(|granted| granted.contains(scope)))
    }

    /// Requests a new token, whether or not there is one.
    pub async fn renew_token(&self) -> GatewayResult<()> {
        let token = self.request_token().await?;
        self.token.lock().await.token = Some(token);
        Ok(())
    }

    async fn send_once(&self, call: &Call<'_>) -> GatewayResult<Answer> {
        let token = self.token().await?;
        let answer = self.exchange(call, &token).await?;
        if answer.status != StatusCode::UNAUTHORIZED {
            return Ok(answer);
        }
        self.drop_token(&token).await;
        let token = self.token().await?;
        self.exchange(call, &token).await
    }

    async fn exchange(&self, call: &Call<'_>, token: &Token) -> GatewayResult<Answer> {
        let url = format!("{}{}", self.base, call.path);
        let sent = self.client.exchange(call.method.clone(), &url, |request| {
            let request =
                request.bearer_auth(token.access.expose()).header(ACCEPT, "application/json");
            let request = call
                .key
                .into_iter()
                .fold(request, |request, key| request.header("paypal-request-id", key));
            let prefer = if call.full { "return=representation" } else { "return=minimal" };
            match &call.body {
                Some(body) => request
                    .header("prefer", prefer)
                    .header(CONTENT_TYPE, "application/json")
                    .body(body.clone()),
                None => request,
            }
        });
        Answer::read(sent.await)
    }

    async fn token(&self) -> GatewayResult<Token> {
        let asked = Instant::now();
        let mut cache = self.token.lock().await;
        let now = self.clock.now();
        if let Some(token) =
            cache.token.as_ref().filter(|token| now.plus(TOKEN_MARGIN) < token.expires_at)
        {
            return Ok(token.clone());
        }
        // It failed for another call while this one waited.
        if let Some((_, why)) = cache.failed.as_ref().filter(|(at, _)| *at >= asked) {
            return Err(why.clone());
        }
        let requested = self.request_token().await;
        cache.failed = requested.as_ref().err().map(|why| (Instant::now(), why.clone()));
        cache.token = requested.as_ref().ok().cloned();
        requested
    }

    async fn drop_token(&self, refused: &Token) {
        let mut cache = self.token.lock().await;
        // Another call may have renewed it meanwhile.
        if cache.token.as_ref().is_some_and(|token| token.access == refused.access) {
            cache.token = None;
        }
    }

    async fn request_token(&self) -> GatewayResult<Token> {
        #[derive(Deserialize)]
        struct Granted {
            access_token: String,
            expires_in: u64,
            #[serde(default)]
            scope: String,
        }
        let url = format!("{}/v1/oauth2/token", self.base);
        let Credentials { id, secret } = &self.credentials;
        let sent = self.client.exchange(Method::POST, &url, |request| {
            let request = request.basic_auth(id, Some(secret.expose()));
            request.header(ACCEPT, "application/json").form(&[("grant_type", "client_credentials")])
        });
        let answer = Answer::read(sent.await)?;
        if is_temporary(answer.status) {
            return Err(GatewayError::Unavailable(format!("PayPal answered {}", answer.status)));
        }
        if !answer.status.is_success() {
            return Err(refusal(&answer));
        }
        // Not `Answer::parse`, whose error could quote the token.
        let Ok(granted) = serde_json::from_value::<Granted>(answer.json) else {
            return Err(GatewayError::Unavailable("PayPal's token is not understood".to_owned()));
        };
        Ok(Token {
            access: SecretText::new(&granted.access_token),
            expires_at: self.clock.now().plus(Duration::from_secs(granted.expires_in)),
            scope: granted.scope,
        })
    }
}

/// PayPal's code of a refusal: the issue, or else the name of the error.
pub fn issue(answer: &Answer) -> &str {
    let codes = ["/details/0/issue", "/name", "/error"].map(|pointer| answer.text(pointer));
    codes.into_iter().find(|code| !code.is_empty()).unwrap_or("unknown")
}

pub fn refusal(answer: &Answer) -> GatewayError {
    let texts = ["/details/0/description", "/message", "/error_description"];
    let texts = texts.map(|pointer| answer.text(pointer));
    let text = texts.into_iter().find(|text| !text.is_empty());
    let text = text.map_or_else(|| format!("PayPal answered {}", answer.status), str::to_owned);
    GatewayError::refused(issue(answer), super::shortened(&text, MAX_MESSAGE))
}

/// 409: a call with the same key is under way.
fn is_temporary(status: StatusCode) -> bool {
    let temporary =
        [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT, StatusCode::CONFLICT];
    status.is_server_error() || temporary.contains(&status)
}

/// An API of these routes on loopback.
#[cfg(test)]
pub async fn serve(routes: axum::Router) -> Api {
    use axum::routing::post;
    const SCOPE: &str = "openid https://uri.paypal.com/services/disputes/read-seller";
    let token = async || {
        let json = serde_json::json!({ "access_token": "t", "expires_in": 32400, "scope": SCOPE });
        json.to_string()
    };
    let app = routes.route("/v1/oauth2/token", post(token));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    let credentials = Credentials { id: "id".into(), secret: SecretText::new("secret") };
    Api::new(base, credentials, Clock::system())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use axum::Router;
    use axum::http::HeaderMap;
    use axum::routing::{get, post};

    fn app(answers: &'static [(u16, &'static str)]) -> (Router, Arc<AtomicUsize>) {
        let calls = Arc::new(AtomicUsize::new(0));
        let count = calls.clone();
        let answer = async move || {
            let call = count.fetch_add(1, Ordering::SeqCst);
            let (status, body) = answers[call.min(answers.len() - 1)];
            (StatusCode::from_u16(status).unwrap(), body)
        };
        (Router::new().route("/a", get(answer)), calls)
    }

    #[tokio::test]
    async fn outages_are_repeated_and_refusals_are_not() {
        for (answers, expected, calls) in [
            (&[(500, "{}"), (503, "<html>"), (200, "{\"a\":1}")][..], Ok("1"), 3),
            (&[(500, "{}")], Err(true), 3),
            (&[(429, "{}"), (200, "{\"a\":1}")], Ok("1"), 2),
            (
                &[(422, r#"{"name":"N","details":[{"issue":"I","description":"D"}]}"#)],
                Err(false),
                1,
            ),
            (&[(400, r#"{"name":"N","message":"M"}"#)], Err(false), 1),
            // With a new token, once.
            (&[(401, "{}"), (200, "{\"a\":1}")], Ok("1"), 2),
            (&[(401, r#"{"name":"AUTHENTICATION_FAILURE"}"#)], Err(false), 2),
        ] {
            let (routes, count) = app(answers);
            let answer = serve(routes).await.json(&Call::get("/a")).await;
            let found = match &answer {
                Ok(json) => Ok(json["a"].to_string()),
                Err(why) => Err(matches!(why, GatewayError::Unavailable(_))),
            };
            assert_eq!(found, expected.map(str::to_owned), "{answers:?}: {answer:?}");
            assert_eq!(count.load(Ordering::SeqCst), calls, "{answers:?}");
        }
    }

    #[tokio::test]
    async fn one_token_is_requested_for_many_calls() {
        let tokens = Arc::new(AtomicUsize::new(0));
        let count = tokens.clone();
        let grant = async move |headers: HeaderMap| {
            count.fetch_add(1, Ordering::SeqCst);
            assert_eq!(headers["authorization"], "Basic aWQ6c2VjcmV0");
            r#"{"access_token":"t","expires_in":3600}"#
        };
        let routes =
            Router::new().route("/a", get(async || "{}")).route("/v1/oauth2/token", post(grant));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        let clock = Clock::fixed_at(Timestamp(0));
        let credentials = Credentials { id: "id".into(), secret: SecretText::new("secret") };
        let api = Api::new(base, credentials, clock.clone());
        let call = Call::get("/a");
        let (a, b, c) = tokio::join!(api.json(&call), api.json(&call), api.json(&call));
        assert!(a.is_ok() && b.is_ok() && c.is_ok());
        assert_eq!(tokens.load(Ordering::SeqCst), 1);
        clock.advance(Duration::from_secs(3600));
        assert!(api.json(&call).await.is_ok());
        assert_eq!(tokens.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn calls_that_wait_for_a_token_share_its_failure() {
        let tokens = Arc::new(AtomicUsize::new(0));
        let count = tokens.clone();
        let grant = async move || {
            count.fetch_add(1, Ordering::SeqCst);
            (StatusCode::UNAUTHORIZED, r#"{"error":"invalid_client","error_description":"wrong"}"#)
        };
        let routes = Router::new().route("/v1/oauth2/token", post(grant));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        let credentials = Credentials { id: "id".into(), secret: SecretText::new("secret") };
        let api = Api::new(base, credentials, Clock::system());
        let call = Call::get("/a");
        let (a, b) = tokio::join!(api.json(&call), api.json(&call));
        let refused = Err(GatewayError::refused("invalid_client", "wrong"));
        assert_eq!((a, b), (refused.clone(), refused));
        assert_eq!(tokens.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn refusals_name_the_issue_and_nothing_that_was_sent() {
        let refusal = |json: Value| {
            let answer =
                Answer { status: StatusCode::BAD_REQUEST, headers: HeaderMap::new(), json };
            refusal(&answer).to_string()
        };
        let json = serde_json::json!({
            "name": "N", "message": "M",
            "details": [{ "issue": "I", "description": "D", "field": "/a", "value": "secret" }],
        });
        assert_eq!(refusal(json), "I: D");
        assert_eq!(refusal(serde_json::json!({ "error": "E", "error_description": "D" })), "E: D");
        assert_eq!(refusal(Value::Null), "unknown: PayPal answered 400 Bad Request");
    }
}

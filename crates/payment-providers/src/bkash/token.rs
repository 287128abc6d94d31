//! The access token, shared by all servers through the database and encrypted there. Who is granted more than two
//! tokens in an hour is blocked by bKash for an hour, so that the row of the database decides who may ask for one.

use std::time::Duration;

use axum::http::Method;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use platform::http_client::HttpClient;
use platform::secret::Secret;
use platform::{Clock, Db, Timestamp};
use serde_json::json;

use super::call::interpret;
use super::{Credentials, NAME, PATH};
use crate::api::Answer;
use crate::attempts::unavailable;
use crate::{GatewayError, GatewayResult};

/// Of two tokens granted. A minute longer than the hour, because clocks differ.
const WINDOW: Duration = Duration::from_secs(61 * 60);
/// So long before it expires, a token is replaced.
const RENEW_BEFORE: Duration = Duration::from_secs(5 * 60);
const MAX_LIFETIME: Duration = Duration::from_secs(3600);
const GRANT_TIMEOUT: Duration = Duration::from_secs(10);
/// How often, and how many times, the row is read while another server asks for a token.
const POLL: Duration = Duration::from_millis(100);
const POLLS: u32 = 120;

pub(super) struct Tokens {
    credentials: Credentials,
    url: String,
    client: HttpClient,
    db: Db,
    clock: Clock,
    secret: Secret,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
struct Row {
    sealed: String,
    expires_at: Timestamp,
    granted_at: Timestamp,
    previous_granted_at: Timestamp,
    granting: bool,
}

/// What a caller is to do who has read the row.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Use(String),
    /// Ask for a new one; meanwhile, the present one may still do.
    Grant(Option<String>),
    /// Another server asks for one.
    Wait,
    /// Not before this time.
    TooMany(Timestamp),
}

impl Row {
    /// `token` is what the row holds, if it can be decrypted and was not rejected by bKash.
    fn next_step(&self, token: Option<String>, now: Timestamp) -> Step {
        let usable = token.filter(|_| now < self.expires_at);
        let is_fresh = now.plus(RENEW_BEFORE) < self.expires_at;
        let may_grant = self.previous_granted_at.plus(WINDOW) <= now;
        let is_asked = self.granting && now < self.granted_at.plus(GRANT_TIMEOUT * 2);
        match usable {
            Some(token) if is_fresh || is_asked || !may_grant => Step::Use(token),
            usable if may_grant && !is_asked => Step::Grant(usable),
            _ if is_asked => Step::Wait,
            _ => Step::TooMany(self.previous_granted_at.plus(WINDOW)),
        }
    }
}

impl Tokens {
    pub fn new(
        credentials: Credentials,
        base_url: &str,
        db: &Db,
        clock: &Clock,
        secret: &Secret,
    ) -> Self {
        let url = format!("{base_url}{PATH}/token/grant");
        let client = HttpClient::new().with_timeout(GRANT_TIMEOUT);
        let (db, clock, secret) = (db.clone(), clock.clone(), secret.clone());
        Self { credentials, url, client, db, clock, secret }
    }

    pub async fn token(&self) -> GatewayResult<String> {
        self.token_besides(None).await
    }

    /// A token besides one that bKash has refused.
    pub async fn replace(&self, refused: &str) -> GatewayResult<String> {
        self.token_besides(Some(refused)).await
    }

    async fn token_besides(&self, refused: Option<&str>) -> GatewayResult<String> {
        for _ in 0..POLLS {
            let (row, now) = (self.load().await?, self.clock.now());
            let token = self.unseal(&row.sealed).filter(|token| Some(token.as_str()) != refused);
            match row.next_step(token, now) {
                Step::Use(token) => return Ok(token),
                Step::Grant(present) => {
                    if self.claim(&row, now).await? {
                        return self.grant(now).await.or_else(|why| present.ok_or(why));
                    }
                }
                Step::Wait => tokio::time::sleep(POLL).await,
                Step::TooMany(until) => {
                    let why = format!(
                        "two tokens were asked for in the last hour, and bKash allows no more; the next at {until}"
                    );
                    return Err(GatewayError::Unavailable(why));
                }
            }
        }
        let why = "another server asks for a token, and takes long";
        Err(GatewayError::Unavailable(why.to_owned()))
    }

    async fn load(&self) -> GatewayResult<Row> {
        let sql = "select sealed, expires_at, granted_at, previous_granted_at, granting
                   from provider_tokens where provider = $1";
        let found = self.db.query(sql).bind(NAME).optional::<Row>().await.map_err(unavailable)?;
        if let Some(row) = found {
            return Ok(row);
        }
        let sql = "insert into provider_tokens
                     (provider, sealed, expires_at, granted_at, previous_granted_at, granting)
                   values ($1, '', 0, 0, 0, $2) on conflict (provider) do nothing";
        self.db.query(sql).bind(NAME).bind(false).execute().await.map_err(unavailable)?;
        Ok(Row::default())
    }

    /// Whether this server is the one that asks. An attempt counts, whatever comes of it.
    async fn claim(&self, row: &Row, now: Timestamp) -> GatewayResult<bool> {
        let sql = "update provider_tokens
                   set previous_granted_at = granted_at, granted_at = $2, granting = $3
                   where provider = $1 and granted_at = $4 and previous_granted_at = $5";
        let query = self.db.query(sql).bind(NAME).bind(now).bind(true);
        let query = query.bind(row.granted_at).bind(row.previous_granted_at);
        Ok(query.execute().await.map_err(unavailable)? == 1)
    }

    async fn grant(&self, now: Timestamp) -> GatewayResult<String> {
        let granted = self.ask().await;
        let sealed = granted.as_ref().ok().and_then(|(token, _)| self.seal(token));
        let done = match (&granted, sealed) {
            (Ok((_, lifetime)), Some(sealed)) => {
                let sql = "update provider_tokens set sealed = $3, expires_at = $4, granting = $5
                           where provider = $1 and granted_at = $2";
                let query = self.db.query(sql).bind(NAME).bind(now).bind(sealed);
                query.bind(now.plus(*lifetime)).bind(false).execute().await
            }
            _ => {
                let sql = "update provider_tokens set granting = $3 where provider = $1 and granted_at = $2";
                self.db.query(sql).bind(NAME).bind(now).bind(false).execute().await
            }
        };
        let (token, _) = granted?;
        done.map_err(unavailable)?;
        Ok(token)
    }

    async fn ask(&self) -> GatewayResult<(String, Duration)> {
        let Credentials { username, password, app_key, app_secret } = &self.credentials;
        let body = json!({ "app_key": app_key.expose(), "app_secret": app_secret.expose() });
        let sent = self.client.exchange(Method::POST, &self.url, |request| {
            let request = request.header("accept", "application/json");
            let request = request.header("username", username);
            request.header("password", password.expose()).json(&body)
        });
        let answer = interpret(Answer::read(sent.await)?)?;
        let token = answer.text("/id_token");
        if token.is_empty() {
            return Err(GatewayError::Unavailable("no token was granted".to_owned()));
        }
        let seconds = &answer.json["expires_in"];
        let seconds = seconds.as_u64().or_else(|| seconds.as_str()?.parse().ok());
        let lifetime = seconds.map_or(MAX_LIFETIME, Duration::from_secs).min(MAX_LIFETIME);
        Ok((token.to_owned(), lifetime))
    }

    /// Another app's token, or that of another address, cannot be decrypted.
    fn purpose(&self) -> String {
        format!("bkash token of {} at {}", self.credentials.app_key.expose(), self.url)
    }

    fn seal(&self, token: &str) -> Option<String> {
        let sealed = self.secret.seal(&self.purpose(), token.as_bytes())?;
        Some(BASE64.encode(sealed))
    }

    fn unseal(&self, sealed: &str) -> Option<String> {
        let sealed = BASE64.decode(sealed).ok()?;
        String::from_utf8(self.secret.unseal(&self.purpose(), &sealed)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::http::StatusCode;
    use axum::routing::post;
    use axum::{Json, Router};
    use test_support::TestDb;

    use super::*;
    use crate::SecretText;

    test_support::on_both!(TestDb:
        servers_share_one_token_that_is_encrypted,
        a_token_is_replaced_before_it_expires,
        never_more_than_two_grants_an_hour,
        a_refused_token_is_replaced_once,
        a_grant_that_fails_counts_and_leaves_the_present_token,
    );

    /// What grants tokens `token-1`, `token-2`…, or fails.
    struct Granter {
        url: String,
        grants: Arc<AtomicUsize>,
        status: Arc<std::sync::Mutex<StatusCode>>,
    }

    impl Granter {
        async fn start() -> Self {
            let grants = Arc::new(AtomicUsize::new(0));
            let status = Arc::new(std::sync::Mutex::new(StatusCode::OK));
            let (counted, answered) = (grants.clone(), status.clone());
            let grant = post(move |Json(body): Json<serde_json::Value>| async move {
                assert_eq!(body, json!({ "app_key": "key", "app_secret": "app secret" }));
                let number = counted.fetch_add(1, Ordering::SeqCst) + 1;
                let token = json!({ "id_token": format!("token-{number}"), "expires_in": 3600 });
                (*answered.lock().unwrap(), Json(token))
            });
            let router = Router::new().route(&format!("{PATH}/token/grant"), grant);
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            tokio::spawn(async move { axum::serve(listener, router).await });
            Self { url, grants, status }
        }

        fn grants(&self) -> usize {
            self.grants.load(Ordering::SeqCst)
        }

        /// A server with its own connection.
        async fn server(&self, given: &TestDb) -> Tokens {
            let credentials = Credentials {
                username: "user".into(),
                password: SecretText::new("password"),
                app_key: SecretText::new("key"),
                app_secret: SecretText::new("app secret"),
            };
            let db = Db::open(&given.url).await.unwrap();
            let secret = Secret::new(&"s".repeat(32)).unwrap();
            Tokens::new(credentials, &self.url, &db, &given.clock, &secret)
        }
    }

    const MINUTE: Duration = Duration::from_secs(60);

    async fn servers_share_one_token_that_is_encrypted(given: TestDb) {
        let granter = Granter::start().await;
        let mut servers = Vec::new();
        for _ in 0..6 {
            servers.push(Arc::new(granter.server(&given).await));
        }
        let asked: Vec<_> = servers
            .iter()
            .cycle()
            .take(24)
            .cloned()
            .map(|server| tokio::spawn(async move { server.token().await.unwrap() }))
            .collect();
        for token in asked {
            assert_eq!(token.await.unwrap(), "token-1");
        }
        assert_eq!(granter.grants(), 1);
        let (sealed,): (String,) =
            given.db.query("select sealed from provider_tokens").one().await.unwrap();
        assert!(!sealed.is_empty() && !sealed.contains("token"));
        assert!(!BASE64.decode(&sealed).unwrap().windows(5).any(|part| part == b"token"));
    }

    async fn a_token_is_replaced_before_it_expires(given: TestDb) {
        let granter = Granter::start().await;
        let server = granter.server(&given).await;
        for hour in 1..=3 {
            assert_eq!(server.token().await.unwrap(), format!("token-{hour}"));
            given.clock.advance(54 * MINUTE);
            assert_eq!(server.token().await.unwrap(), format!("token-{hour}"));
            given.clock.advance(2 * MINUTE);
        }
    }

    async fn never_more_than_two_grants_an_hour(given: TestDb) {
        let granter = Granter::start().await;
        let (one, other) = (granter.server(&given).await, granter.server(&given).await);
        let first = one.token().await.unwrap();
        let (by_one, by_other) = tokio::join!(one.replace(&first), other.replace(&first));
        assert_eq!((by_one.unwrap(), by_other.unwrap()), ("token-2".into(), "token-2".into()));
        for _ in 0..3 {
            let (by_one, by_other) = tokio::join!(one.replace("token-2"), other.replace("token-2"));
            assert!(matches!(by_one, Err(GatewayError::Unavailable(_))));
            assert!(matches!(by_other, Err(GatewayError::Unavailable(_))));
            given.clock.advance(20 * MINUTE);
        }
        assert_eq!(granter.grants(), 2);
        given.clock.advance(MINUTE);
        assert_eq!(one.replace("token-2").await.unwrap(), "token-3");

        // Over a day, in any window of an hour, whatever is asked.
        let mut times = Vec::new();
        for _ in 0..24 * 6 {
            let before = granter.grants();
            let token = one.token().await.unwrap_or_default();
            let _ = other.replace(&token).await;
            times.extend((before..granter.grants()).map(|_| given.clock.now()));
            given.clock.advance(10 * MINUTE);
        }
        let hour = |three: &[Timestamp]| three[2].since(three[0]) < 60 * MINUTE;
        assert!(!times.windows(3).any(hour), "{times:?}");
        assert!(times.len() > 20, "{times:?}");
    }

    async fn a_refused_token_is_replaced_once(given: TestDb) {
        let granter = Granter::start().await;
        let (one, other) = (granter.server(&given).await, granter.server(&given).await);
        assert_eq!(one.token().await.unwrap(), "token-1");
        assert_eq!(one.replace("token-1").await.unwrap(), "token-2");
        // Another server whose call was refused with the old one.
        assert_eq!(other.replace("token-1").await.unwrap(), "token-2");
        assert_eq!(granter.grants(), 2);
    }

    async fn a_grant_that_fails_counts_and_leaves_the_present_token(given: TestDb) {
        let granter = Granter::start().await;
        let server = granter.server(&given).await;
        assert_eq!(server.token().await.unwrap(), "token-1");
        given.clock.advance(57 * MINUTE);
        *granter.status.lock().unwrap() = StatusCode::BAD_GATEWAY;
        assert_eq!(server.token().await.unwrap(), "token-1");
        assert_eq!(granter.grants(), 2);
        // Expired, and no more may be asked for.
        given.clock.advance(3 * MINUTE);
        assert!(matches!(server.token().await, Err(GatewayError::Unavailable(_))));
        assert_eq!(granter.grants(), 2);
        given.clock.advance(MINUTE);
        *granter.status.lock().unwrap() = StatusCode::OK;
        assert_eq!(server.token().await.unwrap(), "token-3");
    }

    #[test]
    fn a_server_that_died_while_asking_is_not_waited_for_long() {
        let now = Timestamp(10_000_000_000);
        let row = Row { granted_at: now, granting: true, ..Default::default() };
        assert_eq!(row.next_step(None, now), Step::Wait);
        let later = now.plus(GRANT_TIMEOUT * 2);
        assert_eq!(row.next_step(None, later), Step::Grant(None));
        let twice = Row { previous_granted_at: now, ..row };
        assert_eq!(twice.next_step(None, later), Step::TooMany(now.plus(WINDOW)));
    }
}

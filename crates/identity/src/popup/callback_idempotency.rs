//! Idempotency of the OAuth callback. Browsers may request `/auth/callback` twice (a preload, a reload),
//! but a provider's code can be exchanged only once: the second request gets the result of the first.

use std::sync::Arc;
use std::time::Duration;

use platform::{Error, Result};

use crate::crypto::{seal, unseal};
use crate::services::Services;

/// How long a result is repeated.
pub const REPLAY_WINDOW: Duration = Duration::from_secs(10);
/// How long the exchange with a provider may take, with several requests in a row.
const EXCHANGE_TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(50);
const PURPOSE: &str = "social callbacks";

enum CallbackState {
    /// This request is the first and exchanges the code.
    Claimed,
    /// Another request is exchanging it.
    InProgress,
    Done(String),
}

/// Runs the exchange of a code once per key; concurrent and later requests get its result.
pub async fn run_once<E: From<Error> + Send + 'static>(
    identity: &Arc<Services>,
    key: String,
    exchange: impl Future<Output = Result<String, E>> + Send + 'static,
) -> Result<String, E> {
    let polls = EXCHANGE_TIMEOUT.as_millis() / POLL_INTERVAL.as_millis();
    for _ in 0..polls {
        match claim_callback(identity, &key).await? {
            CallbackState::Claimed => return run_claimed(identity, key, exchange).await,
            CallbackState::Done(code) => return Ok(code),
            CallbackState::InProgress => tokio::time::sleep(POLL_INTERVAL).await,
        }
    }
    Err(Error::Unavailable("the exchange of a code takes too long".into()).into())
}

/// In its own task: a browser that cancels its request must not cancel the exchange.
async fn run_claimed<E: From<Error> + Send + 'static>(
    identity: &Arc<Services>,
    key: String,
    exchange: impl Future<Output = Result<String, E>> + Send + 'static,
) -> Result<String, E> {
    let identity = identity.clone();
    let exchange = tokio::spawn(async move {
        let result = exchange.await;
        match &result {
            Ok(code) => store_result(&identity, &key, code).await?,
            // The next request may retry, because the provider may only have been slow.
            Err(_) => release_callback(&identity, &key).await?,
        }
        result
    });
    exchange.await.map_err(Error::internal)?
}

async fn claim_callback(identity: &Services, key: &str) -> Result<CallbackState> {
    let now = identity.clock.now();
    let found: Option<(Option<String>,)> = identity
        .db
        .query("select sealed_code from social_callbacks where hash = $1 and expires_at > $2")
        .bind(key)
        .bind(now)
        .optional()
        .await?;
    match found {
        Some((Some(sealed),)) => {
            let code = unseal(&identity.secret, PURPOSE, &sealed);
            let why = "the code was encrypted with another secret";
            return code.map(CallbackState::Done).ok_or_else(|| Error::internal(why));
        }
        Some((None,)) => return Ok(CallbackState::InProgress),
        None => {}
    }
    let mut tx = identity.db.begin().await?;
    tx.query("delete from social_callbacks where expires_at <= $1").bind(now).execute().await?;
    let claimed = tx
        .query(
            "insert into social_callbacks (hash, expires_at) values ($1, $2)
             on conflict (hash) do nothing",
        )
        .bind(key)
        .bind(now.plus(EXCHANGE_TIMEOUT))
        .execute()
        .await?;
    tx.commit().await?;
    Ok(if claimed == 1 { CallbackState::Claimed } else { CallbackState::InProgress })
}

async fn store_result(identity: &Services, key: &str, code: &str) -> Result<()> {
    identity
        .db
        .query("update social_callbacks set sealed_code = $2, expires_at = $3 where hash = $1")
        .bind(key)
        .bind(seal(&identity.secret, PURPOSE, &code)?)
        .bind(identity.clock.now().plus(REPLAY_WINDOW))
        .execute()
        .await?;
    Ok(())
}

async fn release_callback(identity: &Services, key: &str) -> Result<()> {
    identity.db.query("delete from social_callbacks where hash = $1").bind(key).execute().await?;
    Ok(())
}

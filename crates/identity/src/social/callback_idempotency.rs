//! Idempotency of the OAuth callback. Browsers may request `/auth/callback` twice (a preload, a reload),
//! but a provider's code can be exchanged only once: the second request gets the result of the first.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use platform::secret::Secret;
use platform::{Clock, Db, Error, Result};

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

#[derive(Clone)]
pub struct Callbacks {
    pub db: Db,
    pub clock: Clock,
    pub secret: Secret,
}

impl Callbacks {
    /// Runs the exchange of a code once per key; concurrent and later requests get its result.
    pub async fn run_once<E: From<Error> + Send + 'static>(
        &self,
        key: String,
        exchange: impl Future<Output = Result<String, E>> + Send + 'static,
    ) -> Result<String, E> {
        let polls = EXCHANGE_TIMEOUT.as_millis() / POLL_INTERVAL.as_millis();
        for _ in 0..polls {
            match self.claim_callback(&key).await? {
                CallbackState::Claimed => return self.run_claimed(key, exchange).await,
                CallbackState::Done(code) => return Ok(code),
                CallbackState::InProgress => tokio::time::sleep(POLL_INTERVAL).await,
            }
        }
        Err(Error::Unavailable("the exchange of a code takes too long".into()).into())
    }

    /// In its own task: a browser that cancels its request must not cancel the exchange.
    async fn run_claimed<E: From<Error> + Send + 'static>(
        &self,
        key: String,
        exchange: impl Future<Output = Result<String, E>> + Send + 'static,
    ) -> Result<String, E> {
        let callbacks = self.clone();
        let exchange = tokio::spawn(async move {
            let result = exchange.await;
            match &result {
                Ok(code) => callbacks.store_result(&key, code).await?,
                // The next request may retry, because the provider may only have been slow.
                Err(_) => callbacks.release_callback(&key).await?,
            }
            result
        });
        exchange.await.map_err(Error::internal)?
    }

    async fn claim_callback(&self, key: &str) -> Result<CallbackState> {
        let now = self.clock.now();
        let found: Option<(Option<String>,)> = self
            .db
            .query("select sealed_code from social_callbacks where hash = $1 and expires_at > $2")
            .bind(key)
            .bind(now)
            .optional()
            .await?;
        match found {
            Some((Some(sealed),)) => return Ok(CallbackState::Done(self.unseal_result(&sealed)?)),
            Some((None,)) => return Ok(CallbackState::InProgress),
            None => {}
        }
        let mut tx = self.db.begin().await?;
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

    async fn store_result(&self, key: &str, code: &str) -> Result<()> {
        let sealed = self.secret.seal(PURPOSE, code.as_bytes());
        let sealed = sealed.ok_or(Error::internal("could not encrypt a code"))?;
        self.db
            .query("update social_callbacks set sealed_code = $2, expires_at = $3 where hash = $1")
            .bind(key)
            .bind(STANDARD.encode(sealed))
            .bind(self.clock.now().plus(REPLAY_WINDOW))
            .execute()
            .await?;
        Ok(())
    }

    async fn release_callback(&self, key: &str) -> Result<()> {
        self.db.query("delete from social_callbacks where hash = $1").bind(key).execute().await?;
        Ok(())
    }

    fn unseal_result(&self, sealed: &str) -> Result<String> {
        let sealed = STANDARD.decode(sealed).map_err(Error::internal)?;
        let plain = self.secret.unseal(PURPOSE, &sealed);
        let plain = plain.ok_or(Error::internal("the code was encrypted with another secret"))?;
        String::from_utf8(plain).map_err(Error::internal)
    }
}

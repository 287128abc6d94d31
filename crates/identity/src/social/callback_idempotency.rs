//! Idempotency of the OAuth callback. Browsers may request `/auth/callback` twice (a preload, a reload),
//! but a provider's code can be exchanged only once: the second request gets the result of the first.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use platform::{Error, Result};

use super::popup::{PendingAuth, PopupError, PopupResult};
use crate::Identity;
use crate::sessions::hash_token;

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

impl Identity {
    /// Exchanges the provider's code for a one-time code, once per code. The cookie's verifier is part
    /// of the key, so that the URL alone gets no result in another browser.
    pub(super) async fn exchange_once(
        &self,
        pending: &PendingAuth,
        code: &str,
    ) -> PopupResult<String> {
        let key = hash_token(&format!("{} {code}", pending.verifier));
        let polls = EXCHANGE_TIMEOUT.as_millis() / POLL_INTERVAL.as_millis();
        for _ in 0..polls {
            match self.claim_callback(&key).await? {
                CallbackState::Claimed => return self.exchange_claimed(key, pending, code).await,
                CallbackState::Done(code) => return Ok(code),
                CallbackState::InProgress => tokio::time::sleep(POLL_INTERVAL).await,
            }
        }
        Err(PopupError::Unreachable)
    }

    /// In its own task: a browser that cancels its request must not cancel the exchange.
    async fn exchange_claimed(
        &self,
        key: String,
        pending: &PendingAuth,
        code: &str,
    ) -> PopupResult<String> {
        let (identity, pending, code) = (self.clone(), pending.clone(), code.to_owned());
        let exchange = tokio::spawn(async move {
            let result = identity.exchange(&pending, &code).await;
            match &result {
                Ok(code) => identity.store_result(&key, code).await?,
                // The next request may retry, because the provider may only have been slow.
                Err(_) => identity.release_callback(&key).await?,
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

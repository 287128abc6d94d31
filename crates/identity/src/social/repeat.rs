//! Idempotency of the social sign-in's callback. Browsers may request `/auth/callback` twice (a preload, a
//! reload), but a provider's code can be exchanged once: the second request gets the first one's result.

use std::time::Duration;

use base::{Error, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::popup::{Failed, Pending};
use crate::Identity;
use crate::sessions::hash;

/// How long a result is given again.
pub const REPEATABLE_FOR: Duration = Duration::from_secs(10);
/// How long the exchange with a provider may take, with several requests in a row.
const EXCHANGE_WITHIN: Duration = Duration::from_secs(30);
const POLL_EVERY: Duration = Duration::from_millis(50);
const PURPOSE: &str = "social callbacks";

enum Claim {
    /// Nobody has asked the provider yet: this request does.
    Ours,
    /// Another request is asking.
    Running,
    Answered(String),
}

impl Identity {
    /// Exchanges the provider's code for one of ours, once however often it is asked for. The cookie's
    /// verifier is part of the key, so that the address alone repeats nothing in another browser.
    pub(super) async fn exchange_once(
        &self,
        pending: &Pending,
        code: &str,
    ) -> Result<String, Failed> {
        let key = hash(&format!("{} {code}", pending.verifier));
        let polls = EXCHANGE_WITHIN.as_millis() / POLL_EVERY.as_millis();
        for _ in 0..polls {
            match self.claim_callback(&key).await? {
                Claim::Ours => return self.run_claimed(key, pending, code).await,
                Claim::Answered(code) => return Ok(code),
                Claim::Running => tokio::time::sleep(POLL_EVERY).await,
            }
        }
        Err(Failed::Unreachable)
    }

    /// In a task of its own: a browser that cancels the first request of two must not cancel the exchange.
    async fn run_claimed(
        &self,
        key: String,
        pending: &Pending,
        code: &str,
    ) -> Result<String, Failed> {
        let (identity, pending, code) = (self.clone(), pending.clone(), code.to_owned());
        let exchange = tokio::spawn(async move {
            let outcome = identity.exchange(&pending, &code).await;
            match &outcome {
                Ok(code) => identity.write_answer(&key, code).await?,
                // The next one may try again: the provider may only have been slow.
                Err(_) => identity.release_callback(&key).await?,
            }
            outcome
        });
        exchange.await.map_err(Error::internal)?
    }

    async fn claim_callback(&self, key: &str) -> Result<Claim> {
        let now = self.clock.now();
        let found: Option<(Option<String>,)> = self
            .db
            .query("select sealed_code from social_callbacks where hash = $1 and expires_at > $2")
            .bind(key)
            .bind(now)
            .optional()
            .await?;
        match found {
            Some((Some(sealed),)) => return Ok(Claim::Answered(self.unseal_answer(&sealed)?)),
            Some((None,)) => return Ok(Claim::Running),
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
            .bind(now.plus(EXCHANGE_WITHIN))
            .execute()
            .await?;
        tx.commit().await?;
        Ok(if claimed == 1 { Claim::Ours } else { Claim::Running })
    }

    async fn write_answer(&self, key: &str, code: &str) -> Result<()> {
        let sealed = self.secret.seal(PURPOSE, code.as_bytes());
        let sealed = sealed.ok_or(Error::internal("could not seal a code"))?;
        self.db
            .query("update social_callbacks set sealed_code = $2, expires_at = $3 where hash = $1")
            .bind(key)
            .bind(STANDARD.encode(sealed))
            .bind(self.clock.now().plus(REPEATABLE_FOR))
            .execute()
            .await?;
        Ok(())
    }

    async fn release_callback(&self, key: &str) -> Result<()> {
        self.db.query("delete from social_callbacks where hash = $1").bind(key).execute().await?;
        Ok(())
    }

    fn unseal_answer(&self, sealed: &str) -> Result<String> {
        let sealed = STANDARD.decode(sealed).map_err(Error::internal)?;
        let plain = self.secret.unseal(PURPOSE, &sealed);
        let plain = plain.ok_or(Error::internal("another secret sealed this code"))?;
        String::from_utf8(plain).map_err(Error::internal)
    }
}

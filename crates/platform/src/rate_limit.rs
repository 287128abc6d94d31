//! Rate limits per key: what is limited, and for whom (an account, a client's network, a mailbox). An attempt
//! is counted by one statement before it is processed, so concurrent attempts cannot exceed a limit. The
//! counters are in the database, so they hold for all servers and survive a restart. The only module that
//! writes `rate_limits`.

use std::time::Duration;

use crate::{Clock, Db, Error, Result, Timestamp, Tx};

/// At most `max` attempts per window.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    max: i64,
    window: Duration,
    /// Zero: after `max`, no attempt until the window ends.
    delay_step: Duration,
    max_delay: Duration,
}

impl Limit {
    pub const fn new(max: u32, window: Duration) -> Self {
        Self { max: max as i64, window, delay_step: Duration::ZERO, max_delay: Duration::ZERO }
    }

    pub const fn per_hour(max: u32) -> Self {
        Self::new(max, Duration::from_secs(3600))
    }

    /// After `max` attempts, allows one after each delay, which increases by `delay_step` with every attempt.
    pub const fn then_delay(self, delay_step: Duration, max_delay: Duration) -> Self {
        Self { delay_step, max_delay, ..self }
    }
}

/// Counts an attempt on each key as `allows` does; the error is a 429.
pub async fn consume(db: &Db, clock: &Clock, keys: &[(String, Limit)]) -> Result<()> {
    if allows(db, clock, keys).await? {
        return Ok(());
    }
    Err(Error::RateLimited("Too many requests. Please try again later."))
}

/// Counts an attempt on each key, in order, and returns whether all limits allow it. Stops at the first limit
/// that is exceeded, so pass narrow limits first: then rejected attempts do not use up shared limits.
pub async fn allows(db: &Db, clock: &Clock, keys: &[(String, Limit)]) -> Result<bool> {
    let (mut tx, now) = (db.begin().await?, clock.now());
    let mut allowed = true;
    for (key, limit) in keys {
        allowed = count(&mut tx, now, key, *limit).await?;
        if !allowed {
            break;
        }
    }
    tx.commit().await?;
    Ok(allowed)
}

/// Counts an attempt and returns whether the limit allows it.
pub async fn count(tx: &mut Tx, now: Timestamp, key: &str, limit: Limit) -> Result<bool> {
    let Limit { max, window, delay_step, max_delay } = limit;
    // Without a delay, `next_at` stays 0 and every attempt is counted.
    let counted: Option<(i64,)> = tx
        .query(
            "insert into rate_limits (key, count, until, next_at) values ($1, 1, $2, 0)
             on conflict (key) do update set
               count = case when rate_limits.until > $3 then rate_limits.count + 1 else 1 end,
               until = case when rate_limits.until > $3 then rate_limits.until else excluded.until end,
               next_at = case
                 when $5 = 0 or rate_limits.until <= $3 or rate_limits.count + 1 < $4 then 0
                 when (rate_limits.count + 2 - $4) * $5 > $6 then $3 + $6
                 else $3 + (rate_limits.count + 2 - $4) * $5 end
               where rate_limits.until <= $3 or rate_limits.next_at <= $3
             returning count",
        )
        .bind(key)
        .bind(now.plus(window))
        .bind(now)
        .bind(max)
        .bind(delay_step.as_millis() as i64)
        .bind(max_delay.as_millis() as i64)
        .optional()
        .await?;
    Ok(counted.is_some_and(|(count,)| !delay_step.is_zero() || count <= max))
}

/// Whether a limit without delays allows no further attempt. Counts none.
pub async fn is_used_up(db: &Db, now: Timestamp, key: &str, limit: Limit) -> Result<bool> {
    let found: Option<(i64,)> = db
        .query("select count from rate_limits where key = $1 and until > $2")
        .bind(key)
        .bind(now)
        .optional()
        .await?;
    Ok(found.is_some_and(|(count,)| count >= limit.max))
}

/// Forgets all attempts on a key.
pub async fn reset(tx: &mut Tx, key: &str) -> Result<()> {
    tx.query("delete from rate_limits where key = $1").bind(key).execute().await.map(drop)
}

/// Takes back one attempt on a shared key.
pub async fn uncount(tx: &mut Tx, key: &str) -> Result<()> {
    tx.query("update rate_limits set count = count - 1 where key = $1 and count > 0")
        .bind(key)
        .execute()
        .await
        .map(drop)
}

/// Deletes counters whose window is over.
pub async fn delete_expired(db: &Db, now: Timestamp) -> Result<()> {
    db.query("delete from rate_limits where until <= $1").bind(now).execute().await.map(drop)
}

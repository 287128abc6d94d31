//! What has reached its term is deleted without anybody asking: the shop says so in its policies.

use std::time::Duration;

use base::{Clock, Db, Result};

use crate::{allowance, messages, newsletter};

const EVERY: Duration = Duration::from_secs(30 * 60);

pub async fn forget_old(db: &Db, clock: &Clock) -> Result<()> {
    allowance::forget_old(db, clock).await?;
    messages::forget_old(db, clock).await?;
    newsletter::forget_old(db, clock).await
}

/// Does it again and again, for as long as the program runs.
pub async fn keep(db: Db, clock: Clock) {
    let mut every = tokio::time::interval(EVERY);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        every.tick().await;
        if let Err(why) = forget_old(&db, &clock).await {
            tracing::warn!(%why, "could not delete what is old");
        }
    }
}

//! What has reached its term is deleted without anybody asking: the shop says so in its policies.

use std::time::Duration;

use base::config::{Retention, in_days};
use base::{Clock, Db, Result, jobs, mail};

use crate::{allowance, messages, newsletter, orders, stock_alerts};

const EVERY: Duration = Duration::from_secs(30 * 60);

pub async fn forget_old(db: &Db, clock: &Clock, kept: &Retention) -> Result<()> {
    let before = |days| clock.now().minus(in_days(days));
    allowance::forget_old(db, clock).await?;
    messages::forget_old(db, before(kept.keep_messages)).await?;
    newsletter::forget_old(db, before(kept.keep_unconfirmed)).await?;
    stock_alerts::forget_old(db, clock).await?;
    jobs::forget_failed(db, before(kept.keep_letters)).await?;
    mail::forget_kept(db, before(kept.keep_letters)).await?;
    mail::forget_counts(db, clock.now()).await?;
    let mut tx = db.begin().await?;
    orders::forget_old(&mut tx, before(kept.keep_orders * 365)).await?;
    tx.commit().await
}

/// Does it again and again, for as long as the program runs.
pub async fn keep(db: Db, clock: Clock, kept: Retention) {
    let mut every = tokio::time::interval(EVERY);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        every.tick().await;
        if let Err(why) = forget_old(&db, &clock, &kept).await {
            tracing::warn!(%why, "could not delete what is old");
        }
    }
}

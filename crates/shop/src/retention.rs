//! Deletes data whose retention period is over, as the privacy policy promises.

use std::time::Duration;

use platform::{Clock, Db, Result, jobs, mail};

use crate::settings::{Retention, duration_of_days};
use crate::{messages, newsletter, orders, rate_limit, stock_alerts};

const EVERY: Duration = Duration::from_secs(30 * 60);

pub async fn delete_expired(db: &Db, clock: &Clock, retention: &Retention) -> Result<()> {
    let before = |days| clock.now().minus(duration_of_days(days));
    rate_limit::delete_expired(db, clock).await?;
    messages::delete_expired(db, before(retention.keep_messages)).await?;
    newsletter::delete_expired(db, before(retention.keep_unconfirmed)).await?;
    stock_alerts::delete_expired(db, clock).await?;
    jobs::delete_failed_jobs(db, before(retention.keep_letters)).await?;
    mail::delete_stored_emails(db, before(retention.keep_letters)).await?;
    mail::delete_old_counts(db, clock.now()).await?;
    let mut tx = db.begin().await?;
    orders::anonymize_expired(&mut tx, before(retention.keep_orders * 365)).await?;
    tx.commit().await
}

/// Runs `delete_expired` periodically.
pub async fn run(db: Db, clock: Clock, retention: Retention) {
    let mut every = tokio::time::interval(EVERY);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        every.tick().await;
        if let Err(why) = delete_expired(&db, &clock, &retention).await {
            tracing::warn!(%why, "could not delete expired data");
        }
    }
}

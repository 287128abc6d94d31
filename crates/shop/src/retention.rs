//! Deletes data whose retention period is over, as the privacy policy promises.

use std::time::Duration;

use email::sms::SendText;
use email::{DiscardEmail, SendEmail};
use platform::jobs::{self, Job, PeriodicTask};
use platform::{Clock, Db, Result, rate_limit};

use crate::settings::{Retention, duration_of_days};
use crate::{catalog, contact_messages, newsletter, orders, stock_alerts};

/// Their failed jobs hold the messages that were not sent. Failed jobs of other kinds are kept.
const MESSAGES: [&str; 3] = [SendEmail::NAME, DiscardEmail::NAME, SendText::NAME];

/// Runs `delete_expired`.
pub struct DeleteExpired {
    pub db: Db,
    pub clock: Clock,
    pub retention: Retention,
}

impl PeriodicTask for DeleteExpired {
    const NAME: &'static str = "shop.retention";
    const INTERVAL: Duration = Duration::from_secs(30 * 60);

    async fn run(&self) -> Result<()> {
        delete_expired(&self.db, &self.clock, &self.retention).await
    }
}

pub async fn delete_expired(db: &Db, clock: &Clock, retention: &Retention) -> Result<()> {
    let before = |days| clock.now().minus(duration_of_days(days));
    rate_limit::delete_expired(db, clock.now()).await?;
    contact_messages::delete_expired(db, before(retention.keep_messages)).await?;
    newsletter::delete_expired(db, before(retention.keep_unconfirmed)).await?;
    stock_alerts::delete_expired(db, clock).await?;
    catalog::delete_expired_prices(db, clock).await?;
    jobs::delete_failed(db, &MESSAGES, before(retention.keep_letters)).await?;
    email::delete_stored_emails(db, before(retention.keep_letters)).await?;
    let mut tx = db.begin().await?;
    orders::anonymize_expired(&mut tx, before(retention.keep_orders * 365)).await?;
    tx.commit().await
}

//! The rate limit on e-mails per mailbox: nobody can flood a mailbox through the shop.

use std::time::Duration;

use platform::db::retry_on_conflict;
use platform::rate_limit::{Limit, count};
use platform::{Clock, Db, EmailAddress, Id, Result};

const DAY: Duration = Duration::from_secs(24 * 3600);
const PER_HOUR: Limit = Limit::per_hour(20);
const PER_DAY: Limit = Limit::new(60, DAY);
const ONCE: Limit = Limit::new(1, DAY);

/// Names the type of its id.
struct Mailbox;

/// Counts an e-mail for its mailbox, once however often its job is retried. False where the limit is reached:
/// then it is not counted, and must not be sent.
pub async fn admit(db: &Db, clock: &Clock, id: &str, to: &EmailAddress) -> Result<bool> {
    // Addresses are stored as hashes.
    let mailbox = Id::from_name(&to.mailbox());
    let admitted = retry_on_conflict(|| count_email(db, clock, id, &mailbox)).await?;
    if !admitted {
        tracing::warn!(job = id, "e-mail dropped: the rate limit of its mailbox is reached");
    }
    Ok(admitted)
}

async fn count_email(db: &Db, clock: &Clock, id: &str, mailbox: &Id<Mailbox>) -> Result<bool> {
    let (mut tx, now) = (db.begin().await?, clock.now());
    let (hour, day) = (format!("e-mails per hour {mailbox}"), format!("e-mails per day {mailbox}"));
    let is_retry = !count(&mut tx, now, &format!("e-mail {id}"), ONCE).await?;
    let admitted = is_retry
        || count(&mut tx, now, &hour, PER_HOUR).await?
            && count(&mut tx, now, &day, PER_DAY).await?;
    if admitted {
        tx.commit().await?;
    } else {
        tx.rollback().await?;
    }
    Ok(admitted)
}

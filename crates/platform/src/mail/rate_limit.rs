//! The rate limit on e-mails per mailbox: nobody can flood a mailbox through the shop. Counted in the
//! database, so that it holds for all servers. The only module that writes `mailboxes` and `mailbox_emails`.

use std::time::Duration;

use crate::db::{retry_on_conflict, statement};
use crate::{Clock, Db, EmailAddress, Id, Result, Timestamp};

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);
const MAX_PER_HOUR: i64 = 20;
const MAX_PER_DAY: i64 = 60;

#[derive(Clone)]
pub struct MailboxRateLimiter {
    db: Db,
    clock: Clock,
}

/// Names the type of its id.
struct Mailbox;

impl MailboxRateLimiter {
    pub fn new(db: Db, clock: Clock) -> Self {
        Self { db, clock }
    }

    /// Counts an e-mail for its mailbox, once however often its job is retried. False where the limit is
    /// reached: then it is not counted, and must not be sent.
    pub async fn admit(&self, id: &str, to: &EmailAddress) -> Result<bool> {
        let mailbox = Id::from_name(&to.mailbox());
        let admitted = retry_on_conflict(|| self.count(id, &mailbox)).await?;
        if !admitted {
            tracing::warn!(job = id, "e-mail dropped: the rate limit of its mailbox is reached");
        }
        Ok(admitted)
    }

    async fn count(&self, id: &str, mailbox: &Id<Mailbox>) -> Result<bool> {
        let now = self.clock.now();
        let mut tx = self.db.begin().await?;
        // Locks the mailbox against concurrent counts.
        tx.query(
            "insert into mailboxes (mailbox, used_at) values ($1, $2)
             on conflict (mailbox) do update set used_at = excluded.used_at",
        )
        .bind(mailbox)
        .bind(now)
        .execute()
        .await?;
        let (known, hour, day): (i64, i64, i64) = tx
            .query(
                "select (select count(*) from mailbox_emails where id = $1),
                   (select count(*) from mailbox_emails where mailbox = $2 and sent_at > $3),
                   (select count(*) from mailbox_emails where mailbox = $2 and sent_at > $4)",
            )
            .bind(id)
            .bind(mailbox)
            .bind(now.minus(HOUR))
            .bind(now.minus(DAY))
            .one()
            .await?;
        if known == 0 && (hour >= MAX_PER_HOUR || day >= MAX_PER_DAY) {
            return Ok(false);
        }
        tx.defer(
            statement(
                "insert into mailbox_emails (id, mailbox, sent_at) values ($1, $2, $3)
                 on conflict (id) do nothing",
            )
            .bind(id)
            .bind(mailbox)
            .bind(now),
        );
        tx.commit().await?;
        Ok(true)
    }
}

/// Deletes counts that are older than every window.
pub async fn delete_old_counts(db: &Db, now: Timestamp) -> Result<()> {
    let before = now.minus(DAY);
    db.query("delete from mailbox_emails where sent_at <= $1").bind(before).execute().await?;
    db.query("delete from mailboxes where used_at <= $1").bind(before).execute().await.map(drop)
}

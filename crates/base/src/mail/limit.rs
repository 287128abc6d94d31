//! The rate limit on e-mails per mailbox: whoever finds a way to make the shop write to somebody cannot
//! fill their mailbox by it. Kept in the database, so that it holds for all servers. Alone writes
//! `mailboxes` and `mailbox_emails`.

use std::time::Duration;

use crate::db::{again, write};
use crate::{Clock, Db, EmailAddress, Id, Result, Timestamp};

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);
const MOST_AN_HOUR: i64 = 20;
const MOST_A_DAY: i64 = 60;

#[derive(Clone)]
pub struct Limiter {
    db: Db,
    clock: Clock,
}

/// A mailbox as it is counted.
struct Mailbox;

impl Limiter {
    pub fn new(db: Db, clock: Clock) -> Self {
        Self { db, clock }
    }

    /// Counts an e-mail for its mailbox, once however often its job is tried. False where it is one too
    /// many: then it is not counted, and must not be sent.
    pub async fn admit(&self, id: &str, to: &EmailAddress) -> Result<bool> {
        let mailbox = Id::named(&to.mailbox());
        let admitted = again(|| self.try_to_admit(id, &mailbox)).await?;
        if !admitted {
            tracing::warn!(job = id, "an e-mail is dropped: its mailbox has had too many of late");
        }
        Ok(admitted)
    }

    async fn try_to_admit(&self, id: &str, mailbox: &Id<Mailbox>) -> Result<bool> {
        let now = self.clock.now();
        let mut tx = self.db.begin().await?;
        // Others who send to the same mailbox wait here, so that none is counted twice or not at all.
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
        if known == 0 && (hour >= MOST_AN_HOUR || day >= MOST_A_DAY) {
            return Ok(false);
        }
        tx.later(
            write(
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

/// Deletes counts that no limit looks at any more.
pub async fn forget_counts(db: &Db, now: Timestamp) -> Result<()> {
    let before = now.minus(DAY);
    db.query("delete from mailbox_emails where sent_at <= $1").bind(before).execute().await?;
    db.query("delete from mailboxes where used_at <= $1").bind(before).execute().await.map(drop)
}

//! Rate limits of forms and other calls, counted per subject (an account, a network, a mailbox) in the
//! database, so that they hold across servers. The only module that writes `allowances`.

use std::time::Duration;

use platform::{Clock, Db, Error, Result};

/// At most `max` calls per window.
#[derive(Clone, Copy, Debug)]
pub struct RateLimit {
    pub max: i64,
    pub window: Duration,
}

/// Counts a call for each subject; refuses it when one of them is over its limit.
pub async fn consume(db: &Db, clock: &Clock, subjects: &[(String, RateLimit)]) -> Result<()> {
    let now = clock.now();
    let mut tx = db.begin().await?;
    let mut allowed = true;
    for (subject, RateLimit { max, window }) in subjects {
        let (count,): (i64,) = tx
            .query(
                "insert into allowances (subject, count, until) values ($1, 1, $2)
                 on conflict (subject) do update set
                   count = case when allowances.until > $3 then allowances.count + 1 else 1 end,
                   until = case when allowances.until > $3 then allowances.until
                     else excluded.until end
                 returning count",
            )
            .bind(subject.as_str())
            .bind(now.plus(*window))
            .bind(now)
            .one()
            .await?;
        allowed &= count <= *max;
    }
    tx.commit().await?;
    if allowed {
        Ok(())
    } else {
        Err(Error::RateLimited("Too many requests. Please try again later."))
    }
}

pub async fn delete_expired(db: &Db, clock: &Clock) -> Result<()> {
    let now = clock.now();
    db.query("delete from allowances where until < $1").bind(now).execute().await.map(drop)
}

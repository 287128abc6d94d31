//! How often a form may be used: so many times in a while, by whom and for what it is counted. Kept in
//! the database, so that it holds for all servers. Alone writes `allowances`.

use std::time::Duration;

use base::{Clock, Db, Error, Result};

/// How many in how long.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    pub most: i64,
    pub window: Duration,
}

/// Counts one more use by each of these; refuses where it is one too many.
pub async fn spend(db: &Db, clock: &Clock, subjects: &[(String, Allowance)]) -> Result<()> {
    let now = clock.now();
    let mut tx = db.begin().await?;
    let mut allowed = true;
    for (subject, Allowance { most, window }) in subjects {
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
        allowed &= count <= *most;
    }
    tx.commit().await?;
    if allowed { Ok(()) } else { Err(Error::TooMany("That was often. Please try again later.")) }
}

pub async fn forget_old(db: &Db, clock: &Clock) -> Result<()> {
    let now = clock.now();
    db.query("delete from allowances where until < $1").bind(now).execute().await.map(drop)
}

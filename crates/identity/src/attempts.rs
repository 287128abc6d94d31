//! Attempts to guess, counted by the account and by the address they come from: whoever tries too
//! often waits. Counted before the password is looked at, so that a thousand at once are a thousand.
//! Kept in the database, so that it holds for all servers and over a restart.

use std::net::IpAddr;
use std::time::Duration;

use base::{Clock, Db, Result, Tx};

/// A person who forgot which password it was tries a handful of times.
const PER_ACCOUNT: i64 = 10;
/// An office or a school may share one address.
const PER_ADDRESS: i64 = 60;
const WINDOW: Duration = Duration::from_secs(5 * 60);

pub struct Attempts {
    db: Db,
    clock: Clock,
    limited: bool,
}

impl Attempts {
    pub fn limited(db: Db, clock: Clock) -> Self {
        Self { db, clock, limited: true }
    }

    /// For the emulator: test suites sign in all the time.
    pub fn unlimited(db: Db, clock: Clock) -> Self {
        Self { db, clock, limited: false }
    }

    /// Counts one more attempt and says whether it may be made.
    pub async fn allowed(&self, account: &str, address: Option<IpAddr>) -> Result<bool> {
        if !self.limited {
            return Ok(true);
        }
        let now = self.clock.now();
        let mut tx = self.db.begin().await?;
        let mut allowed = true;
        for (subject, most) in subjects(account, address) {
            let (count,): (i64,) = tx
                .query(
                    "insert into attempts (subject, count, until) values ($1, 1, $2)
                     on conflict (subject) do update set
                       count = case when attempts.until > $3 then attempts.count + 1 else 1 end,
                       until = case when attempts.until > $3 then attempts.until else excluded.until end
                     returning count",
                )
                .bind(subject)
                .bind(now.plus(WINDOW))
                .bind(now)
                .one()
                .await?;
            allowed &= count <= most;
        }
        tx.commit().await?;
        Ok(allowed)
    }
}

/// The attempt was a right one: it counts for nothing, and those on the account before it neither.
pub async fn succeeded(tx: &mut Tx, account: &str, address: Option<IpAddr>) -> Result<()> {
    tx.query("delete from attempts where subject = $1")
        .bind(format!("account/{account}"))
        .execute()
        .await?;
    if let Some(address) = address {
        tx.query("update attempts set count = count - 1 where subject = $1 and count > 0")
            .bind(format!("address/{address}"))
            .execute()
            .await?;
    }
    Ok(())
}

fn subjects(account: &str, address: Option<IpAddr>) -> Vec<(String, i64)> {
    let mut subjects = vec![(format!("account/{account}"), PER_ACCOUNT)];
    subjects.extend(address.map(|address| (format!("address/{address}"), PER_ADDRESS)));
    subjects
}

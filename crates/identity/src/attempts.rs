//! Attempts to guess, counted by what is guessed at and by the address they come from: whoever tries
//! too often waits. Counted before the guess is looked at, so that a thousand at once are a thousand.
//! Kept in the database, so that it holds for all servers and over a restart.

use std::net::IpAddr;
use std::time::Duration;

use base::http::Peer;
use base::{Clock, Db, Result, Tx};

/// How many in how long.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    most: i64,
    window: Duration,
}

/// A person who forgot which password it was tries a handful of times.
pub const GUESSES: Limit = Limit { most: 10, window: Duration::from_secs(5 * 60) };
/// Codes are short: what is asked and guessed in an hour is far from all there are.
pub const CODES: Limit = Limit { most: 10, window: Duration::from_secs(3600) };
/// An office or a school may share one address.
pub const FROM_ADDRESS: Limit = Limit { most: 60, window: Duration::from_secs(5 * 60) };
/// Text messages cost money: so many for the whole shop, whoever asks for them.
pub const TEXTS: Limit = Limit { most: 500, window: Duration::from_secs(3600) };

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

    /// Counts one more attempt on each of these, and says whether it may be made.
    pub async fn allowed(&self, subjects: &[(String, Limit)]) -> Result<bool> {
        if !self.limited {
            return Ok(true);
        }
        let now = self.clock.now();
        let mut tx = self.db.begin().await?;
        let mut allowed = true;
        for (subject, Limit { most, window }) in subjects {
            let (count,): (i64,) = tx
                .query(
                    "insert into attempts (subject, count, until) values ($1, 1, $2)
                     on conflict (subject) do update set
                       count = case when attempts.until > $3 then attempts.count + 1 else 1 end,
                       until = case when attempts.until > $3 then attempts.until else excluded.until end
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
        Ok(allowed)
    }
}

/// The attempt that was counted was a right one: it counts for nothing, and those on the subject
/// before it neither.
pub async fn succeeded(
    tx: &mut Tx,
    kind: &str,
    subject: &str,
    address: Option<IpAddr>,
) -> Result<()> {
    tx.query("delete from attempts where subject = $1")
        .bind(format!("{kind} {subject}"))
        .execute()
        .await?;
    if let Some(address) = address {
        tx.query("update attempts set count = count - 1 where subject = $1 and count > 0")
            .bind(from(kind, address))
            .execute()
            .await?;
    }
    Ok(())
}

/// The name that attempts of a kind from an address are counted by.
pub fn from(kind: &str, address: IpAddr) -> String {
    format!("{kind} from {}", Peer(address).network())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_one_address() {
        let name = |text: &str| from("letters", text.parse().unwrap());
        assert_eq!(name("2001:db8:1:2::1"), name("2001:db8:1:2:ffff::9"));
        assert_ne!(name("2001:db8:1:2::1"), name("2001:db8:1:3::1"));
        assert_eq!(name("::ffff:10.0.0.1"), name("10.0.0.1"));
        assert_ne!(name("10.0.0.1"), name("10.0.0.2"));
    }
}

//! Rate limits, counted by what is tried (an account, a phone number) and by the network it comes from.
//! Counted before anything is looked at, so that a thousand at once are a thousand. Kept in the
//! database, so that it holds for all servers and over a restart.

use std::net::IpAddr;
use std::time::Duration;

use base::http::Peer;
use base::{Clock, Db, Result, Tx};

/// How many in how long.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    most: i64,
    window: Duration,
    /// What comes after `most`: nothing until the window ends, or one more after each delay.
    delay: Option<Delay>,
}

/// Grows by `step` with every further try, up to `longest`.
#[derive(Clone, Copy, Debug)]
struct Delay {
    step: Duration,
    longest: Duration,
}

const HOUR: Duration = Duration::from_secs(3600);

/// A person who forgot which password it was tries a handful of times. One network alone stays below
/// `GUESSES_ANYWHERE` with this.
pub const GUESSES_HERE: Limit =
    Limit { most: 10, window: Duration::from_secs(24 * 3600), delay: delay(30, 15 * 60) };
/// Guesses at one account from all networks together. Loose, because strangers could use up a tight one
/// and keep the owner out.
pub const GUESSES_ANYWHERE: Limit = Limit { most: 50, window: HOUR, delay: delay(2, 60) };
/// E-mails of one kind to one mailbox, whoever asks for them.
pub const EMAILS: Limit = Limit::new(5, Duration::from_secs(10 * 60));
/// Codes are short: what is asked and guessed in an hour is far from all there are.
pub const CODES: Limit = Limit::new(10, HOUR);
/// An office or a school may share one address.
pub const FROM_ADDRESS: Limit = Limit::new(60, Duration::from_secs(5 * 60));
/// Text messages cost money: so many for the whole shop, whoever asks for them.
pub const TEXTS: Limit = Limit::new(400, HOUR);
/// What is left for second factors when strangers have used those up.
pub const TEXTS_TO_FACTORS: Limit = Limit::new(100, HOUR);
/// To one country, unless the shop names the countries that it sends to.
pub const TEXTS_TO_COUNTRY: Limit = Limit::new(100, HOUR);
/// Second factors of one network: whoever asks has shown a password.
pub const FACTORS_FROM_ADDRESS: Limit = Limit::new(30, HOUR);

const fn delay(step: u64, longest: u64) -> Option<Delay> {
    Some(Delay { step: Duration::from_secs(step), longest: Duration::from_secs(longest) })
}

impl Limit {
    const fn new(most: i64, window: Duration) -> Self {
        Self { most, window, delay: None }
    }

    pub fn per_hour(most: u32) -> Self {
        Self::new(most.into(), HOUR)
    }
}

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

    /// Counts one more attempt on each of these, up to the first that has no room, and says whether the
    /// attempt may be made. So the narrow limits come first: what they hold back uses up no wide one.
    pub async fn allowed(&self, subjects: &[(String, Limit)]) -> Result<bool> {
        if !self.limited {
            return Ok(true);
        }
        let mut tx = self.db.begin().await?;
        let mut allowed = true;
        for (subject, limit) in subjects {
            allowed = self.count(&mut tx, subject, *limit).await?;
            if !allowed {
                break;
            }
        }
        tx.commit().await?;
        Ok(allowed)
    }

    async fn count(&self, tx: &mut Tx, subject: &str, limit: Limit) -> Result<bool> {
        let Limit { most, window, delay } = limit;
        let now = self.clock.now();
        // Without a delay, `next_at` stays 0 and every attempt is counted.
        let longest = delay.map_or(Duration::ZERO, |delay| delay.longest);
        let step = delay.map_or(Duration::ZERO, |delay| delay.step);
        let counted: Option<(i64,)> = tx
            .query(
                "insert into attempts (subject, count, until, next_at) values ($1, 1, $2, 0)
                 on conflict (subject) do update set
                   count = case when attempts.until > $3 then attempts.count + 1 else 1 end,
                   until = case when attempts.until > $3 then attempts.until else excluded.until end,
                   next_at = case
                     when $5 = 0 or attempts.until <= $3 or attempts.count + 1 < $4 then 0
                     when (attempts.count + 2 - $4) * $5 > $6 then $3 + $6
                     else $3 + (attempts.count + 2 - $4) * $5 end
                   where attempts.until <= $3 or attempts.next_at <= $3
                 returning count",
            )
            .bind(subject)
            .bind(now.plus(window))
            .bind(now)
            .bind(most)
            .bind(step.as_millis() as i64)
            .bind(longest.as_millis() as i64)
            .optional()
            .await?;
        Ok(counted.is_some_and(|(count,)| delay.is_some() || count <= most))
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
        take_back(tx, &from(kind, address)).await?;
    }
    Ok(())
}

/// One attempt on a subject that others share was a right one.
pub async fn take_back(tx: &mut Tx, subject: &str) -> Result<()> {
    tx.query("update attempts set count = count - 1 where subject = $1 and count > 0")
        .bind(subject)
        .execute()
        .await
        .map(drop)
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

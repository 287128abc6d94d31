//! Rate limits per subject (an account, a phone number, a mailbox) and per client network. An attempt is
//! counted before it is processed, so concurrent attempts cannot exceed a limit. The counters are in the
//! database, so they hold for all servers and survive a restart.

use std::net::IpAddr;
use std::time::Duration;

use platform::http::ClientIp;
use platform::{Clock, Db, Result, Tx};

/// At most `max` attempts per window.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    max: i64,
    window: Duration,
    /// After `max`: no attempt until the window ends, or one after each delay.
    delay: Option<Delay>,
}

/// Increases by `step` with every attempt, up to `max`.
#[derive(Clone, Copy, Debug)]
struct Delay {
    step: Duration,
    max: Duration,
}

const HOUR: Duration = Duration::from_secs(3600);

/// Password attempts of one client on one account. Keeps a single network below `PASSWORDS_PER_ACCOUNT`.
pub const PASSWORDS_PER_CLIENT: Limit =
    Limit { max: 10, window: Duration::from_secs(24 * 3600), delay: delay(30, 15 * 60) };
/// Password attempts on one account from all networks. High, because attackers could use a low limit to
/// lock the owner out.
pub const PASSWORDS_PER_ACCOUNT: Limit = Limit { max: 50, window: HOUR, delay: delay(2, 60) };
/// E-mails of one kind to one mailbox, from all clients.
pub const EMAILS_PER_MAILBOX: Limit = Limit::new(5, Duration::from_secs(10 * 60));
/// Codes sent to one number, or guesses at one authenticator app. Six digits are safe with so few attempts.
pub const CODES: Limit = Limit::new(10, HOUR);
/// Many users, of an office or a school, may share one address.
pub const PER_NETWORK: Limit = Limit::new(60, Duration::from_secs(5 * 60));
/// For the whole shop, because text messages cost money.
pub const SMS_TOTAL: Limit = Limit::new(400, HOUR);
/// For second factors only, when `SMS_TOTAL` is used up.
pub const SMS_MFA_RESERVE: Limit = Limit::new(100, HOUR);
/// To one country, unless `sms_countries` lists it.
pub const SMS_PER_COUNTRY: Limit = Limit::new(100, HOUR);
/// Higher than for other text messages, because the client has already proven a first factor.
pub const MFA_PER_NETWORK: Limit = Limit::new(30, HOUR);

const fn delay(step: u64, max_delay: u64) -> Option<Delay> {
    Some(Delay { step: Duration::from_secs(step), max: Duration::from_secs(max_delay) })
}

impl Limit {
    const fn new(max: i64, window: Duration) -> Self {
        Self { max, window, delay: None }
    }

    pub fn per_hour(max: u32) -> Self {
        Self::new(max.into(), HOUR)
    }
}

pub struct RateLimiter {
    db: Db,
    clock: Clock,
    enabled: bool,
}

impl RateLimiter {
    pub fn new(db: Db, clock: Clock) -> Self {
        Self { db, clock, enabled: true }
    }

    /// For the emulator: test suites sign in very often.
    pub fn disabled(db: Db, clock: Clock) -> Self {
        Self { db, clock, enabled: false }
    }

    /// Counts an attempt on each key, in order, and returns whether all limits allow it. Stops at the
    /// first limit that is exceeded, so pass narrow limits first: then rejected attempts do not use up
    /// shared limits.
    pub async fn count_all(&self, keys: &[(String, Limit)]) -> Result<bool> {
        if !self.enabled {
            return Ok(true);
        }
        let mut tx = self.db.begin().await?;
        let mut allowed = true;
        for (key, limit) in keys {
            allowed = self.count(&mut tx, key, *limit).await?;
            if !allowed {
                break;
            }
        }
        tx.commit().await?;
        Ok(allowed)
    }

    async fn count(&self, tx: &mut Tx, key: &str, limit: Limit) -> Result<bool> {
        let Limit { max, window, delay } = limit;
        let now = self.clock.now();
        // Without a delay, `next_at` stays 0 and every attempt is counted.
        let max_delay = delay.map_or(Duration::ZERO, |delay| delay.max);
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
            .bind(key)
            .bind(now.plus(window))
            .bind(now)
            .bind(max)
            .bind(step.as_millis() as i64)
            .bind(max_delay.as_millis() as i64)
            .optional()
            .await?;
        Ok(counted.is_some_and(|(count,)| delay.is_some() || count <= max))
    }
}

/// After a successful attempt: forgets all attempts on this key, and this one of the network.
pub async fn reset(tx: &mut Tx, kind: &str, key: &str, client_ip: Option<IpAddr>) -> Result<()> {
    tx.query("delete from attempts where subject = $1")
        .bind(format!("{kind} {key}"))
        .execute()
        .await?;
    if let Some(client_ip) = client_ip {
        uncount(tx, &network_key(kind, client_ip)).await?;
    }
    Ok(())
}

/// Takes back one attempt on a shared key.
pub async fn uncount(tx: &mut Tx, key: &str) -> Result<()> {
    tx.query("update attempts set count = count - 1 where subject = $1 and count > 0")
        .bind(key)
        .execute()
        .await
        .map(drop)
}

pub fn network_key(kind: &str, client_ip: IpAddr) -> String {
    format!("{kind} from {}", ClientIp(client_ip).network())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_a_network_share_a_key() {
        let key = |text: &str| network_key("emails", text.parse().unwrap());
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_eq!(key("::ffff:10.0.0.1"), key("10.0.0.1"));
        assert_ne!(key("10.0.0.1"), key("10.0.0.2"));
    }
}

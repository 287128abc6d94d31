//! Data retention: deletes expired codes, tokens, anonymous accounts and events.

use std::time::Duration;

use platform::jobs::PeriodicTask;
use platform::{Clock, Db, Result, rate_limit};

const DAY: Duration = Duration::from_secs(24 * 3600);
/// So that a late code gets "expired" instead of "invalid".
const EXPIRED_CODE_KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// An unused anonymous account cannot be reached from another browser.
const ANONYMOUS_KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// Revoked sessions, and sessions of deleted accounts.
const REVOKED_KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// How long the data of existing accounts is kept.
#[derive(Clone, Copy, Debug)]
pub struct AccountRetention {
    pub security_events: Duration,
    pub unused_sessions: Duration,
}

pub struct DeleteExpired {
    pub(crate) db: Db,
    pub(crate) clock: Clock,
    pub(crate) retention: AccountRetention,
}

impl PeriodicTask for DeleteExpired {
    const NAME: &'static str = "identity.retention";
    const INTERVAL: Duration = Duration::from_secs(600);

    async fn run(&self) -> Result<()> {
        delete_expired(&self.db, &self.clock, self.retention).await
    }
}

async fn delete_expired(db: &Db, clock: &Clock, retention: AccountRetention) -> Result<()> {
    let now = clock.now();
    let unused = now.minus(retention.unused_sessions);
    for (sql, before) in [
        ("delete from mail_codes where expires_at < $1", now.minus(EXPIRED_CODE_KEPT)),
        ("delete from phone_codes where expires_at < $1", now.minus(DAY)),
        ("delete from social_codes where expires_at < $1", now),
        ("delete from social_callbacks where expires_at < $1", now),
        (
            "delete from refresh_tokens where created_at < $1
             and (revoked or account not in (select id from accounts))",
            now.minus(REVOKED_KEPT),
        ),
        ("delete from refresh_tokens where used_at < $1", unused),
        (
            "delete from accounts where coalesce(last_refresh_at, created_at) < $1 and not linked
             and not custom_auth and email is null",
            unused,
        ),
        (
            "delete from accounts where coalesce(last_refresh_at, created_at) < $1 and not linked
             and not custom_auth and email is null and last_login_at is not null",
            now.minus(ANONYMOUS_KEPT),
        ),
        ("delete from security_events where at < $1", now.minus(retention.security_events)),
    ] {
        db.query(sql).bind(before).execute().await?;
    }
    rate_limit::delete_expired(db, now).await
}

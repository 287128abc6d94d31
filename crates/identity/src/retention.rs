//! Data retention: deletes expired codes, tokens, anonymous accounts and events.

use std::sync::Arc;
use std::time::Duration;

use platform::jobs::PeriodicTask;
use platform::{Result, Timestamp, rate_limit};

use crate::accounts;
use crate::flows::account_deletion::after_deletion;
use crate::security_log::AuthEvent;
use crate::services::Services;

const DAY: Duration = Duration::from_secs(24 * 3600);
/// So that a late code gets "expired" instead of "invalid".
const EXPIRED_CODE_KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// An unused anonymous account cannot be reached from another browser.
const ANONYMOUS_KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// Revoked sessions, and sessions of deleted accounts.
const REVOKED_KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// Accounts per transaction.
const BATCH_SIZE: i64 = 100;

/// How long the data of existing accounts is kept.
#[derive(Clone, Copy, Debug)]
pub struct AccountRetention {
    pub security_events: Duration,
    pub unused_sessions: Duration,
}

pub struct DeleteExpiredAccountData {
    pub(crate) identity: Arc<Services>,
    pub(crate) retention: AccountRetention,
}

impl PeriodicTask for DeleteExpiredAccountData {
    const NAME: &'static str = "identity.retention";
    const INTERVAL: Duration = Duration::from_secs(600);

    async fn run(&self) -> Result<()> {
        let Self { identity, retention } = self;
        let now = identity.clock.now();
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
            ("delete from security_events where at < $1", now.minus(retention.security_events)),
        ] {
            identity.db.query(sql).bind(before).execute().await?;
        }
        while delete_unused_accounts(identity, unused, now.minus(ANONYMOUS_KEPT)).await? {}
        rate_limit::delete_expired(&identity.db, now).await
    }
}

/// Deletes a batch of accounts that nobody can sign in to; returns whether there may be more.
async fn delete_unused_accounts(
    identity: &Services,
    unused: Timestamp,
    anonymous: Timestamp,
) -> Result<bool> {
    let mut tx = identity.db.begin().await?;
    let deleted = accounts::delete_unused(&mut tx, unused, anonymous, BATCH_SIZE).await?;
    for account in &deleted {
        let event = AuthEvent { kind: "deleted", client_ip: None, agent: None };
        after_deletion(identity, &mut tx, account, None, event).await?;
    }
    tx.commit().await?;
    Ok(deleted.len() as i64 == BATCH_SIZE)
}

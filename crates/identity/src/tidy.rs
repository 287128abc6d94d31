//! Throwing away what nobody needs any more, so that the tables do not grow for ever.

use std::time::Duration;

use base::config::{Retention, in_days};
use base::{Clock, Db, Result};

const DAY: Duration = Duration::from_secs(24 * 3600);
/// For a while, who comes too late is told so instead of being taken for a liar.
const TOLD_FOR: Duration = Duration::from_secs(7 * 24 * 3600);
/// An anonymous account that nobody has used since: there is no way back into it from another browser.
const ANONYMOUS_FOR: Duration = Duration::from_secs(30 * 24 * 3600);
/// A session that nobody can refresh.
const DEAD_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// What happened to an account is asked about months later, seldom years. Nor does anybody come back
/// after as long to a session, or to an account that never had a name.
pub async fn throw_old_away(db: &Db, clock: &Clock, kept: &Retention) -> Result<()> {
    let now = clock.now();
    let unused = now.minus(in_days(kept.keep_sign_ins));
    for (sql, before) in [
        ("delete from attempts where until < $1", now),
        ("delete from mail_codes where expires_at < $1", now.minus(TOLD_FOR)),
        ("delete from phone_codes where expires_at < $1", now.minus(DAY)),
        ("delete from social_codes where expires_at < $1", now),
        ("delete from social_callbacks where expires_at < $1", now),
        (
            "delete from refresh_tokens where created_at < $1
             and (revoked or account not in (select id from accounts))",
            now.minus(DEAD_FOR),
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
            now.minus(ANONYMOUS_FOR),
        ),
        ("delete from security_events where at < $1", now.minus(in_days(kept.keep_events))),
    ] {
        db.query(sql).bind(before).execute().await?;
    }
    Ok(())
}

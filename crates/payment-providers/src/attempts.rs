//! Attempts at calls that move money, for providers that have no idempotency keys: stored before the call, so that
//! another server, or the same one after a crash, knows that the call may have been made already.

use std::collections::BTreeSet;
use std::time::Duration;

use platform::{Clock, Db, Timestamp};

use crate::{GatewayError, GatewayResult};

/// A call is not repeated earlier, because the one before may still be under way: its timeout is 30 seconds.
const MIN_PAUSE: Duration = Duration::from_secs(35);

const REFUND: &str = "refund";
const EXECUTE: &str = "execute";

/// The attempts at one provider.
#[derive(Clone)]
pub struct Attempts {
    db: Db,
    clock: Clock,
    provider: &'static str,
}

/// A refund that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct RefundAttempt {
    pub key: String,
    pub amount: i64,
    known: String,
    /// The provider's id of the refund; empty while it is not known whether it was made.
    pub reference: String,
    tried_at: Timestamp,
}

impl RefundAttempt {
    /// Whether the refund with this id was there before the first attempt.
    pub fn knew(&self, reference: &str) -> bool {
        self.known.split(' ').any(|known| known == reference)
    }
}

/// What holds when a refund is to be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It was not tried before.
    First,
    /// It was tried before, and its outcome is not known.
    Again(RefundAttempt),
}

const COLUMNS: &str = "key, amount, known, reference, tried_at from provider_attempts";

impl Attempts {
    pub fn new(provider: &'static str, db: &Db, clock: &Clock) -> Self {
        Self { db: db.clone(), clock: clock.clone(), provider }
    }

    /// The refunds of a session that were asked for.
    pub async fn refunds(&self, session: &str) -> GatewayResult<Vec<RefundAttempt>> {
        let sql = format!(
            "select {COLUMNS} where provider = $1 and session = $2 and verb = $3 order by tried_at, key"
        );
        let query = self.db.query(sql).bind(self.provider).bind(session).bind(REFUND);
        query.all().await.map_err(unavailable)
    }

    /// Claims a refund for this server. `known` are the ids of the refunds that there are.
    pub async fn begin_refund<'k>(
        &self,
        key: &str,
        session: &str,
        amount: i64,
        known: impl IntoIterator<Item = &'k str>,
    ) -> GatewayResult<Begun> {
        let now = self.clock.now();
        let known: BTreeSet<&str> = known.into_iter().collect();
        let sql = "insert into provider_attempts
                     (provider, key, verb, session, amount, known, reference, code, tried_at)
                   values ($1, $2, $3, $4, $5, $6, '', '', $7)
                   on conflict (provider, key) do nothing";
        let inserted = self
            .db
            .query(sql)
            .bind(self.provider)
            .bind(key)
            .bind(REFUND)
            .bind(session)
            .bind(amount)
            .bind(Vec::from_iter(known).join(" "))
            .bind(now)
            .execute()
            .await
            .map_err(unavailable)?;
        if inserted == 1 {
            return Ok(Begun::First);
        }
        let sql = "update provider_attempts set tried_at = $3
                   where provider = $1 and key = $2 and session = $5 and tried_at <= $4";
        let claimed = self
            .db
            .query(sql)
            .bind(self.provider)
            .bind(key)
            .bind(now)
            .bind(now.minus(MIN_PAUSE))
            .bind(session)
            .execute()
            .await
            .map_err(unavailable)?;
        let attempt = self.find(key).await?.filter(|_| claimed == 1);
        attempt.map(Begun::Again).ok_or_else(|| {
            let why = "the refund was tried a moment ago, and may be under way";
            GatewayError::Unavailable(why.to_owned())
        })
    }

    pub async fn find(&self, key: &str) -> GatewayResult<Option<RefundAttempt>> {
        let sql = format!("select {COLUMNS} where provider = $1 and key = $2 and verb = $3");
        let query = self.db.query(sql).bind(self.provider).bind(key).bind(REFUND);
        query.optional().await.map_err(unavailable)
    }

    /// The refund was made.
    pub async fn finish(&self, key: &str, reference: &str) -> GatewayResult<()> {
        let sql = "update provider_attempts set reference = $3 where provider = $1 and key = $2";
        let query = self.db.query(sql).bind(self.provider).bind(key).bind(reference);
        query.execute().await.map(drop).map_err(unavailable)
    }

    /// The refund was not made.
    pub async fn forget(&self, key: &str) -> GatewayResult<()> {
        let sql =
            "delete from provider_attempts where provider = $1 and key = $2 and reference = ''";
        let query = self.db.query(sql).bind(self.provider).bind(key);
        query.execute().await.map(drop).map_err(unavailable)
    }

    /// The provider has refused to execute a session, which cannot be executed a second time.
    pub async fn refuse_execution(&self, session: &str, code: &str) -> GatewayResult<()> {
        let sql = "insert into provider_attempts
                     (provider, key, verb, session, amount, known, reference, code, tried_at)
                   values ($1, $2, $3, $2, 0, '', '', $4, $5)
                   on conflict (provider, key) do nothing";
        let query = self.db.query(sql).bind(self.provider).bind(session).bind(EXECUTE);
        let query = query.bind(code).bind(self.clock.now());
        query.execute().await.map(drop).map_err(unavailable)
    }

    /// Why the execution of a session was refused.
    pub async fn refused_execution(&self, session: &str) -> GatewayResult<Option<String>> {
        let sql =
            "select code from provider_attempts where provider = $1 and key = $2 and verb = $3";
        let query = self.db.query(sql).bind(self.provider).bind(session).bind(EXECUTE);
        let found: Option<(String,)> = query.optional().await.map_err(unavailable)?;
        Ok(found.map(|(code,)| code))
    }
}

/// Without the database it is not known what was asked before.
pub fn unavailable(why: platform::Error) -> GatewayError {
    GatewayError::Unavailable(format!("the database: {why}"))
}

#[cfg(test)]
mod tests {
    use test_support::TestDb;

    use super::*;

    test_support::on_both!(TestDb:
        a_refund_is_claimed_by_one_server_at_a_time,
        a_refused_execution_is_remembered,
    );

    async fn a_refund_is_claimed_by_one_server_at_a_time(given: TestDb) {
        let one = Attempts::new("test", &given.db, &given.clock);
        let other = one.clone();
        let begin = |server: &Attempts, known: &'static [&'static str]| {
            let server = server.clone();
            async move { server.begin_refund("key", "session", 500, known.iter().copied()).await }
        };
        let both = tokio::join!(begin(&one, &["a", "b"]), begin(&other, &["a", "b"]));
        let firsts = [&both.0, &both.1].into_iter().filter(|one| **one == Ok(Begun::First));
        assert_eq!(firsts.count(), 1, "{both:?}");
        assert!(both.0.is_err() || both.1.is_err());
        assert!(matches!(begin(&one, &[]).await, Err(GatewayError::Unavailable(_))));

        given.clock.advance(MIN_PAUSE);
        let both = tokio::join!(begin(&one, &["c"]), begin(&other, &["c"]));
        let again = match both {
            (Ok(Begun::Again(again)), Err(_)) | (Err(_), Ok(Begun::Again(again))) => again,
            other => panic!("{other:?}"),
        };
        // What was known at first.
        assert!(again.knew("a") && again.knew("b") && !again.knew("c") && !again.knew(""));
        assert_eq!(again.amount, 500);

        // Another payment's refund cannot have the same key.
        given.clock.advance(MIN_PAUSE);
        assert!(one.begin_refund("key", "other session", 500, []).await.is_err());

        one.finish("key", "refund").await.unwrap();
        one.forget("key").await.unwrap();
        assert_eq!(other.find("key").await.unwrap().unwrap().reference, "refund");
        assert_eq!(other.refunds("session").await.unwrap().len(), 1);
        assert_eq!(other.refunds("other session").await.unwrap(), []);
        let elsewhere = Attempts::new("elsewhere", &given.db, &given.clock);
        assert_eq!(elsewhere.find("key").await.unwrap(), None);
    }

    async fn a_refused_execution_is_remembered(given: TestDb) {
        let attempts = Attempts::new("test", &given.db, &given.clock);
        assert_eq!(attempts.refused_execution("session").await.unwrap(), None);
        attempts.refuse_execution("session", "2023").await.unwrap();
        attempts.refuse_execution("session", "2117").await.unwrap();
        assert_eq!(attempts.refused_execution("session").await.unwrap().as_deref(), Some("2023"));
        assert_eq!(attempts.refunds("session").await.unwrap(), []);
    }
}

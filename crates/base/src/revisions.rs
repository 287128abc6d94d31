//! What changed, and when: each thing that a page can show has a revision, moved in the transaction
//! that changes it. `Revisions` follows them all, from this process or another, so that kept pages
//! are dropped by what they show and by nothing else (decision 003).

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::watch;

use crate::db::Value;
use crate::{Db, Result, Tx};

/// How long a change made elsewhere may go unseen.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// How many are moved by one statement.
const MOVED_TOGETHER: usize = 500;

/// What a revision is of: `catalog`, `category/audio`, `product/oak-lamp`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scope(Box<str>);

impl Scope {
    pub fn whole(name: &str) -> Self {
        Self(name.into())
    }

    pub fn of(name: &str, id: &str) -> Self {
        Self(format!("{name}/{id}").into())
    }
}

/// Makes whoever does the same wait until this transaction ends. Whoever writes many rows calls it
/// first: two that write the same rows in another order would each wait for the other. It is another
/// lock than that of `changed`, which orders take last, with their goods in hand.
pub async fn queue(tx: &mut Tx) -> Result<()> {
    tx.query(
        "insert into revisions (scope, revision) values ('queue', 0)
         on conflict (scope) do update set revision = 0",
    )
    .execute()
    .await
    .map(drop)
}

/// Moves the revisions of `scopes`. Call it last in a transaction: it takes the one lock that makes
/// changes line up, so that nobody who follows them can see a later one and miss an earlier.
pub async fn changed(tx: &mut Tx, scopes: impl IntoIterator<Item = Scope>) -> Result<()> {
    let (revision,): (i64,) = tx
        .query("update revisions set revision = revision + 1 where scope = '' returning revision")
        .one()
        .await?;
    // Each once, and not one question for each: an import moves many.
    let scopes: BTreeSet<Scope> = scopes.into_iter().collect();
    let scopes: Vec<Scope> = scopes.into_iter().collect();
    for some in scopes.chunks(MOVED_TOGETHER) {
        let rows: Vec<String> = (0..some.len()).map(|row| format!("(${}, $1)", row + 2)).collect();
        let sql = format!(
            "insert into revisions (scope, revision) values {}
             on conflict (scope) do update set revision = excluded.revision",
            rows.join(", ")
        );
        let names = some.iter().map(|scope| Value::from(&*scope.0));
        tx.query(sql).bind(revision).bind_all(names).execute().await?;
    }
    Ok(())
}

/// The revisions as last seen. Cheap to clone, cheap to ask.
#[derive(Clone)]
pub struct Revisions(Arc<Seen>);

struct Seen {
    latest: watch::Sender<i64>,
    /// Only what changed since the start: what is not here has not changed since.
    scopes: RwLock<HashMap<Scope, i64>>,
}

impl Revisions {
    pub async fn start(db: &Db) -> Result<Self> {
        let (latest,): (i64,) =
            db.query("select revision from revisions where scope = ''").one().await?;
        Ok(Self(Arc::new(Seen { latest: watch::Sender::new(latest), scopes: RwLock::default() })))
    }

    /// The newest revision of anything.
    pub fn latest(&self) -> i64 {
        *self.0.latest.borrow()
    }

    /// Wakes whoever follows them when something new is seen.
    pub fn watch(&self) -> watch::Receiver<i64> {
        self.0.latest.subscribe()
    }

    /// Whether any of `scopes` was seen to change after `revision`.
    pub fn moved_since(&self, revision: i64, scopes: &[Scope]) -> bool {
        let seen = self.0.scopes.read().unwrap_or_else(PoisonError::into_inner);
        scopes.iter().any(|scope| seen.get(scope).is_some_and(|moved| *moved > revision))
    }

    /// Takes in what changed since the last look.
    pub async fn look(&self, db: &Db) -> Result<()> {
        let rows: Vec<(String, i64)> = db
            .query("select scope, revision from revisions where revision > $1 order by revision")
            .bind(self.latest())
            .all()
            .await?;
        let Some(&(_, latest)) = rows.last() else { return Ok(()) };
        let rows = rows.into_iter().map(|(scope, revision)| (Scope(scope.into()), revision));
        self.0.scopes.write().unwrap_or_else(PoisonError::into_inner).extend(rows);
        self.0.latest.send_replace(latest);
        Ok(())
    }

    /// Follows the database for as long as the program runs.
    pub async fn follow(self, db: Db) {
        let mut every = tokio::time::interval(LOOK_EVERY);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            every.tick().await;
            if let Err(why) = self.look(&db).await {
                tracing::warn!(%why, "could not look for changes");
            }
        }
    }
}

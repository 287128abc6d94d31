//! Cache invalidation by tags: each thing that a page can show has a tag with a revision number, which
//! is bumped in the transaction that changes it. `Revisions` polls the database, so that a change by any
//! process invalidates the cache entries that depend on it and no others (decision 003).

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::watch;

use crate::db::SqlValue;
use crate::{Db, Result, Tx};

const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// How many tags one statement bumps.
const BATCH_SIZE: usize = 500;

/// What a cache entry can depend on: `catalog`, `category/audio`, `product/oak-lamp`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CacheTag(Box<str>);

impl CacheTag {
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }

    pub fn with_id(name: &str, id: &str) -> Self {
        Self(format!("{name}/{id}").into())
    }
}

/// Serializes transactions that write many rows: a lock until this one ends. They call it first, because
/// two that write the same rows in a different order would deadlock. It is not the lock of `bump`, which
/// orders take last, when they hold the locks of their products.
pub async fn lock_bulk_writes(tx: &mut Tx) -> Result<()> {
    tx.query(
        "insert into revisions (scope, revision) values ('queue', 0)
         on conflict (scope) do update set revision = 0",
    )
    .execute()
    .await
    .map(drop)
}

/// Bumps the revisions of `tags`. Call it last in a transaction: it takes a global lock, which makes
/// revisions visible in their order, so that a poll never sees a later one and misses an earlier.
pub async fn bump(tx: &mut Tx, tags: impl IntoIterator<Item = CacheTag>) -> Result<()> {
    let (revision,): (i64,) = tx
        .query("update revisions set revision = revision + 1 where scope = '' returning revision")
        .one()
        .await?;
    // Without duplicates, and in batches: an import bumps many.
    let tags: BTreeSet<CacheTag> = tags.into_iter().collect();
    let tags: Vec<CacheTag> = tags.into_iter().collect();
    for batch in tags.chunks(BATCH_SIZE) {
        let rows: Vec<String> = (0..batch.len()).map(|row| format!("(${}, $1)", row + 2)).collect();
        let sql = format!(
            "insert into revisions (scope, revision) values {}
             on conflict (scope) do update set revision = excluded.revision",
            rows.join(", ")
        );
        let names = batch.iter().map(|tag| SqlValue::from(&*tag.0));
        tx.query(sql).bind(revision).bind_all(names).execute().await?;
    }
    Ok(())
}

/// The revisions as of the last poll. Cheap to clone.
#[derive(Clone)]
pub struct Revisions(Arc<Polled>);

struct Polled {
    latest: watch::Sender<i64>,
    /// Only tags that changed since the start of the program.
    tags: RwLock<HashMap<CacheTag, i64>>,
}

impl Revisions {
    pub async fn load(db: &Db) -> Result<Self> {
        let (latest,): (i64,) =
            db.query("select revision from revisions where scope = ''").one().await?;
        Ok(Self(Arc::new(Polled { latest: watch::Sender::new(latest), tags: RwLock::default() })))
    }

    /// The newest revision of any tag.
    pub fn latest(&self) -> i64 {
        *self.0.latest.borrow()
    }

    /// Notifies about new revisions.
    pub fn subscribe(&self) -> watch::Receiver<i64> {
        self.0.latest.subscribe()
    }

    /// Whether any of `tags` was bumped after `revision`.
    pub fn changed_since(&self, revision: i64, tags: &[CacheTag]) -> bool {
        let seen = self.0.tags.read().unwrap_or_else(PoisonError::into_inner);
        tags.iter().any(|tag| seen.get(tag).is_some_and(|bumped| *bumped > revision))
    }

    /// Reads the changes since the last poll.
    pub async fn poll(&self, db: &Db) -> Result<()> {
        let rows: Vec<(String, i64)> = db
            .query("select scope, revision from revisions where revision > $1 order by revision")
            .bind(self.latest())
            .all()
            .await?;
        let Some(&(_, latest)) = rows.last() else { return Ok(()) };
        let rows = rows.into_iter().map(|(tag, revision)| (CacheTag(tag.into()), revision));
        self.0.tags.write().unwrap_or_else(PoisonError::into_inner).extend(rows);
        self.0.latest.send_replace(latest);
        Ok(())
    }

    pub async fn poll_forever(self, db: Db) {
        let mut every = tokio::time::interval(POLL_INTERVAL);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            every.tick().await;
            if let Err(why) = self.poll(&db).await {
                tracing::warn!(%why, "could not poll for revisions");
            }
        }
    }
}

/// A value of the database that is kept in memory until its tag is bumped. Cheap to clone.
#[derive(Clone)]
pub struct CachedValue<T> {
    revisions: Revisions,
    tag: CacheTag,
    /// With the newest revision before it was loaded.
    loaded: Arc<RwLock<Option<(i64, T)>>>,
}

impl<T: Clone> CachedValue<T> {
    pub fn new(revisions: Revisions, tag: CacheTag) -> Self {
        Self { revisions, tag, loaded: Arc::default() }
    }

    pub async fn get(&self, load: impl Future<Output = Result<T>>) -> Result<T> {
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner).clone();
        match loaded {
            Some((revision, value))
                if !self.revisions.changed_since(revision, std::slice::from_ref(&self.tag)) =>
            {
                Ok(value)
            }
            _ => self.reload(load).await,
        }
    }

    /// Loads it although no bump is known yet.
    pub async fn reload(&self, load: impl Future<Output = Result<T>>) -> Result<T> {
        let revision = self.revisions.latest();
        let value = load.await?;
        let loaded = Some((revision, value.clone()));
        *self.loaded.write().unwrap_or_else(PoisonError::into_inner) = loaded;
        Ok(value)
    }
}

//! Work to be done after a change, written in the transaction that causes it: it happens if and only
//! if the change did. At least once, by one worker at a time, retried with growing patience, and
//! moved aside after the last try.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::task::JoinHandle;
use tokio::time::error::Elapsed;

use crate::db::{Value, again, one_of, write};
use crate::{Clock, Db, Error, Id, Random, Result, Timestamp, Tx};

const LOOK_EVERY: Duration = Duration::from_millis(500);
/// A worker that has not finished by then is taken for dead, and the job is free again.
const CLAIM: Duration = Duration::from_secs(120);
/// So a job is stopped well before its claim runs out.
const LONGEST: Duration = Duration::from_secs(100);
const TRIES: i64 = 10;
/// How many one worker does side by side: most of them wait for somebody else.
const AT_ONCE: i64 = 8;

pub struct Job;

/// Writes a job to be run from `run_at` on; one that waits under the same id already is enough.
pub fn enqueue<P: Serialize>(
    tx: &mut Tx,
    id: Id<Job>,
    kind: &'static str,
    payload: &P,
    run_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    tx.later(
        write(
            "insert into jobs (id, kind, payload, run_at, attempts, claimed_until, created_at)
             values ($1, $2, $3, $4, 0, 0, $5) on conflict (id) do nothing",
        )
        .bind(&id)
        .bind(kind)
        .bind(serde_json::to_string(payload)?)
        .bind(run_at)
        .bind(now),
    );
    Ok(())
}

/// How long to wait after the `attempt`-th failure: 2 s, 4 s, 8 s … at most an hour, and up to a
/// quarter more by chance, so that jobs that failed together do not come back together.
fn patience(attempt: i64, random: &Random) -> Duration {
    let seconds = 1u64 << attempt.clamp(1, 12);
    let base = Duration::from_secs(seconds.min(3600));
    base + base.mul_f64(f64::from(random.bytes::<1>()[0]) / 1024.0)
}

type Handler =
    Arc<dyn Fn(String) -> Pin<Box<dyn Future<Output = Result<()>> + Send>> + Send + Sync>;

/// Takes jobs and does them. Any number of workers, in any number of processes, share one table.
pub struct Worker {
    db: Db,
    clock: Clock,
    random: Random,
    handlers: HashMap<&'static str, Handler>,
    tally: Arc<Tally>,
}

/// What this worker has done since it started.
#[derive(Default)]
pub struct Tally {
    pub done: AtomicU64,
    pub retried: AtomicU64,
    pub failed: AtomicU64,
}

#[derive(sqlx::FromRow)]
struct Claimed {
    id: Id<Job>,
    kind: String,
    payload: String,
    attempts: i64,
    claimed_until: Timestamp,
    created_at: Timestamp,
}

impl Worker {
    pub fn new(db: Db, clock: Clock, random: Random) -> Self {
        Self { db, clock, random, handlers: HashMap::new(), tally: Arc::default() }
    }

    /// Says who does the jobs of a kind.
    pub fn on<P, F, Fut>(mut self, kind: &'static str, handle: F) -> Self
    where
        P: DeserializeOwned,
        F: Fn(P) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<()>> + Send + 'static,
    {
        let handler: Handler = Arc::new(move |payload| match serde_json::from_str(&payload) {
            Ok(payload) => Box::pin(handle(payload)),
            Err(why) => Box::pin(async move { Err(why.into()) }),
        });
        self.handlers.insert(kind, handler);
        self
    }

    pub fn tally(&self) -> Arc<Tally> {
        self.tally.clone()
    }

    /// Works for as long as the program runs.
    pub async fn run(self) {
        let mut every = tokio::time::interval(LOOK_EVERY);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            every.tick().await;
            if let Err(why) = self.run_due().await {
                tracing::warn!(%why, "could not look for jobs");
            }
        }
    }

    /// Does everything that is due, and says how many jobs it took.
    pub async fn run_due(&self) -> Result<u64> {
        let mut taken = 0;
        loop {
            let jobs = again(|| self.claim()).await?;
            if jobs.is_empty() {
                return Ok(taken);
            }
            taken += jobs.len() as u64;
            let begun: Vec<_> = jobs.into_iter().map(|job| (self.begin(&job), job)).collect();
            let mut done = Vec::new();
            for (task, job) in begun {
                if self.is_done(&job, task).await? {
                    done.push(job);
                }
            }
            self.take_away(&done).await?;
        }
    }

    /// Takes the next due jobs for this worker alone: of two that try, the second finds
    /// `claimed_until` moved and takes nothing.
    async fn claim(&self) -> Result<Vec<Claimed>> {
        if self.handlers.is_empty() {
            return Ok(Vec::new());
        }
        let now = self.clock.now();
        let kinds: Vec<String> = (0..self.handlers.len()).map(|n| format!("${}", n + 3)).collect();
        let kinds = kinds.join(", ");
        // Looked for before a write lock is asked for, which on SQLite would stop the shop's writers.
        let find = format!(
            "select id from jobs where run_at <= $1 and claimed_until <= $2 and kind in ({kinds})
             order by run_at, id limit {AT_ONCE}"
        );
        let known = || self.handlers.keys().map(|kind| Value::from(*kind));
        loop {
            let found: Vec<(Id<Job>,)> =
                self.db.query(find.clone()).bind(now).bind(now).bind_all(known()).all().await?;
            if found.is_empty() {
                return Ok(Vec::new());
            }
            let mut tx = self.db.begin().await?;
            let claimed: Vec<Claimed> = tx
                .query(format!(
                    "update jobs set claimed_until = $1, attempts = attempts + 1
                     where {} and claimed_until <= $2
                     returning id, kind, payload, attempts, claimed_until, created_at",
                    one_of("id", 3, found.len())
                ))
                .bind(now.plus(CLAIM))
                .bind(now)
                .bind_all(found.iter().map(|(id,)| Value::from(id)))
                .all()
                .await?;
            tx.commit().await?;
            if !claimed.is_empty() {
                return Ok(claimed);
            }
        }
    }

    /// On a task of its own, so that a panic is that job's failure and nothing else's.
    fn begin(&self, job: &Claimed) -> JoinHandle<Result<Result<()>, Elapsed>> {
        let handler = self.handlers[job.kind.as_str()].clone();
        tokio::spawn(tokio::time::timeout(LONGEST, handler(job.payload.clone())))
    }

    /// Waits for its end. What failed is put back, or aside.
    async fn is_done(
        &self,
        job: &Claimed,
        task: JoinHandle<Result<Result<()>, Elapsed>>,
    ) -> Result<bool> {
        let outcome = match task.await {
            Ok(Ok(done)) => done.map_err(|why| why.to_string()),
            Ok(Err(_)) => Err(format!("took longer than {} s", LONGEST.as_secs())),
            Err(why) => Err(why.to_string()),
        };
        match outcome {
            Ok(()) => {
                self.tally.done.fetch_add(1, Ordering::Relaxed);
                return Ok(true);
            }
            Err(why) if job.attempts >= TRIES => {
                tracing::error!(job = %job.id, kind = job.kind, why, "job failed for the last time");
                self.tally.failed.fetch_add(1, Ordering::Relaxed);
                self.move_aside(job, &why).await?;
            }
            Err(why) => {
                tracing::warn!(job = %job.id, kind = job.kind, attempt = job.attempts, why, "job failed");
                self.tally.retried.fetch_add(1, Ordering::Relaxed);
                self.try_later(job, &why).await?;
            }
        }
        Ok(false)
    }

    // Each of these touches the job only while this worker's claim still stands.

    async fn take_away(&self, jobs: &[Claimed]) -> Result<()> {
        let Some(Claimed { claimed_until, .. }) = jobs.first() else { return Ok(()) };
        // They were claimed together.
        let ids = one_of("id", 2, jobs.len());
        self.db
            .query(format!("delete from jobs where claimed_until = $1 and {ids}"))
            .bind(*claimed_until)
            .bind_all(jobs.iter().map(|job| Value::from(&job.id)))
            .execute()
            .await
            .map(drop)
    }

    async fn try_later(&self, job: &Claimed, why: &str) -> Result<()> {
        let run_at = self.clock.now().plus(patience(job.attempts, &self.random));
        self.db
            .query(
                "update jobs set claimed_until = 0, run_at = $1, last_error = $2
                 where id = $3 and claimed_until = $4",
            )
            .bind(run_at)
            .bind(why)
            .bind(&job.id)
            .bind(job.claimed_until)
            .execute()
            .await
            .map(drop)
    }

    async fn move_aside(&self, job: &Claimed, why: &str) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let gone = tx
            .query("delete from jobs where id = $1 and claimed_until = $2")
            .bind(&job.id)
            .bind(job.claimed_until)
            .execute()
            .await?;
        if gone == 1 {
            tx.query(
                "insert into failed_jobs (id, kind, payload, attempts, last_error, created_at, failed_at)
                 values ($1, $2, $3, $4, $5, $6, $7)",
            )
            .bind(&job.id)
            .bind(job.kind.as_str())
            .bind(job.payload.as_str())
            .bind(job.attempts)
            .bind(why)
            .bind(job.created_at)
            .bind(self.clock.now())
            .execute()
            .await?;
        }
        tx.commit().await
    }
}

/// How many jobs wait, and how many were moved aside.
pub async fn depth(db: &Db) -> Result<(i64, i64)> {
    db.query("select (select count(*) from jobs), (select count(*) from failed_jobs)").one().await
}

impl From<tokio::task::JoinError> for Error {
    fn from(why: tokio::task::JoinError) -> Self {
        Self::Internal(why.into())
    }
}

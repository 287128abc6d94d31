//! The job queue: work to be done after a change, inserted in the transaction that causes it. A job runs
//! at least once, on one worker at a time, is retried with exponential backoff, and is moved to
//! `failed_jobs` after the last attempt.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::error::Elapsed;

use crate::db::{Statement, Value, in_list, retry_on_conflict, statement};
use crate::{Clock, Db, Error, Id, Random, Result, Timestamp, Tx};

const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// After this the worker counts as dead, and another one may claim the job.
const CLAIM_DURATION: Duration = Duration::from_secs(120);
/// Less than the claim, so that a job never runs twice at the same time.
const JOB_TIMEOUT: Duration = Duration::from_secs(100);
const MAX_ATTEMPTS: i64 = 10;
/// How many jobs a worker runs concurrently: most of them wait for other servers.
const BATCH_SIZE: usize = 8;
const SCAN_PAGE: i64 = 64;
/// How long a stopping worker waits for its running jobs.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(20);

pub struct Job;

/// Which of the due jobs run first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// Somebody waits for it: a code, a sign-in link.
    High = 0,
    Normal = 1,
}

/// Inserts a job to be run at `run_at` or later, unless one with the same id is queued.
pub fn enqueue<P: Serialize>(
    tx: &mut Tx,
    id: Id<Job>,
    kind: &'static str,
    payload: &P,
    run_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    tx.defer(insert(id, kind, payload, Priority::Normal, run_at, now)?);
    Ok(())
}

/// The statement that inserts a job.
pub(crate) fn insert<P: Serialize>(
    id: Id<Job>,
    kind: &'static str,
    payload: &P,
    priority: Priority,
    run_at: Timestamp,
    now: Timestamp,
) -> Result<Statement> {
    let insert = statement(
        "insert into jobs (id, kind, payload, priority, run_at, attempts, claimed_until, created_at)
         values ($1, $2, $3, $4, $5, 0, 0, $6) on conflict (id) do nothing",
    );
    Ok(insert
        .bind(&id)
        .bind(kind)
        .bind(serde_json::to_string(payload)?)
        .bind(priority as i64)
        .bind(run_at)
        .bind(now))
}

/// How long to wait after the `attempt`-th failure: 2 s, 4 s, 8 s … at most an hour, plus up to a quarter
/// of random jitter, so that jobs that failed together are not retried together.
fn backoff(attempt: i64, random: &Random) -> Duration {
    let seconds = 1u64 << attempt.clamp(1, 12);
    let delay = Duration::from_secs(seconds.min(3600));
    delay + delay.mul_f64(f64::from(random.bytes::<1>()[0]) / 1024.0)
}

/// What a handler returns.
#[derive(Default)]
pub struct Completion {
    /// Executed in the transaction that deletes the job.
    statement: Option<Statement>,
    /// Dropped after that transaction.
    guard: Option<Box<dyn Send>>,
    dropped: bool,
}

impl Completion {
    pub fn with_guard(guard: impl Send + 'static) -> Self {
        Self { guard: Some(Box::new(guard)), ..Self::default() }
    }

    /// For a job that must not be done: it is deleted, and counted separately.
    pub fn dropped() -> Self {
        Self { dropped: true, ..Self::default() }
    }
}

impl From<()> for Completion {
    fn from((): ()) -> Self {
        Self::default()
    }
}

impl From<Statement> for Completion {
    fn from(statement: Statement) -> Self {
        Self { statement: Some(statement), ..Self::default() }
    }
}

type Handler =
    Arc<dyn Fn(String) -> Pin<Box<dyn Future<Output = Result<Completion>> + Send>> + Send + Sync>;

type Task = JoinHandle<Result<Result<Completion>, Elapsed>>;

/// Claims jobs and runs them. Any number of workers, in any number of processes, share one table.
pub struct Worker {
    db: Db,
    clock: Clock,
    random: Random,
    handlers: HashMap<&'static str, Handler>,
    counters: Arc<JobCounters>,
    /// Marks the jobs that it has claimed.
    name: String,
}

pub struct RunningWorker {
    task: JoinHandle<()>,
    stop: watch::Sender<()>,
}

/// Jobs of this worker since it started, for metrics.
#[derive(Default)]
pub struct JobCounters {
    pub done: AtomicU64,
    pub retried: AtomicU64,
    pub failed: AtomicU64,
    /// Not done on purpose: e-mails over the rate limit of their mailbox.
    pub dropped: AtomicU64,
}

#[derive(Default)]
struct Batch {
    jobs: u64,
    /// How long the queries of the queue took.
    database_time: Duration,
}

#[derive(sqlx::FromRow)]
struct ClaimedJob {
    id: Id<Job>,
    kind: String,
    payload: String,
    attempts: i64,
    claimed_until: Timestamp,
    created_at: Timestamp,
}

impl Worker {
    pub fn new(db: Db, clock: Clock, random: Random) -> Self {
        Self {
            db,
            clock,
            random,
            handlers: HashMap::new(),
            counters: Arc::default(),
            name: String::new(),
        }
    }

    /// Claims jobs under the lease's name, so that its next holder can release them after a crash.
    pub fn with_lease(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// Registers the handler of a kind of jobs.
    pub fn on<P, F, Fut, D>(mut self, kind: &'static str, handle: F) -> Self
    where
        P: DeserializeOwned,
        F: Fn(P) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<D>> + Send + 'static,
        D: Into<Completion>,
    {
        let handler: Handler = Arc::new(move |payload| match serde_json::from_str(&payload) {
            Ok(payload) => {
                let work = handle(payload);
                Box::pin(async move { work.await.map(Into::into) })
            }
            Err(why) => Box::pin(async move { Err(why.into()) }),
        });
        self.handlers.insert(kind, handler);
        self
    }

    pub fn counters(&self) -> Arc<JobCounters> {
        self.counters.clone()
    }

    /// Runs until `shut_down`.
    pub fn start(self) -> RunningWorker {
        let (stop, mut stopped) = watch::channel(());
        let task = tokio::spawn(async move {
            let mut every = tokio::time::interval(POLL_INTERVAL);
            every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    _ = every.tick() => {}
                    _ = stopped.changed() => return,
                }
                let mut more = true;
                while more && stopped.has_changed().is_ok() {
                    let batch = self.process_batch().await.unwrap_or_else(|why| {
                        tracing::warn!(%why, "could not claim jobs");
                        Batch::default()
                    });
                    more = batch.jobs > 0;
                    // Requests come first: the slower the database is, the longer the worker pauses.
                    tokio::time::sleep(batch.database_time).await;
                }
            }
        });
        RunningWorker { task, stop }
    }

    /// Runs every due job, and answers how many there were.
    pub async fn run_due(&self) -> Result<u64> {
        let mut total = 0;
        loop {
            match self.process_batch().await?.jobs {
                0 => return Ok(total),
                jobs => total += jobs,
            }
        }
    }

    async fn process_batch(&self) -> Result<Batch> {
        let started = Instant::now();
        let jobs = retry_on_conflict(|| self.claim()).await?;
        let mut batch = Batch { jobs: jobs.len() as u64, database_time: started.elapsed() };
        let running: Vec<_> = jobs.into_iter().map(|job| (self.spawn(&job), job)).collect();
        let mut all = Vec::new();
        for (task, job) in running {
            match self.finish_job(&job, task).await {
                Ok(done) => all.extend(done.map(|done| (job, done))),
                Err(why) => tracing::warn!(job = %job.id, %why, "could not reschedule a job"),
            }
        }
        let started = Instant::now();
        self.delete_done(all).await?;
        batch.database_time += started.elapsed();
        Ok(batch)
    }

    /// Claims the next due jobs. Of two workers that try, the second finds `claimed_until` changed and
    /// claims nothing.
    async fn claim(&self) -> Result<Vec<ClaimedJob>> {
        let now = self.clock.now();
        loop {
            // Read before the transaction begins, which on SQLite would block all other writers.
            let found = self.find_due(now).await?;
            if found.is_empty() {
                return Ok(Vec::new());
            }
            let mut tx = self.db.begin().await?;
            let claimed: Vec<ClaimedJob> = tx
                .query(format!(
                    "update jobs set claimed_until = $1, claimed_by = $3, attempts = attempts + 1
                     where {} and claimed_until <= $2
                     returning id, kind, payload, attempts, claimed_until, created_at",
                    in_list("id", 4, found.len())
                ))
                .bind(now.plus(CLAIM_DURATION))
                .bind(now)
                .bind(self.name.as_str())
                .bind_all(found.iter().map(Value::from))
                .all()
                .await?;
            tx.commit().await?;
            if !claimed.is_empty() {
                return Ok(claimed);
            }
        }
    }

    /// The next due, unclaimed jobs of known kinds. Read in index order and filtered here: with these
    /// conditions in SQL, both databases would scan and sort the whole queue.
    async fn find_due(&self, now: Timestamp) -> Result<Vec<Id<Job>>> {
        let (mut found, mut skipped) = (Vec::new(), 0);
        loop {
            let due: Vec<(Id<Job>, String, Timestamp)> = self
                .db
                .query(format!(
                    "select id, kind, claimed_until from jobs where run_at <= $1
                     order by priority, run_at limit {SCAN_PAGE} offset $2"
                ))
                .bind(now)
                .bind(skipped)
                .all()
                .await?;
            let scanned = due.len() as i64;
            let free = due.into_iter().filter(|(_, kind, claimed_until)| {
                *claimed_until <= now && self.handlers.contains_key(kind.as_str())
            });
            found.extend(free.map(|(id, ..)| id).take(BATCH_SIZE - found.len()));
            if found.len() == BATCH_SIZE || scanned < SCAN_PAGE {
                return Ok(found);
            }
            skipped += scanned;
        }
    }

    /// On a task of its own, so that a panic fails only this job.
    fn spawn(&self, job: &ClaimedJob) -> Task {
        let handler = self.handlers[job.kind.as_str()].clone();
        tokio::spawn(tokio::time::timeout(JOB_TIMEOUT, handler(job.payload.clone())))
    }

    /// Waits for a job; after a failure it is rescheduled or moved to `failed_jobs`.
    async fn finish_job(&self, job: &ClaimedJob, task: Task) -> Result<Option<Completion>> {
        let outcome = match task.await {
            Ok(Ok(done)) => done.map_err(|why| why.to_string()),
            Ok(Err(_)) => Err(format!("took longer than {} s", JOB_TIMEOUT.as_secs())),
            Err(why) => Err(why.to_string()),
        };
        match outcome {
            Ok(done) => {
                let count = if done.dropped { &self.counters.dropped } else { &self.counters.done };
                count.fetch_add(1, Ordering::Relaxed);
                return Ok(Some(done));
            }
            Err(why) if job.attempts >= MAX_ATTEMPTS => {
                tracing::error!(job = %job.id, kind = job.kind, why, "job failed for the last time");
                self.counters.failed.fetch_add(1, Ordering::Relaxed);
                self.move_to_failed(job, &why).await?;
            }
            Err(why) => {
                tracing::warn!(job = %job.id, kind = job.kind, attempt = job.attempts, why, "job failed");
                self.counters.retried.fetch_add(1, Ordering::Relaxed);
                self.schedule_retry(job, &why).await?;
            }
        }
        Ok(None)
    }

    // Each of these changes the job only while this worker's claim is valid.

    async fn delete_done(&self, done: Vec<(ClaimedJob, Completion)>) -> Result<()> {
        let (mut ids, mut statements, mut guards) = (Vec::new(), Vec::new(), Vec::new());
        // All were claimed in one statement.
        let Some(claimed_until) = done.first().map(|(job, _)| job.claimed_until) else {
            return Ok(());
        };
        for (job, done) in done {
            ids.push(job.id);
            statements.extend(done.statement);
            guards.extend(done.guard);
        }
        let delete = statement(format!(
            "delete from jobs where claimed_until = $1 and {}",
            in_list("id", 2, ids.len())
        ));
        statements.push(delete.bind(claimed_until).bind_all(ids.iter().map(Value::from)));
        let deleted = async {
            let mut tx = self.db.begin().await?;
            statements.into_iter().for_each(|statement| tx.defer(statement));
            tx.commit().await
        };
        deleted.await.inspect_err(|_| {
            // They will run again. The guards hold the only record that they are done already, so they
            // must not be dropped.
            guards.drain(..).for_each(std::mem::forget);
        })
    }

    async fn schedule_retry(&self, job: &ClaimedJob, why: &str) -> Result<()> {
        let run_at = self.clock.now().plus(backoff(job.attempts, &self.random));
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

    async fn move_to_failed(&self, job: &ClaimedJob, why: &str) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let deleted = tx
            .query("delete from jobs where id = $1 and claimed_until = $2")
            .bind(&job.id)
            .bind(job.claimed_until)
            .execute()
            .await?;
        if deleted == 1 {
            insert_failed(&mut tx, job, why, self.clock.now()).await?;
        }
        tx.commit().await
    }
}

impl RunningWorker {
    /// Waits for running jobs, and claims no new ones.
    pub async fn shut_down(self) {
        drop(self.stop);
        if tokio::time::timeout(SHUTDOWN_TIMEOUT, self.task).await.is_err() {
            tracing::warn!("some jobs did not finish in time; they will be retried");
        }
    }
}

async fn insert_failed(tx: &mut Tx, job: &ClaimedJob, why: &str, now: Timestamp) -> Result<()> {
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
    .bind(now)
    .execute()
    .await
    .map(drop)
}

// Recovery of the jobs that a crashed process had claimed under its lease.

/// Deletes jobs that were done before the crash.
pub(crate) async fn delete_completed(db: &Db, worker: &str, ids: &[String]) -> Result<()> {
    db.query(format!("delete from jobs where claimed_by = $1 and {}", in_list("id", 2, ids.len())))
        .bind(worker)
        .bind_all(ids.iter().map(|id| Value::from(id.as_str())))
        .execute()
        .await
        .map(drop)
}

/// Moves jobs to `failed_jobs` that may have been done and must not be done twice.
pub(crate) async fn fail_uncertain(
    db: &Db,
    clock: &Clock,
    worker: &str,
    ids: &[String],
    why: &str,
) -> Result<()> {
    let mut tx = db.begin().await?;
    let jobs: Vec<ClaimedJob> = tx
        .query(format!(
            "delete from jobs where claimed_by = $1 and {}
             returning id, kind, payload, attempts, claimed_until, created_at",
            in_list("id", 2, ids.len())
        ))
        .bind(worker)
        .bind_all(ids.iter().map(|id| Value::from(id.as_str())))
        .all()
        .await?;
    for job in &jobs {
        tracing::warn!(job = %job.id, kind = job.kind, why, "moved to failed_jobs");
        insert_failed(&mut tx, job, why, clock.now()).await?;
    }
    tx.commit().await
}

/// Releases the claims on all other jobs, so that they need not expire.
pub async fn release_claims(db: &Db, worker: &str) -> Result<()> {
    db.query("update jobs set claimed_until = 0 where claimed_by = $1 and claimed_until > 0")
        .bind(worker)
        .execute()
        .await
        .map(drop)
}

pub async fn delete_failed_jobs(db: &Db, before: Timestamp) -> Result<()> {
    db.query("delete from failed_jobs where failed_at < $1").bind(before).execute().await.map(drop)
}

/// How many jobs are queued, and how many have failed.
pub async fn queue_depth(db: &Db) -> Result<(i64, i64)> {
    db.query("select (select count(*) from jobs), (select count(*) from failed_jobs)").one().await
}

impl From<tokio::task::JoinError> for Error {
    fn from(why: tokio::task::JoinError) -> Self {
        Self::Internal(why.into())
    }
}

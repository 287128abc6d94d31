//! The job queue: work to be done after a change, inserted in the transaction that causes it. A kind of job
//! is a type (`Job`), stored as JSON. A job runs at least once, in a slot of its queue; it is retried with
//! exponential backoff, and moved to `failed_jobs` after the last attempt. The only module that writes
//! `jobs`, `failed_jobs` and `periodic_tasks`.

mod admin;
mod periodic;
mod worker;

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use admin::{JobDetails, delete_failed, discard, discard_kind, find, list, queue_depth, retry};
pub use periodic::PeriodicTask;
pub use worker::{JobCounters, RunningWorker, Worker};

use crate::db::{Statement, statement};
use crate::{Id, Random, Result, Timestamp, Tx};

/// A kind of job: the fields are what the row stores, and `run` does the work.
pub trait Job: Serialize + DeserializeOwned + Send + 'static {
    /// In the rows: it must not change while some are queued.
    const NAME: &'static str;
    const QUEUE: Queue = Queue::DEFAULT;
    const RETRY: Retry = Retry { attempts: 10 };
    /// What `run` needs beside the job itself.
    type Context: Send + Sync + 'static;

    fn priority(&self) -> Priority {
        Priority::Normal
    }

    /// Runs again with the same id after a failure or a crash, so a second run must do no harm.
    fn run(
        self,
        id: JobId,
        context: &Self::Context,
    ) -> impl Future<Output = Result<Completion>> + Send;
}

pub type JobId = Id<QueuedJob>;

/// Names the type of a job's id.
pub struct QueuedJob;

/// Jobs of different queues do not wait for each other: what calls another server has its own queue.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    pub name: &'static str,
    /// How many of its jobs a worker runs at the same time.
    pub slots: usize,
}

impl Queue {
    pub const DEFAULT: Self = Self { name: "default", slots: 4 };
}

/// How often a job is tried before it is moved to `failed_jobs`.
#[derive(Clone, Copy, Debug)]
pub struct Retry {
    pub attempts: i64,
}

impl Retry {
    /// How long to wait after the `attempt`-th failure: 2 s, 4 s, 8 s … at most an hour, plus up to a quarter
    /// of random jitter, so that jobs that failed together are not retried together.
    fn backoff(attempt: i64, random: &Random) -> Duration {
        let seconds = 1u64 << attempt.clamp(1, 12);
        let delay = Duration::from_secs(seconds.min(3600));
        delay + delay.mul_f64(f64::from(random.bytes::<1>()[0]) / 1024.0)
    }
}

/// Which of a queue's due jobs run first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// Somebody waits for it: a code, a sign-in link.
    High = 0,
    Normal = 1,
}

/// What `Job::run` returns.
pub enum Completion {
    Done,
    /// Done by this statement, in the transaction that deletes the job.
    Write(Statement),
    /// Not done on purpose: the job is deleted, and counted separately.
    Dropped,
}

impl From<()> for Completion {
    fn from((): ()) -> Self {
        Self::Done
    }
}

/// Inserts a job to be run at `run_at` or later, unless one with the same id is queued.
pub fn enqueue<J: Job>(
    tx: &mut Tx,
    id: JobId,
    job: &J,
    run_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    tx.defer(insert(id, job, run_at, now)?);
    Ok(())
}

/// The statement that inserts a job.
pub fn insert<J: Job>(id: JobId, job: &J, run_at: Timestamp, now: Timestamp) -> Result<Statement> {
    let insert = statement(
        "insert into jobs (id, kind, payload, queue, priority, run_at, attempts, claimed_until, created_at)
         values ($1, $2, $3, $4, $5, $6, 0, 0, $7) on conflict (id) do nothing",
    );
    Ok(insert
        .bind(&id)
        .bind(J::NAME)
        .bind(serde_json::to_string(job)?)
        .bind(J::QUEUE.name)
        .bind(job.priority() as i64)
        .bind(run_at)
        .bind(now))
}

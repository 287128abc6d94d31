//! The worker: claims due jobs, runs them in the slots of their queues, and writes their outcomes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};

use super::periodic::{self, RegisteredTask};
use super::{Completion, Job, JobId, Queue, Retry};
use crate::db::{SqlValue, Statement, in_list, retry_on_conflict, statement};
use crate::{Clock, Db, Error, Random, Result, ResultFuture, Timestamp};

const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// After this the worker counts as dead, and another one may claim the job.
const CLAIM_DURATION: Duration = Duration::from_secs(120);
/// Less than the claim, so that a job never runs twice at the same time.
const JOB_TIMEOUT: Duration = Duration::from_secs(100);
const SCAN_PAGE: i64 = 64;
/// How long a stopping worker waits for its running jobs.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(20);

/// Claims jobs and runs them. Any number of workers, in any number of processes, share one table.
pub struct Worker {
    pub(super) db: Db,
    pub(super) clock: Clock,
    random: Random,
    kinds: HashMap<&'static str, RegisteredJob>,
    pub(super) periodic: Vec<RegisteredTask>,
    counters: Arc<JobCounters>,
}

struct RegisteredJob {
    queue: Queue,
    retry: Retry,
    run: RunJob,
}

/// Runs a job by its id and payload.
type RunJob = Box<dyn Fn(JobId, &str) -> ResultFuture<'static, Completion> + Send + Sync>;

/// A job that ran, with its result or the reason of its failure.
type FinishedJob = (ClaimedJob, Result<Completion, String>);

pub struct RunningWorker {
    tasks: JoinSet<()>,
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

#[derive(sqlx::FromRow)]
struct ClaimedJob {
    id: JobId,
    kind: String,
    payload: String,
    attempts: i64,
    claimed_until: Timestamp,
}

impl Worker {
    pub fn new(db: Db, clock: Clock, random: Random) -> Self {
        let (kinds, periodic) = (HashMap::new(), Vec::new());
        Self { db, clock, random, kinds, periodic, counters: Arc::default() }
    }

    /// Registers a kind of jobs.
    pub fn register<J: Job>(mut self, context: J::Context) -> Self {
        let context = Arc::new(context);
        let run = move |id: JobId, payload: &str| -> ResultFuture<'static, Completion> {
            let (job, context) = (serde_json::from_str::<J>(payload), context.clone());
            Box::pin(async move { job?.run(id, &context).await })
        };
        let job = RegisteredJob { queue: J::QUEUE, retry: J::RETRY, run: Box::new(run) };
        self.kinds.insert(J::NAME, job);
        self
    }

    pub fn counters(&self) -> Arc<JobCounters> {
        self.counters.clone()
    }

    pub fn kinds(&self) -> BTreeSet<&'static str> {
        self.kinds.keys().copied().collect()
    }

    /// The kinds of queued jobs that this worker cannot run, with their numbers: they would wait for ever.
    pub async fn unknown_kinds(&self) -> Result<Vec<(String, i64)>> {
        let sql = "select kind, count(*) from jobs group by kind order by kind";
        let mut queued: Vec<(String, i64)> = self.db.query(sql).all().await?;
        queued.retain(|(kind, _)| !self.kinds.contains_key(kind.as_str()));
        Ok(queued)
    }

    /// Runs until `shut_down`.
    pub fn start(self) -> RunningWorker {
        let (stop, stopped) = watch::channel(());
        let (worker, mut tasks) = (Arc::new(self), JoinSet::new());
        for queue in worker.queues() {
            tasks.spawn(worker.clone().run_queue(queue, stopped.clone()));
        }
        tasks.spawn(periodic::run_forever(worker, stopped));
        RunningWorker { tasks, stop }
    }

    fn queues(&self) -> Vec<Queue> {
        let by_name: BTreeMap<_, _> =
            self.kinds.values().map(|job| (job.queue.name, job.queue)).collect();
        by_name.into_values().collect()
    }

    async fn run_queue(self: Arc<Self>, queue: Queue, mut stopped: watch::Receiver<()>) {
        let (mut running, mut finished) = (JoinSet::new(), None);
        loop {
            let started = Instant::now();
            if let Some(finished) = finished {
                self.finish(finished, &mut running).await;
            }
            if stopped.has_changed().is_err() {
                break;
            }
            if let Err(why) = self.fill_slots(queue, &mut running).await {
                tracing::warn!(%why, queue = queue.name, "could not claim jobs");
            }
            // Requests come first: the slower the database is, the longer the worker pauses.
            tokio::time::sleep(started.elapsed()).await;
            finished = tokio::select! {
                Some(finished) = running.join_next() => Some(finished),
                () = tokio::time::sleep(POLL_INTERVAL) => None,
                _ = stopped.changed() => None,
            };
        }
        while let Some(finished) = running.join_next().await {
            self.finish(finished, &mut running).await;
        }
    }

    /// Runs every due job, and answers how many there were.
    pub async fn run_due(&self) -> Result<u64> {
        let (mut total, mut running) = (0, JoinSet::new());
        loop {
            let before = total;
            for queue in self.queues() {
                loop {
                    total += self.fill_slots(queue, &mut running).await?;
                    let Some(finished) = running.join_next().await else { break };
                    self.finish(finished, &mut running).await;
                }
            }
            if total == before {
                return Ok(total);
            }
        }
    }

    /// Starts as many due jobs as the queue has free slots, and answers how many.
    async fn fill_slots(&self, queue: Queue, running: &mut JoinSet<FinishedJob>) -> Result<u64> {
        let free = queue.slots.saturating_sub(running.len());
        let jobs = retry_on_conflict(|| self.claim(queue, free)).await?;
        let started = jobs.len() as u64;
        for job in jobs {
            let Some(kind) = self.kinds.get(job.kind.as_str()) else { continue };
            let run = (kind.run)(job.id.clone(), &job.payload);
            // On a task of its own, so that a panic fails only this job.
            let run = tokio::spawn(tokio::time::timeout(JOB_TIMEOUT, run));
            running.spawn(async move {
                let outcome = match run.await {
                    Ok(Ok(done)) => done.map_err(|why| why.to_string()),
                    Ok(Err(_)) => Err(format!("took longer than {} s", JOB_TIMEOUT.as_secs())),
                    Err(why) => Err(why.to_string()),
                };
                (job, outcome)
            });
        }
        Ok(started)
    }

    /// Claims the next due jobs. Of two workers that try, the second finds `claimed_until` changed and
    /// claims nothing.
    async fn claim(&self, queue: Queue, max: usize) -> Result<Vec<ClaimedJob>> {
        let now = self.clock.now();
        loop {
            // Read before the transaction begins, which on SQLite would block all other writers.
            let found = self.find_due(queue, now, max).await?;
            if found.is_empty() {
                return Ok(Vec::new());
            }
            let mut tx = self.db.begin().await?;
            let claimed: Vec<ClaimedJob> = tx
                .query(format!(
                    "update jobs set claimed_until = $1, attempts = attempts + 1
                     where {} and claimed_until <= $2
                     returning id, kind, payload, attempts, claimed_until",
                    in_list("id", 3, found.len())
                ))
                .bind(now.plus(CLAIM_DURATION))
                .bind(now)
                .bind_all(found.iter().map(SqlValue::from))
                .all()
                .await?;
            tx.commit().await?;
            if !claimed.is_empty() {
                return Ok(claimed);
            }
        }
    }

    /// The next due, unclaimed jobs of known kinds: a newer version of the program may have queued others.
    /// Read in index order and filtered here: with these conditions in SQL, both databases would scan and
    /// sort the whole queue.
    async fn find_due(&self, queue: Queue, now: Timestamp, max: usize) -> Result<Vec<JobId>> {
        let (mut found, mut skipped) = (Vec::new(), 0);
        while found.len() < max {
            let due: Vec<(JobId, String, Timestamp)> = self
                .db
                .query(format!(
                    "select id, kind, claimed_until from jobs where queue = $1 and run_at <= $2
                     order by priority, run_at limit {SCAN_PAGE} offset $3"
                ))
                .bind(queue.name)
                .bind(now)
                .bind(skipped)
                .all()
                .await?;
            let scanned = due.len() as i64;
            let free = due.into_iter().filter(|(_, kind, claimed_until)| {
                *claimed_until <= now && self.kinds.contains_key(kind.as_str())
            });
            found.extend(free.map(|(id, ..)| id).take(max - found.len()));
            if scanned < SCAN_PAGE {
                break;
            }
            skipped += scanned;
        }
        Ok(found)
    }

    /// Writes the outcomes of the jobs that have finished. If that fails they run again when their claims
    /// expire.
    async fn finish(
        &self,
        first: Result<FinishedJob, JoinError>,
        running: &mut JoinSet<FinishedJob>,
    ) {
        let others = std::iter::from_fn(|| running.try_join_next());
        let finished: Vec<FinishedJob> = [first].into_iter().chain(others).flatten().collect();
        let written = async {
            let mut tx = self.db.begin().await?;
            for (job, outcome) in finished {
                self.outcome(&job, outcome).into_iter().for_each(|statement| tx.defer(statement));
            }
            tx.commit().await
        };
        if let Err(why) = written.await {
            tracing::warn!(%why, "could not write the outcome of jobs");
        }
    }

    /// What is written of a job that ran. Its row changes only while this worker's claim is valid.
    fn outcome(&self, job: &ClaimedJob, outcome: Result<Completion, String>) -> Vec<Statement> {
        let ClaimedJob { id, kind, attempts, claimed_until, .. } = job;
        let count = |counter: &AtomicU64| counter.fetch_add(1, Ordering::Relaxed);
        let delete = statement("delete from jobs where id = $1 and claimed_until = $2");
        let delete = delete.bind(id).bind(*claimed_until);
        let max_attempts = self.kinds.get(kind.as_str()).map_or(0, |kind| kind.retry.attempts);
        match outcome {
            Ok(Completion::Dropped) => {
                count(&self.counters.dropped);
                vec![delete]
            }
            Ok(Completion::Done) => {
                count(&self.counters.done);
                vec![delete]
            }
            Ok(Completion::Write(statement)) => {
                count(&self.counters.done);
                vec![statement, delete]
            }
            Err(why) if *attempts >= max_attempts => {
                tracing::error!(job = %id, kind, why, "job failed for the last time");
                count(&self.counters.failed);
                let insert = statement(
                    "insert into failed_jobs (id, kind, payload, queue, priority, attempts, last_error,
                       created_at, failed_at)
                     select id, kind, payload, queue, priority, attempts, $3, created_at, $4 from jobs
                     where id = $1 and claimed_until = $2
                     on conflict (id) do update set payload = excluded.payload,
                       attempts = excluded.attempts, last_error = excluded.last_error,
                       failed_at = excluded.failed_at",
                );
                let now = self.clock.now();
                vec![insert.bind(id).bind(*claimed_until).bind(why).bind(now), delete]
            }
            Err(why) => {
                tracing::warn!(job = %id, kind, attempt = attempts, why, "job failed");
                count(&self.counters.retried);
                let run_at = self.clock.now().plus(Retry::backoff(*attempts, &self.random));
                let update = statement(
                    "update jobs set claimed_until = 0, run_at = $3, last_error = $4
                     where id = $1 and claimed_until = $2",
                );
                vec![update.bind(id).bind(*claimed_until).bind(run_at).bind(why)]
            }
        }
    }
}

impl RunningWorker {
    /// Waits for running jobs, and claims no new ones.
    pub async fn shut_down(mut self) {
        drop(self.stop);
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(SHUTDOWN_TIMEOUT, all).await.is_err() {
            tracing::warn!("some jobs did not finish in time; they will be retried");
        }
    }
}

impl From<JoinError> for Error {
    fn from(why: JoinError) -> Self {
        Self::Internal(why.into())
    }
}

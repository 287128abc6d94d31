//! Work to be done after a change, written in the transaction that causes it: it happens if and only
//! if the change did. At least once, by one worker at a time, retried with growing patience, and
//! moved aside after the last try.

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

use crate::db::{Value, Write, again, one_of, write};
use crate::{Clock, Db, Error, Id, Random, Result, Timestamp, Tx};

const LOOK_EVERY: Duration = Duration::from_millis(500);
/// A worker that has not finished by then is taken for dead, and the job is free again.
const CLAIM: Duration = Duration::from_secs(120);
/// So a job is stopped well before its claim runs out.
const LONGEST: Duration = Duration::from_secs(100);
const TRIES: i64 = 10;
/// How many one worker does side by side: most of them wait for somebody else.
const AT_ONCE: usize = 8;
const LOOKED_AT: i64 = 64;
/// How long a worker that is told to stop may take for what it has in hand.
const FINISH_WITHIN: Duration = Duration::from_secs(20);

pub struct Job;

/// Which of the due jobs run first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// Somebody waits for it: a code, a link to sign in.
    High = 0,
    Normal = 1,
}

/// Writes a job to be run from `run_at` on; one that waits under the same id already is enough.
pub fn enqueue<P: Serialize>(
    tx: &mut Tx,
    id: Id<Job>,
    kind: &'static str,
    payload: &P,
    run_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    tx.later(insert(id, kind, payload, Priority::Normal, run_at, now)?);
    Ok(())
}

/// The statement that writes a job.
pub(crate) fn insert<P: Serialize>(
    id: Id<Job>,
    kind: &'static str,
    payload: &P,
    priority: Priority,
    run_at: Timestamp,
    now: Timestamp,
) -> Result<Write> {
    let insert = write(
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

/// How long to wait after the `attempt`-th failure: 2 s, 4 s, 8 s … at most an hour, and up to a
/// quarter more by chance, so that jobs that failed together do not come back together.
fn patience(attempt: i64, random: &Random) -> Duration {
    let seconds = 1u64 << attempt.clamp(1, 12);
    let base = Duration::from_secs(seconds.min(3600));
    base + base.mul_f64(f64::from(random.bytes::<1>()[0]) / 1024.0)
}

/// What a handler gives back.
#[derive(Default)]
pub struct Done {
    /// Happens in the transaction that takes the job away.
    write: Option<Write>,
    /// Lives until then.
    held: Option<Box<dyn Send>>,
    /// Given up on purpose.
    dropped: bool,
}

impl Done {
    pub fn holding(held: impl Send + 'static) -> Self {
        Self { held: Some(Box::new(held)), ..Self::default() }
    }

    /// For a job that must not be done: it is taken away, and counted apart.
    pub fn dropped() -> Self {
        Self { dropped: true, ..Self::default() }
    }
}

impl From<()> for Done {
    fn from((): ()) -> Self {
        Self::default()
    }
}

impl From<Write> for Done {
    fn from(write: Write) -> Self {
        Self { write: Some(write), ..Self::default() }
    }
}

type Handler =
    Arc<dyn Fn(String) -> Pin<Box<dyn Future<Output = Result<Done>> + Send>> + Send + Sync>;

type Task = JoinHandle<Result<Result<Done>, Elapsed>>;

/// Takes jobs and does them. Any number of workers, in any number of processes, share one table.
pub struct Worker {
    db: Db,
    clock: Clock,
    random: Random,
    handlers: HashMap<&'static str, Handler>,
    tally: Arc<Tally>,
    /// Whose the jobs are that it has in hand.
    seat: String,
}

/// A worker at work.
pub struct Working {
    task: JoinHandle<()>,
    stop: watch::Sender<()>,
}

/// What this worker has done since it started.
#[derive(Default)]
pub struct Tally {
    pub done: AtomicU64,
    pub retried: AtomicU64,
    pub failed: AtomicU64,
    /// Given up on purpose: e-mails over the limit of their mailbox.
    pub dropped: AtomicU64,
}

/// What was done in one go.
#[derive(Default)]
struct Taken {
    jobs: u64,
    /// How long the database took over it.
    asking: Duration,
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
        Self {
            db,
            clock,
            random,
            handlers: HashMap::new(),
            tally: Arc::default(),
            seat: String::new(),
        }
    }

    /// On a seat of this name, so that whoever sits there next can free what is left in hand.
    pub fn on_seat(self, seat: &str) -> Self {
        Self { seat: seat.to_owned(), ..self }
    }

    /// Says who does the jobs of a kind.
    pub fn on<P, F, Fut, D>(mut self, kind: &'static str, handle: F) -> Self
    where
        P: DeserializeOwned,
        F: Fn(P) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<D>> + Send + 'static,
        D: Into<Done>,
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

    pub fn tally(&self) -> Arc<Tally> {
        self.tally.clone()
    }

    /// Works until it is told to finish.
    pub fn start(self) -> Working {
        let (stop, mut stopped) = watch::channel(());
        let task = tokio::spawn(async move {
            let mut every = tokio::time::interval(LOOK_EVERY);
            every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    _ = every.tick() => {}
                    _ = stopped.changed() => return,
                }
                let mut more = true;
                while more && stopped.has_changed().is_ok() {
                    let taken = self.run_some().await.unwrap_or_else(|why| {
                        tracing::warn!(%why, "could not look for jobs");
                        Taken::default()
                    });
                    more = taken.jobs > 0;
                    // Who waits for an answer comes first: the busier the database, the longer the rest.
                    tokio::time::sleep(taken.asking).await;
                }
            }
        });
        Working { task, stop }
    }

    /// Does everything that is due, and says how many jobs it took.
    pub async fn run_due(&self) -> Result<u64> {
        let mut taken = 0;
        loop {
            match self.run_some().await?.jobs {
                0 => return Ok(taken),
                some => taken += some,
            }
        }
    }

    /// Does the next few.
    async fn run_some(&self) -> Result<Taken> {
        let began = Instant::now();
        let jobs = again(|| self.claim()).await?;
        let mut taken = Taken { jobs: jobs.len() as u64, asking: began.elapsed() };
        let begun: Vec<_> = jobs.into_iter().map(|job| (self.begin(&job), job)).collect();
        let mut all = Vec::new();
        for (task, job) in begun {
            match self.is_done(&job, task).await {
                Ok(done) => all.extend(done.map(|done| (job, done))),
                Err(why) => tracing::warn!(job = %job.id, %why, "could not put a job back"),
            }
        }
        let began = Instant::now();
        self.take_away(all).await?;
        taken.asking += began.elapsed();
        Ok(taken)
    }

    /// Takes the next due jobs for this worker alone: of two that try, the second finds
    /// `claimed_until` moved and takes nothing.
    async fn claim(&self) -> Result<Vec<Claimed>> {
        let now = self.clock.now();
        loop {
            // Looked for before a write lock is asked for, which on SQLite would stop the shop's writers.
            let found = self.next(now).await?;
            if found.is_empty() {
                return Ok(Vec::new());
            }
            let mut tx = self.db.begin().await?;
            let claimed: Vec<Claimed> = tx
                .query(format!(
                    "update jobs set claimed_until = $1, claimed_by = $3, attempts = attempts + 1
                     where {} and claimed_until <= $2
                     returning id, kind, payload, attempts, claimed_until, created_at",
                    one_of("id", 4, found.len())
                ))
                .bind(now.plus(CLAIM))
                .bind(now)
                .bind(self.seat.as_str())
                .bind_all(found.iter().map(Value::from))
                .all()
                .await?;
            tx.commit().await?;
            if !claimed.is_empty() {
                return Ok(claimed);
            }
        }
    }

    /// The next few that are due, free and for this worker. Asked for in the order of the index and sifted
    /// here: a database that sifts and sorts goes through all that wait for the next few.
    async fn next(&self, now: Timestamp) -> Result<Vec<Id<Job>>> {
        let (mut found, mut passed) = (Vec::new(), 0);
        loop {
            let due: Vec<(Id<Job>, String, Timestamp)> = self
                .db
                .query(format!(
                    "select id, kind, claimed_until from jobs where run_at <= $1
                     order by priority, run_at limit {LOOKED_AT} offset $2"
                ))
                .bind(now)
                .bind(passed)
                .all()
                .await?;
            let looked_at = due.len() as i64;
            let free = due.into_iter().filter(|(_, kind, claimed_until)| {
                *claimed_until <= now && self.handlers.contains_key(kind.as_str())
            });
            found.extend(free.map(|(id, ..)| id).take(AT_ONCE - found.len()));
            if found.len() == AT_ONCE || looked_at < LOOKED_AT {
                return Ok(found);
            }
            passed += looked_at;
        }
    }

    /// On a task of its own, so that a panic is that job's failure and nothing else's.
    fn begin(&self, job: &Claimed) -> Task {
        let handler = self.handlers[job.kind.as_str()].clone();
        tokio::spawn(tokio::time::timeout(LONGEST, handler(job.payload.clone())))
    }

    /// Waits for its end: what is given back where it is done. What failed is put back, or aside.
    async fn is_done(&self, job: &Claimed, task: Task) -> Result<Option<Done>> {
        let outcome = match task.await {
            Ok(Ok(done)) => done.map_err(|why| why.to_string()),
            Ok(Err(_)) => Err(format!("took longer than {} s", LONGEST.as_secs())),
            Err(why) => Err(why.to_string()),
        };
        match outcome {
            Ok(done) => {
                let count = if done.dropped { &self.tally.dropped } else { &self.tally.done };
                count.fetch_add(1, Ordering::Relaxed);
                return Ok(Some(done));
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
        Ok(None)
    }

    // Each of these touches the job only while this worker's claim still stands.

    async fn take_away(&self, done: Vec<(Claimed, Done)>) -> Result<()> {
        let (mut ids, mut writes, mut held) = (Vec::new(), Vec::new(), Vec::new());
        // They were claimed together.
        let Some(claimed_until) = done.first().map(|(job, _)| job.claimed_until) else {
            return Ok(());
        };
        for (job, done) in done {
            ids.push(job.id);
            writes.extend(done.write);
            held.extend(done.held);
        }
        let gone = write(format!(
            "delete from jobs where claimed_until = $1 and {}",
            one_of("id", 2, ids.len())
        ));
        writes.push(gone.bind(claimed_until).bind_all(ids.iter().map(Value::from)));
        let taken_away = async {
            let mut tx = self.db.begin().await?;
            writes.into_iter().for_each(|write| tx.later(write));
            tx.commit().await
        };
        taken_away.await.inspect_err(|_| {
            // They will be done again, and what is held may be all that knows better.
            held.drain(..).for_each(std::mem::forget);
        })
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
            keep_aside(&mut tx, job, why, self.clock.now()).await?;
        }
        tx.commit().await
    }
}

impl Working {
    /// Lets what is in hand be finished, and takes nothing new.
    pub async fn finish(self) {
        drop(self.stop);
        if tokio::time::timeout(FINISH_WITHIN, self.task).await.is_err() {
            tracing::warn!("some jobs did not finish in time; they are done again later");
        }
    }
}

async fn keep_aside(tx: &mut Tx, job: &Claimed, why: &str, now: Timestamp) -> Result<()> {
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

// What is left in hand on a seat whose process is gone.

/// What was done all the same.
pub(crate) async fn were_done(db: &Db, seat: &str, ids: &[String]) -> Result<()> {
    db.query(format!("delete from jobs where claimed_by = $1 and {}", one_of("id", 2, ids.len())))
        .bind(seat)
        .bind_all(ids.iter().map(|id| Value::from(id.as_str())))
        .execute()
        .await
        .map(drop)
}

/// What may have been done, and must not be done twice: it is kept for a person to look at.
pub(crate) async fn are_in_doubt(
    db: &Db,
    clock: &Clock,
    seat: &str,
    ids: &[String],
    why: &str,
) -> Result<()> {
    let mut tx = db.begin().await?;
    let jobs: Vec<Claimed> = tx
        .query(format!(
            "delete from jobs where claimed_by = $1 and {}
             returning id, kind, payload, attempts, claimed_until, created_at",
            one_of("id", 2, ids.len())
        ))
        .bind(seat)
        .bind_all(ids.iter().map(|id| Value::from(id.as_str())))
        .all()
        .await?;
    for job in &jobs {
        tracing::warn!(job = %job.id, kind = job.kind, why, "moved aside");
        keep_aside(&mut tx, job, why, clock.now()).await?;
    }
    tx.commit().await
}

/// What was not begun, or can be begun again: it need not wait for its claim to run out.
pub async fn free(db: &Db, seat: &str) -> Result<()> {
    db.query("update jobs set claimed_until = 0 where claimed_by = $1 and claimed_until > 0")
        .bind(seat)
        .execute()
        .await
        .map(drop)
}

/// What failed before that moment is nobody's concern any more.
pub async fn forget_failed(db: &Db, before: Timestamp) -> Result<()> {
    db.query("delete from failed_jobs where failed_at < $1").bind(before).execute().await.map(drop)
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

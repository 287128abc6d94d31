use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use platform::jobs::{self, Completion, Job, JobId, PeriodicTask, Queue, Worker};
use platform::{Error, Id, Result};
use serde::{Deserialize, Serialize};
use test_support::{TestDb, eventually, on_both};

on_both!(TestDb:
    a_job_runs_once_and_only_if_its_transaction_commits,
    a_job_waits_for_its_run_time,
    a_failing_job_is_retried_and_then_moved_to_failed_jobs,
    a_panic_fails_the_job,
    jobs_run_concurrently,
    a_slow_job_holds_up_neither_its_queue_nor_others,
    two_workers_run_no_job_twice,
    an_expired_claim_is_released,
    a_job_of_an_unknown_kind_is_not_claimed,
    a_periodic_task_runs_once_per_interval_in_a_cluster,
);

type Handler = Box<dyn Fn(u64) -> BoxFuture<'static, Result<()>> + Send + Sync>;

#[derive(Serialize, Deserialize)]
struct Count(u64);

impl Job for Count {
    const NAME: &'static str = "count";
    type Context = Handler;

    async fn run(self, _: JobId, handle: &Handler) -> Result<Completion> {
        handle(self.0).await.map(Completion::from)
    }
}

/// A job that calls a server which never answers.
#[derive(Serialize, Deserialize)]
struct Hang {}

impl Job for Hang {
    const NAME: &'static str = "hang";
    const QUEUE: Queue = Queue { name: "hanging", slots: 2 };
    type Context = ();

    async fn run(self, _: JobId, (): &()) -> Result<Completion> {
        std::future::pending().await
    }
}

async fn enqueue(given: &TestDb, number: u64) {
    enqueue_job(given, &Count(number)).await;
}

async fn enqueue_job(given: &TestDb, job: &impl Job) {
    let mut tx = given.db.begin().await.unwrap();
    write(given, &mut tx, job, Duration::ZERO);
    tx.commit().await.unwrap();
}

fn write(given: &TestDb, tx: &mut platform::Tx, job: &impl Job, delay: Duration) {
    let now = given.clock.now();
    let id = Id::new(&given.clock, &given.random);
    jobs::enqueue(tx, id, job, now.plus(delay), now).unwrap();
}

/// A worker that adds up the numbers in its jobs.
fn adding_worker(given: &TestDb) -> (Worker, Arc<AtomicU64>) {
    let sum = Arc::new(AtomicU64::new(0));
    let added = sum.clone();
    let worker = worker(given, move |number| {
        added.fetch_add(number, Ordering::SeqCst);
        Box::pin(async { Ok(()) })
    });
    (worker, sum)
}

fn worker(
    given: &TestDb,
    handle: impl Fn(u64) -> BoxFuture<'static, Result<()>> + Send + Sync + 'static,
) -> Worker {
    Worker::new(given.db.clone(), given.clock.clone(), given.random.clone())
        .register::<Count>(Box::new(handle))
}

async fn a_job_runs_once_and_only_if_its_transaction_commits(given: TestDb) {
    let (worker, sum) = adding_worker(&given);
    enqueue(&given, 1).await;
    let mut rolled_back = given.db.begin().await.unwrap();
    write(&given, &mut rolled_back, &Count(10), Duration::ZERO);
    drop(rolled_back);
    assert_eq!(worker.run_due().await.unwrap(), 1);
    assert_eq!(worker.run_due().await.unwrap(), 0);
    assert_eq!(sum.load(Ordering::SeqCst), 1);
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
}

async fn a_job_waits_for_its_run_time(given: TestDb) {
    let (worker, sum) = adding_worker(&given);
    let mut tx = given.db.begin().await.unwrap();
    write(&given, &mut tx, &Count(1), Duration::from_secs(60));
    tx.commit().await.unwrap();
    assert_eq!(worker.run_due().await.unwrap(), 0);
    given.clock.advance(Duration::from_secs(60));
    assert_eq!(worker.run_due().await.unwrap(), 1);
    assert_eq!(sum.load(Ordering::SeqCst), 1);
}

async fn a_failing_job_is_retried_and_then_moved_to_failed_jobs(given: TestDb) {
    let tries = Arc::new(AtomicU64::new(0));
    let tried = tries.clone();
    let worker = worker(&given, move |_| {
        tried.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Err(Error::internal("the mail server is away")) })
    });
    enqueue(&given, 1).await;
    worker.run_due().await.unwrap();
    assert_eq!(worker.run_due().await.unwrap(), 0, "not at once");
    for _ in 0..20 {
        given.clock.advance(Duration::from_secs(2 * 3600));
        worker.run_due().await.unwrap();
    }
    assert_eq!(tries.load(Ordering::SeqCst), 10);
    let (kind, why): (String, String) =
        given.db.query("select kind, last_error from failed_jobs").one().await.unwrap();
    assert_eq!(kind, "count");
    assert!(why.contains("mail server"), "{why}");
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 1));
}

async fn a_panic_fails_the_job(given: TestDb) {
    let worker = worker(&given, |number| {
        Box::pin(async move {
            assert_ne!(number, 1, "a bug");
            Ok(())
        })
    });
    enqueue(&given, 1).await;
    enqueue(&given, 2).await;
    assert_eq!(worker.run_due().await.unwrap(), 2);
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (1, 0));
}

async fn jobs_run_concurrently(given: TestDb) {
    for number in 1..=3 {
        enqueue(&given, number).await;
    }
    let barrier = Arc::new(tokio::sync::Barrier::new(3));
    let worker = worker(&given, move |_| {
        let barrier = barrier.clone();
        Box::pin(async move {
            barrier.wait().await;
            Ok(())
        })
    });
    assert_eq!(worker.run_due().await.unwrap(), 3);
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
}

async fn a_slow_job_holds_up_neither_its_queue_nor_others(given: TestDb) {
    let sum = Arc::new(AtomicU64::new(0));
    let added = sum.clone();
    let worker = worker(&given, move |number| {
        added.fetch_add(number, Ordering::SeqCst);
        if number == 0 { Box::pin(std::future::pending()) } else { Box::pin(async { Ok(()) }) }
    });
    let worker = worker.register::<Hang>(());
    for _ in 0..10 {
        enqueue_job(&given, &Hang {}).await;
    }
    for number in [0, 0, 0].into_iter().chain([1; 20]) {
        enqueue(&given, number).await;
    }
    let working = worker.start();
    eventually("all others are done", async || sum.load(Ordering::SeqCst) == 20).await;
    let claimed = "select count(*) from jobs where kind = 'hang' and claimed_until > 0";
    let claimed = async || given.db.query(claimed).one::<(i64,)>().await.unwrap().0;
    eventually("its own queue is claimed", async || claimed().await > 0).await;
    enqueue(&given, 30).await;
    eventually("new ones too", async || sum.load(Ordering::SeqCst) == 50).await;
    assert_eq!(claimed().await, 2, "as many as slots");
    drop(working);
}

async fn two_workers_run_no_job_twice(given: TestDb) {
    let (first, sum_of_first) = adding_worker(&given);
    let (second, sum_of_second) = adding_worker(&given);
    for _ in 0..60 {
        enqueue(&given, 1).await;
    }
    let (first, second) = tokio::join!(first.run_due(), second.run_due());
    assert_eq!(first.unwrap() + second.unwrap(), 60);
    let sum = sum_of_first.load(Ordering::SeqCst) + sum_of_second.load(Ordering::SeqCst);
    assert_eq!(sum, 60);
}

async fn an_expired_claim_is_released(given: TestDb) {
    enqueue(&given, 1).await;
    let stuck = worker(&given, |_| Box::pin(std::future::pending()));
    let run = tokio::spawn(async move { stuck.run_due().await });
    let claimed = "select count(*) from jobs where claimed_until > 0";
    eventually("the job is claimed", async || {
        given.db.query(claimed).one::<(i64,)>().await.unwrap().0 == 1
    })
    .await;
    run.abort();

    let (worker, sum) = adding_worker(&given);
    assert_eq!(worker.run_due().await.unwrap(), 0);
    given.clock.advance(Duration::from_secs(121));
    assert_eq!(worker.run_due().await.unwrap(), 1);
    assert_eq!(sum.load(Ordering::SeqCst), 1);
}

async fn a_job_of_an_unknown_kind_is_not_claimed(given: TestDb) {
    enqueue(&given, 1).await;
    let other = Worker::new(given.db.clone(), given.clock.clone(), given.random.clone());
    let other = other.register::<Hang>(());
    assert_eq!(other.run_due().await.unwrap(), 0);
    assert_eq!(other.unknown_kinds().await.unwrap(), [("count".to_owned(), 1)]);
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (1, 0));
    assert_eq!(adding_worker(&given).0.unknown_kinds().await.unwrap(), []);
}

struct Tick(Arc<AtomicU64>);

impl PeriodicTask for Tick {
    const NAME: &'static str = "tick";
    const INTERVAL: Duration = Duration::from_secs(60);

    async fn run(&self) -> Result<()> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Err(Error::internal("a failure does not end it"))
    }
}

async fn a_periodic_task_runs_once_per_interval_in_a_cluster(given: TestDb) {
    let runs = Arc::new(AtomicU64::new(0));
    let other = given.second_connection().await;
    let [one, other] =
        [&given, &other].map(|given| adding_worker(given).0.every(Tick(runs.clone())));
    for round in 1..=3 {
        let (one_ran, other_ran) = tokio::join!(one.run_periodic(), other.run_periodic());
        assert_eq!(one_ran.unwrap() + other_ran.unwrap(), 1);
        assert_eq!(runs.load(Ordering::SeqCst), round);
        given.clock.advance(Duration::from_secs(59));
        assert_eq!(one.run_periodic().await.unwrap() + other.run_periodic().await.unwrap(), 0);
        given.clock.advance(Duration::from_secs(1));
    }
    // The clock was far ahead when it ran last.
    let ahead = given.clock.now().plus(Duration::from_secs(24 * 3600));
    let sql = "update periodic_tasks set ran_at = $1";
    given.db.query(sql).bind(ahead).execute().await.unwrap();
    assert_eq!(one.run_periodic().await.unwrap() + other.run_periodic().await.unwrap(), 1);
}

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use platform::jobs::{self, Job, Worker};
use platform::{Error, Id};
use test_support::on_both;
use test_support::{TestDb, eventually};

on_both!(TestDb:
    a_job_runs_once_and_only_if_its_transaction_commits,
    a_job_waits_for_its_run_time,
    a_failing_job_is_retried_and_then_moved_to_failed_jobs,
    a_panic_fails_the_job,
    jobs_run_concurrently,
    two_workers_run_no_job_twice,
    an_expired_claim_is_released,
    a_job_of_an_unknown_kind_is_not_claimed,
);

async fn enqueue(given: &TestDb, number: u64) {
    let mut tx = given.db.begin().await.unwrap();
    write(given, &mut tx, number, Duration::ZERO).await;
    tx.commit().await.unwrap();
}

async fn write(given: &TestDb, tx: &mut platform::Tx, number: u64, delay: Duration) {
    let id = Id::<Job>::new(&given.clock, &given.random);
    let now = given.clock.now();
    jobs::enqueue(tx, id, "count", &number, now.plus(delay), now).unwrap();
}

/// A worker that adds up the numbers in its jobs.
fn adding_worker(given: &TestDb) -> (Worker, Arc<AtomicU64>) {
    let sum = Arc::new(AtomicU64::new(0));
    let added = sum.clone();
    let worker = worker(given).on("count", move |number: u64| {
        added.fetch_add(number, Ordering::SeqCst);
        async { Ok(()) }
    });
    (worker, sum)
}

fn worker(given: &TestDb) -> Worker {
    Worker::new(given.db.clone(), given.clock.clone(), given.random.clone())
}

async fn a_job_runs_once_and_only_if_its_transaction_commits(given: TestDb) {
    let (worker, sum) = adding_worker(&given);
    enqueue(&given, 1).await;
    let mut rolled_back = given.db.begin().await.unwrap();
    write(&given, &mut rolled_back, 10, Duration::ZERO).await;
    drop(rolled_back);
    assert_eq!(worker.run_due().await.unwrap(), 1);
    assert_eq!(worker.run_due().await.unwrap(), 0);
    assert_eq!(sum.load(Ordering::SeqCst), 1);
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
}

async fn a_job_waits_for_its_run_time(given: TestDb) {
    let (worker, sum) = adding_worker(&given);
    let mut tx = given.db.begin().await.unwrap();
    write(&given, &mut tx, 1, Duration::from_secs(60)).await;
    tx.commit().await.unwrap();
    assert_eq!(worker.run_due().await.unwrap(), 0);
    given.clock.advance(Duration::from_secs(60));
    assert_eq!(worker.run_due().await.unwrap(), 1);
    assert_eq!(sum.load(Ordering::SeqCst), 1);
}

async fn a_failing_job_is_retried_and_then_moved_to_failed_jobs(given: TestDb) {
    let tries = Arc::new(AtomicU64::new(0));
    let tried = tries.clone();
    let worker = worker(&given).on("count", move |_: u64| {
        tried.fetch_add(1, Ordering::SeqCst);
        async { Err::<(), _>(Error::internal("the mail server is away")) }
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
    let worker = worker(&given).on("count", |number: u64| async move {
        assert_ne!(number, 1, "a bug");
        Ok(())
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
    let worker = worker(&given).on("count", move |_: u64| {
        let barrier = barrier.clone();
        async move {
            barrier.wait().await;
            Ok(())
        }
    });
    assert_eq!(worker.run_due().await.unwrap(), 3);
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
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
    let stuck = worker(&given).on("count", |_: u64| std::future::pending::<platform::Result<()>>());
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
    let other = worker(&given).on("other", |_: u64| async { Ok(()) });
    assert_eq!(other.run_due().await.unwrap(), 0);
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (1, 0));
}

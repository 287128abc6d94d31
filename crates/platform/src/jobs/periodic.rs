//! Periodic tasks: what a cluster does once in a while, on whichever server comes first. The table says when
//! each last ran.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

use super::Worker;
use crate::{Result, ResultFuture, Timestamp};

const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// After a failure it runs again when the interval has passed.
pub trait PeriodicTask: Send + Sync + 'static {
    /// In the table.
    const NAME: &'static str;
    /// Also the longest that a run may take, so that no two overlap.
    const INTERVAL: Duration;

    fn run(&self) -> impl Future<Output = Result<()>> + Send;
}

pub(super) struct RegisteredTask {
    name: &'static str,
    interval: Duration,
    run: Box<dyn Fn() -> ResultFuture<'static, ()> + Send + Sync>,
}

impl Worker {
    /// Registers a periodic task.
    pub fn every<T: PeriodicTask>(mut self, task: T) -> Self {
        let task = Arc::new(task);
        let run = move || -> ResultFuture<'static, ()> {
            let task = task.clone();
            Box::pin(async move { task.run().await })
        };
        let (name, interval) = (T::NAME, T::INTERVAL);
        self.periodic.push(RegisteredTask { name, interval, run: Box::new(run) });
        self
    }

    /// Runs the periodic tasks that are due, and answers how many there were.
    pub async fn run_periodic(&self) -> Result<usize> {
        let mut running = JoinSet::new();
        self.start_periodic(&mut running).await?;
        let due = running.len();
        while running.join_next().await.is_some() {}
        Ok(due)
    }

    /// Of several servers, the one whose update finds the row unchanged runs the task.
    async fn start_periodic(&self, running: &mut JoinSet<()>) -> Result<()> {
        let now = self.clock.now();
        let rows: Vec<(String, Timestamp)> =
            self.db.query("select name, ran_at from periodic_tasks").all().await?;
        let ran: HashMap<String, Timestamp> = rows.into_iter().collect();
        for RegisteredTask { name, interval, run } in &self.periodic {
            let ran_at = ran.get(*name).copied().unwrap_or(Timestamp(0));
            // A time far ahead is of a clock that was wrong.
            if ran_at > now.minus(*interval) && ran_at < now.plus(*interval) {
                continue;
            }
            let claimed = self
                .db
                .query(
                    "insert into periodic_tasks (name, ran_at) values ($1, $2) on conflict (name)
                     do update set ran_at = excluded.ran_at where periodic_tasks.ran_at = $3",
                )
                .bind(*name)
                .bind(now)
                .bind(ran_at)
                .execute()
                .await?;
            if claimed == 1 {
                let (name, run) = (*name, tokio::time::timeout(*interval, run()));
                running.spawn(async move {
                    match run.await {
                        Ok(Ok(())) => {}
                        Ok(Err(why)) => tracing::warn!(%why, name, "periodic task failed"),
                        Err(_) => tracing::warn!(name, "periodic task took too long"),
                    }
                });
            }
        }
        Ok(())
    }
}

pub(super) async fn run_forever(worker: Arc<Worker>, mut stopped: watch::Receiver<()>) {
    let (mut every, mut running) = (tokio::time::interval(POLL_INTERVAL), JoinSet::new());
    every.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = every.tick() => {}
            _ = stopped.changed() => return,
        }
        if let Err(why) = worker.start_periodic(&mut running).await {
            tracing::warn!(%why, "could not start periodic tasks");
        }
        while running.try_join_next().is_some() {}
    }
}

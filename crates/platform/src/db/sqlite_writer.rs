//! Group commit for SQLite's single writing connection (decision 015). Callers take turns; while others
//! queue, several turns share one transaction, each in its own savepoint, so that they share the sync to
//! disk, which is what costs. Nobody is answered before the shared transaction is committed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection};
use sqlx_sqlite::{SqliteArguments, SqliteConnectOptions, SqliteConnection};
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

use crate::{Error, Result};

/// How many turns share a commit at most.
const MAX_GROUP: usize = 32;
const QUEUE_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Clone, Debug)]
pub(super) struct SqliteWriter {
    state: Arc<Mutex<WriterState>>,
    /// How many callers wait for their turn.
    queued: Arc<AtomicUsize>,
}

#[derive(Debug)]
struct WriterState {
    /// None after `close`.
    connection: Option<SqliteConnection>,
    /// While a transaction is open: the turns that wait for its commit.
    waiters: Option<Vec<oneshot::Sender<GroupResult>>>,
}

/// The outcome of a shared transaction.
type GroupResult = Result<(), String>;

impl SqliteWriter {
    pub async fn open(options: &SqliteConnectOptions) -> Result<Self> {
        let connection = Some(SqliteConnection::connect_with(options).await?);
        let state = Arc::new(Mutex::new(WriterState { connection, waiters: None }));
        Ok(Self { state, queued: Arc::default() })
    }

    /// A turn in a transaction, which an `exclusive` one shares with no other turn.
    pub async fn begin(&self, exclusive: bool) -> Result<WriteTurn> {
        let mut turn = self.turn().await?;
        let active = turn.active()?;
        active.exclusive = exclusive;
        if exclusive && active.state.waiters.is_some() {
            active.commit_group().await;
        }
        active.undo =
            if active.state.waiters.is_some() { Undo::PlannedSavepoint } else { Undo::Transaction };
        active.open().await?;
        Ok(turn)
    }

    /// One statement. Without contention it needs no transaction.
    pub async fn execute(&self, sql: String, arguments: SqliteArguments) -> Result<u64> {
        let mut turn = self.turn().await?;
        let active = turn.active()?;
        if active.has_contention() {
            active.open().await?;
        }
        let query = sqlx::query_with(AssertSqlSafe(sql), arguments);
        let done = query.execute(active.state.connection()?).await?.rows_affected();
        turn.commit(String::new(), SqliteArguments::default()).await?;
        Ok(done)
    }

    pub async fn close(&self) {
        let Ok(mut turn) = self.turn().await else { return };
        let Ok(active) = turn.active() else { return };
        if active.state.waiters.is_some() {
            active.commit_group().await;
        }
        if let Some(connection) = active.state.connection.take() {
            let _ = connection.close().await;
        }
    }

    async fn turn(&self) -> Result<WriteTurn> {
        let mut ticket = QueueTicket::new(self);
        let state = tokio::time::timeout(QUEUE_TIMEOUT, self.state.clone().lock_owned())
            .await
            .map_err(|_| Error::Unavailable("the database's writer is busy".into()))?;
        ticket.release();
        let queued = self.queued.clone();
        Ok(WriteTurn(Some(ActiveTurn { state, queued, exclusive: false, undo: Undo::Nothing })))
    }
}

/// Counts a caller in the queue. Earlier turns may rely on the next one to commit their group, so a
/// caller that is cancelled while queued is replaced by an empty turn.
struct QueueTicket<'w>(Option<&'w SqliteWriter>);

impl<'w> QueueTicket<'w> {
    fn new(writer: &'w SqliteWriter) -> Self {
        writer.queued.fetch_add(1, Ordering::AcqRel);
        Self(Some(writer))
    }

    fn release(&mut self) -> Option<&'w SqliteWriter> {
        let writer = self.0.take()?;
        writer.queued.fetch_sub(1, Ordering::AcqRel);
        Some(writer)
    }
}

impl Drop for QueueTicket<'_> {
    fn drop(&mut self) {
        let Some(writer) = self.release().cloned() else { return };
        spawn_detached(async move { drop(writer.turn().await) });
    }
}

/// Exclusive use of the connection. Dropped without `commit`, it is rolled back.
pub(super) struct WriteTurn(Option<ActiveTurn>);

struct ActiveTurn {
    state: OwnedMutexGuard<WriterState>,
    queued: Arc<AtomicUsize>,
    exclusive: bool,
    undo: Undo,
}

/// What a rollback of this turn has to undo.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Undo {
    Nothing,
    Transaction,
    /// The savepoint is created with the first statement.
    PlannedSavepoint,
    Savepoint,
}

enum End {
    /// After these last statements.
    Commit(String, SqliteArguments),
    Rollback,
}

impl WriteTurn {
    fn active(&mut self) -> Result<&mut ActiveTurn> {
        self.0.as_mut().ok_or_else(|| Error::internal("the transaction has ended"))
    }

    /// The SQL to send before the next statement, and the connection.
    pub fn prepare(&mut self) -> Result<(&'static str, &mut SqliteConnection)> {
        let ActiveTurn { undo, state, .. } = self.active()?;
        if *undo != Undo::PlannedSavepoint {
            return Ok(("", state.connection()?));
        }
        *undo = Undo::Savepoint;
        Ok(("savepoint turn;\n", state.connection()?))
    }

    /// Runs the last statements, and returns when everything is on the disk.
    pub async fn commit(mut self, sql: String, arguments: SqliteArguments) -> Result<()> {
        let Some(active) = self.0.take() else { return Ok(()) };
        active.end(End::Commit(sql, arguments)).await
    }

    pub async fn rollback(mut self) -> Result<()> {
        let Some(active) = self.0.take() else { return Ok(()) };
        active.end(End::Rollback).await
    }
}

impl Drop for WriteTurn {
    fn drop(&mut self) {
        let Some(active) = self.0.take() else { return };
        if active.state.waiters.is_some() {
            spawn_detached(async move { drop(active.finish(End::Rollback).await) });
        }
    }
}

impl ActiveTurn {
    fn has_contention(&self) -> bool {
        self.state.waiters.is_some() || self.queued.load(Ordering::Acquire) > 0
    }

    async fn open(&mut self) -> Result<()> {
        if self.state.waiters.is_some() {
            return Ok(());
        }
        self.state.waiters = Some(Vec::new());
        let begun = self.run("begin immediate").await;
        if begun.is_err() {
            self.state.waiters = None;
        }
        begun
    }

    async fn run(&mut self, sql: &'static str) -> Result<()> {
        sqlx::query(sql).execute(self.state.connection()?).await?;
        Ok(())
    }

    /// Ends the turn on a task of its own, so that a cancelled caller does not leave it half-done.
    async fn end(mut self, end: End) -> Result<()> {
        let without_sql = matches!(&end, End::Commit(sql, _) if sql.is_empty());
        let others = if without_sql && self.state.waiters.is_none() {
            None
        } else if without_sql && !self.ends_group() {
            let outcome = self.join_group();
            drop(self);
            outcome
        } else {
            tokio::spawn(self.finish(end)).await??
        };
        match others {
            Some(outcome) => match outcome.await {
                Ok(result) => result.map_err(Error::internal),
                Err(_) => Err(Error::internal("the database's writer has stopped")),
            },
            None => Ok(()),
        }
    }

    /// Waits for the commit of the shared transaction.
    fn join_group(&mut self) -> Option<oneshot::Receiver<GroupResult>> {
        let (sender, outcome) = oneshot::channel();
        self.state.waiters.as_mut()?.push(sender);
        Some(outcome)
    }

    /// Ends the turn, and the transaction where no other turn is to join it. Otherwise answers a receiver
    /// of its outcome.
    async fn finish(mut self, end: End) -> Result<Option<oneshot::Receiver<GroupResult>>> {
        let (result, rolled_back) = match end {
            End::Commit(sql, arguments) => {
                let result = self.commit(sql, arguments).await;
                let failed = result.is_err();
                (result, failed)
            }
            End::Rollback => {
                self.rollback().await;
                (Ok(()), true)
            }
        };
        let outcome = if rolled_back { None } else { self.join_group() };
        // A caller rolls back because of what it read, which may be other turns' uncommitted writes:
        // those are committed now, before the caller acts on them.
        if self.state.waiters.is_some() && (rolled_back || self.ends_group()) {
            self.commit_group().await;
        }
        result.map(|()| outcome)
    }

    fn ends_group(&self) -> bool {
        let others = self.state.waiters.as_ref().map_or(0, Vec::len);
        self.exclusive || others + 1 >= MAX_GROUP || self.queued.load(Ordering::Acquire) == 0
    }

    /// Sends the last statements and, where this turn ends the group, the commit in one round trip.
    async fn commit(&mut self, mut sql: String, arguments: SqliteArguments) -> Result<()> {
        let ends = self.state.waiters.is_some() && self.ends_group();
        if ends {
            sql.push_str(if sql.is_empty() { "commit" } else { ";\ncommit" });
        }
        if sql.is_empty() {
            return Ok(());
        }
        let query = sqlx::query_with(AssertSqlSafe(sql), arguments);
        match query.execute(self.state.connection()?).await {
            Ok(_) if ends => self.state.notify(&Ok(())),
            Ok(_) => {}
            Err(why) => {
                self.rollback().await;
                return Err(why.into());
            }
        }
        Ok(())
    }

    async fn rollback(&mut self) {
        match self.undo {
            Undo::Nothing | Undo::PlannedSavepoint => {}
            Undo::Transaction => self.rollback_group("rolled back").await,
            Undo::Savepoint => {
                if let Err(why) = self.run("rollback to turn").await {
                    self.rollback_group(&why.to_string()).await;
                }
            }
        }
        self.undo = Undo::Nothing;
    }

    async fn commit_group(&mut self) {
        match self.run("commit").await {
            Ok(()) => self.state.notify(&Ok(())),
            Err(why) => self.rollback_group(&why.to_string()).await,
        }
    }

    /// Ignores a failure: then SQLite has rolled back by itself.
    async fn rollback_group(&mut self, why: &str) {
        let _ = self.run("rollback").await;
        self.state.notify(&Err(why.to_owned()));
    }
}

impl WriterState {
    fn connection(&mut self) -> Result<&mut SqliteConnection> {
        self.connection.as_mut().ok_or_else(|| Error::internal("the database was closed"))
    }

    /// Ends the group with this outcome.
    fn notify(&mut self, outcome: &GroupResult) {
        for waiter in self.waiters.take().into_iter().flatten() {
            let _ = waiter.send(outcome.clone());
        }
    }
}

/// Does nothing without a runtime: then the program is ending, and SQLite drops the open transaction.
fn spawn_detached(work: impl Future<Output = ()> + Send + 'static) {
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn(work);
    }
}

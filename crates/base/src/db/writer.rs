//! SQLite's one writer. Those who write take turns; and while others wait for theirs, the work of several
//! goes to the disk in one transaction, each in a savepoint of its own. Nobody is told that theirs is done
//! before all of it is kept: what costs is the way to the disk, and it is gone once for all of them. The
//! savepoints end with the transaction.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection};
use sqlx_sqlite::{SqliteArguments, SqliteConnectOptions, SqliteConnection};
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

use crate::{Error, Result};

/// How many may wait for one another.
const MOST_TOGETHER: usize = 32;
const LONGEST_WAIT: Duration = Duration::from_secs(30);

#[derive(Clone, Debug)]
pub(super) struct Writer {
    desk: Arc<Mutex<Desk>>,
    /// How many wait for their turn.
    queue: Arc<AtomicUsize>,
}

#[derive(Debug)]
struct Desk {
    /// None when it was closed.
    connection: Option<SqliteConnection>,
    /// While a transaction is open: who waits for its end.
    open: Option<Vec<oneshot::Sender<Kept>>>,
}

/// What became of a transaction, for all who have work in it.
type Kept = Result<(), String>;

impl Writer {
    pub async fn open(options: &SqliteConnectOptions) -> Result<Self> {
        let connection = Some(SqliteConnection::connect_with(options).await?);
        let desk = Arc::new(Mutex::new(Desk { connection, open: None }));
        Ok(Self { desk, queue: Arc::default() })
    }

    /// A turn with a transaction around it. Nobody is made to wait for the end of one that is `long`.
    pub async fn begin(&self, long: bool) -> Result<Turn> {
        let mut turn = self.turn().await?;
        let seat = turn.seat()?;
        seat.long = long;
        if long && seat.desk.open.is_some() {
            seat.close().await;
        }
        seat.work = if seat.desk.open.is_some() { Work::Planned } else { Work::Whole };
        seat.open().await?;
        Ok(turn)
    }

    /// One statement by itself.
    pub async fn execute(&self, sql: String, arguments: SqliteArguments) -> Result<u64> {
        let mut turn = self.turn().await?;
        let seat = turn.seat()?;
        if seat.is_wanted() {
            seat.open().await?;
        }
        let query = sqlx::query_with(AssertSqlSafe(sql), arguments);
        let done = query.execute(seat.desk.connection()?).await?.rows_affected();
        turn.keep(String::new(), SqliteArguments::default()).await?;
        Ok(done)
    }

    pub async fn close(&self) {
        let Ok(mut turn) = self.turn().await else { return };
        let Ok(seat) = turn.seat() else { return };
        if seat.desk.open.is_some() {
            seat.close().await;
        }
        if let Some(connection) = seat.desk.connection.take() {
            let _ = connection.close().await;
        }
    }

    async fn turn(&self) -> Result<Turn> {
        let mut place = Place::take(self);
        let desk = tokio::time::timeout(LONGEST_WAIT, self.desk.clone().lock_owned())
            .await
            .map_err(|_| Error::Unavailable("the database's writer is busy".into()))?;
        place.give_up();
        let queue = self.queue.clone();
        Ok(Turn(Some(Seat { desk, queue, long: false, work: Work::Nothing })))
    }
}

/// A place in the queue. Whoever goes away before their turn may be the one that others count on to end
/// the transaction, so somebody comes in their stead.
struct Place<'w>(Option<&'w Writer>);

impl<'w> Place<'w> {
    fn take(writer: &'w Writer) -> Self {
        writer.queue.fetch_add(1, Ordering::AcqRel);
        Self(Some(writer))
    }

    fn give_up(&mut self) -> Option<&'w Writer> {
        let writer = self.0.take()?;
        writer.queue.fetch_sub(1, Ordering::AcqRel);
        Some(writer)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let Some(writer) = self.give_up().cloned() else { return };
        in_background(async move { drop(writer.turn().await) });
    }
}

/// Somebody's turn to write. Dropped, what they did is undone.
pub(super) struct Turn(Option<Seat>);

struct Seat {
    desk: OwnedMutexGuard<Desk>,
    queue: Arc<AtomicUsize>,
    long: bool,
    work: Work,
}

/// What would have to be undone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    Nothing,
    /// All that is in the transaction.
    Whole,
    /// What comes after the savepoint, which is still to be made.
    Planned,
    Savepoint,
}

enum End {
    /// With these last words.
    Keep(String, SqliteArguments),
    Undo,
}

impl Turn {
    fn seat(&mut self) -> Result<&mut Seat> {
        self.0.as_mut().ok_or_else(|| Error::internal("a turn after its end"))
    }

    /// What to send before the next statement, and where.
    pub fn next(&mut self) -> Result<(&'static str, &mut SqliteConnection)> {
        let Seat { work, desk, .. } = self.seat()?;
        if *work != Work::Planned {
            return Ok(("", desk.connection()?));
        }
        *work = Work::Savepoint;
        Ok(("savepoint turn;\n", desk.connection()?))
    }

    /// Runs the last statements, and comes back when all is on the disk.
    pub async fn keep(mut self, sql: String, arguments: SqliteArguments) -> Result<()> {
        let Some(seat) = self.0.take() else { return Ok(()) };
        seat.end(End::Keep(sql, arguments)).await
    }

    pub async fn undo(mut self) -> Result<()> {
        let Some(seat) = self.0.take() else { return Ok(()) };
        seat.end(End::Undo).await
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Some(seat) = self.0.take() else { return };
        if seat.desk.open.is_some() {
            in_background(async move { drop(seat.finish(End::Undo).await) });
        }
    }
}

impl Seat {
    fn is_wanted(&self) -> bool {
        self.desk.open.is_some() || self.queue.load(Ordering::Acquire) > 0
    }

    async fn open(&mut self) -> Result<()> {
        if self.desk.open.is_some() {
            return Ok(());
        }
        self.desk.open = Some(Vec::new());
        let begun = self.run("begin immediate").await;
        if begun.is_err() {
            self.desk.open = None;
        }
        begun
    }

    async fn run(&mut self, sql: &'static str) -> Result<()> {
        sqlx::query(sql).execute(self.desk.connection()?).await?;
        Ok(())
    }

    /// Ends the turn, whatever becomes of whoever asked for it.
    async fn end(mut self, end: End) -> Result<()> {
        let silent = matches!(&end, End::Keep(sql, _) if sql.is_empty());
        let others = if silent && self.desk.open.is_none() {
            None
        } else if silent && !self.is_last() {
            let told = self.wait();
            drop(self);
            told
        } else {
            tokio::spawn(self.finish(end)).await??
        };
        match others {
            Some(told) => match told.await {
                Ok(kept) => kept.map_err(Error::internal),
                Err(_) => Err(Error::internal("the database's writer went away")),
            },
            None => Ok(()),
        }
    }

    /// Hears what becomes of the transaction.
    fn wait(&mut self) -> Option<oneshot::Receiver<Kept>> {
        let (tell, told) = oneshot::channel();
        self.desk.open.as_mut()?.push(tell);
        Some(told)
    }

    /// Ends the turn, and the transaction where nobody else is to join it. What comes back tells when
    /// somebody else has done that.
    async fn finish(mut self, end: End) -> Result<Option<oneshot::Receiver<Kept>>> {
        let (kept, undone) = match end {
            End::Keep(sql, arguments) => {
                let kept = self.keep(sql, arguments).await;
                let failed = kept.is_err();
                (kept, failed)
            }
            End::Undo => {
                self.undo().await;
                (Ok(()), true)
            }
        };
        let told = if undone { None } else { self.wait() };
        // Whoever gives up does so for what they saw of others here: that becomes certain now, before
        // anybody acts on it.
        if self.desk.open.is_some() && (undone || self.is_last()) {
            self.close().await;
        }
        kept.map(|()| told)
    }

    fn is_last(&self) -> bool {
        let others = self.desk.open.as_ref().map_or(0, Vec::len);
        self.long || others + 1 >= MOST_TOGETHER || self.queue.load(Ordering::Acquire) == 0
    }

    /// In one journey where it is the last.
    async fn keep(&mut self, mut sql: String, arguments: SqliteArguments) -> Result<()> {
        let mut say = |words: &str| {
            if !sql.is_empty() {
                sql.push_str(";\n");
            }
            sql.push_str(words);
        };
        let ends = self.desk.open.is_some() && self.is_last();
        if ends {
            say("commit");
        }
        if sql.is_empty() {
            return Ok(());
        }
        let query = sqlx::query_with(AssertSqlSafe(sql), arguments);
        match query.execute(self.desk.connection()?).await {
            Ok(_) if ends => self.desk.tell(&Ok(())),
            Ok(_) => {}
            Err(why) => {
                self.undo().await;
                return Err(why.into());
            }
        }
        Ok(())
    }

    async fn undo(&mut self) {
        match self.work {
            Work::Nothing | Work::Planned => {}
            Work::Whole => self.give_up("nothing was to be kept").await,
            Work::Savepoint => {
                if let Err(why) = self.run("rollback to turn").await {
                    self.give_up(&why.to_string()).await;
                }
            }
        }
        self.work = Work::Nothing;
    }

    /// Ends the transaction with all that is in it. Whoever waits for it is told.
    async fn close(&mut self) {
        match self.run("commit").await {
            Ok(()) => self.desk.tell(&Ok(())),
            Err(why) => self.give_up(&why.to_string()).await,
        }
    }

    /// Ends it with nothing. That it has ended by itself already is as good.
    async fn give_up(&mut self, why: &str) {
        let _ = self.run("rollback").await;
        self.desk.tell(&Err(why.to_owned()));
    }
}

impl Desk {
    fn connection(&mut self) -> Result<&mut SqliteConnection> {
        self.connection.as_mut().ok_or_else(|| Error::internal("the database was closed"))
    }

    /// The transaction has ended.
    fn tell(&mut self, kept: &Kept) {
        for waiting in self.open.take().into_iter().flatten() {
            let _ = waiting.send(kept.clone());
        }
    }
}

/// Without a runtime the program is ending, and what was not kept never was.
fn in_background(work: impl Future<Output = ()> + Send + 'static) {
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn(work);
    }
}

//! The database: connection pools, transactions and queries for SQLite and PostgreSQL. The only module
//! that names both drivers; callers write one SQL text with `$1` that both accept (decision 001).

mod migrations;
mod statement;
mod value;

use std::borrow::Cow;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, Transaction};
use sqlx_postgres::{PgArguments, PgConnectOptions, PgPool, PgPoolOptions, PgRow, Postgres};
use sqlx_sqlite::{
    Sqlite, SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqlitePool,
    SqlitePoolOptions, SqliteRow, SqliteSynchronous,
};

pub use self::statement::{Statement, statement};
pub use self::value::{Json, SqlValue};

use self::statement::{join_as_ctes, join_as_returning_ctes, join_statements};
use self::value::arguments;
use crate::{Error, Result, ResultFuture};

/// A PostgreSQL connection that was idle for longer is pinged before it is used.
const PING_AFTER_IDLE: Duration = Duration::from_secs(5);

/// The shop's database.
#[derive(Clone, Debug)]
pub struct Db(Pools);

#[derive(Clone, Debug)]
enum Pools {
    /// `write` has one connection: writers queue for it instead of failing with SQLITE_BUSY.
    Sqlite {
        read: SqlitePool,
        write: SqlitePool,
    },
    Postgres(PgPool),
}

/// A transaction. Dropped without `commit`, it is rolled back.
pub struct Tx {
    connection: TxConnection,
    /// Statements that are sent before the next query.
    deferred: Vec<Statement>,
}

enum TxConnection {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

#[derive(Clone, Copy)]
enum RowLimit {
    First,
    All,
}

/// Runs a statement on either driver.
macro_rules! execute {
    ($arguments:ty, $sql:expr, $values:expr, $executor:expr) => {
        sqlx::query_with(AssertSqlSafe($sql), arguments::<$arguments>($values)?)
            .execute($executor)
            .await?
    };
}

/// Runs a statement on either driver, and answers its rows.
macro_rules! fetch {
    ($arguments:ty, $sql:expr, $values:expr, $limit:expr, $executor:expr) => {{
        let query = sqlx::query_with(AssertSqlSafe($sql), arguments::<$arguments>($values)?);
        match $limit {
            RowLimit::First => query.fetch_optional($executor).await?.into_iter().collect(),
            RowLimit::All => query.fetch_all($executor).await?,
        }
    }};
}

impl Db {
    /// `postgres://…` or `sqlite://PATH`, whose file is created when it is missing.
    pub async fn open(url: &str) -> Result<Self> {
        if let Some(path) = url.strip_prefix("sqlite://") {
            return Self::sqlite(Path::new(path)).await;
        }
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            let why = "database_url: an address like postgres://user@host/name is required";
            return Err(Error::internal(why));
        }
        let pool = PgPoolOptions::new()
            .max_connections(16)
            .acquire_timeout(Duration::from_secs(5))
            // Not for every query: the hook below pings idle connections only.
            .test_before_acquire(false)
            .before_acquire(|connection, known| {
                Box::pin(async move {
                    if known.idle_for > PING_AFTER_IDLE {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .connect_with(PgConnectOptions::from_str(url)?)
            .await?;
        Ok(Self(Pools::Postgres(pool)))
    }

    async fn sqlite(path: &Path) -> Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A confirmed order survives a power failure.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .pragma("cache_size", "-16384")
            .busy_timeout(Duration::from_secs(10));
        let write = SqlitePoolOptions::new()
            .test_before_acquire(false)
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .acquire_timeout(Duration::from_secs(30))
            // A full disk makes SQLite roll back by itself. The driver still counts that transaction and begins
            // no other on this connection, so a new one replaces it.
            .before_acquire(|connection, _| {
                Box::pin(async move { Ok(!connection.is_in_transaction()) })
            })
            .connect_with(options.clone())
            .await?;
        let read = SqlitePoolOptions::new()
            .test_before_acquire(false)
            .max_connections(4)
            .acquire_timeout(Duration::from_secs(5))
            .connect_with(options.read_only(true))
            .await?;
        Ok(Self(Pools::Sqlite { read, write }))
    }

    pub fn query<'c>(&'c self, sql: impl Into<Cow<'static, str>>) -> Query<'c> {
        Query { executor: Executor::Pool(&self.0), statement: statement(sql) }
    }

    pub fn begin(&self) -> ResultFuture<'_, Tx> {
        Box::pin(async move {
            let connection = match &self.0 {
                Pools::Sqlite { write, .. } => {
                    TxConnection::Sqlite(write.begin_with("begin immediate").await?)
                }
                Pools::Postgres(pool) => TxConnection::Postgres(pool.begin().await?),
            };
            Ok(Tx { connection, deferred: Vec::new() })
        })
    }

    /// Updates the planner's statistics. Call it after a large import.
    pub async fn analyze(&self) -> Result<()> {
        self.query("analyze").execute().await.map(drop)
    }

    pub async fn close(&self) {
        match &self.0 {
            Pools::Sqlite { read, write } => {
                read.close().await;
                write.close().await;
            }
            Pools::Postgres(pool) => pool.close().await,
        }
    }
}

impl Tx {
    pub fn query<'c>(&'c mut self, sql: impl Into<Cow<'static, str>>) -> Query<'c> {
        Query { executor: Executor::Tx(self), statement: statement(sql) }
    }

    /// Defers a statement until the next query or the commit. Deferred statements are sent in one round
    /// trip. On PostgreSQL they become one statement, so none may touch a row that another one touches,
    /// or read what another one writes.
    pub fn defer(&mut self, statement: Statement) {
        self.deferred.push(statement);
    }

    /// Sends several statements with `returning` together with the deferred ones, and answers all their
    /// rows. The restrictions of `defer` hold for them too.
    pub async fn query_batch<T: Record>(&mut self, statements: Vec<Statement>) -> Result<Vec<T>> {
        let mut decoded = Vec::new();
        for rows in self.rows_of_batch(statements).await? {
            decoded.extend(rows.decode::<T>()?);
        }
        Ok(decoded)
    }

    fn rows_of_batch(&mut self, statements: Vec<Statement>) -> ResultFuture<'_, Vec<Rows>> {
        Box::pin(async move {
            while self.deferred.len() > BATCH_SIZE {
                self.flush_batch().await?;
            }
            let (mut statements, mut rows) = (statements.into_iter(), Vec::new());
            while statements.len() > 0 {
                let deferred = self.deferred.drain(..);
                let batch = statements.by_ref().take(BATCH_SIZE);
                rows.push(match &mut self.connection {
                    TxConnection::Sqlite(tx) => {
                        let (sql, values) = join_statements(deferred.chain(batch));
                        Rows::Sqlite(fetch!(SqliteArguments, sql, values, RowLimit::All, &mut **tx))
                    }
                    TxConnection::Postgres(tx) => {
                        let (sql, values) = join_as_returning_ctes(deferred, batch);
                        Rows::Postgres(fetch!(PgArguments, sql, values, RowLimit::All, &mut **tx))
                    }
                });
            }
            Ok(rows)
        })
    }

    async fn flush_deferred(&mut self) -> Result<()> {
        while !self.deferred.is_empty() {
            self.flush_batch().await?;
        }
        Ok(())
    }

    async fn flush_batch(&mut self) -> Result<()> {
        let batch = self.deferred.drain(..self.deferred.len().min(BATCH_SIZE));
        match &mut self.connection {
            TxConnection::Sqlite(tx) => {
                let (sql, values) = join_statements(batch);
                execute!(SqliteArguments, sql, values, &mut **tx);
            }
            TxConnection::Postgres(tx) => {
                let (sql, values) = join_as_ctes(batch);
                execute!(PgArguments, sql, values, &mut **tx);
            }
        }
        Ok(())
    }

    /// Keeps back what SQLite can execute together with the next statement.
    async fn flush_but_last_batch(&mut self) -> Result<()> {
        let most = if matches!(self.connection, TxConnection::Sqlite(_)) { BATCH_SIZE } else { 0 };
        while self.deferred.len() > most {
            self.flush_batch().await?;
        }
        Ok(())
    }

    pub fn commit(mut self) -> ResultFuture<'static, ()> {
        Box::pin(async move {
            self.flush_deferred().await?;
            match self.connection {
                TxConnection::Sqlite(tx) => tx.commit().await?,
                TxConnection::Postgres(tx) => tx.commit().await?,
            }
            Ok(())
        })
    }

    pub async fn rollback(self) -> Result<()> {
        match self.connection {
            TxConnection::Sqlite(tx) => tx.rollback().await?,
            TxConnection::Postgres(tx) => tx.rollback().await?,
        }
        Ok(())
    }
}

/// A statement, its values, and the pool or transaction that runs it.
#[must_use]
pub struct Query<'c> {
    executor: Executor<'c>,
    statement: Statement,
}

enum Executor<'c> {
    Pool(&'c Pools),
    Tx(&'c mut Tx),
}

/// A row type that both databases can decode.
pub trait Record:
    for<'r> sqlx::FromRow<'r, SqliteRow> + for<'r> sqlx::FromRow<'r, PgRow> + Send + Unpin
{
}

impl<T> Record for T where
    T: for<'r> sqlx::FromRow<'r, SqliteRow> + for<'r> sqlx::FromRow<'r, PgRow> + Send + Unpin
{
}

/// Rows of either database, before they are decoded.
enum Rows {
    Sqlite(Vec<SqliteRow>),
    Postgres(Vec<PgRow>),
}

impl Rows {
    fn decode<T: Record>(&self) -> Result<Vec<T>> {
        let decoded: Result<_, sqlx::Error> = match self {
            Self::Sqlite(rows) => rows.iter().map(T::from_row).collect(),
            Self::Postgres(rows) => rows.iter().map(T::from_row).collect(),
        };
        Ok(decoded?)
    }
}

impl<'c> Query<'c> {
    pub fn bind(mut self, value: impl Into<SqlValue>) -> Self {
        self.statement = self.statement.bind(value);
        self
    }

    pub fn bind_all(mut self, values: impl IntoIterator<Item = SqlValue>) -> Self {
        self.statement = self.statement.bind_all(values);
        self
    }

    pub async fn all<T: Record>(self) -> Result<Vec<T>> {
        self.rows(RowLimit::All).await?.decode()
    }

    pub async fn optional<T: Record>(self) -> Result<Option<T>> {
        Ok(self.rows(RowLimit::First).await?.decode()?.pop())
    }

    pub async fn one<T: Record>(self) -> Result<T> {
        self.optional().await?.ok_or_else(|| sqlx::Error::RowNotFound.into())
    }

    /// Not generic and boxed, so that the driver's code is compiled once, here, and not for each type of row
    /// in the crates that use it.
    fn rows(self, limit: RowLimit) -> ResultFuture<'c, Rows> {
        let Query { executor, statement: Statement { sql, values } } = self;
        Box::pin(async move {
            Ok(match executor {
                Executor::Pool(Pools::Sqlite { read, .. }) => {
                    Rows::Sqlite(fetch!(SqliteArguments, sql.into_owned(), values, limit, read))
                }
                Executor::Pool(Pools::Postgres(pool)) => {
                    Rows::Postgres(fetch!(PgArguments, sql.into_owned(), values, limit, pool))
                }
                Executor::Tx(tx) => {
                    tx.flush_but_last_batch().await?;
                    match &mut tx.connection {
                        TxConnection::Sqlite(connection) => {
                            let all = tx.deferred.drain(..).chain([Statement { sql, values }]);
                            let (sql, values) = join_statements(all);
                            let connection = &mut **connection;
                            Rows::Sqlite(fetch!(SqliteArguments, sql, values, limit, connection))
                        }
                        TxConnection::Postgres(tx) => Rows::Postgres(fetch!(
                            PgArguments,
                            sql.into_owned(),
                            values,
                            limit,
                            &mut **tx
                        )),
                    }
                }
            })
        })
    }

    /// Answers the number of affected rows.
    pub fn execute(self) -> ResultFuture<'c, u64> {
        let Query { executor, statement: Statement { sql, values } } = self;
        Box::pin(async move {
            match executor {
                Executor::Pool(Pools::Sqlite { write, .. }) => {
                    Ok(execute!(SqliteArguments, sql.into_owned(), values, write).rows_affected())
                }
                Executor::Pool(Pools::Postgres(pool)) => {
                    Ok(execute!(PgArguments, sql.into_owned(), values, pool).rows_affected())
                }
                Executor::Tx(tx) => {
                    // Sent alone, so that the count is its own.
                    tx.flush_deferred().await?;
                    match &mut tx.connection {
                        TxConnection::Sqlite(tx) => {
                            Ok(execute!(SqliteArguments, sql.into_owned(), values, &mut **tx)
                                .rows_affected())
                        }
                        TxConnection::Postgres(tx) => {
                            Ok(execute!(PgArguments, sql.into_owned(), values, &mut **tx)
                                .rows_affected())
                        }
                    }
                }
            }
        })
    }
}

/// `column in ($3, $4)`; for an empty list a condition that is never true.
pub fn in_list(column: &str, first: usize, count: usize) -> String {
    if count == 0 {
        return "1 = 0".into();
    }
    format!("{column} in {}", value_row(first, count))
}

/// The placeholders of the rows of an `insert`: `($1, $2), ($3, $4)`.
pub fn value_rows(count: usize, columns: usize) -> String {
    let rows = (0..count).map(|row| value_row(row * columns + 1, columns));
    rows.collect::<Vec<_>>().join(", ")
}

fn value_row(first: usize, count: usize) -> String {
    let places: Vec<String> = (first..first + count).map(|place| format!("${place}")).collect();
    format!("({})", places.join(", "))
}

/// The pattern of texts that contain `text`, for `like $1 escape '\'`.
pub fn like_containing(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern + "%"
}

/// Whether the error is a violation of the unique constraint on this column.
pub fn is_unique_violation(error: &Error, column: &str) -> bool {
    // SQLite names the column, PostgreSQL the constraint, whose name contains the column's.
    let Error::Internal(why) = error else { return false };
    let Some(sqlx::Error::Database(why)) = why.downcast_ref::<sqlx::Error>() else { return false };
    why.is_unique_violation()
        && (why.message().contains(column)
            || why.constraint().is_some_and(|name| name.contains(column)))
}

/// Whether the database aborted the transaction because of a concurrent one; a retry may succeed.
pub fn is_conflict(error: &Error) -> bool {
    let Error::Internal(why) = error else { return false };
    let Some(sqlx::Error::Database(why)) = why.downcast_ref::<sqlx::Error>() else { return false };
    // PostgreSQL: serialization failure, deadlock. SQLite: busy, locked, busy with a newer snapshot.
    matches!(why.code().as_deref(), Some("40001" | "40P01" | "5" | "6" | "517"))
}

/// How many deferred statements are sent in one round trip.
const BATCH_SIZE: usize = 16;

const MAX_ATTEMPTS: usize = 10;

/// Runs `work`, a transaction, and retries it while it conflicts with concurrent ones.
pub async fn retry_on_conflict<T, F>(mut work: impl FnMut() -> F) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    for _ in 1..MAX_ATTEMPTS {
        match work().await {
            Err(why) if is_conflict(&why) => tracing::info!(%why, "transaction conflict, retrying"),
            done => return done,
        }
    }
    work().await.map_err(|why| match is_conflict(&why) {
        true => Error::Unavailable(why.into()),
        false => why,
    })
}

//! One SQL text over two databases. The only file that names both drivers: `Db` reads, `Tx` writes,
//! and everything above speaks plain SQL with `$1` that SQLite and PostgreSQL both accept.

mod value;
mod write;
mod writer;

use std::borrow::Cow;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, Transaction};
use sqlx_postgres::{PgArguments, PgConnectOptions, PgPool, PgPoolOptions, PgRow, Postgres};
use sqlx_sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteRow, SqliteSynchronous,
};

pub use self::value::{Json, Value};
pub use self::write::{Write, write};

use self::value::arguments;
use self::write::{asked_in_one_statement, in_one_statement, one_after_another};
use self::writer::{Turn, Writer};
use crate::{Clock, Error, Result};

/// How long a connection to PostgreSQL may have idled before it is asked whether it is still there.
const ASK_AFTER: Duration = Duration::from_secs(5);

/// The shop's database.
#[derive(Clone, Debug)]
pub struct Db(Pools);

#[derive(Clone, Debug)]
enum Pools {
    /// SQLite writes through one connection, so that writers queue here instead of failing there.
    Sqlite {
        read: SqlitePool,
        write: Writer,
    },
    Postgres(PgPool),
}

/// A transaction: everything in it happens, or nothing. Dropped without `commit`, it never was.
pub struct Tx {
    open: Open,
    /// What is to be written before anything else.
    later: Vec<Write>,
}

enum Open {
    Sqlite(Turn),
    Postgres(Transaction<'static, Postgres>),
}

impl Db {
    /// `postgres://…` or `sqlite://PATH`, whose file is made when it is not there.
    pub async fn open(url: &str) -> Result<Self> {
        if let Some(path) = url.strip_prefix("sqlite://") {
            return Self::sqlite(Path::new(path)).await;
        }
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            let why = "database_url: an address like postgres://user@host/name is wanted";
            return Err(Error::internal(why));
        }
        let pool = PgPoolOptions::new()
            .max_connections(16)
            .acquire_timeout(Duration::from_secs(5))
            // A connection that was in use a moment ago is not asked whether it is still there.
            .test_before_acquire(false)
            .before_acquire(|connection, known| {
                Box::pin(async move {
                    if known.idle_for > ASK_AFTER {
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
            // An order that was confirmed survives the plug being pulled.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .pragma("cache_size", "-16384")
            .busy_timeout(Duration::from_secs(10));
        let write = Writer::open(&options).await?;
        let read = SqlitePoolOptions::new()
            .test_before_acquire(false)
            .max_connections(4)
            .acquire_timeout(Duration::from_secs(5))
            .connect_with(options.read_only(true))
            .await?;
        Ok(Self(Pools::Sqlite { read, write }))
    }

    pub fn query<'c>(&'c self, sql: impl Into<Cow<'static, str>>) -> Query<'c> {
        Query { on: On::Pool(&self.0), write: write(sql) }
    }

    pub async fn begin(&self) -> Result<Tx> {
        self.begin_for(false).await
    }

    /// For one that writes much: nobody else's outcome waits for its end.
    pub async fn begin_long(&self) -> Result<Tx> {
        self.begin_for(true).await
    }

    async fn begin_for(&self, long: bool) -> Result<Tx> {
        let open = match &self.0 {
            Pools::Sqlite { write, .. } => Open::Sqlite(write.begin(long).await?),
            Pools::Postgres(pool) => Open::Postgres(pool.begin().await?),
        };
        Ok(Tx { open, later: Vec::new() })
    }

    /// Brings the tables up to this program's version. Whoever comes first does it; others wait.
    pub async fn migrate(&self, clock: &Clock) -> Result<()> {
        let mut tx = self.begin_long().await?;
        if let Open::Postgres(_) = &tx.open {
            tx.query("select pg_advisory_xact_lock(4846420)").execute().await?;
        }
        tx.query("create table if not exists migrations (name text primary key, applied_at bigint not null)")
            .execute()
            .await?;
        let applied: Vec<(String,)> = tx.query("select name from migrations").all().await?;
        if let Some((newer,)) =
            applied.iter().find(|(name,)| !MIGRATIONS.iter().any(|(known, _)| known == name))
        {
            return Err(Error::internal(format!(
                "the database was made by a newer Haat (it has {newer}); update this program"
            )));
        }
        for (name, sql) in MIGRATIONS {
            if applied.iter().any(|(done,)| done == name) {
                continue;
            }
            match &mut tx.open {
                Open::Sqlite(turn) => sqlx::raw_sql(*sql).execute(turn.next()?.1).await.map(drop),
                Open::Postgres(tx) => sqlx::raw_sql(*sql).execute(&mut **tx).await.map(drop),
            }?;
            tx.query("insert into migrations (name, applied_at) values ($1, $2)")
                .bind(*name)
                .bind(clock.now())
                .execute()
                .await?;
            tracing::info!(name, "migrated");
        }
        tx.commit().await
    }

    /// How many migrations are still to be run, without running any.
    pub async fn behind(&self) -> Result<usize> {
        let applied: Result<Vec<(String,)>> = self.query("select name from migrations").all().await;
        // Without the table there is nothing yet.
        let applied = applied.unwrap_or_default();
        let missing = |name: &&str| !applied.iter().any(|(done,)| done == name);
        Ok(MIGRATIONS.iter().map(|(name, _)| name).filter(|name| missing(name)).count())
    }

    /// Lets the database look at what it holds, so that it plans well. Worth calling after a
    /// large import.
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
        Query { on: On::Tx(self), write: write(sql) }
    }

    /// Leaves a write until the next question or the end, when all that wait are sent together: each
    /// journey to the database costs more than what it brings. None may touch a row that another one
    /// touches, nor ask for what another one writes.
    pub fn later(&mut self, write: Write) {
        self.later.push(write);
    }

    /// Asks several statements together with what waits, one after the other, each of which writes and
    /// gives rows of the same kind. For these holds what holds for `later`.
    pub async fn all_of<T: Record>(&mut self, asked: Vec<Write>) -> Result<Vec<T>> {
        while self.later.len() > MOST_TOGETHER {
            self.send_some().await?;
        }
        let (mut asked, mut rows) = (asked.into_iter(), Vec::new());
        while asked.len() > 0 {
            let (waiting, some) = (self.later.drain(..), asked.by_ref().take(MOST_TOGETHER));
            rows.extend(match &mut self.open {
                Open::Sqlite(turn) => {
                    let (first, connection) = turn.next()?;
                    let (sql, values) = one_after_another(first, waiting.chain(some));
                    let arguments = arguments::<SqliteArguments>(values)?;
                    sqlx::query_as_with(AssertSqlSafe(sql), arguments).fetch_all(connection).await?
                }
                Open::Postgres(tx) => {
                    let (sql, values) = asked_in_one_statement(waiting, some);
                    let arguments = arguments::<PgArguments>(values)?;
                    sqlx::query_as_with(AssertSqlSafe(sql), arguments).fetch_all(&mut **tx).await?
                }
            });
        }
        Ok(rows)
    }

    /// Sends what waits.
    async fn catch_up(&mut self) -> Result<()> {
        while !self.later.is_empty() {
            self.send_some().await?;
        }
        Ok(())
    }

    async fn send_some(&mut self) -> Result<()> {
        let writes = self.later.drain(..self.later.len().min(MOST_TOGETHER));
        match &mut self.open {
            Open::Sqlite(turn) => {
                let (first, connection) = turn.next()?;
                let (sql, values) = one_after_another(first, writes);
                let arguments = arguments::<SqliteArguments>(values)?;
                sqlx::query_with(AssertSqlSafe(sql), arguments).execute(connection).await?;
            }
            Open::Postgres(tx) => {
                let (sql, values) = in_one_statement(writes);
                let arguments = arguments::<PgArguments>(values)?;
                sqlx::query_with(AssertSqlSafe(sql), arguments).execute(&mut **tx).await?;
            }
        }
        Ok(())
    }

    /// Sends what waits, but for what can be said in one breath with the next statement.
    async fn nearly_catch_up(&mut self) -> Result<()> {
        let most = if matches!(self.open, Open::Sqlite(_)) { MOST_TOGETHER } else { 0 };
        while self.later.len() > most {
            self.send_some().await?;
        }
        Ok(())
    }

    pub async fn commit(mut self) -> Result<()> {
        self.nearly_catch_up().await?;
        match self.open {
            Open::Sqlite(mut turn) => {
                if self.later.is_empty() {
                    return turn.keep(String::new(), SqliteArguments::default()).await;
                }
                let (sql, values) = one_after_another(turn.next()?.0, self.later.into_iter());
                turn.keep(sql, arguments(values)?).await
            }
            Open::Postgres(tx) => Ok(tx.commit().await?),
        }
    }

    /// Undoes everything. What was seen here of others is certain when this comes back, so that it can
    /// be acted on.
    pub async fn leave(self) -> Result<()> {
        match self.open {
            Open::Sqlite(turn) => turn.undo().await,
            Open::Postgres(tx) => Ok(tx.rollback().await?),
        }
    }
}

/// The program's tables, in order. A test holds this list against the folder.
pub(crate) const MIGRATIONS: &[(&str, &str)] = &[
    ("0001_house", include_str!("../../../migrations/0001_house.sql")),
    ("0002_catalog", include_str!("../../../migrations/0002_catalog.sql")),
    ("0003_identity", include_str!("../../../migrations/0003_identity.sql")),
    ("0004_customers", include_str!("../../../migrations/0004_customers.sql")),
    ("0005_mail", include_str!("../../../migrations/0005_mail.sql")),
    ("0006_social", include_str!("../../../migrations/0006_social.sql")),
    ("0007_media", include_str!("../../../migrations/0007_media.sql")),
    ("0008_messages", include_str!("../../../migrations/0008_messages.sql")),
    ("0009_orders", include_str!("../../../migrations/0009_orders.sql")),
    ("0010_carts", include_str!("../../../migrations/0010_carts.sql")),
    ("0011_popularity", include_str!("../../../migrations/0011_popularity.sql")),
    ("0012_reviews", include_str!("../../../migrations/0012_reviews.sql")),
    ("0013_wishlists", include_str!("../../../migrations/0013_wishlists.sql")),
    ("0014_profiles", include_str!("../../../migrations/0014_profiles.sql")),
    ("0015_credit", include_str!("../../../migrations/0015_credit.sql")),
    ("0016_seats", include_str!("../../../migrations/0016_seats.sql")),
    ("0017_kept_letters", include_str!("../../../migrations/0017_kept_letters.sql")),
    ("0018_revocation", include_str!("../../../migrations/0018_revocation.sql")),
    ("0019_attempt_delays", include_str!("../../../migrations/0019_attempt_delays.sql")),
    ("0020_second_factors", include_str!("../../../migrations/0020_second_factors.sql")),
    ("0021_order_limits", include_str!("../../../migrations/0021_order_limits.sql")),
    ("0023_rating_of_reviews", include_str!("../../../migrations/0023_rating_of_reviews.sql")),
    ("0024_returns", include_str!("../../../migrations/0024_returns.sql")),
    ("0025_social_callbacks", include_str!("../../../migrations/0025_social_callbacks.sql")),
];

/// A statement, its values, and where it is asked.
#[must_use]
pub struct Query<'c> {
    on: On<'c>,
    write: Write,
}

enum On<'c> {
    Pool(&'c Pools),
    Tx(&'c mut Tx),
}

/// A row that either database can give.
pub trait Record:
    for<'r> sqlx::FromRow<'r, SqliteRow> + for<'r> sqlx::FromRow<'r, PgRow> + Send + Unpin
{
}

impl<T> Record for T where
    T: for<'r> sqlx::FromRow<'r, SqliteRow> + for<'r> sqlx::FromRow<'r, PgRow> + Send + Unpin
{
}

macro_rules! fetch {
    ($query:expr, $fetch:ident) => {{
        let Query { on, write: Write { sql, values } } = $query;
        match on {
            On::Pool(Pools::Sqlite { read, .. }) => {
                let sql = AssertSqlSafe(sql.into_owned());
                sqlx::query_as_with(sql, arguments::<SqliteArguments>(values)?).$fetch(read).await
            }
            On::Pool(Pools::Postgres(pool)) => {
                let sql = AssertSqlSafe(sql.into_owned());
                sqlx::query_as_with(sql, arguments::<PgArguments>(values)?).$fetch(pool).await
            }
            On::Tx(tx) => {
                tx.nearly_catch_up().await?;
                match &mut tx.open {
                    Open::Sqlite(turn) => {
                        let (first, connection) = turn.next()?;
                        let all = tx.later.drain(..).chain([Write { sql, values }]);
                        let (sql, values) = one_after_another(first, all);
                        sqlx::query_as_with(
                            AssertSqlSafe(sql),
                            arguments::<SqliteArguments>(values)?,
                        )
                        .$fetch(connection)
                        .await
                    }
                    Open::Postgres(tx) => {
                        let sql = AssertSqlSafe(sql.into_owned());
                        sqlx::query_as_with(sql, arguments::<PgArguments>(values)?)
                            .$fetch(&mut **tx)
                            .await
                    }
                }
            }
        }
        .map_err(Error::from)
    }};
}

impl Query<'_> {
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.write = self.write.bind(value);
        self
    }

    pub fn bind_all(mut self, values: impl IntoIterator<Item = Value>) -> Self {
        self.write = self.write.bind_all(values);
        self
    }

    pub async fn all<T: Record>(self) -> Result<Vec<T>> {
        fetch!(self, fetch_all)
    }

    pub async fn optional<T: Record>(self) -> Result<Option<T>> {
        fetch!(self, fetch_optional)
    }

    pub async fn one<T: Record>(self) -> Result<T> {
        fetch!(self, fetch_one)
    }

    /// Runs it and says how many rows it touched.
    pub async fn execute(self) -> Result<u64> {
        let Query { on, write: Write { sql, values } } = self;
        Ok(match on {
            On::Pool(Pools::Sqlite { write, .. }) => {
                write.execute(sql.into_owned(), arguments(values)?).await?
            }
            On::Pool(Pools::Postgres(pool)) => {
                let sql = AssertSqlSafe(sql.into_owned());
                sqlx::query_with(sql, arguments::<PgArguments>(values)?)
                    .execute(pool)
                    .await?
                    .rows_affected()
            }
            On::Tx(tx) => {
                // By itself, so that the rows are its own.
                tx.catch_up().await?;
                match &mut tx.open {
                    Open::Sqlite(turn) => {
                        let (first, connection) = turn.next()?;
                        if !first.is_empty() {
                            sqlx::query(first).execute(&mut *connection).await?;
                        }
                        let sql = AssertSqlSafe(sql.into_owned());
                        sqlx::query_with(sql, arguments::<SqliteArguments>(values)?)
                            .execute(connection)
                            .await?
                            .rows_affected()
                    }
                    Open::Postgres(tx) => {
                        let sql = AssertSqlSafe(sql.into_owned());
                        sqlx::query_with(sql, arguments::<PgArguments>(values)?)
                            .execute(&mut **tx)
                            .await?
                            .rows_affected()
                    }
                }
            }
        })
    }
}

/// `column in ($3, $4)`; true for nothing where there is nothing to be.
pub fn one_of(column: &str, first: usize, count: usize) -> String {
    if count == 0 {
        return "1 = 0".into();
    }
    let places: Vec<String> = (first..first + count).map(|place| format!("${place}")).collect();
    format!("{column} in ({})", places.join(", "))
}

/// Tells a taken unique value, by its column, from every other failure.
pub fn is_taken(error: &Error, column: &str) -> bool {
    // SQLite names the column, PostgreSQL the constraint, which is called after the column too.
    let Error::Internal(why) = error else { return false };
    let Some(sqlx::Error::Database(why)) = why.downcast_ref::<sqlx::Error>() else { return false };
    why.is_unique_violation()
        && (why.message().contains(column)
            || why.constraint().is_some_and(|name| name.contains(column)))
}

/// Tells a transaction that was given up for the sake of another one: the same again may well work.
pub fn is_contended(error: &Error) -> bool {
    let Error::Internal(why) = error else { return false };
    let Some(sqlx::Error::Database(why)) = why.downcast_ref::<sqlx::Error>() else { return false };
    // PostgreSQL: could not serialize, deadlock. SQLite: busy, locked, and busy with a newer snapshot.
    matches!(why.code().as_deref(), Some("40001" | "40P01" | "5" | "6" | "517"))
}

/// How many writes are sent together.
const MOST_TOGETHER: usize = 16;

const TRIES: usize = 10;

/// Does `work`, a transaction, again while it is given up for the sake of others.
pub async fn again<T, F>(mut work: impl FnMut() -> F) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    for _ in 1..TRIES {
        match work().await {
            Err(why) if is_contended(&why) => tracing::info!(%why, "trying again"),
            done => return done,
        }
    }
    work().await.map_err(|why| match is_contended(&why) {
        true => Error::Unavailable(why.into()),
        false => why,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_migration_file_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        files.sort();
        let listed: Vec<_> = MIGRATIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(files, listed);
    }
}

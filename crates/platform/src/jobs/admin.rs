//! What a person does with jobs: lists, retries and discards them.

use serde::Serialize;

use super::JobId;
use crate::db::{SqlValue, in_list};
use crate::{Db, Result, Timestamp};

/// A queued or failed job.
#[derive(Debug, sqlx::FromRow, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobDetails {
    pub id: JobId,
    pub kind: String,
    pub queue: String,
    pub attempts: i64,
    pub last_error: Option<String>,
    pub created_at: Timestamp,
    /// When it runs next; null if it has failed.
    pub run_at: Option<Timestamp>,
    /// When it failed for the last time; null while it is queued.
    pub failed_at: Option<Timestamp>,
    /// JSON, which may contain secrets: codes, links.
    #[serde(skip)]
    pub payload: String,
}

const BOTH: &str = "select * from (
      select id, kind, queue, attempts, last_error, created_at, run_at, cast(null as bigint) as failed_at, payload
      from jobs union all
      select id, kind, queue, attempts, last_error, created_at, cast(null as bigint), failed_at, payload
      from failed_jobs) as j";

/// The newest failed jobs, then the queued ones in the order in which they run.
pub async fn list(
    db: &Db,
    only_failed: bool,
    kind: Option<&str>,
    max: i64,
) -> Result<Vec<JobDetails>> {
    let failed = if only_failed { "failed_at is not null" } else { "1 = 1" };
    db.query(format!(
        "{BOTH} where {failed} and kind = coalesce($1, kind)
         order by coalesce(-failed_at, 0), run_at, id limit $2"
    ))
    .bind(kind)
    .bind(max)
    .all()
    .await
}

pub async fn find(db: &Db, id: &JobId) -> Result<Option<JobDetails>> {
    db.query(format!("{BOTH} where id = $1")).bind(id).optional().await
}

/// Queues a failed job again, or all of them, and answers how many.
pub async fn retry(db: &Db, now: Timestamp, id: Option<&JobId>) -> Result<u64> {
    let mut tx = db.begin().await?;
    let id = id.map(|id| id.as_str());
    tx.query(
        "insert into jobs (id, kind, payload, queue, priority, run_at, attempts, claimed_until, created_at,
           last_error)
         select id, kind, payload, queue, priority, $2, 0, 0, created_at, last_error from failed_jobs
         where id = coalesce($1, id) on conflict (id) do nothing",
    )
    .bind(id)
    .bind(now)
    .execute()
    .await?;
    let delete = "delete from failed_jobs where id = coalesce($1, id)";
    let retried = tx.query(delete).bind(id).execute().await?;
    tx.commit().await?;
    Ok(retried)
}

/// Deletes a job, whether it is queued or failed, but not while it runs. Answers how many were deleted.
pub async fn discard(db: &Db, now: Timestamp, id: &JobId) -> Result<u64> {
    discard_where(db, now, "id", id.as_str()).await
}

/// Deletes all jobs of a kind likewise.
pub async fn discard_kind(db: &Db, now: Timestamp, kind: &str) -> Result<u64> {
    discard_where(db, now, "kind", kind).await
}

async fn discard_where(db: &Db, now: Timestamp, column: &str, value: &str) -> Result<u64> {
    let mut tx = db.begin().await?;
    let queued = format!("delete from jobs where {column} = $1 and claimed_until <= $2");
    let queued = tx.query(queued).bind(value).bind(now).execute().await?;
    let failed = format!("delete from failed_jobs where {column} = $1");
    let failed = tx.query(failed).bind(value).execute().await?;
    tx.commit().await?;
    Ok(queued + failed)
}

/// Deletes the failed jobs of these kinds. Those of others stay until a person handles them.
pub async fn delete_failed(db: &Db, kinds: &[&str], before: Timestamp) -> Result<()> {
    let kinds_match = in_list("kind", 2, kinds.len());
    db.query(format!("delete from failed_jobs where failed_at < $1 and {kinds_match}"))
        .bind(before)
        .bind_all(kinds.iter().map(|kind| SqlValue::from(*kind)))
        .execute()
        .await
        .map(drop)
}

/// How many jobs are queued, and how many have failed.
pub async fn queue_depth(db: &Db) -> Result<(i64, i64)> {
    db.query("select (select count(*) from jobs), (select count(*) from failed_jobs)").one().await
}

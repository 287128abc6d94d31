//! Letters that a demo shop keeps to be read in the browser, as their words.

use std::fmt::Display;

use serde::Serialize;

use super::Letter;
use crate::db::{Write, write};
use crate::jobs::Job;
use crate::{Db, Error, Id, Result, Timestamp};

/// Keeps a letter; one that is kept already is enough.
pub(crate) fn keep<To: Display + Serialize>(
    id: &str,
    letter: &Letter<To>,
    now: Timestamp,
) -> Result<Write> {
    let keep = write(
        "insert into kept_letters (id, recipient, subject, letter, created_at)
         values ($1, $2, $3, $4, $5) on conflict (id) do nothing",
    );
    Ok(keep
        .bind(id)
        .bind(letter.to.to_string())
        .bind(letter.subject.as_str())
        .bind(serde_json::to_string(letter)?)
        .bind(now))
}

/// A line of the list.
#[derive(sqlx::FromRow)]
pub struct Kept {
    pub id: Id<Job>,
    pub recipient: String,
    pub subject: String,
    pub created_at: Timestamp,
}

/// The newest hundred.
pub async fn newest_kept(db: &Db) -> Result<Vec<Kept>> {
    db.query(
        "select id, recipient, subject, created_at from kept_letters
         order by created_at desc, id desc limit 100",
    )
    .all()
    .await
}

pub async fn kept(db: &Db, id: &Id<Job>) -> Result<Letter<String>> {
    let found: Option<(String,)> =
        db.query("select letter from kept_letters where id = $1").bind(id).optional().await?;
    let (letter,) = found.ok_or(Error::NotFound("letter"))?;
    Ok(serde_json::from_str(&letter)?)
}

/// What was kept before that moment has been read, or never will be.
pub async fn forget_kept(db: &Db, before: Timestamp) -> Result<()> {
    db.query("delete from kept_letters where created_at < $1")
        .bind(before)
        .execute()
        .await
        .map(drop)
}

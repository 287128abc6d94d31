//! The development mailbox: e-mails that a demo shop stores instead of sending them.

use std::fmt::Display;

use platform::db::{Statement, statement};
use platform::jobs::JobId;
use platform::{Db, Error, Result, Timestamp};
use serde::Serialize;

use super::Email;

/// The statement that stores an e-mail, unless it is stored already.
pub(crate) fn store_statement<To: Display + Serialize>(
    id: &str,
    email: &Email<To>,
    now: Timestamp,
) -> Result<Statement> {
    let insert = statement(
        "insert into stored_emails (id, recipient, subject, email, created_at)
         values ($1, $2, $3, $4, $5) on conflict (id) do nothing",
    );
    Ok(insert
        .bind(id)
        .bind(email.to.to_string())
        .bind(email.subject.as_str())
        .bind(serde_json::to_string(email)?)
        .bind(now))
}

/// Without its content.
#[derive(sqlx::FromRow)]
pub struct StoredEmail {
    pub id: JobId,
    pub recipient: String,
    pub subject: String,
    pub created_at: Timestamp,
}

pub async fn recent_emails(db: &Db) -> Result<Vec<StoredEmail>> {
    db.query(
        "select id, recipient, subject, created_at from stored_emails
         order by created_at desc, id desc limit 100",
    )
    .all()
    .await
}

pub async fn find_stored_email(db: &Db, id: &JobId) -> Result<Email<String>> {
    let found: Option<(String,)> =
        db.query("select email from stored_emails where id = $1").bind(id).optional().await?;
    let (json,) = found.ok_or(Error::NotFound("e-mail"))?;
    Ok(serde_json::from_str(&json)?)
}

pub async fn delete_stored_emails(db: &Db, before: Timestamp) -> Result<()> {
    db.query("delete from stored_emails where created_at < $1")
        .bind(before)
        .execute()
        .await
        .map(drop)
}

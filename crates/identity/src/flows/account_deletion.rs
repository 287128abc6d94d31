//! Account deletion, and the export of all data about an account. Other parts of the program delete
//! their data in the job `AccountDeleted`, so that identity does not depend on them.

use platform::jobs::{self, Completion, Job, JobId};
use platform::{Id, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::account_json::account_json;
use crate::accounts::{self, Account, AccountId};
use crate::security_log::{self, AuthEvent};
use crate::services::Services;
use crate::sessions::{self, revoke_sessions};
use crate::wire::{ApiError, ApiResult};

/// The job that is enqueued when an account is deleted.
#[derive(Debug, Serialize, Deserialize)]
pub struct AccountDeleted {
    pub account: String,
    /// Only if it was verified.
    pub email: Option<String>,
}

/// Deletes what other parts of the program store about an account.
pub type OnAccountDeleted =
    Box<dyn Fn(AccountDeleted) -> platform::ResultFuture<'static, ()> + Send + Sync>;

impl Job for AccountDeleted {
    const NAME: &'static str = "identity.deleted";
    type Context = OnAccountDeleted;

    async fn run(self, _: JobId, on_deleted: &OnAccountDeleted) -> Result<Completion> {
        on_deleted(self).await.map(Completion::from)
    }
}

/// Deletes an account in a transaction, with its sessions.
pub async fn delete_in(
    identity: &Services,
    tx: &mut Tx,
    account: &Account,
    event: AuthEvent,
) -> ApiResult<()> {
    accounts::delete(tx, &account.id).await?;
    let email = account.email.clone().filter(|_| account.has_verified_email());
    Ok(after_deletion(identity, tx, &account.id, email, event).await?)
}

/// What follows from the deletion of an account, in its transaction: its sessions end, and the other
/// parts of the program delete their data.
pub async fn after_deletion(
    identity: &Services,
    tx: &mut Tx,
    account: &AccountId,
    email: Option<String>,
    event: AuthEvent,
) -> Result<()> {
    if !identity.is_emulator() {
        revoke_sessions(tx, account).await?;
        // The rows stay until retention deletes them, so that their tokens get a proper error; the
        // user agents are personal data.
        tx.query("update refresh_tokens set agent = null where account = $1")
            .bind(account)
            .execute()
            .await?;
        let job = AccountDeleted { account: account.as_str().to_owned(), email };
        let (id, now) = (Id::new(&identity.clock, &identity.random), identity.clock.now());
        jobs::enqueue(tx, id, &job, now, now)?;
    }
    security_log::record(identity, tx, event, Some(account)).await
}

/// Deletes an account; does nothing if there is none.
pub async fn delete_account(identity: &Services, id: &str) -> Result<()> {
    loop {
        let Some(account) = accounts::find_by_id(&identity.db, id).await? else { return Ok(()) };
        let mut tx = identity.db.begin().await?;
        let event = AuthEvent { kind: "deleted", client_ip: None, agent: None };
        match delete_in(identity, &mut tx, &account, event).await {
            Ok(()) => return tx.commit().await,
            // The account was deleted or changed by a concurrent call.
            Err(ApiError::Conflict) => continue,
            Err(ApiError::Internal(why)) => return Err(why),
            Err(ApiError::Protocol(_, why, _)) => return Err(platform::Error::internal(why)),
        }
    }
}

/// All stored data about an account, for its owner: profile, devices and security events, but no secrets.
pub async fn export_account(identity: &Services, id: &str) -> Result<Option<Value>> {
    #[derive(sqlx::FromRow, Serialize)]
    struct EventRow {
        at: Timestamp,
        kind: String,
        address: Option<String>,
    }
    let Some(account) = accounts::find_by_id(&identity.db, id).await? else { return Ok(None) };
    let mut export = account_json(identity, &account);
    if let Some(export) = export.as_object_mut() {
        export.remove("passwordHash");
    }
    let events: Vec<EventRow> = identity
        .db
        .query("select at, kind, address from security_events where account = $1 order by at, id")
        .bind(&account.id)
        .all()
        .await?;
    export["devices"] = json!(sessions::list_devices(identity, &account, None).await?);
    export["securityEvents"] = json!(events);
    Ok(Some(export))
}

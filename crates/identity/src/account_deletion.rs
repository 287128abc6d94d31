//! Account deletion, and the export of all data about an account. Other parts of the program delete
//! their data in the job `AccountDeleted`, so that identity does not depend on them.

use std::pin::Pin;

use platform::jobs::{self, Completion, Job, JobId};
use platform::{Id, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::accounts::{self, Account};
use crate::protocol::{ApiError, ApiResult};
use crate::sessions::{AuthEvent, revoke_sessions};
use crate::{Identity, account_api, devices};

/// The job that is enqueued when an account is deleted.
#[derive(Debug, Serialize, Deserialize)]
pub struct AccountDeleted {
    pub account: String,
    /// Only if it was verified.
    pub email: Option<String>,
}

/// Deletes what other parts of the program store about an account.
pub type OnAccountDeleted =
    Box<dyn Fn(AccountDeleted) -> Pin<Box<dyn Future<Output = Result<()>> + Send>> + Send + Sync>;

impl Job for AccountDeleted {
    const NAME: &'static str = "identity.deleted";
    type Context = OnAccountDeleted;

    async fn run(self, _: JobId, on_deleted: &OnAccountDeleted) -> Result<Completion> {
        on_deleted(self).await.map(Completion::from)
    }
}

impl Identity {
    /// Deletes an account in a transaction, with its sessions.
    pub(crate) async fn delete_in(
        &self,
        tx: &mut Tx,
        account: &Account,
        event: AuthEvent,
    ) -> ApiResult<()> {
        accounts::delete(tx, &account.id).await?;
        if !self.is_emulator() {
            revoke_sessions(tx, &account.id).await?;
            // The rows stay until retention deletes them, so that their tokens get a proper error; the
            // user agents are personal data.
            tx.query("update refresh_tokens set agent = null where account = $1")
                .bind(&account.id)
                .execute()
                .await?;
            let email = account.email.clone().filter(|_| account.has_verified_email());
            let job = AccountDeleted { account: account.id.as_str().to_owned(), email };
            let (id, now) = (Id::new(&self.clock, &self.random), self.clock.now());
            jobs::enqueue(tx, id, &job, now, now)?;
        }
        self.record_event(tx, event, Some(&account.id)).await?;
        Ok(())
    }

    /// Deletes an account; does nothing if there is none.
    pub async fn delete_account(&self, id: &str) -> Result<()> {
        loop {
            let Some(account) = accounts::find_by_id(&self.db, id).await? else { return Ok(()) };
            let mut tx = self.db.begin().await?;
            let event = AuthEvent { kind: "deleted", client_ip: None, agent: None };
            match self.delete_in(&mut tx, &account, event).await {
                Ok(()) => return tx.commit().await,
                // The account was deleted or changed by a concurrent call.
                Err(ApiError::Conflict) => continue,
                Err(ApiError::Internal(why)) => return Err(why),
                Err(ApiError::Protocol(_, why, _)) => return Err(platform::Error::internal(why)),
            }
        }
    }

    /// All stored data about an account, for its owner: profile, devices and security events, but no secrets.
    pub async fn export_account(&self, id: &str) -> Result<Option<Value>> {
        #[derive(sqlx::FromRow, Serialize)]
        struct EventRow {
            at: Timestamp,
            kind: String,
            address: Option<String>,
        }
        let Some(account) = accounts::find_by_id(&self.db, id).await? else { return Ok(None) };
        let mut export = account_api::account_json(self, &account);
        if let Some(export) = export.as_object_mut() {
            export.remove("passwordHash");
        }
        let events: Vec<EventRow> = self
            .db
            .query(
                "select at, kind, address from security_events where account = $1 order by at, id",
            )
            .bind(&account.id)
            .all()
            .await?;
        export["devices"] = json!(devices::list_devices(self, &account, None).await?);
        export["securityEvents"] = json!(events);
        Ok(Some(export))
    }
}

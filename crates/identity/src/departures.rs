//! The end of an account, and all that is kept of it until then. Whoever keeps something for the account
//! elsewhere hears of its end by a job: identity knows nobody by name.

use base::{Id, Result, Timestamp, Tx, jobs};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::accounts::{self, Account};
use crate::protocol::{Answer, Refusal};
use crate::sessions::{Event, revoke_all};
use crate::{Identity, devices, profile};

/// The job that says that an account is gone.
pub const DELETED: &str = "identity.deleted";

#[derive(Debug, Serialize, Deserialize)]
pub struct Deleted {
    pub account: String,
    /// Where it was shown to be the holder's own.
    pub email: Option<String>,
}

impl Identity {
    /// Deletes an account and whatever opens it.
    pub(crate) async fn remove(&self, tx: &mut Tx, account: &Account, event: Event) -> Answer<()> {
        accounts::delete(tx, &account.id).await?;
        if !self.is_lax() {
            revoke_all(tx, &account.id).await?;
            // The rows stay for a while, to tell their holders; what they were opened from does not.
            tx.query("update refresh_tokens set agent = null where account = $1")
                .bind(&account.id)
                .execute()
                .await?;
            let email = account.email.clone().filter(|_| account.has_verified_email());
            let deleted = Deleted { account: account.id.as_str().to_owned(), email };
            let (id, now) = (Id::new(&self.clock, &self.random), self.clock.now());
            jobs::enqueue(tx, id, DELETED, &deleted, now, now)?;
        }
        self.note(tx, event, Some(&account.id)).await?;
        Ok(())
    }

    /// Deletes the account of this id, if there is one, at the shop's word.
    pub async fn forget(&self, id: &str) -> Result<()> {
        loop {
            let Some(account) = accounts::by_id(&self.db, id).await? else { return Ok(()) };
            let mut tx = self.db.begin().await?;
            let event = Event { kind: "deleted", address: None, agent: None };
            match self.remove(&mut tx, &account, event).await {
                Ok(()) => return tx.commit().await,
                // Somebody else was faster, or changed it meanwhile.
                Err(Refusal::Moved) => continue,
                Err(Refusal::House(why)) => return Err(why),
                Err(Refusal::Protocol(_, why, _)) => return Err(base::Error::internal(why)),
            }
        }
    }

    /// All that is kept of an account, for its holder: how it is entered, where from, and what happened
    /// to it. What proves it is not told.
    pub async fn told(&self, id: &str) -> Result<Option<Value>> {
        #[derive(sqlx::FromRow, Serialize)]
        struct Noted {
            at: Timestamp,
            kind: String,
            address: Option<String>,
        }
        let Some(account) = accounts::by_id(&self.db, id).await? else { return Ok(None) };
        let mut told = profile::described(self, &account);
        if let Some(told) = told.as_object_mut() {
            told.remove("passwordHash");
        }
        let events: Vec<Noted> = self
            .db
            .query(
                "select at, kind, address from security_events where account = $1 order by at, id",
            )
            .bind(&account.id)
            .all()
            .await?;
        told["devices"] = json!(devices::of(self, &account, None).await?);
        told["securityEvents"] = json!(events);
        Ok(Some(told))
    }
}

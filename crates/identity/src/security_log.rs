//! Security log: sign-ins, changes of credentials and failed attempts of accounts.

use std::net::IpAddr;

use platform::{Id, Result, Tx};

use crate::accounts::AccountId;
use crate::services::Services;

/// An entry of the security log.
pub struct AuthEvent {
    pub kind: &'static str,
    pub client_ip: Option<IpAddr>,
    /// Stored with the new session only, not in the log.
    pub agent: Option<String>,
}

pub async fn record(
    identity: &Services,
    tx: &mut Tx,
    event: AuthEvent,
    account: Option<&AccountId>,
) -> Result<()> {
    let id = Id::<AuthEvent>::new(&identity.clock, &identity.random);
    tx.query(
        "insert into security_events (id, at, kind, account, address) values ($1, $2, $3, $4, $5)",
    )
    .bind(&id)
    .bind(identity.clock.now())
    .bind(event.kind)
    .bind(account.map(|id| id.as_str().to_owned()))
    .bind(event.client_ip.map(|ip| ip.to_string()))
    .execute()
    .await
    .map(drop)
}

//! A call of an operation: its request data, its caller and the caller's rate limits.

use std::net::IpAddr;
use std::sync::OnceLock;

use platform::{Language, Result, Tx};
use tokio::sync::OnceCell;

use crate::accounts::{Account, AccountId};
use crate::known_devices::KnownDevice;
use crate::phone_codes::{self, VerifiedNumber};
use crate::rate_limit::{self, Limit};
use crate::security_log::{self, AuthEvent};
use crate::services::Services;
use crate::sessions::{self, SignInOutcome};
use crate::social::IdpProfile;
use crate::wire::{ApiFields, ApiResult, JwtClaims, TOO_MANY, refuse};

/// A call of an operation, with its request data and its caller.
pub struct Call<'i> {
    pub identity: &'i Services,
    pub body: ApiFields,
    /// For rate limits.
    pub client_ip: Option<IpAddr>,
    pub agent: Option<String>,
    /// Of the e-mails and text messages that the call causes.
    pub language: Language,
    /// Whether a service account sent it.
    pub admin: bool,
    /// Whether it runs again after a conflict. Then it is not counted again by rate limits, and
    /// `profile` and `number` are kept, because their codes are used up.
    pub retry: bool,
    pub profile: OnceCell<IdpProfile>,
    pub number: OnceCell<VerifiedNumber>,
    /// The client's device, and its new state to store in a cookie.
    pub device: Option<KnownDevice>,
    pub new_device: OnceLock<KnownDevice>,
}

impl<'i> Call<'i> {
    pub fn new(identity: &'i Services, body: ApiFields) -> Self {
        let (profile, number, new_device) = (OnceCell::new(), OnceCell::new(), OnceLock::new());
        let (client_ip, agent, device) = (None, None, None);
        let (admin, retry) = (false, false);
        let language = identity.site.languages.default_language();
        Self {
            identity,
            body,
            client_ip,
            agent,
            language,
            admin,
            retry,
            profile,
            number,
            device,
            new_device,
        }
    }

    /// Counts an attempt on each key, in order, and returns whether all limits allow it.
    pub async fn within_limits(
        &self,
        keys: impl IntoIterator<Item = (String, Limit)>,
    ) -> Result<bool> {
        let Services { db, clock, .. } = self.identity;
        let keys: Vec<_> = keys.into_iter().collect();
        // Test suites use the emulator, and sign in very often.
        let exempt = self.retry || self.identity.is_emulator();
        Ok(exempt || rate_limit::allows(db, clock, &keys).await?)
    }

    pub async fn check_limits(
        &self,
        keys: impl IntoIterator<Item = (String, Limit)>,
    ) -> ApiResult<()> {
        if self.within_limits(keys).await? { Ok(()) } else { refuse(TOO_MANY) }
    }

    /// The key of the client's network, if it is known.
    pub fn network_limit(&self, kind: &str, limit: Limit) -> Option<(String, Limit)> {
        self.client_ip.map(|ip| (rate_limit::network_key(kind, ip), limit))
    }

    /// The id of the client's device, if the account of this e-mail address has signed in on it.
    pub fn known_device(&self, address: &str) -> Option<&str> {
        self.device.as_ref()?.id_for(address)
    }

    /// Marks the client's device as known to the account of this verified e-mail address.
    pub fn remember_device(&self, address: &str) {
        if self.identity.is_emulator() {
            return;
        }
        let device = self.device.clone();
        let device = device.unwrap_or_else(|| KnownDevice::new(&self.identity.random));
        let _ = self.new_device.set(device.with_address(address));
    }

    /// Verifies a code of a text message, once per call even if the call is retried.
    pub async fn verify_code(
        &self,
        session_info: Option<&str>,
        code: Option<&str>,
    ) -> ApiResult<&VerifiedNumber> {
        let verify = || phone_codes::verify(self.identity, session_info, code);
        self.number.get_or_try_init(verify).await
    }

    /// Signs in after the first factor (`sessions::begin_session`).
    pub async fn begin_session(
        &self,
        tx: &mut Tx,
        account: &mut Account,
        provider: &str,
        event: &'static str,
    ) -> ApiResult<SignInOutcome> {
        let (claims, event) = (JwtClaims::new(), self.event(event));
        sessions::begin_session(self.identity, tx, account, provider, claims, event).await
    }

    /// Records an event of this call in the security log.
    pub async fn record(
        &self,
        tx: &mut Tx,
        event: &'static str,
        account: Option<&AccountId>,
    ) -> Result<()> {
        security_log::record(self.identity, tx, self.event(event), account).await
    }

    pub fn event(&self, kind: &'static str) -> AuthEvent {
        AuthEvent { kind, client_ip: self.client_ip, agent: self.agent.clone() }
    }
}

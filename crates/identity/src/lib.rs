//! Accounts and authentication: a server for the Identity Toolkit v1/v2 and Secure Token protocols,
//! compatible with the official Firebase SDKs. It does not depend on the shop and can be used without
//! it. Modules import in one direction only, in layers:
//!
//! 1. `protocol` and `emulator` map HTTP paths to operations.
//! 2. `flows` implements the operations: sign-in, e-mail actions, phone, second factor, social, admin.
//! 3. `sessions`, `email_codes`, `phone_codes`, `popup`, `security_log` are what operations have in common.
//! 4. `services` is what all of them share: the database, the keys, the settings.
//! 5. `accounts`, `social`, `keys`, `passwords`, … implement one noun each.
//! 6. `wire` (request fields, errors) and `crypto` are used by all.

mod accounts;
mod claims;
mod common_passwords;
mod crypto;
mod email_codes;
pub mod emulator;
mod emulator_mode;
mod flows;
mod html_page;
mod imported_hashes;
mod keys;
mod known_devices;
mod passwords;
mod phone_codes;
mod popup;
mod protocol;
mod rate_limit;
mod retention;
mod security_log;
pub mod service_accounts;
mod services;
mod sessions;
mod settings;
mod social;
mod totp;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use platform::auth::{KeyFinder, Revocation};
use platform::secret::Secret;
use platform::{Clock, Db, Random, Result};
use serde_json::Value;

pub use flows::account_deletion::{AccountDeleted, OnAccountDeleted};
pub use keys::SigningKeys;
pub use protocol::{emulator_router, operation_paths};
pub use retention::{AccountRetention, DeleteExpiredAccountData};
pub use settings::{DEFAULT_PROJECT, ProjectSettings, Site};
pub use social::{
    DemoProvider, IdpProfile, IdpTokens, Providers, SocialSettings, demo_provider_router,
};

use flows::account_deletion;
use services::Services;

const KEY_INTERVAL: Duration = Duration::from_secs(600);

/// The identity service. Cheap to clone.
#[derive(Clone)]
pub struct Identity(Arc<Services>);

/// The protocol's paths, and our own for devices and social sign-in.
pub fn router(identity: Identity) -> Router {
    protocol::router(identity.0)
}

/// The pages that links in e-mails lead to.
pub fn email_action_router(identity: Identity) -> Router {
    protocol::email_action_router(identity.0)
}

impl Identity {
    pub async fn start(
        db: Db,
        clock: Clock,
        random: Random,
        secret: &Secret,
        settings: ProjectSettings,
        site: Site,
        providers: Providers,
    ) -> Result<Self> {
        let secret = secret.clone();
        let services = Services::start(db, clock, random, secret, settings, site, providers);
        Ok(Self(Arc::new(services.await?)))
    }

    pub fn settings(&self) -> &ProjectSettings {
        &self.0.settings
    }

    /// The configured social providers.
    pub fn providers(&self) -> &Providers {
        &self.0.providers
    }

    /// The `iss` claim of a project's ID tokens, also at Google.
    pub fn issuer_for(project: &str) -> String {
        sessions::issuer_for(project)
    }

    /// Looks up the published keys, for verifiers in the same process.
    pub fn key_finder(&self) -> KeyFinder {
        let keys = self.0.keys.clone();
        Arc::new(move |id| keys.keys()?.find_published(id))
    }

    /// Looks up token revocations, for verifiers in the same process.
    pub fn revocation(&self) -> Revocation {
        let db = self.0.db.clone();
        Revocation::Own(Arc::new(move |uid| {
            let db = db.clone();
            Box::pin(async move { accounts::token_generation(&db, &uid).await })
        }))
    }

    /// Rotates the signing keys, or loads those that another server has generated, until the program ends.
    pub async fn run_key_rotation(self) {
        let Some(keys) = self.0.keys.keys() else { return };
        let mut interval = tokio::time::interval(KEY_INTERVAL);
        loop {
            interval.tick().await;
            if let Err(why) = keys.rotate().await {
                tracing::error!(%why, "the rotation of the signing keys failed");
            }
        }
    }

    /// The periodic task that deletes expired rows.
    pub fn delete_expired(&self, retention: AccountRetention) -> DeleteExpiredAccountData {
        DeleteExpiredAccountData { identity: self.0.clone(), retention }
    }

    /// Deletes an account; does nothing if there is none.
    pub async fn delete_account(&self, id: &str) -> Result<()> {
        account_deletion::delete_account(&self.0, id).await
    }

    /// All stored data about an account, for its owner: profile, devices and security events, but no secrets.
    pub async fn export_account(&self, id: &str) -> Result<Option<Value>> {
        account_deletion::export_account(&self.0, id).await
    }

    /// The profile behind a one-time code of the social popup. Every attempt deletes the code.
    pub async fn redeem_code(&self, provider: &str, code: &str) -> wire::ApiResult<IdpProfile> {
        popup::codes::redeem(&self.0, provider, code).await
    }
}

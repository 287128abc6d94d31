//! Accounts and authentication: a server for the Identity Toolkit v1/v2 and Secure Token protocols,
//! compatible with the official Firebase SDKs. It does not depend on the shop and can be used without
//! it. `http` maps the protocol's paths to operations; every other module implements one noun.

mod account_api;
mod account_deletion;
mod accounts;
mod admin;
mod common_passwords;
mod devices;
mod email_action;
mod email_codes;
mod emails;
pub mod emulator;
mod html_page;
mod http;
mod imported_hashes;
mod keys;
mod known_devices;
mod passwords;
mod phone;
mod project;
mod protocol;
mod rate_limit;
mod retention;
mod second_factor;
pub mod service_accounts;
mod sessions;
mod sign_in;
pub mod social;
mod totp;

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::auth::{KeyFinder, Revocation};
use platform::secret::Secret;
use platform::{Clock, Db, Error, Random, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use account_deletion::{AccountDeleted, OnAccountDeleted};
pub use email_action::router as email_action_router;
pub use http::{emulator_router, operation_paths, router};
pub use keys::SigningKeys;
pub use project::{DEFAULT_PROJECT, Settings};
pub use retention::{AccountRetention, DeleteExpired};
pub use social::{DemoProvider, IdpProfile, IdpTokens, Providers, demo_provider_router};

use emulator::Emulator;
use keys::TokenSigner;
use passwords::Hasher;

const KEY_INTERVAL: Duration = Duration::from_secs(600);

/// The identity service. Cheap to clone.
#[derive(Clone)]
pub struct Identity(Arc<IdentityInner>);

/// The shared state of an `Identity`, private to this crate.
pub struct IdentityInner {
    db: Db,
    clock: Clock,
    random: Random,
    secret: Secret,
    settings: Settings,
    providers: Providers,
    keys: TokenSigner,
    hasher: Hasher,
    site: Site,
    /// Set in emulator mode only. Every relaxed check depends on it.
    emulator: Option<Emulator>,
}

/// The site that the service belongs to, for links and e-mails.
#[derive(Clone, Debug)]
pub struct Site {
    pub origin: String,
    pub shop_name: String,
    /// Whether text messages can be sent.
    pub sends_sms: bool,
}

impl Identity {
    pub async fn start(
        db: Db,
        clock: Clock,
        random: Random,
        secret: &Secret,
        settings: Settings,
        site: Site,
        providers: Providers,
    ) -> Result<Self> {
        let keys =
            TokenSigner::Rsa(SigningKeys::start(&db, &clock, &random, secret.clone()).await?);
        let (hasher, secret) = (Hasher::new(random.clone()), secret.clone());
        let emulator = None;
        let inner = IdentityInner {
            db,
            clock,
            random,
            secret,
            settings,
            providers,
            keys,
            hasher,
            site,
            emulator,
        };
        Ok(Self(Arc::new(inner)))
    }

    /// A service in emulator mode, without rate limits, signatures or password hashing: for test suites.
    fn for_emulator(
        db: Db,
        clock: Clock,
        random: Random,
        settings: Settings,
        site: Site,
    ) -> Result<Self> {
        let secret = random.bytes::<32>().map(|byte| format!("{byte:02x}")).concat();
        let inner = IdentityInner {
            secret: Secret::new(&secret).map_err(Error::internal)?,
            settings,
            providers: Providers::default(),
            keys: TokenSigner::Unsigned,
            hasher: Hasher::for_emulator(random.clone()),
            site,
            emulator: Some(Emulator::default()),
            db,
            clock,
            random,
        };
        Ok(Self(Arc::new(inner)))
    }

    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// The configured social providers.
    pub fn providers(&self) -> &Providers {
        &self.0.providers
    }

    fn origin(&self) -> &str {
        &self.0.site.origin
    }

    fn shop_name(&self) -> &str {
        &self.0.site.shop_name
    }

    fn emulator(&self) -> Option<&Emulator> {
        self.0.emulator.as_ref()
    }

    fn is_emulator(&self) -> bool {
        self.0.emulator.is_some()
    }

    /// Whether responses may reveal which e-mail addresses have accounts.
    fn reveals_accounts(&self) -> bool {
        self.emulator().is_some_and(|emulator| !emulator.email_privacy())
    }

    /// Whether several accounts may share an e-mail address. Only an emulator can be configured so.
    fn allows_duplicate_emails(&self) -> bool {
        self.emulator().is_some_and(Emulator::allows_duplicate_emails)
    }

    /// The `aud` claim of the tokens.
    pub fn audience(&self) -> String {
        self.0.settings.project_id.clone()
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
    pub fn delete_expired(&self, retention: AccountRetention) -> DeleteExpired {
        DeleteExpired { db: self.0.db.clone(), clock: self.0.clock.clone(), retention }
    }

    /// Encrypts a value into a token that only this service can read.
    fn seal<T: Serialize>(&self, purpose: &str, value: &T) -> Result<String> {
        let sealed = self.0.secret.seal(purpose, &serde_json::to_vec(value)?);
        let sealed = sealed.ok_or_else(|| Error::internal("encryption failed"))?;
        Ok(URL_SAFE_NO_PAD.encode(sealed))
    }

    fn unseal<T: DeserializeOwned>(&self, purpose: &str, text: &str) -> Option<T> {
        let sealed = URL_SAFE_NO_PAD.decode(text).ok()?;
        serde_json::from_slice(&self.0.secret.unseal(purpose, &sealed)?).ok()
    }
}

impl std::ops::Deref for Identity {
    type Target = IdentityInner;
    fn deref(&self) -> &IdentityInner {
        &self.0
    }
}

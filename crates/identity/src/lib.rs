//! Accounts behind the Identity Toolkit v1/v2 and Secure Token protocol, so that the official Firebase
//! SDKs take it for their own. Knows nothing of the shop: someone could take this crate and leave
//! the rest. `http` mirrors the protocol's paths; each other module is one noun behind them.

mod accounts;
mod action;
mod admin;
mod attempts;
mod codes;
mod common_passwords;
mod departures;
mod devices;
pub mod emulator;
mod foreign_hashes;
mod http;
mod keys;
mod known_devices;
mod letters;
mod page;
mod passwords;
mod phone;
mod profile;
mod project;
mod protocol;
mod second_factor;
pub mod service_accounts;
mod sessions;
mod sign_in;
pub mod social;
mod tidy;
mod totp;

use std::sync::Arc;
use std::time::Duration;

use base::auth::{KeyFinder, Revocation};
use base::config::Retention;
use base::secret::Secret;
use base::{Clock, Db, Error, Random, Result};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use action::router as action_router;
pub use departures::{DELETED, Deleted};
pub use http::{addresses, emulator_router, router};
pub use keys::Keys;
pub use project::{DEFAULT_PROJECT, Settings};
pub use social::{Profile, Proof, Providers, StandIn, stand_in_router};

use attempts::Attempts;
use emulator::Emulator;
use keys::Signer;
use passwords::Hasher;

const KEEP_EVERY: Duration = Duration::from_secs(600);

/// The service. Cheap to clone.
#[derive(Clone)]
pub struct Identity(Arc<Parts>);

/// What it is made of; only this crate looks inside.
pub struct Parts {
    db: Db,
    clock: Clock,
    random: Random,
    secret: Secret,
    settings: Settings,
    providers: Providers,
    keys: Signer,
    hasher: Hasher,
    attempts: Attempts,
    place: Place,
    /// There in the emulator alone: all its laxness asks for it.
    emulator: Option<Emulator>,
}

/// Where the service stands and whose it is, for the letters it sends.
#[derive(Clone, Debug)]
pub struct Place {
    pub origin: String,
    pub shop_name: String,
    /// Whether text messages go out from here.
    pub sends_texts: bool,
}

impl Identity {
    pub async fn start(
        db: Db,
        clock: Clock,
        random: Random,
        secret: &Secret,
        settings: Settings,
        place: Place,
        providers: Providers,
    ) -> Result<Self> {
        let keys = Signer::Signed(Keys::start(&db, &clock, &random, secret.clone()).await?);
        let attempts = Attempts::limited(db.clone(), clock.clone());
        let (hasher, secret) = (Hasher::new(random.clone()), secret.clone());
        let emulator = None;
        let parts = Parts {
            db,
            clock,
            random,
            secret,
            settings,
            providers,
            keys,
            hasher,
            attempts,
            place,
            emulator,
        };
        Ok(Self(Arc::new(parts)))
    }

    /// The same without any of its defences: an emulator for other people's tests.
    fn lax(db: Db, clock: Clock, random: Random, settings: Settings, place: Place) -> Result<Self> {
        let secret = random.bytes::<32>().map(|byte| format!("{byte:02x}")).concat();
        let parts = Parts {
            secret: Secret::new(&secret).map_err(Error::internal)?,
            settings,
            providers: Providers::default(),
            keys: Signer::Unsigned,
            hasher: Hasher::fake(random.clone()),
            attempts: Attempts::unlimited(db.clone(), clock.clone()),
            place,
            emulator: Some(Emulator::default()),
            db,
            clock,
            random,
        };
        Ok(Self(Arc::new(parts)))
    }

    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// The social providers that are set up.
    pub fn providers(&self) -> &Providers {
        &self.0.providers
    }

    fn origin(&self) -> &str {
        &self.0.place.origin
    }

    fn shop_name(&self) -> &str {
        &self.0.place.shop_name
    }

    fn emulator(&self) -> Option<&Emulator> {
        self.0.emulator.as_ref()
    }

    fn is_lax(&self) -> bool {
        self.0.emulator.is_some()
    }

    /// Whether answers may show which addresses have accounts.
    fn tells_who_exists(&self) -> bool {
        self.emulator().is_some_and(|emulator| !emulator.keeps_privacy())
    }

    /// Whether one address may belong to many accounts, which only an emulator can be told.
    fn allows_duplicate_emails(&self) -> bool {
        self.emulator().is_some_and(Emulator::allows_duplicate_emails)
    }

    /// Who the tokens are for.
    pub fn audience(&self) -> String {
        self.0.settings.project_id.clone()
    }

    /// How others on this machine verify our tokens: by the published keys.
    pub fn key_finder(&self) -> KeyFinder {
        let keys = self.0.keys.clone();
        Arc::new(move |id| keys.keys()?.published(id))
    }

    /// How others in this program learn that an account's tokens were revoked.
    pub fn revocation(&self) -> Revocation {
        let db = self.0.db.clone();
        Revocation::Own(Arc::new(move |uid| {
            let db = db.clone();
            Box::pin(async move { accounts::token_generation(&db, &uid).await })
        }))
    }

    /// Turns the signing keys and throws old things away, for as long as the program runs.
    pub async fn keep(self, kept: Retention) {
        let mut every = tokio::time::interval(KEEP_EVERY);
        loop {
            every.tick().await;
            if let Err(why) = self.keep_once(&kept).await {
                tracing::error!(%why, "could not keep the identity service in order");
            }
        }
    }

    /// One round of that.
    pub async fn keep_once(&self, kept: &Retention) -> Result<()> {
        if let Some(keys) = self.0.keys.keys() {
            keys.turn().await?;
        }
        tidy::throw_old_away(&self.0.db, &self.0.clock, kept).await
    }

    /// Something to hand out that only we can read again.
    fn sealed<T: Serialize>(&self, purpose: &str, value: &T) -> Result<String> {
        let sealed = self.0.secret.seal(purpose, &serde_json::to_vec(value)?);
        let sealed = sealed.ok_or_else(|| Error::internal("could not seal"))?;
        Ok(URL_SAFE_NO_PAD.encode(sealed))
    }

    fn unsealed<T: DeserializeOwned>(&self, purpose: &str, text: &str) -> Option<T> {
        let sealed = URL_SAFE_NO_PAD.decode(text).ok()?;
        serde_json::from_slice(&self.0.secret.unseal(purpose, &sealed)?).ok()
    }
}

impl std::ops::Deref for Identity {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

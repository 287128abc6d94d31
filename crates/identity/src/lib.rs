//! Accounts behind the Identity Toolkit v1/v2 and Secure Token protocol, so that the official Firebase
//! SDKs take it for their own. Knows nothing of the shop: someone could take this crate and leave
//! the rest. `http` mirrors the protocol's paths; each other module is one noun behind them.

mod accounts;
mod attempts;
mod codes;
mod http;
mod keys;
mod passwords;
mod profile;
mod project;
mod protocol;
mod sessions;
mod sign_in;

use std::sync::Arc;

use base::auth::KeyFinder;
use base::secret::Secret;
use base::{Clock, Db, Random, Result};

pub use http::router;
pub use keys::Keys;
pub use project::Settings;

use attempts::Attempts;
use passwords::Hasher;

/// The service. Cheap to clone.
#[derive(Clone)]
pub struct Identity(Arc<Parts>);

/// What it is made of; only this crate looks inside.
pub struct Parts {
    db: Db,
    clock: Clock,
    random: Random,
    settings: Settings,
    keys: Keys,
    hasher: Hasher,
    attempts: Attempts,
    place: Place,
}

/// Where the service stands and whose it is, for the letters it sends.
#[derive(Clone, Debug)]
pub struct Place {
    pub origin: String,
    pub shop_name: String,
}

impl Identity {
    pub async fn start(
        db: Db,
        clock: Clock,
        random: Random,
        secret: &Secret,
        settings: Settings,
        place: Place,
    ) -> Result<Self> {
        let keys = Keys::start(&db, &clock, &random, secret.clone()).await?;
        let attempts = Attempts::new(db.clone(), clock.clone());
        let hasher = Hasher::new(random.clone());
        Ok(Self(Arc::new(Parts { db, clock, random, settings, keys, hasher, attempts, place })))
    }

    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    fn origin(&self) -> &str {
        &self.0.place.origin
    }

    fn shop_name(&self) -> &str {
        &self.0.place.shop_name
    }

    /// Who the tokens are for.
    pub fn audience(&self) -> String {
        self.0.settings.project_id.clone()
    }

    /// How others on this machine verify our tokens: by the published keys.
    pub fn key_finder(&self) -> KeyFinder {
        let keys = self.0.keys.clone();
        Arc::new(move |id| keys.published(id))
    }

    /// Turns the signing keys on schedule for as long as the program runs.
    pub async fn keep_keys(self) {
        self.0.keys.clone().keep().await;
    }
}

impl std::ops::Deref for Identity {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

//! Services that the operations share: the database, the clock, the keys, the settings.

use platform::secret::Secret;
use platform::{Clock, Db, Error, Random, Result};

use crate::accounts::{Account, AccountId};
use crate::crypto::hex;
use crate::emulator_mode::Emulator;
use crate::keys::{SigningKeys, TokenSigner};
use crate::passwords::Hasher;
use crate::settings::{ProjectSettings, Site};
use crate::social::Providers;
use crate::wire::{emulator_email, parse_email};

pub struct Services {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    pub settings: ProjectSettings,
    pub site: Site,
    pub providers: Providers,
    pub keys: TokenSigner,
    pub hasher: Hasher,
    /// Set in emulator mode only. Every relaxed check depends on it.
    emulator: Option<Emulator>,
}

impl Services {
    pub async fn start(
        db: Db,
        clock: Clock,
        random: Random,
        secret: Secret,
        settings: ProjectSettings,
        site: Site,
        providers: Providers,
    ) -> Result<Self> {
        let keys =
            TokenSigner::Rsa(SigningKeys::start(&db, &clock, &random, secret.clone()).await?);
        let hasher = Hasher::new(random.clone(), secret.clone());
        let emulator = None;
        Ok(Self { db, clock, random, secret, settings, site, providers, keys, hasher, emulator })
    }

    /// In emulator mode, without rate limits, signatures or password hashing: for test suites.
    pub fn for_emulator(
        db: Db,
        clock: Clock,
        random: Random,
        settings: ProjectSettings,
        site: Site,
    ) -> Result<Self> {
        let secret = Secret::new(&hex(random.bytes::<32>())).map_err(Error::internal)?;
        let hasher = Hasher::for_emulator(random.clone(), secret.clone());
        let (providers, keys) = (Providers::default(), TokenSigner::Unsigned);
        let emulator = Some(Emulator::default());
        Ok(Self { db, clock, random, secret, settings, site, providers, keys, hasher, emulator })
    }

    pub fn emulator(&self) -> Option<&Emulator> {
        self.emulator.as_ref()
    }

    pub fn is_emulator(&self) -> bool {
        self.emulator.is_some()
    }

    /// Whether responses may reveal which e-mail addresses have accounts.
    pub fn reveals_accounts(&self) -> bool {
        self.emulator().is_some_and(|emulator| !emulator.config.email_privacy())
    }

    /// Whether several accounts may share an e-mail address. Only an emulator can be configured so.
    pub fn allows_duplicate_emails(&self) -> bool {
        self.emulator().is_some_and(|emulator| emulator.config.allows_duplicate_emails())
    }

    /// A normalized e-mail address, with the validation of this mode.
    pub fn email(&self, text: &str) -> Option<String> {
        if self.is_emulator() { emulator_email(text) } else { parse_email(text) }
    }

    /// A new account with an id of its own.
    pub fn new_account(&self) -> Account {
        Account::new(AccountId::new(&self.clock, &self.random), self.clock.now())
    }

    /// A new account with a given id. Revokes the tokens of an earlier account with this id.
    pub fn new_account_with_id(&self, id: AccountId) -> Account {
        let now = self.clock.now();
        let mut account = Account::new(id, now);
        if !self.is_emulator() {
            account.revoke_tokens(now);
        }
        account
    }
}

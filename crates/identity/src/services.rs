//! Services that the operations share: the database, the clock, and the parts that issue and check
//! credentials, each with the fields that it needs.

use std::sync::Arc;

use platform::secret::Secret;
use platform::{Clock, Db, Error, Random, Result};

use crate::accounts::{Account, AccountId};
use crate::codes::email::EmailCodes;
use crate::codes::phone::PhoneCodes;
use crate::crypto::hex;
use crate::emulator_mode::Emulator;
use crate::keys::{SigningKeys, TokenSigner};
use crate::passwords::Hasher;
use crate::security_log::SecurityLog;
use crate::sessions::Sessions;
use crate::settings::{Settings, Site};
use crate::social::{Callbacks, Popup, Providers, SocialCodes};
use crate::wire::{emulator_email, parse_email};

pub struct Services {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    pub settings: Settings,
    pub site: Site,
    pub providers: Providers,
    pub keys: TokenSigner,
    pub hasher: Hasher,
    pub log: SecurityLog,
    pub sessions: Sessions,
    pub email_codes: EmailCodes,
    pub phone_codes: PhoneCodes,
    pub social_codes: SocialCodes,
    /// Set in emulator mode only. Every relaxed check depends on it.
    emulator: Option<Arc<Emulator>>,
}

impl Services {
    pub async fn start(
        db: Db,
        clock: Clock,
        random: Random,
        secret: Secret,
        settings: Settings,
        site: Site,
        providers: Providers,
    ) -> Result<Self> {
        let keys = SigningKeys::start(&db, &clock, &random, secret.clone()).await?;
        let (keys, shared) = (TokenSigner::Rsa(keys), (db, clock, random, secret));
        Ok(Self::new(shared, settings, site, providers, keys, None))
    }

    /// In emulator mode, without rate limits, signatures or password hashing: for test suites.
    pub fn for_emulator(
        db: Db,
        clock: Clock,
        random: Random,
        settings: Settings,
        site: Site,
    ) -> Result<Self> {
        let secret = Secret::new(&hex(random.bytes::<32>())).map_err(Error::internal)?;
        let (providers, keys) = (Providers::default(), TokenSigner::Unsigned);
        let (emulator, shared) = (Some(Arc::default()), (db, clock, random, secret));
        Ok(Self::new(shared, settings, site, providers, keys, emulator))
    }

    fn new(
        (db, clock, random, secret): (Db, Clock, Random, Secret),
        settings: Settings,
        site: Site,
        providers: Providers,
        keys: TokenSigner,
        emulator: Option<Arc<Emulator>>,
    ) -> Self {
        let is_emulator = emulator.is_some();
        let (hasher, action_page) = if is_emulator {
            (Hasher::for_emulator(random.clone(), secret.clone()), "/emulator/action")
        } else {
            (Hasher::new(random.clone(), secret.clone()), "/auth/action")
        };
        let log = SecurityLog { clock: clock.clone(), random: random.clone() };
        let sessions = Sessions {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            secret: secret.clone(),
            keys: keys.clone(),
            log: log.clone(),
            project_id: settings.project_id.clone(),
            project_number: settings.project_number.clone(),
            is_emulator,
        };
        let email_codes = EmailCodes {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            action_url: format!("{}{action_page}", site.origin),
            api_key: settings.api_key.clone(),
            emulator: emulator.clone(),
        };
        let phone_codes = PhoneCodes {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            secret: secret.clone(),
            emulator: emulator.clone(),
        };
        let social_codes = SocialCodes {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            secret: secret.clone(),
        };
        Self {
            db,
            clock,
            random,
            secret,
            settings,
            site,
            providers,
            keys,
            hasher,
            log,
            sessions,
            email_codes,
            phone_codes,
            social_codes,
            emulator,
        }
    }

    pub fn emulator(&self) -> Option<&Emulator> {
        self.emulator.as_deref()
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

    /// A new account with a given id. Revokes the tokens of an earlier account with this id.
    pub fn new_account(&self, id: AccountId) -> Account {
        let now = self.clock.now();
        let mut account = Account::new(id, now);
        if !self.is_emulator() {
            account.revoke_tokens(now);
        }
        account
    }

    /// The pages of social sign-in.
    pub fn popup(&self) -> Popup {
        let Self { db, clock, random, secret, .. } = self;
        let (db, clock, secret) = (db.clone(), clock.clone(), secret.clone());
        Popup {
            clock: clock.clone(),
            random: random.clone(),
            secret: secret.clone(),
            origin: self.site.origin.clone(),
            providers: self.providers.clone(),
            codes: self.social_codes.clone(),
            callbacks: Callbacks { db, clock, secret },
        }
    }
}

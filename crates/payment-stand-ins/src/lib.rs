//! Stand-ins of the payment providers, for the demo shop and the tests: they speak the providers' protocols, strictly,
//! and show a payment page with the providers' test cards. No real money moves. The client that they answer is the
//! shop's own (crate `payment-providers`), of which they know nothing.

pub mod bkash;
mod faults;
mod journal;
mod page;
pub mod paypal;
pub mod sslcommerz;
pub mod stripe;
mod webhooks;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use platform::{Clock, Random, Timestamp};

pub use faults::{Fault, FaultRates, Faults};
use webhooks::Webhooks;

/// Where the stand-ins are, and what they get from outside.
#[derive(Clone, Debug)]
pub struct StandInOptions {
    /// Where browsers reach the router, without a slash at the end: `http://127.0.0.1:8080/dev/payments`.
    pub base_url: String,
    /// Where webhooks go, before the provider's name: `http://127.0.0.1:8080/webhooks/payments`.
    pub webhook_url: String,
    pub clock: Clock,
    pub random: Random,
    /// The folder of the journals. Without one, everything is in memory only.
    pub folder: Option<PathBuf>,
}

/// All stand-ins. Cheap to clone.
#[derive(Clone)]
pub struct StandIns {
    shared: Shared,
    stripe: stripe::Stripe,
    paypal: paypal::Paypal,
    sslcommerz: sslcommerz::Sslcommerz,
    bkash: bkash::Bkash,
}

impl StandIns {
    /// With the state that the journals in the folder describe. Within a Tokio runtime, what is due by the clock also
    /// happens when nobody calls; webhooks that were not delivered when the process ended are lost.
    pub fn open(options: StandInOptions) -> io::Result<Self> {
        if let Some(folder) = &options.folder {
            std::fs::create_dir_all(folder)?;
        }
        let shared = Shared::new(options);
        Ok(Self {
            stripe: stripe::Stripe::open(&shared)?,
            paypal: paypal::Paypal::open(&shared)?,
            sslcommerz: sslcommerz::Sslcommerz::open(&shared)?,
            bkash: bkash::Bkash::open(&shared)?,
            shared,
        })
    }

    /// The APIs and pages of all providers, below `/stripe`, `/paypal`, `/sslcommerz` and `/bkash`.
    pub fn router(&self) -> Router {
        Router::new()
            .nest("/stripe", self.stripe.router())
            .nest("/paypal", self.paypal.router())
            .nest("/sslcommerz", self.sslcommerz.router())
            .nest("/bkash", self.bkash.router())
    }

    pub fn faults(&self) -> &Faults {
        self.shared.faults()
    }

    /// The charges of all providers.
    pub fn books(&self) -> Vec<BookEntry> {
        [self.stripe.books(), self.paypal.books(), self.sslcommerz.books(), self.bkash.books()]
            .concat()
    }

    /// How many webhooks are not delivered and not given up yet.
    pub fn pending_webhooks(&self) -> usize {
        self.shared.webhooks().pending()
    }
}

/// A charge in a provider's books, for the comparison with the shop's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// `stripe`, `paypal`, `sslcommerz` or `bkash`.
    pub provider: &'static str,
    /// The merchant's reference, which is the shop's id of the payment.
    pub payment: String,
    pub currency: String,
    /// In minor units, as the amounts below.
    pub captured: i64,
    pub refunded: i64,
    /// Reserved and neither captured nor released.
    pub authorised: i64,
}

/// What the modules of all providers get. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Shared(Arc<SharedInner>);

struct SharedInner {
    options: StandInOptions,
    faults: Faults,
    webhooks: Webhooks,
}

impl Shared {
    fn new(options: StandInOptions) -> Self {
        let faults = Faults::new(options.random.clone());
        let webhooks = Webhooks::new(faults.clone());
        Self(Arc::new(SharedInner { options, faults, webhooks }))
    }

    /// The address of a provider's routes for browsers, such as `http://127.0.0.1:8080/dev/payments/stripe`.
    pub fn url(&self, provider: &str) -> String {
        format!("{}/{provider}", self.0.options.base_url)
    }

    /// Where a provider's webhooks go, for those that are not told it with each payment.
    pub fn webhook_url(&self, provider: &str) -> String {
        format!("{}/{provider}", self.0.options.webhook_url)
    }

    pub fn now(&self) -> Timestamp {
        self.0.options.clock.now()
    }

    pub fn random(&self) -> &Random {
        &self.0.options.random
    }

    /// The prefix and random letters and digits, 5 bits each.
    pub fn random_id(&self, prefix: &str, length: usize) -> String {
        const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        let mut bytes = vec![0; length];
        self.random().fill(&mut bytes);
        let letters = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 31)]));
        prefix.chars().chain(letters).collect()
    }

    pub fn folder(&self) -> Option<&Path> {
        self.0.options.folder.as_deref()
    }

    pub fn faults(&self) -> &Faults {
        &self.0.faults
    }

    pub fn webhooks(&self) -> &Webhooks {
        &self.0.webhooks
    }
}

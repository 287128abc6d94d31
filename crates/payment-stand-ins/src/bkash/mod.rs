//! The stand-in of bKash tokenized checkout: tokens, payments, its page, and refunds.

mod api;
mod pages;
mod refunds;

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use platform::Timestamp;
use serde::{Deserialize, Serialize};

use crate::journal::Journal;
use crate::{BookEntry, Shared};

pub const USERNAME: &str = "haat_stand_in";
pub const PASSWORD: &str = "haat_stand_in@12345";
pub const APP_KEY: &str = "haat_stand_in_app_key";
pub const APP_SECRET: &str = "haat_stand_in_app_secret";

/// The wallets of bKash's sandbox that cannot pay.
pub const WALLET_WITHOUT_FUNDS: &str = "01823074817";
pub const WALLET_BLOCKED: &str = "01823074818";

const NAME: &str = "bkash";
/// So long a payment can be executed.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);
const HOUR: Duration = Duration::from_secs(3600);

#[derive(Clone)]
pub(crate) struct Bkash(Arc<Inner>);

struct Inner {
    shared: Shared,
    state: Mutex<State>,
}

struct State {
    journal: Journal<Event>,
    /// When tokens were asked for.
    grants: Vec<Timestamp>,
    /// Until then no token is granted.
    blocked_until: Timestamp,
    /// With the time of their grant.
    tokens: BTreeMap<String, Timestamp>,
    payments: BTreeMap<String, Payment>,
}

/// What is kept in the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Event {
    Granted { token: String, at: Timestamp },
    Blocked { until: Timestamp },
    Created(Payment),
    Approved { payment: String, wallet: String },
    Executed { payment: String, trx_id: String, at: Timestamp },
    Refused { payment: String },
    Refunded { payment: String, refund: Refund },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Payment {
    id: String,
    /// In the address of the page.
    hash: String,
    payer_reference: String,
    callback_url: String,
    invoice: String,
    /// In poisha.
    amount: i64,
    created_at: Timestamp,
    /// Whose owner has agreed; empty until then.
    wallet: String,
    /// Whether an execution was refused: then none takes place any more.
    is_refused: bool,
    executed: Option<Executed>,
    refunds: Vec<Refund>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Executed {
    trx_id: String,
    at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Refund {
    trx_id: String,
    /// In poisha.
    amount: i64,
    sku: String,
    at: Timestamp,
}

impl Payment {
    fn refunded(&self) -> i64 {
        self.refunds.iter().map(|refund| refund.amount).sum()
    }

    fn is_expired(&self, now: Timestamp) -> bool {
        self.created_at.plus(LIFETIME) <= now
    }
}

impl State {
    fn record(&mut self, event: Event) -> io::Result<()> {
        self.journal.append(&event)?;
        self.apply(event);
        Ok(())
    }

    fn apply(&mut self, event: Event) {
        match event {
            Event::Granted { token, at } => {
                self.grants.push(at);
                self.tokens.insert(token, at);
            }
            Event::Blocked { until } => self.blocked_until = until,
            Event::Created(payment) => {
                self.payments.insert(payment.id.clone(), payment);
            }
            Event::Approved { payment, wallet } => {
                self.change(&payment, |payment| payment.wallet = wallet);
            }
            Event::Executed { payment, trx_id, at } => {
                self.change(&payment, |payment| payment.executed = Some(Executed { trx_id, at }));
            }
            Event::Refused { payment } => {
                self.change(&payment, |payment| payment.is_refused = true)
            }
            Event::Refunded { payment, refund } => {
                self.change(&payment, |payment| payment.refunds.push(refund));
            }
        }
    }

    fn change(&mut self, id: &str, change: impl FnOnce(&mut Payment)) {
        if let Some(payment) = self.payments.get_mut(id) {
            change(payment);
        }
    }
}

impl Bkash {
    pub fn open(shared: &Shared) -> io::Result<Self> {
        let (journal, events) = Journal::open(shared.folder(), NAME)?;
        let mut state = State {
            journal,
            grants: Vec::new(),
            blocked_until: Timestamp(0),
            tokens: BTreeMap::new(),
            payments: BTreeMap::new(),
        };
        events.into_iter().for_each(|event| state.apply(event));
        Ok(Self(Arc::new(Inner { shared: shared.clone(), state: Mutex::new(state) })))
    }

    pub fn router(&self) -> Router {
        let api = api::router(self.clone()).merge(refunds::router(self.clone()));
        self.0.shared.faults().wrap(api).merge(pages::router(self.clone()))
    }

    pub fn books(&self) -> Vec<BookEntry> {
        let state = self.state();
        let paid = state.payments.values().filter(|payment| payment.executed.is_some());
        let entry = |payment: &Payment| BookEntry {
            provider: NAME,
            payment: payment.invoice.clone(),
            currency: "BDT".to_owned(),
            captured: payment.amount,
            refunded: payment.refunded(),
            authorised: 0,
        };
        paid.map(entry).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shared(&self) -> &Shared {
        &self.0.shared
    }
}

/// `1250.50`.
fn written(poisha: i64) -> String {
    format!("{}.{:02}", poisha / 100, poisha % 100)
}

/// `2019-08-07T11:12:34:978 GMT+0600`.
fn date(at: Timestamp) -> String {
    let local = at.plus(Duration::from_secs(6 * 3600)).to_string();
    format!("{} GMT+0600", local.replace('.', ":").trim_end_matches('Z'))
}

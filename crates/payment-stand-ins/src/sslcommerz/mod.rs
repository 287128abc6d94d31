//! The stand-in of SSLCommerz v4: sessions, its page, notifications (IPN), validation, queries and refunds.

mod api;
mod fields;
mod pages;

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use platform::Timestamp;
use serde::{Deserialize, Serialize};

use crate::journal::Journal;
use crate::{BookEntry, Shared};

pub const STORE_ID: &str = "haat_stand_in";
pub const STORE_PASSWORD: &str = "haat_stand_in@ssl";

/// A refund whose amount ends so is cancelled by the bank.
pub const CANCELLED_REFUND_PAISA: i64 = 13;
/// So long the bank takes for a refund.
const REFUND_TIME: Duration = Duration::from_secs(24 * 3600);

const NAME: &str = "sslcommerz";

#[derive(Clone)]
pub(crate) struct Sslcommerz(Arc<Inner>);

struct Inner {
    shared: Shared,
    state: Mutex<State>,
}

struct State {
    journal: Journal<Event>,
    sessions: BTreeMap<String, Session>,
    /// In their order.
    attempts: Vec<Attempt>,
    refunds: Vec<Refund>,
}

/// What is kept in the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Event {
    Opened(Session),
    Tried(Attempt),
    Validated { val_id: String },
    Refunded(Refund),
}

/// A page that was opened for a payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Session {
    key: String,
    tran_id: String,
    /// In paisa.
    amount: i64,
    success_url: String,
    fail_url: String,
    cancel_url: String,
    ipn_url: String,
    product_name: String,
    value_a: String,
}

/// What the shopper has done on the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Attempt {
    session: String,
    tran_id: String,
    /// In paisa.
    amount: i64,
    status: Status,
    /// Empty unless it was paid.
    val_id: String,
    bank_tran_id: String,
    card_type: String,
    card_brand: String,
    error: String,
    is_risky: bool,
    is_validated: bool,
    at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Status {
    Valid,
    Failed,
    Cancelled,
    Expired,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Refund {
    refund_ref_id: String,
    refund_trans_id: String,
    bank_tran_id: String,
    /// In paisa.
    amount: i64,
    at: Timestamp,
}

impl Refund {
    fn is_cancelled(&self) -> bool {
        self.amount % 100 == CANCELLED_REFUND_PAISA
    }

    fn status(&self, now: Timestamp) -> &'static str {
        match self.is_cancelled() {
            _ if now < self.at.plus(REFUND_TIME) => "processing",
            true => "cancelled",
            false => "refunded",
        }
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
            Event::Opened(session) => {
                self.sessions.insert(session.key.clone(), session);
            }
            Event::Tried(attempt) => self.attempts.push(attempt),
            Event::Validated { val_id } => {
                for attempt in self.attempts.iter_mut().filter(|one| one.val_id == val_id) {
                    attempt.is_validated = true;
                }
            }
            Event::Refunded(refund) => self.refunds.push(refund),
        }
    }

    fn attempt_of(&self, session: &str) -> Option<&Attempt> {
        self.attempts.iter().find(|one| one.session == session)
    }

    fn refunded(&self, bank_tran_id: &str, now: Timestamp) -> i64 {
        let of_it = self.refunds.iter().filter(|one| one.bank_tran_id == bank_tran_id);
        of_it.filter(|one| one.status(now) != "cancelled").map(|one| one.amount).sum()
    }
}

impl Sslcommerz {
    pub fn open(shared: &Shared) -> io::Result<Self> {
        let (journal, events) = Journal::open(shared.folder(), NAME)?;
        let mut state =
            State { journal, sessions: BTreeMap::new(), attempts: Vec::new(), refunds: Vec::new() };
        events.into_iter().for_each(|event| state.apply(event));
        Ok(Self(Arc::new(Inner { shared: shared.clone(), state: Mutex::new(state) })))
    }

    pub fn router(&self) -> Router {
        let api = self.0.shared.faults().wrap(api::router(self.clone()));
        api.merge(pages::router(self.clone()))
    }

    pub fn books(&self) -> Vec<BookEntry> {
        let (state, now) = (self.state(), self.0.shared.now());
        let paid = state.attempts.iter().filter(|one| one.status == Status::Valid);
        let entry = |attempt: &Attempt| BookEntry {
            provider: NAME,
            payment: attempt.tran_id.clone(),
            currency: "BDT".to_owned(),
            captured: attempt.amount,
            refunded: state.refunded(&attempt.bank_tran_id, now),
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
fn written(paisa: i64) -> String {
    format!("{}.{:02}", paisa / 100, paisa % 100)
}

/// `2026-11-15 15:00:00`, in Dhaka.
fn date(at: Timestamp) -> String {
    let local = at.plus(Duration::from_secs(6 * 3600)).to_string();
    local.replace('T', " ").chars().take(19).collect()
}

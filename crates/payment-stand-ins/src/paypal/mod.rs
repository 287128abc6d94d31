//! The stand-in of PayPal: Orders v2, Payments v2, disputes, Transaction Search, the verification of webhooks, the page
//! on which a shopper approves a payment, and a small dashboard for what happens to a payment later.

mod api;
mod dashboard;
mod disputes;
mod events;
mod ledger;
mod messages;
mod orders;
mod pages;
mod payments;
mod reports;

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::routing::{get, post};
use platform::Timestamp;

use crate::journal::Journal;
use crate::{BookEntry, Shared};
use api::ApiError;
use events::Event;
use ledger::Ledger;

/// The credentials of the only app.
pub const CLIENT_ID: &str = "haat-stand-in";
pub const CLIENT_SECRET: &str = "haat-stand-in-secret";
pub const WEBHOOK_ID: &str = "HAATSTANDIN";

/// Cheap to clone.
#[derive(Clone)]
pub(crate) struct Paypal(Arc<Inner>);

struct Inner {
    shared: Shared,
    books: Mutex<Books>,
    /// Access tokens with the time when they expire. They do not survive a restart.
    tokens: Mutex<BTreeMap<String, Timestamp>>,
}

/// The state and its journal, which are changed together.
struct Books {
    ledger: Ledger,
    journal: Journal<Event>,
}

impl Paypal {
    pub fn open(shared: &Shared) -> io::Result<Self> {
        let (journal, events) = Journal::open(shared.folder(), "paypal")?;
        let mut ledger = Ledger::default();
        events.into_iter().for_each(|event| ledger.apply(event));
        let books = Mutex::new(Books { ledger, journal });
        Ok(Self(Arc::new(Inner { shared: shared.clone(), books, tokens: Mutex::default() })))
    }

    pub fn router(&self) -> Router {
        let api = Router::new()
            .route("/v1/oauth2/token", post(api::grant_token))
            .route("/v2/checkout/orders", post(orders::create))
            .route("/v2/checkout/orders/{order}", get(orders::show))
            .route("/v2/checkout/orders/{order}/capture", post(orders::capture))
            .route("/v2/payments/captures/{capture}", get(payments::show_capture))
            .route("/v2/payments/captures/{capture}/refund", post(payments::refund))
            .route("/v2/payments/refunds/{refund}", get(payments::show_refund))
            .route("/v1/customer/disputes", get(disputes::list))
            .route("/v1/customer/disputes/{dispute}", get(disputes::show))
            .route("/v1/reporting/transactions", get(reports::transactions))
            .route("/v1/notifications/verify-webhook-signature", post(messages::verify))
            .with_state(self.clone());
        let pages = Router::new()
            .route("/checkoutnow", get(pages::show).post(pages::submit))
            .route("/dashboard", get(dashboard::show).post(dashboard::submit))
            .with_state(self.clone());
        self.shared().faults().wrap(api).merge(pages)
    }

    pub fn books(&self) -> Vec<BookEntry> {
        self.lock().ledger.entries()
    }

    fn shared(&self) -> &Shared {
        &self.0.shared
    }

    fn lock(&self) -> MutexGuard<'_, Books> {
        self.0.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The address of a route of the API.
    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.shared().url("paypal"))
    }

    /// An id that nothing has, even after a restart with the same seed of randomness.
    fn new_id(&self, ledger: &Ledger) -> String {
        loop {
            let id = self.shared().random_id("", 17);
            if !ledger.has(&id) {
                return id;
            }
        }
    }
}

impl Books {
    /// Writes an event and applies it.
    fn commit(&mut self, event: Event) -> Result<(), ApiError> {
        self.journal.append(&event).map_err(|why| {
            tracing::error!(%why, "the journal of the PayPal stand-in cannot be written");
            ApiError::internal()
        })?;
        self.ledger.apply(event);
        Ok(())
    }
}

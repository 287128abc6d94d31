//! The stand-in of Stripe: the part of its API that a shop with Checkout Sessions needs, the payment page, and a small
//! dashboard.

mod api;
mod calls;
mod cards;
mod dashboard;
mod error;
mod model;
mod money;
mod notify;
mod pages;
mod params;
mod payments;
mod render;

use std::io;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use axum::Router;

use self::model::{
    Charge, ChargeStatus, Dispute, Intent, IntentStatus, Put, Refund, Session, State,
};
use self::notify::Notice;
use self::render::{charge_json, dispute_json, refund_json};
use crate::journal::Journal;
use crate::{BookEntry, Shared};

/// The only key that the API accepts.
pub const SECRET_KEY: &str = "sk_test_haat_stand_in";
/// Webhooks are signed with it.
pub const WEBHOOK_SECRET: &str = "whsec_haat_stand_in";

const VERSION: &str = "2026-07-29.dahlia";
/// How often it is looked for what is due by the clock, when nobody calls.
const TICK: Duration = Duration::from_millis(250);

/// Cheap to clone.
#[derive(Clone)]
pub(crate) struct Stripe(Arc<Inner>);

struct Inner {
    shared: Shared,
    book: Mutex<Book>,
}

struct Book {
    state: State,
    journal: Journal<Vec<Put>>,
}

/// A change of the state that is written to the journal at once.
struct Tx<'t> {
    shared: &'t Shared,
    state: &'t mut State,
    /// In milliseconds since 1970.
    now: i64,
    puts: Vec<Put>,
    notices: Vec<(&'static str, Subject)>,
}

/// The object of a webhook, by its id.
enum Subject {
    Session(String),
    Intent(String),
    Charge(String),
    Refund(String),
    Dispute(String),
}

impl Stripe {
    pub fn open(shared: &Shared) -> io::Result<Self> {
        let (journal, lines) = Journal::<Vec<Put>>::open(shared.folder(), "stripe")?;
        let mut state = State::default();
        lines.into_iter().flatten().for_each(|put| state.apply(put));
        let book = Mutex::new(Book { state, journal });
        let inner = Arc::new(Inner { shared: shared.clone(), book });
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tick(Arc::downgrade(&inner)));
        }
        Ok(Self(inner))
    }

    pub fn router(&self) -> Router {
        let api = self.0.shared.faults().wrap(api::router(self));
        api.merge(pages::router(self)).merge(dashboard::router(self))
    }

    pub fn books(&self) -> Vec<BookEntry> {
        let book = self.0.book.lock().unwrap_or_else(PoisonError::into_inner);
        let charges =
            book.state.charges.iter().filter(|charge| charge.status == ChargeStatus::Succeeded);
        charges
            .filter_map(|charge| book_entry(book.state.intents.get(&charge.intent)?, charge))
            .collect()
    }

    /// Does what is due by the clock, and then `work`, and writes both to the journal before anybody is told of it.
    fn transact<T>(&self, work: impl FnOnce(&mut Tx<'_>) -> T) -> io::Result<T> {
        let shared = &self.0.shared;
        let (done, notices) = {
            let mut book = self.0.book.lock().unwrap_or_else(PoisonError::into_inner);
            let book = &mut *book;
            let now = shared.now().0;
            let mut tx =
                Tx { shared, state: &mut book.state, now, puts: Vec::new(), notices: Vec::new() };
            tx.do_what_is_due();
            let done = work(&mut tx);
            let notices: Vec<Notice> = tx.rendered_notices();
            let puts = std::mem::take(&mut tx.puts);
            if !puts.is_empty() {
                book.journal.append(&puts)?;
            }
            (done, notices)
        };
        notices.into_iter().for_each(|notice| notify::send(shared, notice));
        Ok(done)
    }

    /// The address of the payment pages.
    fn page_url(&self) -> String {
        page_url(&self.0.shared)
    }
}

fn page_url(shared: &Shared) -> String {
    format!("{}/pay", shared.url("stripe"))
}

/// Until the stand-in is dropped.
async fn tick(inner: Weak<Inner>) {
    loop {
        tokio::time::sleep(TICK).await;
        let Some(inner) = inner.upgrade() else { return };
        if let Err(why) = Stripe(inner).transact(|_| ()) {
            tracing::error!(%why, "the journal of the stand-in of Stripe cannot be written");
        }
    }
}

fn book_entry(intent: &Intent, charge: &Charge) -> Option<BookEntry> {
    let payment = intent.metadata.get("payment")?.clone();
    let minor = |amount| money::money(amount, &charge.currency).minor();
    let is_reserved = intent.status == IntentStatus::RequiresCapture;
    Some(BookEntry {
        provider: "stripe",
        payment,
        currency: charge.currency.to_ascii_uppercase(),
        captured: minor(charge.captured),
        refunded: minor(charge.refunded),
        authorised: if is_reserved { minor(charge.amount) } else { 0 },
    })
}

impl Tx<'_> {
    fn put(&mut self, put: Put) {
        self.state.apply(put.clone());
        self.puts.push(put);
    }

    fn put_session(&mut self, session: Session) {
        self.put(Put::Session(session));
    }

    fn put_intent(&mut self, intent: Intent) {
        self.put(Put::Intent(intent));
    }

    fn put_charge(&mut self, charge: Charge) {
        self.put(Put::Charge(charge));
    }

    fn put_refund(&mut self, refund: Refund) {
        self.put(Put::Refund(refund));
    }

    fn put_dispute(&mut self, dispute: Dispute) {
        self.put(Put::Dispute(dispute));
    }

    fn notify(&mut self, kind: &'static str, subject: Subject) {
        self.notices.push((kind, subject));
    }

    fn new_id(&self, prefix: &str) -> String {
        self.shared.random_id(prefix, 24)
    }

    /// The objects as they are after the whole change.
    fn rendered_notices(&mut self) -> Vec<Notice> {
        let page = page_url(self.shared);
        let state = &*self.state;
        let render = |subject: &Subject| match subject {
            Subject::Session(id) => {
                state.sessions.get(id).map(|one| state.session_json(one, &page, &[]))
            }
            Subject::Intent(id) => state.intents.get(id).map(|one| state.intent_json(one, false)),
            Subject::Charge(id) => state.charges.get(id).map(charge_json),
            Subject::Refund(id) => state.refunds.get(id).map(refund_json),
            Subject::Dispute(id) => state.disputes.get(id).map(dispute_json),
        };
        let notices = std::mem::take(&mut self.notices).into_iter();
        notices
            .filter_map(|(kind, subject)| Some(Notice { kind, object: render(&subject)? }))
            .collect()
    }
}

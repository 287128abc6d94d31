//! The stand-in's objects, and the state that is the fold of its journal.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cards::Decline;

pub type Metadata = BTreeMap<String, String>;

/// Times are in milliseconds since 1970, amounts as the API writes them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Session {
    pub id: String,
    pub status: SessionStatus,
    pub amount: i64,
    pub currency: String,
    /// What is bought.
    pub name: String,
    pub client_reference_id: Option<String>,
    pub customer_email: Option<String>,
    pub locale: Option<String>,
    pub metadata: Metadata,
    pub intent_metadata: Metadata,
    pub capture_method: CaptureMethod,
    pub success_url: String,
    pub cancel_url: Option<String>,
    /// Made with the first attempt to pay.
    pub intent: Option<String>,
    pub created: i64,
    pub expires_at: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    Open,
    Complete,
    Expired,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaptureMethod {
    AutomaticAsync,
    Manual,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Intent {
    pub id: String,
    pub session: String,
    pub status: IntentStatus,
    pub amount: i64,
    pub currency: String,
    pub received: i64,
    pub capture_method: CaptureMethod,
    pub metadata: Metadata,
    pub last_error: Option<PaymentError>,
    pub latest_charge: Option<String>,
    /// The number of the test card whose holder is being authenticated.
    pub authenticating: Option<String>,
    pub cancelled: Option<Cancelled>,
    pub created: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntentStatus {
    RequiresPaymentMethod,
    RequiresAction,
    Processing,
    RequiresCapture,
    Succeeded,
    Canceled,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cancelled {
    pub at: i64,
    pub reason: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PaymentError {
    pub charge: Option<String>,
    pub decline: Decline,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Charge {
    pub id: String,
    pub intent: String,
    pub status: ChargeStatus,
    pub amount: i64,
    pub captured: i64,
    pub refunded: i64,
    pub currency: String,
    pub metadata: Metadata,
    pub method: Method,
    pub failure: Option<Decline>,
    pub disputed: bool,
    /// When the bank of a delayed payment says how it went, or the holder of the card disputes it.
    pub due: Option<Due>,
    pub created: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChargeStatus {
    Pending,
    Succeeded,
    Failed,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Of which nothing but the last four digits of a test card is kept.
    Card {
        last4: String,
    },
    GooglePay,
    /// A bank debit, which takes days at Stripe and seconds here.
    BankDebit,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Due {
    pub at: i64,
    pub event: DueEvent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DueEvent {
    Succeed,
    Fail,
    Dispute,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refund {
    pub id: String,
    pub charge: String,
    pub intent: String,
    pub status: RefundStatus,
    pub amount: i64,
    pub currency: String,
    pub reason: Option<String>,
    pub metadata: Metadata,
    pub created: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundStatus {
    Succeeded,
    Failed,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dispute {
    pub id: String,
    pub charge: String,
    pub intent: String,
    pub status: DisputeStatus,
    pub amount: i64,
    pub currency: String,
    pub created: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisputeStatus {
    NeedsResponse,
    Won,
    Lost,
}

/// The first answer to an idempotency key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredAnswer {
    pub key: String,
    /// The path and the parameters of the call.
    pub call: String,
    pub status: u16,
    pub body: Value,
    pub at: i64,
}

/// A new version of an object: what the journal consists of.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Put {
    Session(Session),
    Intent(Intent),
    Charge(Charge),
    Refund(Refund),
    Dispute(Dispute),
    Answer(StoredAnswer),
}

pub trait Row {
    fn id(&self) -> &str;
}

/// Objects of one kind in the order in which they were made.
#[derive(Debug)]
pub struct Table<T> {
    rows: Vec<T>,
    places: HashMap<String, usize>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), places: HashMap::new() }
    }
}

impl<T: Row> Table<T> {
    pub fn get(&self, id: &str) -> Option<&T> {
        self.rows.get(*self.places.get(id)?)
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.rows.iter()
    }

    fn put(&mut self, row: T) {
        match self.places.get(row.id()).and_then(|place| self.rows.get_mut(*place)) {
            Some(old) => *old = row,
            None => {
                self.places.insert(row.id().to_owned(), self.rows.len());
                self.rows.push(row);
            }
        }
    }
}

#[derive(Debug, Default)]
pub struct State {
    pub sessions: Table<Session>,
    pub intents: Table<Intent>,
    pub charges: Table<Charge>,
    pub refunds: Table<Refund>,
    pub disputes: Table<Dispute>,
    pub answers: HashMap<String, StoredAnswer>,
}

impl State {
    pub fn apply(&mut self, put: Put) {
        match put {
            Put::Session(row) => self.sessions.put(row),
            Put::Intent(row) => self.intents.put(row),
            Put::Charge(row) => self.charges.put(row),
            Put::Refund(row) => self.refunds.put(row),
            Put::Dispute(row) => self.disputes.put(row),
            Put::Answer(answer) => {
                self.answers.insert(answer.key.clone(), answer);
            }
        }
    }

    pub fn latest_charge(&self, intent: &Intent) -> Option<&Charge> {
        self.charges.get(intent.latest_charge.as_deref()?)
    }

    pub fn intent_of(&self, session: &Session) -> Option<&Intent> {
        self.intents.get(session.intent.as_deref()?)
    }
}

macro_rules! rows {
    ($($kind:ty),+) => {
        $(impl Row for $kind {
            fn id(&self) -> &str {
                &self.id
            }
        })+
    };
}
rows!(Session, Intent, Charge, Refund, Dispute);

//! What the journal contains: everything that has happened.

use platform::{Currency, Timestamp};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Event {
    OrderCreated {
        order: NewOrder,
        request: Request,
        at: Timestamp,
    },
    Approved {
        order: String,
        funding: Funding,
        at: Timestamp,
    },
    /// A capture was refused, because of the payer's source of money.
    Declined {
        order: String,
    },
    Captured {
        order: String,
        capture: String,
        outcome: Outcome,
        request: Option<Request>,
        at: Timestamp,
    },
    /// A capture that was under review is completed, or else declined.
    Reviewed {
        capture: String,
        completed: bool,
        at: Timestamp,
    },
    Refunded {
        refund: NewRefund,
        request: Option<Request>,
        at: Timestamp,
    },
    /// A pending refund is completed, or else has failed.
    RefundDecided {
        refund: String,
        completed: bool,
        at: Timestamp,
    },
    Disputed {
        dispute: String,
        capture: String,
        minor: i64,
        at: Timestamp,
    },
    DisputeResolved {
        dispute: String,
        lost: bool,
        at: Timestamp,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewOrder {
    pub id: String,
    pub minor: i64,
    pub currency: Currency,
    pub custom_id: Option<String>,
    pub invoice_id: Option<String>,
    pub description: Option<String>,
    pub return_url: String,
    pub cancel_url: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewRefund {
    pub id: String,
    pub capture: String,
    pub minor: i64,
    pub custom_id: Option<String>,
    pub pending: bool,
    /// PayPal made it, for a dispute.
    pub reversal: bool,
}

/// The PayPal-Request-Id of a call with the hash of what was asked, by which a repetition is recognised.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    pub key: String,
    pub fingerprint: String,
}

/// What the payer has chosen to pay with, by what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Funding {
    Balance,
    /// The capture is pending until it is reviewed.
    Reviewed,
    /// The capture is made, but declined.
    Denied,
    /// The capture is refused, and the payer may choose something else.
    Declined,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    Completed,
    Pending,
    Declined,
}

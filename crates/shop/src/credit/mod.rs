//! Store credit: what the shop owes a customer, to be spent here. A ledger that only grows: alone writes
//! `credit_accounts` and `credit_entries`, and an entry is never changed. The guard is in the update of
//! the balance itself, so that nobody spends what is not there, whatever runs at once.

mod http;
mod store;

use base::{Id, Money, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::orders::OrderId;
use crate::words::words;

pub use http::{Ledger, router};
pub(crate) use store::enter;
pub use store::{forget, grant, holders, of_customer, unproven_holders};

words! {
    /// What an entry is for.
    #[schema(as = CreditKind)]
    pub enum Kind {
        /// An order was refunded as store credit.
        Refund = "refund",
        /// An order was paid with it.
        Spent = "spent",
        /// An order that was paid with it was called off or sent back.
        Returned = "returned",
        /// The shop gave it.
        Granted = "granted",
        /// The account was deleted, and what was left with it.
        Ended = "ended",
    }
}

pub type EntryId = Id<CreditEntry>;

/// What a customer has, and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StoreCredit {
    pub balance: Money,
    /// The newest first.
    pub entries: Vec<CreditEntry>,
}

/// An entry of the ledger; nothing of it ever changes.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct CreditEntry {
    #[serde(rename = "_id")]
    pub id: EntryId,
    #[sqlx(try_from = "String")]
    pub kind: Kind,
    /// Negative where it was spent.
    pub amount: Money,
    /// What there was afterwards.
    pub balance: Money,
    /// The number of the order that it is for.
    #[serde(rename = "order")]
    #[schema(required)]
    pub number: Option<String>,
    /// Why; often nothing, because the order says it.
    pub note: String,
    pub created_at: Timestamp,
}

/// An entry to be made.
pub(crate) struct NewEntry<'e> {
    pub customer: &'e str,
    pub kind: Kind,
    /// Negative where it is spent.
    pub amount: Money,
    pub order: Option<&'e OrderId>,
    /// Which of the order's returns it is for: an order gives back once for each.
    pub return_place: i64,
    pub note: &'e str,
}

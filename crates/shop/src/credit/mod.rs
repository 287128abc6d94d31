//! Store credit, as an append-only ledger of accounts and entries. The update of the balance is
//! guarded, so concurrent orders can never overspend. The only module that writes `credit_accounts` and
//! `credit_entries`.

mod http;
mod store;

use platform::{Currency, Id, MinorUnits, Money, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::OrderId;
use crate::string_enum::string_enum;

pub use http::router;
pub(crate) use store::add_entry;
pub use store::{account, erase, find_customers, find_unverified_customers, grant};

string_enum! {
    /// The reason of an entry.
    pub enum CreditKind {
        /// An order was refunded as store credit.
        Refund = "refund",
        /// An order was paid with it.
        Spent = "spent",
        /// An order that was paid with it was cancelled or returned.
        Returned = "returned",
        /// Granted by the shop.
        Granted = "granted",
        /// The rest when the account was deleted.
        Ended = "ended",
    }
}

pub type EntryId = Id<CreditEntry>;

/// A customer's balance and its history.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreCredit {
    /// The shop's base currency, in which store credit is kept.
    pub currency: Currency,
    pub balance: Money,
    /// What the balance pays for in the currency of the request.
    pub spendable: Money,
    /// The newest first.
    pub entries: Vec<CreditEntry>,
}

/// A ledger entry; never changes.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreditEntry {
    #[serde(rename = "_id")]
    pub id: EntryId,
    pub kind: CreditKind,
    /// Negative when spent.
    pub amount: Money,
    /// The balance after this entry.
    pub balance: Money,
    /// The number of its order.
    #[serde(rename = "order")]
    #[schema(required)]
    pub number: Option<String>,
    /// The shop's reason; often empty.
    pub note: String,
    pub created_at: Timestamp,
}

pub(crate) struct NewEntry<'e> {
    pub customer: &'e str,
    pub kind: CreditKind,
    /// In the base currency; negative when spent.
    pub amount: MinorUnits,
    pub order: Option<&'e OrderId>,
    /// Index of the order's return that it is for; each return is credited once.
    pub return_place: i64,
    pub note: &'e str,
}

impl<'e> NewEntry<'e> {
    /// An entry that is for no order.
    pub fn new(customer: &'e str, kind: CreditKind, amount: impl Into<MinorUnits>) -> Self {
        Self { customer, kind, amount: amount.into(), order: None, return_place: 0, note: "" }
    }
}

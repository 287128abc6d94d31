//! Gift cards: tender in the base currency, spent by whoever knows a card's code, with an append-only ledger for each. The
//! update of the balance is guarded, so concurrent orders can never overspend. The only module that writes `gift_cards`,
//! `gift_card_entries` and `sold_gift_cards` (decisions 032 and 034).

mod code;
mod email;
mod http;
mod lookup;
mod send;
mod sold;
mod store;

use platform::{Currency, Exchange, Id, Money, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::string_enum::string_enum;

pub use code::{CodeHash, GiftCardCode, MalformedGiftCardCode};
pub use email::GiftCardEmailSender;
pub use http::router;
pub(crate) use lookup::find_for_order;
pub use send::{GiftCardSender, SendGiftCard};
pub use sold::{MAX_SOLD, SoldGiftCard, SoldGiftCardState};
pub(crate) use sold::{
    NewSoldGiftCard, anonymize, insert_sold, issue_sold, sold_with, void_returned, void_sold,
};
pub use store::{
    GiftCardChange, GiftCardImport, MAX_BATCH, NewGiftCard, adjust, entries, erase, export, find,
    import, issue, list, set_disabled,
};
pub(crate) use store::{give_back, spend};

/// Cards of one order.
pub const MAX_CARDS: usize = 10;

pub type GiftCardId = Id<GiftCard>;
pub type EntryId = Id<GiftCardEntry>;

string_enum! {
    /// The reason of an entry.
    pub enum GiftCardEntryKind {
        /// The card was issued or imported.
        Issued = "issued",
        /// It paid for an order.
        Spent = "spent",
        /// An order that it paid for was cancelled or returned.
        Returned = "returned",
        /// Changed by the shop.
        Corrected = "corrected",
        /// The order that bought it was cancelled, or it was returned.
        Voided = "voided",
    }
}

string_enum! {
    pub enum GiftCardState {
        Active = "active",
        /// The day until which it could be spent is over.
        Expired = "expired",
        /// The shop does not accept it any more.
        Disabled = "disabled",
    }
}

/// A card as the shop sees it; the code is known to nobody but its holder.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GiftCard {
    #[serde(rename = "_id")]
    pub id: GiftCardId,
    pub last_four: String,
    /// What it was worth when it was issued.
    pub amount: Money,
    pub balance: Money,
    pub currency: Currency,
    pub state: GiftCardState,
    pub expires_at: Option<Timestamp>,
    pub note: String,
    /// The e-mail address that it was sent to; may be empty.
    pub recipient: String,
    /// The number of the order that bought it.
    #[serde(rename = "order", skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    pub created_at: Timestamp,
}

impl GiftCard {
    /// What it pays for in another currency: nothing when it is expired or disabled.
    pub fn spendable(&self, to: Exchange) -> Money {
        match self.state {
            GiftCardState::Active => to.worth(self.balance),
            GiftCardState::Expired | GiftCardState::Disabled => Money::zero(to.currency),
        }
    }
}

/// A ledger entry; never changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GiftCardEntry {
    #[serde(rename = "_id")]
    pub id: EntryId,
    pub kind: GiftCardEntryKind,
    /// Negative when spent.
    pub amount: Money,
    /// The balance after this entry.
    pub balance: Money,
    /// The number of its order.
    #[serde(rename = "order")]
    pub number: Option<String>,
    pub note: String,
    pub created_at: Timestamp,
}

/// What a card is worth, as whoever knows its code sees it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GiftCardBalance {
    /// The end of its code.
    pub last_four: String,
    /// The shop's base currency, in which gift cards are kept.
    pub currency: Currency,
    pub balance: Money,
    /// What it pays for in the currency of the request; nothing when it is expired or disabled.
    pub spendable: Money,
    pub state: GiftCardState,
    /// The last moment at which it can be spent; null where it does not expire.
    #[schema(required)]
    pub expires_at: Option<Timestamp>,
}

//! Announces an order's change to other modules, in the transaction of the change (decision 021).

use platform::revisions::CacheTag;
use platform::{Money, ResultFuture, Timestamp, Tx};

use super::{Order, OrderStatus, OrderStore, RefundSplit};
use crate::catalog::VariantId;
use crate::gift_cards::GiftCardId;
use crate::payments::PaymentAction;

/// Writes what an order's change causes in another module. An error rolls the change back.
pub type OrderSubscriber =
    for<'a, 'c> fn(&'a OrderStore, &'a mut Tx, &'a mut OrderChange<'c>) -> ResultFuture<'a, ()>;

/// A step of an order whose row is updated and locked.
pub struct OrderChange<'c> {
    pub order: &'c Order,
    pub from: OrderStatus,
    pub to: OrderStatus,
    pub at: Timestamp,
    /// What goes back into stock, in the order of the variants' ids.
    pub restocked: Vec<(&'c VariantId, i64)>,
    /// The units of a return that the shop receives.
    pub received: Vec<(&'c VariantId, i64)>,
    pub payment: Option<PaymentAction>,
    /// Whether from now on the whole amount is captured.
    pub is_paid: bool,
    /// The refund; store credit sets its part to zero when the account is deleted.
    pub refund: RefundSplit,
    /// What goes back to each gift card, in the base currency, in which cards are kept.
    pub gift_cards: Vec<(&'c GiftCardId, Money)>,
    /// The store credit of the refund in the base currency, in which accounts are kept.
    pub store_credit: Money,
    /// The customer chose store credit instead of the original payment.
    pub as_credit: bool,
    /// Index of the return that is refunded.
    pub return_place: i64,
    /// Cache tags of what subscribers changed, bumped after all other writes.
    pub tags: Vec<CacheTag>,
}

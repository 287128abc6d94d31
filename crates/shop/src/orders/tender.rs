//! What paid for an order besides its payment: gift cards and store credit, and what of a refund goes back to them. Pure
//! functions.

use platform::{Currency, ExchangeRate, Money};
use serde::Serialize;
use utoipa::ToSchema;

use super::{BaseAmounts, Order};
use crate::gift_cards::GiftCardId;

/// What a gift card paid of an order.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderGiftCard {
    #[serde(skip)]
    pub card: GiftCardId,
    /// The end of its code.
    pub last_four: String,
    pub amount: Money,
    /// What it was debited with, in the base currency: rounded up.
    #[serde(skip)]
    pub base_amount: Money,
}

impl OrderGiftCard {
    /// As documents call it, after the word for a gift card.
    pub fn masked(&self) -> String {
        format!("•••• {}", self.last_four)
    }
}

/// An amount that paid for an order, in its currency and in the base currency.
#[derive(Clone, Copy)]
struct Tender {
    amount: Money,
    debited: Money,
}

impl Tender {
    /// A refund in the base currency, after earlier ones of `before`: all together are never more than what was debited,
    /// whatever is rounded, unless more is refunded than this paid.
    fn refund_in_base(
        self,
        rate: ExchangeRate,
        base: Currency,
        before: Money,
        amount: Money,
    ) -> Money {
        let worth = |refunded| {
            let worth = rate.to_base(refunded, base);
            if refunded < self.amount { worth.min(self.debited) } else { worth.max(self.debited) }
        };
        worth(before + amount) - worth(before)
    }
}

impl BaseAmounts {
    pub fn to_pay(&self) -> Money {
        self.total - self.gift_cards - self.credit
    }
}

impl Order {
    /// What gift cards paid.
    pub fn gift_card_sum(&self) -> Money {
        Money::sum(self.gift_cards.iter().map(|card| card.amount), self.currency)
    }

    pub fn to_pay(&self) -> Money {
        self.total - self.gift_card_sum() - self.credit
    }

    /// Whether something is to be said about what is left to pay.
    pub fn has_tender(&self) -> bool {
        !self.gift_cards.is_empty() || self.credit.is_positive()
    }

    /// The amount of a refund as store credit in the base currency, after earlier ones of `before`.
    pub(super) fn credit_in_base(&self, before: Money, credit: Money) -> Money {
        let BaseAmounts { rate, currency, credit: debited, .. } = self.base;
        Tender { amount: self.credit, debited }.refund_in_base(rate, currency, before, credit)
    }

    /// What goes back to each gift card in the base currency, of a refund of `amount` to all of them, after earlier ones of
    /// `before`. They get it back in the order in which they were spent.
    pub(super) fn gift_card_refunds(
        &self,
        before: Money,
        amount: Money,
    ) -> Vec<(&GiftCardId, Money)> {
        let BaseAmounts { rate, currency, .. } = self.base;
        let zero = Money::zero(self.currency);
        let mut start = zero;
        let refund = |card: &'_ OrderGiftCard, start: Money| {
            let within = |refunded: Money| (refunded - start).max(zero).min(card.amount);
            let (before, after) = (within(before), within(before + amount));
            let tender = Tender { amount: card.amount, debited: card.base_amount };
            tender.refund_in_base(rate, currency, before, after - before)
        };
        let mut refunds = Vec::new();
        for card in &self.gift_cards {
            refunds.push((&card.card, refund(card, start)));
            start = start + card.amount;
        }
        // A very small part of a refund may be worth nothing in the base currency.
        refunds.retain(|(_, amount)| amount.is_positive());
        refunds
    }
}

//! Plans a step of an order before anything is written: pure functions, whose result the store applies.

use platform::{Money, Timestamp};

use super::returns::{
    self, ReturnValue, open_return, refunded_so_far, return_progress, returnable, select_lines,
    without_spent,
};
use super::{
    Order, OrderChange, OrderLine, OrderReturn, OrderStatus, RefundSplit, Restock, ReturnLine,
    ReturnState, Step, StepOutcome, Transition, transition,
};
use crate::gift_cards::{GiftCardId, SoldGiftCard};

/// An allowed step with all its effects.
pub struct StepPlan<'p> {
    pub order: &'p Order,
    pub from: OrderStatus,
    pub next: Transition,
    pub open: Option<&'p OrderReturn>,
    /// The index of a new return.
    pub new_place: i64,
    /// The lines of the open return or of the new one.
    pub lines: Vec<ReturnLine>,
    pub worth: ReturnValue,
    pub back: RefundSplit,
    /// The parts of the refund that go back to gift cards and store credit, in the base currency.
    pub gift_cards: Vec<(&'p GiftCardId, Money)>,
    pub store_credit: Money,
}

impl<'p> StepPlan<'p> {
    pub fn new(
        order: &'p Order,
        returns: &'p [OrderReturn],
        sold_cards: &[SoldGiftCard],
        from: OrderStatus,
        step: Step<'_>,
    ) -> Result<Self, StepOutcome> {
        let next = transition(from, step, return_progress(order, returns))
            .ok_or(StepOutcome::NotAllowed(from))?;
        let open = open_return(returns);
        let begins = next.return_state == Some(ReturnState::Requested);
        if next.return_state.is_some() && begins == open.is_some() {
            return Err(StepOutcome::NotAllowed(from));
        }
        let lines = match step {
            Step::RequestReturn(wanted) => {
                let left = without_spent(returnable(order, returns), sold_cards);
                select_lines(left, wanted)
                    .filter(|chosen| !chosen.is_empty())
                    .ok_or(StepOutcome::NotReturnable)?
            }
            _ => open.map(|open| open.lines.clone()).unwrap_or_default(),
        };
        let (mut worth, mut back) =
            (ReturnValue::none(order.currency), RefundSplit::none(order.currency));
        let given = refunded_so_far(order, returns);
        if let Some(refund) = next.refund {
            if refund.as_credit && !order.has_account() {
                return Err(StepOutcome::NoAccount);
            }
            worth = returns::return_value(order, returns, &lines);
            back = refund.split(order, given, worth).map_err(StepOutcome::ExceedsPaid)?;
        } else if next.to == OrderStatus::Cancelled {
            back.gift_cards = order.gift_card_sum();
            back.credit = order.credit;
        }
        let new_place = returns.len() as i64;
        let store_credit = order.credit_in_base(given.credit, back.credit);
        let gift_cards = order.gift_card_refunds(given.gift_cards, back.gift_cards);
        Ok(Self {
            order,
            from,
            next,
            open,
            new_place,
            lines,
            worth,
            back,
            gift_cards,
            store_credit,
        })
    }

    /// What the subscribers are told.
    pub fn change(&self, at: Timestamp) -> OrderChange<'_> {
        let Self { order, from, next, back, store_credit, .. } = *self;
        let of_order = order.lines.iter().map(|line| (&line.variant, line.quantity));
        let of_return = self.lines.iter().map(|line| (&line.variant, line.quantity));
        let is_received = next.return_state == Some(ReturnState::Received);
        let received = of_return.clone().filter(|_| is_received).collect();
        let mut restocked: Vec<_> = match next.restock {
            Restock::None => Vec::new(),
            Restock::Order => of_order.collect(),
            Restock::Return => of_return.collect(),
        };
        restocked.sort();
        OrderChange {
            order,
            from,
            to: next.to,
            at,
            restocked,
            received,
            payment: next.payment,
            is_paid: next.is_paid,
            refund: back,
            gift_cards: self.gift_cards.clone(),
            store_credit,
            as_credit: next.refund.is_some_and(|refund| refund.as_credit),
            return_place: self.open.map_or(0, |open| open.place),
            tags: Vec::new(),
        }
    }

    /// The order's lines with the returned quantities.
    pub fn returned(&self) -> Vec<OrderLine> {
        let of_it = |line: &OrderLine| {
            let back = self.lines.iter().find(|back| back.variant == line.variant)?;
            let (quantity, total) = (back.quantity, line.price * back.quantity);
            Some(OrderLine { quantity, total, ..line.clone() })
        };
        self.order.lines.iter().filter_map(of_it).collect()
    }
}

//! What a step does to an order, decided before anything is written: pure, so that the store only applies it.

use super::returns::{self, Worth, choose, given_back, open_return, returnable, sent_back};
use super::{
    Back, Order, OrderLine, OrderReturn, ReturnLine, ReturnState, Status, Step, Taken, Transition,
    transition,
};

/// A step that can be taken, with all that it does.
pub struct Plan<'p> {
    pub order: &'p Order,
    pub from: Status,
    pub next: Transition,
    /// The return that is under way.
    pub open: Option<&'p OrderReturn>,
    /// Where a new return stands among the order's.
    pub new_place: i64,
    /// What is returned, by the return that is under way or by a new one.
    pub lines: Vec<ReturnLine>,
    pub worth: Worth,
    pub back: Back,
}

impl<'p> Plan<'p> {
    pub fn new(
        order: &'p Order,
        returns: &'p [OrderReturn],
        from: Status,
        step: Step<'_>,
    ) -> Result<Self, Taken> {
        let next = transition(from, step, sent_back(order, returns)).ok_or(Taken::NotNow(from))?;
        let open = open_return(returns);
        let begins = next.return_state == Some(ReturnState::Requested);
        if next.return_state.is_some() && begins == open.is_some() {
            return Err(Taken::NotNow(from));
        }
        let lines = match step {
            Step::AskToReturn(wanted) => choose(returnable(order, returns), wanted)
                .filter(|chosen| !chosen.is_empty())
                .ok_or(Taken::NotReturnable)?,
            _ => open.map(|open| open.lines.clone()).unwrap_or_default(),
        };
        let (mut worth, mut back) = (Worth::default(), Back::default());
        if let Some(refund) = next.refund {
            if refund.as_credit && order.customer.is_empty() {
                return Err(Taken::NobodysOrder);
            }
            worth = returns::worth(order, returns, &lines);
            back = refund.back(order, given_back(returns), worth).map_err(Taken::TooMuch)?;
        } else if next.to == Status::Cancelled {
            back.credit = order.credit;
        }
        let new_place = returns.len() as i64;
        Ok(Self { order, from, next, open, new_place, lines, worth, back })
    }

    /// The order's lines with as many as are returned of each.
    pub fn returned(&self) -> Vec<OrderLine> {
        let of_it = |line: &OrderLine| {
            let back = self.lines.iter().find(|back| back.product == line.product)?;
            Some(OrderLine { quantity: back.quantity, ..line.clone() })
        };
        self.order.lines.iter().filter_map(of_it).collect()
    }
}

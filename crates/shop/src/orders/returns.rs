//! Returns: which units of an order are sent back, and what was paid for them. Pure rules; the store applies
//! them.
//!
//! The rule of a refund: the price of the returned units as it was paid, and their share of the order's VAT by
//! price. Delivery is not given back. The shares of all returns of an order come to its VAT exactly, and
//! nothing is ever given back beyond what was paid.

use base::http::whole_number;
use base::{Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Order;
use crate::catalog::ProductId;
use crate::words::words;

words! {
    /// What has become of a return.
    pub enum ReturnState {
        /// The customer wants to send it back.
        Requested = "requested",
        /// The shop has it back.
        Received = "received",
        /// The shop does not take it back.
        Refused = "refused",
        /// The money was given back.
        Refunded = "refunded",
    }
}

/// So many units of one of an order's products.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::FromRow)]
pub struct ReturnLine {
    #[serde(rename = "_id")]
    pub product: ProductId,
    #[serde(rename = "qtn", deserialize_with = "whole_number")]
    #[schema(minimum = 1, maximum = 100)]
    pub quantity: i64,
}

/// What a customer sends back of an order.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct OrderReturn {
    /// The order's first return is 0.
    #[serde(skip)]
    pub place: i64,
    #[sqlx(try_from = "String")]
    pub state: ReturnState,
    pub requested_at: Timestamp,
    /// When it was refused or refunded.
    #[schema(required)]
    pub settled_at: Option<Timestamp>,
    /// What was paid for its goods.
    pub goods: Money,
    /// Their share of the order's VAT.
    pub vat: Money,
    /// What was given back as store credit.
    pub credit: Money,
    /// What was given back in the way in which it was paid.
    pub paid: Money,
    #[sqlx(skip)]
    pub lines: Vec<ReturnLine>,
}

impl OrderReturn {
    fn is_refunded(&self) -> bool {
        self.state == ReturnState::Refunded
    }
}

/// What of an order was sent back before, and what its next steps depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SentBack {
    /// Some of it was refunded already.
    pub some: bool,
    /// Nothing stays with the customer, once what is being returned is done.
    pub all: bool,
}

/// The return that is neither refused nor refunded; there is at most one.
pub fn open_return(returns: &[OrderReturn]) -> Option<&OrderReturn> {
    returns.iter().find(|one| matches!(one.state, ReturnState::Requested | ReturnState::Received))
}

pub fn sent_back(order: &Order, returns: &[OrderReturn]) -> SentBack {
    let some = returns.iter().any(OrderReturn::is_refunded);
    SentBack { some, all: returnable(order, returns).is_empty() }
}

/// What can still be returned: bought, and neither sent back nor about to be.
pub fn returnable(order: &Order, returns: &[OrderReturn]) -> Vec<ReturnLine> {
    let kept = returns.iter().filter(|one| one.state != ReturnState::Refused);
    let back: Vec<&ReturnLine> = kept.flat_map(|one| &one.lines).collect();
    let left = order.lines.iter().map(|line| {
        let of_it = back.iter().filter(|one| one.product == line.product);
        let quantity = line.quantity - of_it.map(|one| one.quantity).sum::<i64>();
        ReturnLine { product: line.product.clone(), quantity }
    });
    left.filter(|line| line.quantity > 0).collect()
}

/// What of `left` is meant by `wanted`: all of it where nothing is named. Nothing where more is wanted than
/// there is, or a product twice.
pub fn choose(left: Vec<ReturnLine>, wanted: &[ReturnLine]) -> Option<Vec<ReturnLine>> {
    if wanted.is_empty() {
        return Some(left);
    }
    let mut chosen = Vec::with_capacity(wanted.len());
    for line in &left {
        let mut of_it = wanted.iter().filter(|one| one.product == line.product);
        let Some(one) = of_it.next() else { continue };
        if of_it.next().is_some() || !(1..=line.quantity).contains(&one.quantity) {
            return None;
        }
        chosen.push(one.clone());
    }
    (chosen.len() == wanted.len()).then_some(chosen)
}

/// What was paid for some of an order's goods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worth {
    pub goods: Money,
    pub vat: Money,
}

/// What was paid for `lines`, after the refunds before. The VAT is shared by price (by units where all was for
/// nothing); it is counted over all refunded returns together and rounded down, so that parts of a cent are
/// neither lost nor given twice.
pub fn worth(order: &Order, before: &[OrderReturn], lines: &[ReturnLine]) -> Worth {
    let refunded = before.iter().filter(|one| one.is_refunded()).flat_map(|one| &one.lines);
    let done = weight(order, refunded);
    let after = done + weight(order, lines);
    let all = weight(order, &as_lines(order));
    let share = |part: i128| match all {
        0 => 0,
        all => i128::from(order.vat.as_cents()) * part / all,
    };
    let vat = i64::try_from(share(after) - share(done)).unwrap_or_default();
    Worth { goods: goods(order, lines), vat: Money::cents(vat) }
}

fn as_lines(order: &Order) -> Vec<ReturnLine> {
    let line = |line: &super::OrderLine| ReturnLine {
        product: line.product.clone(),
        quantity: line.quantity,
    };
    order.lines.iter().map(line).collect()
}

fn weight<'l>(order: &Order, lines: impl IntoIterator<Item = &'l ReturnLine>) -> i128 {
    let by_units = order.sub_total == Money::ZERO;
    let of_line = |line: &ReturnLine| {
        let price = if by_units { 1 } else { price(order, line).as_cents() };
        i128::from(price) * i128::from(line.quantity)
    };
    lines.into_iter().map(of_line).sum()
}

fn goods(order: &Order, lines: &[ReturnLine]) -> Money {
    lines.iter().map(|line| price(order, line) * line.quantity).sum()
}

fn price(order: &Order, line: &ReturnLine) -> Money {
    let bought = order.lines.iter().find(|bought| bought.product == line.product);
    bought.map_or(Money::ZERO, |bought| bought.price)
}

/// How the money of a return is given back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refund {
    /// How much; where nothing is said, what was paid for what is returned.
    pub amount: Option<Money>,
    /// All of it as store credit, instead of the way in which it was paid. Only customers choose this.
    pub as_credit: bool,
}

/// What is given back of an order's money.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Back {
    /// To the customer's store credit.
    pub credit: Money,
    /// In the way in which it was paid.
    pub paid: Money,
}

impl Back {
    pub fn total(self) -> Money {
        self.credit + self.paid
    }
}

/// What was given back of an order before.
pub fn given_back(returns: &[OrderReturn]) -> Back {
    let refunded = || returns.iter().filter(|one| one.is_refunded());
    Back {
        credit: refunded().map(|one| one.credit).sum(),
        paid: refunded().map(|one| one.paid).sum(),
    }
}

impl Refund {
    /// What is given back for goods of this worth, after what was `given` before: what was paid with store
    /// credit comes back first, and as that. More than is left of what was paid is refused with what is left.
    pub fn back(self, order: &Order, given: Back, worth: Worth) -> Result<Back, Money> {
        let left = order.total - given.total();
        let amount = match self.amount {
            Some(amount) if amount > left => return Err(left),
            Some(amount) => amount,
            None => (worth.goods + worth.vat).min(left),
        };
        let credit = match self.as_credit {
            true => amount,
            false => amount.min((order.credit - given.credit).max(Money::ZERO)),
        };
        Ok(Back { credit, paid: amount - credit })
    }
}

#[cfg(test)]
mod tests {
    use base::{Currency, Random};
    use proptest::prelude::*;

    use super::super::{Number, OrderLine};
    use super::*;

    /// An order of lines of so many units at such prices in cents.
    fn order(lines: &[(i64, i64)], shipping: i64, vat: i64, credit: i64) -> Order {
        let line = |(place, (price, quantity)): (usize, &(i64, i64))| OrderLine {
            product: format!("p{place}").parse().unwrap(),
            name: String::new(),
            sku: String::new(),
            picture: String::new(),
            price: Money::cents(*price),
            quantity: *quantity,
        };
        let sub_total: i64 = lines.iter().map(|(price, quantity)| price * quantity).sum();
        let total = sub_total + shipping + vat;
        Order {
            id: "o".parse().unwrap(),
            number: Number::new(&Random::seeded(1)),
            customer: String::new(),
            email: String::new(),
            name: String::new(),
            phone: String::new(),
            address: String::new(),
            currency: Currency::Usd,
            rate: "1".parse().unwrap(),
            sub_total: Money::cents(sub_total),
            shipping: Money::cents(shipping),
            vat: Money::cents(vat),
            total: Money::cents(total),
            credit: Money::cents(total * credit / 100),
            created_at: Timestamp(0),
            lines: lines.iter().enumerate().map(line).collect(),
        }
    }

    fn refunded(lines: Vec<ReturnLine>, Back { credit, paid }: Back) -> OrderReturn {
        OrderReturn {
            place: 0,
            state: ReturnState::Refunded,
            requested_at: Timestamp(0),
            settled_at: None,
            goods: Money::ZERO,
            vat: Money::ZERO,
            credit,
            paid,
            lines,
        }
    }

    proptest! {
        /// Unit by unit, in any order: in the end all but the delivery is back, to the cent.
        #[test]
        fn all_returns_together_give_back_all_but_the_delivery(
            lines in proptest::collection::vec((0i64..100_000, 1i64..5), 1..6),
            (shipping, vat, credit) in (0i64..10_000, 0i64..20_000, 0i64..=100),
            picks in proptest::collection::vec(any::<prop::sample::Index>(), 32),
        ) {
            let order = order(&lines, shipping, vat, credit);
            let mut returns = Vec::new();
            for pick in picks {
                let left = returnable(&order, &returns);
                if left.is_empty() {
                    break;
                }
                let one = ReturnLine { quantity: 1, ..pick.get(&left).clone() };
                let chosen = choose(left, &[one]).unwrap();
                let worth = worth(&order, &returns, &chosen);
                let back = Refund::default().back(&order, given_back(&returns), worth).unwrap();
                prop_assert_eq!(back.total(), worth.goods + worth.vat);
                returns.push(refunded(chosen, back));
            }
            let given = given_back(&returns);
            prop_assert!(given.credit <= order.credit && given.paid <= order.to_pay());
            if returnable(&order, &returns).is_empty() {
                prop_assert_eq!(given.total(), order.total - order.shipping);
                prop_assert!(sent_back(&order, &returns).all);
            }
        }

        /// Whatever the shopkeeper says, and in whatever way.
        #[test]
        fn never_more_is_given_back_than_was_paid(
            goods in 1i64..1_000_000, shipping in 0i64..10_000, credit in 0i64..=100,
            said in proptest::collection::vec((0i64..=60, any::<bool>()), 0..6),
        ) {
            let order = order(&[(goods, 6)], shipping, 0, credit);
            let mut returns = Vec::new();
            for (percent, as_credit) in said {
                let given = given_back(&returns);
                let amount = Money::cents(order.total.as_cents() * percent / 100);
                let refund = Refund { amount: Some(amount), as_credit };
                match refund.back(&order, given, Worth::default()) {
                    Ok(back) => {
                        prop_assert_eq!(back.total(), amount);
                        prop_assert!(!as_credit || back.paid == Money::ZERO);
                        returns.push(refunded(vec![], back));
                    }
                    Err(left) => prop_assert!(left < amount && left == order.total - given.total()),
                }
                let given = given_back(&returns);
                prop_assert!(given.total() <= order.total && given.paid <= order.to_pay());
            }
        }
    }

    #[test]
    fn what_is_chosen_must_be_there() {
        let line = |id: &str, quantity| ReturnLine { product: id.parse().unwrap(), quantity };
        let left = || vec![line("p0", 2), line("p1", 1)];
        assert_eq!(choose(left(), &[]), Some(left()));
        let chosen = [line("p1", 1), line("p0", 1)];
        assert_eq!(choose(left(), &chosen), Some(vec![line("p0", 1), line("p1", 1)]));
        for wrong in [
            vec![line("p0", 3)],
            vec![line("p0", 0)],
            vec![line("p2", 1)],
            vec![line("p0", 1), line("p0", 1)],
        ] {
            assert_eq!(choose(left(), &wrong), None, "{wrong:?}");
        }
    }
}

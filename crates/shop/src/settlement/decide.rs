//! What follows for an order from its payments. Pure.

use platform::Money;

use crate::orders::OrderStatus;
use crate::payments::{CallState, Payment, PaymentCall, Verb, refundable};

/// What is to be done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// The order goes on, and whether the whole amount is captured.
    pub pay: Option<bool>,
    /// Amounts to pay back, by the place of the payment.
    pub refunds: Vec<(usize, Money)>,
    /// Sessions that are to be made unpayable, and amounts to be released.
    pub cancels: Vec<usize>,
    /// The order stands, and what was reserved for it is gone: its goods must not be shipped.
    pub is_unsecured: bool,
}

/// Decides with the order and its payments locked. `calls` has those of each payment.
pub fn decide(
    status: OrderStatus,
    to_pay: Money,
    payments: &[Payment],
    calls: &[Vec<PaymentCall>],
) -> Decision {
    let zero = Money::zero(to_pay.currency());
    let mut decision = Decision::default();
    // What the payments before have secured: a later payment of an order that is secured is one too many.
    let (mut secured, mut captured) = (zero, zero);
    for (place, (payment, calls)) in payments.iter().zip(calls).enumerate() {
        if payment.provider.gateway().is_none() {
            secured = secured + payment.authorised + payment.captured;
            captured = captured + payment.captured;
            continue;
        }
        let is_needed = status != OrderStatus::Cancelled && secured < to_pay;
        if !is_needed {
            give_back(place, payment, calls, &mut decision);
            continue;
        }
        // Money that is on its way back pays for nothing.
        let left = match status {
            OrderStatus::AwaitingPayment => refundable(payment, calls),
            _ => payment.captured,
        };
        secured = secured + payment.authorised + left;
        captured = captured + left;
        // Two sessions of one payment were both paid.
        let asked = payment.kept() - refundable(payment, calls) + payment.refunded;
        let surplus = payment.captured - payment.amount - asked;
        if surplus.is_positive() && !is_for_a_person(payment, calls) {
            decision.refunds.push((place, surplus));
        }
    }
    let stands = !matches!(status, OrderStatus::AwaitingPayment | OrderStatus::Cancelled);
    let is_online = payments.iter().all(|payment| payment.provider.gateway().is_some());
    decision.is_unsecured = stands && is_online && !payments.is_empty() && secured < to_pay;
    if status == OrderStatus::AwaitingPayment && secured >= to_pay {
        decision.pay = Some(captured >= to_pay);
    }
    decision
}

fn give_back(place: usize, payment: &Payment, calls: &[PaymentCall], decision: &mut Decision) {
    let left = refundable(payment, calls);
    if left.is_positive() && !is_for_a_person(payment, calls) {
        decision.refunds.push((place, left));
    }
    let may_cancel = payment.is_open() || payment.authorised.is_positive();
    // Where one did not help, the next would not either.
    let is_asked = calls.iter().any(|call| call.verb == Verb::Cancel);
    if may_cancel && !is_asked {
        decision.cancels.push(place);
    }
}

/// Whether a refund was refused or did not reach the customer, or the bank has the money: another one would not help.
fn is_for_a_person(payment: &Payment, calls: &[PaymentCall]) -> bool {
    let refunds = || calls.iter().filter(|call| call.verb == Verb::Refund);
    let done = refunds().filter(|call| call.state == CallState::Done);
    let returned = done.map(|call| call.amount.0).sum::<i64>() > payment.refunded.minor();
    payment.disputed || returned || refunds().any(|call| call.state == CallState::Refused)
}

#[cfg(test)]
mod tests {
    use platform::{Currency, MinorUnits, Timestamp};
    use proptest::prelude::*;

    use super::*;
    use crate::payments::{PaymentProvider, PaymentState};

    fn money(minor: i64) -> Money {
        Money::new(minor, Currency::USD)
    }

    fn payment(state: PaymentState, captured: i64, refunded: i64) -> Payment {
        let is_reserved = state == PaymentState::Authorised;
        Payment {
            id: "p".parse().unwrap(),
            order: "o".parse().unwrap(),
            place: 0,
            provider: PaymentProvider::Card,
            amount: money(100),
            state,
            authorised: money(if is_reserved { 100 } else { 0 }),
            captured: money(captured),
            refunded: money(refunded),
            disputed: false,
            reference: "s".into(),
            redirect: String::new(),
            created_at: Timestamp(0),
            changed_at: Timestamp(0),
        }
    }

    fn call(verb: Verb, amount: i64, state: CallState) -> PaymentCall {
        PaymentCall {
            id: "c".parse().unwrap(),
            payment: "p".parse().unwrap(),
            verb,
            amount: MinorUnits(amount),
            state,
            code: String::new(),
            created_at: Timestamp(0),
        }
    }

    fn decided(status: OrderStatus, payments: &[Payment]) -> Decision {
        decide(status, money(100), payments, &vec![Vec::new(); payments.len()])
    }

    #[test]
    fn an_order_goes_on_when_its_amount_is_captured_or_reserved() {
        let awaiting = OrderStatus::AwaitingPayment;
        let captured = payment(PaymentState::Captured, 100, 0);
        let reserved = payment(PaymentState::Authorised, 0, 0);
        let failed = payment(PaymentState::Failed, 0, 0);
        assert_eq!(decided(awaiting, std::slice::from_ref(&captured)).pay, Some(true));
        assert_eq!(decided(awaiting, std::slice::from_ref(&reserved)).pay, Some(false));
        assert_eq!(decided(awaiting, &[failed.clone(), captured]).pay, Some(true));
        for state in [PaymentState::Pending, PaymentState::Processing, PaymentState::Failed] {
            assert_eq!(decided(awaiting, &[payment(state, 0, 0)]).pay, None, "{state}");
        }
        // Less than what is to be paid, by however little.
        assert_eq!(decided(awaiting, &[payment(PaymentState::Captured, 99, 0)]).pay, None);
        assert_eq!(decided(awaiting, &[payment(PaymentState::Refunded, 100, 100)]).pay, None);
    }

    #[test]
    fn money_for_a_cancelled_order_goes_back() {
        let captured = payment(PaymentState::Captured, 100, 0);
        let all = Decision { refunds: vec![(0, money(100))], ..Decision::default() };
        assert_eq!(decided(OrderStatus::Cancelled, std::slice::from_ref(&captured)), all);
        let asked = vec![call(Verb::Refund, 100, CallState::Waiting)];
        let again = decide(OrderStatus::Cancelled, money(100), &[captured], &[asked]);
        assert_eq!(again, Decision::default());
        let reserved = payment(PaymentState::Authorised, 0, 0);
        let cancelled = Decision { cancels: vec![0], ..Decision::default() };
        assert_eq!(decided(OrderStatus::Cancelled, &[reserved]), cancelled);
    }

    #[test]
    fn a_payment_that_is_captured_twice_goes_back_in_part() {
        let twice = payment(PaymentState::Captured, 200, 0);
        let half = Decision { refunds: vec![(0, money(100))], ..Decision::default() };
        assert_eq!(decided(OrderStatus::Placed, std::slice::from_ref(&twice)), half);
        let asked = vec![vec![call(Verb::Refund, 100, CallState::Waiting)]];
        let again = decide(OrderStatus::Placed, money(100), std::slice::from_ref(&twice), &asked);
        assert_eq!(again, Decision::default());
        let done = payment(PaymentState::PartlyRefunded, 200, 100);
        assert_eq!(decided(OrderStatus::Placed, &[done]), Decision::default());
    }

    #[test]
    fn a_refund_that_comes_back_is_not_repeated() {
        let kept = payment(PaymentState::Captured, 100, 0);
        let calls = vec![vec![call(Verb::Refund, 100, CallState::Done)]];
        let again = decide(OrderStatus::Cancelled, money(100), &[kept], &calls);
        assert_eq!(again, Decision::default());
    }

    #[test]
    fn a_standing_order_whose_reservation_is_gone_is_unsecured() {
        let voided = payment(PaymentState::Voided, 0, 0);
        let gone = Decision { is_unsecured: true, ..Decision::default() };
        assert_eq!(decided(OrderStatus::Placed, std::slice::from_ref(&voided)), gone);
        assert_eq!(decided(OrderStatus::Cancelled, &[voided]), Decision::default());
    }

    #[test]
    fn a_second_payment_of_an_order_goes_back() {
        let captured = payment(PaymentState::Captured, 100, 0);
        let both = [captured.clone(), captured.clone()];
        let second = Decision { refunds: vec![(1, money(100))], ..Decision::default() };
        assert_eq!(decided(OrderStatus::Placed, &both), second);
        let paid = Decision { pay: Some(true), ..second.clone() };
        assert_eq!(decided(OrderStatus::AwaitingPayment, &both), paid);
        // A refund of goods makes the second payment no less of one too many.
        let returned = [payment(PaymentState::Refunded, 100, 100), captured.clone()];
        assert_eq!(decided(OrderStatus::Refunded, &returned), second);
        // A session that is still open after another has paid.
        let open = payment(PaymentState::Pending, 0, 0);
        let late = Decision { cancels: vec![1], ..Decision::default() };
        assert_eq!(decided(OrderStatus::Placed, &[captured, open]), late);
    }

    proptest! {
        /// Never is more paid back than was captured, and what pays for a standing order is kept.
        #[test]
        fn no_more_than_was_captured_goes_back(
            rows in proptest::collection::vec((0usize..6, 0i64..=100, 0i64..=100), 0..5),
            cancelled in any::<bool>(),
        ) {
            let states = [
                PaymentState::Pending, PaymentState::Failed, PaymentState::Authorised, PaymentState::Captured,
                PaymentState::Refunded, PaymentState::Voided,
            ];
            let payments: Vec<Payment> = rows.iter().map(|(state, refunded, waiting)| {
                let captured = if matches!(states[*state], PaymentState::Captured | PaymentState::Refunded) { 100 } else { 0 };
                payment(states[*state], captured, (*refunded).min(captured - captured.min(*waiting)))
            }).collect();
            let calls: Vec<Vec<PaymentCall>> = rows.iter().zip(&payments).map(|((_, _, waiting), payment)| {
                match payment.captured.is_positive() {
                    true => vec![call(Verb::Refund, (*waiting).min(payment.kept().minor()), CallState::Waiting)],
                    false => vec![],
                }
            }).collect();
            let status = if cancelled { OrderStatus::Cancelled } else { OrderStatus::Placed };
            let Decision { pay, refunds, .. } = decide(status, money(100), &payments, &calls);
            prop_assert_eq!(pay, None);
            for (place, amount) in &refunds {
                let left = payments[*place].kept().minor() - calls[*place][0].amount.0;
                prop_assert_eq!(amount.minor(), left);
            }
            let first = payments.iter().position(|one| one.captured.is_positive() || one.authorised.is_positive());
            if !cancelled {
                prop_assert!(refunds.iter().all(|(place, _)| Some(*place) != first));
            }
        }
    }
}

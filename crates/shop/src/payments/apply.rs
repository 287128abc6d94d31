//! What the steps of an order do to its payments, in the transaction of the step. A provider is called later, by a job.

use platform::{Clock, Money, Random, Result, Tx};

use super::alerts::{self, AlertKind};
use super::calls::{self, Verb};
use super::store::{append, lock_of_order, own_reference};
use super::{EventSource, NewEvent, Payment, PaymentAction, PaymentEventKind, PaymentState};
use crate::ids::OrderId;

/// Applies `action` to the payments of an order whose row is locked. `back` is the amount of a refund.
pub(crate) async fn apply(
    tx: &mut Tx,
    at: (&Clock, &Random),
    order: &OrderId,
    action: PaymentAction,
    back: Money,
) -> Result<()> {
    let payments = lock_of_order(tx, order).await?;
    match action {
        PaymentAction::TakeReserved => {
            for payment in payments.iter().filter(|one| is_at_provider(one)) {
                if payment.authorised.is_positive() {
                    calls::request(tx, at, payment, Verb::Capture, payment.authorised)?;
                }
            }
        }
        PaymentAction::Collect => {
            for payment in payments.iter().filter(|one| !is_at_provider(one)) {
                if payment.state == PaymentState::Authorised {
                    add(tx, at, payment, PaymentEventKind::Captured, payment.amount).await?;
                }
            }
        }
        PaymentAction::Void => {
            for payment in &payments {
                void(tx, at, payment).await?;
            }
        }
        PaymentAction::Refund => refund(tx, at, &payments, back).await?,
        PaymentAction::RefundLast => {
            refund(tx, at, &payments, back).await?;
            for payment in payments.iter().filter(|one| one.amount.is_zero()) {
                add(tx, at, payment, PaymentEventKind::Refunded, payment.amount).await?;
            }
        }
    }
    Ok(())
}

fn is_at_provider(payment: &Payment) -> bool {
    payment.provider.gateway().is_some()
}

/// Writes an event of a payment that has no provider.
async fn add(
    tx: &mut Tx,
    (clock, random): (&Clock, &Random),
    payment: &Payment,
    kind: PaymentEventKind,
    amount: Money,
) -> Result<()> {
    let event = NewEvent::new(kind, amount, own_reference(clock, random));
    append(tx, payment, [event], EventSource::Order, clock.now()).await.map(drop)
}

/// Releases what is not captured, and refunds what is.
async fn void(tx: &mut Tx, at: (&Clock, &Random), payment: &Payment) -> Result<()> {
    match (is_at_provider(payment), payment.state) {
        (false, PaymentState::Authorised) => {
            add(tx, at, payment, PaymentEventKind::Voided, payment.amount).await
        }
        (false, PaymentState::Captured | PaymentState::PartlyRefunded) => {
            add(tx, at, payment, PaymentEventKind::Refunded, payment.kept()).await
        }
        (false, _) => Ok(()),
        (true, _) => {
            let calls = calls::calls_of(tx, &payment.id).await?;
            let left = calls::refundable(payment, &calls);
            if left.is_positive() {
                // The bank has the money of a disputed one.
                return match payment.disputed {
                    true => Ok(()),
                    false => calls::request(tx, at, payment, Verb::Refund, left),
                };
            }
            let may_cancel = payment.is_open() || payment.authorised.is_positive();
            let is_asked = calls.iter().any(|call| call.verb == Verb::Cancel);
            if may_cancel && !is_asked {
                calls::request(tx, at, payment, Verb::Cancel, payment.amount)?;
            }
            Ok(())
        }
    }
}

/// Pays back an amount of a payment that is locked.
pub(crate) async fn refund_one(
    tx: &mut Tx,
    at: (&Clock, &Random),
    payment: &Payment,
    amount: Money,
) -> Result<()> {
    match is_at_provider(payment) {
        true => calls::request(tx, at, payment, Verb::Refund, amount),
        false => add(tx, at, payment, PaymentEventKind::Refunded, amount).await,
    }
}

/// Pays back an amount, from the latest payment on.
async fn refund(
    tx: &mut Tx,
    at: (&Clock, &Random),
    payments: &[Payment],
    back: Money,
) -> Result<()> {
    let mut left = back;
    for payment in payments.iter().rev() {
        if !left.is_positive() {
            break;
        }
        let calls = calls::calls_of(tx, &payment.id).await?;
        let part = left.min(calls::refundable(payment, &calls));
        if !part.is_positive() {
            continue;
        }
        refund_one(tx, at, payment, part).await?;
        left = left - part;
    }
    if let Some(latest) = payments.last().filter(|_| left.is_positive()) {
        let detail = format!("{left} of {back} could not be refunded");
        alerts::raise_for(tx, latest, AlertKind::RefundNotCovered, &detail, at.0.now());
    }
    Ok(())
}

//! Compares our books with those of the providers: every payment of a period with what its provider says, and every charge of
//! the provider's own list with ours. A difference is an alert.

use payment_providers::{Gateway, GatewayError};
use platform::{Error, Money, Result, Timestamp};
use serde::Serialize;

use super::Settlement;
use crate::payments::{AlertKind, EventSource, Payment, alerts};

const PAGE: i64 = 200;

/// The outcome of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BookComparison {
    pub payments: usize,
    pub charges: usize,
    /// Payments and lists about which a provider did not answer.
    pub unanswered: usize,
    pub differences: Vec<BookDifference>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BookDifference {
    pub gateway: String,
    /// Ours, or the provider's reference of a charge that we do not know.
    pub payment: String,
    pub detail: String,
}

impl Settlement {
    /// Compares everything that happened in a period, the end excluded.
    pub async fn compare_books(&self, from: Timestamp, to: Timestamp) -> Result<BookComparison> {
        let mut outcome = BookComparison::default();
        let mut after = String::new();
        loop {
            let store = &self.recorder.store;
            let payments = store.changed_between(from, to, &after, PAGE).await?;
            let Some(last) = payments.last() else { break };
            after = last.id.to_string();
            for payment in &payments {
                outcome.payments += 1;
                // What we had not heard of is no difference, but learned now.
                let settled = self.settle(&payment.id, EventSource::Reconciliation).await;
                if let Err(why) = settled {
                    tracing::warn!(%why, payment = %payment.id, "a payment could not be asked about");
                    outcome.unanswered += 1;
                }
            }
        }
        for gateway in self.recorder.gateways.iter() {
            if let Err(why) = self.compare_list(gateway, (from, to), &mut outcome).await {
                tracing::warn!(%why, gateway = %gateway.kind(), "the books could not be compared");
                outcome.unanswered += 1;
            }
        }
        if !outcome.differences.is_empty() {
            let count = outcome.differences.len();
            tracing::error!(count, "our books and those of the payment providers differ");
        }
        Ok(outcome)
    }

    async fn compare_list(
        &self,
        gateway: &Gateway,
        (from, to): (Timestamp, Timestamp),
        outcome: &mut BookComparison,
    ) -> Result<()> {
        let listed = gateway.list(from, to).await.map_err(|why| match why {
            GatewayError::Unavailable(why) => Error::Unavailable(why.into()),
            why => Error::internal(why),
        })?;
        for charge in listed.unwrap_or_default() {
            outcome.charges += 1;
            let ours = self.recorder.store.find_by_reference(&charge.reference).await?;
            let known = match (ours, &charge.payment) {
                (None, Some(id)) => self.recorder.store.find_by_reference(id).await?,
                (ours, _) => ours,
            };
            let found = match &known {
                Some(payment) => difference(payment, (charge.captured, charge.refunded))
                    .map(|detail| (AlertKind::BooksDiffer, detail)),
                // Another program may use the same account: only what carries an id like ours is missed.
                None if charge.payment.is_some() => {
                    let detail = format!("{} of {}", charge.reference, charge.captured);
                    Some((AlertKind::UnknownCharge, detail))
                }
                None => None,
            };
            let Some((kind, detail)) = found else { continue };
            let payment = known.as_ref().map(|payment| &payment.id);
            let mut tx = self.orders.db.begin().await?;
            let source = (gateway.kind().as_str(), payment);
            alerts::raise(&mut tx, source, kind, &detail, self.orders.clock.now());
            tx.commit().await?;
            outcome.differences.push(BookDifference {
                gateway: gateway.kind().to_string(),
                payment: payment.map_or(charge.reference, ToString::to_string),
                detail,
            });
        }
        Ok(())
    }
}

/// What is different in the sums of a payment. A refund that is under way at this moment may be a difference that is none.
fn difference(ours: &Payment, (captured, refunded): (Money, Money)) -> Option<String> {
    let currency = ours.amount.currency();
    if captured.currency() != currency || refunded.currency() != currency {
        return Some(format!("{captured} at the provider, {} here", ours.captured));
    }
    match captured == ours.captured && refunded == ours.refunded {
        true => None,
        false => Some(format!(
            "captured {captured} and refunded {refunded} at the provider, {} and {} here",
            ours.captured, ours.refunded
        )),
    }
}

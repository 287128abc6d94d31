//! Records what a provider says of a payment: asks it outside of any transaction, then adds to the ledger what is new, keyed
//! on the provider's ids, so that it does not matter who asks, how often, and in which order.

use std::sync::Arc;

use payment_providers::{Fact, FactKind, GatewayError, SessionRef, SessionStatus, Snapshot};
use platform::jobs::{self, Completion, Job, JobId, Queue};
use platform::{Error, Id, Result, ResultFuture, Tx};
use serde::{Deserialize, Serialize};

use super::alerts::{self, AlertKind};
use super::calls::QUEUE;
use super::store::{append, lock};
use super::{EventSource, Gateways, NewEvent, Payment, PaymentEventKind, PaymentId, PaymentStore};

/// The code of a captured payment that may be fraud.
const RISK: &str = "risk";

/// Asks providers about payments, and writes what they say.
#[derive(Clone)]
pub struct Recorder {
    pub store: PaymentStore,
    pub gateways: Gateways,
}

/// What is called when a payment has changed.
#[derive(Clone)]
pub struct PaymentListener(pub Arc<dyn Fn(PaymentId) -> ResultFuture<'static, ()> + Send + Sync>);

/// The job that tells the listener of a change, enqueued in the transaction of the change.
#[derive(Serialize, Deserialize)]
pub struct SendChange {
    payment: PaymentId,
}

impl SendChange {
    pub(super) fn enqueue(tx: &mut Tx, store: &PaymentStore, payment: &PaymentId) -> Result<()> {
        let (id, now) = (Id::new(&store.clock, &store.random), store.clock.now());
        jobs::enqueue(tx, id, &Self { payment: payment.clone() }, now, now)
    }
}

impl Job for SendChange {
    const NAME: &'static str = "payments.changed";
    const QUEUE: Queue = QUEUE;
    type Context = PaymentListener;

    async fn run(self, _: JobId, listener: &PaymentListener) -> Result<Completion> {
        (listener.0)(self.payment).await?;
        Ok(Completion::Done)
    }
}

impl Recorder {
    /// The provider's present truth about a payment; `None` where there is nobody to ask.
    pub async fn fetch(&self, payment: &Payment) -> Result<Option<Snapshot>> {
        let Some(gateway) = self.gateways.of(payment.provider) else { return Ok(None) };
        if payment.reference.is_empty() {
            return Ok(None);
        }
        let charge = self.store.charge(&payment.id).await?;
        let snapshot = gateway.fetch(session(payment, charge.as_deref())).await;
        self.store.mark_asked(&payment.id).await?;
        snapshot.map(Some).map_err(|why| match why {
            GatewayError::Unavailable(why) => Error::Unavailable(why.into()),
            GatewayError::Refused { .. } => Error::internal(why),
        })
    }

    /// Takes the money that a shopper has agreed to.
    pub async fn complete(&self, payment: &Payment) -> Result<()> {
        let Some(gateway) = self.gateways.of(payment.provider) else { return Ok(()) };
        match gateway.complete(session(payment, None)).await {
            Ok(()) => Ok(()),
            Err(GatewayError::Unavailable(why)) => Err(Error::Unavailable(why.into())),
            Err(GatewayError::Refused { code, .. }) => {
                // What the provider says next tells what follows.
                tracing::info!(payment = %payment.id, code, "the payment could not be completed");
                Ok(())
            }
        }
    }

    /// Asks about a payment and records the answer; true where something is new.
    pub async fn ask(&self, payment: &Payment, source: EventSource) -> Result<bool> {
        match self.fetch(payment).await? {
            Some(snapshot) => self.record(payment, snapshot, source).await,
            None => Ok(false),
        }
    }

    /// Adds what is new in a snapshot to the ledger; true where something is.
    pub async fn record(
        &self,
        payment: &Payment,
        snapshot: Snapshot,
        source: EventSource,
    ) -> Result<bool> {
        let currency = payment.amount.currency();
        let Snapshot { status, facts } = snapshot;
        let (known, foreign): (Vec<Fact>, Vec<Fact>) =
            facts.into_iter().partition(|fact| fact.amount.currency() == currency);
        // As long as the session is not over, only an attempt has failed.
        let is_over = status == SessionStatus::Closed;
        let event = |fact: Fact| match fact.kind {
            FactKind::Failed if !is_over => {
                NewEvent { kind: PaymentEventKind::Declined, ..NewEvent::from(fact) }
            }
            _ => NewEvent::from(fact),
        };
        let mut events: Vec<NewEvent> = known.into_iter().map(event).collect();
        if status == SessionStatus::Processing {
            let kind = PaymentEventKind::Processing;
            events.push(NewEvent::new(kind, payment.amount, payment.reference.as_str()));
        }
        if events.is_empty() && foreign.is_empty() {
            return Ok(false);
        }
        let now = self.store.clock.now();
        let mut tx = self.store.db.begin().await?;
        let Some(before) = lock(&mut tx, &payment.id).await? else { return Ok(false) };
        for fact in &foreign {
            let detail = format!("{} {} instead of {}", fact.reference, fact.amount, before.amount);
            alerts::raise_for(&mut tx, &before, AlertKind::CurrencyDiffers, &detail, now);
        }
        let failed_refunds: Vec<String> = events
            .iter()
            .filter(|event| event.kind == PaymentEventKind::RefundFailed)
            .map(|event| format!("{} of {}", event.reference, event.amount))
            .collect();
        let is_risky = events
            .iter()
            .any(|event| event.kind == PaymentEventKind::Captured && event.code == RISK);
        let after = append(&mut tx, &before, events, source, now).await?;
        if let Some(after) = &after {
            if after.captured != before.captured && after.captured != after.amount {
                let detail = format!("captured {} instead of {}", after.captured, after.amount);
                alerts::raise_for(&mut tx, after, AlertKind::AmountDiffers, &detail, now);
            }
            if after.disputed && !before.disputed {
                let detail = format!("of {}", after.captured);
                alerts::raise_for(&mut tx, after, AlertKind::Dispute, &detail, now);
            }
            if is_risky && before.captured.is_zero() {
                let detail = "the provider advises to check the customer before shipping";
                alerts::raise_for(&mut tx, after, AlertKind::Risk, detail, now);
            }
            for detail in failed_refunds {
                alerts::raise_for(&mut tx, after, AlertKind::RefundFailed, &detail, now);
            }
            SendChange::enqueue(&mut tx, &self.store, &after.id)?;
        }
        tx.commit().await?;
        Ok(after.is_some())
    }
}

fn session<'p>(payment: &'p Payment, charge: Option<&'p str>) -> SessionRef<'p> {
    SessionRef {
        payment: payment.id.as_str(),
        reference: &payment.reference,
        amount: payment.amount,
        charge,
    }
}

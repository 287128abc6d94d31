//! Settlement: what payments mean for their orders. An order stands once it is paid or its amount is reserved; money that
//! arrives for an order that is cancelled, or a second time, goes back. Everything that learns of a payment ends in `settle`:
//! the shopper's return, a webhook, the reconciliation and the staff's command (decision 037).

mod books;
mod decide;
mod http;
mod open;
mod tasks;
mod view;

use std::sync::Arc;
use std::time::Duration;

use payment_providers::SessionStatus;
use platform::jobs::Worker;
use platform::{Error, Money, Result};

use crate::gift_cards;
use crate::orders::{Order, OrderStatus, OrderStore, Step, StepOutcome};
use crate::payments::{
    self, AlertKind, EventSource, Payment, PaymentId, PaymentListener, ProcessWebhook, Recorder,
    SendCall, SendChange, Verb, WebhookListener,
};
use crate::shop_profiles::ShopProfiles;

pub use books::{BookComparison, BookDifference};
use decide::{Decision, decide};
pub use http::{NextPage, router, web_router};
pub use view::PaymentView;

/// So many concurrent changes in a row mean that something is wrong.
const MAX_ATTEMPTS: usize = 5;

/// Cheap to clone.
#[derive(Clone)]
pub struct Settlement {
    pub recorder: Recorder,
    pub orders: OrderStore,
    pub profiles: Arc<ShopProfiles>,
    /// The shop's public origin.
    pub origin: Arc<str>,
    /// How long goods are held while they are to be paid.
    pub hold: Duration,
    /// Whether money is reserved when an order is placed, and taken when it is shipped.
    pub reserve: bool,
}

impl Settlement {
    /// Asks the provider about a payment, records the answer, and does what follows for the order.
    pub async fn settle(&self, id: &PaymentId, source: EventSource) -> Result<()> {
        let Some(payment) = self.recorder.store.find(id).await? else { return Ok(()) };
        let Some(mut snapshot) = self.recorder.fetch(&payment).await? else { return Ok(()) };
        if snapshot.status == SessionStatus::Approved && self.is_awaited(&payment).await? {
            self.recorder.complete(&payment).await?;
            snapshot = self.recorder.fetch(&payment).await?.unwrap_or(snapshot);
        }
        self.recorder.record(&payment, snapshot, source).await?;
        self.changed(id).await
    }

    /// Settles the payment that a webhook is about: our id of it, or a reference of the provider.
    pub async fn settle_subject(&self, subject: &str) -> Result<()> {
        match self.recorder.store.find_by_reference(subject).await? {
            Some(payment) => self.settle(&payment.id, EventSource::Webhook).await,
            None => {
                tracing::info!("a webhook about a payment that this shop does not know");
                Ok(())
            }
        }
    }

    /// Whether the money of a payment would pay for its order: not where the order is cancelled or paid already.
    async fn is_awaited(&self, payment: &Payment) -> Result<bool> {
        let found = self.orders.by_id_with_status(&payment.order).await?;
        Ok(found.is_some_and(|(_, status)| status == OrderStatus::AwaitingPayment))
    }

    /// Does what follows from a change of a payment. Doing it again changes nothing.
    pub async fn changed(&self, id: &PaymentId) -> Result<()> {
        let Some(payment) = self.recorder.store.find(id).await? else { return Ok(()) };
        for _ in 0..MAX_ATTEMPTS {
            let found = self.orders.by_id_with_status(&payment.order).await?;
            let Some((order, _)) = found else { return Ok(()) };
            let decided = platform::db::retry_on_conflict(|| self.write_decision(&order)).await?;
            let Some(captured) = decided else { return Ok(()) };
            match self.orders.apply(&order.number, Step::Pay { captured }, "").await? {
                StepOutcome::NotAllowed(_) => continue,
                _ => return Ok(()),
            }
        }
        Err(Error::Unavailable("an order kept changing while its payment was settled".into()))
    }

    /// Requests the refunds and cancellations that follow, in one transaction. Answers whether the order is to go on, and
    /// then whether all of it is captured.
    async fn write_decision(&self, order: &Order) -> Result<Option<bool>> {
        let OrderStore { db, clock, random, .. } = &self.orders;
        let mut tx = db.begin().await?;
        let Some(status) = self.orders.lock_status(&mut tx, &order.id).await? else {
            return Ok(None);
        };
        let payments = payments::lock_of_order(&mut tx, &order.id).await?;
        let mut calls = Vec::with_capacity(payments.len());
        for payment in &payments {
            calls.push(payments::calls_of(&mut tx, &payment.id).await?);
        }
        let Decision { pay, refunds, cancels, is_unsecured } =
            decide(status, order.to_pay(), &payments, &calls);
        if let Some(latest) = payments.last().filter(|_| is_unsecured) {
            let (kind, now) = (AlertKind::OrderUnpaid, clock.now());
            let detail = format!("order {} stands, and is neither paid nor reserved", order.number);
            payments::alerts::raise_for(&mut tx, latest, kind, &detail, now);
        }
        for (place, amount) in refunds {
            payments::request(&mut tx, (clock, random), &payments[place], Verb::Refund, amount)?;
        }
        for place in cancels {
            let payment = &payments[place];
            payments::request(&mut tx, (clock, random), payment, Verb::Cancel, payment.amount)?;
        }
        let stands = !matches!(status, OrderStatus::AwaitingPayment | OrderStatus::Cancelled);
        if stands && payments::is_paid(&mut tx, &order.id).await? {
            let base = order.base.currency;
            gift_cards::issue_sold(&mut tx, (clock, random), &order.id, base).await?;
        }
        tx.commit().await?;
        Ok(pay)
    }

    /// Pays back what is left of a payment, or a part of it. Answers how much.
    pub async fn refund(&self, id: &PaymentId, amount: Option<Money>) -> Result<Money> {
        let OrderStore { db, clock, random, .. } = &self.orders;
        let payment = self.recorder.store.find(id).await?.ok_or(Error::NotFound("payment"))?;
        let mut tx = db.begin().await?;
        self.orders.lock_status(&mut tx, &payment.order).await?;
        let payment = payments::lock(&mut tx, id).await?.ok_or(Error::NotFound("payment"))?;
        let calls = payments::calls_of(&mut tx, id).await?;
        let left = payments::refundable(&payment, &calls);
        let back = amount.unwrap_or(left);
        if !back.is_positive() || back > left {
            let message = format!("Only {left} of this payment can be refunded.");
            return Err(Error::conflict("refund_too_large", message).with("left", left));
        }
        payments::refund_one(&mut tx, (clock, random), &payment, back).await?;
        tx.commit().await?;
        Ok(back)
    }

    /// Registers the jobs of payments.
    pub fn register(&self, worker: Worker) -> Worker {
        let (of_changes, of_webhooks) = (self.clone(), self.clone());
        let changed = PaymentListener(Arc::new(move |id| {
            let settlement = of_changes.clone();
            Box::pin(async move { settlement.changed(&id).await })
        }));
        let received = WebhookListener(Arc::new(move |subject| {
            let settlement = of_webhooks.clone();
            Box::pin(async move { settlement.settle_subject(&subject).await })
        }));
        tasks::register(self, worker)
            .register::<SendCall>(self.recorder.clone())
            .register::<SendChange>(changed)
            .register::<ProcessWebhook>(received)
    }
}

//! Periodic tasks of payments: cancel what is not paid in time, ask about what has been open for long, compare the books.

use std::time::Duration;

use platform::jobs::{PeriodicTask, Worker};
use platform::{Result, Timestamp};

use super::Settlement;
use crate::orders::{OrderStatus, Step, StepOutcome};
use crate::payments::{self, EventSource, PaymentState};

const BATCH_SIZE: i64 = 100;
/// How long a shopper may take before the provider is asked without a webhook or a return.
const OPEN_FOR_LONG: Duration = Duration::from_secs(10 * 60);
/// How often it is asked about what is reserved or takes days.
const SLOW_INTERVAL: Duration = Duration::from_secs(6 * 3600);
/// How long goods are held for a payment that takes days.
const PROCESSING_HOLD: Duration = Duration::from_secs(7 * 24 * 3600);
/// A call that has waited for its provider for longer is an alert.
const STUCK_AFTER: Duration = Duration::from_secs(2 * 3600);
/// How long webhooks are kept, so that a repeated one is known.
const KEEP_WEBHOOKS: Duration = Duration::from_secs(60 * 24 * 3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

pub fn register(settlement: &Settlement, worker: Worker) -> Worker {
    worker
        .every(CancelUnpaid(settlement.clone()))
        .every(AskAboutOpen(settlement.clone()))
        .every(CompareBooks(settlement.clone()))
}

struct CancelUnpaid(Settlement);

impl PeriodicTask for CancelUnpaid {
    const NAME: &'static str = "payments.cancel_unpaid";
    const INTERVAL: Duration = Duration::from_secs(60);

    async fn run(&self) -> Result<()> {
        self.0.orders.remind_unpaid(self.0.hold).await?;
        self.0.cancel_unpaid().await.map(drop)
    }
}

struct AskAboutOpen(Settlement);

impl PeriodicTask for AskAboutOpen {
    const NAME: &'static str = "payments.reconcile";
    const INTERVAL: Duration = Duration::from_secs(5 * 60);

    async fn run(&self) -> Result<()> {
        let before = self.0.orders.clock.now().minus(STUCK_AFTER);
        self.0.recorder.report_stuck(before).await?;
        self.0.ask_about_open().await.map(drop)
    }
}

struct CompareBooks(Settlement);

impl PeriodicTask for CompareBooks {
    const NAME: &'static str = "payments.compare_books";
    const INTERVAL: Duration = DAY;

    async fn run(&self) -> Result<()> {
        let now = self.0.orders.clock.now();
        payments::delete_received(&self.0.orders.db, now.minus(KEEP_WEBHOOKS)).await?;
        let today = Timestamp(now.0 - now.0.rem_euclid(DAY.as_millis() as i64));
        self.0.compare_books(today.minus(DAY), today).await.map(drop)
    }
}

impl Settlement {
    /// Cancels orders that were not paid in time, after a last question to their providers. Answers how many.
    pub async fn cancel_unpaid(&self) -> Result<usize> {
        let mut cancelled = 0;
        loop {
            let due = self.orders.unpaid_in_time(BATCH_SIZE).await?;
            if due.is_empty() {
                return Ok(cancelled);
            }
            for id in due {
                let Some((order, _)) = self.orders.by_id_with_status(&id).await? else { continue };
                for payment in self.recorder.store.of_order(&id).await? {
                    if payment.is_open()
                        && let Err(why) =
                            self.settle(&payment.id, EventSource::Reconciliation).await
                    {
                        tracing::warn!(%why, payment = %payment.id, "a payment could not be asked about");
                    }
                }
                if self.hold_for_processing(&id, order.created_at).await? {
                    continue;
                }
                // It may have been paid just now.
                let outcome = self.orders.apply(&order.number, Step::Expire, "").await?;
                if outcome == StepOutcome::Done(OrderStatus::Cancelled) {
                    tracing::info!(number = %order.number, "cancelled an order that was not paid in time");
                    cancelled += 1;
                }
            }
        }
    }

    /// Holds the goods longer where the bank still works on the payment.
    async fn hold_for_processing(
        &self,
        id: &crate::orders::OrderId,
        created_at: Timestamp,
    ) -> Result<bool> {
        let payments = self.recorder.store.of_order(id).await?;
        let until = created_at.plus(PROCESSING_HOLD);
        let is_processing = payments.iter().any(|one| one.state == PaymentState::Processing);
        if !is_processing || until <= self.orders.clock.now() {
            return Ok(false);
        }
        let mut tx = self.orders.db.begin().await?;
        self.orders.extend_hold(&mut tx, id, until).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Asks about payments of which nothing was heard for long. Answers how many.
    pub async fn ask_about_open(&self) -> Result<usize> {
        let (store, now) = (&self.recorder.store, self.orders.clock.now());
        let slow = [PaymentState::Authorised, PaymentState::Processing];
        let mut due = store
            .to_be_asked(&[PaymentState::Pending], now.minus(OPEN_FOR_LONG), BATCH_SIZE)
            .await?;
        due.extend(store.to_be_asked(&slow, now.minus(SLOW_INTERVAL), BATCH_SIZE).await?);
        for id in &due {
            // Also where the provider does not answer, so that the others have their turn.
            store.mark_asked(id).await?;
            if let Err(why) = self.settle(id, EventSource::Reconciliation).await {
                tracing::warn!(%why, payment = %id, "a payment could not be asked about");
            }
        }
        Ok(due.len())
    }
}

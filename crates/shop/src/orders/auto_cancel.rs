//! Cancels unpaid orders of customers who verified neither e-mail address nor phone number in time,
//! which returns their stock.

use std::time::Duration;

use messages::Messages;
use platform::jobs::PeriodicTask;
use platform::{Language, Result};

use super::guests::is_guest;
use super::{OrderNumber, OrderStatus, OrderStore, Step, StepOutcome};

const BATCH_SIZE: i64 = 100;

impl OrderStore {
    /// Cancels the orders that are due, and returns how many. Orders that the shop confirmed, and those
    /// of customers who verified something since, stay.
    pub async fn cancel_unverified_orders(&self) -> Result<usize> {
        let mut cancelled = 0;
        loop {
            let due: Vec<(String, String, Option<Language>)> = self
                .db
                .query(
                    "select o.number, o.customer, o.language from orders o where o.status = $1 and o.release_at <= $2
                       and not exists (select 1 from customers c where c.id = o.customer
                         and (c.email_verified or c.phone_verified))
                     order by o.created_at, o.id limit $3",
                )
                .bind(OrderStatus::Placed)
                .bind(self.clock.now())
                .bind(BATCH_SIZE)
                .all()
                .await?;
            if due.is_empty() {
                return Ok(cancelled);
            }
            for (number, customer, language) in due {
                let number: OrderNumber = number.parse().map_err(platform::Error::internal)?;
                let language = self.sender.profiles.language(language);
                let why = match is_guest(&customer) {
                    true => "server.unconfirmedGuest",
                    false => "server.unconfirmed",
                };
                let note = Messages::text(language, why, &[]);
                // Another server may have cancelled it first.
                if let StepOutcome::Done(_) = self.apply(&number, Step::Cancel, &note).await? {
                    tracing::info!(%number, "cancelled an unverified order");
                    cancelled += 1;
                }
            }
        }
    }
}

pub(super) struct CancelUnverifiedOrders(pub OrderStore);

impl PeriodicTask for CancelUnverifiedOrders {
    const NAME: &'static str = "orders.auto_cancel";
    const INTERVAL: Duration = Duration::from_secs(5 * 60);

    async fn run(&self) -> Result<()> {
        self.0.cancel_unverified_orders().await.map(drop)
    }
}

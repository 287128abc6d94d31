//! The job that cancels unpaid orders of customers who have proven neither their e-mail address nor a
//! phone number, so that the stock goes back to whoever means it.

use std::time::Duration;

use base::Result;

use super::{Book, Number, Status, Step, Taken};

const EVERY: Duration = Duration::from_secs(5 * 60);
const AT_ONCE: i64 = 100;
const NOTE: &str = "The e-mail address was not confirmed in time.";

impl Book {
    /// Cancels what is due, and says how many orders that were. One that the shop has confirmed stays, and
    /// so do those of a customer who has proven something since.
    pub async fn release_unproven(&self) -> Result<usize> {
        let mut released = 0;
        loop {
            let due: Vec<(String,)> = self
                .db
                .query(
                    "select o.number from orders o where o.status = $1 and o.release_at <= $2
                       and not exists (select 1 from customers c where c.id = o.customer
                         and (c.email_verified or c.phone_verified))
                     order by o.created_at, o.id limit $3",
                )
                .bind(Status::Placed)
                .bind(self.clock.now())
                .bind(AT_ONCE)
                .all()
                .await?;
            if due.is_empty() {
                return Ok(released);
            }
            for (number,) in due {
                let number: Number = number.parse().map_err(base::Error::internal)?;
                // Another server may have been faster.
                if let Taken::Done(_) = self.take(&number, Step::Cancel, NOTE).await? {
                    tracing::info!(%number, "an unproven order is released");
                    released += 1;
                }
            }
        }
    }

    /// Does it again and again, for as long as the program runs.
    pub async fn keep_releasing(self) {
        let mut every = tokio::time::interval(EVERY);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            every.tick().await;
            if let Err(why) = self.release_unproven().await {
                tracing::warn!(%why, "could not release unproven orders");
            }
        }
    }
}

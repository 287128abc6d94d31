//! What the shop's own mailbox is told of new orders: each by an e-mail of its own, or a day's together.
//! None of it was typed by a customer, so nothing in it can lead anywhere.

use std::time::Duration;

use base::jobs::{self, Done, Job, Worker};
use base::mail::{self, Letter, Purpose, Words};
use base::{EmailAddress, Id, Money, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};

use super::letters::{lines, pictures, sums};
use super::{Book, Number, Order, Sender, Status};

/// The job that writes a day's summary.
const SUMMARY: &str = "orders.summary";
const DAY: i64 = 24 * 3600 * 1000;
/// An order that is placed at midnight is written by then.
const GRACE: Duration = Duration::from_secs(5 * 60);
const MOST_LISTED: usize = 50;

/// How the shop is told of new orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum OrderEmails {
    /// An e-mail for each
    #[default]
    Each,
    /// One e-mail for all orders of a day, after its end (UTC)
    Daily,
    /// No e-mail
    None,
}

/// A day, counted from 1970 on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Day {
    day: i64,
}

impl Day {
    fn of(moment: Timestamp) -> Self {
        Self { day: moment.0.div_euclid(DAY) }
    }

    fn begins(self) -> Timestamp {
        Timestamp(self.day * DAY)
    }

    fn ends(self) -> Timestamp {
        Timestamp((self.day + 1) * DAY)
    }

    fn job(self, what: &str) -> Id<Job> {
        Id::named(&format!("{SUMMARY} {what} {}", self.day))
    }
}

/// A line of a summary.
#[derive(sqlx::FromRow)]
struct Listed {
    #[sqlx(try_from = "String")]
    number: Number,
    total: Money,
    #[sqlx(try_from = "String")]
    status: Status,
}

impl Book {
    /// Tells the shop of a new order, in the transaction that places it.
    pub(super) fn post_notice(&self, tx: &mut Tx, order: &Order, proven: bool) -> Result<()> {
        let Some(to) = &self.sender.shop_email else { return Ok(()) };
        match self.sender.order_emails {
            OrderEmails::None => Ok(()),
            OrderEmails::Each => {
                mail::post(tx, &self.clock, &self.random, &self.sender.notice(to, order, proven))
            }
            OrderEmails::Daily => {
                let day = Day::of(order.created_at);
                let run_at = day.ends().plus(GRACE);
                jobs::enqueue(tx, day.job("of"), SUMMARY, &day, run_at, self.clock.now())
            }
        }
    }

    /// The worker, with the job that writes the summaries.
    pub fn on(self, worker: Worker) -> Worker {
        worker.on(SUMMARY, move |day: Day| {
            let book = self.clone();
            async move { book.summary(day).await }
        })
    }

    /// Posts a day's summary in the transaction that ends the job, so there is one.
    async fn summary(&self, day: Day) -> Result<Done> {
        let placed: Vec<Listed> = self
            .db
            .query(
                "select number, total, status from orders where created_at >= $1 and created_at < $2
                 order by created_at, id",
            )
            .bind(day.begins())
            .bind(day.ends())
            .all()
            .await?;
        let Some(to) = &self.sender.shop_email else { return Ok(Done::default()) };
        if placed.is_empty() || self.sender.order_emails != OrderEmails::Daily {
            return Ok(Done::default());
        }
        let letter = self.sender.summary(to, day, &placed);
        Ok(mail::posting(day.job("e-mail"), self.clock.now(), &letter)?.into())
    }
}

impl Sender {
    fn notice(&self, to: &EmailAddress, order: &Order, proven: bool) -> Letter {
        let Order { number, .. } = order;
        let units: i64 = order.lines.iter().map(|line| line.quantity).sum();
        let things = if units == 1 { "item" } else { "items" };
        let address = match proven {
            true => "The customer has confirmed the e-mail address.",
            false => "The customer has not confirmed the e-mail address.",
        };
        let words = Words {
            shop: self.shop_name.clone(),
            heading: "A new order".into(),
            paragraphs: vec![
                format!("Order {number} has arrived: {units} {things}. {address}"),
                format!("Whose it is and where it goes: haat orders show {number}"),
            ],
            button: None,
            footnote: "The shop's setting order_emails sends one e-mail for each order.".into(),
        };
        let letter = words.letter(to, &format!("New order {number}"));
        let pictures = pictures(order, self.origin.as_deref());
        let letter = Letter { bill: vec![lines(order), sums(order)], pictures, ..letter };
        letter.purpose(Purpose::Shop)
    }

    fn summary(&self, to: &EmailAddress, day: Day, placed: &[Listed]) -> Letter {
        let date: String = day.begins().to_string().chars().take(10).collect();
        let (count, total) = (placed.len(), placed.iter().map(|order| order.total).sum::<Money>());
        let orders = if count == 1 { "1 order".to_owned() } else { format!("{count} orders") };
        let listed = placed.iter().take(MOST_LISTED).map(|Listed { number, total, status }| {
            (format!("{number}, {status}"), total.to_string())
        });
        let more = count.saturating_sub(MOST_LISTED);
        let mut paragraphs = vec![format!("{orders} arrived on {date}.")];
        if more > 0 {
            paragraphs
                .push(format!("These are the first {MOST_LISTED}; {more} more are in the shop."));
        }
        paragraphs.push("All of them: haat orders list".into());
        let words = Words {
            shop: self.shop_name.clone(),
            heading: format!("Orders of {date}"),
            paragraphs,
            button: None,
            footnote: "The shop's setting order_emails sends one e-mail for the orders of a day."
                .into(),
        };
        let letter = words.letter(to, &format!("{orders} on {date}"));
        let bill = vec![listed.collect(), vec![("Total".to_owned(), total.to_string())]];
        Letter { bill, ..letter }.purpose(Purpose::Shop)
    }
}

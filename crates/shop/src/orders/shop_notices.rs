//! E-mails to the shop about new orders: one per order, or a daily summary. They contain nothing that a
//! customer typed, so no link in them can be forged.

use std::time::Duration;

use email::{Email, EmailBody, Purpose};
use messages::format::{self, date};
use messages::{Args, Messages};
use platform::jobs::{self, Completion, Job, JobId, Worker};
use platform::{Currency, EmailAddress, Id, MinorUnits, Money, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};

use super::auto_cancel::CancelUnverifiedOrders;
use super::emails::{lines, pictures, totals};
use super::{Order, OrderEmailSender, OrderNumber, OrderStatus, OrderStore};

const DAY: i64 = 24 * 3600 * 1000;
/// By then an order placed at midnight is committed.
const GRACE: Duration = Duration::from_secs(5 * 60);
const MAX_LISTED: usize = 50;

/// What shows that an order is meant: it is paid, or its amount is reserved.
pub(super) const PAID: &str = "paid";

/// Which e-mails the shop gets about new orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum OrderEmails {
    /// One e-mail for each order
    #[default]
    Each,
    /// One e-mail for all orders of a day, after its end (UTC)
    Daily,
    /// No e-mail
    None,
}

/// A day, counted from 1970-01-01. The job that sends its summary.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Day {
    day: i64,
}

impl Day {
    fn of(time: Timestamp) -> Self {
        Self { day: time.0.div_euclid(DAY) }
    }

    fn start(self) -> Timestamp {
        Timestamp(self.day * DAY)
    }

    fn end(self) -> Timestamp {
        Timestamp((self.day + 1) * DAY)
    }

    fn job(self, what: &str) -> JobId {
        Id::from_name(&format!("{} {what} {}", Self::NAME, self.day))
    }
}

impl Job for Day {
    const NAME: &'static str = "orders.summary";
    type Context = OrderStore;

    async fn run(self, _: JobId, store: &OrderStore) -> Result<Completion> {
        store.summary(self).await
    }
}

#[derive(sqlx::FromRow)]
struct SummaryRow {
    #[sqlx(try_from = "String")]
    number: OrderNumber,
    base_total: MinorUnits,
    #[sqlx(try_from = "String")]
    base_currency: Currency,
    #[sqlx(try_from = "String")]
    status: OrderStatus,
}

impl SummaryRow {
    fn total(&self) -> Money {
        self.base_total.of(self.base_currency)
    }
}

impl OrderStore {
    /// Notifies the shop of a new order, in the transaction that places it.
    pub(super) fn notify_shop(&self, tx: &mut Tx, order: &Order, proof: &str) -> Result<()> {
        let Some(to) = self.sender.shop_email() else { return Ok(()) };
        match self.sender.order_emails {
            OrderEmails::None => Ok(()),
            OrderEmails::Each => email::enqueue(
                tx,
                &self.clock,
                &self.random,
                &self.sender.notice_email(&to, order, proof),
            ),
            OrderEmails::Daily => {
                let day = Day::of(order.created_at);
                let run_at = day.end().plus(GRACE);
                jobs::enqueue(tx, day.job("of"), &day, run_at, self.clock.now())
            }
        }
    }

    /// Registers the job that sends the summaries, and the task that cancels unverified orders.
    pub fn register(self, worker: Worker) -> Worker {
        worker.every(CancelUnverifiedOrders(self.clone())).register::<Day>(self)
    }

    /// The e-mail is enqueued in the transaction that completes the job, so it is sent once.
    async fn summary(&self, day: Day) -> Result<Completion> {
        let placed: Vec<SummaryRow> = self
            .db
            .query(
                "select number, base_total, base_currency, status from orders
                 where created_at >= $1 and created_at < $2 and status <> $3 order by created_at, id",
            )
            .bind(day.start())
            .bind(day.end())
            // What is not paid is no order yet.
            .bind(OrderStatus::AwaitingPayment)
            .all()
            .await?;
        let Some(to) = self.sender.shop_email() else { return Ok(Completion::Done) };
        if placed.is_empty() || self.sender.order_emails != OrderEmails::Daily {
            return Ok(Completion::Done);
        }
        let email = self.sender.summary_email(&to, day, &placed);
        let enqueue = email::enqueue_statement(day.job("e-mail"), self.clock.now(), &email)?;
        Ok(Completion::Write(enqueue))
    }
}

/// The name of the setting in `haat.toml`.
const SETTING: &str = "order_emails";

impl OrderEmailSender {
    fn notice_email(&self, to: &EmailAddress, order: &Order, proof: &str) -> Email {
        let language = self.profiles.default_language();
        let Order { number, .. } = order;
        let units: i64 = order.lines.iter().map(|line| line.quantity).sum();
        let command = format!("haat orders show {number}");
        let text = |key| {
            let args: Args<'_> = &[
                ("number", number),
                ("units", &units),
                ("proof", &proof),
                ("command", &command),
                ("setting", &SETTING),
            ];
            Messages::text(language, key, args)
        };
        let body = EmailBody {
            language,
            shop: self.profiles.of(language).shop_name.clone(),
            heading: text("email.newOrderHeading"),
            paragraphs: vec![text("email.newOrderIntro"), text("email.newOrderCommand")],
            button: None,
            footnote: text("email.newOrderFootnote"),
        };
        let email = body.into_email(to, &text("email.newOrderSubject"));
        let pictures = pictures(order, self.origin.as_deref());
        let totals = vec![lines(order, language), totals(order, language, proof != PAID)];
        Email { totals, pictures, ..email }.purpose(Purpose::Shop)
    }

    fn summary_email(&self, to: &EmailAddress, day: Day, placed: &[SummaryRow]) -> Email {
        let language = self.profiles.default_language();
        let date = date(language, day.start());
        let base = placed.first().map_or_else(Currency::default, |order| order.base_currency);
        let (count, total) = (placed.len(), Money::sum(placed.iter().map(SummaryRow::total), base));
        let more = count.saturating_sub(MAX_LISTED);
        let text = |key| {
            let args: Args<'_> = &[
                ("date", &date),
                ("count", &count),
                ("listed", &MAX_LISTED),
                ("more", &more),
                ("command", &"haat orders list"),
                ("setting", &SETTING),
            ];
            Messages::text(language, key, args)
        };
        let listed = placed.iter().take(MAX_LISTED).map(|order| {
            let args: Args<'_> = &[("number", &order.number), ("status", &order.status)];
            let line = Messages::text(language, "email.summaryLine", args);
            (line, format::money(language, order.total()))
        });
        let mut paragraphs = vec![text("email.summaryIntro")];
        paragraphs.extend((more > 0).then(|| text("email.summaryMore")));
        paragraphs.push(text("email.summaryCommand"));
        let body = EmailBody {
            language,
            shop: self.profiles.of(language).shop_name.clone(),
            heading: text("email.summaryHeading"),
            paragraphs,
            button: None,
            footnote: text("email.summaryFootnote"),
        };
        let email = body.into_email(to, &text("email.summarySubject"));
        let sum = (text("server.total"), format::money(language, total));
        Email { totals: vec![listed.collect(), vec![sum]], ..email }.purpose(Purpose::Shop)
    }
}

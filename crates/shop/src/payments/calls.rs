//! Calls of a provider's API that move money: written in the transaction that causes them, and sent by a job, so that none
//! is lost and no row is locked meanwhile. A call that is repeated after a crash carries the same idempotency key, its id.

use payment_providers::{GatewayError, SessionRef};
use platform::db::statement;
use platform::jobs::{self, Completion, Job, JobId, Queue, Retry};
use platform::{Clock, Error, Id, MinorUnits, Money, Random, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};

use super::alerts::{self, AlertKind};
use super::record::{Recorder, SendChange};
use super::store::{append, lock};
use super::{EventSource, NewEvent, Payment, PaymentEventKind, PaymentId, PaymentState};
use crate::string_enum::string_enum;

/// What calls a provider does not hold up other jobs.
pub(super) const QUEUE: Queue = Queue { name: "payments", slots: 4 };

string_enum! {
    pub enum Verb {
        Capture = "capture",
        Refund = "refund",
        /// Makes an open session unpayable, and releases what is reserved.
        Cancel = "cancel",
    }
}

string_enum! {
    pub enum CallState {
        Waiting = "waiting",
        Done = "done",
        Refused = "refused",
    }
}

/// Names the type of a call's id.
pub struct CallMarker;
pub type CallId = Id<CallMarker>;

#[derive(Clone, Debug)]
pub struct PaymentCall {
    pub id: CallId,
    pub payment: PaymentId,
    pub verb: Verb,
    pub amount: MinorUnits,
    pub state: CallState,
    /// The provider's reason for a refusal.
    pub code: String,
    pub created_at: Timestamp,
}

#[derive(sqlx::FromRow)]
struct CallRow {
    id: CallId,
    payment_id: PaymentId,
    #[sqlx(try_from = "String")]
    verb: Verb,
    amount: MinorUnits,
    #[sqlx(try_from = "String")]
    state: CallState,
    code: String,
    created_at: Timestamp,
}

impl From<CallRow> for PaymentCall {
    fn from(row: CallRow) -> Self {
        let CallRow { id, payment_id, verb, amount, state, code, created_at } = row;
        Self { id, payment: payment_id, verb, amount, state, code, created_at }
    }
}

const CALL: &str =
    "select id, payment_id, verb, amount, state, code, created_at from payment_calls";

/// Writes a call and the job that sends it. The payment is locked.
pub(crate) fn request(
    tx: &mut Tx,
    (clock, random): (&Clock, &Random),
    payment: &Payment,
    verb: Verb,
    amount: Money,
) -> Result<()> {
    let (id, now) = (CallId::new(clock, random), clock.now());
    tx.defer(
        statement(
            "insert into payment_calls (id, payment_id, verb, amount, state, created_at, changed_at)
             values ($1, $2, $3, $4, $5, $6, $6)",
        )
        .bind(&id)
        .bind(&payment.id)
        .bind(verb)
        .bind(amount)
        .bind(CallState::Waiting)
        .bind(now),
    );
    jobs::enqueue(tx, id.cast(), &SendCall { call: id }, now, now)
}

/// The calls of a payment that is locked, the oldest first.
pub(crate) async fn calls_of(tx: &mut Tx, payment: &PaymentId) -> Result<Vec<PaymentCall>> {
    let sql = format!("{CALL} where payment_id = $1 order by created_at, id");
    let rows: Vec<CallRow> = tx.query(sql).bind(payment).all().await?;
    Ok(rows.into_iter().map(PaymentCall::from).collect())
}

/// What can still be refunded of a payment: what waits to be refunded is gone.
pub(crate) fn refundable(payment: &Payment, calls: &[PaymentCall]) -> Money {
    let is_waiting =
        |call: &&PaymentCall| call.verb == Verb::Refund && call.state == CallState::Waiting;
    let asked: i64 = calls.iter().filter(is_waiting).map(|call| call.amount.0).sum();
    payment.kept() - Money::new(asked, payment.amount.currency())
}

/// The job that sends a call.
#[derive(Serialize, Deserialize)]
pub struct SendCall {
    call: CallId,
}

impl Job for SendCall {
    const NAME: &'static str = "payments.call";
    const QUEUE: Queue = QUEUE;
    /// For about a day.
    const RETRY: Retry = Retry { attempts: 35 };
    type Context = Recorder;

    async fn run(self, _: JobId, recorder: &Recorder) -> Result<Completion> {
        recorder.send(&self.call).await?;
        Ok(Completion::Done)
    }
}

impl Recorder {
    /// The calls of a payment, the oldest first.
    pub async fn calls(&self, payment: &PaymentId) -> Result<Vec<PaymentCall>> {
        let sql = format!("{CALL} where payment_id = $1 order by created_at, id");
        let rows: Vec<CallRow> = self.store.db.query(sql).bind(payment).all().await?;
        Ok(rows.into_iter().map(PaymentCall::from).collect())
    }

    /// Raises an alert for each call that has waited for the provider since before this time.
    pub(crate) async fn report_stuck(&self, before: Timestamp) -> Result<()> {
        let sql =
            format!("{CALL} where state = $1 and created_at < $2 order by created_at limit 100");
        let rows: Vec<CallRow> =
            self.store.db.query(sql).bind(CallState::Waiting).bind(before).all().await?;
        for call in rows.into_iter().map(PaymentCall::from) {
            let Some(payment) = self.store.find(&call.payment).await? else { continue };
            let amount = call.amount.of(payment.amount.currency());
            let detail = format!("{} of {amount} waits since {}", call.verb, call.created_at);
            let mut tx = self.store.db.begin().await?;
            let now = self.store.clock.now();
            alerts::raise_for(&mut tx, &payment, AlertKind::CallStuck, &detail, now);
            tx.commit().await?;
        }
        Ok(())
    }

    async fn send(&self, id: &CallId) -> Result<()> {
        let sql = format!("{CALL} where id = $1");
        let row: Option<CallRow> = self.store.db.query(sql).bind(id).optional().await?;
        let Some(call) = row.map(PaymentCall::from) else { return Ok(()) };
        if call.state != CallState::Waiting {
            return Ok(());
        }
        let payment = self.store.find(&call.payment).await?;
        let payment = payment.ok_or_else(|| Error::internal("a call without its payment"))?;
        let Some(gateway) = self.gateways.of(payment.provider) else {
            let why = format!("{} is not configured", payment.provider.title());
            return Err(Error::Unavailable(why.into()));
        };
        if payment.reference.is_empty() {
            // The provider has never heard of it.
            return self.finish(&call, &payment, Ok(None)).await;
        }
        let charge = self.store.charge(&payment.id).await?;
        let session = SessionRef {
            payment: payment.id.as_str(),
            reference: &payment.reference,
            amount: payment.amount,
            charge: charge.as_deref(),
        };
        let (amount, key) = (call.amount.of(payment.amount.currency()), call.id.as_str());
        let sent = match call.verb {
            Verb::Capture => gateway.capture(session, amount, key).await.map(Some),
            Verb::Refund => gateway.refund(session, amount, key).await.map(Some),
            Verb::Cancel => gateway.cancel(session, key).await.map(|()| None),
        };
        let sent = match sent {
            Err(GatewayError::Unavailable(why)) => return Err(Error::Unavailable(why.into())),
            Ok(fact) => Ok(fact.map(NewEvent::from)),
            Err(GatewayError::Refused { code, message }) => Err((code, message)),
        };
        let succeeded = sent.is_ok();
        self.finish(&call, &payment, sent).await?;
        if call.verb == Verb::Cancel || !succeeded {
            // What holds now, for example that it was paid before it could be cancelled.
            self.ask(&payment, EventSource::Order).await?;
        }
        Ok(())
    }

    /// Writes the outcome of a call with the event that it caused.
    async fn finish(
        &self,
        call: &PaymentCall,
        payment: &Payment,
        sent: Result<Option<NewEvent>, (String, String)>,
    ) -> Result<()> {
        let now = self.store.clock.now();
        let mut tx = self.store.db.begin().await?;
        let Some(payment) = lock(&mut tx, &payment.id).await? else { return Ok(()) };
        let (state, code) = match &sent {
            Ok(_) => (CallState::Done, ""),
            Err((code, _)) => (CallState::Refused, code.as_str()),
        };
        let finished = tx
            .query("update payment_calls set state = $2, code = $3, changed_at = $4 where id = $1 and state = $5")
            .bind(&call.id)
            .bind(state)
            .bind(code)
            .bind(now)
            .bind(CallState::Waiting)
            .execute()
            .await?;
        if finished == 0 {
            return Ok(());
        }
        let unopened = payment.reference.is_empty() && payment.state == PaymentState::Pending;
        let event = match sent {
            Ok(None) if call.verb == Verb::Cancel && unopened => {
                let kind = PaymentEventKind::Failed;
                let event = NewEvent::new(kind, payment.amount, call.id.as_str());
                Some(NewEvent { code: "cancelled".into(), ..event })
            }
            Ok(event) => event,
            Err((code, message)) => {
                // That there is nothing to cancel is no news.
                if call.verb != Verb::Cancel {
                    let amount = call.amount.of(payment.amount.currency());
                    let detail = format!("{} of {amount}: {code}: {message}", call.verb);
                    alerts::raise_for(&mut tx, &payment, AlertKind::CallRefused, &detail, now);
                }
                None
            }
        };
        if append(&mut tx, &payment, event, EventSource::Order, now).await?.is_some() {
            SendChange::enqueue(&mut tx, &self.store, &payment.id)?;
        }
        tx.commit().await
    }
}

//! Intake of webhooks: verified, stored once, and processed by a job. Many arrive at the same time, so those that wait are
//! stored together, in one transaction.

use std::collections::BTreeMap;

use axum::http::HeaderMap;
use payment_providers::{GatewayKind, WebhookError, WebhookEvent, WebhookSubject};
use platform::db::{SqlValue, value_rows};
use platform::jobs::{self, Completion, Job, JobId, Priority, Queue, Retry};
use platform::{Clock, Db, Id, Random, Result, ResultFuture, Timestamp};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

use super::Gateways;
use super::calls::QUEUE;

/// A larger one is refused unread.
pub const MAX_WEBHOOK_BYTES: usize = 256 << 10;
/// So many wait to be stored; more are refused, and the provider repeats them.
const MAX_WAITING: usize = 10_000;
const MAX_BATCH: usize = 200;
const MAX_ID_CHARS: usize = 200;

/// Stores webhooks. Cheap to clone.
#[derive(Clone)]
pub struct Intake {
    gateways: Gateways,
    clock: Clock,
    waiting: mpsc::Sender<Received>,
}

struct Received {
    gateway: GatewayKind,
    event: WebhookEvent,
    stored: oneshot::Sender<Result<(), String>>,
}

/// The answer to a webhook.
#[derive(Debug, PartialEq, Eq)]
pub enum WebhookOutcome {
    /// It is stored, or was before.
    Stored,
    /// It is about something else.
    Ignored,
    /// The provider is not configured.
    UnknownProvider,
    Refused(WebhookError),
    /// It cannot be stored now; the provider repeats it.
    Busy,
}

impl Intake {
    /// Stores webhooks until all clones are dropped.
    pub fn start(gateways: Gateways, db: Db, clock: Clock, random: Random) -> Self {
        let (waiting, received) = mpsc::channel(MAX_WAITING);
        let of_shop = Self { gateways, clock: clock.clone(), waiting };
        tokio::spawn(store_forever(received, db, clock, random));
        of_shop
    }

    /// Verifies a webhook and answers once it is stored.
    pub async fn receive(
        &self,
        gateway: GatewayKind,
        headers: &HeaderMap,
        body: &[u8],
    ) -> WebhookOutcome {
        let Some(configured) = self.gateways.get(gateway) else {
            return WebhookOutcome::UnknownProvider;
        };
        let event = match configured.webhook(headers, body, self.clock.now()).await {
            Ok(event) => event,
            Err(why) => return WebhookOutcome::Refused(why),
        };
        if event.subject == WebhookSubject::Other {
            return WebhookOutcome::Ignored;
        }
        let (stored, answer) = oneshot::channel();
        if self.waiting.try_send(Received { gateway, event, stored }).is_err() {
            return WebhookOutcome::Busy;
        }
        match answer.await {
            Ok(Ok(())) => WebhookOutcome::Stored,
            Ok(Err(why)) => {
                tracing::warn!(why, "webhooks could not be stored");
                WebhookOutcome::Busy
            }
            Err(_) => WebhookOutcome::Busy,
        }
    }
}

async fn store_forever(
    mut received: mpsc::Receiver<Received>,
    db: Db,
    clock: Clock,
    random: Random,
) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    while received.recv_many(&mut batch, MAX_BATCH).await > 0 {
        let stored = platform::db::retry_on_conflict(|| store_all(&db, (&clock, &random), &batch));
        let stored = stored.await.map_err(|why| why.message());
        for one in batch.drain(..) {
            // Whoever waits for it may be gone.
            let _ = one.stored.send(stored.clone());
        }
    }
}

async fn store_all(db: &Db, (clock, random): (&Clock, &Random), batch: &[Received]) -> Result<()> {
    const COLUMNS: usize = 5;
    let now = clock.now();
    // The same event may be in the batch twice. In the order of the key, so that servers do not lock each other out.
    let events: BTreeMap<(&str, String), &Received> =
        batch.iter().map(|one| ((one.gateway.as_str(), key(&one.event.id)), one)).collect();
    let mut tx = db.begin().await?;
    let values = events.iter().flat_map(|((gateway, id), one)| -> [SqlValue; COLUMNS] {
        [
            (*gateway).into(),
            id.as_str().into(),
            shortened(&one.event.kind).into(),
            subject(&one.event.subject).into(),
            now.into(),
        ]
    });
    let sql = format!(
        "insert into payment_webhooks (gateway, event, kind, subject, received_at) values {}
         on conflict (gateway, event) do nothing returning gateway, event",
        value_rows(events.len(), COLUMNS)
    );
    let new: Vec<(String, String)> = tx.query(sql).bind_all(values).all().await?;
    for (gateway, id) in &new {
        if let Some(one) = events.get(&(gateway.as_str(), id.clone())) {
            let job = ProcessWebhook {
                gateway: gateway.clone(),
                subject: subject(&one.event.subject).to_owned(),
            };
            jobs::enqueue(&mut tx, Id::new(clock, random), &job, now, now)?;
        }
    }
    tx.commit().await
}

fn subject(of: &WebhookSubject) -> &str {
    match of {
        WebhookSubject::Payment(id) | WebhookSubject::Reference(id) => shortened(id),
        WebhookSubject::Other => "",
    }
}

/// The event's id, or its hash where it is too long.
fn key(id: &str) -> String {
    match id.len() <= MAX_ID_CHARS {
        true => id.to_owned(),
        false => Id::<WebhookEvent>::from_name(id).to_string(),
    }
}

fn shortened(text: &str) -> &str {
    let end = text.char_indices().nth(MAX_ID_CHARS).map_or(text.len(), |(end, _)| end);
    &text[..end]
}

/// The job that asks the provider about the payment of a webhook.
#[derive(Serialize, Deserialize)]
pub struct ProcessWebhook {
    gateway: String,
    subject: String,
}

/// Settles the payment of a subject: our id of it, or a reference of the provider.
#[derive(Clone)]
pub struct WebhookListener(pub Arc<dyn Fn(String) -> ResultFuture<'static, ()> + Send + Sync>);

impl Job for ProcessWebhook {
    const NAME: &'static str = "payments.webhook";
    const QUEUE: Queue = QUEUE;
    const RETRY: Retry = Retry { attempts: 20 };
    type Context = WebhookListener;

    fn priority(&self) -> Priority {
        Priority::High
    }

    async fn run(self, _: JobId, listener: &WebhookListener) -> Result<Completion> {
        (listener.0)(self.subject).await?;
        Ok(Completion::Done)
    }
}

/// Deletes webhooks that no provider repeats any more.
pub(crate) async fn delete_received(db: &Db, before: Timestamp) -> Result<()> {
    let sql = "delete from payment_webhooks where received_at < $1";
    db.query(sql).bind(before).execute().await.map(drop)
}

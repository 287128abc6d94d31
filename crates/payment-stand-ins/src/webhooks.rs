//! Sending webhooks: in the background, repeated after a failure, and with the faults that are set.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::Method;
use platform::http_client::HttpClient;

use crate::faults::Faults;

const ATTEMPTS: u32 = 8;
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// Cheap to clone. What is not delivered when the process ends is lost, as with a provider that gives up.
#[derive(Clone)]
pub(crate) struct Webhooks {
    client: HttpClient,
    faults: Faults,
    pending: Arc<AtomicUsize>,
}

/// The headers and the body of a webhook.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// Which message is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageKind {
    Genuine,
    /// The same with a wrong signature.
    Forged,
}

impl Webhooks {
    pub fn new(faults: Faults) -> Self {
        Self { client: HttpClient::new(), faults, pending: Arc::default() }
    }

    pub fn pending(&self) -> usize {
        self.pending.load(Ordering::SeqCst)
    }

    /// Sends in the background, in no certain order. `message` is called for each attempt, so that each can be signed
    /// with its own time. It needs a Tokio runtime.
    pub fn send(
        &self,
        url: String,
        message: impl Fn(MessageKind) -> Message + Send + Sync + 'static,
    ) {
        let plan = self.faults.plan_delivery();
        let message = Arc::new(message);
        for delay in plan.delays {
            self.spawn(url.clone(), delay, message.clone(), MessageKind::Genuine);
        }
        if plan.forged {
            self.spawn(url, Duration::ZERO, message, MessageKind::Forged);
        }
    }

    fn spawn(
        &self,
        url: String,
        delay: Duration,
        message: Arc<dyn Fn(MessageKind) -> Message + Send + Sync>,
        kind: MessageKind,
    ) {
        let webhooks = self.clone();
        webhooks.pending.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(async move {
            tokio::time::sleep(delay).await;
            // A forged one is to be refused, and not repeated.
            let attempts = if kind == MessageKind::Forged { 1 } else { ATTEMPTS };
            webhooks.deliver(&url, attempts, || message(kind)).await;
            webhooks.pending.fetch_sub(1, Ordering::SeqCst);
        });
    }

    async fn deliver(&self, url: &str, attempts: u32, message: impl Fn() -> Message) {
        let mut pause = FIRST_PAUSE;
        for attempt in 1..=attempts {
            let why = match self.post(url, message()).await {
                Ok(()) => return,
                Err(why) => why,
            };
            tracing::debug!(url, attempt, why, "a webhook was not accepted");
            if attempt < attempts {
                tokio::time::sleep(pause).await;
                pause *= 2;
            }
        }
    }

    async fn post(&self, url: &str, message: Message) -> Result<(), String> {
        let Message { headers, body } = message;
        let answer = self.client.exchange(Method::POST, url, |request| {
            headers
                .iter()
                .fold(request.body(body), |request, (name, value)| request.header(*name, value))
        });
        let status = answer.await.map_err(|why| why.to_string())?.status;
        if status.is_success() { Ok(()) } else { Err(format!("answered {status}")) }
    }
}

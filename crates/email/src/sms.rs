//! Text messages (SMS): queued as a job in the transaction that causes them, sent through an HTTP gateway,
//! and retried. A demo shop without a gateway stores them in its development mailbox.

use axum::http::{HeaderValue, Uri};
use platform::http_client::HttpClient;
use platform::jobs::{self, Completion, Job, JobId, Priority, Queue};
use platform::{Clock, Error, Id, Language, Random, Result, Tx};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Email, EmailBody};

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Text messages")]
#[group(id = "sms")]
pub struct SmsSettings {
    /// The SMS gateway, a URL that receives JSON {to, from, text, id} by POST; without one, a demo shop
    /// shows its text messages at /dev/mail
    #[arg(long, env = "HAAT_SMS_URL", value_name = "URL", hide_env_values = true, value_parser = url)]
    pub sms_url: Option<Uri>,
    /// The bearer token for the gateway, sent in the Authorization header
    #[arg(long, env = "HAAT_SMS_TOKEN", value_name = "TEXT", hide_env_values = true)]
    pub sms_token: Option<String>,
    /// The sender of text messages, where the gateway supports it
    #[arg(long, env = "HAAT_SMS_FROM", value_name = "NAME")]
    pub sms_from: Option<String>,
}

impl SmsSettings {
    /// The gateway's host, without the rest of the URL, which may contain a key.
    pub fn host(&self) -> Option<&str> {
        self.sms_url.as_ref().and_then(Uri::host)
    }
}

fn url(text: &str) -> Result<Uri, String> {
    let url: Option<Uri> = text.parse().ok();
    url.filter(|url| {
        matches!(url.scheme_str(), Some("http" | "https"))
            && url.host().is_some_and(|host| !host.is_empty())
            // A user and a password in the URL would be ignored: the gateway gets the token.
            && url.authority().is_some_and(|authority| !authority.as_str().contains('@'))
    })
    .ok_or_else(|| "expected a URL like https://gateway.example/send".into())
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextMessage {
    /// In the form +8801700000000.
    pub to: String,
    pub text: String,
}

/// Queues a text message that somebody waits for, which is sent if and only if the transaction commits.
pub fn enqueue(tx: &mut Tx, clock: &Clock, random: &Random, text: &TextMessage) -> Result<()> {
    enqueue_with(tx, clock, random, text, true)
}

/// Queues a text message that nobody waits for.
pub fn enqueue_notice(
    tx: &mut Tx,
    clock: &Clock,
    random: &Random,
    text: &TextMessage,
) -> Result<()> {
    enqueue_with(tx, clock, random, text, false)
}

fn enqueue_with(
    tx: &mut Tx,
    clock: &Clock,
    random: &Random,
    text: &TextMessage,
    urgent: bool,
) -> Result<()> {
    let now = clock.now();
    let job = SendText { text: text.clone(), urgent };
    jobs::enqueue(tx, Id::new(clock, random), &job, now, now)
}

/// The job that sends a text message.
#[derive(Serialize, Deserialize)]
pub struct SendText {
    text: TextMessage,
    /// Jobs from before there were notices are all urgent.
    #[serde(default = "yes")]
    urgent: bool,
}

fn yes() -> bool {
    true
}

impl Job for SendText {
    const NAME: &'static str = "sms.send";
    const QUEUE: Queue = Queue { name: "sms", slots: 4 };
    type Context = SmsSender;

    fn priority(&self) -> Priority {
        if self.urgent { Priority::High } else { Priority::Normal }
    }

    async fn run(self, id: JobId, sender: &SmsSender) -> Result<Completion> {
        sender.send(id.as_str(), self.text).await
    }
}

pub enum SmsSender {
    Gateway { client: HttpClient, url: Uri, token: Option<String>, from: Option<String> },
    DevMailbox(Clock),
    Unconfigured,
}

impl SmsSender {
    pub fn new(settings: &SmsSettings, demo: bool, clock: Clock) -> Result<Self, String> {
        let SmsSettings { sms_url, sms_token: token, sms_from: from } = settings.clone();
        let Some(url) = sms_url else {
            return Ok(if demo { Self::DevMailbox(clock) } else { Self::Unconfigured });
        };
        if token.as_ref().is_some_and(|token| HeaderValue::from_str(token).is_err()) {
            return Err("sms_token: it cannot be sent in a header".into());
        }
        Ok(Self::Gateway { client: HttpClient::new(), url, token, from })
    }

    /// The gateway gets the job's id as Idempotency-Key.
    async fn send(&self, id: &str, text: TextMessage) -> Result<Completion> {
        match self {
            Self::Gateway { client, url, token, from } => {
                let body = json!({ "to": text.to, "from": from, "text": text.text, "id": id });
                let url = url.to_string();
                Ok(client.post_json(&url, token.as_deref(), id, &body).await?.into())
            }
            Self::DevMailbox(clock) => {
                let write = crate::store_statement(id, &to_email(text), clock.now())?;
                Ok(Completion::Write(write))
            }
            Self::Unconfigured => Err(Error::internal("no text gateway is set up: see sms_url")),
        }
    }
}

/// For the development mailbox, which is in English.
fn to_email(TextMessage { to, text }: TextMessage) -> Email<String> {
    let body = EmailBody {
        language: Language::ENGLISH,
        shop: "Text message".into(),
        heading: format!("To {to}"),
        paragraphs: vec![text],
        button: None,
        footnote: String::new(),
    };
    body.into_email(&to, "Text message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gateway_needs_an_absolute_url_without_a_password() {
        for good in ["http://127.0.0.1:9/", "https://gateway.example", "https://g.example/a?key=b"]
        {
            assert!(url(good).is_ok(), "{good}");
        }
        for bad in ["", "gateway.example", "/send", "ftp://g.example", "https://", "https://a:b@g"]
        {
            assert!(url(bad).is_err(), "{bad}");
        }
    }
}

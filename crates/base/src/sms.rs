//! Text messages: written as a job in the transaction that causes them, handed to an HTTP gateway,
//! retried, never lost. A demo shop without a gateway keeps them beside its letters.

use axum::http::{HeaderValue, Uri};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::client::Client;
use crate::jobs::{self, Done, Job, Priority};
use crate::mail::{self, Letter, Words};
use crate::{Clock, Error, Id, Random, Result, Tx};

/// The job that sends a text message.
pub const SEND: &str = "sms.send";

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Text messages")]
#[group(id = "sms")]
pub struct Settings {
    /// The gateway, which takes JSON {to, from, text, id} by POST; without one, a demo shop keeps its
    /// text messages at /dev/mail
    #[arg(long, env = "HAAT_SMS_URL", value_name = "URL", hide_env_values = true, value_parser = url)]
    pub sms_url: Option<Uri>,
    /// Sent to the gateway as Authorization: Bearer
    #[arg(long, env = "HAAT_SMS_TOKEN", value_name = "TEXT", hide_env_values = true)]
    pub sms_token: Option<String>,
    /// Who text messages come from, where the gateway lets us choose
    #[arg(long, env = "HAAT_SMS_FROM", value_name = "NAME")]
    pub sms_from: Option<String>,
}

impl Settings {
    /// The gateway's host. Not its whole address, which may hold a key.
    pub fn host(&self) -> Option<&str> {
        self.sms_url.as_ref().and_then(Uri::host)
    }
}

fn url(text: &str) -> Result<Uri, String> {
    let url: Option<Uri> = text.parse().ok();
    url.filter(|url| {
        matches!(url.scheme_str(), Some("http" | "https"))
            && url.host().is_some_and(|host| !host.is_empty())
            // A user and a password here would go nowhere: the gateway gets the token.
            && url.authority().is_some_and(|authority| !authority.as_str().contains('@'))
    })
    .ok_or_else(|| "an address like https://gateway.example/send".into())
}

/// A text message, complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Text {
    /// A number in the form +8801700000000.
    pub to: String,
    pub text: String,
}

/// Posts a text message: it goes out if and only if the transaction happens.
pub fn post(tx: &mut Tx, clock: &Clock, random: &Random, text: &Text) -> Result<()> {
    let (id, now) = (Id::<Job>::new(clock, random), clock.now());
    // The message carries the job's id, so that the gateway knows one that it is given twice.
    let posted = Posted { id: id.to_string(), text: text.clone() };
    // All of them are codes that somebody waits for.
    tx.later(jobs::insert(id, SEND, &posted, Priority::High, now, now)?);
    Ok(())
}

#[derive(Serialize, Deserialize)]
pub struct Posted {
    id: String,
    text: Text,
}

/// Takes text messages away.
#[derive(Clone)]
pub enum Texter {
    Gateway { client: Client, url: Uri, token: Option<String>, from: Option<String> },
    Keep(Clock),
    Nowhere,
}

impl Texter {
    pub fn new(settings: &Settings, demo: bool, clock: Clock) -> Result<Self, String> {
        let Settings { sms_url, sms_token: token, sms_from: from } = settings.clone();
        let Some(url) = sms_url else {
            return Ok(if demo { Self::Keep(clock) } else { Self::Nowhere });
        };
        if token.as_ref().is_some_and(|token| HeaderValue::from_str(token).is_err()) {
            return Err("sms_token: it cannot be sent in a header".into());
        }
        Ok(Self::Gateway { client: Client::new(), url, token, from })
    }

    /// Does the job.
    pub async fn send(self, Posted { id, text }: Posted) -> Result<Done> {
        match self {
            Self::Gateway { client, url, token, from } => {
                let body = json!({ "to": text.to, "from": from, "text": text.text, "id": id });
                let url = url.to_string();
                Ok(client.post_json(&url, token.as_deref(), &id, &body).await?.into())
            }
            Self::Keep(clock) => Ok(mail::keep(&id, &as_letter(text), clock.now())?.into()),
            Self::Nowhere => Err(Error::internal("no text gateway is set up: see sms_url")),
        }
    }
}

/// A text message as a demo shop shows it.
fn as_letter(Text { to, text }: Text) -> Letter<String> {
    let words = Words {
        shop: "Text message".into(),
        heading: format!("To {to}"),
        paragraphs: vec![text],
        button: None,
        footnote: String::new(),
    };
    words.letter(&to, "Text message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gateway_has_a_whole_address() {
        for good in ["http://127.0.0.1:9/", "https://gateway.example", "https://g.example/a?key=b"]
        {
            assert!(url(good).is_ok(), "{good}");
        }
        for bad in ["", "gateway.example", "/send", "ftp://g.example", "https://", "https://a:b@g"]
        {
            assert!(url(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_kept_message_is_shown_as_it_was_written() {
        let page =
            as_letter(Text { to: "+8801700000000".into(), text: "1 < 2\n123456".into() }).html();
        assert!(page.contains(">1 &lt; 2<br>123456</p>"), "{page}");
    }
}

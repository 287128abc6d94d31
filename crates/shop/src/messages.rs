//! What visitors write by the contact form. A message is kept for twelve months; its writer gets a
//! receipt and the shop the message, by letters posted in the transaction that keeps it. Alone writes
//! `messages`.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use base::error::ErrorBody;
use base::http::{Peer, Sent};
use base::mail::{self, Words};
use base::{Clock, Db, Id, Random, Result};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::allowance::{self, Allowance};
use crate::content::Facts;
use crate::forms;

pub const LONGEST_NAME: usize = 100;
pub const LONGEST_MESSAGE: usize = 5_000;
const DAY: Duration = Duration::from_secs(24 * 3600);
const KEPT_FOR: Duration = Duration::from_secs(365 * 24 * 3600);
const BY_ADDRESS: Allowance = Allowance { most: 10, window: Duration::from_secs(3600) };
/// A receipt goes to an address that anybody can type: nobody's box is to be filled from here.
const BY_MAILBOX: Allowance = Allowance { most: 5, window: Duration::from_secs(3600) };

/// What the contact form's handlers need.
#[derive(Clone)]
pub struct Messages {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub facts: Facts,
}

pub fn router() -> OpenApiRouter<Messages> {
    OpenApiRouter::new().routes(routes!(leave_message))
}

/// A message as it was typed.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewMessage {
    #[serde(default)]
    #[schema(max_length = 100)]
    name: String,
    #[serde(default)]
    #[schema(max_length = 254)]
    email: String,
    #[serde(default)]
    #[schema(max_length = 5000)]
    message: String,
    /// For programs that fill in everything: people do not see it, and leave it empty.
    #[serde(default)]
    website: String,
}

/// The shop has it.
#[derive(Serialize, ToSchema)]
pub struct Received {
    pub received: bool,
}

/// Write to the shop
#[utoipa::path(
    post, path = "/contact", tag = "Messages", request_body = NewMessage,
    responses(
        (status = 202, description = "The same message sent twice in a day is kept once", body = Received),
        (status = 400, body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
async fn leave_message(
    State(messages): State<Messages>,
    peer: Option<Extension<Peer>>,
    Sent(new): Sent<NewMessage>,
) -> Result<(StatusCode, Json<Received>)> {
    messages.take(new, peer.map(|Extension(peer)| peer)).await?;
    Ok((StatusCode::ACCEPTED, Json(Received { received: true })))
}

#[derive(Debug)]
struct Message {
    name: String,
    email: String,
    message: String,
}

impl NewMessage {
    fn read(&self) -> Result<Message> {
        Ok(Message {
            name: forms::line("name", &self.name, LONGEST_NAME)?,
            email: forms::email(&self.email)?,
            message: forms::lines("message", &self.message, LONGEST_MESSAGE)?,
        })
    }
}

pub(crate) async fn forget_old(db: &Db, clock: &Clock) -> Result<()> {
    db.query("delete from messages where created_at < $1")
        .bind(clock.now().minus(KEPT_FOR))
        .execute()
        .await
        .map(drop)
}

impl Messages {
    /// Keeps a message and posts its letters.
    pub async fn take(&self, new: NewMessage, peer: Option<Peer>) -> Result<()> {
        let message = new.read()?;
        if !new.website.is_empty() {
            // Whoever is no person need not know that it was noticed.
            return Ok(());
        }
        let network = peer.map_or_else(String::new, Peer::network);
        let counted = [
            (format!("messages from {network}"), BY_ADDRESS),
            (format!("messages by {}", message.email), BY_MAILBOX),
        ];
        allowance::spend(&self.db, &self.clock, &counted).await?;

        let now = self.clock.now();
        let Message { name, email, message } = &message;
        // A button pressed twice sends the same words twice.
        let day = now.0 / DAY.as_millis() as i64;
        let id = Id::<Message>::named(&format!("{day}\n{email}\n{name}\n{message}"));
        let mut tx = self.db.begin().await?;
        let new = tx
            .query(
                "insert into messages (id, name, email, message, created_at)
                 values ($1, $2, $3, $4, $5) on conflict (id) do nothing",
            )
            .bind(&id)
            .bind(name.as_str())
            .bind(email.as_str())
            .bind(message.as_str())
            .bind(now)
            .execute()
            .await?;
        if new == 1 {
            for letter in [self.receipt(email), self.notice(name, email, message)] {
                mail::post(&mut tx, &self.clock, &self.random, &letter)?;
            }
        }
        tx.commit().await
    }

    /// To the writer. It repeats nothing that was typed: the address may be somebody else's.
    fn receipt(&self, to: &str) -> mail::Letter {
        let Facts { name: shop, phone, .. } = &self.facts;
        let urgent = format!("If it cannot wait, ring {phone}.");
        let words = Words {
            shop: shop.clone(),
            heading: "We have your message".into(),
            paragraphs: vec![
                "Thank you for writing. Somebody who knows the goods reads it and answers within one \
                 working day, to this address."
                    .into(),
                urgent,
            ],
            button: None,
            footnote: "If you did not write to us, somebody mistyped an address. There is nothing to do."
                .into(),
        };
        words.letter(to, "We have your message")
    }

    /// To the shop.
    fn notice(&self, name: &str, email: &str, message: &str) -> mail::Letter {
        let from = format!("{name}, {email}, writes:");
        let lines = message.split('\n').map(str::trim).filter(|line| !line.is_empty());
        let answer = format!("mailto:{email}");
        let words = Words {
            shop: self.facts.name.clone(),
            heading: "A message from the contact form".into(),
            paragraphs: [from].into_iter().chain(lines.map(str::to_owned)).collect(),
            button: Some(("Answer".into(), answer)),
            footnote: "Kept for twelve months in the shop's database.".into(),
        };
        words.letter(&self.facts.email, &format!("Message from {name}"))
    }
}

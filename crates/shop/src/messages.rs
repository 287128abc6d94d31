//! What visitors write by the contact form. A message is kept for a while (`keep_messages`); its writer
//! gets a receipt and the shop the message, by letters posted in the transaction that keeps it. Alone
//! writes `messages`.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::IntoResponse;
use axum::{Extension, Json};
use base::db::write;
use base::error::ErrorBody;
use base::http::{Peer, Sent};
use base::mail::{self, Purpose, Words};
use base::secret::Secret;
use base::{Clock, Db, EmailAddress, Id, Random, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::allowance::{self, Allowance};
use crate::content::Facts;
use crate::{forms, pass, schemas};

pub const LONGEST_NAME: usize = 100;
pub const LONGEST_MESSAGE: usize = 5_000;
const DAY: Duration = Duration::from_secs(24 * 3600);
const BY_ADDRESS: Allowance = Allowance { most: 10, window: Duration::from_secs(3600) };
const WITHOUT_PASS: Allowance = Allowance { most: 3, window: Duration::from_secs(3600) };
/// A receipt goes to an address that anybody can type: nobody's box is to be filled from here.
const BY_MAILBOX: Allowance = Allowance { most: 5, window: Duration::from_secs(3600) };

/// What the contact form's handlers need.
#[derive(Clone)]
pub struct Messages {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    pub facts: Facts,
    /// Who answers, and when (`content::ContactForm`).
    pub reply: String,
}

pub fn router() -> OpenApiRouter<Messages> {
    OpenApiRouter::new().routes(routes!(leave_message)).routes(routes!(get_pass))
}

/// What shows that a form was open for a moment.
#[derive(Serialize, ToSchema)]
struct Pass {
    /// Good from two seconds after now, for twelve hours.
    pass: String,
}

/// A pass for the forms: with one they can be sent more often
#[utoipa::path(
    get, path = "/pass", tag = "Messages",
    responses((status = 200, description = "Ask for it when the form is first touched", body = Pass))
)]
async fn get_pass(State(messages): State<Messages>) -> impl IntoResponse {
    let pass = pass::issue(&messages.secret, &messages.clock);
    ([(CACHE_CONTROL, "no-store")], Json(Pass { pass }))
}

/// A message as it was typed.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewMessage {
    #[serde(default)]
    #[schema(schema_with = schemas::contact_name, required)]
    name: String,
    #[serde(default)]
    #[schema(schema_with = schemas::email, required)]
    email: String,
    #[serde(default)]
    #[schema(schema_with = schemas::contact_message, required)]
    message: String,
    /// For programs that fill in everything: people do not see it, and leave it empty.
    #[serde(default)]
    website: String,
    /// What `/api/pass` gave; without a good one the form is taken less often.
    #[serde(default)]
    pass: String,
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
    email: EmailAddress,
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

/// A message that is kept, for whoever wrote it.
#[derive(Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    name: String,
    message: String,
    created_at: Timestamp,
}

pub async fn kept(db: &Db, email: &str) -> Result<Vec<Kept>> {
    db.query("select name, message, created_at from messages where email = $1 order by created_at")
        .bind(email)
        .all()
        .await
}

/// Forgets what came from an address.
pub fn forget(tx: &mut Tx, email: &str) {
    tx.later(write("delete from messages where email = $1").bind(email));
}

pub(crate) async fn forget_old(db: &Db, before: Timestamp) -> Result<()> {
    db.query("delete from messages where created_at < $1").bind(before).execute().await.map(drop)
}

/// A message as the shopkeeper takes it away.
#[derive(Debug, Serialize, sqlx::FromRow)]
pub struct KeptMessage {
    pub at: Timestamp,
    pub name: String,
    pub email: String,
    pub message: String,
}

/// The messages of a span of time, the first one first.
pub async fn list(db: &Db, from: Timestamp, to: Timestamp) -> Result<Vec<KeptMessage>> {
    db.query(
        "select created_at as at, name, email, message from messages
         where created_at >= $1 and created_at < $2 order by created_at, id",
    )
    .bind(from)
    .bind(to)
    .all()
    .await
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
        let mut counted = vec![
            (format!("messages from {network}"), BY_ADDRESS),
            (format!("messages by {}", message.email.mailbox()), BY_MAILBOX),
        ];
        if !pass::is_good(&self.secret, &self.clock, &new.pass) {
            counted.push((format!("messages without a pass from {network}"), WITHOUT_PASS));
        }
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
            let notice = self.notice(name, email, message);
            for letter in [Some(self.receipt(email)), notice].into_iter().flatten() {
                mail::post(&mut tx, &self.clock, &self.random, &letter)?;
            }
        }
        tx.commit().await
    }

    /// To the writer. It repeats nothing that was typed: the address may be somebody else's.
    fn receipt(&self, to: &EmailAddress) -> mail::Letter {
        let Facts { name: shop, phone, .. } = &self.facts;
        let thanks =
            format!("Thank you for writing. {} The answer comes to this address.", self.reply);
        let urgent = (!phone.is_empty()).then(|| format!("If it cannot wait, ring {phone}."));
        let words = Words {
            shop: shop.clone(),
            heading: "We have your message".into(),
            paragraphs: [thanks].into_iter().chain(urgent).collect(),
            button: None,
            footnote:
                "If you did not write to us, somebody mistyped an address. There is nothing to do."
                    .into(),
        };
        words.letter(to, "We have your message")
    }

    /// To the shop.
    fn notice(&self, name: &str, email: &str, message: &str) -> Option<mail::Letter> {
        let shop = EmailAddress::parse(&self.facts.email)?;
        let from = format!("{name}, {email}, writes:");
        let lines = message.split('\n').map(str::trim).filter(|line| !line.is_empty());
        let answer = format!("mailto:{email}");
        let term = self.facts.kept.said("messages").unwrap_or_default();
        let footnote = format!("Kept for {term} in the shop's database.");
        let words = Words {
            shop: self.facts.name.clone(),
            heading: "A message from the contact form".into(),
            paragraphs: [from].into_iter().chain(lines.map(str::to_owned)).collect(),
            button: Some(("Answer".into(), answer)),
            footnote,
        };
        let letter = words.letter(&shop, &format!("Message from {name}"));
        Some(letter.purpose(Purpose::Shop))
    }
}

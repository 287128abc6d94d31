//! Contact form messages. A message is stored for `keep_messages` days; the confirmation to its writer
//! and the notification to the shop are enqueued in the same transaction. The only module that writes
//! `messages`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::IntoResponse;
use email::{EmailBody, Purpose};
use messages::Messages;
use platform::db::statement;
use platform::http::{ClientIp, JsonBody};
use platform::rate_limit::{self, Limit};
use platform::secret::Secret;
use platform::{Clock, Db, EmailAddress, Id, Language, Random, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::error_responses::{BadRequest, TooManyRequests};
use crate::settings::{Retention, ShopProfile};
use crate::shop_profiles::ShopProfiles;
use crate::{form_token, schemas, validation};

pub const MAX_NAME_LEN: usize = 100;
pub const MAX_MESSAGE_LEN: usize = 5_000;
const DAY: Duration = Duration::from_secs(24 * 3600);
const BY_ADDRESS: Limit = Limit::per_hour(10);
const WITHOUT_TOKEN: Limit = Limit::per_hour(3);
/// Anybody can type a stranger's address, which then gets the confirmation.
const BY_MAILBOX: Limit = Limit::per_hour(5);

/// State of the contact form handlers.
#[derive(Clone)]
pub struct ContactMessages {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    pub profiles: Arc<ShopProfiles>,
    /// Says how long a message is kept.
    pub retention: Arc<Retention>,
    /// Who answers a message, and when, in each language (`content::ContactForm`).
    pub replies: Arc<BTreeMap<Language, String>>,
}

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    ContactMessages: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(send_message)).routes(routes!(get_form_token))
}

/// Proves that a form was open for some seconds.
#[derive(Serialize, ToSchema)]
struct FormToken {
    /// Valid from two seconds after now, for twelve hours.
    pass: String,
}

/// Get a form token, with which forms can be sent more often
#[utoipa::path(
    get, path = "/pass", tag = "Messages",
    responses((status = 200, description = "Request it when the form gets the focus", body = FormToken))
)]
async fn get_form_token(State(messages): State<ContactMessages>) -> impl IntoResponse {
    let pass = form_token::issue(&messages.secret, &messages.clock);
    ([(CACHE_CONTROL, "no-store")], Json(FormToken { pass }))
}

/// A message as submitted.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewMessage {
    #[serde(default)]
    #[schema(schema_with = schemas::filled_line::<MAX_NAME_LEN>, required)]
    name: String,
    #[serde(default)]
    #[schema(schema_with = schemas::email, required)]
    email: String,
    #[serde(default)]
    #[schema(schema_with = schemas::filled_lines::<MAX_MESSAGE_LEN>, required)]
    message: String,
    /// Honeypot: hidden from people, filled in by bots.
    #[serde(default)]
    website: String,
    /// The token from `/api/pass`; without a valid one a stricter rate limit applies.
    #[serde(default)]
    pass: String,
}

#[derive(Serialize, ToSchema)]
pub struct Received {
    pub received: bool,
}

/// Send a message to the shop
#[utoipa::path(
    post, path = "/contact", tag = "Messages", request_body = NewMessage, params(Language),
    responses(
        (status = 202, description = "A message repeated within a day is stored once", body = Received),
        BadRequest, TooManyRequests,
    )
)]
async fn send_message(
    State(messages): State<ContactMessages>,
    language: Language,
    peer: Option<ClientIp>,
    JsonBody(new): JsonBody<NewMessage>,
) -> Result<(StatusCode, Json<Received>)> {
    messages.submit(new, language, peer).await?;
    Ok((StatusCode::ACCEPTED, Json(Received { received: true })))
}

/// A message in its writer's data export.
#[derive(Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct MessageExport {
    name: String,
    message: String,
    created_at: Timestamp,
}

pub async fn export(db: &Db, email: &str) -> Result<Vec<MessageExport>> {
    db.query("select name, message, created_at from messages where email = $1 order by created_at")
        .bind(email)
        .all()
        .await
}

/// Deletes the messages of an e-mail address.
pub fn erase(tx: &mut Tx, email: &str) {
    tx.defer(statement("delete from messages where email = $1").bind(email));
}

pub(crate) async fn delete_expired(db: &Db, before: Timestamp) -> Result<()> {
    db.query("delete from messages where created_at < $1").bind(before).execute().await.map(drop)
}

/// A message as the shopkeeper exports it.
#[derive(Debug, Serialize, sqlx::FromRow)]
pub struct StoredMessage {
    pub at: Timestamp,
    pub name: String,
    pub email: String,
    pub message: String,
}

/// The messages of a period, the oldest first.
pub async fn list(db: &Db, from: Timestamp, to: Timestamp) -> Result<Vec<StoredMessage>> {
    db.query(
        "select created_at as at, name, email, message from messages
         where created_at >= $1 and created_at < $2 order by created_at, id",
    )
    .bind(from)
    .bind(to)
    .all()
    .await
}

impl ContactMessages {
    /// Stores a message and enqueues its e-mails.
    pub async fn submit(
        &self,
        new: NewMessage,
        language: Language,
        peer: Option<ClientIp>,
    ) -> Result<()> {
        let name = validation::line("name", &new.name, MAX_NAME_LEN)?;
        let email = validation::email(&new.email)?;
        let message = validation::lines("message", &new.message, MAX_MESSAGE_LEN)?;
        if !new.website.is_empty() {
            // A bot must not learn that it was detected.
            return Ok(());
        }
        let network = peer.map_or_else(String::new, ClientIp::network);
        let mut counted = vec![
            (format!("messages from {network}"), BY_ADDRESS),
            (format!("messages by {}", email.mailbox()), BY_MAILBOX),
        ];
        if !form_token::is_valid(&self.secret, &self.clock, &new.pass) {
            counted.push((format!("messages without a pass from {network}"), WITHOUT_TOKEN));
        }
        rate_limit::consume(&self.db, &self.clock, &counted).await?;

        let now = self.clock.now();
        // A double click sends the same message twice, so its id is a hash of its content and day.
        let day = now.0 / DAY.as_millis() as i64;
        let id = Id::<NewMessage>::from_name(&format!("{day}\n{email}\n{name}\n{message}"));
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
            let notice = self.notice_email(&name, &email, &message);
            for email in [Some(self.receipt_email(&email, language)), notice].into_iter().flatten()
            {
                email::enqueue(&mut tx, &self.clock, &self.random, &email)?;
            }
        }
        tx.commit().await
    }

    /// The confirmation to the writer. It repeats nothing of the input, because the address may be a
    /// stranger's.
    fn receipt_email(&self, to: &EmailAddress, language: Language) -> email::Email {
        let ShopProfile { shop_name, phone, .. } = self.profiles.of(language);
        let reply = self.replies.get(&language).map_or("", String::as_str);
        let text = |key| Messages::text(language, key, &[("reply", &reply), ("phone", phone)]);
        let thanks = text("email.contactReceiptThanks");
        let urgent = (!phone.is_empty()).then(|| text("email.contactReceiptUrgent"));
        let subject = text("email.contactReceiptSubject");
        let body = EmailBody {
            language,
            shop: shop_name.clone(),
            heading: subject.clone(),
            paragraphs: [thanks].into_iter().chain(urgent).collect(),
            button: None,
            footnote: text("email.contactReceiptFootnote"),
        };
        body.into_email(to, &subject)
    }

    /// The notification to the shop.
    fn notice_email(&self, name: &str, email: &str, message: &str) -> Option<email::Email> {
        let language = self.profiles.default_language();
        let shop = EmailAddress::parse(&self.profiles.of(language).email)?;
        let period = self.retention.describe("messages", language).unwrap_or_default();
        let text = |key| {
            Messages::text(
                language,
                key,
                &[("name", &name), ("email", &email), ("period", &period)],
            )
        };
        let lines = message.split('\n').map(str::trim).filter(|line| !line.is_empty());
        let from = text("email.contactNoticeFrom");
        let body = EmailBody {
            language,
            shop: self.profiles.of(language).shop_name.clone(),
            heading: text("email.contactNoticeHeading"),
            paragraphs: [from].into_iter().chain(lines.map(str::to_owned)).collect(),
            button: Some((text("email.contactNoticeButton"), format!("mailto:{email}"))),
            footnote: text("email.contactNoticeFootnote"),
        };
        let email = body.into_email(&shop, &text("email.contactNoticeSubject"));
        Some(email.purpose(Purpose::Shop))
    }
}

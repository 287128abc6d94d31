//! Newsletter subscriptions with double opt-in: an address counts once its owner opened the link that
//! was sent to it. Every e-mail has an unsubscribe link. Links carry a signature, so that no token is
//! stored. The only module that writes `subscribers`.

use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use email::{Email, EmailBody};
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

use crate::contact_messages::Received;
use crate::error_responses::{BadRequest, TooManyRequests};
use crate::settings::{Retention, duration_of_days};
use crate::shop_profiles::ShopProfiles;
use crate::{form_token, schemas, validation};

type SubscriberId = Id<Subscriber>;

/// A repeated request within this time sends no second e-mail.
const RESEND_AFTER: Duration = Duration::from_secs(5 * 60);
const BY_ADDRESS: Limit = Limit::per_hour(20);
const WITHOUT_TOKEN: Limit = Limit::per_hour(5);
const BY_MAILBOX: Limit = Limit::per_hour(5);

/// State of the newsletter handlers.
#[derive(Clone)]
pub struct Newsletter {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    pub profiles: Arc<ShopProfiles>,
    /// The shop's public URL, for links in e-mails.
    pub origin: Arc<str>,
    /// Says how long a confirmation link works.
    pub retention: Arc<Retention>,
}

/// The type that `SubscriberId` is an id of.
enum Subscriber {}

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Newsletter: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(subscribe))
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct NewSubscriber {
    #[serde(default)]
    #[schema(schema_with = schemas::email, required)]
    email: String,
    /// Honeypot: hidden from people, filled in by bots.
    #[serde(default)]
    website: String,
    /// The token from `/api/pass`; without a valid one a stricter rate limit applies.
    #[serde(default)]
    pass: String,
}

/// Subscribe to the newsletter
#[utoipa::path(
    post, path = "/newsletter", tag = "Messages", request_body = NewSubscriber, params(Language),
    responses(
        (status = 202, description = "The same whether or not the address is subscribed", body = Received),
        BadRequest, TooManyRequests,
    )
)]
async fn subscribe(
    State(newsletter): State<Newsletter>,
    language: Language,
    peer: Option<ClientIp>,
    JsonBody(new): JsonBody<NewSubscriber>,
) -> Result<(StatusCode, Json<Received>)> {
    newsletter.subscribe(new, language, peer).await?;
    Ok((StatusCode::ACCEPTED, Json(Received { received: true })))
}

/// What a link is for. Part of its signature, so changing these breaks the links in sent e-mails.
const CONFIRM: &str = "Confirm";
const UNSUBSCRIBE: &str = "Leave";

/// A subscription in its owner's data export.
#[derive(Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionExport {
    email: String,
    language: Option<Language>,
    created_at: Timestamp,
    confirmed_at: Option<Timestamp>,
}

pub async fn export(db: &Db, email: &str) -> Result<Option<SubscriptionExport>> {
    db.query("select email, language, created_at, confirmed_at from subscribers where email = $1")
        .bind(email)
        .optional()
        .await
}

pub fn erase(tx: &mut Tx, email: &str) {
    tx.defer(statement("delete from subscribers where email = $1").bind(email));
}

/// Deletes addresses that were not confirmed in time.
pub(crate) async fn delete_expired(db: &Db, before: Timestamp) -> Result<()> {
    db.query("delete from subscribers where confirmed_at is null and asked_at < $1")
        .bind(before)
        .execute()
        .await
        .map(drop)
}

/// A confirmed address as the shopkeeper exports it, with the unsubscribe link that every e-mail to it
/// needs.
#[derive(Debug, Serialize)]
pub struct SubscriberExport {
    pub email: String,
    pub confirmed: Timestamp,
    /// Empty for the shop's default.
    pub language: String,
    pub leave: String,
}

impl Newsletter {
    /// Stores an address and enqueues the confirmation e-mail, unless it is confirmed or was asked
    /// recently.
    pub async fn subscribe(
        &self,
        new: NewSubscriber,
        language: Language,
        peer: Option<ClientIp>,
    ) -> Result<()> {
        let email = validation::email(&new.email)?;
        if !new.website.is_empty() {
            return Ok(());
        }
        let network = peer.map_or_else(String::new, ClientIp::network);
        let mut counted = vec![
            (format!("newsletter from {network}"), BY_ADDRESS),
            (format!("newsletter to {}", email.mailbox()), BY_MAILBOX),
        ];
        if !form_token::is_valid(&self.secret, &self.clock, &new.pass) {
            counted.push((format!("newsletter without a pass from {network}"), WITHOUT_TOKEN));
        }
        rate_limit::consume(&self.db, &self.clock, &counted).await?;

        let now = self.clock.now();
        let mut tx = self.db.begin().await?;
        let id = SubscriberId::new(&self.clock, &self.random);
        let asked: Option<(SubscriberId,)> = tx
            .query(
                "insert into subscribers (id, email, asked_at, created_at, language)
                 values ($1, $2, $3, $3, $5)
                 on conflict (email) do update
                   set asked_at = excluded.asked_at, language = excluded.language
                   where subscribers.confirmed_at is null and subscribers.asked_at <= $4
                 returning id",
            )
            .bind(&id)
            .bind(email.as_str())
            .bind(now)
            .bind(now.minus(RESEND_AFTER))
            .bind(language)
            .optional()
            .await?;
        if let Some((id,)) = asked {
            let email = self.confirmation_email(&email, &id, language);
            email::enqueue(&mut tx, &self.clock, &self.random, &email)?;
        }
        tx.commit().await
    }

    /// Addresses confirmed in a period, the oldest first.
    pub async fn confirmed_subscribers(
        &self,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<SubscriberExport>> {
        let rows: Vec<(SubscriberId, String, Timestamp, Option<Language>)> = self
            .db
            .query(
                "select id, email, confirmed_at, language from subscribers
                 where confirmed_at >= $1 and confirmed_at < $2 order by confirmed_at, id",
            )
            .bind(from)
            .bind(to)
            .all()
            .await?;
        let export = |(id, email, confirmed, language): (_, _, _, Option<Language>)| {
            let page = self.profiles.language(language);
            let leave = self.link(page, "leave", UNSUBSCRIBE, &id);
            let language = language.map(|language| language.to_string()).unwrap_or_default();
            SubscriberExport { email, confirmed, language, leave }
        };
        Ok(rows.into_iter().map(export).collect())
    }

    /// Returns whether the link was valid. It may be opened repeatedly.
    pub async fn confirm(&self, token: &str) -> Result<bool> {
        let Some(id) = self.verify_token(CONFIRM, token) else { return Ok(false) };
        let (now, within) = (self.clock.now(), duration_of_days(self.retention.keep_unconfirmed));
        let confirmed = self
            .db
            .query(
                "update subscribers set confirmed_at = coalesce(confirmed_at, $2)
                 where id = $1 and (confirmed_at is not null or asked_at > $3)",
            )
            .bind(&id)
            .bind(now)
            .bind(now.minus(within))
            .execute()
            .await?;
        Ok(confirmed > 0)
    }

    /// Returns whether the link was valid. It stays valid after the address was deleted.
    pub async fn unsubscribe(&self, token: &str) -> Result<bool> {
        let Some(id) = self.verify_token(UNSUBSCRIBE, token) else { return Ok(false) };
        self.db.query("delete from subscribers where id = $1").bind(&id).execute().await?;
        Ok(true)
    }

    fn confirmation_email(
        &self,
        to: &EmailAddress,
        id: &SubscriberId,
        language: Language,
    ) -> Email {
        let shop = &self.profiles.of(language).shop_name;
        let period = self.retention.describe("unconfirmed", language).unwrap_or_default();
        let text = |key| {
            Messages::text(language, key, &[("shop", shop), ("email", to), ("period", &period)])
        };
        let confirm = self.link(language, "confirm", CONFIRM, id);
        let body = EmailBody {
            language,
            shop: shop.clone(),
            heading: text("email.newsletterHeading"),
            paragraphs: vec![text("email.newsletterIntro"), text("email.newsletterMonthly")],
            button: Some((text("email.newsletterButton"), confirm)),
            footnote: text("email.newsletterFootnote"),
        };
        let email = body.into_email(to, &text("email.newsletterSubject"));
        Email { unsubscribe_url: Some(self.link(language, "leave", UNSUBSCRIBE, id)), ..email }
    }

    fn link(&self, language: Language, page: &str, purpose: &str, id: &SubscriberId) -> String {
        let path = format!("/newsletter/{page}?token={id}.{}", self.signature(purpose, id));
        format!("{}{}", self.origin, self.profiles.localize(language, &path))
    }

    fn signature(&self, purpose: &str, id: &SubscriberId) -> String {
        let key = self.secret.derive(&format!("newsletter {purpose} {id}"));
        key[..20].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The subscriber in a link's token, when its signature is valid.
    fn verify_token(&self, purpose: &str, token: &str) -> Option<SubscriberId> {
        let (id, signature) = token.split_once('.')?;
        let id: SubscriberId = id.parse().ok()?;
        let own = self.signature(purpose, &id);
        verify_slices_are_equal(own.as_bytes(), signature.as_bytes()).ok()?;
        Some(id)
    }
}

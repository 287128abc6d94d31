//! Who wants the shop's letter. An address counts once its owner has confirmed it by a link; another
//! link takes it off again, for ever and with one press. The links carry what only this shop can have
//! written, so that nothing secret is kept. Alone writes `subscribers`.

use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use base::config::{Retention, in_days};
use base::db::write;
use base::error::ErrorBody;
use base::http::{Peer, Sent};
use base::mail::{self, Letter, Words};
use base::secret::Secret;
use base::{Clock, Db, EmailAddress, Id, Random, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::allowance::{self, Allowance};
use crate::messages::Received;
use crate::{forms, pass, schemas};

type SubscriberId = Id<Subscriber>;

/// Who asks again at once has not looked into the box yet.
const ASKED_AGAIN_AFTER: Duration = Duration::from_secs(5 * 60);
const BY_ADDRESS: Allowance = Allowance { most: 20, window: Duration::from_secs(3600) };
const WITHOUT_PASS: Allowance = Allowance { most: 5, window: Duration::from_secs(3600) };
const BY_MAILBOX: Allowance = Allowance { most: 5, window: Duration::from_secs(3600) };

/// What the newsletter's handlers need.
#[derive(Clone)]
pub struct Newsletter {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    pub shop_name: String,
    /// Where the shop stands, for the links in its letters.
    pub origin: String,
    /// How long a confirmation can wait.
    pub kept: Retention,
}

#[derive(Debug, sqlx::FromRow)]
pub struct Subscriber {
    id: SubscriberId,
    asked_at: Timestamp,
    confirmed_at: Option<Timestamp>,
}

pub fn router() -> OpenApiRouter<Newsletter> {
    OpenApiRouter::new().routes(routes!(subscribe))
}

/// An address as it was typed.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewSubscriber {
    #[serde(default)]
    #[schema(schema_with = schemas::email, required)]
    email: String,
    /// For programs that fill in everything: people do not see it, and leave it empty.
    #[serde(default)]
    website: String,
    /// What `/api/pass` gave; without a good one the form is taken less often.
    #[serde(default)]
    pass: String,
}

/// Ask for the shop's letter
#[utoipa::path(
    post, path = "/newsletter", tag = "Messages", request_body = NewSubscriber,
    responses(
        (status = 202, description = "The same whether or not the address is known already", body = Received),
        (status = 400, body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
async fn subscribe(
    State(newsletter): State<Newsletter>,
    peer: Option<Extension<Peer>>,
    Sent(new): Sent<NewSubscriber>,
) -> Result<(StatusCode, Json<Received>)> {
    newsletter.take(new, peer.map(|Extension(peer)| peer)).await?;
    Ok((StatusCode::ACCEPTED, Json(Received { received: true })))
}

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Confirm,
    Leave,
}

/// Since when an address is known, and since when it is confirmed.
#[derive(Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    email: String,
    created_at: Timestamp,
    confirmed_at: Option<Timestamp>,
}

pub async fn kept(db: &Db, email: &str) -> Result<Option<Kept>> {
    db.query("select email, created_at, confirmed_at from subscribers where email = $1")
        .bind(email)
        .optional()
        .await
}

/// Forgets an address.
pub fn forget(tx: &mut Tx, email: &str) {
    tx.later(write("delete from subscribers where email = $1").bind(email));
}

/// An address that nobody confirmed is nobody's business any more.
pub(crate) async fn forget_old(db: &Db, before: Timestamp) -> Result<()> {
    db.query("delete from subscribers where confirmed_at is null and asked_at < $1")
        .bind(before)
        .execute()
        .await
        .map(drop)
}

/// A confirmed address as the shopkeeper takes it away, with the link that every letter to it must have.
#[derive(Debug, Serialize)]
pub struct Reader {
    pub email: String,
    pub confirmed: Timestamp,
    pub leave: String,
}

impl Newsletter {
    /// Notes an address and asks its owner by a letter, unless it is confirmed or was asked just now.
    pub async fn take(&self, new: NewSubscriber, peer: Option<Peer>) -> Result<()> {
        let email = forms::email(&new.email)?;
        if !new.website.is_empty() {
            return Ok(());
        }
        let network = peer.map_or_else(String::new, Peer::network);
        let mut counted = vec![
            (format!("newsletter from {network}"), BY_ADDRESS),
            (format!("newsletter to {}", email.mailbox()), BY_MAILBOX),
        ];
        if !pass::is_good(&self.secret, &self.clock, &new.pass) {
            counted.push((format!("newsletter without a pass from {network}"), WITHOUT_PASS));
        }
        allowance::spend(&self.db, &self.clock, &counted).await?;

        let now = self.clock.now();
        let mut tx = self.db.begin().await?;
        let id = SubscriberId::new(&self.clock, &self.random);
        let asked = tx
            .query(
                "insert into subscribers (id, email, asked_at, created_at) values ($1, $2, $3, $3)
                 on conflict (email) do update set asked_at = excluded.asked_at
                   where subscribers.confirmed_at is null and subscribers.asked_at <= $4
                 returning id, asked_at, confirmed_at",
            )
            .bind(&id)
            .bind(email.as_str())
            .bind(now)
            .bind(now.minus(ASKED_AGAIN_AFTER));
        let asked: Option<Subscriber> = asked.optional().await?;
        if let Some(Subscriber { id, .. }) = asked {
            let letter = self.letter(&email, &id);
            mail::post(&mut tx, &self.clock, &self.random, &letter)?;
        }
        tx.commit().await
    }

    /// Who confirmed in a span of time, the first one first.
    pub async fn readers(&self, from: Timestamp, to: Timestamp) -> Result<Vec<Reader>> {
        let rows: Vec<(SubscriberId, String, Timestamp)> = self
            .db
            .query(
                "select id, email, confirmed_at from subscribers
                 where confirmed_at >= $1 and confirmed_at < $2 order by confirmed_at, id",
            )
            .bind(from)
            .bind(to)
            .all()
            .await?;
        let reader = |(id, email, confirmed)| {
            let leave = self.link("leave", Purpose::Leave, &id);
            Reader { email, confirmed, leave }
        };
        Ok(rows.into_iter().map(reader).collect())
    }

    /// Whether the link was good; following it twice does no harm.
    pub async fn confirm(&self, token: &str) -> Result<bool> {
        let Some(id) = self.named_by(Purpose::Confirm, token) else { return Ok(false) };
        let mut tx = self.db.begin().await?;
        let found: Option<Subscriber> = tx
            .query("select id, asked_at, confirmed_at from subscribers where id = $1")
            .bind(&id)
            .optional()
            .await?;
        let (now, within) = (self.clock.now(), in_days(self.kept.keep_unconfirmed));
        let good = found.is_some_and(|subscriber| {
            subscriber.confirmed_at.is_some() || now.since(subscriber.asked_at) < within
        });
        if good {
            tx.query(
                "update subscribers set confirmed_at = coalesce(confirmed_at, $2) where id = $1",
            )
            .bind(&id)
            .bind(now)
            .execute()
            .await?;
        }
        tx.commit().await?;
        Ok(good)
    }

    /// Whether the link was good, which it stays: who has left already has left.
    pub async fn leave(&self, token: &str) -> Result<bool> {
        let Some(id) = self.named_by(Purpose::Leave, token) else { return Ok(false) };
        let mut tx = self.db.begin().await?;
        tx.query("delete from subscribers where id = $1").bind(&id).execute().await?;
        tx.commit().await?;
        Ok(true)
    }

    fn letter(&self, to: &EmailAddress, id: &SubscriberId) -> Letter {
        let confirm = self.link("confirm", Purpose::Confirm, id);
        let leave = self.link("leave", Purpose::Leave, id);
        let paragraph = format!(
            "Somebody asked for the letter of {} to be sent to {to}. Please confirm that it was you: \
             nothing is sent before.",
            self.shop_name
        );
        let term = self.kept.said("unconfirmed").unwrap_or_default();
        let footnote = format!(
            "If it was not you, leave this letter alone and the address is forgotten in {term}; or \
             have it forgotten now."
        );
        let words = Words {
            shop: self.shop_name.clone(),
            heading: "Shall we write to you?".into(),
            paragraphs: vec![
                paragraph,
                "It is one letter a month, and every one has a link to leave.".into(),
            ],
            button: Some(("Yes, write to me".into(), confirm)),
            footnote,
        };
        let letter = words.letter(to, "Confirm that you want our letter");
        Letter { leave: Some(leave), ..letter }
    }

    fn link(&self, page: &str, purpose: Purpose, id: &SubscriberId) -> String {
        format!("{}/newsletter/{page}?token={id}.{}", self.origin, self.seal(purpose, id))
    }

    fn seal(&self, purpose: Purpose, id: &SubscriberId) -> String {
        let key = self.secret.derive(&format!("newsletter {purpose:?} {id}"));
        key[..20].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whom a link is for, where this shop wrote it.
    fn named_by(&self, purpose: Purpose, token: &str) -> Option<SubscriberId> {
        let (id, seal) = token.split_once('.')?;
        let id: SubscriberId = id.parse().ok()?;
        let own = self.seal(purpose, &id);
        verify_slices_are_equal(own.as_bytes(), seal.as_bytes()).ok()?;
        Some(id)
    }
}

//! Who waits for what is out of stock. Goods come back in many ways (an import, a cancelled order, another
//! server), and none of them knows of this: whatever moves them moves a revision, and that is followed. A
//! letter is posted in the transaction that takes its row away, so each goes out once; one whose moment was
//! missed is found by the next look. Alone writes `stock_alerts`.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use base::auth::{Authenticates, Caller, Tokens};
use base::db::{Value, again, one_of};
use base::error::ErrorBody;
use base::http::{Peer, Sent};
use base::mail::{self, Letter, Words};
use base::revisions::Revisions;
use base::secret::Secret;
use base::{Clock, Db, EmailAddress, Error, Id, Random, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::allowance::{self, Allowance};
use crate::catalog::{self, ProductId};
use crate::forms;
use crate::messages::Received;
use crate::schemas;

type AlertId = Id<Alert>;

const KEPT_FOR: Duration = Duration::from_secs(365 * 24 * 3600);
const BY_NETWORK: Allowance = Allowance { most: 20, window: Duration::from_secs(3600) };
/// A letter goes to an address that anybody can type: nobody's box is to be filled from here.
const BY_MAILBOX: Allowance = Allowance { most: 10, window: Duration::from_secs(3600) };
const MOST_OF_A_MAILBOX: i64 = 100;
/// Letters that are posted in one transaction.
const TOGETHER: usize = 100;
/// Looked after every change of the goods, but not more often than this, and not more seldom than that.
const SHORTEST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// The letters and digits that a letter's link carries.
const TOKEN: usize = 40;

/// What asking, telling and leaving need.
#[derive(Clone)]
pub struct StockAlerts {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    pub tokens: Tokens,
    pub shop_name: String,
    /// Where the shop stands, for the links in its letters.
    pub origin: String,
}

#[derive(sqlx::FromRow)]
struct Alert {
    id: AlertId,
    product: ProductId,
    name: String,
    #[sqlx(try_from = "String")]
    email: EmailAddress,
}

impl Authenticates for StockAlerts {
    fn tokens(&self) -> &Tokens {
        &self.tokens
    }
}

pub fn router() -> OpenApiRouter<StockAlerts> {
    OpenApiRouter::new().routes(routes!(ask))
}

/// Who wants to hear of which product, as it was typed.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewStockAlert {
    pub product: ProductId,
    #[serde(default)]
    #[schema(schema_with = schemas::email, required)]
    email: String,
    /// For programs that fill in everything: people do not see it, and leave it empty.
    #[serde(default)]
    website: String,
}

/// Ask for a letter when a product is back in stock
#[utoipa::path(
    post, path = "/stock-alerts", tag = "Messages", request_body = NewStockAlert,
    security((), ("accessToken" = [])),
    responses(
        (status = 202, description = "The same whether or not it was asked for already. With the shop's \
         access token as Bearer, it is noted who asked", body = Received),
        (status = 400, body = ErrorBody),
        (status = 401, description = "The token that came is not good", body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`in_stock`: it can be had", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
async fn ask(
    State(alerts): State<StockAlerts>,
    caller: Option<Caller>,
    peer: Option<Extension<Peer>>,
    Sent(new): Sent<NewStockAlert>,
) -> Result<(StatusCode, Json<Received>)> {
    let customer = caller.map(|caller| caller.uid);
    let peer = peer.map(|Extension(peer)| peer);
    match alerts.take(&new, customer.as_deref(), peer).await? {
        Asked::Noted => Ok((StatusCode::ACCEPTED, Json(Received { received: true }))),
        Asked::InStock => Err(Error::Conflict {
            code: "in_stock",
            message: "It is back in stock already.".into(),
        }),
    }
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Noted,
    /// There is nothing to wait for.
    InStock,
}

impl StockAlerts {
    /// Notes who wants to hear of a product.
    pub async fn take(
        &self,
        new: &NewStockAlert,
        customer: Option<&str>,
        peer: Option<Peer>,
    ) -> Result<Asked> {
        let email = forms::email(&new.email)?;
        if !new.website.is_empty() {
            return Ok(Asked::Noted);
        }
        let network = peer.map_or_else(String::new, Peer::network);
        let counted = [
            (format!("stock alerts from {network}"), BY_NETWORK),
            (format!("stock alerts to {}", email.mailbox()), BY_MAILBOX),
        ];
        allowance::spend(&self.db, &self.clock, &counted).await?;
        let now = self.clock.now();
        let ids = std::slice::from_ref(&new.product);
        let card = catalog::cards_of(&self.db, now, ids).await?.pop();
        if card.ok_or(Error::NotFound("product"))?.qtn > 0 {
            return Ok(Asked::InStock);
        }
        again(|| self.note(&new.product, &email, customer)).await?;
        Ok(Asked::Noted)
    }

    async fn note(&self, product: &ProductId, email: &str, customer: Option<&str>) -> Result<()> {
        let leaves_by = hash(&self.token(email));
        let mut tx = self.db.begin().await?;
        let sql = "select count(*) from stock_alerts where leaves_by = $1 and product <> $2";
        let (others,): (i64,) = tx.query(sql).bind(leaves_by.as_str()).bind(product).one().await?;
        if others >= MOST_OF_A_MAILBOX {
            return Err(Error::TooMany("This address waits for many things already."));
        }
        // Asked again, the year begins again.
        tx.query(
            "insert into stock_alerts (id, product, email, customer, leaves_by, created_at)
             values ($1, $2, $3, $4, $5, $6)
             on conflict (product, email) do update set created_at = excluded.created_at,
               customer = coalesce(excluded.customer, stock_alerts.customer)",
        )
        .bind(&AlertId::new(&self.clock, &self.random))
        .bind(product)
        .bind(email)
        .bind(customer)
        .bind(leaves_by)
        .bind(self.clock.now())
        .execute()
        .await?;
        tx.commit().await
    }

    /// Writes to whoever waits for what can be had again, for as long as the program runs.
    pub async fn keep(self, revisions: Revisions) {
        let mut moved = revisions.watch();
        loop {
            if let Err(why) = self.tell().await {
                tracing::warn!(%why, "could not write to those who wait for goods");
            }
            let _ = tokio::time::timeout(LONGEST_PAUSE, moved.changed()).await;
            tokio::time::sleep(SHORTEST_PAUSE).await;
        }
    }

    /// Posts a letter to each who waits for what is there.
    pub async fn tell(&self) -> Result<()> {
        loop {
            // Looked for before a write lock is asked for, which most often is not needed.
            let due: Vec<Alert> = self
                .db
                .query(format!(
                    "select a.id, a.product, p.name, a.email from stock_alerts a
                     join products p on p.id = a.product where p.qtn > 0
                     order by a.created_at, a.id limit {TOGETHER}"
                ))
                .all()
                .await?;
            if due.is_empty() {
                return Ok(());
            }
            again(|| self.post(&due)).await?;
        }
    }

    /// Of two servers that try, the second finds the rows gone, and posts nothing.
    async fn post(&self, due: &[Alert]) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let sql =
            format!("delete from stock_alerts where {} returning id", one_of("id", 1, due.len()));
        let ids = due.iter().map(|alert| Value::from(&alert.id));
        let taken: Vec<(AlertId,)> = tx.query(sql).bind_all(ids).all().await?;
        for alert in due.iter().filter(|alert| taken.iter().any(|(id,)| *id == alert.id)) {
            mail::post(&mut tx, &self.clock, &self.random, &self.letter(alert))?;
        }
        tx.commit().await
    }

    fn letter(&self, Alert { product, name, email, .. }: &Alert) -> Letter {
        let leave = format!("{}/back-in-stock/leave?token={}", self.origin, self.token(email));
        let words = Words {
            shop: self.shop_name.clone(),
            heading: format!("{name} is back"),
            paragraphs: vec![
                format!("You asked us to tell you when {name} can be had again. It can."),
                "It is not set aside for you: whoever comes first has it.".into(),
            ],
            button: Some(("See it".into(), format!("{}/product/{product}", self.origin))),
            footnote:
                "You get this letter once, because this address was left on the product's page. \
                       You may wait for other things, and want no letter about them either."
                    .into(),
        };
        let letter = words.letter(email, &format!("{name} is back in stock"));
        Letter { leave: Some(leave), ..letter }
    }

    /// Whether the link could be ours. Whoever has left already has left.
    pub async fn leave(&self, token: &str) -> Result<bool> {
        if token.len() != TOKEN {
            return Ok(false);
        }
        let sql = "delete from stock_alerts where leaves_by = $1";
        self.db.query(sql).bind(hash(token)).execute().await?;
        Ok(true)
    }

    /// What the letters to an address carry: only this shop can have written it, and no letter's is another
    /// address's.
    fn token(&self, email: &str) -> String {
        let key = self.secret.derive(&format!("stock alerts to {email}"));
        key[..TOKEN / 2].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn hash(token: &str) -> String {
    Id::<Alert>::named(token).to_string()
}

/// What a customer waits for.
#[derive(Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct OwnAlert {
    pub product: ProductId,
    pub email: String,
    #[serde(rename = "askedAt")]
    pub created_at: Timestamp,
}

/// What was asked for by a customer who was signed in.
pub(crate) async fn of_customer(db: &Db, customer: &str) -> Result<Vec<OwnAlert>> {
    db.query(
        "select product, email, created_at from stock_alerts where customer = $1
         order by created_at, product",
    )
    .bind(customer)
    .all()
    .await
}

/// Forgets what a customer asked for, and, where an address is known to be theirs, what was asked for by
/// it: anybody can register with a stranger's.
pub(crate) async fn forget(tx: &mut Tx, customer: &str, proven_email: Option<&str>) -> Result<()> {
    tx.query("delete from stock_alerts where customer = $1 or email = $2")
        .bind(customer)
        .bind(proven_email)
        .execute()
        .await
        .map(drop)
}

pub(crate) async fn forget_old(db: &Db, clock: &Clock) -> Result<()> {
    db.query("delete from stock_alerts where created_at < $1")
        .bind(clock.now().minus(KEPT_FOR))
        .execute()
        .await
        .map(drop)
}

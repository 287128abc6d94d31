//! Back-in-stock alerts. Stock returns in many ways (import, cancelled order, another server) which do
//! not know about alerts, so this follows the cache tags that all of them bump. The e-mail is enqueued
//! in the transaction that deletes the alert, so it is sent once; a missed change is found by the next
//! run. The only module that writes `stock_alerts`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use email::{Email, EmailBody};
use messages::Messages;
use platform::auth::Customer;
use platform::db::{SqlValue, in_list, retry_on_conflict};
use platform::error::ErrorBody;
use platform::http::{ClientIp, JsonBody};
use platform::rate_limit::{self, Limit};
use platform::revisions::Revisions;
use platform::secret::Secret;
use platform::{
    Clock, Context, Db, EmailAddress, Error, Exchange, Id, Language, Random, Result, Timestamp, Tx,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::catalog::{self, CatalogView, LineVariant, ProductId, VariantId};
use crate::contact_messages::Received;
use crate::error_responses::{BadRequest, NotFound, TooManyRequests};
use crate::schemas;
use crate::shop_profiles::ShopProfiles;
use crate::validation;

type AlertId = Id<Alert>;
type AlertedVariants = BTreeMap<(VariantId, Language), LineVariant>;

const RETENTION: Duration = Duration::from_secs(365 * 24 * 3600);
const BY_NETWORK: Limit = Limit::per_hour(20);
/// Anybody can type a stranger's address, which then gets the alert.
const BY_MAILBOX: Limit = Limit::per_hour(10);
const MAX_PER_MAILBOX: i64 = 100;
/// E-mails per transaction.
const BATCH_SIZE: usize = 100;
/// Checked after every change of the catalogue, within these bounds.
const MIN_INTERVAL: Duration = Duration::from_secs(1);
const MAX_INTERVAL: Duration = Duration::from_secs(60);
/// Hexadecimal digits of an unsubscribe token.
const TOKEN_LEN: usize = 40;

/// State of the handler and the background task.
#[derive(Clone)]
pub struct StockAlerts {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    pub profiles: Arc<ShopProfiles>,
    /// The shop's public URL, for links in e-mails.
    pub origin: Arc<str>,
}

#[derive(sqlx::FromRow)]
struct Alert {
    id: AlertId,
    variant: VariantId,
    #[sqlx(try_from = "String")]
    email: EmailAddress,
    language: Option<Language>,
}

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    StockAlerts: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(request_stock_alert))
}

/// A request for an alert as submitted.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewStockAlert {
    /// A variant's id; a product's id means its default variant.
    pub product: VariantId,
    #[serde(default)]
    #[schema(schema_with = schemas::email, required)]
    email: String,
    /// Honeypot: hidden from people, filled in by bots.
    #[serde(default)]
    website: String,
}

/// Request an e-mail when a product is back in stock
#[utoipa::path(
    post, path = "/stock-alerts", tag = "Messages", request_body = NewStockAlert, params(Language),
    security((), ("accessToken" = [])),
    responses(
        (status = 202, description = "The same when it was requested before. With the shop's \
         access token as Bearer, the alert belongs to the account", body = Received),
        (status = 401, description = "The token is not valid", body = ErrorBody),
        (status = 409, description = "`in_stock`: it is in stock", body = ErrorBody),
        BadRequest, NotFound, TooManyRequests,
    )
)]
async fn request_stock_alert(
    State(alerts): State<StockAlerts>,
    caller: Option<Customer>,
    language: Language,
    peer: Option<ClientIp>,
    JsonBody(new): JsonBody<NewStockAlert>,
) -> Result<(StatusCode, Json<Received>)> {
    let customer = caller.map(|caller| caller.uid);
    match alerts.submit(&new, language, customer.as_deref(), peer).await? {
        StockAlertOutcome::Accepted => {
            Ok((StatusCode::ACCEPTED, Json(Received { received: true })))
        }
        StockAlertOutcome::InStock(_) => {
            Err(Error::conflict("in_stock", "It is back in stock already."))
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StockAlertOutcome {
    Accepted,
    /// It can be had, on the page of this product.
    InStock(ProductId),
}

impl StockAlerts {
    /// Stores a request for an alert.
    pub async fn submit(
        &self,
        new: &NewStockAlert,
        language: Language,
        customer: Option<&str>,
        peer: Option<ClientIp>,
    ) -> Result<StockAlertOutcome> {
        let email = validation::email(&new.email)?;
        if !new.website.is_empty() {
            return Ok(StockAlertOutcome::Accepted);
        }
        let network = peer.map_or_else(String::new, ClientIp::network);
        let counted = [
            (format!("stock alerts from {network}"), BY_NETWORK),
            (format!("stock alerts to {}", email.mailbox()), BY_MAILBOX),
        ];
        rate_limit::consume(&self.db, &self.clock, &counted).await?;
        let ids = std::slice::from_ref(&new.product);
        let variant = catalog::line_variants(&self.db, self.view(None), ids).await?.pop();
        let variant = variant.ok_or(Error::NotFound("product"))?;
        if variant.available() > 0 {
            return Ok(StockAlertOutcome::InStock(variant.product));
        }
        retry_on_conflict(|| self.upsert(&new.product, &email, language, customer)).await?;
        Ok(StockAlertOutcome::Accepted)
    }

    /// No prices are shown.
    fn view(&self, language: Option<Language>) -> CatalogView {
        let (now, to) = (self.clock.now(), Exchange::default());
        CatalogView { now, to, language, lowest_price_days: 0 }
    }

    async fn upsert(
        &self,
        variant: &VariantId,
        email: &str,
        language: Language,
        customer: Option<&str>,
    ) -> Result<()> {
        let leaves_by = hash(&self.token(email));
        let mut tx = self.db.begin().await?;
        let sql = "select count(*) from stock_alerts where leaves_by = $1 and variant <> $2";
        let (others,): (i64,) = tx.query(sql).bind(leaves_by.as_str()).bind(variant).one().await?;
        if others >= MAX_PER_MAILBOX {
            let message = "This address has too many stock alerts already.";
            let status = StatusCode::TOO_MANY_REQUESTS;
            return Err(Error::refused(status, "too_many_alerts", message));
        }
        // A repeated request restarts the retention period.
        tx.query(
            "insert into stock_alerts (id, variant, email, customer, leaves_by, created_at, language)
             values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (variant, email) do update set created_at = excluded.created_at,
               language = excluded.language,
               customer = coalesce(excluded.customer, stock_alerts.customer)",
        )
        .bind(&AlertId::new(&self.clock, &self.random))
        .bind(variant)
        .bind(email)
        .bind(customer)
        .bind(leaves_by)
        .bind(self.clock.now())
        .bind(language)
        .execute()
        .await?;
        tx.commit().await
    }

    /// Sends due alerts after every change of the catalogue.
    pub async fn run(self, revisions: Revisions) {
        let mut changes = revisions.subscribe();
        loop {
            if let Err(why) = self.send_due().await {
                tracing::warn!(%why, "could not send stock alerts");
            }
            let _ = tokio::time::timeout(MAX_INTERVAL, changes.changed()).await;
            tokio::time::sleep(MIN_INTERVAL).await;
        }
    }

    /// Enqueues an e-mail for every alert whose variant is in stock.
    pub async fn send_due(&self) -> Result<()> {
        loop {
            // Queried outside the write transaction, because most often nothing is due.
            let due: Vec<Alert> = self
                .db
                .query(format!(
                    "select a.id, a.variant, a.email, a.language
                     from stock_alerts a join variants v on v.id = a.variant
                       join products p on p.id = v.product
                     where v.qtn > 0 and v.status = 'active' and p.status = 'active'
                     order by a.created_at, a.id limit {BATCH_SIZE}"
                ))
                .all()
                .await?;
            if due.is_empty() {
                return Ok(());
            }
            let variants = self.variants_of(&due).await?;
            retry_on_conflict(|| self.send_batch(&due, &variants)).await?;
        }
    }

    /// The variants of these alerts, by their ids and the language of the e-mail.
    async fn variants_of(&self, due: &[Alert]) -> Result<AlertedVariants> {
        let mut wanted: BTreeMap<Language, BTreeSet<VariantId>> = BTreeMap::new();
        for alert in due {
            let language = self.profiles.language(alert.language);
            wanted.entry(language).or_default().insert(alert.variant.clone());
        }
        let mut variants = AlertedVariants::new();
        for (language, ids) in wanted {
            let ids: Vec<VariantId> = ids.into_iter().collect();
            let to = self.profiles.translation(language);
            let found = catalog::line_variants(&self.db, self.view(to), &ids).await?;
            variants.extend(found.into_iter().map(|one| ((one.id.clone(), language), one)));
        }
        Ok(variants)
    }

    /// When two servers try, the second one finds the rows deleted and sends nothing.
    async fn send_batch(&self, due: &[Alert], variants: &AlertedVariants) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let sql =
            format!("delete from stock_alerts where {} returning id", in_list("id", 1, due.len()));
        let ids = due.iter().map(|alert| SqlValue::from(&alert.id));
        let deleted: Vec<(AlertId,)> = tx.query(sql).bind_all(ids).all().await?;
        for alert in due.iter().filter(|alert| deleted.iter().any(|(id,)| *id == alert.id)) {
            let language = self.profiles.language(alert.language);
            if let Some(variant) = variants.get(&(alert.variant.clone(), language)) {
                let email = self.email(alert, variant, language);
                email::enqueue(&mut tx, &self.clock, &self.random, &email)?;
            }
        }
        tx.commit().await
    }

    fn email(&self, alert: &Alert, variant: &LineVariant, language: Language) -> Email {
        let Alert { email, .. } = alert;
        let name = variant.options.title(&variant.name);
        let text = |key| Messages::text(language, key, &[("product", &name)]);
        let url =
            |path: String| format!("{}{}", self.origin, self.profiles.localize(language, &path));
        let leave = url(format!("/back-in-stock/leave?token={}", self.token(email)));
        let see = url(variant.path());
        let body = EmailBody {
            language,
            shop: self.profiles.of(language).shop_name.clone(),
            heading: text("email.backInStockHeading"),
            paragraphs: vec![text("email.backInStockIntro"), text("email.backInStockFirst")],
            button: Some((text("email.backInStockButton"), see)),
            footnote: text("email.backInStockFootnote"),
        };
        let message = body.into_email(email, &text("email.backInStockSubject"));
        Email { unsubscribe_url: Some(leave), ..message }
    }

    /// Returns whether the token could be valid, also when nothing is left to delete.
    pub async fn unsubscribe(&self, token: &str) -> Result<bool> {
        if token.len() != TOKEN_LEN {
            return Ok(false);
        }
        let sql = "delete from stock_alerts where leaves_by = $1";
        self.db.query(sql).bind(hash(token)).execute().await?;
        Ok(true)
    }

    /// The unsubscribe token of an e-mail address. Nobody else can compute it.
    fn token(&self, email: &str) -> String {
        let key = self.secret.derive(&format!("stock alerts to {email}"));
        key[..TOKEN_LEN / 2].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn hash(token: &str) -> String {
    Id::<Alert>::from_name(token).to_string()
}

/// An alert in its customer's data export.
#[derive(Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct OwnAlert {
    pub variant: VariantId,
    pub email: String,
    pub language: Option<Language>,
    #[serde(rename = "askedAt")]
    pub created_at: Timestamp,
}

/// Alerts that the customer requested while signed in.
pub(crate) async fn export(db: &Db, customer: &str) -> Result<Vec<OwnAlert>> {
    db.query(
        "select variant, email, language, created_at from stock_alerts where customer = $1
         order by created_at, variant",
    )
    .bind(customer)
    .all()
    .await
}

/// Deletes a customer's alerts. Those of an e-mail address are deleted only when it is verified,
/// because anybody can register with a stranger's.
pub(crate) async fn erase(tx: &mut Tx, customer: &str, verified_email: Option<&str>) -> Result<()> {
    tx.query("delete from stock_alerts where customer = $1 or email = $2")
        .bind(customer)
        .bind(verified_email)
        .execute()
        .await
        .map(drop)
}

pub(crate) async fn delete_expired(db: &Db, clock: &Clock) -> Result<()> {
    db.query("delete from stock_alerts where created_at < $1")
        .bind(clock.now().minus(RETENTION))
        .execute()
        .await
        .map(drop)
}

//! Privacy: exports all personal data of a customer, and deletes accounts. Every module that stores personal
//! data has its line in `export` and in `erase`.

use std::time::Duration;

use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use identity::{AccountDeleted, Identity, OnAccountDeleted};
use platform::auth::RecentSignIn;
use platform::error::ErrorBody;
use platform::jobs::{self, Completion, Job, JobId, Worker};
use platform::pagination::MAX_LIMIT;
use platform::rate_limit::{self, Limit};
use platform::{Clock, Context, Db, Id, PageRequest, Random, Result, revisions};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use shop::orders::{OrderFilter, OrderSettings, OrderStore, Orders};
use shop::{
    ShopContext, addresses, cart, checkout, contact_messages, credit, customers, gift_cards,
    newsletter, orders, promotions, reviews, taxes, wishlist,
};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// By then tokens issued before the deletion have expired, and data written with them is erased too.
const TOKEN_EXPIRY: Duration = Duration::from_secs(75 * 60);
/// How often to check whether the last orders have arrived.
const OPEN_ORDERS_INTERVAL: Duration = Duration::from_secs(24 * 3600);
const DOWNLOADS: Limit = Limit::per_hour(10);

#[derive(Clone)]
pub struct Privacy {
    context: Context,
    pub eraser: AccountEraser,
    pub orders: OrderStore,
    settings: OrderSettings,
}

impl Privacy {
    /// `identity`: the shop's own service, if it is used.
    pub fn new(shop: &ShopContext, identity: Option<Identity>) -> Self {
        let context = shop.context.clone();
        let Context { db, clock, random, .. } = context.clone();
        let Orders { store: orders, settings, .. } = Orders::from_ref(shop);
        Self { context, eraser: AccountEraser { db, clock, random, identity }, orders, settings }
    }
}

impl FromRef<Privacy> for Context {
    fn from_ref(privacy: &Privacy) -> Self {
        privacy.context.clone()
    }
}

/// Erases customers' data, as a job.
#[derive(Clone)]
pub struct AccountEraser {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    /// The shop's own service; with an external one, the browser deletes the account there.
    pub identity: Option<Identity>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Erase {
    customer: String,
    /// Only if verified; the newsletter and messages are found by it.
    email: Option<String>,
    round: u32,
}

pub fn router() -> OpenApiRouter<Privacy> {
    OpenApiRouter::new().routes(routes!(my_data)).routes(routes!(delete_account))
}

/// Export all personal data of the caller as one file
#[utoipa::path(
    get, path = "/account/data", tag = "Customers",
    security(("idToken" = [])),
    responses(
        (status = 200, description = "Sections by name", body = Value),
        (status = 403, description = "`stale_sign_in`: the sign-in is older than five minutes", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
async fn my_data(State(privacy): State<Privacy>, who: RecentSignIn) -> Result<impl IntoResponse> {
    let Context { db, clock, .. } = &privacy.context;
    let limit = (format!("data of {}", who.caller.uid), DOWNLOADS);
    rate_limit::consume(db, clock, &[limit]).await?;
    let file = serde_json::to_string_pretty(&privacy.export(&who).await?)?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"my-data.json\""),
    ];
    Ok((headers, file))
}

/// Delete the caller's account permanently
#[utoipa::path(
    delete, path = "/account", tag = "Customers",
    security(("idToken" = [])),
    responses(
        (status = 202, description = "The deletion is queued. Orders are kept without their customer"),
        (status = 403, description = "`stale_sign_in`: the sign-in is older than five minutes", body = ErrorBody),
    )
)]
async fn delete_account(
    State(privacy): State<Privacy>,
    RecentSignIn { caller, proven_email }: RecentSignIn,
) -> Result<(StatusCode, Json<Value>)> {
    let Context { db, clock, .. } = &privacy.context;
    let erase = Erase { customer: caller.uid, email: proven_email, round: 0 };
    let (mut tx, now) = (db.begin().await?, clock.now());
    jobs::enqueue(&mut tx, erase.job(), &erase, now, now)?;
    tx.commit().await?;
    Ok((StatusCode::ACCEPTED, Json(json!({}))))
}

impl Erase {
    /// A fixed id: repeated requests enqueue one job.
    fn job(&self) -> JobId {
        Id::from_name(&format!("{} {} {}", Self::NAME, self.customer, self.round))
    }
}

impl Job for Erase {
    const NAME: &'static str = "customers.forget";
    type Context = AccountEraser;

    async fn run(self, _: JobId, eraser: &AccountEraser) -> Result<Completion> {
        eraser.erase(&self).await.map(Completion::from)
    }
}

impl Privacy {
    /// The data of the account and, where the e-mail address is verified, of the address.
    async fn export(&self, who: &RecentSignIn) -> Result<Map<String, Value>> {
        let AccountEraser { db, clock, identity, .. } = &self.eraser;
        let uid = who.caller.uid.as_str();
        let mut sections = Map::new();
        let mut add = |section: &str, data: Value| sections.insert(section.to_owned(), data);
        add("writtenAt", json!(clock.now()));
        add("profile", json!(customers::export(db, uid).await?));
        if let Some(identity) = identity {
            add("account", json!(identity.export_account(uid).await?));
        }
        add("addresses", json!(addresses::list(db, uid).await?));
        add("cart", json!(cart::lines(db, uid).await?));
        add("orders", self.orders(uid).await?);
        add("storeCredit", json!(credit::account(db, self.context.currencies.base(), uid).await?));
        add("groups", json!(promotions::groups_of(db, uid).await?));
        add("taxExemption", json!(taxes::exemption_of(db, uid).await?));
        add("wishlist", json!(wishlist::export(db, uid).await?));
        add("reviews", json!(reviews::export(db, uid).await?));
        if let Some(email) = &who.proven_email {
            add("newsletter", json!(newsletter::export(db, email).await?));
            add("messages", json!(contact_messages::export(db, email).await?));
            let (base, now) = (self.context.currencies.base(), clock.now());
            add("giftCards", json!(gift_cards::export(db, base, now, email).await?));
        }
        Ok(sections)
    }

    async fn orders(&self, uid: &str) -> Result<Value> {
        let filter = OrderFilter { customer: Some(uid), ..OrderFilter::default() };
        let (mut all, mut request) = (Vec::new(), PageRequest::first(MAX_LIMIT));
        loop {
            let page = self.orders.list(&filter, &request).await?;
            for (order, _) in page.items {
                all.push(self.orders.details(order, &self.settings).await?);
            }
            if page.next.is_none() {
                return Ok(json!(all));
            }
            request.after = page.next;
        }
    }
}

impl AccountEraser {
    pub fn register(self, worker: Worker) -> Worker {
        let eraser = self.clone();
        let on_deleted: OnAccountDeleted = Box::new(move |AccountDeleted { account, email }| {
            let eraser = eraser.clone();
            let erase = Erase { customer: account, email, round: 0 };
            Box::pin(async move { eraser.erase(&erase).await })
        });
        worker.register::<Erase>(self).register::<AccountDeleted>(on_deleted)
    }

    /// Erases a customer's data in one transaction, and schedules itself again until all tokens have expired and
    /// the last order has arrived.
    async fn erase(&self, Erase { customer, email, round }: &Erase) -> Result<()> {
        let Self { db, clock, random, identity } = self;
        let mut tx = db.begin().await?;
        wishlist::erase(&mut tx, customer, email.as_deref()).await?;
        let photo = customers::erase(&mut tx, customer).await?;
        if let Some(photo) = photo {
            media::remove_avatar(&mut tx, clock, random, &photo).await?;
        }
        addresses::erase(&mut tx, customer);
        cart::erase(&mut tx, customer);
        checkout::erase(&mut tx, customer);
        promotions::erase(&mut tx, customer);
        let mut moved = taxes::erase(&mut tx, customer).await?;
        if let Some(email) = email {
            newsletter::erase(&mut tx, email);
            contact_messages::erase(&mut tx, email);
            gift_cards::erase(&mut tx, email);
        }
        let open = orders::anonymize(&mut tx, customer).await?;
        credit::erase(&mut tx, clock, random, customer).await?;
        if *round == 0 || open > 0 {
            // Without the e-mail address: a newer subscription must stay.
            let next = Erase { customer: customer.clone(), email: None, round: round + 1 };
            let wait = if *round == 0 { TOKEN_EXPIRY } else { OPEN_ORDERS_INTERVAL };
            let now = clock.now();
            jobs::enqueue(&mut tx, next.job(), &next, now.plus(wait), now)?;
        }
        moved.extend(reviews::erase(&mut tx, customer).await?);
        if !moved.is_empty() {
            revisions::bump(&mut tx, moved).await?;
        }
        tx.commit().await?;
        match identity {
            Some(identity) => identity.delete_account(customer).await,
            None => Ok(()),
        }
    }
}

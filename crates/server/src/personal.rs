//! All that the program holds about one person: to be handed out, or to be forgotten. Every noun that
//! keeps something personal has its line in `collect` and in `forget`.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use base::auth::{Authenticates, Fresh, Tokens};
use base::error::ErrorBody;
use base::jobs::{self, Worker};
use base::{Clock, Db, Id, Random, Result, revisions};
use identity::{DELETED, Deleted, Identity};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use shop::allowance::{self, Allowance};
use shop::orders::{Book, Filter, Settings};
use shop::{addresses, cart, checkout, credit, customers, messages, newsletter, orders};
use shop::{reviews, wishlist};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The job that forgets a customer.
const FORGET: &str = "customers.forget";
/// Tokens that were given before may still be used for a while. By then they are dead, and what was done
/// with them is forgotten too.
const TOKENS_ARE_DEAD: Duration = Duration::from_secs(75 * 60);
/// How often somebody looks whether the last orders have arrived.
const ORDERS_ARRIVE: Duration = Duration::from_secs(24 * 3600);
const DOWNLOADS: Allowance = Allowance { most: 10, window: Duration::from_secs(3600) };
const PAGE: i64 = 200;

#[derive(Clone)]
pub struct Personal {
    pub people: People,
    pub tokens: Tokens,
    pub book: Book,
    pub settings: Settings,
}

impl Authenticates for Personal {
    fn tokens(&self) -> &Tokens {
        &self.tokens
    }
}

/// Who can be forgotten.
#[derive(Clone)]
pub struct People {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    /// The shop's own service; where a hosted one stands in for it, the browser ends the account there.
    pub identity: Option<Identity>,
}

/// Somebody to be forgotten.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Forget {
    customer: String,
    /// Where it was shown to be theirs; letters and messages go by it.
    email: Option<String>,
    round: u32,
}

pub fn router() -> OpenApiRouter<Personal> {
    OpenApiRouter::new().routes(routes!(my_data)).routes(routes!(delete_account))
}

/// All that the shop holds about whoever asks, as one file
#[utoipa::path(
    get, path = "/account/data", tag = "Customers",
    security(("idToken" = [])),
    responses(
        (status = 200, description = "Sections by name. Wants the identity provider's ID token as \
         Bearer, of a sign-in of the last five minutes", body = Value),
        (status = 401, body = ErrorBody),
        (status = 403, description = "`stale_sign_in`: signed in longer ago", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
async fn my_data(State(personal): State<Personal>, who: Fresh) -> Result<impl IntoResponse> {
    let People { db, clock, .. } = &personal.people;
    let counted = (format!("data of {}", who.caller.uid), DOWNLOADS);
    allowance::spend(db, clock, &[counted]).await?;
    let file = serde_json::to_string_pretty(&personal.collect(&who).await?)?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"my-data.json\""),
    ];
    Ok((headers, file))
}

/// Delete one's account, for good
#[utoipa::path(
    delete, path = "/account", tag = "Customers",
    security(("idToken" = [])),
    responses(
        (status = 202, description = "It is being deleted, whatever happens from here on. Orders are \
         kept without their customer. Wants the identity provider's ID token as Bearer, of a sign-in \
         of the last five minutes"),
        (status = 401, body = ErrorBody),
        (status = 403, description = "`stale_sign_in`: signed in longer ago", body = ErrorBody),
    )
)]
async fn delete_account(
    State(personal): State<Personal>,
    Fresh { caller, proven_email }: Fresh,
) -> Result<(StatusCode, Json<Value>)> {
    let People { db, clock, .. } = &personal.people;
    let forget = Forget { customer: caller.uid, email: proven_email, round: 0 };
    let (mut tx, now) = (db.begin().await?, clock.now());
    jobs::enqueue(&mut tx, forget.job(), FORGET, &forget, now, now)?;
    tx.commit().await?;
    Ok((StatusCode::ACCEPTED, Json(json!({}))))
}

impl Forget {
    /// However often it is asked for, it waits once.
    fn job(&self) -> Id<jobs::Job> {
        Id::named(&format!("{FORGET} {} {}", self.customer, self.round))
    }
}

impl Personal {
    /// What is kept by account, and, where the address is known to be theirs, what is kept by address.
    async fn collect(&self, who: &Fresh) -> Result<Map<String, Value>> {
        let People { db, clock, identity, .. } = &self.people;
        let uid = who.caller.uid.as_str();
        let mut told = Map::new();
        let mut tell = |section: &str, what: Value| told.insert(section.to_owned(), what);
        tell("writtenAt", json!(clock.now()));
        tell("profile", json!(customers::kept(db, uid).await?));
        if let Some(identity) = identity {
            tell("account", json!(identity.told(uid).await?));
        }
        tell("addresses", json!(addresses::of(db, uid).await?));
        tell("cart", json!(cart::kept(db, uid).await?));
        tell("orders", self.orders(uid).await?);
        tell("storeCredit", json!(credit::of_customer(db, uid).await?));
        tell("wishlist", json!(wishlist::of_customer(db, uid).await?));
        tell("reviews", json!(reviews::of_customer(db, uid).await?));
        if let Some(email) = &who.proven_email {
            tell("newsletter", json!(newsletter::kept(db, email).await?));
            tell("messages", json!(messages::kept(db, email).await?));
        }
        Ok(told)
    }

    async fn orders(&self, uid: &str) -> Result<Value> {
        let filter = Filter { customer: Some(uid), ..Filter::default() };
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let page = self.book.list(&filter, after.as_ref(), PAGE).await?;
            let last = (page.len() as i64) < PAGE;
            after = page.last().map(|(order, _)| base::Cursor {
                created_at: order.created_at,
                id: order.id.clone(),
            });
            for (order, _) in page {
                all.push(self.book.now(order, &self.settings).await?);
            }
            if last {
                return Ok(json!(all));
            }
        }
    }
}

impl People {
    /// The worker, with the jobs that forget.
    pub fn on(self, worker: Worker) -> Worker {
        let people = self.clone();
        worker.on(FORGET, move |forget: Forget| self.clone().forget(forget)).on(
            DELETED,
            move |Deleted { account, email }: Deleted| {
                people.clone().forget(Forget { customer: account, email, round: 0 })
            },
        )
    }

    /// Forgets somebody, all at once or not at all; and again later, until there is nothing left to come.
    async fn forget(self, forget: Forget) -> Result<()> {
        let Self { db, clock, random, identity } = &self;
        let Forget { customer, email, round } = &forget;
        let mut tx = db.begin().await?;
        wishlist::forget(&mut tx, customer, email.as_deref()).await?;
        let photo = customers::forget(&mut tx, customer).await?;
        if let Some(photo) = photo {
            media::remove_portrait(&mut tx, clock, random, &photo).await?;
        }
        addresses::forget(&mut tx, customer);
        cart::forget(&mut tx, customer);
        checkout::forget(&mut tx, customer);
        if let Some(email) = email {
            newsletter::forget(&mut tx, email);
            messages::forget(&mut tx, email);
        }
        let open = orders::forget(&mut tx, customer).await?;
        credit::forget(&mut tx, clock, random, customer).await?;
        if *round == 0 || open > 0 {
            // Whoever subscribes again meanwhile means it.
            let next = Forget { customer: customer.clone(), email: None, round: round + 1 };
            let wait = if *round == 0 { TOKENS_ARE_DEAD } else { ORDERS_ARRIVE };
            let now = clock.now();
            jobs::enqueue(&mut tx, next.job(), FORGET, &next, now.plus(wait), now)?;
        }
        let moved = reviews::forget(&mut tx, customer).await?;
        if !moved.is_empty() {
            revisions::changed(&mut tx, moved).await?;
        }
        tx.commit().await?;
        match identity {
            Some(identity) => identity.forget(customer).await,
            None => Ok(()),
        }
    }
}

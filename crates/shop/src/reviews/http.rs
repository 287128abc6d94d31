//! The reviews' API: everybody reads them, buyers write theirs, customers say which ones helped.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use base::auth::{Authenticates, Caller, Tokens};
use base::cache::{Cache, Fresh};
use base::error::ErrorBody;
use base::http::{Params, PathId, Sent};
use base::{Error, Result};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::store::{page, summary};
use super::{
    Guestbook, NewReview, OwnReview, Part, Review, ReviewId, ReviewPage, Sort, Summary,
    scope_of_reviews,
};
use crate::allowance::{Allowance, spend};
use crate::catalog::{self, Product, ProductId};
use crate::orders;

const HOUR: Duration = Duration::from_secs(3600);
/// Nobody has bought so much at once; nor finds so much to mend.
const WRITES: Allowance = Allowance { most: 30, window: HOUR };
const VOTES: Allowance = Allowance { most: 200, window: HOUR };

/// What the reviews' handlers need.
#[derive(Clone)]
pub struct Reviews {
    pub book: Guestbook,
    pub cache: Cache,
    pub tokens: Tokens,
}

impl Authenticates for Reviews {
    fn tokens(&self) -> &Tokens {
        &self.tokens
    }
}

pub fn router() -> OpenApiRouter<Reviews> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(get_own, write_own, delete_own))
        .routes(routes!(helped, did_not_help))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// `newest` (as when it is left out), `oldest`, `highest`, `lowest` or `helpful`.
    #[param(value_type = Option<Sort>)]
    sort: Option<String>,
    /// Which page of ten, from 1 to 1000.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 1000)]
    page: Option<String>,
}

impl ListParams {
    /// A parameter without a value is one that was left out.
    fn parse(&self) -> Result<Part> {
        let said = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let sort = match said(&self.sort) {
            None => Sort::default(),
            Some(word) => word.parse().map_err(|why: String| Error::invalid("sort", why))?,
        };
        let number = match said(&self.page) {
            None => 1,
            Some(text) => Part::number(&text)
                .ok_or_else(|| Error::invalid("page", "a number from 1 to 1000"))?,
        };
        Ok(Part { sort, number })
    }
}

/// A product's reviews, ten at a time, with what all of them come to
#[utoipa::path(
    get, path = "/products/{id}/reviews", tag = "Reviews",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The product's `_id`"), ListParams),
    responses(
        (status = 200, body = ReviewPage),
        (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody),
    )
)]
async fn list(
    State(Reviews { book, cache, .. }): State<Reviews>,
    PathId(id): PathId<Product>,
    Params(params): Params<ListParams>,
    headers: HeaderMap,
) -> Result<Response> {
    let part = params.parse()?;
    let Guestbook { db, clock, .. } = book;
    let kept = cache
        .get(
            &format!("/api/products/{id}/reviews?{}&{}", part.sort, part.number),
            async move || {
                if !catalog::sells(&db, &id).await? {
                    return Err(Error::NotFound("product"));
                }
                let found = page(&db, &id, part).await?;
                // Anybody can think of pages that there are not.
                let until = (part.number > found.pages).then(|| clock.now());
                Ok(Fresh {
                    status: StatusCode::OK,
                    content_type: "application/json",
                    body: serde_json::to_vec(&found)?,
                    headers: vec![],
                    shows: vec![scope_of_reviews(&id)],
                    until,
                })
            },
        )
        .await?;
    Ok(kept.respond(&headers))
}

/// What a customer has to do with a product's reviews.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Standing {
    /// What they wrote, whether it is shown or not.
    #[schema(required)]
    review: Option<OwnReview>,
    /// Whether they may write: only who has paid for it or received it may.
    may_write: bool,
    /// Those that they found helpful.
    helpful: Vec<ReviewId>,
    /// What all reviews of the product come to now.
    summary: Summary,
}

impl Reviews {
    async fn mine(&self, customer: &str, product: &ProductId) -> Result<Json<Standing>> {
        let Guestbook { db, .. } = &self.book;
        if !catalog::sells(db, product).await? {
            return Err(Error::NotFound("product"));
        }
        let review = self.book.own(customer, product).await?;
        let may_write = review.is_some() || orders::has_bought(db, customer, product).await?;
        Ok(Json(Standing {
            review,
            may_write,
            helpful: self.book.votes(customer, product).await?,
            summary: summary(db, product).await?,
        }))
    }
}

/// One's own review of a product, and whether one may write it
#[utoipa::path(
    get, path = "/products/{id}/reviews/mine", tag = "Reviews",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The product's `_id`")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer", body = Standing),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
    )
)]
async fn get_own(
    State(reviews): State<Reviews>,
    caller: Caller,
    PathId(id): PathId<Product>,
) -> Result<Json<Standing>> {
    reviews.mine(&caller.uid, &id).await
}

/// Write one's review of a product, or change it
#[utoipa::path(
    put, path = "/products/{id}/reviews/mine", tag = "Reviews", request_body = NewReview,
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The product's `_id`")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer. One that holds a link \
         is `queued` until the shopkeeper has looked at it", body = Standing),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, description = "The caller has neither paid for it nor received it", body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
async fn write_own(
    State(reviews): State<Reviews>,
    caller: Caller,
    PathId(id): PathId<Product>,
    Sent(new): Sent<NewReview>,
) -> Result<Json<Standing>> {
    let said = new.read()?;
    reviews.count(format!("reviews by {}", caller.uid), WRITES).await?;
    reviews.book.write(&caller.uid, &id, &said).await?;
    reviews.mine(&caller.uid, &id).await
}

/// Delete one's review of a product
#[utoipa::path(
    delete, path = "/products/{id}/reviews/mine", tag = "Reviews",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The product's `_id`")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer. Deleting what is gone \
         changes nothing", body = Standing),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
async fn delete_own(
    State(reviews): State<Reviews>,
    caller: Caller,
    PathId(id): PathId<Product>,
) -> Result<Json<Standing>> {
    reviews.count(format!("reviews by {}", caller.uid), WRITES).await?;
    reviews.book.withdraw(&caller.uid, &id).await?;
    reviews.mine(&caller.uid, &id).await
}

/// How many a review has helped.
#[derive(Serialize, ToSchema)]
struct Helped {
    helpful: i64,
}

/// Say that a review helped
#[utoipa::path(
    put, path = "/reviews/{id}/helpful", tag = "Reviews",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The review's `_id`")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer. Saying so twice counts \
         once", body = Helped),
        (status = 401, body = ErrorBody),
        (status = 403, description = "It is the caller's own", body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
async fn helped(
    State(reviews): State<Reviews>,
    caller: Caller,
    PathId(id): PathId<Review>,
) -> Result<Json<Helped>> {
    reviews.vote(&caller, &id, true).await
}

/// Take back that a review helped
#[utoipa::path(
    delete, path = "/reviews/{id}/helpful", tag = "Reviews",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The review's `_id`")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer", body = Helped),
        (status = 401, body = ErrorBody),
        (status = 403, description = "It is the caller's own", body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
async fn did_not_help(
    State(reviews): State<Reviews>,
    caller: Caller,
    PathId(id): PathId<Review>,
) -> Result<Json<Helped>> {
    reviews.vote(&caller, &id, false).await
}

impl Reviews {
    async fn vote(&self, caller: &Caller, id: &ReviewId, yes: bool) -> Result<Json<Helped>> {
        self.count(format!("votes by {}", caller.uid), VOTES).await?;
        Ok(Json(Helped { helpful: self.book.vote(&caller.uid, id, yes).await? }))
    }

    async fn count(&self, subject: String, allowance: Allowance) -> Result<()> {
        spend(&self.book.db, &self.book.clock, &[(subject, allowance)]).await
    }
}

//! HTTP API of reviews: everybody reads them, buyers write them, customers vote for helpful ones.

use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::HeaderMap;
use axum::response::Response;
use platform::auth::Customer;
use platform::error::ErrorBody;
use platform::http::{JsonBody, PathId, QueryParams};
use platform::rate_limit::{self, Limit};
use platform::{Context, Db, Error, Language, Result};
use response_cache::{Cache, NewCacheEntry};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::store::{page, summary};
use super::{
    NewReview, OwnReview, Review, ReviewId, ReviewPage, ReviewPageQuery, ReviewSort, ReviewStore,
    ReviewSummary, reviews_tag,
};
use crate::catalog::{self, Product, ProductId};
use crate::error_responses::{BadRequest, NotFound, TooManyRequests};
use crate::orders;

/// More than any buyer needs.
const WRITES: Limit = Limit::per_hour(30);
const VOTES: Limit = Limit::per_hour(200);

/// State of the review handlers.
#[derive(Clone)]
pub struct Reviews {
    pub store: ReviewStore,
    pub cache: Cache,
}

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Reviews: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(get_own, write_own, delete_own))
        .routes(routes!(vote_helpful, withdraw_vote))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ReviewListParams {
    /// `newest` (default), `oldest`, `highest`, `lowest` or `helpful`.
    #[param(value_type = Option<ReviewSort>)]
    sort: Option<String>,
    /// 1 to 1000, ten reviews each.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 1000)]
    page: Option<String>,
}

impl ReviewListParams {
    /// An empty parameter counts as missing.
    fn parse(&self) -> Result<ReviewPageQuery> {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let sort = match given(&self.sort) {
            None => ReviewSort::default(),
            Some(word) => word.parse().map_err(|why: String| Error::invalid("sort", why))?,
        };
        let number = match given(&self.page) {
            None => 1,
            Some(text) => ReviewPageQuery::number(&text)
                .ok_or_else(|| Error::invalid("page", "a number from 1 to 1000"))?,
        };
        Ok(ReviewPageQuery { sort, number })
    }
}

/// List a product's reviews, ten per page, with their summary
#[utoipa::path(
    get, path = "/products/{id}/reviews", tag = "Reviews",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The product's `_id`"), ReviewListParams, Language),
    responses((status = 200, body = ReviewPage), BadRequest, NotFound)
)]
async fn list(
    State(Reviews { store, cache, .. }): State<Reviews>,
    PathId(id): PathId<Product>,
    QueryParams(params): QueryParams<ReviewListParams>,
    language: Language,
    headers: HeaderMap,
) -> Result<Response> {
    let part = params.parse()?;
    let ReviewStore { db, clock, sender, .. } = store;
    let to = sender.profiles.translation(language);
    let entry = cache
        .get(
            &format!("/api/products/{id}/reviews?{}&{} {language}", part.sort, part.number),
            async move || {
                require_product(&db, &id).await?;
                let found = page(&db, &id, part, to).await?;
                // Not cached beyond the last page: anybody can request any number of those.
                let expires_at = (part.number > found.pages).then(|| clock.now());
                // The product may become a draft.
                let depends_on = vec![reviews_tag(&id), catalog::product_tag(&id)];
                NewCacheEntry::json(&found, vec![], depends_on, expires_at)
            },
        )
        .await?;
    Ok(entry.respond(&headers))
}

/// Fails for a product that does not exist or is a draft.
async fn require_product(db: &Db, id: &ProductId) -> Result<()> {
    match catalog::product_exists(db, id).await? {
        true => Ok(()),
        false => Err(Error::NotFound("product")),
    }
}

/// The caller's own review, rights and votes for a product.
#[derive(Serialize, ToSchema)]
#[schema(as = Standing)]
#[serde(rename_all = "camelCase")]
struct MyReview {
    /// The caller's review, whatever its state.
    #[schema(required)]
    review: Option<OwnReview>,
    /// Only customers who paid for the product or received it may write.
    may_write: bool,
    /// Reviews that the caller voted for.
    helpful: Vec<ReviewId>,
    /// The summary of all visible reviews.
    summary: ReviewSummary,
}

impl Reviews {
    async fn mine(
        &self,
        customer: &str,
        product: &ProductId,
        language: Language,
    ) -> Result<Json<MyReview>> {
        let ReviewStore { db, sender, .. } = &self.store;
        require_product(db, product).await?;
        let mut review = self.store.own(customer, product).await?;
        let bought = review.iter_mut().map(|own| &mut own.review.options.0).collect();
        let language = sender.profiles.translation(language);
        catalog::translate_chosen(db, product, language, bought).await?;
        let may_write = review.is_some() || orders::has_bought(db, customer, product).await?;
        Ok(Json(MyReview {
            review,
            may_write,
            helpful: self.store.votes(customer, product).await?,
            summary: summary(db, product).await?,
        }))
    }
}

/// Get one's review of a product, and whether one may write it
#[utoipa::path(
    get, path = "/products/{id}/reviews/mine", tag = "Reviews",
    params(
        ("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The product's `_id`"),
        Language,
    ),
    security(("accessToken" = [])),
    responses((status = 200, body = MyReview), NotFound)
)]
async fn get_own(
    State(reviews): State<Reviews>,
    caller: Customer,
    PathId(id): PathId<Product>,
    language: Language,
) -> Result<Json<MyReview>> {
    reviews.mine(&caller.uid, &id, language).await
}

/// Write or change one's review of a product
#[utoipa::path(
    put, path = "/products/{id}/reviews/mine", tag = "Reviews", request_body = NewReview,
    params(
        ("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The product's `_id`"),
        Language,
    ),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "A review with a link is `queued` until the shop approves it",
         body = MyReview),
        (status = 403, description = "The caller has neither paid for it nor received it", body = ErrorBody),
        BadRequest, NotFound, TooManyRequests,
    )
)]
async fn write_own(
    State(reviews): State<Reviews>,
    caller: Customer,
    PathId(id): PathId<Product>,
    language: Language,
    JsonBody(new): JsonBody<NewReview>,
) -> Result<Json<MyReview>> {
    let input = new.parse(language)?;
    reviews.count(format!("reviews by {}", caller.uid), WRITES).await?;
    require_product(&reviews.store.db, &id).await?;
    reviews.store.write(&caller.uid, &id, &input).await?;
    reviews.mine(&caller.uid, &id, language).await
}

/// Delete one's review of a product
#[utoipa::path(
    delete, path = "/products/{id}/reviews/mine", tag = "Reviews",
    params(
        ("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The product's `_id`"),
        Language,
    ),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Repeating it changes nothing", body = MyReview),
        NotFound, TooManyRequests,
    )
)]
async fn delete_own(
    State(reviews): State<Reviews>,
    caller: Customer,
    PathId(id): PathId<Product>,
    language: Language,
) -> Result<Json<MyReview>> {
    reviews.count(format!("reviews by {}", caller.uid), WRITES).await?;
    require_product(&reviews.store.db, &id).await?;
    reviews.store.delete(&caller.uid, &id).await?;
    reviews.mine(&caller.uid, &id, language).await
}

/// The number of helpful votes.
#[derive(Serialize, ToSchema)]
struct Helped {
    helpful: i64,
}

/// Vote for a review as helpful
#[utoipa::path(
    put, path = "/reviews/{id}/helpful", tag = "Reviews",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The review's `_id`")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Repeating it changes nothing", body = Helped),
        (status = 403, description = "It is the caller's own", body = ErrorBody),
        NotFound, TooManyRequests,
    )
)]
async fn vote_helpful(
    State(reviews): State<Reviews>,
    caller: Customer,
    PathId(id): PathId<Review>,
) -> Result<Json<Helped>> {
    reviews.vote(&caller, &id, true).await
}

/// Withdraw a helpful vote
#[utoipa::path(
    delete, path = "/reviews/{id}/helpful", tag = "Reviews",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The review's `_id`")),
    security(("accessToken" = [])),
    responses(
        (status = 200, body = Helped),
        (status = 403, description = "It is the caller's own", body = ErrorBody),
        NotFound, TooManyRequests,
    )
)]
async fn withdraw_vote(
    State(reviews): State<Reviews>,
    caller: Customer,
    PathId(id): PathId<Review>,
) -> Result<Json<Helped>> {
    reviews.vote(&caller, &id, false).await
}

impl Reviews {
    async fn vote(&self, caller: &Customer, id: &ReviewId, yes: bool) -> Result<Json<Helped>> {
        self.count(format!("votes by {}", caller.uid), VOTES).await?;
        Ok(Json(Helped { helpful: self.store.vote(&caller.uid, id, yes).await? }))
    }

    async fn count(&self, subject: String, limit: Limit) -> Result<()> {
        rate_limit::consume(&self.store.db, &self.store.clock, &[(subject, limit)]).await
    }
}

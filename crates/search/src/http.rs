//! Searching through the API, with the parameters of the page.

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use base::cache::Cache;
use base::error::ErrorBody;
use base::{Clock, Db, Error, Result};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::choice::{Choice, Pairs, tidy};
use crate::{Search, SearchProps, Suggestions};
use crate::{products, schemas};
use shop::catalog::{Category, CategoryId};

/// Letters that suggestions are made for.
const LONGEST_BEGINNING: usize = 80;

/// What the handlers need.
#[derive(Clone)]
pub struct Finding {
    pub db: Db,
    pub clock: Clock,
    pub cache: Cache,
    pub search: Search,
}

pub fn router() -> OpenApiRouter<Finding> {
    OpenApiRouter::new()
        .routes(routes!(products::list_products))
        .routes(routes!(search))
        .routes(routes!(suggest))
}

/// How `Choice` reads them; here for the description alone.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `Choice::of_program` reads")]
pub struct ChoiceParams {
    /// The words to look for, at most 200 characters; everything when it is left out.
    #[param(max_length = 200)]
    q: Option<String>,
    /// Only this category's.
    #[param(value_type = Option<String>, pattern = "^[A-Za-z0-9_-]{0,64}$")]
    category: Option<base::Id<Category>>,
    /// Only these brands'; may be repeated, up to 20 times.
    #[param(schema_with = schemas::choice_values)]
    brand: Option<Vec<String>>,
    /// Only what comes in one of these colours; may be repeated, up to 20 times.
    #[param(schema_with = schemas::choice_values)]
    colour: Option<Vec<String>>,
    /// The lowest price, in whole dollars.
    #[param(minimum = 0, maximum = 100_000_000)]
    min: Option<u32>,
    /// The highest price, in whole dollars.
    #[param(minimum = 0, maximum = 100_000_000)]
    max: Option<u32>,
    /// `in`: only what is in stock.
    #[param(pattern = "^(in)?$")]
    stock: Option<String>,
    /// Only what has so many stars or more, 1 to 4.
    #[param(minimum = 1, maximum = 4)]
    rating: Option<u8>,
    /// `1`: only what came within the last 30 days.
    #[param(minimum = 1, maximum = 1)]
    new: Option<u8>,
    /// `1`: only what costs less than usual now.
    #[param(minimum = 1, maximum = 1)]
    offer: Option<u8>,
    /// `default` (newest first), `price-asc`, `price-desc`, `best` or `relevance`, which is usual where
    /// there are words.
    #[param(pattern = "^(default|price-asc|price-desc|best|relevance)?$")]
    sort: Option<String>,
    /// 16, 2, 20 or 24.
    #[param(schema_with = schemas::page_size)]
    size: Option<i64>,
    /// From 1 on, as deep as 10,000 products.
    #[param(minimum = 1, maximum = 10_000)]
    page: Option<i64>,
}

/// Products by words and filters
#[utoipa::path(
    get, path = "/search", tag = "Search", params(ChoiceParams),
    responses(
        (status = 200, body = SearchProps),
        (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "There is no such page"),
        (status = 422, body = ErrorBody, description = "The page is deeper than 10,000 products"),
        (status = 503, body = ErrorBody, description = "The index is being made"),
    )
)]
async fn search(State(finding): State<Finding>, RawQuery(query): RawQuery) -> Result<Response> {
    let choice = Choice::of_program(query.as_deref().unwrap_or_default())?.not_too_deep()?;
    let answer = finding.search.answer(&choice).await?;
    Ok(([(CACHE_CONTROL, "no-cache")], Json(answer)).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what is read from the query itself")]
struct SuggestParams {
    /// What is typed so far, at most 80 characters; what sells best when it is empty.
    #[param(max_length = 80)]
    q: Option<String>,
    /// Only this category's.
    #[param(pattern = "^[A-Za-z0-9_-]{0,64}$")]
    category: Option<String>,
}

/// What may be meant by what is typed so far
#[utoipa::path(
    get, path = "/search/suggestions", tag = "Search", params(SuggestParams),
    responses(
        (status = 200, body = Suggestions),
        (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody, description = "The index is being made"),
    )
)]
async fn suggest(State(finding): State<Finding>, RawQuery(query): RawQuery) -> Result<Response> {
    let (q, category) = beginning(query.as_deref().unwrap_or_default())?;
    let suggestions = finding.search.suggest(&q, category).await?;
    Ok(([(CACHE_CONTROL, "no-cache")], Json(suggestions)).into_response())
}

fn beginning(query: &str) -> Result<(String, Option<CategoryId>)> {
    let params = Pairs::of(query);
    if params.broken {
        return Err(Error::invalid("query", "not UTF-8"));
    }
    let q = params.first("q").unwrap_or_default();
    if q.chars().count() > LONGEST_BEGINNING {
        return Err(Error::invalid("q", format!("at most {LONGEST_BEGINNING} characters")));
    }
    let category = params.first("category").filter(|id| !id.is_empty());
    let category =
        category.map(|id| id.parse().map_err(|why| Error::invalid("category", format!("{why}"))));
    Ok((tidy(q, LONGEST_BEGINNING), category.transpose()?))
}

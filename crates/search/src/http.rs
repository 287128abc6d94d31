//! The search API: `GET /api/search` and `GET /api/search/suggestions`.

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use platform::error::ErrorBody;
use platform::{Clock, Db, Error, Exchange, Language, Languages, Result};
use response_cache::Cache;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa::openapi::schema::{Array, ArrayBuilder, Object, ObjectBuilder, Type};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::params::{QueryPairs, SearchParams, normalize_text};
use crate::{MAX_VALUE_CHARS, MAX_VALUES, PAGE_SIZES, Search, SearchProps, Suggestions};
use shop::catalog::{CatalogView, Category, CategoryId};

const MAX_SUGGEST_CHARS: usize = 80;

#[derive(Clone)]
pub struct SearchState {
    pub db: Db,
    pub clock: Clock,
    pub cache: Cache,
    pub search: Search,
    pub languages: Languages,
    /// As in `CatalogView`.
    pub lowest_price_days: u16,
}

impl SearchState {
    pub(crate) fn view(&self, language: Language, to: Exchange) -> CatalogView {
        let language = self.languages.translation(language);
        let lowest_price_days = self.lowest_price_days;
        CatalogView { now: self.clock.now(), to, language, lowest_price_days }
    }
}

pub fn router() -> OpenApiRouter<SearchState> {
    OpenApiRouter::new().routes(routes!(search)).routes(routes!(suggest))
}

/// The query parameters that `/search` and `/products` share.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `SearchParams::from_api_query` parses")]
pub struct FilterParams {
    /// The query text, at most 200 characters; matches everything when it is left out.
    #[param(max_length = 200)]
    q: Option<String>,
    /// Only products in one of these colours; may be repeated, up to 20 times.
    #[param(schema_with = filter_values)]
    colour: Option<Vec<String>>,
    /// Only products with one of these values of an option, like `Size:M`; may be repeated, up to 20 times. Values of one
    /// option are alternatives.
    #[param(schema_with = named_values)]
    option: Option<Vec<String>>,
    /// The same of attributes by which the shop filters, like `Material:Oak`.
    #[param(schema_with = named_values)]
    attribute: Option<Vec<String>>,
    /// The lowest price, in whole units of the currency.
    #[param(minimum = 0, maximum = 100_000_000_000_i64)]
    min: Option<i64>,
    /// The highest price, in whole units of the currency.
    #[param(minimum = 0, maximum = 100_000_000_000_i64)]
    max: Option<i64>,
    /// `in`: only products in stock.
    #[param(pattern = "^(in)?$")]
    stock: Option<String>,
    /// The minimum rating, 1 to 4 stars.
    #[param(minimum = 1, maximum = 4)]
    rating: Option<u8>,
    /// `1`: only products added within the last 30 days.
    #[param(minimum = 1, maximum = 1)]
    new: Option<u8>,
    /// `1`: only products at a reduced price.
    #[param(minimum = 1, maximum = 1)]
    offer: Option<u8>,
    /// `default` (newest first), `price-asc`, `price-desc`, `best` or `relevance` (the default with `q`).
    #[param(pattern = "^(default|price-asc|price-desc|best|relevance)?$")]
    sort: Option<String>,
    /// The page number, from 1; pages end after 10,000 products.
    #[param(minimum = 1, maximum = 10_000)]
    page: Option<i64>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `SearchParams::from_api_query` parses")]
struct SearchOnlyParams {
    /// Only products of this category.
    #[param(value_type = Option<String>, pattern = "^[A-Za-z0-9_-]{0,64}$")]
    category: Option<platform::Id<Category>>,
    /// Only products of these brands; may be repeated, up to 20 times.
    #[param(schema_with = filter_values)]
    brand: Option<Vec<String>>,
    /// The page size: 16, 2, 20 or 24.
    #[param(schema_with = page_size)]
    size: Option<i64>,
}

/// The schema of brands or colours.
fn filter_values() -> Array {
    // No character that `char::is_control` matches.
    let line = r"^[^\u0000-\u001F\u007F-\u009F]*$";
    let value = ObjectBuilder::new().schema_type(Type::String).pattern(Some(line));
    let values = ArrayBuilder::new().items(value.max_length(Some(MAX_VALUE_CHARS)));
    values.max_items(Some(MAX_VALUES)).build()
}

/// The schema of values of options or attributes.
fn named_values() -> Array {
    // As `NamedValue::parse` reads them.
    let pair = r"^([^:\u0000-\u001F\u007F-\u009F]{1,80}:[^\u0000-\u001F\u007F-\u009F]{1,80})?$";
    let value = ObjectBuilder::new().schema_type(Type::String).pattern(Some(pair));
    ArrayBuilder::new().items(value).max_items(Some(MAX_VALUES)).build()
}

fn page_size() -> Object {
    ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some(PAGE_SIZES)).build()
}

/// Search products by text and filters
#[utoipa::path(
    get, path = "/search", tag = "Search", params(FilterParams, SearchOnlyParams, Language, Exchange),
    responses(
        (status = 200, body = SearchProps),
        (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "No such page"),
        (status = 422, body = ErrorBody, description = "The page is beyond 10,000 products"),
        (status = 503, body = ErrorBody, description = "Too many searches at a time"),
    )
)]
async fn search(
    State(state): State<SearchState>,
    RawQuery(query): RawQuery,
    language: Language,
    to: Exchange,
) -> Result<Response> {
    let params =
        SearchParams::from_api_query(query.as_deref().unwrap_or_default())?.check_depth()?;
    let results = state.search.search(&params, state.view(language, to)).await?;
    Ok(([(CACHE_CONTROL, "no-cache")], Json(results)).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `parse_suggest_query` parses")]
struct SuggestParams {
    /// The query typed so far, at most 80 characters; bestsellers when it is empty.
    #[param(max_length = 80)]
    q: Option<String>,
    /// Only products of this category.
    #[param(pattern = "^[A-Za-z0-9_-]{0,64}$")]
    category: Option<String>,
}

/// Suggest products, categories and queries while a query is typed
#[utoipa::path(
    get, path = "/search/suggestions", tag = "Search", params(SuggestParams, Language, Exchange),
    responses(
        (status = 200, body = Suggestions),
        (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody, description = "Too many searches at a time"),
    )
)]
async fn suggest(
    State(state): State<SearchState>,
    RawQuery(query): RawQuery,
    language: Language,
    to: Exchange,
) -> Result<Response> {
    let (q, category) = parse_suggest_query(query.as_deref().unwrap_or_default())?;
    let suggestions = state.search.suggest(&q, category, state.view(language, to)).await?;
    Ok(([(CACHE_CONTROL, "no-cache")], Json(suggestions)).into_response())
}

fn parse_suggest_query(query: &str) -> Result<(String, Option<CategoryId>)> {
    let pairs = QueryPairs::parse(query);
    if pairs.has_invalid_utf8 {
        return Err(Error::invalid("query", "not UTF-8"));
    }
    let q = pairs.first("q").unwrap_or_default();
    if q.chars().count() > MAX_SUGGEST_CHARS {
        return Err(Error::invalid("q", format!("at most {MAX_SUGGEST_CHARS} characters")));
    }
    let category = pairs.first("category").filter(|id| !id.is_empty());
    let category =
        category.map(|id| id.parse().map_err(|why| Error::invalid("category", format!("{why}"))));
    Ok((normalize_text(q, MAX_SUGGEST_CHARS), category.transpose()?))
}

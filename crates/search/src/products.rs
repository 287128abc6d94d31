//! `GET /api/products`: the product list with the specification's field names. Read from the database where
//! that is possible, from the index where query text, filters or a sort order need it.

use axum::extract::{Query, RawQuery, State};
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Response};
use platform::error::{ErrorBody, Field};
use platform::pagination::{MAX_LIMIT, parse_limit, total_header};
use platform::{Cursor, Error, Exchange, Language, PageRequest, Result};
use response_cache::NewCacheEntry;
use serde::Deserialize;
use shop::catalog::{
    CatalogView, Product, ProductFilter, ProductId, catalog_tag, count_products, newest,
    tags_and_expiry,
};
use utoipa::IntoParams;

use crate::http::FilterParams;
use crate::{QueryPairs, SearchParams, SearchState};

const DEFAULT_LIMIT: i64 = 100;
const MAX_IDS: usize = 100;
/// Of a brand and of a product type.
const MAX_CHARS: usize = 80;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// The page size, 1 to 200; 100 by default.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200)]
    limit: Option<String>,
    /// The `X-Next-Cursor` of the previous page.
    #[param(pattern = r"^[0-9]{1,18}\.[A-Za-z0-9_-]{1,64}$")]
    cursor: Option<String>,
    /// Only products of this category.
    #[param(pattern = "^[A-Za-z0-9_-]{0,64}$")]
    category: Option<String>,
    /// Only products of this type, for example `flashsale`.
    #[param(max_length = 80, pattern = r"^[^\u0000-\u001F\u007F-\u009F]*$")]
    product_type: Option<String>,
    /// Only products of this brand; may be repeated, up to 20 times.
    #[param(max_length = 80, pattern = r"^[^\u0000-\u001F\u007F-\u009F]*$")]
    brand: Option<String>,
    /// Only products with these `_id`s, separated by commas; at most 100.
    #[param(pattern = "^,*([A-Za-z0-9_-]{1,64}(,+[A-Za-z0-9_-]{1,64}){0,99})?,*$")]
    ids: Option<String>,
}

impl ListParams {
    fn parse(self) -> Result<(PageRequest<Product>, ProductFilter)> {
        let (cursor, limit) = (self.cursor.as_deref(), self.limit.as_deref());
        let page = PageRequest::parse(cursor, limit, DEFAULT_LIMIT)?;
        let category = self
            .category
            .filter(|id| !id.is_empty())
            .map(|id| id.parse().map_err(|why| Error::invalid("category", format!("{why}"))))
            .transpose()?;
        let short = |name: &'static str, value: Option<String>| match value {
            Some(text) if text.chars().count() > MAX_CHARS || text.contains(char::is_control) => {
                Err(Error::invalid(name, format!("at most {MAX_CHARS} characters in one line")))
            }
            value => Ok(value),
        };
        let filter = ProductFilter {
            category,
            product_type: short("productType", self.product_type)?,
            brand: short("brand", self.brand)?,
            ids: self.ids.as_deref().map(parse_ids).transpose()?,
        };
        Ok((page, filter))
    }
}

fn parse_ids(text: &str) -> Result<Vec<ProductId>> {
    let ids: Vec<&str> = text.split(',').filter(|id| !id.is_empty()).take(MAX_IDS + 1).collect();
    if ids.len() > MAX_IDS {
        return Err(Error::invalid("ids", format!("at most {MAX_IDS}")));
    }
    let parse = |id: &str| id.parse().map_err(|why| Error::invalid("ids", format!("{why}")));
    ids.into_iter().map(parse).collect()
}

/// List products, newest first, or search them by text and filters
///
/// With `q`, with filters other than `category`, `productType`, one `brand` or `ids`, or with another sort order, the
/// list is paged by `page` (of `limit` products each) instead of by `cursor`.
#[utoipa::path(
    get, path = "/products", tag = "Catalogue", params(ListParams, FilterParams, Language, Exchange),
    responses(
        (status = 200, body = Vec<Product>, headers(
            ("X-Total-Count" = i64, description = "The number of matching products"),
            ("X-Next-Cursor" = String, description = "The cursor of the next page; missing on the last"),
        )),
        (status = 400, body = ErrorBody),
        (status = 422, body = ErrorBody, description = "The page is too deep, or parameters of both kinds of paging are given"),
        (status = 503, body = ErrorBody, description = "Too many searches at a time"),
    )
)]
pub(crate) async fn list_products(
    State(state): State<SearchState>,
    RawQuery(query): RawQuery,
    language: Language,
    to: Exchange,
    address: Uri,
    headers: HeaderMap,
) -> Result<Response> {
    let query = query.unwrap_or_default();
    if SearchParams::needs_index(&query) {
        return list_matches(&state, &query, state.view(language, to)).await;
    }
    let params = Query::<ListParams>::try_from_uri(&address);
    let Query(params) = params.map_err(|why| Error::invalid("query", why.body_text()))?;
    let (request, filter) = params.parse()?;
    let view = state.view(language, to);
    let SearchState { db, cache, .. } = state;
    let key = format!(
        "/api/products?{}&{:?}&{:?} {language} {}",
        request.limit,
        request.after.as_ref().map(Cursor::text),
        filter,
        to.currency
    );
    let entry = cache
        .get(&key, async move || {
            let by_ids = filter.ids.is_some();
            let page = newest(&db, view, &filter, &request).await?;
            let mut headers = vec![total_header(count_products(&db, &filter).await?)];
            headers.extend(page.next_header());
            let products = page.items;
            let (mut depends_on, expires_at) =
                tags_and_expiry(products.iter().map(|p| (&p.id, &p.totals)));
            depends_on.push(catalog_tag());
            // Not cached: there are endlessly many filters without a match, and a list of ids is rarely
            // requested twice.
            let expires_at =
                if products.is_empty() || by_ids { Some(view.now) } else { expires_at };
            NewCacheEntry::json(&products, headers, depends_on, expires_at)
        })
        .await?;
    Ok(entry.respond(&headers))
}

/// A page of search results.
async fn list_matches(
    SearchState { db, search, .. }: &SearchState,
    query: &str,
    view: CatalogView,
) -> Result<Response> {
    let size = page_size(query)?;
    let params = SearchParams { size, ..SearchParams::from_api_query(query)? }.check_depth()?;
    let params = search.with_original_values(&params).await?;
    let found = search.find(&params, view).await?;
    let filter = ProductFilter { ids: Some(found.ids.clone()), ..ProductFilter::default() };
    let request = PageRequest::first(MAX_LIMIT);
    let mut products = newest(db, view, &filter, &request).await?.items;
    products.sort_by_key(|product| found.ids.iter().position(|id| *id == product.id));
    Ok(([total_header(found.total)], axum::Json(products)).into_response())
}

/// The page size of a search. Parameters of the other kind of paging are refused.
fn page_size(query: &str) -> Result<i64> {
    let pairs = QueryPairs::parse(query);
    for name in ["cursor", "productType", "ids"] {
        if pairs.first(name).is_some() {
            let message = "not together with query text, filters or a sort order";
            return Err(Error::unprocessable(Field::malformed(name, message)));
        }
    }
    parse_limit(pairs.first("limit"), DEFAULT_LIMIT)
}

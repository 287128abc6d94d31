//! `GET /api/products`: the list of products, in the specification's field names. From the database where it
//! can be, from the index where words, filters or an order are asked for.

use axum::extract::{Query, RawQuery, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use base::cache::Fresh;
use base::error::ErrorBody;
use base::{Cursor, Error, Result};
use serde::Deserialize;
use shop::catalog::{Filter, Product, ProductId, newest, shown, total, whole};
use utoipa::IntoParams;

use crate::schemas;
use crate::{Choice, Finding, Pairs};

const MOST: i64 = 200;
const USUAL: i64 = 100;
const MOST_IDS: usize = 100;
/// Of a brand and of a type.
const LONGEST: usize = 80;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// How many, 1 to 200; 100 when it is left out.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200)]
    limit: Option<String>,
    /// Where to go on: the `X-Next-Cursor` of the answer before.
    #[param(pattern = r"^[0-9]{1,18}\.[A-Za-z0-9_-]{1,64}$")]
    cursor: Option<String>,
    /// Only this category's.
    #[param(pattern = "^[A-Za-z0-9_-]{0,64}$")]
    category: Option<String>,
    /// Only this type, for example `flashsale`.
    #[param(max_length = 80, pattern = r"^[^\u0000-\u001F\u007F-\u009F]*$")]
    product_type: Option<String>,
    /// Only this brand's. May be repeated, up to 20 times.
    #[param(max_length = 80, pattern = r"^[^\u0000-\u001F\u007F-\u009F]*$")]
    brand: Option<String>,
    /// Only these, by `_id`, with commas between; at most 100.
    #[param(pattern = "^,*([A-Za-z0-9_-]{1,64}(,+[A-Za-z0-9_-]{1,64}){0,99})?,*$")]
    ids: Option<String>,
}

struct Listing {
    limit: i64,
    after: Option<Cursor<Product>>,
    filter: Filter,
}

/// How `Choice` reads them; here for the description alone.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `Choice::of_program` reads")]
struct ChosenParams {
    /// The words to look for, at most 200 characters.
    #[param(max_length = 200)]
    q: Option<String>,
    /// Only what comes in one of these colours; may be repeated, as `brand` may.
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
    /// `default` (newest first), `price-asc`, `price-desc`, `best` or `relevance`.
    #[param(pattern = "^(default|price-asc|price-desc|best|relevance)?$")]
    sort: Option<String>,
    /// Which page, from 1 on, as deep as 10,000 products.
    #[param(minimum = 1, maximum = 10_000)]
    page: Option<i64>,
}

impl ListParams {
    fn limit(&self) -> Result<i64> {
        match self.limit.as_deref() {
            None => Ok(USUAL),
            Some(text) => text
                .parse()
                .ok()
                .filter(|limit| (1..=MOST).contains(limit))
                .ok_or_else(|| Error::invalid("limit", format!("a number from 1 to {MOST}"))),
        }
    }

    fn parse(self) -> Result<Listing> {
        let limit = self.limit()?;
        let after = self.cursor.map(|text| Cursor::parse(&text)).transpose()?;
        let category = self
            .category
            .filter(|id| !id.is_empty())
            .map(|id| id.parse().map_err(|why| Error::invalid("category", format!("{why}"))))
            .transpose()?;
        let short = |name: &'static str, value: Option<String>| match value {
            Some(text) if text.chars().count() > LONGEST || text.contains(char::is_control) => {
                Err(Error::invalid(name, format!("at most {LONGEST} characters in one line")))
            }
            value => Ok(value),
        };
        let filter = Filter {
            category,
            product_type: short("productType", self.product_type)?,
            brand: short("brand", self.brand)?,
            ids: self.ids.as_deref().map(parse_ids).transpose()?,
        };
        Ok(Listing { limit, after, filter })
    }
}

fn parse_ids(text: &str) -> Result<Vec<ProductId>> {
    let ids: Vec<&str> = text.split(',').filter(|id| !id.is_empty()).take(MOST_IDS + 1).collect();
    if ids.len() > MOST_IDS {
        return Err(Error::invalid("ids", format!("at most {MOST_IDS}")));
    }
    let parse = |id: &str| id.parse().map_err(|why| Error::invalid("ids", format!("{why}")));
    ids.into_iter().map(parse).collect()
}

/// The products, newest first; by words and filters where there are some
///
/// With `q`, with filters that are not `category`, `productType`, one `brand` or `ids`, or in another order, the
/// list is answered page by page (`page`, each of `limit`) instead of by `cursor`.
#[utoipa::path(
    get, path = "/products", tag = "Catalogue", params(ListParams, ChosenParams),
    responses(
        (status = 200, body = Vec<Product>, headers(
            ("X-Total-Count" = i64, description = "How many there are in all"),
            ("X-Next-Cursor" = String, description = "Where the next page starts; missing on the last"),
        )),
        (status = 400, body = ErrorBody),
        (status = 422, body = ErrorBody, description = "Too deep, or two ways to go through the list"),
        (status = 503, body = ErrorBody, description = "The index is being made"),
    )
)]
pub(crate) async fn list_products(
    State(finding): State<Finding>,
    RawQuery(query): RawQuery,
    address: Uri,
    headers: HeaderMap,
) -> Result<Response> {
    let query = query.unwrap_or_default();
    if Choice::is_wanted(&query) {
        return list_chosen(&finding, &query).await;
    }
    let params = Query::<ListParams>::try_from_uri(&address);
    let Query(params) = params.map_err(|why| Error::invalid("query", why.body_text()))?;
    let listing = params.parse()?;
    let Finding { db, clock, cache, .. } = finding;
    let key = format!(
        "/api/products?{}&{:?}&{:?}",
        listing.limit,
        listing.after.as_ref().map(Cursor::text),
        listing.filter
    );
    let kept = cache
        .get(&key, async move || {
            let Listing { limit, after, filter } = listing;
            let (now, own) = (clock.now(), filter.ids.is_some());
            let mut products = newest(&db, now, &filter, after.as_ref(), limit + 1).await?;
            let mut headers = vec![number("x-total-count", total(&db, &filter).await?)];
            if products.len() as i64 > limit {
                products.truncate(limit as usize);
                if let Some(Product { created_at, id, .. }) = products.last() {
                    let cursor = Cursor { created_at: *created_at, id: id.clone() };
                    let value = HeaderValue::try_from(cursor.text()).map_err(Error::internal)?;
                    headers.push((HeaderName::from_static("x-next-cursor"), value));
                }
            }
            let (mut shows, until) = shown(products.iter().map(|p| (&p.id, &p.price)), now);
            shows.push(whole());
            // Anybody can think of a brand that there is not, and a list of ids is one shopper's own:
            // nobody needs them kept.
            let until = if products.is_empty() || own { Some(now) } else { until };
            Fresh::json(&products, headers, shows, until)
        })
        .await?;
    Ok(kept.respond(&headers))
}

/// What the index answers, a page at a time.
async fn list_chosen(Finding { db, clock, search, .. }: &Finding, query: &str) -> Result<Response> {
    let given = given_beside(query)?;
    let choice = Choice { size: given.limit()?, ..Choice::of_program(query)? }.not_too_deep()?;
    let found = search.find(&choice).await?;
    let filter = Filter { ids: Some(found.ids.clone()), ..Filter::default() };
    let mut products = newest(db, clock.now(), &filter, None, MOST).await?;
    products.sort_by_key(|product| found.ids.iter().position(|id| *id == product.id));
    let total = [number("x-total-count", found.total)];
    Ok((total, axum::Json(products)).into_response())
}

/// What stands beside a choice: how many a page has. Where the other way to go through a list is asked for
/// too, only one can be meant.
fn given_beside(query: &str) -> Result<ListParams> {
    let params = Pairs::of(query);
    for name in ["cursor", "productType", "ids"] {
        if params.first(name).is_some() {
            return Err(Error::unprocessable(name, "not with words, filters or an order"));
        }
    }
    let limit = params.first("limit").map(str::to_owned);
    Ok(ListParams {
        limit,
        cursor: None,
        category: None,
        product_type: None,
        brand: None,
        ids: None,
    })
}

fn number(name: &'static str, value: i64) -> (HeaderName, HeaderValue) {
    (HeaderName::from_static(name), HeaderValue::from(value))
}

//! HTTP API of store credit.

use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use platform::auth::Customer;
use platform::error::ErrorBody;
use platform::http::QueryParams;
use platform::{Context, Cursor, Error, Result};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::StoreCredit;
use super::store::page;

const MAX_LIMIT: i64 = 200;
const DEFAULT_LIMIT: i64 = 50;

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(get_credit))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct CreditListParams {
    /// 1 to 200 entries; 50 by default.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200)]
    limit: Option<String>,
    /// The `X-Next-Cursor` of the previous response.
    #[param(pattern = r"^[0-9]{1,18}\.[A-Za-z0-9_-]{1,64}$")]
    cursor: Option<String>,
}

/// Get one's store credit and its history
#[utoipa::path(
    get, path = "/credit", tag = "Credit", params(CreditListParams),
    security(("accessToken" = [])),
    responses(
        (status = 200, body = StoreCredit, headers(
            ("X-Next-Cursor" = String, description = "The cursor of the next page; missing on the \
         last one"),
        )),
        (status = 400, body = ErrorBody),
    )
)]
async fn get_credit(
    State(context): State<Context>,
    caller: Customer,
    QueryParams(params): QueryParams<CreditListParams>,
) -> Result<(HeaderMap, Json<StoreCredit>)> {
    let limit = match params.limit.as_deref().map(str::parse) {
        None => DEFAULT_LIMIT,
        Some(Ok(limit @ 1..=MAX_LIMIT)) => limit,
        _ => return Err(Error::invalid("limit", format!("a number from 1 to {MAX_LIMIT}"))),
    };
    let after = params.cursor.as_deref().map(Cursor::parse).transpose()?;
    let mut found = page(&context.db, &caller.uid, after.as_ref(), limit + 1).await?;
    let mut headers = HeaderMap::new();
    if found.entries.len() as i64 > limit {
        found.entries.truncate(limit as usize);
        if let Some(last) = found.entries.last() {
            let cursor = Cursor { created_at: last.created_at, id: last.id.clone() };
            let value = HeaderValue::try_from(cursor.text()).map_err(Error::internal)?;
            headers.insert(HeaderName::from_static("x-next-cursor"), value);
        }
    }
    Ok((headers, Json(found)))
}

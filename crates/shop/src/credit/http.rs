//! HTTP API of store credit.

use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::HeaderMap;
use platform::auth::Customer;
use platform::http::QueryParams;
use platform::pagination::next_header;
use platform::{Context, Exchange, PageRequest, Result};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::StoreCredit;
use super::store::page;
use crate::error_responses::BadRequest;

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
    get, path = "/credit", tag = "Credit", params(CreditListParams, Exchange),
    security(("accessToken" = [])),
    responses(
        (status = 200, body = StoreCredit, headers(
            ("X-Next-Cursor" = String, description = "The cursor of the next page; missing on the \
         last one"),
        )),
        BadRequest,
    )
)]
async fn get_credit(
    State(context): State<Context>,
    caller: Customer,
    to: Exchange,
    QueryParams(params): QueryParams<CreditListParams>,
) -> Result<(HeaderMap, Json<StoreCredit>)> {
    let (cursor, limit) = (params.cursor.as_deref(), params.limit.as_deref());
    let request = PageRequest::parse(cursor, limit, DEFAULT_LIMIT)?;
    let (credit, next) = page(&context.db, to, &caller.uid, &request).await?;
    Ok((next_header(next.as_ref()).into_iter().collect(), Json(credit)))
}

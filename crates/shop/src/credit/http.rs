//! What customers see of their own store credit.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use base::auth::{Authenticates, Caller, Tokens};
use base::error::ErrorBody;
use base::http::Params;
use base::{Cursor, Db, Error, Result};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::StoreCredit;
use super::store::part_of;

const MOST: i64 = 200;
const USUAL: i64 = 50;

/// What the handler needs.
#[derive(Clone)]
pub struct Ledger {
    pub db: Db,
    pub tokens: Tokens,
}

impl Authenticates for Ledger {
    fn tokens(&self) -> &Tokens {
        &self.tokens
    }
}

pub fn router() -> OpenApiRouter<Ledger> {
    OpenApiRouter::new().routes(routes!(get_credit))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// How many entries, 1 to 200; 50 when it is left out.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200)]
    limit: Option<String>,
    /// Where to go on: the `X-Next-Cursor` of the answer before.
    #[param(pattern = r"^[0-9]{1,18}\.[A-Za-z0-9_-]{1,64}$")]
    cursor: Option<String>,
}

/// One's own store credit, and how it came about
#[utoipa::path(
    get, path = "/credit", tag = "Credit", params(ListParams),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer", body = StoreCredit,
         headers(
            ("X-Next-Cursor" = String, description = "Where the next page starts; missing on the last"),
        )),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
    )
)]
async fn get_credit(
    State(ledger): State<Ledger>,
    caller: Caller,
    Params(params): Params<ListParams>,
) -> Result<(HeaderMap, Json<StoreCredit>)> {
    let limit = match params.limit.as_deref().map(str::parse) {
        None => USUAL,
        Some(Ok(limit @ 1..=MOST)) => limit,
        _ => return Err(Error::invalid("limit", format!("a number from 1 to {MOST}"))),
    };
    let after = params.cursor.as_deref().map(Cursor::parse).transpose()?;
    let mut found = part_of(&ledger.db, &caller.uid, after.as_ref(), limit + 1).await?;
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
